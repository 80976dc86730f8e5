# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains that meet themselves, and terrains that meet their neighbors: to the bit."""

from __future__ import annotations

import dataclasses
from functools import partial

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, read_recipe

SIDE = 65
EROSION = {"modifier": "thermal_erosion", "talus_angle": 20.0, "maps": {"scree"}}


add_land = partial(add_terrain, resolution=SIDE, noise="perlin", frequency=3.3)


def field(thing, name=None):
    """Return the heights or an attribute on the mesh's own rows and columns."""
    record = module("operators.bridge.terrain.mesh_record").of(thing.data)
    if name is None:
        values = module("operators.bridge.datablocks.meshes").positions_of(thing.data)[:, 2]
    else:
        values = np.empty(len(thing.data.vertices), np.float32)
        thing.data.attributes[name].data.foreach_get("value", values)
    return values.reshape(record.details["rows"], record.details["columns"])


def meets_itself(values):
    return np.array_equal(values[0], values[-1]) and np.array_equal(values[:, 0], values[:, -1])


def land(thing, **options):
    recipe = read_recipe(thing)
    return recipe.evaluate(recipe.grid(**options)).height


# --- seamless -----------------------------------------------------------------------------------


def test_copies_of_a_seamless_terrain_join_to_the_bit(terrane):
    thing = add_land(seamless=True)
    heights = field(thing)
    assert heights.shape == (SIDE, SIDE) and meets_itself(heights)
    assert thing.dimensions.x == pytest.approx(100.0) == thing.dimensions.y
    np.testing.assert_array_equal(heights[:-1, :-1], land(thing, resolution=SIDE - 1, wrap=True))
    assert not meets_itself(field(add_land()))


def test_a_seamless_terrain_is_seamless_with_erosion_and_all_its_maps(terrane):
    thing = add_land(preset="badlands", seamless=True, depth=0.5, maps={"flow", "slope"})
    heights = field(thing)
    assert heights.shape == (33, SIDE) and meets_itself(heights)
    assert meets_itself(field(thing, "flow")) and meets_itself(field(thing, "slope"))
    np.testing.assert_array_equal(
        heights[:-1, :-1], land(thing, resolution=(32, SIDE - 1), wrap=True)
    )


@pytest.mark.parametrize("resolution", [2, 3, 4])
@pytest.mark.parametrize("depth", [0.01, 1.0, 3.0])
def test_the_smallest_seamless_terrains(terrane, resolution, depth):
    thing = add_land(preset="badlands", seamless=True, resolution=resolution, depth=depth)
    assert meets_itself(field(thing))


def test_maps_are_baked_across_the_edges(terrane):
    thing = add_land(preset="badlands", seamless=True)
    assert bpy.ops.terrane.maps_bake(maps={"slope", "flow", "curvature"}) == {"FINISHED"}
    for name in ("slope", "flow", "curvature"):
        assert meets_itself(field(thing, name)), name
    grid = read_recipe(thing).grid(SIDE - 1, wrap=True)
    heights = field(thing)[:-1, :-1].copy()
    slope = module("noise_core.maps").Slope()
    wanted = module("noise_core").read_maps(heights, grid, {"slope": slope})["slope"]
    np.testing.assert_allclose(field(thing, "slope")[:-1, :-1], wanted, atol=1e-4)


def test_images_of_maps_are_seamless_textures(terrane):
    thing = add_land(preset="badlands", seamless=True, depth=0.5)
    bake = bpy.ops.terrane.maps_bake
    given = {"as_attributes": False, "as_images": True, "low": -200.0, "high": 200.0}
    assert bake(maps={"height"}, splat=True, red="height", **given) == {"FINISHED"}
    assert len(bpy.data.images) == 2
    wanted = (land(thing, resolution=(32, SIDE - 1), wrap=True) + 200.0) / 400.0
    for image in bpy.data.images:
        values = np.empty(32 * (SIDE - 1) * 4, np.float32)
        image.pixels.foreach_get(values)
        red = values.reshape(32, SIDE - 1, 4)[..., 0]
        np.testing.assert_allclose(red, np.clip(wanted, 0.0, 1.0), atol=1e-5)


def test_maps_of_a_seamless_terrain_whose_edge_was_sculpted(terrane):
    thing = add_land(seamless=True)
    thing.data.vertices[5].co.z += 3.0
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}
    assert not meets_itself(field(thing, "slope"))


