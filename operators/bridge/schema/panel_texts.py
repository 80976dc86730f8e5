# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages as a panel shows them: with the labels of its fields in place of names in Python."""

from __future__ import annotations

import functools
import re

from bpy.app.translations import pgettext_iface

from ....noise_core.base.params import Declared
from ....noise_core.maps.bases.map import map_types
from ....noise_core.masks.bases.mask import mask_types
from ....noise_core.modifiers.bases.modifier import modifier_types
from ....noise_core.noises.bases.noise import noise_types
from ....translations import CONTEXT
from ..interface.messages import Message, translate

_NAME = re.compile(r"\b([A-Z]\w+)\.([a-z]\w*)\b")
"""A parameter of a type, such as Perlin.frequency."""


def panel_text(text: str) -> str:
    """Return a message in the language of the interface as a panel shows it.

    `Perlin.frequency must be in [0.0001, 1e+06]; got -1.0` becomes `Perlin: Frequency must be in [0.0001, 1e+06]`:
    the field that it is about has a label, and shows the value itself.
    """
    return _NAME.sub(_label_of, translate(Message(text).rule))


def _label_of(match: re.Match[str]) -> str:
    """Return the labels of a type and its parameter, or the text as it is if there are none."""
    name, attribute = match.groups()
    cls = _types().get(name)
    parameters = () if cls is None else cls.parameters()
    titles = [parameter.title for parameter in parameters if parameter.name == attribute]
    if cls is None or not titles:
        return match[0]
    return f"{pgettext_iface(cls.label)}: {pgettext_iface(titles[0], CONTEXT)}"


@functools.cache
def _types() -> dict[str, type[Declared]]:
    """Return the types that have fields in panels by the names of their classes."""
    return {
        cls.__name__: cls
        for types in (noise_types(), modifier_types(), map_types(), mask_types())
        for cls in types.values()
    }
