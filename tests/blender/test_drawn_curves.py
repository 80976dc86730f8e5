# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn curves: chosen in the panel or by a script, moved, undone, saved and deleted."""

from __future__ import annotations

import re
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import (
    activate,
    add_fractal_terrain,
    attribute_names,
    attribute_values,
    heights,
    read_recipe,
)
from tests.blender.panels import EditorContext, RecordingLayout, fields_of

MAPS = ("maps", "drawn_maps")
TILES = [(0.1, 0.5), (0.9, 0.6)]


@pytest.fixture
def terrain(terrane, live):
    return add_fractal_terrain(size=1000.0, height=100.0, resolution=129)


def new_curve(name="Road", *, places=((-400, 0, 60), (400, 100, 60)), kind="POLY", radius=40.0):
    """Return a new curve object with one spline."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new(kind)
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(len(places) - 1)
    for point, place in zip(points, places):
        point.co = (*place, 1.0)[: len(point.co)]
        point.radius = radius
    obj = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return obj


def choose(terrain, obj):
    """Add a path that takes the heights of a curve, chosen as in the panel; return its entry."""
    bpy.ops.terrane.layer_add(type="path")
    entry = terrain.terrane.layers[-1]
    entry.path.heights = "given"
    entry.curves[0].object = obj
    module("operators.bridge.tasks.live").update_now()
    return entry


def places(terrain):
    """Return the places in tiles of the points of the last layer's first curve."""
    (curve, *_) = read_recipe(terrain).layers[-1].curves
    return [point.at for point in curve.points]


def follows(terrain):
    """Return whether the heights are those of the settings."""
    request = module("operators.bridge.terrain.terrains").present_request(terrain)
    return np.array_equal(heights(terrain), request.recipe.evaluate(request.grid()).height.ravel())


def test_a_chosen_curve_shapes_the_land(terrain, live):
    choose(terrain, new_curve())
    (curve,) = read_recipe(terrain).layers[-1].curves
    np.testing.assert_allclose([point.at for point in curve.points], TILES, atol=1e-7)
    assert [(point.z, point.width) for point in curve.points] == [(60.0, 40.0)] * 2
    in_bed = heights(terrain).reshape(129, 129)[70, 64]
    assert follows(terrain) and abs(in_bed - 60.0) < 0.01


def test_a_moved_point_and_a_moved_object_move_the_land(terrain, live):
    road = new_curve()
    choose(terrain, road)
    before = heights(terrain)
    road.data.splines[0].points[1].co.y = -300.0
    road.data.update_tag()
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[1], (0.9, 0.2), atol=1e-7)
    assert follows(terrain) and np.abs(heights(terrain) - before).max() > 10.0
    before = heights(terrain)
    road.location.x = 100.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.2, 0.5), atol=1e-7)
    assert follows(terrain) and np.abs(heights(terrain) - before).max() > 1.0


def test_a_terrain_that_moves_alone_lies_otherwise_to_its_curve(terrain, live):
    choose(terrain, new_curve())
    terrain.location, terrain.rotation_euler.z = (200.0, 0.0, 10.0), np.pi / 2
    bpy.context.view_layer.update()
    (first, _), z = places(terrain), read_recipe(terrain).layers[-1].curves[0].points[0].z
    np.testing.assert_allclose(first, (0.5, 1.1), atol=1e-6)
    assert z == pytest.approx(50.0)


def test_a_curve_on_a_moving_terrain_changes_nothing(terrain, live):
    road = new_curve()
    road.parent = terrain
    bpy.context.view_layer.update()
    choose(terrain, road)
    text = terrain.terrane.layers[-1].curves[0].points
    terrain.location.x = 512.0
    bpy.context.view_layer.update()
    assert terrain.terrane.layers[-1].curves[0].points == text


def test_a_larger_terrain_leaves_the_curve_where_it_is(terrain, live):
    choose(terrain, new_curve())
    terrain.terrane.size = 2000.0
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.3, 0.5), atol=1e-7)
    assert follows(terrain)


def test_bezier_handles_width_and_tilt_come_along(terrain, live):
    road = new_curve(kind="BEZIER", radius=8.0)
    point = road.data.splines[0].bezier_points[0]
    point.handle_right_type = "FREE"
    point.handle_right, point.tilt = (-200.0, 250.0, 80.0), np.radians(10.0)
    road.scale = (2.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    choose(terrain, road)
    first = read_recipe(terrain).layers[-1].curves[0].points[0]
    assert (first.width, first.tilt) == (pytest.approx(16.0), pytest.approx(10.0))
    np.testing.assert_allclose(first.right, (0.1, 1.0, 80.0), atol=1e-5)


def test_undo_and_redo_restore_points_and_land(terrain, live):
    road = new_curve()
    choose(terrain, road)
    bpy.ops.ed.undo_push(message="before")
    before = heights(terrain)
    bpy.data.objects["Road"].location.y = 150.0
    bpy.context.view_layer.update()
    live.update_now()
    bpy.ops.ed.undo_push(message="moved")
    moved = heights(terrain)
    assert np.abs(moved - before).max() > 10.0
    bpy.ops.ed.undo()
    terrain = bpy.data.objects["Terrain"]
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), before)
    np.testing.assert_allclose(places(terrain)[0], TILES[0], atol=1e-7)
    bpy.ops.ed.redo()
    terrain = bpy.data.objects["Terrain"]
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), moved)


