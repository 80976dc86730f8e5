# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers in the list: chains, groups, masks, names, who is solo, and undo."""

from __future__ import annotations

from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights


def layer(**values):
    return module("noise_core.recipes.layers").NoiseLayer(**values)


def group_of(*inside, **values):
    return module("noise_core.recipes.layers").Group(layers=inside, **values)


def blur(**values):
    return module("noise_core.modifiers.blur").Blur(**values)


def noise(name, **values):
    return getattr(module("noise_core.noises"), name)(**values)


def mask(name, **values):
    return getattr(module("noise_core.masks"), name)(**values)


def recipe(*above, base=None, **values):
    base = base or layer(noise=noise("Perlin", frequency=3.7))
    return module("noise_core").Recipe(layers=(base, *above), **{"size": 200.0, **values})


def sources():
    return module("operators.bridge.schema.mask_settings").sources()


add_land = partial(add_terrain, from_panel=True, resolution=17, size=200.0)


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
        noise("Warp", source=fine, displacement=noise("Curve", source=fractal)),
        noise("Fractal", source=noise("Warp", source=fine, levels=2), persistence=0.7),
        noise("Curve", source=fractal, points=((-1.0, 0.1), (1.0 / 3.0, 0.2), (1.0, 1.0 / 7.0))),
        noise("Transform", source=fine, rotation=100.0 / 3.0, offset=(0.1, 1.0 / 3.0, 0.0)),
    ]


# --- chains -------------------------------------------------------------------------------------


def test_the_noise_of_a_layer_comes_back(settings, group):
    core = module("noise_core.recipes.chains")
    modes = module("noise_core.base.blending").OPTIONS
    layers = [layer(noise=one, mode=mode) for one, mode in zip(trees(), modes)]
    layers += [layer(noise=cls()) for cls in core.basis_types().values()]
    layers += [layer(noise=cls()) for cls in core.filter_types().values()]
    written = recipe(*layers, height=7.0)
    settings.write(group, written)
    assert settings.read(group) == written
    made = add_land()
    assert settings.read(made.terrane).layers == written.layers


def test_groups_come_back(settings, group):
    inner = group_of(layer(name="Deep", height=3.0), name="Inner", mode="max", opacity=1.0 / 3.0)
    outer = group_of(
        layer(noise=trees()[1]),
        inner,
        layer(mode="multiply", mask=mask("NoiseMask", noise=trees()[2])),
        name="Outer",
        chain=module("noise_core.recipes.chains").elements(noise("Curve", source=trees()[0]))[1:],
        mask=mask("MapMask", low=10.0),
        seed_offset=4,
    )
    written = recipe(outer, blur(), group_of(), height=30.0)
    settings.write(group, written)
    assert [entry.depth for entry in group.layers] == [0, 0, 1, 1, 2, 1, 0, 0]
    assert settings.read(group) == written
    made = add_land()
    assert settings.read(made.terrane).layers == written.layers
    np.testing.assert_allclose(heights(made), expected(settings.read(made.terrane)), atol=1e-4)


def test_a_property_that_is_changed_counts_and_no_other(settings, group):
    settings.write(group, recipe(layer(noise=trees()[2]), layer(noise=trees()[1])))
    entry = group.layers[1]
    entry.mode, entry.height, entry.seed_offset = "max", 0.1, 5
    basis, fractal, warp = entry.chain
    basis.perlin.frequency = 9.1
    basis.basis = "value"
    basis.value.fade = "linear"
    fractal.fractal.octaves = 3.3
    fractal.fractal.rotation = np.radians(31.0)
    warp.warp.strength = 0.3
    warp.inner[0].perlin.frequency = 7.7
    first, second = settings.read(group).layers[1:]
    assert (first.mode, first.height, first.seed_offset) == ("max", 0.1, 5)
    assert first.noise.strength == 0.3 and first.noise.scale == (1.0, 1.0 / 7.0, 0.0)
    assert first.noise.displacement.source.frequency == 7.7
    assert first.noise.source.octaves == 3.3 and first.noise.source.gain == 1.0 / 3.0
    assert first.noise.source.rotation == 31.0
    assert first.noise.source.source == noise("Value", frequency=9.1, fade="linear")
    assert second == layer(noise=trees()[1])


