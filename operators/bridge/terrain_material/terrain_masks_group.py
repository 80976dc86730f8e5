# SPDX-License-Identifier: GPL-3.0-or-later
"""The group that tells layers where they are: height, slope, curvature, traces of water, noises."""

from __future__ import annotations

from ..nodes.node_building import ANY, FAR, SHARE, Builder

DRY = "terrane_dry"
"""Name of an attribute: 1 where no water is shown, for a painted mask has kept erosion away."""


def write_masks(group: Builder) -> None:
    """Write what layers go by: place, traces of water, and noises."""
    _sockets(group)
    given = group.begin().outputs
    position = group.add("ShaderNodeTexCoord", "Coordinates").outputs["Object"]
    _, _, z = group.parts(position)
    _, _, up = group.parts(group.add("ShaderNodeNewGeometry", "Normal").outputs["Normal"])
    height = group.ranged(z, given["Lowest"], given["Highest"], label="Height")
    steep = group.math("ARCCOSINE", group.math("ABSOLUTE", up, clamp=True))
    slope = group.math("DEGREES", steep, label="Slope")
    lines = group.math("SUBTRACT", group.attribute("ridge"), group.attribute("crease"))
    bend = group.total(group.attribute("cavity"), group.product(lines, 0.3))
    bend = group.math("MAXIMUM", group.math("MINIMUM", bend, 1.0), -1.0, label="Curvature")
    above = group.math("SUBTRACT", z, given["Water Level"], label="Above Water")
    ashore = group.mixed_numbers(given["Sea"], FAR, above)
    unit = group.vector("SCALE", position, group.math("DIVIDE", 1.0, given["Width"]))
    large = group.noise(unit, 9.0, 3.0, 0.55, "Large")
    middle = group.noise(unit, 47.0, 4.0, 0.62, "Middle")
    fine = group.noise(unit, 420.0, 3.0, 0.66, "Fine")
    patches = group.total(
        group.product(large, 0.42), group.product(middle, 0.40), group.product(fine, 0.18)
    )
    patches = group.ranged(patches, 0.18, 0.82, label="Patches")
    push = group.total(group.product(middle, 1.4), group.product(fine, 0.6), -1.0)
    turns = group.total(
        group.product(large, 0.4), group.product(middle, 0.35), group.product(fine, 0.25)
    )
    down = group.vector("MULTIPLY", unit, (1.0, 1.0, 0.30))
    # As fine as stones, for edges of snow and grass break up in it right before the camera.
    ribs = group.noise(down, 260.0, 8.0, 0.68, "Ribs")
    bed = group.total(group.attribute("river"), group.product(group.total(fine, -0.5), 0.25))
    bed = group.product(
        group.ranged(bed, 0.15, 0.6), group.ranged(group.attribute("river"), 0.0, 0.1)
    )
    wet = group.inverse(group.attribute(DRY))
    bed = group.product(bed, wet)
    brooks = group.product(group.ranged(group.attribute("flow"), 0.25, 0.6), 0.6, wet)
    flow = group.math("MAXIMUM", bed, brooks, label="Flow")
    thick = {
        name: group.math("DIVIDE", group.attribute(name), given[f"Full {name.title()}"], clamp=True)
        for name in ("wear", "deposit", "scree")
    }
    depth = group.math(
        "MAXIMUM",
        group.product(group.attribute("lake"), given["Lakes"], wet),
        group.product(group.math("SUBTRACT", 0.0, above), given["Sea"]),
    )
    group.end(
        Place=group.joined(height, slope, bend),
        Shore=group.joined(ashore, slope, bend),
        Traces=group.joined(flow, thick["wear"], thick["deposit"]),
        Scree_Traces=group.joined(flow, thick["wear"], thick["scree"]),
        River_Traces=group.joined(bed, thick["wear"], thick["deposit"]),
        Noises=group.joined(patches, push, turns),
        Position=position,
        Height=height,
        Curvature=bend,
        Ribs=ribs,
        Water_Depth=group.math("MAXIMUM", depth, 0.0),
    )  # fmt: skip


def _sockets(group: Builder) -> None:
    land = group.panel("Land")
    number = group.number_socket
    number(
        "Width",
        1000.0,
        (1e-3, 1e9),
        "Meters; noises have features of a tenth of it and less",
        land,
        "DISTANCE",
    )
    number(
        "Lowest",
        0.0,
        ANY,
        "Height in meters, along the object's Z axis, that counts as 0",
        land,
        "DISTANCE",
    )
    number("Highest", 100.0, ANY, "Height in meters that counts as 1", land, "DISTANCE")
    water = group.panel("Water")
    number("Sea", 0.0, SHARE, "1 lays water over all ground below the water level", water, "FACTOR")
    number("Water Level", 0.0, ANY, "Height of the sea in meters", water, "DISTANCE")
    number(
        "Lakes",
        0.0,
        SHARE,
        "1 lays water where erosion has left lakes: the attribute lake",
        water,
        "FACTOR",
    )
    traces = group.panel("Traces")
    for name, text in (
        ("Full Wear", "Meters worn away that count as 1: the attribute wear"),
        ("Full Deposit", "Meters left by rivers that count as 1: the attribute deposit"),
        ("Full Scree", "Meters of fallen stones that count as 1: the attribute scree"),
    ):
        number(name, 10.0, (1e-6, FAR), text, traces, "DISTANCE")
    group.outputs(
        "NodeSocketVector",
        (
            ("Place", "Height from 0 to 1, slope in degrees, curvature from -1 to 1: for a layer"),
            ("Shore", "The same with the height in meters above the water"),
            ("Traces", "Flow, wear and deposit from 0 to 1: for a layer"),
            ("Scree Traces", "Flow, wear and scree"),
            ("River Traces", "Beds of rivers, wear and deposit"),
            (
                "Noises",
                "Patches from 0 to 1, push of limits from -1 to 1, and turns of colors: for a layer",
            ),
            ("Position", "In the object's own axes, in meters"),
        ),
    )
    group.outputs(
        "NodeSocketFloat",
        (
            ("Height", "From 0 to 1"),
            ("Curvature", "-1 in crevices, 1 on edges"),
            ("Ribs", "A noise that is drawn out down the slopes"),
            ("Water Depth", "In meters, 0 where it is dry"),
        ),
    )  # fmt: skip
