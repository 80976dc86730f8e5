# SPDX-License-Identifier: GPL-3.0-or-later
"""Perlin and simplex noise: a Noise Texture each, brought to the core's statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ......noise_core.noises.fractal import Fractal
from ......noise_core.noises.perlin import Perlin
from ......noise_core.noises.simplex import Simplex
from ..domain import Domain
from ..noise_graph import NoiseGraph
from ..noise_textures import BLENDER_SLOPE, NoiseTexture
from ..registry import ALIKE, node_writer

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

_LIKE_PERLIN: Mapping[int, tuple[float, float]] = {
    2: (1.645, 1.771),
    3: (1.712, 1.440),
    4: (1.771, 0.7488),
}
"""Frequency, and root mean square of the slopes along one axis, of the square lattice's gradient
noise that has simplex noise's deviation and mean square slope. Measured at 1.2 million points: per
cell, a deviation of 0.5394, 0.3889, 0.2531 and a slope of 2.575, 1.737, 1.099 in 2, 3, 4 dimensions;
for slopes of 1 the square lattice has deviations of 0.3046, 0.2701 (3/2)^(1/2), 0.2927 (4/3)^(1/2)."""


def _perlin(noise: Perlin, dimension: int) -> NoiseTexture:
    slope = _SLOPE[noise.gradients, dimension] * _FADE.get((noise.fade, dimension), 1.0)
    return NoiseTexture(noise.frequency, slope / BLENDER_SLOPE[dimension])


def _simplex(noise: Simplex, dimension: int) -> NoiseTexture:
    finer, slope = _LIKE_PERLIN[dimension]
    return NoiseTexture(noise.frequency * finer, slope / BLENDER_SLOPE[dimension])


def _register(key: str, texture: Callable[[Any, int], NoiseTexture], note: str) -> None:
    """Register a noise that is a Noise Texture, and so are fractals of it."""

    def octaves(source: Any, fractal: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
        return texture(source, domain.dimension).write_fractal(fractal, graph, domain)

    @node_writer(key, ALIKE, note, octaves=octaves)
    def write(noise: Any, graph: NoiseGraph, domain: Domain) -> Any:
        return texture(noise, domain.dimension).write(graph, domain)


_register(
    "perlin",
    _perlin,
    "other slopes at the corners, so another pattern for the same seed; no tiling; always the quintic fade and the hash.",
)
_register(
    "simplex",
    _simplex,
    "Blender has gradient noise on a square lattice alone: its cells are made finer, so that it is as strong and as steep; no tiling.",
)
