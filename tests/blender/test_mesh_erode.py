# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that is a grid becomes a terrain: layers lie on its heights, what is the user's stays, and every bit returns."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.drawing import count_of, generator


def positions(mesh):
    values = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", values)
    return values.reshape(-1, 3)


def values(mesh, name):
    data = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes[name].data.foreach_get("value", data)
    return data


def names(mesh):
    return {one.name for one in mesh.attributes}


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
    assert bpy.ops.terrane.mesh_erode(**keywords) == {"FINISHED"}


def release(**keywords):
    assert bpy.ops.terrane.mesh_release(**keywords) == {"FINISHED"}


def adopt(**keywords):
    assert bpy.ops.terrane.terrain_from_mesh(**keywords) == {"FINISHED"}


def settle():
    """Let live update write what the settings say, and return its note."""
    live = module("operators.bridge.tasks.live")
    live.update_now()
    return live.note(bpy.context.active_object)


def see(thing, is_seen, place=1):
    """Press the eye of a layer."""
    thing.terrane.layers[place].muted = not is_seen
    assert settle() == ""


def expected(height, rows, columns, size, mask=None, offset=1, **parameters):
    """Return what the core makes of heights; a layer's image holds them with 24 bits of their range."""
    core = module("noise_core")
    cls = module("noise_core.modifiers").ThermalErosion
    field = core.Grid(rows, columns, size=size)
    modifier = cls(seed_offset=offset, **parameters)
    heights = height.reshape(rows, columns)
    return modifier.apply(heights, field, modifier.seed_in(0), mask)


def assert_near(found, wanted):
    np.testing.assert_allclose(found.ravel(), wanted.ravel(), atol=1e-4)


# --- the same as the core -----------------------------------------------------------------------


def test_it_is_what_the_modifier_does_to_the_heights(terrane):
    thing = grid()
    before = positions(thing.data)
    erode(seed=3)
    after = positions(thing.data)
    relief = expected(before[:, 2], 25, 33, 128.0, offset=3)
    assert_near(after[:, 2], relief.height)
    np.testing.assert_array_equal(after[:, :2], before[:, :2])
    assert np.abs(after[:, 2] - before[:, 2]).max() > 1.0
    assert_near(values(thing.data, "scree"), relief.maps["scree"])
    np.testing.assert_array_equal(values(thing.data, "terrane_own_height"), before[:, 2])
    np.testing.assert_allclose(thing.dimensions.z, np.ptp(after[:, 2]), rtol=1e-5)
    assert not thing.data.validate(verbose=True)
    entries = thing.terrane.layers
    assert [one.name for one in entries] == ["Mesh Heights", "Thermal Erosion"]
    assert entries[0].chain[0].type == "raster" and entries[1].seed_offset == 3
    assert settle() == ""
    np.testing.assert_array_equal(positions(thing.data), after)


@pytest.mark.slow
def test_every_modifier_runs_on_a_mesh(terrane):
    types = module("noise_core").modifier_types()
    for key in types:
        thing = grid()
        before, there = positions(thing.data), names(thing.data)
        erode(modifier=key)
        assert np.isfinite(positions(thing.data)).all()
        release()
        assert positions(thing.data).tobytes() == before.tobytes()
        assert names(thing.data) == there and not thing.data.keys()


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
    np.testing.assert_array_equal(values(mesh, "scree"), values(thing.data, "scree")[order])


def test_parameters_by_name_or_as_json(terrane):
    results = []
    for keywords in (
        {"talus_angle": 12.5},
        {"parameters": json.dumps({"talus_angle": 12.5})},
        {"talus_angle": 70.0, "parameters": '{"talus_angle": 12.5}'},
    ):
        thing = grid()
        before = positions(thing.data)[:, 2]
        erode(opacity=0.5, **keywords)
        results.append(positions(thing.data)[:, 2])
        own = thing.terrane.layers[1]
        assert np.degrees(own.thermal_erosion.talus_angle) == pytest.approx(12.5)
        assert own.opacity == 0.5
    relief = expected(before, 25, 33, 128.0, talus_angle=12.5, opacity=0.5)
    for result in results:
        assert_near(result, relief.height)


