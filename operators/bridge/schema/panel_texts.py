# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages as the interface shows them: with the labels of its fields in place of names in Python."""

from __future__ import annotations

import functools
import re
from typing import Any

from bpy.app.translations import pgettext_iface

from ....noise_core.base.errors import TerraneError
from ....noise_core.base.params import Declared, Parameter
from ....noise_core.io.targets.bases.target import target_types
from ....noise_core.maps.bases.map import map_types
from ....noise_core.masks.bases.mask import mask_types
from ....noise_core.modifiers.bases.modifier import modifier_types
from ....noise_core.noises.bases.noise import noise_types
from ....translations import CONTEXT
from ..interface.messages import Message, translate
from .enum_items import enum_label

_NAME = re.compile(r"\b([A-Z]\w+)\.([a-z]\w*)\b")
"""A parameter of a type, such as Perlin.frequency."""

_KEYWORD = re.compile(r"\A[a-z]\w*\b")
"""A keyword that a message is about."""

_KEY = re.compile(r"'(\w+)'")
"""A key of a choice."""

_CALLED = ("from_panel", "is_browsed")
"""Keywords by which panels and file browsers call operators."""


def panel_text(text: str) -> str:
    """Return a message in the language of the interface as a panel shows it.

    `Perlin.frequency must be in [0.0001, 1e+06]; got -1.0` becomes `Perlin: Frequency must be in [0.0001, 1e+06]`:
    the field that it is about has a label, and shows the value itself.
    """
    return _NAME.sub(_label_of, translate(Message(text).rule))


def report_error(operator: Any, error: TerraneError) -> None:
    """Report an error of an operator: with keywords to scripts, with the labels of its fields in the interface."""
    is_shown = operator.options.is_invoke or operator.options.is_repeat
    is_shown = is_shown or any(getattr(operator, name, False) for name in _CALLED)
    text = labeled_text(operator, error.message) if is_shown else translate(error.message)
    operator.report({"ERROR"}, text)


def labeled_text(operator: Any, text: str) -> str:
    """Return a message about the keywords of an operator with the labels of its fields, translated.

    `bits must be 8 or 16 for png; got 32` becomes `Bits must be 8 or 16 for png; got 32`; keys of choices, in
    quotes, become their names.
    """
    declared = operator.properties.bl_rna.properties

    def title(match: re.Match[str]) -> str:
        name = match[match.re.groups]
        return str(pgettext_iface(declared[name].name, CONTEXT)) if name in declared else match[0]

    labeled = _NAME.sub(title, _NAME.sub(_label_of, translate(text)))
    labeled = _KEYWORD.sub(title, labeled)
    names = _names_of_choices(declared)
    return _KEY.sub(lambda match: names.get(match[1], match[0]), labeled)


def _names_of_choices(declared: Any) -> dict[str, str]:
    """Return the names of the items of choices by their keys; keys with several names are left out."""
    names: dict[str, set[str]] = {}
    for choice in declared:
        for item in getattr(choice, "enum_items_static", ()):
            names.setdefault(item.identifier, set()).add(pgettext_iface(item.name, CONTEXT))
    for key, titles in _target_choices().items():
        names.setdefault(key, set()).update(pgettext_iface(title, CONTEXT) for title in titles)
    return {key: f"'{titles.pop()}'" for key, titles in names.items() if len(titles) == 1}


@functools.cache
def _target_choices() -> dict[str, set[str]]:
    """Return the titles of the options of export targets by their keys."""
    titles: dict[str, set[str]] = {}
    for cls in target_types().values():
        for key in (key for parameter in cls.parameters() for key in parameter.options):
            titles.setdefault(key, set()).add(enum_label(key))
    return titles


def _label_of(match: re.Match[str]) -> str:
    """Return the labels of a type and its parameter, or the text as it is if there are none."""
    name, attribute = match.groups()
    cls = _types().get(name)
    parameters: tuple[Parameter, ...] = () if cls is None else cls.parameters()
    titles = [parameter.title for parameter in parameters if parameter.name == attribute]
    if cls is None or not titles:
        return match[0]
    return f"{pgettext_iface(cls.label)}: {pgettext_iface(titles[0], CONTEXT)}"


@functools.cache
def _types() -> dict[str, type[Declared]]:
    """Return the types that have fields in the interface by the names of their classes."""
    return {
        cls.__name__: cls
        for types in (noise_types(), modifier_types(), map_types(), mask_types(), target_types())
        for cls in types.values()
    }
