# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations of the interface: a .po file for each language, of which the present one is loaded.

Blender looks a text up in its own translations first, so that its terms are used where it has them,
and then in these. `tools/translations.py` keeps the files up to date.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import bpy
from bpy.app.handlers import persistent

CONTEXT = "Terrane"
"""Context of properties made from declarations, which Blender's own translations must not be used for: "Shift"
is no key here, and "Joints" are those of bricks."""

CONTEXTS = ("*", "Operator", CONTEXT)
"""Contexts that Blender looks texts up in: the default, that of operators, and that of our properties."""

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
    """Return the translations for a locale by the English text; none without a file for its language."""
    path = Path(__file__).with_name(f"{locale.partition('_')[0]}.po")
    return parse(path.read_text(encoding="utf-8")) if locale and path.is_file() else {}


def parse(text: str) -> dict[str, str]:
    """Return the translations in the text of a .po file, without those that are empty or fuzzy.

    Plural forms and contexts are not read: no text of the interface has any.
    """
    joined = text.replace('"\n"', "")  # lines of one string
    return {
        _unescape(source): _unescape(translation)
        for flags, source, translation in _ENTRY.findall(joined)
        if "fuzzy" not in flags
    }


_ENTRY = re.compile(r'^(#,.*\n(?:#.*\n)*)?msgid "(.+)"\nmsgstr "(.+)"$', re.MULTILINE)
"""Flags, with the comments that may follow them; the text and its translation, neither empty."""

_ESCAPE = re.compile(r"\\(.)")

_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


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
