# SPDX-License-Identifier: GPL-3.0-or-later
"""Erode any mesh that is a grid."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty

from .bridge import state
from .bridge.datablocks import editing, meshes
from .bridge.datablocks.editing import MeshGuard
from .bridge.maps import map_layers
from .bridge.messages import Message, report
from .bridge.terrain import before, eroding
from .bridge.terrain.erosion_settings import START, mesh_borders
from .bridge.terrain.terrains import Measures
from .bridge.values import number
from .bridge.work.jobs import Work
from .erosion_keywords import ErodingOperator, erosion_keywords
from .long_operator import LongOperator, refuses
from .map_keywords import draw_maps, report_refused


class TERRANE_OT_terrain_erode(LongOperator, ErodingOperator, bpy.types.Operator):
    """Erode the active mesh, if it is a grid: rivers, screes, strata; UV maps, materials and the like stay."""

    bl_idname = "terrane.terrain_erode"
    bl_label = "Erode Mesh"
    bl_description = (
        "Erode the active mesh along its Z axis, if it is a grid of quads: materials, UV maps, "
        "vertex groups and modifiers stay, and it can be reverted"
    )
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Mesh")

    __annotations__ = {
        **erosion_keywords(START, *mesh_borders()),
        "single_user": BoolProperty(
            name="Single User",
            description="Leave other objects that share this mesh as they are",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for a mesh that can be changed."""
        reason = editing.why_not(context)
        if not reason and before.is_shown(context.active_object):
            reason = Message("The ground before the erosion is shown: press Show After first")
        return not refuses(cls, reason, editing.why_not_left(context.active_object))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the heights and the mask."""
        modifier = self.chosen_modifier(context)
        self.take_options(context, "mask", "start")
        self.take_maps(context)
        thing = context.active_object
        self._take_borders(context, thing)
        with editing.object_mode(context, thing):
            positions = meshes.present_positions(thing)
            self.guard = MeshGuard.of(thing, positions)
            return eroding.mesh_work(
                thing,
                positions,
                modifier,
                self.seed,
                self.mask,
                self.start,
                self.maps,
                seamless=self.seamless,
                tile=(number(self.tile[0]), number(self.tile[1])),
            )

    def finish(self, context: bpy.types.Context, result: eroding.Eroded) -> set[str]:
        """Move the vertices and store the maps."""
        thing = self.guard.resolve()
        with editing.object_mode(context, thing):
            self.guard.check(thing)
            mesh = editing.editable_mesh(thing, single_user=self.single_user)
            before.erode(thing, result.before, result.positions)
            refused = map_layers.write_eroded(mesh, result.maps, goes_on=self.start == "present")
        self._tell_borders(thing, result)
        if others := editing.other_users(mesh):
            report(self, {"INFO"}, "{} more objects share this mesh and have changed too", others)
        report_refused(self, refused)
        return {"FINISHED"}

    def _take_borders(self, context: bpy.types.Context, thing: bpy.types.Object) -> None:
        """Take what a terrain knows of its borders from it, unless it is given."""
        if not state.is_terrain(thing):
            self.take_options(context, *(one.name for one in mesh_borders()))
            return
        measures = Measures.of(getattr(thing, state.PROPERTY))
        for one in mesh_borders():
            if not self.properties.is_property_set(one.name):
                setattr(self, one.name, getattr(measures, one.name))

    def _tell_borders(self, thing: bpy.types.Object, result: eroding.Eroded) -> None:
        """Say if edges meet now that did not, or the other way round."""
        if result.gap > 0.0:
            report(self, {"WARNING"}, "Opposite edges were {:.3g} m apart and meet now", result.gap)
        was_seamless = state.is_terrain(thing) and getattr(thing, state.PROPERTY).seamless
        if was_seamless and not self.seamless:
            report(self, {"WARNING"}, "The edges of this seamless terrain do not meet any more")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.draw_modifier(layout)
        if context.active_object is not None:
            layout.prop_search(
                self, "mask", context.active_object, "vertex_groups", results_are_suggestions=True
            )
        layout.prop(self, "start")
        for one in mesh_borders():
            layout.prop(self, one.name)
        layout.prop(self, "single_user")
        draw_maps(layout, self)
