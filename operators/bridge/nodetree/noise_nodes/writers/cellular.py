# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise: the Voronoi Texture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ......noise_core.base.errors import Message
from ......noise_core.noises.cellular import Cellular
from ......noise_core.noises.fractal import Fractal
from ....schema.enum_items import enum_label
from ...node_graph import Output
from ..noise_graph import Domain, NoiseGraph
from ..registry import ALIKE, node_writer
from .fractal import detail_inputs, finish_sum, fits_detail, sum_of_amplitudes

_METRICS = {
    "euclidean": "EUCLIDEAN",
    "squared": "EUCLIDEAN",
    "manhattan": "MANHATTAN",
    "chebyshev": "CHEBYCHEV",
    "minkowski": "MINKOWSKI",
}

FEATURES: Mapping[str, tuple[str, ...]] = {
    "f1": ("F1",),
    "f2": ("F2",),
    "f2_minus_f1": ("F2", "F1"),
    "f1_plus_f2": ("F2", "F1"),
    "f1_times_f2": ("F2", "F1"),
    "edge": ("DISTANCE_TO_EDGE",),
    "smooth_f1": ("SMOOTH_F1",),
    "cell": ("F1",),
    "x": ("F1",),
    "y": ("F1",),
}
"""The features of Voronoi Textures that each output is made of."""

_AXES = {"x": 0, "y": 1}
"""Outputs that are a coordinate of the nearest point."""

_JOINED = {"f2_minus_f1": "SUBTRACT", "f1_plus_f2": "ADD", "f1_times_f2": "MULTIPLY"}

_SUMMED = ("f1", "f2", "f2_minus_f1", "f1_plus_f2", "smooth_f1")
"""Outputs of which a texture adds octaves: those that are a distance, or a sum of some."""


def _refusal(noise: Cellular, dimension: int) -> str:
    if noise.output not in FEATURES:
        return Message("the Voronoi Texture has no output {!r}; f2 comes nearest", noise.output)
    return ""


def _octaves(source: Cellular, fractal: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
    is_linear = source.output in _SUMMED and source.metric != "squared"
    if fractal.kind != "fbm" or not is_linear or not fits_detail(fractal):
        return None
    total = sum_of_amplitudes(fractal)
    value = _write(source, graph, domain, detail_inputs(fractal), total)
    return finish_sum(graph, value, fractal)


@node_writer(
    "cellular",
    ALIKE,
    "another hash, so other points for the same seed; no tiling; only neighboring cells are searched, so rarely a distance is too large; smooth F1 melts by another formula.",
    octaves=_octaves,
    refusal=_refusal,
)
def write(noise: Cellular, graph: NoiseGraph, domain: Domain) -> Any:
    """Write one or two Voronoi Textures."""
    return _write(noise, graph, domain, {"Detail": 0.0}, 1.0)


def _write(
    noise: Cellular,
    graph: NoiseGraph,
    domain: Domain,
    detail: Mapping[str, float],
    amplitude: float,
) -> Any:
    graph.set_title(f"{noise.label}: {enum_label(noise.output)}")
    place = graph.cells(domain, noise.frequency)
    # Blender's points lie between a cell's lower corner and the jitter, the core's around its middle.
    aside = (noise.jitter - 1.0) / 2.0
    if aside:
        vector = graph.vector_math("ADD", place.vector, (aside,) * 3, label="Middle of the cells")
        place = place.but(vector=vector, w=None if place.w is None else place.w + aside)
    nodes = [_texture(noise, graph, place, feature, detail) for feature in FEATURES[noise.output]]
    sign = -1.0 if noise.inverted else 1.0
    if noise.output == "cell":
        chance = graph.first_channel(nodes[0]["Color"])
        return graph.affine(chance, 2.0 * sign, -sign)
    if noise.output in _AXES:
        # The way to the point does not depend on how the seed moves the cells.
        way = graph.vector_math(
            "SUBTRACT", nodes[0]["Position"], place.vector, label="To the point"
        )
        at = graph.vector_math(
            "MULTIPLY_ADD", way, (1.0 / noise.frequency,) * 3, domain.vector, label="The point"
        )
        share = graph.math("FRACT", graph.component(at, _AXES[noise.output]))
        return graph.affine(share, 2.0 * sign, -sign)
    distances = [node["Distance"] for node in nodes]
    if noise.metric == "squared" and noise.output != "edge":
        distances = [
            graph.math("MULTIPLY", distance, distance, label="Squared") for distance in distances
        ]
    if len(distances) == 2:
        distances = [graph.math(_JOINED[noise.output], *distances)]
    low, high = noise.output_range(domain.dimension)
    slope = 2.0 * sign / (high - low)
    return graph.affine(
        distances[0], slope / amplitude, -slope * (high + low) / 2.0, "To the core's range"
    )


def _texture(
    noise: Cellular, graph: NoiseGraph, place: Domain, feature: str, detail: Mapping[str, float]
) -> Output:
    inputs = {
        "Randomness": noise.jitter,
        "Exponent": noise.exponent,
        "Smoothness": noise.smoothness,
        **detail,
    }
    properties = {"voronoi_dimensions": place.dimensions, "feature": feature}
    if feature != "DISTANCE_TO_EDGE":
        properties["distance"] = _METRICS[noise.metric]
    return graph.texture("ShaderNodeTexVoronoi", place, inputs, **properties)