def test_painted_masks_lie_where_they_were_painted(terrane):
    thing = add_land(seamless=True, height=30.0)
    bare = field(thing)
    bpy.ops.terrane.layer_add(type="thermal_erosion")
    thing.terrane.layers[1].thermal_erosion.talus_angle = np.radians(10.0)
    share = np.zeros((SIDE, SIDE), np.float32)
    share[8:20] = 1.0
    thing.vertex_groups.new(name="south")
    module("operators.bridge.datablocks.vertex_groups").write_weights(
        thing.vertex_groups["south"], share.reshape(-1)
    )
    thing.terrane.layers[1].painted_mask = "south"
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    after = field(thing)
    assert meets_itself(after) and np.abs(after - bare)[8:20].max() > 0.1
    np.testing.assert_array_equal(after[:8], bare[:8])
    np.testing.assert_array_equal(after[20:], bare[20:])
    # Another terrain of the same settings has the mask as an attribute, with a value at every vertex.
    copy = add_terrain(from_panel=True)
    np.testing.assert_array_equal(field(copy), after)
    np.testing.assert_array_equal(field(copy, "south"), share)


def test_what_was_before_an_erosion_is_seamless_too(terrane):
    thing = add_land(preset="badlands", seamless=True)
    eroded = field(thing)
    entries = [one for one in thing.terrane.layers if "erosion" in one.type]
    assert entries
    for is_muted in (True, False):
        for entry in entries:
            entry.muted = is_muted
        assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
        assert meets_itself(field(thing)) and np.array_equal(field(thing), eroded) != is_muted


def test_seamless_and_tile_are_followed_live(live):
    thing = add_land(resolution=33)
    thing.terrane.seamless = True
    live.update_now(is_preview=True)
    assert field(thing).shape == (33, 33)
    live.update_now()
    assert meets_itself(field(thing))
    np.testing.assert_array_equal(field(thing)[:-1, :-1], land(thing, resolution=32, wrap=True))
    thing.terrane.seamless, thing.terrane.tile = False, (2.0, -1.0)
    live.update_now()
    np.testing.assert_array_equal(field(thing), land(thing, resolution=33, origin=(2.0, -1.0)))
    thing.terrane.tile = (0.0, 0.0)
    live.update_now()
    np.testing.assert_array_equal(field(thing), land(thing, resolution=33))


def test_a_preview_of_a_seamless_terrain_meets_itself(live, monkeypatch):
    thing = add_land(resolution=129, frequency=4.0, seamless=True, depth=0.5, seed=3)
    whole = field(thing)
    target = module("operators.bridge.terrain.terrain_product").TERRAIN
    thing.terrane.height *= 2.0
    plan = target.plan(thing)
    work = target.work(thing, plan.request, 64)
    shown = module("operators.bridge.tasks.jobs").at_once(work)
    assert shown.grid.shape == whole.shape and meets_itself(shown.height)
    np.testing.assert_allclose(shown.height, 2.0 * whole, atol=0.1 * np.ptp(whole))


def test_heights_can_be_painted_on_a_seamless_terrain_and_on_no_other_tile(terrane):
    thing = add_land(seamless=True)
    before = field(thing)
    assert bpy.ops.terrane.mask_paint(target="HEIGHT") == {"FINISHED"}
    bpy.ops.terrane.mask_paint()
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert thing.terrane.layers[0].chain[0].type == "raster" and meets_itself(field(thing))
    np.testing.assert_allclose(field(thing), before, atol=1e-4 * np.ptp(before))
    add_land(tile=(1, 0))
    with pytest.raises(RuntimeError, match=r"Heights are painted on tile \(0, 0\) alone"):
        bpy.ops.terrane.mask_paint(target="HEIGHT")


# --- tiles --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1.0, 0.5])
@pytest.mark.parametrize("resolution", [SIDE, 50])
@pytest.mark.parametrize("preset", ["alps", "moon", "none"])
def test_neighbors_join_to_the_bit(terrane, preset, resolution, depth):
    recipe = module("noise_core.recipes.recipe").Recipe.from_preset(preset)
    bare = dataclasses.replace(recipe, layers=(recipe.noise,)).to_json()

    def tile(x, y):
        return field(add_terrain(recipe=bare, tile=(x, y), resolution=resolution, depth=depth))

    home, east, north = tile(0, 0), tile(1, 0), tile(0, 1)
    west, far = tile(-1, 0), tile(-1, 1)
    for first, second in (
        (home[:, -1], east[:, 0]),
        (home[-1], north[0]),
        (west[:, -1], home[:, 0]),
        (west[-1], far[0]),
        (far[:, -1], north[:, 0]),
    ):
        np.testing.assert_array_equal(first, second)
    assert np.abs(home - east).max() > 0.1 * recipe.height


