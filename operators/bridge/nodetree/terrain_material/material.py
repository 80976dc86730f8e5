# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of a terrain material: masks, details, a group per layer, water and the shader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from .....noise_core.materials.colors import GroundLayer
from ...datablocks import compat
from ...datablocks.ownership import PREFIX
from ..builder import build
from ..color_ramp import ColorRamp
from ..node_graph import Key, Node, NodeGraph, Output, Value
from ..own_nodes import replaced_nodes
from . import details, groups
from .layer_group import layer_values
from .plan import TerrainMeasures, TerrainPlan
from .settings import MARK

_WIDTH = 240.0
"""Of a node of a group: wide enough for the names of its sockets."""

_CROWNS = 850.0
"""Crowns of trees along the width of a terrain: larger than real ones, which would be too small to see."""

_CROWN = 6.0
"""Meters that a crown is wide at least, on lands that have room for woods."""

_FEWEST_CROWNS = 200.0
"""Crowns along the width of smaller lands: there they are bushes. A few crowns as wide as houses
would be flat patches with straight edges."""

_TILES = 30.0
"""Of the largest tiles of details, those of the far ground, along the width of a terrain, unless
their size is given."""

_SAND = 25.0
"""Meters that a tile of sand is wide at most: larger ripples would look like dunes."""

_CLEAR = 0.0025
"""Depth to which water is clear, as a share of the width."""

_WAVE = 1.0 / 300.0
"""Length of waves, as a share of the width."""

_RELIEF = {"rock": "Rock", "woods": "Crown"}
"""Kinds of bumps of layers that have other bumps than the ground."""

_SIDEWAYS = ("scree", "river")
"""Layers that follow other traces than the rest."""


_BELOW = ("Color", "Roughness", "Bumps")
"""Outputs of a layer that the next one takes."""


def write(
    material: bpy.types.Material,
    plan: TerrainPlan,
    measures: TerrainMeasures,
    tiles: Mapping[str, bpy.types.Image],
) -> None:
    """Replace Terrane's nodes of a material; `tiles` are the images of its layers' surfaces."""
    tree = compat.node_tree(material)
    graph = _MaterialDeclaration(plan, measures, tiles).graph
    with replaced_nodes(tree, PREFIX) as corner:
        build(tree, graph, prefix=PREFIX, corner=corner)
    output: Any = tree.nodes[f"{PREFIX}Material Output"]
    output.is_active_output = True
    material[MARK] = 1
    shown: Any = material
    shown.diffuse_color = (*plan.landscape().layers["soil"].color, 1.0)
    material.roughness = 0.9


