# SPDX-License-Identifier: GPL-3.0-or-later
"""The group of the masks of all layers: height, slope, curvature, traces of water, noises."""

from __future__ import annotations

from ..node_graph import NodeGraph, Value
from ..sockets import ANY, FAR, SHARE, Panel, Socket, number
from .settings import DRY


def declare_masks() -> NodeGraph:
    """Declare position, traces of water and noises."""
    graph = NodeGraph()
    _declare_sockets(graph)
    given = graph.inputs
    with graph.titled_frame("Height and Slope"):
        position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
        _, _, z = graph.separate(position)
        _, _, up = graph.separate(graph.node("ShaderNodeNewGeometry", label="Normal")["Normal"])
        height = graph.map_range(z, given["Lowest"], given["Highest"], label="Height")
        steep = graph.math("ARCCOSINE", graph.math("ABSOLUTE", up, clamp=True))
        slope = graph.math("DEGREES", steep, label="Slope")
        above = graph.math("SUBTRACT", z, given["Water Level"], label="Above Water")
        ashore = graph.mix(given["Sea"], FAR, above)
    with graph.titled_frame("Curvature"):
        lines = graph.attribute("ridge") - graph.attribute("crease")
        bend = graph.attribute("cavity") + lines * 0.3
        bend = graph.math("MAXIMUM", graph.math("MINIMUM", bend, 1.0), -1.0, label="Curvature")
    with graph.titled_frame("Noises"):
        unit = graph.vector_math("SCALE", position, 1.0 / given["Width"])
        large = even_noise(graph, unit, 9.0, 3.0, 0.55, "Large")
        middle = even_noise(graph, unit, 47.0, 4.0, 0.62, "Middle")
        fine = even_noise(graph, unit, 420.0, 3.0, 0.66, "Fine")
        patches = large * 0.42 + middle * 0.40 + fine * 0.18
        patches = graph.map_range(patches, 0.18, 0.82, label="Patches")
        push = middle * 1.4 + fine * 0.6 + -1.0
        turns = large * 0.4 + middle * 0.35 + fine * 0.25
        down = graph.vector_math("MULTIPLY", unit, (1.0, 1.0, 0.30))
        # As fine as stones, for edges of snow and grass break up in it right before the camera.
        ribs = even_noise(graph, down, 260.0, 8.0, 0.68, "Ribs")
        noises = graph.combine(patches, push, turns)
    with graph.titled_frame("Traces"):
        river, wet = graph.attribute("river"), 1.0 - graph.attribute(DRY)
        bed = graph.map_range(river + (fine + -0.5) * 0.25, 0.15, 0.6)
        bed = bed * graph.map_range(river, 0.0, 0.1) * wet
        brooks = graph.map_range(graph.attribute("flow"), 0.25, 0.6) * 0.6 * wet
        flow = graph.math("MAXIMUM", bed, brooks, label="Flow")
        wear, deposit, scree = (
            graph.math("DIVIDE", graph.attribute(name), given[f"Full {name.title()}"], clamp=True)
            for name in ("wear", "deposit", "scree")
        )
        traces = {
            "Traces": graph.combine(flow, wear, deposit),
            "Scree Traces": graph.combine(flow, wear, scree),
            "River Traces": graph.combine(bed, wear, deposit),
        }
    with graph.titled_frame("Water"):
        lakes = graph.attribute("lake") * given["Lakes"] * wet
        depth = graph.math("MAXIMUM", lakes, (0.0 - above) * given["Sea"])
        depth = graph.math("MAXIMUM", depth, 0.0)
    with graph.titled_frame("Place"):
        place, shore = graph.combine(height, slope, bend), graph.combine(ashore, slope, bend)
    return graph.finish(
        {
            "Place": place,
            "Shore": shore,
            **traces,
            "Noises": noises,
            "Position": position,
            "Height": height,
            "Curvature": bend,
            "Ribs": ribs,
            "Water Depth": depth,
        }
    )


def even_noise(
    graph: NodeGraph,
    place: Value,
    scale: Value,
    detail: float,
    roughness: float,
    label: str,
    *,
    dimensions: str = "3D",
) -> Value:
    """Return a noise whose values are spread evenly from 0 to 1.

    `place` is a vector, or a number if there is one dimension.
    """
    position = "W" if dimensions == "1D" else "Vector"
    node = graph.node(
        "ShaderNodeTexNoise",
        {"Scale": scale, "Detail": detail, "Roughness": roughness, position: place},
        label=label,
        noise_dimensions=dimensions,
    )
    return graph.map_range(node["Fac"], 0.3, 0.7, label=label)


def _declare_sockets(graph: NodeGraph) -> None:
    land, water, traces = Panel("Land"), Panel("Water"), Panel("Traces")
    graph.declare_inputs(
        number(
            "Width", 1000.0, (1e-3, 1e9), "Meters; noises have features of a tenth of it and less",
            land, "DISTANCE",
        ),
        number(
            "Lowest", 0.0, ANY, "Height in meters, along the object's Z axis, that counts as 0",
            land, "DISTANCE",
        ),
        number("Highest", 100.0, ANY, "Height in meters that counts as 1", land, "DISTANCE"),
        number("Sea", 0.0, SHARE, "1 lays water over all ground below the water level", water, "FACTOR"),
        number("Water Level", 0.0, ANY, "Height of the sea in meters", water, "DISTANCE"),
        number(
            "Lakes", 0.0, SHARE, "1 lays water where erosion has left lakes: the attribute lake",
            water, "FACTOR",
        ),
        *(
            number(name, 10.0, (1e-6, FAR), text, traces, "DISTANCE")
            for name, text in (
                ("Full Wear", "Meters worn away that count as 1: the attribute wear"),
                ("Full Deposit", "Meters left by rivers that count as 1: the attribute deposit"),
                ("Full Scree", "Meters of fallen stones that count as 1: the attribute scree"),
            )
        ),
    )  # fmt: skip
    graph.declare_outputs(
        *(
            Socket(name, "VECTOR", help=text)
            for name, text in (
                (
                    "Place",
                    "Height from 0 to 1, slope in degrees, curvature from -1 to 1: for a layer",
                ),
                ("Shore", "The same with the height in meters above the water"),
                ("Traces", "Flow, wear and deposit from 0 to 1: for a layer"),
                ("Scree Traces", "Flow, wear and scree"),
                ("River Traces", "Beds of rivers, wear and deposit"),
                (
                    "Noises",
                    "Patches from 0 to 1, push of limits from -1 to 1, and turns of colors: for a layer",
                ),
                ("Position", "In the object's own axes, in meters"),
            )
        ),
        Socket("Height", help="From 0 to 1"),
        Socket("Curvature", help="-1 in crevices, 1 on edges"),
        Socket("Ribs", help="A noise that is drawn out down the slopes"),
        Socket("Water Depth", help="In meters, 0 where it is dry"),
    )