def test_points_of_a_curve_can_be_edited(settings, group):
    settings.write(group, recipe(layer(noise=trees()[5])))
    points = group.layers[1].chain[-1].curve.points
    points[1].position = (0.5, 0.25)
    points.add().position = (2.0, 1.5)
    read = settings.read(group).layers[1].noise
    assert read.points == ((-1.0, 0.1), (0.5, 0.25), (1.0, 1.0 / 7.0), (2.0, 1.5))


def test_operators_change_a_chain(settings, group):
    settings.write(group, recipe(layer(noise=trees()[1])))
    group.active_layer = 1
    chain = group.layers[1].chain

    def types():
        return [one.type for one in chain]

    assert bpy.ops.terrane.element_add(type="abs") == {"FINISHED"}
    assert types() == ["perlin", "abs", "fractal"] and group.layers[1].active_element == 1
    assert bpy.ops.terrane.element_move(direction="UP") == {"CANCELLED"}
    assert bpy.ops.terrane.element_move(direction="DOWN") == {"FINISHED"}
    assert types() == ["perlin", "fractal", "abs"]
    assert settings.read(group).layers[1].noise == noise("Absolute", source=trees()[1])
    assert bpy.ops.terrane.element_mute() == {"FINISHED"}
    assert settings.read(group).layers[1].noise == trees()[1]
    made = add_land()
    assert [(one.type, one.muted) for one in made.terrane.layers[1].chain][-1] == ("abs", True)
    bpy.context.view_layer.objects.active = None
    assert bpy.ops.terrane.element_mute(place=2) == {"FINISHED"}
    assert bpy.ops.terrane.element_remove(place=1) == {"FINISHED"}
    assert types() == ["perlin", "abs"]
    with pytest.raises(RuntimeError, match=r"place must be in \[1, 1\]; got 0"):
        bpy.ops.terrane.element_remove(place=0)
    bpy.ops.terrane.layer_add(type="blur")
    with pytest.raises(RuntimeError, match="modifiers have no chain"):
        bpy.ops.terrane.element_add(type="abs")


def test_what_no_property_holds_is_kept_until_it_is_replaced(settings, group):
    inner = noise("Blend", first=trees()[0], second=trees()[1])
    written = recipe(layer(noise=noise("Warp", source=trees()[0], displacement=inner)))
    settings.write(group, written)
    assert settings.read(group) == written
    values = module("operators.bridge.schema.layer_values")
    element, cls = group.layers[1].chain[1], module("noise_core.noises").Warp
    assert set(values.kept_objects(element, cls)) == {"displacement"}
    group.active_layer = 1
    assert bpy.ops.terrane.value_reset(parameter="displacement", element=1) == {"FINISHED"}
    assert settings.read(group).layers[1].noise.displacement == cls().displacement
    assert len(element.inner) == 2, "and can be edited from now on"
    assert bpy.ops.terrane.value_reset(parameter="displacement", element=1) == {"CANCELLED"}


def test_a_terrain_with_layers_is_what_the_core_makes(settings, group):
    written = recipe(
        layer(noise=noise("Simplex", frequency=5.0), mode="max", height=30.0, opacity=0.7),
        blur(radius=4.0),
        layer(noise=noise("Perlin", frequency=9.0), height=3.0, mask=mask("MapMask", low=10.0)),
        height=40.0,
        seed=5,
    )
    settings.write(group, written)
    made = add_land()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)
    made.terrane.layers[3].height = 9.0
    bpy.ops.terrane.terrain_update()
    changed = settings.read(made.terrane)
    assert changed.layers[3].height == 9.0
    np.testing.assert_allclose(heights(made), expected(changed), atol=1e-4)


