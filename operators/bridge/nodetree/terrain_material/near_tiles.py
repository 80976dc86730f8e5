# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles as they are seen from nearby: their own color, slopes and roughness, hex-tiled.

From afar tiles only tint a layer (`details`). Near the camera a layer is its tile: true to size at one's
feet, and in steps of the same ladder of sizes farther off, two of which fade into each other. The color is
a ratio to the tile's mean, so that the layer keeps the palette's color on average, and no ring is seen
where near ground becomes far ground.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy

from .....noise_core.materials.surfaces import surface
from .. import shared_groups
from ..hex_tiling import CORNERS, HexTiling, place_copies, upward
from ..node_graph import ANY, Inputs, NodeGraph, Output, Value
from ..shared_groups import AlikeGroups
from .details import RATIO
from .near_ground import NOTHING, wait_for
from .tile_images import TilePair

_GROUP_VERSION = 4

_LOOKUP_VERSION = 2
"""Of the groups in them, which look up a tile's images: a tree costs Blender more than the sum of its parts
when nodes are added to it."""

_APART = 16.0
"""Distance in widths of a tile at which it is seen best, as in `details`."""

_TURNED = 1.0
"""How far copies are turned, of tiles that look the same from all directions."""

_STEADY = 0.03
"""How far those are turned that do not: ripples and beds keep their direction."""

_DIRECTED = frozenset({"sand_ripples", "sandstone_strata", "water_ripples", "bark"})
"""Surfaces that look different along and across."""

_EDGE = 6.0
"""Power of the normal that gives the weights of three sides: sharp edges blur little."""


@dataclass(frozen=True)
class _Sample:
    """Sample of a tile at a spot: vectors of deviations from the mean, and its roughness."""

    color: Output
    slopes: Output
    roughness: Output


def find_or_create_group(
    name: str,
    pixels: int,
    images: TilePair,
    *,
    is_sided: bool,
    alike: AlikeGroups | None = None,
) -> bpy.types.NodeTree:
    """Return the node group of a near tile, which all terrains share.

    Parameters
    ----------
    name : str
        Of the surface.
    pixels : int
        Along a side of its images.
    images : TilePair
    is_sided : bool
        Lay it on from all sides, for steep ground, not from above alone.
    alike : AlikeGroups, optional
        Those of other tiles.
    """
    alike = alike or AlikeGroups()
    top = _lookup_group(name, pixels, images, alike, is_turned=True)
    side = _lookup_group(name, pixels, images, alike, is_turned=False) if is_sided else top
    version = f"{pixels} {'sides' if is_sided else 'top'} {_GROUP_VERSION}"
    return shared_groups.find_or_create(
        f"Terrane Near {surface(name).label}",
        version,
        lambda graph: _declare(graph, name, (side, side, top), is_sided=is_sided),
    )


def _declare(
    graph: NodeGraph, name: str, lookups: Sequence[bpy.types.NodeTree], *, is_sided: bool
) -> None:
    wide = (1e-3, 1e6)
    size = graph.number("Size", 1.0, wide, "True width of the tile in meters", "DISTANCE")
    apart = graph.number(
        "Apart", _APART, (0.1, 1e3), "How many of its widths away from the camera it is seen best"
    )
    position = graph.vector("Position", "Of the masks")
    lower, share = _find_step(graph, position, size, apart)
    turn = _STEADY if name in _DIRECTED else _TURNED
    facing = _sides(graph) if is_sided else None
    samples: list[_Sample] = []
    for beside, title in ((0.0, "True Copy"), (1.0, "Larger Copy")):
        with graph.frame(title):
            at = lower + beside
            width = size * graph.math("POWER", RATIO, at)
            sample_position = (
                wait_for(graph, position, samples[0].roughness) if samples else position
            )
            place = graph.vector_math("SCALE", sample_position, 1.0 / width)
            copies = place_copies(graph, place, Seed=at, Turn=turn)
            samples.append(
                _sample_top(graph, copies, lookups[2])
                if facing is None
                else _sample_sides(graph, copies, lookups, facing)
            )
    lower_copy, larger_copy = samples
    with graph.frame("Both"):
        lower_share = 1.0 - share
        length = graph.math("SQRT", share * share + lower_share * lower_share)
        color = _join(
            graph, lower_copy.color, larger_copy.color, lower_share / length, share / length
        )
        shown = graph.vector_math("ADD", color, (1.0, 1.0, 1.0))
        shown = graph.vector_math("MAXIMUM", shown, (0.0, 0.0, 0.0))
        slopes = _join(
            graph, lower_copy.slopes, larger_copy.slopes, lower_share / length, share / length
        )
        roughness = graph.mix(share, lower_copy.roughness, larger_copy.roughness)
    graph.output("Near Color", shown, "Ratio to the mean: for a near layer", "Color")
    graph.output("Slopes", slopes, "Meters up per meter along X, Y, Z: for a near layer", "Vector")
    graph.output("Roughness", roughness, "For a near layer")


def _find_step(
    graph: NodeGraph, position: Output, size: Output, apart: Output
) -> tuple[Output, Output]:
    """Return the step of the ladder below the camera's distance, and the share of the step above it."""
    with graph.frame("Step of the Ladder"):
        distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"]
        # It waits as the position does: see `wait_for`.
        distance = distance + graph.component(position, 0) * NOTHING
        right = graph.math("MAXIMUM", distance / (apart * size), 1.0)
        step = graph.math("LOGARITHM", right, RATIO, label="Step")
        lower = graph.math("FLOOR", step)
        share = graph.map_range(step - lower, 0.25, 0.75, kind="SMOOTHSTEP", label="Larger")
    return lower, share


