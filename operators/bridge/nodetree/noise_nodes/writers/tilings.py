# SPDX-License-Identifier: GPL-3.0-or-later
"""Bricks and hexagons: Math nodes for the position within a tile, and outputs that both share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ......noise_core.noises.bases.tiling import TilePattern
from ......noise_core.noises.bricks import Bricks
from ......noise_core.noises.hexagons import Hexagons
from ....schema.enum_items import enum_label
from ..noise_graph import Domain, NoiseGraph
from ..registry import ALIKE, node_writer

_NOTE = "places and distances are exact; random numbers come from another hash; no rounding of sizes for tiling."

_PAIR = math.sqrt(3.0)
"""Distance of every second row of hexagons that lie 1 apart."""

_UNEVEN = 300
"""Number of the child seed for heights of tiles, which do not depend on their values."""

_NARROWEST = 1e-4
"""A bevel narrower than this is a step."""

Inside = Callable[[Any, NoiseGraph, Any, Any], Any]
"""Called with the tiling, the graph, x and y; returns the distance to the border, from 0 to 1."""


@node_writer("bricks", ALIKE, _NOTE)
def write_bricks(noise: Bricks, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the position in the brick, the distance to its border, and the output."""
    graph.set_title(f"{noise.label}: {enum_label(noise.output)}")
    scale = (noise.columns, noise.rows, 0.0)
    along, up, _ = graph.separate(
        graph.vector_math("MULTIPLY", domain.vector, scale, label="Bricks and courses")
    )
    course = graph.math("FLOOR", up, label="Course")
    odd = graph.math("FLOORED_MODULO", course, 2.0, label="Every second one")
    shift = odd * noise.shift
    if noise.random_shift:
        chance = graph.random(graph.combine(0.0, course), "4D", domain.seed)
        shift = graph.math("MULTIPLY_ADD", chance, noise.random_shift, shift)
    along = along - shift
    brick = graph.math("FLOOR", along, label="Brick")
    x = graph.to_signed_unit(graph.math("FRACT", along))
    y = graph.to_signed_unit(graph.math("FRACT", up))
    return _output(noise, graph, domain, (x, y), (brick, course), _inside_brick)


def _inside_brick(noise: Bricks, graph: NoiseGraph, x: Any, y: Any) -> Any:
    """Return the distance to a rectangle with round corners, as `Bricks.inside` does."""
    wide = max(noise.rows / noise.columns, 1.0)
    high = max(noise.columns / noise.rows, 1.0)
    beyond_x = graph.affine(graph.math("ABSOLUTE", x), wide, noise.rounding - wide)
    beyond_y = graph.affine(graph.math("ABSOLUTE", y), high, noise.rounding - high)
    beyond = graph.combine(beyond_x, beyond_y)
    corner = graph.vector_math("LENGTH", graph.vector_math("MAXIMUM", beyond, (0.0, 0.0, 0.0)))
    side = graph.math("MINIMUM", graph.math("MAXIMUM", beyond_x, beyond_y), 0.0)
    flat = noise.rounding - side
    return graph.math("SUBTRACT", flat, corner, label="Inside", clamp=True)


@node_writer("hexagons", ALIKE, _NOTE)
def write_hexagons(noise: Hexagons, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the way from the nearer of two middles, and the output."""
    graph.set_title(f"{noise.label}: {enum_label(noise.output)}")
    scale = (noise.frequency, noise.frequency / _PAIR, 0.0)
    place = graph.vector_math("MULTIPLY", domain.vector, scale, label="Hexagons and pairs of rows")
    first, way = _nearest(graph, place, 0.0)
    second, second_way = _nearest(graph, place, 0.5)
    is_second = graph.math("LESS_THAN", _distance(graph, second_way), _distance(graph, way))
    middle = graph.mix(is_second, first, second, "VECTOR")
    x, y, _ = graph.separate(
        graph.vector_math(
            "MULTIPLY",
            graph.mix(is_second, way, second_way, "VECTOR"),
            (2.0, 3.0, 1.0),
            label="Place",
        )
    )
    right, up, _ = graph.separate(graph.vector_math("SCALE", middle, 2.0, label="Whole numbers"))
    return _output(noise, graph, domain, (x, y), (right, up), _inside_hexagon)


def _nearest(graph: NoiseGraph, place: Any, offset: float) -> tuple[Any, Any]:
    """Return the nearest middle, a whole number and an offset, and the way from it."""
    half = (0.5 - offset, 0.5 - offset, 0.0)
    whole = graph.vector_math("FLOOR", graph.vector_math("ADD", place, half))
    middle = graph.vector_math("ADD", whole, (offset, offset, 0.0)) if offset else whole
    return middle, graph.vector_math("SUBTRACT", place, middle)


def _distance(graph: NoiseGraph, way: Any) -> Any:
    even = graph.vector_math("MULTIPLY", way, (1.0, _PAIR, 0.0))
    return graph.vector_math("LENGTH", even)


def _inside_hexagon(noise: Hexagons, graph: NoiseGraph, x: Any, y: Any) -> Any:
    """Return the distance to a hexagon with round corners, as `Hexagons.inside` does."""
    across = graph.math("ABSOLUTE", x)
    up = graph.affine(graph.math("ABSOLUTE", y), 2.0 / _PAIR, 0.0)
    half = across * 0.5
    # Folded into the twelfth of the hexagon beside the right-hand side.
    fold = graph.math("MULTIPLY_ADD", up, _PAIR / 2.0, half * -1.0)
    fold = graph.math("MAXIMUM", fold, 0.0, label="Fold")
    out = graph.affine(across + fold, 1.0, noise.rounding - 1.0)
    along = graph.math("ABSOLUTE", graph.math("MULTIPLY_ADD", fold, -_PAIR, up))
    beyond = graph.affine(along, 1.0, (noise.rounding - 1.0) / _PAIR)
    corner = graph.vector_math("MAXIMUM", graph.combine(out, beyond), (0.0, 0.0, 0.0))
    flat = graph.math("SUBTRACT", noise.rounding, graph.math("MINIMUM", out, 0.0))
    return graph.math(
        "SUBTRACT", flat, graph.vector_math("LENGTH", corner), label="Inside", clamp=True
    )


def _output(
    noise: TilePattern,
    graph: NoiseGraph,
    domain: Domain,
    place: tuple[Any, Any],
    tile: tuple[Any, Any],
    inside: Inside,
) -> Any:
    """Return the output of a tiling at a place from -1 to 1 in a tile, which has whole numbers."""
    if noise.output in ("x", "y"):
        return place[noise.output == "y"]
    if noise.output == "value":
        return graph.to_signed_unit(graph.random(graph.combine(*tile), "4D", domain.seed))
    depth = inside(noise, graph, *place)
    if noise.output == "edge":
        return graph.to_signed_unit(depth)
    if noise.bevel < _NARROWEST:
        share = graph.math("GREATER_THAN", depth, noise.joint)
    else:
        share = graph.map_range(depth, noise.joint, noise.joint + noise.bevel, kind="SMOOTHSTEP")
    if noise.unevenness == 0.0:
        return graph.to_signed_unit(share)
    tile_seed = graph.child(domain, _UNEVEN).seed
    chance = graph.random(graph.combine(*tile), "4D", tile_seed)
    top = graph.affine(chance, noise.unevenness, 2.0 - noise.unevenness, "Unevenness")
    return graph.math("MULTIPLY_ADD", share, top, -1.0)