def test_a_layer_can_be_an_image(settings, group):
    image = bpy.data.images.new("height", 64, 64, float_buffer=True, is_data=True)
    rows = np.linspace(0.0, 1.0, 64, dtype=np.float32)
    pixels = np.ones((64, 64, 4), np.float32)
    pixels[..., :3] = rows[:, np.newaxis, np.newaxis]
    image.pixels.foreach_set(pixels.ravel())
    bpy.ops.terrane.layer_add(type="raster")
    group.layers[1].chain[0].raster.pixels = image
    group.size = 200.0
    written = settings.read(group)
    assert written.layers[1].noise.pixels.shape == (64, 64)
    made = add_land()
    element = made.terrane.layers[1].chain[0]
    assert element.raster.pixels == image
    assert len(element.text) < 3000, "the pixels are in the image, and not in the text too"
    assert settings.read(made.terrane) == written
    bpy.data.images.remove(image)
    settings.write(group, written)
    assert settings.read(group) == written, "without the image, the text has them"


def test_which_image_a_layer_has_is_part_of_what_was_asked_for(group):
    made, terrains = (
        module("operators.bridge.terrain.mesh_record"),
        module("operators.bridge.terrain.terrains"),
    )
    images = [bpy.data.images.new(name, 8, 8, float_buffer=True) for name in ("one", "two")]
    bpy.ops.terrane.layer_add(type="raster")
    group.layers[1].chain[0].raster.pixels = images[0]
    obj = add_land()

    def digest():
        return made.digest(terrains.present_request(obj))

    first = digest()
    images[0].pixels[0] = 0.5
    assert digest() == first
    obj.terrane.layers[1].chain[0].raster.pixels = images[1]
    assert digest() != first
    obj.terrane.layers[1].chain[0].raster.pixels = images[0]
    assert digest() == first
    obj.terrane.layers[1].solo = True
    assert digest() != first


# --- masks of the recipe ------------------------------------------------------------------------


def some_masks():
    """Return a mask of every source, with values that no 32-bit float can hold."""
    results = []
    for place, source in enumerate(sources().values()):
        limits = ("above", "below", "between", "values")[place % 4]
        values = {"limits": limits, "low": 1.0 / 3.0, "high": 2.0 / 3.0, "falloff": 0.1}
        if source.map is not None:
            results.append(source.mask(map=source.map(), **values))
        else:
            results.append(source.mask(**values, inverted=True))
    both = {"first": mask("MapMask", low=1.0 / 3.0), "second": mask("NoiseMask")}
    return [
        *results,
        mask("ProductMask", **both),
        mask("NoiseMask", noise=trees()[2], span="positive"),
    ]


def test_every_mask_comes_back(settings, group):
    assert {"slope", "height", "layer"} <= set(sources()) and "normal" not in sources()
    made = some_masks()
    made += [mask("LayerMask", layer="somebody"), None]
    flow = module("noise_core.maps").HeightBands(count=7)
    made.append(mask("MapMask", map=flow))
    written = recipe(*(blur(mask=one) for one in made), *(layer(mask=one) for one in made))
    settings.write(group, written)
    assert settings.read(group) == written
    settings.write(group, recipe(blur()))
    assert settings.read(group) == recipe(blur())


def test_a_masks_property_that_is_changed_counts(settings, group):
    settings.write(group, recipe(blur(mask=mask("MapMask", low=1.0 / 3.0, falloff=1.0 / 7.0))))
    where = group.layers[1].mask
    assert where.source == "slope"
    where.falloff, where.inverted = 2.5, True
    read = settings.read(group).layers[1].mask
    assert read == mask("MapMask", low=1.0 / 3.0, falloff=2.5, inverted=True)
    where.source = "height_bands"
    where.mask_height_bands.count = 9
    read = settings.read(group).layers[1].mask
    assert read.map == module("noise_core.maps").HeightBands(count=9)
    assert (read.low, read.falloff) == (1.0 / 3.0, 2.5)
    where.source = "everywhere"
    assert settings.read(group).layers[1].mask is None


def test_choosing_a_source_suggests_limits_that_let_something_through(settings, group):
    settings.write(group, recipe(blur(), height=60.0))
    group.active_layer = 1
    ground = expected(recipe(height=60.0)).reshape(17, 17)
    grid = module("noise_core").Grid(17, 17, size=200.0)
    for key, source in sources().items():
        assert bpy.ops.terrane.layer_mask(source=key) == {"FINISHED"}
        where = settings.read(group).layers[1].mask
        assert type(where) is source.mask
        context = module("noise_core.masks.bases.mask").MaskContext(
            settings.read(group).scope.noises
        )
        share = where.share(ground, grid, context)
        assert 0.0 <= share.min() and share.max() <= 1.0, key
    assert bpy.ops.terrane.layer_mask(source="slope") == {"FINISHED"}
    where = settings.read(group).layers[1].mask
    assert (where.limits, where.low, where.falloff) == ("above", 30.0, 9.0)
    assert bpy.ops.terrane.layer_mask(source="everywhere") == {"FINISHED"}
    assert settings.read(group).layers[1].mask is None


