# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient noise as a Noise Texture, brought to the deviation of the core's noise.

Blender's texture is Ken Perlin's improved noise. In its formula a random slope stands at each
corner: (±1, ±2) or (±2, ±1) in two dimensions, an edge vector of a cube beyond, and the sum is
scaled by 0.6616, 0.9820 and 0.8344 (`NOISE_SCALE`). The deviation of such a sum goes with the mean
square of the slopes along an axis, so the factors follow from that of the core's slopes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .....noise_core.fractals.kinds import KINDS
from .....noise_core.fractals.multifractals import Ridged
from .....noise_core.fractals.sums import Mix, amplitudes
from .....noise_core.noises.fractal import Fractal
from .domain import Domain
from .noise_graph import NoiseGraph

NOISE_SCALE: Mapping[int, float] = {2: 0.6616, 3: 0.9820, 4: 0.8344}
"""Blender's factor of gradient noise, per dimension."""

BLENDER_SLOPE: Mapping[int, float] = {
    2: NOISE_SCALE[2] * math.sqrt((1.0 + 4.0) / 2.0),
    3: NOISE_SCALE[3] * math.sqrt(2.0 / 3.0),
    4: NOISE_SCALE[4] * math.sqrt(3.0 / 4.0),
}
"""Root mean square of the slopes along one axis."""

MOST_OCTAVES = 16.0
"""A texture's detail ends at 15, which is one octave more."""

Finish = Callable[[NoiseGraph, Any, Fractal, float], Any]
"""Called with the graph, the texture's value, the fractal and the texture's factor."""


class NoiseTexture:
    """A gradient noise as a Noise Texture.

    Parameters
    ----------
    frequency : float
        Cells per tile.
    factor : float
        Brings the texture to the core's deviation.
    """

    def __init__(self, frequency: float, factor: float) -> None:
        self.frequency, self.factor = frequency, factor

    def write(self, graph: NoiseGraph, domain: Domain) -> Any:
        """Write the noise itself and return its value."""
        value = self._value(graph, domain, "FBM", {"Detail": 0.0})
        return graph.affine(value, self.factor, 0.0, "To the core's range")

    def write_fractal(self, fractal: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
        """Write a fractal of it in one node and return its value, None if one node cannot do it."""
        kind = _KINDS.get(fractal.kind)
        if kind is None or not _fits(fractal):
            return None
        inputs = detail_inputs(fractal) | kind.inputs(fractal, self.factor)
        value = self._value(graph, domain, kind.name, inputs)
        return kind.finish(graph, value, fractal, self.factor)

    def _value(
        self, graph: NoiseGraph, domain: Domain, kind: str, inputs: Mapping[str, float]
    ) -> Any:
        return graph.texture(
            "ShaderNodeTexNoise",
            graph.cells(domain, self.frequency),
            {"Roughness": 0.5, "Distortion": 0.0, **inputs},
            noise_dimensions=domain.dimensions,
            noise_type=kind,
            normalize=False,
        )["Fac"]


@dataclass(frozen=True)
class _TextureKind:
    """A kind of fractal that a Noise Texture knows.

    Attributes
    ----------
    name : str
        Of the texture's type.
    finish : callable
    inputs : callable
        Called with the fractal and the texture's factor; returns the inputs of this kind.
    """

    name: str
    finish: Finish
    inputs: Callable[[Fractal, float], dict[str, float]] = lambda fractal, factor: {}


def mix_of(fractal: Fractal) -> Mix:
    """Return the numbers of a fractal for the core's kinds, with all octaves."""
    parts = amplitudes(fractal.octaves, fractal.persistence)
    scale = 1.0 / max(1.0, *(abs(bound) for bound in fractal.source.bounds()))
    return Mix(
        parts,
        (1.0,) * len(parts),
        fractal.offset,
        fractal.gain,
        fractal.weighted_strength,
        fractal.folds,
        scale,
    )


def detail_inputs(fractal: Fractal) -> dict[str, float]:
    """Return the inputs of a texture node that adds a fractal's octaves."""
    return {
        "Detail": fractal.octaves - 1.0,
        "Roughness": fractal.persistence,
        "Lacunarity": fractal.lacunarity,
    }


def fits_detail(fractal: Fractal) -> bool:
    """Return whether octaves are as a texture node adds them: finer and weaker, nothing else."""
    is_plain = fractal.weighted_strength == 0.0 or not KINDS[fractal.kind].has_weighted_strength
    return (
        is_plain
        and fractal.rotation == 0.0
        and fractal.octaves <= MOST_OCTAVES
        and fractal.persistence <= 1.0
    )


def finish_sum(graph: NoiseGraph, value: Any, fractal: Fractal) -> Any:
    """Return a sum that is divided by its amplitudes already, clamped if the fractal asks for it."""
    if fractal.normalize != "clamp":
        return value
    total = sum(amplitudes(fractal.octaves, fractal.persistence))
    return graph.clamp(graph.affine(value, total, 0.0), -1.0, 1.0)


def largest_ridge(fractal: Fractal) -> float:
    """Return the largest sum that a ridged fractal can have."""
    largest = max(fractal.offset**2, (1.0 - fractal.offset) ** 2)
    return largest * sum(amplitudes(fractal.octaves, fractal.persistence))


def _fits(fractal: Fractal) -> bool:
    # Blender's ridged type leaves out the fraction of the last octave.
    is_whole = float(fractal.octaves).is_integer() or not isinstance(KINDS[fractal.kind], Ridged)
    return fits_detail(fractal) and is_whole


def _finish_fbm(graph: NoiseGraph, value: Any, fractal: Fractal, factor: float) -> Any:
    total = sum(amplitudes(fractal.octaves, fractal.persistence))
    return finish_sum(
        graph, graph.affine(value, factor / total, 0.0, "To the core's range"), fractal
    )


def _ridged_inputs(fractal: Fractal, factor: float) -> dict[str, float]:
    # With the texture's noise 1 / factor times the core's, so must the offset be; its square
    # comes out in the sum, and the gain has to undo it.
    return {"Offset": fractal.offset / factor, "Gain": fractal.gain * factor**2}


def _finish_ridged(graph: NoiseGraph, value: Any, fractal: Fractal, factor: float) -> Any:
    return graph.rescale(value, 0.0, largest_ridge(fractal), factor**2)


def _hybrid_inputs(fractal: Fractal, factor: float) -> dict[str, float]:
    return {"Offset": fractal.offset / factor, "Gain": fractal.gain * factor}


def _finish_hybrid(graph: NoiseGraph, value: Any, fractal: Fractal, factor: float) -> Any:
    low, high = KINDS[fractal.kind].raw_bounds(mix_of(fractal))  # type: ignore[attr-defined]
    return graph.rescale(value, low, high, factor)


_KINDS: Mapping[str, _TextureKind] = {
    "fbm": _TextureKind("FBM", _finish_fbm),
    "ridged": _TextureKind("RIDGED_MULTIFRACTAL", _finish_ridged, _ridged_inputs),
    "hybrid_multifractal": _TextureKind("HYBRID_MULTIFRACTAL", _finish_hybrid, _hybrid_inputs),
}
"""Kinds of fractals that the texture has too. Its types for multifractals and heterogeneous terrain
multiply octaves that cannot be scaled: those are written octave by octave."""
