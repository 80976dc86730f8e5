# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane Field: a node that gives height, normal, slope and maps of a terrain at any position."""

from __future__ import annotations

import time

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from tests.blender.extension import module
from tests.blender.helpers import (
    activate,
    add_fractal_terrain,
    attribute_values,
    evaluated,
    height_grid,
    positions,
    update_terrain,
)

OUTPUTS = {"Height": "FLOAT", "Normal": "FLOAT_VECTOR", "Slope": "FLOAT", "Map": "FLOAT", "Inside": "FLOAT", "Point": "FLOAT_VECTOR"}  # fmt: skip


def new_tree(name="Probe"):
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    return tree


def add_node(tree, terrain=None, **keywords):
    """Add a node of the field by the operator; return it."""
    name = "" if terrain is None else terrain.name
    assert bpy.ops.terrane.field_add(tree=tree.name, terrain=name, **keywords) == {"FINISHED"}
    return tree.nodes.active


class Probe:
    """An object with vertices at some places, on which values of a terrain are stored."""

    def __init__(self, terrain, places, outputs=tuple(OUTPUTS), **keywords):
        mesh = bpy.data.meshes.new("Probe")
        mesh.vertices.add(len(places))
        mesh.attributes["position"].data.foreach_set(
            "vector", np.ascontiguousarray(places, np.float32).ravel()
        )
        self.obj = bpy.data.objects.new("Probe", mesh)
        bpy.context.scene.collection.objects.link(self.obj)
        tree = new_tree()
        self.field = add_node(tree, terrain, **keywords)
        here = tree.nodes.new("NodeGroupInput").outputs[0]
        for name in outputs:
            store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
            store.data_type = OUTPUTS[name]
            store.inputs["Name"].default_value = f"field {name}"
            value = next(item for item in store.inputs if item.name == "Value" and item.enabled)
            tree.links.new(self.field.outputs[name], value)
            tree.links.new(here, store.inputs["Geometry"])
            here = store.outputs[0]
        tree.links.new(here, tree.nodes.new("NodeGroupOutput").inputs[0])
        self.modifier = self.obj.modifiers.new("Probe", "NODES")
        self.modifier.node_group = tree

    def __getitem__(self, name):
        return attribute_values(evaluated(self.obj).data, f"field {name}")


def add_map(obj, name="wetness", seed=3):
    """Give a mesh an attribute of random numbers; return them."""
    values = np.random.default_rng(seed).random(len(obj.data.vertices)).astype(np.float32)
    obj.data.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values)
    return values


def normals(obj):
    values = np.empty((len(obj.data.vertices), 3), np.float32)
    obj.data.vertex_normals.foreach_get("vector", values.ravel())
    return values


def uneven_grid(columns, rows, by_columns=False):
    """Return a grid of long cells with random heights, the way Blender's own operator or node orders them."""
    x, y = np.meshgrid(np.linspace(2.0, 9.0, columns), np.linspace(-1.0, 3.0, rows))
    z = np.random.default_rng(columns).normal(size=x.shape)
    points = np.stack([x, y, z], axis=-1)
    order = np.arange(rows * columns).reshape(rows, columns)
    if by_columns:
        points, order = (
            points.transpose(1, 0, 2),
            np.arange(rows * columns).reshape(columns, rows).T,
        )
    faces = np.stack([order[:-1, :-1], order[:-1, 1:], order[1:, 1:], order[1:, :-1]], axis=-1)
    mesh = bpy.data.meshes.new("Uneven")
    mesh.from_pydata(points.reshape(-1, 3).tolist(), [], faces.reshape(-1, 4).tolist())
    obj = bpy.data.objects.new("Uneven", mesh)
    bpy.context.scene.collection.objects.link(obj)
    return obj


