# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of the sea, the air and the clouds of a planet."""

from __future__ import annotations

import math
from typing import Any

from .....noise_core.landscapes.planets import colors, ground
from ..node_graph import FAR, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group
from .ground_masks import even_noise, latitude_of

_SCATTERING = (0.19, 0.43, 1.0)
"""Of red, green and blue light in air, over that of blue: by the fourth power of the wave length (Rayleigh, 1871)
at 665, 545 and 440 nm."""

_THIN = 7.0
"""Depth of the air in heights over which it thins out to a third: at its upper end is a thousandth."""

_TWILIGHT = 0.26
"""Sine of the angle below the horizon at which the sun still lights the upper air: 15 degrees, near the 18 of
astronomical twilight."""

_REDDEST = 0.42
"""Sine of the sun's height from which on its light is no longer red."""

_DUSK = (4.2, 1.6, 0.7)
"""Light that has passed low through the air, over that from above: it crosses more of the air, and blue is lost."""

_CELL = 3.4
"""Cells of storms along the planet's radius: a storm is about 2,000 km wide on Earth."""


@shared_group("Terrane Planet Sea", 2)
def sea_group(graph: NodeGraph) -> None:
    """Declare the sea of a planet: pale over shelves, dark over the deep, with a glint, frozen at the poles."""
    graph.color("Shallow", (0.05, 0.14, 0.13), "Of water over shelves")
    graph.color("Deep", (0.004, 0.02, 0.035), "Of deep water")
    inputs = graph.inputs
    graph.number("Depth", 0.0, (-FAR, FAR), "In meters")
    graph.number("Clear", 0.02, (1e-6, FAR), "Depth in meters to which one sees", "DISTANCE")
    graph.number("Width", 4.0, (1e-3, 1e9), "Of the planet in meters", "DISTANCE")
    graph.number("Ice Latitude", 66.0, (0.0, 90.0), "Degrees from the equator at which ice begins")
    graph.number("Ice", 1.0, SHARE, "0 leaves the sea open", "FACTOR")
    position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
    unit = graph.vector_math("SCALE", position, 1.0 / inputs["Width"])
    with graph.frame("Water"):
        depth = graph.math("MAXIMUM", inputs["Depth"], 0.0)
        currents = even_noise(graph, unit, 9.0, 7.0, 0.62, "Currents")
        reach = inputs["Clear"] * graph.map_range(currents, first=0.6, last=1.4)
        murk = 1.0 - graph.math("POWER", 0.37, depth / reach, label="Murk")
        water = graph.mix(murk, inputs["Shallow"], inputs["Deep"], "RGBA")
        gusts = even_noise(graph, unit, 7.0, 6.0, 0.62, "Gusts")
        rough = graph.map_range(gusts, first=0.15, last=0.31)
    with graph.frame("Ice"):
        wander = even_noise(graph, unit, *ground.CLIMATE, "Climate")
        latitude = latitude_of(graph, graph.vector_math("NORMALIZE", position), wander)
        floes = even_noise(graph, unit, *colors.FLOES, "Floes")
        over = latitude - inputs["Ice Latitude"] + (floes - 0.5) * colors.RAGGED
        ice = graph.map_range(
            over, colors.FROZEN_AT - 1.0, colors.FROZEN_AT + 1.0, kind="SMOOTHSTEP"
        )
        ice = graph.math("MULTIPLY", ice, inputs["Ice"], label="Is Ice")
    graph.output(
        "Color", graph.mix(ice, water, (*colors.SEA_ICE, 1.0), "RGBA"), "For the shader", "Color"
    )
    graph.output("Roughness", graph.mix(ice, rough, 0.7), "For the shader")
    graph.output("Specular", graph.mix(ice, 0.4, 0.2), "For the shader")


