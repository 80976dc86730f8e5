# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that remove a landscape, one of its parts, or parts whose terrain was deleted."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty

from .bridge.datablocks import linked, meshes
from .bridge.scene import landscapes, parts
from .bridge.schema import state
from .bridge.schema.enum_items import enum_items
from .long_operator import WaitingOperator
from .options import HIDDEN, choice_property, switch_property
from .part_operator import TerrainOperator, why_no_readable_terrain
from .recipe_keywords import reports_errors

_PARTS = {
    "ground": "The ground material",
    "colors": "The colors of the land in Solid view",
    "sky": "The world, the sun and the haze",
    "camera": "The camera over the terrain",
    "water": "The sea, lakes and rivers",
    "surroundings": "Land or sea around the terrain",
    "plants": "Plants and stones",
    "detail_patch": "Fine ground in front of the camera",
}
"""Descriptions of the parts in `landscapes.PARTS`, whose modules are imported on use."""


class TERRANE_OT_landscape_part_remove(TerrainOperator, bpy.types.Operator):
    """Remove this part of the landscape; the terrain stays"""

    bl_idname = "terrane.landscape_part_remove"
    bl_label = "Remove"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "part": choice_property("Part", "Part to remove", enum_items(_PARTS)),
    }

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the part."""
        terrain = state.active_terrain(context)
        landscapes.PARTS[self.part].remove(context.scene, terrain)
        return {"FINISHED"}


class TERRANE_OT_landscape_remove(WaitingOperator, bpy.types.Operator):
    """Remove all parts of the landscape; world, camera, materials and settings are as before"""

    bl_idname = "terrane.landscape_remove"
    bl_label = "Remove Landscape"
    bl_options = {"REGISTER", "UNDO"}
    writes = (state.scene,)

    __annotations__ = {
        "keep_terrain": switch_property(
            "Keep Terrain", "Keep the terrain even if it came with the landscape"
        ),
        "lost": BoolProperty(
            name="Lost Parts",
            description="Remove parts whose terrain was deleted",
            options=HIDDEN,
        ),
    }

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse it without an active terrain and without lost parts."""
        if state.active_terrain(context) is None and parts.lost(context.scene):
            return ""
        return why_no_readable_terrain(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the landscape of the active terrain, or lost parts if there is no such terrain."""
        terrain = state.active_terrain(context)
        if self.lost or terrain is None:
            landscapes.remove_lost(context.scene)
            return {"FINISHED"}
        linked.require_writable(terrain, meshes.mesh_of(terrain))
        if not self.properties.is_property_set("keep_terrain"):
            self.keep_terrain = not landscapes.is_new(terrain)
        landscapes.remove(context.scene, terrain, is_terrain_kept=self.keep_terrain)
        return {"FINISHED"}