def test_undo_and_redo_of_a_drawn_river(terrain, live):
    bpy.ops.ed.undo_push(message="Before")
    before, count = heights(terrain), len(terrain.terrane.layers)
    assert bpy.ops.terrane.curve_add(kind="river") == {"FINISHED"}
    live.update_now()
    bpy.ops.ed.undo_push(message="River")
    drawn = heights(terrain)
    assert (drawn != before).any()
    bpy.ops.ed.undo()
    live.update_now()
    terrain = bpy.data.objects["Terrain"]
    assert "River" not in bpy.data.objects and len(terrain.terrane.layers) == count
    np.testing.assert_array_equal(heights(terrain), before)
    bpy.ops.ed.redo()
    live.update_now()
    terrain = bpy.data.objects["Terrain"]
    assert terrain.terrane.layers[-1].rivers[0].object == bpy.data.objects["River"]
    np.testing.assert_array_equal(heights(terrain), drawn)


def test_a_saved_file_follows_its_curve_on(terrain, live, tmp_path):
    choose(terrain, new_curve())
    before = heights(terrain)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "drawn.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "drawn.blend"))
    terrain, road = bpy.data.objects["Terrain"], bpy.data.objects["Road"]
    assert terrain.terrane.layers[-1].curves[0].object == road
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), before)
    road.location.y = 100.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.6), atol=1e-7)
    assert follows(terrain)


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_deleted_curve_leaves_its_last_points(terrain, live, is_removed):
    followed = module("operators.bridge.terrain.followed_sources")
    road = new_curve()
    entry = choose(terrain, road)
    before = heights(terrain)
    assert not followed.note(terrain, entry.curves[0])
    if is_removed:
        bpy.data.objects.remove(road)
    else:
        with bpy.context.temp_override(selected_objects=[road], active_object=road):
            bpy.ops.object.delete()
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), before)
    np.testing.assert_allclose(places(terrain), TILES, atol=1e-7)
    assert (
        followed.note(terrain, entry.curves[0])
        == "Road was removed: the terrain keeps its last points"
    )
    activate(terrain)
    assert bpy.ops.terrane.curve_make() == {"FINISHED"}
    live.update_now()
    made = entry.curves[0].object
    assert (
        made.parent == terrain and made.users_scene and not followed.note(terrain, entry.curves[0])
    )
    np.testing.assert_allclose(places(terrain), TILES, atol=1e-7)
    np.testing.assert_allclose(heights(terrain), before, atol=1e-3)


def test_several_curves_and_splines(terrain, live):
    choose(terrain, new_curve())
    other = new_curve("Other", places=((-100, -400, 20), (100, -300, 20), (0, -200, 20)))
    other.data.splines.new("POLY").points.add(1)
    other.data.splines[1].points[1].co = (300, 300, 30, 1)
    bpy.context.view_layer.update()
    activate(terrain)
    assert bpy.ops.terrane.curve_choose(object="Other") == {"FINISHED"}
    assert [len(curve.points) for curve in read_recipe(terrain).layers[-1].curves] == [2, 3, 2]
    assert bpy.ops.terrane.layer_duplicate() == {"FINISHED"}
    entry = terrain.terrane.layers[-1]
    assert [slot.object.name for slot in entry.curves] == ["Road", "Other"]
    assert bpy.ops.terrane.curve_forget(place=0) == {"FINISHED"}
    assert [len(curve.points) for curve in read_recipe(terrain).layers[-1].curves] == [3, 2]
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert [slot.object.name for slot in terrain.terrane.layers[-1].curves] == ["Other"]


def test_a_mask_by_the_distance_to_a_curve(terrain, live):
    lake = new_curve(
        "Lake", places=((-200, -200, 0), (200, -200, 0), (200, 200, 0), (-200, 200, 0))
    )
    lake.data.splines[0].use_cyclic_u = True
    activate(terrain)
    bpy.ops.terrane.layer_add(type="perlin")
    bpy.ops.terrane.layer_mask(source="curve_distance")
    assert bpy.ops.terrane.curve_choose(part="MASK", object="Lake") == {"FINISHED"}
    mask = terrain.terrane.layers[-1].mask
    mask.limits, mask.high, mask.falloff = "below", 0.0, 0.0
    live.update_now()
    (curve,) = read_recipe(terrain).layers[-1].mask.map.curves
    assert curve.closed and len(curve.points) == 4
    inside = follows(terrain) and heights(terrain)
    lake.location.x = 250.0
    bpy.context.view_layer.update()
    live.update_now()
    assert follows(terrain) and np.abs(heights(terrain) - inside).max() > 0.1


def test_nurbs_are_refused_in_one_line_and_the_last_points_stay(terrain, live):
    followed = module("operators.bridge.terrain.followed_sources")
    road = new_curve()
    entry = choose(terrain, road)
    road.data.splines[0].type = "NURBS"
    bpy.context.view_layer.update()
    note = followed.note(terrain, entry.curves[0])
    assert note == "Road has a NURBS spline: set its type to Bezier or Poly"
    np.testing.assert_allclose(places(terrain), TILES, atol=1e-7)