class _MaterialDeclaration:
    """The nodes of a terrain material, declared from left to right.

    Attributes
    ----------
    graph : NodeGraph
    """

    def __init__(
        self,
        plan: TerrainPlan,
        measures: TerrainMeasures,
        tiles: Mapping[str, bpy.types.Image],
    ) -> None:
        self.graph = NodeGraph()
        self.plan, self.measures, self.tiles = plan, measures, tiles
        self.palette = plan.landscape()
        with self.graph.titled_frame("Terrain"):
            self.masks = self._masks()
        if plan.is_layered:
            with self.graph.titled_frame("Details"):
                inputs, heights = self._details()
            with self.graph.titled_frame("Layers"):
                ground = self._layers(inputs)
        else:
            heights = {}
            with self.graph.titled_frame("Ramp"):
                ground = self._ramp()
        with self.graph.titled_frame("Surface"):
            self._surface(ground, heights)

    def _group(self, title: str, name: str, inputs: Mapping[Key, Value]) -> Node:
        return self._node(groups.find_or_create(title), name, inputs)

    def _node(self, tree: bpy.types.NodeTree, name: str, inputs: Mapping[Key, Value]) -> Node:
        return self.graph.group(tree, inputs, name=name, label=name, width=_WIDTH)

    def _masks(self) -> Node:
        water, measures = self.plan["water"], self.measures
        return self._group(
            groups.MASKS,
            "Masks",
            {
                "Width": measures.width,
                "Lowest": measures.low,
                "Highest": measures.high,
                "Sea": float(water in ("sea", "both")),
                "Water Level": self.plan["water_level"],
                "Lakes": float(water in ("lakes", "both")),
                **{f"Full {name.title()}": value for name, value in measures.full.items()},
            },
        )

    def _layers(self, inputs_of: Mapping[str, Mapping[Key, Value]]) -> dict[str, Output]:
        """Declare the layers, each upon the one before; return the outputs of the last one."""
        names = self.plan.layers()
        below: dict[str, Output] = {}
        for at, name in enumerate(names):
            if name == "snow":
                below |= self._crevices(below)
            layer = self.palette.layers[name]
            inputs: dict[Key, Value] = layer_values(layer, is_base=at == 0)
            size = self._crown_size() if name == "woods" else self._detail_size()
            inputs[f"{_RELIEF.get(name, 'Ground')} Bump"] = layer.bump * size
            inputs |= self._layer_masks(name, layer)
            inputs |= inputs_of.get(name, {})
            inputs |= {f"{what} Below": output for what, output in below.items()}
            node = self._group(groups.LAYER, name.title(), inputs)
            below = {what: node[what] for what in _BELOW}
        if "snow" not in names:
            below |= self._crevices(below)
        return below

    def _layer_masks(self, name: str, layer: GroundLayer) -> dict[Key, Value]:
        traces = f"{name.title()} Traces" if name in _SIDEWAYS else "Traces"
        return {
            "Place": self.masks["Shore" if layer.is_shore else "Place"],
            "Traces": self.masks[traces],
            "Noises": self.masks["Noises"],
            "Grain": self.masks["Ribs"],
        }

    def _crevices(self, below: Mapping[str, Output]) -> dict[str, Output]:
        """Declare the dark crevices of the layers below; return their color."""
        inputs = {
            "Strength": self.palette.crevices,
            "Curvature": self.masks["Curvature"],
            "Ribs": self.masks["Ribs"],
            **({"Color": below["Color"]} if below else {}),
        }
        node = self._group(groups.CREVICES, "Crevices", dict(inputs))
        return {"Color": node["Color"]}

    def _ramp(self) -> dict[str, Any]:
        """Declare a ramp by height; return its color, and a roughness."""
        ramp = self.graph.node(
            "ShaderNodeValToRGB",
            {"Fac": self.masks["Height"]},
            content=ColorRamp(self.palette.ramp.stops),
            name="Colors by Height",
            label="Colors by Height",
        )
        return {**self._crevices({"Color": ramp["Color"]}), "Roughness": 0.95}

    def _details(self) -> tuple[dict[str, dict[Key, Value]], dict[str, Output]]:
        """Declare details; return inputs of each layer, and the heights of each kind of bumps."""
        names, masks, size = self.plan.layers(), self.masks, self._detail_size()
        surfaces = self.plan.surfaces()
        tiles: dict[str, Node] = {}
        for layer, surface in surfaces.items():
            if surface not in tiles:
                tiles[surface] = self._tile(surface, min(size, _SAND) if layer == "sand" else size)
        found: dict[str, dict[Key, Value]] = {
            layer: {"Detail Color": tiles[surface]["Detail Color"]}
            for layer, surface in surfaces.items()
        }
        # Without a texture, noise makes the bumps.
        heights = {"Ground": masks["Ribs"], "Rock": masks["Ribs"]}
        if tiles:
            relief = self.plan.relief(self.measures.width)
            heights["Ground"] = tiles[relief]["Detail Height"]
            heights["Rock"] = tiles[surfaces.get("rock", relief)]["Detail Height"]
        if "woods" in names:
            inputs = {"Size": self._crown_size(), "Position": masks["Position"]}
            crowns = self._group(groups.CROWNS, "Crowns", dict(inputs))
            found["woods"] = {"Detail Color": crowns["Detail Color"]}
            heights["Crown"] = crowns["Detail Height"]
        if "rock" in names and self.palette.strata.strength > 0.0:
            strata = self._strata()
            colors = {name: strata[name] for name in ("Color", "Second Color")}
            found["rock"] = found.get("rock", {}) | colors
        return found, heights

    def _tile(self, surface: str, size: float) -> Node:
        tree = details.find_or_create_group(
            surface, self.plan["detail_pixels"], self.tiles[surface], self.plan["mapping"]
        )
        inputs = {
            "Size": size,
            "Smallest": min(size, details.true_size(surface)),
            "Position": self.masks["Position"],
        }
        return self._node(tree, f"Detail {surface}", dict(inputs))

    def _strata(self) -> Node:
        strata, rock = self.palette.strata, self.palette.layers["rock"]
        return self._group(
            groups.STRATA,
            "Strata",
            {
                "Color": rock.color,
                "Second Color": rock.second,
                "Pale Color": strata.color,
                "Strength": strata.strength,
                "Thickness": self.measures.relief / strata.count,
                "Position": self.masks["Position"],
                "Noises": self.masks["Noises"],
            },
        )

    def _detail_size(self) -> float:
        return float(self.plan["detail_size"] or self.measures.width / _TILES)

    def _crown_size(self) -> float:
        width = self.measures.width
        return max(width / _CROWNS, min(_CROWN, width / _FEWEST_CROWNS))

    def _surface(self, ground: Mapping[str, Value], heights: Mapping[str, Output]) -> None:
        """Declare the bumps, the water and the shader."""
        look: dict[Key, Value] = {
            "Base Color": ground["Color"],
            "Roughness": ground["Roughness"],
            "Specular IOR Level": 0.15,
        }
        if "Bumps" in ground:
            look["Normal"] = self._bumps(ground["Bumps"], heights)
        if self.plan["water"] != "none":
            look |= self._water(look)
        shader = self._plain("ShaderNodeBsdfPrincipled", "Principled BSDF", look)
        self._plain("ShaderNodeOutputMaterial", "Material Output", {"Surface": shader["BSDF"]})

    def _bumps(self, meters: Output, heights: Mapping[str, Output]) -> Output:
        inputs = {
            "Strength": self.plan["bump"],
            "Bumps": meters,
            "Ribs": self.masks["Ribs"],
            **{f"{kind} Height": height for kind, height in heights.items()},
        }
        return self._group(groups.BUMPS, "Bumps", dict(inputs))["Normal"]

    def _water(self, look: Mapping[Key, Value]) -> dict[Key, Value]:
        """Declare the water over the ground; return the inputs of the shader."""
        normal = look.get("Normal")
        if normal is None:
            normal = self._plain("ShaderNodeNewGeometry", "Normal", {})["Normal"]
        water = self._group(
            groups.WATER,
            "Water",
            {
                "Shallow": self.palette.shallow,
                "Deep": self.palette.deep,
                "Clear": _CLEAR * self.measures.width,
                "Wave Size": _WAVE * self.measures.width,
                "Depth": self.masks["Water Depth"],
                "Position": self.masks["Position"],
                "Color": look["Base Color"],
                "Roughness": look["Roughness"],
                "Normal": normal,
            },
        )
        return {
            "Base Color": water["Color"],
            "Roughness": water["Roughness"],
            "Normal": water["Normal"],
            "Specular IOR Level": water["Specular"],
        }

    def _plain(self, kind: str, name: str, inputs: Mapping[Key, Value]) -> Node:
        return self.graph.node(kind, inputs, name=name, label=name)
