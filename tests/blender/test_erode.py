# SPDX-License-Identifier: GPL-3.0-or-later
"""Any mesh that is a grid erodes as a height field does, keeps the user's data, and reverts exactly."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, attribute_values, positions


def key_heights(key):
    return np.array([point.co.z for point in key.points], np.float32)


def hills(points, size=100.0):
    """Return heights that are steep enough to slide."""
    x, y = points[:, 0] / size, points[:, 1] / size
    heights = np.sin(x * 17) * np.cos(y * 13) + np.sin(x * 41 + y * 29) * 0.3
    return (heights * size * 0.15).astype(np.float32)


def grid(columns=33, rows=25, spacing=4.0):
    """Add Blender's own grid with hills; cells are squares."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=columns - 1, y_subdivisions=rows - 1, size=1)
    thing = bpy.context.active_object
    points = positions(thing.data)
    points[:, 0] *= (columns - 1) * spacing
    points[:, 1] *= (rows - 1) * spacing
    points[:, 2] = hills(points)
    set_positions(thing.data, points)
    return thing


def set_positions(mesh, points):
    mesh.attributes["position"].data.foreach_set("vector", np.ascontiguousarray(points).ravel())
    mesh.update()


def erode(**keywords):
    keywords = {"modifier": "thermal_erosion", **keywords}
    assert bpy.ops.terrane.terrain_erode(**keywords) == {"FINISHED"}


def expected(height, rows, columns, size, seed=0, mask=None, **parameters):
    core = module("noise_core")
    cls = module("noise_core.modifiers").ThermalErosion
    field = core.Grid(rows, columns, size=size)
    return cls(**parameters).apply(height.reshape(rows, columns), field, seed, mask)


# --- the same as the core -----------------------------------------------------------------------


def test_it_is_what_the_modifier_does_to_the_heights(terrane):
    thing = grid()
    before = positions(thing.data)
    erode(seed=3)
    after = positions(thing.data)
    relief = expected(before[:, 2], 25, 33, 128.0, seed=3)
    np.testing.assert_array_equal(after[:, 2], relief.height.ravel())
    np.testing.assert_array_equal(after[:, :2], before[:, :2])
    assert np.abs(after[:, 2] - before[:, 2]).max() > 1.0
    np.testing.assert_array_equal(
        attribute_values(thing.data, "scree"), relief.maps["scree"].ravel()
    )
    np.testing.assert_array_equal(
        attribute_values(thing.data, "terrane_height_before"), before[:, 2]
    )
    np.testing.assert_allclose(thing.dimensions.z, np.ptp(after[:, 2]), rtol=1e-5)
    assert not thing.data.validate(verbose=True)


@pytest.mark.slow
def test_every_modifier_runs_on_a_mesh(terrane):
    for key in module("noise_core").modifier_types():
        thing = grid()
        erode(modifier=key)
        assert np.isfinite(positions(thing.data)).all()
        bpy.ops.terrane.terrain_revert()
        assert [one.name for one in thing.data.attributes if one.name.startswith("terrane")] == []


def test_any_order_of_vertices(terrane):
    thing = grid()
    before = positions(thing.data)
    order = np.random.default_rng(1).permutation(len(before))
    back = np.argsort(order)
    faces = [[int(back[one]) for one in face.vertices] for face in thing.data.polygons]
    erode()
    mesh = bpy.data.meshes.new("shuffled")
    mesh.from_pydata(before[order].tolist(), [], faces[::-1], shade_flat=False)
    other = bpy.data.objects.new("shuffled", mesh)
    bpy.context.collection.objects.link(other)
    bpy.context.view_layer.objects.active = other
    erode()
    np.testing.assert_array_equal(positions(mesh), positions(thing.data)[order])


def test_parameters_by_name_or_as_json(terrane):
    results = []
    for keywords in (
        {"talus_angle": 12.5},
        {"parameters": json.dumps({"talus_angle": 12.5})},
        {"talus_angle": 70.0, "parameters": '{"talus_angle": 12.5}'},
    ):
        thing = grid()
        before = positions(thing.data)[:, 2]
        erode(**keywords)
        results.append(positions(thing.data)[:, 2])
    relief = expected(before, 25, 33, 128.0, talus_angle=12.5)
    for result in results:
        np.testing.assert_array_equal(result, relief.height.ravel())


