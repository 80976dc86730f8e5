# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates of planets in place: the ground, the sea, the air, and the colors of all."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.landscapes.planets.colors import planet_colors
from ....noise_core.landscapes.planets.cube_sphere import CubeSphere
from ....noise_core.landscapes.planets.planet import PlanetHeights
from ....noise_core.landscapes.scene import Planet
from ....noise_core.materials.colors import LANDSCAPES
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, materials, meshes
from ..datablocks.record import Record
from ..nodetree.terrain_material import material as terrain_material
from ..nodetree.terrain_material import plan
from ..nodetree.terrain_material import settings as ground
from ..tasks.product import PLANET_KEY
from . import ground_colors, parts, planet_records, planets

if TYPE_CHECKING:
    from ..datablocks.polygons import PolygonMesh
    from ..tasks.jobs import Work
    from .planets import PlanetArrays


KEYS = Message("The planet has shape keys: remove them first, or add another one")


def lacks_parts(obj: bpy.types.Object, planet: Planet) -> bool:
    """Return whether a planet has other shells than its settings say: undo may bring it back without."""
    wanted = ((planets.SEA, planet.sea_cover > 0.0), (planets.AIR, planet.atmosphere))
    return any((parts.of_terrain(obj, name) is not None) != is_on for name, is_on in wanted)


def work(obj: bpy.types.Object, recipe: Recipe, planet: Planet) -> Work:
    """Return the work that makes the arrays of a planet again, in the colors of its ground material."""
    mesh = meshes.mesh_of(obj)
    record, material = (
        Record.of(mesh, PLANET_KEY),
        materials.marked_material(obj, ground.MARK),
    )
    asked = None
    if (
        material is not None
        and record is not None
        and planet_records.palette_of(record) == planet.palette
    ):
        asked = plan.ground_plan(ground_colors.plan_text(obj))
    colored = ground_colors.read(mesh) is not None
    return planets.work(recipe, planet, colored=colored, asked=asked)


def rewrite(obj: bpy.types.Object, made: PlanetArrays) -> None:
    """Give a planet another ground, sea and air; its materials, and what else hangs on it, stay."""
    mesh, context = meshes.mesh_of(obj), bpy.context
    record = Record.of(mesh, PLANET_KEY)
    _write_mesh(mesh, made.ground, made.coordinates)
    if made.colors is not None:
        ground_colors.store(mesh, made.colors[0])
    plan.note_planet(obj, made.about)
    sea, air = (parts.of_terrain(obj, one) for one in (planets.SEA, planets.AIR))
    lacking = made
    for name, shell, found in (("sea", sea, made.sea), ("air", air, made.air)):
        if shell is not None and found is None:
            parts.remove(shell)
        elif shell is not None and found is not None:
            _write_mesh(meshes.mesh_of(shell), found)
            lacking = dataclasses.replace(lacking, **{name: None})
    if sea is not None and made.sea is not None:
        planets.update_sea(sea, made.about, LANDSCAPES[made.planet.palette])
        if made.colors is not None and made.colors[1] is not None:
            ground_colors.store(meshes.mesh_of(sea), made.colors[1])
    if air is not None and made.air is not None:
        planets.update_air(air, made.planet.air_depth)
    planets.add_shells(context, obj, lacking)
    _update_material(
        obj,
        made,
        is_new=record is None or planet_records.palette_of(record) != made.planet.palette,
    )
    said = planet_records.digest(made.recipe, made.planet)
    planet_records.note(obj, said, made.planet.palette)


def _write_mesh(mesh: bpy.types.Mesh, found: PolygonMesh, coordinates: Any = None) -> None:
    """Move the vertices of a mesh, or replace all of it if there are others."""
    if len(mesh.vertices) != len(found.places):
        found.write(mesh)
        if coordinates is not None:
            meshes.add_uv_map(mesh, coordinates)
        return
    meshes.set_positions(mesh, found.places)
    meshes.write_maps(mesh, found.maps)
    compat.update_positions(mesh)


def _update_material(obj: bpy.types.Object, made: PlanetArrays, *, is_new: bool) -> None:
    """Give the ground material the present measures, and another palette if that has changed."""
    material = materials.marked_material(obj, ground.MARK)
    if material is None:
        return
    if materials.is_shared(material, obj):
        material = materials.copy_material(material, obj)
    measures = made.about.measures(
        meshes.lengths_of(made.ground.places) - np.float32(made.planet.radius)
    )
    if not is_new:
        terrain_material.follow_planet(material, made.about, measures)
        return
    values = {one.name: one.default for one in ground.ALL}
    look = plan.Look()
    whole = plan.TerrainPlan.of({**values, "palette": made.planet.palette}, (), look)
    terrain_material.write(material, whole.on_planet(made.about), measures, {})


def color_work(obj: bpy.types.Object) -> Work:
    """Return the work that colors a planet as its ground material does, for Solid view.

    Raises
    ------
    TerraneError
        If its vertices are no longer those of a planet.
    """
    about, mesh = plan.planet_of(obj), meshes.mesh_of(obj)
    cells = round(((len(mesh.vertices) - 2) / 6) ** 0.5)
    if about is None or cells < 1 or CubeSphere(cells).vertices != len(mesh.vertices):
        raise TerraneError("{} is no longer the sphere that was made", obj.name)
    height = meshes.lengths_of(meshes.finite_positions_of(obj)) - np.float32(about.radius)
    asked = plan.ground_plan(ground_colors.plan_text(obj))

    def color(progress: Progress, cancel: Cancel) -> Any:
        sphere = CubeSphere(cells)
        found = PlanetHeights(sphere, sphere.directions(), height, None)
        colors = planet_colors(found, about, "", asked=asked, progress=progress, cancel=cancel)
        return ground_colors.as_texels(colors[0])

    return color
