# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes for places of plants: a tile of points that repeats over the terrain's plane."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....noise_core.landscapes.plants import HECTARE, STANDS_FOR
from ..nodetree.node_graph import NodeGraph, Output

RANK = "terrane_rank"
"""Attribute of the points of a tile: their order, from 0 to 1."""

COUNT = 1024
"""Points of a tile: fewer repeat visibly, more are made in vain at the border."""

LEVELS: dict[str, tuple[float, float, float]] = {"grass": (1.0, 0.5, 1.0 / 16.0)}
"""Share of the places that are taken near the camera, beyond the near distance, and beyond that times `FAR`."""

TREES = (1.0, 1.0, 1.0 / STANDS_FOR)
"""The same of other kinds: up to there each stands alone, beyond it one of a group stands for all of it."""

FAR = 3.0
"""Near distances up to which each plant stands alone: farther off a tree is a few pixels high."""

_JITTER = 0.3
"""Share of the distance by which the limits of levels are blurred."""

_MOST = 1000.0
"""Tiles along a side: more fill the memory."""

_NOWHERE = 7.5
"""Near distances from the camera at which all lies if there is none: groups of trees alone."""


@dataclass(frozen=True)
class PlaceFields:
    """Fields of candidate places.

    Attributes
    ----------
    on_land : Output
        Where they lie on the land that the terrain is a tile of, without height.
    rank, share : Output
        Their order, and below which rank they are taken if all is covered; both from 0 to 1.
    level, thinning : Output
        0 near the camera, 1 and 2 far off, and by how much fewer are taken there.
    chances : tuple of three Outputs
        Random numbers from 0 to 1.
    """

    on_land: Output
    rank: Output
    share: Output
    level: Output
    thinning: Output
    chances: tuple[Output, Output, Output]


def declare_places(graph: NodeGraph) -> tuple[Output, PlaceFields]:
    """Return the candidate points of plants, and their fields."""
    group_inputs = graph.inputs
    tiles = graph.part(_declare_tiles(), group_inputs)
    with graph.frame("Places"):
        place = _fields(graph, tiles["Share"])
        is_kept = graph.math("LESS_THAN", place.rank, place.share * place.thinning)
        # Beyond the reach there are none, and outside the border ever fewer: woods have no straight edge.
        beyond = group_inputs["Beyond"] * graph.math("SQRT", place.chances[2])
        x, y, _ = graph.separate(graph.node("GeometryNodeInputPosition"))
        low, size = graph.separate(group_inputs["Low"]), graph.separate(group_inputs["Extent"])
        for coordinate, first, wide in zip((x, y), low, size):
            distance = graph.math("ABSOLUTE", coordinate - (first + 0.5 * wide))
            is_kept = is_kept * graph.math("LESS_THAN", distance, wide * (0.5 + beyond))
        is_removed = graph.math("LESS_THAN", is_kept, 0.5)
        inputs = {"Geometry": tiles["Geometry"], "Selection": is_removed}
        candidates = graph.node("GeometryNodeDeleteGeometry", inputs)
    return candidates, place


ORIGIN = "Origin"
"""Input: where the terrain's middle lies on the land that it is a tile of, in meters: neighbors join."""

SHARES = ("Middle Share", "Far Share")
"""Inputs: of `LEVELS`, the shares beyond the near distance."""

_TILE_INPUTS = {
    "Places": "Geometry",
    "Low": "Vector",
    "Extent": "Vector",
    "Camera": "Vector",
    ORIGIN: "Vector",
}
_TILE_NUMBERS = (
    "Has Camera",
    "Beyond",
    "Near",
    "Reach",
    "Viewport Share",
    "Seed",
    "Kind",
    "Density",
    *SHARES,
)


def _declare_tiles() -> NodeGraph:
    """Declare the group that repeats the tile of points."""
    graph = NodeGraph.with_inputs("Tiles", _TILE_INPUTS | dict.fromkeys(_TILE_NUMBERS, "Float"))
    tile, share = _tile(graph)
    graph.output("Geometry", _tiles(graph, tile, share), kind="Geometry")
    graph.output("Share", share)
    return graph


def _tile(graph: NodeGraph) -> tuple[Output, Output]:
    """Return the width of a tile in meters, and the share of its points that the density needs.

    It is a power of 2: another density takes more or fewer of the same places.
    """
    inputs = graph.inputs
    density = graph.math("MAXIMUM", inputs["Density"], 1e-6)
    count = graph.math("SQRT", (COUNT * HECTARE) / density)
    power = graph.math("FLOOR", graph.math("LOGARITHM", count, 2.0))
    tile = graph.math("POWER", 2.0, power)
    share = density * tile * tile * (1.0 / (COUNT * HECTARE))
    is_any = graph.math("GREATER_THAN", inputs["Density"], 1e-6)
    return tile, share * _display_share(graph) * is_any


