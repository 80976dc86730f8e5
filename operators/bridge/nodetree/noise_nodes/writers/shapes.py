# SPDX-License-Identifier: GPL-3.0-or-later
"""Constant and gradient: Math nodes without a texture."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ......noise_core.noises.constant import Constant
from ......noise_core.noises.gradient import Gradient
from ....schema.properties import enum_label
from ..domain import Domain
from ..noise_graph import NoiseGraph
from ..registry import EXACT, node_writer
from .lattice_values import FADES

_CLIFF = 1e-6
"""A falloff below which a fade would divide by nothing."""


@dataclass(frozen=True)
class Number:
    """The number of a Value node."""

    value: float

    def write(self, node: Any, owner: str) -> None:
        """See `node_graph.NodeContent`."""
        node.outputs[0].default_value = self.value


@node_writer("constant", EXACT)
def write_constant(noise: Constant, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the value."""
    return graph.node("ShaderNodeValue", content=Number(noise.value))[0]


@node_writer("gradient", EXACT)
def write_gradient(noise: Gradient, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the distance to the outer edge, and the fade over it."""
    graph.set_title(f"{noise.label}: {enum_label(noise.shape)}")
    aside = (-noise.center[0], -noise.center[1], 0.0)
    offset = graph.vector_math("ADD", domain.vector, aside, label="From the center")
    return graph.to_signed(_SHAPES[noise.shape](noise, graph, offset))


def _linear(noise: Gradient, graph: NoiseGraph, offset: Any) -> Any:
    angle = math.radians(noise.angle)
    along = graph.vector_math("DOT_PRODUCT", offset, (math.cos(angle), math.sin(angle), 0.0))
    return _fade(noise, graph, graph.affine(along, 1.0, noise.falloff / 2.0))


def _radial(noise: Gradient, graph: NoiseGraph, offset: Any) -> Any:
    flat = graph.vector_math("MULTIPLY", offset, (1.0, 1.0, 0.0), label="x and y alone")
    distance = graph.vector_math("LENGTH", flat)
    return _fade(noise, graph, noise.radius - distance)


def _edges(noise: Gradient, graph: NoiseGraph, offset: Any) -> Any:
    half = (noise.extent[0] / 2.0, noise.extent[1] / 2.0, 0.0)
    size = graph.vector_math("ABSOLUTE", offset)
    x, y, _ = graph.separate(graph.vector_math("SUBTRACT", half, size, label="To the edges"))
    return graph.math("MULTIPLY", _fade(noise, graph, x), _fade(noise, graph, y))


def _fade(noise: Gradient, graph: NoiseGraph, inside: Any) -> Any:
    if noise.falloff < _CLIFF:
        return graph.math("GREATER_THAN", inside, noise.falloff / 2.0)
    return graph.map_range(inside, 0.0, noise.falloff, kind=FADES[noise.fade])


_SHAPES: Mapping[str, Callable[[Gradient, NoiseGraph, Any], Any]] = {
    "linear": _linear,
    "radial": _radial,
    "edges": _edges,
}