SHAPES = {
    "square": lambda: add_fractal_terrain(resolution=33),
    "wide": lambda: add_fractal_terrain(resolution=97, depth=0.3, size=1000.0),
    "deep": lambda: add_fractal_terrain(resolution=65, depth=3.7, size=1300.0),
    "tile": lambda: add_fractal_terrain(resolution=40, tile=(3, -2)),
    "tiny": lambda: add_fractal_terrain(resolution=2),
    "long cells": lambda: uneven_grid(31, 12),
    "by columns": lambda: uneven_grid(17, 40, by_columns=True),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_values_at_vertices_are_those_of_the_mesh(terrane, shape):
    obj = SHAPES[shape]()
    wetness = add_map(obj)
    probe = Probe(obj, positions(obj.data))
    assert np.array_equal(probe["Height"], positions(obj.data)[:, 2])
    assert np.array_equal(probe["Point"], positions(obj.data))
    assert np.array_equal(probe["Map"], wetness)
    assert np.abs(probe["Normal"] - normals(obj)).max() < 1e-6
    up = np.clip(normals(obj)[:, 2], -1.0, 1.0)
    assert np.abs(probe["Slope"] - np.arccos(up.astype(np.float64))).max() < 1e-3
    assert probe["Inside"].all()


@pytest.mark.parametrize("seed", range(4))
def test_a_terrain_and_a_reader_may_be_moved_turned_and_scaled(terrane, seed):
    chance = np.random.default_rng(seed)
    obj = add_fractal_terrain(resolution=49, size=800.0, depth=0.6, seed=seed)
    upright = seed % 2 == 0
    turn = (0.0, 0.0, 1.0) if upright else (0.4, -0.3, 2.0)
    obj.matrix_world = Matrix.LocRotScale(
        chance.uniform(-900.0, 900.0, 3), Euler(turn), chance.uniform(0.3, 3.0, 3)
    )
    reader = Matrix.LocRotScale(chance.uniform(-50.0, 50.0, 3), Euler((0.0, 0.0, 0.7)), None)
    bpy.context.view_layer.update()
    own = reader.inverted() @ obj.matrix_world
    add_map(obj)
    matrix = np.array(own)
    points = positions(obj.data).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    probe = Probe(obj, points)
    probe.obj.matrix_world = reader
    bpy.context.view_layer.update()
    assert np.abs(probe["Point"] - points).max() < 1e-3
    assert np.abs(probe["Height"] - points[:, 2]).max() < 1e-3
    expected = normals(obj) @ np.linalg.inv(matrix[:3, :3])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.abs(probe["Normal"] - expected).max() < 1e-3
    if upright:  # any height of the position gives the same
        above = Probe(obj, points + (0.0, 0.0, 77.0))
        above.obj.matrix_world = reader
        bpy.context.view_layer.update()
        assert np.abs(above["Map"] - probe["Map"]).max() < 1e-3


def catmull_rom(values, u, v):
    """Return a grid between its samples, as the article has it; it goes on straight beyond its border."""
    padded = np.pad(values.astype(np.float64), 1, mode="reflect", reflect_type="odd")
    rows, columns = values.shape
    i, j = np.minimum(u.astype(int), columns - 2), np.minimum(v.astype(int), rows - 2)
    s, t = u - i, v - j

    def weights(t):
        return (-t + 2 * t**2 - t**3) / 2, (2 - 5 * t**2 + 3 * t**3) / 2, (t + 4 * t**2 - 3 * t**3) / 2, (t**3 - t**2) / 2  # fmt: skip

    return sum(
        along * across * padded[j + b, i + a]
        for b, along in enumerate(weights(t))
        for a, across in enumerate(weights(s))
    )


@pytest.mark.parametrize("depth", [0.25, 1.0])
def test_values_between_vertices_are_cubic(terrane, depth):
    obj = add_fractal_terrain(resolution=65, size=1000.0, depth=depth, seed=int(8 * depth))
    wetness, grid = add_map(obj), height_grid(obj)
    low, high = positions(obj.data).min(axis=0), positions(obj.data).max(axis=0)
    share = np.random.default_rng(7).random((3000, 2))
    places = np.zeros((3000, 3), np.float32)
    places[:, :2] = low[:2] + share * (high - low)[:2]
    u, v = ((places[:, k].astype(np.float64) - low[k]) / (high - low)[k] for k in (0, 1))
    u, v = u * (grid.shape[1] - 1), v * (grid.shape[0] - 1)
    probe = Probe(obj, places)
    assert np.abs(probe["Height"] - catmull_rom(grid, u, v)).max() < 1e-3
    assert np.abs(probe["Map"] - catmull_rom(wetness.reshape(grid.shape), u, v)).max() < 1e-3
    assert np.abs(np.linalg.norm(probe["Normal"], axis=1) - 1.0).max() < 1e-5


def test_beside_the_terrain_values_are_those_of_its_border(terrane):
    obj = add_fractal_terrain(resolution=33, size=100.0)
    add_map(obj)
    half = obj.dimensions.x / 2.0
    inner = np.random.default_rng(1).uniform(-half, half, (400, 3))
    outer = inner.copy()
    inner[:, 0], outer[:, 0] = half, half + np.abs(inner[:, 2]) + 0.01
    beside, border = Probe(obj, outer), Probe(obj, inner)
    assert not beside["Inside"].any() and border["Inside"].all()
    for name in ("Height", "Map", "Normal", "Point"):
        assert np.array_equal(beside[name], border[name]), name


def test_it_follows_the_terrain(terrane):
    obj = add_fractal_terrain(resolution=33, seed=1)
    probe = Probe(obj, positions(obj.data), map="slope")
    assert not probe["Map"].any()  # there is no such map yet
    activate(obj)
    update_terrain(seed=9)
    assert np.array_equal(probe["Height"], positions(obj.data)[:, 2])
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}
    assert np.array_equal(probe["Map"], attribute_values(obj.data, "slope"))
    obj.location.z += 12.5
    assert np.abs(probe["Height"] - positions(obj.data)[:, 2] - 12.5).max() < 1e-4
    update_terrain(resolution=57)
    middle = Probe(obj, [(0.0, 0.0, 0.0)])["Height"][0]
    assert abs(middle - height_grid(obj)[28, 28] - 12.5) < 1e-4


