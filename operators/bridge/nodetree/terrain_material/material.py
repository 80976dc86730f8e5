# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of a terrain material: masks, details, a group per layer, water and the shader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from .....noise_core.landscapes.planets.ground import PlanetGround, snow_line
from .....noise_core.materials import surfaces
from .....noise_core.materials.ground.measures import GroundMeasures
from ...datablocks import compat
from ...datablocks.ownership import PREFIX
from ...schema.color_ramps import write_ramp
from ..builder import build, set_inputs
from ..node_graph import Inputs, NodeGraph, Output, Value
from ..own_nodes import replaced_nodes
from ..shared_groups import AlikeGroups
from . import details, ground_layers
from .far_details import FarDetails
from .ground_masks import masks_group, planet_masks_group
from .near_material import RayGround
from .plan import PLAN, TerrainPlan, text_of, text_with
from .settings import MARK
from .tile_images import TilePair
from .water_groups import water_group

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

_WAVE = 3.0
"""Length of waves in meters."""

_RELIEF = {"rock": "Rock", "woods": "Crown"}
"""Kinds of bumps of layers that have other bumps than the ground."""

_BELOW = ("Color", "Roughness", "Bumps")
"""Outputs of a layer that the next one takes."""


def write(
    material: bpy.types.Material,
    plan: TerrainPlan,
    measures: GroundMeasures,
    tiles: Mapping[str, TilePair],
) -> None:
    """Replace Terrane's nodes of a material; `tiles` are the images of its layers' surfaces."""
    tree = compat.node_tree(material)
    graph = _MaterialDeclaration(plan, measures, tiles).graph
    with replaced_nodes(tree, PREFIX) as corner:
        build(tree, graph, prefix=PREFIX, corner=corner)
    output: Any = tree.nodes[f"{PREFIX}Material Output"]
    output.is_active_output = True
    material[MARK] = 1
    material[PLAN] = text_of(plan, measures)
    shown: Any = material
    shown.diffuse_color = (*plan.landscape().layers["soil"].color, 1.0)
    material.roughness = 0.9


def plant(material: bpy.types.Material, reach: float) -> None:
    """Let no crowns be painted up to a distance from the camera, where trees stand; 0 paints all."""
    node = compat.node_tree(material).nodes.get(f"{PREFIX}Crowns")
    # A group of an older version has no such input.
    if node is not None and ground_layers.PLANTED in node.inputs:
        set_inputs(node, {ground_layers.PLANTED: reach})


def follow_planet(
    material: bpy.types.Material, planet: PlanetGround, measures: GroundMeasures
) -> None:
    """Give a material that was written for a planet the planet's present measures; all else stays."""
    values = {**_measure_values(measures), **_planet_values(planet)}
    values |= {"Shore": float(planet.sea is not None), "Water Level": planet.sea or 0.0}
    set_inputs(compat.node_tree(material).nodes.get(f"{PREFIX}Masks"), values)
    text: Any = material.get(PLAN)
    if isinstance(text, str):
        material[PLAN] = text_with(text, planet.sea, measures)


def _measure_values(measures: GroundMeasures) -> dict[str, float]:
    return {"Width": measures.width, "Lowest": measures.low, "Highest": measures.high}


def _planet_values(planet: PlanetGround) -> dict[str, float]:
    return {
        "Radius": planet.radius,
        "Ice Latitude": planet.ice_latitude,
        "Ice": float(planet.has_ice),
    }


