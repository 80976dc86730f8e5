# SPDX-License-Identifier: GPL-3.0-or-later
"""Land drawn by curve objects: a ground layer of feature curves, chosen in the panel and dragged."""

from __future__ import annotations

import time

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import activate, add_fractal_terrain, heights, read_recipe
from tests.blender.panels import shown_by
from tests.blender.test_drawn_curves import follows, new_curve

SIZE = 12000.0


@pytest.fixture
def terrain(terrane, live):
    obj = add_fractal_terrain(size=SIZE, height=1000.0, resolution=129)
    elements = module("operators.bridge.schema.elements")
    elements.set_type(obj.terrane.layers[0].chain[0], "feature_curves")
    for element in list(obj.terrane.layers[0].chain)[1:]:
        element.muted = True
    return obj


def element_of(terrain):
    return terrain.terrane.layers[0].chain[0]


def choose(terrain, obj, name):
    """Choose a curve object in a list, as the button in the panel does."""
    assert bpy.ops.terrane.curve_choose(list=name, object=obj.name) == {"FINISHED"}
    module("operators.bridge.tasks.live").update_now()


def peak(terrain):
    """Return height and place in samples of the highest vertex of the middle column."""
    column = heights(terrain).reshape(129, 129)[:, 64]
    return float(column.max()), int(column.argmax())


def test_a_new_layer_has_a_ridge_to_begin_with(terrain):
    (curve,) = read_recipe(terrain).layers[0].noise.ridges
    assert len(curve.points) == 4
    assert [len(getattr(element_of(terrain), name)) for name in ("ridges", "valleys")] == [1, 0]


def test_ridges_and_valleys_shape_the_ground_and_follow_their_objects(terrain, live):
    assert bpy.ops.terrane.curve_forget(list="ridges", place=0) == {"FINISHED"}
    ridge = new_curve("Ridge", places=((-5000, 1000, 900), (5000, 1000, 900)), radius=1.0)
    valley = new_curve("Valley", places=((-5000, -3000, 100), (5000, -3000, 100)), radius=1.0)
    choose(terrain, ridge, "ridges")
    choose(terrain, valley, "valleys")
    noise = read_recipe(terrain).layers[0].noise
    assert [len(curves) for curves in (noise.ridges, noise.valleys, noise.coasts)] == [1, 1, 0]
    height, place = peak(terrain)
    assert abs(place - (64 + 1000.0 / SIZE * 128.0)) <= 2.0 and abs(height - 900.0) < 60.0
    ridge.location.y = 2000.0
    bpy.context.view_layer.update()
    module("operators.bridge.tasks.live").update_now()
    height, place = peak(terrain)
    assert abs(place - (64 + 3000.0 / SIZE * 128.0)) <= 2.0 and abs(height - 900.0) < 60.0
    assert follows(terrain)


def test_a_default_ridge_becomes_an_object(terrain, live):
    assert bpy.ops.terrane.curve_make(list="ridges", place=0) == {"FINISHED"}
    slot = element_of(terrain).ridges[0]
    assert slot.object.type == "CURVE" and slot.object.parent == terrain


def test_lists_that_are_not_there_are_refused(terrain):
    with pytest.raises(RuntimeError, match="list must be one of ridges, valleys, coasts, contours"):
        bpy.ops.terrane.curve_choose(list="curves")


def test_a_dragged_point_is_a_frame(terrain, live):
    """A frame takes 50 ms on a free machine; the limit here is that of a busy one."""
    terrain.terrane.resolution = 512
    choose(terrain, new_curve("Ridge", places=((-5000, 1000, 900), (5000, 1000, 900))), "ridges")
    ridge, times = bpy.data.objects["Ridge"], []
    for step in range(8):
        start = time.perf_counter()
        ridge.data.splines[0].points[1].co.y = 1000.0 + 20.0 * step
        bpy.context.view_layer.update()
        module("operators.bridge.tasks.live").update_now()
        times.append(time.perf_counter() - start)
    print(f"a frame takes {1e3 * np.median(times):.1f} ms, at best {1e3 * min(times):.1f} ms")
    assert min(times) < 0.5


def test_the_panel_shows_a_list_for_each_kind(terrain, live):
    activate(terrain)
    panel = module("ui.viewport").TERRANE_PT_terrain_layer
    shown = shown_by(panel)
    names = {name for name in shown if isinstance(name, str)}
    assert {"terrane.curve_choose", "terrane.curve_make", "terrane.curve_forget"} <= names
    assert ("TERRANE_PG_curve_slot", "object") in shown
    assert ("TERRANE_PG_noise_feature_curves", "ridge_slope_left") in shown


def test_another_height_or_size_of_the_terrain_leaves_heights_on_curves(terrain, live):
    crest = new_curve("Crest", places=((-5000, 0, 700), (5000, 0, 700)), radius=1.0)
    assert bpy.ops.terrane.curve_forget(list="ridges", place=0) == {"FINISHED"}
    choose(terrain, crest, "ridges")
    for name, value in (("height", 300.0), ("size", 9000.0)):
        setattr(terrain.terrane, name, value)
        module("operators.bridge.tasks.live").update_now()
        bpy.context.view_layer.update()
        module("operators.bridge.tasks.live").update_now()
        assert abs(heights(terrain).reshape(129, 129)[64, 64] - 700.0) < 1.0, name
        assert follows(terrain), name
