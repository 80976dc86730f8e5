# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes for places of plants: a tile of points over the terrain's plane, and what the ground is there."""

from __future__ import annotations

from dataclasses import dataclass
from ..nodetree.node_graph import NodeGraph, Output

RANK = "terrane_rank"
"""Attribute of the points of a tile: their order, from 0 to 1."""

COUNT = 1024
"""Points of a tile: fewer repeat visibly, more are made in vain at the border."""

HECTARE = 1e4
"""Square meters."""

FEWER = 8.0
"""How many times fewer stand beyond the near distance, and again beyond that times `FAR`."""

FAR = 4.0

_JITTER = 0.3
"""Share of the distance by which the limits of levels are blurred."""

_MOST = 1000.0
"""Tiles along a side: more fill the memory."""

_NOWHERE = 2.0
"""Near distances from the camera at which all lies if there is none."""

_RING = 0.03
"""Width of hollows as a share of the terrain's."""

_DEEP = 0.012
"""Depth of hollows that are wholly moist, as a share of the terrain's width."""


@dataclass(frozen=True)
class Place:
    """Fields of places that are tried.

    Attributes
    ----------
    flat : Output
        Where they lie, without height.
    rank, share : Output
        Their order, and below which rank they are taken if all is covered; both from 0 to 1.
    level, thinning : Output
        0 near the camera, 1 and 2 far off, and by how much fewer are taken there.
    chances : tuple of three Outputs
        Random numbers from 0 to 1.
    """

    flat: Output
    rank: Output
    share: Output
    level: Output
    thinning: Output
    chances: tuple[Output, Output, Output]


def declare_places(graph: NodeGraph) -> tuple[Output, Place]:
    """Return the points that are tried, and their fields."""
    given = graph.inputs
    names = (*TILE_INPUTS, *TILE_NUMBERS)
    tiles = graph.group(_declare_tiles(), {name: given[name] for name in names})
    with graph.frame("Places"):
        place = _fields(graph, tiles["Share"])
        kept = graph.math("LESS_THAN", place.rank, place.share * place.thinning)
        # Beyond the reach, or the border, there are none.
        x, y, _ = graph.separate(place.flat)
        low, size = graph.separate(given["Low"]), graph.separate(given["Extent"])
        for one, first, wide in zip((x, y), low, size):
            away = graph.math("ABSOLUTE", one - (first + 0.5 * wide))
            kept = kept * graph.math("LESS_THAN", away, wide * (0.5 + given["Beyond"]))
        lost = graph.math("LESS_THAN", kept, 0.5)
        inputs = {"Geometry": tiles["Geometry"], "Selection": lost}
        tried = graph.node("GeometryNodeDeleteGeometry", inputs)
    return tried, place


TILE_INPUTS = {"Places": "Geometry", "Low": "Vector", "Extent": "Vector", "Camera": "Vector"}
TILE_NUMBERS = ("Has Camera", "Beyond", "Near", "Reach", "Viewport Share", "Seed", "Kind", "Density")


def _declare_tiles() -> NodeGraph:
    """Declare the group that repeats the tile of points."""
    graph = NodeGraph("Tiles")
    for name, kind in TILE_INPUTS.items():
        graph.input(name, kind)
    for name in TILE_NUMBERS:
        graph.input(name)
    tile, share = _tile(graph)
    graph.output("Geometry", _tiles(graph, tile, share), kind="Geometry")
    graph.output("Share", share)
    return graph


def _tile(graph: NodeGraph) -> tuple[Output, Output]:
    """Return the width of a tile in meters, and the share of its points that the density needs.

    It is a power of 2: another density takes more or fewer of the same places.
    """
    given = graph.inputs
    density = graph.math("MAXIMUM", given["Density"], 1e-6)
    wanted = graph.math("SQRT", (COUNT * HECTARE) / density)
    power = graph.math("FLOOR", graph.math("LOGARITHM", wanted, 2.0))
    tile = graph.math("POWER", 2.0, power)
    share = density * tile * tile * (1.0 / (COUNT * HECTARE))
    is_seen = graph.node("GeometryNodeIsViewport")
    shown = graph.node(
        "GeometryNodeSwitch",
        {"Switch": is_seen, "False": 1.0, "True": given["Viewport Share"]},
        input_type="FLOAT",
    )
    is_any = graph.math("GREATER_THAN", given["Density"], 1e-6)
    return tile, share * shown * is_any