def test_a_noise_as_a_mask(terrane):
    perlin = {"type": "perlin", "frequency": 2.0}
    thing = grid()
    before = positions(thing.data)[:, 2]
    erode(parameters=json.dumps({"mask": {"type": "noise", "chain": [perlin]}}))
    mask = module("noise_core.masks").NoiseMask(
        noise=module("noise_core.noises").Perlin(frequency=2.0)
    )
    modifier = module("noise_core.modifiers").ThermalErosion(mask=mask)
    field = module("noise_core").Grid(25, 33, size=128.0)
    relief = modifier.apply(before.reshape(25, 33), field, 0)
    np.testing.assert_array_equal(positions(thing.data)[:, 2], relief.height.ravel())


def test_the_panel_gives_what_is_left_out(terrane):
    settings = bpy.context.scene.terrane_erosion
    settings.modifier, settings.seed, settings.start = "thermal_erosion", 5, "original"
    settings.thermal_erosion.talus_angle = 20.0
    settings.maps.scree, settings.maps.slope = False, True
    thing = grid()
    before = positions(thing.data)[:, 2]
    assert bpy.ops.terrane.terrain_erode(from_panel=True) == {"FINISHED"}
    relief = expected(before, 25, 33, 128.0, seed=5, talus_angle=20.0)
    np.testing.assert_array_equal(positions(thing.data)[:, 2], relief.height.ravel())
    assert "slope" in thing.data.attributes and "scree" not in thing.data.attributes


def test_meters_in_the_objects_scale(terrane):
    small, large = grid(spacing=0.4), grid(spacing=4.0)
    points = positions(small.data)
    points[:, 2] = positions(large.data)[:, 2] / 10.0
    set_positions(small.data, points)
    erode()
    bpy.context.view_layer.objects.active = small
    small.scale = (10.0, 10.0, 10.0)
    small.rotation_euler, small.location = (0.4, 0.5, 0.6), (7.0, 8.0, 9.0)
    erode()
    np.testing.assert_allclose(
        positions(small.data)[:, 2] * 10.0, positions(large.data)[:, 2], atol=1e-3
    )


def test_a_flat_scale_makes_gentle_slopes(terrane):
    thing = grid()
    before = positions(thing.data)
    thing.scale = (1.0, 1.0, 0.05)
    erode()
    np.testing.assert_array_equal(positions(thing.data), before)


def test_long_cells_erode_as_squares_do(terrane):
    """Half of the rows are left out: the outcome is nearly the same at those that stay."""
    whole = grid(33, 65)
    points = positions(whole.data).reshape(65, 33, 3)
    erode(talus_angle=25.0)
    after = positions(whole.data).reshape(65, 33, 3)
    half = grid(33, 33)
    set_positions(half.data, points[::2].reshape(-1, 3))
    erode(talus_angle=25.0)
    result = positions(half.data).reshape(33, 33, 3)
    change, wanted = (result - points[::2])[..., 2], (after - points)[::2, :, 2]
    assert np.abs(wanted).max() > 1.0
    assert np.corrcoef(change.ravel(), wanted.ravel())[0, 1] > 0.97
    assert np.abs(change - wanted).mean() < 0.15 * np.abs(wanted).mean()


# --- masks --------------------------------------------------------------------------------------


def half_mask(thing):
    return (positions(thing.data)[:, 0] > 0.0).astype(np.float32)


