# SPDX-License-Identifier: GPL-3.0-or-later
"""The node groups that materials of terrains are made of.

They are ordinary groups which all such materials share. Each carries its name and the number of its
version as a custom property: a later Terrane that writes one in another way makes a new group, and
materials that have the old one stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from .node_building import Builder

MARK = "terrane_group"
"""Custom property of the groups that are ours: name and version."""

_FAR = 1e6
"""Metres or shares that no ground reaches."""

MASKS, LAYER, STRATA, CROWNS, CREVICES, BUMPS, WATER = (
    "Terrane Masks",
    "Terrane Layer",
    "Terrane Strata",
    "Terrane Crowns",
    "Terrane Crevices",
    "Terrane Bumps",
    "Terrane Water",
)

_SHARE, _ANY = (0.0, 1.0), (-_FAR, _FAR)


def shared_group(name: str) -> bpy.types.NodeTree:
    """Return one of the groups named above, made if this file has none of this version."""
    version, write = _WRITERS[name]
    return found_or_made(name, f"{name} {version}", write)


def found_or_made(name: str, mark: str, write: Callable[[Builder], None]) -> bpy.types.NodeTree:
    """Return the group with a mark, made by a function if there is none."""
    for group in bpy.data.node_groups:
        if group.get(MARK) == mark and group.library is None:
            return group
    group = bpy.data.node_groups.new(name, "ShaderNodeTree")
    group[MARK] = mark
    write(Builder(group))
    return group


def _masks(group: Builder) -> None:
    """Write what layers go by: place, traces of water, and noises."""
    land = group.panel("Land")
    number = group.number_socket
    number(
        "Width",
        1000.0,
        (1e-3, 1e9),
        "Metres; noises have features of a tenth of it and less",
        land,
        "DISTANCE",
    )
    number(
        "Lowest",
        0.0,
        _ANY,
        "Height in metres, along the object's Z axis, that counts as 0",
        land,
        "DISTANCE",
    )
    number("Highest", 100.0, _ANY, "Height in metres that counts as 1", land, "DISTANCE")
    water = group.panel("Water")
    number(
        "Sea", 0.0, _SHARE, "1 lays water over all ground below the water level", water, "FACTOR"
    )
    number("Water Level", 0.0, _ANY, "Height of the sea in metres", water, "DISTANCE")
    number(
        "Lakes",
        0.0,
        _SHARE,
        "1 lays water where erosion has left lakes: the attribute lake",
        water,
        "FACTOR",
    )
    traces = group.panel("Traces")
    for name, text in (
        ("Full Wear", "Metres worn away that count as 1: the attribute wear"),
        ("Full Deposit", "Metres left by rivers that count as 1: the attribute deposit"),
        ("Full Scree", "Metres of fallen stones that count as 1: the attribute scree"),
    ):
        number(name, 10.0, (1e-6, _FAR), text, traces, "DISTANCE")
    group.outputs(
        "NodeSocketVector",
        (
            ("Place", "Height from 0 to 1, slope in degrees, curvature from -1 to 1: for a layer"),
            ("Shore", "The same with the height in metres above the water"),
            ("Traces", "Flow, wear and deposit from 0 to 1: for a layer"),
            ("Scree Traces", "Flow, wear and scree"),
            ("River Traces", "Beds of rivers, wear and deposit"),
            (
                "Noises",
                "Patches from 0 to 1, push of limits from -1 to 1, and turns of colors: for a layer",
            ),
            ("Position", "In the object's own axes, in metres"),
        ),
    )
    group.outputs(
        "NodeSocketFloat",
        (
            ("Height", "From 0 to 1"),
            ("Curvature", "-1 in crevices, 1 on edges"),
            ("Ribs", "A noise that is drawn out down the slopes"),
            ("Water Depth", "In metres, 0 where it is dry"),
        ),
    )  # fmt: skip
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
    ashore = group.mixed_numbers(given["Sea"], _FAR, above)
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
    ribs = group.noise(down, 260.0, 4.0, 0.68, "Ribs")
    bed = group.total(group.attribute("river"), group.product(group.total(fine, -0.5), 0.25))
    bed = group.product(
        group.ranged(bed, 0.15, 0.6), group.ranged(group.attribute("river"), 0.0, 0.1)
    )
    brooks = group.product(group.ranged(group.attribute("flow"), 0.25, 0.6), 0.6)
    flow = group.math("MAXIMUM", bed, brooks, label="Flow")
    thick = {
        name: group.math("DIVIDE", group.attribute(name), given[f"Full {name.title()}"], clamp=True)
        for name in ("wear", "deposit", "scree")
    }
    depth = group.math(
        "MAXIMUM",
        group.product(group.attribute("lake"), given["Lakes"]),
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


def _layer(group: Builder) -> None:
    """Write a layer: what lies below, what it is like, where it lies."""
    number, colour = group.number_socket, group.colour_socket
    group.outputs("NodeSocketColor", [("Color", "Of all layers up to this one")])
    group.outputs(
        "NodeSocketFloat",
        (
            ("Roughness", "Of all layers up to this one"),
            ("Mask", "How much this layer covers, from 0 to 1"),
        ),
    )
    group.outputs("NodeSocketVector", [("Bumps", "Of all layers up to this one")])
    look = group.panel("Look")
    colour("Color", (0.5, 0.5, 0.5), "What it looks like", look)
    colour("Second Color", (0.4, 0.4, 0.4), "What takes turns with it", look)
    number("Tint", 0.0, _SHARE, "How much of the second color comes with height", look, "FACTOR")
    number("Roughness", 0.95, _SHARE, "0 is a mirror, 1 is chalk", look, "FACTOR")
    number("Detail", 0.6, _SHARE, "How much the detail changes the color", look, "FACTOR")
    for name, text in (
        ("Ground Bump", "Height in metres of stones, ripples or blades"),
        ("Rock Bump", "Height in metres of cracks and ribs"),
        ("Crown Bump", "Height in metres of crowns of trees"),
    ):
        number(name, 0.0, (0.0, _FAR), text, look, "DISTANCE")
    number("Smothers", 0.7, _SHARE, "How much of the bumps below it covers", look, "FACTOR")
    where = group.panel("Limits")
    number(
        "Amount", 1.0, (-10.0, 10.0), "Share of the ground within the limits that is covered", where
    )
    number("Softness", 0.15, _SHARE, "How soft the edges of patches are", where, "FACTOR")
    number(
        "Lowest",
        -10.0,
        _ANY,
        "Height below which there is none: from 0 (foot) to 1 (top), or metres above the water",
        where,
    )
    number("Highest", 10.0, _ANY, "Height above which there is none", where)
    number("Height Fade", 0.1, (1e-6, _FAR), "Over which height it fades", where)
    number("Flattest", -90.0, (-180.0, 180.0), "Slope in degrees below which there is none", where)
    number("Steepest", 180.0, (-180.0, 360.0), "Slope in degrees above which there is none", where)
    number("Slope Fade", 8.0, (1e-6, 180.0), "Over how many degrees it fades", where)
    number(
        "Steeper", 0.0, (-180.0, 180.0), "Degrees by which Steepest grows from foot to top", where
    )
    number("Ragged", 0.5, (0.0, 10.0), "How far noise pushes the limits, in their fades", where)
    reach = group.panel("Traces")
    for name, text in (
        ("Flow", "Added to the amount where rivers are near; less than 0 takes away"),
        ("Wear", "Added to the amount where most has been worn away"),
        ("Deposit", "Added to the amount where most has been left"),
        ("Curvature", "Added to the amount on edges, taken away in crevices"),
    ):
        number(name, 0.0, (-10.0, 10.0), text, reach)
    linked = group.panel("From Masks", closed=True)
    group.vector_socket("Place", "Height, slope, curvature: Place or Shore of the masks", linked)
    group.vector_socket("Traces", "Flow, wear, deposit: one of the traces of the masks", linked)
    group.vector_socket("Noises", "Noises of the masks", linked)
    details = group.panel("From Details", closed=True)
    colour("Detail Color", (1.0, 1.0, 1.0), "Multiplies the color; 1 changes nothing", details)
    below = group.panel("From Below", closed=True)
    colour("Color Below", (0.5, 0.5, 0.5), "Of the layers below", below)
    number("Roughness Below", 0.95, _SHARE, "Of the layers below", below, "FACTOR")
    group.vector_socket("Bumps Below", "Of the layers below, in metres", below)
    given = group.begin().outputs
    mask = _layer_mask(group, given)
    own = _layer_colour(group, given)
    bumps = group.joined(given["Ground Bump"], given["Rock Bump"], given["Crown Bump"], "Bumps")
    kept = group.inverse(group.product(mask, given["Smothers"]))
    bumps = group.vector(
        "ADD", group.vector("SCALE", bumps, mask), group.vector("SCALE", given["Bumps Below"], kept)
    )
    group.end(
        Color=group.mixed(mask, given["Color Below"], own),
        Roughness=group.mixed_numbers(mask, given["Roughness Below"], given["Roughness"]),
        Bumps=bumps,
        Mask=mask,
    )  # fmt: skip


def _layer_mask(group: Builder, given: Any) -> Any:
    height, slope, bend = group.parts(given["Place"], "Place")
    traces = (*group.parts(given["Traces"], "Traces"), bend)
    patches, push, _ = group.parts(given["Noises"], "Noises")
    push = group.product(push, given["Ragged"], label="Push")
    rise = group.product(given["Steeper"], height)
    by_height = _band(group, height, push, given["Lowest"], given["Highest"], given["Height Fade"])
    by_slope = _band(
        group, slope, push, given["Flattest"], group.total(given["Steepest"], rise),
        given["Slope Fade"],
    )  # fmt: skip
    amount = given["Amount"]
    for name, trace in zip(("Flow", "Wear", "Deposit", "Curvature"), traces, strict=True):
        # Not in one node: Cycles leaves out a product with 0, and a sum with it.
        amount = group.total(amount, group.product(given[name], trace))
    # Of the noise, which is even from 0 to 1, the share `amount` lies above the edge of patches.
    soft = group.math("MAXIMUM", group.product(given["Softness"], 2.0), 1e-3)
    lack = group.product(group.inverse(amount), group.total(soft, 1.0))
    over = group.math("SUBTRACT", patches, lack)
    covered = group.ranged(over, group.product(soft, -1.0), 0.0, smooth=True, label="Patches")
    return group.product(by_height, by_slope, covered, label="Mask")


def _band(group: Builder, value: Any, push: Any, low: Any, high: Any, fade: Any) -> Any:
    """Return 1 between two limits, 0 beyond, with soft and ragged edges."""
    pushed = group.math("MULTIPLY_ADD", push, fade, value)
    inside = group.math(
        "MINIMUM", group.math("SUBTRACT", pushed, low), group.math("SUBTRACT", high, pushed)
    )
    return group.ranged(group.math("DIVIDE", inside, fade), -0.5, 0.5, smooth=True, label="Within")


def _layer_colour(group: Builder, given: Any) -> Any:
    height, _, _ = group.parts(given["Place"])
    _, _, turns = group.parts(given["Noises"])
    high = group.product(given["Tint"], group.total(height, -0.45))
    share = group.math("ADD", turns, high, clamp=True)
    colour = group.mixed(share, given["Color"], given["Second Color"])
    return group.mixed(given["Detail"], colour, given["Detail Color"], "MULTIPLY")


def _strata(group: Builder) -> None:
    """Write layers of rock, seen where it is bare."""
    group.outputs("NodeSocketColor", [("Color", "For a layer"), ("Second Color", "For a layer")])
    group.colour_socket("Color", (0.3, 0.2, 0.1), "Of the rock")
    group.colour_socket("Second Color", (0.4, 0.25, 0.15), "What takes turns with it")
    group.colour_socket("Pale Color", (0.5, 0.4, 0.3), "Of pale layers")
    group.number_socket("Strength", 0.5, _SHARE, "How strongly they show", subtype="FACTOR")
    group.number_socket(
        "Thickness", 20.0, (1e-3, _FAR), "Mean thickness in metres", subtype="DISTANCE"
    )
    group.number_socket("Tilt", 0.014, (-1.0, 1.0), "How steeply they lie: metres up per metre")
    group.vector_socket("Position", "Of the masks")
    group.vector_socket("Noises", "Of the masks")
    given = group.begin().outputs
    x, y, z = group.parts(given["Position"])
    _, push, turns = group.parts(given["Noises"])
    bent = group.total(group.product(turns, 1.6), group.product(push, 0.15), -0.8)
    bent = group.product(bent, given["Thickness"], 1.1)
    tilted = group.product(group.math("MULTIPLY_ADD", y, -0.6, x), given["Tilt"])
    level = group.math("DIVIDE", group.total(z, bent, tilted), given["Thickness"], label="Level")
    thick = group.noise(level, 1.0, 3.0, 0.62, "Layers", dimensions="1D")
    thin = group.noise(level, 5.3, 2.0, 0.5, "Thin Layers", dimensions="1D")
    layers = group.total(group.product(thick, 0.75), group.product(thin, 0.25))
    strength = given["Strength"]
    dark = group.math("MULTIPLY_ADD", strength, -0.62, 1.0)
    bright = group.math("MULTIPLY_ADD", strength, 0.55, 1.0)
    shade = group.ranged(layers, 0.12, 0.88, dark, bright)
    pale = group.product(group.ranged(thick, 0.66, 0.80, smooth=True), strength, 0.75)
    colours = {
        name: group.mixed(pale, group.vector("SCALE", given[name.replace("_", " ")], shade), given["Pale Color"])
        for name in ("Color", "Second_Color")
    }  # fmt: skip
    group.end(**colours)


def _crowns(group: Builder) -> None:
    """Write crowns of trees, seen from above."""
    group.outputs("NodeSocketColor", [("Detail Color", "For a layer")])
    group.outputs("NodeSocketFloat", [("Detail Height", "For a layer")])
    group.number_socket("Size", 8.0, (1e-3, _FAR), "Of crowns in metres", subtype="DISTANCE")
    group.vector_socket("Position", "Of the masks")
    given = group.begin().outputs
    place = group.vector("SCALE", given["Position"], group.math("DIVIDE", 1.0, given["Size"]))
    cells = group.add("ShaderNodeTexVoronoi", "Crowns", Vector=place, Scale=1.0)
    rounded = group.ranged(cells.outputs["Distance"], 0.0, 0.75, 1.0, 0.0)
    tint, other, _ = group.parts(cells.outputs["Color"])
    light = group.product(
        group.ranged(rounded, 0.0, 1.0, 0.45, 1.25), group.ranged(tint, 0.0, 1.0, 0.7, 1.3)
    )
    warm = group.ranged(other, 0.0, 1.0, 0.85, 1.35)
    group.end(
        Detail_Color=group.joined(group.product(light, warm), light, light),
        Detail_Height=group.math("MULTIPLY_ADD", rounded, 1.0, -0.5),
    )


def _crevices(group: Builder) -> None:
    """Write dark crevices and bright edges, as dust and wind make them."""
    group.outputs("NodeSocketColor", [("Color", "For the layer above")])
    group.colour_socket("Color", (0.5, 0.5, 0.5), "Of the layers below")
    group.number_socket("Strength", 0.3, _SHARE, "How much darker and brighter", subtype="FACTOR")
    group.number_socket("Curvature", 0.0, (-1.0, 1.0), "Of the masks")
    group.number_socket("Ribs", 0.5, _SHARE, "Of the masks")
    given = group.begin().outputs
    both = group.total(
        group.product(given["Curvature"], 0.85),
        group.product(group.total(given["Ribs"], -0.5), 0.5),
    )
    factor = group.math("MULTIPLY_ADD", both, given["Strength"], 1.0)
    group.end(Color=group.vector("SCALE", given["Color"], factor))


def _bumps(group: Builder) -> None:
    """Write bumps: how high they are is worked out once, only their texture is looked up beside."""
    group.outputs("NodeSocketVector", [("Normal", "For the shader")])
    group.number_socket("Strength", 1.0, (0.0, 10.0), "Makes all bumps higher or lower")
    group.vector_socket("Bumps", "Of the layers: metres of the ground's, the rock's, the crowns'")
    for name in ("Ground", "Rock", "Crown"):
        group.number_socket(f"{name} Height", 0.0, (-10.0, 10.0), "Of its details, from -1 to 1")
    given = group.begin().outputs
    scaled = group.vector("SCALE", given["Bumps"], given["Strength"])
    normal: Any = None
    for name, metres in zip(("Ground", "Rock", "Crown"), group.parts(scaled), strict=True):
        bump = group.add("ShaderNodeBump", name, Height=given[f"{name} Height"], Distance=metres)
        bump.inputs["Strength"].default_value = 1.0
        if normal is not None:
            group.feed(normal, bump.inputs["Normal"])
        normal = bump.outputs["Normal"]
    group.end(Normal=normal)


def _water(group: Builder) -> None:
    """Write water: clear at the shore, dark in the deep."""
    group.outputs("NodeSocketColor", [("Color", "For the shader")])
    group.outputs(
        "NodeSocketFloat", [("Roughness", "For the shader"), ("Specular", "For the shader")]
    )
    group.outputs("NodeSocketVector", [("Normal", "For the shader: water lies level")])
    group.colour_socket("Shallow", (0.05, 0.14, 0.13), "Of water that one sees the ground through")
    group.colour_socket("Deep", (0.004, 0.02, 0.035), "Of deep water")
    group.number_socket(
        "Clear", 10.0, (1e-3, _FAR), "Depth in metres to which one sees", subtype="DISTANCE"
    )
    group.number_socket("Waves", 0.3, _SHARE, "How rough it is", subtype="FACTOR")
    group.number_socket("Wave Size", 30.0, (1e-3, _FAR), "In metres", subtype="DISTANCE")
    below = group.panel("From Below", closed=True)
    group.number_socket("Depth", 0.0, (0.0, _FAR), "Of the masks", below)
    group.vector_socket("Position", "Of the masks", below)
    group.colour_socket("Color", (0.5, 0.5, 0.5), "Of the ground", below)
    group.number_socket("Roughness", 0.9, _SHARE, "Of the ground", below)
    group.number_socket("Specular", 0.15, _SHARE, "Of the ground", below)
    group.vector_socket("Normal", "Of the ground", below)
    given = group.begin().outputs
    depth, clear = given["Depth"], given["Clear"]
    wet = group.ranged(depth, 0.0, group.product(clear, 0.04), label="Is Wet", smooth=True)
    murk = group.inverse(group.math("POWER", 0.37, group.math("DIVIDE", depth, clear)))
    place = group.vector("SCALE", given["Position"], group.math("DIVIDE", 1.0, given["Wave Size"]))
    swell = group.noise(place, 1.0, 4.0, 0.6, "Swell")
    waves = group.add("ShaderNodeBump", "Waves", Strength=given["Waves"], Height=swell)
    group.feed(group.product(given["Wave Size"], 0.02), waves.inputs["Distance"])
    waves.inputs["Normal"].default_value = (0.0, 0.0, 1.0)
    up = group.joined(0.0, 0.0, 1.0)
    group.feed(up, waves.inputs["Normal"])
    bottom = group.mixed(
        group.ranged(depth, 0.0, clear, 0.55, 1.0), given["Color"], given["Shallow"]
    )
    body = group.mixed(murk, bottom, given["Deep"])
    normal = group.mixed(wet, given["Normal"], waves.outputs["Normal"])
    group.end(
        Color=group.mixed(wet, given["Color"], body),
        Roughness=group.mixed_numbers(wet, given["Roughness"], 0.08),
        Specular=group.mixed_numbers(wet, given["Specular"], 0.5),
        Normal=normal,
    )  # fmt: skip


_WRITERS: dict[str, tuple[int, Callable[[Builder], None]]] = {
    MASKS: (1, _masks),
    LAYER: (1, _layer),
    STRATA: (1, _strata),
    CROWNS: (1, _crowns),
    CREVICES: (1, _crevices),
    BUMPS: (1, _bumps),
    WATER: (1, _water),
}
"""By name: the version, to be raised with every change, and what writes it."""
