# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises on a lattice: Noise Textures for gradients, White Noise Textures at whole coordinates for values.

Blender's texture of gradient noise is Ken Perlin's improved noise. In its formula a random slope stands
at each corner: (±1, ±2) or (±2, ±1) in two dimensions, an edge vector of a cube beyond, and the sum is
scaled by 0.6616, 0.9820 and 0.8344 (`NOISE_SCALE`). The deviation of such a sum goes with the mean
square of the slopes along an axis, so the factors follow from that of the core's slopes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

from ......noise_core.fractals.kinds import KINDS
from ......noise_core.fractals.multifractals import Ridged
from ......noise_core.noises.fractal import Fractal
from ......noise_core.noises.perlin import Perlin
from ......noise_core.noises.simplex import Simplex
from ......noise_core.noises.value import Value
from ......noise_core.noises.white import White
from ..noise_graph import FADES, Domain, NoiseGraph
from ..registry import ALIKE, node_writer
from .fractal import detail_inputs, finish_sum, fits_detail, raw_bounds, sum_of_amplitudes

NOISE_SCALE: Mapping[int, float] = {2: 0.6616, 3: 0.9820, 4: 0.8344}
"""Blender's factor of gradient noise, per dimension."""

BLENDER_SLOPE: Mapping[int, float] = {
    2: NOISE_SCALE[2] * math.sqrt((1.0 + 4.0) / 2.0),
    3: NOISE_SCALE[3] * math.sqrt(2.0 / 3.0),
    4: NOISE_SCALE[4] * math.sqrt(3.0 / 4.0),
}
"""Root mean square of the slopes along one axis."""

_SLOPE: Mapping[tuple[str, int], float] = {
    ("circle", 2): 1.0,
    ("diagonal", 2): 1.0,
    ("circle", 3): (2.0 / 3.0) ** 0.5 / 1.0363539,
    ("diagonal", 3): (2.0 / 3.0) ** 0.5,
    ("circle", 4): 0.75**0.5 / 1.5365824,
    ("diagonal", 4): 0.75**0.5 / 1.5365824,
    ("indexed", 2): 1.0,
    ("indexed", 3): 2.0 / 3.0,
    ("indexed", 4): 0.5,
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

_KINDS = {
    "fbm": "FBM",
    "ridged": "RIDGED_MULTIFRACTAL",
    "hybrid_multifractal": "HYBRID_MULTIFRACTAL",
}
"""Kinds of fractals that the texture has too. Its types for multifractals and heterogeneous terrain
multiply octaves that cannot be scaled: those are written octave by octave."""

Scale = Callable[[Any, int], tuple[float, float]]
"""Called with a noise and its number of dimensions; returns the frequency of a texture that is like it,
and the factor that brings the texture to the core's deviation."""


def _perlin(noise: Perlin, dimension: int) -> tuple[float, float]:
    slope = _SLOPE[noise.gradients, dimension] * _FADE.get((noise.fade, dimension), 1.0)
    return noise.frequency, slope / BLENDER_SLOPE[dimension]


def _simplex(noise: Simplex, dimension: int) -> tuple[float, float]:
    finer, slope = _LIKE_PERLIN[dimension]
    return noise.frequency * finer, slope / BLENDER_SLOPE[dimension]


def _register(key: str, scale: Scale, note: str) -> None:
    """Register a noise whose node is a Noise Texture, also for fractals of it."""

    def octaves(source: Any, fractal: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
        return _write_fractal(scale(source, domain.dimension), fractal, graph, domain)

    @node_writer(key, ALIKE, note, octaves=octaves)
    def write(noise: Any, graph: NoiseGraph, domain: Domain) -> Any:
        frequency, factor = scale(noise, domain.dimension)
        value = _texture(graph, domain, frequency, "FBM", {"Detail": 0.0})
        return graph.affine(value, factor, 0.0, "To the core's range")


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


def _write_fractal(
    scale: tuple[float, float], fractal: Fractal, graph: NoiseGraph, domain: Domain
) -> Any:
    """Write a fractal in one node and return its value, None if one node cannot do it."""
    kind = _KINDS.get(fractal.kind)
    # Blender's ridged type leaves out the fraction of the last octave.
    is_whole = float(fractal.octaves).is_integer() or not isinstance(KINDS[fractal.kind], Ridged)
    if kind is None or not fits_detail(fractal) or not is_whole:
        return None
    frequency, factor = scale
    inputs = detail_inputs(fractal)
    if fractal.kind == "fbm":
        value = _texture(graph, domain, frequency, kind, inputs)
        total = sum_of_amplitudes(fractal)
        return finish_sum(
            graph, graph.affine(value, factor / total, 0.0, "To the core's range"), fractal
        )
    # With the texture's noise 1 / factor times the core's, so must the offset be; that factor, or with
    # ridges its square, comes out in the sum, and the gain has to undo it.
    power = factor**2 if fractal.kind == "ridged" else factor
    inputs |= {"Offset": fractal.offset / factor, "Gain": fractal.gain * power}
    value = _texture(graph, domain, frequency, kind, inputs)
    return graph.rescale(value, *raw_bounds(fractal), power)


def _texture(
    graph: NoiseGraph, domain: Domain, frequency: float, kind: str, inputs: Mapping[str, float]
) -> Any:
    return graph.texture(
        "ShaderNodeTexNoise",
        graph.cells(domain, frequency),
        {"Roughness": 0.5, "Distortion": 0.0, **inputs},
        noise_dimensions=domain.dimensions,
        noise_type=kind,
        normalize=False,
    )


@node_writer("white", ALIKE, "another hash, so other values for the same seed; no tiling.")
def write_white(noise: White, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the value of each cell."""
    place = graph.cells(domain, noise.frequency)
    cell = graph.vector_math("FLOOR", place.vector, label="Cell")
    w = None if place.w is None else graph.math("FLOOR", place.w)
    return graph.to_signed_unit(graph.random(cell, domain.dimensions, w))


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
        pairs = zip(corners[::2], corners[1::2])
        corners = [graph.mix(weight, first, second) for first, second in pairs]
    return graph.to_signed_unit(corners[0])


def _corner(graph: NoiseGraph, domain: Domain, low: Any, base: Any, bits: tuple[int, ...]) -> Any:
    step = (*bits, 0.0, 0.0)[:3] if domain.dimension == 2 else bits[:3]
    place = graph.vector_math("ADD", low, step) if any(step) else low
    if base is None:
        return graph.random(place, domain.dimensions)
    w = base + 1.0 if bits[3] else base
    return graph.random(place, domain.dimensions, w)
