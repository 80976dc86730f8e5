# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work is done in steps, between which Blender goes on; nothing half done is left."""

from __future__ import annotations

import itertools
import threading

import bpy
import numpy as np
import pytest

from tests.blender.extension import bridge, module
from tests.blender.helpers import add_terrain


class Clock:
    """Seconds that pass only when they are told to; `tick` may make them coarse."""

    def __init__(self, tick=lambda now: now, now=0.0):
        self.now, self._tick = now, tick

    def __call__(self):
        return self._tick(self.now)


def course(steps, clock=None):
    return bridge("tasks.steps").StepRunner("Working", steps, clock or Clock())


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

    assert bridge("tasks.steps").at_once(steps()) == 12
    assert heard == [threading.main_thread()] * 2
    one = course(steps())
    assert walked(one) > 1 and one.result == 12 and one.share == 1.0
    assert threading.main_thread() not in heard[2:] and len(heard) == 4


def test_parts_of_long_work_share_its_progress(jobs):
    steps = bridge("tasks.steps")

    def inner():
        first = yield work_of(3)
        yield None
        return first + (yield work_of(4))

    def outer(seen):
        assert (yield steps.part_of_work(work_of(2), 0.0, 0.25)) == 2
        seen.append(one.share)
        both = yield from steps.part_of_steps(inner(), 0.25, 0.75)
        seen.append(one.share)
        return both

    seen = []
    one = course(outer(seen))
    walked(one)
    assert one.result == 7 and seen == [0.25, 0.75] and one.share == 0.75


def test_a_function_without_steps_counts_too(terrane):
    steps = bridge("tasks.steps")

    def three():
        yield None
        return 3

    assert steps.at_once(steps.as_steps(3)) == steps.at_once(steps.as_steps(three())) == 3


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
    assert set(shares) == {1.0} and len(shares) > 1
    assert one.job.share == 1.0, "what panels show of it"


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
        with pytest.raises(module("noise_core.base.errors").Cancelled):
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
        bridge("tasks.steps").at_once(steps())
    assert left == ["cleaned up"]


# --- a new mesh ---------------------------------------------------------------------------------


@pytest.fixture
def bit_by_bit(jobs, monkeypatch):
    """Make small meshes as large ones are made."""
    monkeypatch.setattr(bridge("terrain.mesh_building"), "SMALL", 0)
    return jobs


def mesh_steps(rows=5, columns=7):
    grid = module("noise_core").Grid(rows, columns, size=30.0)
    height = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    return bridge("terrain.mesh_building").build_mesh(
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
    at_once = bridge("tasks.steps").at_once(mesh_steps())
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
    assert len(bpy.data.scenes) == 1 and not bpy.data.node_groups
    one.close()
    assert not bpy.data.meshes and not bpy.data.objects


@pytest.mark.parametrize("turns", range(1, 9))
def test_a_mesh_that_is_taken_away_meanwhile_is_noticed(bit_by_bit, turns):
    one = taken_for(mesh_steps(), turns)
    bpy.data.meshes.remove(bpy.data.meshes[0])
    other = bpy.data.meshes.new("Land")
    with pytest.raises(module("noise_core.base.errors").TerraneError, match="removed meanwhile"):
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
        one = self._runner = course(self.run(context))
        for turn in itertools.count():
            status = self._go_on(context, 0.0)
            if status is not None:
                return status
            if one.job is not None:
                one.job.wait(30.0)
            between(turn)

    monkeypatch.setattr(module("operators.long_operator").LongOperator, "execute", execute)
    monkeypatch.setattr(bridge("interface.messages"), "show_progress", lambda *arguments: None)


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


# --- a mesh that is there -----------------------------------------------------------------------


@pytest.fixture
def present(terrane):
    return add_terrain(resolution=33, preset="alps", size=500.0)


READERS = {
    "mesh_erode": {"modifier": "thermal_erosion", "passes": 2},
    "maps_bake": {"maps": {"slope"}},
    "mesh_displace": {"direction": "normal"},
}
"""Operators that read whole meshes, and how they are called."""


@pytest.mark.wide
@pytest.mark.parametrize("mode", ["OBJECT", "EDIT"])
@pytest.mark.parametrize("operator", READERS)
def test_an_operator_in_a_window_does_what_a_script_does(
    present, jobs, monkeypatch, operator, mode
):
    keywords = READERS[operator]
    before = np.empty(len(present.data.vertices) * 3, np.float32)
    present.data.vertices.foreach_get("co", before)
    states, count = [], len(present.terrane.layers)
    for is_window in (False, True):
        if len(present.terrane.layers) > count:  # the layer that an erosion has added
            assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
            assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
        present.data.vertices.foreach_set("co", before)
        with monkeypatch.context() as patch:
            bpy.ops.object.mode_set(mode=mode)
            if is_window:
                in_a_window(patch)
            assert getattr(bpy.ops.terrane, operator)(**keywords) == {"FINISHED"}
            bpy.ops.object.mode_set(mode="OBJECT")
        names = sorted(one.name for one in present.data.attributes if not one.name.startswith("."))
        heights = [vertex.co.z for vertex in present.data.vertices]
        states.append((names, heights))
    (names, heights), (names_in_window, heights_in_window) = states
    assert names == names_in_window
    assert heights == heights_in_window


@pytest.mark.parametrize("way", ["moved", "esc", "sculpt"])
def test_a_mesh_that_is_disturbed_before_it_is_a_terrain_stays_ordinary(
    terrane, jobs, monkeypatch, way
):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=30, size=100.0)
    thing = bpy.context.active_object
    names = {one.name for one in thing.data.attributes}

    def disturb(turn):
        """Do it once, while the layers of the mesh are evaluated."""
        if happened or not thing.terrane.is_terrain:
            return
        happened.append(turn)
        if way == "moved":
            thing.data.vertices[7].co.z += 1.0
        elif way == "sculpt":
            bpy.ops.object.mode_set(mode="SCULPT")
        else:
            bpy.ops.terrane.job_cancel()

    happened, erode = [], bpy.ops.terrane.mesh_erode
    in_a_window(monkeypatch, disturb)
    slow = {"modifier": "thermal_erosion", "passes": 400, "talus_angle": 1.0}
    if way == "esc":
        assert erode(**slow) == {"CANCELLED"}
    else:
        reason = "was changed meanwhile" if way == "moved" else "Switch to Object Mode"
        with pytest.raises(RuntimeError, match=reason):
            erode(**slow)
    assert happened
    if thing.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    assert not thing.terrane.is_terrain and not thing.data.keys() and not len(bpy.data.images)
    assert {one.name for one in thing.data.attributes} - SCULPTED == names - SCULPTED
    moved = [one.index for one in thing.data.vertices if one.co.z != 0.0]
    assert moved == ([7] if way == "moved" else [])


SCULPTED = {".sculpt_mask", ".sculpt_face_set"}
"""Attributes that Blender may add in Sculpt Mode."""
