# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a terrain anew from its settings."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from .bridge import live_switch, meshes, state
from .bridge.geometry import editing
from .bridge.geometry.subjects import Subject
from .bridge.maps import catalog, map_layers, map_needs
from .bridge.messages import report
from .bridge.recipes import masks, unknown
from .bridge.terrain import evaluation, regrid, terrains
from .bridge.terrain_material import terrain_water
from .bridge.work import steps
from .bridge.work.jobs import Work
from .bridge.work.steps import Steps
from .long_operator import LongOperator, refuses
from .map_keywords import draw_maps, maps_property
from .recipe_keywords import RecipeOperator, recipe_keywords


class TERRANE_OT_terrain_update(LongOperator, RecipeOperator, bpy.types.Operator):
    """Make the active terrain anew from its settings; materials, modifiers and the like stay."""

    bl_idname = "terrane.terrain_update"
    bl_label = "Update Terrain"
    bl_description = "Make the active terrain anew from its settings; materials, modifiers, UV maps and vertex groups stay"
    bl_options = {"REGISTER", "UNDO"}
    doing = "Updating the Terrain"

    __annotations__ = {
        **recipe_keywords(measured=True),
        "maps": maps_property(catalog.made()),
        "single_user": BoolProperty(
            name="Single User",
            description="Leave other objects that share this mesh as they are",
            options={"SKIP_SAVE"},
        ),
    }
    measured = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for a terrain whose mesh can be changed."""
        reason = editing.why_not(context)
        if not reason and state.active_terrain(context) is None:
            reason = "Select a terrain that was added with Terrane"
        group = state.active_settings(context)
        reason = reason or meshes.why_not_left(context.active_object)
        return not refuses(cls, reason, state.why_not_changed(group), unknown.why_not(group))

    def settings_group(self, context: bpy.types.Context) -> Any:
        """Return the terrain's own settings."""
        return state.active_settings(context)

    def reads(self, context: bpy.types.Context) -> tuple[str, ...]:
        """Return where the vertices are: whether they stay there meanwhile, and to move them."""
        return ("position",)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks."""
        terrain = context.active_object
        request = self.request(context)
        self.asked = request
        grid = request.grid()
        where = masks.fields(terrain, request, grid)
        with editing.object_mode(context, terrain):
            self.subject = Subject.of(terrain)
            record = map_layers.Record.of(meshes.mesh_of(terrain))
        self.settings_then = terrains.snapshot(terrain)
        acting, is_chosen = request.acting, self.properties.is_property_set("maps")
        wanted = self.maps if is_chosen else map_needs.chosen(terrain, acting, request.states)
        if not is_chosen and record.wanted is not None:
            self.maps = set(wanted)
        painted = masks.painted(terrain, request, where)
        return evaluation.work(acting, grid, where, wanted, painted)

    def finish(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[set[str]]:
        """Write what came of it into the mesh, step by step."""
        terrain = self.subject.found()
        if terrain.mode == "EDIT":  # left and entered again in one step
            with editing.object_mode(context, terrain):
                return steps.at_once(self._write(context, result))
        return (yield from self._write(context, result))

    def _write(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[set[str]]:
        terrain = self.subject.found()
        self.subject.check(terrain)
        built, grid = terrains.built(terrain), result.grid
        lost = yield from regrid.update_mesh(
            context,
            terrain,
            built,
            grid,
            result.height,
            result.maps,
            single_user=self.single_user,
        )
        terrain = self.subject.thing()
        has_new_settings = terrains.snapshot(terrain) != self.settings_then
        mesh = meshes.mesh_of(terrain)
        if self.properties.is_property_set("maps"):
            map_layers.want(mesh, self.maps)
        request = self.asked
        terrains.remember(
            terrain,
            request,
            grid,
            result.height,
            is_newer=has_new_settings,
            painted=result.painted,
        )
        terrain_water.refresh(terrain)
        if others := editing.other_users(mesh):
            report(self, {"INFO"}, f"{others} more objects share this mesh and have changed too")
        if has_new_settings and not live_switch.is_on(context):
            report(self, {"WARNING"}, "The settings have changed meanwhile: press Update once more")
        if lost:
            report(self, {"WARNING"}, f"Could not be carried over: {', '.join(lost)}")
        return {"FINISHED"}

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the maps and whom it concerns."""
        RecipeOperator.draw_options(self, layout, context)
        layout.prop(self, "single_user")
        draw_maps(layout, self)