class _MaterialDeclaration:
    """The nodes of a terrain material, declared from left to right.

    Attributes
    ----------
    graph : NodeGraph
    """

    def __init__(
        self, plan: TerrainPlan, measures: GroundMeasures, tiles: Mapping[str, TilePair]
    ) -> None:
        self.graph = NodeGraph()
        self.plan, self.measures, self.tiles = plan, measures, tiles
        self.palette = plan.landscape()
        self.alike = AlikeGroups()
        self.size = float(plan["detail_size"] or measures.width / _TILES)
        self.crown = max(measures.width / _CROWNS, min(_CROWN, measures.width / _FEWEST_CROWNS))
        self.has_crowns = plan.planet is None  # from space they would be as large as mountains
        with self.graph.frame("Terrain"):
            self.masks = self._masks()
        self.position = {"Position": self.masks["Position"]}
        self.ribs = {"Ribs": self.masks["Ribs"]}
        heights: dict[str, Output] = {}
        self.layers: dict[str, Output] = {}
        self.crowns: Output | None = None
        self.shown_tiles: dict[str, Output] = {}
        if plan.is_layered:
            with self.graph.frame("Details"):
                inputs, heights = self._details()
            with self.graph.frame("Layers"):
                ground = self._layers(inputs)
        else:
            with self.graph.frame("Ramp"):
                ground = self._ramp()
        with self.graph.frame("Surface"):
            self._surface(ground, heights)

    def _node(self, tree: bpy.types.NodeTree, name: str, inputs: Inputs) -> Output:
        return self.graph.group(tree, inputs, name=name, width=_WIDTH)

    def _masks(self) -> Output:
        water, measures = self.plan["water"], self.measures
        inputs = {
            **_measure_values(measures),
            "Sea": float(water in ("sea", "both")),
            # The sea may be a mesh of its own: the ground has its beaches all the same.
            "Shore": float(self.plan.sea is not None),
            "Water Level": self.plan["water_level"] if self.plan.sea is None else self.plan.sea,
            "Lakes": float(water in ("lakes", "both")),
            **{f"Full {name.title()}": value for name, value in measures.full.items()},
        }
        if (planet := self.plan.planet) is None:
            return self._node(masks_group(), "Masks", inputs)
        inputs |= {"Snow Line": snow_line(self.palette), **_planet_values(planet)}
        return self._node(planet_masks_group(), "Masks", inputs)

    def _layers(self, inputs_of: Mapping[str, Inputs]) -> dict[str, Output]:
        """Declare the layers, each upon the previous layer; return the outputs of the last."""
        names = self.plan.layers()
        below: dict[str, Output] = {}
        for at, name in enumerate(names):
            if name == "snow":
                below |= self._crevices(below)
            layer = self.palette.layers[name]
            inputs = ground_layers.layer_values(layer, is_base=at == 0)
            size = self.crown if name == "woods" and self.has_crowns else self.size
            relief = _RELIEF.get(name, "Ground")
            relief = "Ground" if relief == "Crown" and not self.has_crowns else relief
            inputs[f"{relief} Bump"] = layer.bump * size
            inputs |= ground_layers.mask_links(name, layer, self.masks, self.measures.full)
            inputs |= inputs_of.get(name, {})
            inputs |= {f"{what} Below": output for what, output in below.items()}
            node = self.layers[name] = self._node(ground_layers.layer_group(), name.title(), inputs)
            below = {what: node[what] for what in _BELOW}
        if "snow" not in names:
            below |= self._crevices(below)
        return below

    def _crevices(self, below: Mapping[str, Output]) -> dict[str, Output]:
        """Declare the dark crevices of the layers below; return their color."""
        inputs = {
            "Strength": self.palette.crevices,
            "Curvature": self.masks["Curvature"],
            "Wet": self.masks["Wet"],
            **self.ribs,
            **({"Color": below["Color"]} if below else {}),
        }
        return {"Color": self._node(ground_layers.crevices_group(), "Crevices", inputs)["Color"]}

    def _ramp(self) -> dict[str, Any]:
        """Declare a ramp by height; return its color, and a roughness."""
        ramp = self.graph.node(
            "ShaderNodeValToRGB",
            {"Fac": self.masks["Height"]},
            content=lambda node, _: write_ramp(node, self.palette.ramp.stops),
            name="Colors by Height",
        )
        return {**self._crevices({"Color": ramp}), "Roughness": 0.95}

    def _details(self) -> tuple[dict[str, dict[str, Value]], dict[str, Output]]:
        """Declare details; return inputs of each layer, and the heights of each kind of bumps."""
        names, shown = self.plan.layers(), self.plan.surfaces()
        tiles = self.shown_tiles
        layer_inputs: dict[str, dict[str, Value]] = {}
        for layer, surface in shown.items():
            if surface not in tiles:
                size = min(self.size, _SAND) if layer == "sand" else self.size
                tiles[surface] = self._tile(surface, size)
            layer_inputs[layer] = {"Detail Color": tiles[surface]["Detail Color"]}
        # Without a texture, noise makes the bumps.
        heights = {"Ground": self.masks["Ribs"], "Rock": self.masks["Ribs"]}
        if tiles:
            relief = self.plan.relief(self.measures.width)
            heights["Ground"] = tiles[relief]["Detail Height"]
            heights["Rock"] = tiles[shown.get("rock", relief)]["Detail Height"]
        if "woods" in names and self.has_crowns:
            crowns = self._node(
                ground_layers.crowns_group(), "Crowns", {"Size": self.crown, **self.position}
            )
            self.crowns = crowns
            layer_inputs["woods"] = {"Detail Color": crowns["Detail Color"]}
            heights["Crown"] = crowns["Detail Height"]
        if "rock" in names and self.palette.strata.strength > 0.0:
            strata = self._strata()
            colors = {name: strata[name] for name in ("Color", "Second Color")}
            layer_inputs["rock"] = layer_inputs.get("rock", {}) | colors
        if "road" in names:
            road = self._road()
            colors = {name: road[name] for name in ("Color", "Second Color")}
            layer_inputs["road"] = layer_inputs.get("road", {}) | colors
        return layer_inputs, heights

    def _road(self) -> Output:
        layer = self.palette.layers["road"]
        inputs = {"Earth": layer.color, "Gravel": layer.second, "Road": self.masks["Road"]}
        return self._node(ground_layers.road_group(), "Road Colors", inputs)

    def _tile(self, name: str, size: float) -> Output:
        """Declare the details of a surface."""
        tree = details.find_or_create_group(
            name,
            self.plan["detail_pixels"],
            self.tiles[name].detail,
            self.plan["mapping"],
            self.alike,
        )
        smallest = min(size, float(surfaces.surface(name).size))
        inputs = {"Size": size, "Smallest": smallest, **self.position}
        return self._node(tree, f"Detail {name}", inputs)

    def _strata(self) -> Output:
        strata, rock = self.palette.strata, self.palette.layers["rock"]
        inputs = {
            "Color": rock.color,
            "Second Color": rock.second,
            "Pale Color": strata.color,
            "Strength": strata.strength,
            "Thickness": (self.measures.high - self.measures.low) / strata.count,
            "Noises": self.masks["Noises"],
            "Position": self.masks["Position" if self.plan.planet is None else "Level"],
        }
        return self._node(ground_layers.strata_group(), "Strata", inputs)

    def _surface(self, ground: Mapping[str, Value], heights: Mapping[str, Output]) -> None:
        """Declare the bumps, the water and the shader."""
        look: dict[str, Value] = {
            "Base Color": ground["Color"],
            "Roughness": ground["Roughness"],
            "Specular IOR Level": 0.15,
        }
        if "Bumps" in ground:
            inputs = {
                "Strength": self.plan["bump"],
                "Bumps": ground["Bumps"],
                **self.ribs,
                **({"Beds": self.masks["Beds"]} if "rock" in self.layers else {}),
                **{f"{kind} Height": height for kind, height in heights.items()},
            }
            bumps = self._node(ground_layers.bumps_group(), "Bumps", inputs)
            look["Normal"] = bumps["Normal"]
        if self.plan["water"] != "none":
            look = self._water(look)
        shader = self.graph.node("ShaderNodeBsdfPrincipled", look, name="Principled BSDF")
        if self.plan.near_surfaces():
            # EEVEE makes one program of all nodes, whose numbers graphics cards hold in 64 KiB.
            self._output(shader, "Material Output for EEVEE", "EEVEE")
            shader = self._rays(shader, bumps)
        self._output(shader, "Material Output", "ALL")

    def _output(self, shader: Output, name: str, target: str) -> None:
        """Declare the output of a render engine, or of all that have none of their own."""
        self.graph.node("ShaderNodeOutputMaterial", {"Surface": shader}, name=name, target=target)

    def _rays(self, painted: Output, bumps: Output) -> Output:
        """Declare the ground as Cycles shows it.

        Where water is painted, far ground is the shader of all layers, which the water is a part of: Cycles
        before 5.0 has no place for the values of both that and single far layers.
        """
        with self.graph.frame("Rays"):
            ground = RayGround(
                self.graph, self.plan, self.tiles, self.layers, self.masks, bumps, self.alike
            )
            if self.plan["water"] != "none":
                return ground.shader(self.masks["Water Depth"], self._darken_crevices, painted)
            relief = self.plan.relief(self.measures.width)
            far = FarDetails(
                self.graph, self.plan, self.tiles, self.shown_tiles, self.crowns, relief, self.alike
            )
            return ground.shader(0.0, self._darken_crevices, far)

    def _darken_crevices(self, color: Output) -> Output:
        """Return a color of ground with dark crevices."""
        return self._crevices({"Color": color})["Color"]

    def _water(self, look: Inputs) -> dict[str, Value]:
        """Declare the water over the ground; return the inputs of the shader."""
        normal = look.get("Normal")
        if normal is None:
            normal = self.graph.node("ShaderNodeNewGeometry", name="Normal")["Normal"]
        inputs = {
            "Shallow": self.palette.shallow,
            "Deep": self.palette.deep,
            "Clear": self.palette.clear,
            "Wave Size": _WAVE,
            "Depth": self.masks["Water Depth"],
            "Color": look["Base Color"],
            "Roughness": look["Roughness"],
            "Normal": normal,
            **self.position,
        }
        water = self._node(water_group(), "Water", inputs)
        return {
            "Base Color": water["Color"],
            "Roughness": water["Roughness"],
            "Normal": water["Normal"],
            "Specular IOR Level": water["Specular"],
        }
