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

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings that are stored on the object."""
        obj = state.active_object(context)
        self.object_name = obj.name
        if ant_objects.is_sphere(obj):
            (recipe, self.losses), planet = ant_objects.read_sphere(obj)
            return planets.work(recipe, planet, colored=False)
        (recipe, self.losses), measures = ant_objects.read(obj)
        self.current_request = terrains.Request(recipe, measures, PLAIN)
        return evaluation.work(self.current_request.acting, self.current_request.grid(), {}, set())

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Give the object the mesh of the land; the old one goes if nothing else has it."""
        is_globe = isinstance(result, planets.PlanetArrays)
        if is_globe:
            mesh = planets.build_mesh(result, self.object_name)
        else:
            mesh = yield from mesh_building.build_mesh(
                self.object_name, result.grid, result.height, result.maps
            )
        obj = state.active_object(context)
        if obj is None or obj.name != self.object_name or self.refusal(context):
            bpy.data.meshes.remove(mesh)
            raise TerraneError("No terrain was made: the object has changed")
        if not is_globe:
            map_layers.note(mesh, (name for name in result.maps if name in mesh.attributes), None)
        _replace_mesh(obj, mesh)
        if is_globe:
            planets.remember(obj, result)
        else:
            terrains.remember(obj, self.current_request, result.grid, result.height)
        if self.losses:
            report(self, {"WARNING"}, "{}", "; ".join(translate(loss) for loss in self.losses))
        return {"FINISHED"}


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
