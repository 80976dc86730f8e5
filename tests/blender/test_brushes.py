# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes of brushes on terrains are kept in the layer Sculpted Change."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights, update_terrain

KINDS = ("erode", "deposit", "smooth", "flatten", "slump")
TERRAIN = {"preset": "alps", "resolution": 129, "size": 2000.0, "height": 300.0}
add_land = partial(add_terrain, **TERRAIN)
WAY = [[0.3, 0.3], [0.5, 0.5], [0.7, 0.4, 0.5]]


def stroke(kind="deposit", way=WAY, **keywords):
    keywords = {"size": 400.0, "strength": 1.0, **keywords}
    assert bpy.ops.terrane.brush_stroke(kind=kind, stroke=json.dumps(way), **keywords) == {
        "FINISHED"
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_stroke_is_a_layer(terrain, kind):
    before = heights(terrain)
    stroke(kind)
    shown = heights(terrain)
    assert np.abs(shown - before).max() > 1.0
    entry = terrain.terrane.layers[-1]
    assert (entry.name, entry.mode, entry.chain[0].type) == ("Sculpted Change", "add", "raster")
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), shown)
    entry.muted = True
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), before)
    entry.muted, entry.opacity = False, 0.5
    update_terrain()
    np.testing.assert_allclose(heights(terrain), (before + shown) / 2.0, atol=1e-3)
    assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), before)


def test_strokes_share_a_layer_and_one_image(terrain):
    before, count = heights(terrain), len(terrain.terrane.layers)
    stroke("deposit")
    once = heights(terrain)
    stroke("deposit", [[0.8, 0.8]])
    assert len(terrain.terrane.layers) == count + 1 and len(bpy.data.images) == 1
    change = (heights(terrain) - once).reshape(129, 129)
    assert change[103, 103] > 1.0
    np.testing.assert_allclose(change[:80, :80], 0.0, atol=1e-3)
    assert terrain.terrane.active_layer == count
    assert not np.array_equal(once, before)


def test_undo_redo_and_reopening_give_the_same_bits(terrain, tmp_path):
    name = terrain.name
    bpy.ops.ed.undo_push(message="terrain")
    states = [heights(terrain)]
    for kind in ("deposit", "erode"):
        stroke(kind)
        bpy.ops.ed.undo_push(message=kind)
        states.append(heights(terrain))
    for step in (bpy.ops.ed.undo, bpy.ops.ed.undo, bpy.ops.ed.redo, bpy.ops.ed.redo):
        step()
    np.testing.assert_array_equal(heights(bpy.data.objects[name]), states[2])
    bpy.ops.ed.undo()
    terrain = bpy.data.objects[name]
    np.testing.assert_array_equal(heights(terrain), states[1])
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), states[1])
    path = str(tmp_path / "strokes.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = terrain
    terrain.terrane.layers[-1].muted = True
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), states[0])
    terrain.terrane.layers[-1].muted = False
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), states[1])


def test_a_layer_that_is_moved_and_back_has_the_same_bits(terrain):
    stroke()
    shown = heights(terrain)
    assert bpy.ops.terrane.layer_move(direction="DOWN") == {"FINISHED"}
    update_terrain()
    assert not np.array_equal(heights(terrain), shown), "it is eroded there"
    assert bpy.ops.terrane.layer_move(direction="UP") == {"FINISHED"}
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), shown)


@pytest.mark.parametrize(("resolution", "step"), [(257, 1), (65, 2)])
def test_another_resolution_has_the_change_where_samples_meet(terrain, resolution, step):
    stroke()
    changes = []
    for side in (129, resolution):
        update_terrain(resolution=side)
        shown = heights(terrain)
        terrain.terrane.layers[-1].muted = True
        update_terrain()
        changes.append((shown - heights(terrain)).reshape(side, side))
        terrain.terrane.layers[-1].muted = False
        update_terrain()
    first, other = changes
    finer = other[::2, ::2] if resolution == 257 else other
    np.testing.assert_allclose(finer, first[::step, ::step], atol=1e-3)


