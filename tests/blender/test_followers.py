# SPDX-License-Identifier: GPL-3.0-or-later
"""Water and other parts made of a terrain's heights follow them, and never delay them."""

from __future__ import annotations

import threading
import time

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, part, positions
from tests.blender.rendering import render_with_and_without


@pytest.fixture
def terrain(live):
    """Return a coast with water."""
    made = add_terrain(preset="coast", resolution=65)
    bpy.ops.terrane.water_add()
    return made


def follower():
    return module("operators.bridge.scene.waters").WATER


def fits(terrain):
    """Return whether the water is that of the present heights and settings, made anew to compare."""
    jobs = module("operators.bridge.tasks.jobs")
    made = jobs.at_once(follower().work(terrain, follower().request(terrain)))
    return np.array_equal(
        positions(part("water", terrain).data), made.places
    ) and not follower().is_due(terrain)


def raise_ground(thing, meters=30.0):
    moved = positions(thing.data)
    moved[:, 2] += np.linspace(-meters, meters, len(moved), dtype=np.float32)
    thing.data.attributes["position"].data.foreach_set("vector", moved.reshape(-1))
    thing.data.update()


def change_of(terrain):
    before = positions(part("water", terrain).data).copy()
    return lambda: not np.array_equal(positions(part("water", terrain).data), before)


@pytest.mark.slow
def test_water_is_what_the_operator_made(terrain):
    assert fits(terrain) and len(part("water", terrain).data.polygons) > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"), [("height", 2000.0), ("seed", 12), ("size", 3000.0), ("resolution", 49)]
)
def test_it_follows_when_the_settings_are_updated_live(terrain, live, name, value):
    has_changed = change_of(terrain)
    setattr(terrain.terrane, name, value)
    live.update_now()
    assert has_changed() and fits(terrain)


def test_a_drag_shows_previews_alone_and_water_is_made_when_it_ends(terrain, live, monkeypatch):
    has_changed = change_of(terrain)
    terrain.terrane.seed = 5
    live.update_now(is_preview=True)
    record = module("operators.bridge.terrain.mesh_record").of(terrain.data)
    if record.is_preview:
        assert not has_changed()
    live.update_now()
    assert has_changed() and fits(terrain)


def test_water_is_made_in_a_thread_and_not_in_the_turn_of_the_heights(
    terrain, dispatcher, monkeypatch
):
    waters = module("operators.bridge.scene.water_meshes")
    threads, real = [], waters._make

    def make(*values):
        threads.append(threading.current_thread())
        return real(*values)

    monkeypatch.setattr(waters, "_make", make)
    raise_ground(terrain)
    module("operators.bridge.terrain.followers").follow_live(terrain)
    assert dispatcher.step() and not threads, "it waits until nothing has changed for a moment"
    dispatcher.now += 0.2
    end = time.monotonic() + 30.0
    while not dispatcher.is_idle and time.monotonic() < end:
        dispatcher.step()
        dispatcher.now += 0.001
        time.sleep(0.001)
    assert len(threads) == 1 and threads[0] is not threading.main_thread()
    assert fits(terrain)


def test_heights_do_not_wait_for_water(terrain, dispatcher, monkeypatch):
    waters = module("operators.bridge.scene.water_meshes")
    release, real, stopped = threading.Event(), waters._make, []

    def make(*values):
        release.wait(10.0)
        stopped.append(values[-1]())
        return real(*values)

    monkeypatch.setattr(waters, "_make", make)
    part("water", terrain).terrane_water.level = 30.0
    dispatcher.now += 0.2
    dispatcher.step()
    assert dispatcher.run is not None and dispatcher.run.task.key[0] == "water"
    job = dispatcher.run.job
    dispatcher.now += 0.1
    terrain.terrane.seed = 9
    tasks = module("operators.bridge.tasks.task")
    dispatcher.add(tasks.Task(tasks.product_of(terrain), terrain))
    dispatcher.step()
    running = dispatcher.run
    assert running is None or running.task.key[0] == "terrain"
    release.set()
    job.wait(10.0)
    assert stopped == [True]
    assert any(key[0] == "water" for key in dispatcher.waiting), "it is made later"


