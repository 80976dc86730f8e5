# SPDX-License-Identifier: GPL-3.0-or-later
"""Warp: the displacement as a group, once per axis, added to the coordinates."""

from __future__ import annotations

from typing import Any

from .....noise_core.noises.warp import Warp
from ..domain import Domain
from ..graph import VALUE, Graph
from ..translators import EXACT, translates

FIRST_COPY = 100
"""Children from here on are the displacement's copies: a fractal's octaves are the first ones."""


@translates("warp", EXACT, "")
def write(noise: Warp, graph: Graph, domain: Domain) -> Any:
    """Write the displacement, the bent coordinates, then the source."""
    factors = tuple(noise.strength * scale for scale in noise.scale)
    if domain.dimension == 2:
        factors = (*factors[:2], 0.0)
    bent = domain
    if any(factors):
        tree = graph.source("Displacement", noise.displacement, domain)
        for level in range(noise.levels):
            bent = domain.at(_bent(graph, tree, domain, bent, factors, level))
    return graph.noise(noise.source, bent)


def _bent(
    graph: Graph,
    tree: Any,
    domain: Domain,
    bent: Domain,
    factors: tuple[float, ...],
    level: int,
) -> Any:
    with graph.block("Bending" if level == 0 else "Bending the bending"):
        copies: list[Any] = [0.0, 0.0, 0.0]
        for axis, factor in enumerate(factors):
            if factor:
                own = graph.child(bent, FIRST_COPY + 3 * level + axis)
                node = graph.instance(tree, f"Displacement {'XYZ'[axis]}", own)
                copies[axis] = node.outputs[VALUE]
        push = graph.combined(*copies)
        return graph.vector_math("MULTIPLY_ADD", push, factors, domain.vector, label="Bend")