def test_update_takes_the_terrains_own_tile_and_a_new_one(terrane):
    thing = add_land(tile=(1, 0))
    assert tuple(thing.terrane.tile) == (1.0, 0.0)
    before = field(thing)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_array_equal(field(thing), before)
    assert bpy.ops.terrane.terrain_update(tile=(0, 0)) == {"FINISHED"}
    np.testing.assert_array_equal(field(thing), land(thing, resolution=SIDE))
    assert bpy.ops.terrane.terrain_update(seamless=True) == {"FINISHED"}
    assert thing.terrane.seamless and meets_itself(field(thing))


def test_they_are_saved_and_undone(terrane, tmp_path, live):
    thing = add_land(tile=(3, -2), resolution=17)
    name, before = thing.name, field(thing)
    bpy.ops.ed.undo_push(message="tile")
    bpy.ops.terrane.terrain_update(seamless=True)
    bpy.ops.ed.undo_push(message="seamless")
    bpy.ops.ed.undo()
    thing = bpy.data.objects[name]
    assert not thing.terrane.seamless and tuple(thing.terrane.tile) == (3.0, -2.0)
    np.testing.assert_array_equal(field(thing), before)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    thing = bpy.data.objects[name]
    assert tuple(thing.terrane.tile) == (3.0, -2.0)
    live.update_now()
    np.testing.assert_array_equal(field(thing), before)
    bpy.context.view_layer.objects.active = thing
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    np.testing.assert_array_equal(field(thing), before)


def test_wrong_tiles_are_refused(terrane):
    with pytest.raises(RuntimeError, match=r"Terrain.tile must be in \[-100000, 100000\]"):
        bpy.ops.terrane.terrain_add(tile=(1e9, 0.0))
    assert not bpy.data.objects


class Layout:
    """Stand-in for a panel's layout, since Blender's module has no window; keeps labels by property."""

    def __init__(self):
        self.labels = []

    def __getattr__(self, name):
        return lambda *_, **__: self

    def panel(self, *names, **options):
        return self, self

    def prop(self, group, name, text="", **options):
        self.labels.append((name, text))


def drawn(monkeypatch, group, layout=None):
    """Return the panel's text about borders."""
    ui, said = module("ui.viewport"), []
    monkeypatch.setattr(ui, "draw_text", lambda layout, context, text: said.append(text))
    panel = type("Panel", (), {"layout": layout or Layout()})()
    ui.TERRANE_PT_terrain_measures.draw(panel, bpy.context)
    return " ".join(said)


def test_the_panel_tells_the_coordinates_of_a_tile_apart(terrane, monkeypatch):
    layout = Layout()
    drawn(monkeypatch, bpy.context.scene.terrane, layout)
    labels = [text for name, text in layout.labels if name == "tile"]
    assert labels == ["Tile X", "Y"]


def test_the_panel_says_what_erosion_does_at_borders(terrane, monkeypatch):
    terrains = module("operators.bridge.terrain.terrains")
    group = bpy.context.scene.terrane
    module("operators.bridge.schema.settings").write_preset(group, "none")
    assert not terrains.is_eroded(group)
    bpy.ops.terrane.layer_add(type="simplex")
    assert not terrains.is_eroded(group)
    bpy.ops.terrane.layer_add(type="stream_erosion")
    assert terrains.is_eroded(group)
    assert drawn(monkeypatch, group) == "", "one terrain alone has no neighbors to differ from"
    group.tile = (0.0, 1.0)
    assert "Erosion of one tile" in drawn(monkeypatch, group)
    group.seamless = True
    assert "copies of this terrain join" in drawn(monkeypatch, group)
    bpy.ops.terrane.layer_mute(place=2)
    assert drawn(monkeypatch, group) == ""


