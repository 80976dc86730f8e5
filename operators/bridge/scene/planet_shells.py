# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea and the air of a planet: spheres of their own, which are its children."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.materials.colors import Landscape
from ....noise_core.materials.ground.colors import water_color
from ....noise_core.planets.ground import PlanetGround
from ..datablocks import compat, materials
from ..datablocks.polygons import PolygonMesh
from ..nodetree.builder import build, set_inputs
from ..nodetree.node_graph import NodeGraph
from ..nodetree.terrain_material.planet_groups import air_group, sea_group
from . import parts, water_material
from .water_meshes import DEPTH

_SHELL = "terrane_shell"
"""Custom property of their materials. They are no ground: the haze of a sky does not lie over them."""

SEA, AIR = "planet_sea", "planet_air"
"""Parts of a planet."""

_CLEAR = 0.006
"""Depth at which the sea's color is two thirds of the way to that of the deep, as a share of the radius."""

_AIR_COLOR = (0.30, 0.50, 0.85, 0.12)
"""Of the air in Solid view, which is clear there."""

_WIDTH = 240.0


def add_sea(
    context: bpy.types.Context,
    planet: bpy.types.Object,
    ground: PlanetGround,
    landscape: Landscape,
    found: PolygonMesh,
) -> bpy.types.Object:
    """Add the sphere of the sea, whose vertices have its depth."""
    mesh = bpy.data.meshes.new("Terrane Planet Sea")
    found.write(mesh)
    thing = parts.add(context, SEA, "Terrane Planet Sea", mesh, planet)
    graph = NodeGraph()
    inputs = {**_sea_values(ground, landscape), "Depth": graph.attribute(DEPTH)}
    sea = graph.group(sea_group(), inputs, name="Sea", width=_WIDTH)
    names = {"Base Color": "Color", "Roughness": "Roughness", "Specular IOR Level": "Specular"}
    look = {name: sea[output] for name, output in names.items()}
    shader = graph.node("ShaderNodeBsdfPrincipled", {**look, "IOR": 1.33})
    material = _write_material(thing, "Terrane Planet Sea", "sea", graph, shader)
    material.diffuse_color = (*water_color(landscape), 1.0)
    water_material.show_color(thing, material)
    return thing


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


def update_sea(thing: bpy.types.Object, ground: PlanetGround, landscape: Landscape) -> None:
    """Give the material of a sea the present values of its planet; what is linked stays."""
    _set_values(thing, "Sea", _sea_values(ground, landscape))


def update_air(thing: bpy.types.Object, depth: float) -> None:
    """Give the material of the air its present depth."""
    _set_values(thing, "Air", {"Depth": depth})


def _set_values(thing: Any, name: str, values: dict[str, Any]) -> None:
    """Set inputs of a node of the material that Terrane has made for a shell, if it is there."""
    for slot in thing.material_slots:
        if slot.material is not None and _SHELL in slot.material:
            set_inputs(compat.node_tree(slot.material).nodes.get(name), values)


def add_air(
    context: bpy.types.Context, planet: bpy.types.Object, depth: float, found: PolygonMesh
) -> bpy.types.Object:
    """Add the shell of the air, so deep in radii of the sea's sphere; it casts no shadow."""
    mesh = bpy.data.meshes.new("Terrane Planet Air")
    found.write(mesh)
    thing: Any = parts.add(context, AIR, "Terrane Planet Air", mesh, planet)
    graph = NodeGraph()
    shader = graph.group(air_group(), {"Depth": depth}, name="Air", width=_WIDTH)["Shader"]
    material = _write_material(thing, "Terrane Planet Air", "air", graph, shader)
    material.diffuse_color = thing.color = _AIR_COLOR
    material.surface_render_method, material.use_backface_culling = "BLENDED", True
    for name in ("shadow", "diffuse", "glossy", "transmission"):
        setattr(thing, f"visible_{name}", False)
    thing.hide_select = True
    return thing


def _write_material(
    thing: bpy.types.Object, name: str, part: str, graph: NodeGraph, shader: Any
) -> Any:
    """Give a new part its material, and return it."""
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    material: Any = materials.new_material(name)
    material[_SHELL] = part
    build(compat.node_tree(material), graph)
    mesh: Any = thing.data
    mesh.materials.append(material)
    return material
