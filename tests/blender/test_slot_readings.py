# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves and houses are read again if they or their terrain have changed, and only then.

Laws about calls, not timings: a dragged point costs the same whatever else the terrain follows.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import activate, add_fractal_terrain, heights
from tests.blender.test_drawn_curves import choose, follows, new_curve, places
from tests.blender.test_footprints import footprint, ground, new_house, settle


@pytest.fixture
def terrain(terrane, live):
    return add_fractal_terrain(size=1000.0, height=100.0, resolution=129)


@pytest.fixture
def readings(terrane, monkeypatch):
    """Return the names of the sources that are read, in order."""
    followed, found = module("operators.bridge.terrain.followed_sources"), []
    read = followed.read_source

    def note(terrain, slot, *args):
        found.append(followed.source_of(slot).name)
        return read(terrain, slot, *args)

    monkeypatch.setattr(followed, "read_source", note)
    return found


def new_village(terrain, count, *, is_collection=True):
    village = bpy.data.collections.new("Village")
    bpy.context.scene.collection.children.link(village)
    for number in range(count):
        place = (80.0 * (number % 10) - 400.0, 80.0 * (number // 10) + 200.0, 30.0)
        new_house(f"House {number}", at=place, size=(20.0, 20.0), home=village)
    activate(terrain)
    if is_collection:
        footprint(terrain, collection="Village")
    else:
        footprint(terrain, *village.objects)
    return village


def drag(road, y):
    """Move a point of a curve, as Blender tells of it; live update is not run."""
    road.data.splines[0].points[1].co.y = y
    road.data.update_tag()
    bpy.context.view_layer.update()


def calls(step):
    """Return how many functions of ours are called in a step."""
    root, found = str(Path(module("noise_core").__file__).parents[1]), []

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(root):
            found.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        step()
    finally:
        sys.setprofile(None)
    return len(found)


def dragging(terrain):
    """Return how many functions are called when a point of a first path is dragged, and when that is written."""
    choose(terrain, road := new_curve())
    settle()
    for y in (10.0, 20.0, 30.0):
        drag(road, y)
    counts = [calls(lambda: drag(road, 40.0))]
    settle()
    drag(road, 50.0)
    module("operators.bridge.tasks.live").update_now()
    counts.append(calls(bpy.context.view_layer.update))
    assert follows(terrain)
    return counts


@pytest.mark.parametrize("is_collection", [False, True])
def test_a_dragged_point_costs_the_same_beside_a_village(terrane, live, is_collection):
    bare = dragging(add_fractal_terrain(size=1000.0, height=100.0, resolution=33))
    bpy.ops.wm.read_homefile(use_empty=True)
    terrain = add_fractal_terrain(size=1000.0, height=100.0, resolution=33)
    new_village(terrain, 20, is_collection=is_collection)
    for number in range(3):
        choose(terrain, new_curve(f"Lane {number}"))
    full = dragging(terrain)
    assert min(bare) > 20
    # The first setting that is written asks whether handlers still stand: less often after more events.
    assert all(more <= least for more, least in zip(full, bare)), (full, bare)


def test_only_the_source_that_has_changed_is_read(terrain, readings):
    new_village(terrain, 3, is_collection=False)
    choose(terrain, new_curve())
    choose(terrain, new_curve("Lane"))
    settle()
    settle()
    readings.clear()
    terrain.terrane.layers[-1].path.reach = 33.0
    terrain.terrane.layers[0].opacity = 0.9
    settle()
    settle()
    assert readings == []
    drag(bpy.data.objects["Lane"], 10.0)
    assert readings == ["Lane"]
    bpy.data.objects["House 1"].location.x += 5.0
    settle()
    assert readings == ["Lane", "House 1"]
    terrain.terrane.size = 900.0
    assert sorted(set(readings[2:])) == ["House 0", "House 1", "House 2", "Lane", "Road"]


@pytest.mark.parametrize("how", ["place", "turn", "parent"])
def test_all_is_read_where_the_terrain_moves(terrain, readings, how):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    terrain.parent = parent
    choose(terrain, new_curve())
    choose(terrain, new_curve("Lane"))
    settle()
    settle()
    readings.clear()
    if how == "turn":
        terrain.rotation_euler.z = 0.3
    else:
        (terrain if how == "place" else parent).location.x = 25.0
    settle()
    assert sorted(set(readings)) == ["Lane", "Road"] and follows(terrain)


def test_layers_that_are_moved_and_removed_follow_the_same_curves(terrain, live):
    for name in ("Road", "Lane", "Trail"):
        choose(terrain, new_curve(name))
    activate(terrain)
    terrain.terrane.active_layer = 1
    settle()
    bpy.ops.terrane.layer_remove()
    settle()
    drag(bpy.data.objects["Trail"], 222.0)
    live.update_now()
    np.testing.assert_allclose(places(terrain)[1], (0.9, 0.722), atol=1e-6)
    drag(bpy.data.objects["Lane"], 111.0)
    live.update_now()
    (lane,) = module("operators.bridge.schema.settings").read(terrain.terrane).layers[-2].curves
    assert lane.points[1].at[1] == pytest.approx(0.611) and follows(terrain)


def test_a_curve_that_moves_together_with_the_frame_is_followed_next(terrain, live):
    choose(terrain, road := new_curve())
    settle()
    road.location.y = 100.0
    bpy.context.scene.frame_set(7)
    new_curve("Another")  # an event that terrains follow
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.6), atol=1e-7)
    assert follows(terrain)


