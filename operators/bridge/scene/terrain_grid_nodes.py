# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that read a terrain as a grid of vertices, row by row: for *Terrane Field* and stamps.

A position gives the numbers of the sixteen vertices around it, which Sample Index reads, and cubic curves
through these give the value between. At vertices their weights are 0 and 1, so values there are the mesh's own
to the bit.

References
----------
Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided Geometric Design.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..nodetree.node_graph import NodeGraph, Output
from .finer_ground import IS_FINER

_MOST = 2.0**24
"""Vertices whose numbers are exact as floats: larger terrains are met by rays."""

_NEAR = 2.5e-7
"""Rounding of a position as a share of the terrain's width: a position so close to a vertex is at it."""

_LOOSE = 0.02
"""Cells by which vertices of a regular grid may lie beside their places."""

_HEIGHT = "terrane_height"
"""Attribute with the heights of vertices, within the group alone."""

Four = list[Output]
"""Values of four neighboring rows or columns."""

GRID = {"First": "Vector", "Last": "Vector", "Columns": "Float", "Rows": "Float", "By Rows": "Float"}  # fmt: skip
"""Values of a regular grid: its first and last vertex, numbers of vertices along the axes in the order of
vertices, and whether the first of these axes is X."""

PLACE = {"Place": "Vector", "Map": "String"}
"""Inputs of what reads a map at a place."""


def declare_grid() -> NodeGraph:
    """Declare the group that finds rows and columns, by the places of a few vertices.

    Cells need not be square, the vertices may come by columns, and from any corner.
    """
    graph = NodeGraph.with_inputs("Grid", {"Terrain": "Geometry"})
    inputs = {"Geometry": graph.inputs["Terrain"]}
    count = graph.node("GeometryNodeAttributeDomainSize", inputs)["Point Count"]
    first, second, last = (_vertex(graph, index) for index in (0, 1, count - 1.0))
    step = graph.separate(graph.vector_math("SUBTRACT", second, first))
    by_rows = graph.math("GREATER_THAN", *(graph.math("ABSOLUTE", part) for part in step[:2]))
    along = _extent(graph, by_rows, first, last)[0]
    # The first cell is rounded: half a row of cells tells how many there are.
    about = graph.math("FLOOR", 0.5 * (along / _extent(graph, by_rows, first, second)[0]))
    half = graph.math("MAXIMUM", about, 1.0)
    cell = _extent(graph, by_rows, first, _vertex(graph, half))[0] / half
    columns = graph.math("ROUND", along / cell) + 1.0
    rows = graph.math("ROUND", count / graph.math("MAXIMUM", columns, 1.0))
    values = dict(zip(GRID, (first, last, columns, rows, by_rows)))
    for name, kind in GRID.items():
        graph.output(name, values[name], kind=kind)
    graph.output("Is Grid", _is_grid(graph, count, values), kind="Bool")
    return graph


def own_mesh(graph: NodeGraph, whole: Output) -> Output:
    """Return a terrain without finer meshes in it, whose vertices would come before or after its own."""
    finer = named(graph, IS_FINER)
    inputs = {"Geometry": whole, "Attribute": finer}
    more = graph.node("GeometryNodeAttributeStatistic", inputs, domain="POINT")["Max"]
    inputs = {"Geometry": whole, "Selection": finer}
    rest = graph.node("GeometryNodeDeleteGeometry", inputs)
    # A switch that is no field: without finer meshes nothing is copied.
    inputs = {"Switch": more, "False": whole, "True": rest}
    return graph.node("GeometryNodeSwitch", inputs, input_type="GEOMETRY")


def _vertex(graph: NodeGraph, index: Any) -> Output:
    """Return the place of a vertex."""
    return _sample(graph, graph.node("GeometryNodeInputPosition"), index, "FLOAT_VECTOR")


def _sample(graph: NodeGraph, value: Output, index: Any, kind: str) -> Output:
    inputs = {"Geometry": graph.inputs["Terrain"], "Value": value, "Index": index}
    return graph.node("GeometryNodeSampleIndex", inputs, data_type=kind, domain="POINT")


def _extent(
    graph: NodeGraph, by_rows: Output, start: Output, stop: Output
) -> tuple[Output, Output]:
    """Return the distance of two places along the axis of a row, and across it."""
    x, y, _ = graph.separate(graph.vector_math("SUBTRACT", stop, start))
    x, y = graph.math("ABSOLUTE", x), graph.math("ABSOLUTE", y)
    return graph.mix(by_rows, y, x), graph.mix(by_rows, x, y)