def test_a_noise_as_a_mask(terrane):
    perlin = {"type": "perlin", "frequency": 2.0}
    thing = grid()
    before = positions(thing.data)[:, 2]
    erode(parameters=json.dumps({"mask": {"type": "noise", "chain": [perlin]}}))
    mask = module("noise_core.masks").NoiseMask(
        noise=module("noise_core.noises").Perlin(frequency=2.0)
    )
    assert thing.terrane.layers[1].mask.source == "noise"
    assert_near(positions(thing.data)[:, 2], expected_with(before, mask).height)


def expected_with(before, mask):
    recipe_class, core = module("noise_core").Recipe, module("noise_core.modifiers")
    modifier = core.ThermalErosion(mask=mask, seed_offset=1)
    raster = module("noise_core.noises").Raster(pixels=before.reshape(25, 33) / 32.0, edge="clamp")
    layer = module("noise_core.recipes.layers").NoiseLayer(noise=raster, mode="add", height=32.0)
    recipe = recipe_class(layers=(layer, modifier), size=128.0, depth=96.0)
    return recipe.evaluate(recipe.grid((25, 33)))


def test_the_layers_panel_changes_the_erosion(terrane):
    thing = grid()
    before = positions(thing.data)
    adopt()
    np.testing.assert_array_equal(positions(thing.data), before)
    bpy.ops.terrane.layer_add(type="thermal_erosion")
    own = thing.terrane.layers[1]
    own.thermal_erosion.talus_angle = np.radians(20.0)
    assert settle() == ""
    offset = own.seed_offset
    relief = expected(before[:, 2], 25, 33, 128.0, talus_angle=20.0, offset=offset)
    assert_near(positions(thing.data)[:, 2], relief.height)
    bpy.ops.terrane.layer_add(type="perlin")
    assert settle() == ""
    assert np.abs(positions(thing.data)[:, 2] - relief.height.ravel()).max() > 0.5


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
    assert small.terrane.size == pytest.approx(128.0)


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


# --- every bit returns --------------------------------------------------------------------------


def random_grid(chance):
    """Add a grid with its vertices in any order, turned and moved in the mesh and in the world, with any cells."""
    rng = np.random.default_rng(chance.getrandbits(32))
    rows, columns = chance.randrange(6, 24), chance.randrange(6, 24)
    step_x = 10.0 ** chance.uniform(-1.0, 2.0)
    step_y = step_x * chance.choice((1.0, 1.0, chance.uniform(0.4, 2.5)))
    y, x = np.mgrid[0:rows, 0:columns]
    angle = chance.choice((0.0, 0.0, chance.uniform(-3.0, 3.0)))
    cosine, sine = np.cos(angle), np.sin(angle)
    points = np.empty((rows * columns, 3))
    across, along = (x * step_x).ravel(), (y * step_y).ravel()
    points[:, 0] = cosine * across - sine * along + step_x * rng.uniform(-9, 9)
    points[:, 1] = sine * across + cosine * along + step_y * rng.uniform(-9, 9)
    slope = rng.normal(size=(rows, columns)) * 1.5 * step_x
    slope[rng.random(slope.shape) < 0.1] = chance.choice((0.0, -0.0))
    points[:, 2] = slope.ravel() + chance.choice((0.0, 1000.0)) * step_x
    index = np.arange(rows * columns).reshape(rows, columns)
    quads = np.stack((index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]), -1)
    order = rng.permutation(len(points)) if chance.random() < 0.5 else np.arange(len(points))
    faces = [np.roll(one, rng.integers(4)) for one in np.argsort(order)[quads.reshape(-1, 4)]]
    mesh = bpy.data.meshes.new("Drawn")
    mesh.from_pydata(points[order].tolist(), [], [one.tolist() for one in faces], shade_flat=False)
    thing = bpy.data.objects.new("Drawn", mesh)
    bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    if chance.random() < 0.5:
        thing.scale = [chance.choice((1.0, chance.uniform(0.5, 2.0))) for _ in range(3)]
        thing.rotation_euler = [chance.uniform(-3, 3) for _ in range(3)]
        bpy.context.view_layer.update()
    return thing