def test_a_bed_that_is_too_narrow_for_the_samples_is_told(terrain, live):
    drawn = module("operators.bridge.terrain.path_layers")
    entry = choose(terrain, new_curve(radius=1.0))
    assert drawn.narrow_bed(terrain, entry).startswith(
        "The bed is 1 m wide, the samples are 7.81 m"
    )
    entry.path.width = 20.0
    assert not drawn.narrow_bed(terrain, entry)


def test_several_terrains_and_copies_follow_one_curve(terrain, live):
    road = new_curve()
    choose(terrain, road)
    activate(terrain)
    terrain.select_set(True)
    road.select_set(False)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = bpy.context.active_object
    copy.location.y = 100.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(copy)[0], (0.1, 0.4), atol=1e-7)
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.5), atol=1e-7)
    assert follows(copy) and follows(terrain)
    road.location.y = 50.0
    bpy.context.view_layer.update()
    live.update_now()
    assert follows(copy) and follows(terrain)
    np.testing.assert_allclose(places(copy)[0], (0.1, 0.45), atol=1e-7)


def test_edit_mode_is_followed(terrain, live):
    road = new_curve()
    choose(terrain, road)
    activate(road)
    assert bpy.ops.object.mode_set(mode="EDIT") == {"FINISHED"}
    road.data.splines[0].points[0].co.y = 200.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.7), atol=1e-7)
    assert follows(terrain)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_new_terrain_of_the_same_settings_follows_the_same_curve(terrain, live):
    choose(terrain, new_curve())
    activate(terrain)
    assert bpy.ops.terrane.terrain_add(from_panel=True) == {"FINISHED"}
    new = bpy.context.active_object
    assert new != terrain and new.terrane.layers[-1].curves[0].object.name == "Road"
    assert follows(new)


# --- by scripts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["road", "trail", "river_bed", "lake", "dam", "cliff", "pad"])
def test_curve_add_draws_each_kind(terrain, live, kind):
    before = heights(terrain)
    assert bpy.ops.terrane.curve_add(kind=kind) == {"FINISHED"}
    curve = bpy.context.active_object
    assert curve.type == "CURVE" and curve.parent == terrain
    assert module("operators.bridge.schema.state").active_terrain(bpy.context) == terrain
    live.update_now()
    assert follows(terrain) and (heights(terrain) != before).any()
    assert terrain.terrane.layers[-1].curves[0].object == curve


@pytest.mark.parametrize("kind", ["road", "river", "ridge", "lake"])
def test_what_a_script_adds_is_followed_at_once(terrain, live, kind):
    """Also beside another curve, and in the background, where nothing but the move is reported."""
    for _ in range(2):
        activate(terrain)
        bpy.ops.terrane.curve_add(kind=kind)
        curve = bpy.context.active_object
        live.update_now()
        before = heights(terrain)
        curve.location.x += 150.0
        bpy.context.view_layer.update()
        live.update_now()
        assert follows(terrain) and np.abs(heights(terrain) - before).max() > 0.1


def test_an_outline_that_a_script_adds_is_followed_at_once(terrain, live):
    bpy.ops.mesh.primitive_cube_add(size=80.0, location=(100.0, 50.0, 30.0))
    house = bpy.context.active_object
    house.select_set(True)
    bpy.context.view_layer.objects.active = terrain
    assert bpy.ops.terrane.footprint_add(object=house.name) == {"FINISHED"}
    live.update_now()
    before = heights(terrain)
    house.location.x -= 150.0
    bpy.context.view_layer.update()
    live.update_now()
    assert follows(terrain) and np.abs(heights(terrain) - before).max() > 0.1


@pytest.mark.parametrize("kind", ["river", "ridge"])
def test_erosions_obey_a_river_and_a_ridge(terrain, live, kind):
    """Without an erosion one is added on top; afterwards each of several gets the curve."""
    count, name = len(terrain.terrane.layers), f"{kind}s"
    assert bpy.ops.terrane.curve_add(kind=kind) == {"FINISHED"}
    first, (erosion,) = bpy.context.active_object, terrain.terrane.layers[count:]
    assert erosion.type == "stream_erosion"
    (slot,) = getattr(erosion, name)
    assert slot.object == first and first.parent == terrain and first.name == kind.title()
    live.update_now()
    (curve,) = getattr(read_recipe(terrain).layers[-1], name)
    assert len(curve.points) == len(first.data.splines[0].bezier_points) and follows(terrain)
    activate(terrain)
    bpy.ops.terrane.layer_add(type="stream_erosion")
    second = new_curve("Second")
    assert bpy.ops.terrane.path_add(object="Second", kind=kind) == {"FINISHED"}
    objects = [
        [slot.object for slot in getattr(each, name)] for each in terrain.terrane.layers[count:]
    ]
    assert objects == [[first, second], [second]]
    live.update_now()
    assert follows(terrain)


