# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of noise in the list: their knobs, their masks, names, who is alone, and undo."""

from __future__ import annotations

import dataclasses
import importlib

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
def stack(terrane):
    return module("operators.bridge.recipes.stack")


@pytest.fixture
def group(settings):
    settings.write_preset(bpy.context.scene.terrane, "none")
    return bpy.context.scene.terrane


def layer(**values):
    return module("noise_core.modifiers.noise_layer").NoiseLayer(**values)


def blur(**values):
    return module("noise_core.modifiers.blur").Blur(**values)


def noise(name, **values):
    return getattr(module("noise_core.noises"), name)(**values)


def mask(name, **values):
    return getattr(module("noise_core.masks"), name)(**values)


def recipe(*modifiers, **values):
    return module("noise_core").Recipe(
        noise=noise("Perlin", frequency=3.7), modifiers=modifiers, **{"size": 200.0, **values}
    )


def sources():
    return module("operators.bridge.recipes.mask_settings").sources()


def heights(thing):
    values = np.empty(len(thing.data.vertices) * 3, np.float32)
    thing.data.attributes["position"].data.foreach_get("vector", values)
    return values.reshape(-1, 3)[:, 2].copy()


def terrain(**keywords):
    bpy.ops.terrane.terrain_add(**{"from_panel": True, "resolution": 17, "size": 200.0, **keywords})
    return bpy.context.object


def expected(written, resolution=17, size=200.0):
    grid = module("noise_core").Grid(resolution, resolution, size=size)
    return written.evaluate(grid).height.ravel()


def trees():
    fine = noise("Perlin", frequency=4.0 / 3.0, fade="linear")
    fractal = noise("Fractal", source=fine, kind="ridged", octaves=7.123456789, gain=1.0 / 3.0)
    return [
        fine,
        fractal,
        noise("Warp", source=fractal, strength=0.1, scale=(1.0, 1.0 / 7.0, 0.0)),
        noise("Blend", first=fractal, second=noise("Warp", source=fine)),
        noise("Fractal", source=noise("Warp", source=fine, levels=2), persistence=0.7),
    ]


# --- noise --------------------------------------------------------------------------------------


def test_the_noise_of_a_layer_comes_back(settings, group):
    modes = module("noise_core.blending").OPTIONS
    layers = [layer(noise=one, mode=mode) for one, mode in zip(trees(), modes)]
    layers += [layer(noise=cls()) for cls in module("noise_core.spine").leaf_types().values()]
    written = recipe(*layers, height=7.0)
    settings.write(group, written)
    assert settings.read(group) == written
    made = terrain()
    assert settings.read(made.terrane).modifiers == written.modifiers


def test_a_knob_of_a_layer_that_is_turned_counts_and_no_other(settings, group):
    settings.write(group, recipe(layer(noise=trees()[2]), layer(noise=trees()[1])))
    own = group.modifiers[0].modifier_noise_layer
    own.mode, own.height, own.seed_offset = "max", 0.1, 5
    own.noise.frequency = 9.1
    own.noise.warp = 0.3
    own.noise.noise = "value"
    own.noise.noise_value.fade = "linear"
    own.noise.fractal_options.octaves = 3.3
    first, second = settings.read(group).modifiers
    assert (first.mode, first.height, first.seed_offset) == ("max", 0.1, 5)
    assert first.noise.strength == 0.3 and first.noise.scale == (1.0, 1.0 / 7.0, 0.0)
    assert first.noise.source.octaves == 3.3 and first.noise.source.gain == 1.0 / 3.0
    assert first.noise.source.source == noise("Value", frequency=9.1, fade="linear")
    assert second == layer(noise=trees()[1])
    assert settings.read(group).noise == recipe().noise


def test_knobs_of_a_layer_are_declared_as_those_of_the_base(stack, group):
    bpy.ops.terrane.layer_add(noise="perlin")
    knobs = stack.knobs_of(group.modifiers[0])
    base = {one.identifier: one for one in group.bl_rna.properties}
    for one in knobs.bl_rna.properties:
        if one.identifier not in ("rna_type", "name"):
            twin = base[one.identifier]
            assert (one.name, one.description, one.type) == (twin.name, twin.description, twin.type)
            if one.type == "FLOAT":
                assert (one.hard_min, one.hard_max) == (twin.hard_min, twin.hard_max)
                assert (one.soft_min, one.soft_max) == (twin.soft_min, twin.soft_max)