@shared_group("Terrane Planet Air", 3)
def air_group(graph: NodeGraph) -> None:
    """Declare the air of a planet on a shell around it: air along a ray, lit by all lights.

    How far from the middle a ray passes follows from the angle at which it meets the shell. The air thins out
    by the exponential law; of a ray that only passes by, it crosses sqrt(2 pi) scale heights' worth of the
    root of radius and scale height (S. Chapman, 1931: The absorption and dissociative or ionizing effect of
    monochromatic radiation in an atmosphere on a rotating earth).

    The shell's own Z axis points to the sun. Air that sees the sun low is red, and lit beyond the terminator, as far
    down as the planet's shadow leaves it: at an angle beyond, that is as deep as the ground curves away below it.
    """
    graph.number("Depth", 0.06, (1e-4, 10.0), "Of the air as a share of the planet's radius")
    graph.number(
        "Density", 0.055, (0.0, 100.0), "Share of blue light that it scatters straight above"
    )
    inputs = graph.inputs
    geometry = graph.node("ShaderNodeNewGeometry", label="Geometry")
    with graph.frame("Nearest Point of the Ray"):
        facing = graph.vector_math("DOT_PRODUCT", geometry["Normal"], geometry["Incoming"])["Value"]
        off = graph.math("SQRT", graph.math("SUBTRACT", 1.0, facing * facing, clamp=True))
        nearest = off * (inputs["Depth"] + 1.0)
        above = nearest - 1.0
        height = graph.math("MAXIMUM", above, 0.0, label="Height")
    with graph.frame("Air on the Way"):
        scale = inputs["Depth"] / _THIN
        longest = graph.math("SQRT", 2.0 * math.pi / scale, label="Along the Limb")
        drop = graph.math("SUBTRACT", 1.0, nearest * nearest, clamp=True)
        down = 1.0 / (graph.math("SQRT", drop) + 2.0 / longest)
        thin = graph.math("POWER", math.e, height / scale * -1.0)
        edge = graph.map_range(height, inputs["Depth"] * 0.6, inputs["Depth"], 1.0, 0.0)
        past = longest * thin * edge
        passes = graph.math("GREATER_THAN", above, 0.0, label="Passes By")
        air = graph.mix(passes, down, past) * inputs["Density"]
    with graph.frame("Sunlight"):
        sun = _sunward(graph)
        low = graph.vector_math("DOT_PRODUCT", geometry["Normal"], sun)["Value"]
        red = graph.map_range(low, -_TWILIGHT, _REDDEST, 1.0, 0.0, kind="SMOOTHSTEP")
        dusk = graph.mix(red, (1.0, 1.0, 1.0), _DUSK, "VECTOR")
        along = graph.vector_math("SCALE", geometry["Incoming"], facing * passes)
        middle = graph.vector_math("SUBTRACT", geometry["Normal"], along)
        middle = graph.vector_math("NORMALIZE", middle, label="Where the Air Is Thickest")
        beyond = graph.vector_math("DOT_PRODUCT", middle, sun)["Value"]
        beyond = graph.math("MINIMUM", beyond, 0.0)
        dark = graph.math("POWER", math.e, beyond * beyond * -0.5 / scale, label="Above the Shadow")
        leaning = graph.vector_math("SCALE", sun, _TWILIGHT)
        normal = graph.vector_math(
            "NORMALIZE", graph.vector_math("ADD", geometry["Normal"], leaning)
        )
    with graph.frame("Light"):
        parts = [_scattered_share(graph, air, color) for color in _SCATTERING]
        share = (parts[0] + parts[1] + parts[2]) / 3.0
        glow = graph.combine(parts[0], parts[1], parts[2])
        glow = graph.vector_math("SCALE", glow, 1.0 / graph.math("MAXIMUM", share, 1e-4))
        glow = graph.vector_math("MULTIPLY", glow, dusk)
        # Light that comes in low crosses more air, and more of it is scattered.
        share = graph.math("MINIMUM", share * graph.math("MULTIPLY_ADD", red, 2.0, 1.0), 1.0)
        share = share * dark
        seen = graph.node("ShaderNodeLightPath")["Is Camera Ray"] * (1.0 - geometry["Backfacing"])
        ahead = graph.node("ShaderNodeBsdfDiffuse", {"Color": glow, "Normal": normal})
        behind = graph.node("ShaderNodeBsdfTranslucent", {"Color": glow})
        lit = graph.node("ShaderNodeMixShader", {0: passes * 0.12, 1: ahead, 2: behind})
        clear = graph.node("ShaderNodeBsdfTransparent")
        shader = graph.node("ShaderNodeMixShader", {0: share * seen, 1: clear, 2: lit})
    graph.output("Shader", shader, "For the surface of the shell", "Shader")