def test_a_curve_that_moves_while_a_terrain_is_written_is_followed_next(terrain, live):
    choose(terrain, road := new_curve())
    settle()
    road.location.y = 100.0
    with live.queue.writing.on():
        bpy.context.view_layer.update()
    terrain.data.update_tag()
    bpy.context.view_layer.update()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.6), atol=1e-7)


def test_a_house_of_a_village_that_is_hidden_has_no_ground(terrain, live):
    new_village(terrain, 2)
    assert ground(terrain, -400.0, 200.0) == 30.0
    bpy.data.objects["House 0"].hide_set(True)
    settle()
    assert ground(terrain, -400.0, 200.0) != 30.0 and ground(terrain, -320.0, 200.0) == 30.0
    bpy.data.objects["House 0"].hide_set(False)
    settle()
    assert ground(terrain, -400.0, 200.0) == 30.0


def test_a_renamed_curve_is_known_by_its_new_name(terrain, live):
    entry = choose(terrain, road := new_curve())
    road.name = "Lane"
    drag(road, 10.0)
    assert entry.curves[0].known_name == "Lane"


def test_a_baked_terrain_is_not_read_in_frames(terrain, readings, tmp_path):
    choose(terrain, road := new_curve())
    road.keyframe_insert("location", frame=1)
    road.location.y = 100.0
    road.keyframe_insert("location", frame=5)
    path = str(tmp_path / "land.pc2")
    assert bpy.ops.terrane.motion_bake(start=1, end=2, filepath=path) == {"FINISHED"}
    settle()
    readings.clear()
    bpy.context.scene.frame_set(3)
    assert readings == []
    bpy.ops.terrane.motion_unbake()
    bpy.context.scene.frame_set(4)
    assert readings and np.isfinite(heights(terrain)).all()


def test_names_of_many_curves_are_found_in_one_pass(terrane):
    slots = module("operators.bridge.schema.curve_slots")
    searches = []

    class Names(dict):
        def __contains__(self, name):
            searches.append(name)
            return super().__contains__(name)

    names, counts = Names(), {}
    for number in range(50):
        names[slots._free_name("Road", names, counts)] = number
    names[slots._free_name("Road 7", names, counts)] = 50
    assert list(names)[:3] == ["Road", "Road 2", "Road 3"] and list(names)[-1] == "Road 7 2"
    assert len(searches) <= 2 * len(names)