def test_layers_on_drawn_grids_come_and_go_to_the_bit(terrane):
    chance = generator("layers on drawn grids")
    types = ["thermal_erosion", "stream_erosion", "blur", "terraces", "sediment_erosion"]
    for case in range(count_of(200)):
        thing = random_grid(chance)
        mesh, before = thing.data, positions(thing.data)
        there = names(mesh)
        key = chance.choice(types)
        erode(modifier=key)
        bpy.ops.terrane.layer_add(type="perlin")
        assert settle() == "", case
        after = positions(mesh)
        np.testing.assert_array_equal(after[:, :2], before[:, :2])
        assert not np.array_equal(after, before), (case, key)
        for place in (1, 2):
            thing.terrane.layers[place].muted = True
        assert settle() == ""
        assert positions(mesh).tobytes() == before.tobytes(), case
        for place in (1, 2):
            thing.terrane.layers[place].muted = False
        assert settle() == ""
        np.testing.assert_array_equal(positions(mesh), after)
        while len(thing.terrane.layers) > 1:
            thing.terrane.active_layer = 1
            bpy.ops.terrane.layer_remove()
        assert settle() == ""
        assert positions(mesh).tobytes() == before.tobytes(), case
        if chance.random() < 0.5:
            erode(modifier=key)
        release()
        assert positions(mesh).tobytes() == before.tobytes(), case
        assert names(mesh) == there and not mesh.keys()
        assert not thing.terrane.is_terrain and not len(bpy.data.images)
        bpy.data.meshes.remove(mesh)


@pytest.mark.parametrize("is_applied", [False, True])
def test_an_ordinary_mesh_again(terrane, is_applied):
    thing = grid()
    thing.scale = (1.1, 1.3, 0.7)
    before = positions(thing.data)
    there = names(thing.data)
    for _ in range(3):
        erode(maps={"scree", "slope"})
    after = positions(thing.data)
    assert len(thing.terrane.layers) == 4
    release(apply=is_applied)
    np.testing.assert_array_equal(positions(thing.data), after if is_applied else before)
    kept = {"scree", "slope"} if is_applied else set()
    assert names(thing.data) == there | kept and not thing.data.keys()
    assert not thing.terrane.is_terrain and not len(thing.terrane.layers)
    height = np.ptp(positions(thing.data)[:, 2]) * 0.7
    np.testing.assert_allclose(thing.dimensions.z, height, rtol=1e-5)
    with pytest.raises(RuntimeError, match="Select a mesh that became a terrain first"):
        bpy.ops.terrane.mesh_release()
    erode()
    assert len(thing.terrane.layers) == 2


def test_erosions_add_up_as_layers(terrane):
    thing = grid()
    erode()
    once = positions(thing.data)
    erode(talus_angle=20.0)
    twice = positions(thing.data)
    assert np.abs(twice - once).max() > 0.1
    see(thing, False, place=2)
    np.testing.assert_array_equal(positions(thing.data), once)
    see(thing, True, place=2)
    np.testing.assert_array_equal(positions(thing.data), twice)


def test_maps_go_with_their_layers(terrane):
    thing = grid()
    there = names(thing.data)
    erode()
    assert "scree" in names(thing.data)
    see(thing, False)
    assert "scree" not in names(thing.data)
    see(thing, True)
    assert "scree" in names(thing.data)
    erode(maps={"slope"})
    assert "slope" in names(thing.data) and "scree" not in names(thing.data)
    release()
    assert names(thing.data) == there


