# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups of the masks: height, slope, curvature, traces of water, thickness of snow, and noises.

There is one for land above a plain and one for land on a sphere, where height and slope count from the middle
and latitude is climate.
"""

from __future__ import annotations

from .....noise_core.flow_routing.water_levels import DRAWN
from .....noise_core.landscapes.planets import ground as planet_ground
from .....noise_core.materials.colors import COVERS
from .....noise_core.materials.ground.land_rows import SOAKED, WET_BEACH, WET_SHARE
from .....noise_core.materials.ground.measures import THICK
from .....noise_core.materials.ground.noises import BROAD, BROAD_ENDS
from ..node_graph import ANY, FAR, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group
from .settings import DRY


@shared_group("Terrane Masks", 9)
def masks_group(graph: NodeGraph) -> None:
    """Declare height, slope, curvature, traces of water and noises."""
    declare_mask_inputs(graph)
    with graph.frame("Height and Slope"):
        position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
        _, _, z = graph.separate(position)
        up = graph.component(graph.node("ShaderNodeNewGeometry", label="Normal")["Normal"], 2)
        place = _place(graph, z, up)
    declare_masks(graph, position, *place)


@shared_group("Terrane Planet Masks", 3)
def planet_masks_group(graph: NodeGraph) -> None:
    """Declare the same on a sphere: heights above a radius, slopes against the direction from the middle, climates."""
    declare_mask_inputs(graph)
    _declare_planet_inputs(graph)
    with graph.frame("Height and Slope"):
        position = graph.node("ShaderNodeTexCoord", label="Coordinates")["Object"]
        distance = graph.vector_math("LENGTH", position)["Value"]
        z = graph.math("SUBTRACT", distance, graph.inputs["Radius"], label="Radial Height")
        normal = graph.node(
            "ShaderNodeVectorTransform",
            {"Vector": graph.node("ShaderNodeNewGeometry", label="Normal")["Normal"]},
            vector_type="NORMAL", convert_from="WORLD", convert_to="OBJECT",
        )  # fmt: skip
        outwards = graph.vector_math("NORMALIZE", position)
        up = graph.vector_math("DOT_PRODUCT", normal, outwards)["Value"]
        height, slope, above, ashore = _place(graph, z, up)
    with graph.frame("Climate"):
        cold, dry = _climate(graph, position, outwards)
    declare_masks(graph, position, height + cold, slope, above, ashore, dry)
    graph.output(
        "Level", graph.combine(0.0, 0.0, z), "Radial height as a place: for strata", "Vector"
    )


def _place(graph: NodeGraph, z: Output, up: Output) -> tuple[Output, Output, Output, Output]:
    """Return height, slope, meters above the water, and meters above a shore, which are many without one."""
    inputs = graph.inputs
    height = graph.map_range(z, inputs["Lowest"], inputs["Highest"], label="Height")
    steep = graph.math("ARCCOSINE", graph.math("ABSOLUTE", up, clamp=True))
    slope = graph.math("DEGREES", steep, label="Slope")
    above = graph.math("SUBTRACT", z, inputs["Water Level"], label="Above Water")
    ashore = graph.mix(inputs["Shore"], FAR, above)
    return height, slope, above, ashore


def _climate(graph: NodeGraph, position: Output, outwards: Output) -> tuple[Output, Output]:
    """Return by how much of the relief it is colder than at the equator, and how dry it is, from 0 to 1."""
    inputs = graph.inputs
    unit = graph.vector_math("SCALE", position, 1.0 / inputs["Width"])
    wander = even_noise(graph, unit, *planet_ground.CLIMATE, "Climate")
    latitude = latitude_of(graph, outwards, wander)
    line, ice = inputs["Snow Line"], inputs["Ice Latitude"]
    milder = ice - planet_ground.COLD_FROM
    colder = graph.map_range(latitude, milder, ice, kind="SMOOTHSTEP") * line
    icy = graph.map_range(
        latitude, ice, ice + planet_ground.COLD_OVER, 0.0, planet_ground.COLD_MORE
    )
    cold = graph.math("MULTIPLY", colder + icy, inputs["Ice"], label="Cold")
    belt = graph.math("ABSOLUTE", latitude - planet_ground.DRY_AT) / planet_ground.DRY_WIDTH
    dry = 1.0 - belt * belt + (wander - 0.5) * 1.5
    return cold, graph.math("MAXIMUM", graph.math("MINIMUM", dry, 1.0), 0.0, label="Drought")


def latitude_of(graph: NodeGraph, outwards: Output, wander: Output) -> Output:
    """Return the degrees from the equator in a direction, moved by a noise from 0 to 1."""
    sine = graph.math("ABSOLUTE", graph.component(outwards, 2), clamp=True)
    degrees = graph.math("DEGREES", graph.math("ARCSINE", sine))
    moved = graph.math("MULTIPLY_ADD", wander - 0.5, 2.0 * planet_ground.WOBBLE, degrees)
    return graph.math("MAXIMUM", moved, 0.0, label="Latitude")


def declare_masks(
    graph: NodeGraph,
    position: Output,
    height: Output,
    slope: Output,
    above: Output,
    ashore: Output,
    dry: Output | None = None,
) -> None:
    """Declare the masks that a plain and a sphere share; drought, if given, replaces wear.

    The nodes of plants have them too, with attributes read off the terrain: see `scene.plant_woods`.
    """
    inputs = graph.inputs
    with graph.frame("Curvature"):
        lines = graph.attribute("ridge") - graph.attribute("crease")
        bend = graph.attribute("cavity") + lines * 0.3
        bend = graph.math("MAXIMUM", graph.math("MINIMUM", bend, 1.0), -1.0, label="Curvature")
    with graph.frame("Noises"):
        unit = graph.vector_math("SCALE", position, 1.0 / inputs["Width"])
        noises, broad, fine = _noises(graph, unit)
        # As fine as stones, for edges of snow and grass break up in it right before the camera.
        ribs = _stretch_noise(graph, unit, (1.0, 1.0, 0.70), 260.0, 8.0, 0.68, "Ribs")
        beds = _stretch_noise(graph, unit, (0.22, 0.22, 1.0), 230.0, 3.0, 0.55, "Beds")
    with graph.frame("Traces"):
        river, wet = graph.attribute("river"), 1.0 - graph.attribute(DRY)
        bed = graph.map_range(river + (fine + -0.5) * 0.25, 0.15, 0.6)
        bed = bed * graph.map_range(river, 0.0, 0.1) * wet
        brooks = graph.map_range(graph.attribute("flow"), 0.25, 0.6) * 0.6 * wet
        flow = graph.math("MAXIMUM", bed, brooks, label="Flow")
        thick = {
            name: graph.math(
                "DIVIDE", graph.attribute(name), inputs[f"Full {name.title()}"], clamp=True
            )
            for name in (*THICK, *COVERS)
        }
        wear, deposit, scree = (thick[name] for name in THICK)
        wear = wear if dry is None else dry
        traces = graph.combine(flow, wear, deposit)
        scree_traces = graph.combine(flow, wear, scree)
        river_traces = graph.combine(bed, wear, deposit)
    with graph.frame("Water"):
        lakes = graph.math("MAXIMUM", graph.attribute("lake"), graph.attribute(DRAWN)) * wet
        soaked = graph.map_range(lakes, 0.0, SOAKED, kind="SMOOTHSTEP")
        if dry is None:  # planets are small, and their seas have no tides
            reach = graph.math("MINIMUM", inputs["Width"] * WET_SHARE, WET_BEACH)
            beach = ashore / reach - fine * 0.6
            beach = graph.map_range(beach, 0.5, 1.0, 1.0, 0.0, label="Wet Beach")
            soaked = graph.math("MAXIMUM", soaked, beach)
        soaked = graph.math("MAXIMUM", soaked, bed * 0.5, label="Wet")
        lakes = lakes * inputs["Lakes"]
        depth = graph.math("MAXIMUM", lakes, (0.0 - above) * inputs["Sea"])
        depth = graph.math("MAXIMUM", depth, 0.0)
    with graph.frame("Place"):
        place, shore = graph.combine(height, slope, bend), graph.combine(ashore, slope, bend)
    for name, value, text in (
        ("Place", place, "Height from 0 to 1, slope in degrees, curvature from -1 to 1: for a layer"),
        ("Shore", shore, "The same with the height in meters above the water"),
        ("Traces", traces, "Flow, wear and deposit from 0 to 1: for a layer"),
        ("Scree Traces", scree_traces, "Flow, wear and scree"),
        ("River Traces", river_traces, "Beds of rivers, wear and deposit"),
        ("Noises", noises, "Patches from 0 to 1, push of limits from -1 to 1, and turns of colors: for a layer"),
        ("Broad Noises", broad, "The same with patches without fine noise: for woods"),
        ("Position", position, "In the object's own axes, in meters"),
    ):  # fmt: skip
        graph.output(name, value, text, "Vector")
    for name in COVERS:
        graph.output(name.title(), thick[name], "Thickness from 0 to 1: for its layer")
    graph.output("Height", height, "From 0 to 1")
    graph.output("Curvature", bend, "-1 in crevices, 1 on edges")
    graph.output("Wet", soaked, "1 under water and where waves reach, less on beds of rivers")
    graph.output("Ribs", ribs, "A noise that is drawn out a little down the slopes")
    graph.output("Beds", beds, "A noise that is drawn out along level beds of rock")
    graph.output("Water Depth", depth, "In meters, 0 where it is dry")


def _noises(graph: NodeGraph, unit: Output) -> tuple[Output, Output, Output]:
    """Return patches, push of limits and turns of colors as one vector, the same with broad patches, and the fine noise."""
    large = even_noise(graph, unit, 9.0, 3.0, 0.55, "Large")
    middle = even_noise(graph, unit, 47.0, 4.0, 0.62, "Middle")
    fine = even_noise(graph, unit, 420.0, 3.0, 0.66, "Fine")
    patches = large * 0.42 + middle * 0.40 + fine * 0.18
    patches = graph.map_range(patches, 0.18, 0.82, label="Patches")
    push = middle * 1.4 + fine * 0.6 + -1.0
    turns = large * 0.5 + middle * 0.32 + fine * 0.18
    broad = graph.map_range(large * BROAD + middle * (1.0 - BROAD), *BROAD_ENDS, label="Broad")
    return graph.combine(patches, push, turns), graph.combine(broad, push, turns), fine


def _stretch_noise(
    graph: NodeGraph,
    unit: Output,
    axes: tuple[float, float, float],
    scale: float,
    detail: float,
    roughness: float,
    label: str,
) -> Output:
    """Return an even noise that is stretched along axes: a smaller scale is longer."""
    place = graph.vector_math("MULTIPLY", unit, axes)
    return even_noise(graph, place, scale, detail, roughness, label)


def declare_mask_inputs(graph: NodeGraph) -> None:
    """Declare the measures of a land that its masks depend on."""
    # fmt: off
    number = graph.number
    with graph.panel("Land"):
        number("Width", 1000.0, (1e-3, 1e9), "Meters; noises have features of a tenth of it and less", "DISTANCE")
        number("Lowest", 0.0, ANY, "Height in meters, along the object's Z axis, that counts as 0", "DISTANCE")
        number("Highest", 100.0, ANY, "Height in meters that counts as 1", "DISTANCE")
    with graph.panel("Water"):
        number("Sea", 0.0, SHARE, "1 lays water over all ground below the water level", "FACTOR")
        number("Shore", 0.0, SHARE, "1 lets beaches lie above the water level", "FACTOR")
        number("Water Level", 0.0, ANY, "Height of the sea in meters", "DISTANCE")
        number("Lakes", 0.0, SHARE, "1 lays water where erosion has left lakes: the attribute lake", "FACTOR")
    with graph.panel("Traces"):
        for name, text in (
            ("Full Wear", "Meters worn away that count as 1: the attribute wear"),
            ("Full Deposit", "Meters left by rivers that count as 1: the attribute deposit"),
            ("Full Scree", "Meters of fallen stones that count as 1: the attribute scree"),
            ("Full Snow", "Meters of snow that count as 1: the attribute snow"),
        ):
            number(name, 10.0, (1e-6, FAR), text, "DISTANCE")
        number("Full Road", 1.0, (1e-6, FAR), "Firmness of roads that counts as 1: the attribute road")
    # fmt: on


def _declare_planet_inputs(graph: NodeGraph) -> None:
    # fmt: off
    number = graph.number
    with graph.panel("Planet"):
        number("Radius", 1.0, (1e-3, 1e9), "Meters from the middle to where heights are 0", "DISTANCE")
        number("Snow Line", 0.6, ANY, "Height from 0 to 1 above which snow lies at the equator")
        number("Ice Latitude", 66.0, (0.0, 90.0), "Degrees from the equator at which ice begins on low ground")
        number("Ice", 1.0, SHARE, "0 leaves the poles as warm as the equator", "FACTOR")
    # fmt: on


def even_noise(
    graph: NodeGraph,
    place: Value,
    scale: Value,
    detail: float,
    roughness: float,
    label: str,
    *,
    dimensions: str = "3D",
) -> Output:
    """Return a noise whose values are spread evenly from 0 to 1.

    `place` is a vector, or a number if there is one dimension.
    """
    inputs = {"Scale": scale, "Detail": detail, "Roughness": roughness}
    inputs["W" if dimensions == "1D" else "Vector"] = place
    node = graph.node("ShaderNodeTexNoise", inputs, label=label, noise_dimensions=dimensions)
    return graph.map_range(node, 0.3, 0.7, label=label)
