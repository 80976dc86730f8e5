# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyword by which operators are told which maps to make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
from bpy.props import EnumProperty

from .bridge.maps import catalog
from .bridge.messages import report

DEFAULT_BAKED = frozenset({"slope", "flow", "wear", "deposit"}) & frozenset(catalog.entries())
"""What shaders need most."""

KEPT = (
    "Attributes of the vertices to make. If nobody chooses, those that the modifiers make on their "
    "way, and those that a material, nodes or a mask of the terrain read"
)


def map_items() -> list[tuple[str, str, str, str, int]]:
    """Return the items of an enum of several maps; each is a bit."""
    return [
        (name, entry.label, entry.help.rstrip("."), "NONE", 1 << place)
        for place, (name, entry) in enumerate(catalog.entries().items())
    ]


def maps_property(default: Iterable[str], description: str = KEPT) -> Any:
    """Return the property that chooses maps.

    It is never stored in a file, so that its bits may change when there are more maps.
    """
    return EnumProperty(
        name="Maps",
        description=description,
        items=map_items(),
        default=set(default),
        options={"ENUM_FLAG", "SKIP_SAVE"},
    )


def draw_maps(layout: bpy.types.UILayout, operator: bpy.types.Operator) -> None:
    """Draw the choice of maps, folded away at first."""
    panel: Any = layout.panel("terrane_maps", default_closed=True)
    header, body = panel
    header.label(text="Maps")
    if body is not None:
        body.column(align=True).prop(operator, "maps")


def report_refused(operator: Any, refused: Iterable[str]) -> None:
    """Say which maps could not be stored, if any."""
    if names := ", ".join(refused):
        report(
            operator,
            {"WARNING"},
            "Not stored, for other attributes or vertex groups have these names: {}",
            names,
        )
