# SPDX-License-Identifier: GPL-3.0-or-later
"""Spheres around the ground of a planet: its sea, clouds and air, each an object with a material of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.elementary import circle
from ....noise_core.landscapes.planets.cube_sphere import CubeSphere
from ....noise_core.landscapes.planets.ground import PlanetGround
from ....noise_core.landscapes.planets.planet import PlanetHeights
from ....noise_core.landscapes.scene import Planet
from ....noise_core.materials.colors import LANDSCAPES
from ....noise_core.materials.ground.colors import water_color
from ..datablocks import compat, materials
from ..datablocks.polygons import PolygonMesh
from ..nodetree.builder import build, set_inputs
from ..nodetree.node_graph import NodeGraph, Output
from ..nodetree.terrain_material.giant_groups import rings_group
from ..nodetree.terrain_material.planet_groups import (
    air_group,
    clouds_group,
    sea_group,
)
from . import parts, water_material
from .water_meshes import DEPTH

_SHELL = "terrane_shell"
"""Custom property of their materials. They are no ground: the haze of a sky does not lie over them."""

_CELLS = 96
"""Along an edge of the cube, of shells without relief: their outline is 384 straight lines."""

_CLEAR = 0.035
"""Depth at which the sea's color is two thirds of the way to that of the deep, as a share of the relief."""

_HIGH = 0.14
"""Height of the clouds as a share of the depth of the air."""

_TOPS = 0.35
"""Relief of their tops, as a share of that height."""

_CLEAR_COLOR = (1.0, 1.0, 1.0, 0.0)
_AIR_COLOR = (0.30, 0.50, 0.85, 0.12)
"""Colors in Solid view, which is clear there."""

_RINGS_FROM = 0.24
"""Where rings begin, as a share of the way to their outer edge: Saturn's C ring begins at 1.24 radii, A ends at 2.27."""

_AROUND, _ACROSS = 384, 4
"""Faces of rings along their edge and across."""

_WIDTH = 240.0

_FACING = "Terrane Sun"
"""Name of the constraint that turns the air to the sun."""

Values = dict[str, Any]


@dataclass(frozen=True)
class Shell:
    """A kind of shell.

    Attributes
    ----------
    name : str
        Of the node with its settings; that of the object ends so.
    is_wanted : callable
        Tells from the measures of a planet whether it has one.
    values : callable
        Returns the inputs of that node, for the ground and the measures of a planet.
    declare : callable
        Adds the nodes to a graph, with these inputs, and returns the shader.
    finish : callable
        Sets what else belongs to an object and its material.
    """

    name: str
    is_wanted: Callable[[Planet], bool]
    values: Callable[[PlanetGround, Planet], Values]
    declare: Callable[[NodeGraph, Values], Output]
    finish: Callable[[Any, Any, Planet], None]


def wanted(planet: Planet) -> dict[str, bool]:
    """Return whether a planet has each shell, by the name of the part."""
    return {part: shell.is_wanted(planet) for part, shell in SHELLS.items()}


def meshes_of(
    heights: PlanetHeights, planet: Planet, ground: PolygonMesh
) -> dict[str, PolygonMesh]:
    """Return the arrays of the shells of a planet, by the name of the part."""
    level = planet.radius + (heights.sea or 0.0)
    found = wanted(planet)
    shells: dict[str, PolygonMesh] = {}
    if heights.sea is not None:
        places = heights.directions * np.float32(level)
        shells[parts.PLANET_SEA] = dataclasses.replace(
            ground, places=places, maps={DEPTH: heights.depth}
        )
    sphere = CubeSphere(min(_CELLS, planet.resolution))
    for part, height in ((parts.PLANET_CLOUDS, cloud_height(planet)), (parts.PLANET_AIR, 1.0)):
        if found[part]:
            radius = np.float32(level * (1.0 + planet.air_depth * height))
            shells[part] = PolygonMesh.of_sphere(sphere, sphere.directions(), radius)
    if found[parts.PLANET_RINGS]:
        shells[parts.PLANET_RINGS] = _ring_mesh(planet)
    return shells