def test_another_layer_is_a_mask(settings, group):
    settings.write(group, recipe(height=40.0, seed=2))
    group.active_layer = 0
    bpy.ops.terrane.layer_add(type="simplex")
    bpy.ops.terrane.layer_add(type="value")
    assert [entry.name for entry in list(group.layers)[1:]] == ["Simplex", "Value"]
    bpy.ops.terrane.layer_mask(source="layer", layer="Simplex")
    written = settings.read(group)
    assert written.layers[2].mask.layer == "Simplex"
    made = add_land()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)
    # The other's noise counts at once, though nobody has touched the mask.
    made.terrane.layers[1].chain[0].simplex.frequency = 11.0
    made.terrane.layers[1].muted = True
    bpy.ops.terrane.terrain_update()
    changed = settings.read(made.terrane)
    np.testing.assert_allclose(heights(made), expected(changed), atol=1e-4)
    assert np.abs(expected(changed) - expected(recipe(height=40.0, seed=2))).max() > 0.5


def test_a_layer_that_is_gone_is_reported(settings, group):
    settings.write(group, recipe(blur(mask=mask("LayerMask", layer="gone"))))
    with pytest.raises(RuntimeError, match="must name a layer of the recipe .* got 'gone'"):
        add_land()
    group.layers[1].muted = True
    add_land()


def test_a_layer_without_a_name_gets_one_when_a_mask_names_it(settings, group):
    settings.write(group, recipe(layer(), layer(seed_offset=2), blur()))
    group.active_layer = 3
    bpy.ops.terrane.layer_mask(source="layer", layer=group.layers[1].name)
    written = settings.read(group)
    named = written.layers[3].mask.layer
    assert named and [one.name for one in written.layers].count(named) == 1
    assert named == written.layers[1].name


def test_renaming_a_layer_takes_its_masks_along(settings, group):
    hills, others = layer(name="Hills"), mask("LayerMask", layer="Other")
    written = recipe(hills, blur(mask=mask("LayerMask", layer="Hills")), blur(mask=others))
    settings.write(group, written)
    assert bpy.ops.terrane.layer_rename(place=1, name="Mountains") == {"FINISHED"}
    read = settings.read(group).layers[1:]
    assert [one.name for one in read] == ["Mountains", "", ""]
    assert (read[1].mask.layer, read[2].mask.layer) == ("Mountains", "Other")
    group.layers[1].name = "Peaks"  # as a double click does
    assert settings.read(group).layers[2].mask.layer == "Peaks"
    assert bpy.ops.terrane.layer_rename(name="") == {"FINISHED"}
    assert group.layers[1].name == "Perlin"


# --- the list -----------------------------------------------------------------------------------


def names(group):
    return [entry.name for entry in group.layers]


def test_a_new_layer_suits_the_list(settings, group):
    for _ in range(3):
        assert bpy.ops.terrane.layer_add(type="perlin") == {"FINISHED"}
    made = settings.read(group).layers[1:]
    assert [one.name for one in made] == ["Perlin.001", "Perlin.002", "Perlin.003"]
    offsets = [one.seed_offset for one in made]
    assert len(set(offsets)) == 3 and 0 not in offsets
    assert {(one.mode, one.opacity) for one in made} == {("add", 0.25)}
    assert group.active_layer == 3
    bpy.ops.terrane.layer_add(type="gradient")
    assert settings.read(group).layers[-1].noise == noise("Gradient")


def test_layers_go_to_the_end_or_behind_what_is_selected(group):
    bpy.ops.terrane.layer_add(type="blur")
    bpy.ops.terrane.layer_select(place=0)
    bpy.ops.terrane.layer_add(type="value")
    assert [entry.type for entry in group.layers] == ["noise", "blur", "noise"]
    assert group.active_layer == 2
    bpy.ops.terrane.layer_select(place=1)
    bpy.ops.terrane.layer_add(type="terraces")
    assert [entry.type for entry in group.layers] == ["noise", "blur", "terraces", "noise"]


