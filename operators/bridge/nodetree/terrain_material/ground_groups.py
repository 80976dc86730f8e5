# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups beside the layers: strata, crowns of trees, crevices, bumps, water."""

from __future__ import annotations

from typing import Any

from ..node_graph import NodeGraph
from ..sockets import FAR, SHARE, Panel, Socket, color, number, vector
from .masks_group import even_noise


def declare_strata() -> NodeGraph:
    """Declare layers of rock, seen where it is bare."""
    graph = NodeGraph()
    graph.declare_outputs(
        Socket("Color", "COLOR", help="For a layer"),
        Socket("Second Color", "COLOR", help="For a layer"),
    )
    graph.declare_inputs(
        color("Color", (0.3, 0.2, 0.1), "Of the rock"),
        color("Second Color", (0.4, 0.25, 0.15), "What takes turns with it"),
        color("Pale Color", (0.5, 0.4, 0.3), "Of pale layers"),
        number("Strength", 0.5, SHARE, "How strongly they show", subtype="FACTOR"),
        number("Thickness", 20.0, (1e-3, FAR), "Mean thickness in meters", subtype="DISTANCE"),
        number("Tilt", 0.014, (-1.0, 1.0), "How steeply they lie: meters up per meter"),
        vector("Position", "Of the masks"),
        vector("Noises", "Of the masks"),
    )
    given = graph.inputs
    strength = given["Strength"]
    with graph.titled_frame("Level"):
        x, y, z = graph.separate(given["Position"])
        _, push, turns = graph.separate(given["Noises"])
        bent = (turns * 1.6 + push * 0.15 + -0.8) * given["Thickness"] * 1.1
        tilted = graph.math("MULTIPLY_ADD", y, -0.6, x) * given["Tilt"]
        level = graph.math("DIVIDE", z + bent + tilted, given["Thickness"], label="Level")
    with graph.titled_frame("Layers"):
        thick = even_noise(graph, level, 1.0, 3.0, 0.62, "Layers", dimensions="1D")
        thin = even_noise(graph, level, 5.3, 2.0, 0.5, "Thin Layers", dimensions="1D")
        dark = graph.math("MULTIPLY_ADD", strength, -0.62, 1.0)
        bright = graph.math("MULTIPLY_ADD", strength, 0.55, 1.0)
        shade = graph.map_range(thick * 0.75 + thin * 0.25, 0.12, 0.88, dark, bright)
        pale = graph.map_range(thick, 0.66, 0.80, kind="SMOOTHSTEP") * strength * 0.75
    with graph.titled_frame("Colors"):
        colors = {
            name: graph.mix(
                pale, graph.vector_math("SCALE", given[name], shade), given["Pale Color"], "RGBA"
            )
            for name in ("Color", "Second Color")
        }
    return graph.finish(colors)


def declare_crowns() -> NodeGraph:
    """Declare crowns of trees, seen from above."""
    graph = NodeGraph()
    graph.declare_outputs(
        Socket("Detail Color", "COLOR", help="For a layer"),
        Socket("Detail Height", help="For a layer"),
    )
    graph.declare_inputs(
        number("Size", 8.0, (1e-3, FAR), "Of crowns in meters", subtype="DISTANCE"),
        vector("Position", "Of the masks"),
    )
    given = graph.inputs
    with graph.titled_frame("Crowns"):
        place = graph.vector_math("SCALE", given["Position"], 1.0 / given["Size"])
        cells = graph.node("ShaderNodeTexVoronoi", {"Vector": place, "Scale": 1.0}, label="Crowns")
        rounded = graph.map_range(cells["Distance"], 0.0, 0.75, 1.0, 0.0)
    with graph.titled_frame("Colors"):
        tint, other, _ = graph.separate(cells["Color"])
        light = graph.map_range(rounded, first=0.45, last=1.25)
        light = light * graph.map_range(tint, first=0.7, last=1.3)
        warm = light * graph.map_range(other, first=0.85, last=1.35)
        tinted = graph.combine(warm, light, light)
    height = graph.math("MULTIPLY_ADD", rounded, 1.0, -0.5)
    return graph.finish({"Detail Color": tinted, "Detail Height": height})


def declare_crevices() -> NodeGraph:
    """Declare dark crevices and bright edges, as dust and wind make them."""
    graph = NodeGraph()
    graph.declare_outputs(Socket("Color", "COLOR", help="For the layer above"))
    graph.declare_inputs(
        color("Color", (0.5, 0.5, 0.5), "Of the layers below"),
        number("Strength", 0.3, SHARE, "How much darker and brighter", subtype="FACTOR"),
        number("Curvature", 0.0, (-1.0, 1.0), "Of the masks"),
        number("Ribs", 0.5, SHARE, "Of the masks"),
    )
    given = graph.inputs
    both = given["Curvature"] * 0.85 + (given["Ribs"] + -0.5) * 0.5
    factor = graph.math("MULTIPLY_ADD", both, given["Strength"], 1.0)
    return graph.finish({"Color": graph.vector_math("SCALE", given["Color"], factor)})