def _tiles(graph: NodeGraph, tile: Output, share: Output) -> Output:
    """Return the points of all tiles that may have some: those far off have fewer from the start."""
    given = graph.inputs
    reach, has_camera = given["Reach"], given["Has Camera"]
    is_limited = graph.math("GREATER_THAN", reach, 0.0) * graph.math("GREATER_THAN", has_camera, 0.0)
    far = 1e9 * (1.0 - is_limited) + reach
    eye, low, size = (graph.separate(given[name]) for name in ("Camera", "Low", "Extent"))
    firsts, counts = [], []
    for axis, step in ((0, 0.618), (1, 0.755)):
        # Each kind has its own tiles, or all would stand at the same places.
        shift = graph.math("FRACT", (given["Kind"] + given["Seed"] + 1.0) * step)
        margin = size[axis] * given["Beyond"]
        start = graph.math("MAXIMUM", low[axis] - margin, eye[axis] - far)
        stop = graph.math("MINIMUM", low[axis] + size[axis] + margin, eye[axis] + far)
        first = graph.math("FLOOR", start / tile - shift)
        count = graph.math("CEIL", stop / tile - shift) - first
        firsts.append(first + shift)
        counts.append(graph.math("MINIMUM", graph.math("MAXIMUM", count, 0.0), _MOST))
    total = counts[0] * counts[1] * graph.math("GREATER_THAN", share, 0.0)
    index = graph.node("GeometryNodeInputIndex")
    row = graph.math("FLOOR", (index + 0.5) / graph.math("MAXIMUM", counts[0], 1.0))
    column = index - row * counts[0]
    corner = graph.combine((firsts[0] + column) * tile, (firsts[1] + row) * tile)
    tiles = graph.node("GeometryNodePoints", {"Count": total, "Position": corner})
    middle = graph.vector_math("ADD", graph.node("GeometryNodeInputPosition"), graph.combine(0.5 * tile, 0.5 * tile))
    flat = graph.vector_math("MULTIPLY", given["Camera"], (1.0, 1.0, 0.0))
    away = graph.vector_math("DISTANCE", middle, flat) - 0.71 * tile
    away = away * (1.0 - 0.5 * _JITTER)
    level = level_of(graph, _seen(graph, away))
    sets = []
    for number in (0, 1, 2):
        rank = graph.node("GeometryNodeInputNamedAttribute", {"Name": RANK}, data_type="FLOAT")
        lost = graph.math("GREATER_THAN", rank, share * FEWER**-number)
        few = {"Geometry": given["Places"], "Selection": lost}
        places = graph.node("GeometryNodeDeleteGeometry", few)
        scale = graph.combine(tile, tile, 1.0)
        chosen = graph.math("COMPARE", level, float(number), 0.5)
        inputs = {"Points": tiles, "Selection": chosen, "Instance": places, "Scale": scale}
        sets.append(graph.node("GeometryNodeInstanceOnPoints", inputs))
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": sets})
    return graph.node("GeometryNodeRealizeInstances", {"Geometry": joined})


def _seen(graph: NodeGraph, away: Output) -> Output:
    """Return distances from the camera, the same for all if there is none."""
    given = graph.inputs
    has_camera = graph.math("GREATER_THAN", given["Has Camera"], 0.0)
    return graph.mix(has_camera, given["Near"] * _NOWHERE, away)


def level_of(graph: NodeGraph, away: Output) -> Output:
    """Return the level at a distance: 0 near the camera, 1 and 2 far off."""
    near = graph.inputs["Near"]
    return graph.math("GREATER_THAN", away, near) + graph.math("GREATER_THAN", away, near * FAR)


def _fields(graph: NodeGraph, share: Output) -> Place:
    given = graph.inputs
    position = graph.node("GeometryNodeInputPosition")
    flat = graph.vector_math("MULTIPLY", position, (1.0, 1.0, 0.0))
    salt = graph.math("MULTIPLY_ADD", given["Seed"], 16.0, given["Kind"])
    white = {"Vector": flat, "W": salt}
    chances = graph.node("ShaderNodeTexWhiteNoise", dict(white), noise_dimensions="4D")["Color"]
    first, second, third = graph.separate(chances)
    eye = graph.vector_math("MULTIPLY", given["Camera"], (1.0, 1.0, 0.0))
    blur = graph.math("MULTIPLY_ADD", first, _JITTER, 1.0 - 0.5 * _JITTER)
    away = _seen(graph, graph.vector_math("DISTANCE", flat, eye) * blur)
    level = level_of(graph, away)
    within = graph.math("LESS_THAN", given["Reach"], 1e-6) + graph.math("LESS_THAN", away, given["Reach"])
    thinning = graph.math("POWER", FEWER, 0.0 - level) * graph.math("MINIMUM", within, 1.0)
    rank = graph.node("GeometryNodeInputNamedAttribute", {"Name": RANK}, data_type="FLOAT")
    return Place(flat, rank["Attribute"], share, level, thinning, (first, second, third))


GROUND_INPUTS = {"Terrain": "Geometry", "Low": "Vector", "Extent": "Vector", "Columns": "Float", "Rows": "Float"}  # fmt: skip
"""Inputs of the group that reads the ground."""


