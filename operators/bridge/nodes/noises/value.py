# SPDX-License-Identifier: GPL-3.0-or-later
"""Value noise: a White Noise Texture at each corner of a cell, blended."""

from __future__ import annotations

import itertools
from typing import Any

from .....noise_core.noises.value import Value
from ..domain import Domain
from ..graph import Graph
from ..translators import ALIKE, translates

FADES = {"linear": "LINEAR", "cubic": "SMOOTHSTEP", "quintic": "SMOOTHERSTEP"}
"""What a Map Range calls the core's fades."""


@translates("value", ALIKE, "another hash, so another pattern for the same seed; no tiling.")
def write(noise: Value, graph: Graph, domain: Domain) -> Any:
    """Write the corners of a cell, then blend them along one axis after the other."""
    place = graph.cells(domain, noise.frequency)
    low = graph.vector_math("FLOOR", place.vector, label="Cell")
    within = graph.vector_math("FRACTION", place.vector, label="Place in the cell")
    parts = list(graph.separated(within))[: min(domain.dimension, 3)]
    base = None
    if place.w is not None:
        base = graph.math("FLOOR", place.w)
        parts.append(graph.math("FRACT", place.w))
    weights = [graph.ramp(part, 0.0, 1.0, FADES[noise.fade]) for part in parts]
    corners = [
        _corner(graph, domain, low, base, bits)
        for bits in itertools.product((0, 1), repeat=len(weights))
    ]
    for weight in reversed(weights):
        corners = [
            graph.mixed(weight, first, second) for first, second in zip(corners[::2], corners[1::2])
        ]
    return graph.to_signed(corners[0])


def _corner(graph: Graph, domain: Domain, low: Any, base: Any, bits: tuple[int, ...]) -> Any:
    step = (*bits, 0.0, 0.0)[:3] if domain.dimension == 2 else bits[:3]
    place = graph.vector_math("ADD", low, step) if any(step) else low
    if base is None:
        return graph.white(place, domain.dimensions)
    w = graph.math("ADD", base, 1.0) if bits[3] else base
    return graph.white(place, domain.dimensions, w)
