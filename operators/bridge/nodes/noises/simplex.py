# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplex noise: the Noise Texture, as fine and as strong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....noise_core.noises.fractal import Fractal
from .....noise_core.noises.simplex import Simplex
from ..domain import Domain
from ..graph import Graph
from ..lattice_gradients import BLENDER_SLOPE, OneNode
from ..translators import ALIKE, translates

_LIKE_PERLIN: Mapping[int, tuple[float, float]] = {
    2: (1.645, 1.771),
    3: (1.712, 1.440),
    4: (1.771, 0.7488),
}
"""Frequency, and root mean square of the slopes along one axis, of the square lattice's gradient
noise that has simplex noise's deviation and mean square slope. Measured at 1.2 million points: per
cell, a deviation of 0.5394, 0.3889, 0.2531 and a slope of 2.575, 1.737, 1.099 in 2, 3, 4 dimensions;
for slopes of 1 the square lattice has deviations of 0.3046, 0.2701 (3/2)^(1/2), 0.2927 (4/3)^(1/2)."""


def _octaves(source: Simplex, fractal: Fractal, graph: Graph, domain: Domain) -> Any:
    return _texture(source, domain).fractal(fractal, graph, domain)


@translates(
    "simplex",
    ALIKE,
    "Blender has gradient noise on a square lattice alone: its cells are made finer, so that it is as strong and as steep; no tiling.",
    octaves=_octaves,
)
def write(noise: Simplex, graph: Graph, domain: Domain) -> Any:
    """Write one Noise Texture."""
    return _texture(noise, domain).alone(graph, domain)


def _texture(noise: Simplex, domain: Domain) -> OneNode:
    finer, slope = _LIKE_PERLIN[domain.dimension]
    return OneNode(noise.frequency * finer, slope / BLENDER_SLOPE[domain.dimension])