def test_a_terrain_with_layers_is_what_the_core_makes(settings, group):
    written = recipe(
        layer(noise=noise("Simplex", frequency=5.0), mode="max", height=30.0, influence=0.7),
        blur(radius=4.0),
        layer(noise=noise("Perlin", frequency=9.0), height=3.0, where=mask("MapMask", low=10.0)),
        height=40.0,
        seed=5,
    )
    settings.write(group, written)
    made = terrain()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)
    made.terrane.modifiers[2].modifier_noise_layer.height = 9.0
    bpy.ops.terrane.terrain_update()
    changed = settings.read(made.terrane)
    assert changed.modifiers[2].height == 9.0
    np.testing.assert_allclose(heights(made), expected(changed), atol=1e-4)


def test_a_layer_can_be_an_image(settings, stack, group):
    image = bpy.data.images.new("height", 64, 64, float_buffer=True, is_data=True)
    rows = np.linspace(0.0, 1.0, 64, dtype=np.float32)
    pixels = np.ones((64, 64, 4), np.float32)
    pixels[..., :3] = rows[:, np.newaxis, np.newaxis]
    image.pixels.foreach_set(pixels.ravel())
    bpy.ops.terrane.layer_add(noise="raster")
    stack.knobs_of(group.modifiers[0]).noise_raster.pixels = image
    group.size = 200.0
    written = settings.read(group)
    assert written.modifiers[0].noise.pixels.shape == (64, 64)
    made = terrain()
    entry = made.terrane.modifiers[0]
    assert stack.knobs_of(entry).noise_raster.pixels == image
    assert len(entry.text) < 3000, "the pixels are in the image, and not in the text too"
    assert settings.read(made.terrane) == written
    bpy.data.images.remove(image)
    settings.write(group, written)
    assert settings.read(group) == written, "without the image, the text has them"


def test_which_image_a_layer_has_is_part_of_what_was_asked_for(stack, group):
    made, terrains = (
        module("operators.bridge.terrain.made"),
        module("operators.bridge.terrain.terrains"),
    )
    images = [bpy.data.images.new(name, 8, 8, float_buffer=True) for name in ("one", "two")]
    bpy.ops.terrane.layer_add(noise="raster")
    stack.knobs_of(group.modifiers[0]).noise_raster.pixels = images[0]
    thing = terrain()

    def digest():
        return made.digest(terrains.present_request(thing))

    first = digest()
    images[0].pixels[0] = 0.5
    assert digest() == first
    stack.knobs_of(thing.terrane.modifiers[0]).noise_raster.pixels = images[1]
    assert digest() != first
    stack.knobs_of(thing.terrane.modifiers[0]).noise_raster.pixels = images[0]
    assert digest() == first
    thing.terrane.modifiers[0].solo = True
    assert digest() != first


# --- masks of the recipe ------------------------------------------------------------------------


def some_masks():
    """Return a mask of every source, with values that no 32-bit float can hold."""
    made = []
    for place, source in enumerate(sources().values()):
        limits = ("above", "below", "between", "values")[place % 4]
        values = {"limits": limits, "low": 1.0 / 3.0, "high": 2.0 / 3.0, "falloff": 0.1}
        if source.map is not None:
            made.append(source.mask(map=source.map(), **values))
        else:
            made.append(source.mask(**values, inverted=True))
    return made


def test_every_mask_comes_back(settings, group):
    assert {"slope", "height", "layer"} <= set(sources()) and "normal" not in sources()
    made = some_masks()
    made += [mask("LayerMask", layer="somebody"), None]
    flow = module("noise_core.maps").HeightBands(count=7)
    made.append(mask("MapMask", map=flow))
    written = recipe(*(blur(where=one) for one in made))
    settings.write(group, written)
    assert settings.read(group) == written
    settings.write(group, recipe(blur()))
    assert settings.read(group) == recipe(blur())