def test_a_muted_erosion_does_not_keep_a_river_from_the_ground(terrain, live):
    bpy.ops.terrane.layer_add(type="stream_erosion")
    terrain.terrane.layers[-1].muted = True
    live.update_now()
    count, before = len(terrain.terrane.layers), heights(terrain)
    assert bpy.ops.terrane.curve_add(kind="river") == {"FINISHED"}
    muted, acting = terrain.terrane.layers[count - 1 :]
    assert muted.muted and not acting.muted and acting.type == "stream_erosion"
    assert [len(muted.rivers), len(acting.rivers)] == [1, 1]
    live.update_now()
    assert follows(terrain) and (heights(terrain) != before).any()


def test_a_river_that_is_obeyed_already_is_not_added_again(terrain, live):
    bpy.ops.terrane.curve_add(kind="river")
    count = len(terrain.terrane.layers)
    assert bpy.ops.terrane.path_add(object="River", kind="river") == {"FINISHED"}
    assert len(terrain.terrane.layers) == count
    assert [slot.object.name for slot in terrain.terrane.layers[-1].rivers] == ["River"]


def test_a_river_is_given_to_all_layers_that_wear_along_rivers(terrain, live):
    """Debris flows are not among them: with drawn gullies they would start nowhere else."""
    keys = ("glacial_erosion", "debris_flow", "meanders")
    for key in keys:
        bpy.ops.terrane.layer_add(type=key)
    assert bpy.ops.terrane.curve_add(kind="river") == {"FINISHED"}
    river = bpy.context.active_object
    obeying = terrain.terrane.layers[-4:]
    assert [entry.type for entry in obeying] == [*keys, "stream_erosion"]
    expected = [[river], [], [river], [river]]
    assert [[slot.object for slot in entry.rivers] for entry in obeying] == expected


def test_an_erosion_for_a_river_lies_below_the_roads_on_top(terrain, live):
    for kind in ("road", "pad"):
        assert bpy.ops.terrane.curve_add(kind=kind) == {"FINISHED"}
    count = len(terrain.terrane.layers)
    assert bpy.ops.terrane.curve_add(kind="river") == {"FINISHED"}
    types = [entry.type for entry in terrain.terrane.layers]
    assert types[count - 2 :] == ["stream_erosion", "path", "path"]
    assert terrain.terrane.active_layer == count - 2


@pytest.mark.parametrize("kind", ["river", "road"])
def test_a_curve_acts_after_all_layers_where_the_first_one_is_a_group(terrain, live, kind):
    terrain.terrane.active_layer = 0
    assert bpy.ops.terrane.layer_group() == {"FINISHED"}
    bpy.ops.terrane.layer_add(type="terraces")
    assert bpy.ops.terrane.curve_add(kind=kind) == {"FINISHED"}
    types = [entry.type for entry in terrain.terrane.layers]
    expected = "stream_erosion" if kind == "river" else "path"
    assert types[0] == "group" and types[-2:] == ["terraces", expected]


@pytest.mark.parametrize("kind", ["river", "road"])
def test_a_curve_on_a_mesh_that_became_a_terrain_is_refused_and_leaves_nothing(terrane, live, kind):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=16, y_subdivisions=16, size=100.0)
    assert bpy.ops.terrane.mesh_erode(modifier="thermal_erosion") == {"FINISHED"}
    mesh = bpy.context.active_object
    count, objects = len(mesh.terrane.layers), set(bpy.data.objects)
    with pytest.raises(RuntimeError, match="must be a terrain of Terrane to follow curves"):
        bpy.ops.terrane.curve_draw(kind=kind, stroke="[[0.1, 0.5, 0.0], [0.9, 0.5, 0.0]]")
    with pytest.raises(RuntimeError, match="must be a terrain of Terrane to follow curves"):
        bpy.ops.terrane.curve_add(kind=kind)
    assert len(mesh.terrane.layers) == count and set(bpy.data.objects) == objects


@pytest.mark.parametrize("kind", ["river", "road"])
def test_what_is_followed_is_not_read_after_each_value_of_a_new_layer(
    terrain, live, monkeypatch, kind
):
    """With hundreds of houses on a terrain, each reading takes a tenth of a second."""
    bpy.ops.terrane.path_add(object=new_curve().name)
    followed, readings = module("operators.bridge.terrain.followed_sources"), []
    follow = followed.follow
    monkeypatch.setattr(followed, "follow", lambda *args: readings.append(follow(*args)))
    new_curve("Second")
    before = len(readings)
    assert bpy.ops.terrane.path_add(object="Second", kind=kind) == {"FINISHED"}
    assert len(readings) - before <= 2
    live.update_now()
    assert follows(terrain)
    bpy.data.objects["Second"].location.y = 50.0
    bpy.context.view_layer.update()
    assert len(readings) - before > 0 and not follows(terrain)


def test_curve_add_takes_points(terrain, live):
    points = "[[0.1, 0.5, 60, 40], [0.9, 0.6, 60, 40]]"
    assert bpy.ops.terrane.curve_add(kind="dam", points=points, smooth=False) == {"FINISHED"}
    (curve,) = read_recipe(terrain).layers[-1].curves
    np.testing.assert_allclose([point.at for point in curve.points], TILES, atol=1e-7)
    assert [(point.z, point.width) for point in curve.points] == [(60.0, 40.0)] * 2
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert follows(terrain)


