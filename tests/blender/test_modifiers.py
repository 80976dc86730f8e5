# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers among the layers: settings and recipes without loss, operators, and masks.

All registered types are tested; none is named, so that a new type needs no line here.
"""

from __future__ import annotations

import json
import math
from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights, new_image, pixels


@pytest.fixture
def masks(terrane):
    return module("operators.bridge.schema.masks")


def types():
    return module("noise_core").modifier_types()


def perlin(**values):
    return module("noise_core.noises.perlin").Perlin(**values)


def recipe(*modifiers, **values):
    # Not a whole number of cells: Perlin noise is 0 at their corners.
    return module("noise_core").Recipe(layers=(perlin(frequency=3.7), *modifiers), **values)


def above(group):
    """Return the entries above the first layer."""
    return list(group.layers)[1:]


def some(cls):
    """Return a modifier with values that no 32-bit float can hold."""
    values = {}
    for one in cls.parameters():
        if one.kind in ("number", "number_or_noise"):
            high = one.soft_maximum if math.isfinite(one.soft_maximum) else one.default + 1.0
            values[one.name] = one.default + (high - one.default) / 3.0
        elif one.kind == "boolean":
            values[one.name] = not one.default
        elif one.kind == "choice":
            values[one.name] = list(one.options)[-1]
    return cls(**values)


def names(group):
    return [entry.name for entry in above(group)]


def add(*keys):
    for key in keys:
        assert bpy.ops.terrane.layer_add(type=key) == {"FINISHED"}


def two():
    """Return the keys of two types."""
    keys = list(types())
    return keys[0], keys[-1]


# --- settings and recipes -----------------------------------------------------------------------


def test_there_are_modifiers(terrane):
    assert types()


def test_every_type_comes_back(settings, group):
    for key, cls in types().items():
        for modifier in (cls(), some(cls), cls(muted=True, opacity=1.0 / 3.0)):
            written = recipe(modifier, height=7.0)
            settings.write(group, written)
            assert group.layers[1].type == key
            assert group.layers[1].name == cls.label
            assert settings.read(group) == written


def test_a_stack_keeps_its_order(settings, group):
    modifiers = [cls(opacity=0.05 * (1 + place)) for place, cls in enumerate(types().values())]
    written = recipe(*modifiers, *reversed(modifiers))
    settings.write(group, written)
    assert settings.read(group) == written
    settings.write(group, recipe())
    assert settings.read(group) == recipe() and not above(group)


def test_properties_have_the_declared_defaults_limits_and_help(layers, group):
    for key, cls in types().items():
        add(key)
        own = getattr(group.layers[group.active_layer], key)
        for one in layers.own_parameters(cls):
            if one.kind not in ("number", "number_or_noise", "integer", "boolean", "choice"):
                continue
            shown = own.bl_rna.properties[one.name]
            assert shown.description == one.help.rstrip(".")
            if one.kind in ("number", "integer"):
                unit = math.radians(1.0) if one.unit == "angle" else 1.0
                assert (shown.subtype == "ANGLE") == (one.unit == "angle")
                assert shown.default == pytest.approx(one.default * unit)
                assert shown.hard_min == pytest.approx(max(one.minimum * unit, -3.5e38))
                assert shown.hard_max == pytest.approx(min(one.maximum * unit, 3.5e38))


def test_a_property_that_is_changed_counts(settings, layers, group):
    for key, cls in types().items():
        settings.write(group, recipe(cls()))
        entry = group.layers[1]
        entry.opacity, entry.muted = 0.1, True
        expected = {"opacity": 0.1, "muted": True}
        for one in layers.own_parameters(cls):
            if one.kind == "integer":
                expected[one.name] = min(one.default + 1, int(one.maximum))
            elif one.kind == "boolean":
                expected[one.name] = not one.default
        for name, value in expected.items():
            holder = entry if name in ("opacity", "muted") else getattr(entry, key)
            setattr(holder, name, value)
        assert settings.read(group).modifiers == (cls(**expected),)


def test_the_stack_survives_saving(settings, group, tmp_path):
    written = recipe(*(some(cls) for cls in types().values()))
    settings.write(group, written)
    group.layers[1].painted_mask = "anywhere"
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert settings.read(bpy.context.scene.terrane) == written
    assert bpy.context.scene.terrane.layers[1].painted_mask == "anywhere"


def test_an_unknown_type_is_kept_and_reported(settings, group, tmp_path):
    add(*two())
    text = json.dumps({"strength": 3})
    entry = group.layers[1]
    entry.type, entry.text, entry.name = "of_the_future", text, "Tomorrow"
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    group = bpy.context.scene.terrane
    with pytest.raises(
        RuntimeError, match="'Tomorrow': update Terrane .* the type 'of_the_future' is unknown"
    ):
        bpy.ops.terrane.terrain_add(from_panel=True, resolution=4)
    assert not bpy.data.meshes
    # Everything else goes on around it.
    group.active_layer = 1
    assert bpy.ops.terrane.layer_move(direction="UP") == {"FINISHED"}
    assert (group.layers[2].type, group.layers[2].text) == ("of_the_future", text)
    assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
    bpy.ops.terrane.terrain_add(from_panel=True, resolution=4)


def test_a_damaged_text_is_reported(group):
    add(two()[0])
    group.layers[1].text = "[" * 3_000_000
    with pytest.raises(RuntimeError, match="nested|JSON"):
        bpy.ops.terrane.terrain_add(from_panel=True, resolution=4)


# --- operators ----------------------------------------------------------------------------------


def test_add_puts_a_modifier_behind_the_active_one(group):
    first, second = two()
    add(first, first)
    group.active_layer = 1
    add(second)
    assert [entry.type for entry in above(group)] == [first, second, first]
    assert group.active_layer == 2


def test_move_and_its_ends(settings, group):
    cls = types()[two()[0]]
    settings.write(group, recipe(*(cls(opacity=share) for share in (0.1, 0.2, 0.3))))
    group.active_layer = 3
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    assert group.active_layer == 1
    assert [one.opacity for one in settings.read(group).modifiers] == [0.3, 0.1, 0.2]
    assert bpy.ops.terrane.layer_move(direction="UP") == {"FINISHED"}
    assert [one.opacity for one in settings.read(group).modifiers] == [0.1, 0.3, 0.2]


def test_duplicate_copies_everything(settings, group):
    for cls in types().values():
        settings.write(group, recipe(some(cls)))
        group.active_layer = 1
        group.layers[1].painted_mask, group.layers[1].name = "valley", "Mine"
        assert bpy.ops.terrane.layer_duplicate() == {"FINISHED"}
        named = [some(cls).with_values(name=name) for name in ("Mine", "Mine.001")]
        assert settings.read(group).modifiers == tuple(named)
        assert [entry.painted_mask for entry in above(group)] == ["valley", "valley"]
        assert group.active_layer == 2


def test_remove_until_nothing_is_left(settings, group):
    add(*two(), *two())
    group.active_layer = 100  # as a script may leave it
    for left in (4, 3, 2, 1, 0):
        assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
        assert len(group.layers) == left
        assert 0 <= group.active_layer <= max(left - 1, 0)
    for name in ("remove", "duplicate", "move", "mask", "painted_mask", "rename", "group"):
        operator = getattr(bpy.ops.terrane, f"layer_{name}")
        with pytest.raises(RuntimeError, match="Add a layer first"):
            operator()
    assert settings.read(group).layers == ()
    bpy.ops.terrane.terrain_add(from_panel=True, resolution=4)
    assert not heights(bpy.context.object).any()


def test_each_operator_is_an_undo_step(group):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.terrane.layer_add("EXEC_DEFAULT", True, type=two()[0])
    bpy.ops.terrane.layer_painted_mask("EXEC_DEFAULT", True, mask="valley")
    assert bpy.context.scene.terrane.layers[1].painted_mask == "valley"
    bpy.ops.ed.undo()
    assert bpy.context.scene.terrane.layers[1].painted_mask == ""
    bpy.ops.ed.undo()
    assert not above(bpy.context.scene.terrane)


def test_the_active_terrain_has_a_stack_of_its_own(group):
    terrain = add_terrain(resolution=8)
    add(two()[0])
    assert len(above(terrain.terrane)) == 1 and not above(group)
    bpy.context.view_layer.objects.active = None
    add(*two())
    assert len(above(terrain.terrane)) == 1 and len(above(group)) == 2


def test_enum_numbers_come_from_the_keys_and_icons_exist(terrane):
    number = module("operators.bridge.schema.enum_items").enum_number
    icons = module("operators.bridge.interface.icons")
    known = bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items
    items = bpy.ops.terrane.layer_add.get_rna_type().properties["type"].enum_items
    assert set(types()) < {item.identifier for item in items}
    for item in items:
        assert item.value == number(item.identifier) and item.description
        if item.identifier in types():
            assert item.name == types()[item.identifier].label
    for icon in (*icons.MODIFIERS.values(), *icons.MASKS.values(), icons.modifier_icon("")):
        assert icon in known, icon


# --- recipes of operators -----------------------------------------------------------------------


def test_knobs_change_the_noise_alone(settings, group):
    cls = types()[two()[1]]
    written = recipe(some(cls), some(cls))
    settings.write(group, written)
    group.layers[2].name = "Second"
    modifiers = (some(cls), some(cls).with_values(name="Second"))
    bpy.ops.terrane.terrain_add(from_panel=True, resolution=4, frequency=3.0, octaves=2.0)
    made = bpy.context.object.terrane
    assert settings.read(made).modifiers == modifiers
    assert settings.read(made).noise != written.noise
    assert names(made) == [cls.label, "Second"]
    bpy.ops.terrane.terrain_update(seed=9)
    assert settings.read(made).modifiers == modifiers
    assert names(made) == [cls.label, "Second"]


def test_a_recipe_as_text_brings_its_modifiers(settings, group):
    written = recipe(some(types()[two()[0]]), seed=3, height=5.0)
    bpy.ops.terrane.terrain_add(recipe=written.to_json(), resolution=4)
    assert settings.read(bpy.context.object.terrane) == written


def test_a_preset_replaces_the_stack_and_its_masks(settings, group):
    library = module("noise_core.landscapes.preset_library")
    for name in library.preset_names():
        add(*two(), *two())
        for entry in above(group):
            entry.painted_mask = "left over"
        bpy.ops.terrane.preset_load(preset=name)
        assert settings.read(group) == library.load_preset(name).bound()
        assert not any(entry.painted_mask for entry in above(group))


# --- masks --------------------------------------------------------------------------------------


add_land = partial(add_terrain, resolution=9, size=8.0)


def ramp(rows, columns):
    return np.broadcast_to(np.linspace(0.0, 1.0, columns, dtype=np.float32), (rows, columns))


def give_group(thing, name="east"):
    group = thing.vertex_groups.new(name=name)
    values = ramp(thing.terrane.built_rows, thing.terrane.built_columns).ravel()
    for vertex, weight in enumerate(values):
        group.add([vertex], float(weight), "REPLACE")


def give_attribute(thing, values, name="east"):
    thing.data.attributes.new(name, "FLOAT", "POINT").data.foreach_set(
        "value", np.ascontiguousarray(values, np.float32).ravel()
    )


def grid(rows, columns, **keywords):
    return module("noise_core").Grid(rows, columns, **keywords)


@pytest.mark.parametrize("shape", [(9, 9), (17, 17), (5, 5), (12, 7), (1, 1)])
def test_a_mask_becomes_a_field_of_any_resolution(masks, group, shape):
    thing = add_land()
    give_group(thing)
    give_attribute(thing, ramp(9, 9)[:, ::-1], "west")
    image = bpy.data.images.new("picture", 5, 3, float_buffer=True, is_data=True)
    pixels = np.ones((3, 5, 4), np.float32)
    pixels[..., 0] = ramp(3, 5)
    image.pixels.foreach_set(pixels.ravel())
    for name in ("east", "west", "picture"):
        add(two()[0])
        thing.terrane.layers[thing.terrane.active_layer].painted_mask = name
    add(two()[1])
    made = masks.fields(thing, thing.terrane, grid(*shape))
    assert sorted(made) == [1, 2, 3]
    for place, expected in ((1, ramp(*shape)), (2, 1.0 - ramp(*shape)), (3, ramp(*shape))):
        assert made[place].shape == shape and made[place].dtype == np.float32
        np.testing.assert_allclose(made[place], expected, atol=1e-5)
    # From the mesh alone, and in Edit Mode, they are the same.
    np.testing.assert_array_equal(masks.fields(thing.data, thing.terrane, grid(*shape))[1], made[1])
    bpy.ops.object.mode_set(mode="EDIT")
    np.testing.assert_array_equal(masks.fields(thing, thing.terrane, grid(*shape))[2], made[2])
    assert thing.mode == "EDIT"


def test_a_mask_of_a_texture_meets_itself(masks, group):
    image = bpy.data.images.new("wave", 8, 4, float_buffer=True, is_data=True)
    wave = np.float32(0.5) + np.float32(0.5) * np.cos(np.arange(8) * np.pi / 4).astype(np.float32)
    pixels = np.ones((4, 8, 4), np.float32)
    pixels[..., 0] = wave
    image.pixels.foreach_set(pixels.ravel())
    add(two()[0])
    group.layers[1].painted_mask = "wave"
    same = masks.fields(None, group, grid(4, 8, wrap=True))[1]
    np.testing.assert_allclose(same, np.tile(wave, (4, 1)), atol=1e-6)
    fine = masks.fields(None, group, grid(8, 16, wrap=True))[1]
    np.testing.assert_allclose(fine[::2, ::2], same, atol=1e-6)
    np.testing.assert_allclose(fine[:, 15], (wave[7] + wave[0]) / 2, atol=1e-6)


def test_a_mask_stays_within_0_and_1(masks, group):
    thing = add_land()
    give_attribute(thing, np.linspace(-3.0, 3.0, 81))
    add(two()[0])
    thing.terrane.layers[1].painted_mask = "east"
    made = masks.fields(thing, thing.terrane, grid(9, 9))[1]
    assert made.min() == 0.0 and made.max() == 1.0


def test_a_missing_mask_is_an_error_unless_muted(masks, group):
    thing = add_land()
    add(two()[0])
    entry = thing.terrane.layers[1]
    entry.painted_mask, entry.name = "nowhere", "Mine"
    with pytest.raises(Exception, match="Mine: the mask must name a vertex group.*got 'nowhere'"):
        masks.fields(thing, thing.terrane, grid(9, 9))
    entry.muted = True
    assert masks.fields(thing, thing.terrane, grid(9, 9)) == {}


def test_a_mask_needs_the_grid_it_was_painted_on(masks, group):
    thing = add_land()
    give_attribute(thing, ramp(9, 9))
    add(two()[0])
    thing.terrane.layers[1].painted_mask = "east"
    thing.terrane.built_rows = 7
    with pytest.raises(Exception, match="is no longer the grid"):
        masks.fields(thing, thing.terrane, grid(9, 9))


def test_masks_of_a_request_are_those_of_its_recipe(masks, settings, group, layers):
    thing = add_land()
    give_attribute(thing, ramp(9, 9))
    request = module("operators.bridge.terrain.terrains").Request(
        recipe(*(cls() for cls in types().values())),
        None,
        "none",
        (layers.LayerState(), layers.LayerState(mask="east")),
    )
    assert sorted(masks.fields(thing, request, grid(3, 3))) == [1]
    assert sorted(masks.named_fields(request, masks.fields(thing, request, grid(3, 3)))) == ["east"]


def test_what_can_be_a_mask_is_listed(masks, group):
    thing = add_land()
    give_group(thing, "b")
    give_attribute(thing, ramp(9, 9), "a")
    thing.data.attributes.new("color", "FLOAT_COLOR", "POINT")
    bpy.data.images.new("picture", 2, 2)
    listed = list(masks.names(thing))
    assert listed[0] == ("b", "GROUP") and listed[-1] == ("picture", "IMAGE")
    assert ("a", "ATTRIBUTE") in listed and "color" not in dict(listed)
    assert list(masks.names(None)) == [("picture", "IMAGE")]
    assert "a" in dict(masks.names(thing)) and "a" not in dict(masks.names(None))


# --- what is made with them ---------------------------------------------------------------------


def changing():
    """Return a modifier that changes all of any rough terrain: the first of which that is true."""
    core = module("noise_core")
    ground = recipe(height=10.0, seed=5).evaluate(grid(9, 9, size=8.0)).height
    for cls in types().values():
        made = cls().apply(ground, grid(9, 9, size=8.0))
        change = np.abs(made.height - ground)
        if change.max() > 0.1 and np.median(change) > 0.01:
            return cls()
    raise AssertionError(f"none of {list(core.modifier_types())} changes a terrain")


def test_a_terrain_is_what_the_core_makes_with_masks(settings, masks, group):
    modifier = changing()
    settings.write(group, recipe(modifier, height=10.0, seed=5))
    thing = add_land(from_panel=True)
    give_group(thing)
    before = heights(thing)
    thing.terrane.layers[1].painted_mask = "east"
    for resolution in (9, 21, 9):
        bpy.ops.terrane.terrain_update(resolution=resolution)
        side = grid(resolution, resolution, size=8.0)
        expected = settings.read(thing.terrane).evaluate(
            side, masks={1: ramp(resolution, resolution)}
        )
        # Weights are stored in steps of a thousandth.
        np.testing.assert_allclose(heights(thing), expected.height.ravel(), atol=0.05)
        assert thing.terrane.layers[1].painted_mask == "east"
    plain = recipe(height=10.0, seed=5).evaluate(grid(9, 9, size=8.0)).height
    np.testing.assert_allclose(heights(thing).reshape(9, 9)[:, 0], plain[:, 0], atol=1e-4)
    assert np.abs(heights(thing) - before).max() > 0.01


def test_a_new_terrain_takes_the_mask_along(settings, group):
    settings.write(group, recipe(changing(), height=10.0, seed=5))
    thing = add_land(from_panel=True)
    give_group(thing)
    thing.terrane.layers[1].painted_mask = "east"
    bpy.ops.terrane.terrain_update()
    copy = add_land(from_panel=True)
    assert copy != thing
    np.testing.assert_array_equal(heights(copy), heights(thing))
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(heights(copy), heights(thing), atol=1e-4)


def test_a_missing_mask_leaves_the_terrain_alone(settings, group):
    settings.write(group, recipe(changing()))
    thing = add_land(from_panel=True)
    before = heights(thing)
    thing.terrane.layers[1].painted_mask, thing.terrane.seed = "nowhere", 77
    with pytest.raises(RuntimeError, match="must name a vertex group, a float attribute or an"):
        bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(heights(thing), before)
    thing.terrane.layers[1].muted = True
    bpy.ops.terrane.terrain_update()
    assert (heights(thing) != before).any()


def image(**keywords):
    bpy.context.view_layer.objects.active = None
    return pixels(new_image(from_panel=True, width=16, height=16, **keywords))[..., 0]


@pytest.mark.slow
def test_an_image_shows_what_modifiers_make_of_the_noise(settings, group):
    for cls in types().values():
        written = recipe(cls(), height=10.0)
        settings.write(group, written)
        group.size = 16.0
        for wrap in (True, False):
            made = written.evaluate(grid(16, 16, wrap=wrap, size=16.0)).height / np.float32(10.0)
            shown = image(levels="signed", seamless=wrap)
            np.testing.assert_allclose(shown, made, atol=1e-6)
            low, high = written.noise.bounds()
            fixed = np.clip((made - low) / (high - low), 0.0, 1.0)
            np.testing.assert_allclose(image(levels="fixed", seamless=wrap), fixed, atol=1e-6)


def test_an_image_can_be_masked_by_an_image(settings, group):
    black = bpy.data.images.new("black", 4, 4, float_buffer=True, is_data=True)
    black.pixels.foreach_set(np.zeros(64, np.float32))
    settings.write(group, recipe(changing(), height=10.0))
    eroded = image(levels="signed")
    group.layers[1].painted_mask = "black"
    masked = image(levels="signed")
    group.layers[1].painted_mask, group.layers[1].muted = "nowhere", True
    np.testing.assert_array_equal(masked, image(levels="signed"))
    assert np.abs(masked - eroded).max() > 1e-3
    group.layers[1].muted = False
    with pytest.raises(RuntimeError, match="mask must name an image; got 'nowhere'"):
        image()


def test_a_mesh_is_displaced_by_the_noise_alone(settings, group):
    settings.write(group, recipe(changing()))
    shapes = []
    for modifiers in ((changing(),), ()):
        settings.write(group, recipe(*modifiers))
        mesh = bpy.data.meshes.new("triangle")
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0.5)], [], [(0, 1, 2)])
        thing = bpy.data.objects.new("triangle", mesh)
        bpy.context.collection.objects.link(thing)
        bpy.context.view_layer.objects.active = thing
        assert bpy.ops.terrane.mesh_displace(from_panel=True) == {"FINISHED"}
        shapes.append(heights(thing))
    np.testing.assert_array_equal(*shapes)


def test_a_recipe_with_curves_keeps_them(group):
    core = module("noise_core")
    road = core.LandCurve(
        points=[core.CurvePoint(at=(0.1, 0.5), z=1.0 / 3.0), core.CurvePoint(at=(0.9, 0.6))]
    )
    path = core.modifier_types()["path"](curves=["Road"], grade=0.07, inside=True)
    named = core.Recipe(layers=(perlin(), path), curves={"Road": road}, size=900.0)
    settings = module("operators.bridge.schema.settings")
    settings.write(group, named)
    held = settings.read(group)
    assert held.layers == named.bound_layers and not held.curves
    group.layers[1].path.grade = 0.25
    changed = settings.read(group).layers[1]
    assert changed.curves == (road,) and changed.grade == 0.25
