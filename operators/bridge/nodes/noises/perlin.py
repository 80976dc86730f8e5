# SPDX-License-Identifier: GPL-3.0-or-later
"""Perlin noise: the Noise Texture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....noise_core.noises.fractal import Fractal
from .....noise_core.noises.perlin import Perlin
from ..domain import Domain
from ..graph import Graph
from ..lattice_gradients import BLENDER_SLOPE, OneNode
from ..translators import ALIKE, translates

_SLOPE: Mapping[tuple[str, int], float] = {
    ("circle", 2): 1.0,
    ("diagonal", 2): 1.0,
    ("circle", 3): (2.0 / 3.0) ** 0.5 / 1.0363539,
    ("diagonal", 3): (2.0 / 3.0) ** 0.5,
    ("circle", 4): 0.75**0.5 / 1.5365824,
    ("diagonal", 4): 0.75**0.5 / 1.5365824,
}
"""Root mean square of the core's slopes along one axis, with the quintic fade."""

_FADE: Mapping[tuple[str, int], float] = {
    ("linear", 2): 0.977, ("linear", 3): 0.877, ("linear", 4): 0.816,
    ("cubic", 2): 0.981, ("cubic", 3): 0.948, ("cubic", 4): 0.925,
}  # fmt: skip
"""Deviation with another fade, in those with the quintic one; measured at 1.2 million points."""


def _octaves(source: Perlin, fractal: Fractal, graph: Graph, domain: Domain) -> Any:
    return _texture(source, domain).fractal(fractal, graph, domain)


@translates(
    "perlin",
    ALIKE,
    "other slopes at the corners, so another pattern for the same seed; no tiling; always the quintic fade and the hash.",
    octaves=_octaves,
)
def write(noise: Perlin, graph: Graph, domain: Domain) -> Any:
    """Write one Noise Texture."""
    return _texture(noise, domain).alone(graph, domain)


def _texture(noise: Perlin, domain: Domain) -> OneNode:
    slope = _SLOPE[noise.gradients, domain.dimension] * _FADE.get((noise.fade, domain.dimension), 1)
    return OneNode(noise.frequency, slope / BLENDER_SLOPE[domain.dimension])
