# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in other languages: one file each, of which only the one at hand is loaded.

Blender looks a text up in its own translations first, so that its terms are used where it has them,
and in these then. The files are written by tools/translations.py, which knows what is shown.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import bpy
from bpy.app.handlers import persistent

LANGUAGES = ("de", "ja", "ko")
"""Those there is a file of; the country makes no difference."""

CONTEXT = "Terrane"
"""Of properties made from declarations: "Shift" is no key and "Joints" are of bricks, so that Blender's own
translations must not be asked."""

CONTEXTS = ("*", "Operator", CONTEXT)
"""Where Blender looks: everywhere, for what is on buttons, and for our properties."""

_loaded = ""
"""The locale whose translations Blender has got."""


def register() -> None:
    """Give Blender the translations of the language at hand, and those of another when it changes."""
    _load()
    _handlers().append(_language_may_have_changed)


def unregister() -> None:
    """Take them away again."""
    _handlers().remove(_language_may_have_changed)
    _forget()


def messages() -> Mapping[str, str]:
    """Return all translations into the language at hand by the English text; none in English."""
    name = _locale()[:2]
    if name not in LANGUAGES:
        return {}
    loaded: Mapping[str, str] = importlib.import_module(f".{name}", __package__).MESSAGES
    return loaded


@persistent
def _language_may_have_changed(*arguments: Any) -> None:
    if _locale() != _loaded:
        _forget()
        _load()


def _load() -> None:
    global _loaded
    own = messages()
    if own:
        entries = {(context, text): other for text, other in own.items() for context in CONTEXTS}
        bpy.app.translations.register(__name__, {_locale(): entries})
        _loaded = _locale()


def _forget() -> None:
    global _loaded
    if _loaded:
        bpy.app.translations.unregister(__name__)
        _loaded = ""


def _locale() -> str:
    return str(bpy.app.translations.locale or "")


def _handlers() -> Any:
    handlers: Any = bpy.app.handlers
    return handlers.translation_update_post
