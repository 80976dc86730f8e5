# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes as text in the clipboard, and as files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


@pytest.fixture
def library(terrane):
    return module("noise_core.landscapes.preset_library")


@pytest.fixture
def texts(terrane):
    return module("operators.bridge.schema.recipe_texts")


def core():
    return module("noise_core")


def perlin():
    return module("noise_core.noises.perlin").Perlin()


def paste(text):
    return bpy.ops.terrane.recipe_paste(text=text)


def test_every_preset_can_be_pasted(settings, library, group):
    group.resolution = 77
    for name in library.preset_names():
        recipe = library.load_preset(name).bound()
        assert paste(recipe.to_json()) == {"FINISHED"}
        assert settings.read(group) == recipe, name
        assert group.preset == library.PLAIN and group.resolution == 77
        assert group.size == pytest.approx(recipe.size)
        assert group.active_layer == 0
        assert paste((library.FOLDER / f"{name}.json").read_text("utf-8")) == {"FINISHED"}
        assert settings.read(group) == recipe, name


def test_a_recipe_without_a_size_has_the_default(settings, group):
    group.size = 77.0
    assert paste('{"format": 1, "layers": [{"type": "noise"}]}') == {"FINISHED"}
    assert group.size == settings.read(group).size == core().Recipe().size == 100.0


def test_copying_leaves_everything_as_it_is(settings, group):
    """The contents of the clipboard are tested in a window: without a window there is none."""
    bpy.ops.terrane.layer_add(type="simplex")
    recipe_before = settings.read(group)
    assert bpy.ops.terrane.recipe_copy() == {"FINISHED"}
    assert settings.read(group) == recipe_before


def test_names_layers_and_masks_are_copied(settings, group):
    bpy.ops.terrane.layer_add(type="simplex")
    bpy.ops.terrane.layer_mask(source="height")
    bpy.ops.terrane.layer_rename(name="Grüße")
    written = settings.read(group)
    assert paste(written.to_json()) == {"FINISHED"}
    assert settings.read(group) == written
    assert group.layers[1].name == "Grüße"


def test_a_pasted_recipe_is_used(settings, group):
    recipe = core().Recipe(layers=perlin(), seed=3, height=5.0)
    obj = add_terrain(resolution=5)
    paste(recipe.to_json())
    assert settings.read(obj.terrane) == recipe and settings.read(group) != recipe
    bpy.ops.terrane.terrain_update()
    assert settings.read(obj.terrane) == recipe


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  \n ", "it is empty"),
        ("hello", "not JSON"),
        ("[1, 2]", "must be a JSON object; got list"),
        ("{}", "format must be 1; got None"),
        ('{"format": "1"}', "format must be 1; got '1'"),
        ("[" * 100_000, "nested too deeply|not JSON|recursion"),
        ('{"recipe": 3}', "must be a JSON object; got int"),
        ('{"format": 2}', r"format 2 is newer than this Terrane reads \(1\); update Terrane"),
        (
            '{"format": 1, "layers": [{"type": "noise", "chain": [{"type": "x"}]}]}',
            "must be one of abs",
        ),
        ('{"format": 1, "layers": [{"type": "x"}]}', "must be one of noise, group"),
    ],
)
def test_anything_else_is_refused_and_nothing_changes(settings, group, text, message):
    bpy.ops.terrane.layer_add(type="simplex")
    recipe_before = settings.read(group)
    with pytest.raises(RuntimeError, match=f"(?s)The clipboard holds no recipe: .*({message})"):
        paste(text)
    assert settings.read(group) == recipe_before


def test_a_recipe_that_settings_cannot_hold_is_refused(settings, group):
    recipe_before = settings.read(group)
    with pytest.raises(RuntimeError, match=r"Recipe.height must be in .*; got -2000000.0"):
        paste('{"format": 1, "layers": [{"type": "noise"}], "height": -2e6}')
    assert settings.read(group) == recipe_before