@pytest.mark.parametrize("kind", ["group", "attribute"])
def test_a_mask_says_where(terrane, kind):
    thing = grid()
    before, mask = positions(thing.data)[:, 2], half_mask(thing)
    if kind == "group":
        thing.vertex_groups.new(name="east").add(np.flatnonzero(mask).tolist(), 1.0, "REPLACE")
    else:
        thing.data.attributes.new("east", "FLOAT", "POINT").data.foreach_set("value", mask)
    erode(mask="east")
    after = positions(thing.data)[:, 2]
    np.testing.assert_array_equal(after[mask == 0], before[mask == 0])
    relief = expected(before, 25, 33, 128.0, mask=mask.reshape(25, 33))
    np.testing.assert_array_equal(after, relief.height.ravel())


def test_an_image_says_where(terrane):
    image = bpy.data.images.new("where", 8, 4, float_buffer=True, is_data=True)
    pixels = np.zeros((4, 8, 4), np.float32)
    pixels[:, :4] = 1.0
    image.pixels.foreach_set(pixels.ravel())
    thing = grid()
    before = positions(thing.data)
    erode(mask="where")
    moved = np.abs(positions(thing.data)[:, 2] - before[:, 2])
    assert moved[before[:, 0] < -20].max() > 1.0 and moved[before[:, 0] > 20].max() == 0.0


# --- what is the user's -------------------------------------------------------------------------


def test_what_is_the_users_stays(terrane):
    thing = grid()
    mesh = thing.data
    for name in ("rock", "snow"):
        mesh.materials.append(bpy.data.materials.new(name))
    for face in mesh.polygons:
        face.material_index = face.index % 2
    mesh.uv_layers.new(name="Mine")
    mesh.attributes.new("flow", "INT", "FACE")
    mesh.attributes.new("own", "FLOAT", "POINT").data[7].value = 0.5
    thing.vertex_groups.new(name="few").add([1, 2], 0.75, "REPLACE")
    thing.modifiers.new("smooth", "SMOOTH").vertex_group = "few"
    thing["answer"] = 42
    child = bpy.data.objects.new("child", None)
    bpy.context.collection.objects.link(child)
    child.parent = thing
    topology = [tuple(face.vertices) for face in mesh.polygons]
    erode(maps={"scree", "flow"})
    assert thing.data is mesh and [tuple(face.vertices) for face in mesh.polygons] == topology
    assert [slot.material.name for slot in thing.material_slots] == ["rock", "snow"]
    assert [face.material_index for face in mesh.polygons[:4]] == [0, 1, 0, 1]
    assert [layer.name for layer in mesh.uv_layers] == ["UVMap", "Mine"]
    assert (
        mesh.attributes["flow"].data_type == "INT" and mesh.attributes["own"].data[7].value == 0.5
    )
    assert thing.vertex_groups["few"].weight(1) == 0.75
    assert thing.modifiers["smooth"].vertex_group == "few"
    assert thing["answer"] == 42 and child.parent == thing
    bpy.ops.terrane.terrain_revert()
    assert "flow" in mesh.attributes and "own" in mesh.attributes
    assert "scree" not in mesh.attributes


def test_edit_mode_is_left_and_entered_again(terrane):
    thing = grid()
    before = positions(thing.data)
    bpy.ops.object.mode_set(mode="EDIT")
    erode()
    assert thing.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.abs(positions(thing.data) - before).max() > 1.0
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.terrane.terrain_revert() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    np.testing.assert_array_equal(positions(thing.data), before)


def test_a_shared_mesh_changes_for_all_or_becomes_single(terrane):
    thing = grid()
    before = positions(thing.data)
    twin = thing.copy()
    bpy.context.collection.objects.link(twin)
    erode(single_user=True)
    assert twin.data is not thing.data
    np.testing.assert_array_equal(positions(twin.data), before)
    assert "terrane_height_before" not in twin.data.attributes


def test_a_linked_mesh_is_refused(terrane, linked):
    linked(grid())
    with pytest.raises(RuntimeError, match="linked from another file"):
        bpy.ops.terrane.terrain_erode()


