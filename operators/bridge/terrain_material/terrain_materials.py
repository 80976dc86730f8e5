# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan becomes the material of a terrain: a few framed nodes, one group per layer.

A material of ours is written anew in place; nodes of the user's in it are left alone, with their links.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ....noise_core.colors import Landscape, Layer
from ..datablocks import compat, ownership
from ..datablocks.ownership import PREFIX
from ..nodes.framed_nodes import FramedNodes
from ..nodes.node_building import height_of
from . import terrain_details, terrain_groups
from .terrain_plan import Measures, Plan
from .terrain_slots import MARK

_BELOW_LAYERS = -1080.0
"""Where details stand: a layer is that high."""

_CROWNS = 850.0
"""Crowns of trees along the width of a terrain: larger than life, or none would be seen."""

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
"""Depth to which one sees into water, as a share of the width."""

_WAVE = 1.0 / 300.0
"""Length of waves, as a share of the width."""

_RELIEF = {"rock": "Rock", "woods": "Crown"}
"""Which kind of bumps a layer has, if not those of the ground."""

_SIDEWAYS = ("scree", "river")
"""Layers that go by other traces than the rest."""


def write(
    material: bpy.types.Material,
    plan: Plan,
    measures: Measures,
    tiles: Mapping[str, bpy.types.Image],
) -> None:
    """Write a material; `tiles` are the images of the surfaces of its layers."""
    tree = compat.node_tree(material)
    links = ownership.boundary_links(tree, PREFIX)
    for node in [one for one in tree.nodes if one.name.startswith(PREFIX)]:
        tree.nodes.remove(node)
    sheet = FramedNodes(tree)
    masks = _masks(sheet, plan, measures)
    if plan.is_layered:
        ground = _layers(sheet, masks, plan, measures, tiles)
    else:
        ground = _ramp(sheet, masks, plan)
    _surface(sheet, masks, ground, plan, measures)
    sheet.framed()
    ownership.restore_links(tree, links)
    material[MARK] = 1
    palette = plan.landscape()
    shown: Any = material
    shown.diffuse_color = (*palette.layers["soil"].color, 1.0)
    material.roughness = 0.9


def _masks(sheet: FramedNodes, plan: Plan, measures: Measures) -> Any:
    water = plan["water"]
    node = sheet.group(
        terrain_groups.shared_group(terrain_groups.MASKS),
        Width=measures.width,
        Lowest=measures.low,
        Highest=measures.high,
        Sea=float(water in ("sea", "both")),
        Water_Level=plan["water_level"],
        Lakes=float(water in ("lakes", "both")),
        **{f"Full_{name.title()}": value for name, value in measures.full.items()},
    )
    return sheet.stand(node, "Masks", "Terrain", 0.0).outputs


def _layers(
    sheet: FramedNodes,
    masks: Any,
    plan: Plan,
    measures: Measures,
    tiles: Mapping[str, bpy.types.Image],
) -> Any:
    """Place the layers from left to right, each upon the one before; return color, roughness, bump."""
    palette, names = plan.landscape(), plan.layers()
    details, heights = _details(sheet, masks, plan, measures, tiles)
    below: dict[str, Any] = {}
    column = 1.0
    for at, name in enumerate(names):
        if name == "snow":
            column = _darkened(sheet, masks, palette, below, column)
        layer = palette.layers[name]
        node = sheet.group(terrain_groups.shared_group(terrain_groups.LAYER))
        sheet.stand(node, name.title(), "Layers", column)
        _set_layer(sheet, node, layer, plan, measures, is_base=at == 0)
        place = "Shore" if layer.is_shore else "Place"
        traces = f"{name.title()} Traces" if name in _SIDEWAYS else "Traces"
        for socket, source in (
            ("Place", place), ("Traces", traces), ("Noises", "Noises"), ("Grain", "Ribs"),
        ):  # fmt: skip
            sheet.feed(masks[source], node.inputs[socket])
        for socket, source in details.get(name, {}).items():
            sheet.feed(source, node.inputs[socket])
        for what, source in below.items():
            sheet.feed(source, node.inputs[f"{what} Below"])
        below = {what: node.outputs[what] for what in ("Color", "Roughness", "Bumps")}
        column += 1.0
    if "snow" not in names:
        column = _darkened(sheet, masks, palette, below, column)
    return below | {"column": column, "heights": heights}


