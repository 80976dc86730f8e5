# SPDX-License-Identifier: GPL-3.0-or-later
"""Bricks: Math nodes; Blender's Brick Texture knows no bevel, no rounding and no distance."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.bricks import Bricks
from ...properties import enum_label
from ..domain import Domain
from ..graph import Graph
from ..tilings import NOTE, Place, made_of
from ..translators import ALIKE, translates


@translates("bricks", ALIKE, NOTE)
def write(noise: Bricks, graph: Graph, domain: Domain) -> Any:
    """Write the place in the brick, the distance to its border, and what is made of that."""
    graph.title(f"{noise.label}: {enum_label(noise.output)}")
    scale = (noise.columns, noise.rows, 0.0)
    along, up, _ = graph.separated(
        graph.vector_math("MULTIPLY", domain.vector, scale, label="Bricks and courses")
    )
    course = graph.math("FLOOR", up, label="Course")
    odd = graph.math("FLOORED_MODULO", course, 2.0, label="Every second one")
    shift = graph.math("MULTIPLY", odd, noise.shift)
    if noise.random_shift:
        chance = graph.cell_number(domain, graph.combined(0.0, course))
        shift = graph.math("MULTIPLY_ADD", chance, noise.random_shift, shift)
    along = graph.math("SUBTRACT", along, shift)
    brick = graph.math("FLOOR", along, label="Brick")
    x = graph.to_signed(graph.math("FRACT", along))
    y = graph.to_signed(graph.math("FRACT", up))
    return made_of(noise, graph, domain, Place(x, y, (brick, course)), _inside)


def _inside(noise: Bricks, graph: Graph, x: Any, y: Any) -> Any:
    """Return the distance to a rectangle with round corners, as `Bricks.inside` does."""
    wide = max(noise.rows / noise.columns, 1.0)
    high = max(noise.columns / noise.rows, 1.0)
    beyond_x = graph.affine(graph.math("ABSOLUTE", x), wide, noise.rounding - wide)
    beyond_y = graph.affine(graph.math("ABSOLUTE", y), high, noise.rounding - high)
    beyond = graph.combined(beyond_x, beyond_y)
    corner = graph.measured("LENGTH", graph.vector_math("MAXIMUM", beyond, (0.0, 0.0, 0.0)))
    side = graph.math("MINIMUM", graph.math("MAXIMUM", beyond_x, beyond_y), 0.0)
    flat = graph.math("SUBTRACT", noise.rounding, side)
    return graph.math("SUBTRACT", flat, corner, label="Inside", clamp=True)