def _join(
    graph: NodeGraph, first: Value, second: Value, first_weight: Value, second_weight: Value
) -> Output:
    scaled = graph.vector_math("SCALE", first, first_weight)
    return graph.vector_math("ADD", scaled, graph.vector_math("SCALE", second, second_weight))


def _sides(graph: NodeGraph) -> tuple[Output, Output, Output]:
    """Return how much of the ground faces each axis; the sum is 1."""
    with graph.frame("Sides"):
        facing = graph.node("ShaderNodeTexCoord", label="Facing")["Normal"]
        parts = [
            graph.math("POWER", graph.math("ABSOLUTE", component), _EDGE)
            for component in graph.separate(facing)
        ]
        total = parts[0] + parts[1] + parts[2]
        x, y, z = (part / total for part in parts)
    return x, y, z


def _lookup_group(
    name: str, pixels: int, images: TilePair, alike: AlikeGroups, *, is_turned: bool
) -> bpy.types.NodeTree:
    """Return the node group that looks up a tile once; slopes turn back with turned copies."""
    return alike.find_or_create(
        f"Terrane Lookup {surface(name).label}{'' if is_turned else ' Upright'}",
        f"{pixels} {_LOOKUP_VERSION}",
        lambda graph: _declare_lookup(graph, images, is_turned=is_turned),
        {"Detail": images.detail, "Relief": images.relief},
        kind=f"Lookup {is_turned}",
    )


def _declare_lookup(graph: NodeGraph, images: TilePair, *, is_turned: bool) -> None:
    tiling = HexTiling.inputs(graph)
    delay = graph.number(
        "After", 0.0, ANY, "Is calculated before the tile is looked up, which saves memory"
    )
    with graph.frame("Color"):
        places = [wait_for(graph, place, delay) for place in tiling.places]
        colors = _look_up(graph, places, images.detail, "Detail")
        color = tiling.blend_deviations(
            graph, [_deviations(graph, copy_color) for copy_color in colors]
        )
        brightness = graph.component(color, 0)
    with graph.frame("Relief"):
        later = [wait_for(graph, place, brightness) for place in places]
        reliefs = _look_up(graph, later, images.relief, "Relief")
        normal = tiling.blend_normals(graph, reliefs, is_turned=is_turned)
        across, along = _slopes(graph, normal)
        roughness = graph.component(tiling.blend(graph, reliefs), 2)
    graph.output("Deviation", color, "Of the color from the tile's mean, from -1 to 1", "Vector")
    graph.output("Across", across, "Slope along the tile's X")
    graph.output("Along", along, "Slope along the tile's Y")
    graph.output("Roughness", roughness, "Of the tile")


def _look_up(
    graph: NodeGraph, places: Sequence[Output], image: bpy.types.Image, label: str
) -> list[Output]:
    """Return the colors of a tile's copies."""
    return [
        graph.node("ShaderNodeTexImage", {"Vector": place}, label=label, image=image)["Color"]
        for place in places
    ]


def _deviations(graph: NodeGraph, value: Output) -> Output:
    """Return a color as deviations from the middle, from -1 to 1."""
    return graph.vector_math("MULTIPLY_ADD", value, (2.0,) * 3, (-1.0,) * 3)


def _slopes(graph: NodeGraph, normal: Output) -> tuple[Output, Output]:
    """Return the slopes along both axes of a tile from the first two parts of its normal."""
    x, y = (graph.component(normal, axis) for axis in range(2))
    level = upward(graph, x, y)
    return (0.0 - x) / level, (0.0 - y) / level


def _sample_top(graph: NodeGraph, copies: Inputs, tile: bpy.types.NodeTree) -> _Sample:
    """Declare a tile laid on from above."""
    lookup = graph.group(tile, copies)
    slopes = graph.combine(lookup["Across"], lookup["Along"])
    return _Sample(lookup["Deviation"], slopes, lookup["Roughness"])


def _sample_sides(
    graph: NodeGraph,
    copies: Mapping[str, Output],
    tiles: Sequence[bpy.types.NodeTree],
    sides: tuple[Output, Output, Output],
) -> _Sample:
    """Declare a tile laid on from all sides, with Z up on walls; the slopes stand along the walls."""
    colors: list[Output] = []
    slopes: list[Output] = []
    roughs: list[Output] = []
    for axis, (tile, weight) in enumerate(zip(tiles, sides, strict=True)):
        inputs: dict[str, Value] = dict(copies)
        inputs |= {corner: _facing(graph, copies[corner], axis) for corner in CORNERS}
        if roughs:
            inputs["After"] = roughs[-1]
        lookup = graph.group(tile, inputs)
        slope: list[Value] = [lookup["Across"], lookup["Along"]]
        slope.insert(axis, 0.0)
        x, y, z = slope
        colors.append(graph.vector_math("SCALE", lookup["Deviation"], weight))
        slopes.append(graph.vector_math("SCALE", graph.combine(x, y, z), weight))
        roughs.append(lookup["Roughness"] * weight)
    return _Sample(_total(graph, colors), _total(graph, slopes), roughs[0] + roughs[1] + roughs[2])


def _total(graph: NodeGraph, vectors: list[Output]) -> Output:
    first, second, third = vectors
    return graph.vector_math("ADD", graph.vector_math("ADD", first, second), third)


def _facing(graph: NodeGraph, place: Output, axis: int) -> Output:
    """Return a place as seen along an axis."""
    if axis == 2:
        return place
    across = graph.component(place, 1 if axis == 0 else 0)
    return graph.combine(across, graph.component(place, 2), 0.0)
