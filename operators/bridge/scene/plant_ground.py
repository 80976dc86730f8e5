# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that read the ground where plants may stand: height, slope, hollows and maps of a terrain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..nodetree.node_graph import NodeGraph, Output

_RING = 0.03
"""Width of hollows as a share of the terrain's."""

_DEEP = 0.012
"""Depth of hollows that are wholly moist, as a share of the terrain's width."""

BED = "bed"
"""Attribute of the terrain: how much of the ground is bed of drawn paths, from 0 to 1."""

_HIGH = 2.0
"""Widths of the terrain by which the land around may be higher or lower than it."""

_GROUND_INPUTS = {"Terrain": "Geometry", "Patch": "Geometry", "Land": "Geometry", "Low": "Vector", "Extent": "Vector", "Columns": "Float", "Rows": "Float", "Is Grid": "Float"}  # fmt: skip
"""Inputs of the group that reads the ground."""

_GRID_INPUTS = {"Terrain": "Geometry", "Extent": "Vector", "Columns": "Float", "Rows": "Float", "Across": "Float", "Along": "Float"}  # fmt: skip
"""Inputs of groups that read a grid of square cells, at a place from 0 to 1."""


def declare_ground() -> NodeGraph:
    """Declare the group that reads the ground at a place.

    A grid of square cells is read by the numbers of its vertices, which is fast. Other meshes, such as a
    terrain that a modifier has subdivided, are met by rays, and so are a detail patch and the land around.
    Without such land the group reads the terrain's mirror images there. A plant takes its slope from the grid,
    never from a patch.
    """
    graph = NodeGraph.with_inputs("Ground", _GROUND_INPUTS)
    ray, vertex = _declare_ray(), _declare_vertex()
    low, size = (graph.separate(graph.inputs[name]) for name in ("Low", "Extent"))
    x, y, _ = graph.separate(graph.node("GeometryNodeInputPosition"))
    shares = [
        (coordinate - first) / graph.math("MAXIMUM", wide, 1e-6)
        for coordinate, first, wide in zip((x, y), low, size)
    ]
    across, along = (graph.math("PINGPONG", share, 1.0) for share in shares)
    flat_x = graph.math("MULTIPLY_ADD", across, size[0], low[0])
    flat_y = graph.math("MULTIPLY_ADD", along, size[1], low[1])
    is_grid = graph.inputs["Is Grid"]
    inputs = {**graph.inputs, "Across": across, "Along": along}
    triangle = graph.part(_declare_triangle(vertex), inputs)
    height, slope = triangle["Height"], triangle["Slope"]
    no_grid = graph.math("LESS_THAN", is_grid, 0.5)
    chosen = {"Switch": no_grid, "True": graph.inputs["Terrain"]}
    mesh = graph.node("GeometryNodeSwitch", chosen, input_type="GEOMETRY")
    lowest, deep = low[2], size[2]
    flat = {"X": flat_x, "Y": flat_y, "Above": lowest + deep + 1.0, "Length": deep + 2.0}
    hit = graph.group(ray, {**flat, "Mesh": mesh})
    fine = graph.group(ray, {**flat, "Mesh": graph.inputs["Patch"]})
    is_fine = fine["Found"]
    slope = graph.mix(is_grid, graph.mix(is_fine, hit["Slope"], fine["Slope"]), slope)
    rise = graph.mix(is_grid, hit["Rise"], triangle["Rise"], "VECTOR")
    around = graph.part(_declare_around(vertex), inputs)
    broad = graph.mix(is_grid, rise, around["Rise"], "VECTOR")
    below = height + graph.math("MINIMUM", around["Hollow"], 0.0) * is_grid
    rise, broad = _mirrored(graph, (rise, broad), shares)
    height = graph.mix(is_fine, graph.mix(is_grid, hit["Height"], height), fine["Height"])
    is_hit = graph.math("MAXIMUM", graph.math("MAXIMUM", is_grid, hit["Found"]), is_fine)
    hollow = graph.part(_declare_hollow(vertex), {**inputs, "Height": height})["Hollow"]
    bed = graph.part(_declare_bed(), inputs)["Bed"] * is_grid
    with graph.frame("Land Around"):
        on_land = _is_on_land(graph, (x, y), low, size)
        above = lowest + deep + _HIGH * size[0]
        # Inside rays have no length: they cost nothing.
        reach = on_land * (deep + 2.0 * _HIGH * size[0])
        place = {"Mesh": graph.inputs["Land"], "X": x, "Y": y, "Above": above, "Length": reach}
        far = graph.group(ray, place)
        height = graph.mix(on_land, height, far["Height"])
    graph.output("Found", graph.mix(on_land, is_hit, far["Found"]))
    graph.output("Height", height)
    graph.output("Slope", graph.mix(on_land, slope, far["Slope"]))
    graph.output("Rise", graph.mix(on_land, rise, far["Rise"], "VECTOR"), kind="Vector")
    graph.output("Broad Rise", graph.mix(on_land, broad, far["Rise"], "VECTOR"), kind="Vector")
    graph.output("Broad Height", graph.mix(on_land, below, far["Height"]))
    graph.output("Share", (height - low[2]) / graph.math("MAXIMUM", size[2], 1e-6))
    graph.output("Hollow", hollow)
    graph.output("Bed", bed * (1.0 - on_land))
    graph.output("Vertex", index_at(graph, graph.inputs, across, along))
    graph.output("X", graph.mix(on_land, flat_x, x))
    graph.output("Y", graph.mix(on_land, flat_y, y))
    return graph


