# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground of a landscape: what grows and lies where, by height, slope and what erosion left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
from _air import finish_in_air
from _looks import Look
from _nodes import Nodes, tree_of
from _surroundings import Land

_TREES = 850.0
"""Crowns of trees along the width of the terrain."""


@dataclass(frozen=True)
class _Place:
    """What the layers of the ground go by; all but the nodes are sources.

    Attributes
    ----------
    nodes : Nodes
        Of the material.
    position : source
        In metres.
    height : source
        From 0 (low) to 1 (high), a little ragged.
    flat : source
        The upright part of the normal: 1 on level ground, 0 on walls.
    wide, middle, fine : source
        Noises from 0 to 1 with features of a tenth, a fiftieth and a five hundredth of the width.
    ribs : source
        A noise that is drawn out upwards, as cracks and ribs run down a slope.
    """

    nodes: Nodes
    position: Any
    height: Any
    flat: Any
    wide: Any
    middle: Any
    fine: Any
    ribs: Any


def ground(land: Land, look: Look) -> bpy.types.Material:
    """Return the material of a terrain, seen through the air."""
    material = bpy.data.materials.new("Ground")
    nodes = Nodes(tree_of(material))
    place = _place(nodes, land, look)
    colour, rough = _soil(place, look)
    colour, rough = _rock(place, land, look, colour, rough)
    colour = _relief(place, look, colour)
    colour = _scree(place, look, colour)
    colour, rough, wooded = _woods(place, land, look, colour, rough)
    colour = _rivers(place, look, colour)
    colour, rough, white = _snow(place, look, colour, rough)
    surface = nodes.add(
        "ShaderNodeBsdfPrincipled", Roughness=nodes.remap(white, 0.0, 1.0, 0.95, 0.6)
    )
    surface.inputs["Specular IOR Level"].default_value = 0.12
    nodes.feed(colour, surface, "Base Color")
    nodes.feed(_bumps(place, land, look, rough, wooded), surface, "Normal")
    middle = look.soil[len(look.soil) // 2][1]
    finish_in_air(nodes, look.air, (surface, "BSDF"), land.width, land.low, plain=middle)
    return material


def _place(nodes: Nodes, land: Land, look: Look) -> _Place:
    geometry = nodes.add("ShaderNodeNewGeometry")
    position = (geometry, "Position")
    _, _, z = nodes.parts(position)
    _, _, up = nodes.parts((geometry, "Normal"))
    wide = nodes.noise(position, 10.0 / land.width, 4.0)
    middle = nodes.noise(position, 50.0 / land.width, 5.0, Roughness=0.6)
    fine = nodes.noise(position, 500.0 / land.width, 4.0, Roughness=0.66)
    upright = nodes.vector("MULTIPLY", position, (1.0, 1.0, 0.28))
    ribs = nodes.noise(upright, 300.0 / land.width, 6.0, Roughness=0.68)
    level = nodes.remap(z, land.low, land.high)
    ragged = nodes.math("MULTIPLY_ADD", middle, look.ragged, -0.5 * look.ragged)
    return _Place(nodes, position, nodes.add_up(level, ragged), up, wide, middle, fine, ribs)


def _soil(place: _Place, look: Look) -> tuple[Any, float]:
    """Return the colour of gentle ground, and how rough it is."""
    nodes = place.nodes
    colour = nodes.ramp(place.height, look.soil)
    patches = nodes.remap(place.wide, 0.3, 0.7, 0.80, 1.22)
    colour = nodes.scaled(colour, patches)
    colour = nodes.scaled(colour, nodes.remap(place.fine, 0.25, 0.75, 0.82, 1.18))
    return colour, 0.35


def _rock(place: _Place, land: Land, look: Look, colour: Any, rough: Any) -> tuple[Any, Any]:
    """Lay bare rock on steep ground, in layers where strata show."""
    nodes = place.nodes
    stone = nodes.mix(nodes.remap(place.middle, 0.35, 0.65), look.rock, look.other_rock)
    x, y, z = nodes.parts(place.position)
    if look.bands > 0.0:
        bent = nodes.product(nodes.add_up(place.middle, -0.5), 0.10 * (land.high - land.low))
        level = nodes.add_up(z, bent, nodes.product(x, 0.012), nodes.product(y, -0.008))
        layers = nodes.noise(
            nodes.joined(0.0, 0.0, level), look.layers / (land.high - land.low), 3.5
        )
        shade = nodes.remap(layers, 0.3, 0.7, 1.0 - 0.62 * look.bands, 1.0 + 0.75 * look.bands)
        stone = nodes.scaled(stone, shade)
        pale = nodes.product(nodes.smooth(layers, 0.54, 0.60), look.bands)
        stone = nodes.mix(nodes.product(pale, 0.6), stone, look.pale_rock)
    stone = nodes.scaled(stone, nodes.remap(place.ribs, 0.28, 0.72, 0.5, 1.45))
    steep = nodes.add_up(place.flat, nodes.product(nodes.add_up(place.middle, -0.5), -0.24))
    # What rivers have worn away most is bare earlier.
    worn = nodes.smooth(nodes.attribute("ridge"), 0.35, 0.95, 0.0, 0.07)
    steep = nodes.math("SUBTRACT", steep, worn)
    share = nodes.smooth(steep, look.rock_below + 0.07, look.rock_below - 0.08)
    return nodes.mix(share, colour, stone), nodes.remap(share, 0.0, 1.0, rough, 1.0)


def _relief(place: _Place, look: Look, colour: Any) -> Any:
    """Darken crevices and brighten edges, as dust and wind do."""
    nodes = place.nodes
    edges = nodes.remap(
        nodes.attribute("cavity"), -0.9, 0.9, 1.0 - look.cavities, 1.0 + look.cavities
    )
    lines = nodes.math("SUBTRACT", nodes.attribute("ridge"), nodes.attribute("crease"))
    lines = nodes.remap(lines, -1.0, 1.0, 0.80, 1.16)
    return nodes.scaled(colour, nodes.product(edges, lines))


def _scree(place: _Place, look: Look, colour: Any) -> Any:
    """Strew stones where slides came to rest, and silt where rivers left it."""
    nodes = place.nodes
    stones = nodes.smooth(nodes.attribute("scree"), 0.5, 9.0)
    stones = nodes.product(stones, nodes.smooth(place.middle, 0.30, 0.55), look.scree_share)
    colour = nodes.mix(
        stones, colour, nodes.scaled(look.scree, nodes.remap(place.fine, 0.3, 0.7, 0.75, 1.2))
    )
    silt = nodes.smooth(nodes.attribute("deposit"), 2.0, 40.0)
    silt = nodes.product(silt, nodes.smooth(place.flat, 0.93, 0.99), look.silt_share)
    return nodes.mix(silt, colour, look.silt)


def _woods(place: _Place, land: Land, look: Look, colour: Any, rough: Any) -> tuple[Any, Any, Any]:
    """Plant woods on ground that is neither too steep nor too high, densest where water runs."""
    if look.woods_share <= 0.0:
        return colour, rough, 0.0
    nodes = place.nodes
    line = nodes.smooth(place.height, look.tree_line + 0.06, look.tree_line - 0.06)
    dry = nodes.smooth(place.height, look.woods_above - 0.01, look.woods_above + 0.02)
    gentle = nodes.smooth(place.flat, look.woods_below - 0.06, look.woods_below + 0.08)
    wet = nodes.product(nodes.attribute("wet"), 0.12)
    grown = nodes.add_up(nodes.product(place.wide, 0.45), nodes.product(place.middle, 0.55), wet)
    edge = 0.72 - 0.44 * look.woods_share
    share = nodes.smooth(grown, edge, edge + 0.05)
    share = nodes.product(share, line, dry, gentle)
    crowns = nodes.cells(place.position, _TREES / land.width)
    round_ = nodes.remap((crowns, "Distance"), 0.0, 0.75, 1.0, 0.0)
    tint, _, _ = nodes.parts((crowns, "Color"))
    leaf = nodes.mix(tint, look.woods, look.other_woods)
    leaf = nodes.scaled(leaf, nodes.remap(round_, 0.0, 1.0, 0.55, 1.25))
    return nodes.mix(share, colour, leaf), nodes.product(rough, nodes.inverse(share)), share


def _rivers(place: _Place, look: Look, colour: Any) -> Any:
    """Draw the beds of rivers: gravel, and water in the largest."""
    if look.rivers <= 0.0:
        return colour
    nodes = place.nodes
    river = nodes.add_up(
        nodes.attribute("river"), nodes.product(nodes.add_up(place.fine, -0.5), 0.3)
    )
    level = nodes.smooth(place.flat, 0.90, 0.975)
    gravel = nodes.product(nodes.smooth(river, 0.25, 0.55), level, look.rivers)
    colour = nodes.mix(gravel, colour, look.silt)
    stream = nodes.product(nodes.smooth(river, 0.55, 0.85), level, look.streams)
    return nodes.mix(stream, colour, look.stream)


def _snow(place: _Place, look: Look, colour: Any, rough: Any) -> tuple[Any, Any, Any]:
    """Cover high ground with snow that slides off cliffs, and lasts in gullies and in the shade."""
    nodes = place.nodes
    if look.snow > 1.0:
        return colour, rough, nodes.math("ADD", 0.0, 0.0)
    hollow = nodes.product(nodes.attribute("cavity"), -0.07)
    height = nodes.add_up(place.height, hollow, nodes.product(place.wide, 0.14), -0.07)
    high = nodes.smooth(height, look.snow - 0.05, look.snow + 0.09)
    # The higher, the steeper the ground that holds it.
    steep = nodes.add_up(
        place.flat,
        nodes.remap(height, look.snow, look.snow + 0.45, 0.0, 0.10),
        nodes.product(nodes.add_up(place.fine, -0.5), 0.10),
        nodes.product(nodes.add_up(place.ribs, -0.5), -0.12),
        nodes.product(nodes.attribute("crease"), 0.06),
    )
    holds = nodes.smooth(steep, look.snow_below - 0.06, look.snow_below + 0.06)
    share = nodes.product(high, holds)
    white = nodes.scaled((0.86, 0.89, 0.94), nodes.remap(place.fine, 0.3, 0.7, 0.94, 1.04))
    return (
        nodes.mix(share, colour, white),
        nodes.product(rough, nodes.remap(share, 0.0, 1.0, 1.0, 0.2)),
        share,
    )


def _bumps(place: _Place, land: Land, look: Look, rough: Any, wooded: Any) -> Any:
    """Return the source of the normal of rough rock, trees, or sand in ripples."""
    nodes = place.nodes
    if look.ripples:
        _, y, _ = nodes.parts(place.position)
        bent = nodes.add_up(y, nodes.product(place.wide, 0.12 * land.width))
        wave = nodes.math("SINE", nodes.product(bent, 900.0 / land.width))
        return nodes.bump(wave, land.width * 1.2e-4, nodes.remap(place.middle, 0.4, 0.6, 0.1, 0.5))
    normal = nodes.bump(place.ribs, land.width * 2.2e-3, nodes.product(rough, look.bumps))
    if wooded == 0.0:
        return normal
    crowns = (nodes.cells(place.position, _TREES / land.width), "Distance")
    return nodes.bump(
        nodes.inverse(crowns), land.width * 1.2e-3, nodes.product(wooded, 0.8), normal
    )
