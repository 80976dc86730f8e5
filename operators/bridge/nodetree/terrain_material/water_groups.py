# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of water over the ground of a terrain material and on meshes."""

from __future__ import annotations

from ..node_graph import FAR, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group
from .ground_masks import even_noise

_STREAM = 16.0
"""How many times deeper a river looks than it is: it carries silt, and is drawn wider than real ones."""

_SURF = 0.3
"""Depth from which on waves break less, in depths to which water is clear."""

_DRAWN_OUT = 0.22
"""Width of ripples on a river as a share of their length."""

_FOAM = (0.80, 0.83, 0.83)


@shared_group("Terrane Water", 2)
def water_group(graph: NodeGraph) -> None:
    """Declare water: clear at the shore, dark in the deep, with waves, surf and running ripples."""
    _declare_inputs(graph)
    inputs = graph.inputs
    flow = inputs["Flow"]
    with graph.frame("Depth"):
        looks = inputs["Depth"] * graph.math("MULTIPLY_ADD", flow, _STREAM - 1.0, 1.0)
        wet = graph.map_range(looks, 0.0, inputs["Clear"] * 0.04, kind="SMOOTHSTEP", label="Is Wet")
        murk = 1.0 - graph.math("POWER", 0.37, looks / inputs["Clear"], label="Murk")
        opaque = graph.map_range(looks, 0.0, inputs["Clear"] * 0.35, 0.3, 1.0, label="Opacity")
    along, across, white = graph.separate(inputs["Course"])
    with graph.frame("Places"):
        size = 1.0 / inputs["Wave Size"]
        still = graph.vector_math("SCALE", inputs["Position"], size)
        run = graph.combine(along * _DRAWN_OUT, across)
        run = graph.vector_math("SCALE", run, size * 7.0)
        place = graph.mix(flow, still, run, "VECTOR", label="Place")
    surf, near = _surf(graph, place, white)
    foam = surf * inputs["Foam"] * graph.map_range(looks, 0.0, inputs["Clear"] * 0.002)
    with graph.frame("Waves"):
        swell = even_noise(graph, place, 1.0, 5.0, 0.62, "Swell")
        lines = graph.math("SINE", white * 40.0)
        height = swell + lines * near * 0.35 + foam * 0.5
        waves = {
            "Strength": inputs["Waves"],
            "Height": height,
            "Distance": inputs["Wave Size"] * graph.map_range(flow, first=0.06, last=0.012),
            "Normal": graph.combine(0.0, 0.0, 1.0),
        }
        waved = graph.node("ShaderNodeBump", waves, label="Waves")
        gusts = graph.vector_math("SCALE", inputs["Position"], size / 29.0)
        gusts = even_noise(graph, gusts, 1.0, 4.0, 0.6, "Gusts")
        rough = graph.map_range(gusts, first=0.05, last=0.18)
        rough = graph.mix(foam, rough, 0.7)
    with graph.frame("Water over the Ground"):
        seen = graph.map_range(looks, 0.0, inputs["Clear"], 0.55, 1.0)
        bottom = graph.mix(seen, inputs["Color"], inputs["Shallow"], "RGBA")
        body = graph.mix(murk, bottom, inputs["Deep"], "RGBA")
        color = graph.mix(wet, inputs["Color"], body, "RGBA")
        color = graph.mix(foam, color, (*_FOAM, 1.0), "RGBA")
        roughness = graph.mix(wet, inputs["Roughness"], rough)
        specular = graph.mix(wet, inputs["Specular"], 0.5)
        normal = graph.mix(wet, inputs["Normal"], waved, "RGBA")
    graph.output("Color", color, "For the shader", "Color")
    graph.output("Roughness", roughness, "For the shader")
    graph.output("Specular", specular, "For the shader")
    graph.output("Normal", normal, "For the shader: water lies level", "Vector")
    opacity = graph.math("MAXIMUM", opaque * wet, foam, label="Opacity")
    graph.output(
        "Opacity", opacity, "For water that is a mesh of its own: how little of the ground one sees"
    )


def _declare_inputs(graph: NodeGraph) -> None:
    long, number = (1e-3, FAR), graph.number
    graph.color("Shallow", (0.05, 0.14, 0.13), "Of water that one sees the ground through")
    graph.color("Deep", (0.004, 0.02, 0.035), "Of deep water")
    number("Clear", 10.0, long, "Depth in meters to which one sees", "DISTANCE")
    number("Waves", 0.3, SHARE, "How rough it is", "FACTOR")
    number("Wave Size", 30.0, long, "In meters", "DISTANCE")
    number("Foam", 1.0, SHARE, "How strongly surf and rapids foam", "FACTOR")
    with graph.panel("From Below", is_closed=True):
        number("Depth", 0.0, (0.0, FAR), "In meters")
        graph.vector("Position", "In meters")
        graph.vector(
            "Course",
            "Meters along a river, meters across it, and the share of foam; on the sea how near the shore is, up to 1",
        )
        number("Flow", 0.0, SHARE, "1 on rivers, 0 on standing water")
        graph.color("Color", (0.5, 0.5, 0.5), "Of the ground")
        number("Roughness", 0.9, SHARE, "Of the ground")
        number("Specular", 0.15, SHARE, "Of the ground")
        graph.vector("Normal", "Of the ground")


def _surf(graph: NodeGraph, place: Value, white: Value) -> tuple[Output, Output]:
    """Return the foam of surf and rapids, and how near to a beach a place is, both from 0 to 1."""
    inputs = graph.inputs
    flow = inputs["Flow"]
    with graph.frame("Foam"):
        sea = white * (1.0 - flow)
        shallow = graph.map_range(inputs["Depth"] / (inputs["Clear"] * _SURF), first=1.0, last=0.65)
        near = graph.map_range(sea, 0.35, 1.0, label="Near the Beach") * shallow
        lace = even_noise(graph, place, 2.6, 6.0, 0.72, "Lace")
        large = even_noise(graph, place, 0.31, 3.0, 0.5, "Sets of Waves")
        wave = graph.math("SINE", sea * 26.0 + large * 9.0)
        crest = graph.map_range(wave, 0.1, 1.0, 0.0, 0.55) * graph.map_range(near, 0.0, 0.5)
        edge = graph.map_range(near, 0.72, 1.0, 0.0, 0.9)
        breaking = graph.math("MAXIMUM", crest, edge) + (lace - 0.6) * 0.8
        breaking = graph.map_range(breaking, 0.25, 0.7, kind="SMOOTHSTEP") * near
        rapid = graph.map_range(lace + white * 0.6 + -0.75, 0.0, 0.5) * 0.8 * flow
        rapid = rapid * graph.map_range(white, 0.0, 0.3)
        foam = graph.math("MAXIMUM", breaking, rapid, clamp=True, label="Foam")
    return foam, near
