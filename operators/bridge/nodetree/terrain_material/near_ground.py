# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups of ground near the camera: where it ends, a layer of it, joints and ledges, and its normal."""

from __future__ import annotations

from typing import Any

from ..node_graph import ANY, FAR, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group

_SCALES = (11.0, 2.6, 0.55)
"""Meters between the joints of rock: walls, blocks and stones."""

_SEEN = 70.0
"""Distance at which joints have faded out, in how far they are apart."""

_INDEX = 1.4
"""Of refraction: between water's and stone's. Rough ground shines less by its roughness."""

_SHEEN = 0.12
"""Most of the light that ground reflects as a mirror would: at grazing angles it shades itself."""

_WARM = (1.1, 1.0, 0.75)
"""How far lumps differ in red, green and blue."""

_LUMPS = 2.2
"""Meters from lump to lump: of tufts, and of heaps of wind and water."""

_SASTRUGI = 1.4
"""Meters between ridges of wind in snow, across the wind."""

_DRAWN_OUT = 0.18
"""Width of these ridges over their length."""

_WIND = ((0.94, 0.34, 0.0), (-0.34, 0.94, 0.0))
"""Directions along the wind and across it."""

_FLATTENED = 2.3
"""How much wider than high blocks of rock are."""

CHANCES = 12
"""Numbers by chance of a ray."""

NOTHING = 1e-30
"""So little that added to meters it changes nothing; by 0 Cycles would leave the sum out."""


def wait_for(graph: NodeGraph, position: Value, number: Value) -> Output:
    """Return a position that is calculated later than a number.

    Cycles keeps all values between nodes in 255 places, and works on all branches of a tree at once.
    In sequence, the branches need few.
    """
    nothing = graph.vector_math("SCALE", (NOTHING,) * 3, number)
    return graph.vector_math("ADD", position, nothing)


def set_apart(graph: NodeGraph, position: Value, number: int, name: str) -> Output:
    """Return the same position for the nodes of one layer.

    Cycles joins nodes that are alike, and calculates the shared nodes of several layers before all of them.
    """
    inputs = {0: position, 1: (number * NOTHING,) * 3}
    return graph.node("ShaderNodeVectorMath", inputs, name=name, operation="ADD")


def is_over(graph: NodeGraph, share: Value, limit: Value, name: str) -> Output:
    """Return 1 where a share is larger than a limit, and 0 elsewhere; the node has a name."""
    inputs = {0: share, 1: limit}
    return graph.node("ShaderNodeMath", inputs, name=name, operation="GREATER_THAN")


@shared_group("Terrane Nearness", 1)
def nearness_group(graph: NodeGraph) -> None:
    """Declare how near the ground is to the camera."""
    # fmt: off
    first = graph.number("From", 120.0, (0.0, FAR), "Up to this distance ground is seen from nearby", "DISTANCE")
    last = graph.number("To", 500.0, (0.0, FAR), "From this distance on it is seen from afar", "DISTANCE")
    # fmt: on
    depth = graph.number("Water Depth", 0.0, (0.0, FAR), "Water is seen as it is from afar")
    distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"]
    is_near = graph.map_range(distance, first, last, 1.0, 0.0, kind="SMOOTHSTEP")
    is_near = is_near * graph.map_range(depth, 0.0, 0.05, 1.0, 0.0)
    graph.output("Nearness", is_near, "1 at the camera, 0 far away")


