# SPDX-License-Identifier: GPL-3.0-or-later
"""Cliffs as a part of a landscape: in place of steep faces, following the terrain, and gone without a trace."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from tests.blender.panels import EditorContext, fields_of, panels_of


@pytest.fixture
def terrain(terrane):
    """A steep terrain without a camera."""
    bpy.ops.terrane.terrain_add(preset="canyon", resolution=65, size=2000.0, height=700.0)
    return bpy.context.active_object


def cliffs_object():
    return next(one for one in bpy.context.scene.objects if one.get("terrane_part") == "cliffs")


def shown_mesh(terrain):
    return terrain.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


def positions(mesh):
    points = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def replaced(terrain):
    marked = np.empty(len(terrain.data.polygons), bool)
    terrain.data.attributes["terrane_cliffs"].data.foreach_get("value", marked)
    return marked


def open_border(mesh):
    """Return the vertices at edges of one face, of the connected cliffs without fallen blocks."""
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("edge_index", corners)
    edges = np.empty(len(mesh.edges) * 2, np.int32)
    mesh.edges.foreach_get("vertices", edges)
    alone = np.bincount(corners, minlength=len(mesh.edges)) == 1
    return positions(mesh)[np.unique(edges.reshape(-1, 2)[alone])]


def test_cliffs_take_the_place_of_faces_and_their_border_lies_on_the_triangles(terrain):
    faces, before = len(terrain.data.polygons), positions(terrain.data)
    assert bpy.ops.terrane.cliffs_add(vertices=20000) == {"FINISHED"}
    mesh, hidden = cliffs_object().data, replaced(terrain)
    assert len(terrain.data.polygons) == faces and hidden.any()
    np.testing.assert_array_equal(positions(terrain.data), before)
    assert len(shown_mesh(terrain).polygons) == faces - hidden.sum() + len(mesh.polygons)
    assert not mesh.validate()
    terrain.data.calc_loop_triangles()
    corners = [tuple(one.vertices) for one in terrain.data.loop_triangles]
    tree = BVHTree.FromPolygons([tuple(one) for one in before], corners, all_triangles=True)
    border = open_border(mesh)
    assert len(border) > 50
    assert max(tree.find_nearest(Vector(one))[3] for one in border.tolist()) < 1e-3


def test_cliffs_have_the_terrains_attributes_map_and_material(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    bpy.ops.terrane.cliffs_add(vertices=5000)
    mesh = cliffs_object().data
    assert list(mesh.materials) == list(terrain.data.materials)
    assert {"flow", "cavity"} <= set(mesh.attributes.keys())
    corner = mesh.loops[0].vertex_index
    x, y, _ = positions(mesh)[corner]
    # A vertex moves less than a cell from where its texture is.
    u, v = mesh.uv_layers[0].data[0].uv
    assert (u, v) == pytest.approx((x / 2000.0 + 0.5, y / 2000.0 + 0.5), abs=1.0 / 64.0)


def test_cliffs_follow_the_terrain(terrain):
    bpy.ops.terrane.cliffs_add(vertices=5000)
    before = replaced(terrain).sum()
    bpy.ops.terrane.terrain_update(height=1000.0)
    assert positions(cliffs_object().data)[:, 2].max() <= positions(terrain.data)[:, 2].max() + 50.0
    bpy.ops.terrane.terrain_update(resolution=33)
    hidden = replaced(terrain)
    assert len(hidden) == 32 * 32 and hidden.sum() not in (0, before)
    shown = len(shown_mesh(terrain).polygons)
    assert shown == len(hidden) - hidden.sum() + len(cliffs_object().data.polygons)


def test_cliffs_are_removed_without_a_trace(terrain):
    kinds = ("objects", "meshes", "node_groups", "collections", "materials")
    before = {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds}
    keys, names = sorted(terrain.keys()), sorted(terrain.data.attributes.keys())
    bpy.ops.terrane.cliffs_add(vertices=5000)
    bpy.ops.terrane.landscape_part_remove(part="cliffs")
    assert {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds} == before
    assert sorted(terrain.keys()) == keys and not terrain.modifiers
    assert sorted(terrain.data.attributes.keys()) == names


def test_there_is_no_hole_when_the_cliffs_were_deleted_by_hand(terrain):
    faces = len(terrain.data.polygons)
    bpy.ops.terrane.cliffs_add(vertices=5000)
    bpy.data.objects.remove(cliffs_object())
    terrain.update_tag()
    assert len(shown_mesh(terrain).polygons) == faces
    bpy.ops.terrane.cliffs_add(vertices=5000)
    assert len(shown_mesh(terrain).polygons) > faces and len(terrain.modifiers) == 1


def test_cliffs_leave_the_ground_of_a_detail_patch(terrain):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    camera.location = (0.0, 0.0, 2000.0)
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()
    bpy.ops.terrane.cliffs_add(vertices=100_000)
    bpy.ops.terrane.detail_patch_add(patch_size=500.0, spacing=10.0)
    low, high = (np.array(one) for one in ((-250.0, -250.0), (250.0, 250.0)))
    points = positions(cliffs_object().data)[:, :2]
    inside = ((points > low + 16.0) & (points < high - 16.0)).all(axis=1)
    assert len(points) and not inside.any()


def test_a_landscape_with_cliffs_has_them_and_keeps_them_in_a_file(terrane, tmp_path):
    parts = dict.fromkeys(("ground", "colors", "water", "sky", "plants", "surroundings"), False)
    bpy.ops.terrane.landscape_add(preset="coast", resolution=65, **parts)
    count = len(cliffs_object().data.vertices)
    assert count
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "coast.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "coast.blend"))
    assert len(cliffs_object().data.vertices) == count
    terrain = cliffs_object().parent
    bpy.context.view_layer.objects.active = terrain
    assert len(shown_mesh(terrain).polygons) > len(terrain.data.polygons)
    bpy.ops.terrane.landscape_remove()
    assert not any(one.get("terrane_part") == "cliffs" for one in bpy.context.scene.objects)
    bpy.ops.terrane.landscape_add(preset="coast", resolution=65, cliffs=False, **parts)
    assert not any(one.get("terrane_part") == "cliffs" for one in bpy.context.scene.objects)


def test_even_ground_is_refused_in_a_line_and_nothing_is_made(terrain):
    things = len(bpy.data.objects), len(bpy.data.node_groups)
    bpy.ops.terrane.terrain_update(height=50.0)
    with pytest.raises(RuntimeError, match="has no cliffs: no ground is steeper than 50 degrees"):
        bpy.ops.terrane.cliffs_add()
    assert (len(bpy.data.objects), len(bpy.data.node_groups)) == things


def test_too_few_vertices_for_a_cliff_are_said_as_such(terrain):
    things = len(bpy.data.objects), len(bpy.data.node_groups)
    bpy.ops.terrane.terrain_update(height=8000.0)
    with pytest.raises(RuntimeError, match="has cliffs of more vertices: raise Maximum Vertices"):
        bpy.ops.terrane.cliffs_add(vertices=1000, ledge=1.0)
    assert (len(bpy.data.objects), len(bpy.data.node_groups)) == things


def test_walls_of_a_block_stand_along_the_border_alone(terrain):
    bpy.ops.terrane.surroundings_add(kind="base")
    base = next(one for one in terrain.children if one.get("terrane_part") == "base")
    before = len(shown_mesh(base).polygons)
    bpy.ops.terrane.cliffs_add(vertices=20000)
    bpy.context.view_layer.update()
    points = positions(shown_mesh(base))[:, :2]
    # The cells at the border may be cliffs, which divide its edges.
    assert len(shown_mesh(base).polygons) >= before
    assert (np.abs(points).max(axis=1) > 999.0).all()


def test_selected_cliffs_come_first_in_the_panel(terrain):
    bpy.ops.terrane.cliffs_add(vertices=5000)
    obj = cliffs_object()
    bpy.context.view_layer.objects.active = obj
    context = EditorContext()
    assert [panel.__name__ for panel in panels_of(context)][0] == "TERRANE_PT_part"
    shown = [name for _, name in fields_of(context)]
    assert shown[0] == "steepness"
    assert bpy.context.scene.terrane_cliffs.vertices == 5000
    bpy.ops.terrane.cliffs_add(from_panel=True, steepness=60.0)
    assert obj["terrane_steepness"] == 60.0 and obj["terrane_vertices"] == 5000