def _display_share(graph: NodeGraph) -> Output:
    """Return the share of the plants that is shown: all of them in renders."""
    shares = {"False": 1.0, "True": graph.inputs["Viewport Share"]}
    is_seen = graph.node("GeometryNodeIsViewport")
    return graph.node("GeometryNodeSwitch", {"Switch": is_seen, **shares}, input_type="FLOAT")[
        "Output"
    ]


def _tiles(graph: NodeGraph, tile: Output, share: Output) -> Output:
    """Return the points of all tiles that may have plants; tiles far off have fewer points."""
    group_inputs = graph.inputs
    reach = group_inputs["Reach"] * _display_share(graph)
    has_camera = group_inputs["Has Camera"]
    is_limited = graph.math("GREATER_THAN", reach, 0.0) * graph.math(
        "GREATER_THAN", has_camera, 0.0
    )
    far = 1e9 * (1.0 - is_limited) + reach
    eye, low, size, origin = (
        graph.separate(group_inputs[name]) for name in ("Camera", "Low", "Extent", ORIGIN)
    )
    row_of_tiles = _declare_row()
    firsts, shifts, counts = [], [], []
    for axis, step in ((0, 0.618), (1, 0.755)):
        # Each kind has its own tiles, or all would stand at the same places.
        shift = graph.math("FRACT", (group_inputs["Kind"] + group_inputs["Seed"] + 1.0) * step)
        inputs = {"Low": low[axis], "Width": size[axis], "Beyond": group_inputs["Beyond"], "Eye": eye[axis], "Far": far, "Origin": origin[axis], "Tile": tile, "Shift": shift}  # fmt: skip
        tiles_along = graph.group(row_of_tiles, inputs)
        firsts.append(tiles_along["First"])
        shifts.append(shift + 0.5)
        counts.append(tiles_along["Count"])
    total = counts[0] * counts[1] * graph.math("GREATER_THAN", share, 0.0)
    # Without a camera, no distance limits the tiles of plants that stand near a camera only.
    is_lost = graph.math("GREATER_THAN", group_inputs["Near"] * _NOWHERE, group_inputs["Reach"])
    is_lost = is_lost * graph.math("GREATER_THAN", reach, 0.0)
    total = total * (1.0 - is_lost * graph.math("LESS_THAN", has_camera, 1e-9))
    index = graph.node("GeometryNodeInputIndex")
    row = graph.math("FLOOR", (index + 0.5) / graph.math("MAXIMUM", counts[0], 1.0))
    column = index - row * counts[0]
    # Whole numbers first: where a tile lies may not depend on how many there are.
    number_of = graph.combine(firsts[0] + column, firsts[1] + row)
    shifted = graph.vector_math("ADD", number_of, graph.combine(shifts[0], shifts[1]))
    center = graph.vector_math("SCALE", shifted, tile)
    center = graph.vector_math("SUBTRACT", center, group_inputs[ORIGIN])
    tiles = graph.node("GeometryNodePoints", {"Count": total, "Position": center})
    middle = graph.node("GeometryNodeInputPosition")
    turn = _turn(graph, shifted)
    distance = graph.vector_math("DISTANCE", middle, group_inputs["Camera"]) - 0.71 * tile
    distance = distance * (1.0 - 0.5 * _JITTER)
    level = level_of(graph, _camera_distance(graph, distance))
    of_level = _declare_level()
    shared = {"Places": group_inputs["Places"], "Tiles": tiles, "Turn": turn, "Tile": tile, "Share": share, "Level": level}  # fmt: skip
    fewer = (1.0, *(group_inputs[name] for name in SHARES))
    sets = [
        graph.group(of_level, {**shared, "Number": float(number), "Fewer": part})
        for number, part in enumerate(fewer)
    ]
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": sets})
    return graph.node("GeometryNodeRealizeInstances", {"Geometry": joined})


def _declare_row() -> NodeGraph:
    """Declare the group that counts the tiles along an axis, and tells the number of the first one."""
    names = ("Low", "Width", "Beyond", "Eye", "Far", "Origin", "Tile", "Shift")
    graph = NodeGraph.with_inputs("Row of Tiles", dict.fromkeys(names, "Float"))
    low, width, beyond, eye, far, origin, tile, shift = graph.inputs.values()
    margin = width * beyond
    start = graph.math("MAXIMUM", low - margin, eye - far)
    stop = graph.math("MINIMUM", low + width + margin, eye + far)
    first = graph.math("FLOOR", (start + origin) / tile - shift)
    count = graph.math("CEIL", (stop + origin) / tile - shift) - first
    graph.output("First", first)
    graph.output("Count", graph.math("MINIMUM", graph.math("MAXIMUM", count, 0.0), _MOST))
    return graph


