# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that add and update terrains, and displace meshes."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.preset_library import PLAIN, preset
from .bridge.datablocks import editing, ground, meshes
from .bridge.interface.messages import Message, report
from .bridge.scene import cameras, ground_colors
from .bridge.schema import live_switch, masks, settings, state
from .bridge.schema.displace_settings import DISPLACE, mask_property
from .bridge.schema.fields import draw_number
from .bridge.tasks import live, steps
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps
from .bridge.terrain import (
    catalog,
    displacement,
    earth_volumes,
    evaluation,
    followers,
    layer_times,
    map_layers,
    mesh_building,
    path_layers,
    sculpting,
    terrain_product,
    terrain_request,
    terrains,
    viewports,
)
from .bridge.terrain.terrain_product import TERRAIN
from .colors import ColorsOperator, colors_property
from .long_operator import LongOperator
from .maps import are_maps_given, choose_maps, chosen_maps, draw_maps, map_keywords
from .options import report_other_users, single_user_property, switch_property
from .recipe_keywords import RecipeOperator, declared_keywords, recipe_keywords


class _MapsOperator(LongOperator, RecipeOperator):
    """Mix-in of operators that make a terrain with maps."""

    measured = True

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures and the maps."""
        RecipeOperator.draw_options(self, layout, context)
        draw_maps(layout, self)

    def wanted_maps(self, terrain: bpy.types.Object | None, request: terrains.Request) -> set[str]:
        """Return the maps to make: the given ones, or else those in use."""
        if are_maps_given(self):
            return chosen_maps(self)
        return set(map_layers.choose_maps(terrain, request.acting, request.states))


def why_not_add(context: bpy.types.Context) -> str:
    """Return why nothing can be added to the scene now, "" if something can."""
    return "" if context.mode == "OBJECT" else Message("Switch to Object Mode first")


def _why_not_change(context: bpy.types.Context) -> str:
    """Return why the active terrain or its settings cannot be changed; an empty text if they can."""
    reason, group = state.why_not_change_object(context), state.active_settings(context)
    reason = reason or state.why_no_terrain(context)
    return reason or settings.why_unreadable(group)


class AddTerrainOperator(_MapsOperator, ColorsOperator):
    """Mix-in of operators that add a terrain."""

    writes = (state.scene,)
    why_not = staticmethod(why_not_add)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings and the masks of the terrain they belong to, make the mesh, and add its object at the 3D cursor."""
        request = self.request(context)
        curves = request.recipe.curves
        request = dataclasses.replace(request, recipe=request.recipe.bound())
        grid = request.grid()
        where = masks.fields(state.active_terrain(context), request, grid)
        named = masks.named_fields(request, where)
        stored_masks = {name: ground.vertex_field(field, grid) for name, field in named.items()}
        maps = self.wanted_maps(None, request)
        result: evaluation.Evaluated = yield self.part_of_terrain(
            evaluation.work(request.acting, grid, where, maps)
        )
        name = "Terrain" if request.preset == PLAIN else preset(request.preset).label
        values = {**stored_masks, **result.maps}
        mesh = yield from mesh_building.build_mesh(name, result.grid, result.height, values)
        if reason := self.refusal(context):
            bpy.data.meshes.remove(mesh)
            raise TerraneError("No terrain was added. {}", reason)
        names = chosen_maps(self) if are_maps_given(self) else None
        map_layers.note(
            mesh, (map_name for map_name in result.maps if map_name in mesh.attributes), names
        )
        terrain = terrains.add_object(context, mesh)
        terrains.remember(terrain, request, result.grid, result.height)
        layer_times.note(terrain, request, result.seconds)
        earth_volumes.note(terrain, result.volumes)
        path_layers.show_all(context, terrain, curves)
        return {"FINISHED"}

    def part_of_terrain(self, work: Work) -> Work:
        """Return the work on the terrain as a part of that of the operator, as far as the progress goes."""
        return work

    def show(self, context: bpy.types.Context) -> None:
        """Adjust the viewport to show all of the terrain, in its colors."""
        viewports.show(context, context.active_object, self.size)
        self.show_colors(context, context.active_object)


class TERRANE_OT_terrain_add(AddTerrainOperator, bpy.types.Operator):
    """Add a terrain: a mesh of procedural noise, without landscape"""

    bl_idname = "terrane.terrain_add"
    bl_label = "Add Terrain"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Adding a Terrain")

    __annotations__ = {
        **recipe_keywords(measured=True),
        **map_keywords(catalog.modifier_maps()),
        "colors": colors_property(default=False),
        "camera": switch_property(
            "Camera", "Add a camera if the scene has none, or only an untouched new file's"
        ),
    }

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Add the terrain; its colors come a moment later."""
        status = yield from super().run(context)
        terrain = context.active_object
        if self.camera:
            cameras.place_first(context, terrain)
        if self.colors:
            ground_colors.want(terrain)
            yield from live.make_soon(ground_colors.COLORS, terrain)
        return status

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the switches of the colors and the camera, and the maps."""
        layout.prop(self, "colors")
        layout.prop(self, "camera")
        _MapsOperator.draw_options(self, layout, context)


