# SPDX-License-Identifier: GPL-3.0-or-later
"""Surroundings of a terrain: coarse land, mirror images as instances, which follow by themselves, open sea, a block."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.landscapes.scene import Surroundings
from ..datablocks.meshes import finite_positions_of, mesh_of
from ..datablocks.ownership import remove_unused
from ..datablocks.ref import Ref
from ..nodetree.builder import build
from ..nodetree.node_graph import NodeGraph
from ..tasks.jobs import Work, as_work
from ..tasks.steps import Steps
from . import bases, lands, parts, settings, water_material, waters

PART = "surroundings"

REACH = 2
"""Mirror images on each side; land goes on as far (`rings.REACH`)."""

_FLIP = "terrane_flip"
"""Attribute: the scale of each image, -1 along the axes in which it is mirrored."""


def work(terrain: bpy.types.Object, kind: str, colors: Field | None = None) -> Work:
    """Return the work that makes the surroundings of a terrain, for `write`: only land needs some.

    A terrain whose vertices lie nowhere is refused, before anything is written. For `colors` see
    `lands.LandRequest`.
    """
    if kind == "land":
        return lands.LAND.work(terrain, lands.LandRequest.of(terrain, colors))
    if kind != "none":
        finite_positions_of(terrain)
    return as_work(lambda: None)


def write(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    surroundings: Surroundings,
    land: Any = None,
) -> None:
    """Surround a terrain: with land or its mirror images, which meet it without a step, with open sea, or a block.

    Where the terrain has a sea, it goes on over the land and beyond.

    Parameters
    ----------
    context : Context
    terrain : Object
    surroundings : Surroundings
        Its kind is one of `SURROUNDINGS`.
    land : object, optional
        The result of `work`; land that is there stays without it.

    Raises
    ------
    TerraneError
        If there is to be open sea, and the terrain has none.
    """
    kind = surroundings.kind
    has_sea = waters.sea_of(context.scene, terrain) is not None
    if kind == "sea" and not has_sea:
        raise TerraneError("{} has no sea: add water with a sea level first", terrain.name)
    if kind != "land":
        parts.remove_from(context.scene, lands.PART, terrain)
    elif land is not None:
        request = lands.LandRequest.of(terrain)
        lands.LAND.finish(terrain, lands.LAND.update(terrain, request), land)
    if kind == "mirror":
        _write_images(context, terrain)
    else:
        parts.remove_from(context.scene, PART, terrain)
    if kind == "base":
        bases.write(context, terrain, surroundings)
    else:
        parts.remove_from(context.scene, bases.PART, terrain)
    if kind in {"land", "mirror", "sea"}:  # also without a sea: it may come later
        waters.write_open_sea(context, terrain, 0.5 if kind == "sea" else REACH + 0.5)
    else:
        parts.remove_from(context.scene, waters.OPEN_SEA, terrain)


def add(
    context: bpy.types.Context, terrain: bpy.types.Object, kind: str, colors: Field | None = None
) -> Steps[None]:
    """Take the steps that surround a terrain; for `colors` see `lands.LandRequest`."""
    owner = Ref.of(terrain)
    land = yield work(terrain, kind, colors)
    yield None
    write(context, owner.resolve(), Surroundings(kind=kind), land)


def write_kind(context: bpy.types.Context, terrain: bpy.types.Object, kind: str) -> None:
    """Rewrite the surroundings of a terrain after its water has changed."""
    write(context, terrain, replace(settings.read(context, Surroundings), kind=kind))


def kind_of(scene: bpy.types.Scene, terrain: bpy.types.Object) -> str:
    """Return the kind of a terrain's surroundings, one of `SURROUNDINGS`."""
    for part, kind in ((lands.PART, "land"), (PART, "mirror"), (bases.PART, "base")):
        if parts.find(scene, part, terrain) is not None:
            return kind
    return "none" if parts.find(scene, waters.OPEN_SEA, terrain) is None else "sea"


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the surroundings of a terrain."""
    for part in (lands.PART, PART, bases.PART, waters.OPEN_SEA):
        parts.remove_from(scene, part, terrain)


def remove_terrain(scene: bpy.types.Scene, added: Ref[bpy.types.Object]) -> None:
    """Remove a terrain that was just added, with its ground, water and surroundings."""
    terrain = added.find()
    if terrain is None:
        return
    remove(scene, terrain)
    waters.remove(scene, terrain)
    materials = [slot.material for slot in terrain.material_slots if slot.material is not None]
    mesh = mesh_of(terrain)
    bpy.data.objects.remove(terrain)
    remove_unused(mesh, *materials)


def _write_images(context: bpy.types.Context, terrain: bpy.types.Object) -> None:
    obj = parts.find(context.scene, PART, terrain)
    if obj is None:
        obj = parts.add(context.scene, PART, "Terrane Surroundings", terrain)
        obj.hide_select = True
        modifier: Any = obj.modifiers.new("Surroundings", "NODES")
        trees: Any = bpy.data.node_groups
        modifier.node_group = trees.new("Terrane Surroundings", "GeometryNodeTree")
    _write_places(obj.data)
    nodes: Any = obj.modifiers[0]
    nodes.node_group.nodes.clear()
    water = parts.find(context.scene, waters.PART, terrain)
    if water is not None:
        water_material.show_color(obj, water.active_material)
    objects = [terrain] if water is None else [terrain, water]
    build(nodes.node_group, _declare(objects))


def _write_places(mesh: Any) -> None:
    """Give a mesh a vertex for each image, one apart, with its scale."""
    mesh.clear_geometry()
    steps = np.arange(-REACH, REACH + 1, dtype=np.int32)
    places = np.array([(x, y, 0) for y in steps for x in steps if x or y], np.float32)
    flips = np.where(places.astype(np.int32) % 2, np.float32(-1.0), np.float32(1.0))
    mesh.vertices.add(len(places))
    mesh.vertices.foreach_set("co", places.reshape(-1))
    attribute = mesh.attributes.new(_FLIP, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", flips.reshape(-1).astype(np.float32))


def _declare(objects: list[bpy.types.Object]) -> NodeGraph:
    """Declare the nodes that put an image of objects on each vertex, one terrain apart.

    The terrain is the first of them; the others share its place.
    """
    graph = NodeGraph()
    points = graph.input("Geometry", "Geometry")
    terrain = graph.node("GeometryNodeObjectInfo", {"Object": objects[0]})
    box = graph.node("GeometryNodeBoundBox", {"Geometry": terrain["Geometry"]})
    size = graph.vector_math("SUBTRACT", box["Max"], box["Min"])
    place = graph.vector_math("MULTIPLY", graph.node("GeometryNodeInputPosition"), size)
    moved = graph.node("GeometryNodeSetPosition", {"Geometry": points, "Position": place})
    flip = graph.node("GeometryNodeInputNamedAttribute", {"Name": _FLIP}, data_type="FLOAT_VECTOR")
    images = []
    for obj in objects:
        source = graph.node("GeometryNodeObjectInfo", {"Object": obj, "As Instance": True})
        inputs = {"Points": moved, "Instance": source["Geometry"], "Scale": flip}
        images.append(graph.node("GeometryNodeInstanceOnPoints", inputs))
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": images})
    graph.output("Geometry", joined, kind="Geometry")
    return graph