def test_the_picture_of_the_settings_is_of_the_tile_and_the_seamless_land(terrane):
    pictures, jobs = (
        module("operators.bridge.textures.recipe_pictures"),
        module("operators.bridge.tasks.jobs"),
    )

    def picture(thing):
        order = pictures.order_of(bpy.context, thing.terrane)
        return jobs.at_once(pictures.work(order, 64))

    thing = add_land(resolution=17)
    seen = [picture(thing)]
    for values in ({"tile": (4.0, 0.0)}, {"seamless": True}):
        for name, value in values.items():
            setattr(thing.terrane, name, value)
        seen.append(picture(thing))
    assert not np.array_equal(seen[0], seen[1]) and not np.array_equal(seen[1], seen[2])
    across = np.abs(np.diff(seen[2], axis=1)).max()
    assert np.abs(seen[2][:, 0] - seen[2][:, -1]).max() <= 1.5 * across


# --- erosion of what is there ---------------------------------------------------------------------


def test_a_seamless_terrain_is_eroded_across_its_edges(terrane):
    thing = add_land(seamless=True, height=40.0)
    before = field(thing)
    assert bpy.ops.terrane.mesh_erode(**EROSION) == {"FINISHED"}
    after = field(thing)
    assert np.abs(after - before).max() > 0.5
    assert meets_itself(after) and meets_itself(field(thing, "scree"))
    recipe = read_recipe(thing)
    thermal, grid = recipe.modifiers[-1], recipe.grid(SIDE - 1, wrap=True)
    wanted = thermal.apply(before[:-1, :-1].copy(), grid, thermal.seed_in(recipe.seed))
    np.testing.assert_allclose(after[:-1, :-1], wanted.height, atol=1e-4)


def mesh_grid(columns=33, rows=17, size=50.0):
    """Add Blender's own grid, with hills whose opposite edges do not meet."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=columns - 1, y_subdivisions=rows - 1, size=size)
    thing = bpy.context.active_object
    meshes = module("operators.bridge.datablocks.meshes")
    positions = meshes.positions_of(thing.data)
    x, y = positions[:, 0] / size, positions[:, 1] / size
    positions[:, 2] = 8.0 * np.abs(np.sin(np.pi * x) * np.cos(np.pi * y)) + x
    meshes.set_positions(thing.data, positions)
    thing.data.update()
    return thing


def rows_of(thing, rows=17, columns=33):
    """Return the heights of such a grid."""
    after = module("operators.bridge.datablocks.meshes").positions_of(thing.data)
    order = np.lexsort((after[:, 0], after[:, 1]))
    return after[order, 2].reshape(rows, columns)


def test_borders_that_a_terrain_has_are_not_changed_by_an_erosion(terrane):
    for keywords in ({"seamless": True}, {"tile": (1.0, 0.0)}):
        thing = add_land(height=40.0)
        before = field(thing)
        name = next(iter(keywords))
        with pytest.raises(RuntimeError, match=f"{name} must be .*, which the terrain"):
            bpy.ops.terrane.mesh_erode(**keywords, **EROSION)
        np.testing.assert_array_equal(field(thing), before)


def test_chance_depends_on_the_tile(terrane):
    def eroded(**keywords):
        thing = mesh_grid()
        before = rows_of(thing)
        options = {"modifier": "gully_erosion", "maps": set(), **keywords}
        assert bpy.ops.terrane.mesh_erode(**options) == {"FINISHED"}
        after = rows_of(thing)
        thing.terrane.layers[1].muted = True
        assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
        np.testing.assert_array_equal(rows_of(thing), before)
        return after

    np.testing.assert_array_equal(eroded(), eroded(tile=(0, 0)))
    assert not np.array_equal(eroded(), eroded(tile=(1, 0)))


def test_a_grid_of_blenders_own_can_be_eroded_seamlessly(terrane, capfd):
    thing = mesh_grid()
    before = rows_of(thing)
    assert bpy.ops.terrane.mesh_erode(seamless=True, **EROSION) == {"FINISHED"}
    assert "Opposite edges were 1 m apart and meet now" in capfd.readouterr().out
    assert meets_itself(rows_of(thing)) and not meets_itself(before)
    thing.terrane.layers[1].muted = True
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    assert meets_itself(rows_of(thing))
    np.testing.assert_array_equal(rows_of(thing)[:-1, :-1], before[:-1, :-1])
    assert bpy.ops.terrane.mesh_release() == {"FINISHED"}
    np.testing.assert_array_equal(rows_of(thing), before)
