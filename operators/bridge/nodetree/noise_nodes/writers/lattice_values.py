# SPDX-License-Identifier: GPL-3.0-or-later
"""White and value noise: White Noise Textures at whole coordinates."""

from __future__ import annotations

import itertools
from typing import Any

from ......noise_core.noises.value import Value
from ......noise_core.noises.white import White
from ..domain import Domain
from ..noise_graph import NoiseGraph
from ..registry import ALIKE, node_writer

FADES = {"linear": "LINEAR", "cubic": "SMOOTHSTEP", "quintic": "SMOOTHERSTEP"}
"""The core's fades as interpolations of a Map Range."""


@node_writer("white", ALIKE, "another hash, so other values for the same seed; no tiling.")
def write_white(noise: White, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the value of each cell."""
    place = graph.cells(domain, noise.frequency)
    cell = graph.vector_math("FLOOR", place.vector, label="Cell")
    w = None if place.w is None else graph.math("FLOOR", place.w)
    return graph.to_signed(graph.random(cell, domain.dimensions, w))


@node_writer("value", ALIKE, "another hash, so another pattern for the same seed; no tiling.")
def write_value(noise: Value, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the corners of a cell, then blend them along one axis after the other."""
    place = graph.cells(domain, noise.frequency)
    low = graph.vector_math("FLOOR", place.vector, label="Cell")
    within = graph.vector_math("FRACTION", place.vector, label="Place in the cell")
    parts = list(graph.separate(within))[: min(domain.dimension, 3)]
    base = None
    if place.w is not None:
        base = graph.math("FLOOR", place.w)
        parts.append(graph.math("FRACT", place.w))
    weights = [graph.map_range(part, kind=FADES[noise.fade]) for part in parts]
    corners = [
        _corner(graph, domain, low, base, bits)
        for bits in itertools.product((0, 1), repeat=len(weights))
    ]
    for weight in reversed(weights):
        corners = [
            graph.mix(weight, first, second) for first, second in zip(corners[::2], corners[1::2])
        ]
    return graph.to_signed(corners[0])


def _corner(graph: NoiseGraph, domain: Domain, low: Any, base: Any, bits: tuple[int, ...]) -> Any:
    step = (*bits, 0.0, 0.0)[:3] if domain.dimension == 2 else bits[:3]
    place = graph.vector_math("ADD", low, step) if any(step) else low
    if base is None:
        return graph.random(place, domain.dimensions)
    w = base + 1.0 if bits[3] else base
    return graph.random(place, domain.dimensions, w)