def _mirrored(graph: NodeGraph, rises: tuple[Output, Output], shares: list[Output]) -> list[Output]:
    """Return slopes as mirror images have them; every other one is mirrored, counted in widths of the terrain."""
    odd = [graph.math("FLOOR", graph.math("FRACT", share * 0.5) * 2.0) for share in shares]
    signs = graph.combine(*(is_odd * -2.0 + 1.0 for is_odd in odd))
    return [graph.vector_math("MULTIPLY", rise, signs) for rise in rises]


def _is_on_land(graph: NodeGraph, place: tuple[Output, Output], low: Any, size: Any) -> Output:
    """Return whether a place lies outside the terrain, and there is land around."""
    land = {"Geometry": graph.inputs["Land"]}
    count = graph.node("GeometryNodeAttributeDomainSize", land)["Point Count"]
    is_out: Output | float = 0.0
    for coordinate, first, wide in zip(place, low, size):
        distance = graph.math("ABSOLUTE", coordinate - (first + 0.5 * wide))
        is_out = graph.math("MAXIMUM", graph.math("GREATER_THAN", distance, 0.5 * wide), is_out)
    return is_out * graph.math("MINIMUM", count, 1.0)


def is_grid_of(
    graph: NodeGraph, terrain: Output, columns: Output, count: Output, box: Output
) -> Output:
    """Return 1 if the vertices of a mesh come row by row: two of them are at the right corners."""
    high_x, high_y, _ = graph.separate(box["Max"])
    _, low_y, _ = graph.separate(box["Min"])
    place = graph.node("GeometryNodeInputPosition")
    distance: Output | float = 0.0
    for index, y in ((columns - 1.0, low_y), (count - 1.0, high_y)):
        inputs = {"Geometry": terrain, "Value": place, "Index": index}
        corner = graph.node(
            "GeometryNodeSampleIndex", inputs, data_type="FLOAT_VECTOR", domain="POINT"
        )
        corner_x, corner_y, _ = graph.separate(corner)
        distance = graph.math("ABSOLUTE", corner_x - high_x) + distance
        distance = graph.math("ABSOLUTE", corner_y - y) + distance
    width = high_x - graph.separate(box["Min"])[0]
    return graph.math("LESS_THAN", distance, width * 1e-5)