def test_wrong_values_are_one_line_and_change_nothing(terrane):
    thing = grid()
    before = positions(thing.data)
    for keywords, message in (
        ({"mask": "nothing"}, "mask must name .*; got 'nothing'"),
        ({"talus_angle": 95}, r"ThermalErosion.talus_angle must be in \[0, 89\]; got 95"),
        (
            {"parameters": '{"talus_angle": 95}'},
            r"ThermalErosion.talus_angle must be in \[0, 89\]; got 95",
        ),
        ({"parameters": '{"talu": 9}'}, "thermal_erosion.parameters must be of .*; got 'talu'"),
        ({"sediment": 0.5}, "thermal_erosion.parameters must be of .*; got 'sediment'"),
        ({"parameters": "{"}, "parameters must be JSON"),
        ({"parameters": "[" * 100_000}, "parameters must be JSON; nested too deeply"),
        ({"parameters": "3"}, "parameters must be a JSON object"),
    ):
        with pytest.raises(RuntimeError, match=message) as error:
            erode(**keywords)
        assert "Traceback" not in str(error.value)
    np.testing.assert_array_equal(positions(thing.data), before)
    assert "terrane_height_before" not in thing.data.attributes
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError, match="Cube is not a grid of quads"):
        erode()
    with pytest.raises(RuntimeError, match="Erode this mesh first"):
        bpy.ops.terrane.terrain_revert()


def test_a_vertex_group_may_have_the_name_of_a_map(terrane):
    thing = grid()
    thing.vertex_groups.new(name="scree").add(range(40), 1.0, "REPLACE")
    names = {one.name for one in thing.data.attributes}
    erode(maps={"scree", "slope"})
    assert {one.name for one in thing.data.attributes} == names | {"slope", "terrane_height_before"}
    assert thing.vertex_groups["scree"].weight(39) == 1.0
    bpy.ops.terrane.terrain_revert()
    assert {one.name for one in thing.data.attributes} == names


# --- reverting ----------------------------------------------------------------------------------


def test_reverting_brings_back_every_bit(terrane):
    thing = grid()
    thing.scale = (1.1, 1.3, 0.7)
    before = positions(thing.data)
    names = {one.name for one in thing.data.attributes}
    for _ in range(3):
        erode(maps={"scree", "slope"})
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(positions(thing.data), before)
    assert {one.name for one in thing.data.attributes} == names and not thing.data.keys()
    np.testing.assert_allclose(thing.dimensions.z, np.ptp(before[:, 2]) * 0.7, rtol=1e-5)


def test_going_on_or_beginning_with_the_original(terrane):
    thing = grid()
    erode(start="original")
    once = positions(thing.data)
    erode(start="original")
    np.testing.assert_array_equal(positions(thing.data), once)
    erode(start="present", talus_angle=20.0)
    assert np.abs(positions(thing.data) - once).max() > 0.1
    erode(start="original")
    np.testing.assert_array_equal(positions(thing.data), once)


def test_another_beginning_removes_the_maps_of_the_last(terrane):
    thing = grid()
    erode(maps={"scree", "slope"})
    erode(maps={"aspect"}, start="present")
    assert {"scree", "slope", "aspect"} <= {one.name for one in thing.data.attributes}
    erode(maps={"slope"}, start="original")
    names = {one.name for one in thing.data.attributes}
    assert "slope" in names and not names & {"scree", "aspect"}


def test_reverting_survives_saving(terrane, tmp_path):
    thing = grid()
    before = positions(thing.data)
    erode()
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), before)


def test_shape_keys_move_along_and_come_back_exactly(terrane):
    thing = grid()
    before = positions(thing.data)
    basis, key = thing.shape_key_add(name="Basis"), thing.shape_key_add(name="Dent")
    rng = np.random.default_rng(2)
    dent = before.copy()
    dent[:, 2] += rng.normal(size=len(dent)).astype(np.float32)
    key.points.foreach_set("co", dent.ravel())
    thing.active_shape_key_index = 0
    erode()
    erode(talus_angle=20.0)
    rise = key_heights(basis) - before[:, 2]
    assert np.abs(rise).max() > 1.0
    np.testing.assert_array_equal(key_heights(basis), positions(thing.data)[:, 2])
    np.testing.assert_allclose(key_heights(key), dent[:, 2] + rise, atol=1e-4)
    key.points[40].co.z += 5.0  # an edit afterwards stays
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(positions(thing.data), before)
    np.testing.assert_array_equal(key_heights(basis), before[:, 2])
    back = key_heights(key)
    assert back[40] == pytest.approx(dent[40, 2] + 5.0, abs=1e-4)
    np.testing.assert_array_equal(np.delete(back, 40), np.delete(dent[:, 2], 40))


