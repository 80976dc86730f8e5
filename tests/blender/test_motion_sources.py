# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyed terrains that particles, vertices, operands and sockets of nodes show move as shape keys do there."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests import drawing
from tests.blender import test_motion_elsewhere as shown
from tests.blender.extension import module


def vertices(obj, rng):
    """Let it be shown at the vertex of a parent."""
    collection = shown.collected(obj)
    parent = bpy.data.objects.new("Vertex", bpy.data.meshes.new("Vertex"))
    parent.data.from_pydata([(0, 0, 0)], [], [])
    parent.instance_type = "VERTS"
    collection.objects.link(parent)
    obj.parent = parent
    empty = bpy.data.objects.new("Empty", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    return empty


def particles(obj, rng):
    """Let hair show it, alone or in a collection."""
    emitter = bpy.data.objects.new("Emitter", bpy.data.meshes.new("Emitter"))
    emitter.data.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [], [(0, 1, 2)])
    emitter.modifiers.new("Hair", "PARTICLE_SYSTEM")
    hair = emitter.particle_systems[0].settings
    hair.type, hair.count, hair.use_advanced_hair, hair.particle_size = "HAIR", 1, True, 1.0
    if rng.random() < 0.5:
        hair.render_type, hair.instance_collection = "COLLECTION", shown.collected(obj)
    else:
        hair.render_type, hair.instance_object = "OBJECT", shown.unlinked(obj)
    return emitter


def operand(obj, rng):
    """Let a boolean modifier join a collection that it lies in."""
    joined = bpy.data.objects.new("Joined", bpy.data.meshes.new("Joined"))
    points = [(900, 0, 0), (901, 0, 0), (900, 1, 0), (900, 0, 1)]
    joined.data.from_pydata(points, [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    modifier = joined.modifiers.new("Join", "BOOLEAN")
    modifier.operation, modifier.operand_type = "UNION", "COLLECTION"
    modifier.collection = shown.collected(obj)
    return joined


def socket_group(kind):
    """Return nodes that show what their input holds, and the input."""
    tree = bpy.data.node_groups.new("Socket", "GeometryNodeTree")
    socket = tree.interface.new_socket(kind, in_out="INPUT", socket_type=f"NodeSocket{kind}")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, out = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    source = tree.nodes.new(f"GeometryNode{kind}Info")
    realize = tree.nodes.new("GeometryNodeRealizeInstances")
    tree.links.new(start.outputs[0], source.inputs[kind])
    geometry = source.outputs["Geometry" if kind == "Object" else 0]
    tree.links.new(geometry, realize.inputs[0])
    tree.links.new(realize.outputs[0], out.inputs[0])
    return tree, socket


def with_nodes(tree, data=None):
    obj = bpy.data.objects.new("Nodes", data or bpy.data.meshes.new("Nodes"))
    obj.modifiers.new("Nodes", "NODES").node_group = tree
    return obj


def input_of_modifier(obj, rng):
    kind = rng.choice(("Object", "Collection"))
    tree, socket = socket_group(kind)
    value = shown.unlinked(obj) if kind == "Object" else shown.collected(obj)
    holder = with_nodes(tree)
    modifier = holder.modifiers[0]
    if hasattr(modifier, "properties"):
        getattr(modifier.properties.inputs, socket.identifier).value = value
    else:
        modifier[socket.identifier] = value
    return holder


def input_of_group(obj, rng):
    tree, _ = socket_group("Object")
    outer = bpy.data.node_groups.new("Outer", "GeometryNodeTree")
    outer.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    node, out = outer.nodes.new("GeometryNodeGroup"), outer.nodes.new("NodeGroupOutput")
    node.node_tree = tree
    node.inputs[0].default_value = shown.unlinked(obj)
    outer.links.new(node.outputs[0], out.inputs[0])
    return with_nodes(outer)


def default_of_group(obj, rng):
    tree, socket = socket_group("Object")
    socket.default_value = shown.unlinked(obj)
    return with_nodes(tree)


def nodes_of_a_curve(obj, rng):
    tree, socket = socket_group("Object")
    socket.default_value = shown.unlinked(obj)
    return with_nodes(tree, bpy.data.curves.new("Curve", "CURVE"))


WAYS = (
    *(vertices, particles, operand, input_of_modifier, input_of_group, default_of_group),
    nodes_of_a_curve,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_frame_shows_keyed_terrain_as_shape_keys(terrane, way):
    expected = shown.check([way], way.__name__)
    np.testing.assert_allclose(expected / expected[0], (1.0, 2.5, 4.0), rtol=0.02)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_scenes_that_show_a_terrain_are_known(terrane, way):
    terrain = shown.keyed_terrain()
    bpy.data.scenes.new("Other")
    shown.viewing_scene(way(terrain, drawing.generator("sources")), drawing.generator("sources"))
    showing = module("operators.bridge.datablocks.scene_sources").showing
    names = {scene.name for scene in showing(terrain)}
    assert bpy.context.scene.name in names and "Other" not in names


def test_an_object_that_a_constraint_sets_on_the_land_rises_with_it(terrane):
    heights = []
    for make in (shown.shape_keys, shown.keyed_terrain):
        bpy.ops.wm.read_homefile(use_empty=True)
        land = shown.unlinked(make())
        walker = bpy.data.objects.new("Walker", None)
        bpy.context.scene.collection.objects.link(walker)
        walker.location = (3.0, 4.0, 500.0)
        constraint = walker.constraints.new("SHRINKWRAP")
        constraint.target, constraint.shrinkwrap_type = land, "PROJECT"
        constraint.project_axis = "NEG_Z"
        for frame in shown.FRAMES:
            bpy.context.scene.frame_set(frame)
            heights.append(walker.matrix_world.translation.z)
    np.testing.assert_allclose(heights[3:], heights[:3], rtol=1e-3, atol=1e-3)
    assert heights[1] == pytest.approx(2.5 * heights[0], rel=1e-3)
