# SPDX-License-Identifier: GPL-3.0-or-later
"""Types in a file that this version of Terrane does not know; they are kept and reported.

Files of later versions, or with custom types, may contain types of noise and modifiers that are not
registered. Blender keeps their stored values, and no result is rebuilt without them.
"""

from __future__ import annotations

from typing import Any

from ....noise_core.base.errors import Message
from . import elements, layer_list, layers, settings


def why_not(group: Any) -> str:
    """Return a message about unknown types in some settings, "" if all are known.

    Panels and polls call this often, so it reads no parameters.
    """
    if settings.is_unconverted(group):
        return settings.UNCONVERTED
    for entry in layer_list.entries(group):
        if layers.layer_class(entry) is None:
            title = entry.name or entry.type
            return Message(
                "This Terrane does not know the type of {}: update Terrane, or remove it from the list",
                title,
            )
        chains = [one.chain for one in layers.chain_holders(entry).values()]
        if any(elements.element_class(one) is None for chain in chains for one in chain):
            return Message(
                "{} has a noise of a type that this Terrane does not know: update Terrane, or remove it",
                entry.name,
            )
    return ""
