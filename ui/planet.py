# SPDX-License-Identifier: GPL-3.0-or-later
"""The active planet: its ground, sea, ice and air, which follow the settings in the panel."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.scene import settings
from ..operators.bridge.scene.settings import Planet
from ..operators.bridge.schema import state
from .declared import draw_parameters
from .live import draw_note
from .manual import draw_button
from .progress import draw_progress
from .sections import InTerrain, split

GROUPS = (
    ("Ground", "WORLD", ("radius", "relief", "scale", "resolution", "palette")),
    ("Sea and Ice", "MOD_OCEAN", ("sea_cover", "ice_latitude")),
    ("Air", "OUTLINER_OB_FORCE_FIELD", ("atmosphere", "air_depth")),
)
"""Titles, icons and parameters of its parts."""


class TERRANE_PT_planet(InTerrain, bpy.types.Panel):
    """Ground, sea, ice and air of the active planet."""

    bl_label = "Planet"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for planets and their shells."""
        return state.active_planet(context) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "planets")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button, the seed and the parts."""
        layout, planet = split(self.layout), state.active_planet(context)
        row = layout.row()
        if not draw_progress(row):
            row.operator("terrane.planet_update", text="Update", icon="FILE_REFRESH")
        draw_note(layout, context, planet)
        group: Any = settings.PLANET.group(planet)
        layout.prop(group, "seed")
        declared = {parameter.name: parameter for parameter in Planet.parameters()}
        for title, icon, names in GROUPS:
            header, body = layout.panel(f"TERRANE_planet_{names[0]}")
            header.label(text=title, icon=icon)
            if body is not None:
                draw_parameters(body.column(align=True), group, (declared[name] for name in names))