def _sunward(graph: NodeGraph) -> Output:
    """Return the direction to the sun in the world: the Z axis of the object, which is turned to it."""
    return graph.node(
        "ShaderNodeVectorTransform",
        {"Vector": (0.0, 0.0, 1.0)},
        convert_from="OBJECT",
        convert_to="WORLD",
        vector_type="NORMAL",
    )


def _scattered_share(graph: NodeGraph, air: Output, color: float) -> Output:
    """Return the share of light of a color that air scatters."""
    return 1.0 - graph.math("POWER", math.e, air * -color)


@shared_group("Terrane Planet Clouds", 1)
def clouds_group(graph: NodeGraph) -> None:
    """Declare clouds by latitude: towers along the equator, clear belts beside it, storms that turn beyond.

    Belts follow the three cells of the air on each side of the equator (Hadley, 1735; Ferrel, 1856): it rises at the
    equator and at 55 degrees, and sinks at 27 and at the poles.
    """
    graph.number("Cover", 0.5, SHARE, "Fraction of the sky under clouds", "FACTOR")
    graph.number("Seed", 0.0, (0.0, 1e4), "Another number makes other clouds")
    inputs = graph.inputs
    position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
    outwards = graph.vector_math("NORMALIZE", position, label="Outwards")
    shift = graph.vector_math("SCALE", (17.3, 29.1, 41.7), inputs["Seed"])
    with graph.frame("Storms"):
        turned = _turn_by_storms(graph, outwards, shift)
    with graph.frame("Winds"):
        z = graph.component(turned, 2)
        lean = graph.math("SINE", z * 5.0) * 0.22
        turned = rotate(graph, turned, (0.0, 0.0, 1.0), lean)
        drawn = graph.vector_math("MULTIPLY", turned, (1.0, 1.0, 1.7))
        place = graph.vector_math("ADD", drawn, shift)
        push = graph.node(
            "ShaderNodeTexNoise", {"Vector": place, "Scale": 3.1, "Detail": 5.0, "Roughness": 0.58}
        )["Color"]
        push = graph.vector_math("SUBTRACT", push, (0.5, 0.5, 0.5))
        place = graph.vector_math("ADD", place, graph.vector_math("SCALE", push, 0.34))
    with graph.frame("Belts"):
        belts = _belts(graph, outwards, place)
    with graph.frame("Clouds"):
        broad = even_noise(graph, place, 2.3, 9.0, 0.56, "Broad")
        heaps = even_noise(graph, place, 13.0, 9.0, 0.66, "Heaps")
        amount = broad * 0.64 + heaps * 0.36 + belts
        edge = graph.map_range(inputs["Cover"], first=1.12, last=0.02, label="Edge")
        thick = graph.map_range(amount, edge, edge + 0.34, kind="SMOOTHSTEP", label="Thick")
        veils = even_noise(
            graph, graph.vector_math("MULTIPLY", place, (1.0, 1.0, 2.4)), 4.7, 8.0, 0.6, "Veils"
        )
        veil = graph.map_range(veils + belts, edge - 0.05, edge + 0.6, 0.0, 0.4, kind="SMOOTHSTEP")
        share = graph.math("MAXIMUM", thick * 0.96, veil, label="Cloud")
    graph.output("Cloud", share, "How much of the ground it hides, from 0 to 1")
    graph.output("Height", thick * heaps, "Relief of the tops, from 0 to 1")