def _is_grid(graph: NodeGraph, count: Output, grid: dict[str, Output]) -> Output:
    """Return 1 if some vertices lie where those of a regular grid would."""
    columns, rows, by_rows = (grid[name] for name in ("Columns", "Rows", "By Rows"))
    wide, deep = _extent(graph, by_rows, grid["First"], grid["Last"])
    middle = tuple(graph.math("FLOOR", number * 0.5) for number in (columns, rows))
    off = graph.math("ABSOLUTE", rows * columns - count)
    for column, row in ((columns - 1.0, 0.0), (0.0, rows - 1.0), middle):
        vertex = _vertex(graph, graph.math("MULTIPLY_ADD", row, columns, column))
        across, along = _extent(graph, by_rows, grid["First"], vertex)
        # In cells, so that it does not depend on the size.
        off = off + graph.math("ABSOLUTE", across / wide * (columns - 1.0) - column)
        off = off + graph.math("ABSOLUTE", along / deep * (rows - 1.0) - row)
    least = graph.math("MINIMUM", graph.math("MINIMUM", columns, rows) - 1.5, wide * deep)
    is_regular = graph.math("LESS_THAN", off, _LOOSE) * graph.math("GREATER_THAN", least, 0.0)
    return is_regular * graph.math("LESS_THAN", count, _MOST + 1.0)


# --- values between the vertices -----------------------------------------------------------------


def declare_cubic() -> NodeGraph:
    """Declare the group that reads the grid at a place between its vertices."""
    graph = NodeGraph.with_inputs("Cubic", {"Terrain": "Geometry", **GRID, **PLACE})
    inputs = graph.inputs
    axes = graph.group(_declare_axes(), {name: inputs[name] for name in (*GRID, "Place")})
    numbers = {name: axes[name] for name in _axis_names()}
    normal = graph.node("GeometryNodeInputNormal")
    vectors, floats = _declare_sum("FLOAT_VECTOR"), _declare_sum("FLOAT")
    lifted = {**numbers, "Terrain": _with_heights(graph), "Value": named(graph, _HEIGHT)}
    plain = {**numbers, "Terrain": inputs["Terrain"]}
    height = graph.group(floats, lifted)
    value = graph.group(floats, {**plain, "Value": named(graph, inputs["Map"])})
    up = graph.group(vectors, {**plain, "Value": normal})
    x, y, _ = graph.separate(axes["Clamped"])
    graph.output("Point", graph.combine(x, y, height), kind="Vector")
    graph.output("Normal", up, kind="Vector")
    graph.output("Value", value)
    graph.output("Inside", axes["Inside"], kind="Bool")
    return graph


def _with_heights(graph: NodeGraph) -> Output:
    """Return the terrain with its heights as an attribute: at random places they are read in half the time of positions."""
    z = graph.separate(graph.node("GeometryNodeInputPosition"))[2]
    inputs = {"Geometry": graph.inputs["Terrain"], "Name": _HEIGHT, "Value": z}
    return graph.node("GeometryNodeStoreNamedAttribute", inputs, data_type="FLOAT", domain="POINT")


def named(graph: NodeGraph, name: Output | str) -> Output:
    """Return the values of an attribute."""
    return graph.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT")[
        "Attribute"
    ]


def _axis_names() -> list[str]:
    """Return the names of the numbers and weights of four columns and four rows."""
    return [
        f"{title} {index}" for title in ("Column", "Row", "Across", "Along") for index in range(4)
    ]


