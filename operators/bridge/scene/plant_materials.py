# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of plants and stones: leaves that light passes through, and wood and stone that are rough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.materials.colors import Landscape
from ....noise_core.materials.ground.colors import expose
from ..datablocks import compat, materials
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph, Output
from . import parts, skies

PART = "plant_model"
"""The mark of the models, of their meshes, materials and collections."""

Colors = tuple[tuple[float, float, float], tuple[float, float, float]]

_WOOD: Colors = ((0.055, 0.040, 0.028), (0.110, 0.085, 0.060))

_DARK_NEEDLES = 0.8
"""How dark needles are beside the woods of a palette."""

_WARM, _COOL = (1.14, 1.0, 0.8), (0.88, 1.0, 1.1)
"""Factors on the colors of plants of one kind, between which each has its own."""


@dataclass(frozen=True)
class Bumps:
    """How rough a material is: bumps on a plant that is 1 high along each axis, and their depth in meters."""

    scale: tuple[float, float, float]
    deep: float


_FURROWS, _PITS = Bumps((90.0, 90.0, 14.0), 0.06), Bumps((4.0, 4.0, 6.0), 0.25)
"""Bark has furrows along the trunk, stones have layers."""

FACING = "terrane_facing"
"""Attribute of vertices with leaves; see `PlantShape.facing`."""

_BEND = 1.0
"""How much leaves are shaded as parts of their crown, beside their own normals."""

_TRANSLUCENT = 0.42
"""Share of the light on a leaf that passes through it."""

_THROUGH = (1.35, 1.5, 0.55)
"""Factors on its color: leaves absorb blue and red on the way, so those against the light are yellow green."""


def write(context: bpy.types.Context, palette: Landscape) -> dict[str, list[Any]]:
    """Return the new materials of each kind, in the colors of a palette."""
    layers = palette.layers
    green = layers.get("woods") or layers.get("grass")
    turf, rock = layers.get("grass") or layers["soil"], layers.get("rock") or layers["soil"]
    leaves = _pair(green, 1.5) if green else ((0.05, 0.05, 0.02), (0.10, 0.09, 0.04))
    needles = _scale(leaves[0], _DARK_NEEDLES), _scale(leaves[1], _DARK_NEEDLES)
    dry = leaves if "woods" in layers else _pair(turf, 0.9)
    wood = _new_material(context, "Terrane Bark", _WOOD, _FURROWS)
    foliage = _new_material(context, "Terrane Leaves", leaves)
    dark = _new_material(context, "Terrane Needles", needles)
    shrubs = _new_material(context, "Terrane Shrubs", dry)
    blades = _new_material(context, "Terrane Grass", _pair(turf, 0.9))
    stones = _new_material(context, "Terrane Stones", _pair(rock, 1.0), _PITS)
    return {
        "conifers": [dark, wood],
        "broadleaves": [foliage, wood],
        "bushes": [shrubs, wood],
        "grass": [blades],
        "stones": [stones],
    }


def _pair(layer: Any, scale: float) -> Colors:
    return _scale(layer.color, scale), _scale(layer.second, scale)


def _scale(color: Any, scale: float) -> tuple[float, float, float]:
    red, green, blue = (min(float(one) * scale, 1.0) for one in color)
    return red, green, blue


def _new_material(
    context: bpy.types.Context, name: str, colors: Colors, rough: Bumps | None = None
) -> Any:
    made = materials.new_material(name)
    made[parts.MARK] = PART
    made.diffuse_color = _solid_color(colors)
    graph = _declare_leaves(colors) if rough is None else _declare_solid(colors, rough)
    build(compat.node_tree(made), graph)
    skies.add_haze(context.scene, made)
    return made


def _solid_color(colors: Colors) -> Any:
    """Return the color that Solid view shows, as bright as that of the land; see `ground_colors`."""
    color = np.mean(colors, axis=0, dtype=np.float32).reshape(3, 1)
    expose(color)
    return (*color[:, 0].tolist(), 1.0)