class TERRANE_OT_terrain_update(_MapsOperator, bpy.types.Operator):
    """Rebuild the active terrain; materials, modifiers, UV maps and vertex groups stay"""

    bl_idname = "terrane.terrain_update"
    bl_label = "Update Terrain"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Updating the Terrain")

    __annotations__ = {
        **recipe_keywords(measured=True),
        **map_keywords(catalog.modifier_maps()),
        "single_user": single_user_property(),
    }

    is_update = True
    writes = (state.active_mesh, state.settings_owner)
    why_not = staticmethod(_why_not_change)

    def stored_settings(self, context: bpy.types.Context) -> Any:
        """Return the settings of the terrain."""
        return state.active_settings(context)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings and the masks, and write the heights, then all that follows them."""
        terrain = state.active_object(context)
        keywords = {name for name in terrains.FIXED if self.properties.is_property_set(name)}
        snapshot = terrains.fit_to_mesh(terrain, self.request(context), keywords)
        maps = self.wanted_maps(terrain, snapshot)
        request = dataclasses.replace(
            terrain_request.TerrainRequest.of(terrain, snapshot),
            maps=frozenset(maps),
            single_user=self.single_user,
        )
        with editing.object_mode(context, terrain):
            guard = editing.MeshGuard.of(terrain)
            choice = map_layers.MapChoice.of(meshes.mesh_of(terrain))
            if choice.wanted is not None and not are_maps_given(self):
                choose_maps(self, maps)
            work = TERRAIN.work(terrain, request)
        settings_then = terrains.present_request(terrain)
        result = yield work
        writing = self._write(guard, request, result, settings_then)
        lost, is_newer = yield from steps.in_object_mode(context, guard.resolve(), writing)
        report_other_users(self, meshes.mesh_of(guard.owner.resolve()))
        if is_newer and not live_switch.is_on(context):
            report(self, {"WARNING"}, "The settings have changed meanwhile: press Update once more")
        if lost:
            report(self, {"WARNING"}, lost)
        if text := earth_volumes.text(guard.owner.resolve()):
            report(self, {"INFO"}, text)
        return {"FINISHED"}

    def _write(
        self,
        guard: editing.MeshGuard,
        request: terrain_request.TerrainRequest,
        result: evaluation.Evaluated,
        settings_then: terrains.Request,
    ) -> Steps[tuple[str, bool]]:
        """Take the steps that write; return a message for the user, and whether there are newer settings, which stay."""
        terrain = guard.resolve()
        guard.check(terrain)
        update = TERRAIN.update(terrain, request)
        lost = yield from steps.as_steps(TERRAIN.finish(terrain, update, result))
        terrain = guard.owner.resolve()
        is_newer = terrains.present_request(terrain) != settings_then
        if not is_newer:
            terrains.store_settings(terrain, request.snapshot)
        terrain_product.refresh(terrain)
        if are_maps_given(self):
            map_layers.want(meshes.mesh_of(terrain), chosen_maps(self))
        yield from followers.follow(terrain)
        return lost or "", is_newer

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the measures, the maps and the choice of users of the mesh."""
        RecipeOperator.draw_options(self, layout, context)
        layout.prop(self, "single_user")
        draw_maps(layout, self)


class TERRANE_OT_layer_from_sculpt(LongOperator, bpy.types.Operator):
    """Keep sculpting and edits of the mesh as a layer on top of the list"""

    bl_idname = "terrane.layer_from_sculpt"
    bl_label = "Keep as Layer"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Keeping the Change")
    writes = (state.active_mesh, state.settings_owner)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse terrains that cannot be changed, or are no longer the grid that was made."""
        return _why_not_change(context) or sculpting.why_not(state.active_object(context))

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the heights and the settings, and add the layer, unless the heights have changed since."""
        terrain = state.active_object(context)
        with editing.object_mode(context, terrain):
            guard = editing.MeshGuard.of(terrain)
            work = sculpting.work(terrain)
        change: sculpting.SculptedChange = yield work
        terrain = guard.resolve()
        with editing.object_mode(context, terrain):
            guard.check(terrain)
            sculpting.add_layer(terrain, change)
        return {"FINISHED"}


class TERRANE_OT_mesh_displace(LongOperator, RecipeOperator, bpy.types.Operator):
    """Displace the vertices of the active mesh with 3D noise"""

    bl_idname = "terrane.mesh_displace"
    bl_label = "Displace Mesh"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Displacing the Mesh")

    __annotations__ = {
        **recipe_keywords(measured=False),
        **declared_keywords(DISPLACE),
        "mask": mask_property({"SKIP_SAVE"}),
        "single_user": single_user_property(),
    }
    option_group = "displace_options"
    option_parameters = DISPLACE

    writes = (state.active_mesh,)
    why_not = staticmethod(state.why_not_change_object)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the parameters of the displacement."""
        column = layout.column(align=True)
        for parameter in DISPLACE:
            if parameter.name != "as_shape_key" and parameter.is_visible(self):
                draw_number(column, self, parameter.name)
        if (obj := state.active_object(context)) is not None:
            layout.prop_search(self, "mask", obj, "vertex_groups")
        column = layout.column(align=True)
        column.prop(self, "as_shape_key")
        column.prop(self, "single_user")

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Move the vertices, then update all that follows a terrain's heights."""
        request = self.request(context)
        self.take_options(context, "mask")
        way = displacement.Displacement(**self.chosen_options(context), mask=self.mask)
        obj = state.active_object(context)
        on_grid = request.acting.layers_on_grid
        off_grid = [
            layer
            for layer in request.acting.layers
            if all(layer is not modifier for modifier in on_grid)
        ]
        recipe = dataclasses.replace(request.acting, layers=tuple(off_grid))
        with editing.object_mode(context, obj):
            positions = meshes.present_positions(obj)
            guard = editing.MeshGuard.of(obj, positions)
            work = displacement.work(obj, positions, recipe, way)
        moved = yield work
        obj = guard.resolve()
        with editing.object_mode(context, obj):
            guard.check(obj)
            mesh = editing.editable_mesh(obj, single_user=self.single_user)
            displacement.write(obj, way, moved)
        if on_grid:
            report(self, {"INFO"}, "Displaced by the noise alone: the modifiers need a terrain")
        report_other_users(self, mesh)
        yield from followers.follow(obj)
        return {"FINISHED"}
