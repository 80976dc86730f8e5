# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises that move the position of a source: warp, transform and evolution."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from ......noise_core.base.errors import Message
from ......noise_core.noises.evolution import Evolution
from ......noise_core.noises.transform import Transform
from ......noise_core.noises.warp import Warp
from ...node_graph import Output
from ..domain import Domain
from ..noise_graph import VALUE, NoiseGraph
from ..registry import EXACT, node_writer

FIRST_COPY = 100
"""Children from here on are the displacement's copies: a fractal's octaves are the first ones."""


@node_writer("transform", EXACT)
def write_transform(noise: Transform, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the transformation of the points, then the source."""
    vector = domain.vector
    if noise.rotation:
        vector = graph.rotate(vector, math.radians(noise.rotation))
    if noise.scale != (1.0, 1.0, 1.0) or any(noise.offset):
        vector = graph.vector_math(
            "MULTIPLY_ADD", vector, noise.scale, noise.offset, label="Scale, then move"
        )
    return graph.noise(noise.source, domain.at(vector))


def _refuse_evolution(noise: Evolution, dimension: int) -> str:
    if dimension < 4:
        return ""
    return Message(
        "textures have four dimensions at most; use fewer Evolutions, or UV instead of object mapping"
    )


@node_writer("evolution", EXACT, refusal=_refuse_evolution, further_dimensions=1)
def write_evolution(noise: Evolution, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the source one dimension higher."""
    place: Any = noise.position
    if domain.evolution is not None:
        place = graph.affine(domain.evolution, 1.0, noise.position, "Position")
    if domain.dimension == 2:
        x, y, _ = graph.separate(domain.vector)
        raised = dataclasses.replace(domain, vector=graph.combine(x, y, place), dimension=3)
    else:
        if not isinstance(place, Output):
            place = graph.math("ADD", place, 0.0, label="Position")
        raised = dataclasses.replace(domain, w=place, dimension=4)
    return graph.noise(noise.source, raised)


@node_writer("warp", EXACT)
def write_warp(noise: Warp, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the displacement, the bent coordinates, then the source."""
    factors = tuple(noise.strength * scale for scale in noise.scale)
    if domain.dimension == 2:
        factors = (*factors[:2], 0.0)
    bent = domain
    if any(factors):
        group = graph.noise_group("Displacement", noise.displacement, domain)
        for level in range(noise.levels):
            with graph.titled_frame("Bending" if level == 0 else "Bending the bending"):
                push = _displacement(noise, graph, group, bent, factors, level)
                place = graph.vector_math(
                    "MULTIPLY_ADD", push, factors, domain.vector, label="Bend"
                )
            bent = domain.at(place)
    return graph.noise(noise.source, bent)


def _displacement(
    noise: Warp,
    graph: NoiseGraph,
    group: NoiseGraph,
    bent: Domain,
    factors: tuple[float, ...],
    level: int,
) -> Any:
    """Return the vector of the displacement's copies, one for each axis that is moved."""
    copies: list[Any] = [0.0, 0.0, 0.0]
    for axis, factor in enumerate(factors):
        if factor:
            own = graph.child(bent, FIRST_COPY + 3 * level + axis)
            offset = noise.copy_offset(level, axis)
            if any(offset):
                own = own.at(graph.vector_math("ADD", bent.vector, offset, label="Moved Aside"))
            copies[axis] = graph.instance(group, f"Displacement {'XYZ'[axis]}", own)[VALUE]
    return graph.combine(*copies)