def _set_layer(
    sheet: FramedNodes, node: Any, layer: Layer, plan: Plan, measures: Measures, *, is_base: bool
) -> None:
    """Set the inputs of a layer to what the palette says."""
    is_wooded = node.label.lower() == "woods"
    size = _crown_size(measures) if is_wooded else _detail_size(plan, measures)
    values: dict[str, Any] = {
        "Color": layer.color, "Second Color": layer.second, "Tint": layer.tint,
        "Roughness": layer.roughness, "Detail": layer.detail, "Smothers": layer.smothers,
        f"{_RELIEF.get(node.label.lower(), 'Ground')} Bump": layer.bump * size,
    }  # fmt: skip
    if not is_base:
        values |= {
            "Amount": layer.amount, "Softness": layer.softness, "Lowest": layer.lowest,
            "Highest": layer.highest, "Height Fade": layer.fade, "Flattest": layer.flattest,
            "Steepest": layer.steepest, "Slope Fade": layer.slope_fade, "Steeper": layer.steeper,
            "Ragged": layer.ragged, "Broken": layer.broken, "Flow": layer.flow, "Wear": layer.wear,
            "Deposit": layer.deposit, "Curvature": layer.curvature,
        }  # fmt: skip
    for name, value in values.items():
        sheet.feed(value, node.inputs[name])