@pytest.mark.parametrize("resolution", [257, 65])
def test_strokes_at_another_resolution_go_on_in_the_layer(terrain, resolution):
    stroke("deposit")
    update_terrain(resolution=resolution)
    shown = heights(terrain).reshape(resolution, resolution)
    stroke("deposit", [[0.8, 0.8]])
    change = heights(terrain).reshape(resolution, resolution) - shown
    place = round(0.8 * (resolution - 1))
    assert change[place, place] > 1.0
    half = resolution // 2
    np.testing.assert_allclose(change[:half, :half], 0.0, atol=2e-3)
    assert len(bpy.data.images) == 1


def test_a_seamless_terrain_stays_seamless(terrane):
    terrain = add_land(seamless=True)
    before = heights(terrain).reshape(129, 129)
    stroke("deposit", [[0.0, 0.0], [0.1, 0.0]])
    shown = heights(terrain).reshape(129, 129)
    np.testing.assert_array_equal(shown[0], shown[-1])
    np.testing.assert_array_equal(shown[:, 0], shown[:, -1])
    change = shown - before
    assert change[0, 0] > 1.0 and change[124, 124] > 0.1


def test_a_terrain_that_is_no_square(terrane):
    terrain = add_land(depth=0.5)
    before = heights(terrain).reshape(65, 129)
    stroke("deposit", [[0.5, 0.25]])
    change = heights(terrain).reshape(65, 129) - before
    assert np.unravel_index(change.argmax(), change.shape)[1] in range(50, 78)
    assert change[32, 64] > 1.0
    np.testing.assert_allclose(change[:, 100:], 0.0, atol=1e-3)


def test_a_copy_of_the_terrain_keeps_its_own_change(terrain):
    stroke()
    shown = heights(terrain)
    bpy.ops.object.duplicate()
    copy = bpy.context.active_object
    assert copy != terrain
    stroke("deposit", [[0.8, 0.8]])
    assert len(bpy.data.images) == 2
    bpy.context.view_layer.objects.active = terrain
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), shown)


def test_the_mask_of_the_layer_limits_strokes(terrain):
    stroke()
    assert bpy.ops.terrane.layer_mask(source="slope") == {"FINISHED"}
    terrain.terrane.layers[-1].mask.low = 80.0
    update_terrain()
    before = heights(terrain)
    stroke()
    np.testing.assert_allclose(heights(terrain), before, atol=1e-3)


def test_imported_ground_and_eroded_layers_stay(terrain):
    count = len(terrain.terrane.layers)
    terrain.terrane.active_layer = 0
    stroke()
    assert len(terrain.terrane.layers) == count + 1
    terrain.terrane.active_layer = 0
    stroke()
    assert len(terrain.terrane.layers) == count + 1, "the last change goes on"


def refused(reason):
    return pytest.raises(RuntimeError, match=reason)


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("no json", "stroke must be JSON"),
        ("[]", "stroke must be a list"),
        ("[[0.1]]", "stroke must be a list"),
        ("[[0.1, true]]", "stroke must be a list"),
        ("[[0.1, 0.1, 2.0]]", "pressure must be in"),
        ("[[1e6, 0.1]]", "tiles of the terrain"),
        ("[[3.0, 3.0]]", "changed nothing"),
    ],
)
def test_strokes_that_are_none_are_refused(terrain, way, reason):
    before, count = heights(terrain), len(terrain.terrane.layers)
    with refused(reason):
        bpy.ops.terrane.brush_stroke(stroke=way, size=200.0)
    np.testing.assert_array_equal(heights(terrain), before)
    assert len(terrain.terrane.layers) == count and not bpy.data.images