def test_a_masks_property_that_is_changed_counts(settings, group):
    settings.write(group, recipe(blur(where=mask("MapMask", low=1.0 / 3.0, falloff=1.0 / 7.0))))
    where = group.modifiers[0].where
    assert where.source == "slope"
    where.falloff, where.inverted = 2.5, True
    read = settings.read(group).modifiers[0].where
    assert read == mask("MapMask", low=1.0 / 3.0, falloff=2.5, inverted=True)
    where.source = "height_bands"
    where.mask_height_bands.count = 9
    read = settings.read(group).modifiers[0].where
    assert read.map == module("noise_core.maps").HeightBands(count=9)
    assert (read.low, read.falloff) == (1.0 / 3.0, 2.5)
    where.source = "everywhere"
    assert settings.read(group).modifiers[0].where is None


def test_choosing_a_source_suggests_limits_that_let_something_through(settings, group):
    settings.write(group, recipe(blur(), height=60.0))
    ground = expected(recipe(height=60.0)).reshape(17, 17)
    grid = module("noise_core").Grid(17, 17, size=200.0)
    for key, source in sources().items():
        assert bpy.ops.terrane.modifier_where(source=key) == {"FINISHED"}
        where = settings.read(group).modifiers[0].where
        assert type(where) is source.mask
        layers = settings.read(group).layers()
        share = where.share(ground, grid, layers)
        assert 0.0 <= share.min() and share.max() <= 1.0, key
    assert bpy.ops.terrane.modifier_where(source="slope") == {"FINISHED"}
    where = settings.read(group).modifiers[0].where
    assert (where.limits, where.low, where.falloff) == ("above", 30.0, 9.0)
    assert bpy.ops.terrane.modifier_where(source="everywhere") == {"FINISHED"}
    assert settings.read(group).modifiers[0].where is None


def test_another_layer_is_a_mask(settings, group):
    settings.write(group, recipe(height=40.0, seed=2))
    group.active_modifier = -1
    bpy.ops.terrane.layer_add(noise="simplex")
    bpy.ops.terrane.layer_add(noise="value")
    assert [entry.name for entry in group.modifiers] == ["Simplex", "Value"]
    bpy.ops.terrane.modifier_where(source="layer", layer="Simplex")
    written = settings.read(group)
    assert written.modifiers[1].where.layer == "Simplex"
    made = terrain()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)
    # The other's noise counts at once, though nobody has touched the mask.
    made.terrane.modifiers[0].modifier_noise_layer.noise.frequency = 11.0
    made.terrane.modifiers[0].muted = True
    bpy.ops.terrane.terrain_update()
    changed = settings.read(made.terrane)
    np.testing.assert_allclose(heights(made), expected(changed), atol=1e-4)
    assert np.abs(expected(changed) - expected(recipe(height=40.0, seed=2))).max() > 0.5


def test_a_layer_that_is_gone_is_reported(settings, group):
    settings.write(group, recipe(blur(where=mask("LayerMask", layer="gone"))))
    with pytest.raises(RuntimeError, match="must name a layer of the recipe .* got 'gone'"):
        terrain()
    group.modifiers[0].muted = True
    terrain()


def test_a_layer_without_a_name_gets_one_when_a_mask_stands_for_it(settings, group):
    settings.write(group, recipe(layer(), layer(seed_offset=2), blur()))
    group.active_modifier = 2
    bpy.ops.terrane.modifier_where(source="layer", layer="Noise Layer")
    written = settings.read(group)
    where = written.modifiers[2].where
    assert [one.name for one in written.modifiers].count(where.layer) == 1
    assert where.layer == written.modifiers[0].name


def test_renaming_a_layer_takes_its_masks_along(settings, group):
    hills, others = layer(name="Hills"), mask("LayerMask", layer="Other")
    written = recipe(hills, blur(where=mask("LayerMask", layer="Hills")), blur(where=others))
    settings.write(group, written)
    assert bpy.ops.terrane.modifier_rename(place=0, name="Mountains") == {"FINISHED"}
    read = settings.read(group).modifiers
    assert [one.name for one in read] == ["Mountains", "", ""]
    assert (read[1].where.layer, read[2].where.layer) == ("Mountains", "Other")
    group.modifiers[0].name = "Peaks"  # as a double click does
    assert settings.read(group).modifiers[1].where.layer == "Peaks"
    assert bpy.ops.terrane.modifier_rename(name="") == {"FINISHED"}
    assert group.modifiers[0].name == "Noise Layer"


