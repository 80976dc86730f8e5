# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies around a terrain: mirror images of it, as instances that follow it by themselves."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph
from ..nodetree.sockets import Socket
from . import parts

PART = "surroundings"

REACH = 2
"""Mirror images on each side."""

_FLIP = "terrane_flip"
"""Attribute: the scale of each image, -1 along the axes in which it is mirrored."""


def write(context: bpy.types.Context, terrain: bpy.types.Object) -> bpy.types.Object:
    """Surround a terrain with its mirror images, which meet it without a step."""
    thing = parts.find(context.scene, PART, terrain)
    if thing is None:
        mesh = bpy.data.meshes.new("Terrane Surroundings")
        thing = parts.add(context, PART, "Terrane Surroundings", mesh)
        thing.parent = terrain
        thing.hide_select = True
        modifier: Any = thing.modifiers.new("Surroundings", "NODES")
        trees: Any = bpy.data.node_groups
        modifier.node_group = trees.new("Terrane Surroundings", "GeometryNodeTree")
    _write_places(thing.data)
    nodes: Any = thing.modifiers[0]
    nodes.node_group.nodes.clear()
    build(nodes.node_group, _declare(terrain))
    return thing


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove what lies around a terrain."""
    thing = parts.find(scene, PART, terrain)
    if thing is None:
        return
    modifier: Any = thing.modifiers[0]
    group = modifier.node_group
    parts.remove(thing)
    if group is not None and group.users == 0:
        bpy.data.node_groups.remove(group)


def _write_places(mesh: Any) -> None:
    """Give a mesh a vertex for each image, one apart, with its scale."""
    mesh.clear_geometry()
    steps = np.arange(-REACH, REACH + 1)
    places = np.array([(x, y, 0) for y in steps for x in steps if x or y], np.float32)
    flips = np.where(places.astype(int) % 2, np.float32(-1.0), np.float32(1.0))
    mesh.vertices.add(len(places))
    mesh.vertices.foreach_set("co", places.reshape(-1))
    attribute = mesh.attributes.new(_FLIP, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", flips.reshape(-1).astype(np.float32))


def _declare(terrain: bpy.types.Object) -> NodeGraph:
    """Declare the nodes that put an image of the terrain on each vertex, one terrain apart."""
    graph = NodeGraph()
    graph.declare_inputs(Socket("Geometry", "GEOMETRY"))
    graph.declare_outputs(Socket("Geometry", "GEOMETRY"))
    source = graph.node("GeometryNodeObjectInfo", {"Object": terrain, "As Instance": True})
    whole = graph.node("GeometryNodeObjectInfo", {"Object": terrain})
    box = graph.node("GeometryNodeBoundBox", {"Geometry": whole["Geometry"]})
    size = graph.vector_math("SUBTRACT", box["Max"], box["Min"])
    place = graph.node("GeometryNodeInputPosition")["Position"]
    moved = graph.node(
        "GeometryNodeSetPosition",
        {
            "Geometry": graph.inputs["Geometry"],
            "Position": graph.vector_math("MULTIPLY", place, size),
        },
    )
    flip = graph.node("GeometryNodeInputNamedAttribute", {"Name": _FLIP}, data_type="FLOAT_VECTOR")
    images = graph.node(
        "GeometryNodeInstanceOnPoints",
        {
            "Points": moved["Geometry"],
            "Instance": source["Geometry"],
            "Scale": flip["Attribute"],
        },
    )
    return graph.finish({"Geometry": images["Instances"]})
