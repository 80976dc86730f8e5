# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of any kind are built as they are described."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))

from node_studio import layout_faults

from tests.blender.extension import bridge


def nodetree(name):
    """Return a module of the folder nodetree of the bridge."""
    return bridge(f"nodetree.{name}")


@pytest.fixture
def graph(terrane):
    return nodetree("node_graph").NodeGraph()


def only(tree, kind):
    (node,) = [one for one in tree.nodes if one.bl_idname == kind]
    return node


def test_a_tree_of_geometry_nodes(graph):
    given = graph.input("Geometry", "Geometry")
    with graph.panel("Stones", is_closed=True):
        size = graph.number("Size", 2.0, (0.0, 10.0), "Of a stone", "DISTANCE")
        graph.input("Count", "Int", "How many there are", 3, (0, 9))
        shown = graph.input("Shown", "Bool", default=True)
    with graph.frame("Stones"):
        cube = graph.node("GeometryNodeMeshCube", {"Size": graph.combine(size, size, 1.0 - size)})
        moved = graph.node("GeometryNodeTransform", {"Geometry": cube, "Translation": (0, 0, 3)})
        inputs = {"Switch": shown, "False": given, "True": moved}
        some = graph.node("GeometryNodeSwitch", inputs, input_type="GEOMETRY")
    graph.node("GeometryNodeMeshCone")
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": [given, some]})
    graph.output("Geometry", joined, kind="Geometry")
    tree = nodetree("builder").new_tree("Stones", graph, "GeometryNodeTree")

    assert all(link.is_valid for link in tree.links)
    assert len(only(tree, "GeometryNodeJoinGeometry").inputs["Geometry"].links) == 2
    assert not any(node.bl_idname == "GeometryNodeMeshCone" for node in tree.nodes), "not needed"
    assert not list(layout_faults(tree, nodetree("layout")))
    items = {one.name: one for one in tree.interface.items_tree if one.item_type == "SOCKET"}
    assert (items["Size"].default_value, items["Size"].subtype) == (2.0, "DISTANCE")
    assert (items["Count"].default_value, items["Count"].max_value) == (3, 9)
    assert items["Shown"].default_value and items["Shown"].parent.name == "Stones"

    bpy.ops.mesh.primitive_plane_add()
    obj = bpy.context.active_object
    obj.modifiers.new("Stones", "NODES").node_group = tree
    depsgraph = bpy.context.evaluated_depsgraph_get()
    assert len(obj.evaluated_get(depsgraph).data.vertices) == 4 + 8


def test_the_nodes_of_a_world(graph):
    sky = graph.node("ShaderNodeTexSky", {}, name="Sky")
    light = graph.node("ShaderNodeBackground", {"Color": sky, "Strength": 0.5})
    graph.node("ShaderNodeOutputWorld", {"Surface": light})
    world = bpy.data.worlds.new("Sky")
    if world.node_tree is None:  # before Blender 5.0
        world.use_nodes = True
    world.node_tree.nodes.clear()
    nodetree("builder").build(world.node_tree, graph, prefix="Terrane ")
    assert world.node_tree.nodes["Terrane Sky"].label == "Sky"
    assert only(world.node_tree, "ShaderNodeBackground").inputs["Color"].is_linked
    assert not list(layout_faults(world.node_tree, nodetree("layout")))


def test_a_socket_that_a_node_lacks_is_an_error(graph):
    graph.node("ShaderNodeMath", {"Factor": 1.0})
    with pytest.raises(KeyError, match="Factor"):
        nodetree("builder").new_tree("Wrong", graph)


# --- batches ------------------------------------------------------------------------------------


def test_changes_are_updated_together(terrane):
    """Where Blender updated after each change, the second input would be gone within the changes."""
    tree = bpy.data.node_groups.new("Changed", "ShaderNodeTree")
    seen = []

    def change():
        node = tree.nodes.new("ShaderNodeMath")
        node.operation = "SINE"
        seen.append(node.inputs[1].enabled)

    with nodetree("batches").batches() as changing:
        changing.change(tree, change)
        assert seen == [True] and not tree.nodes[0].inputs[1].enabled


def test_an_error_within_changes_is_raised_and_leaves_nothing(terrane):
    batches = nodetree("batches")
    tree = bpy.data.node_groups.new("Changed", "ShaderNodeTree")
    trees = set(bpy.data.node_groups)

    def change():
        tree.nodes.new("ShaderNodeMath")
        raise KeyError("no such socket")

    with pytest.raises(KeyError, match="no such socket"), batches.batches() as changing:
        changing.change(tree, change)
    assert set(bpy.data.node_groups) == trees
    assert not hasattr(bpy.types, "TERRANE_CallbackTree")
    with batches.batches() as changing:
        changing.change(tree, lambda: tree.nodes.new("ShaderNodeValue"))
    assert [node.bl_idname for node in tree.nodes] == ["ShaderNodeMath", "ShaderNodeValue"]


def test_changes_are_made_by_a_blender_that_does_not_call_back_too(terrane, monkeypatch):
    batches = nodetree("batches")
    monkeypatch.delattr(batches._CallbackTree, "update")
    tree = bpy.data.node_groups.new("Changed", "ShaderNodeTree")
    with batches.batches() as changing:
        changing.change(tree, lambda: tree.nodes.new("ShaderNodeMath"))
        changing.change(tree, lambda: tree.nodes.new("ShaderNodeValue"))
    assert [node.bl_idname for node in tree.nodes] == ["ShaderNodeMath", "ShaderNodeValue"]


def test_changes_that_blender_refuses_to_make_are_not_made_later(terrane):
    batches = nodetree("batches")
    tree = bpy.data.node_groups.new("Changed", "ShaderNodeTree")

    class Refusing:
        def interface_update(self, context):
            raise RuntimeError("refused")

    with pytest.raises(RuntimeError, match="refused"):
        batches.Batches(Refusing()).change(tree, lambda: tree.nodes.new("ShaderNodeMath"))
    with batches.batches() as changing:
        changing.change(tree, lambda: tree.nodes.new("ShaderNodeValue"))
    assert [node.bl_idname for node in tree.nodes] == ["ShaderNodeValue"]


def test_batches_within_others_are_the_same(terrane):
    batches = nodetree("batches")
    tree = bpy.data.node_groups.new("Changed", "ShaderNodeTree")
    trees = set(bpy.data.node_groups)
    with batches.batches() as outer:
        with batches.batches() as inner:
            assert inner is outer
        outer.change(tree, lambda: tree.nodes.new("ShaderNodeMath"))
    assert [node.bl_idname for node in tree.nodes] == ["ShaderNodeMath"]
    assert set(bpy.data.node_groups) == trees
    assert not hasattr(bpy.types, "TERRANE_CallbackTree")


# --- places -------------------------------------------------------------------------------------


def test_shapes_that_are_known_are_those_that_blender_tells(terrane, monkeypatch):
    builder, measure = nodetree("builder"), nodetree("layout").measure
    known, seen = builder._shape_of, []

    def compare(node, made):
        shape = known(node, made)
        seen.append((node.kind, shape == measure(made)))
        return shape

    monkeypatch.setattr(builder, "_shape_of", compare)
    bpy.ops.terrane.landscape_add(preset="rolling_hills", resolution=33)
    assert len(seen) > 1000
    assert not [kind for kind, is_same in seen if not is_same]