def _details(
    sheet: FramedNodes,
    masks: Any,
    plan: Plan,
    measures: Measures,
    tiles: Mapping[str, bpy.types.Image],
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Place what makes details; return what feeds which inputs of which layer, and of the bumps."""
    size, mapping = _detail_size(plan, measures), plan["mapping"]
    palette, names = plan.landscape(), plan.layers()
    found: dict[str, dict[str, Any]] = {}
    # Without a texture, noise makes the bumps.
    heights = {"Ground": masks["Ribs"], "Rock": masks["Ribs"]}
    nodes: dict[str, Any] = {}
    tops: dict[str, float] = {}

    def stand(node: Any, name: str, layer: str) -> Any:
        """Place a node below the layer that it is for."""
        top = tops.get(layer, _BELOW_LAYERS)
        tops[layer] = top - height_of(node) - 60.0
        return sheet.stand(node, name, "Details", _column(names, layer), top)

    for layer, surface in plan.surfaces().items():
        if surface not in nodes:
            kind = terrain_details.group(surface, plan["detail_pixels"], tiles[surface], mapping)
            wide = min(size, _SAND) if layer == "sand" else size
            node = sheet.group(
                kind,
                Size=wide,
                Smallest=min(wide, terrain_details.true_size(surface)),
                Position=masks["Position"],
            )
            nodes[surface] = stand(node, f"Detail {surface}", layer).outputs
        found[layer] = {"Detail Color": nodes[surface]["Detail Color"]}
    if nodes:
        heights = {
            "Ground": nodes[plan.relief(measures.width)]["Detail Height"],
            "Rock": nodes[plan.surfaces().get("rock", plan.relief(measures.width))][
                "Detail Height"
            ],
        }
    if "woods" in names:
        kind = terrain_groups.shared_group(terrain_groups.CROWNS)
        size = _crown_size(measures)
        node = stand(sheet.group(kind, Size=size, Position=masks["Position"]), "Crowns", "woods")
        found["woods"] = {"Detail Color": node.outputs["Detail Color"]}
        heights["Crown"] = node.outputs["Detail Height"]
    if "rock" in names and palette.strata.strength > 0.0:
        node = stand(_strata(sheet, masks, palette, measures), "Strata", "rock")
        colors = {name: node.outputs[name] for name in ("Color", "Second Color")}
        found["rock"] = found.get("rock", {}) | colors
    return found, heights


def _column(names: tuple[str, ...], layer: str) -> float:
    """Return where a layer stands: snow comes after the crevices."""
    return 1.0 + names.index(layer) + float(layer == "snow")


def _strata(sheet: FramedNodes, masks: Any, palette: Landscape, measures: Measures) -> Any:
    rock, strata = palette.layers["rock"], palette.strata
    return sheet.group(
        terrain_groups.shared_group(terrain_groups.STRATA),
        Color=rock.color,
        Second_Color=rock.second,
        Pale_Color=strata.color,
        Strength=strata.strength,
        Thickness=measures.relief / strata.count,
        Position=masks["Position"],
        Noises=masks["Noises"],
    )


def _darkened(
    sheet: FramedNodes, masks: Any, palette: Landscape, below: dict[str, Any], column: float
) -> float:
    """Darken crevices of what lies below; return the next column."""
    node = sheet.group(
        terrain_groups.shared_group(terrain_groups.CREVICES),
        Strength=palette.crevices,
        Curvature=masks["Curvature"],
        Ribs=masks["Ribs"],
        **({"Color": below["Color"]} if below else {}),
    )
    sheet.stand(node, "Crevices", "Layers", column)
    below["Color"] = node.outputs["Color"]
    return column + 1.0


def _ramp(sheet: FramedNodes, masks: Any, plan: Plan) -> Any:
    """Place a ramp by height."""
    palette = plan.landscape()
    node = sheet.add("ShaderNodeValToRGB")
    sheet.stand(node, "Colors by Height", "Ramp", 1.0)
    elements = node.color_ramp.elements
    for at, (place, color) in enumerate(palette.ramp.stops):
        element = elements[at] if at < len(elements) else elements.new(place)
        element.position, element.color = place, (*color, 1.0)
    sheet.feed(masks["Height"], node.inputs["Fac"])
    below = {"Color": node.outputs["Color"]}
    column = _darkened(sheet, masks, palette, below, 2.0)
    return {"Color": below["Color"], "Roughness": 0.95, "column": column}


def _surface(sheet: FramedNodes, masks: Any, ground: Any, plan: Plan, measures: Measures) -> None:
    """Place the bumps, the water and the shader."""
    column, palette = ground["column"] + 0.3, plan.landscape()
    color, rough, normal = ground["Color"], ground["Roughness"], None
    if "Bumps" in ground:
        bumps = sheet.group(
            terrain_groups.shared_group(terrain_groups.BUMPS),
            Strength=plan["bump"],
            Bumps=ground["Bumps"],
            Ribs=masks["Ribs"],
            **{f"{name}_Height": source for name, source in ground["heights"].items()},
        )
        normal = sheet.stand(bumps, "Bumps", "Surface", column, -300.0).outputs["Normal"]
    elif plan["water"] != "none":
        geometry = sheet.add("ShaderNodeNewGeometry")
        normal = sheet.stand(geometry, "Normal", "Surface", column, -300.0).outputs["Normal"]
    shader = sheet.add("ShaderNodeBsdfPrincipled")
    specular: Any = 0.15
    if plan["water"] != "none":
        water = sheet.group(
            terrain_groups.shared_group(terrain_groups.WATER),
            Shallow=palette.shallow,
            Deep=palette.deep,
            Clear=_CLEAR * measures.width,
            Wave_Size=_WAVE * measures.width,
            Depth=masks["Water Depth"],
            Position=masks["Position"],
            Color=color,
            Roughness=rough,
            Normal=normal,
        )
        sheet.stand(water, "Water", "Surface", column + 0.7)
        color, rough = water.outputs["Color"], water.outputs["Roughness"]
        normal, specular = water.outputs["Normal"], water.outputs["Specular"]
    sheet.stand(shader, "Principled BSDF", "Surface", column + 1.6)
    for name, source in (
        ("Base Color", color), ("Roughness", rough), ("Normal", normal),
        ("Specular IOR Level", specular),
    ):  # fmt: skip
        if source is not None:
            sheet.feed(source, shader.inputs[name])
    output = sheet.add("ShaderNodeOutputMaterial")
    sheet.stand(output, "Material Output", "Surface", column + 2.5)
    sheet.feed(shader.outputs["BSDF"], output.inputs["Surface"])
    output.is_active_output = True


def _detail_size(plan: Plan, measures: Measures) -> float:
    return float(plan["detail_size"] or measures.width / _TILES)


def _crown_size(measures: Measures) -> float:
    return max(measures.width / _CROWNS, min(_CROWN, measures.width / _FEWEST_CROWNS))
