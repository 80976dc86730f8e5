# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on objects that stand on terrains: the ground follows them, or they drop to it."""

from __future__ import annotations

import bpy

from ..noise_core.base.errors import TerraneError
from .bridge.interface.messages import Message, translate
from .bridge.schema import settings, state
from .bridge.terrain import dropping, footprints, path_layers
from .guarded_operator import GuardedOperator
from .options import switch_property, text_property
from .recipe_keywords import reports_errors


class OnTerrainOperator(GuardedOperator):
    """Mix-in of operators on objects that stand on terrains."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Refuse other modes, and scenes without a terrain."""
        if context.mode != "OBJECT":
            return Message("Switch to Object Mode first")
        has_any = any(state.is_terrain(obj) for obj in context.scene.objects)
        return "" if has_any else Message("Add a terrain first")


class TERRANE_OT_footprint_add(OnTerrainOperator, bpy.types.Operator):
    """Level the ground under the selected objects; it follows when they are moved"""

    bl_idname = "terrane.footprint_add"
    bl_label = "Add Footprint"
    bl_options = {"REGISTER", "UNDO"}

    writes = (state.scene,)

    __annotations__ = {
        "object": text_property("Object", "Object with its children; the selected ones if empty"),
        "collection": text_property("Collection", "Collection of objects, such as a village"),
        "later": switch_property("Choose Later", "Without objects, add a layer that asks for them"),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the layer, and show the terrain in the panel."""
        context.view_layer.update()
        named = footprints.find_named(self.object, self.collection)
        sources = footprints.selected(context) if named is None else [named]
        if not sources and not self.later:
            raise TerraneError("Select objects that stand on the terrain, or name one")
        first = next((source for source in sources if isinstance(source, bpy.types.Object)), None)
        terrain = path_layers.find_terrain(context, first)
        settings.fill(getattr(terrain, state.PROPERTY))
        footprints.add_layer(terrain, sources)
        if state.active_object(context) != terrain:
            context.view_layer.objects.active = terrain
        return {"FINISHED"}


class TERRANE_OT_objects_drop(OnTerrainOperator, bpy.types.Operator):
    """Put the selected objects onto the terrain below or above them"""

    bl_idname = "terrane.objects_drop"
    bl_label = "Drop to Ground"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "align": switch_property("Align to Slope", "Tilt the objects as the ground is tilted"),
    }

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move the objects, and say how many found no ground."""
        context.view_layer.update()
        objects = footprints.selected(context)
        if not objects:
            raise TerraneError("Select objects to drop")
        missed = dropping.drop(context, objects, is_aligned=self.align)
        if missed:
            names = ", ".join(obj.name for obj in missed)
            if len(missed) == len(objects):
                raise TerraneError("There is no ground below {}", names)
            self.report({"WARNING"}, translate(Message("There is no ground below {}", names)))
        return {"FINISHED"}
