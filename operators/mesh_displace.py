# SPDX-License-Identifier: GPL-3.0-or-later
"""Displace a mesh by noise."""

from __future__ import annotations

import dataclasses

import bpy
from bpy.props import BoolProperty

from .bridge import meshes
from .bridge.geometry import displacement, editing, mesh_reading
from .bridge.geometry.subjects import Subject
from .bridge.keywords import DISPLACE
from .bridge.messages import report
from .bridge.state import mask_property
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords


class TERRANE_OT_mesh_displace(LongOperator, RecipeOperator, bpy.types.Operator):
    """Move the vertices of the active mesh by noise in space: a sphere becomes a planet."""

    bl_idname = "terrane.mesh_displace"
    bl_label = "Displace Mesh"
    bl_description = "Move the vertices of the active mesh by noise in space, without seams"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = "Displacing the Mesh"

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
        return not refuses(
            cls, editing.why_not(context), meshes.why_not_left(context.active_object)
        )

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

    def reads(self, context: bpy.types.Context) -> tuple[str, ...]:
        """Return where the vertices are, and what gives their normals if they move along them."""
        if self.chosen_options(context)["direction"] == "normal":
            return ("position", ".corner_vert", mesh_reading.FACES)
        return ("position",)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read where the vertices are, and where they may move to."""
        request = self.request(context)
        mask = self.given_or_stored(context, "mask")
        self.way = displacement.Displacement(**self.chosen_options(context), mask=mask)
        thing = context.active_object
        on_grid = request.acting.layers_on_grid
        known = [one for one in request.acting.layers if all(one is not other for other in on_grid)]
        recipe = dataclasses.replace(request.acting, layers=tuple(known))
        self.has_modifiers = bool(on_grid)
        with editing.object_mode(context, thing):
            positions = displacement.present_positions(thing)
            self.subject = Subject.of(thing, positions)
            return displacement.work(context, thing, positions, recipe, self.way)

    def finish(self, context: bpy.types.Context, result: displacement.Displaced) -> set[str]:
        """Move the vertices."""
        thing = self.subject.found()
        with editing.object_mode(context, thing):
            self.subject.check(thing)
            mesh = editing.editable_mesh(thing, single_user=self.single_user)
            displacement.write(thing, self.way, result)
        if self.has_modifiers:
            report(self, {"INFO"}, "Displaced by the noise alone: the modifiers need a terrain")
        if others := editing.other_users(mesh):
            report(self, {"INFO"}, f"{others} more objects share this mesh and have changed too")
        return {"FINISHED"}