def _declare_ray() -> NodeGraph:
    """Declare the group that tells whether a mesh is at a place, its height and its slope, by a ray from above."""
    kinds = {"Mesh": "Geometry"} | dict.fromkeys(("X", "Y", "Above", "Length"), "Float")
    graph = NodeGraph.with_inputs("Ray", kinds)
    mesh, x, y, above, length = graph.inputs.values()
    ray = {
        "Target Geometry": mesh,
        "Source Position": graph.combine(x, y, above),
        "Ray Direction": (0.0, 0.0, -1.0),
        "Ray Length": length,
    }
    hit = graph.node("GeometryNodeRaycast", ray)
    across, along, up = graph.separate(hit["Hit Normal"])
    steep = graph.math("ARCCOSINE", graph.math("ABSOLUTE", up))
    # A wall has no rise that is a number: little is high enough.
    up = graph.math("MAXIMUM", graph.math("ABSOLUTE", up), 0.05)
    graph.output("Found", hit["Is Hit"])
    graph.output("Height", graph.separate(hit["Hit Position"])[2])
    graph.output("Slope", steep)
    rise = graph.combine(across / up * -1.0, along / up * -1.0)
    graph.output("Rise", rise, "Meters up per meter along x and y", "Vector")
    return graph


def _declare_vertex() -> NodeGraph:
    """Declare the group that reads the height of a vertex."""
    graph = NodeGraph("Vertex")
    terrain, index = graph.input("Terrain", "Geometry"), graph.input("Index")
    place = graph.node("GeometryNodeInputPosition")
    inputs = {"Geometry": terrain, "Value": place, "Index": index}
    sampled = graph.node(
        "GeometryNodeSampleIndex", inputs, data_type="FLOAT_VECTOR", domain="POINT"
    )
    graph.output("Height", graph.separate(sampled)[2])
    return graph


def _height_of(graph: NodeGraph, vertex: NodeGraph, index: Output) -> Output:
    return graph.group(vertex, {"Terrain": graph.inputs["Terrain"], "Index": index})


def index_at(
    graph: NodeGraph, inputs: Mapping[str, Output], across: Output, along: Output
) -> Output:
    """Return the number of the vertex closest to a place from 0 to 1."""
    row = graph.math("ROUND", along * (inputs["Rows"] - 1.0))
    column = graph.math("ROUND", across * (inputs["Columns"] - 1.0))
    return graph.math("MULTIPLY_ADD", row, inputs["Columns"], column)


def _declare_triangle(vertex: NodeGraph) -> NodeGraph:
    """Declare the group that reads height and slope of the triangle at a place; squares are split from corner 0 to 2."""
    graph = NodeGraph.with_inputs("Triangle", _GRID_INPUTS)
    corners, right, up = _corners(graph)
    h00, h10, h01, h11 = (_height_of(graph, vertex, index) for index in corners)
    is_right = graph.math("GREATER_THAN", right, up)
    east = graph.mix(is_right, h11 - h01, h10 - h00)
    north = graph.mix(is_right, h01 - h00, h11 - h10)
    width, _, _ = graph.separate(graph.inputs["Extent"])
    step = width / graph.math("MAXIMUM", graph.inputs["Columns"] - 1.0, 1.0)
    rise = graph.math("SQRT", east * east + north * north)
    graph.output("Height", h00 + right * east + up * north)
    graph.output("Slope", graph.math("ARCTAN2", rise, step))
    step = graph.math("MAXIMUM", step, 1e-6)
    rises = graph.combine(east / step, north / step)
    graph.output("Rise", rises, "Meters up per meter along x and y", "Vector")
    return graph


