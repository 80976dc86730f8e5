# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with levels of detail, read back by Blender's own importers."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

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
@pytest.mark.parametrize("form", ["usda", "usdc"])
def test_blender_reads_the_levels_of_usd(terrain, tmp_path, form):
    """Without pxr nothing writes binary files, and asking for them says so; tests/clients has it."""
    land, size = land_of(terrain)
    if form == "usdc" and importlib.util.find_spec("pxr") is None:
        with pytest.raises(RuntimeError, match="usdc needs OpenUSD's Python module pxr"):
            export(tmp_path / "land", "usd_chunks", form=form)
        assert not list(tmp_path.iterdir())
        return
    export(tmp_path / "land", "usd_chunks", form=form)
    assert (tmp_path / f"land_lod0_x0_y0.{form}").is_file()
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


@pytest.mark.skipif(not bpy.app.build_options.usd, reason="this Blender was built without USD")
def test_blender_shows_the_material_of_usd(terrain, tmp_path):
    """It reads UsdPreviewSurface alone: the base color as a color, all else as data."""
    export(tmp_path / "land", "usd_chunks", levels=1, material="pbr", texture_pixels=8)
    assert (tmp_path / "land.mtlx").is_file() and list(tmp_path.glob("land_tile_*_normal.png"))
    before = set(bpy.data.objects)
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "land.usda"), import_guide=False)
    grounds = [obj for obj in set(bpy.data.objects) - before if obj.type == "MESH"]
    assert len(grounds) == 4
    for obj in grounds:
        images, shader = shown_images(obj.active_material)
        spaces = {name.split("_x")[0]: space for name, space in images.items()}
        assert spaces.pop("land_base_color") == "sRGB"
        assert set(spaces) == {"land_normal", "land_orm"} and "sRGB" not in spaces.values()
        assert all(shader.inputs[name].is_linked for name in ("Base Color", "Roughness", "Normal"))


def test_blender_shows_the_material_of_gltf(terrain, tmp_path):
    export(tmp_path / "land", "gltf", levels=1, material="pbr")
    before = set(bpy.data.objects)
    import_gltf(tmp_path / "land_lod0_x0_y1.glb")
    (obj,) = {obj for obj in set(bpy.data.objects) - before if obj.type == "MESH"}
    images, shader = shown_images(obj.active_material)
    assert {name.split("_x")[0] for name in images} == {
        "land_base_color",
        "land_normal",
        "land_orm",
    }
    assert all(shader.inputs[name].is_linked for name in ("Base Color", "Roughness", "Normal"))


def shown_images(material):
    """Return the color spaces of a material's images by the names of their files, and its shader."""
    nodes = material.node_tree.nodes
    images = {
        Path(node.image.filepath).name: node.image.colorspace_settings.name
        for node in nodes
        if node.type == "TEX_IMAGE"
    }
    return images, next(node for node in nodes if node.type == "BSDF_PRINCIPLED")


def test_a_material_needs_no_other_choice(terrain, tmp_path):
    """The ground is that of the terrain, and the images are made without being asked for."""
    bpy.ops.terrane.heightmap_export(
        filepath=str(tmp_path / "land"), target="usd_chunks", samples=SAMPLES, source="recipe",
        parameters='{"material": "pbr", "levels": 1}',
    )  # fmt: skip
    assert (tmp_path / "land_base_color.png").is_file()
    says = json.loads((tmp_path / "land.usda.json").read_text(encoding="utf-8"))
    assert {"base_color", "orm", "normal"} <= set(says["maps"]) and "color" not in says["maps"]
