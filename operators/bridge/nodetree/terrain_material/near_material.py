# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a terrain material that is seen from nearby: each layer with the tile of its surface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import bpy

from .....noise_core.materials import surfaces
from ..node_graph import NodeGraph, Output, Value
from ..shared_groups import AlikeGroups
from . import near_tiles
from .details import TilePair
from .near_ground import joints_group, lumps_group, near_layer_group, nearness_group
from .plan import TerrainPlan

_WIDTH = 240.0
"""Of a node of a group."""

_SIDED = frozenset({"rock"})
"""Layers on steep ground, whose tiles are laid on from all sides."""

_CONTRASTS: Mapping[str, float] = MappingProxyType({"granite": 0.45, "sandstone_strata": 0.6})
"""How much of a tile's color shows, of surfaces that would be too gaudy on a whole slope."""

_BUMP = 0.9
"""How steep tiles are: their own slopes would be noise in a picture of a whole slope."""

_LUMPS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "soil": (0.30, 0.22),
        "grass": (0.55, 0.30),
        "woods": (0.65, 0.45),
        "sand": (0.06, 0.03),
        "rock": (0.30, 0.25),
        "scree": (0.30, 0.40),
        "river": (0.25, 0.15),
        "snow": (0.04, 0.12),
    }
)
"""How far the lumps of a layer differ in color, and how high they are in meters."""


class NearGround:
    """The nodes of near ground, declared into the graph of a material.

    Each layer is a separate shader. Cycles skips those that do not show, so that a spot costs what the
    layers there cost, and needs no place for the values of the others, which it has only 255 of.
    """

    def __init__(
        self,
        graph: NodeGraph,
        plan: TerrainPlan,
        tiles: Mapping[str, TilePair],
        layers: Mapping[str, Output],
        position: Output,
        alike: AlikeGroups,
    ) -> None:
        self.alike = alike
        self.graph, self.plan, self.tiles, self.layers = graph, plan, tiles, layers
        self.position: Mapping[str, Value] = {"Position": position}

    def nearness(self, water_depth: Value) -> Output:
        """Declare how near the ground is, 0 under water."""
        inputs = {"Water Depth": water_depth}
        return self.graph.group(nearness_group(), inputs, name="Nearness", width=_WIDTH)

    def shader(self, darken: Callable[[Output], Output]) -> Output:
        """Declare all layers, each over those before; return the shader of all.

        `darken` darkens the crevices of a color.
        """
        shown = self.plan.near_surfaces()
        below: Output | None = None
        for name, layer in self.layers.items():
            own = self._layer(name, layer, shown.get(name), darken)
            if below is not None:
                inputs = {0: layer["Mask"], 1: below, 2: own}
                own = self.graph.node("ShaderNodeMixShader", inputs, name=f"{name.title()} Over")
            below = own
        assert below is not None  # a plan has one layer at least
        return below

    def _layer(
        self, name: str, layer: Output, surface: str | None, darken: Callable[[Output], Output]
    ) -> Output:
        """Declare the shader of a layer."""
        color = layer["Plain Color"]
        tinted, high = _LUMPS[name]
        inputs: dict[str, Value] = {
            "Bump": _BUMP * self.plan["bump"],
            "Lumps": self._node(lumps_group(), f"Lumps {name.title()}"),
            "Tinted": tinted,
            "High": high * self.plan["bump"],
        }
        if name == "rock":
            joints = self._node(joints_group(), "Joints")
            # Its tiles are of slabs that were sawn and polished.
            inputs |= {"Shade": joints["Shade"], "Height": joints["Height"], "Weathered": 0.65}
        inputs["Color"] = color if name == "snow" else darken(color)
        if surface is not None:
            tile = self._tile(surface, name)
            inputs["Contrast"] = _CONTRASTS.get(surface, 1.0)
            inputs |= {what: tile[what] for what in ("Near Color", "Slopes", "Roughness")}
        title = f"Near {name.title()}"
        return self.graph.group(near_layer_group(), inputs, name=title, width=_WIDTH)

    def _node(self, tree: bpy.types.NodeTree, name: str) -> Output:
        """Declare a group that depends on the position alone."""
        return self.graph.group(tree, self.position, name=name, width=_WIDTH)

    def _tile(self, surface: str, layer: str) -> Output:
        """Declare the tile of a surface; each layer has its own, or all would wait for it."""
        is_sided = layer in _SIDED and self.plan["mapping"] == "triplanar"
        tree = near_tiles.find_or_create_group(
            surface,
            self.plan["detail_pixels"],
            self.tiles[surface],
            is_sided=is_sided,
            alike=self.alike,
        )
        inputs = {"Size": float(surfaces.surface(surface).size), **self.position}
        return self.graph.group(tree, inputs, name=f"Near Tile {layer.title()}", width=_WIDTH)
