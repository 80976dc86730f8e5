# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights changed by hand are kept as a layer, which goes on with the others."""

from __future__ import annotations

import json
from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights, update_terrain

SIDE = 65


def bump(side=SIDE, depth=SIDE):
    """Return a hill of 7 m with a smooth foot, and a ditch of 3 m beside it."""
    y, x = np.mgrid[0 : 1 : depth * 1j, 0 : 1 : side * 1j]
    hill = 7.0 * np.exp(-((x - 0.3) ** 2 + (y - 0.4) ** 2) / 0.02)
    return (hill - 3.0 * np.exp(-((x - 0.7) ** 2 + (y - 0.6) ** 2) / 0.01)).reshape(-1)


def sculpt(thing, change):
    mesh = thing.data
    positions = module("operators.bridge.datablocks.meshes").positions_of(mesh)
    positions[:, 2] += change
    mesh.attributes["position"].data.foreach_set("vector", positions.reshape(-1))
    mesh.update()


TERRAIN = {"noise": "perlin", "resolution": SIDE, "height": 20}
add_land = partial(add_terrain, **TERRAIN)


def keep():
    assert bpy.ops.terrane.layer_from_sculpt() == {"FINISHED"}


def test_update_gives_what_was_sculpted(terrain):
    before = heights(terrain)
    sculpt(terrain, bump())
    sculpted = heights(terrain)
    keep()
    np.testing.assert_array_equal(heights(terrain), sculpted)
    entry = terrain.terrane.layers[-1]
    assert (entry.name, entry.mode, entry.chain[0].type) == ("Sculpted Change", "add", "raster")
    assert terrain.terrane.active_layer == len(terrain.terrane.layers) - 1
    update_terrain()
    np.testing.assert_allclose(heights(terrain), sculpted, atol=1e-3)
    entry.muted = True
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), before)
    entry.muted, entry.opacity = False, 0.5
    update_terrain()
    np.testing.assert_allclose(heights(terrain), before + bump() / 2.0, atol=1e-3)
    assert bpy.ops.terrane.layer_remove() == {"FINISHED"}
    update_terrain()
    np.testing.assert_array_equal(heights(terrain), before)


@pytest.mark.parametrize("depth", [0.5, 2.0])
def test_a_terrain_that_is_no_square(terrane, depth):
    terrain = add_land(depth=depth)
    shape = (33, SIDE) if depth < 1.0 else (SIDE, 33)
    sculpt(terrain, bump(shape[1], shape[0]))
    sculpted = heights(terrain)
    keep()
    update_terrain()
    np.testing.assert_allclose(heights(terrain), sculpted, atol=1e-3)


def test_the_change_stays_while_others_are_dragged(terrain):
    sculpt(terrain, bump())
    keep()
    live = module("operators.bridge.tasks.live")
    for name, value in (("seed", 11), ("height", 31.0)):
        setattr(terrain.terrane, name, value)
        live.update_now()
        entry = terrain.terrane.layers[-1]
        shown = heights(terrain)
        entry.muted = True
        live.update_now()
        np.testing.assert_allclose(shown - heights(terrain), bump(), atol=1e-3)
        entry.muted = False
        live.update_now()


def test_live_goes_on_after_the_change_is_kept(terrain):
    live, before = module("operators.bridge.tasks.live"), heights(terrain)
    sculpt(terrain, bump())
    terrain.terrane.seed += 1
    live.update_now()
    assert live.note(terrain) == module("operators.bridge.terrain.terrain_product").EDITED
    keep()
    live.update_now()
    assert live.note(terrain) == ""
    sculpted = heights(terrain)
    terrain.terrane.layers[-1].muted = True
    live.update_now()
    assert not np.array_equal(heights(terrain), before), "it has the new seed"
    np.testing.assert_allclose(sculpted - heights(terrain), bump(), atol=1e-3)


@pytest.mark.parametrize("mode", ["SCULPT", "EDIT", "OBJECT"])
def test_former_settings_are_known_once_editing_has_begun(terrain, tmp_path, mode):
    """In another session too, which has not made the heights."""
    path, name = str(tmp_path / "sculpted.blend"), terrain.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not module("operators.bridge.terrain.terrains").made_requests
    terrain = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = terrain
    before = heights(terrain)
    bpy.ops.object.mode_set(mode=mode)
    bpy.context.view_layer.update()
    bpy.ops.object.mode_set(mode="OBJECT")
    sculpt(terrain, bump())
    terrain.terrane.height = 35.0
    if mode == "OBJECT":
        with pytest.raises(RuntimeError, match="settings have changed"):
            bpy.ops.terrane.layer_from_sculpt()
        assert len(terrain.terrane.layers) == 1 and len(bpy.data.images) == 0
    else:
        keep()
        update_terrain()
        np.testing.assert_allclose(heights(terrain), before * 35.0 / 20.0 + bump(), atol=1e-3)


@pytest.mark.parametrize("resolution", [33, 129, 257])
def test_another_resolution_has_the_change_smoothly(terrain, resolution):
    sculpt(terrain, bump())
    keep()
    for muted in (False, True):
        terrain.terrane.layers[-1].muted = muted
        update_terrain(resolution=resolution)
        if not muted:
            shown = heights(terrain)
    change = (shown - heights(terrain)).reshape(resolution, resolution)
    np.testing.assert_allclose(change.reshape(-1), bump(resolution, resolution), atol=0.05)
    terrain.terrane.layers[-1].muted = False
    update_terrain(resolution=SIDE)
    terrain.terrane.layers[-1].muted = True
    shown = heights(terrain)
    update_terrain()
    np.testing.assert_allclose(shown - heights(terrain), bump(), atol=1e-3)


