# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers of a terrain material as Cycles shows them: each ray sees one layer, near with the tile of its surface, or far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import bpy

from .....noise_core.materials import surfaces
from ..node_graph import NodeGraph, Output, Value
from ..shared_groups import AlikeGroups
from . import near_tiles
from .far_details import FarDetails
from .near_ground import (
    chances_group,
    far_layer_group,
    is_over,
    joints_group,
    lumps_group,
    near_layer_group,
    nearness_group,
    sastrugi_group,
    set_apart,
)
from .plan import TerrainPlan
from .tile_images import TilePair

NEAR, COPY = 10, 11
"""Numbers of a ray's chances after those of the layers: to see near ground, and to see a copy of a tile."""

_WIDTH = 240.0
"""Of a node of a group."""

Darken = Callable[[Output], Output]
"""Darkens the crevices of a color."""

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
        "snow": (0.05, 0.10),
        "road": (0.10, 0.02),
    }
)
"""How far the lumps of a layer differ in color, and how high they are in meters."""


def _lumps(layer: str) -> bpy.types.NodeTree:
    """Return the group of the lumps of a layer: wind cuts ridges into snow."""
    return sastrugi_group() if layer == "snow" else lumps_group()


class RayGround:
    """The nodes of ground as Cycles shows it, declared into the graph of a material.

    Each ray sees one layer, near or far, as often as it shows: a spot costs no more than one layer. Cycles
    skips the nodes of shaders that do not show, and needs no place for their values, which it has only 255 of.
    """

    def __init__(
        self,
        graph: NodeGraph,
        plan: TerrainPlan,
        tiles: Mapping[str, TilePair],
        layers: Mapping[str, Output],
        masks: Output,
        bumps: Output,
        alike: AlikeGroups,
    ) -> None:
        self.alike = alike
        self.graph, self.plan, self.tiles, self.layers = graph, plan, tiles, layers
        self.masks, self.bumps = masks, bumps
        self.positions: dict[str, Output] = {
            name: set_apart(graph, masks["Position"], number, f"{name.title()} Position")
            for number, name in enumerate(layers, 1)
        }
        self.chances = graph.group(chances_group(), {}, name="Chances", width=_WIDTH)

    def chance(self, number: int) -> Output:
        """Return a number by chance of the ray, from 1 on."""
        return self.chances[f"Chance {number}"]

    def shader(self, water_depth: Value, darken: Darken, far: FarDetails | Output) -> Output:
        """Declare all layers, each over the previous ones; return the shader of all.

        `darken` darkens the crevices of a color; `far` declares the details of each layer far off, or is the
        shader of all far ground. Under water all ground is far.
        """
        graph = self.graph
        nearness = graph.group(
            nearness_group(), {"Water Depth": water_depth}, name="Nearness", width=_WIDTH
        )
        is_near = is_over(graph, nearness, self.chance(NEAR), "Is Near")
        surfaces, below = self.plan.near_surfaces(), None
        for number, (name, layer) in enumerate(self.layers.items(), 1):
            color = layer["Plain Color"] if name == "snow" else darken(layer["Plain Color"])
            shader = self._near(name, color, surfaces.get(name))
            if isinstance(far, FarDetails):
                distant = self._far(name, layer, color, far)
                shader = self._either(is_near, distant, shader, f"{name.title()} Near or Far")
            if below is not None:
                is_shown = is_over(graph, layer["Mask"], self.chance(number), f"Is {name.title()}")
                shader = self._either(is_shown, below, shader, f"{name.title()} Over")
            below = shader
        assert below is not None  # a plan has one layer at least
        if isinstance(far, FarDetails):
            return below
        return self._either(is_near, far, below, "Near or Far")

    def _either(self, choice: Output, first: Output, second: Output, name: str) -> Output:
        """Declare a choice of shaders: the first if it is 0, the second if it is 1."""
        inputs: dict[Any, Value] = {0: choice, 1: first, 2: second}
        return self.graph.node("ShaderNodeMixShader", inputs, name=name)

    def _far(self, name: str, layer: Output, color: Output, details: FarDetails) -> Output:
        """Declare the shader of a layer as it is seen from afar."""
        far = details.layer(name, {"Position": self.positions[name], "Chance": self.chance(COPY)})
        inputs: dict[str, Value] = {
            "Color": color,
            "Detail": layer["Own Detail"],
            "Roughness": layer["Own Roughness"],
            "Bumps": layer["Own Bumps"],
            "Strength": self.bumps["Strength"],
            **far.inputs,
        }
        if far.below:
            inputs |= {"Kept": far.kept, "Bumps Below": self.layers[far.below]["Own Bumps"]}
        if far.has_crags:
            inputs |= {kind: self.bumps[kind] for kind in ("Crags", "Ledges")}
            inputs |= {kind: self.masks[kind] for kind in ("Ribs", "Beds")}
        return self.graph.group(far_layer_group(), inputs, name=f"Far {name.title()}", width=_WIDTH)

    def _near(self, name: str, color: Output, surface: str | None) -> Output:
        """Declare the shader of a layer as it is seen from nearby."""
        tinted, high = _LUMPS[name]
        inputs: dict[str, Value] = {
            "Bump": _BUMP * self.plan["bump"],
            "Lumps": self._node(_lumps(name), f"Lumps {name.title()}", name),
            "Tinted": tinted,
            "High": high * self.plan["bump"],
            "Color": color,
        }
        if name == "rock":
            joints = self._node(joints_group(), "Joints", name)
            # Its tiles are of slabs that were sawn and polished.
            inputs |= {"Shade": joints["Shade"], "Height": joints["Height"], "Weathered": 0.65}
        if surface is not None:
            tile = self._tile(surface, name)
            inputs["Contrast"] = _CONTRASTS.get(surface, 1.0)
            inputs |= {what: tile[what] for what in ("Near Color", "Slopes", "Roughness")}
        title = f"Near {name.title()}"
        return self.graph.group(near_layer_group(), inputs, name=title, width=_WIDTH)

    def _node(self, tree: bpy.types.NodeTree, name: str, layer: str) -> Output:
        """Declare a group that depends on the position of a layer alone."""
        return self.graph.group(tree, {"Position": self.positions[layer]}, name=name, width=_WIDTH)

    def _tile(self, surface: str, layer: str) -> Output:
        """Declare the tile of a surface for a layer."""
        is_sided = layer in _SIDED and self.plan["mapping"] == "triplanar"
        tree = near_tiles.find_or_create_group(
            surface,
            self.plan["detail_pixels"],
            self.tiles[surface],
            is_sided=is_sided,
            alike=self.alike,
        )
        size = float(surfaces.surface(surface).size)
        inputs = {"Size": size, "Position": self.positions[layer]}
        return self.graph.group(tree, inputs, name=f"Near Tile {layer.title()}", width=_WIDTH)
