# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets as objects: the ground, and its children, spheres around it.

A scene without a sky and a camera of the user's gets a sun, a camera and a dark sky.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.landscapes.planet_kinds import KINDS
from ....noise_core.landscapes.planets.bands import band_colors
from ....noise_core.landscapes.planets.cities import settlements
from ....noise_core.landscapes.planets.colors import planet_colors
from ....noise_core.landscapes.planets.cube_sphere import CubeSphere
from ....noise_core.landscapes.planets.ground import PlanetGround
from ....noise_core.landscapes.planets.planet import (
    RECIPES,
    PlanetHeights,
    check_recipe,
    planet_heights,
)
from ....noise_core.landscapes.scene import Planet, Sky
from ....noise_core.materials.ground.measures import USUAL
from ....noise_core.materials.ground.plan import GroundPlan
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import meshes
from ..datablocks.ownership import remove_unused
from ..datablocks.polygons import PolygonMesh
from ..datablocks.ref import Ref
from ..tasks import installed_memory
from ..tasks.jobs import Work
from ..terrain import terrains
from . import (
    cameras,
    ground_colors,
    new_files,
    parts,
    planet_lights,
    planet_shells,
    settings,
    skies,
)

SPACE = Sky(
    sun_elevation=17.0, sun_direction=122.0, sun_strength=7.0, sun_color=(1.0, 0.97, 0.92),
    has_air=False, stars=0.5,
)  # fmt: skip
"""Sun and stars. The sun stands to the right of the camera and a little before it: a quarter is night."""

RAYS = "deposit"
"""Attribute of rays of craters: what impacts have thrown out is what erosion leaves, to a material."""

MAPS = frozenset({RAYS, planet_lights.SETTLED})
"""Attributes that the ground of some planets has."""

_EYE = (0.0, -6.9, 1.45)
"""Where the camera stands, in radii from the middle."""

_RINGED_EYE = (0.0, -11.2, 3.6)
"""The same before a planet with rings, which are seen from above."""

_LENS = 64.0
"""Focal length in millimeters that lets a planet fill a picture of 16:9."""


@dataclass(frozen=True)
class PlanetArrays:
    """Arrays of a planet that is under construction.

    Attributes
    ----------
    ground : PolygonMesh
    shells : mapping of str to PolygonMesh
        Spheres around it, by the names of their parts; see `planet_shells.SHELLS`.
    coordinates : ndarray of shape (quads, 4, 2), float32
        The UV map of the ground.
    about : PlanetGround
    planet : Planet
    colors : tuple of two ndarrays of shape (4 * vertices,), float32, or None
        Of the ground and of the sea in Solid view: see `ground_colors.store`.
    """

    ground: PolygonMesh
    shells: Mapping[str, PolygonMesh]
    coordinates: Field
    about: PlanetGround
    planet: Planet
    colors: tuple[Field, Field | None] | None


def standard_text(kind: str) -> str:
    """Return the recipe of a kind of planet, as JSON."""
    return RECIPES[KINDS[kind].recipe]().to_json()


@functools.cache
def standard_texts() -> frozenset[str]:
    """Return the recipes of all kinds of planets, as JSON."""
    return frozenset(map(standard_text, KINDS))


def work(
    recipe: Recipe, planet: Planet, *, colored: bool, ground_plan: GroundPlan | None = None
) -> Work:
    """Return the work that makes the arrays of a planet; refuse a recipe that does not fit a sphere.

    Its colors are those of `ground_plan`, or else of the planet's palette.
    """
    check_recipe(recipe)
    vertices = CubeSphere(planet.resolution).vertices
    installed_memory.require("Planet", vertices, 2 * installed_memory.PER_VERTEX)

    def make(progress: Progress, cancel: Cancel) -> PlanetArrays:
        share = part_of(progress, 0.0, 0.5 if colored else 1.0)
        heights = planet_heights(recipe, planet, progress=share, cancel=cancel)
        sphere, directions, radius = heights.sphere, heights.directions, np.float32(planet.radius)
        ground = PolygonMesh.of_sphere(sphere, directions, heights.height + radius)
        about = PlanetGround(planet.radius, heights.sea, planet.ice_latitude)
        shells = planet_shells.meshes_of(heights, planet, ground)
        ground = dataclasses.replace(ground, maps=_maps(heights, about, planet))
        colors = None
        if colored:
            share = part_of(progress, 0.5, 1.0)
            if planet.gas == "none":
                # As a mesh has them, which colors are made from anew: rounded.
                stored = meshes.lengths_of(ground.places) - radius
                found = planet_colors(
                    dataclasses.replace(heights, height=stored),
                    about,
                    planet.palette,
                    asked=ground_plan,
                    progress=share,
                    cancel=cancel,
                )
            else:
                found = band_colors(directions, planet.gas), None
            colors = _texels(found)
        return PlanetArrays(ground, shells, sphere.coordinates(), about, planet, colors)

    return make


