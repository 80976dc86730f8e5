# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings become recipes and recipes settings, without losing a bit."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


@pytest.fixture
def group(terrane):
    return bpy.context.scene.terrane


def test_what_nobody_touched_is_the_default_preset(settings, group):
    assert settings.read(group) == settings.default_preset().recipe


def test_every_preset_comes_back(settings, group):
    library = module("noise_core.landscapes.preset_library")
    for name in (*library.preset_names(), library.PLAIN):
        settings.write_preset(group, name)
        assert settings.read(group) == library.load_preset(name).bound(), name
        assert group.preset == name
        assert group.size == pytest.approx(library.preset(name).size)


def test_measures_come_back(settings, group):
    recipe, perlin = (
        module("noise_core.recipes.recipe").Recipe,
        module("noise_core.noises.perlin").Perlin,
    )
    for seed, height in ((0, 1.0), (0xFFFFFFFF, -1.0 / 3.0), (-5, 1e6), (0x80000000, 0.0)):
        written = recipe(layers=perlin(), seed=seed, height=height, size=1000.0 / 3.0)
        settings.write(group, written)
        assert settings.read(group) == written
    group.height = 0.5
    assert settings.read(group).height == 0.5


def test_a_property_that_is_changed_counts(settings, group):
    settings.write_preset(group, "none")
    group.seed = -7
    basis, fractal = group.layers[0].chain
    basis.basis = "value"
    basis.value.frequency, basis.value.fade = 0.1, "linear"
    fractal.fractal.octaves = 3.3
    recipe = settings.read(group)
    assert recipe.seed == 0xFFFFFFFF - 6
    noise = recipe.layers[0].noise
    assert noise.octaves == 3.3
    assert (noise.source.frequency, noise.source.fade) == (0.1, "linear")


def test_the_type_of_noise_changes_nothing_else(settings, group):
    settings.write_preset(group, "none")
    basis = group.layers[0].chain[0]
    basis.perlin.frequency = 5.0
    before = settings.read(group)
    basis.basis = "simplex"
    assert basis.simplex.frequency == 5.0 and group.layers[0].name == "Simplex"
    basis.basis = "perlin"
    assert settings.read(group) == before and group.layers[0].name == "Perlin"


def test_properties_have_the_declared_limits_and_help(terrane):
    elements = module("operators.bridge.schema.elements")
    for key, cls in module("noise_core.noises.bases.noise").noise_types().items():
        own = getattr(bpy.context.scene.terrane.layers[0].chain[0], key)
        for parameter in elements.own_parameters(cls):
            if parameter.kind in ("noise", "number_or_noise", "curves"):
                continue
            shown = own.bl_rna.properties[parameter.name]
            assert shown.description == parameter.help.rstrip("."), (key, parameter.name)
            if parameter.kind == "number":
                unit = math.radians(1.0) if parameter.unit == "angle" else 1.0
                assert (shown.subtype == "ANGLE") == (parameter.unit == "angle")
                least, most = parameter.minimum, min(parameter.soft_maximum, parameter.maximum)
                assert shown.hard_min == pytest.approx(max(least * unit, -3.5e38))
                assert shown.soft_max == pytest.approx(min(most * unit, 3.5e38))
        assert "source" not in own.bl_rna.properties


def test_enum_numbers_come_from_the_keys(terrane):
    items_of = module("operators.bridge.schema.enum_items")
    items = bpy.context.scene.terrane.layers[0].chain[0].bl_rna.properties["basis"].enum_items
    assert len(items) >= 5
    for item in items:
        assert item.value == items_of.enum_number(item.identifier)
    # For ever: a saved file holds these numbers.
    assert items_of.enum_number("perlin") == 1979486909


def test_an_image_is_a_layer_and_survives_on_the_object(settings, group):
    image = bpy.data.images.new("height", 8, 4, float_buffer=True, is_data=True)
    ramp = np.linspace(0.0, 1.0, 8, dtype=np.float32)
    pixels = np.ones((4, 8, 4), np.float32)
    pixels[..., :3] = ramp[np.newaxis, :, np.newaxis]
    image.pixels.foreach_set(pixels.ravel())
    settings.write_preset(group, "none")
    group.layers[0].chain.remove(1)
    group.layers[0].chain[0].basis = "raster"
    group.layers[0].chain[0].raster.pixels = image
    recipe = settings.read(group)
    np.testing.assert_allclose(recipe.noise.pixels, np.tile(ramp * 2 - 1, (4, 1)), atol=1e-6)
    terrain = add_terrain(from_panel=True, resolution=16)
    element = terrain.terrane.layers[0].chain[0]
    assert element.raster.pixels == image and not element.text
    assert settings.read(terrain.terrane) == recipe


