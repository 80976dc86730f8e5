# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of the bands of a gas giant, and of the rings around it."""

from __future__ import annotations

from .....noise_core.landscapes.planets.bands import STREAKS
from ..node_graph import NodeGraph, Output
from ..shared_groups import shared_group
from .ground_masks import even_noise
from .planet_groups import rotate


@shared_group("Terrane Planet Bands", 1)
def bands_group(graph: NodeGraph) -> None:
    """Declare where on the ramp of bands a gas giant is at a place: eddies push the edges of bands."""
    graph.number("Turbulence", 1.0, (0.0, 10.0), "How far eddies push the edges of bands")
    graph.number("Contrast", 0.3, (0.0, 10.0), "How strongly fine bands differ")
    graph.vector("Storm", "Direction to the great storm, as a unit vector")
    graph.vector("Storm East", "Direction along its length")
    inputs = graph.inputs
    position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
    outwards = graph.vector_math("NORMALIZE", position, label="Outwards")
    with graph.frame("Great Storm"):
        turned, storm = _great_storm(graph, outwards)
    with graph.frame("Winds"):
        z = graph.component(turned, 2)
        # Winds blow to the east and to the west by turns, and draw out whatever stands in them.
        wind = graph.math("SINE", z * 22.0) * 0.5 + graph.math("SINE", z * 9.0 + 1.0) * 0.6
        blown = rotate(graph, turned, (0.0, 0.0, 1.0), wind)
        drawn = graph.vector_math("MULTIPLY", blown, (1.0, 1.0, 4.5))
    with graph.frame("Eddies"):
        large = _curls(graph, drawn, 2.6, 0.55)
        small = _curls(graph, graph.vector_math("MULTIPLY", large, (1.0, 1.0, 1.3)), 7.0, 0.16)
        rough = even_noise(graph, small, 3.4, 8.0, 0.62, "Eddies")
        fine = even_noise(graph, small, 11.0, 7.0, 0.66, "Wisps")
        level = graph.math("SUBTRACT", 1.0, z * z, clamp=True)
        push = ((rough - 0.5) * 0.085 + (fine - 0.5) * 0.03) * inputs["Turbulence"] * level
        lane = z + push
    with graph.frame("Bands"):
        along = graph.combine(0.0, 0.0, lane)
        detail = STREAKS.octaves - 1.0
        streaks = even_noise(graph, along, STREAKS.scale, detail, STREAKS.roughness, "Streaks")
        wisps = streaks - 0.5 + (fine - 0.5) * 0.55 + (rough - 0.5) * 0.35
        bright = graph.math("MULTIPLY_ADD", wisps, inputs["Contrast"], 1.0)
    graph.output(
        "Lane",
        lane * 0.5 + 0.5,
        "Place on a color ramp from the south pole, 0, to the north pole, 1",
    )
    graph.output("Brightness", bright, "Factor of the color")
    graph.output("Is Storm", storm, "1 within the great storm")


def _great_storm(graph: NodeGraph, outwards: Output) -> tuple[Output, Output]:
    """Return directions turned around the great storm, and where it is, from 0 to 1."""
    inputs = graph.inputs
    north = graph.vector_math("CROSS_PRODUCT", inputs["Storm"], inputs["Storm East"])
    across = graph.vector_math("DOT_PRODUCT", outwards, inputs["Storm East"])["Value"] / 0.23
    up = graph.vector_math("DOT_PRODUCT", outwards, north)["Value"] / 0.11
    front = graph.vector_math("DOT_PRODUCT", outwards, inputs["Storm"])["Value"]
    away = graph.math("SQRT", across * across + up * up)
    ragged = graph.node("ShaderNodeTexNoise", {"Vector": outwards, "Scale": 17.0, "Detail": 5.0})
    away = away + (ragged - 0.5) * 0.35
    near = graph.map_range(away, 0.0, 1.7, 1.0, 0.0, kind="SMOOTHSTEP")
    near = near * graph.math("GREATER_THAN", front, 0.0)
    turned = rotate(graph, outwards, inputs["Storm"], near * 2.4)
    storm = graph.map_range(away, 0.72, 0.98, 1.0, 0.0, kind="SMOOTHSTEP")
    return turned, storm * graph.math("GREATER_THAN", front, 0.0)


def _curls(graph: NodeGraph, place: Output, scale: float, strength: float) -> Output:
    """Return places pushed by a noise along the bands."""
    inputs = {"Vector": place, "Scale": scale, "Detail": 4.0, "Roughness": 0.55}
    push = graph.node("ShaderNodeTexNoise", inputs)["Color"]
    push = graph.vector_math("SUBTRACT", push, (0.5, 0.5, 0.5))
    return graph.vector_math("ADD", place, graph.vector_math("SCALE", push, strength))


@shared_group("Terrane Planet Rings", 1)
def rings_group(graph: NodeGraph) -> None:
    """Declare rings by the distance from the middle: dense, faint and empty ones, of ice and dust."""
    graph.number("Inner", 1.3, (1.0, 20.0), "Radius of the inner edge, in radii of the planet")
    graph.number("Outer", 2.3, (1.0, 20.0), "Radius of the outer edge, in radii of the planet")
    graph.number("Radius", 1.0, (1e-3, 1e9), "Of the planet in meters", "DISTANCE")
    inputs = graph.inputs
    position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
    away = graph.vector_math("LENGTH", position)["Value"] / inputs["Radius"]
    share = (away - inputs["Inner"]) / (inputs["Outer"] - inputs["Inner"])
    broad = even_noise(graph, share, 7.0, 3.0, 0.5, "Broad", dimensions="1D")
    fine = even_noise(graph, share, 46.0, 7.0, 0.72, "Fine", dimensions="1D")
    # The inner third is faint, as Saturn's C ring is; a gap as Cassini's parts the bright ones.
    faint = graph.map_range(share, 0.22, 0.30, 0.18, 1.0, kind="SMOOTHSTEP")
    gap = graph.math("ABSOLUTE", share - 0.70)
    gap = graph.map_range(gap, 0.022, 0.034, 0.04, 1.0, kind="SMOOTHSTEP")
    small = graph.map_range(graph.math("ABSOLUTE", share - 0.93), 0.004, 0.008, 0.1, 1.0)
    ends = graph.map_range(share, 0.0, 0.03) * graph.map_range(share, 0.985, 1.0, 1.0, 0.0)
    dense = (broad * 0.35 + fine * 0.55 + 0.28) * faint * gap * small * ends
    graph.output("Cover", graph.math("MINIMUM", dense, 0.97), "How much of what is behind it hides")
    color = graph.mix(fine, (0.40, 0.33, 0.25), (0.78, 0.71, 0.60), "VECTOR")
    graph.output("Color", color, "Of ice and dust", "Color")
