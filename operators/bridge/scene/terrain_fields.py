# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that read a terrain at any position: the group *Terrane Field*.

A terrain is read as the grid of vertices it is (`terrain_grid_nodes`). Meshes that are no such grid, as a
subdivided terrain, are met by rays.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..nodetree import builder, shared_groups
from ..nodetree.layout import GAP_X
from ..nodetree.node_graph import NodeGraph, Output
from . import terrain_grid_nodes as grid_nodes

NAME = "Terrane Field"
"""Name of the group."""

TERRAIN, POSITION, MAP = "Terrain", "Position", "Map"
"""Names of its inputs."""

VERSION = 1
"""Of its nodes."""


def group() -> Any:
    """Return the group, made if this file has none of this version."""
    return shared_groups.find_or_create(NAME, VERSION, declare, kind="GeometryNodeTree")


def new_group() -> Any:
    """Return a new group, also if this file has one."""
    return shared_groups.create(NAME, VERSION, declare, "GeometryNodeTree")


def add_node(tree: Any, terrain: bpy.types.Object | None, name: str) -> Any:
    """Add a node of the group to a tree of geometry nodes, left of its nodes, and return it, the only selected one."""
    graph = NodeGraph()
    values = {MAP: name} if terrain is None else {TERRAIN: terrain, MAP: name}
    graph.group(group(), values, label=NAME)
    present = set(tree.nodes)
    corners = [builder.absolute_location(node) for node in present]
    left, top = min((x for x, _ in corners), default=0.0), max((y for _, y in corners), default=0.0)
    builder.build(tree, graph, corner=(left - GAP_X, top))
    for node in tree.nodes:
        node.select = node not in present
        if node.select:
            tree.nodes.active = node
    return tree.nodes.active


def declare(graph: NodeGraph) -> None:
    """Declare the inputs, the nodes and the outputs of the group."""
    terrain = graph.input(TERRAIN, "Object", "Terrain to read")
    position = graph.vector(POSITION, "Where to read the terrain", "POSITION")
    name = graph.input(MAP, "String", "Map of the terrain, an attribute of its mesh", "wetness")
    with graph.frame("Terrain"):
        info = "GeometryNodeObjectInfo"
        whole = graph.node(info, {"Object": terrain})["Geometry"]
        there = graph.node(info, {"Object": terrain}, transform_space="RELATIVE")["Transform"]
        back = graph.node("FunctionNodeInvertMatrix", {"Matrix": there})["Matrix"]
        place = _transformed(graph, position, back)
    with graph.frame("Values"):
        found = declare_values(graph, whole, place, name)
    with graph.frame("As Placed"):
        point = _transformed(graph, found["Point"], there)
        turned = graph.node("FunctionNodeTransposeMatrix", {"Matrix": back})
        inputs = {"Direction": found["Normal"], "Transform": turned}
        normal = graph.node("FunctionNodeTransformDirection", inputs)
        normal = graph.vector_math("NORMALIZE", normal)
        x, y, z = graph.separate(normal)
        steep = graph.math("ARCTAN2", graph.math("SQRT", x * x + y * y), z)
    graph.output("Height", graph.separate(point)[2], "Height of the ground at the position")
    graph.output("Normal", normal, "Direction out of the ground", "Vector")
    graph.output("Slope", steep, "Angle of the ground, 0 where it is level")
    graph.output("Map", found["Value"], "Value of the map; 0 if the terrain has no such map")
    graph.output("Inside", found["Inside"], "Whether the position is on the terrain", "Bool")
    graph.output("Point", point, "Position on the ground", "Vector")


def _transformed(graph: NodeGraph, point: Output, matrix: Output) -> Output:
    return graph.node("FunctionNodeTransformPoint", {"Vector": point, "Transform": matrix})


_FOUND = {"Point": "VECTOR", "Normal": "VECTOR", "Value": "FLOAT", "Inside": "BOOLEAN"}
"""Values in the terrain's own space, and their types."""


def declare_values(
    graph: NodeGraph, whole: Output, place: Output, name: Output | str
) -> dict[str, Output]:
    """Return the values of a terrain and a map at a place in its own space: of the grid, or by rays."""
    inputs = {"Place": place, "Map": name}
    own = grid_nodes.own_mesh(graph, whole)
    grid = graph.group(grid_nodes.declare_grid(), {"Terrain": own})
    is_grid = grid["Is Grid"]
    values = {**{name: grid[name] for name in grid_nodes.GRID}, **inputs, "Terrain": own}
    sampled = graph.group(grid_nodes.declare_cubic(), values)
    # Switches that are no fields: only one side is evaluated.
    met = graph.node(
        "GeometryNodeSwitch", {"Switch": is_grid, "False": whole}, input_type="GEOMETRY"
    )
    rays = graph.group(_declare_rays(), {**inputs, "Terrain": met})
    found = {}
    for key, kind in _FOUND.items():
        chosen = {"Switch": is_grid, "False": rays[key], "True": sampled[key]}
        found[key] = graph.node("GeometryNodeSwitch", chosen, input_type=kind)
    return found


# --- other meshes --------------------------------------------------------------------------------


def _declare_rays() -> NodeGraph:
    """Declare the group that meets any mesh by rays from above, beside it at its border box."""
    graph = NodeGraph.with_inputs("Rays", {"Terrain": "Geometry", **grid_nodes.PLACE})
    terrain, place = graph.inputs["Terrain"], graph.inputs["Place"]
    box = graph.node("GeometryNodeBoundBox", {"Geometry": terrain})
    low, high = graph.separate(box["Min"]), graph.separate(box["Max"])
    x, y, _ = graph.separate(place)
    inner = [
        graph.math("MINIMUM", graph.math("MAXIMUM", at, first), last)
        for at, first, last in zip((x, y), low, high)
    ]
    deep = high[2] - low[2] + 1.0
    ray = {
        "Target Geometry": terrain,
        "Attribute": grid_nodes.named(graph, graph.inputs["Map"]),
        "Source Position": graph.combine(inner[0], inner[1], high[2] + deep),
        "Ray Direction": (0.0, 0.0, -1.0),
        "Ray Length": deep * 3.0,
    }
    hit = graph.node("GeometryNodeRaycast", ray, data_type="FLOAT")
    within = graph.math("COMPARE", inner[0], x, 0.0) * graph.math("COMPARE", inner[1], y, 0.0)
    graph.output("Point", hit["Hit Position"], kind="Vector")
    graph.output("Normal", hit["Hit Normal"], kind="Vector")
    graph.output("Value", hit["Attribute"])
    graph.output("Inside", within * hit["Is Hit"], kind="Bool")
    return graph
