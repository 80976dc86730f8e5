# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups beside the layers: strata, crowns of trees, crevices, bumps, water."""

from __future__ import annotations

from typing import Any

from ..nodes.node_building import FAR, SHARE, Builder


def write_strata(group: Builder) -> None:
    """Write layers of rock, seen where it is bare."""
    group.outputs("NodeSocketColor", [("Color", "For a layer"), ("Second Color", "For a layer")])
    group.color_socket("Color", (0.3, 0.2, 0.1), "Of the rock")
    group.color_socket("Second Color", (0.4, 0.25, 0.15), "What takes turns with it")
    group.color_socket("Pale Color", (0.5, 0.4, 0.3), "Of pale layers")
    group.number_socket("Strength", 0.5, SHARE, "How strongly they show", subtype="FACTOR")
    group.number_socket(
        "Thickness", 20.0, (1e-3, FAR), "Mean thickness in meters", subtype="DISTANCE"
    )
    group.number_socket("Tilt", 0.014, (-1.0, 1.0), "How steeply they lie: meters up per meter")
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
    colors = {
        name: group.mixed(pale, group.vector("SCALE", given[name.replace("_", " ")], shade), given["Pale Color"])
        for name in ("Color", "Second_Color")
    }  # fmt: skip
    group.end(**colors)


def write_crowns(group: Builder) -> None:
    """Write crowns of trees, seen from above."""
    group.outputs("NodeSocketColor", [("Detail Color", "For a layer")])
    group.outputs("NodeSocketFloat", [("Detail Height", "For a layer")])
    group.number_socket("Size", 8.0, (1e-3, FAR), "Of crowns in meters", subtype="DISTANCE")
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


def write_crevices(group: Builder) -> None:
    """Write dark crevices and bright edges, as dust and wind make them."""
    group.outputs("NodeSocketColor", [("Color", "For the layer above")])
    group.color_socket("Color", (0.5, 0.5, 0.5), "Of the layers below")
    group.number_socket("Strength", 0.3, SHARE, "How much darker and brighter", subtype="FACTOR")
    group.number_socket("Curvature", 0.0, (-1.0, 1.0), "Of the masks")
    group.number_socket("Ribs", 0.5, SHARE, "Of the masks")
    given = group.begin().outputs
    both = group.total(
        group.product(given["Curvature"], 0.85),
        group.product(group.total(given["Ribs"], -0.5), 0.5),
    )
    factor = group.math("MULTIPLY_ADD", both, given["Strength"], 1.0)
    group.end(Color=group.vector("SCALE", given["Color"], factor))


def write_bumps(group: Builder) -> None:
    """Write bumps: how high they are is worked out once, only their texture is looked up beside."""
    group.outputs("NodeSocketVector", [("Normal", "For the shader")])
    group.number_socket("Strength", 1.0, (0.0, 10.0), "Makes all bumps higher or lower")
    group.vector_socket("Bumps", "Of the layers: meters of the ground's, the rock's, the crowns'")
    for name in ("Ground", "Rock", "Crown"):
        group.number_socket(f"{name} Height", 0.0, (-10.0, 10.0), "Of its details, from -1 to 1")
    group.number_socket(
        "Crags", 0.6, (-10.0, 10.0), "How high crags of rock are beside its details: they are as large"
        " as what erosion has left out, and as small as stones",
    )  # fmt: skip
    group.number_socket("Ribs", 0.5, SHARE, "Of the masks: the shape of crags")
    given = group.begin().outputs
    scaled = group.vector("SCALE", given["Bumps"], given["Strength"])
    heights = {name: given[f"{name} Height"] for name in ("Ground", "Rock", "Crown")}
    crags = group.product(given["Crags"], group.total(given["Ribs"], -0.5), label="Crags")
    heights["Rock"] = group.total(heights["Rock"], crags)
    normal: Any = None
    for (name, height), meters in zip(heights.items(), group.parts(scaled), strict=True):
        bump = group.add("ShaderNodeBump", name, Height=height, Distance=meters)
        bump.inputs["Strength"].default_value = 1.0
        if normal is not None:
            group.feed(normal, bump.inputs["Normal"])
        normal = bump.outputs["Normal"]
    group.end(Normal=normal)


def write_water(group: Builder) -> None:
    """Write water: clear at the shore, dark in the deep."""
    group.outputs("NodeSocketColor", [("Color", "For the shader")])
    group.outputs(
        "NodeSocketFloat", [("Roughness", "For the shader"), ("Specular", "For the shader")]
    )
    group.outputs("NodeSocketVector", [("Normal", "For the shader: water lies level")])
    group.color_socket("Shallow", (0.05, 0.14, 0.13), "Of water that one sees the ground through")
    group.color_socket("Deep", (0.004, 0.02, 0.035), "Of deep water")
    group.number_socket(
        "Clear", 10.0, (1e-3, FAR), "Depth in meters to which one sees", subtype="DISTANCE"
    )
    group.number_socket("Waves", 0.3, SHARE, "How rough it is", subtype="FACTOR")
    group.number_socket("Wave Size", 30.0, (1e-3, FAR), "In meters", subtype="DISTANCE")
    below = group.panel("From Below", closed=True)
    group.number_socket("Depth", 0.0, (0.0, FAR), "Of the masks", below)
    group.vector_socket("Position", "Of the masks", below)
    group.color_socket("Color", (0.5, 0.5, 0.5), "Of the ground", below)
    group.number_socket("Roughness", 0.9, SHARE, "Of the ground", below)
    group.number_socket("Specular", 0.15, SHARE, "Of the ground", below)
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