def test_it_survives_saving_as_it_is_shown(terrane, tmp_path):
    thing = grid()
    before = positions(thing.data)
    erode()
    after = positions(thing.data)
    see(thing, False)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    thing = bpy.context.active_object
    np.testing.assert_array_equal(positions(thing.data), before)
    see(thing, True)
    np.testing.assert_array_equal(positions(thing.data), after)
    release()
    np.testing.assert_array_equal(positions(thing.data), before)


def test_undo_and_redo(terrane):
    thing = grid()
    before = positions(thing.data)
    bpy.ops.ed.undo_push(message="before")
    erode()
    after = positions(thing.data)
    bpy.ops.ed.undo_push(message="eroded")
    bpy.ops.ed.undo()
    thing = bpy.context.active_object
    np.testing.assert_array_equal(positions(thing.data), before)
    assert not thing.terrane.is_terrain and "terrane_own_height" not in thing.data.attributes
    bpy.ops.ed.redo()
    thing = bpy.context.active_object
    np.testing.assert_array_equal(positions(thing.data), after)
    assert len(thing.terrane.layers) == 2 and settle() == ""
    np.testing.assert_array_equal(positions(thing.data), after)


def test_edits_of_the_mesh_are_kept_as_a_layer(terrane):
    thing = grid()
    before = positions(thing.data)
    thing.scale = (2.0, 2.0, 3.0)
    erode()
    after = positions(thing.data)
    thing.data.vertices[40].co.z += 2.5
    edited = positions(thing.data)
    with pytest.raises(RuntimeError, match="replace the sculpted heights"):
        erode()
    assert bpy.ops.terrane.layer_from_sculpt() == {"FINISHED"}
    np.testing.assert_array_equal(positions(thing.data), edited)
    bpy.ops.terrane.terrain_update()
    np.testing.assert_allclose(positions(thing.data), edited, atol=1e-4)
    see(thing, False)
    now = positions(thing.data)
    assert now[40, 2] == pytest.approx(before[40, 2] + 2.5, abs=1e-4)
    see(thing, True)
    see(thing, False, place=2)
    np.testing.assert_array_equal(positions(thing.data), after)
    release()
    np.testing.assert_array_equal(positions(thing.data), before)


# --- masks --------------------------------------------------------------------------------------


def half_mask(thing):
    return (positions(thing.data)[:, 0] > 0.0).astype(np.float32)