def _ring_mesh(planet: Planet) -> PolygonMesh:
    """Return the arrays of a flat ring above the equator."""
    corners = _AROUND
    angles = np.arange(corners, dtype=np.float64) * (360.0 / corners)
    cosine, sine = circle(angles)
    radii = np.linspace(ring_start(planet), planet.rings, _ACROSS + 1) * planet.radius
    places = np.zeros((_ACROSS + 1, corners, 3), np.float32)
    places[..., 0], places[..., 1] = radii[:, np.newaxis] * cosine, radii[:, np.newaxis] * sine
    at = np.arange((_ACROSS + 1) * corners, dtype=np.int32).reshape(_ACROSS + 1, corners)
    after = np.roll(at, -1, axis=1)
    faces = np.stack((at[:-1], at[1:], after[1:], after[:-1]), axis=-1).reshape(-1, 4)
    return PolygonMesh.of_quads(places.reshape(-1, 3), faces, {})


def ring_start(planet: Planet) -> float:
    """Return the radius of the inner edge of the rings in radii of the planet."""
    return 1.0 + _RINGS_FROM * (planet.rings - 1.0)


def cloud_height(planet: Planet) -> float:
    """Return the height of the clouds over the sea, as a share of the depth of the air: above most mountains."""
    return _HIGH + 0.3 * min(1.0, planet.relief / planet.air_depth)


def add(
    context: bpy.types.Context,
    planet: bpy.types.Object,
    part: str,
    about: PlanetGround,
    measures: Planet,
    polygons: PolygonMesh,
) -> bpy.types.Object:
    """Add a shell of a planet."""
    shell, name = SHELLS[part], f"Terrane Planet {SHELLS[part].name}"
    mesh: Any = bpy.data.meshes.new(name)
    polygons.write(mesh)
    obj = parts.add(context.scene, part, name, planet, mesh)
    graph = NodeGraph()
    shader = shell.declare(graph, shell.values(about, measures))
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    material: Any = materials.new_material(name)
    material[_SHELL] = shell.name.lower()
    build(compat.node_tree(material), graph)
    mesh.materials.append(material)
    shell.finish(obj, material, measures)
    return obj


def update(obj: Any, part: str, about: PlanetGround, planet: Planet) -> None:
    """Give the material that Terrane has made for a shell its present values; linked sockets stay."""
    shell = SHELLS[part]
    for slot in obj.material_slots:
        if slot.material is not None and _SHELL in slot.material:
            tree = compat.node_tree(slot.material)
            set_inputs(tree.nodes.get(shell.name), shell.values(about, planet))


def face_sun(scene: bpy.types.Scene, planet: bpy.types.Object) -> None:
    """Turn the air of a planet to the sun of a scene, which its material reads; a user's target stays."""
    air = parts.of_terrain(planet, parts.PLANET_AIR)
    if air is None:
        return
    constraint: Any = air.constraints.get(_FACING)
    if constraint is None:
        constraint = air.constraints.new("COPY_ROTATION")
        constraint.name = _FACING
    if constraint.target is None:
        suns = (obj for obj in scene.objects if obj.type == "LIGHT" and obj.data.type == "SUN")
        constraint.target = next(suns, None)


# --- kinds ------------------------------------------------------------------------------------------


def _sea_values(ground: PlanetGround, planet: Planet) -> Values:
    landscape = LANDSCAPES[planet.palette]
    return {
        "Shallow": landscape.shallow,
        "Deep": landscape.deep,
        "Clear": max(1e-6, _CLEAR * planet.relief * ground.radius),
        "Width": 2.0 * ground.radius,
        "Ice Latitude": ground.ice_latitude,
        "Ice": float(ground.has_ice),
    }


def _sea(graph: NodeGraph, values: Values) -> Output:
    inputs = {**values, "Depth": graph.attribute(DEPTH)}
    sea = graph.group(sea_group(), inputs, name="Sea", width=_WIDTH)
    names = {"Base Color": "Color", "Roughness": "Roughness", "Specular IOR Level": "Specular"}
    look = {name: sea[output] for name, output in names.items()}
    return graph.node("ShaderNodeBsdfPrincipled", {**look, "IOR": 1.33})