def tree(group):
    """Return the names of all layers, those in groups with a dot for each."""
    found = module("operators.bridge.schema.layers").depths(group.layers)
    return [f"{'.' * depth}{entry.name}" for depth, entry in zip(found, group.layers)]


def test_layers_move_into_groups_and_out_of_them(settings, group):
    inside = group_of(layer(name="a"), layer(name="b"), name="G")
    settings.write(group, recipe(inside, layer(name="c"), base=layer(name="base")))
    group.active_layer = 4

    def moved(direction):
        assert bpy.ops.terrane.layer_move(direction=direction) == {"FINISHED"}
        assert group.layers[group.active_layer].name == "c"
        return tree(group)

    assert moved("DOWN") == ["base", "G", ".a", ".b", ".c"]
    assert moved("DOWN") == ["base", "G", ".a", ".c", ".b"]
    assert moved("DOWN") == ["base", "G", ".c", ".a", ".b"]
    assert moved("DOWN") == ["base", "c", "G", ".a", ".b"]
    assert moved("DOWN") == ["c", "base", "G", ".a", ".b"]
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"CANCELLED"}
    assert moved("UP") == ["base", "c", "G", ".a", ".b"]
    assert moved("UP") == ["base", "G", ".c", ".a", ".b"]
    assert moved("UP") == ["base", "G", ".a", ".c", ".b"]
    assert moved("UP") == ["base", "G", ".a", ".b", ".c"]
    assert moved("UP") == ["base", "G", ".a", ".b", "c"]
    assert bpy.ops.terrane.layer_move(direction="UP") == {"CANCELLED"}
    # A group moves with what it holds, past another layer and back.
    group.active_layer = 1
    assert bpy.ops.terrane.layer_move(direction="UP") == {"FINISHED"}
    assert tree(group) == ["base", "c", "G", ".a", ".b"] and group.active_layer == 2
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    assert tree(group) == ["base", "G", ".a", ".b", "c"] and group.active_layer == 1


def test_modifiers_and_folded_groups_are_passed(settings, group):
    settings.write(group, recipe(group_of(layer(name="a"), name="G"), blur(), layer(name="c")))
    group.active_layer = 3
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    assert tree(group) == ["Perlin", "Blur", "G", ".a", "c"], "a modifier stands in no group"
    group.active_layer = 4
    group.layers[2].is_folded = True
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    assert tree(group) == ["Perlin", "Blur", "c", "G", ".a"]
    assert isinstance(settings.read(group), module("noise_core").Recipe)


def test_group_and_ungroup_keep_the_ground(settings, group):
    written = recipe(layer(name="a", mode="max", opacity=0.5, noise=trees()[1]), height=30.0)
    settings.write(group, written)
    group.active_layer = 1
    assert bpy.ops.terrane.layer_group() == {"FINISHED"}
    assert tree(group) == ["Perlin", "Group", ".a"] and group.active_layer == 1
    assert (group.layers[1].mode, group.layers[1].opacity) == ("max", 0.5)
    np.testing.assert_allclose(expected(settings.read(group)), expected(written), atol=1e-3)
    bpy.ops.terrane.layer_add(type="value")
    assert tree(group) == ["Perlin", "Group", ".a", ".Value"]
    assert bpy.ops.terrane.layer_duplicate() == {"FINISHED"}
    assert tree(group) == ["Perlin", "Group", ".a", ".Value", ".Value.001"]
    group.active_layer = 1
    assert bpy.ops.terrane.layer_duplicate() == {"FINISHED"}
    assert tree(group)[5:] == ["Group.001", ".a.001", ".Value.002", ".Value.003"]
    assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
    assert tree(group) == ["Perlin", "Group", ".a", ".Value", ".Value.001"]
    group.active_layer = 3
    assert bpy.ops.terrane.layer_ungroup() == {"FINISHED"}
    assert tree(group) == ["Perlin", "a", "Value", "Value.001"]
    group.active_layer = 2
    with pytest.raises(RuntimeError, match="Select a group, or a layer in one"):
        bpy.ops.terrane.layer_ungroup()
    bpy.ops.terrane.layer_add(type="blur")
    with pytest.raises(RuntimeError, match="Modifiers cannot stand in a group"):
        bpy.ops.terrane.layer_group()


