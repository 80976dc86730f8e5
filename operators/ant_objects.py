# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that takes over objects of A.N.T. Landscape."""

from __future__ import annotations

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.preset_library import PLAIN
from .bridge.datablocks import editing
from .bridge.interface.messages import Message, report, translate
from .bridge.scene import planet_records, planets
from .bridge.schema import state
from .bridge.tasks.steps import Steps
from .bridge.terrain import (
    ant_objects,
    evaluation,
    layer_times,
    map_layers,
    mesh_building,
    terrains,
)
from .long_operator import LongOperator


def _why_not(context: bpy.types.Context) -> str:
    """Return why the active object cannot be taken over, "" if it can."""
    if reason := state.why_not_change_object(context):
        return reason
    obj = state.active_object(context)
    if not ant_objects.stored_settings(obj):
        return Message("Select an object that A.N.T. Landscape made")
    return editing.why_not_mode(obj) if obj is not None and obj.mode != "OBJECT" else ""


class TERRANE_OT_terrain_from_ant(LongOperator, bpy.types.Operator):
    """Make a Terrane terrain, or a planet, of the active A.N.T. Landscape object"""

    bl_idname = "terrane.terrain_from_ant"
    bl_label = "Terrain from A.N.T. Landscape"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Making a Terrain")

    writes = (state.active_object, state.active_mesh)
    why_not = staticmethod(_why_not)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the settings on the object, and give it the mesh of the land; the old one goes if nothing else has it."""
        obj = state.active_object(context)
        if ant_objects.is_sphere(obj):
            losses = yield from self._make_planet(context, obj)
        else:
            losses = yield from self._make_terrain(context, obj)
        if losses:
            report(self, {"WARNING"}, "{}", "; ".join(translate(loss) for loss in losses))
        return {"FINISHED"}

    def _make_planet(
        self, context: bpy.types.Context, obj: bpy.types.Object
    ) -> Steps[tuple[Message, ...]]:
        """Take the steps that make a planet of a sphere; return the settings that it cannot have."""
        name = obj.name
        (recipe, losses), planet = ant_objects.read_sphere(obj)
        arrays = yield planets.work(recipe, planet, colored=False)
        obj = self._give_mesh(context, name, planets.build_mesh(arrays, name))
        planet_records.remember(obj, arrays.about, recipe, planet)
        return losses

    def _make_terrain(
        self, context: bpy.types.Context, obj: bpy.types.Object
    ) -> Steps[tuple[Message, ...]]:
        """Take the steps that make a terrain of a grid; return the settings that it cannot have."""
        name = obj.name
        (recipe, losses), measures = ant_objects.read(obj)
        request = terrains.Request(recipe, measures, PLAIN)
        result = yield evaluation.work(request.acting, request.grid(), {}, set())
        mesh = yield from mesh_building.build_mesh(name, result.grid, result.height, result.maps)
        map_layers.note(mesh, (name for name in result.maps if name in mesh.attributes), None)
        obj = self._give_mesh(context, name, mesh)
        terrains.remember(obj, request, result.grid, result.height)
        layer_times.note(obj, request, result.seconds)
        return losses

    def _give_mesh(
        self, context: bpy.types.Context, name: str, mesh: bpy.types.Mesh
    ) -> bpy.types.Object:
        """Give the active object a mesh, if it still is the one of a name, and return it."""
        obj = state.active_object(context)
        if obj is None or obj.name != name or self.refusal(context):
            bpy.data.meshes.remove(mesh)
            raise TerraneError("No terrain was made: the object has changed")
        _replace_mesh(obj, mesh)
        return obj


def _replace_mesh(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> None:
    """Give an object a mesh with the materials and the name of its old one, which goes if nothing else has it."""
    old: bpy.types.Mesh = obj.data  # type: ignore[assignment]  # as `_why_not` has seen
    name = old.name
    for material in old.materials:
        mesh.materials.append(material)
    obj.data = mesh
    if not old.users:
        bpy.data.meshes.remove(old)
        mesh.name = name