def test_settings_survive_saving(settings, group, tmp_path):
    settings.write_preset(group, "alps")
    group.seed, group.layers[0].chain[1].fractal.octaves = 99, 4.5
    before = settings.read(group)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert settings.read(bpy.context.scene.terrane) == before


def test_only_numbers_of_a_recipe_can_have_keyframes(terrane):
    """A keyframe that no terrain follows would show values that have no effect."""
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
                assert one.type == "FLOAT", one.identifier

    for owner in (bpy.types.Scene, bpy.types.Object, bpy.types.Image):
        for one in owner.bl_rna.properties:
            if one.identifier.startswith("terrane"):
                walk(one.fixed_type) if one.type == "POINTER" else seen.add(one.identifier)
                assert one.type == "POINTER" or not one.is_animatable, one.identifier
    parts = ("TERRANE_PG_layer.", "TERRANE_PG_noise_", "TERRANE_PG_modifier_", "TERRANE_PG_mask")
    parts = (*parts, "TERRANE_PG_half_mask.")
    own = {one for one in animated if not one.startswith(parts)}
    assert own == {"TERRANE_PG_settings.height", "TERRANE_PG_settings.tile"}, sorted(own)
    assert len(seen) > 50 and "TERRANE_PG_layer.opacity" in animated
    assert "TERRANE_PG_noise_evolution.position" in animated
    bpy.ops.terrane.terrain_add(preset="none", resolution=9)
    with pytest.raises(TypeError, match="not animatable"):
        bpy.context.active_object.keyframe_insert("terrane.seed", frame=1)


def test_keyframes_of_whole_numbers_that_a_file_has_do_nothing(terrane, tmp_path):
    thing = add_terrain(preset="none", resolution=9, seed=1, height=3.0)
    action = bpy.data.actions.new("Action")
    thing.animation_data_create().action = action
    if hasattr(action, "fcurve_ensure_for_datablock"):
        curve = action.fcurve_ensure_for_datablock(thing, "terrane.seed")
    else:
        curve = action.fcurves.new("terrane.seed")
    for frame, value in ((1, 1.0), (10, 50.0)):
        curve.keyframe_points.insert(frame, value)
    thing.animation_data.drivers.new("terrane.resolution").driver.expression = "frame"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "keyframes.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "keyframes.blend"))
    bpy.context.scene.frame_set(10)
    thing = bpy.context.active_object
    assert (thing.terrane.seed, thing.terrane.resolution) == (1, 9)
    assert bpy.ops.terrane.terrain_update(seed=2) == {"FINISHED"}
    assert thing.terrane.seed == 2


def test_a_recipe_that_cannot_be_read_is_tried_once(settings, group, monkeypatch):
    """A text may claim more pixels than there is memory."""
    stored = module("operators.bridge.schema.recipe_texts")
    tried = []

    def too_large(text, **given):
        tried.append(len(text))
        raise MemoryError

    monkeypatch.setattr(stored.Recipe, "from_json", too_large)
    text = '{"format": 1, "layers": []}'
    for _ in range(5):
        with pytest.raises(RuntimeError, match="more memory than there is"):
            bpy.ops.terrane.terrain_add(recipe=text)
    assert len(tried) == 1


def test_settings_are_read_without_their_text(settings, group):
    """Cost of a dragged slider: each property is read once, and nothing is parsed."""
    import sys

    settings.write_preset(group, "alps")
    settings.read(group)
    called = []
    sys.setprofile(lambda frame, event, arg: called.append(frame.f_code.co_name))
    try:
        settings.read(group)
    finally:
        sys.setprofile(None)
    assert "from_json" not in called and "loads" not in called


def test_the_default_of_an_option_tells_its_kind(terrane):
    declare = module("operators.bridge.schema.declared_settings").declare
    kinds = [declare("x", one, "Help").kind for one in (True, 1, 1.0, (0.0, 0.0), "a")]
    assert kinds == ["boolean", "integer", "number", "vector", "choice"]
    plain, longer = declare("x", 1.0, "Help", (0.0, 2.0)), declare("x", (0.0,) * 3, "Help")
    assert (plain.minimum, plain.maximum, plain.soft_minimum, plain.soft_maximum) == (0, 2, 0, 2)
    slider = declare("x", 1.0, "Help", (0.0, 2.0), (0.5, 1.0))
    assert (slider.maximum, slider.soft_maximum, longer.size) == (2.0, 1.0, 3)