def test_a_modifier_is_added_behind_the_group_that_is_selected(settings, group):
    settings.write(group, recipe(group_of(layer(name="a"), layer(name="b"), name="G")))
    group.active_layer = 2
    bpy.ops.terrane.layer_add(type="blur")
    assert tree(group) == ["Perlin", "G", ".a", ".b", "Blur"]
    settings.read(group)


def test_layers_in_folded_groups_are_hidden(settings, group):
    inner = group_of(layer(), name="Inner")
    settings.write(group, recipe(group_of(layer(), inner, name="Outer"), blur()))
    hidden = module("operators.bridge.schema.layer_list").hidden_places
    assert hidden(group) == set()
    group.layers[3].is_folded = True
    assert hidden(group) == {4}
    bpy.ops.terrane.layer_fold(place=1)
    assert hidden(group) == {2, 3, 4}


def test_updating_leaves_the_active_layer(group):
    bpy.ops.terrane.layer_add(type="value")
    made = add_land()
    for place in (0, 1):
        made.terrane.active_layer = place
        bpy.ops.terrane.terrain_update()
        assert made.terrane.active_layer == place


def test_mute(settings, group):
    settings.write(group, recipe(layer(), blur()))
    group.active_layer = 2
    assert bpy.ops.terrane.layer_mute(place=1) == {"FINISHED"}
    assert [one.muted for one in settings.read(group).layers] == [False, True, False]
    assert group.active_layer == 1
    assert bpy.ops.terrane.layer_mute() == {"FINISHED"}
    assert not any(one.muted for one in settings.read(group).layers)
    for name in ("mute", "rename", "select", "solo"):
        with pytest.raises(RuntimeError, match=r"place must be in \[-1, 2\]; got 3"):
            getattr(bpy.ops.terrane, f"layer_{name}")(place=3)


# --- the first layer ----------------------------------------------------------------------------


def test_without_the_first_layer_there_is_a_plain_under_the_others(settings, group, tmp_path):
    written = recipe(layer(height=20.0, noise=noise("Value", frequency=7.0)), height=30.0, seed=4)
    settings.write(group, written)
    assert bpy.ops.terrane.layer_mute(place=0) == {"FINISHED"}
    muted = settings.read(group)
    assert muted.layers[0].muted and muted != written
    made = add_land()
    np.testing.assert_allclose(heights(made), expected(muted), atol=1e-4)
    assert np.abs(heights(made) - expected(written)).max() > 1.0
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    made = bpy.context.object
    assert settings.read(made.terrane) == muted
    made.terrane.layers[1].muted = True
    bpy.ops.terrane.terrain_update()
    assert not heights(made).any()


def test_the_first_layer_alone_leaves_all_others_out(settings, group):
    written = recipe(layer(height=20.0), blur(radius=9.0), height=30.0, seed=4)
    settings.write(group, written)
    group.layers[2].painted_mask = "nowhere"  # nobody asks for the mask of what is left out
    assert bpy.ops.terrane.layer_solo(place=0) == {"FINISHED"}
    assert settings.read(group) == written
    made = add_land()
    np.testing.assert_allclose(heights(made), expected(recipe(height=30.0, seed=4)), atol=1e-4)
    made.terrane.layers[2].painted_mask = ""
    made.terrane.layers[1].solo = True
    bpy.ops.terrane.terrain_update()
    one = recipe(layer(height=20.0), height=30.0, seed=4)
    np.testing.assert_allclose(heights(made), expected(one), atol=1e-4)


