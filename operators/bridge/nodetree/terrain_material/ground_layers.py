# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of layers of ground: the layer over the layers below, and its strata, crowns, crevices and bumps."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .....noise_core.materials.colors import ASPHALT, GroundLayer
from .....noise_core.materials.ground.layers import (
    BROAD_LAYERS,
    DAMP,
    DRY_EDGES,
    ROAD_TONES,
    TURNED,
)
from ..node_graph import ANY, FAR, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group
from .ground_masks import even_noise

_CRISP = 0.12
"""Part of the noise over which a spot of a broken edge fades."""

_HEAPED = 0.266
"""Half the width of a smooth step that makes ribs even from 0 to 1. They are about normal, with a
measured standard deviation of 0.1416; a smooth step 1.88 times as wide is as steep in its middle."""

LayerInputs = Mapping[str, Output]


@shared_group("Terrane Layer", 6)
def layer_group(graph: NodeGraph) -> None:
    """Declare a layer: its mask, its color and its bumps over those of the layers below."""
    _declare_layer_inputs(graph)
    inputs = graph.inputs
    mask = _mask(graph, inputs)
    with graph.frame("Color"):
        plain = _plain_color(graph, inputs)
        own_color = graph.mix(
            inputs["Detail"], plain, inputs["Detail Color"], "RGBA", blend_type="MULTIPLY"
        )
    with graph.frame("Bumps"):
        ground, rock, crown = (inputs[f"{kind} Bump"] for kind in ("Ground", "Rock", "Crown"))
        own_bumps = graph.combine(ground, rock, crown, "Bumps")
        kept = 1.0 - mask * inputs["Smothers"]
        bumps = graph.vector_math(
            "ADD",
            graph.vector_math("SCALE", own_bumps, mask),
            graph.vector_math("SCALE", inputs["Bumps Below"], kept),
        )
    with graph.frame("Over the Layers Below"):
        covered = graph.mix(mask, inputs["Color Below"], own_color, "RGBA")
        roughness = graph.mix(mask, inputs["Roughness Below"], inputs["Roughness"])
    graph.output("Color", covered, "Of all layers up to this one", "Color")
    graph.output("Roughness", roughness, "Of all layers up to this one")
    graph.output("Mask", mask, "How much this layer covers, from 0 to 1")
    graph.output("Bumps", bumps, "Of all layers up to this one", "Vector")
    graph.output("Plain Color", plain, "Of this layer alone, without details", "Color")
    graph.output("Own Detail", inputs["Detail"], "How much the detail changes the color")
    graph.output("Own Roughness", inputs["Roughness"], "Of this layer alone")
    graph.output("Own Bumps", own_bumps, "Of this layer alone, in meters", "Vector")


def layer_values(layer: GroundLayer, *, is_base: bool) -> dict[str, Value]:
    """Return a palette's values of a layer by input; the lowest layer has no limits."""
    values: dict[str, Value] = {
        "Color": layer.color, "Second Color": layer.second, "Tint": layer.tint,
        "Roughness": layer.roughness, "Detail": layer.detail, "Smothers": layer.smothers,
    }  # fmt: skip
    if is_base:
        return values
    return values | {
        "Amount": layer.amount, "Softness": layer.softness, "Lowest": layer.lowest,
        "Highest": layer.highest, "Height Fade": layer.fade, "Flattest": layer.flattest,
        "Steepest": layer.steepest, "Slope Fade": layer.slope_fade, "Steeper": layer.steeper,
        "Ragged": layer.ragged, "Broken": layer.broken, "Flow": layer.flow, "Wear": layer.wear,
        "Deposit": layer.deposit, "Curvature": layer.curvature, "Thin": layer.thin,
    }  # fmt: skip


def _declare_layer_inputs(graph: NodeGraph) -> None:
    """Declare the inputs of a layer, in the order in which the panel of the group shows them."""
    _declare_look(graph)
    _declare_limits(graph)
    _declare_links(graph)