def test_it_is_saved_with_the_file_and_with_the_recipe(terrain, tmp_path):
    sculpt(terrain, bump())
    keep()
    sculpted, name = heights(terrain), terrain.name
    path = str(tmp_path / "sculpted.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    terrain = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = terrain
    update_terrain()
    np.testing.assert_allclose(heights(terrain), sculpted, atol=1e-3)
    recipe = module("operators.bridge.terrain.terrains").present_request(terrain).recipe
    text = recipe.to_json()
    assert json.loads(text)["layers"][-1]["name"] == "Sculpted Change"
    other = add_land(recipe=text)
    np.testing.assert_allclose(heights(other), sculpted, atol=1e-3)


def test_it_lies_on_eroded_ground_and_is_not_eroded(terrane):
    terrain = add_land(preset="alps", resolution=129, size=2000.0, height=300.0)
    before = heights(terrain)
    sculpt(terrain, bump(129, 129))
    keep()
    update_terrain()
    np.testing.assert_allclose(heights(terrain), before + bump(129, 129), atol=1e-3)


def test_a_seamless_terrain_stays_seamless(terrane):
    terrain = add_land(seamless=True)
    change = bump()
    sculpt(terrain, change)
    sculpted = heights(terrain).reshape(SIDE, SIDE)
    keep()
    update_terrain()
    shown = heights(terrain).reshape(SIDE, SIDE)
    np.testing.assert_allclose(shown[:-1, :-1], sculpted[:-1, :-1], atol=1e-3)
    np.testing.assert_array_equal(shown[0], shown[-1])
    np.testing.assert_array_equal(shown[:, 0], shown[:, -1])


def test_one_change_after_another_beside_a_layer_that_is_solo(terrain):
    bpy.ops.terrane.layer_add(type="perlin")
    assert bpy.ops.terrane.layer_solo() == {"FINISHED"}
    update_terrain()
    for count in (1, 2):
        sculpt(terrain, bump())
        sculpted = heights(terrain)
        keep()
        update_terrain()
        np.testing.assert_allclose(heights(terrain), sculpted, atol=1e-3)
        assert len(terrain.terrane.layers) == 2 + count
    names = [entry.name for entry in terrain.terrane.layers][2:]
    assert names == ["Sculpted Change", "Sculpted Change.001"]


def test_the_change_of_a_basis_with_shape_keys(terrain):
    terrain.shape_key_add(name="Basis")
    key = terrain.shape_key_add(name="Other")
    basis = terrain.data.shape_keys.reference_key
    meshes = module("operators.bridge.datablocks.meshes")
    positions = meshes.key_positions(basis)
    positions[:, 2] += bump()
    meshes.set_key_positions(basis, positions)
    keep()
    update_terrain()
    np.testing.assert_allclose(meshes.key_positions(basis), positions, atol=1e-3)
    assert key.name in terrain.data.shape_keys.key_blocks


def test_one_undo_step(terrain):
    sculpt(terrain, bump())
    bpy.ops.ed.undo_push(message="sculpt")
    sculpted, name = heights(terrain), terrain.name
    keep()
    bpy.ops.ed.undo_push(message="keep")
    bpy.ops.ed.undo()
    terrain = bpy.data.objects[name]
    assert len(terrain.terrane.layers) == 1 and len(bpy.data.images) == 0
    np.testing.assert_array_equal(heights(terrain), sculpted)
    keep()
    assert len(terrain.terrane.layers) == 2


def refused(reason):
    return pytest.raises(RuntimeError, match=reason)


def test_what_cannot_be_kept_is_refused(terrain):
    keeping = bpy.ops.terrane.layer_from_sculpt
    with refused("no change to keep"):
        keeping()
    sculpt(terrain, bump())
    terrain.terrane.tile = (1.0, 0.0)
    with refused("tile"):
        keeping()
    terrain.terrane.tile = (0.0, 0.0)
    assert len(terrain.terrane.layers) == 1 and len(bpy.data.images) == 0
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    with refused("no longer the grid"):
        keeping()
    bpy.ops.mesh.primitive_cube_add()
    with refused("Select a terrain"):
        keeping()


def test_edit_mode_is_kept(terrain):
    sculpt(terrain, bump())
    sculpted = heights(terrain)
    bpy.ops.object.mode_set(mode="EDIT")
    keep()
    assert terrain.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    update_terrain()
    np.testing.assert_allclose(heights(terrain), sculpted, atol=1e-3)


@pytest.mark.parametrize("is_edited", [False, True])
def test_the_panel_offers_it_below_its_note(terrain, monkeypatch, is_edited):
    ui, offered = module("ui.viewport"), []
    for name in ("split", "draw_progress", "draw_note", "draw_recipe"):
        monkeypatch.setattr(ui, name, lambda layout, *others: layout)

    class Layout:
        def row(self):
            return self

        def operator(self, name, **options):
            offered.append(name)

    if is_edited:
        sculpt(terrain, bump())
        terrain.terrane.seed += 1
        module("operators.bridge.tasks.live").update_now()
    ui.TERRANE_PT_terrain.draw(type("Panel", (), {"layout": Layout()})(), bpy.context)
    assert ("terrane.layer_from_sculpt" in offered) == is_edited
