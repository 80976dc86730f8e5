# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexagons: Math nodes; Blender has no texture of them."""

from __future__ import annotations

import math
from typing import Any

from .....noise_core.noises.hexagons import Hexagons
from ...properties import enum_label
from ..domain import Domain
from ..graph import Graph
from ..tilings import NOTE, Place, made_of
from ..translators import ALIKE, translates

_PAIR = math.sqrt(3.0)
"""Distance of every second row of hexagons that lie 1 apart."""


@translates("hexagons", ALIKE, NOTE)
def write(noise: Hexagons, graph: Graph, domain: Domain) -> Any:
    """Write the way from the nearer one of two middles, and what is made of it."""
    graph.title(f"{noise.label}: {enum_label(noise.output)}")
    scale = (noise.frequency, noise.frequency / _PAIR, 0.0)
    place = graph.vector_math("MULTIPLY", domain.vector, scale, label="Hexagons and pairs of rows")
    first, way = _nearest(graph, place, 0.0)
    other, other_way = _nearest(graph, place, 0.5)
    is_other = graph.math("LESS_THAN", _distance(graph, other_way), _distance(graph, way))
    middle = graph.mixed_vector(is_other, first, other)
    x, y, _ = graph.separated(
        graph.vector_math(
            "MULTIPLY", graph.mixed_vector(is_other, way, other_way), (2.0, 3.0, 1.0), label="Place"
        )
    )
    right, up, _ = graph.separated(graph.scaled(middle, 2.0, "Whole numbers"))
    return made_of(noise, graph, domain, Place(x, y, (right, up)), _inside)


def _nearest(graph: Graph, place: Any, offset: float) -> tuple[Any, Any]:
    """Return the nearest middle that is a whole number and an offset, and the way from there."""
    half = (0.5 - offset, 0.5 - offset, 0.0)
    whole = graph.vector_math("FLOOR", graph.vector_math("ADD", place, half))
    middle = graph.vector_math("ADD", whole, (offset, offset, 0.0)) if offset else whole
    return middle, graph.vector_math("SUBTRACT", place, middle)


def _distance(graph: Graph, way: Any) -> Any:
    even = graph.vector_math("MULTIPLY", way, (1.0, _PAIR, 0.0))
    return graph.measured("LENGTH", even)


def _inside(noise: Hexagons, graph: Graph, x: Any, y: Any) -> Any:
    """Return the distance to a hexagon with round corners, as `Hexagons.inside` does."""
    across = graph.math("ABSOLUTE", x)
    up = graph.affine(graph.math("ABSOLUTE", y), 2.0 / _PAIR, 0.0)
    half = graph.math("MULTIPLY", across, 0.5)
    # Folded into the twelfth of the hexagon beside the right-hand side.
    fold = graph.math("MULTIPLY_ADD", up, _PAIR / 2.0, graph.math("MULTIPLY", half, -1.0))
    fold = graph.math("MAXIMUM", fold, 0.0, label="Fold")
    out = graph.affine(graph.math("ADD", across, fold), 1.0, noise.rounding - 1.0)
    along = graph.math("ABSOLUTE", graph.math("MULTIPLY_ADD", fold, -_PAIR, up))
    beyond = graph.affine(along, 1.0, (noise.rounding - 1.0) / _PAIR)
    corner = graph.vector_math("MAXIMUM", graph.combined(out, beyond), (0.0, 0.0, 0.0))
    flat = graph.math("SUBTRACT", noise.rounding, graph.math("MINIMUM", out, 0.0))
    return graph.math(
        "SUBTRACT", flat, graph.measured("LENGTH", corner), label="Inside", clamp=True
    )
