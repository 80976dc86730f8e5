# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient noise by the Noise Texture: brought to the deviation that the core's noise has.

Blender's texture is Ken Perlin's improved noise. In its formula a random slope stands at each
corner: (±1, ±2) or (±2, ±1) in two dimensions, an edge vector of a cube beyond, and the sum is
scaled by 0.6616, 0.9820 and 0.8344 (`NOISE_SCALE`). The deviation of such a sum goes with the mean
square of the slopes along an axis, so the factors follow from that of the core's slopes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ....noise_core.noises.fractal import Fractal
from ....noise_core.octaves.kinds import KINDS
from ....noise_core.octaves.multifractals import Ridged
from ....noise_core.octaves.sums import Mix, amplitudes
from .domain import Domain
from .graph import Graph

NOISE_SCALE: Mapping[int, float] = {2: 0.6616, 3: 0.9820, 4: 0.8344}
"""What Blender multiplies its gradient noise by, per dimension."""

BLENDER_SLOPE: Mapping[int, float] = {
    2: NOISE_SCALE[2] * math.sqrt((1.0 + 4.0) / 2.0),
    3: NOISE_SCALE[3] * math.sqrt(2.0 / 3.0),
    4: NOISE_SCALE[4] * math.sqrt(3.0 / 4.0),
}
"""Root mean square of the slopes along one axis."""

MOST_OCTAVES = 16.0
"""A texture's detail ends at 15, which is one octave more."""

Finish = Callable[[Graph, Any, Fractal, float], Any]


class OneNode:
    """A gradient noise as a Noise Texture.

    Parameters
    ----------
    frequency : float
        Cells per tile.
    factor : float
        What brings the texture to the core's deviation.
    """

    def __init__(self, frequency: float, factor: float) -> None:
        self.frequency, self.factor = frequency, factor

    def alone(self, graph: Graph, domain: Domain) -> Any:
        """Write it as it is."""
        node = self._node(graph, domain, "FBM", 0.0)
        return graph.affine(node.outputs["Fac"], self.factor, 0.0, "To the core's range")

    def fractal(self, fractal: Fractal, graph: Graph, domain: Domain) -> Any:
        """Write a fractal of it in one node, None if that cannot be said so."""
        way = _KINDS.get(fractal.kind)
        if way is None or not _fits(fractal):
            return None
        kind, finish = way
        node = self._node(graph, domain, kind, fractal.octaves - 1.0)
        node.inputs["Roughness"].default_value = fractal.persistence
        node.inputs["Lacunarity"].default_value = fractal.lacunarity
        return finish(graph, node, fractal, self.factor)

    def _node(self, graph: Graph, domain: Domain, kind: str, detail: float) -> Any:
        place = graph.cells(domain, self.frequency)
        node = graph.add(
            "ShaderNodeTexNoise",
            noise_dimensions=domain.dimensions,
            noise_type=kind,
            normalize=False,
        )
        graph.put(node.inputs["Vector"], place.vector)
        if place.w is not None:
            graph.put(node.inputs["W"], place.w)
        settings = {"Scale": 1.0, "Detail": detail, "Roughness": 0.5, "Distortion": 0.0}
        for name, value in settings.items():
            node.inputs[name].default_value = value
        return node


def mix_of(fractal: Fractal) -> Mix:
    """Return what the kinds of fractals calculate with, all octaves present."""
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


def fits_detail(fractal: Fractal) -> bool:
    """Return whether octaves are as a texture node adds them: finer and weaker, nothing else."""
    is_plain = fractal.weighted_strength == 0.0 or not KINDS[fractal.kind].has_weighted_strength
    return (
        is_plain
        and fractal.rotation == 0.0
        and fractal.octaves <= MOST_OCTAVES
        and fractal.persistence <= 1.0
    )


def ended(graph: Graph, value: Any, fractal: Fractal) -> Any:
    """Return a sum that is divided by its amplitudes already, cut off if that is asked for."""
    if fractal.normalize != "clamp":
        return value
    total = sum(amplitudes(fractal.octaves, fractal.persistence))
    node = graph.add("ShaderNodeClamp")
    graph.put(node.inputs["Value"], graph.affine(value, total, 0.0))
    node.inputs["Min"].default_value, node.inputs["Max"].default_value = -1.0, 1.0
    return node.outputs[0]


def rescaled(graph: Graph, value: Any, low: float, high: float, factor: float = 1.0) -> Any:
    """Return a value, first multiplied, moved from an interval to [-1, 1]."""
    if high <= low:
        return graph.math("MULTIPLY", value, 0.0)
    slope = 2.0 / (high - low)
    return graph.affine(value, slope * factor, -slope * low - 1.0, "To the core's range")


def largest_ridge(fractal: Fractal) -> float:
    """Return the largest sum that a ridged fractal can have."""
    largest = max(fractal.offset**2, (1.0 - fractal.offset) ** 2)
    return largest * sum(amplitudes(fractal.octaves, fractal.persistence))


def _fits(fractal: Fractal) -> bool:
    # Blender's ridged type leaves out the fraction of the last octave.
    is_whole = float(fractal.octaves).is_integer() or not isinstance(KINDS[fractal.kind], Ridged)
    return fits_detail(fractal) and is_whole


def _fbm(graph: Graph, node: Any, fractal: Fractal, factor: float) -> Any:
    total = sum(amplitudes(fractal.octaves, fractal.persistence))
    value = graph.affine(node.outputs["Fac"], factor / total, 0.0, "To the core's range")
    return ended(graph, value, fractal)


def _ridged(graph: Graph, node: Any, fractal: Fractal, factor: float) -> Any:
    # With the texture's noise 1 / factor times the core's, so must the offset be; its square
    # comes out in the sum, and the gain has to undo it.
    node.inputs["Offset"].default_value = fractal.offset / factor
    node.inputs["Gain"].default_value = fractal.gain * factor**2
    high = largest_ridge(fractal)
    return rescaled(graph, node.outputs["Fac"], 0.0, high, factor**2)


def _hybrid(graph: Graph, node: Any, fractal: Fractal, factor: float) -> Any:
    node.inputs["Offset"].default_value = fractal.offset / factor
    node.inputs["Gain"].default_value = fractal.gain * factor
    low, high = KINDS[fractal.kind].raw_bounds(mix_of(fractal))  # type: ignore[attr-defined]
    return rescaled(graph, node.outputs["Fac"], low, high, factor)


_KINDS: Mapping[str, tuple[str, Finish]] = {
    "fbm": ("FBM", _fbm),
    "ridged": ("RIDGED_MULTIFRACTAL", _ridged),
    "hybrid_multifractal": ("HYBRID_MULTIFRACTAL", _hybrid),
}
"""The texture's type for each kind that it can say truly. The types for multifractals and
heterogeneous terrain multiply octaves that cannot be scaled: those are written octave by octave."""
