# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that raise any mesh by a landform: a modifier that goes on without Terrane."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....noise_core.base.grid import Grid
from ....noise_core.modifiers.stamp import Stamp
from ..datablocks import meshes
from ..nodetree import builder
from ..nodetree.node_graph import NodeGraph
from . import terrain_fields


def new_group(name: str, stamp: Stamp) -> Any:
    """Return a new group that stamps a landform, with the object that holds its heights."""
    rows, columns = stamp.pixels.shape
    grid = Grid(rows, columns, size=stamp.size)
    across = (np.arange(columns, dtype=np.float32) - 0.5 * (columns - 1)) * grid.spacing
    along = (np.arange(rows, dtype=np.float32) - 0.5 * (rows - 1)) * grid.spacing
    points = np.empty((rows, columns, 3), np.float32)
    points[..., 0], points[..., 1] = across, along[:, np.newaxis]
    points[..., 2] = stamp.pixels * np.float32(stamp.height)
    mesh = bpy.data.meshes.new(f"{name} Heights")
    mesh.vertices.add(rows * columns)
    meshes.layer_data(mesh, "position").foreach_set("vector", meshes.flatten(points))
    heights = bpy.data.objects.new(mesh.name, mesh)
    group = builder.new_tree(name, _declare(heights, stamp.size), "GeometryNodeTree")
    group.is_modifier = True
    return group


def _declare(heights: bpy.types.Object, size: float) -> NodeGraph:
    graph = NodeGraph()
    ground = graph.input("Geometry", "Geometry")
    place = graph.input(
        "Place", "Object", "Empty that places it; the middle of the mesh without one"
    )
    scale = graph.number("Scale", 1.0, (1e-3, 1e3), "Factor on width and height")
    high = graph.number("Height", 1.0, (-10.0, 10.0), "Factor on the height alone")
    fading = graph.number(
        "Falloff", 0.5, (0.01, 1.0), "Share of the way to the center on which it fades in", "FACTOR"
    )
    with graph.frame("Place"):
        info = "GeometryNodeObjectInfo"
        there = graph.node(info, {"Object": place}, transform_space="RELATIVE")["Transform"]
        back = graph.node("FunctionNodeInvertMatrix", {"Matrix": there})["Matrix"]
        inputs = {"Vector": graph.node("GeometryNodeInputPosition"), "Transform": back}
        at = graph.node("FunctionNodeTransformPoint", inputs)
        at = graph.vector_math("SCALE", at, 1.0 / scale)
    with graph.frame("Landform"):
        whole = graph.node(info, {"Object": heights})["Geometry"]
        point = terrain_fields.declare_values(graph, whole, at, "")["Point"]
        x, y, _ = graph.separate(at)
        away = graph.math("SQRT", x * x + y * y) * (2.0 / size)
        share = graph.map_range(away, 1.0 - fading, 1.0, 1.0, 0.0, kind="SMOOTHSTEP")
        rise = graph.separate(point)[2] * share * high * scale
    moved = {"Geometry": ground, "Offset": graph.combine(0.0, 0.0, rise)}
    graph.output("Geometry", graph.node("GeometryNodeSetPosition", moved), kind="Geometry")
    return graph
