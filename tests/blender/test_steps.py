# SPDX-License-Identifier: GPL-3.0-or-later
"""What takes long is done in steps, between which Blender goes on; nothing half done is left."""

from __future__ import annotations

import importlib
import itertools
import threading

import bpy
import numpy as np
import pytest

PACKAGE = "bl_ext.user_default.terrane"


def module(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


def bridge(name):
    return module(f"operators.bridge.{name}")


@pytest.fixture
def jobs(terrane):
    yield bridge("work.jobs")
    bridge("work.jobs").end_all()


class Clock:
    """Seconds that pass only when they are told to; `tick` may make them coarse."""

    def __init__(self, tick=lambda now: now, now=0.0):
        self.now, self._tick = now, tick

    def __call__(self):
        return self._tick(self.now)


def course(steps, clock=None):
    return bridge("work.steps").StepRunner("Working", steps, clock or Clock())


def walked(one):
    """Take all steps of a course as a window would, a little in each turn; return how many turns."""
    for turn in itertools.count(1):
        if one.advance(0.0):
            return turn
        if one.job is not None:
            one.job.wait(5.0)


# --- steps --------------------------------------------------------------------------------------


def work_of(value, heard=None):
    def work(progress, cancel):
        if heard is not None:
            heard.append(threading.current_thread())
        progress(1.0)
        return value

    return work


def test_steps_get_what_their_work_gives(jobs):
    heard = []

    def steps():
        first = yield work_of(3, heard)
        yield None
        second = yield work_of(4, heard)
        return first * second

    assert bridge("work.steps").at_once(steps()) == 12
    assert heard == [threading.main_thread()] * 2
    one = course(steps())
    assert walked(one) > 1 and one.result == 12 and one.share == 1.0
    assert threading.main_thread() not in heard[2:] and len(heard) == 4


def test_a_function_without_steps_counts_too(terrane):
    steps = bridge("work.steps")

    def three():
        yield None
        return 3

    assert steps.at_once(steps.taken(3)) == steps.at_once(steps.taken(three())) == 3


def test_a_course_goes_on_until_its_time_is_over(jobs):
    clock, taken = Clock(), []

    def steps():
        for number in range(5):
            taken.append(number)
            clock.now += 0.01
            yield None

    one = course(steps(), clock)
    assert not one.advance(0.025) and taken == [0, 1, 2]
    assert one.is_ready and one.job is None
    assert not one.advance(0.0) and taken == [0, 1, 2, 3]
    assert one.advance(1.0) and taken == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("begin", [0.0, 0.004, 0.0155])
def test_a_turn_lasts_as_long_as_its_clock_can_tell(jobs, tick, begin):
    clock = Clock(tick, begin)

    def steps():
        while True:
            clock.now += 0.001
            yield None

    error = 0.0 if tick(0.001) else 1.0 / 64.0
    one, turns = course(steps(), clock), 20
    for _ in range(turns):
        start = clock.now
        assert not one.advance(0.015)
        assert 0.015 - error < clock.now - start + 1e-9 and clock.now - start < 0.017 + error


def test_a_course_is_not_held_up_by_its_work(jobs):
    go_on = threading.Event()

    def steps():
        yield lambda progress, cancel: go_on.wait(5.0)
        yield None

    one = course(steps())
    assert not one.advance(0.0) and not one.is_ready and jobs.running() is one.job
    assert not one.advance(0.0)
    go_on.set()
    one.job.wait(5.0)
    assert one.is_ready and not one.advance(0.0) and jobs.running() is one.job
    assert one.advance(0.0)
    one.close()
    assert jobs.running() is None


def test_progress_never_falls_from_work_to_work(jobs):
    def steps():
        yield work_of(1)
        yield None
        yield lambda progress, cancel: None
        yield None

    one, shares = course(steps()), []
    while not one.advance(0.0):
        one.job.wait(5.0)
        shares.append(one.share)
    assert set(shares) == {1.0} and len(shares) > 1 and one.job.share == 0.0


def test_what_was_finished_early_stays_so(jobs):
    told = threading.Event()

    def steps():
        yield lambda progress, cancel: told.wait(5.0)
        yield work_of(2)

    one = course(steps())
    one.advance(0.0)
    one.job.finish()
    told.set()
    walked(one)
    assert one.is_finishing
    other = course(steps())
    walked(other)
    assert not other.is_finishing


@pytest.mark.parametrize("stopped", [True, False])
def test_whoever_stops_steps_between_two_leaves_nothing(jobs, stopped):
    left = []

    def steps():
        try:
            yield work_of(1)
            yield None
            yield None
        finally:
            left.append("cleaned up")

    one = course(steps())
    one.advance(0.0)
    one.job.wait(5.0)
    assert not one.advance(0.0) and left == []
    if stopped:
        one.job.stop()
        with pytest.raises(module("noise_core.errors").Cancelled):
            one.advance(0.0)
    one.close()
    assert left == ["cleaned up"] and jobs.running() is None


def test_steps_clean_up_after_an_error_in_their_work(terrane):
    left = []

    def refusing(progress, cancel):
        raise ValueError("no")

    def steps():
        try:
            yield refusing
        finally:
            left.append("cleaned up")

    with pytest.raises(ValueError, match="no"):
        bridge("work.steps").at_once(steps())
    assert left == ["cleaned up"]


# --- a new mesh ---------------------------------------------------------------------------------


@pytest.fixture
def bit_by_bit(jobs, monkeypatch):
    """Make small meshes as large ones are made."""
    monkeypatch.setattr(bridge("geometry.new_meshes"), "SMALL", 0)
    return jobs


def mesh_steps(rows=5, columns=7):
    grid = module("noise_core").Grid(rows, columns, size=30.0)
    height = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    return bridge("geometry.new_meshes").grid_mesh(
        "Land", grid, height, {"steep": height * np.float32(0.5)}
    )


def taken_for(steps, turns):
    """Take so many steps."""
    one = course(steps)
    for _ in range(turns):
        assert not one.advance(0.0)
        if one.job is not None:
            one.job.wait(5.0)
    return one


def test_a_mesh_made_in_turns_is_that_made_at_once(bit_by_bit, monkeypatch):
    one = course(mesh_steps())
    assert walked(one) > 8
    parts = []
    at_once = bridge("work.steps").at_once(mesh_steps())
    monkeypatch.undo()
    small = course(mesh_steps())
    assert small.advance(0.0), "a small mesh is made in one step"
    for mesh in (one.result, at_once, small.result):
        assert not mesh.validate() and mesh.users == 0
        corners = [loop.vertex_index for loop in mesh.loops]
        edges = [tuple(edge.vertices) for edge in mesh.edges]
        faces = [(face.loop_start, face.loop_total) for face in mesh.polygons]
        places = [tuple(vertex.co) for vertex in mesh.vertices]
        uv = [tuple(place.vector) for place in mesh.uv_layers[0].uv]
        steep = [one.value for one in mesh.attributes["steep"].data]
        parts.append((corners, edges, faces, places, uv, steep))
    assert parts[0] == parts[1] == parts[2]
    one.close()


@pytest.mark.parametrize("turns", range(1, 9))
def test_a_mesh_that_is_given_up_is_gone(bit_by_bit, turns):
    one = taken_for(mesh_steps(), turns)
    assert [mesh.users for mesh in bpy.data.meshes] == [0]
    one.close()
    assert not bpy.data.meshes


@pytest.mark.parametrize("turns", range(1, 9))
def test_a_mesh_that_is_taken_away_meanwhile_is_noticed(bit_by_bit, turns):
    one = taken_for(mesh_steps(), turns)
    bpy.data.meshes.remove(bpy.data.meshes[0])
    other = bpy.data.meshes.new("Land")
    with pytest.raises(module("noise_core.errors").TerraneError, match="removed meanwhile"):
        walked(one)
    one.close()
    assert list(bpy.data.meshes) == [other] and len(other.vertices) == 0


def test_a_mesh_that_is_renamed_meanwhile_is_found(bit_by_bit):
    one = taken_for(mesh_steps(), 3)
    bpy.data.meshes[0].name = "Island"
    bpy.data.meshes.new("Land")
    walked(one)
    assert one.result.name == "Island" and len(one.result.vertices) == 35
    one.close()


def in_a_window(monkeypatch, between=lambda turn: None):
    """Make operators take their steps as in a window; something may happen between two turns."""

    def execute(self, context):
        one = self._runner = course(self._steps_in_window(context))
        for turn in itertools.count():
            status = self._go_on(context, 0.0)
            if status is not None:
                return status
            if one.job is not None:
                one.job.wait(30.0)
            between(turn)

    monkeypatch.setattr(module("operators.long_operator").LongOperator, "execute", execute)
    monkeypatch.setattr(bridge("work.windows"), "show_progress", lambda *arguments: None)


def test_a_terrain_is_added_in_turns(bit_by_bit, monkeypatch):
    seen = []
    in_a_window(
        monkeypatch, lambda turn: seen.append((len(bpy.data.meshes), len(bpy.data.objects)))
    )
    assert bpy.ops.terrane.terrain_add(resolution=33, seed=3) == {"FINISHED"}
    assert set(seen) <= {(0, 0), (1, 0)} and seen.count((1, 0)) > 5 and bit_by_bit.running() is None
    thing = bpy.context.active_object
    assert thing.terrane.is_terrain and thing.terrane.seed == 3
    heights = [vertex.co.z for vertex in thing.data.vertices]
    monkeypatch.undo()  # from here on it is small, and made at once
    bpy.ops.terrane.terrain_add(resolution=33, seed=3)
    assert [vertex.co.z for vertex in bpy.context.active_object.data.vertices] == heights


def test_a_terrain_is_not_added_in_another_mode(bit_by_bit, monkeypatch):
    bpy.ops.mesh.primitive_plane_add()

    def enter(turn):
        if len(bpy.data.meshes) > 1 and bpy.context.mode == "OBJECT":
            bpy.ops.object.mode_set(mode="EDIT")

    in_a_window(monkeypatch, enter)
    with pytest.raises(RuntimeError, match="No terrain was added. Switch to Object Mode first"):
        bpy.ops.terrane.terrain_add(resolution=33)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert len(bpy.data.meshes) == len(bpy.data.objects) == 1


# --- faces --------------------------------------------------------------------------------------


def faces_of(count):
    mesh = bpy.data.meshes.new("Faces")
    mesh.loops.add(4 * count)
    mesh.polygons.add(count)
    return mesh


@pytest.mark.parametrize("count", [1, 2, 3, 1000])
@pytest.mark.parametrize("is_known", [True, False])
def test_faces_begin_where_they_are_told_to(terrane, monkeypatch, count, is_known):
    compat = bridge("compat")
    if not is_known:
        monkeypatch.setattr(compat, "_numbers_in_place", lambda faces: None)
    mesh, starts = faces_of(count), np.arange(0, 4 * count, 4, dtype=np.int32)
    compat.set_face_starts(mesh, starts)
    assert [face.loop_start for face in mesh.polygons] == starts.tolist()
    assert {face.loop_total for face in mesh.polygons} == {4}


def test_this_blender_has_the_quick_way(terrane):
    assert bridge("compat")._numbers_in_place(faces_of(100).polygons) is not None


class StrangeFaces:
    """Faces that lie otherwise in memory than Blender's."""

    def __init__(self, step, is_shown):
        self.memory = np.zeros(400, np.int32)
        self.step, self.is_shown = step, is_shown

    def __len__(self):
        return 50

    def __getitem__(self, place):
        faces = self

        class Face:
            def as_pointer(self):
                return faces.memory.ctypes.data + faces.step * place

            def __setattr__(self, name, value):
                if faces.is_shown:
                    faces.memory[place] = value

        return Face()


def test_a_blender_that_has_them_otherwise_is_recognized(terrane):
    in_place = bridge("compat")._numbers_in_place
    assert in_place(StrangeFaces(4, is_shown=True)) is not None
    assert in_place(StrangeFaces(8, is_shown=True)) is None
    assert in_place(StrangeFaces(0, is_shown=True)) is None
    assert in_place(StrangeFaces(4, is_shown=False)) is None


# --- reading ------------------------------------------------------------------------------------


def test_memory_that_is_ready_is_given_away_once(terrane):
    memory = bridge("work.memory")
    blocks = bridge("work.jobs").at_once(memory.touching((8, 400, 400)))
    assert [block.tolist() for block in blocks] == [[0] * 8, [0] * 400, [0] * 400]
    with memory.ready(blocks):
        first, second = memory.empty(100, np.float32), memory.empty(100, np.int32)
        third, other = memory.empty(100, np.float32), memory.empty(101, np.float32)
        assert first.base is blocks[1] and second.base is blocks[2]
        assert first.dtype == np.float32 and second.dtype == np.int32 and first.shape == (100,)
        assert not any(np.shares_memory(one, block) for one in (third, other) for block in blocks)
    assert not np.shares_memory(memory.empty(2, np.int32), blocks[0])


def test_nobody_waits_for_memory_that_is_not_needed(terrane):
    with pytest.raises(module("noise_core.errors").Cancelled):
        bridge("work.memory").touching((8,))(lambda share: None, lambda: True)


def test_memory_is_made_ready_for_blender_where_somebody_would_wait_for_it(terrane, monkeypatch):
    memory, attendance = bridge("work.memory"), bridge("work.attendance")
    monkeypatch.setattr(memory, "WORTH", 100)
    asked = []
    empty = np.empty
    noting = lambda size, dtype: asked.append(empty(size, dtype)) or asked[-1]  # noqa: E731
    (work,) = memory.warmed((60, 40))
    with monkeypatch.context() as patch:
        patch.setattr(memory.np, "empty", noting)
        assert work(lambda share: None, lambda: False) == ()
    assert [block.tolist() for block in asked] == [[0] * 60, [0] * 40]
    with pytest.raises(module("noise_core.errors").Cancelled):
        work(lambda share: None, lambda: True)
    assert list(memory.warmed((60, 39))) == []
    with attendance.at_once():
        assert list(memory.warmed((60, 40))) == []


def test_room_is_as_large_as_is_said(terrane, monkeypatch):
    meshes, topology = bridge("meshes"), bridge("geometry.topology").Topology(33, 65)
    mesh = bpy.data.meshes.new("Room")
    rooms = meshes.room_for(topology)
    for room in rooms:
        room.make(mesh)
    kinds = ((".edge_verts", 8), (".corner_vert", 4), (".corner_edge", 4), ("position", 12))
    sizes = {name: size * len(mesh.attributes[name].data) for name, size in kinds}
    said = [size for room in rooms for size in room.sizes]
    assert sorted(said) == sorted([*sizes.values(), 4 * len(mesh.polygons)])
    *_, coordinates = meshes.parts_of(topology)
    coordinates.add(mesh)
    assert coordinates.size == 8 * len(mesh.attributes["UVMap"].data)
    assert coordinates.make().nbytes == coordinates.size


@pytest.fixture
def large(terrane, monkeypatch):
    """Return a terrain that counts as large."""
    bpy.ops.terrane.terrain_add(resolution=65, preset="alps", size=500.0)
    monkeypatch.setattr(bridge("work.memory"), "WORTH", 1)
    monkeypatch.setattr(bridge("geometry.displacement"), "_MANY", 1)
    return bpy.context.active_object


READERS = {
    "terrain_erode": ({"modifier": "thermal_erosion", "passes": 2}, 4, 1),
    "maps_bake": ({"maps": {"slope"}}, 4, 1),
    "mesh_displace": ({"direction": "normal"}, 3, 2),
}
"""Operators that read whole meshes, how they are called, how many arrays they read, and how many more if
a shape key is active."""


@pytest.mark.parametrize("operator", READERS)
@pytest.mark.parametrize("has_keys", [False, True])
def test_what_is_made_ready_is_all_that_is_read(large, jobs, monkeypatch, operator, has_keys):
    keywords, count, more = READERS[operator]
    if has_keys:
        count += more
        large.shape_key_add(name="Basis")
        large.shape_key_add(name="Higher")
        large.active_shape_key_index = 1
    memory, left = bridge("work.memory"), []
    cls = getattr(module(f"operators.{operator}"), f"TERRANE_OT_{operator}")
    prepare = cls.prepare

    def watched(self, context):
        assert len(memory._ready) == count
        work = prepare(self, context)
        left.extend(memory._ready)
        return work

    monkeypatch.setattr(cls, "prepare", watched)
    in_a_window(monkeypatch)
    assert getattr(bpy.ops.terrane, operator)(**keywords) == {"FINISHED"}
    assert left == [] and memory._ready == []


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT"])
@pytest.mark.parametrize("operator", READERS)
def test_a_large_mesh_is_read_as_a_small_one(large, jobs, monkeypatch, operator, mode):
    keywords = READERS[operator][0]
    before = np.empty(len(large.data.vertices) * 3, np.float32)
    large.data.vertices.foreach_get("co", before)
    states = []
    for is_window in (False, True):
        large.data.vertices.foreach_set("co", before)
        with monkeypatch.context() as patch:
            bpy.ops.object.mode_set(mode=mode)
            if is_window:
                in_a_window(patch)
            assert getattr(bpy.ops.terrane, operator)(**keywords) == {"FINISHED"}
            bpy.ops.object.mode_set(mode="OBJECT")
        names = sorted(one.name for one in large.data.attributes if not one.name.startswith("."))
        heights = [vertex.co.z for vertex in large.data.vertices]
        states.append((names, heights))
    (names, heights), (names_in_window, heights_in_window) = states
    assert names == names_in_window
    # A thread's normals are Blender's but for rounding; everything else is the same to the bit.
    limit = 2e-6 if operator == "mesh_displace" else 0.0
    np.testing.assert_allclose(heights_in_window, heights, rtol=0.0, atol=limit)


@pytest.mark.parametrize("change", ["select", "remove", "sculpt"])
def test_what_happens_before_a_large_mesh_is_read_is_noticed(large, jobs, monkeypatch, change):
    other = bpy.data.objects.new("Other", bpy.data.meshes.new("Other"))
    bpy.context.scene.collection.objects.link(other)
    before = [vertex.co.z for vertex in large.data.vertices]
    changes = {
        "select": lambda: setattr(bpy.context.view_layer.objects, "active", other),
        "remove": lambda: bpy.data.objects.remove(large),
        "sculpt": lambda: bpy.ops.object.mode_set(mode="SCULPT"),
    }
    in_a_window(monkeypatch, lambda turn: changes[change]() if turn == 1 else None)
    reasons = {"select": "was selected", "remove": "was removed", "sculpt": "was changed"}
    with pytest.raises(RuntimeError, match=reasons[change]):
        bpy.ops.terrane.terrain_erode(modifier="thermal_erosion")
    assert jobs.running() is None
    if change != "remove":
        assert [vertex.co.z for vertex in large.data.vertices] == before
        assert "terrane_height_before" not in large.data.attributes
