# SPDX-License-Identifier: GPL-3.0-or-later
"""Details of single layers far off, as rays of Cycles see them: one copy of each tile, and one kind of bumps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..node_graph import Inputs, NodeGraph, Output, Value
from ..shared_groups import AlikeGroups
from . import details
from .plan import TerrainPlan
from .tile_images import TilePair

_WIDTH = 240.0
"""Of a node of a group."""


@dataclass(frozen=True)
class FarLayer:
    """The details of a layer far off.

    Attributes
    ----------
    inputs : mapping of str to Output
        Of the group of a far layer: color and height of the details.
    below : str
        The layer whose bumps are seen under it, too.
    kept : float
        How much of them is left.
    has_crags : bool
    """

    inputs: Mapping[str, Value]
    below: str = ""
    kept: float = 0.0
    has_crags: bool = False


class FarDetails:
    """Declares the details of far layers into the graph of a material.

    `shown` are the details that EEVEE shows, by surface, whose sizes count here too; `relief` is the surface
    that makes the bumps of all ground but rock and woods.
    """

    def __init__(
        self,
        graph: NodeGraph,
        plan: TerrainPlan,
        tiles: Mapping[str, TilePair],
        shown: Mapping[str, Output],
        crowns: Output | None,
        relief: str,
        alike: AlikeGroups,
    ) -> None:
        self.graph, self.plan, self.tiles, self.shown = graph, plan, tiles, shown
        self.crowns, self.relief, self.alike = crowns, relief, alike
        self.names = plan.layers()
        self.surfaces, self.palette = plan.surfaces(), plan.landscape()

    def layer(self, name: str, place: Inputs) -> FarLayer:
        """Declare the details of a layer; `place` is where they are looked up: position and chance."""
        if name == "woods" and self.crowns is not None:
            return FarLayer(_both(self.crowns, self.crowns))
        own_surface = self.surfaces.get(name)
        color = None if own_surface is None else self._tile(name, own_surface, place)
        height = color
        if name != "rock" and own_surface != self.relief:
            height = self._tile(f"{name} relief", self.relief, place)
        inputs = _both(color, height)
        base = self.names[0]
        if name in ("rock", base):
            return FarLayer(inputs, has_crags=name == "rock")
        # Snow lies on rock, whose crags show through.
        is_on_rock = name == "snow" and "rock" in self.names
        kept = 1.0 - self.palette.layers[name].smothers
        return FarLayer(inputs, "rock" if is_on_rock else base, kept, is_on_rock)

    def _tile(self, title: str, surface: str, place: Inputs) -> Output:
        """Declare the details of a surface for one layer."""
        tree = details.find_or_create_group(
            surface,
            self.plan["detail_pixels"],
            self.tiles[surface].detail,
            self.plan["mapping"],
            self.alike,
            is_single=True,
        )
        sizes = {name: self.shown[surface][name] for name in details.LADDER}
        title = f"Far Detail {title.title()}"
        return self.graph.group(tree, {**sizes, **place}, name=title, width=_WIDTH)


def _both(color: Output | None, height: Output | None) -> dict[str, Value]:
    inputs: dict[str, Value] = {}
    if color is not None:
        inputs["Detail Color"] = color["Detail Color"]
    if height is not None:
        inputs["Height"] = height["Detail Height"]
    return inputs