def declare_bumps() -> NodeGraph:
    """Declare bumps; their heights are calculated once, only their textures are looked up beside."""
    kinds = ("Ground", "Rock", "Crown")
    graph = NodeGraph()
    graph.declare_outputs(Socket("Normal", "VECTOR", help="For the shader"))
    graph.declare_inputs(
        number("Strength", 1.0, (0.0, 10.0), "Makes all bumps higher or lower"),
        vector("Bumps", "Of the layers: meters of the ground's, the rock's, the crowns'"),
        *(
            number(f"{kind} Height", 0.0, (-10.0, 10.0), "Of its details, from -1 to 1")
            for kind in kinds
        ),
        number(
            "Crags", 0.6, (-10.0, 10.0),
            "How high crags of rock are beside its details: they are as large"
            " as what erosion has left out, and as small as stones",
        ),
        number("Ribs", 0.5, SHARE, "Of the masks: the shape of crags"),
    )  # fmt: skip
    given = graph.inputs
    with graph.titled_frame("Heights"):
        meters = graph.separate(graph.vector_math("SCALE", given["Bumps"], given["Strength"]))
        rock = given["Rock Height"] + given["Crags"] * (given["Ribs"] + -0.5)
    heights = (given["Ground Height"], rock, given["Crown Height"])
    normal: dict[str, Any] = {}
    with graph.titled_frame("Bumps"):
        for kind, height, distance in zip(kinds, heights, meters, strict=True):
            inputs = {"Strength": 1.0, "Height": height, "Distance": distance, **normal}
            normal = {"Normal": graph.node("ShaderNodeBump", dict(inputs), label=kind)["Normal"]}
    return graph.finish(normal)


def declare_water() -> NodeGraph:
    """Declare water: clear at the shore, dark in the deep."""
    graph = NodeGraph()
    graph.declare_outputs(
        Socket("Color", "COLOR", help="For the shader"),
        Socket("Roughness", help="For the shader"),
        Socket("Specular", help="For the shader"),
        Socket("Normal", "VECTOR", help="For the shader: water lies level"),
    )
    below = Panel("From Below", is_closed=True)
    graph.declare_inputs(
        color("Shallow", (0.05, 0.14, 0.13), "Of water that one sees the ground through"),
        color("Deep", (0.004, 0.02, 0.035), "Of deep water"),
        number("Clear", 10.0, (1e-3, FAR), "Depth in meters to which one sees", subtype="DISTANCE"),
        number("Waves", 0.3, SHARE, "How rough it is", subtype="FACTOR"),
        number("Wave Size", 30.0, (1e-3, FAR), "In meters", subtype="DISTANCE"),
        number("Depth", 0.0, (0.0, FAR), "Of the masks", below),
        vector("Position", "Of the masks", below),
        color("Color", (0.5, 0.5, 0.5), "Of the ground", below),
        number("Roughness", 0.9, SHARE, "Of the ground", below),
        number("Specular", 0.15, SHARE, "Of the ground", below),
        vector("Normal", "Of the ground", below),
    )
    given = graph.inputs
    depth, clear = given["Depth"], given["Clear"]
    with graph.titled_frame("Depth"):
        wet = graph.map_range(depth, 0.0, clear * 0.04, kind="SMOOTHSTEP", label="Is Wet")
        murk = 1.0 - graph.math("POWER", 0.37, depth / clear)
    with graph.titled_frame("Waves"):
        place = graph.vector_math("SCALE", given["Position"], 1.0 / given["Wave Size"])
        swell = even_noise(graph, place, 1.0, 4.0, 0.6, "Swell")
        waves = graph.node(
            "ShaderNodeBump",
            {
                "Strength": given["Waves"],
                "Height": swell,
                "Distance": given["Wave Size"] * 0.02,
                "Normal": graph.combine(0.0, 0.0, 1.0),
            },
            label="Waves",
        )
    with graph.titled_frame("Water over the Ground"):
        seen = graph.map_range(depth, 0.0, clear, 0.55, 1.0)
        bottom = graph.mix(seen, given["Color"], given["Shallow"], "RGBA")
        body = graph.mix(murk, bottom, given["Deep"], "RGBA")
        results = {
            "Color": graph.mix(wet, given["Color"], body, "RGBA"),
            "Roughness": graph.mix(wet, given["Roughness"], 0.08),
            "Specular": graph.mix(wet, given["Specular"], 0.5),
            "Normal": graph.mix(wet, given["Normal"], waves["Normal"], "RGBA"),
        }
    return graph.finish(results)
