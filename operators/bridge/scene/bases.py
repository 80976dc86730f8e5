# SPDX-License-Identifier: GPL-3.0-or-later
"""The block under a terrain, with straight sides like a model on a table.

Its nodes follow the heights. The level of the sea, which nodes cannot read, follows the water.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ....noise_core.landscapes.scene import Surroundings
from ..datablocks import compat, materials, meshes
from ..datablocks.compat import node_tree
from ..datablocks.ownership import remove_unused
from ..nodetree.builder import build
from ..nodetree.node_graph import FAR, NodeGraph, Output
from ..tasks.product import Product
from ..tasks.steps import at_once
from ..terrain import terrains
from ..terrain.terrain_product import TERRAIN
from . import parts, waters
from .water_meshes import DEPTH

PART = parts.BASE

_HAS_SEA, _LEVEL = "Sea", "Sea Level"
"""Inputs of the nodes: whether there is a sea, and its level in meters."""

_PLAIN = "terrane_base"
"""Custom property of the plain material of a block. It gets no haze: haze lies at the foot of the land,
and would hide the block below."""

_ROUGH = 0.85
"""Roughness of a plain block."""


def write(
    context: bpy.types.Context, terrain: bpy.types.Object, surroundings: Surroundings
) -> None:
    """Put a terrain on a block, or write its present block again."""
    obj = parts.find(context.scene, PART, terrain)
    if obj is None:
        obj = parts.add(context.scene, PART, "Terrane Base", terrain)
        modifier: Any = obj.modifiers.new("Base", "NODES")
        trees: Any = bpy.data.node_groups
        modifier.node_group = trees.new("Terrane Base", "GeometryNodeTree")
    ground = terrain.active_material
    if surroundings.is_plain or ground is None:
        ground = _write_material(obj, surroundings)
    else:
        _remove_material(obj)
    nodes: Any = obj.modifiers[0]
    nodes.node_group.nodes.clear()
    depth = surroundings.depth * terrains.built_grid(terrain).size
    water = parts.find(context.scene, waters.PART, terrain)
    wet = None if water is None else water.active_material
    build(nodes.node_group, _declare(terrain, depth, ground, wet))
    at_once(BASE.run(terrain))


class TerrainBase(Product):
    """The cut side of the sea on a block, which rises and falls with the sea."""

    key = PART
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> object:
        """Return whether there is a sea, and its level; None without a block."""
        if _nodes_of(terrain) is None:
            return None
        water = waters.own_settings(terrain)
        return (False, 0.0) if water is None else (water.sea, water.level)

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the block, whose modifier has the inputs."""
        obj = parts.of_terrain(terrain, PART)
        return () if obj is None else (obj,)

    def write(
        self, terrain: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Set the inputs of the nodes."""
        nodes: Any = _nodes_of(terrain)
        for name, value in zip((_HAS_SEA, _LEVEL), request, strict=True):
            compat.set_modifier_input(nodes, name, value)
        nodes.id_data.update_tag()
        return ""


BASE = TerrainBase()


def _nodes_of(terrain: bpy.types.Object) -> Any | None:
    """Return the modifier of a terrain's block; None without one that has an input for the level."""
    obj = parts.of_terrain(terrain, PART)
    nodes: Any = None if obj is None else next(iter(obj.modifiers), None)
    group = getattr(nodes, "node_group", None)
    if group is None or all(item.name != _LEVEL for item in group.interface.items_tree):
        return None
    return nodes


def _write_material(obj: bpy.types.Object, surroundings: Surroundings) -> bpy.types.Material:
    """Return the plain material of a block, which its object shows too, so that it is found."""
    material = materials.marked_material(obj, _PLAIN)
    if material is None:
        material = materials.new_material("Terrane Base")
        material[_PLAIN] = PART
        meshes.mesh_of(obj).materials.append(material)
    tree = node_tree(material)
    tree.nodes.clear()
    graph = NodeGraph()
    inputs = {"Base Color": (*surroundings.color, 1.0), "Roughness": _ROUGH}
    shader = graph.node("ShaderNodeBsdfPrincipled", inputs)
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    build(tree, graph)
    settings: Any = material
    settings.diffuse_color = (*surroundings.color, 1.0)
    return material


def _remove_material(obj: bpy.types.Object) -> None:
    material = materials.marked_material(obj, _PLAIN)
    meshes.mesh_of(obj).materials.clear()
    modifier: Any = obj.modifiers[0]
    modifier.node_group.nodes.clear()  # they use it too
    remove_unused(material)


def _declare(
    terrain: bpy.types.Object,
    depth: float,
    material: bpy.types.Material,
    wet: bpy.types.Material | None,
) -> NodeGraph:
    """Declare the nodes of walls from a terrain's border to a floor, and of water before them.

    Parameters
    ----------
    terrain : Object
    depth : float
        Of the floor under the lowest ground, in meters.
    material : Material
    wet : Material, optional
        Of the sea.
    """
    graph = NodeGraph()
    graph.input("Geometry", "Geometry")
    has_sea = graph.input(_HAS_SEA, "Bool", "Whether the cut side of the sea is shown")
    level = graph.input(_LEVEL, "Float", "Of the sea, in meters", subtype="DISTANCE")
    land = graph.node("GeometryNodeObjectInfo", {"Object": terrain})["Geometry"]
    box = graph.node("GeometryNodeBoundBox", {"Geometry": land})
    low, high = box["Min"], box["Max"]
    middle = graph.vector_math("SCALE", graph.vector_math("ADD", low, high), 0.5)
    with graph.frame("Border"):
        faces = graph.node("GeometryNodeInputMeshEdgeNeighbors")
        border = graph.math("COMPARE", faces, 1.0, 0.1) * _is_outermost(graph, low, high)
        ring = graph.node(
            "GeometryNodeSeparateGeometry", {"Geometry": land, "Selection": border}, domain="EDGE"
        )["Selection"]
    _, _, lowest = graph.separate(low)
    floor = lowest - depth
    with graph.frame("Walls"):
        walls = _wall(graph, ring, floor, middle)
        bottom = _bottom(graph, low, high, floor)
        joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": [walls, bottom]})
        geometry = _with_material(graph, joined, material)
    if wet is not None:
        with graph.frame("Water"):
            side = _water(graph, ring, middle, level, wet)
            side = graph.node(
                "GeometryNodeSwitch", {"Switch": has_sea, "True": side}, input_type="GEOMETRY"
            )
            geometry = graph.node("GeometryNodeJoinGeometry", {"Geometry": [geometry, side]})
    graph.output("Geometry", geometry, kind="Geometry")
    return graph


def _is_outermost(graph: NodeGraph, low: Output, high: Output) -> Output:
    """Return whether an edge lies on the sides of a terrain: cliffs and a detail patch have borders inside."""
    place = graph.separate(graph.node("GeometryNodeInputPosition"))
    width, _, _ = graph.separate(graph.vector_math("SUBTRACT", high, low))
    nearest: Output | float = FAR
    for axis, first, last in zip(place[:2], graph.separate(low), graph.separate(high)):
        for end in (first, last):
            nearest = graph.math("MINIMUM", graph.math("ABSOLUTE", axis - end), nearest)
    return graph.math("LESS_THAN", nearest, width * 1e-5)


def _wall(graph: NodeGraph, ring: Output, height: Any, middle: Output) -> Output:
    """Return the faces between a ring of edges and the same ring at another height."""
    zero = (0.0, 0.0, 0.0)
    raised = graph.node(
        "GeometryNodeExtrudeMesh", {"Mesh": ring, "Offset": zero, "Offset Scale": 0.0}, mode="EDGES"
    )
    place = graph.node("GeometryNodeInputPosition")
    x, y, _ = graph.separate(place)
    inputs = {"Geometry": raised["Mesh"], "Selection": raised["Top"]}
    wall = graph.node(
        "GeometryNodeSetPosition", {**inputs, "Position": graph.combine(x, y, height)}
    )
    # Edges of a ring point either way, and so do the faces that are made of them.
    outwards = graph.vector_math("SUBTRACT", place, middle)
    outwards = graph.vector_math("MULTIPLY", outwards, (1.0, 1.0, 0.0))
    normal = graph.node("GeometryNodeInputNormal")
    facing = graph.vector_math("DOT_PRODUCT", normal, outwards)["Value"]
    is_inside = graph.math("LESS_THAN", facing, 0.0)
    return graph.node("GeometryNodeFlipFaces", {"Mesh": wall, "Selection": is_inside})


def _bottom(graph: NodeGraph, low: Output, high: Output, floor: Output) -> Output:
    """Return the face under a block, which looks down."""
    width, length, _ = graph.separate(graph.vector_math("SUBTRACT", high, low))
    inputs = {"Size X": width, "Size Y": length, "Vertices X": 2, "Vertices Y": 2}
    plate = graph.node("GeometryNodeMeshGrid", inputs)["Mesh"]
    x, y, _ = graph.separate(graph.vector_math("SCALE", graph.vector_math("ADD", low, high), 0.5))
    move = {"Geometry": plate, "Offset": graph.combine(x, y, floor)}
    return graph.node(
        "GeometryNodeFlipFaces", {"Mesh": graph.node("GeometryNodeSetPosition", move)}
    )


def _water(graph: NodeGraph, ring: Output, middle: Output, level: Output, material: Any) -> Output:
    """Return the cut side of the sea: from its ground up to its level, and nothing where land is higher."""
    _, _, ground = graph.separate(graph.node("GeometryNodeInputPosition"))
    depth = graph.math("MAXIMUM", level - ground, 0.0)
    stored = {"Geometry": ring, "Name": DEPTH, "Value": depth}
    ring = graph.node("GeometryNodeStoreNamedAttribute", stored, data_type="FLOAT", domain="POINT")
    side = _wall(graph, ring, graph.math("MAXIMUM", ground, level), middle)
    return _with_material(graph, side, material)


def _with_material(graph: NodeGraph, geometry: Output, material: Any) -> Output:
    return graph.node("GeometryNodeSetMaterial", {"Geometry": geometry, "Material": material})