def _declare_look(graph: NodeGraph) -> None:
    # fmt: off
    number, color, far = graph.number, graph.color, (0.0, FAR)
    with graph.panel("Look"):
        color("Color", (0.5, 0.5, 0.5), "What it looks like")
        color("Second Color", (0.4, 0.4, 0.4), "What takes turns with it")
        number("Tint", 0.0, SHARE, "How much of the second color comes with height", "FACTOR")
        number("Roughness", 0.95, SHARE, "0 is a mirror, 1 is chalk", "FACTOR")
        number("Detail", 0.6, SHARE, "How much the detail changes the color", "FACTOR")
        number("Ground Bump", 0.0, far, "Height in meters of stones, ripples or blades", "DISTANCE")
        number("Rock Bump", 0.0, far, "Height in meters of cracks and ribs", "DISTANCE")
        number("Crown Bump", 0.0, far, "Height in meters of crowns of trees", "DISTANCE")
        number("Smothers", 0.7, SHARE, "How much of the bumps below it covers", "FACTOR")
    # fmt: on


def _declare_limits(graph: NodeGraph) -> None:
    # fmt: off
    number, more = graph.number, (-10.0, 10.0)
    with graph.panel("Limits"):
        number("Amount", 1.0, more, "Share of the ground within the limits that is covered")
        number("Softness", 0.15, SHARE, "How soft the edges of patches are", "FACTOR")
        text = "Height below which there is none: from 0 (foot) to 1 (top), or meters above the water"
        number("Lowest", -10.0, ANY, text)
        number("Highest", 10.0, ANY, "Height above which there is none")
        number("Height Fade", 0.1, (1e-6, FAR), "Over which height it fades")
        number("Flattest", -90.0, (-180.0, 180.0), "Slope in degrees below which there is none")
        number("Steepest", 180.0, (-180.0, 360.0), "Slope in degrees above which there is none")
        number("Slope Fade", 8.0, (1e-6, 180.0), "Over how many degrees it fades")
        number("Steeper", 0.0, (-180.0, 180.0), "Degrees by which Steepest grows from foot to top")
        number("Ragged", 0.5, (0.0, 10.0), "How far noise pushes the limits, in their fades")
        text = "How far edges break up into spots instead of fading: half covered is then half of the spots"
        number("Broken", 0.0, SHARE, text, "FACTOR")
    with graph.panel("Traces"):
        number("Flow", 0.0, more, "Added to the amount where rivers are near; less than 0 takes away")
        number("Wear", 0.0, more, "Added to the amount where most has been worn away")
        number("Deposit", 0.0, more, "Added to the amount where most has been left")
        number("Curvature", 0.0, more, "Added to the amount on edges, taken away in crevices")
        text = "1 lets it lie where it is thick, and leaves limits and patches out"
        number("By Thickness", 0.0, SHARE, text, "FACTOR")
        number("Thin", 0.07, (1e-6, 10.0), "Thickness that covers all of the ground")
    # fmt: on


def _declare_links(graph: NodeGraph) -> None:
    """Declare the inputs that other groups of nodes fill."""
    # fmt: off
    number, color, vector = graph.number, graph.color, graph.vector
    _declare_mask_links(graph)
    with graph.panel("From Details", is_closed=True):
        color("Detail Color", (1.0, 1.0, 1.0), "Multiplies the color; 1 changes nothing")
    with graph.panel("From Below", is_closed=True):
        color("Color Below", (0.5, 0.5, 0.5), "Of the layers below")
        number("Roughness Below", 0.95, SHARE, "Of the layers below", "FACTOR")
        vector("Bumps Below", "Of the layers below, in meters")
    # fmt: on


def _declare_mask_links(graph: NodeGraph) -> None:
    with graph.panel("From Masks", is_closed=True):
        graph.vector("Place", "Height, slope, curvature: Place or Shore of the masks")
        graph.vector("Traces", "Flow, wear, deposit: one of the traces of the masks")
        graph.vector("Noises", "Noises of the masks")
        graph.number("Thickness", 0.0, SHARE, "Of this layer, from 0 to 1")
        graph.number("Grain", 0.5, SHARE, "Ribs of the masks: the spots that edges break up into")


def declare_layer_mask() -> NodeGraph:
    """Declare the mask of a layer alone, for trees of either kind: of shaders and of geometry."""
    graph = NodeGraph("Layer Mask")
    _declare_limits(graph)
    _declare_mask_links(graph)
    graph.output("Mask", _mask(graph, graph.inputs), "How much the layer covers, from 0 to 1")
    return graph


_SIDEWAYS = ("scree", "river")
"""Layers that follow other traces than the rest."""