# --- the list -----------------------------------------------------------------------------------


def test_a_new_layer_suits_the_list(settings, group):
    group.height = 1234.0
    group.active_modifier = -1
    for _ in range(3):
        assert bpy.ops.terrane.layer_add(noise="perlin") == {"FINISHED"}
    made = settings.read(group).modifiers
    assert [one.name for one in made] == ["Perlin", "Perlin.001", "Perlin.002"]
    assert sorted(one.seed_offset for one in made) == [1, 2, 3]
    assert {one.height for one in made} == {310.0}
    assert group.active_modifier == 2
    group.modifiers.remove(1)
    bpy.ops.terrane.layer_add(noise="gradient")
    assert settings.read(group).modifiers[-1].seed_offset == 2
    assert settings.read(group).modifiers[-1].noise == noise("Gradient")


def test_layers_go_behind_the_active_one_and_first_behind_the_base(group):
    bpy.ops.terrane.modifier_add(type="blur")
    bpy.ops.terrane.modifier_select(place=-1)
    bpy.ops.terrane.layer_add(noise="value")
    assert [entry.type for entry in group.modifiers] == ["noise_layer", "blur"]
    assert group.active_modifier == 0


def test_the_panel_shows_the_knobs_of_the_active_layer(settings, stack, group):
    layer_list = module("operators.bridge.recipes.layer_list")
    settings.write(group, recipe(layer(), blur()))
    assert group.active_modifier == -1 and layer_list.active_knobs(group) == group
    for place, knobs in ((0, stack.knobs_of(group.modifiers[0])), (1, None), (-1, group)):
        assert bpy.ops.terrane.modifier_select(place=place) == {"FINISHED"}
        assert layer_list.active_knobs(group) == knobs
    assert bpy.ops.terrane.modifier_select(place=2) == {"CANCELLED"}


def test_updating_leaves_the_base_chosen(group):
    bpy.ops.terrane.layer_add(noise="value")
    made = terrain()
    made.terrane.active_modifier = -1
    bpy.ops.terrane.terrain_update()
    assert made.terrane.active_modifier == -1
    made.terrane.active_modifier = 0
    bpy.ops.terrane.terrain_update()
    assert made.terrane.active_modifier == 0


def test_mute(settings, group):
    settings.write(group, recipe(layer(), blur()))
    group.active_modifier = 1
    assert bpy.ops.terrane.modifier_mute(place=0) == {"FINISHED"}
    assert [one.muted for one in settings.read(group).modifiers] == [True, False]
    assert group.active_modifier == 0
    assert bpy.ops.terrane.modifier_mute() == {"FINISHED"}
    assert not any(one.muted for one in settings.read(group).modifiers)
    with pytest.raises(RuntimeError, match=r"place must be in \[-2, 1\]; got 2"):
        bpy.ops.terrane.modifier_mute(place=2)
    with pytest.raises(RuntimeError, match=r"place must be in \[-1, 1\]; got 2"):
        bpy.ops.terrane.modifier_rename(place=2)


# --- switches of the base noise -----------------------------------------------------------------


def muted(written):
    return dataclasses.replace(written, noise_muted=True)


def test_a_muted_base_is_a_plain_under_the_layers(settings, group, tmp_path):
    written = recipe(layer(height=20.0, noise=noise("Value", frequency=7.0)), height=30.0, seed=4)
    settings.write(group, written)
    group.active_modifier = 0
    assert bpy.ops.terrane.modifier_mute(place=-2) == {"FINISHED"}
    assert group.active_modifier == -1 and settings.read(group) == muted(written)
    made = terrain()
    np.testing.assert_allclose(heights(made), expected(muted(written)), atol=1e-4)
    assert np.abs(heights(made) - expected(written)).max() > 1.0
    assert settings.read(made.terrane) == muted(written)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    made = bpy.context.object
    assert settings.read(made.terrane) == muted(written)
    # The active entry is the base: without a place, that is what is taken in again.
    assert bpy.ops.terrane.modifier_mute() == {"FINISHED"}
    assert settings.read(made.terrane) == written
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)


