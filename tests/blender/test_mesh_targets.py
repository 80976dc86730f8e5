# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with levels of detail, read back by Blender's own importers."""

from __future__ import annotations

import json

import addon_utils
import bpy
import numpy as np
import pytest

from tests.blender.extension import module

TERRAIN = {"preset": "rolling_hills", "resolution": 33}
SAMPLES, TILES = 33, (2, 2)


def export(path, target, **options):
    values = {"levels": 3, "collision": True, **options}
    assert bpy.ops.terrane.heightmap_export(
        filepath=str(path), target=target, samples=SAMPLES, tiles=TILES, colors=True,
        weights="4", source="recipe", parameters=json.dumps(values),
    ) == {"FINISHED"}  # fmt: skip


def land_of(obj):
    recipe = module("operators.bridge.schema.settings").acting(obj.terrane)
    return recipe.evaluate(recipe.grid(65)).height, recipe.size


def world_points(objects):
    """Return the places of all vertices of objects: shape (n, 3)."""
    bpy.context.view_layer.update()
    parts = []
    for obj in objects:
        points = np.empty(3 * len(obj.data.vertices), np.float32)
        obj.data.vertices.foreach_get("co", points)
        matrix = np.array(obj.matrix_world)
        parts.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    return np.concatenate(parts)


def off_the_land(points, land, size):
    """Return how far points are from the nearest samples, at most."""
    numbers = points[:, :2] / (size / 64) + 32
    column, row = np.rint(numbers).astype(int).T
    beside = np.abs(numbers - np.rint(numbers)).max() * size / 64
    return max(beside, np.abs(points[:, 2] - land[row, column]).max())


def import_gltf(path):
    addon_utils.enable("io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=str(path))


def import_obj(path):
    bpy.ops.wm.obj_import(filepath=str(path))


@pytest.mark.parametrize(
    ("target", "suffix", "read"), [("gltf", "glb", import_gltf), ("obj", "obj", import_obj)]
)
def test_blender_reads_the_chunks_back(terrain, tmp_path, target, suffix, read):
    land, size = land_of(terrain)
    export(tmp_path / "land", target)
    says = json.loads((tmp_path / f"land.{suffix}.json").read_text(encoding="utf-8"))
    for file in says["files"]:
        before = set(bpy.data.objects)
        read(tmp_path / file["name"])
        (obj,) = {obj for obj in set(bpy.data.objects) - before if obj.type == "MESH"}
        assert (len(obj.data.vertices), len(obj.data.polygons)) == (
            file["vertices"],
            file["triangles"],
        )
        # Blender has float32 places, of some kilometers.
        assert off_the_land(world_points([obj]), land, size) < 1e-3
        if "level" in file:
            assert len(obj.data.uv_layers) == (2 if target == "gltf" else 1)
            (image,) = {
                node.image
                for node in obj.active_material.node_tree.nodes
                if node.type == "TEX_IMAGE"
            }
            assert tuple(image.size) == (SAMPLES, SAMPLES)


@pytest.mark.skipif(not bpy.app.build_options.usd, reason="this Blender was built without USD")
def test_blender_reads_the_levels_of_usd(terrain, tmp_path):
    land, size = land_of(terrain)
    export(tmp_path / "land", "usd_chunks")
    says = json.loads((tmp_path / "land.usda.json").read_text(encoding="utf-8"))
    before = set(bpy.data.objects)
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "land.usda"), import_guide=False)
    grounds = [obj for obj in set(bpy.data.objects) - before if obj.type == "MESH"]
    assert len(grounds) == 4
    assert off_the_land(world_points(grounds), land, size) < 1e-3
    finest = sum(file["triangles"] for file in says["files"] if file.get("level") == 0)
    assert sum(len(obj.data.polygons) for obj in grounds) == finest


def test_bad_options_leave_nothing(terrain, tmp_path):
    for values, message in (
        ({"levels": 9}, "levels must be"),
        ({"borders": "open"}, "borders must be"),
    ):
        with pytest.raises(RuntimeError, match=message):
            export(tmp_path / "land", "gltf", **values)
    assert not list(tmp_path.iterdir())
