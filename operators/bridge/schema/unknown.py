# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file has that this Terrane does not know: it is kept as it is, and said.

Files of later versions, or of somebody's own types, may hold types of noise and modifiers that are
not here. Blender keeps what is stored of them, and nothing is made anew that would leave them out.
"""

from __future__ import annotations

from typing import Any

from ....noise_core.base.errors import Message
from . import elements, layer_list, layers, settings


def why_not(group: Any) -> str:
    """Return what of some settings is not known, and what to do; nothing if all is known.

    Panels and polls ask this often: it reads no parameters.
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
        for element in entry.chain:
            if elements.element_class(element) is None:
                return Message(
                    "{} has a noise of a type that this Terrane does not know: update Terrane, or remove it",
                    entry.name,
                )
    return ""