@pytest.mark.parametrize("is_shuffled", [False, True])
@pytest.mark.parametrize("kind", ["group", "attribute"])
def test_a_mask_says_where(terrane, kind, is_shuffled):
    thing = grid()
    if is_shuffled:
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.mesh.sort_elements(type="RANDOMIZE", elements={"VERT"}, seed=4)
        bpy.ops.object.mode_set(mode="OBJECT")
    before, mask = positions(thing.data)[:, 2], half_mask(thing)
    if kind == "group":
        thing.vertex_groups.new(name="east").add(np.flatnonzero(mask).tolist(), 1.0, "REPLACE")
    else:
        thing.data.attributes.new("east", "FLOAT", "POINT").data.foreach_set("value", mask)
    erode(mask="east")
    after = positions(thing.data)[:, 2]
    np.testing.assert_array_equal(after[mask == 0], before[mask == 0])
    order = np.lexsort(positions(thing.data)[:, :2].T)
    relief = expected(before[order], 25, 33, 128.0, mask=mask[order].reshape(25, 33))
    assert_near(after[order], relief.height)
    assert thing.terrane.layers[1].painted_mask == "east"
    assert ("terrane_place" in thing.data.attributes) == is_shuffled
    assert settle() == ""
    np.testing.assert_array_equal(positions(thing.data)[:, 2], after)


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
    assert thing.terrane.layers[1].mask_image == image


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
    mesh.attributes.new("slope", "FLOAT", "POINT").data[7].value = 0.25
    thing.vertex_groups.new(name="few").add([1, 2], 0.75, "REPLACE")
    thing.modifiers.new("smooth", "SMOOTH").vertex_group = "few"
    mesh.normals_split_custom_set([(0.0, 0.6, 0.8)] * len(mesh.loops))
    thing["answer"] = 42
    child = bpy.data.objects.new("child", None)
    bpy.context.collection.objects.link(child)
    child.parent = thing
    topology = [tuple(face.vertices) for face in mesh.polygons]
    thing.location, thing.rotation_euler = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
    erode(maps={"scree", "flow", "slope"})
    assert thing.data is mesh and [tuple(face.vertices) for face in mesh.polygons] == topology
    assert [slot.material.name for slot in thing.material_slots] == ["rock", "snow"]
    assert [face.material_index for face in mesh.polygons[:4]] == [0, 1, 0, 1]
    assert [layer.name for layer in mesh.uv_layers] == ["UVMap", "Mine"]
    assert (
        mesh.attributes["flow"].data_type == "INT" and mesh.attributes["own"].data[7].value == 0.5
    )
    assert mesh.attributes["slope"].data[7].value == 0.25
    assert thing.vertex_groups["few"].weight(1) == 0.75
    assert thing.modifiers["smooth"].vertex_group == "few"
    assert mesh.has_custom_normals
    assert thing["answer"] == 42 and child.parent == thing
    assert tuple(thing.location) == (1.0, 2.0, 3.0)
    release()
    assert {"flow", "own", "slope"} <= names(mesh)
    assert "scree" not in mesh.attributes and mesh.attributes["slope"].data[7].value == 0.25


def test_edit_mode_is_left_and_entered_again(terrane):
    thing = grid()
    before = positions(thing.data)
    bpy.ops.object.mode_set(mode="EDIT")
    erode()
    assert thing.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.abs(positions(thing.data) - before).max() > 1.0
    bpy.ops.object.mode_set(mode="EDIT")
    release()
    assert thing.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    np.testing.assert_array_equal(positions(thing.data), before)


@pytest.mark.parametrize("is_single", [False, True])
def test_a_shared_mesh_changes_for_all_or_becomes_single(terrane, is_single):
    thing = grid()
    before = positions(thing.data)
    twin = thing.copy()
    bpy.context.collection.objects.link(twin)
    erode(single_user=is_single)
    assert (twin.data is not thing.data) == is_single
    assert twin.terrane.is_terrain != is_single
    assert np.array_equal(positions(twin.data), before) == is_single
    assert ("terrane_own_height" in twin.data.attributes) != is_single
    release()
    np.testing.assert_array_equal(positions(thing.data), before)
    assert not twin.terrane.is_terrain


def test_a_linked_mesh_is_refused(terrane, linked):
    linked(grid())
    for call in (bpy.ops.terrane.mesh_erode, bpy.ops.terrane.terrain_from_mesh):
        with pytest.raises(RuntimeError, match="linked from another file"):
            call()


def test_wrong_values_are_one_line_and_change_nothing(terrane):
    thing = grid()
    before, there = positions(thing.data), names(thing.data)
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
    assert names(thing.data) == there and not thing.data.keys() and not len(bpy.data.images)
    assert not thing.terrane.is_terrain
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError, match="Cube is not a grid of quads"):
        erode()
    with pytest.raises(RuntimeError, match="Select a mesh that became a terrain first"):
        bpy.ops.terrane.mesh_release()