def mask_links(
    name: str, layer: GroundLayer, masks: Output, thick: Collection[str]
) -> dict[str, Value]:
    """Return the inputs of a layer that come from the masks; `thick` are the layers whose thickness is known."""
    traces = f"{name.title()} Traces" if name in _SIDEWAYS else "Traces"
    links: dict[str, Value] = {
        "Place": masks["Shore" if layer.is_shore else "Place"],
        "Traces": masks[traces],
        "Noises": masks["Broad Noises" if name in BROAD_LAYERS else "Noises"],
        "Grain": masks["Ribs"],
    }
    if layer.cover in thick:
        links |= {"By Thickness": 1.0, "Thickness": masks[layer.cover.title()]}
    return links


def _mask(graph: NodeGraph, inputs: LayerInputs) -> Output:
    """Return the share of the ground that the layer covers."""
    with graph.frame("Limits"):
        height, slope, _ = graph.separate(inputs["Place"], "Place")
        _, push, _ = graph.separate(inputs["Noises"], "Noises")
        push = graph.math("MULTIPLY", push, inputs["Ragged"], label="Push")
        by_height = _band(
            graph, height, push, inputs["Lowest"], inputs["Highest"], inputs["Height Fade"]
        )
        steepest = inputs["Steepest"] + inputs["Steeper"] * height
        by_slope = _band(graph, slope, push, inputs["Flattest"], steepest, inputs["Slope Fade"])
    with graph.frame("Patches"):
        _, _, bend = graph.separate(inputs["Place"], "Place")
        patches, _, _ = graph.separate(inputs["Noises"], "Noises")
        traces = (*graph.separate(inputs["Traces"], "Traces"), bend)
        amount: Value = inputs["Amount"]
        for name, trace in zip(("Flow", "Wear", "Deposit", "Curvature"), traces, strict=True):
            # Not in one node: Cycles leaves out a product with 0, and a sum with it.
            amount = amount + inputs[name] * trace
        # Of the noise, which is even from 0 to 1, the share `amount` lies above the edge of patches.
        soft = graph.math("MAXIMUM", inputs["Softness"] * 2.0, 1e-3)
        over = patches - (1.0 - amount) * (soft + 1.0)
        covered = graph.map_range(over, soft * -1.0, 0.0, kind="SMOOTHSTEP", label="Patches")
    with graph.frame("Thickness"):
        uneven = graph.math("MULTIPLY_ADD", push, 0.5, 1.0)
        thick = graph.map_range(
            inputs["Thickness"] * uneven, 0.0, inputs["Thin"], kind="SMOOTHSTEP", label="Thick"
        )
        share = graph.mix(inputs["By Thickness"], by_height * by_slope * covered, thick)
    with graph.frame("Broken Edges"):
        return _break_up(graph, share, inputs)


def _break_up(graph: NodeGraph, share: Value, inputs: LayerInputs) -> Output:
    """Return 1 in a share of the grains and 0 in the others, or the share itself, or between."""
    even = graph.map_range(
        inputs["Grain"], 0.5 - _HEAPED, 0.5 + _HEAPED, kind="SMOOTHSTEP", label="Even"
    )
    # Where all or nothing is covered, no spot is to differ.
    over = graph.math("MULTIPLY_ADD", share, 1.0 + 2.0 * _CRISP, -_CRISP) - even
    spots = graph.map_range(over, -_CRISP, _CRISP, kind="SMOOTHSTEP", label="Spots")
    return graph.mix(inputs["Broken"], share, spots)


def _band(
    graph: NodeGraph, value: Value, push: Value, low: Value, high: Value, fade: Value
) -> Output:
    """Return 1 between two limits, 0 beyond, with soft and ragged edges."""
    pushed = graph.math("MULTIPLY_ADD", push, fade, value)
    inside = graph.math("MINIMUM", pushed - low, high - pushed)
    return graph.map_range(inside / fade, -0.5, 0.5, kind="SMOOTHSTEP", label="Within")


def _plain_color(graph: NodeGraph, inputs: LayerInputs) -> Output:
    height, _, bend = graph.separate(inputs["Place"])
    _, _, turns = graph.separate(inputs["Noises"])
    # Heights and edges are drier than hollows.
    dry = inputs["Tint"] * (height + bend * DRY_EDGES + -0.35)
    turned = graph.math("MULTIPLY_ADD", turns, TURNED, 0.5 - 0.5 * TURNED)
    share = graph.math("ADD", turned, dry, clamp=True)
    return graph.mix(share, inputs["Color"], inputs["Second Color"], "RGBA")


