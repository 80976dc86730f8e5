# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that erode a mesh, revert the erosion, and show the ground before it."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_tip

from .bridge.datablocks import editing, meshes
from .bridge.interface.messages import Message, report
from .bridge.schema import state
from .bridge.schema.exact_numbers import number
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps
from .bridge.terrain import before, eroding, followers, map_layers, terrains
from .bridge.terrain.erosion_settings import START, mesh_borders
from .eroding_operator import ErodingOperator, erosion_keywords
from .long_operator import LongOperator
from .maps import draw_maps, report_refusal
from .options import redo_layout, report_other_users, single_user_property, take_settings


class TERRANE_OT_terrain_erode(ErodingOperator, bpy.types.Operator):
    """Erode the active mesh along its Z axis, if it is a regular grid of quads: materials, UV maps, vertex groups and modifiers stay, and it can be reverted"""

    bl_idname = "terrane.terrain_erode"
    bl_label = "Erode Mesh"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Mesh")
    writes = (state.active_mesh,)

    __annotations__ = {
        **erosion_keywords(START, *mesh_borders()),
        "single_user": single_user_property(),
    }

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or show the ground before."""
        reason = state.why_not_change_object(context)
        if not reason and before.is_shown(state.active_object(context)):
            return Message("The ground before the erosion is shown: press Show After first")
        return reason

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the heights and the mask."""
        modifier = self.chosen_modifier(context)
        self.take_options(context, "mask", "start")
        self.take_maps(context)
        thing, names = state.active_object(context), [one.name for one in mesh_borders()]
        if state.is_terrain(thing):
            take_settings(self, terrains.Measures.of(getattr(thing, state.PROPERTY)), *names)
        else:
            self.take_options(context, *names)
        tile = (number(self.tile[0]), number(self.tile[1]))
        with editing.object_mode(context, thing):
            positions = meshes.present_positions(thing)
            self.guard = editing.MeshGuard.of(thing, positions)
            return eroding.mesh_work(
                *(thing, positions, modifier, self.seed, self.mask, self.start, self.maps),
                seamless=self.seamless,
                tile=tile,
            )

    def finish(self, context: bpy.types.Context, result: eroding.Eroded) -> Steps[set[str]]:
        """Move the vertices and store the maps; what is made of the heights follows."""
        thing = self.guard.resolve()
        with editing.object_mode(context, thing):
            self.guard.check(thing)
            mesh = editing.editable_mesh(thing, single_user=self.single_user)
            before.erode(thing, result.heights)
            refused = map_layers.write_erosion(mesh, result.maps, goes_on=self.start == "present")
        if result.gap > 0.0:
            report(self, {"WARNING"}, "Opposite edges were {:.3g} m apart and meet now", result.gap)
        was_seamless = state.is_terrain(thing) and getattr(thing, state.PROPERTY).seamless
        if was_seamless and not self.seamless:
            report(self, {"WARNING"}, "The edges of this seamless terrain do not meet any more")
        report_other_users(self, mesh)
        report_refusal(self, refused)
        yield from followers.follow(thing)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        self.draw_modifier(layout)
        if (thing := state.active_object(context)) is not None:
            layout.prop_search(self, "mask", thing, "vertex_groups", results_are_suggestions=True)
        layout.prop(self, "start")
        for one in mesh_borders():
            layout.prop(self, one.name)
        layout.prop(self, "single_user")
        draw_maps(layout, self)


class TERRANE_OT_terrain_revert(LongOperator, bpy.types.Operator):
    """Bring back the heights from before the first erosion, exactly, and remove the maps that it made"""

    bl_idname = "terrane.terrain_revert"
    bl_label = "Revert Erosion"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Reverting the Erosion")
    writes = (state.active_mesh,)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or are not eroded."""
        reason = state.why_not_change_object(context)
        if not reason and not before.is_kept(state.active_object(context)):
            return Message("Erode this mesh first: there is nothing to revert")
        return reason

    def prepare(self, context: bpy.types.Context) -> Work:
        """Do nothing: the heights are stored."""
        thing = state.active_object(context)
        with editing.object_mode(context, thing):
            self.guard = editing.MeshGuard.of(thing)
        return lambda progress, cancel: None

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Restore the stored heights; what is made of the heights follows."""
        thing = self.guard.resolve()
        with editing.object_mode(context, thing):
            mesh = editing.editable_mesh(thing, single_user=False)
            before.revert(thing)
            map_layers.revert(mesh)
        report_other_users(self, mesh)
        yield from followers.follow(thing)
        return {"FINISHED"}


class TERRANE_OT_erosion_compare(LongOperator, bpy.types.Operator):
    """Show the ground before the erosion; press again, and the eroded one is back, exactly"""

    bl_idname = "terrane.erosion_compare"
    bl_label = "Before and After Erosion"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Finding the Ground Before")
    writes = (state.active_mesh,)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description for the present state."""
        active = state.active_object(context)
        if active is not None and before.is_shown(active):
            return str(pgettext_tip("Show the eroded ground again, exactly as it was"))
        return str(pgettext_tip(str(cls.__doc__)))

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or are not eroded."""
        return state.why_not_change_object(context) or eroding.why_not_compare(
            state.active_object(context)
        )

    def prepare(self, context: bpy.types.Context) -> Work:
        """Return the work that finds the ground before, unless it is shown."""
        thing = state.active_object(context)
        with editing.object_mode(context, thing):
            self.guard = editing.MeshGuard.of(thing)
            if before.is_shown(thing):
                return lambda progress, cancel: None
            return eroding.ground_before(thing)

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Write the heights, and store the former ones; what is made of the heights follows."""
        thing = self.guard.resolve()
        is_edited = False
        with editing.object_mode(context, thing):
            self.guard.check(thing)
            mesh = editing.editable_mesh(thing, single_user=False)
            if before.is_shown(thing):
                is_edited = before.show_after(thing)
            else:
                before.show(thing, result)
        if is_edited:
            report(self, {"INFO"}, "What was edited meanwhile was added to the eroded ground")
        report_other_users(self, mesh)
        yield from followers.follow(thing)
        return {"FINISHED"}
