# SPDX-License-Identifier: GPL-3.0-or-later
"""Make Levels of Detail and Far Meshes: objects of chunks that fit together, with all that their source has."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.helpers import add_terrain

TERRAIN = {"preset": "rolling_hills", "resolution": 49}


def points_of(obj):
    points = np.empty(3 * len(obj.data.vertices), np.float32)
    obj.data.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def known(points):
    return {tuple(point) for point in points.tolist()}


def test_levels_are_objects_that_fit_together(terrain):
    source = known(points_of(terrain))
    material = bpy.data.materials.new("Soil")
    terrain.data.materials.append(material)
    values = np.linspace(0.0, 1.0, 49 * 49, dtype=np.float32)
    terrain.data.attributes.new("wetness", "FLOAT", "POINT").data.foreach_set("value", values)
    assert bpy.ops.terrane.levels_of_detail_make(tiles=(2, 3), levels=3) == {"FINISHED"}
    home = bpy.data.collections[f"{terrain.name} LOD"]
    assert [len(child.objects) for child in home.children] == [6, 6, 6]
    assert [child.hide_render for child in home.children] == [False, True, True]
    counts, borders = [], []
    for child in home.children:
        counts.append(sum(len(obj.data.polygons) for obj in child.objects))
        for obj in child.objects:
            points = points_of(obj)
            assert known(points) <= source
            assert obj.matrix_world == terrain.matrix_world
            assert obj.data.materials[-1] == material and obj.data.uv_layers
            assert "wetness" in obj.data.attributes
        parts = [known(points_of(obj)) for obj in child.objects]
        borders.append([parts[0] & parts[1], parts[0] & parts[2]])
    assert counts[0] == 2 * 48 * 48 and counts[0] > counts[1] > counts[2]
    # All levels have the same borders: 16 cells along y, and 24 along x.
    assert borders[0] == borders[1] == borders[2]
    assert [len(shared) for shared in borders[0]] == [17, 25]


def test_normals_are_those_of_the_source(terrain):
    bpy.ops.terrane.levels_of_detail_make(tiles=(1, 1), levels=2)
    normals = {
        tuple(v.co): np.array(n.vector)
        for v, n in zip(terrain.data.vertices, terrain.data.vertex_normals)
    }
    coarse = bpy.data.collections[f"{terrain.name} LOD"].children[1].objects[0]
    assert len(coarse.data.vertices) < len(normals)
    for loop, normal in zip(coarse.data.loops, coarse.data.corner_normals):
        place = tuple(coarse.data.vertices[loop.vertex_index].co)
        assert np.abs(np.array(normal.vector) - normals[place]).max() < 1e-3


def test_far_meshes_get_coarser_away_from_the_camera(terrain):
    size = terrain.dimensions.x
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    camera.location = (-0.5 * size, -0.5 * size, terrain.dimensions.z)
    bpy.context.scene.camera = camera
    bpy.context.scene.render.resolution_x = 100
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = terrain
    assert bpy.ops.terrane.far_meshes_make(tiles=(4, 4), levels=6, error=0.5, error_factor=2.0) == {
        "FINISHED"
    }
    home = bpy.data.collections[f"{terrain.name} Far Meshes"]
    assert len(home.all_objects) == 16
    levels = {obj.name.split("_LOD")[0][-5:]: int(obj.name[-1]) for obj in home.all_objects}
    assert levels["x3_y3"] > levels["x0_y0"]


def test_without_a_camera_or_a_grid_nothing_is_left(terrane):
    add_terrain(**TERRAIN)
    before = len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.collections)
    bpy.context.scene.camera = None
    with pytest.raises(RuntimeError, match="Far Meshes needs a camera with perspective"):
        bpy.ops.terrane.far_meshes_make()
    with pytest.raises(RuntimeError, match="tiles must be at most 48"):
        bpy.ops.terrane.levels_of_detail_make(tiles=(49, 1))
    assert (len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.collections)) == before
    bpy.ops.mesh.primitive_monkey_add()
    with pytest.raises(RuntimeError, match="grid"):
        bpy.ops.terrane.levels_of_detail_make()
    assert len(bpy.data.collections) == before[2]
