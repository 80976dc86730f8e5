# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations of the interface, of which those into the present language are loaded.

Blender looks a text up in its own translations first, so that its terms are used where it has them,
and then in these. They are edited as .po files, one for each language, which `tools/translations.py` keeps up to date;
`tools/make_shipped.py` makes of these the file that is loaded. Without it the interface is in English.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from bpy.app.handlers import persistent

CONTEXT = "Terrane"
"""Context of properties made from declarations, which Blender's own translations must not be used for: "Shift"
is no key here, and "Joints" are those of bricks."""

CONTEXTS = ("*", "Operator", CONTEXT)
"""Contexts that Blender looks texts up in: the default, that of operators, and that of our properties."""

FILE = Path(__file__).with_name("texts.json")

_ENGLISH = "texts"
"""Name of the list of English texts in the file; those of the languages, by their codes, are in its order."""

_loaded = ""
"""Locale whose translations are registered."""


def register() -> None:
    """Register the translations for the present language, and for another when it is chosen."""
    _load()
    _handlers().append(_reload)


def unregister() -> None:
    """Unregister the translations."""
    if _reload in _handlers():  # an add-on may have emptied the list
        _handlers().remove(_reload)
    _unload()


def read(locale: str) -> dict[str, str]:
    """Return the translations for a locale by the English text; none if there are none into its language."""
    language = locale.partition("_")[0]
    if not language or not FILE.is_file():
        return {}
    made = json.loads(FILE.read_text(encoding="utf-8"))
    return {text: own for text, own in zip(made[_ENGLISH], made.get(language, ())) if own}


@persistent
def _reload(*arguments: Any) -> None:
    """Exchange the translations if the language has changed."""
    if _locale() != _loaded:
        _unload()
        _load()


def _load() -> None:
    global _loaded
    translations = read(_locale())
    if translations:
        entries = {
            (context, text): translation
            for text, translation in translations.items()
            for context in CONTEXTS
        }
        bpy.app.translations.register(__name__, {_locale(): entries})
        _loaded = _locale()


def _unload() -> None:
    global _loaded
    if _loaded:
        bpy.app.translations.unregister(__name__)
        _loaded = ""


def _locale() -> str:
    return str(bpy.app.translations.locale or "")


def _handlers() -> Any:
    handlers: Any = bpy.app.handlers
    return handlers.translation_update_post