def _declare_color(graph: NodeGraph, colors: Colors) -> Output:
    """Return the color at a place: each plant has its own between two, with patches."""
    own = graph.node("ShaderNodeObjectInfo")["Random"]
    place = graph.node("ShaderNodeTexCoord")["Object"]
    patches = graph.node("ShaderNodeTexNoise", {"Vector": place, "Scale": 5.0, "Detail": 3.0})
    fine = graph.node("ShaderNodeTexNoise", {"Vector": place, "Scale": 160.0, "Detail": 2.0})
    share = graph.map_range(own * 0.6 + patches * 0.4 + fine * 0.5, 0.2, 1.3)
    color = graph.mix(share, colors[0], colors[1], "RGBA")
    # Another number by chance, as the first already says how far it is between the two.
    hue = graph.math("FRACT", own * 37.0)
    tint: Output = graph.mix(hue, _WARM, _COOL, "VECTOR")
    return graph.vector_math("MULTIPLY", color, tint)


def _declare_solid(colors: Colors, rough: Bumps) -> NodeGraph:
    """Declare the material of wood or stone: rough, and a little darker towards the ground."""
    graph = NodeGraph()
    color = _declare_color(graph, colors)
    place = graph.node("ShaderNodeTexCoord")["Object"]
    _, _, up = graph.separate(place)
    scaled = graph.vector_math("MULTIPLY", place, rough.scale)
    noise = {"Vector": scaled, "Scale": 1.0, "Detail": 6.0, "Roughness": 0.65}
    height = graph.node("ShaderNodeTexNoise", noise)
    bump = graph.node("ShaderNodeBump", {"Height": height, "Strength": 1.0, "Distance": rough.deep})
    bright = graph.map_range(up, 0.0, 0.5, 0.75, 1.1) * graph.map_range(
        height, 0.3, 0.65, 0.55, 1.2
    )
    lit = graph.vector_math("SCALE", color, bright)
    inputs = {"Base Color": lit, "Roughness": 0.85, "Specular IOR Level": 0.15, "Normal": bump}
    graph.node(
        "ShaderNodeOutputMaterial", {"Surface": graph.node("ShaderNodeBsdfPrincipled", inputs)}
    )
    return graph


def _declare_leaves(colors: Colors) -> NodeGraph:
    """Declare the material of leaves: light passes through them, and they are shaded as parts of their crown."""
    graph = NodeGraph()
    color = _declare_color(graph, colors)
    facing = graph.node(
        "ShaderNodeAttribute", label=FACING, attribute_type="GEOMETRY", attribute_name=FACING
    )["Vector"]
    with graph.frame("Crown"):
        out = graph.node(
            "ShaderNodeVectorTransform",
            {0: facing},
            vector_type="NORMAL",
            convert_from="OBJECT",
            convert_to="WORLD",
        )
        own = graph.node("ShaderNodeNewGeometry")["Normal"]
        bent = graph.vector_math("ADD", own, graph.vector_math("SCALE", out, _BEND))
        normal = graph.vector_math("NORMALIZE", bent)
        bright = graph.map_range(graph.vector_math("LENGTH", facing)["Value"], 0.2, 1.0, 0.6, 2.0)
    lit = graph.vector_math("SCALE", color, bright)
    inputs = {"Base Color": lit, "Roughness": 0.7, "Specular IOR Level": 0.2, "Normal": normal}
    surface = graph.node("ShaderNodeBsdfPrincipled", inputs)
    passed = {"Color": graph.vector_math("MULTIPLY", lit, _THROUGH)}
    through = graph.node("ShaderNodeBsdfTranslucent", passed)
    mixed = graph.node("ShaderNodeMixShader", {0: _TRANSLUCENT, 1: surface, 2: through})
    graph.node("ShaderNodeOutputMaterial", {"Surface": mixed})
    return graph