@shared_group("Terrane Strata", 1)
def strata_group(graph: NodeGraph) -> None:
    """Declare layers of rock, seen where it is bare."""
    colors = {
        "Color": graph.color("Color", (0.3, 0.2, 0.1), "Of the rock"),
        "Second Color": graph.color("Second Color", (0.4, 0.25, 0.15), "What takes turns with it"),
    }
    pale = graph.color("Pale Color", (0.5, 0.4, 0.3), "Of pale layers")
    strength = graph.number("Strength", 0.5, SHARE, "How strongly they show", "FACTOR")
    limits = (1e-3, FAR)
    thickness = graph.number("Thickness", 20.0, limits, "Mean thickness in meters", "DISTANCE")
    tilt = graph.number("Tilt", 0.014, (-1.0, 1.0), "How steeply they lie: meters up per meter")
    position = graph.vector("Position", "Of the masks")
    noises = graph.vector("Noises", "Of the masks")
    with graph.frame("Level"):
        x, y, z = graph.separate(position)
        _, push, turns = graph.separate(noises)
        bent = (turns * 1.6 + push * 0.15 + -0.8) * thickness * 1.1
        tilted = graph.math("MULTIPLY_ADD", y, -0.6, x) * tilt
        level = graph.math("DIVIDE", z + bent + tilted, thickness, label="Level")
    with graph.frame("Layers"):
        thick = even_noise(graph, level, 1.0, 3.0, 0.62, "Layers", dimensions="1D")
        thin = even_noise(graph, level, 5.3, 2.0, 0.5, "Thin Layers", dimensions="1D")
        dark = graph.math("MULTIPLY_ADD", strength, -0.62, 1.0)
        bright = graph.math("MULTIPLY_ADD", strength, 0.55, 1.0)
        shade = graph.map_range(thick * 0.75 + thin * 0.25, 0.12, 0.88, dark, bright)
        share = graph.map_range(thick, 0.66, 0.80, kind="SMOOTHSTEP") * strength * 0.75
    with graph.frame("Colors"):
        for name, color in colors.items():
            shaded = graph.vector_math("SCALE", color, shade)
            graph.output(name, graph.mix(share, shaded, pale, "RGBA"), "For a layer", "Color")


@shared_group("Terrane Road", 1)
def road_group(graph: NodeGraph) -> None:
    """Declare the colors of roads by how firm they are: earth, gravel, asphalt."""
    earth = graph.color("Earth", (0.17, 0.14, 0.10), "Of trails")
    gravel = graph.color("Gravel", (0.24, 0.22, 0.19), "Of gravel")
    asphalt = graph.color("Asphalt", ASPHALT, "Of asphalt")
    firm = graph.number("Road", 0.0, SHARE, "Of the masks", "FACTOR")
    graveled = graph.map_range(firm, 1.0 / 3.0, 2.0 / 3.0, label="Gravel")
    paved = graph.map_range(firm, 2.0 / 3.0, 1.0, label="Asphalt")
    bright = graph.mix(paved, graph.mix(graveled, earth, gravel, "RGBA"), asphalt, "RGBA")
    graph.output("Color", bright, "For a layer", "Color")
    dark = graph.vector_math("SCALE", bright, 1.0 - ROAD_TONES)
    graph.output("Second Color", dark, "For a layer", "Color")


PLANTED = "Planted Up To"
"""Input of the crowns: how far from the camera trees stand, between which no crowns are painted."""

_FLOOR = (0.44, 0.40, 0.40)
"""Factors on the color of woods below trees: those of crowns on average, in their shade."""

_PLANTED_FADE = 0.85
"""Share of that distance from which on painted crowns come in, as trees become fewer."""


