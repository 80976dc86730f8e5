# SPDX-License-Identifier: GPL-3.0-or-later
"""What bricks and hexagons share: what nodes make of the place within a tile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ....noise_core.tilings import Tiling
from .domain import Domain
from .graph import Graph

NOTE = "places and distances are exact; random numbers come from another hash; no rounding of sizes for tiling."

_UNEVEN = 300
"""Child's number for how high a tile stands, which has nothing to do with its value."""

_NARROWEST = 1e-4
"""A bevel narrower than this is a step."""

Inside = Callable[[Any, Graph, Any, Any], Any]
"""Called with the tiling, the graph and the place; the way to the border, from 0 to 1."""


@dataclass(frozen=True)
class Place:
    """Where in its tile a point lies, as sockets: from -1 to 1, and the tile's whole numbers."""

    x: Any
    y: Any
    tile: tuple[Any, Any]


def made_of(noise: Tiling, graph: Graph, domain: Domain, place: Place, inside: Inside) -> Any:
    """Write the output that a tiling has."""
    return _OUTPUTS[noise.output](noise, graph, domain, place, inside)


def _value(noise: Tiling, graph: Graph, domain: Domain, place: Place, inside: Inside) -> Any:
    return graph.to_signed(graph.cell_number(domain, graph.combined(*place.tile)))


def _edge(noise: Tiling, graph: Graph, domain: Domain, place: Place, inside: Inside) -> Any:
    return graph.to_signed(inside(noise, graph, place.x, place.y))


def _face(noise: Tiling, graph: Graph, domain: Domain, place: Place, inside: Inside) -> Any:
    depth = inside(noise, graph, place.x, place.y)
    if noise.bevel < _NARROWEST:
        share = graph.math("GREATER_THAN", depth, noise.joint)
    else:
        share = graph.ramp(depth, noise.joint, noise.joint + noise.bevel, "SMOOTHSTEP")
    if noise.unevenness == 0.0:
        return graph.to_signed(share)
    own = graph.child(domain, _UNEVEN)
    chance = graph.cell_number(own, graph.combined(*place.tile))
    top = graph.affine(chance, noise.unevenness, 2.0 - noise.unevenness, "Unevenness")
    return graph.math("MULTIPLY_ADD", share, top, -1.0)


def _x(noise: Tiling, graph: Graph, domain: Domain, place: Place, inside: Inside) -> Any:
    return place.x


def _y(noise: Tiling, graph: Graph, domain: Domain, place: Place, inside: Inside) -> Any:
    return place.y


_OUTPUTS: Mapping[str, Callable[[Tiling, Graph, Domain, Place, Inside], Any]] = {
    "value": _value,
    "edge": _edge,
    "face": _face,
    "x": _x,
    "y": _y,
}
