# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise: the Voronoi Texture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .....noise_core.errors import Message
from .....noise_core.noises.cellular import Cellular
from .....noise_core.noises.fractal import Fractal
from .....noise_core.octaves.sums import amplitudes
from ...properties import enum_label
from ..domain import Domain
from ..graph import Graph
from ..lattice_gradients import ended, fits_detail
from ..translators import ALIKE, translates

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
}
"""The features of Voronoi Textures that each output is made of."""

_JOINED = {"f2_minus_f1": "SUBTRACT", "f1_plus_f2": "ADD", "f1_times_f2": "MULTIPLY"}

_SUMMED = ("f1", "f2", "f2_minus_f1", "f1_plus_f2", "smooth_f1")
"""Outputs of which a texture adds octaves: those that are a distance, or a sum of some."""

Detail = Callable[[Any], None]


def _refusal(noise: Cellular, dimension: int) -> str:
    if noise.output not in FEATURES:
        return Message("the Voronoi Texture has no output {!r}; f2 comes nearest", noise.output)
    return ""


def _octaves(source: Cellular, fractal: Fractal, graph: Graph, domain: Domain) -> Any:
    is_linear = source.output in _SUMMED and source.metric != "squared"
    if fractal.kind != "fbm" or not is_linear or not fits_detail(fractal):
        return None

    def detail(node: Any) -> None:
        node.inputs["Detail"].default_value = fractal.octaves - 1.0
        node.inputs["Roughness"].default_value = fractal.persistence
        node.inputs["Lacunarity"].default_value = fractal.lacunarity

    total = sum(amplitudes(fractal.octaves, fractal.persistence))
    return ended(graph, _mapped(source, graph, domain, detail, total), fractal)


@translates(
    "cellular",
    ALIKE,
    "another hash, so other points for the same seed; no tiling; only neighboring cells are searched, so rarely a distance is too large; smooth F1 melts by another formula.",
    octaves=_octaves,
    refusal=_refusal,
)
def write(noise: Cellular, graph: Graph, domain: Domain) -> Any:
    """Write one or two Voronoi Textures."""
    return _mapped(noise, graph, domain, _alone, 1.0)


def _alone(node: Any) -> None:
    if "Detail" in node.inputs:  # an edge has none in some versions
        node.inputs["Detail"].default_value = 0.0


def _mapped(noise: Cellular, graph: Graph, domain: Domain, detail: Detail, amplitude: float) -> Any:
    graph.title(f"{noise.label}: {enum_label(noise.output)}")
    place = graph.cells(domain, noise.frequency)
    # Blender's points lie between a cell's lower corner and the jitter, the core's around its middle.
    aside = (noise.jitter - 1.0) / 2.0
    if aside:
        vector = graph.vector_math("ADD", place.vector, (aside,) * 3, label="Middle of the cells")
        w = None if place.w is None else graph.math("ADD", place.w, aside)
        place = Domain(vector, place.dimension, w, place.seed, place.evolution)
    nodes = [_node(noise, graph, place, one, detail) for one in FEATURES[noise.output]]
    sign = -1.0 if noise.inverted else 1.0
    if noise.output == "cell":
        chance = graph.first_channel(nodes[0].outputs["Color"])
        return graph.affine(chance, 2.0 * sign, -sign)
    found = [node.outputs["Distance"] for node in nodes]
    if noise.metric == "squared" and noise.output != "edge":
        found = [graph.math("MULTIPLY", one, one, label="Squared") for one in found]
    if len(found) == 2:
        found = [graph.math(_JOINED[noise.output], *found)]
    low, high = noise.output_range(domain.dimension)
    slope = 2.0 * sign / (high - low)
    return graph.affine(
        found[0], slope / amplitude, -slope * (high + low) / 2.0, "To the core's range"
    )


def _node(noise: Cellular, graph: Graph, place: Domain, feature: str, detail: Detail) -> Any:
    node = graph.add("ShaderNodeTexVoronoi", voronoi_dimensions=place.dimensions, feature=feature)
    if feature != "DISTANCE_TO_EDGE":
        node.distance = _METRICS[noise.metric]
    graph.put(node.inputs["Vector"], place.vector)
    if place.w is not None:
        graph.put(node.inputs["W"], place.w)
    settings = {
        "Scale": 1.0,
        "Randomness": noise.jitter,
        "Exponent": noise.exponent,
        "Smoothness": noise.smoothness,
    }
    for socket in node.inputs:
        if socket.enabled and socket.identifier in settings:
            socket.default_value = settings[socket.identifier]
    detail(node)
    return node
