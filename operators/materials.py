# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make materials: textures of surfaces, and layers of landscapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import bpy

from ..noise_core.base.errors import Cancelled, TerraneError
from ..noise_core.landscapes.scene import Planet
from .bridge.datablocks import editing, materials, meshes
from .bridge.interface.messages import Message, report
from .bridge.nodetree import batches, surface_material
from .bridge.nodetree.terrain_material import material as terrain_material
from .bridge.nodetree.terrain_material import plan, tile_images, water
from .bridge.nodetree.terrain_material import settings as declared
from .bridge.scene import parts, planet_lights, settings, skies, waters
from .bridge.schema import state
from .bridge.schema.exact_numbers import number
from .bridge.schema.values import read_values
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps, part_of_work
from .bridge.terrain import baking, followers, map_layers, terrains
from .bridge.textures import surface_baking, surface_settings
from .colors import ColorsOperator, colors_property
from .long_operator import LongOperator
from .maps import report_refusal
from .options import (
    draw_declared,
    from_panel_property,
    name_property,
    redo_layout,
    switch_property,
    take_settings,
)
from .recipe_keywords import declared_keywords
from .surface_operator import SurfaceOperator, surface_keywords

if TYPE_CHECKING:
    from .bridge.datablocks.images import Content

LOOK = tuple(parameter.name for parameter in surface_settings.MATERIAL)

DEFAULTS = {parameter.name: parameter.default for parameter in declared.ALL}

_Parts: TypeAlias = "tuple[baking.Baked | None, str, Mapping[str, Content]]"
"""Parts of a landscape's material: maps of the mesh, or the reason for their absence, and tiles."""


def slot_of(obj: bpy.types.Object | None) -> materials.MaterialSlot | None:
    """Return the active slot of an object, None if it cannot have materials.

    Raises
    ------
    TerraneError
        If it has materials of another kind, or cannot be changed.
    """
    if reason := materials.why_not_apply(obj):
        raise TerraneError(reason)
    return materials.MaterialSlot.of(obj)


def terrain_extent(obj: bpy.types.Object | None) -> tuple[float, float] | None:
    """Return the meters that the UV map of a terrain covers along its sides; None for other objects."""
    if obj is None or not state.is_terrain(obj) or plan.planet_of(obj) is not None:
        return None
    built = terrains.built_grid(obj)
    if built.size <= 0.0 or built.columns < 2:
        return None
    scale = obj.matrix_world.to_scale()
    depth = built.size * (built.rows - 1) / (built.columns - 1)
    return built.size * abs(scale.x), depth * abs(scale.y)


def assign(
    operator: Any,
    material: bpy.types.Material,
    slot: materials.MaterialSlot | None,
    *,
    by_uv: bool = False,
) -> None:
    """Put a material into a slot, or keep it without; report an object or UV map that is missing."""
    if slot is None or not materials.apply(material, slot):
        material.use_fake_user = True  # a material without users would not be saved
        if operator.apply:
            report(operator, {"INFO"}, "{}: there is no object to give it to", material.name)
    elif by_uv and not materials.has_uv_map(slot):
        name = slot.owner.name
        report(operator, {"WARNING"}, "{} has no UV map: unwrap it, or map by object", name)


