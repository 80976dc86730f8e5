# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that read the ground where plants may stand: height, slope, hollows and maps of a terrain."""

from __future__ import annotations

from ..nodetree.node_graph import NodeGraph, Output

_RING = 0.03
"""Width of hollows as a share of the terrain's."""

_DEEP = 0.012
"""Depth of hollows that are wholly moist, as a share of the terrain's width."""

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
    sampled = graph.node(
        "GeometryNodeSampleIndex", inputs, data_type="FLOAT_VECTOR", domain="POINT"
    )
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