def test_a_muted_base_without_layers_is_flat(settings, group):
    settings.write(group, recipe(height=30.0))
    assert bpy.ops.terrane.modifier_mute() == {"FINISHED"}
    assert not heights(terrain()).any()


def test_a_muted_base_is_part_of_the_recipe_as_text_and_as_a_file(settings, group, tmp_path):
    written = recipe(layer(height=20.0), height=30.0, seed=4)
    path = str(tmp_path / "muted.json")
    for base in (muted(written), written):
        settings.write(group, base)
        assert bpy.ops.terrane.recipe_copy() == {"FINISHED"}
        assert bpy.ops.terrane.recipe_save(filepath=path, check_existing=False) == {"FINISHED"}
        text = module("operators.bridge.recipes.recipe_texts").load(path).to_json()
        for load in (
            lambda: bpy.ops.terrane.recipe_load(filepath=path),
            lambda text=text: bpy.ops.terrane.recipe_paste(text=text),
        ):
            settings.write_preset(group, "none")
            group.noise_muted, group.noise_solo = not base.noise_muted, True
            assert load() == {"FINISHED"}
            assert settings.read(group) == base and not group.noise_solo


def test_the_base_alone_leaves_all_layers_out(settings, group, tmp_path):
    written = recipe(layer(height=20.0), blur(radius=9.0), height=30.0, seed=4)
    settings.write(group, written)
    group.modifiers[1].mask = "nowhere"  # nobody asks for the mask of what is left out
    assert bpy.ops.terrane.modifier_solo(place=-2) == {"FINISHED"}
    assert settings.read(group) == written and group.noise_solo
    assert module("operators.bridge.recipes.layer_list").has_solo(group)
    alone = recipe(height=30.0, seed=4)
    made = terrain()
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    assert made.terrane.noise_solo and settings.read(made.terrane) == written
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    made = bpy.context.object
    assert made.terrane.noise_solo
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    # Another one takes its place, joins in, and all act again.
    made.terrane.modifiers[1].mask = ""
    assert bpy.ops.terrane.modifier_solo(place=0) == {"FINISHED"}
    assert not made.terrane.noise_solo and made.terrane.modifiers[0].solo
    made.terrane.noise_solo = True
    bpy.ops.terrane.terrain_update()
    one = recipe(layer(height=20.0), height=30.0, seed=4)
    np.testing.assert_allclose(heights(made), expected(one), atol=1e-4)
    for _ in range(2):
        bpy.ops.terrane.modifier_solo(place=-2)
    assert not (made.terrane.noise_solo or made.terrane.modifiers[0].solo)
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)


def test_the_base_alone_leaves_out_what_only_the_text_holds(settings, stack):
    """A new scene shows the default preset, whose modifiers have no entries yet."""
    group = bpy.context.scene.terrane
    assert settings.folded_modifiers(group) and not group.modifiers
    group.noise_solo = True
    acting = stack.acting(settings.read(group), settings.notes(group))
    assert all(one.muted for one in acting.modifiers)
    bpy.ops.terrane.layer_add(noise="value")
    assert len(group.modifiers) == len(acting.modifiers) + 1 and group.noise_solo


def test_switches_of_the_base_count_for_images(settings, group):
    settings.write(group, muted(recipe(layer(height=10.0), height=30.0)))
    group.size = 16.0
    bpy.ops.terrane.image_new(from_panel=True, width=16, height=16, levels="fixed")
    (made,) = bpy.data.images
    assert settings.read(made.terrane).noise_muted
    pixels = np.empty(16 * 16 * 4, np.float32)
    made.pixels.foreach_get(pixels)
    grid = module("noise_core").Grid(16, 16, wrap=True, size=16.0)
    low, high = recipe().noise.bounds()
    over = muted(recipe(layer(height=10.0), height=30.0)).evaluate(grid).height / 30.0
    wanted = np.clip((over - low) / (high - low), 0.0, 1.0)  # a plain of 0 is as gray as ever
    np.testing.assert_allclose(pixels.reshape(16, 16, 4)[..., 0], wanted, atol=1 / 250)
    made.terrane.noise_muted = False
    made.terrane.noise_solo = True
    bpy.ops.terrane.image_update(image=made.name)
    made.pixels.foreach_get(pixels)
    alone = recipe(height=30.0).evaluate(grid).height / 30.0
    wanted = np.clip((alone - low) / (high - low), 0.0, 1.0)
    np.testing.assert_allclose(pixels.reshape(16, 16, 4)[..., 0], wanted, atol=1 / 250)