def _declare_level() -> NodeGraph:
    """Declare the group that fills the tiles of one level with points, of which far off there are fewer."""
    kinds = {"Places": "Geometry", "Tiles": "Geometry", "Turn": "Vector"}
    names = ("Tile", "Share", "Level", "Number", "Fewer")
    graph = NodeGraph.with_inputs("Tiles of a Level", kinds | dict.fromkeys(names, "Float"))
    places, tiles, turn, tile, share, level, number, fewer = graph.inputs.values()
    rank = graph.node("GeometryNodeInputNamedAttribute", {"Name": RANK}, data_type="FLOAT")
    is_removed = graph.math("GREATER_THAN", rank, share * fewer)
    few = graph.node("GeometryNodeDeleteGeometry", {"Geometry": places, "Selection": is_removed})
    chosen = graph.math("COMPARE", level, number, 0.5)
    inputs = {"Points": tiles, "Selection": chosen, "Instance": few, "Rotation": turn}
    inputs["Scale"] = graph.combine(tile, tile, 1.0)
    filled = graph.node("GeometryNodeInstanceOnPoints", inputs)
    graph.output("Geometry", filled, kind="Geometry")
    return graph


def _turn(graph: NodeGraph, place: Output) -> Output:
    """Return the random number of quarter turns of each tile, which hides the repetition.

    Given is its place on the land in tiles.
    """
    rounded = graph.vector_math("FLOOR", graph.vector_math("SCALE", place, 4.0))
    chance = graph.node("ShaderNodeTexWhiteNoise", {"Vector": rounded})["Value"]
    quarter = graph.math("FLOOR", chance * 4.0) * (0.5 * math.pi)
    return graph.combine(0.0, 0.0, quarter)


def _camera_distance(graph: NodeGraph, distance: Output) -> Output:
    """Return distances from the camera, the same for all if there is none."""
    inputs = graph.inputs
    has_camera = graph.math("GREATER_THAN", inputs["Has Camera"], 0.0)
    nowhere = inputs["Near"] * _display_share(graph) * _NOWHERE
    return graph.mix(has_camera, nowhere, distance)


def level_of(graph: NodeGraph, distance: Output) -> Output:
    """Return the level at a distance: 0 near the camera, 1 for lighter models, 2 for groups of them.

    Viewports that show a share of the plants show all of them up to that share of their distances: a graphics
    card draws all faces with each turn of the view.
    """
    near = graph.inputs["Near"] * _display_share(graph)
    return graph.math("GREATER_THAN", distance, near) + graph.math(
        "GREATER_THAN", distance, near * FAR
    )


def _fields(graph: NodeGraph, share: Output) -> PlaceFields:
    inputs = graph.inputs
    position = graph.node("GeometryNodeInputPosition")
    flat = graph.vector_math("MULTIPLY", position, (1.0, 1.0, 0.0))
    salt = graph.math("MULTIPLY_ADD", inputs["Seed"], 16.0, inputs["Kind"])
    on_land = graph.vector_math("ADD", flat, inputs[ORIGIN])
    white = {"Vector": on_land, "W": salt}
    chances = graph.node("ShaderNodeTexWhiteNoise", dict(white), noise_dimensions="4D")["Color"]
    first, second, third = graph.separate(chances)
    blur = graph.math("MULTIPLY_ADD", first, _JITTER, 1.0 - 0.5 * _JITTER)
    distance = graph.vector_math("DISTANCE", flat, inputs["Camera"])["Value"]
    blurred = _camera_distance(graph, distance * blur)
    level = level_of(graph, blurred)
    reach = inputs["Reach"] * _display_share(graph)
    within = graph.math("LESS_THAN", reach, 1e-6) + graph.math("LESS_THAN", blurred, reach)
    middle, far = (inputs[name] for name in SHARES)
    of_level = graph.mix(graph.math("GREATER_THAN", level, 1.5), middle, far)
    of_level = graph.mix(graph.math("GREATER_THAN", level, 0.5), 1.0, of_level)
    # What ends at a distance becomes fewer on the way, so that its end is not seen.
    ratio = inputs["Near"] / graph.math("MAXIMUM", blurred, 1e-3)
    faded = graph.math("MINIMUM", graph.math("POWER", ratio, inputs["Fading"]), of_level)
    thinning = faded * graph.math("MINIMUM", within, 1.0)
    # Nearer to the camera than it is high, one would hide all else, or have the camera in its crown.
    thinning = thinning * graph.math(
        "GREATER_THAN", _camera_distance(graph, distance), inputs["Size"]
    )
    rank = graph.node("GeometryNodeInputNamedAttribute", {"Name": RANK}, data_type="FLOAT")
    return PlaceFields(on_land, rank["Attribute"], share, level, thinning, (first, second, third))