def test_what_cannot_be_brushed_is_refused(terrain):
    with refused("size must be in"):
        stroke(size=1e5)
    stroke()
    terrain.terrane.layers[-1].muted = True
    update_terrain()
    with refused("is hidden"):
        stroke()
    terrain.terrane.layers[-1].muted = False
    update_terrain()
    terrain.terrane.size = 500.0
    with refused("measures have changed"):
        stroke()
    terrain.terrane.size = 2000.0
    terrain.data.vertices[60].co.z += 5.0
    with refused("by hand"):
        stroke()
    update_terrain()
    other = bpy.data.objects.new("Other", terrain.data)
    with refused("share this mesh"):
        stroke()
    bpy.data.objects.remove(other)
    terrain.shape_key_add(name="Basis")
    with refused("shape keys"):
        stroke()


def test_a_stroke_is_shown_while_live_waits(live, terrain):
    brush = module("noise_core.erosion.brushes.brush").Brush(kind="deposit", size=400.0)
    strokes = module("operators.bridge.terrain.brush_strokes")
    point = module("noise_core.erosion.brushes.strokes").StrokePoint
    before = heights(terrain)
    drawn = strokes.TerrainStroke(terrain, brush)
    drawn.move_to([point(0.3, 0.3)])
    once = heights(terrain)
    assert np.abs(once - before).max() > 1.0
    terrain.terrane.seed += 0
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), once)
    drawn.cancel()
    np.testing.assert_array_equal(heights(terrain), before)
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), before)
    drawn = strokes.TerrainStroke(terrain, brush)
    drawn.move_to([point(0.3, 0.3), point(0.5, 0.5)])
    shown = heights(terrain)
    assert drawn.finish()
    np.testing.assert_array_equal(heights(terrain), shown)
    record = module("operators.bridge.terrain.mesh_record").of(terrain.data)
    update = module("operators.bridge.terrain.terrain_product").TERRAIN.plan(terrain)
    assert record.is_preview and update.is_shown, "no coarser preview follows"
    drawn = strokes.TerrainStroke(terrain, brush)
    drawn.move_to([point(0.6, 0.4)])
    shown = heights(terrain)
    assert drawn.finish()
    live.update_now()
    made = heights(terrain)
    np.testing.assert_allclose(made, shown, atol=1e-3)
    assert live.note(terrain) == ""
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), made)


def test_the_tool_is_in_the_toolbar(terrane):
    from bl_ui.space_toolsystem_common import ToolSelectPanelHelper

    cls = ToolSelectPanelHelper._tool_class_from_space_type("VIEW_3D")
    tools = ToolSelectPanelHelper._tools_flatten(cls._tools["OBJECT"])
    (tool,) = (each for each in tools if each is not None and each.idname == "terrane.brush")
    icons = Path(bpy.utils.system_resource("DATAFILES")) / "icons"
    assert (icons / f"{tool.icon}.dat").is_file()
    assert not bpy.ops.terrane.brush_draw.poll() and not bpy.ops.terrane.brush_adjust.poll()


def test_the_circle_lies_on_the_ground(terrain):
    cursor = module("operators.bridge.terrain.brush_cursor")
    ground = module("operators.bridge.terrain.drawn_ground").DrawnGround.of(terrain)
    terrain.location, terrain.scale = (10.0, 20.0, 30.0), (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    assert cursor.radius_of(bpy.context.scene, terrain) == pytest.approx(100.0)
    bpy.context.scene.terrane_brush.size = 500.0
    assert cursor.radius_of(bpy.context.scene, terrain) == 250.0
    points = cursor.circle(ground, np.array([100.0, 200.0, 0.0]), 250.0)
    away = points[:, :2] - [210.0, 420.0]
    np.testing.assert_allclose(np.hypot(*away.T), 500.0)
    shown = heights(terrain) * 2.0 + 30.0
    assert shown.min() - 1e-3 <= points[:, 2].min() < points[:, 2].max() <= shown.max() + 1e-3
