# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that takes over objects of A.N.T. Landscape."""

from __future__ import annotations

from typing import Any

import bpy

from ..noise_core.base.errors import TerraneError
from ..noise_core.landscapes.preset_library import PLAIN
from .bridge.datablocks import editing
from .bridge.interface.messages import Message, report, translate
from .bridge.scene import planets
from .bridge.schema import state
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps
from .bridge.terrain import ant_objects, evaluation, map_layers, mesh_building, terrains
from .long_operator import LongOperator


def _why_not(context: bpy.types.Context) -> str:
    """Return why the active object cannot be taken over, "" if it can."""
    if reason := state.why_not_change_object(context):
        return reason
    thing = state.active_object(context)
    if not ant_objects.stored_settings(thing):
        return Message("Select an object that A.N.T. Landscape made")
    return editing.why_not_mode(thing) if thing is not None and thing.mode != "OBJECT" else ""


class TERRANE_OT_terrain_from_ant(LongOperator, bpy.types.Operator):
    """Make a Terrane terrain of the active object, which A.N.T. Landscape made, or a planet of a sphere: the same kind of land, size, place, name and materials"""

    bl_idname = "terrane.terrain_from_ant"
    bl_label = "Terrain from A.N.T. Landscape"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Making a Terrain")

    writes = (state.active_object, state.active_mesh)
    why_not = staticmethod(_why_not)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings that are stored on the object."""
        thing = state.active_object(context)
        self.object_name = thing.name
        if ant_objects.is_sphere(thing):
            (recipe, self.losses), planet = ant_objects.read_sphere(thing)
            return planets.work(recipe, planet, colored=False)
        (recipe, self.losses), measures = ant_objects.read(thing)
        self.asked = terrains.Request(recipe, measures, PLAIN)
        return evaluation.work(self.asked.acting, self.asked.grid(), {}, set())

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Give the object the mesh of the land; the old one goes if nothing else has it."""
        is_globe = isinstance(result, planets.PlanetArrays)
        if is_globe:
            mesh = planets.build_mesh(result, self.object_name)
        else:
            mesh = yield from mesh_building.build_mesh(
                self.object_name, result.grid, result.height, result.maps
            )
        thing = state.active_object(context)
        if thing is None or thing.name != self.object_name or self.refusal(context):
            bpy.data.meshes.remove(mesh)
            raise TerraneError("No terrain was made: the object has changed")
        if not is_globe:
            map_layers.note(mesh, (one for one in result.maps if one in mesh.attributes), None)
        _replace_mesh(thing, mesh)
        if is_globe:
            planets.remember(thing, result)
        else:
            terrains.remember(thing, self.asked, result.grid, result.height)
        if self.losses:
            report(self, {"WARNING"}, "{}", "; ".join(translate(one) for one in self.losses))
        return {"FINISHED"}


def _replace_mesh(thing: bpy.types.Object, mesh: bpy.types.Mesh) -> None:
    """Give an object a mesh with the materials and the name of its old one, which goes if nothing else has it."""
    old: bpy.types.Mesh = thing.data  # type: ignore[assignment]  # as `_why_not` has seen
    name = old.name
    for material in old.materials:
        mesh.materials.append(material)
    thing.data = mesh
    if not old.users:
        bpy.data.meshes.remove(old)
        mesh.name = name