def test_solo_of_a_group_and_in_a_group(settings, layers, group):
    inside = group_of(layer(name="a"), group_of(layer(name="b"), name="H"), name="G")
    settings.write(group, recipe(inside, layer(name="c"), blur()))

    def acting():
        flat = module("noise_core.recipes.layers").flatten(settings.acting(group).layers)
        return [one.name or one.key for _, one in flat if not one.muted]

    assert acting() == ["noise", "G", "a", "H", "b", "c", "blur"]
    for place, wanted in ((1, ["G", "a", "H", "b"]), (4, ["G", "H", "b"]), (5, ["c"])):
        bpy.ops.terrane.layer_solo(place=place)
        assert acting() == ["noise", *wanted]
    bpy.ops.terrane.layer_solo(place=5)
    group.layers[1].muted = True
    assert [state.is_muted for state in settings.states(group)] == [
        False,
        *[True] * 4,
        False,
        False,
    ]


def test_solo_leaves_out_all_others_and_the_recipe_as_it_is(settings, group, tmp_path):
    stacked = (
        layer(height=20.0, noise=noise("Simplex", frequency=5.0)),
        layer(height=10.0, noise=noise("Value", frequency=7.0), muted=True),
        blur(radius=9.0),
    )
    written = recipe(*stacked, height=30.0, seed=4)
    settings.write(group, written)
    group.layers[3].painted_mask = "nowhere"  # nobody asks for the mask of what is left out
    assert bpy.ops.terrane.layer_solo(place=1) == {"FINISHED"}
    assert settings.read(group) == written
    made = add_land()
    alone = recipe(stacked[0], height=30.0, seed=4)
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    assert settings.read(made.terrane) == written
    assert [entry.solo for entry in list(made.terrane.layers)[1:]] == [True, False, False]
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    # A second one joins in, but a muted one stays muted; then all act again.
    made.terrane.layers[2].solo = True
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(alone), atol=1e-4)
    made.terrane.layers[3].painted_mask = ""
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    made = bpy.context.object
    assert [entry.solo for entry in list(made.terrane.layers)[1:]] == [True, True, False]
    for _ in range(2):
        bpy.ops.terrane.layer_solo(place=1)
    assert not any(entry.solo for entry in list(made.terrane.layers)[1:])
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(made), expected(written), atol=1e-4)


def test_solo_counts_for_images(settings, group):
    settings.write(group, recipe(layer(height=10.0), blur(radius=30.0), height=30.0))
    bpy.ops.terrane.layer_solo(place=1)
    group.size = 16.0
    bpy.ops.terrane.image_new(from_panel=True, width=16, height=16, levels="signed")
    (made,) = bpy.data.images
    pixels = np.empty(16 * 16 * 4, np.float32)
    made.pixels.foreach_get(pixels)
    grid = module("noise_core").Grid(16, 16, wrap=True, size=16.0)
    alone = recipe(layer(height=10.0), height=30.0).evaluate(grid).height / np.float32(30.0)
    np.testing.assert_allclose(pixels.reshape(16, 16, 4)[..., 0], alone, atol=1e-6)


def test_terrain_follows_layers_live(settings, group):
    """In the background nothing is live by itself: `update_now` stands for the timer."""
    live = module("operators.bridge.tasks.live")
    settings.write(group, recipe(layer(name="One", height=10.0), layer(seed_offset=2), height=30.0))
    obj = add_land()
    _, first, second = obj.terrane.layers

    def changes(change):
        heights_before = heights(obj)
        change()
        live.update_now()
        written = settings.acting(obj.terrane)
        np.testing.assert_allclose(heights(obj), expected(written), atol=1e-4)
        return np.abs(heights(obj) - heights_before).max() > 0.01

    assert changes(lambda: setattr(first.chain[0].perlin, "frequency", 9.0))
    assert changes(lambda: setattr(first.chain[1].fractal, "octaves", 1.0))
    assert changes(lambda: setattr(first.chain[0], "basis", "value"))
    assert changes(lambda: setattr(first, "mode", "max"))
    assert changes(lambda: setattr(first.mask, "source", "height"))
    assert changes(lambda: setattr(first.mask, "low", 5.0))
    assert changes(lambda: setattr(second, "solo", True))
    assert changes(lambda: setattr(second, "solo", False))
    assert changes(lambda: setattr(obj.terrane.layers[0], "muted", True))
    assert changes(lambda: setattr(obj.terrane.layers[0], "muted", False))
    assert changes(lambda: setattr(second.chain[1], "muted", True))
    assert changes(lambda: setattr(second, "muted", True))
    assert not changes(lambda: setattr(first, "name", "Two"))


