# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps in Blender: added from presets, files and selections, moved, undone, saved and deleted."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import activate, add_fractal_terrain, heights, read_recipe

SIZE = 1000.0


@pytest.fixture
def terrain(terrane, live):
    return add_fractal_terrain(size=SIZE, height=100.0, resolution=129)


def stamp(terrain, **keywords):
    """Add a stamp to a terrain; return its empty, and the layer in the settings."""
    activate(terrain)
    assert bpy.ops.terrane.stamp_add(**{"preset": "volcano", **keywords}) == {"FINISHED"}
    module("operators.bridge.tasks.live").update_now()
    empty = bpy.context.view_layer.objects.active
    return empty, layer(terrain)


def layer(terrain):
    return next(entry for entry in terrain.terrane.layers if entry.type == "stamp")


def place(terrain, number=0):
    """Return a placement of the first stamp of a terrain's recipe."""
    layers = read_recipe(terrain).layers
    return next(one for one in layers if one.key == "stamp").placements[number]


def follows(terrain):
    """Return whether the heights are those of the settings."""
    request = module("operators.bridge.terrain.terrains").present_request(terrain)
    return np.array_equal(heights(terrain), request.recipe.evaluate(request.grid()).height.ravel())


def settle(live):
    bpy.context.view_layer.update()
    live.update_now()


def test_a_preset_is_stamped_at_its_empty(terrain, live):
    before = heights(terrain).reshape(129, 129)
    empty, entry = stamp(terrain, at=(0.25, 0.75), rotation=30.0)
    after = heights(terrain).reshape(129, 129)
    assert follows(terrain)
    assert empty.type == "EMPTY" and empty.parent == terrain and entry.name == "Volcano"
    np.testing.assert_allclose(empty.location[:2], (-250.0, 250.0), atol=1e-3)
    assert entry.placements[0].object == empty and entry.stamp.size == 500.0
    change = np.abs(after - before)
    rows, columns = np.nonzero(change > 0.0)
    assert change.max() > 20.0 and columns.max() < 66 and rows.min() > 62
    assert empty.location.z == pytest.approx(before[96, 32], abs=1e-3)
    state = module("operators.bridge.schema.state")
    assert state.active_terrain(bpy.context) == terrain  # the panel goes on showing it


def test_the_land_follows_the_empty(terrain, live):
    empty, _ = stamp(terrain)
    for change in (
        {"location": (100.0, -50.0, 30.0)},
        {"rotation_euler": (0.0, 0.0, 1.0)},
        {"scale": (0.5, 1.5, -1.0)},
    ):
        before = heights(terrain)
        for name, value in change.items():
            setattr(empty, name, value)
        settle(live)
        assert follows(terrain) and np.abs(heights(terrain) - before).max() > 2.0, change
    now = place(terrain)
    assert now.at == pytest.approx((0.6, 0.45)) and now.z == 30.0
    assert now.rotation == pytest.approx(np.degrees(1.0), abs=1e-4)
    assert now.scale == pytest.approx((0.5, 1.5, -1.0))


@pytest.mark.parametrize("scale", [(-1.0, 1.0, 1.0), (1.0, -2.0, 1.0), (-1.0, -1.0, 0.5)])
def test_mirrored_empties_have_the_same_axes(terrain, live, scale):
    """However the turn and the signs are told, every corner of the stamp lies where that of the empty does."""
    empty, _ = stamp(terrain)
    empty.rotation_euler.z, empty.scale = 0.7, scale
    settle(live)
    now = place(terrain)
    turn = np.radians(now.rotation)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * now.scale[:2]
    np.testing.assert_allclose(axes, np.array(empty.matrix_local)[:2, :2], atol=1e-5)
    assert now.scale[2] == pytest.approx(scale[2])


def test_a_tilted_empty_leaves_its_last_place(terrain, live):
    empty, entry = stamp(terrain)
    followed = module("operators.bridge.terrain.followed_sources")
    before, text = heights(terrain), entry.placements[0].points
    empty.rotation_euler.x = 0.3
    settle(live)
    assert layer(terrain).placements[0].points == text and (heights(terrain) == before).all()
    assert "turn it about Z alone" in followed.note(terrain, layer(terrain).placements[0])
    empty.rotation_euler.x = 0.0
    settle(live)
    assert not followed.note(terrain, layer(terrain).placements[0])


def test_a_deleted_empty_leaves_its_last_place_and_comes_again(terrain, live):
    empty, entry = stamp(terrain, at=(0.3, 0.3))
    empty.scale.x = 1.5
    settle(live)
    before = heights(terrain)
    with bpy.context.temp_override(selected_objects=[empty]):
        bpy.ops.object.delete()
    settle(live)
    followed = module("operators.bridge.terrain.followed_sources")
    note = followed.note(terrain, layer(terrain).placements[0])
    assert note == "Volcano was removed: the stamp keeps its last place"
    assert (heights(terrain) == before).all()
    activate(terrain)
    assert bpy.ops.terrane.place_make(place=0) == {"FINISHED"}
    made = layer(terrain).placements[0].object
    assert made is not None and made.scale.x == pytest.approx(1.5)
    settle(live)
    assert not followed.note(terrain, layer(terrain).placements[0])
    assert follows(terrain)