def test_a_result_for_other_heights_is_not_written(terrain, live):
    product = follower()
    raise_ground(terrain)
    update = product.plan(terrain)
    result = module("operators.bridge.tasks.jobs").at_once(product.work(terrain, update.request))
    raise_ground(terrain)
    has_changed = change_of(terrain)
    assert product.finish(terrain, update, result, is_live=True) is None
    assert not has_changed() and follower().is_due(terrain)
    live.add(module("operators.bridge.tasks.task").Task(product, terrain))
    live.update_now()
    assert fits(terrain)


@pytest.mark.parametrize("way", ["sculpt", "script"])
def test_heights_changed_by_hand_are_followed(terrain, live, way):
    has_changed = change_of(terrain)
    if way == "sculpt":
        bpy.ops.object.mode_set(mode="SCULPT")
    raise_ground(terrain)
    bpy.context.view_layer.update()
    if way == "sculpt":
        live.update_now()
        assert not has_changed(), "not while the user works on it"
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.update()
    live.update_now()
    assert has_changed() and fits(terrain)


def test_operators_that_change_heights_end_with_water_that_fits(terrain):
    bpy.ops.terrane.mesh_erode(modifier="stream_erosion")
    assert fits(terrain)
    bpy.ops.terrane.layer_mute()
    bpy.ops.terrane.terrain_update()
    assert fits(terrain)
    bpy.ops.terrane.layer_remove()
    bpy.ops.terrane.terrain_update()
    assert fits(terrain)
    bpy.ops.terrane.mesh_displace(strength=40.0)
    assert fits(terrain)
    bpy.ops.terrane.terrain_update(from_panel=True)
    assert fits(terrain)
    bpy.ops.terrane.terrain_update(height=1500.0, resolution=49)
    assert fits(terrain)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [("level", 40.0), ("sea", False), ("rivers", 0.05), ("rivers", 0.0), ("river_width", 2.0)],
)
def test_it_follows_its_own_settings(terrain, live, name, value):
    has_changed = change_of(terrain)
    setattr(part("water", terrain).terrane_water, name, value)
    live.update_now()
    assert has_changed() and fits(terrain)


def test_the_open_sea_follows_too(terrain, live):
    bpy.ops.terrane.surroundings_add(kind="sea")
    ring, settings = part("open_sea", terrain), part("water", terrain).terrane_water
    settings.level = 25.0
    live.update_now()
    assert set(positions(ring.data)[:, 2].tolist()) == {25.0}
    settings.sea = False
    live.update_now()
    assert len(ring.data.vertices) == 0
    settings.sea = True
    terrain.terrane.size = 2000.0
    live.update_now()
    np.testing.assert_allclose(np.abs(positions(ring.data)[:4, :2]), 1000.0, rtol=1e-6)


def test_without_live_update_only_operators_make_it(terrain, live):
    bpy.context.scene.terrane_live = False
    has_changed = change_of(terrain)
    raise_ground(terrain)
    part("water", terrain).terrane_water.level = 20.0
    bpy.context.view_layer.update()
    live.update_now()
    assert not has_changed()
    bpy.ops.terrane.water_add(from_panel=True)
    assert has_changed() and fits(terrain)
    assert part("water", terrain).terrane_water.level == 20.0


def test_undo_and_redo_leave_water_that_fits(terrain, live):
    bpy.ops.ed.undo_push(message="before")
    name = terrain.name
    terrain.terrane.height = 3000.0
    bpy.ops.ed.undo_push(message="height")
    live.update_now()  # after the step, as the timer does
    high = positions(part("water", terrain).data).copy()
    bpy.ops.ed.undo()
    terrain = bpy.data.objects[name]
    live.update_now()
    assert fits(terrain) and not np.array_equal(positions(part("water", terrain).data), high)
    bpy.ops.ed.redo()
    terrain = bpy.data.objects[name]
    live.update_now()
    assert fits(terrain)
    np.testing.assert_array_equal(positions(part("water", terrain).data), high)


