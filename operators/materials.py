# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make materials: textures of surfaces, and layers of landscapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from .bridge.datablocks import editing, materials, meshes
from .bridge.datablocks.editing import MeshGuard
from .bridge.datablocks.images import Content
from .bridge.interface.core import Cancelled, TerraneError
from .bridge.interface.messages import Message, report
from .bridge.nodetree import surface_material
from .bridge.nodetree.terrain_material import details, plan, water
from .bridge.nodetree.terrain_material import material as terrain_material
from .bridge.nodetree.terrain_material import settings as declared
from .bridge.schema.values import number, read_values
from .bridge.tasks.jobs import Work
from .bridge.terrain import baking, catalog, map_layers
from .bridge.textures import surface_baking, surface_settings
from .long_operator import LongOperator, refuses
from .maps import report_refusal
from .options import from_panel_property, name_property, redo_layout, switch_property, take_settings
from .recipe_keywords import NOT_REMEMBERED
from .surfaces import SurfaceOperator, surface_keywords

LOOK = tuple(one.name for one in surface_settings.MATERIAL)

DEFAULTS = {one.name: one.default for one in declared.ALL}


class TERRANE_OT_material_add(SurfaceOperator, bpy.types.Operator):
    """Make a material of seamless textures, packed into this file, and assign it to the active object."""

    bl_idname = "terrane.material_add"
    bl_label = "Add Material"
    bl_description = "Make a material of seamless textures, packed into this file; one of the same name that was made before is written anew"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Baking the Material")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.MATERIAL,
            maps=surface_settings.IN_MATERIAL,
            description="The maps to make; what is the same everywhere becomes a number, not an image",
        ),
        "apply": switch_property(
            "Apply", "Put the material into the active slot of the active object", default=True
        ),
        "name": name_property("Of the material; the surface's if empty"),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the material slot."""
        self.asked = self.request(context)
        self.take_options(context, *LOOK)
        self.look = surface_material.SurfaceLook(
            self.mapping,
            number(self.scale),
            number(self.occlusion),
            self.displacement,
            self.storage,
        )
        thing = context.active_object if self.apply else None
        reason = materials.why_not_apply(thing)
        if reason:
            raise TerraneError(reason)
        self.slot = materials.MaterialSlot.of(thing)
        maps = self.look.required_maps(self.maps)
        return surface_baking.bake(self.asked, maps, self.storage)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Make the images and the nodes."""
        name, slot = self.name or self.asked.surface().label, self.slot
        material = surface_material.write_material(name, self.asked, result, self.look)
        is_applied = slot is not None and materials.apply(material, slot)
        if not is_applied:
            material.use_fake_user = True  # a material without users would not be saved
        if self.apply and not is_applied:
            report(self, {"INFO"}, "{}: there is no object to give it to", material.name)
        elif is_applied and not self.look.is_box and not materials.has_uv_map(slot):
            report(
                self, {"WARNING"}, "{} has no UV map: unwrap it, or map by object", slot.owner.name
            )
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        self.draw_surface(redo_layout(self), *LOOK, "apply", "name")


@dataclass(frozen=True)
class _MaterialParts:
    """Parts of a landscape's material: maps of the mesh or the reason for their absence, and tiles."""

    baked: baking.Baked | None
    lacks: str
    tiles: Mapping[str, Content]


