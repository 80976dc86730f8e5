# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets as objects: the ground, and its children, spheres of the sea and the air.

A scene without a sky and a camera of the user's gets a sun, a camera and a dark sky.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.landscapes.planets.colors import planet_colors
from ....noise_core.landscapes.planets.cube_sphere import CubeSphere
from ....noise_core.landscapes.planets.ground import PlanetGround
from ....noise_core.landscapes.planets.planet import check_recipe, planet_heights, standard_recipe
from ....noise_core.landscapes.scene import Planet, Sky
from ....noise_core.materials.colors import LANDSCAPES, Landscape
from ....noise_core.materials.ground.colors import water_color
from ....noise_core.materials.ground.plan import GroundPlan
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, materials, meshes
from ..datablocks.ownership import remove_unused
from ..datablocks.polygons import PolygonMesh
from ..datablocks.ref import Ref
from ..nodetree.builder import build, set_inputs
from ..nodetree.node_graph import NodeGraph
from ..nodetree.terrain_material.water_groups import air_group, sea_group
from ..tasks import installed_memory
from ..tasks.jobs import Work
from ..terrain import terrains
from . import cameras, ground_colors, new_files, parts, settings, skies, water_material
from .water_meshes import DEPTH

SPACE = Sky(
    sun_elevation=17.0, sun_direction=112.0, sun_strength=8.0, sun_color=(1.0, 0.97, 0.92),
    has_air=False, stars=0.5,
)  # fmt: skip
"""Sun and stars. The sun stands to the right of the camera and a little before it: a quarter is night."""

_EYE = (0.0, -6.9, 1.45)
"""Where the camera stands, in radii from the middle."""

_LENS = 58.0
"""Focal length in millimeters that lets a planet fill a picture of 16:9."""

_AIR_CELLS = 96
"""Along an edge of the cube, of the shell of air: its outline is 384 straight lines."""

_SHELL = "terrane_shell"
"""Custom property of their materials. They are no ground: the haze of a sky does not lie over them."""

_CLEAR = 0.006
"""Depth at which the sea's color is two thirds of the way to that of the deep, as a share of the radius."""

_AIR_COLOR = (0.30, 0.50, 0.85, 0.12)
"""Of the air in Solid view, which is clear there."""

_WIDTH = 240.0


@dataclass(frozen=True)
class PlanetArrays:
    """Arrays of a planet that is under construction.

    Attributes
    ----------
    ground, sea, air : PolygonMesh
        The last two are None where the planet has none.
    coordinates : ndarray of shape (quads, 4, 2), float32
        The UV map of the ground.
    about : PlanetGround
    planet : Planet
    colors : tuple of two ndarrays of shape (4 * vertices,), float32, or None
        Of the ground and of the sea in Solid view: see `ground_colors.store`.
    """

    ground: PolygonMesh
    sea: PolygonMesh | None
    air: PolygonMesh | None
    coordinates: Field
    about: PlanetGround
    planet: Planet
    colors: tuple[Field, Field | None] | None


def standard_text() -> str:
    """Return the standard recipe of a planet, as JSON."""
    return standard_recipe().to_json()


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
        sea = None
        if heights.sea is not None:
            level = np.float32(planet.radius + heights.sea)
            sea = dataclasses.replace(
                ground, places=directions * level, maps={DEPTH: heights.depth}
            )
        air = None
        if planet.atmosphere:
            shell = CubeSphere(min(_AIR_CELLS, planet.resolution))
            upper = (planet.radius + (heights.sea or 0.0)) * (1.0 + planet.air_depth)
            air = PolygonMesh.of_sphere(shell, shell.directions(), np.float32(upper))
        about = PlanetGround(planet.radius, heights.sea, planet.ice_latitude)
        colors = None
        if colored:
            share = part_of(progress, 0.5, 1.0)
            colors = _texels(
                planet_colors(
                    heights, about, planet.palette, asked=ground_plan, progress=share, cancel=cancel
                )
            )
        return PlanetArrays(ground, sea, air, sphere.coordinates(), about, planet, colors)

    return make


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
    """Add the sea and the air of a planet, if it has them."""
    if arrays.sea is not None:
        landscape = LANDSCAPES[arrays.planet.palette]
        sea = add_sea(context, planet, arrays.about, landscape, arrays.sea)
        if arrays.colors is not None and arrays.colors[1] is not None:
            ground_colors.store(meshes.mesh_of(sea), arrays.colors[1])
    if arrays.air is not None:
        add_air(context, planet, arrays.planet.air_depth, arrays.air)


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


