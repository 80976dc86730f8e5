# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups beside the layers: strata, crowns of trees, crevices, bumps."""

from __future__ import annotations

from ..node_graph import FAR, SHARE, NodeGraph, Value
from ..shared_groups import shared_group
from .ground_masks import even_noise


@shared_group("Terrane Strata", 1)
def strata_group(graph: NodeGraph) -> None:
    """Declare layers of rock, seen where it is bare."""
    own = {
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
        for name, color in own.items():
            shaded = graph.vector_math("SCALE", color, shade)
            graph.output(name, graph.mix(share, shaded, pale, "RGBA"), "For a layer", "Color")


@shared_group("Terrane Crowns", 1)
def crowns_group(graph: NodeGraph) -> None:
    """Declare crowns of trees, seen from above."""
    size = graph.number("Size", 8.0, (1e-3, FAR), "Of crowns in meters", "DISTANCE")
    position = graph.vector("Position", "Of the masks")
    with graph.frame("Crowns"):
        place = graph.vector_math("SCALE", position, 1.0 / size)
        cells = graph.node("ShaderNodeTexVoronoi", {"Vector": place, "Scale": 1.0}, label="Crowns")
        rounded = graph.map_range(cells["Distance"], 0.0, 0.75, 1.0, 0.0)
    with graph.frame("Colors"):
        tint, other, _ = graph.separate(cells["Color"])
        light = graph.map_range(rounded, first=0.45, last=1.25)
        light = light * graph.map_range(tint, first=0.7, last=1.3)
        warm = light * graph.map_range(other, first=0.85, last=1.35)
        tinted = graph.combine(warm, light, light)
    height = graph.math("MULTIPLY_ADD", rounded, 1.0, -0.5)
    graph.output("Detail Color", tinted, "For a layer", "Color")
    graph.output("Detail Height", height, "For a layer")


@shared_group("Terrane Crevices", 1)
def crevices_group(graph: NodeGraph) -> None:
    """Declare dark crevices and bright edges, as dust and wind make them."""
    color = graph.color("Color", (0.5, 0.5, 0.5), "Of the layers below")
    strength = graph.number("Strength", 0.3, SHARE, "How much darker and brighter", "FACTOR")
    curvature = graph.number("Curvature", 0.0, (-1.0, 1.0), "Of the masks")
    ribs = graph.number("Ribs", 0.5, SHARE, "Of the masks")
    both = curvature * 0.85 + (ribs + -0.5) * 0.5
    factor = graph.math("MULTIPLY_ADD", both, strength, 1.0)
    shaded = graph.vector_math("SCALE", color, factor)
    graph.output("Color", shaded, "For the layer above", "Color")


@shared_group("Terrane Bumps", 3)
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