class TERRANE_OT_terrain_material(LongOperator, bpy.types.Operator):
    """Color the active mesh as a landscape, in layers by slope, height and flow of water."""

    bl_idname = "terrane.terrain_material"
    bl_label = "Add Terrain Material"
    bl_description = (
        "Color the active mesh as a landscape: rock, scree, soil, grass, sand, snow and water "
        "by slope, height and what erosion has left; a material of this kind is written anew"
    )
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Making the Terrain Material")

    __annotations__ = {
        **declared.keyword_properties(NOT_REMEMBERED),
        "name": name_property("Of a new material; the palette's if empty"),
        "apply": switch_property(
            "Apply", "Put the material into the active slot of the object", default=True
        ),
        "from_panel": from_panel_property(),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for a mesh that can be changed."""
        return not refuses(cls, editing.why_not(context))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the relief."""
        self.plan = self._plan(context)
        thing = context.active_object
        self.slot = materials.MaterialSlot.of(thing)
        with editing.object_mode(context, thing):
            self.guard = MeshGuard.of(thing)
            mesh = meshes.mesh_of(thing)
            meshes.check_positions(mesh.name, meshes.positions_of(mesh))
            maps = self._maps(thing)
        return _parts_work(maps, self._tiles())

    def finish(self, context: bpy.types.Context, result: _MaterialParts) -> set[str]:
        """Store the maps on the mesh, make the material, and assign it to the object."""
        thing = self.guard.resolve()
        refused: tuple[str, ...] = ()
        with editing.object_mode(context, thing):
            self.guard.check(thing)
            if result.baked is not None:
                refused = _store(thing, result.baked)
            water.refresh(thing, is_wanted=True)
            level = self.plan["water_level"] if self.plan["water"] in ("sea", "both") else None
            measures = plan.TerrainMeasures.of(thing, level)
        self._write(thing, measures, result.tiles)
        if result.lacks:
            report(self, {"INFO"}, "By slope and height alone: {}", result.lacks)
        report_refusal(self, refused)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        for one in declared.ALL:
            row = layout.row()
            row.active = one.is_visible(self)
            row.prop(self, one.name)
        layout.prop(self, "apply")
        layout.prop(self, "name")

    def _plan(self, context: bpy.types.Context) -> plan.TerrainPlan:
        stored = declared.of(context) if self.from_panel else None
        take_settings(self, stored, *(one.name for one in declared.ALL))
        is_set = self.properties.is_property_set
        own = {one.name for one in declared.LIMITS[1:] if is_set(one.name) and not self.from_panel}
        return plan.TerrainPlan(
            read_values(self.properties, declared.ALL, DEFAULTS), frozenset(own)
        )

    def _maps(self, thing: bpy.types.Object) -> Work | None:
        """Return the work that makes the missing maps of the mesh; None if none are missing."""
        wanted = plan.wanted_maps(thing) if self.plan.is_layered else set()
        if not wanted:
            return None
        try:
            return baking.work(thing, wanted)
        except TerraneError as reason:
            return _failing_work(reason)

    def _tiles(self) -> Work | None:
        """Return the work that bakes the tiles missing in this file."""
        pixels = self.plan["detail_pixels"]
        lacking = {
            name
            for name in self.plan.surfaces().values()
            if details.find_image(name, pixels) is None
        }
        return details.bake_tiles(lacking, pixels) if lacking else None

    def _write(
        self, thing: bpy.types.Object, measures: plan.TerrainMeasures, tiles: Mapping[str, Any]
    ) -> None:
        pixels = self.plan["detail_pixels"]
        images = {}
        for name in set(self.plan.surfaces().values()):
            image = details.find_image(name, pixels)
            images[name] = image or details.write_image(name, pixels, tiles[name])
        material = materials.marked_material(thing, declared.MARK) if self.apply else None
        if material is None:
            material = materials.new_material(
                self.name or f"{declared.landscape_label(self.plan['palette'])} Terrain"
            )
            if not self.apply or not materials.apply(material, self.slot):
                material.use_fake_user = True  # a material without users would not be saved
        else:
            material = self._own(material, thing)
            material.name = self.name or material.name
        terrain_material.write(material, self.plan, measures, images)

    def _own(self, material: bpy.types.Material, thing: bpy.types.Object) -> bpy.types.Material:
        """Return the material to write: a copy if terrains of other measures use it too."""
        if not materials.is_shared(material, thing):
            return material
        made = materials.copy_material(material, thing)
        report(
            self,
            {"INFO"},
            "{} stays with its other objects: {} has a copy",
            material.name,
            thing.name,
        )
        return made


def _parts_work(maps: Work | None, tiles: Work | None) -> Work:
    """Return the work that makes maps, then tiles."""

    def make(progress: Any, cancel: Any) -> _MaterialParts:
        first = 0.5 if maps and tiles else 1.0
        part = catalog.part_of(progress, 0.0, first)
        rest = catalog.part_of(progress, 1.0 - first, 1.0)
        baked, lacks = _bake(maps, part, cancel)
        return _MaterialParts(baked, lacks, tiles(rest, cancel) if tiles else {})

    return make


def _failing_work(reason: TerraneError) -> Work:
    """Return work that raises an error."""

    def fail(progress: Any, cancel: Any) -> Any:
        raise reason

    return fail


def _bake(maps: Work | None, progress: Any, cancel: Any) -> tuple[baking.Baked | None, str]:
    """Return the maps of a mesh, or the reason for their absence: slope and height suffice for any mesh."""
    if maps is None:
        return None, ""
    try:
        return maps(progress, cancel), ""
    except Cancelled:
        raise
    except TerraneError as reason:
        return None, str(reason)


def _store(thing: bpy.types.Object, baked: baking.Baked) -> tuple[str, ...]:
    """Store maps on the vertices, and record them as requested for later updates of the terrain."""
    mesh = meshes.mesh_of(thing)
    vertices = {name: baked.ground.vertices(field) for name, field in baked.fields.items()}
    refused = map_layers.add(mesh, vertices)
    map_layers.want_more(mesh, baked.fields)
    return refused