def test_a_recipe_is_saved_and_loaded(settings, group, tmp_path):
    bpy.ops.terrane.layer_add(type="simplex")
    written = settings.read(group)
    path = tmp_path / "new folder" / "hills.json"
    assert bpy.ops.terrane.recipe_save(filepath=str(path.with_suffix(""))) == {"FINISHED"}
    assert core().Recipe.from_json(path.read_text("utf-8")) == written
    assert [one.name for one in path.parent.iterdir()] == ["hills.json"]
    settings.write_preset(group, "alps")
    assert bpy.ops.terrane.recipe_load(filepath=str(path)) == {"FINISHED"}
    assert settings.read(group) == written


def test_a_file_is_replaced_only_when_told(settings, group, tmp_path):
    path = tmp_path / "hills.json"
    path.write_text("mine", "utf-8")
    with pytest.raises(RuntimeError, match=r"hills.json is already there"):
        bpy.ops.terrane.recipe_save(filepath=str(path))
    assert path.read_text("utf-8") == "mine"
    assert bpy.ops.terrane.recipe_save(filepath=str(path), check_existing=False) == {"FINISHED"}
    assert core().Recipe.from_json(path.read_text("utf-8")) == settings.read(group)


def test_the_pixels_of_images_are_in_the_file(settings, group, tmp_path):
    image = bpy.data.images.new("height", 8, 4, float_buffer=True, is_data=True)
    values = np.linspace(0.0, 1.0, 128, dtype=np.float32)
    image.pixels.foreach_set(values)
    group.layers[0].chain[0].basis = "raster"
    group.layers[0].chain[0].raster.pixels = image
    written = settings.read(group)
    path = tmp_path / "image.json"
    bpy.ops.terrane.recipe_save(filepath=str(path))
    bpy.data.images.remove(image)
    settings.write_preset(group, "none")
    bpy.ops.terrane.recipe_load(filepath=str(path))
    assert settings.read(group) == written
    assert group.layers[0].chain[0].raster.pixels is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file"),
        (b"\xff\xfe\x00", "holds no recipe: it is not text in UTF-8"),
        (b"", "holds no recipe: it is empty"),
        (b"{", "holds no recipe: it is not JSON"),
    ],
)
def test_a_file_without_a_recipe_is_reported(settings, group, tmp_path, content, message):
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    recipe_before = settings.read(group)
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrane.recipe_load(filepath=str(path))
    assert settings.read(group) == recipe_before