def add_view(context: bpy.types.Context, planet: bpy.types.Object, radius: float) -> None:
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
        eye = middle + Vector(_EYE) * radius
        cameras.aim(context, eye, middle, _LENS)


def width_of(planet: Planet) -> float:
    """Return the approximate width of a planet with its sea and air, in meters."""
    return 2.0 * planet.radius * (1.0 + max(planet.relief, planet.air_depth * planet.atmosphere))


def add_sea(
    context: bpy.types.Context,
    planet: bpy.types.Object,
    ground: PlanetGround,
    landscape: Landscape,
    polygons: PolygonMesh,
) -> bpy.types.Object:
    """Add the sphere of the sea, whose vertices have its depth."""
    mesh = bpy.data.meshes.new("Terrane Planet Sea")
    polygons.write(mesh)
    obj = parts.add(context.scene, parts.PLANET_SEA, "Terrane Planet Sea", planet, mesh)
    graph = NodeGraph()
    inputs = {**_sea_values(ground, landscape), "Depth": graph.attribute(DEPTH)}
    sea = graph.group(sea_group(), inputs, name="Sea", width=_WIDTH)
    names = {"Base Color": "Color", "Roughness": "Roughness", "Specular IOR Level": "Specular"}
    look = {name: sea[output] for name, output in names.items()}
    shader = graph.node("ShaderNodeBsdfPrincipled", {**look, "IOR": 1.33})
    material = _write_material(obj, "Terrane Planet Sea", "sea", graph, shader)
    material.diffuse_color = (*water_color(landscape), 1.0)
    water_material.show_color(obj, material)
    return obj


def _sea_values(ground: PlanetGround, landscape: Landscape) -> dict[str, Any]:
    """Return the values of the sea's group by input."""
    return {
        "Shallow": landscape.shallow,
        "Deep": landscape.deep,
        "Clear": _CLEAR * ground.radius,
        "Width": 2.0 * ground.radius,
        "Ice Latitude": ground.ice_latitude,
        "Ice": float(ground.has_ice),
    }


def update_sea(obj: bpy.types.Object, ground: PlanetGround, landscape: Landscape) -> None:
    """Give the material of a sea the present values of its planet; linked sockets stay."""
    _set_values(obj, "Sea", _sea_values(ground, landscape))


def update_air(obj: bpy.types.Object, depth: float) -> None:
    """Give the material of the air its present depth."""
    _set_values(obj, "Air", {"Depth": depth})


def _set_values(obj: Any, name: str, values: dict[str, Any]) -> None:
    """Set inputs of a node of the material that Terrane has made for a shell, if it is there."""
    for slot in obj.material_slots:
        if slot.material is not None and _SHELL in slot.material:
            set_inputs(compat.node_tree(slot.material).nodes.get(name), values)


def add_air(
    context: bpy.types.Context, planet: bpy.types.Object, depth: float, polygons: PolygonMesh
) -> bpy.types.Object:
    """Add the shell of the air, so deep in radii of the sea's sphere; it casts no shadow."""
    mesh = bpy.data.meshes.new("Terrane Planet Air")
    polygons.write(mesh)
    obj: Any = parts.add(context.scene, parts.PLANET_AIR, "Terrane Planet Air", planet, mesh)
    graph = NodeGraph()
    shader = graph.group(air_group(), {"Depth": depth}, name="Air", width=_WIDTH)["Shader"]
    material = _write_material(obj, "Terrane Planet Air", "air", graph, shader)
    material.diffuse_color = obj.color = _AIR_COLOR
    material.surface_render_method, material.use_backface_culling = "BLENDED", True
    for name in ("shadow", "diffuse", "glossy", "transmission"):
        setattr(obj, f"visible_{name}", False)
    obj.hide_select = True
    return obj


def _write_material(
    obj: bpy.types.Object, name: str, part: str, graph: NodeGraph, shader: Any
) -> Any:
    """Give a new part its material, and return it."""
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    material: Any = materials.new_material(name)
    material[_SHELL] = part
    build(compat.node_tree(material), graph)
    mesh: Any = obj.data
    mesh.materials.append(material)
    return material
