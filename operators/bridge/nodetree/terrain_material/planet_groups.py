# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups of a planet's sea and of its air."""

from __future__ import annotations

import math

from .....noise_core.planets import colors, ground
from ..node_graph import FAR, SHARE, NodeGraph, Output
from ..shared_groups import shared_group
from .ground_masks import even_noise, latitude_of

_SCATTERING = (0.19, 0.43, 1.0)
"""Of red, green and blue light in air, over that of blue: by the fourth power of the wave length (Rayleigh, 1871)
at 665, 545 and 440 nm."""

_THIN = 7.0
"""Depth of the air in heights over which it thins out to a third: at its upper end is a thousandth."""


@shared_group("Terrane Planet Sea", 1)
def sea_group(graph: NodeGraph) -> None:
    """Declare the sea of a planet: pale over shelves, dark over the deep, frozen at the poles."""
    graph.color("Shallow", (0.05, 0.14, 0.13), "Of water over shelves")
    graph.color("Deep", (0.004, 0.02, 0.035), "Of deep water")
    given = graph.inputs
    graph.number("Depth", 0.0, (-FAR, FAR), "In meters")
    graph.number("Clear", 0.02, (1e-6, FAR), "Depth in meters to which one sees", "DISTANCE")
    graph.number("Width", 4.0, (1e-3, 1e9), "Of the planet in meters", "DISTANCE")
    graph.number("Ice Latitude", 66.0, (0.0, 90.0), "Degrees from the equator at which ice begins")
    graph.number("Ice", 1.0, SHARE, "0 leaves the sea open", "FACTOR")
    position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
    unit = graph.vector_math("SCALE", position, 1.0 / given["Width"])
    with graph.frame("Water"):
        depth = graph.math("MAXIMUM", given["Depth"], 0.0)
        murk = 1.0 - graph.math("POWER", 0.37, depth / given["Clear"], label="Murk")
        water = graph.mix(murk, given["Shallow"], given["Deep"], "RGBA")
        gusts = even_noise(graph, unit, 7.0, 5.0, 0.6, "Gusts")
        rough = graph.map_range(gusts, first=0.28, last=0.42)
    with graph.frame("Ice"):
        wander = even_noise(graph, unit, *ground.CLIMATE, "Climate")
        latitude = latitude_of(graph, graph.vector_math("NORMALIZE", position), wander)
        floes = even_noise(graph, unit, *colors.FLOES, "Floes")
        over = latitude - given["Ice Latitude"] + (floes - 0.5) * colors.RAGGED
        ice = graph.map_range(
            over, colors.FROZEN_AT - 1.0, colors.FROZEN_AT + 1.0, kind="SMOOTHSTEP"
        )
        ice = graph.math("MULTIPLY", ice, given["Ice"], label="Is Ice")
    graph.output(
        "Color", graph.mix(ice, water, (*colors.SEA_ICE, 1.0), "RGBA"), "For the shader", "Color"
    )
    graph.output("Roughness", graph.mix(ice, rough, 0.7), "For the shader")
    graph.output("Specular", graph.mix(ice, 0.3, 0.2), "For the shader")


@shared_group("Terrane Planet Air", 1)
def air_group(graph: NodeGraph) -> None:
    """Declare the air of a planet on a shell around it: what a ray crosses, lit by whatever shines there.

    How far from the middle a ray passes follows from the angle at which it meets the shell. The air thins out
    by the exponential law; of a ray that only passes by, it crosses sqrt(2 pi) scale heights' worth of the
    root of radius and scale height (S. Chapman, 1931: The absorption and dissociative or ionizing effect of
    monochromatic radiation in an atmosphere on a rotating earth).
    """
    graph.number("Depth", 0.06, (1e-4, 10.0), "Of the air as a share of the planet's radius")
    graph.number(
        "Density", 0.09, (0.0, 100.0), "Share of blue light that it scatters straight above"
    )
    given = graph.inputs
    geometry = graph.node("ShaderNodeNewGeometry", label="Geometry")
    with graph.frame("Nearest Point of the Ray"):
        facing = graph.vector_math("DOT_PRODUCT", geometry["Normal"], geometry["Incoming"])["Value"]
        off = graph.math("SQRT", graph.math("SUBTRACT", 1.0, facing * facing, clamp=True))
        nearest = off * (given["Depth"] + 1.0)
        above = nearest - 1.0
        height = graph.math("MAXIMUM", above, 0.0, label="Height")
    with graph.frame("Air on the Way"):
        scale = given["Depth"] / _THIN
        longest = graph.math("SQRT", 2.0 * math.pi / scale, label="Along the Limb")
        drop = graph.math("SUBTRACT", 1.0, nearest * nearest, clamp=True)
        down = 1.0 / (graph.math("SQRT", drop) + 2.0 / longest)
        thin = graph.math("POWER", math.e, height / scale * -1.0)
        edge = graph.map_range(height, given["Depth"] * 0.6, given["Depth"], 1.0, 0.0)
        past = longest * thin * edge
        passes = graph.math("GREATER_THAN", above, 0.0, label="Passes By")
        air = graph.mix(passes, down, past) * given["Density"]
    with graph.frame("Light"):
        parts = [_scattered(graph, air, one) for one in _SCATTERING]
        share = (parts[0] + parts[1] + parts[2]) / 3.0
        glow = graph.combine(parts[0], parts[1], parts[2])
        glow = graph.vector_math("SCALE", glow, 1.0 / graph.math("MAXIMUM", share, 1e-4))
        seen = graph.node("ShaderNodeLightPath")["Is Camera Ray"] * (1.0 - geometry["Backfacing"])
        ahead = graph.node("ShaderNodeBsdfDiffuse", {"Color": glow})
        behind = graph.node("ShaderNodeBsdfTranslucent", {"Color": glow})
        lit = graph.node("ShaderNodeMixShader", {0: passes * 0.12, 1: ahead, 2: behind})
        clear = graph.node("ShaderNodeBsdfTransparent")
        shader = graph.node("ShaderNodeMixShader", {0: share * seen, 1: clear, 2: lit})
    graph.output("Shader", shader, "For the surface of the shell", "Shader")


def _scattered(graph: NodeGraph, air: Output, color: float) -> Output:
    """Return the share of light of a color that air scatters."""
    return 1.0 - graph.math("POWER", math.e, air * -color)