def _turn_by_storms(graph: NodeGraph, outwards: Output, shift: Output) -> Output:
    """Return directions that storms have turned around their middles: to the left in the north."""
    place = graph.vector_math("ADD", graph.vector_math("SCALE", outwards, _CELL), shift)
    cell = graph.node("ShaderNodeTexVoronoi", {"Vector": place, "Scale": 1.0}, feature="F1")
    second = graph.node("ShaderNodeTexVoronoi", {"Vector": place, "Scale": 1.0}, feature="F2")
    middle = graph.vector_math("SUBTRACT", cell["Position"], shift)
    middle = graph.vector_math("NORMALIZE", middle)
    chance, _, _ = graph.separate(cell["Color"])
    near = graph.map_range(second["Distance"] - cell["Distance"], 0.0, 0.75, kind="SMOOTHSTEP")
    north = graph.component(middle, 2)
    far = graph.math("ABSOLUTE", north)
    stormy = graph.map_range(far, 0.12, 0.5) * graph.map_range(far, 0.88, 0.98, 1.0, 0.0)
    strength = graph.map_range(chance, 0.25, 1.0, 0.6, 3.6) * stormy * near
    return rotate(graph, outwards, middle, strength * graph.math("SIGN", north) * -1.0)


def rotate(graph: NodeGraph, vector: Value, axis: Value, angle: Value) -> Output:
    """Return a vector turned about an axis through the middle, by radians."""
    inputs: dict[Any, Value] = {"Vector": vector, "Axis": axis, "Angle": angle}
    return graph.node("ShaderNodeVectorRotate", inputs, rotation_type="AXIS_ANGLE")


def _belts(graph: NodeGraph, outwards: Output, place: Output) -> Output:
    """Return by how much more or fewer clouds there are at a latitude than on average."""
    sine = graph.math("ABSOLUTE", graph.component(outwards, 2), clamp=True)
    degrees = graph.math("DEGREES", graph.math("ARCSINE", sine))
    wander = graph.node("ShaderNodeTexNoise", {"Vector": place, "Scale": 1.2, "Detail": 3.0})
    degrees = degrees + (wander - 0.5) * 34.0
    calm = graph.map_range(degrees, 2.0, 12.0, 0.14, -0.2, kind="SMOOTHSTEP")
    front = graph.map_range(degrees, 24.0, 46.0, 0.0, 0.38, kind="SMOOTHSTEP")
    polar = graph.map_range(degrees, 62.0, 82.0, 0.0, -0.22, kind="SMOOTHSTEP")
    return graph.math("ADD", calm + front, polar, label="Belts")


@shared_group("Terrane City Lights", 1)
def lights_group(graph: NodeGraph) -> None:
    """Declare lights of cities where it is night: points close together where the ground is densely settled."""
    surface = graph.input("Shader", "Shader", "Of the ground")
    graph.number("Brightness", 1.0, (0.0, 100.0), "Of the lights")
    graph.number("Settled", 0.0, SHARE, "How densely people live here", "FACTOR")
    graph.number("Width", 4.0, (1e-3, 1e9), "Of the planet in meters", "DISTANCE")
    graph.vector("Sun", "Place in axes of which Z points to the sun")
    inputs = graph.inputs
    position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
    unit = graph.vector_math("SCALE", position, 2.0 / inputs["Width"])
    high = graph.component(graph.vector_math("NORMALIZE", inputs["Sun"]), 2)
    night = graph.map_range(high, -0.14, 0.02, 1.0, 0.0, kind="SMOOTHSTEP", label="Night")
    glow = graph.math("POWER", inputs["Settled"], 2.0) * 0.10
    for scale, size, light in ((70.0, 0.34, 1.0), (190.0, 0.42, 0.55)):
        cell = graph.node("ShaderNodeTexVoronoi", {"Vector": unit, "Scale": scale}, feature="F1")
        chance, _, _ = graph.separate(cell["Color"])
        there = graph.map_range(inputs["Settled"] - chance, 0.0, 0.25)
        point = graph.map_range(cell["Distance"], 0.02, size, 1.0, 0.0)
        glow = glow + graph.math("POWER", point, 3.0) * there * light
    seen = graph.node("ShaderNodeLightPath")["Is Camera Ray"]
    strength = glow * night * inputs["Brightness"] * seen * 3.0
    emission = graph.node(
        "ShaderNodeEmission", {"Color": (1.0, 0.62, 0.28, 1.0), "Strength": strength}
    )
    both = graph.node("ShaderNodeAddShader", {0: surface, 1: emission})
    graph.output("Shader", both, "The ground with its lights", "Shader")