def test_the_active_shape_key_erodes_alone(terrane):
    thing = grid()
    before = positions(thing.data)
    thing.shape_key_add(name="Basis")
    key = thing.shape_key_add(name="Key")
    thing.active_shape_key_index = 1
    erode()
    np.testing.assert_array_equal(positions(thing.data), before)
    relief = expected(before[:, 2], 25, 33, 128.0)
    np.testing.assert_array_equal(key_heights(key), relief.height.ravel())
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(key_heights(key), before[:, 2])


@pytest.mark.parametrize("active", [0, 1])
def test_names_of_shape_keys_may_be_as_long_as_blender_lets_them(terrane, active):
    thing = grid()
    thing.shape_key_add(name="Basis")
    keys = [thing.shape_key_add(name="\u00e4" * 30 + end) for end in "ab"]
    before = [key_heights(key) for key in keys]
    thing.active_shape_key_index = active
    erode()
    erode(talus_angle=20.0)
    assert np.abs(key_heights(keys[0]) - before[0]).max() > 1.0
    bpy.ops.terrane.terrain_revert()
    for key, heights in zip(keys, before):
        np.testing.assert_array_equal(key_heights(key), heights)
    assert not [one.name for one in thing.data.attributes if one.name.startswith("terrane")]


def test_undo_and_redo(terrane):
    thing = grid()
    before = positions(thing.data)
    bpy.ops.ed.undo_push(message="before")
    erode()
    after = positions(thing.data)
    bpy.ops.ed.undo_push(message="eroded")
    bpy.ops.ed.undo()
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), before)
    bpy.ops.ed.redo()
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), after)


# --- terrains -----------------------------------------------------------------------------------


def test_an_update_forgets_an_erosion_of_the_finished_terrain(terrane):
    thing = add_terrain(resolution=33)
    before = positions(thing.data)
    erode(maps={"scree", "slope"})
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(positions(thing.data), before)
    names = {one.name for one in thing.data.attributes}
    assert not names & {"scree", "slope", "terrane_height_before"}


@pytest.mark.wide
@pytest.mark.parametrize("start", ["present", "original"])
def test_reverting_a_terrain_brings_its_own_maps_back(terrane, start):
    thing = add_terrain(preset="canyon", resolution=65)
    maps = {
        name: attribute_values(thing.data, name) for name in ("flow", "wear", "deposit", "lake")
    }
    names = {one.name for one in thing.data.attributes}
    for _ in range(2):
        erode(modifier="stream_erosion", start=start, maps={"flow", "wear", "slope"})
    assert np.abs(attribute_values(thing.data, "flow") - maps["flow"]).max() > 0.1
    bpy.ops.terrane.terrain_revert()
    assert {one.name for one in thing.data.attributes} == names
    for name, before in maps.items():
        np.testing.assert_array_equal(attribute_values(thing.data, name), before)
    erode(modifier="stream_erosion", start=start)
    bpy.ops.terrane.terrain_update(resolution=33)
    assert {one.name for one in thing.data.attributes} == names


def test_a_terrains_map_and_a_vertex_group_may_share_a_name(terrane):
    thing = add_terrain(preset="canyon", resolution=65)
    bpy.ops.terrane.maps_bake(maps={"flow"}, as_groups=True)
    before = attribute_values(thing.data, "flow")
    erode(modifier="stream_erosion")
    assert np.abs(attribute_values(thing.data, "flow") - before).max() > 0.1
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(attribute_values(thing.data, "flow"), before)
    bpy.ops.terrane.terrain_update(resolution=33)
    assert attribute_values(thing.data, "flow").max() > 0.1 and "flow" in thing.vertex_groups