OPERATORS = {
    "layer_add": {"type": "simplex"},
    "layer_duplicate": {},
    "layer_remove": {},
    "layer_move": {"direction": "UP"},
    "layer_mute": {},
    "layer_solo": {},
    "layer_rename": {"name": "Renamed"},
    "layer_group": {},
    "layer_painted_mask": {"mask": "valley"},
    "layer_mask": {"source": "height"},
    "element_add": {"type": "abs"},
    "element_remove": {"place": 1},
    "element_mute": {"place": 1},
    "recipe_paste": {
        "text": '{"format": 1, "layers": [{"type": "noise", "chain": [{"type": "value"}]}]}'
    },
}


def state_of(settings):
    group = bpy.context.scene.terrane
    return settings.read(group), settings.states(group), group.preset


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_is_one_undo_step(settings, group, name):
    settings.write(group, recipe(layer(name="One"), blur(radius=3.0)))
    group.active_layer = 1
    bpy.ops.ed.undo_push(message="before")
    state_before = state_of(settings)
    operator = getattr(bpy.ops.terrane, name)
    assert operator("EXEC_DEFAULT", True, **OPERATORS[name]) == {"FINISHED"}
    state_after = state_of(settings)
    assert state_after != state_before
    bpy.ops.ed.undo()
    assert state_of(settings) == state_before
    bpy.ops.ed.redo()
    assert state_of(settings) == state_after


def test_all_operators_say_what_they_do_and_have_icons(terrane):
    icons = module("operators.bridge.interface.icons")
    known = bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items
    defaults = (icons.noise_icon("unknown"), icons.mask_icon("unknown"))
    for icon in (*icons.NOISES.values(), *icons.SOURCES.values(), *defaults):
        assert icon in known, icon
    for name in (*OPERATORS, "recipe_copy", "recipe_load", "recipe_save", "layer_select"):
        shown = getattr(bpy.ops.terrane, name).get_rna_type()
        assert shown.name and len(shown.description) > 10
        for prop in shown.properties:
            assert prop.identifier == "rna_type" or prop.is_hidden or prop.description, (
                prop.identifier
            )


def test_an_unknown_noise_in_a_chain_is_kept_and_reported(settings, group):
    settings.write(group, recipe(layer(), blur()))
    element = group.layers[1].chain[1]
    element.type, element.text = "of_the_future", '{"strength": 3}'
    with pytest.raises(RuntimeError, match=r"'of_the_future' is unknown"):
        add_land()
    group.active_layer = 2
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    kept = group.layers[2].chain[1]
    assert (kept.type, kept.text) == ("of_the_future", '{"strength": 3}')
    assert bpy.ops.terrane.element_remove.poll() is False
    group.active_layer = 2
    assert bpy.ops.terrane.element_remove(place=1) == {"FINISHED"}
    add_land()


def test_settings_of_a_new_scene_are_filled(settings):
    bpy.ops.scene.new(type="EMPTY")
    group = bpy.context.scene.terrane
    assert settings.read(group) == settings.default_preset().recipe
    bpy.context.view_layer.update()
    assert [entry.type for entry in group.layers][0] == "noise" and group.is_filled
    assert settings.read(group) == settings.default_preset().recipe


def test_the_list_shows_the_last_layer_on_top_and_groups_above_their_layers(settings, group):
    inside = group_of(layer(name="a"), group_of(layer(name="b"), name="H"), name="G")
    settings.write(group, recipe(inside, layer(name="c"), base=layer(name="base")))
    depths = module("operators.bridge.schema.layers").depths(group.layers)
    order = module("operators.bridge.schema.layer_list").shown_order(depths)
    assert [group.layers[place].name for place in order] == ["c", "G", "H", "b", "a", "base"]
    assert module("operators.bridge.schema.layer_list").shown_order([]) == []


def test_a_modifier_without_ground_below_it_is_told(settings, group):
    has_no_ground = module("operators.bridge.schema.layer_list").has_no_ground
    settings.write(group, recipe(blur(), base=layer(name="base")))
    assert not has_no_ground(group, 0) and not has_no_ground(group, 1)
    group.layers[0].muted = True
    assert has_no_ground(group, 1)