@shared_group("Terrane Chances", 1)
def chances_group(graph: NodeGraph) -> None:
    """Declare numbers by chance, others for each ray.

    They come from the direction in which a ray meets the ground: bumps look beside a place, and find the
    same numbers there.
    """
    incoming = graph.node("ShaderNodeNewGeometry", label="Ray")["Incoming"]
    number = 0
    for group in range(-(-CHANCES // 3)):
        key = {"Vector": incoming, "W": float(group)}
        noise = graph.node("ShaderNodeTexWhiteNoise", key, noise_dimensions="4D")["Color"]
        for axis in range(3):
            number += 1
            graph.output(f"Chance {number}", graph.component(noise, axis), "From 0 to 1")


@shared_group("Terrane Far Layer", 2)
def far_layer_group(graph: NodeGraph) -> None:
    """Declare a layer as it is seen from afar, alone: its shader, with bumps of one kind."""
    color = graph.color("Color", (0.5, 0.5, 0.5), "Plain color of the layer")
    detail = graph.number("Detail", 0.6, SHARE, "How much the detail changes the color", "FACTOR")
    roughness = graph.number("Roughness", 0.95, SHARE, "0 is a mirror, 1 is chalk", "FACTOR")
    layer_bumps = graph.vector("Bumps", "Of the layer: meters of its kind of bumps")
    base = graph.vector("Bumps Below", "Of the lowest layer")
    kept = graph.number("Kept", 0.0, SHARE, "How much of them is left on this layer", "FACTOR")
    strength = graph.number("Strength", 1.0, (0.0, 10.0), "Makes bumps higher or lower")
    with graph.panel("From Details", is_closed=True):
        tint = graph.color("Detail Color", (1.0, 1.0, 1.0), "Multiplies the color")
        height = graph.number("Height", 0.0, (-10.0, 10.0), "Of the details, from -1 to 1")
    with graph.panel("Rock", is_closed=True):
        crags = graph.number("Crags", 0.0, (-10.0, 10.0), "How high crags are beside the details")
        ribs = graph.number("Ribs", 0.5, SHARE, "Of the masks: the shape of crags")
        ledges = graph.number(
            "Ledges", 0.0, (-10.0, 10.0), "How high ledges are beside the details"
        )
        beds = graph.number("Beds", 0.5, SHARE, "Of the masks: the shape of ledges")
    with graph.frame("Bumps"):
        meters = _sum_of(graph, layer_bumps) + _sum_of(graph, base) * kept
        raised = height + crags * (ribs + -0.5) + ledges * (beds + -0.5)
        bumps = {"Strength": 1.0, "Height": raised, "Distance": meters * strength}
        normal = graph.node("ShaderNodeBump", bumps)
    with graph.frame("Shader"):
        shown = graph.mix(detail, color, tint, "RGBA", blend_type="MULTIPLY")
        # Its soft highlights are part of how bright ground is.
        weight = {"Blend": 0.5, "Normal": normal}
        facing = graph.node("ShaderNodeLayerWeight", weight)["Facing"]
        smooth = 1.0 - roughness
        edge = graph.math("POWER", facing, _EDGE) * (smooth * smooth * 0.46 + 0.04)
        shader = _mixed(graph, edge + smooth * 0.015 + 0.004, shown, roughness, normal)
    graph.output("BSDF", shader, "Of this layer alone", "Shader")


def _sum_of(graph: NodeGraph, vector: Value) -> Output:
    """Return the sum of the three components."""
    return graph.vector_math("DOT_PRODUCT", vector, (1.0, 1.0, 1.0))["Value"]


@shared_group("Terrane Near Layer", 1)
def near_layer_group(graph: NodeGraph) -> None:
    """Declare a layer as it is seen from nearby: the shader of its tile.

    The normal follows Mikkelsen, Surface Gradient-Based Bump Mapping Framework, Journal of Computer
    Graphics Techniques 9(3), 2020.
    """
    contrast = graph.number("Contrast", 1.0, (0.0, 2.0), "How much of the tile's color shows")
    bump = graph.number("Bump", 1.0, (0.0, 10.0), "How steep its details are")
    weathered = graph.number(
        "Weathered", 0.0, SHARE, "How far it is rougher than its tile", "FACTOR"
    )
    color = graph.color("Color", (0.5, 0.5, 0.5), "Plain Color of the layer")
    with graph.panel("From the Tile", is_closed=True):
        tint = graph.color("Near Color", (1.0, 1.0, 1.0), "Ratio to the mean")
        slopes = graph.vector("Slopes", "Meters up per meter, in the object's own axes")
        roughness = graph.number("Roughness", 0.9, SHARE, "Of the tile", "FACTOR")
    with graph.panel("From Lumps", is_closed=True):
        lumps = graph.number("Lumps", 0.5, SHARE, "Tufts, hollows and stones, from 0 to 1")
        tinted = graph.number("Tinted", 0.4, (0.0, 2.0), "How far lumps are brighter than hollows")
        high = graph.number("High", 0.1, (0.0, 10.0), "How high lumps are, in meters", "DISTANCE")
    with graph.panel("From Joints", is_closed=True):
        height = graph.number("Height", 0.0, ANY, "In meters", "DISTANCE")
        shade = graph.number("Shade", 1.0, (0.0, 10.0), "Multiplies the color")
    with graph.frame("Color"):
        deviation = graph.vector_math("ADD", tint, (-1.0, -1.0, -1.0))
        ratio = graph.vector_math(
            "MULTIPLY_ADD", deviation, graph.combine(*(contrast,) * 3), (1.0,) * 3
        )
        ratio = graph.vector_math("MAXIMUM", ratio, (0.02,) * 3)
        # Lumps are not brighter alone, but drier, so warmer too.
        uneven = graph.math("MULTIPLY", lumps * 2.0 + -1.0, tinted, label="Uneven")
        warm = graph.combine(*(uneven * part + 1.0 for part in _WARM))
        ratio = graph.vector_math("SCALE", graph.vector_math("MULTIPLY", ratio, warm), shade)
        shown = graph.vector_math("MULTIPLY", color, ratio)
    with graph.frame("Normal"):
        raised = graph.math("MULTIPLY_ADD", lumps, high, height)
        bumps = {"Height": raised, "Distance": 1.0, "Strength": 1.0}
        normal = graph.node("ShaderNodeBump", bumps, label="Joints")
        turned = {"Vector": graph.vector_math("SCALE", slopes, bump)}
        spaces: dict[str, Any] = {"convert_from": "OBJECT", "convert_to": "WORLD"}
        steep = graph.node("ShaderNodeVectorTransform", turned, vector_type="VECTOR", **spaces)
        along = graph.vector_math("DOT_PRODUCT", steep, normal)["Value"]
        upward = graph.vector_math("SCALE", normal, along)
        # The part of the gradient within the surface.
        tangent = graph.vector_math("SUBTRACT", steep, upward)
        leant = graph.vector_math("SUBTRACT", normal, tangent)
        leant = graph.vector_math("NORMALIZE", leant)
    with graph.frame("Shader"):
        roughness = graph.mix(weathered, roughness, 1.0)
        graph.output(
            "BSDF", _shader(graph, shown, roughness, leant), "Of this layer alone", "Shader"
        )


_EDGE = 3.5
"""Exponent with which highlights of far ground grow towards flat views.

With the numbers beside it the share of highlights is within .002 of that of a Principled BSDF with a specular level of
0.15, measured in a white sky for roughness from 0.5 to 1 at seven angles.
"""


def _shader(graph: NodeGraph, color: Value, roughness: Output, normal: Value) -> Output:
    """Return the shader of ground as it is seen from nearby."""
    smooth = 1.0 - roughness
    fresnel = graph.node("ShaderNodeFresnel", {"IOR": _INDEX, "Normal": normal})
    share = graph.math("MINIMUM", fresnel, _SHEEN) * smooth * smooth
    return _mixed(graph, share, color, roughness, normal)


def _mixed(
    graph: NodeGraph, share: Value, color: Value, roughness: Output, normal: Value
) -> Output:
    """Return a shader that is diffuse but for a share of highlights.

    Not a Principled BSDF: Cycles has room for 64 closures, of which that takes twelve, and warns of more on
    the console.
    """
    rough = {"Color": color, "Normal": normal}
    shining = {"Color": (1.0, 1.0, 1.0), "Roughness": roughness, "Normal": normal}
    inputs: dict[Any, Value] = {
        0: share,
        1: graph.node("ShaderNodeBsdfDiffuse", rough),
        2: graph.node("ShaderNodeBsdfGlossy", shining),
    }
    return graph.node("ShaderNodeMixShader", inputs)


@shared_group("Terrane Lumps", 1)
def lumps_group(graph: NodeGraph) -> None:
    """Declare tufts, hollows and stones, down to the size of a hand."""
    size = graph.number("Size", _LUMPS, (1e-3, FAR), "Meters from one to the next", "DISTANCE")
    position = graph.vector("Position", "Of the masks")
    inputs = {
        "Vector": graph.vector_math("SCALE", position, 1.0 / size),
        "Scale": 1.0,
        "Detail": 4.5,
        "Roughness": 0.62,
        "Distortion": 0.3,
    }
    noise = graph.node("ShaderNodeTexNoise", inputs, label="Lumps")
    graph.output("Lumps", graph.map_range(noise, 0.28, 0.72), "From 0 to 1")


@shared_group("Terrane Sastrugi", 1)
def sastrugi_group(graph: NodeGraph) -> None:
    """Declare ridges that wind cuts into snow, drawn out along it, in place of lumps."""
    size = graph.number("Size", _SASTRUGI, (1e-3, FAR), "Meters from one to the next", "DISTANCE")
    position = graph.vector("Position", "Of the masks")
    with graph.frame("Along the Wind"):
        along, across = (graph.vector_math("DOT_PRODUCT", position, way)["Value"] for way in _WIND)
        place = graph.combine(along * _DRAWN_OUT, across)
        place = graph.vector_math("SCALE", place, 1.0 / size)
    inputs = {"Vector": place, "Scale": 1.0, "Detail": 3.0, "Roughness": 0.5, "Distortion": 0.6}
    noise = graph.node("ShaderNodeTexNoise", inputs, label="Ridges")
    # Sharp crests between wide hollows.
    crest = graph.math("ABSOLUTE", graph.math("MULTIPLY_ADD", noise, 2.0, -1.0))
    graph.output("Lumps", graph.map_range(crest, 0.0, 0.5, 1.0, 0.0), "From 0 to 1")


@shared_group("Terrane Joints", 2)
def joints_group(graph: NodeGraph) -> None:
    """Declare joints and ledges of rock at three scales, each seen from as far as it can be."""
    size = graph.number("Size", 1.0, (1e-3, FAR), "Makes all blocks larger or smaller")
    strength = graph.number("Strength", 1.0, (0.0, 10.0), "How deep joints and ledges are")
    position = graph.vector("Position", "Of the masks")
    distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"]
    height: Value = 0.0
    shade: Value = 1.0
    with graph.frame("Bent"):
        scaled = graph.vector_math("SCALE", position, 1.0 / size)
        noise = {"Vector": scaled, "Scale": 0.16, "Detail": 5.0, "Roughness": 0.6}
        bend = graph.node("ShaderNodeTexNoise", noise, label="Bend")["Color"]
        # Where joints are open: elsewhere the rock is whole.
        opened = graph.map_range(graph.component(bend, 2), 0.42, 0.62, kind="SMOOTHSTEP")
        bend = graph.vector_math("SCALE", graph.vector_math("ADD", bend, (-0.5,) * 3), 3.5)
        bent = graph.vector_math("ADD", scaled, bend)
        bent = graph.vector_math("MULTIPLY", bent, (1.0, 1.0, _FLATTENED))
    for apart, title in zip(_SCALES, ("Walls", "Blocks", "Stones")):
        with graph.frame(title):
            seen = graph.map_range(distance, apart * _SEEN * 0.3, apart * _SEEN, 1.0, 0.0)
            raised, dark = _blocks(graph, bent, apart, opened)
            bent = wait_for(graph, bent, raised)
            height = raised * seen * apart + height
            shade = shade * (1.0 - dark * seen)
    graph.output("Height", height * strength, "In meters: for a bump")
    graph.output("Shade", shade, "Dark in joints: multiplies the color")


def _blocks(
    graph: NodeGraph, position: Value, apart: float, opened: Value
) -> tuple[Output, Output]:
    """Return the heights, in parts of their size, of blocks so far apart, and how dark joints are."""
    place = graph.vector_math("SCALE", position, 1.0 / apart)
    cells = {"Vector": place, "Scale": 1.0, "Randomness": 0.9}
    edge = graph.node("ShaderNodeTexVoronoi", dict(cells), feature="DISTANCE_TO_EDGE")["Distance"]
    cell = graph.node("ShaderNodeTexVoronoi", dict(cells))["Color"]
    tone, lean = (graph.component(cell, axis) for axis in range(2))
    z = graph.component(place, 2)
    joint = graph.map_range(edge, 0.0, 0.06, 1.0, 0.0, kind="SMOOTHSTEP", label="Joint")
    joint = joint * opened
    # Each block leans its own way: ledges come where a lower one ends.
    ledge = graph.math("FRACT", z * 1.3 + lean * 2.0, label="Ledge")
    raised = tone * 0.07 + ledge * 0.07 - joint * 0.035
    # Darker on the whole too, as the bumps of far rock make it.
    dark = joint * 0.38 + 0.10 + (tone + -0.5) * 0.24
    return raised, dark
