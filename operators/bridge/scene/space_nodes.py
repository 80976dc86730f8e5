# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a sky without air: stars, and Earth lit by the same sun as the ground."""

from __future__ import annotations

import math
from typing import Any

from mathutils import Vector

from ....noise_core.landscapes.scene import Sky
from ..nodetree.node_graph import NodeGraph, Output

_SEA, _LAND, _SAND = (0.010, 0.030, 0.075), (0.045, 0.058, 0.026), (0.17, 0.13, 0.085)
_CLOUD, _RIM = (0.80, 0.84, 0.90), (0.22, 0.40, 0.80)
"""Colors of Earth: how much light its seas, land, deserts, clouds and its air send back."""

_FIELD = 200.0
"""Cells of stars along the radius of the sky."""

_POINT = 0.08
"""Radius of a star, in cells: less than a pixel of a picture, so that all stars are points."""

_FAINTEST, _BRIGHTEST = 0.7, 60.0
"""Light of the faintest and the brightest star."""

_COUNTS = 1.2
"""The number of stars that are brighter than a light falls by this power of it: 1.5 if they were spread evenly in
space, fewer since dust hides far ones (H. von Seeliger, 1898)."""


def declare_space(
    graph: NodeGraph, sky: Sky, direction: Output, sun: tuple[float, float, float]
) -> Output:
    """Declare the color of a black sky in a direction: its stars, and Earth before them."""
    color: Output = graph.combine(0.0, 0.0, 0.0)
    if sky.stars > 0.0:
        with graph.frame("Stars"):
            color = _stars(graph, sky, direction)
    if sky.earth_width > 0.0:
        with graph.frame("Earth"):
            color = _earth(graph, sky, direction, Vector(sun), color)
    return color


def _stars(graph: NodeGraph, sky: Sky, direction: Output) -> Output:
    """Return the color of stars: points, of which few are bright; some are reddish or bluish."""
    cells = graph.node("ShaderNodeTexVoronoi", {"Vector": direction, "Scale": _FIELD}, feature="F1")
    red, _, chance = graph.separate(cells["Color"])
    point = graph.map_range(cells["Distance"], 0.0, _POINT, 1.0, 0.0, kind="SMOOTHSTEP")
    fainter = graph.math("MAXIMUM", 1.0 - chance, 1e-4)
    light = graph.math("POWER", fainter, -1.0 / _COUNTS) * _FAINTEST
    bright = graph.math("MINIMUM", light, _BRIGHTEST) * sky.stars
    shade = graph.mix(red, (1.0, 0.82, 0.66), (0.72, 0.84, 1.0), "VECTOR")
    is_camera_ray = graph.node("ShaderNodeLightPath")["Is Camera Ray"]
    return graph.vector_math("SCALE", shade, point * bright * is_camera_ray)


def _earth(graph: NodeGraph, sky: Sky, direction: Output, sun: Vector, behind: Output) -> Output:
    """Return the color of a sky with Earth in it: a ball that the sun lights from its side."""
    up, turn = math.radians(sky.earth_elevation), math.radians(sky.earth_direction)
    level = math.cos(up)
    ahead: Any = Vector((math.sin(turn) * level, math.cos(turn) * level, math.sin(up)))
    right: Any = Vector((math.cos(turn), -math.sin(turn), 0.0))
    over: Any = right.cross(ahead)
    size = 1.0 / math.sin(math.radians(0.5 * sky.earth_width))
    across = graph.vector_math("DOT_PRODUCT", direction, tuple(right))["Value"] * size
    rise = graph.vector_math("DOT_PRODUCT", direction, tuple(over))["Value"] * size
    squared = across * across + rise * rise
    depth = graph.math("SQRT", graph.math("MAXIMUM", 1.0 - squared, 0.0))
    # Of the ball, as seen from here: across, up, and towards the camera.
    ball = graph.combine(across, rise, depth)
    lit_from = (sun.dot(right), sun.dot(over), -sun.dot(ahead))
    shine = graph.vector_math("DOT_PRODUCT", ball, lit_from)["Value"]
    light = graph.map_range(shine, -0.06, 0.95, kind="SMOOTHSTEP")
    rim = graph.math("POWER", 1.0 - depth, 3.0) * 0.8
    color = graph.mix(rim, _surface(graph, ball), _RIM, "VECTOR")
    # White paper that faces the sun sends as much light.
    color = graph.vector_math("SCALE", color, light * (sky.sun_strength / math.pi))
    front = graph.vector_math("DOT_PRODUCT", direction, tuple(ahead))["Value"]
    disc = graph.map_range(squared, 0.97, 1.0, 1.0, 0.0, kind="SMOOTHSTEP")
    disc = disc * graph.math("GREATER_THAN", front, 0.0)
    return graph.mix(disc, behind, color, "VECTOR")


def _surface(graph: NodeGraph, ball: Output) -> Output:
    """Return the color of seas, land and clouds on a ball."""
    shape = _noise(graph, ball, 1.3, 9.0, 0.58)
    dry = graph.map_range(_noise(graph, ball, 2.4, 4.0, 0.5), 0.42, 0.58, kind="SMOOTHSTEP")
    land = graph.mix(dry, _LAND, _SAND, "VECTOR")
    shore = graph.map_range(shape, 0.52, 0.54, kind="SMOOTHSTEP")
    ground = graph.mix(shore, _SEA, land, "VECTOR")
    stretched = graph.vector_math("MULTIPLY", ball, (0.8, 1.5, 0.8))
    swirls = _noise(graph, stretched, 1.15, 9.0, 0.52, 1.3)
    cover = graph.map_range(swirls, 0.47, 0.66, kind="SMOOTHSTEP")
    return graph.mix(cover, ground, _CLOUD, "VECTOR")


def _noise(
    graph: NodeGraph, place: Output, scale: float, detail: float, rough: float, bend: float = 0.0
) -> Output:
    inputs = {"Vector": place, "Scale": scale, "Detail": detail, "Roughness": rough}
    return graph.node("ShaderNodeTexNoise", {**inputs, "Distortion": bend})
