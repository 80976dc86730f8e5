# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient: the shapes by Math nodes, which need no texture."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from .....noise_core.noises.gradient import Gradient
from ...properties import enum_label
from ..domain import Domain
from ..graph import Graph
from ..translators import EXACT, translates
from .value import FADES

_CLIFF = 1e-6
"""A falloff below which a fade would divide by nothing."""


@translates("gradient", EXACT, "")
def write(noise: Gradient, graph: Graph, domain: Domain) -> Any:
    """Write the distance to the outer edge, and the fade over it."""
    graph.title(f"{noise.label}: {enum_label(noise.shape)}")
    aside = (-noise.center[0], -noise.center[1], 0.0)
    offset = graph.vector_math("ADD", domain.vector, aside, label="From the center")
    return graph.to_signed(_SHAPES[noise.shape](noise, graph, offset))


def _linear(noise: Gradient, graph: Graph, offset: Any) -> Any:
    angle = math.radians(noise.angle)
    along = graph.measured("DOT_PRODUCT", offset, (math.cos(angle), math.sin(angle), 0.0))
    return _faded(noise, graph, graph.affine(along, 1.0, noise.falloff / 2.0))


def _radial(noise: Gradient, graph: Graph, offset: Any) -> Any:
    flat = graph.vector_math("MULTIPLY", offset, (1.0, 1.0, 0.0), label="x and y alone")
    distance = graph.measured("LENGTH", flat)
    return _faded(noise, graph, graph.math("SUBTRACT", noise.radius, distance))


def _edges(noise: Gradient, graph: Graph, offset: Any) -> Any:
    half = (noise.extent[0] / 2.0, noise.extent[1] / 2.0, 0.0)
    size = graph.vector_math("ABSOLUTE", offset)
    x, y, _ = graph.separated(graph.vector_math("SUBTRACT", half, size, label="To the edges"))
    return graph.math("MULTIPLY", _faded(noise, graph, x), _faded(noise, graph, y))


def _faded(noise: Gradient, graph: Graph, inside: Any) -> Any:
    if noise.falloff < _CLIFF:
        return graph.math("GREATER_THAN", inside, noise.falloff / 2.0)
    return graph.ramp(inside, 0.0, noise.falloff, FADES[noise.fade])


_SHAPES: Mapping[str, Callable[[Gradient, Graph, Any], Any]] = {
    "linear": _linear,
    "radial": _radial,
    "edges": _edges,
}
