# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of water over the ground of a terrain material and on meshes."""

from __future__ import annotations

from ..node_graph import FAR, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group
from .ground_masks import even_noise

_SILT = 0.5
"""Meters to which rivers are clear at most: they carry silt."""

_SILTY, _MUDDY = (0.040, 0.042, 0.034), (0.014, 0.0155, 0.0115)
"""Tint of the bed of a river, and color of its water."""

_EDGE = 0.04
"""Meters of water over which its surface begins: the film at a shore."""

_SURF = 2.5
"""Meters of water from which on waves break less."""

_LEE = 0.65
"""By how much lower waves are, and how much less they foam, where land shelters the sea."""

_DRAWN_OUT = 0.22
"""Width of ripples on a river as a share of their length."""

_GUST = 140.0
"""Meters between gusts of wind, which roughen water."""

_SMALL, _SMALLEST = 90.0, 900.0
"""Distances, in lengths of waves, between which waves grow too small to be seen singly: then they
roughen the surface."""

_FOAM = (0.70, 0.73, 0.73)


@shared_group("Terrane Water", 3)
def water_group(graph: NodeGraph) -> None:
    """Declare water: clear at the shore, dark in the deep, with waves, surf and running ripples.

    Of the light from the bed a share is left that falls off exponentially with the depth (Bouguer, Lambert and
    Beer), red first where the water is green.
    """
    _declare_inputs(graph)
    inputs = graph.inputs
    flow = inputs["Flow"]
    wet, light = _light_through(graph)
    along, across, white = graph.separate(inputs["Course"])
    with graph.frame("Places"):
        size = 1.0 / inputs["Wave Size"]
        still = graph.vector_math("SCALE", inputs["Position"], size)
        run = graph.vector_math("SCALE", graph.combine(along * _DRAWN_OUT, across), size * 2.0)
        place = graph.mix(flow, still, run, "VECTOR", label="Place")
    shelter = graph.math("MULTIPLY", along, 1.0 - flow, label="Shelter")
    surf = _surf(graph, white, shelter)
    foam = surf * inputs["Foam"] * wet
    with graph.frame("Waves"):
        swell = even_noise(graph, place, 1.0, 4.0, 0.55, "Swell")
        distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"] * size
        small = graph.map_range(distance, _SMALL, _SMALLEST, label="Too Small to See")
        waves = {
            "Strength": inputs["Waves"] * (1.0 - small * 0.8) * (1.0 - shelter * _LEE),
            "Height": swell + foam * 0.5,
            "Distance": inputs["Wave Size"] * graph.map_range(flow, first=0.05, last=0.03),
            "Normal": graph.combine(0.0, 0.0, 1.0),
        }
        waved = graph.node("ShaderNodeBump", waves, label="Waves")
        gusts = graph.vector_math("SCALE", inputs["Position"], 1.0 / _GUST)
        gusts = even_noise(graph, gusts, 1.0, 3.0, 0.6, "Gusts")
        rough = gusts * gusts * 0.09 + small * inputs["Waves"] * 0.09 + 0.015
        rough = graph.mix(foam, rough, 0.7)
    with graph.frame("Water over the Ground"):
        seen = graph.vector_math("MULTIPLY", inputs["Color"], light)
        seen = graph.vector_math("MULTIPLY", seen, light)
        dark = graph.vector_math("SUBTRACT", (1.0, 1.0, 1.0), light)
        deep = graph.mix(flow, inputs["Deep"], (*_MUDDY, 1.0), "RGBA", label="Deep")
        own = graph.vector_math("MULTIPLY", deep, dark)
        color = graph.vector_math("ADD", seen, own)
        color = graph.mix(wet, inputs["Color"], color, "RGBA")
        color = graph.mix(foam, color, (*_FOAM, 1.0), "RGBA")
        body = graph.mix(foam, own, (*_FOAM, 1.0), "RGBA")
        bed = graph.vector_math("SCALE", light, 1.0 - foam)
        roughness = graph.mix(wet, inputs["Roughness"], rough)
        specular = graph.mix(wet, inputs["Specular"], 0.5)
        normal = graph.mix(wet, inputs["Normal"], waved, "RGBA")
    graph.output("Color", color, "For the shader", "Color")
    graph.output("Roughness", roughness, "For the shader")
    graph.output("Specular", specular, "For the shader")
    graph.output("Normal", normal, "For the shader: water lies level", "Vector")
    # For water that is a mesh of its own: what it sends itself, and what it lets through.
    graph.output("Body", body, "Light that the water itself sends back", "Color")
    graph.output("Bed", bed, "Light that comes through from the bed", "Color")
    # Far waves turn their sides to the camera, which mirror less (Cox and Munk, 1954).
    flat = 1.0 - small * inputs["Waves"] * (1.0 - shelter * _LEE)
    mirrors = wet * (1.0 - foam) * flat
    graph.output("Surface", mirrors, "1 where there is a level surface that mirrors")


