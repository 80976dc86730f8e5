# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages in the user's language, with the names and numbers that are in them.

Whoever has something to say says it in English, the core too, which knows no languages. The
translations have {} where values stand: a message that fits is said in the other language.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from bpy.app.translations import pgettext_rpt

from ... import translations

_PLACE = "{}"

_RECIPE = "Recipe: "


def report(operator: Any, kind: set[str], text: str) -> None:
    """Tell the user something in the status bar; see `Operator.report`."""
    operator.report(kind, shown(text))


def shown(text: str) -> str:
    """Return a message in the language at hand; as it is, if there is no translation."""
    bare = text.removeprefix(_RECIPE)  # as the translations have what is said of recipes
    exact = pgettext_rpt(text)
    if exact != text:
        return str(exact)
    fits = [
        (found.end(1) if template.startswith(_PLACE) else 0, template, found.groups())
        for pattern, template in _templates(frozenset(translations.messages()))
        if (found := pattern.fullmatch(text))
    ]
    if not fits:
        return text if bare == text or shown(bare) == bare else shown(bare)
    # Whose words come first: "{} holds no recipe: {}" has another message for its last value.
    _, template, values = min(fits, key=lambda fit: fit[0])
    other = pgettext_rpt(template)
    return text if other == template else _filled(other, values)


def _filled(template: str, values: tuple[str, ...]) -> str:
    """Return a template with its values; the last may be a message itself, such as a reason."""
    *others, last = values
    return template.format(*others, shown(last) if " " in last else last)


@functools.lru_cache(maxsize=2)
def _templates(texts: frozenset[str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the texts with places for values, those that say most first."""
    open_ones = sorted(
        (text for text in texts if _PLACE in text), key=lambda text: (-len(text), text)
    )
    return tuple((_pattern(text), text) for text in open_ones)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, text.split(_PLACE))), re.DOTALL)
