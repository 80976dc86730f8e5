# SPDX-License-Identifier: GPL-3.0-or-later
"""Operator that lets plants grow on a terrain, and lays stones on it."""

from __future__ import annotations

import bpy

from .bridge.interface.core import KINDS, Plants
from .bridge.scene import plants, settings
from .bridge.schema import state
from .bridge.terrain import terrains
from .options import from_panel_property, redo_layout
from .recipe_keywords import declared_keywords, reports_errors
from .scene import PartOperator


class TERRANE_OT_scatter_add(PartOperator, bpy.types.Operator):
    """Let trees, bushes and grass grow on the terrain and lay stones on it by geometry nodes: those of the preset, unless something else is set"""

    bl_idname = "terrane.scatter_add"
    bl_label = "Add Plants"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    declared = Plants

    __annotations__ = {
        **declared_keywords(Plants.parameters()),
        "from_panel": from_panel_property(),
    }

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what few kinds of plants lack, and how many there are of each."""
        layout = redo_layout(self)
        for one in Plants.of_kind(""):
            layout.prop(self, one.name)
        column = layout.column(align=True, heading="Density")
        for kind, label in KINDS.items():
            column.prop(self, f"{kind}_density", text=label)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the object with the nodes, and its models."""
        terrain = state.active_terrain(context)
        look = terrains.look_of(terrain)
        chosen = self.chosen(context, look.plants or Plants())
        plants.write(context, terrain, chosen, look.palette)
        settings.write(context, chosen)
        return {"FINISHED"}
