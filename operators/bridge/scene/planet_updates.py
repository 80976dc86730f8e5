# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates of planets in place: the ground, the sea, the air, and the colors of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message
from ....noise_core.landscapes.scene import Planet
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, materials, meshes
from ..datablocks.record import Record
from ..nodetree.terrain_material import material as terrain_material
from ..nodetree.terrain_material import plan
from ..nodetree.terrain_material import settings as ground
from ..tasks.product import PLANET_KEY
from . import (
    ground_colors,
    parts,
    planet_gas,
    planet_lights,
    planet_records,
    planet_shells,
    planets,
)

if TYPE_CHECKING:
    from ..datablocks.polygons import PolygonMesh
    from ..tasks.jobs import Work
    from .planets import PlanetArrays


KEYS = Message("The planet has shape keys: remove them first, or add another one")


def lacks_parts(obj: bpy.types.Object, planet: Planet) -> bool:
    """Return whether the shells of a planet differ from its settings: undo may restore it without them."""
    wanted = planet_shells.wanted(planet)
    return any((parts.of_terrain(obj, name) is not None) != is_on for name, is_on in wanted.items())


def work(obj: bpy.types.Object, recipe: Recipe, planet: Planet) -> Work:
    """Return the work that makes the arrays of a planet again, in the colors of its ground material."""
    mesh = meshes.mesh_of(obj)
    record, material = (
        Record.of(mesh, PLANET_KEY),
        materials.marked_material(obj, ground.MARK),
    )
    ground_plan = None
    if (
        material is not None
        and record is not None
        and planet_records.palette_of(record) == planet.palette
    ):
        ground_plan = plan.ground_plan(ground_colors.plan_text(obj))
    colored = ground_colors.read(mesh) is not None
    return planets.work(recipe, planet, colored=colored, ground_plan=ground_plan)


def rewrite(obj: bpy.types.Object, arrays: PlanetArrays) -> None:
    """Give a planet another ground, sea and air; its materials and all else attached to it stay."""
    mesh, context = meshes.mesh_of(obj), bpy.context
    record = Record.of(mesh, PLANET_KEY)
    _write_mesh(mesh, arrays.ground, arrays.coordinates)
    for name in planets.MAPS - set(arrays.ground.maps):
        if name in mesh.attributes:
            mesh.attributes.remove(mesh.attributes[name])
    if arrays.colors is not None:
        ground_colors.store(mesh, arrays.colors[0])
    plan.note_planet(obj, arrays.about)
    for part in planet_shells.SHELLS:
        shell, polygons = parts.of_terrain(obj, part), arrays.shells.get(part)
        if shell is not None and polygons is None:
            parts.remove(shell)
        elif shell is not None and polygons is not None:
            _write_mesh(meshes.mesh_of(shell), polygons)
            planet_shells.update(shell, part, arrays.about, arrays.planet)
            planets.store_colors(shell, part, arrays)
    planets.add_shells(context, obj, arrays)
    planet_shells.face_sun(context.scene, obj)
    _update_material(
        obj,
        arrays,
        is_new=record is None or planet_records.palette_of(record) != arrays.planet.palette,
    )
    planet_lights.follow(obj, arrays.planet)


def _write_mesh(mesh: bpy.types.Mesh, polygons: PolygonMesh, coordinates: Any = None) -> None:
    """Move the vertices of a mesh, or replace the mesh if their number has changed."""
    if len(mesh.vertices) != len(polygons.places):
        polygons.write(mesh)
        if coordinates is not None:
            meshes.add_uv_map(mesh, coordinates)
        return
    meshes.set_positions(mesh, polygons.places)
    meshes.write_maps(mesh, polygons.maps)
    compat.update_positions(mesh)


def _update_material(obj: bpy.types.Object, arrays: PlanetArrays, *, is_new: bool) -> None:
    """Give the ground material the present measures, and the palette if it has changed."""
    if arrays.planet.gas != "none":
        planet_gas.write(obj, arrays.planet.gas)
        return
    material = planet_gas.replace_by_ground(obj)
    is_new = is_new or material is not None
    material = material or materials.marked_material(obj, ground.MARK)
    if material is None:
        return
    if materials.is_shared(material, obj):
        material = materials.copy_material(material, obj)
    measures = arrays.about.measures(
        meshes.lengths_of(arrays.ground.places) - np.float32(arrays.planet.radius)
    )
    if not is_new:
        terrain_material.follow_planet(material, arrays.about, measures)
        return
    values = {parameter.name: parameter.default for parameter in ground.ALL}
    look = plan.Look()
    whole = plan.TerrainPlan.of({**values, "palette": arrays.planet.palette}, (), look)
    terrain_material.write(material, whole.on_planet(arrays.about), measures, {})