def _declare_axes() -> NodeGraph:
    """Declare the group that returns the sixteen vertices around a place as columns and rows, and their weights."""
    graph = NodeGraph.with_inputs("Axes", {**GRID, "Place": "Vector"})
    place, first, last, by_rows = (
        graph.inputs[name] for name in ("Place", "First", "Last", "By Rows")
    )
    extent = graph.vector_math("SUBTRACT", last, first)
    shares = graph.vector_math("DIVIDE", graph.vector_math("SUBTRACT", place, first), extent)
    x, y, _ = graph.separate(shares)
    rows = graph.group(
        _declare_axis(), {"Share": graph.mix(by_rows, x, y), "Count": graph.inputs["Rows"]}
    )
    columns = graph.group(
        _declare_axis(), {"Share": graph.mix(by_rows, y, x), "Count": graph.inputs["Columns"]}
    )
    for index in range(4):
        graph.output(f"Column {index}", columns[f"Number {index}"])
        start = rows[f"Number {index}"] * graph.inputs["Columns"]
        graph.output(f"Row {index}", start)
        graph.output(f"Across {index}", columns[f"Weight {index}"])
        graph.output(f"Along {index}", rows[f"Weight {index}"])
    graph.output("Inside", rows["Inside"] * columns["Inside"], kind="Bool")
    low, high = (graph.vector_math(way, first, last) for way in ("MINIMUM", "MAXIMUM"))
    clamped = graph.vector_math("MINIMUM", graph.vector_math("MAXIMUM", place, low), high)
    graph.output("Clamped", clamped, kind="Vector")
    return graph


def _declare_axis() -> NodeGraph:
    """Declare the group that returns the four vertices around a place along one axis, and their weights."""
    graph = NodeGraph.with_inputs("Axis", {"Share": "Float", "Count": "Float"})
    last = graph.inputs["Count"] - 1.0
    exact = graph.inputs["Share"] * last
    closest = graph.math("ROUND", exact)
    is_there = graph.math("COMPARE", exact, closest, last * _NEAR + 1e-6)
    place = graph.mix(is_there, exact, closest)
    inner = graph.math("MINIMUM", graph.math("MAXIMUM", place, 0.0), last)
    cell = graph.math("MINIMUM", graph.math("FLOOR", inner), last - 1.0)
    for index, weight in enumerate(_weights(graph, inner - cell, cell, last)):
        graph.output(f"Weight {index}", weight)
    before = graph.math("MAXIMUM", cell - 1.0, 0.0)
    after = graph.math("MINIMUM", cell + 2.0, last)
    for index, number in enumerate((before, cell, cell + 1.0, after)):
        graph.output(f"Number {index}", number)
    graph.output("Inside", graph.math("COMPARE", inner, place, 0.0), kind="Bool")
    return graph


def _weights(graph: NodeGraph, t: Output, cell: Output, last: Output) -> Four:
    """Return the weights of four neighbors; `t` is the place between the second and the third, from 0 to 1.

    Beyond the borders the ground goes on straight: the vertex missing there is 2 a - b.
    """
    s = 1.0 - t
    bend = t * s * -0.5
    before, after = bend * s, bend * t
    # The four have the sum 1; at a vertex these are 0 or 1 exactly.
    near = s - before * 2.0 + after
    far = t - after * 2.0 + before
    at_first, at_last = (
        graph.math("LESS_THAN", cell, 0.5),
        graph.math("GREATER_THAN", cell, last - 1.5),
    )
    missing_before, missing_after = before * at_first, after * at_last
    near = near + missing_before * 2.0 - missing_after
    far = far + missing_after * 2.0 - missing_before
    return [before - missing_before, near, far, after - missing_after]


def _declare_sum(kind: str) -> NodeGraph:
    """Declare the group that reads a value of the sixteen vertices and adds up what each one counts."""
    socket = "Vector" if kind == "FLOAT_VECTOR" else "Float"
    names = dict.fromkeys(_axis_names(), "Float")
    graph = NodeGraph.with_inputs("Sum", {"Terrain": "Geometry", "Value": socket, **names})
    rows: Four = []
    for row in range(4):
        start = graph.inputs[f"Row {row}"]
        values = [
            _sample(graph, graph.inputs["Value"], start + graph.inputs[f"Column {column}"], kind)
            for column in range(4)
        ]
        rows.append(_weighted(graph, kind, values, "Across"))
    graph.output("Value", _weighted(graph, kind, rows, "Along"), kind=socket)
    return graph


def _weighted(graph: NodeGraph, kind: str, values: Sequence[Output], weights: str) -> Output:
    """Return the sum of four values times their weights."""
    total: Any = None
    for index, value in enumerate(values):
        weight = graph.inputs[f"{weights} {index}"]
        if kind == "FLOAT":
            part = (
                value * weight
                if total is None
                else graph.math("MULTIPLY_ADD", value, weight, total)
            )
            total = part
            continue
        scaled = graph.vector_math("SCALE", value, weight)
        total = scaled if total is None else graph.vector_math("ADD", total, scaled)
    result: Output = total
    return result
