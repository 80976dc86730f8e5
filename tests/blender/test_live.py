# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update: the newest settings win, the user's data stays, and nothing is ever raised.

In the background there are no timers: `update_now` stands for the timer. How it goes in a
window, with undo, is in tests/gui/run_live.py.
"""

from __future__ import annotations

import json
import threading
import time

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_fractal_terrain, add_terrain, heights, mesh_record


def expected(thing, side=None):
    request = module("operators.bridge.terrain.terrains").present_request(thing)
    grid = request.grid()
    if side is not None:
        grid = module("noise_core.rasters.resampling").coarse_grid(grid, side)
    return request.recipe.evaluate(grid).height


def eroded(times=1):
    core, modifiers = module("noise_core"), module("noise_core.modifiers")
    noise = module("noise_core.landscapes.preset_library").preset("alps").recipe.noise
    stack = (modifiers.StreamErosion(),) * times
    return core.Recipe(layers=(noise, *stack), height=300.0).to_json()


def step_until(dispatcher, condition, limit=30.0):
    """Step as the timer does until a condition holds."""
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end
        dispatcher.step()
        time.sleep(0.001)


# --- following ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [
        (None, "seed", 7),
        (None, "height", 3.5),
        ("layers[0]", "opacity", 0.5),
        ("layers[0].chain[0]", "basis", "simplex"),
        ("layers[0].chain[0].perlin", "frequency", 5.5),
        ("layers[0].chain[0].perlin", "fade", "linear"),
        ("layers[0].chain[1]", "muted", True),
        ("layers[0].chain[1].fractal", "kind", "ridged"),
        ("layers[0].chain[1].fractal", "octaves", 2.5),
    ],
)
def test_heights_follow_every_kind_of_setting(live, where, name, value):
    terrain = add_fractal_terrain()
    before = heights(terrain)
    group = terrain.terrane if where is None else terrain.terrane.path_resolve(where)
    setattr(group, name, value)
    assert np.array_equal(heights(terrain), before), "nothing is live in the background"
    live.update_now()
    now = heights(terrain)
    assert not np.array_equal(now, before)
    np.testing.assert_array_equal(now, expected(terrain).reshape(-1))
    assert not mesh_record(terrain).is_preview and live.note(terrain) == ""
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(heights(terrain), now)


def test_modifiers_presets_and_measures_are_followed(live):
    terrain = add_fractal_terrain(size=100.0)
    bpy.ops.terrane.layer_add(type="terraces")
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    bpy.ops.terrane.layer_remove()
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    bpy.ops.terrane.preset_load(preset="dunes")
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    terrain.terrane.size, terrain.terrane.resolution, terrain.terrane.depth = 50.0, 33, 0.5
    live.update_now()
    assert len(terrain.data.vertices) == 33 * 17
    np.testing.assert_allclose(terrain.data.vertices[0].co.xy, (-25.0, -12.5))
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    assert (terrain.terrane.built_rows, terrain.terrane.built_size) == (17, 50.0)


def test_what_is_the_users_survives(live):
    terrain = add_fractal_terrain()
    group = terrain.vertex_groups.new(name="few")
    group.add([1, 2, 3], 0.5, "REPLACE")
    terrain.data.materials.append(bpy.data.materials.new("ground"))
    terrain.data.attributes.new("own", "FLOAT", "POINT")
    mesh, faces = terrain.data, len(terrain.data.polygons)
    terrain.terrane.seed = 4
    live.update_now()
    assert terrain.data == mesh and len(mesh.polygons) == faces and not mesh.validate()
    assert "own" in mesh.attributes and mesh.materials[0].name == "ground"
    assert group.weight(2) == 0.5


def test_the_whole_has_its_maps(live):
    terrain = add_fractal_terrain(recipe=eroded(), size=500.0, maps={"slope", "flow"})
    for name in ("slope", "flow"):
        terrain.data.attributes[name].data.foreach_set("value", np.full(65 * 65, -1, np.float32))
    terrain.terrane.seed = 4
    live.update_now(is_preview=True)
    assert min(one.value for one in terrain.data.attributes["slope"].data) == -1.0
    live.update_now()
    for name in ("slope", "flow"):
        assert min(one.value for one in terrain.data.attributes[name].data) >= 0.0
    assert "wear" not in terrain.data.attributes


def test_nothing_is_done_twice_or_for_nothing(live, monkeypatch):
    terrain = add_fractal_terrain()
    written = []
    cls = module("operators.bridge.terrain.terrain_product").Terrain
    write = cls.write

    def counted(self, *arguments, **keywords):
        written.append(arguments[0].name)
        return write(self, *arguments, **keywords)

    monkeypatch.setattr(cls, "write", counted)
    live.update_now()
    assert written == [], "adding it has written its settings, which is no change"
    bpy.ops.terrane.preset_load(preset="alps")
    live.update_now()
    live.update_now()
    assert written == [terrain.name] and live.queue.is_idle
    terrain.terrane.seed = 5
    bpy.ops.terrane.terrain_update()
    assert written == 2 * [terrain.name], "the operator runs the same product"
    live.update_now()
    terrain.terrane.seed = terrain.terrane.seed
    terrain.terrane.preset = "island"  # a name only
    live.update_now()
    assert written == 2 * [terrain.name] and live.queue.is_idle


def test_a_scene_and_other_objects_are_not_its_business(live):
    bpy.context.scene.terrane.seed = 8
    bpy.ops.mesh.primitive_grid_add()
    bpy.context.active_object.terrane.seed = 8
    assert live.queue.is_idle
    live.update_now()


# --- previews -----------------------------------------------------------------------------------


def test_a_preview_is_the_coarse_field_on_the_fine_mesh(live):
    terrain = add_fractal_terrain(resolution=129, depth=0.5)
    faces = len(terrain.data.polygons)
    terrain.terrane.seed = 3
    structure = mesh_record(terrain)
    live.queue.quick_side = lambda task, update: 33
    try:
        live.update_now(is_preview=True)
    finally:
        del live.queue.quick_side
    assert mesh_record(terrain).is_preview and mesh_record(terrain).digest != structure.digest
    assert len(terrain.data.polygons) == faces
    shown = heights(terrain).reshape(65, 129)
    coarse = expected(terrain, 33)
    assert coarse.shape == (17, 33)
    np.testing.assert_allclose(shown[::4, ::4], coarse, atol=1e-5)
    whole = expected(terrain)
    np.testing.assert_allclose(shown[::4, ::4], whole[::4, ::4], atol=1e-4)
    assert np.abs(shown - whole).max() > 1e-3, "this is no preview"
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), whole.reshape(-1))
    assert not mesh_record(terrain).is_preview


@pytest.mark.parametrize("depth", [0.4, 1.0, 2.5])
def test_a_preview_has_the_painted_masks_where_they_are(live, depth):
    """The coarse grid may reach beyond the terrain; a mask is not stretched with it."""
    core, noises = module("noise_core"), module("noise_core.noises")
    plain = module("noise_core.recipes.layers").NoiseLayer(
        noise=noises.Constant(value=1.0), height=10.0
    )
    flat = core.Recipe(layers=(noises.Perlin(), plain), height=1e-3).to_json()
    terrain = add_terrain(recipe=flat, resolution=129, depth=depth)
    rows, columns = terrain.terrane.built_rows, terrain.terrane.built_columns
    north = np.repeat(np.linspace(0.0, 1.0, rows, dtype=np.float32), columns)
    terrain.data.attributes.new("north", "FLOAT", "POINT").data.foreach_set("value", north)
    terrain.terrane.layers[1].painted_mask = "north"
    terrain.terrane.seed += 1
    live.queue.quick_side = lambda task, update: 50
    try:
        live.update_now(is_preview=True)
    finally:
        del live.queue.quick_side
    assert mesh_record(terrain).is_preview
    shown = heights(terrain)
    live.update_now()
    np.testing.assert_allclose(heights(terrain), 10.0 * north, atol=0.01)
    inner = slice(6 * columns, -6 * columns)  # what lies beyond the border has no slope
    np.testing.assert_allclose(shown[inner], 10.0 * north[inner], atol=0.02)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("shape", [(64, 64), (100, 37), (37, 100)])
def test_spreading_keeps_planes_and_samples(terrane, wrap, shape):
    preview, core = module("noise_core.rasters.resampling"), module("noise_core")
    grid = core.Grid(*shape, wrap=wrap, size=10.0)
    coarse = preview.coarse_grid(grid, 20)
    assert max(coarse.shape) <= 21 and min(coarse.shape) >= 2
    flat = np.full(coarse.shape, 3.0, np.float32)
    np.testing.assert_allclose(preview.spread(flat, coarse, grid), 3.0, rtol=1e-6)
    if not wrap:
        y, x = np.meshgrid(coarse.axes().y, coarse.axes().x, indexing="ij")
        plane = (x + 2.0 * y).astype(np.float32)
        y, x = np.meshgrid(grid.axes().y, grid.axes().x, indexing="ij")
        np.testing.assert_allclose(preview.spread(plane, coarse, grid), x + 2.0 * y, atol=1e-5)
    colors = np.random.default_rng(1).random((*coarse.shape, 3)).astype(np.float32)
    spread = preview.spread(colors, coarse, grid)
    assert spread.shape == (*shape, 3) and spread.dtype == np.float32
    np.testing.assert_array_equal(spread[0, 0], colors[0, 0])
    one = preview.spread(np.ascontiguousarray(colors[..., 1]), coarse, grid)
    np.testing.assert_array_equal(spread[..., 1], one)


def test_spreading_a_texture_has_no_seam(terrane):
    preview, core = module("noise_core.rasters.resampling"), module("noise_core")
    grid = core.Grid(96, 96, wrap=True)
    coarse = preview.coarse_grid(grid, 24)
    field = np.random.default_rng(2).random(coarse.shape).astype(np.float32)
    whole = preview.spread(field, coarse, grid)
    rolled = preview.spread(np.roll(field, (12, 6), (0, 1)), coarse, grid)
    np.testing.assert_allclose(np.roll(whole, (48, 24), (0, 1)), rolled, atol=1e-6)


# --- the newest wins ------------------------------------------------------------------------------


def test_many_changes_are_one_run(live):
    terrain = add_fractal_terrain()
    for seed in range(100):
        terrain.terrane.seed = seed
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    assert terrain.terrane.seed == 99


def test_slow_work_is_previewed_then_whole_when_the_gesture_rests(dispatcher):
    terrain = add_fractal_terrain(recipe=eroded(), size=500.0, resolution=129)
    terrain.terrane.seed = 11
    step_until(dispatcher, lambda: mesh_record(terrain).is_preview)
    assert not dispatcher.is_idle and dispatcher.run is None
    for _ in range(5):
        wait = dispatcher.step()
        assert wait == pytest.approx(module("operators.bridge.tasks.product").Product.settled)
        assert mesh_record(terrain).is_preview and dispatcher.run is None
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.is_idle)
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    assert not mesh_record(terrain).is_preview


@pytest.mark.slow
def test_a_change_during_the_whole_ends_it(dispatcher):
    terrain = add_fractal_terrain(recipe=eroded(3), size=500.0, resolution=257)
    terrain.terrane.seed = 11
    step_until(dispatcher, lambda: mesh_record(terrain).is_preview)
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.run is not None)
    run = dispatcher.run
    assert run.side is None
    dispatcher.now += 0.1
    terrain.terrane.seed = 12
    dispatcher.step()
    assert run.job.is_stopping and dispatcher.run is not run
    step_until(dispatcher, lambda: mesh_record(terrain).is_preview and dispatcher.run is None)
    preview = heights(terrain)
    run.job.wait(5.0)
    dispatcher.step()
    assert np.array_equal(heights(terrain), preview), "the old one's result was written"
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.is_idle)
    assert terrain.terrane.seed == 12
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


@pytest.mark.slow
def test_long_work_is_shown_and_can_be_stopped(dispatcher):
    jobs = module("operators.bridge.tasks.jobs")
    terrain = add_fractal_terrain(recipe=eroded(4), size=500.0, resolution=257)
    terrain.terrane.seed = 11
    step_until(dispatcher, lambda: mesh_record(terrain).is_preview)
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.run is not None)
    assert jobs.visible_job() is None
    dispatcher.now += 1.0
    dispatcher.step()
    assert (
        jobs.visible_job() is dispatcher.run.job and jobs.running() is None and jobs.why_not() == ""
    )
    assert bpy.ops.terrane.terrain_add.poll(), "others need not wait for it"
    preview = heights(terrain)
    assert bpy.ops.terrane.job_cancel() == {"FINISHED"}
    step_until(dispatcher, lambda: dispatcher.is_idle)
    assert jobs.visible_job() is None and np.array_equal(heights(terrain), preview)
    assert (
        mesh_record(terrain).is_preview
        and "Update" in next(iter(dispatcher.tasks.results.values())).note
    )


@pytest.mark.slow
def test_a_preview_that_takes_long_is_shown_too(dispatcher, monkeypatch):
    jobs, targets = (
        module("operators.bridge.tasks.jobs"),
        module("operators.bridge.terrain.terrain_product"),
    )
    terrain = add_fractal_terrain(recipe=eroded(4), size=500.0, resolution=257)
    go_on, work = threading.Event(), targets.Terrain.work

    def slow(self, *arguments):
        quick = work(self, *arguments)
        return lambda progress, cancel: go_on.wait(10.0) and quick(progress, cancel)

    monkeypatch.setattr(targets.Terrain, "work", slow)
    terrain.terrane.seed = 11
    step_until(dispatcher, lambda: dispatcher.run is not None)
    run = dispatcher.run
    dispatcher.step()
    assert run.side is not None and jobs.visible_job() is None
    dispatcher.now += 0.6
    dispatcher.step()
    assert jobs.visible_job() is run.job
    go_on.set()
    step_until(dispatcher, lambda: mesh_record(terrain).is_preview)
    assert jobs.visible_job() is None


@pytest.mark.slow
def test_work_in_several_parts_is_shown_no_longer_than_it_takes(dispatcher, monkeypatch):
    jobs = module("operators.bridge.tasks.jobs")
    terrain = add_fractal_terrain(recipe=eroded(4), size=500.0, resolution=257)
    terrain.terrane.resolution = 300
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.run is not None)
    dispatcher.now += 1.0
    dispatcher.step()
    shown = jobs.visible_job()
    assert shown is not None
    parts, start = [], type(dispatcher.run).start

    def note(title, work):
        parts.append(title)
        return start(title, work)

    monkeypatch.setattr(type(dispatcher.run), "start", staticmethod(note))
    step_until(dispatcher, lambda: dispatcher.is_idle)
    assert len(terrain.data.vertices) == 300 * 300
    assert parts, "to build the mesh is a part of its own"
    assert jobs.visible_job() is None


def test_other_work_has_the_right_of_way(dispatcher):
    jobs = module("operators.bridge.tasks.jobs")
    terrain = add_fractal_terrain()
    before = heights(terrain)
    terrain.terrane.seed = 11
    go_on = threading.Event()
    job = jobs.start("Digging", lambda progress, cancel: go_on.wait(10.0))
    assert dispatcher.step() == pytest.approx(0.25)
    assert np.array_equal(heights(terrain), before) and not dispatcher.is_idle
    go_on.set()
    job.wait(5.0)
    jobs.end(job)
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.is_idle)
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


def test_a_glance_does_what_is_light_and_nothing_else(dispatcher):
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 11
    dispatcher.step_before_draw()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    dispatcher.now += 1.0
    step_until(dispatcher, lambda: dispatcher.is_idle)
    faces = len(terrain.data.polygons)
    terrain.terrane.resolution = 33
    dispatcher.step_before_draw()
    assert len(terrain.data.polygons) == faces and dispatcher.run is None
    dispatcher.now += 1.0
    step_until(dispatcher, lambda: dispatcher.is_idle)
    terrain.vertex_groups.new(name="few").add([1, 2, 3], 0.5, "REPLACE")
    bpy.ops.terrane.layer_add(type="terraces")
    terrain.terrane.layers[1].painted_mask = "few"
    before = heights(terrain)
    dispatcher.step_before_draw()
    assert np.array_equal(heights(terrain), before) and dispatcher.run is None
    dispatcher.now += 1.0
    step_until(dispatcher, lambda: dispatcher.is_idle)
    assert not np.array_equal(heights(terrain), before)


@pytest.mark.parametrize("is_tried", [True, False])
def test_blender_waits_for_a_moment_and_not_twice(dispatcher, monkeypatch, is_tried):
    """Work that proves too long for the main thread has used its time; another thread begins at once."""
    parts, waits = module("operators.bridge.tasks.queue"), []
    terrain = add_fractal_terrain()

    def late(work):
        dispatcher.now += 2.0 * parts.MOMENT
        with pytest.raises(parts.Cancelled):
            work(lambda share: None, lambda: True)
        raise parts.Cancelled("late")

    monkeypatch.setattr(module("operators.bridge.tasks.jobs"), "at_once", late)
    monkeypatch.setattr(
        module("operators.bridge.tasks.jobs").Job,
        "wait",
        lambda job, seconds: waits.append(seconds),
    )
    if not is_tried:
        monkeypatch.setattr(parts, "INLINE_BUDGET", -1.0)
    terrain.terrane.seed = 11
    dispatcher.step()
    assert waits == [0.0 if is_tried else parts.MOMENT]
    assert parts.MOMENT + parts.TURN < 0.05
    monkeypatch.undo()
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.is_idle)
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


# --- what is left alone ---------------------------------------------------------------------------


def test_the_switch(live):
    terrain = add_fractal_terrain()
    scene = bpy.context.scene
    assert scene.terrane_live
    scene.terrane_live = False
    before = heights(terrain)
    terrain.terrane.seed = 11
    live.update_now()
    assert np.array_equal(heights(terrain), before)
    scene.terrane_live = True
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


def sculpted(terrain):
    terrain.data.vertices[40].co.z += 0.5
    terrain.data.update()


def shared(terrain):
    other = bpy.data.objects.new("other", terrain.data)
    bpy.context.collection.objects.link(other)


def from_an_old_file(terrain):
    del terrain.data["terrane_made_terrain"]


@pytest.mark.parametrize("change", [sculpted, shared, from_an_old_file])
def test_what_is_not_ours_to_change_stays(live, change):
    terrain = add_fractal_terrain(height=20.0)
    change(terrain)
    before = heights(terrain)
    terrain.terrane.seed = 11
    for is_preview in (True, False):
        live.update_now(is_preview=is_preview)
        assert np.array_equal(heights(terrain), before)
    assert "Update" in live.note(terrain) and live.queue.is_idle
    bpy.ops.terrane.terrain_update()
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))
    terrain.terrane.seed = 12
    live.update_now()
    is_shared = change is shared
    assert np.array_equal(heights(terrain), expected(terrain).reshape(-1)) != is_shared
    assert bool(live.note(terrain)) == is_shared


def test_an_eroded_mesh_follows_with_its_layer_and_without(live):
    terrain = add_fractal_terrain(height=20.0)
    assert bpy.ops.terrane.mesh_erode(modifier="stream_erosion") == {"FINISHED"}
    for seed, is_muted in ((11, False), (12, True)):
        terrain.terrane.seed, terrain.terrane.layers[-1].muted = seed, is_muted
        live.update_now()
        np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


@pytest.mark.parametrize("mode", ["EDIT", "SCULPT", "WEIGHT_PAINT"])
def test_it_waits_for_object_mode(dispatcher, mode):
    terrain = add_fractal_terrain()
    bpy.ops.object.mode_set(mode=mode)
    terrain.terrane.seed = 11
    assert dispatcher.step() == pytest.approx(0.25)
    assert terrain.mode == mode and not dispatcher.is_idle
    bpy.ops.object.mode_set(mode="OBJECT")
    dispatcher.now += 1.0
    step_until(dispatcher, lambda: dispatcher.is_idle)
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


def test_linked_terrains_stay(live, tmp_path):
    terrain = add_fractal_terrain()
    name, path = terrain.name, str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {terrain})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, to):
        to.objects = [name]
    (linked,) = to.objects
    bpy.context.collection.objects.link(linked)
    before = heights(linked)
    module("operators.bridge.schema.changes").on_change(linked.terrane, bpy.context)
    live.update_now()
    assert np.array_equal(heights(linked), before) and live.queue.is_idle
    linked.make_local()  # the object; its mesh is linked still
    local = next(one for one in bpy.data.objects if one.library is None)
    local.terrane.seed = 11
    live.update_now()
    assert np.array_equal(heights(local), before)
    assert "linked" in live.note(local) or "share" in live.note(local)


def test_overrides_of_linked_terrains_stay(live, tmp_path):
    terrain = add_fractal_terrain()
    name, path = terrain.name, str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {terrain})
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, to):
        to.objects = [name]
    bpy.context.collection.objects.link(to.objects[0])  # 5.3 overrides what is in a scene
    own = to.objects[0].override_create(remap_local_usages=True)
    own.data = own.data.copy()  # a mesh of this file
    before = heights(own)
    own.terrane.seed = 11
    live.update_now()
    assert np.array_equal(heights(own), before)
    assert "linked" in live.note(own)


@pytest.mark.slow
def test_a_terrain_that_is_gone(dispatcher):
    terrain = add_fractal_terrain(recipe=eroded(2), size=500.0, resolution=257)
    terrain.terrane.seed = 11
    step_until(dispatcher, lambda: mesh_record(terrain).is_preview)
    dispatcher.now += 0.2
    step_until(dispatcher, lambda: dispatcher.run is not None)
    bpy.data.objects.remove(terrain)
    dispatcher.now += 0.1
    step_until(dispatcher, lambda: dispatcher.is_idle)


# --- errors -------------------------------------------------------------------------------------


def test_settings_that_cannot_be_read_are_said_once(live):
    terrain = add_fractal_terrain()
    before = heights(terrain)
    terrain.terrane.layers[0].text = "no JSON"
    terrain.terrane.seed = 2
    live.update_now()
    assert "JSON" in live.note(terrain) and live.queue.is_idle
    assert np.array_equal(heights(terrain), before)
    terrain.terrane.layers[0].text = ""
    terrain.terrane.seed = 3
    live.update_now()
    assert live.note(terrain) == ""
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


def test_shape_keys_follow_unless_the_grid_changes(live):
    terrain = add_fractal_terrain()
    terrain.shape_key_add(name="Basis")
    key = terrain.shape_key_add(name="Hill")
    key.points[0].co.z += 2.0
    rise = key.points[0].co.z - terrain.data.shape_keys.reference_key.points[0].co.z
    terrain.terrane.seed = 3
    live.update_now()
    assert live.note(terrain) == ""
    basis = terrain.data.shape_keys.reference_key
    np.testing.assert_allclose(
        [point.co.z for point in basis.points], expected(terrain).reshape(-1), atol=1e-5
    )
    assert key.points[0].co.z - basis.points[0].co.z == pytest.approx(rise, abs=1e-5)
    terrain.terrane.seed = 4
    live.update_now()
    assert live.note(terrain) == "", "its own heights look edited to it"
    terrain.terrane.resolution = 33
    live.update_now()
    assert "shape keys" in live.note(terrain) and len(terrain.data.vertices) == 65 * 65


def test_a_missing_mask_is_said(live):
    terrain = add_fractal_terrain()
    bpy.ops.terrane.layer_add(type="terraces")
    terrain.terrane.layers[1].painted_mask = "nowhere"
    live.update_now()
    assert "nowhere" in live.note(terrain)


# --- files, undo and memory ---------------------------------------------------------------------------


def test_a_preview_that_was_saved_is_finished_after_loading(live, tmp_path):
    terrain = add_fractal_terrain(resolution=129)
    live.queue.quick_side = lambda task, update: 33
    try:
        terrain.terrane.seed = 3
        live.update_now(is_preview=True)
    finally:
        del live.queue.quick_side
    path = str(tmp_path / "preview.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain = bpy.data.objects[0]
    assert not mesh_record(terrain).is_preview and live.queue.is_idle
    np.testing.assert_array_equal(heights(terrain), expected(terrain).reshape(-1))


def test_a_loaded_file_is_left_as_it_is(live, tmp_path):
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 3  # and never updated
    before = heights(terrain)
    path = str(tmp_path / "behind.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert live.queue.is_idle
    live.update_now()
    np.testing.assert_array_equal(heights(bpy.data.objects[0]), before)


def test_undo_and_redo_make_heights_and_settings_agree(live):
    name = add_fractal_terrain().name
    bpy.ops.ed.undo_push(message="added")
    before = heights(bpy.data.objects[name])
    bpy.data.objects[name].terrane.seed = 11
    # As a slider does it: the step ends before the timer has written.
    bpy.ops.ed.undo_push(message="seed")
    live.update_now()
    after = heights(bpy.data.objects[name])
    assert not np.array_equal(before, after)
    for _ in range(2):
        bpy.ops.ed.undo()
        live.update_now()
        assert bpy.data.objects[name].terrane.seed != 11
        np.testing.assert_array_equal(heights(bpy.data.objects[name]), before)
        bpy.ops.ed.redo()
        live.update_now()
        assert bpy.data.objects[name].terrane.seed == 11
        np.testing.assert_array_equal(heights(bpy.data.objects[name]), after)


def test_undo_of_another_resolution_keeps_what_hangs_on_the_mesh(live):
    terrain = add_fractal_terrain()
    name = terrain.name
    terrain.data.attributes.new("own", "FLOAT", "POINT")
    terrain.data.attributes["own"].data.foreach_set("value", np.ones(65 * 65, np.float32))
    bpy.ops.ed.undo_push(message="added")
    terrain.terrane.resolution = 33
    bpy.ops.ed.undo_push(message="resolution")
    live.update_now()
    assert len(bpy.data.objects[name].data.vertices) == 33 * 33
    bpy.ops.ed.undo()
    live.update_now()
    terrain = bpy.data.objects[name]
    assert len(terrain.data.vertices) == 65 * 65 and terrain.terrane.built_rows == 65
    assert min(one.value for one in terrain.data.attributes["own"].data) == 1.0


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(time, "clock_gettime"), reason="reads /proc")
def test_memory_does_not_grow(live):
    terrain = add_fractal_terrain(resolution=257)
    for seed in range(20):
        terrain.terrane.seed = seed
        live.update_now()
    before = resident()
    for seed in range(200):
        terrain.terrane.seed = seed
        live.update_now(is_preview=seed % 2 == 0)
    assert resident() < before * 1.05


def test_the_record_is_small_and_readable(live):
    terrain = add_fractal_terrain()
    record = json.loads(terrain.data["terrane_made_terrain"])
    assert record["details"]["rows"] == record["details"]["columns"] == 65
    for broken in ("", "{}", "[1]", '{"digest": 1}', '{"digest": "1"}', 3):
        terrain.data["terrane_made_terrain"] = broken
        assert mesh_record(terrain) is None


def test_unregistering_leaves_nothing(live):
    own = bpy.app.handlers
    lists = (
        *(own.undo_post, own.redo_post, own.load_pre, own.load_post, own.render_init),
        *(own.depsgraph_update_pre, own.depsgraph_update_post),
    )
    counts = [len(one) for one in lists]
    live.unregister()
    assert [len(one) for one in lists] == [count - 1 for count in counts]
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 3
    assert live.queue.is_idle
    live.register()
    assert [len(one) for one in lists] == counts
