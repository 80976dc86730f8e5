# SPDX-License-Identifier: GPL-3.0-or-later
"""Color a landscape by its slope, height and the traces of water."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge import materials, meshes
from .bridge.core import Cancelled, TerraneError
from .bridge.geometry import editing
from .bridge.geometry.subjects import Subject
from .bridge.images import Content
from .bridge.maps import catalog, map_layers
from .bridge.messages import report
from .bridge.terrain import baking
from .bridge.terrain_material import (
    terrain_details,
    terrain_materials,
    terrain_plan,
    terrain_slots,
    terrain_water,
)
from .bridge.terrain_material import terrain_material_settings as declared
from .bridge.terrain_material.terrain_plan import Measures, Plan
from .bridge.values import read_values
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses
from .map_keywords import report_refused
from .recipe_keywords import NOT_REMEMBERED

DEFAULTS = {one.name: one.default for one in declared.ALL}


@dataclass(frozen=True)
class _Made:
    """What the material needs: maps of the mesh or why it has none, and the tiles by surface."""

    baked: baking.Baked | None
    lacks: str
    tiles: Mapping[str, Content]


class TERRANE_OT_terrain_material(LongOperator, bpy.types.Operator):
    """Color the active mesh as a landscape, in layers by slope, height and the traces of water."""

    bl_idname = "terrane.terrain_material"
    bl_label = "Add Terrain Material"
    bl_description = (
        "Color the active mesh as a landscape: rock, scree, soil, grass, sand, snow and water "
        "by slope, height and what erosion has left; a material of this kind is written anew"
    )
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = "Making the Terrain Material"

    __annotations__ = {
        **declared.keyword_properties(NOT_REMEMBERED),
        "name": StringProperty(
            name="Name",
            description="Of a new material; the palette's if empty",
            options={"SKIP_SAVE"},
        ),
        "apply": BoolProperty(
            name="Apply",
            description="Put the material into the active slot of the object",
            default=True,
            options={"SKIP_SAVE"},
        ),
        "from_panel": BoolProperty(
            name="From Panel",
            description="Take what is not given from the panel's settings",
            options={"HIDDEN", "SKIP_SAVE", "SKIP_PRESET"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it for a mesh that can be changed."""
        return not refuses(
            cls, editing.why_not(context), meshes.why_not_left(context.active_object)
        )

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the relief."""
        self.plan = self._plan(context)
        thing = context.active_object
        self.place = materials.Place.of(thing)
        with editing.object_mode(context, thing):
            self.subject = Subject.of(thing)
            mesh = meshes.mesh_of(thing)
            meshes.check_places(mesh.name, meshes.positions_of(mesh))
            maps = self._maps(thing)
        tiles = self._tiles()

        def made(progress: Any, cancel: Any) -> _Made:
            first = 0.5 if maps and tiles else 1.0
            part = catalog.part_of(progress, 0.0, first)
            rest = catalog.part_of(progress, 1.0 - first, 1.0)
            baked, lacks = _baked(maps, part, cancel)
            return _Made(baked, lacks, tiles(rest, cancel) if tiles else {})

        return made

    def finish(self, context: bpy.types.Context, result: _Made) -> set[str]:
        """Store the maps on the mesh, make the material, and give it to the object."""
        thing = self.subject.found()
        refused: tuple[str, ...] = ()
        with editing.object_mode(context, thing):
            self.subject.check(thing)
            if result.baked is not None:
                refused = _store(thing, result.baked)
            terrain_water.refresh(thing, is_wanted=True)
            level = self.plan["water_level"] if self.plan["water"] in ("sea", "both") else None
            measures = Measures.of(thing, level)
        self._write(thing, measures, result.tiles)
        if result.lacks:
            report(self, {"INFO"}, f"By slope and height alone: {result.lacks}")
        report_refused(self, refused)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for one in declared.ALL:
            row = layout.row()
            row.active = one.is_visible(self)
            row.prop(self, one.name)
        layout.prop(self, "apply")
        layout.prop(self, "name")

    def _plan(self, context: bpy.types.Context) -> Plan:
        is_set = self.properties.is_property_set
        if self.from_panel:
            stored = declared.of(context)
            for one in declared.ALL:
                if not is_set(one.name):
                    setattr(self, one.name, getattr(stored, one.name))
        own = {one.name for one in declared.LIMITS[1:] if is_set(one.name) and not self.from_panel}
        return Plan(read_values(self.properties, declared.ALL, DEFAULTS), frozenset(own))

    def _maps(self, thing: bpy.types.Object) -> Work | None:
        """Return the work that makes the maps the mesh lacks; None if there is none to make."""
        wanted = terrain_plan.wanted_maps(thing) if self.plan.is_layered else set()
        if not wanted:
            return None
        try:
            return baking.work(thing, wanted)
        except TerraneError as reason:
            return _refused(reason)

    def _tiles(self) -> Work | None:
        """Return the work that bakes the tiles which this file has not got yet."""
        pixels = self.plan["detail_pixels"]
        lacking = {
            name
            for name in self.plan.surfaces().values()
            if terrain_details.found(name, pixels) is None
        }
        return terrain_details.work(lacking, pixels) if lacking else None

    def _write(self, thing: bpy.types.Object, measures: Measures, tiles: Mapping[str, Any]) -> None:
        pixels = self.plan["detail_pixels"]
        images = {}
        for name in set(self.plan.surfaces().values()):
            image = terrain_details.found(name, pixels)
            images[name] = image or terrain_details.write(name, pixels, tiles[name])
        material = terrain_slots.of(thing) if self.apply else None
        if material is None:
            material = terrain_slots.new(
                self.name or f"{declared.landscape_label(self.plan['palette'])} Terrain"
            )
            if not self.apply or not materials.apply(material, self.place):
                material.use_fake_user = True  # or it would not be saved
        else:
            material = self._own(material, thing)
            material.name = self.name or material.name
        terrain_materials.write(material, self.plan, measures, images)

    def _own(self, material: bpy.types.Material, thing: bpy.types.Object) -> bpy.types.Material:
        """Return the material to be written: a copy if terrains of other measures have it too."""
        if not terrain_slots.is_shared(material, thing):
            return material
        made = terrain_slots.own_copy(material, thing)
        report(
            self, {"INFO"}, f"{material.name} stays with its other objects: {thing.name} has a copy"
        )
        return made


def _refused(reason: TerraneError) -> Work:
    """Return work that comes to nothing, for a reason that was known before."""

    def refused(progress: Any, cancel: Any) -> Any:
        raise reason

    return refused


def _baked(maps: Work | None, progress: Any, cancel: Any) -> tuple[baking.Baked | None, str]:
    """Return the maps of a mesh, and why it has none: slope and height are enough for any mesh."""
    if maps is None:
        return None, ""
    try:
        return maps(progress, cancel), ""
    except Cancelled:
        raise
    except TerraneError as reason:
        return None, str(reason)


def _store(thing: bpy.types.Object, baked: baking.Baked) -> tuple[str, ...]:
    """Store maps on the vertices, and have them made anew with the terrain from now on."""
    mesh = meshes.mesh_of(thing)
    vertices = {name: baked.ground.vertices(field) for name, field in baked.fields.items()}
    refused = map_layers.add(mesh, vertices)
    map_layers.want_more(mesh, baked.fields)
    return refused