@pytest.mark.parametrize(
    "points",
    ["[[0.1, 0.5, 60]]", "{}", "[[-400, 0, 60, 8], [400, 0, 60, 8]]", "[[", "[[0, 0, 0, 8]]"],
)
def test_curve_add_refuses_what_is_no_curve(terrain, points):
    before = len(terrain.terrane.layers)
    with pytest.raises(RuntimeError, match="point"):
        bpy.ops.terrane.curve_add(points=points)
    assert len(terrain.terrane.layers) == before and not bpy.data.curves


def test_maps_of_paths_have_a_keyword_of_their_own(terrain, live):
    choose(terrain, new_curve())
    activate(terrain)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert {"cut", "fill", "bed", "gap"} <= attribute_names(terrain)
    bed = attribute_values(terrain.data, "bed").reshape(129, 129)
    assert bed[70, 64] == 1.0 and bed[10, 64] == 0.0
    assert bpy.ops.terrane.terrain_update(maps={"slope"}, drawn_maps={"cut"}) == {"FINISHED"}
    assert attribute_names(terrain) & {"slope", "cut", "fill", "bed", "gap"} == {"slope", "cut"}


def test_all_maps_can_be_chosen(terrane):
    """Blender makes no property of more than 32 flags, and tells nobody."""
    catalog = module("operators.bridge.terrain.catalog").entries()
    for name in ("terrain_add", "terrain_update", "landscape_add", "maps_bake", "mesh_erode"):
        properties = getattr(bpy.ops.terrane, name).get_rna_type().properties
        items = [[item.identifier for item in properties[key].enum_items] for key in MAPS]
        assert max(map(len, items)) <= 32 and sorted(sum(items, [])) == sorted(catalog), name


def test_path_add_takes_the_active_curve_or_a_name(terrain, live):
    road = new_curve()
    activate(road)
    assert bpy.ops.terrane.path_add(kind="river_bed") == {"FINISHED"}
    assert terrain.terrane.layers[-1].curves[0].object == road
    assert bpy.ops.terrane.path_add(object="Road") == {"FINISHED"}
    assert [entry.name for entry in terrain.terrane.layers][-2:] == ["River Bed", "Road"]
    with pytest.raises(RuntimeError, match="object must name a curve object"):
        bpy.ops.terrane.path_add(object="Terrain")
    with pytest.raises(RuntimeError, match="object must name a curve object"):
        bpy.ops.terrane.path_add()


# --- drawn by the mouse ---------------------------------------------------------------------------


def stroke(count=60):
    """Return the text of a stroke across the land, in tiles."""
    share = np.linspace(0.0, 1.0, count)
    y = 0.5 + 0.2 * np.sin(4.0 * share)
    return str([[0.1 + 0.8 * s, v, 30.0] for s, v in zip(share.tolist(), y.tolist())])


@pytest.mark.parametrize("shape", ["BEZIER", "POLY"])
def test_a_stroke_becomes_a_curve_of_few_points_and_a_path(terrain, live, shape):
    before = heights(terrain)
    given = {"kind": "river_bed", "shape": shape, "tolerance": 8.0, "width": 30.0}
    assert bpy.ops.terrane.curve_draw(stroke=stroke(), **given) == {"FINISHED"}
    curve = bpy.context.active_object
    (spline,) = curve.data.splines
    assert spline.type == shape and curve.parent == terrain and curve.show_in_front
    points = spline.bezier_points if shape == "BEZIER" else spline.points
    assert 2 <= len(points) <= 8 and {point.radius for point in points} == {30.0}
    live.update_now()
    drawn = module("operators.bridge.terrain.path_layers")
    assert drawn.kind_of(terrain.terrane.layers[-1]) == "river_bed"
    assert follows(terrain) and (heights(terrain) < before - 1.0).any()


def test_each_kind_is_known_again_and_can_be_chosen(terrain, live):
    drawn = module("operators.bridge.terrain.path_layers")
    choose(terrain, new_curve())
    activate(terrain)
    entry, place = terrain.terrane.layers[-1], len(terrain.terrane.layers) - 1
    for kind in ("road", "trail", "river_bed", "lake", "dam", "cliff", "pad"):
        assert bpy.ops.terrane.path_kind(place=place, kind=kind) == {"FINISHED"}
        assert drawn.kind_of(entry) == kind
        entry.path.reach = 33.0
        assert drawn.kind_of(entry) == kind
    assert entry.curves[0].object.name == "Road"
    with pytest.raises(RuntimeError, match="must be a path"):
        bpy.ops.terrane.path_kind(place=0, kind="road")


def test_a_layer_selects_its_curves(terrain, live):
    bpy.ops.terrane.curve_draw(stroke=stroke())
    curve = bpy.context.active_object
    activate(terrain)
    curve.select_set(False)
    assert bpy.ops.terrane.curve_select(place=len(terrain.terrane.layers) - 1) == {"FINISHED"}
    assert bpy.context.active_object == curve and curve.select_get()
    assert terrain.terrane.active_layer == len(terrain.terrane.layers) - 1