def test_undo_of_water_leaves_nothing_to_do(live):
    bpy.ops.terrane.terrain_add(preset="coast", resolution=33)
    name = bpy.context.active_object.name
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.terrane.water_add()
    bpy.ops.ed.undo_push(message="water")
    bpy.ops.ed.undo()
    terrain = bpy.data.objects[name]
    live.update_now()
    assert part("water", terrain) is None and live.queue.is_idle


def test_deleted_water_stays_deleted(terrain, live):
    bpy.data.objects.remove(part("water", terrain))
    terrain.terrane.height = 3000.0
    live.update_now()
    assert part("water", terrain) is None and live.queue.is_idle
    bpy.ops.terrane.terrain_update(height=2000.0)
    assert part("water", terrain) is None


def test_water_removed_while_it_is_made_is_not_missed(terrain):
    steps = follower().run(terrain)
    work = next(steps)
    result = module("operators.bridge.tasks.jobs").at_once(work)
    bpy.data.objects.remove(part("water", terrain))
    with pytest.raises(StopIteration):
        steps.send(result)
    assert part("water", terrain) is None


def test_a_copy_has_water_of_its_own(terrain, live):
    old = part("water", terrain)
    for one in (terrain, old):
        one.select_set(True)
    bpy.ops.object.duplicate()
    copy = bpy.context.active_object
    own = next(one for one in bpy.context.selected_objects if one != copy)
    own.parent = copy
    before = positions(old.data).copy()
    copy.terrane.height = 3000.0
    live.update_now()
    assert fits(copy) and part("water", copy) == own and own.data != old.data
    np.testing.assert_array_equal(positions(old.data), before)


def test_terrains_that_share_a_mesh_all_have_their_water(terrain, live):
    twin = terrain.copy()
    bpy.context.scene.collection.objects.link(twin)
    bpy.context.view_layer.objects.active = twin
    bpy.ops.terrane.water_add(level=30.0)
    assert twin.data == terrain.data and part("water", twin).data != part("water", terrain).data
    bpy.ops.terrane.terrain_update(height=2500.0)
    assert fits(twin) and fits(terrain)
    raise_ground(terrain)
    bpy.context.view_layer.update()
    live.update_now()
    assert fits(twin) and fits(terrain)


def test_a_file_saved_before_the_water_was_made_gets_it(terrain, live, tmp_path):
    name, path = terrain.name, str(tmp_path / "early.blend")
    raise_ground(terrain)
    terrain.terrane.height = 1000.0
    live.update_now(is_preview=True)
    live.queue.clear()
    assert not fits(terrain)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    live.update_now()
    assert fits(bpy.data.objects[name])


def test_a_render_shows_water_that_fits(terrain, live, tmp_path):
    terrain.terrane.height = 3000.0
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False  # Debian's Blender 4.3 is built without it
    scene.render.resolution_x = scene.render.resolution_y = 8
    bpy.ops.render.render()
    assert fits(terrain)


def test_a_mesh_that_is_no_grid_any_more_keeps_its_water(terrain, live):
    has_changed = change_of(terrain)
    terrain.data.vertices.add(1)
    bpy.context.view_layer.update()
    live.update_now()
    assert not has_changed()
    assert bpy.ops.terrane.mesh_displace(strength=5.0) == {"FINISHED"}


@pytest.mark.wide
def test_a_saved_file_renders_the_same_without_the_extension(terrain, tmp_path):
    bpy.ops.terrane.surroundings_add(kind="sea")
    bpy.ops.terrane.sky_add(replace=True)
    bpy.ops.terrane.camera_add(replace=True)
    own, other = render_with_and_without(tmp_path)
    assert own.std() > 0.05
    np.testing.assert_allclose(other, own, atol=0.02)


def test_nothing_of_water_is_left_when_it_is_removed(terrain):
    names = ("objects", "meshes", "materials", "node_groups")
    bpy.ops.terrane.landscape_part_remove(part="water")
    before = {name: len(getattr(bpy.data, name)) for name in names}
    bpy.ops.terrane.water_add()
    assert {name: len(getattr(bpy.data, name)) for name in names} != before
    bpy.ops.terrane.landscape_part_remove(part="water")
    assert {name: len(getattr(bpy.data, name)) for name in names} == before
    assert not [name for name in terrain.keys() if "made" in name]