def test_one_layer_stamps_several_times(terrain, live):
    stamp(terrain, at=(0.3, 0.3))
    activate(terrain)
    bpy.context.scene.cursor.location = (300.0, 200.0, 0.0)
    assert bpy.ops.terrane.stamp_repeat() == {"FINISHED"}
    live.update_now()
    assert len(layer(terrain).placements) == 2 and follows(terrain)
    assert place(terrain, 1).at == pytest.approx((0.8, 0.7))
    assert bpy.ops.terrane.curve_forget(list="placements", place=0) == {"FINISHED"}
    live.update_now()
    assert place(terrain).at == pytest.approx((0.8, 0.7)) and follows(terrain)


def test_the_layer_lies_below_erosion(terrain, live):
    bpy.ops.terrane.layer_add(type="stream_erosion")
    stamp(terrain)
    assert [entry.type for entry in terrain.terrane.layers] == ["noise", "stamp", "stream_erosion"]
    stamp(terrain, eroded=False)
    assert [entry.type for entry in terrain.terrane.layers][-1] == "stamp"
    assert follows(terrain)


def test_selected_vertices_are_stamped(terrain, live):
    ground = heights(terrain).reshape(129, 129)
    chosen = np.zeros((129, 129), bool)
    chosen[20:61, 30:71] = True
    mesh = terrain.data
    for kind in (mesh.polygons, mesh.edges):
        kind.foreach_set("select", np.zeros(len(kind), bool))
    mesh.vertices.foreach_set("select", chosen.ravel())
    _, entry = stamp(
        terrain, source="SELECTION", mode="mix", outline="square", falloff=0.0, at=(0.75, 0.75)
    )
    assert entry.stamp.size == pytest.approx(40 / 128 * SIZE) and entry.name == "Copied Land"
    copied = heights(terrain).reshape(129, 129)[76:117, 76:117]
    part = ground[20:61, 30:71]
    offset = (copied - part)[1:-1, 1:-1]
    assert np.ptp(offset) < 0.01  # the same land at another height


def test_files_are_stamped(terrain, live, tmp_path):
    share = np.linspace(-1.0, 1.0, 65, dtype=np.float32)
    np.save(tmp_path / "hill.npy", 50.0 * (1.0 - np.maximum(abs(share), abs(share[:, None]))))
    _, entry = stamp(terrain, source="FILE", filepath=str(tmp_path / "hill.npy"), size=300.0)
    assert entry.name == "hill" and entry.stamp.size == 300.0
    assert entry.stamp.height == pytest.approx(50.0 * 300.0 / 65.0, rel=0.05)
    assert follows(terrain)


def test_what_cannot_be_stamped_is_refused_in_one_line(terrain, live, tmp_path):
    for keywords, message in (
        ({"source": "FILE", "filepath": str(tmp_path / "none.npy")}, "none.npy"),
        ({"source": "SELECTION"}, "Select vertices of the terrain first"),
    ):
        terrain.data.vertices.foreach_set("select", np.zeros(129 * 129, bool))
        activate(terrain)
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrane.stamp_add(**keywords)
    assert all(entry.type != "stamp" for entry in terrain.terrane.layers)


def test_a_saved_file_keeps_stamps_to_the_bit(terrain, live, tmp_path):
    stamp(terrain, at=(0.4, 0.6))
    before, text = heights(terrain), read_recipe(terrain).to_json()
    path = str(tmp_path / "stamps.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain, empty = bpy.data.objects["Terrain"], bpy.data.objects["Volcano"]
    is_same = (heights(terrain) == before).all(), read_recipe(terrain).to_json() == text
    assert is_same == (True, True) and layer(terrain).placements[0].object == empty
    empty.location.x += 50.0
    settle(live)
    assert follows(terrain) and np.abs(heights(terrain) - before).max() > 1.0


def test_undo_takes_a_move_back(terrain, live):
    stamp(terrain, at=(0.4, 0.6))
    before = heights(terrain)
    bpy.ops.ed.undo_push(message="before")
    bpy.data.objects["Volcano"].location.x = 200.0
    settle(live)
    moved = heights(terrain)
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.ed.undo()
    live.update_now()
    terrain = bpy.data.objects["Terrain"]
    assert (heights(terrain) == before).all() and not (moved == before).all()
    assert place(terrain).at == pytest.approx((0.4, 0.6))
    bpy.ops.ed.redo()
    live.update_now()
    assert (heights(bpy.data.objects["Terrain"]) == moved).all()


def test_duplicates_of_a_layer_keep_image_and_empty(terrain, live):
    empty, entry = stamp(terrain)
    terrain.terrane.active_layer = list(terrain.terrane.layers).index(entry)
    activate(terrain)
    assert bpy.ops.terrane.layer_duplicate() == {"FINISHED"}
    live.update_now()
    both = [entry for entry in terrain.terrane.layers if entry.type == "stamp"]
    assert [one.placements[0].object for one in both] == [empty, empty]
    assert both[0].pixels == both[1].pixels is not None
    assert follows(terrain)