def test_the_row_of_the_base_has_both_switches(group):
    """Drawn on a stand-in: Blender's module has no window."""

    class Layout:
        def __init__(self):
            self.shown, self.active, self.place = [], True, None

        def row(self, **options):
            return self

        def operator(self, name, **options):
            return self

        def prop(self, group, name, **options):
            self.shown.append((name, options["icon"]))

        def separator(self, **options):
            pass

    draw, layout = module("ui.modifiers")._draw_base, Layout()
    draw(layout, group)
    assert layout.shown == [("noise_solo", "SOLO_OFF"), ("noise_muted", "HIDE_OFF")]
    assert layout.active
    group.noise_muted = group.noise_solo = True
    layout = Layout()
    draw(layout, group)
    assert layout.shown == [("noise_solo", "SOLO_ON"), ("noise_muted", "HIDE_ON")]
    assert not layout.active


def test_solo_leaves_out_all_others_and_the_recipe_as_it_is(settings, group, tmp_path):
    stacked = (
        layer(height=20.0, noise=noise("Simplex", frequency=5.0)),
        layer(height=10.0, noise=noise("Value", frequency=7.0), muted=True),
        blur(radius=9.0),
    )
    written = recipe(*stacked, height=30.0, seed=4)
    settings.write(group, written)
    group.modifiers[2].mask = "nowhere"  # nobody asks for the mask of what is left out
    assert bpy.ops.terrane.modifier_solo(place=0) == {"FINISHED"}
    assert settings.read(group) == written
    made = terrain()
    alone = recipe(stacked[0], height=30.0, seed=4)
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    assert settings.read(made.terrane) == written
    assert [entry.solo for entry in made.terrane.modifiers] == [True, False, False]
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    # A second one joins in, but a muted one stays muted; then all act again.
    made.terrane.modifiers[1].solo = True
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    made.terrane.modifiers[2].mask = ""
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    made = bpy.context.object
    assert [entry.solo for entry in made.terrane.modifiers] == [True, True, False]
    for _ in range(2):
        bpy.ops.terrane.modifier_solo(place=0)
    assert not any(entry.solo for entry in made.terrane.modifiers)
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)


def test_solo_counts_for_images(settings, group):
    settings.write(group, recipe(layer(height=10.0), blur(radius=30.0), height=30.0))
    bpy.ops.terrane.modifier_solo(place=0)
    group.size = 16.0
    bpy.ops.terrane.image_new(from_panel=True, width=16, height=16, levels="signed")
    (made,) = bpy.data.images
    pixels = np.empty(16 * 16 * 4, np.float32)
    made.pixels.foreach_get(pixels)
    grid = module("noise_core").Grid(16, 16, wrap=True, size=16.0)
    alone = recipe(layer(height=10.0), height=30.0).evaluate(grid).height / np.float32(30.0)
    np.testing.assert_allclose(pixels.reshape(16, 16, 4)[..., 0], alone, atol=1e-6)