def test_measures_that_a_mesh_keeps_are_refused(terrane):
    thing = grid()
    erode()
    after = positions(thing.data)
    for keywords, message in (
        ({"resolution": 65}, "Terrain.resolution must be 33, as Grid keeps its vertices; got 65"),
        ({"size": 64.0}, "Terrain.size must be 128"),
        ({"depth": 2.0}, "Terrain.depth must be 0.75"),
        ({"seamless": True}, "Terrain.seamless must be False"),
        ({"tile": (1.0, 0.0)}, "Terrain.tile must be"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrane.terrain_update(**keywords)
    with pytest.raises(RuntimeError, match="seamless must be False, which the terrain Grid has"):
        erode(seamless=True)
    np.testing.assert_array_equal(positions(thing.data), after)
    thing.terrane.resolution, thing.terrane.size = 17, 5.0
    assert settle() == ""
    np.testing.assert_array_equal(positions(thing.data), after)


def test_going_on_or_beginning_with_the_original(terrane):
    thing = grid()
    before, there = positions(thing.data), names(thing.data)
    erode(start="original", seed=1)
    once = positions(thing.data)
    assert np.abs(once - before).max() > 1.0
    erode(start="present", talus_angle=20.0, maps={"scree", "slope"})
    assert np.abs(positions(thing.data) - once).max() > 0.1
    assert "slope" in names(thing.data) and len(thing.terrane.layers) == 3
    thing.terrane.layers[0].muted = True
    erode(start="original", seed=1, maps={"scree"})
    np.testing.assert_array_equal(positions(thing.data), once)
    assert [entry.name for entry in thing.terrane.layers] == ["Mesh Heights", "Thermal Erosion"]
    assert settle() == "" and "slope" not in names(thing.data)
    np.testing.assert_array_equal(positions(thing.data), once)
    release()
    assert positions(thing.data).tobytes() == before.tobytes() and names(thing.data) == there


def test_a_terrain_without_former_heights_cannot_begin_with_them(terrane):
    bpy.ops.terrane.terrain_add(resolution=33)
    thing = bpy.context.active_object
    before, count = positions(thing.data), len(thing.terrane.layers)
    with pytest.raises(RuntimeError, match="start must be 'present', as .* has no layer of former"):
        erode(start="original")
    assert len(thing.terrane.layers) == count
    np.testing.assert_array_equal(positions(thing.data), before)


def key_heights(key):
    values = np.empty(len(key.points) * 3, np.float32)
    key.points.foreach_get("co", values)
    return values.reshape(-1, 3)[:, 2]


def with_keys(count=2, active=0, seed=2):
    """Add a grid with a basis and keys that dent it; return it, and the heights of all keys."""
    thing = grid()
    before = positions(thing.data)
    thing.shape_key_add(name="Basis")
    rng = np.random.default_rng(seed)
    for place in range(count):
        dent = before.copy()
        dent[:, 2] += rng.normal(size=len(dent)).astype(np.float32)
        thing.shape_key_add(name=f"Dent {place}").points.foreach_set("co", dent.ravel())
    thing.active_shape_key_index = active
    return thing, [key_heights(key) for key in thing.data.shape_keys.key_blocks]


@pytest.mark.parametrize("active", [0, 1])
def test_shape_keys_move_along_and_come_back_exactly(terrane, active):
    thing, (basis, *dents) = with_keys(active=active)
    before, there = positions(thing.data), names(thing.data)
    keys = thing.data.shape_keys.key_blocks
    relief = expected(basis, 25, 33, 128.0)
    erode()
    assert_near(key_heights(keys[0]), relief.height)
    erode(talus_angle=20.0)
    rise = key_heights(keys[0]) - basis
    assert np.abs(rise).max() > 1.0
    np.testing.assert_array_equal(key_heights(keys[0]), positions(thing.data)[:, 2])
    for key, dent in zip(keys[1:], dents):
        np.testing.assert_allclose(key_heights(key), dent + rise, atol=1e-4)
    eroded = [key_heights(key) for key in keys]
    for place in (1, 2):
        see(thing, False, place)
    for key, former in zip(keys, (basis, *dents)):
        np.testing.assert_array_equal(key_heights(key), former)
    for place in (1, 2):
        see(thing, True, place)
    for key, height in zip(keys, eroded):
        np.testing.assert_array_equal(key_heights(key), height)
    release()
    assert positions(thing.data).tobytes() == before.tobytes()
    for key, former in zip(keys, (basis, *dents)):
        np.testing.assert_array_equal(key_heights(key), former)
    assert names(thing.data) == there and not thing.data.keys()


def test_what_was_done_to_a_shape_key_afterwards_stays(terrane):
    thing, (_, dent, _) = with_keys()
    erode()
    key = thing.data.shape_keys.key_blocks[1]
    key.points[40].co.z += 5.0
    later = thing.shape_key_add(name="Later", from_mix=False)
    lifted = key_heights(later) - key_heights(thing.data.shape_keys.reference_key)
    release()
    back = key_heights(key)
    assert back[40] == pytest.approx(dent[40] + 5.0, abs=1e-4)
    np.testing.assert_array_equal(np.delete(back, 40), np.delete(dent, 40))
    basis = key_heights(thing.data.shape_keys.reference_key)
    np.testing.assert_allclose(key_heights(later) - basis, lifted, atol=1e-4)


def test_applying_the_layers_keeps_the_shape_keys_as_they_are(terrane):
    thing, _ = with_keys()
    there = names(thing.data)
    erode(maps=set())
    eroded = [key_heights(key) for key in thing.data.shape_keys.key_blocks]
    release(apply=True)
    for key, height in zip(thing.data.shape_keys.key_blocks, eroded):
        np.testing.assert_array_equal(key_heights(key), height)
    assert names(thing.data) == there


def test_names_of_shape_keys_may_be_as_long_as_blender_lets_them(terrane):
    thing, (basis, *dents) = with_keys()
    for key, end in zip(thing.data.shape_keys.key_blocks[1:], "ab"):
        key.name = "\u00e4" * 30 + end
    erode()
    release()
    for key, former in zip(thing.data.shape_keys.key_blocks, (basis, *dents)):
        np.testing.assert_array_equal(key_heights(key), former)
    assert not [name for name in names(thing.data) if name.startswith("terrane")]


def test_a_mesh_with_other_vertices_is_refused(terrane):
    thing = grid()
    erode()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    now = positions(thing.data)
    for call in (bpy.ops.terrane.terrain_update, bpy.ops.terrane.mesh_release):
        with pytest.raises(RuntimeError, match="no longer has the terrain.s grid"):
            call()
    np.testing.assert_array_equal(positions(thing.data), now)
    release(apply=True)
    np.testing.assert_array_equal(positions(thing.data), now)


def test_a_vertex_group_may_have_the_name_of_a_map(terrane):
    thing = grid()
    thing.vertex_groups.new(name="scree").add(range(40), 1.0, "REPLACE")
    there = names(thing.data)
    erode(maps={"scree", "slope"})
    assert names(thing.data) == there | {"slope", "terrane_own_height"}
    assert thing.vertex_groups["scree"].weight(39) == 1.0
    release()
    assert names(thing.data) == there


def test_attributes_in_the_way_are_named(terrane):
    thing = grid()
    thing.data.attributes.new("terrane_own_height", "INT", "FACE")
    there = names(thing.data)
    with pytest.raises(RuntimeError, match="'terrane_own_height' is in the way: rename it"):
        erode()
    assert names(thing.data) == there and not thing.terrane.is_terrain


# --- parts of a landscape -------------------------------------------------------------------------


def test_a_material_and_water_on_a_mesh(terrane):
    thing = grid()
    erode()
    assert bpy.ops.terrane.terrain_material() == {"FINISHED"}
    assert bpy.ops.terrane.water_add(sea=True, level=0.0) == {"FINISHED"}
    see(thing, False)
    see(thing, True)
    turned = grid()
    turned.scale = (2.0, 2.0, 2.0)
    erode()
    with pytest.raises(RuntimeError, match="Apply rotation and scale of"):
        bpy.ops.terrane.water_add()


def test_the_file_of_a_mesh_is_its_land(terrane, tmp_path):
    thing = grid()
    erode()
    path = tmp_path / "land.npy"
    assert bpy.ops.terrane.heightmap_export(filepath=str(path), target="npy") == {"FINISHED"}
    found = np.load(path)
    assert np.ptp(found) == pytest.approx(np.ptp(positions(thing.data)[:, 2]), rel=1e-3)


# --- terrains -----------------------------------------------------------------------------------


def test_an_erosion_of_a_terrain_is_a_layer_that_an_update_keeps(terrane):
    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=33)
    thing = bpy.context.active_object
    before, count = positions(thing.data), len(thing.terrane.layers)
    there = names(thing.data)
    erode(talus_angle=5.0)
    after = positions(thing.data)
    assert not np.array_equal(after, before) and len(thing.terrane.layers) == count + 1
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(positions(thing.data), after)
    assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
    assert settle() == ""
    np.testing.assert_array_equal(positions(thing.data), before)
    assert names(thing.data) == there


@pytest.mark.wide
def test_removing_an_erosion_brings_a_terrains_own_maps_back(terrane):
    bpy.ops.terrane.terrain_add(preset="canyon", resolution=65)
    thing = bpy.context.active_object
    maps = {name: values(thing.data, name) for name in ("flow", "wear", "deposit", "lake")}
    there = names(thing.data)
    erode(modifier="stream_erosion")
    erode(modifier="stream_erosion")
    assert np.abs(values(thing.data, "flow") - maps["flow"]).max() > 0.1
    for _ in range(2):
        bpy.ops.terrane.layer_remove()
    assert settle() == ""
    assert names(thing.data) == there
    for name, before in maps.items():
        np.testing.assert_array_equal(values(thing.data, name), before)
    erode(modifier="stream_erosion")
    bpy.ops.terrane.terrain_update(resolution=33)
    assert names(thing.data) == there


def test_a_terrains_map_and_a_vertex_group_may_share_a_name(terrane):
    bpy.ops.terrane.terrain_add(preset="canyon", resolution=65)
    thing = bpy.context.active_object
    bpy.ops.terrane.maps_bake(maps={"flow"}, as_groups=True)
    before = values(thing.data, "flow")
    erode(modifier="stream_erosion")
    assert np.abs(values(thing.data, "flow") - before).max() > 0.1
    bpy.ops.terrane.layer_remove()
    assert settle() == ""
    np.testing.assert_array_equal(values(thing.data, "flow"), before)
    bpy.ops.terrane.terrain_update(resolution=33)
    assert values(thing.data, "flow").max() > 0.1 and "flow" in thing.vertex_groups


def test_animated_layers_stay_when_one_is_added(terrane):
    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=17)
    thing = bpy.context.active_object
    thing.terrane.layers[0].keyframe_insert("opacity", frame=1)
    erode()
    animated = module("operators.bridge.schema.animation").paths(thing)
    assert animated == [("terrane.layers[0].opacity", 0)]


@pytest.mark.parametrize("preset", ["canyon", "mesa"])
def test_the_eyes_of_a_terrain_show_its_ground_before_erosion(terrane, preset):
    bpy.ops.terrane.terrain_add(preset=preset, resolution=65)
    thing = bpy.context.active_object
    after, there = positions(thing.data), names(thing.data)
    recipe = module("operators.bridge.schema.settings").read(thing.terrane)
    bare = type(recipe)(layers=(recipe.noise,), seed=recipe.seed, height=recipe.height)
    grid_class = module("noise_core").Grid
    wanted = bare.evaluate(grid_class(65, 65, size=thing.terrane.size)).height
    entries = [one for one in thing.terrane.layers if not len(one.chain)]
    for is_muted in (True, False):
        for entry in entries:
            entry.muted = is_muted
        assert settle() == ""
        shown = wanted.ravel() if is_muted else after[:, 2]
        np.testing.assert_array_equal(positions(thing.data)[:, 2], shown)
    assert names(thing.data) == there
