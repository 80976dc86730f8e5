# SPDX-License-Identifier: GPL-3.0-or-later
"""Displace a mesh by noise."""

from __future__ import annotations

import dataclasses

import bpy
from bpy.props import BoolProperty

from .bridge import displacement, editing
from .bridge.keywords import DISPLACE
from .bridge.messages import report, shown
from .bridge.state import mask_property
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords, reports_errors


class TERRANE_OT_mesh_displace(RecipeOperator, bpy.types.Operator):
    """Move the vertices of the active mesh by noise in space: a sphere becomes a planet."""

    bl_idname = "terrane.mesh_displace"
    bl_label = "Displace Mesh"
    bl_description = "Move the vertices of the active mesh by noise in space, without seams"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    __annotations__ = {
        **recipe_keywords(measured=False),
        **declared_keywords(DISPLACE),
        "mask": mask_property({"SKIP_SAVE"}),
        "single_user": BoolProperty(
            name="Single User",
            description="Leave other objects that share this mesh as they are",
            options={"SKIP_SAVE"},
        ),
    }
    option_group = "displace_options"
    option_parameters = DISPLACE

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for a mesh that can be changed."""
        reason = editing.why_not(context)
        if reason:
            cls.poll_message_set(shown(reason))
        return not reason

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw how and where the mesh moves."""
        column = layout.column(align=True)
        for name in ("strength", "tile", "direction"):
            column.prop(self, name)
        if self.direction == "vector":
            column.prop(self, "vector")
        if context.active_object is not None:
            layout.prop_search(self, "mask", context.active_object, "vertex_groups")
        column = layout.column(align=True)
        column.prop(self, "as_shape_key")
        column.prop(self, "single_user")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Sample the noise at the vertices and move them."""
        request = self.request(context)
        mask = self.given_or_stored(context, "mask")
        way = displacement.Displacement(**self.chosen_options(context), mask=mask)
        thing = context.active_object
        recipe = dataclasses.replace(request.recipe, modifiers=())
        if any(not modifier.muted for modifier in request.recipe.modifiers):
            report(self, {"INFO"}, "Displaced by the noise alone: the modifiers need a terrain")
        with editing.object_mode(context, thing):
            mesh = editing.editable_mesh(thing, single_user=self.single_user)
            displacement.displace(context, thing, recipe, way)
        if others := editing.other_users(mesh):
            report(self, {"INFO"}, f"{others} more objects share this mesh and have changed too")
        return {"FINISHED"}
