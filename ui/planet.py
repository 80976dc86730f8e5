# SPDX-License-Identifier: GPL-3.0-or-later
"""The active planet: its ground, sea, ice and air, which follow the settings in the panel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ..operators.bridge.scene import settings
from ..operators.bridge.scene.settings import Planet
from ..operators.bridge.schema import state
from .declared import draw_parameters
from .manual import draw_button
from .sections import MEASURES, InTerrain, split

GROUPS = (
    ("Ground", "WORLD", ("radius", "relief", "scale", "resolution", "palette", "craters", "gas")),
    ("Sea and Ice", "MOD_OCEAN", ("sea_cover", "ice_latitude")),
    ("Air", "OUTLINER_OB_FORCE_FIELD", ("atmosphere", "air_depth", "city_lights")),
    ("Clouds", "OUTLINER_OB_VOLUME", ("clouds", "clouds_seed")),
    ("Rings", "MESH_TORUS", ("rings",)),
)
"""Titles, icons and parameters of its parts."""


class TERRANE_PT_planet(InTerrain, bpy.types.Panel):
    """Ground, sea, ice and air of the active planet."""

    bl_label = "Planet"
    bl_order = MEASURES

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it for planets and their shells."""
        return state.active_planet(context) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that opens the manual."""
        draw_button(self.layout, "planets")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the parts; the recipe of its ground has panels of its own."""
        layout = split(self.layout)
        for title, icon, names in GROUPS:
            header, body = layout.panel(f"TERRANE_planet_{names[0]}")
            header.label(text=title, icon=icon)
            if body is not None:
                draw_group(names, body.column(align=True), context)


def draw_group(names: Iterable[str], layout: Any, context: bpy.types.Context) -> None:
    """Draw some measures of the active planet."""
    group: Any = settings.PLANET.group(state.active_planet(context))
    declared = {parameter.name: parameter for parameter in Planet.parameters()}
    draw_parameters(layout, group, (declared[name] for name in names))