@shared_group("Terrane Crowns", 2)
def crowns_group(graph: NodeGraph) -> None:
    """Declare crowns of trees, seen from above; where trees stand, the ground below them."""
    size = graph.number("Size", 8.0, (1e-3, FAR), "Of crowns in meters", "DISTANCE")
    text = "Distance from the camera up to which trees stand: the ground between them has no crowns"
    planted = graph.number(PLANTED, 0.0, (0.0, 1e9), text, "DISTANCE")
    position = graph.vector("Position", "Of the masks")
    with graph.frame("Crowns"):
        place = graph.vector_math("SCALE", position, 1.0 / size)
        cells = graph.node("ShaderNodeTexVoronoi", {"Vector": place, "Scale": 1.0}, label="Crowns")
        rounded = graph.map_range(cells["Distance"], 0.0, 0.75, 1.0, 0.0)
    with graph.frame("Colors"):
        tint, warmth, _ = graph.separate(cells["Color"])
        light = graph.map_range(rounded, first=0.45, last=1.25)
        light = light * graph.map_range(tint, first=0.7, last=1.3)
        warm = light * graph.map_range(warmth, first=0.85, last=1.35)
        tinted = graph.combine(warm, light, light)
    with graph.frame("Below Trees"):
        distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"]
        last = graph.math("MAXIMUM", planted, 1e-3)
        painted = graph.map_range(distance, last * _PLANTED_FADE, last, kind="SMOOTHSTEP")
        shown = graph.mix(painted, _FLOOR, tinted, "VECTOR")
    height = graph.math("MULTIPLY_ADD", rounded, 1.0, -0.5) * painted
    graph.output("Detail Color", shown, "For a layer", "Color")
    graph.output("Detail Height", height, "For a layer")


@shared_group("Terrane Crevices", 2)
def crevices_group(graph: NodeGraph) -> None:
    """Declare dark crevices and bright edges, as dust and wind make them, and dark wet ground."""
    color = graph.color("Color", (0.5, 0.5, 0.5), "Of the layers below")
    strength = graph.number("Strength", 0.3, SHARE, "How much darker and brighter", "FACTOR")
    curvature = graph.number("Curvature", 0.0, (-1.0, 1.0), "Of the masks")
    ribs = graph.number("Ribs", 0.5, SHARE, "Of the masks")
    wet = graph.number("Wet", 0.0, SHARE, "Of the masks", "FACTOR")
    relief = curvature * 0.85 + (ribs + -0.5) * 0.5
    factor = graph.math("MULTIPLY_ADD", relief, strength, 1.0)
    shaded = graph.vector_math("SCALE", color, factor)
    damp = graph.vector_math("MULTIPLY_ADD", graph.combine(wet, wet, wet), DAMP, (1.0, 1.0, 1.0))
    shaded = graph.vector_math("MULTIPLY", shaded, damp)
    graph.output("Color", shaded, "For the layer above", "Color")


@shared_group("Terrane Bumps", 4)
def bumps_group(graph: NodeGraph) -> None:
    """Declare bumps; their heights are calculated once, only their textures are looked up beside."""
    kinds, limits = ("Ground", "Rock", "Crown"), (-10.0, 10.0)
    strength = graph.number("Strength", 1.0, (0.0, 10.0), "Makes all bumps higher or lower")
    bumps = graph.vector("Bumps", "Of the layers: meters of the ground's, the rock's, the crowns'")
    heights = {
        kind: graph.number(f"{kind} Height", 0.0, limits, "Of its details, from -1 to 1")
        for kind in kinds
    }
    text = (
        "How high crags of rock are beside its details: they are as large"
        " as what erosion has left out, and as small as stones"
    )
    crags = graph.number("Crags", 0.6, limits, text)
    ribs = graph.number("Ribs", 0.5, SHARE, "Of the masks: the shape of crags")
    ledges = graph.number("Ledges", 0.6, limits, "How high ledges of rock are beside its details")
    beds = graph.number("Beds", 0.5, SHARE, "Of the masks: the shape of ledges")
    with graph.frame("Heights"):
        meters = graph.separate(graph.vector_math("SCALE", bumps, strength))
        heights["Rock"] = heights["Rock"] + crags * (ribs + -0.5) + ledges * (beds + -0.5)
    inputs: dict[str, Value] = {"Strength": 1.0}
    with graph.frame("Bumps"):
        for (kind, height), distance in zip(heights.items(), meters):
            inputs |= {"Height": height, "Distance": distance}
            normal = graph.node("ShaderNodeBump", dict(inputs), label=kind)
            inputs["Normal"] = normal
    graph.output("Normal", normal, "For the shader", "Vector")
    for name, value in (("Strength", strength), ("Crags", crags), ("Ledges", ledges)):
        graph.output(name, value, "The same for single layers")
