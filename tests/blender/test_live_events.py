# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update and other events: renders, undo, modes, copies, scenes, errors.

A window's own share, such as F12, is in tests/gui/run_live.py.
"""

from __future__ import annotations

import threading
import time

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_fractal_terrain, heights, mesh_record


@pytest.fixture
def coarse(live, monkeypatch):
    """Let previews be so coarse that nobody takes them for the whole."""
    monkeypatch.setattr(live.queue, "quick_side", lambda task, update: 17)


@pytest.fixture
def seen(live):
    """Return the heights of each terrain at the start of every render."""
    looks = []

    def look(*_):
        looks.append({one.name: heights(one) for one in bpy.data.objects if one.type == "MESH"})

    bpy.app.handlers.render_pre.append(look)
    yield looks
    bpy.app.handlers.render_pre.remove(look)


def expected(thing):
    terrains, masks = (
        module("operators.bridge.terrain.terrains"),
        module("operators.bridge.schema.masks"),
    )
    request = terrains.present_request(thing)
    grid = request.grid()
    where = masks.fields(thing, request, grid)
    return request.recipe.evaluate(grid, masks=where).height.reshape(-1)


def follows(thing):
    return np.array_equal(heights(thing), expected(thing))


def told():
    """Let Blender evaluate, as it does before it draws, and call its handlers."""
    bpy.context.view_layer.update()


def render():
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.cycles.use_denoising = False  # some builds go without
    scene.render.resolution_x = scene.render.resolution_y = 8
    if scene.camera is None:
        scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
        scene.collection.objects.link(scene.camera)
    bpy.ops.render.render()


# --- renders ------------------------------------------------------------------------------------


def test_a_render_shows_no_preview(live, coarse, seen):
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 11
    live.update_now(is_preview=True)
    assert mesh_record(terrain).is_preview
    render()
    assert not mesh_record(terrain).is_preview and live.queue.is_idle
    np.testing.assert_array_equal(seen[0][terrain.name], expected(terrain))


def test_a_render_shows_what_was_just_set(live, seen):
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 11
    render()
    np.testing.assert_array_equal(seen[0][terrain.name], expected(terrain))


def test_a_render_leaves_what_it_does_not_show(live, coarse):
    scene, other = bpy.context.scene, bpy.data.scenes.new("other")
    terrain = add_fractal_terrain()
    other.collection.objects.link(terrain)
    scene.collection.objects.unlink(terrain)
    terrain.terrane.seed = 11
    live.update_now(is_preview=True)
    render()
    assert mesh_record(terrain).is_preview and not live.queue.is_idle
    scene.background_set = other
    render()
    assert follows(terrain) and live.queue.is_idle


def test_a_render_leaves_alone_what_is_not_live(live, seen):
    terrain = add_fractal_terrain()
    before = heights(terrain)
    bpy.context.scene.terrane_live = False
    terrain.terrane.seed = 11
    render()
    np.testing.assert_array_equal(seen[0][terrain.name], before)


def test_a_render_that_begins_beside_waits_for_the_whole(live, coarse, monkeypatch):
    """As F12 does it: its thread is at the handler, and Blender goes on with its timers."""
    parts = module("operators.bridge.tasks.queue")
    monkeypatch.setattr(parts, "is_rendering", lambda: True)
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 11
    live.update_now(is_preview=True)
    assert mesh_record(terrain).is_preview
    thread = threading.Thread(target=live._on_render, args=(bpy.context.scene,))
    thread.start()
    end = time.monotonic() + 20.0
    while thread.is_alive() and time.monotonic() < end:
        live.tick()
        time.sleep(0.001)
    assert not thread.is_alive() and follows(terrain) and live.queue.is_idle
    terrain.terrane.seed = 12
    assert live.tick() == parts.LATER, "now that it reads the scene nothing is written"
    assert not follows(terrain)


@pytest.mark.parametrize("is_released", [False, True])
def test_a_render_does_not_wait_for_ever(terrane, monkeypatch, is_released):
    """Before Blender quits it waits for the render: nobody may wait for Blender then."""
    live = module("operators.bridge.tasks.live")
    monkeypatch.setattr(live, "PATIENCE", 60.0 if is_released else 0.2)
    renders = live.Renders()
    thread = threading.Thread(target=renders.wait, args=("Scene",))
    thread.start()
    if is_released:
        while not renders.are_waiting:
            time.sleep(0.001)
        renders.release()
    thread.join(10.0)
    assert not thread.is_alive() and not renders.are_waiting


@pytest.mark.slow
def test_nothing_due_makes_no_render_wait(live):
    add_fractal_terrain()
    thread = threading.Thread(target=live._on_render, args=(bpy.context.scene,))
    thread.start()
    thread.join(10.0)
    assert not thread.is_alive()


def test_a_file_without_previews_costs_nothing_when_it_is_loaded(live, tmp_path, monkeypatch):
    add_fractal_terrain().terrane.seed = 3
    path = str(tmp_path / "whole.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    cls = module("operators.bridge.terrain.terrain_product").Terrain
    monkeypatch.setattr(cls, "plan", lambda *a, **k: pytest.fail("it was looked at"))
    bpy.ops.wm.open_mainfile(filepath=path)
    render()
    assert live.queue.is_idle


# --- refusals -----------------------------------------------------------------------------------


def test_a_mesh_that_is_shared_no_longer_follows(live):
    terrain = add_fractal_terrain()
    other = bpy.data.objects.new("other", terrain.data)
    bpy.context.collection.objects.link(other)
    terrain.terrane.seed = 11
    live.update_now()
    assert "share" in live.note(terrain) and not follows(terrain)
    told()
    assert live.queue.is_idle, "nothing has changed about it"
    terrain.data = terrain.data.copy()
    told()
    live.update_now()
    assert live.note(terrain) == "" and follows(terrain)


def test_a_mask_that_is_back_is_followed(live):
    terrain = add_fractal_terrain()
    group = terrain.vertex_groups.new(name="few")
    group.add([1, 2, 3], 0.5, "REPLACE")
    bpy.ops.terrane.layer_add(type="terraces")
    terrain.terrane.layers[1].painted_mask = "few"
    live.update_now()
    group.name = "others"
    terrain.terrane.seed = 11
    live.update_now()
    assert "few" in live.note(terrain)
    group.name = "few"
    told()
    live.update_now()
    assert live.note(terrain) == "" and follows(terrain)


def test_a_refusal_is_no_reason_to_work(live, monkeypatch):
    """Changes elsewhere plan and evaluate nothing for a refused terrain."""
    terrain = add_fractal_terrain()
    terrain.data.vertices[40].co.z += 0.5
    terrain.terrane.seed = 11
    live.update_now()
    assert "Update" in live.note(terrain)
    cls = module("operators.bridge.terrain.terrain_product").Terrain
    monkeypatch.setattr(cls, "plan", lambda *a, **k: pytest.fail("it was looked at"))
    cube = bpy.data.objects.new("cube", bpy.data.meshes.new("cube"))
    bpy.context.collection.objects.link(cube)
    for place in range(10):
        cube.location.x = terrain.location.x = place
        told()
        live.update_now()
    assert live.queue.is_idle and "Update" in live.note(terrain)


# --- undo ---------------------------------------------------------------------------------------


def test_undo_across_the_switch(live):
    name = add_fractal_terrain().name
    bpy.ops.ed.undo_push(message="added")
    bpy.data.objects[name].terrane.seed = 11
    bpy.ops.ed.undo_push(message="seed")  # before the heights have followed, as after a click
    live.update_now()
    bpy.context.scene.terrane_live = False
    bpy.ops.ed.undo_push(message="off")
    live.update_now()
    bpy.data.objects[name].terrane.seed = 12
    bpy.ops.ed.undo_push(message="another seed")
    live.tick()  # as in a window: nothing is live
    bpy.ops.ed.undo()
    live.tick()
    bpy.ops.ed.undo()
    assert bpy.context.scene.terrane_live and bpy.data.objects[name].terrane.seed == 11
    live.update_now()
    assert follows(bpy.data.objects[name]) and live.note(bpy.data.objects[name]) == ""


def test_undo_of_a_deletion_before_anything_was_written(live):
    name = add_fractal_terrain().name
    bpy.ops.ed.undo_push(message="added")
    bpy.data.objects[name].terrane.seed = 11
    bpy.ops.ed.undo_push(message="seed")
    bpy.data.objects.remove(bpy.data.objects[name])
    bpy.ops.ed.undo_push(message="deleted")
    live.update_now()
    assert live.queue.is_idle
    bpy.ops.ed.undo()
    live.update_now()
    assert bpy.data.objects[name].terrane.seed == 11 and follows(bpy.data.objects[name])


def test_a_setting_that_is_undone_during_update_is_said(live, monkeypatch):
    """Without live update nobody else makes it anew."""
    terrain = add_fractal_terrain()
    bpy.context.scene.terrane_live = False
    said, update = [], module("operators.terrain")
    monkeypatch.setattr(update, "report", lambda operator, kind, text: said.append(text))
    terrain.terrane.seed = 11
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert said == []
    write = update.TERRANE_OT_terrain_update._write

    def undone_meanwhile(self, *arguments):
        terrain.terrane.seed = 1
        return write(self, *arguments)

    monkeypatch.setattr(update.TERRANE_OT_terrain_update, "_write", undone_meanwhile)
    terrain.terrane.seed = 12
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert len(said) == 1 and "meanwhile" in said[0]
    assert terrain.terrane.seed == 1 and not follows(terrain)


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["plan", "refusal", "work", "write"])
def test_an_error_is_raised_once(live, monkeypatch, where):
    cls = module("operators.bridge.terrain.terrain_product").Terrain
    broken, sound = add_fractal_terrain(), add_fractal_terrain()
    broken.terrane.seed, sound.terrane.seed = 11, 11
    real, name = getattr(cls, where), broken.name

    def failing(self, *arguments, **keywords):
        if arguments[0].name == name:
            raise ZeroDivisionError("a mistake")
        return real(self, *arguments, **keywords)

    monkeypatch.setattr(cls, where, failing)
    errors = 0
    end = time.monotonic() + 20.0
    while not live.queue.is_idle and time.monotonic() < end:
        try:
            live.queue.step()
        except ZeroDivisionError:
            errors += 1
        time.sleep(0.005)
    assert errors == 1 and live.queue.is_idle
    assert "console" in live.note(broken) and live.note(sound) == ""
    assert follows(sound) and not follows(broken)
    monkeypatch.undo()
    broken.terrane.seed = 12
    live.update_now()
    assert follows(broken) and live.note(broken) == ""


# --- modes --------------------------------------------------------------------------------------


def masked():
    """Return a terrain with terraces where a vertex group has weights: nowhere yet."""
    terrain = add_fractal_terrain(height=10.0)
    terrain.vertex_groups.new(name="painted")
    bpy.ops.terrane.layer_add(type="terraces")
    terrain.terrane.layers[1].painted_mask = "painted"
    return terrain


def paint(terrain, vertices):
    """Paint as the mode menu lets one do it; Blender draws meanwhile."""
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    told()
    terrain.vertex_groups["painted"].add(vertices, 1.0, "REPLACE")
    bpy.ops.ed.undo_push(message="a stroke")
    told()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.ed.undo_push(message="painted")
    told()


def test_what_was_painted_is_followed_however_painting_ends(live):
    terrain = masked()
    live.update_now()
    for count in (1000, 2000):
        before = heights(terrain)
        paint(terrain, list(range(count)))
        assert not live.queue.is_idle
        live.update_now()
        assert follows(terrain) and not np.array_equal(heights(terrain), before)


def test_a_painted_image_is_followed_too(live):
    terrain = add_fractal_terrain(height=10.0)
    bpy.ops.terrane.layer_add(type="terraces")
    live.update_now()
    assert bpy.ops.terrane.mask_paint(kind="IMAGE") == {"FINISHED"}
    live.update_now()
    told()
    assert terrain.mode == "TEXTURE_PAINT"
    image = bpy.data.images[terrain.terrane.layers[1].painted_mask]
    image.pixels.foreach_set(np.ones(len(image.pixels), np.float32))
    image.update()
    bpy.ops.object.mode_set(mode="OBJECT")
    live.update_now()
    before = heights(terrain)
    image.pixels.foreach_set(np.full(len(image.pixels), 0.5, np.float32))
    image.update()
    for mode in ("TEXTURE_PAINT", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
        told()
    live.update_now()
    assert follows(terrain) and not np.array_equal(heights(terrain), before)


def test_painting_nothing_makes_nothing_anew(live, monkeypatch):
    terrain = masked()
    live.update_now()
    cls = module("operators.bridge.terrain.terrain_product").Terrain
    monkeypatch.setattr(cls, "write", lambda *a, **k: pytest.fail("it was written"))
    paint(terrain, [])
    live.update_now()
    assert live.queue.is_idle and follows(terrain)


def test_undo_of_painting_brings_heights_back(live):
    terrain = masked()
    name = terrain.name
    live.update_now()
    bpy.ops.ed.undo_push(message="masked")
    bare = heights(terrain)
    paint(terrain, list(range(2000)))
    live.update_now()
    painted = heights(bpy.data.objects[name])
    bpy.context.scene.cursor.location.x = 1.0
    bpy.ops.ed.undo_push(message="something else")
    bpy.ops.ed.undo()
    live.update_now()
    np.testing.assert_array_equal(heights(bpy.data.objects[name]), painted)
    for mode in ("WEIGHT_PAINT", "OBJECT"):
        bpy.ops.ed.undo()
        live.update_now()
        assert bpy.data.objects[name].mode == mode
    np.testing.assert_array_equal(heights(bpy.data.objects[name]), bare)


@pytest.mark.parametrize(
    "mode, note",
    [
        ("EDIT", "Paused: return to Object Mode"),
        ("SCULPT", "Paused: return to Object Mode"),
        ("WEIGHT_PAINT", ""),
    ],
)
def test_a_change_that_waits_says_so_unless_a_mask_is_painted(live, mode, note):
    terrain = add_fractal_terrain()
    live.update_now()
    bpy.ops.object.mode_set(mode=mode)
    assert live.note(terrain) == ""
    terrain.terrane.seed = 11
    live.update_now()
    assert live.note(terrain) == note
    bpy.ops.object.mode_set(mode="OBJECT")
    assert live.note(terrain) == ""
    live.update_now()
    assert live.note(terrain) == "" and follows(terrain)


# --- copies -------------------------------------------------------------------------------------


def test_a_copy_of_a_preview_is_finished_too(live, coarse):
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 11
    live.update_now(is_preview=True)
    bpy.ops.object.duplicate()
    copy = bpy.context.active_object
    assert copy != terrain and mesh_record(copy).is_preview
    end = time.monotonic() + 20.0
    while not live.queue.is_idle and time.monotonic() < end:
        live.queue.step()
        time.sleep(0.005)
    assert follows(terrain) and follows(copy)
    assert not mesh_record(copy).is_preview


def test_a_preview_that_nobody_finishes_says_so(live, coarse):
    terrain = add_fractal_terrain()
    terrain.terrane.seed = 11
    live.update_now(is_preview=True)
    assert live.note(terrain) == "", "somebody is at work"
    bpy.context.scene.terrane_live = False
    live.update_now()
    assert "Preview" in live.note(terrain)
    bpy.ops.object.duplicate()
    assert "Preview" in live.note(bpy.context.active_object)
    bpy.ops.terrane.terrain_update()
    assert live.note(bpy.context.active_object) == ""


# --- scenes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_live", [True, False])
def test_the_scene_of_the_terrain_decides(live, is_live):
    terrain, other = add_fractal_terrain(), bpy.data.scenes.new("other")
    bpy.context.scene.terrane_live, other.terrane_live = is_live, not is_live
    terrain.terrane.seed = 11
    with bpy.context.temp_override(scene=other):
        live.update_now()
    assert follows(terrain) == is_live
    other.collection.objects.link(terrain)
    terrain.terrane.seed = 12
    live.update_now()
    assert follows(terrain), "one of its scenes is live"