def test_a_pipe_and_a_device_are_refused(settings, group, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    recipe_before = settings.read(group)
    for path in (pipe, "/dev/zero", "/dev/stdin", tmp_path):
        with pytest.raises(RuntimeError, match="holds no recipe: cannot be read: it is no file"):
            bpy.ops.terrane.recipe_load(filepath=str(path))
    assert settings.read(group) == recipe_before


def test_a_file_may_begin_with_a_byte_order_mark(settings, group, tmp_path):
    path = tmp_path / "file.json"
    recipe = core().Recipe(layers=perlin(), seed=9)
    path.write_text("\ufeff" + recipe.to_json(), "utf-8")
    assert bpy.ops.terrane.recipe_load(filepath=str(path)) == {"FINISHED"}
    assert settings.read(group) == recipe


def test_paths_that_lead_nowhere_are_reported(group, tmp_path):
    with pytest.raises(RuntimeError, match="filepath must name a file; got ''"):
        bpy.ops.terrane.recipe_save(filepath="")
    with pytest.raises(RuntimeError, match="relative to the Blender file: save that first"):
        bpy.ops.terrane.recipe_save(filepath="//here.json")
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(RuntimeError, match="cannot be written: "):
        bpy.ops.terrane.recipe_save(filepath=str(tmp_path / "file" / "below.json"))
    for check_existing in (True, False):
        with pytest.raises(RuntimeError, match="cannot be written: File name too long") as caught:
            bpy.ops.terrane.recipe_save(
                filepath=str(tmp_path / ("ü" * 200)), check_existing=check_existing
            )
        assert "Traceback" not in str(caught.value)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert bpy.ops.terrane.recipe_save(filepath="//here.json") == {"FINISHED"}
    assert (tmp_path / "here.json").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("aux.json", "filepath must not be a name of a device on Windows; got 'aux.json'"),
        ("a:b", "filepath must be a name without .*; got 'a:b.json'"),
        ("C:\\\\hills.json", "filepath must be a name without .*; got"),
    ],
)
def test_names_that_some_system_cannot_have_are_refused(group, tmp_path, name, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        bpy.ops.terrane.recipe_save(filepath=str(tmp_path / name))
    assert len(str(caught.value).strip().splitlines()) == 1 and list(tmp_path.iterdir()) == []
    assert Path(module("operators.bridge.schema.paths").propose("Con", ".json")).name == "con_.json"


def test_a_folder_is_not_replaced_and_nothing_is_left_beside_it(group, tmp_path):
    folder = tmp_path / "x.json"
    folder.mkdir()
    with pytest.raises(RuntimeError, match="x.json: cannot be written: a folder has that name"):
        bpy.ops.terrane.recipe_save(filepath=str(folder), check_existing=False)
    assert list(tmp_path.iterdir()) == [folder]


def test_masks_that_a_recipe_cannot_hold_are_named(texts, settings, group):
    assert texts.omission_message(settings.states(group)) == ""
    bpy.ops.terrane.layer_add(type="simplex")
    group.layers[1].painted_mask = "valley"
    assert texts.omission_message(settings.states(group)).endswith("left out: valley")


def test_the_file_browser_begins_where_files_go(terrane, tmp_path):
    propose = module("operators.bridge.schema.paths").propose
    assert propose("My Hills", ".json") == "my_hills.json"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert propose("My Hills", ".json") == str(tmp_path / "textures" / "my_hills.json")
    assert propose("", ".json").startswith(str(tmp_path))


def test_json_of_every_preset_is_what_the_core_writes(settings, library, group):
    for name in library.preset_names():
        settings.write_preset(group, name)
        text = settings.read(group).to_json()
        assert json.loads(text) == json.loads(library.load_preset(name).bound().to_json())


def test_names_of_curves_survive_settings_and_texts(settings, library, group):
    drawn = [name for name in library.preset_names() if library.load_preset(name).curves]
    assert len(drawn) >= 3
    for name in drawn:
        recipe = library.load_preset(name)
        settings.write_preset(group, name)
        assert settings.read_named(group) == recipe, name
        assert bpy.ops.terrane.recipe_copy() == {"FINISHED"}
        text = bpy.context.window_manager.clipboard
        settings.write_preset(group, "alps")
        assert settings.read_named(group) == library.load_preset("alps")
        # A window manager without windows has no clipboard.
        assert paste(text or settings.read_named(group).to_json()) == {"FINISHED"}
        if text:
            assert settings.read_named(group) == recipe, name
        assert paste(recipe.to_json()) == {"FINISHED"}
        assert json.loads(settings.read_named(group).to_json()) == json.loads(recipe.to_json())
        bpy.ops.terrane.layer_move(direction="DOWN")
        assert settings.read_named(group).curves == recipe.curves, name


def test_a_curve_has_the_name_in_its_recipe_until_its_object_gets_another(
    settings, library, terrane, tmp_path
):
    bpy.ops.terrane.terrain_add(preset="valley_road", resolution=17)
    terrain = bpy.context.object
    recipe = library.load_preset("valley_road")
    assert set(settings.read_named(terrain.terrane).curves) == set(recipe.curves)
    (title,) = recipe.curves
    (curve,) = [obj for obj in terrain.children if obj.type == "CURVE"]
    assert title == "Valley Road" != curve.name
    curve.name = "Pass"
    module("operators.bridge.terrain.followed_sources").follow(terrain)
    path = tmp_path / "pass.json"
    assert bpy.ops.terrane.recipe_save(filepath=str(path)) == {"FINISHED"}
    assert list(json.loads(path.read_text())["curves"]) == ["Pass"]
    again = module("noise_core.recipes.recipe").Recipe.from_json(path.read_text())
    assert again.bound() == settings.read(terrain.terrane)
