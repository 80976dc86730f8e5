# SPDX-License-Identifier: GPL-3.0-or-later
"""Blend: Math nodes for the mode, then a mix by the factor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ......noise_core.noises.blend import Blend
from ......noise_core.types.noise import Noise
from ....schema.properties import enum_label
from ..domain import Domain
from ..noise_graph import NoiseGraph
from ..registry import EXACT, node_writer

SECOND, FACTOR = 200, 201
"""Children's numbers for a seed offset of 1, beyond those of any fractal's octaves."""


@node_writer("blend", EXACT)
def write(noise: Blend, graph: NoiseGraph, domain: Domain) -> Any:
    """Write both layers and blend them."""
    graph.set_title(f"{noise.label}: {enum_label(noise.mode)}")
    first = graph.noise(noise.first, domain)
    second = graph.noise(noise.second, _layer(noise, graph, domain, SECOND))
    blended = _MODES[noise.mode](graph, first, second, noise.smoothness)
    factor: Any = noise.factor
    if isinstance(factor, Noise):
        share = graph.noise(factor, _layer(noise, graph, domain, FACTOR))
        factor = graph.to_unit(share)
    elif factor == 1.0:
        return blended
    return graph.mix(factor, first, blended)


def _layer(noise: Blend, graph: NoiseGraph, domain: Domain, child: int) -> Domain:
    if noise.seed_offset == 0:
        return domain
    return graph.child(domain, child + noise.seed_offset - 1)


def _math(operation: str) -> Callable[[NoiseGraph, Any, Any, float], Any]:
    return lambda graph, first, second, smoothness: graph.math(operation, first, second)


def _second(graph: NoiseGraph, first: Any, second: Any, smoothness: float) -> Any:
    return second


def _screen(graph: NoiseGraph, first: Any, second: Any, smoothness: float) -> Any:
    missing = 1.0 - first, 1.0 - second
    return graph.affine(graph.math("MULTIPLY", *missing), -0.5, 1.0)


def _difference(graph: NoiseGraph, first: Any, second: Any, smoothness: float) -> Any:
    return graph.math("ABSOLUTE", first - second)


def _smooth(operation: str, sign: float) -> Callable[[NoiseGraph, Any, Any, float], Any]:
    """Return a blend to the lower or higher value, rounded by a parabola: Blender's own is cubic."""

    def blend(graph: NoiseGraph, first: Any, second: Any, smoothness: float) -> Any:
        sharp = graph.math(operation, first, second)
        if smoothness == 0.0:
            return sharp
        distance = _difference(graph, first, second, smoothness)
        near = graph.math("MAXIMUM", smoothness - distance, 0.0)
        square = near * near
        return graph.math("MULTIPLY_ADD", square, sign * 0.25 / smoothness, sharp, label="Rounded")

    return blend


_MODES: Mapping[str, Callable[[NoiseGraph, Any, Any, float], Any]] = {
    "mix": _second,
    "add": _math("ADD"),
    "subtract": _math("SUBTRACT"),
    "multiply": _math("MULTIPLY"),
    "screen": _screen,
    "difference": _difference,
    "min": _math("MINIMUM"),
    "max": _math("MAXIMUM"),
    "smooth_min": _smooth("MINIMUM", -1.0),
    "smooth_max": _smooth("MAXIMUM", 1.0),
}