def _finish_sea(obj: Any, material: Any, planet: Planet) -> None:
    material.diffuse_color = (*water_color(LANDSCAPES[planet.palette]), 1.0)
    water_material.show_color(obj, material)


def _cloud_values(ground: PlanetGround, planet: Planet) -> Values:
    return {"Cover": planet.clouds, "Seed": float(planet.clouds_seed % 997)}


def _clouds(graph: NodeGraph, values: Values) -> Output:
    clouds = graph.group(clouds_group(), values, name="Clouds", width=_WIDTH)
    bump = {"Strength": 0.6, "Distance": 0.02, "Height": clouds["Height"]}
    normal = graph.node("ShaderNodeBump", bump)
    color = (0.9, 0.91, 0.93, 1.0)
    top = graph.node("ShaderNodeBsdfDiffuse", {"Color": color, "Normal": normal})
    through = graph.node("ShaderNodeBsdfTranslucent", {"Color": color})
    lit = graph.node("ShaderNodeMixShader", {0: 0.12, 1: top, 2: through})
    clear = graph.node("ShaderNodeBsdfTransparent")
    return graph.node("ShaderNodeMixShader", {0: clouds["Cloud"], 1: clear, 2: lit})


def _finish_clouds(obj: Any, material: Any, planet: Planet) -> None:
    material.diffuse_color = obj.color = _CLEAR_COLOR
    material.surface_render_method, material.use_transparent_shadow = "DITHERED", True
    obj.hide_select = True


def _air(graph: NodeGraph, values: Values) -> Output:
    return graph.group(air_group(), values, name="Air", width=_WIDTH)["Shader"]


def _finish_air(obj: Any, material: Any, planet: Planet) -> None:
    material.diffuse_color = obj.color = _AIR_COLOR
    material.surface_render_method, material.use_backface_culling = "BLENDED", True
    for name in ("shadow", "diffuse", "glossy", "transmission"):
        setattr(obj, f"visible_{name}", False)
    obj.hide_select = True


def _ring_values(ground: PlanetGround, planet: Planet) -> Values:
    return {"Inner": ring_start(planet), "Outer": planet.rings, "Radius": ground.radius}


def _rings(graph: NodeGraph, values: Values) -> Output:
    rings = graph.group(rings_group(), values, name="Rings", width=_WIDTH)
    ahead = graph.node("ShaderNodeBsdfDiffuse", {"Color": rings["Color"]})
    behind = graph.node("ShaderNodeBsdfTranslucent", {"Color": rings["Color"]})
    lit = graph.node("ShaderNodeMixShader", {0: 0.3, 1: ahead, 2: behind})
    clear = graph.node("ShaderNodeBsdfTransparent")
    return graph.node("ShaderNodeMixShader", {0: rings["Cover"], 1: clear, 2: lit})


def _finish_rings(obj: Any, material: Any, planet: Planet) -> None:
    material.diffuse_color = obj.color = (0.62, 0.55, 0.45, 0.6)
    material.surface_render_method, material.use_transparent_shadow = "DITHERED", True


SHELLS: Mapping[str, Shell] = MappingProxyType(
    {
        parts.PLANET_SEA: Shell(
            "Sea",
            lambda planet: planet.sea_cover > 0.0 and planet.gas == "none",
            _sea_values,
            _sea,
            _finish_sea,
        ),
        parts.PLANET_CLOUDS: Shell(
            "Clouds",
            lambda planet: planet.atmosphere and planet.clouds > 0.0,
            _cloud_values,
            _clouds,
            _finish_clouds,
        ),
        parts.PLANET_AIR: Shell(
            "Air",
            lambda planet: planet.atmosphere,
            lambda ground, planet: {"Depth": planet.air_depth},
            _air,
            _finish_air,
        ),
        parts.PLANET_RINGS: Shell(
            "Rings", lambda planet: planet.rings > 1.0, _ring_values, _rings, _finish_rings
        ),
    }
)
"""Shells from below, by the names of their parts."""