def test_terrain_follows_layers_live(settings, stack, group):
    """In the background nothing is live by itself: `update_now` does what the timer would do."""
    live = module("operators.bridge.tasks.live")
    settings.write(group, recipe(layer(name="One", height=10.0), layer(seed_offset=2), height=30.0))
    thing = terrain()
    entries = thing.terrane.modifiers

    def changes(change):
        before = heights(thing)
        change()
        live.update_now()
        written = stack.acting(settings.read(thing.terrane), settings.notes(thing.terrane))
        np.testing.assert_allclose(heights(thing), expected(written), atol=1e-4)
        return np.abs(heights(thing) - before).max() > 0.01

    knobs = stack.knobs_of(entries[0])
    assert changes(lambda: setattr(knobs, "frequency", 9.0))
    assert changes(lambda: setattr(knobs.fractal_options, "octaves", 1.0))
    assert changes(lambda: setattr(entries[0].modifier_noise_layer, "mode", "max"))
    assert changes(lambda: setattr(entries[0].where, "source", "height"))
    assert changes(lambda: setattr(entries[0].where, "low", 5.0))
    assert changes(lambda: setattr(entries[1], "solo", True))
    assert changes(lambda: setattr(entries[1], "solo", False))
    assert changes(lambda: setattr(thing.terrane, "noise_solo", True))
    assert changes(lambda: setattr(thing.terrane, "noise_solo", False))
    assert changes(lambda: setattr(thing.terrane, "noise_muted", True))
    assert changes(lambda: setattr(thing.terrane, "noise_muted", False))
    assert changes(lambda: setattr(entries[1], "muted", True))
    assert not changes(lambda: setattr(entries[0], "name", "Two"))


OPERATORS = {
    "layer_add": {"noise": "simplex"},
    "modifier_add": {"type": "terraces"},
    "modifier_duplicate": {},
    "modifier_remove": {},
    "modifier_move": {"direction": "DOWN"},
    "modifier_mute": {},
    "modifier_solo": {},
    "modifier_rename": {"name": "Renamed"},
    "modifier_mask": {"mask": "valley"},
    "modifier_where": {"source": "height"},
    "recipe_paste": {"text": '{"format": 1, "noise": {"type": "value"}}'},
}


def state_of(settings, stack):
    group = bpy.context.scene.terrane
    return settings.read(group), settings.notes(group), group.preset


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_is_one_undo_step(settings, stack, group, name):
    settings.write(group, recipe(layer(name="One"), blur(radius=3.0)))
    group.active_modifier = 0
    bpy.ops.ed.undo_push(message="before")
    before = state_of(settings, stack)
    operator = getattr(bpy.ops.terrane, name)
    assert operator("EXEC_DEFAULT", True, **OPERATORS[name]) == {"FINISHED"}
    after = state_of(settings, stack)
    assert after != before
    bpy.ops.ed.undo()
    assert state_of(settings, stack) == before
    bpy.ops.ed.redo()
    assert state_of(settings, stack) == after


def test_all_operators_say_what_they_do_and_have_icons(terrane):
    icons = module("operators.bridge.icons")
    known = bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items
    for icon in (*icons.NOISES.values(), icons.NOISE, *icons.SOURCES.values(), icons.SOURCE):
        assert icon in known, icon
    for name in (*OPERATORS, "recipe_copy", "recipe_load", "recipe_save", "modifier_select"):
        shown = getattr(bpy.ops.terrane, name).get_rna_type()
        assert shown.name and len(shown.description) > 10
        for one in shown.properties:
            assert one.identifier == "rna_type" or one.is_hidden or one.description, one.identifier


def test_files_from_before_layers_open(settings, group):
    text = '{"format": 1, "noise": {"type": "value"}, "modifiers": [{"type": "blur"}], "height": 3}'
    group.modifiers.clear()
    group.tree = text
    group.noise, group.frequency = "value", 8.0
    assert settings.read(group).modifiers == (blur(),)
    bpy.ops.terrane.layer_add(noise="perlin")
    assert [entry.type for entry in group.modifiers] == ["noise_layer", "blur"]
    entry = group.modifiers[1]
    entry.text, entry.name = text.replace('"value"', '"constant"'), "Blur"
    assert settings.read(group).modifiers[1] == blur()


def test_an_unknown_noise_in_a_layer_is_kept_and_reported(settings, group):
    settings.write(group, recipe(layer(), blur()))
    entry = group.modifiers[0]
    text = entry.text.replace('"perlin"', '"of_the_future"')
    assert text != entry.text
    entry.text = text
    with pytest.raises(RuntimeError, match=r"type must be one of .*; got 'of_the_future'"):
        terrain()
    group.active_modifier = 1
    assert bpy.ops.terrane.modifier_move(direction="UP") == {"FINISHED"}
    assert group.modifiers[1].text == text