@pytest.mark.parametrize("text", ["[]", "[[0.1, 0.5]]", "[[0.5, 0.5, 0.0]]", "[["])
def test_what_is_no_stroke_is_refused(terrain, text):
    before = len(terrain.terrane.layers)
    with pytest.raises(RuntimeError, match="stroke|Drag over"):
        bpy.ops.terrane.curve_draw(stroke=text)
    assert len(terrain.terrane.layers) == before and not bpy.data.curves


def test_lines_of_sight_meet_the_ground_of_a_turned_terrain(terrain):
    drawn_ground = module("operators.bridge.terrain.drawn_ground")
    terrain.location, terrain.rotation_euler = (50.0, 20.0, 7.0), (0.1, 0.2, 1.0)
    bpy.context.view_layer.update()
    ground = drawn_ground.DrawnGround.of(terrain)
    vertex = terrain.data.vertices[64 * 129 + 40]
    place = np.array(vertex.co)
    np.testing.assert_allclose(ground.in_world(place), terrain.matrix_world @ vertex.co, atol=1e-4)


def test_the_tool_refuses_a_mesh_before_the_stroke(terrain):
    (window, *_) = bpy.context.window_manager.windows
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    terrain.data.vertices.add(1)
    reports = []
    by_script = SimpleNamespace(is_invoke=False, is_repeat=False)
    operator = SimpleNamespace(report=lambda kind, text: reports.append(text), options=by_script)
    draw = module("operators.curve_drawing").TERRANE_OT_curve_draw
    with bpy.context.temp_override(window=window, area=area):
        assert draw.invoke(operator, bpy.context, None) == {"CANCELLED"}
    assert reports == ["Terrain is no longer the grid that was built: press Update"]


def test_the_tool_stands_in_the_toolbar(terrane):
    from bl_ui.space_toolsystem_toolbar import VIEW3D_PT_tools_active

    tools = VIEW3D_PT_tools_active._tools_flatten(VIEW3D_PT_tools_active._tools["OBJECT"])
    assert "terrane.curve_draw" in [tool.idname for tool in tools if tool is not None]


# --- what else happens to objects -----------------------------------------------------------------


def test_the_tool_shows_numbers_that_it_chooses_as_automatic(terrain):
    """In its header and in the redo panel: 0 is never shown."""
    splines = module("operators.bridge.terrain.drawn_splines")
    drawing = module("operators.curve_drawing").TERRANE_OT_curve_draw
    tool, properties = module("ui.curves").TERRANE_WT_curve_draw, _Properties()
    in_header, in_panel = set(), set()
    tool.draw_settings(bpy.context, _DrawnLayout(in_header), properties)
    operator = SimpleNamespace(layout=_DrawnLayout(in_panel), **vars(properties))
    operator.properties = properties
    drawing.draw(operator, bpy.context)
    for shown in (in_header, in_panel):
        names = {item[1] for item in shown}
        assert {"kind", "shape", "width_auto", "tolerance_auto", "Width", "Tolerance"} <= names
        assert not {"width", "tolerance"} & names
    properties.width, properties.width_auto = 12.0, False
    in_header.clear()
    tool.draw_settings(bpy.context, _DrawnLayout(in_header), properties)
    assert {"width", "width_auto"} <= {item[1] for item in in_header}
    assert [item.title for item in splines.NUMBERS] == ["Width", "Tolerance"]
    rna = bpy.ops.terrane.curve_draw.get_rna_type().properties
    assert (
        rna["width"].description
        == "Width of the bed; 0 is automatic, four samples, and 8 m at least"
    )
    assert rna["width_auto"].name == "Auto"


class _DrawnLayout(RecordingLayout):
    """Layout that records the properties themselves, not what they show."""

    def prop(self, group, name, **options):
        assert name in group.bl_rna.properties, name
        self.shown.add((group.bl_rna.identifier, name))


class _Properties:
    """Properties of the operator with their defaults, as a tool has them."""

    def __init__(self):
        self.kind, self.shape, self.closed = "road", "BEZIER", False
        self.width = self.tolerance = 0.0
        self.width_auto = self.tolerance_auto = True
        self.bl_rna = bpy.ops.terrane.curve_draw.get_rna_type()

    def operator_properties(self, name):
        assert name == "terrane.curve_draw"
        return self


def test_a_deleted_curve_that_undo_brings_back_is_followed_again(terrain, live):
    road = new_curve()
    choose(terrain, road)
    bpy.ops.ed.undo_push(message="a road")
    before = heights(terrain)
    with bpy.context.temp_override(selected_objects=[road], active_object=road):
        bpy.ops.object.delete()
    bpy.ops.ed.undo_push(message="deleted")
    live.update_now()
    np.testing.assert_array_equal(heights(bpy.data.objects["Terrain"]), before)
    bpy.ops.ed.undo()
    terrain, road = bpy.data.objects["Terrain"], bpy.data.objects["Road"]
    live.update_now()
    assert terrain.terrane.layers[-1].curves[0].object == road
    road.location.y = 100.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.6), atol=1e-7)
    assert follows(terrain)