def test_five_nodes_scatter_by_wetness_and_go_on_without_the_extension(terrane, tmp_path):
    terrain = add_fractal_terrain(resolution=129, size=1000.0)
    assert bpy.ops.terrane.maps_bake(maps={"wetness"}) == {"FINISHED"}
    obj = bpy.data.objects.new("Ferns", bpy.data.meshes.new("Ferns"))
    bpy.context.scene.collection.objects.link(obj)
    tree = new_tree("Ferns")
    field = add_node(tree)  # the only terrain
    assert field.inputs["Terrain"].default_value == terrain
    ground = tree.nodes.new("GeometryNodeObjectInfo")
    ground.inputs["Object"].default_value = terrain
    spread = tree.nodes.new("GeometryNodeDistributePointsOnFaces")
    cone = tree.nodes.new("GeometryNodeMeshCone")
    place = tree.nodes.new("GeometryNodeInstanceOnPoints")
    assert len(tree.nodes) == 5
    out = tree.nodes.new("NodeGroupOutput")
    tree.links.new(ground.outputs["Geometry"], spread.inputs["Mesh"])
    tree.links.new(field.outputs["Map"], spread.inputs["Density"])
    tree.links.new(spread.outputs["Points"], place.inputs["Points"])
    tree.links.new(cone.outputs["Mesh"], place.inputs["Instance"])
    tree.links.new(place.outputs["Instances"], out.inputs[0])
    obj.modifiers.new("Ferns", "NODES").node_group = tree
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    places = np.array(
        [
            item.matrix_world.translation.copy()
            for item in graph.object_instances
            if item.is_instance and item.parent.original == obj
        ]
    )
    assert len(places) > 1000
    there = Probe(terrain, places, map="wetness")["Map"]
    # Where the density is the map, the mean over the places is that of its square over its mean.
    values = attribute_values(terrain.data, "wetness").astype(np.float64)
    assert abs(there.mean() - (values**2).mean() / values.mean()) < 0.05 * values.mean()
    assert there.mean() > values.mean() + 0.01
    kinds = {node.bl_idname for group in bpy.data.node_groups for node in group.nodes}
    assert all(hasattr(bpy.types, kind) for kind in kinds)
    assert not any(kind.startswith("TERRANE") for kind in kinds)
    path = str(tmp_path / "ferns.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path) as (source, _):
        assert module("operators.bridge.scene.terrain_fields").NAME in source.node_groups


def test_a_detail_patch_in_the_terrain_changes_nothing(terrane):
    obj = add_fractal_terrain(resolution=65, size=1000.0)
    places = np.random.default_rng(5).uniform(-500.0, 500.0, (500, 3))
    before = Probe(obj, places)["Height"]
    mesh = bpy.data.meshes.new("Finer")
    mesh.from_pydata([(0.0, 0.0, 900.0), (9.0, 0.0, 900.0), (0.0, 9.0, 900.0)], [], [(0, 1, 2)])
    finer = bpy.data.objects.new("Finer", mesh)
    module("operators.bridge.scene.finer_ground").write_modifier(
        obj,
        finer,
        "Finer",
        lambda graph: graph.math("LESS_THAN", graph.node("GeometryNodeInputIndex"), 9.0),
    )
    bpy.context.view_layer.update()
    assert len(evaluated(obj).data.vertices) == 65 * 65 + 3
    assert np.array_equal(Probe(obj, places)["Height"], before)


def test_other_meshes_are_met_by_rays(terrane):
    obj = add_fractal_terrain(resolution=33, size=100.0)
    obj.modifiers.new("Finer", "SUBSURF").levels = 2
    add_map(obj)
    bpy.context.view_layer.update()
    mesh = evaluated(obj).data
    points = positions(mesh)
    inner = points[np.abs(points[:, :2]).max(axis=1) < 49.0]
    probe = Probe(obj, inner)
    assert len(mesh.vertices) > 16000 and probe["Inside"].all()
    assert np.abs(probe["Height"] - inner[:, 2]).max() < 1e-3
    assert probe["Map"].max() > 0.5 and probe["Map"].min() < 0.5
    assert not Probe(obj, inner + (200.0, 0.0, 0.0))["Inside"].any()


def test_without_a_terrain_nothing_is_inside(terrane):
    probe = Probe(None, [(1.0, 2.0, 3.0)])
    assert not probe["Inside"].any() and np.isfinite(probe["Height"]).all()


def test_a_million_points_take_a_fifth_of_a_second(terrane):
    obj = add_fractal_terrain(resolution=513, size=1000.0)
    places = np.random.default_rng(2).uniform(-500.0, 500.0, (1_000_000, 3))
    probe = Probe(obj, places, outputs=("Height",))
    bpy.context.view_layer.update()
    taken = []
    for _ in range(5):
        probe.obj.update_tag()
        begun = time.process_time()
        bpy.context.view_layer.update()
        taken.append(time.process_time() - begun)
    assert len(probe["Height"]) == 1_000_000
    assert min(taken) < 0.2


def test_the_node_comes_into_the_editor_and_goes_by_undo(terrane):
    terrain = add_fractal_terrain(resolution=9)
    tree = new_tree("Mine")
    other = tree.nodes.new("NodeGroupOutput")
    other.location = (-300.0, 200.0)
    bpy.ops.ed.undo_push(message="before")
    field = add_node(tree, map="flow")
    assert field.inputs["Map"].default_value == "flow"
    assert field.inputs["Terrain"].default_value == terrain
    assert field.location.x + field.width < other.location.x and field.select and not other.select
    again = add_node(tree)
    assert again.node_tree == field.node_tree  # one group for all nodes
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert len(bpy.data.node_groups["Mine"].nodes) == 1


def test_without_a_name_it_is_the_tree_of_an_open_editor(terrane):
    add_fractal_terrain(resolution=9)
    (area, *_) = bpy.context.window_manager.windows[0].screen.areas
    tree, former = new_tree("Shown"), area.ui_type
    area.ui_type = "GeometryNodeTree"
    area.spaces.active.node_tree = tree
    assert bpy.ops.terrane.field_add() == {"FINISHED"}
    area.ui_type = former
    assert [node.bl_idname for node in tree.nodes] == ["GeometryNodeGroup"]


def test_names_are_checked_before_anything_is_made(terrane):
    groups = len(bpy.data.node_groups)
    with pytest.raises(RuntimeError, match="terrain must name a mesh object; got 'Nowhere'"):
        bpy.ops.terrane.field_add(terrain="Nowhere")
    bpy.data.node_groups.new("Shader", "ShaderNodeTree")
    with pytest.raises(RuntimeError, match="tree must name a geometry node group; got 'Shader'"):
        bpy.ops.terrane.field_add(tree="Shader")
    assert len(bpy.data.node_groups) == groups + 1
    assert bpy.ops.terrane.field_add() == {"FINISHED"}
    assert bpy.data.node_groups["Terrane Field"].use_fake_user
    sockets = bpy.data.node_groups["Terrane Field"].interface.items_tree
    assert {item.name for item in sockets} == {*OUTPUTS, "Terrain", "Position"}
    assert all(item.description for item in sockets)