def declare_ground() -> NodeGraph:
    """Declare the group that reads the ground at a place: a grid of square cells, found by numbers alone.

    Outside the terrain it reads its mirror images.
    """
    graph = NodeGraph("Ground")
    for name, kind in GROUND_INPUTS.items():
        graph.input(name, kind)
    low, size = (graph.separate(graph.inputs[name]) for name in ("Low", "Extent"))
    x, y, _ = graph.separate(graph.node("GeometryNodeInputPosition"))
    across, along = (
        graph.math("PINGPONG", (one - first) / graph.math("MAXIMUM", wide, 1e-6), 1.0)
        for one, first, wide in zip((x, y), low, size)
    )
    vertex = _declare_vertex()
    height, slope = _triangle(graph, vertex, across, along)
    graph.output("Height", height)
    graph.output("Slope", slope)
    graph.output("Share", (height - low[2]) / graph.math("MAXIMUM", size[2], 1e-6))
    graph.output("Hollow", _hollow(graph, vertex, across, along, height))
    graph.output("Vertex", _index_at(graph, across, along))
    graph.output("X", graph.math("MULTIPLY_ADD", across, size[0], low[0]))
    graph.output("Y", graph.math("MULTIPLY_ADD", along, size[1], low[1]))
    return graph


def _declare_vertex() -> NodeGraph:
    """Declare the group that reads the height of a vertex."""
    graph = NodeGraph("Vertex")
    terrain, index = graph.input("Terrain", "Geometry"), graph.input("Index")
    place = graph.node("GeometryNodeInputPosition")
    inputs = {"Geometry": terrain, "Value": place, "Index": index}
    sampled = graph.node("GeometryNodeSampleIndex", inputs, data_type="FLOAT_VECTOR", domain="POINT")
    graph.output("Height", graph.separate(sampled)[2])
    return graph


def _height_of(graph: NodeGraph, vertex: NodeGraph, index: Output) -> Output:
    return graph.group(vertex, {"Terrain": graph.inputs["Terrain"], "Index": index})


def _index_at(graph: NodeGraph, across: Output, along: Output) -> Output:
    """Return the number of the vertex closest to a place from 0 to 1."""
    given = graph.inputs
    row = graph.math("ROUND", along * (given["Rows"] - 1.0))
    column = graph.math("ROUND", across * (given["Columns"] - 1.0))
    return graph.math("MULTIPLY_ADD", row, given["Columns"], column)


def _triangle(
    graph: NodeGraph, vertex: NodeGraph, across: Output, along: Output
) -> tuple[Output, Output]:
    """Return height and slope of the triangle at a place; squares are split from corner 0 to 2."""
    given = graph.inputs
    with graph.frame("Triangle"):
        place, first = [], []
        for share, count in ((along, given["Rows"]), (across, given["Columns"])):
            scaled = share * (count - 1.0)
            cell = graph.math("MINIMUM", graph.math("FLOOR", scaled), count - 2.0)
            first.append(cell)
            place.append(scaled - cell)
        up, right = place
        corner = graph.math("MULTIPLY_ADD", first[0], given["Columns"], first[1])
        above = corner + given["Columns"]
        h00, h10, h01, h11 = (
            _height_of(graph, vertex, one) for one in (corner, corner + 1.0, above, above + 1.0)
        )
        is_right = graph.math("GREATER_THAN", right, up)
        east = graph.mix(is_right, h11 - h01, h10 - h00)
        north = graph.mix(is_right, h01 - h00, h11 - h10)
        height = h00 + right * east + up * north
        width, _, _ = graph.separate(given["Extent"])
        step = width / graph.math("MAXIMUM", given["Columns"] - 1.0, 1.0)
        rise = graph.math("SQRT", east * east + north * north)
    return height, graph.math("ARCTAN2", rise, step)


def _hollow(
    graph: NodeGraph, vertex: NodeGraph, across: Output, along: Output, height: Output
) -> Output:
    """Return how far the ground lies below that around, from -1 to 1."""
    around = []
    with graph.frame("Hollows"):
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            ring = (across + _RING * x, along + _RING * y)
            place = [graph.math("PINGPONG", one, 1.0) for one in ring]
            around.append(_height_of(graph, vertex, _index_at(graph, *place)))
        mean = 0.25 * (around[0] + around[1] + around[2] + around[3])
        width, _, _ = graph.separate(graph.inputs["Extent"])
        deep = (mean - height) / graph.math("MAXIMUM", width * _DEEP, 1e-6)
        return graph.math("MINIMUM", graph.math("MAXIMUM", deep, -1.0), 1.0)


def sample_map(graph: NodeGraph, ground: Output, name: str, *, missing: float = 0.0) -> Output:
    """Return the value of the terrain's attribute that an input names; `missing` without one."""
    values = graph.node(
        "GeometryNodeInputNamedAttribute", {"Name": graph.inputs[name]}, data_type="FLOAT"
    )
    value = values["Attribute"]
    if missing:
        chosen = {"Switch": values["Exists"], "False": missing, "True": value}
        value = graph.node("GeometryNodeSwitch", chosen, input_type="FLOAT")
    inputs = {"Geometry": graph.inputs["Terrain"], "Value": value, "Index": ground["Vertex"]}
    return graph.node("GeometryNodeSampleIndex", inputs, data_type="FLOAT", domain="POINT")