def test_scaled_and_turned_parents_count(terrain, live):
    road = new_curve()
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    road.parent = empty
    choose(terrain, road)
    empty.rotation_euler.z, empty.scale = np.pi / 2, (0.5, 0.5, 1.0)
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain), [(0.5, 0.3), (0.45, 0.7)], atol=1e-6)
    (curve,) = read_recipe(terrain).layers[-1].curves
    assert [point.width for point in curve.points] == pytest.approx([20.0, 20.0])
    assert [point.z for point in curve.points] == pytest.approx([60.0, 60.0])
    assert follows(terrain)


def test_a_scaled_and_turned_terrain_measures_in_its_own_space(terrain, live):
    road = new_curve()
    choose(terrain, road)
    terrain.rotation_euler.z, terrain.scale = np.pi / 2, (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.5, 0.7), atol=1e-6)
    (curve,) = read_recipe(terrain).layers[-1].curves
    assert curve.points[0].width == pytest.approx(20.0)
    assert curve.points[0].z == pytest.approx(30.0) and follows(terrain)


@pytest.mark.parametrize("is_linked", [False, True])
def test_a_copied_curve_is_another_one_until_it_is_chosen(terrain, live, is_linked):
    road = new_curve()
    choose(terrain, road)
    bpy.ops.object.select_all(action="DESELECT")
    activate(road)
    road.select_set(True)
    assert bpy.ops.object.duplicate(linked=is_linked) == {"FINISHED"}
    copy = bpy.context.active_object
    copy.location.y = 200.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.5), atol=1e-7)
    copy.data.splines[0].points[0].co.y = 50.0  # of both, if they share the data
    copy.data.update_tag()
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.55 if is_linked else 0.5), atol=1e-7)
    activate(terrain)
    assert bpy.ops.terrane.curve_choose(object=copy.name) == {"FINISHED"}
    live.update_now()
    assert len(read_recipe(terrain).layers[-1].curves) == 2 and follows(terrain)


def test_curves_of_another_file_are_followed_and_their_overrides_moved(terrane, live, tmp_path):
    new_curve()
    path = str(tmp_path / "roads.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    terrain = add_fractal_terrain(size=1000.0, height=100.0, resolution=129)
    with bpy.data.libraries.load(path, link=True) as (_, loaded):
        loaded.objects = ["Road"]
    (road,) = loaded.objects
    bpy.context.scene.collection.objects.link(road)
    bpy.context.view_layer.update()
    choose(terrain, road)
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.5), atol=1e-7)
    own = road.override_create(remap_local_usages=True)
    bpy.context.view_layer.update()
    assert terrain.terrane.layers[-1].curves[0].object == own
    own.location.y = 100.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_allclose(places(terrain)[0], (0.1, 0.6), atol=1e-7)
    assert follows(terrain)


def test_a_terrain_of_another_file_keeps_its_land(terrane, live, tmp_path):
    terrain = add_fractal_terrain(size=1000.0, height=100.0, resolution=129)
    choose(terrain, new_curve())
    before, path = heights(terrain), str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, loaded):
        loaded.objects = ["Terrain", "Road"]
    for obj in loaded.objects:
        bpy.context.scene.collection.objects.link(obj)
    terrain, road = loaded.objects
    own = road.override_create(remap_local_usages=True)
    own.location.y = 100.0
    bpy.context.view_layer.update()
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), before)


@pytest.mark.parametrize("kind", ["river", "road"])
def test_no_curve_is_drawn_on_a_terrain_of_another_file(terrane, live, tmp_path, kind):
    add_fractal_terrain(size=1000.0, height=100.0, resolution=65)
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, loaded):
        loaded.objects = ["Terrain"]
    (terrain,) = loaded.objects
    bpy.context.scene.collection.objects.link(terrain)
    new_curve("Brook")
    activate(terrain)
    count, objects = len(terrain.terrane.layers), set(bpy.data.objects)
    for draw, values in (
        (bpy.ops.terrane.path_add, {"object": "Brook"}),
        (bpy.ops.terrane.curve_add, {}),
        (bpy.ops.terrane.curve_draw, {"stroke": stroke()}),
    ):
        with pytest.raises(RuntimeError, match="Terrain is linked from another file"):
            draw(kind=kind, **values)
    assert len(terrain.terrane.layers) == count and set(bpy.data.objects) == objects


# --- presets --------------------------------------------------------------------------------------

DRAWN = {
    "valley_road": ["Valley Road"],
    "lake": ["Shore"],
    "terraced_village": ["House", "Lane"],
    "drawn_river": ["Main River", "Tributary"],
    "ridge_rivers": ["Main Ridge", "North Spur", "South Spur", "West River", "East River"],
}