def _declare_around(vertex: NodeGraph) -> NodeGraph:
    """Declare the group that reads the slope of the vertices around a place, a cell away, and how much they lie higher."""
    graph = NodeGraph.with_inputs("Around", _GRID_INPUTS)
    inputs = graph.inputs
    heights = []
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        place = [inputs["Across"], inputs["Along"]]
        count = inputs["Rows" if axis else "Columns"]
        moved = place[axis] + sign / graph.math("MAXIMUM", count - 1.0, 1.0)
        place[axis] = graph.math("PINGPONG", moved, 1.0)
        heights.append(_height_of(graph, vertex, index_at(graph, inputs, *place)))
    right, left, upper, lower = heights
    width, _, _ = graph.separate(inputs["Extent"])
    step = width / graph.math("MAXIMUM", inputs["Columns"] - 1.0, 1.0)
    double = graph.math("MAXIMUM", step * 2.0, 1e-6)
    rises = graph.combine((right - left) / double, (upper - lower) / double)
    graph.output("Rise", rises, "Meters up per meter along x and y", "Vector")
    middle = index_at(graph, inputs, inputs["Across"], inputs["Along"])
    mean = 0.25 * (right + left + upper + lower)
    graph.output("Hollow", mean - _height_of(graph, vertex, middle))
    return graph


def _corners(graph: NodeGraph) -> tuple[list[Output], Output, Output]:
    """Return the numbers of the four vertices around a place, row by row, and where it lies between them, from 0 to 1."""
    inputs = graph.inputs
    place, first = [], []
    for share, count in ((inputs["Along"], inputs["Rows"]), (inputs["Across"], inputs["Columns"])):
        scaled = share * (count - 1.0)
        cell = graph.math("MINIMUM", graph.math("FLOOR", scaled), count - 2.0)
        first.append(cell)
        place.append(scaled - cell)
    up, right = place
    corner = graph.math("MULTIPLY_ADD", first[0], inputs["Columns"], first[1])
    above = corner + inputs["Columns"]
    return [corner, corner + 1.0, above, above + 1.0], right, up


def _declare_bed() -> NodeGraph:
    """Declare the group that reads how much of a place is bed of drawn paths, between the vertices around it.

    Not at the closest vertex: that may lie beside a bed that is narrower than a cell, on both sides.
    """
    graph, one_map = NodeGraph.with_inputs("Bed of Paths", _GRID_INPUTS), declare_map()
    corners, right, up = _corners(graph)
    inputs = {"Terrain": graph.inputs["Terrain"], "Name": BED, "Missing": 0.0}
    b00, b10, b01, b11 = (graph.group(one_map, {**inputs, "Vertex": index}) for index in corners)
    graph.output("Bed", graph.mix(up, graph.mix(right, b00, b10), graph.mix(right, b01, b11)))
    return graph


def _declare_hollow(vertex: NodeGraph) -> NodeGraph:
    """Declare the group that returns the depth of the ground below its surroundings, from -1 to 1."""
    graph = NodeGraph.with_inputs("Hollows", _GRID_INPUTS)
    height, heights = graph.input("Height"), []
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        ring = (graph.inputs["Across"] + _RING * x, graph.inputs["Along"] + _RING * y)
        place = [graph.math("PINGPONG", coordinate, 1.0) for coordinate in ring]
        heights.append(_height_of(graph, vertex, index_at(graph, graph.inputs, *place)))
    mean = 0.25 * (heights[0] + heights[1] + heights[2] + heights[3])
    width, _, _ = graph.separate(graph.inputs["Extent"])
    deep = (mean - height) / graph.math("MAXIMUM", width * _DEEP, 1e-6)
    graph.output("Hollow", graph.math("MINIMUM", graph.math("MAXIMUM", deep, -1.0), 1.0))
    return graph


def declare_map() -> NodeGraph:
    """Declare the group that reads an attribute of the terrain by its name; a terrain may have none of it."""
    kinds = {"Terrain": "Geometry", "Vertex": "Float", "Name": "String", "Missing": "Float"}
    graph = NodeGraph.with_inputs("Map", kinds)
    terrain, vertex, name, missing = graph.inputs.values()
    values = graph.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT")
    chosen = {"Switch": values["Exists"], "False": missing, "True": values["Attribute"]}
    value = graph.node("GeometryNodeSwitch", chosen, input_type="FLOAT")
    inputs = {"Geometry": terrain, "Value": value, "Index": vertex}
    sampled = graph.node("GeometryNodeSampleIndex", inputs, data_type="FLOAT", domain="POINT")
    graph.output("Value", sampled)
    return graph