def _light_through(graph: NodeGraph) -> tuple[Output, Output]:
    """Return whether a place is wet, and the share of light of each color that comes through once."""
    inputs = graph.inputs
    flow = inputs["Flow"]
    with graph.frame("Depth"):
        wet = graph.map_range(inputs["Depth"], 0.0, _EDGE, kind="SMOOTHSTEP", label="Is Wet")
        silty = graph.math("MINIMUM", inputs["Clear"], _SILT)
        clear = graph.mix(flow, inputs["Clear"], silty, label="Clear")
        murk = graph.math("DIVIDE", inputs["Depth"], clear, label="Murk")
        tint = graph.mix(flow, inputs["Shallow"], (*_SILTY, 1.0), "RGBA", label="Tint")
        left = [_light_left(graph, murk, share) for share in _absorption(graph, tint)]
        light = graph.combine(left[0], left[1], left[2], label="Light Left")
    return wet, light


def _absorption(graph: NodeGraph, tint: Value) -> tuple[Output, Output, Output]:
    """Return how much faster than the clearest color each is lost in water that tints its bed."""
    channels = graph.separate(tint, "Shallow")
    brightest = graph.math("MAXIMUM", graph.math("MAXIMUM", *channels[:2]), channels[2])
    shares = [graph.math("SQRT", brightest / graph.math("MAXIMUM", one, 1e-3)) for one in channels]
    return shares[0], shares[1], shares[2]


def _light_left(graph: NodeGraph, murk: Output, absorption: Output) -> Output:
    """Return the share of light of a color that comes through water once; there and back is its square."""
    return graph.math("EXPONENT", murk * absorption * -0.5)


def _declare_inputs(graph: NodeGraph) -> None:
    long, number = (1e-3, FAR), graph.number
    graph.color("Shallow", (0.030, 0.042, 0.034), "Tint of the bed that one sees through it")
    graph.color("Deep", (0.010, 0.014, 0.013), "Of deep water, without what it mirrors")
    number(
        "Clear", 2.0, long, "Depth in meters from which a third of the light returns", "DISTANCE"
    )
    number("Waves", 0.3, SHARE, "How rough it is", "FACTOR")
    number("Wave Size", 3.0, long, "Length of the waves in meters", "DISTANCE")
    number("Foam", 1.0, SHARE, "How strongly surf and rapids foam", "FACTOR")
    with graph.panel("From Below", is_closed=True):
        number("Depth", 0.0, (0.0, FAR), "In meters")
        graph.vector("Position", "In meters")
        graph.vector(
            "Course",
            "Meters along a river, meters across it, and foam; on the sea shelter, 0, and nearness of the shore",
        )
        number("Flow", 0.0, SHARE, "1 on rivers, 0 on standing water")
        graph.color("Color", (0.5, 0.5, 0.5), "Of the ground")
        number("Roughness", 0.9, SHARE, "Of the ground")
        number("Specular", 0.15, SHARE, "Of the ground")
        graph.vector("Normal", "Of the ground")


def _surf(graph: NodeGraph, white: Value, shelter: Value) -> Output:
    """Return the foam of surf and rapids, from 0 to 1."""
    inputs = graph.inputs
    flow = inputs["Flow"]
    with graph.frame("Foam"):
        sea = white * (1.0 - flow)
        shallow = graph.map_range(inputs["Depth"] / _SURF, 0.5, 2.5, 1.0, 0.5)
        exposed = shallow * (1.0 - shelter * _LEE)
        near = graph.map_range(sea, 0.35, 1.0, label="Near the Beach") * exposed
        meters = inputs["Position"]
        lace = even_noise(graph, graph.vector_math("SCALE", meters, 0.11), 1.0, 5.0, 0.7, "Lace")
        sets = graph.vector_math("SCALE", meters, 0.011)
        sets = even_noise(graph, sets, 1.0, 3.0, 0.5, "Sets of Waves")
        wave = graph.math("SINE", sea * 26.0 + sets * 14.0)
        crest = graph.map_range(wave, 0.1, 1.0, 0.0, 0.6) * graph.map_range(near, 0.0, 0.5)
        edge = graph.map_range(near, 0.70, 1.0, 0.0, 0.8)
        breaking = graph.math("MAXIMUM", crest, edge) + (lace + sets - 1.1) * 0.7
        breaking = graph.map_range(breaking, 0.25, 0.75, kind="SMOOTHSTEP") * near
        rapid = graph.map_range(lace + white * 0.6 + -0.75, 0.0, 0.5) * 0.8 * flow
        rapid = rapid * graph.map_range(white, 0.0, 0.3)
        return graph.math("MAXIMUM", breaking, rapid, clamp=True, label="Foam")