def _maps(heights: PlanetHeights, about: PlanetGround, planet: Planet) -> dict[str, Field]:
    """Return the attributes of the ground, by name: rays of craters, and where cities are."""
    maps = {}
    if heights.rays is not None:
        maps[RAYS] = heights.rays * np.float32(USUAL)
    if planet.city_lights > 0.0:
        maps[planet_lights.SETTLED] = settlements(heights, about)
    return maps


def _texels(colors: tuple[Field, Field | None]) -> tuple[Field, Field | None]:
    """Return colors as Blender stores them."""
    ground, sea = (None if color is None else ground_colors.as_texels(color) for color in colors)
    assert ground is not None
    return ground, sea


def add_object(context: bpy.types.Context, arrays: PlanetArrays) -> bpy.types.Object:
    """Add the ground of a planet at the 3D cursor."""
    return terrains.add_object(context, build_mesh(arrays))


def build_mesh(arrays: PlanetArrays, name: str = "Planet") -> bpy.types.Mesh:
    """Return a new mesh of the ground of a planet."""
    mesh = bpy.data.meshes.new(name)
    arrays.ground.write(mesh)
    meshes.add_uv_map(mesh, arrays.coordinates)
    if arrays.colors is not None:
        ground_colors.store(mesh, arrays.colors[0])
    return mesh


def add_shells(context: bpy.types.Context, planet: bpy.types.Object, arrays: PlanetArrays) -> None:
    """Add the shells of a planet that it does not have yet."""
    for part, polygons in arrays.shells.items():
        if parts.of_terrain(planet, part) is not None:
            continue
        shell = planet_shells.add(context, planet, part, arrays.about, arrays.planet, polygons)
        store_colors(shell, part, arrays)


def store_colors(shell: bpy.types.Object, part: str, arrays: PlanetArrays) -> None:
    """Give the sea its colors in Solid view, if the planet has any."""
    if part == parts.PLANET_SEA and arrays.colors is not None and arrays.colors[1] is not None:
        ground_colors.store(meshes.mesh_of(shell), arrays.colors[1])


def remove(planet: Ref[bpy.types.Object]) -> None:
    """Remove a planet and its shells, if it is there."""
    obj = planet.find()
    if obj is None:
        return
    for child in list(obj.children):
        parts.remove(child)
    mesh = meshes.mesh_of(obj)
    bpy.data.objects.remove(obj)
    remove_unused(mesh)


def add_view(context: bpy.types.Context, planet: bpy.types.Object, measures: Planet) -> None:
    """Add a dark sky with a sun, and a camera; a sky or a camera of the user's stays."""
    scene = context.scene
    has_sun = not any(
        obj.type == "LIGHT" and obj.data.type == "SUN" and not obj.get(parts.MARK)
        for obj in scene.objects
    )
    if skies.is_ours(scene.world) or skies.is_untouched(scene.world):
        settings.write(context, SPACE)
        skies.write(scene, SPACE, planet, None, has_sun=has_sun)
    elif has_sun:
        skies.write_sun(scene, SPACE)
    new_files.hide(scene, in_viewports=True)
    if cameras.is_untouched(scene.camera) or parts.find(scene, cameras.PART) == scene.camera:
        middle = planet.matrix_world.translation
        eye = Vector(_EYE if measures.rings <= 1.0 else _RINGED_EYE)
        eye = middle + eye * measures.radius
        cameras.aim(context, eye, middle, _LENS)


def width_of(planet: Planet) -> float:
    """Return the approximate width of a planet with its sea and air, in meters."""
    return 2.0 * planet.radius * (1.0 + max(planet.relief, planet.air_depth * planet.atmosphere))