class TERRANE_OT_material_add(SurfaceOperator, bpy.types.Operator):
    """Make a material of one surface, such as gravel or bark, with seamless textures"""

    bl_idname = "terrane.material_add"
    bl_label = "Add Surface Material"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Baking the Surface Material")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.MATERIAL,
            maps=surface_settings.IN_MATERIAL,
            description="Maps to bake; constant ones become numbers",
        ),
        "apply": switch_property(
            "Apply", "Assign the material to the active slot of the active object", default=True
        ),
        "name": name_property("Name of the material; the surface's if empty"),
    }

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings and the material slot, and make the images and the nodes."""
        request = self.request(context)
        self.take_options(context, *LOOK)
        target = state.active_object(context) if self.apply else None
        look = surface_material.SurfaceLook(
            self.mapping,
            number(self.scale),
            number(self.occlusion),
            self.displacement,
            self.storage,
            terrain_extent(target),
        )
        slot = slot_of(target)
        baked = yield surface_baking.bake(request, look.required_maps(self.maps), self.storage)
        name = self.name or request.surface().label
        material = surface_material.write_material(name, request, baked, look)
        assign(self, material, slot, by_uv=not look.is_box)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        self.draw_surface(redo_layout(self), *LOOK, "apply", "name")


class GroundOperator(LongOperator):
    """Mix-in of operators that color a mesh as a landscape."""

    apply, material_name = True, ""
    is_new = False
    """Whether the operator has built the mesh; see `baking.work`."""

    def make_ground(
        self, context: bpy.types.Context, obj: bpy.types.Object, ground: plan.TerrainPlan
    ) -> Steps[baking.Baked | None]:
        """Take the steps that make the ground material of a mesh object; return the maps, if there are any."""
        parts: _Parts = yield self._ground_work(context, obj, ground)
        self._finish_ground(context, parts)
        return parts[0]

    def _ground_work(
        self, context: bpy.types.Context, obj: bpy.types.Object, ground: plan.TerrainPlan
    ) -> Work:
        """Read the relief of a mesh object, and return the work that makes the maps and tiles of its material."""
        if (planet := plan.planet_of(obj)) is not None:
            ground = ground.on_planet(planet)
        self.plan = ground
        self.slot, self.lacks = materials.MaterialSlot.of(obj), ""
        maps: Work | None = None
        with editing.object_mode(context, obj):
            self.guard = editing.MeshGuard.of(obj)
            meshes.finite_positions_of(obj)
            has_maps = self.plan.is_layered and self.plan.planet is None
            map_names = plan.wanted_maps(obj) if has_maps else set()
            self.plan = ground.covered_by(plan.covering_maps(obj, map_names))
            try:
                maps = baking.work(obj, map_names, is_new=self.is_new) if map_names else None
            except TerraneError as reason:
                self.lacks = str(reason)
        pixels = self.plan["detail_pixels"]
        lacking = {name for name in self.plan.tiles() if tile_images.is_lacking(name, pixels)}
        return _parts_work(maps, tile_images.bake_tiles(lacking, pixels) if lacking else None)

    def _finish_ground(self, context: bpy.types.Context, result: _Parts) -> None:
        """Store the maps on the mesh, make the material, and assign it to the object."""
        with batches.batches():
            obj = self.guard.resolve()
            baked, lacks, tiles = result
            refused: tuple[str, ...] = ()
            with editing.object_mode(context, obj):
                self.guard.check(obj)
                if baked is not None:
                    refused = _store(obj, baked)
                water.refresh(obj, is_wanted=True)
                measures = plan.measure(obj, self.plan.sea, self.plan.planet)
            self._write(obj, measures, tiles)
            if (material := materials.marked_material(obj, declared.MARK)) is not None:
                skies.add_haze(context.scene, material)
            if self.plan.planet is not None:
                planet_lights.follow(obj, Planet(**settings.PLANET.read(obj)))
            if lacks := lacks or self.lacks:
                report(self, {"INFO"}, "By slope and height alone: {}", lacks)
            report_refusal(self, refused)

    def _write(self, obj: bpy.types.Object, measures: Any, tiles: Mapping[str, Any]) -> None:
        pixels = self.plan["detail_pixels"]
        images = {
            name: tile_images.find_or_write(name, pixels, tiles)
            for name in sorted(self.plan.tiles())
        }
        material = materials.marked_material(obj, declared.MARK) if self.apply else None
        if material is None:
            name = self.material_name or f"{self.plan.landscape().label} Ground"
            material, slot = materials.new_material(name), self.slot if self.apply else None
            if slot is not None:
                materials.note_former(slot, declared.MARK)
            assign(self, material, slot)
        else:
            material = self._own(material, obj)
            material.name = self.material_name or material.name
        terrain_material.write(material, self.plan, measures, images)

    def _own(self, material: bpy.types.Material, obj: bpy.types.Object) -> bpy.types.Material:
        """Return the material to write: a copy if terrains of other measures use it too."""
        if not materials.is_shared(material, obj):
            return material
        duplicate = materials.copy_material(material, obj)
        names = material.name, obj.name
        report(self, {"INFO"}, "{} stays with its other objects: {} has a copy", *names)
        return duplicate


class TERRANE_OT_terrain_material(GroundOperator, ColorsOperator, bpy.types.Operator):
    """Color the active mesh with rock, soil, grass and snow by height and slope"""

    bl_idname = "terrane.terrain_material"
    bl_label = "Add Ground Material"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making the Ground Material")

    __annotations__ = {
        **declared_keywords(declared.ALL),
        "name": name_property("Name of a new material; the palette's if empty"),
        "apply": switch_property(
            "Apply", "Assign the material to the active slot of the object", default=True
        ),
        "colors": colors_property(),
        "from_panel": from_panel_property(),
    }

    writes = (state.active_mesh,)
    why_not = staticmethod(state.why_not_change_object)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings and the relief, and make the material, and the colors that belong to it."""
        self.material_name = self.name
        ground = self._plan(context)
        yield from self.make_ground(context, state.active_object(context), ground)
        if self.apply:
            yield None
            yield from self.make_colors(self.guard.owner.resolve())
            if state.is_terrain(obj := self.guard.owner.resolve()):
                yield from followers.follow(obj)  # the land around it has the same ground
        return {"FINISHED"}

    def show(self, context: bpy.types.Context) -> None:
        """Let Solid view show the colors."""
        self.show_colors(context, self.guard.owner.find())

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        draw_declared(layout, self, declared.ALL)
        for name in ("colors", "apply", "name"):
            layout.prop(self, name)

    def _plan(self, context: bpy.types.Context) -> plan.TerrainPlan:
        stored = declared.of(context) if self.from_panel else None
        take_settings(self, stored, *(parameter.name for parameter in declared.ALL))
        names = (parameter.name for parameter in declared.ALL)
        keywords = {name for name in names if self.properties.is_property_set(name)}
        values = read_values(self.properties, declared.ALL, DEFAULTS)
        obj = state.active_object(context)
        if values["water"] == declared.PRESET and parts.find(context.scene, waters.PART, obj):
            values["water"] = "none"  # it would be seen through the mesh
        look = terrains.look_of(obj)
        return plan.TerrainPlan.of(values, set() if self.from_panel else keywords, look)


def _parts_work(maps: Work | None, tiles: Work | None) -> Work:
    """Return the work that makes maps, then tiles; without maps, slope and height suffice."""

    def make(progress: Any, cancel: Any) -> _Parts:
        first = 0.5 if maps and tiles else 1.0
        baked, lacks = None, ""
        try:
            baked = part_of_work(maps, 0.0, first)(progress, cancel) if maps else None
        except Cancelled:
            raise
        except TerraneError as reason:
            lacks = str(reason)
        tile_work = part_of_work(tiles, 1.0 - first, 1.0) if tiles else None
        return baked, lacks, tile_work(progress, cancel) if tile_work else {}

    return make


def _store(obj: bpy.types.Object, baked: baking.Baked) -> tuple[str, ...]:
    """Store maps on the vertices, and record them as requested for later updates of the terrain."""
    mesh = meshes.mesh_of(obj)
    vertices = {name: baked.ground.vertices(field) for name, field in baked.fields.items()}
    refused = map_layers.add(mesh, vertices)
    map_layers.want_more(mesh, baked.fields)
    return refused
