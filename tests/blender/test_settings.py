# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings become recipes and recipes settings, without losing a bit."""

from __future__ import annotations

import importlib
import json

import bpy
import numpy as np
import pytest

PACKAGE = "bl_ext.user_default.terrane"


def module(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


@pytest.fixture
def settings(terrane):
    return module("operators.bridge.settings")


@pytest.fixture
def group(terrane):
    return bpy.context.scene.terrane


def trees():
    """Return noises that need every corner of the way back."""
    noises = module("noise_core.noises.fractal"), module("noise_core.noises.warp")
    fractal, warp = noises[0].Fractal, noises[1].Warp
    perlin = module("noise_core.noises.perlin").Perlin
    value = module("noise_core.noises.value").Value
    fine = perlin(frequency=4.0 / 3.0, fade="linear")
    return [
        fine,
        fractal(source=fine, kind="ridged", octaves=7.123456789, gain=1.0 / 3.0),
        warp(source=fractal(source=fine), strength=0.1, scale=(1.0, 1.0 / 7.0, 0.0)),
        warp(source=value(frequency=1e-4), displacement=fractal(source=fine), strength=0.0),
        fractal(source=warp(source=fine, levels=2), persistence=0.7),
    ]


def test_what_nobody_touched_is_the_default_preset(settings, group):
    assert settings.read(group) == settings.default_preset().recipe


def test_every_preset_comes_back(settings, group):
    library = module("noise_core.preset_library")
    for name in (*library.preset_names(), library.PLAIN):
        settings.write_preset(group, name)
        assert settings.read(group) == library.load_preset(name), name
        assert group.preset == name
        assert group.size == pytest.approx(library.preset(name).size)


def test_every_recipe_comes_back(settings, group):
    recipe = module("noise_core.recipe").Recipe
    for noise in trees():
        for seed, height in ((0, 1.0), (0xFFFFFFFF, -1.0 / 3.0), (-5, 1e6), (0x80000000, 0.0)):
            written = recipe(noise=noise, seed=seed, height=height)
            settings.write(group, written)
            assert settings.read(group) == written


def test_every_leaf_type_comes_back(settings, group):
    spine, recipe = module("noise_core.spine"), module("noise_core.recipe").Recipe
    for key, cls in spine.leaf_types().items():
        settings.write(group, recipe(noise=cls()))
        assert group.noise == key
        assert settings.read(group).noise == cls()


def test_a_property_that_is_changed_counts(settings, group):
    settings.write_preset(group, "none")
    group.frequency = 0.1
    group.seed = -7
    group.fractal_options.octaves = 3.3
    group.warp = 0.2
    group.noise = "value"
    group.noise_value.fade = "linear"
    recipe = settings.read(group)
    assert recipe.seed == 0xFFFFFFFF - 6
    assert recipe.noise.strength == 0.2
    assert recipe.noise.source.octaves == 3.3
    assert recipe.noise.source.source.frequency == 0.1
    assert recipe.noise.source.source.fade == "linear"


def test_the_type_of_noise_changes_nothing_else(settings, group):
    settings.write_preset(group, "none")
    group.frequency = 5.0
    before = settings.read(group)
    group.noise = "simplex"
    group.noise = "perlin"
    assert settings.read(group) == before


def test_no_fractal_and_no_warp_leave_the_noise_alone(settings, group):
    settings.write_preset(group, "none")
    group.fractal = "none"
    assert settings.read(group).noise == module("noise_core.noises.perlin").Perlin(frequency=4.0)


def test_properties_have_the_declared_limits_and_help(settings, terrane):
    properties = bpy.context.scene.terrane.fractal_options.bl_rna.properties
    for parameter in module("operators.bridge.recipes.noise_knobs").fractal_parameters():
        shown = properties[parameter.name]
        assert shown.description == parameter.help
        if parameter.kind == "number":
            assert shown.hard_min == pytest.approx(parameter.minimum)
            assert shown.soft_max == pytest.approx(min(parameter.soft_maximum, parameter.maximum))
    assert "octaves" in properties and "source" not in properties


def test_enum_numbers_come_from_the_keys(terrane):
    properties = module("operators.bridge.properties")
    items = bpy.context.scene.terrane.bl_rna.properties["noise"].enum_items
    assert len(items) >= 5
    for item in items:
        assert item.value == properties.enum_number(item.identifier)
    # For ever: a saved file holds these numbers.
    assert properties.enum_number("perlin") == 1979486909


def test_an_image_is_a_layer_and_survives_on_the_object(settings, group):
    image = bpy.data.images.new("height", 8, 4, float_buffer=True, is_data=True)
    ramp = np.linspace(0.0, 1.0, 8, dtype=np.float32)
    pixels = np.ones((4, 8, 4), np.float32)
    pixels[..., :3] = ramp[np.newaxis, :, np.newaxis]
    image.pixels.foreach_set(pixels.ravel())
    settings.write_preset(group, "none")
    group.noise, group.fractal = "raster", "none"
    group.noise_raster.pixels = image
    recipe = settings.read(group)
    np.testing.assert_allclose(recipe.noise.pixels, np.tile(ramp * 2 - 1, (4, 1)), atol=1e-6)
    bpy.ops.terrane.terrain_add(from_panel=True, resolution=16)
    terrain = bpy.context.object
    assert terrain.terrane.noise_raster.pixels == image
    assert len(terrain.terrane.tree) < 3000
    assert settings.read(terrain.terrane) == recipe


def test_a_damaged_recipe_is_reported_not_guessed(group):
    group.tree = json.dumps({"format": 1, "noise": {"type": "no_such_noise"}})
    with pytest.raises(RuntimeError, match="no_such_noise"):
        bpy.ops.terrane.terrain_add(from_panel=True)
    assert not bpy.data.meshes


def test_settings_survive_saving(settings, group, tmp_path):
    settings.write_preset(group, "alps")
    group.seed, group.fractal_options.octaves = 99, 4.5
    before = settings.read(group)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert settings.read(bpy.context.scene.terrane) == before


def test_no_setting_can_have_keyframes(terrane):
    """Nothing is made anew from frame to frame: settings that moved would say what is not seen."""
    animated, seen = set(), set()

    def walk(rna):
        if rna.identifier in seen:
            return
        seen.add(rna.identifier)
        for one in rna.properties:
            inner = getattr(one, "fixed_type", None)
            if inner is not None and inner.identifier.startswith("TERRANE_PG"):
                walk(inner)
            elif one.is_animatable and rna.identifier.startswith("TERRANE_PG"):
                animated.add(f"{rna.identifier}.{one.identifier}")

    for owner in (bpy.types.Scene, bpy.types.Object, bpy.types.Image):
        for one in owner.bl_rna.properties:
            if one.identifier.startswith("terrane"):
                walk(one.fixed_type) if one.type == "POINTER" else seen.add(one.identifier)
                assert one.type == "POINTER" or not one.is_animatable, one.identifier
    assert len(seen) > 50 and not animated, sorted(animated)
    bpy.ops.terrane.terrain_add(preset="none", resolution=9)
    with pytest.raises(TypeError, match="not animatable"):
        bpy.context.active_object.keyframe_insert("terrane.seed", frame=1)


def test_keyframes_of_settings_that_a_file_has_do_nothing(terrane, tmp_path):
    bpy.ops.terrane.terrain_add(preset="none", resolution=9, seed=1, height=3.0)
    thing = bpy.context.active_object
    action = bpy.data.actions.new("Action")
    thing.animation_data_create().action = action
    if hasattr(action, "fcurve_ensure_for_datablock"):
        curve = action.fcurve_ensure_for_datablock(thing, "terrane.seed")
    else:
        curve = action.fcurves.new("terrane.seed")
    for frame, value in ((1, 1.0), (10, 50.0)):
        curve.keyframe_points.insert(frame, value)
    thing.animation_data.drivers.new("terrane.height").driver.expression = "frame"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "keyframes.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "keyframes.blend"))
    bpy.context.scene.frame_set(10)
    thing = bpy.context.active_object
    assert (thing.terrane.seed, thing.terrane.height) == (1, 3.0)
    assert bpy.ops.terrane.terrain_update(seed=2) == {"FINISHED"}
    assert thing.terrane.seed == 2


def test_a_recipe_that_cannot_be_read_is_tried_once(settings, group, monkeypatch):
    """A text may claim more pixels than there is memory; Blender polls at every redraw."""
    stored = module("operators.bridge.recipes.stored_recipes")
    bpy.ops.terrane.terrain_add(resolution=9)
    own = bpy.context.object.terrane
    own.tree = own.tree.replace('"format"', ' "format"')  # nobody has read that yet
    tried = []

    def too_large(text, **given):
        tried.append(len(text))
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(stored.Recipe, "from_json", too_large)
        for _ in range(20):
            assert not bpy.ops.terrane.terrain_update.poll()
    assert len(tried) == 1
    reason = module("operators.bridge.recipes.unknown").why_not(own)
    assert "it takes more memory than there is" in reason and "\n" not in reason
    with pytest.raises(RuntimeError, match="more memory than there is"):
        bpy.ops.terrane.terrain_add(recipe=own.tree)


def test_a_recipe_in_an_entry_that_cannot_be_read_is_tried_once(settings, group, monkeypatch):
    stored = module("operators.bridge.recipes.stored_recipes")
    settings.unfold_modifiers(group)
    group.modifiers[0].text = "[" * 3_000_000
    loads, tried = stored.Recipe.from_json, []
    monkeypatch.setattr(
        stored.Recipe, "from_json", lambda text, **given: (tried.append(1), loads(text, **given))[1]
    )
    for _ in range(5):
        with pytest.raises(module("noise_core.errors").RecipeError, match="nested too deeply"):
            settings.read(group)
    assert len(tried) == 1
