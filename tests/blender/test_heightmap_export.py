# SPDX-License-Identifier: GPL-3.0-or-later
"""Heightmaps of terrains and meshes: at the file's own resolution, whole or not there."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, height_grid

TERRAIN = {"preset": "rolling_hills", "resolution": 33}


def export(path, **keywords):
    return bpy.ops.terrane.heightmap_export(filepath=str(path), **keywords)


def sidecar(path):
    return json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8"))


def test_a_terrain_is_evaluated_at_the_resolution_of_the_file(terrain, tmp_path):
    path = tmp_path / "land.npy"
    assert export(path, target="npy", samples=65) == {"FINISHED"}
    recipe = module("operators.bridge.schema.settings").acting(terrain.terrane)
    np.testing.assert_array_equal(np.load(path), recipe.evaluate(recipe.grid(65)).height)
    assert sidecar(path)["recipe"]["seed"] == terrain.terrane.seed
    assert len(terrain.data.vertices) == 33 * 33


def test_its_own_resolution_is_the_first_choice(terrain, tmp_path):
    export(tmp_path / "land", target="npy")
    np.testing.assert_array_equal(np.load(tmp_path / "land.npy"), height_grid(terrain))
    export(tmp_path / "big.r16", target="unreal")
    assert sidecar(tmp_path / "big.r16")["samples"] == [505, 505]


@pytest.mark.wide
@pytest.mark.parametrize("target", ["quantized_mesh", "terrain_rgb", "terrarium"])
def test_tiles_of_a_map_lie_in_a_folder(terrain, tmp_path, target):
    place = {"latitude": 47.0, "longitude": 11.0, "max_zoom": 14}
    assert export(tmp_path / "land", target=target, parameters=json.dumps(place)) == {"FINISHED"}
    suffix = "terrain" if target == "quantized_mesh" else "png"
    says = sidecar(tmp_path / f"land.{suffix}")
    assert says["options"]["latitude"] == 47.0 and says["fields"]["Max Zoom"] == 14
    results = [path for path in (tmp_path / "land").rglob("*") if path.is_file()]
    assert len(results) == 1 + sum(level["tiles"] for level in says["pyramid"]["levels"])
    with pytest.raises(RuntimeError, match="already there"):
        export(tmp_path / "land", target=target, parameters=json.dumps(place))


def test_what_was_sculpted_is_exported(terrain, tmp_path):
    terrain.data.vertices[100].co.z += 50.0
    export(tmp_path / "land.npy", target="npy")
    np.testing.assert_array_equal(np.load(tmp_path / "land.npy"), height_grid(terrain))
    assert sidecar(tmp_path / "land.npy")["recipe"] is None
    export(tmp_path / "made.npy", target="npy", source="recipe")
    assert np.abs(np.load(tmp_path / "made.npy") - height_grid(terrain)).max() == pytest.approx(
        50.0
    )


def test_painted_masks_count_at_every_resolution(terrain, tmp_path):
    group = terrain.vertex_groups.new(name="half")
    group.add([place for place in range(33 * 33) if place % 33 > 16], 1.0, "REPLACE")
    terrain.terrane.layers[0].painted_mask = "half"
    bpy.ops.terrane.terrain_update()
    export(tmp_path / "land.npy", target="npy", samples=65, source="recipe")
    content = np.load(tmp_path / "land.npy")
    assert not content[:, :31].any() and content[:, 35:].any()


def test_a_mesh_is_resampled_in_meters(terrane, tmp_path):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=4, size=2.0)
    obj = bpy.context.active_object
    obj.scale = (8.0, 4.0, 3.0)
    bpy.context.view_layer.update()
    for vertex in obj.data.vertices:
        vertex.co.z = vertex.co.x
    export(tmp_path / "slope.exr", target="exr", samples=17)
    says = sidecar(tmp_path / "slope.exr")
    assert says["samples"] == [17, 9] and says["width"] == pytest.approx(16.0)
    assert (says["lowest"], says["highest"]) == pytest.approx((-3.0, 3.0))


def test_the_report_has_values_that_can_be_typed_in(terrain, tmp_path, capfd):
    export(tmp_path / "big.r16", target="unreal")
    said, fields = capfd.readouterr().out, sidecar(tmp_path / "big.r16")["fields"]
    assert len(repr(fields["Location Z"])) > 11
    assert f"Location Z: {float(format(fields['Location Z'], '.9g'))}" in said


def test_a_seamless_terrain_has_both_borders(terrane, tmp_path):
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=33, seamless=True)
    export(tmp_path / "land.npy", target="npy", samples=65)
    content = np.load(tmp_path / "land.npy")
    assert content.shape == (65, 65)
    np.testing.assert_array_equal(content[0], content[-1])
    np.testing.assert_array_equal(content[:, 0], content[:, -1])


def test_tiles_maps_and_options_go_with_it(terrain, tmp_path):
    export(
        tmp_path / "land", target="unity", samples=33, tiles=(2, 2), maps={"slope"}, green="slope",
        normal_bits="8", value_range="meters", low=-1000.0, high=1000.0, has_sea=True, sea_level=5.0,
        parameters='{"byte_order": "mac"}',
    )  # fmt: skip
    says = sidecar(tmp_path / "land.raw")
    assert says["tiles"] == [2, 2] and says["options"]["byte_order"] == "mac"
    assert says["offset"] == -1000.0 and says["sea_level"]["meters"] == 5.0
    names = {path.name for path in tmp_path.iterdir()}
    splat = module("noise_core.codecs.image_files").read_image
    assert splat(tmp_path / "land_splat_0_0.png").max() > 0.0
    assert len(names) == 4 * 4 + 1 and {"slope", "splat", "normal"} <= set(says["maps"])


@pytest.mark.slow
def test_the_colors_are_those_of_the_material(terrane, tmp_path):
    terrain = add_terrain(preset="none", resolution=33, colors=True)
    results = []
    for name in ("preset", "material"):
        if name == "material":
            bpy.ops.terrane.terrain_material(palette="desert")
            bpy.ops.terrane.terrain_update()
        export(tmp_path / f"{name}.npy", target="npy", colors=True)
        image = bpy.data.images.load(str(tmp_path / f"{name}_color.png"))
        image.colorspace_settings.name = "Non-Color"
        pixels = np.array(image.pixels[:]).reshape(33, 33, 4)[::-1]  # the south comes first
        shown = np.empty(4 * 33 * 33, np.float32)
        terrain.data.attributes["Terrane Color"].data.foreach_get("color_srgb", shown)
        lost = np.abs(pixels - shown.reshape(33, 33, 4))[..., :3]
        assert lost.max() <= 1.01 / 255.0, name  # Blender cuts off what this rounds
        results.append(pixels)
    assert np.abs(results[0] - results[1]).max() > 0.1


def test_materials_are_those_of_the_landscape(terrane, tmp_path):
    bpy.ops.terrane.terrain_add(preset="mesa", resolution=33)
    by_material = json.dumps({"friction_by_material": True})
    assert export(tmp_path / "land.usda", target="usd", parameters=by_material) == {"FINISHED"}
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"land.usda", "land_friction.png", "land.usda.json"}
    look = module("noise_core.landscapes.preset_library").preset("mesa").look
    layers = module("noise_core.materials.colors").LANDSCAPES[look.palette].layers
    known = {one["name"]: one["friction"] for one in sidecar(tmp_path / "land.usda")["materials"]}
    assert known == {name: layer.friction for name, layer in layers.items()}
    assert "def GeomSubset" in (tmp_path / "land.usda").read_text(encoding="utf-8")


def test_all_maps_of_the_recipe_go_with_it(terrane, tmp_path):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    export(tmp_path / "land.npy", target="npy", maps={"slope"}, all_maps=True)
    recipe = module("noise_core").Recipe.from_preset("alps")
    made = sorted(recipe.evaluate(recipe.grid(33)).maps)
    assert list(sidecar(tmp_path / "land.npy")["maps"]) == ["slope", *made] and made


def test_options_are_groups_too(terrain, tmp_path):
    if bpy.app.version < (5, 0, 0):
        pytest.skip("groups of operators cannot be given as keywords")
    export(tmp_path / "land", target="unity", samples=33, target_unity={"byte_order": "mac"})
    assert sidecar(tmp_path / "land.raw")["options"]["byte_order"] == "mac"


def test_nothing_is_overwritten_without_being_told(terrain, tmp_path):
    path = tmp_path / "land.npy"
    export(path, target="npy")
    bytes_before = path.read_bytes()
    terrain.terrane.height *= 2.0
    with pytest.raises(RuntimeError, match="already there"):
        export(path, target="npy")
    assert path.read_bytes() == bytes_before
    export(path, target="npy", check_existing=False)
    assert path.read_bytes() != bytes_before


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"target": "unreal", "samples": 500}, "the nearest is 505"),
        ({"target": "npy", "object": "nobody"}, "object must name an object; got 'nobody'"),
        ({"target": "npy", "value_range": "meters", "low": 3.0, "high": 2.0}, "Range.high must be above Range.low"),
        ({"target": "npy", "parameters": '{"a": 1}'}, "must be of none; got 'a'"),
        ({"target": "unity", "parameters": '{"byte_order": "x"}'}, "byte_order"),
        ({"target": "unity", "value_range": "meters", "low": 0.0, "high": 0.1}, "does not hold"),
        ({"target": "npy", "filepath": ""}, "filepath must name a file"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_line(terrain, tmp_path, keywords, message):
    given = {"filepath": str(tmp_path / "land"), **keywords}
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrane.heightmap_export(**given)
    assert not list(tmp_path.iterdir())


def test_a_mesh_that_is_no_grid_is_refused(terrane, tmp_path):
    bpy.ops.mesh.primitive_monkey_add()
    with pytest.raises(RuntimeError, match="grid"):
        export(tmp_path / "land", target="npy")
    assert not list(tmp_path.iterdir())


def test_names_get_the_suffix_of_the_target(terrane):
    files, types = (
        module("operators.bridge.exchange.heightmap_files"),
        module("noise_core.io.targets.bases.target"),
    )
    unreal, npy, tiles = (types.target_types()[key]() for key in ("unreal", "npy", "terrarium"))
    for path in ("a/land", "a/land.npy", "a/land.json", "a/land.R16", "a/land.terrain.json"):
        assert files.with_suffix(path, unreal).lower() == f"a/land{unreal.encoding.suffix}"
    assert files.with_suffix("a/v1.5", npy) == "a/v1.5.npy"
    assert files.with_suffix("a/land.png", tiles) == "a/land.png.json"  # the file beside the folder