def test_changes_of_the_material_stay(terrain):
    material = part("water", terrain).active_material
    node = material.node_tree.nodes["Water"]
    node.inputs["Foam"].default_value = 0.25
    clear = node.inputs["Clear"].default_value
    bpy.ops.terrane.water_add(level=20.0)
    bpy.ops.terrane.terrain_update(size=2.0 * terrain.terrane.size)
    node = material.node_tree.nodes["Water"]
    assert node.inputs["Foam"].default_value == 0.25
    assert node.inputs["Clear"].default_value == clear


def test_other_children_of_a_terrain_are_left_alone(terrain, live):
    for data in (None, bpy.data.meshes.new("House")):
        child = bpy.data.objects.new("Child", data)
        child.parent = terrain
        bpy.context.scene.collection.objects.link(child)
    terrain.terrane.height = 3000.0
    live.update_now()
    assert fits(terrain)
    assert bpy.ops.terrane.terrain_update(height=2000.0) == {"FINISHED"} and fits(terrain)


def cut_sea(terrain):
    """Return the level of the cut side of the sea on a terrain's block; None if none is shown."""
    bpy.context.view_layer.update()
    shown = part("base", terrain).evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    wet = [one is not None and one.name.startswith("Terrane Water") for one in mesh.materials]
    faces = [one for one in mesh.polygons if wet[one.material_index]]
    heights = [mesh.vertices[place].co.z for one in faces for place in one.vertices]
    shown.to_mesh_clear()
    return max(heights) if heights else None


def test_the_sea_cut_on_a_block_rises_and_falls_with_the_water(terrain, live):
    bpy.ops.terrane.surroundings_add(kind="base")
    highest = max(vertex[2] for vertex in positions(terrain.data))
    water = part("water", terrain).terrane_water
    for level in (0.5 * highest, -5.0, 2.0 * highest):
        water.level = level
        live.update_now()
        assert cut_sea(terrain) == pytest.approx(max(level, cut_ground(terrain)))
    assert cut_sea(terrain) == pytest.approx(2.0 * highest)
    water.sea = False
    live.update_now()
    assert cut_sea(terrain) is None
    water.sea = True
    live.update_now()
    assert cut_sea(terrain) == pytest.approx(2.0 * highest)
    assert not module("operators.bridge.scene.bases").BASE.is_due(terrain)


def cut_ground(terrain):
    """Return the highest point of a terrain's border: the water's side has no height above it."""
    built = module("operators.bridge.terrain.terrains").built_grid(terrain)
    high = positions(terrain.data)[:, 2].reshape(built.rows, built.columns)
    return max(high[0].max(), high[-1].max(), high[:, 0].max(), high[:, -1].max())


def test_undo_of_a_level_takes_the_cut_sea_back(terrain, live):
    bpy.ops.terrane.surroundings_add(kind="base")
    name, before = terrain.name, 4000.0
    part("water", terrain).terrane_water.level = before
    live.update_now()
    bpy.ops.ed.undo_push(message="before")
    part("water", terrain).terrane_water.level = 5000.0
    bpy.ops.ed.undo_push(message="level")
    live.update_now()  # after the step, as the timer does
    assert cut_sea(terrain) == pytest.approx(5000.0)
    bpy.ops.ed.undo()
    terrain = bpy.data.objects[name]
    live.update_now()
    assert cut_sea(terrain) == pytest.approx(before)


def test_a_block_without_nodes_is_left_alone(terrain, live):
    bpy.ops.terrane.surroundings_add(kind="base")
    part("base", terrain).modifiers.clear()
    part("water", terrain).terrane_water.level = 12.0
    live.update_now()
    assert fits(terrain)
    assert bpy.ops.terrane.terrain_update(height=2000.0) == {"FINISHED"} and fits(terrain)