@pytest.mark.parametrize("preset", DRAWN)
def test_curves_of_presets_are_objects_to_pull(terrane, live, preset):
    assert bpy.ops.terrane.terrain_add(preset=preset, resolution=129) == {"FINISHED"}
    terrain = bpy.context.active_object
    assert terrain.terrane.preset == preset
    curves = [obj for obj in terrain.children if obj.type == "CURVE"]
    for name in DRAWN[preset]:
        assert any(obj.name.startswith(name) for obj in curves), [obj.name for obj in curves]
    slots = [slot for entry in terrain.terrane.layers for slot in entry.curves]
    assert all(slot.object in curves for slot in slots)
    before = heights(terrain)
    digest = module("operators.bridge.terrain.mesh_record").of(terrain.data).digest
    bpy.context.view_layer.update()
    live.update_now()
    assert module("operators.bridge.terrain.mesh_record").of(terrain.data).digest == digest
    assert follows(terrain)
    curves[0].location.x = 0.05 * terrain.terrane.size
    bpy.context.view_layer.update()
    live.update_now()
    assert follows(terrain) and not np.array_equal(heights(terrain), before)


# --- earthworks -----------------------------------------------------------------------------------


def test_volumes_of_cut_and_fill_are_told(terrain, live):
    volumes = module("operators.bridge.terrain.earth_volumes")
    assert volumes.text(terrain) == ""
    choose(terrain, new_curve())
    activate(terrain)
    assert bpy.ops.terrane.terrain_update(drawn_maps={"cut", "fill"}) == {"FINISHED"}
    cells = (1000.0 / 128) ** 2
    cut, fill = (
        cells * attribute_values(terrain.data, name).sum(dtype=float) for name in ("cut", "fill")
    )
    numbers = re.findall(r"[\d,]+", volumes.text(terrain).replace("m³", ""))
    told = [float(number.replace(",", "")) for number in numbers if number.strip(",")]
    assert told == pytest.approx([cut, fill], rel=0.02) and max(told) > 1000.0
    entry = terrain.terrane.layers[-1]
    entry.muted = True
    live.update_now()
    assert volumes.text(terrain) == ""


def test_a_narrow_road_is_as_wide_as_drawn_in_a_detail_patch(terrain, live):
    choose(terrain, new_curve(radius=4.0))
    activate(terrain)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    camera.location = (0.0, 50.0, 130.0)
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()
    assert bpy.ops.terrane.detail_patch_add(patch_size=100.0, spacing=1.0) == {"FINISHED"}
    patch = next(obj for obj in bpy.data.objects if obj.name.startswith("Terrane Detail Patch"))
    points = np.array([vertex.co for vertex in patch.data.vertices])
    ahead = np.array((800.0, 100.0)) / np.hypot(800.0, 100.0)
    beside = np.abs((points[:, 0] + 400.0) * -ahead[1] + points[:, 1] * ahead[0])
    inner = np.abs(points[:, :2] - (0.0, 50.0)).max(axis=1) < 25.0
    assert (inner & (beside < 1.9)).sum() > 50
    np.testing.assert_allclose(points[inner & (beside < 1.9), 2], 60.0, atol=0.01)


def test_one_layer_follows_rivers_and_ridges(terrain, live):
    bpy.ops.terrane.layer_add(type="stream_erosion")
    entry = terrain.terrane.layers[-1]
    before = heights(terrain)
    for name, place in (("rivers", -200.0), ("ridges", 200.0)):
        curve = new_curve(name.title(), places=((-400, place, 60), (500, place, 60)))
        bpy.ops.terrane.curve_choose(list=name, object=curve.name)
        module("operators.bridge.tasks.live").update_now()
        assert not np.array_equal(heights(terrain), before) and follows(terrain)
        before = heights(terrain)
    layer = read_recipe(terrain).layers[-1]
    assert [len(layer.rivers), len(layer.ridges)] == [1, 1]
    assert layer.rivers[0].points[0].at[1] < 0.5 < layer.ridges[0].points[0].at[1]
    entry.rivers[0].object.data.splines[0].points[0].co.y = 300.0
    bpy.context.view_layer.update()
    module("operators.bridge.tasks.live").update_now()
    assert read_recipe(terrain).layers[-1].rivers[0].points[0].at[1] > 0.5
    assert not np.array_equal(heights(terrain), before) and follows(terrain)


@pytest.mark.parametrize("key", ["debris_flow", "glacial_erosion", "meanders"])
def test_ice_debris_and_meanders_follow_rivers(terrain, live, key):
    bpy.ops.terrane.layer_add(type=key)
    entry, before = terrain.terrane.layers[-1], heights(terrain)
    curve = new_curve("Rivers", places=((-400, -200, 60), (500, -200, 60)), radius=40.0)
    bpy.ops.terrane.curve_choose(list="rivers", object=curve.name)
    module("operators.bridge.tasks.live").update_now()
    assert not np.array_equal(heights(terrain), before) and follows(terrain)
    before = heights(terrain)
    assert ("Rivers", "object") in fields_of(EditorContext())
    assert read_recipe(terrain).layers[-1].rivers[0].points[0].at[1] < 0.5
    entry.rivers[0].object.data.splines[0].points[0].co.y = 300.0
    bpy.context.view_layer.update()
    module("operators.bridge.tasks.live").update_now()
    assert read_recipe(terrain).layers[-1].rivers[0].points[0].at[1] > 0.5
    assert not np.array_equal(heights(terrain), before) and follows(terrain)
