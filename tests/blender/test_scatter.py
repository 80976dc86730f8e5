# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants and stones: where they stand, how many, that they follow, and that they go again."""

from __future__ import annotations

import importlib
import subprocess
import sys

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, part, positions

KINDS = ("conifers", "broadleaves", "bushes", "grass", "stones")
NONE = {f"{one}_density": 0.0 for one in KINDS}
"""Keywords with which nothing grows."""

EVERYWHERE = {
    **NONE,
    "conifers_density": 100.0,
    "conifers_clumps": 0.0,
    "conifers_steepest": 90.0,
    "conifers_lowest": -1.0,
    "conifers_highest": 2.0,
    "conifers_moisture": 0.0,
    "near": 1e6,
    "viewport_share": 1.0,
}
"""Keywords with which conifers alone stand evenly."""


@pytest.fixture
def terrain(terrane):
    """Return a terrain a kilometer wide, with a camera above it."""
    obj = add_terrain(preset="alps", resolution=129, size=1000.0, height=300.0)
    bpy.ops.terrane.camera_add()
    return obj


def counts():
    names = ("objects", "meshes", "materials", "node_groups", "collections", "textures", "images")
    return {name: len(getattr(bpy.data, name)) for name in names}


def instances(name=""):
    """Return places of the instances whose object's name contains a text, shape (n, 3)."""
    bpy.context.view_layer.update()
    own = part("plants")
    graph = bpy.context.evaluated_depsgraph_get()
    results = [
        tuple(instance.matrix_world.translation)
        for instance in graph.object_instances
        if instance.is_instance and instance.parent.original == own and name in instance.object.name
    ]
    return np.array(results, np.float64).reshape(-1, 3)


def flat_order(places):
    """Return the places without height, sorted, to a tenth of a millimeter."""
    rounded = np.round(places[:, :2], 4)
    return rounded[np.lexsort(rounded.T)]


def ground(obj):
    """Return the heights of a terrain, shape (rows, columns), and its width."""
    points = np.empty(len(obj.data.vertices) * 3, np.float32)
    obj.data.vertices.foreach_get("co", points)
    side = round(len(obj.data.vertices) ** 0.5)
    return points.reshape(side, side, 3)[..., 2].astype(np.float64), obj.terrane.size


def surface(obj, places):
    """Return height and slope in degrees of a terrain's triangles below places, by rays."""
    tree = importlib.import_module("mathutils.bvhtree").BVHTree
    graph = bpy.context.evaluated_depsgraph_get()
    shape = tree.FromObject(obj, graph)
    hits = [shape.ray_cast((x, y, 1e4), (0.0, 0.0, -1.0)) for x, y, _ in places]
    heights = np.array([hit[0].z for hit in hits])
    return heights, np.degrees(np.arccos([abs(hit[1].z) for hit in hits]))


@pytest.mark.slow
def test_as_many_stand_as_the_density_says(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    few = len(instances())
    assert few == pytest.approx(100 * 100, rel=0.03)
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "conifers_density": 150.0})
    assert len(instances()) == pytest.approx(150 * 100, rel=0.03)
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "viewport_share": 0.25})
    assert len(instances()) == pytest.approx(few / 4, rel=0.05)


@pytest.mark.slow
def test_another_density_moves_none_of_them(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    few = {tuple(one) for one in flat_order(instances())}
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "conifers_density": 130.0})
    more = {tuple(one) for one in flat_order(instances())}
    assert few < more


def is_shown():
    return part("plants").modifiers[0].show_viewport


@pytest.mark.slow
def test_plants_are_not_placed_anew_for_previews(terrain, live):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    count_before = len(instances())
    for seed in (15, 16):
        terrain.terrane.seed = seed
        live.update_now(is_preview=True)
        assert not is_shown() and len(instances()) == 0
    live.update_now()
    assert is_shown() and len(instances()) == pytest.approx(count_before, rel=0.05)
    assert "terrane_hidden" not in part("plants")


@pytest.mark.slow
def test_plants_that_the_user_has_hidden_stay_hidden(terrain, live):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    part("plants").modifiers[0].show_viewport = False
    terrain.terrane.seed = 15
    live.update_now(is_preview=True)
    live.update_now()
    assert not is_shown()


@pytest.mark.slow
def test_a_file_saved_during_a_preview_has_its_plants(terrain, live, tmp_path):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    terrain.terrane.seed = 15
    live.update_now(is_preview=True)
    assert not is_shown()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "preview.blend"))
    assert is_shown()
    terrain.terrane.seed = 16
    live.update_now(is_preview=True)
    assert not is_shown()
    live.update_now()
    assert is_shown()


@pytest.mark.wide
def test_undo_shows_the_plants_that_a_preview_has_hidden(terrain, live):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    for seed in (15, 16):
        terrain.terrane.seed = seed
        live.update_now(is_preview=True)
        bpy.ops.ed.undo_push(message="seed")  # a gesture ends before its update has
        live.update_now()
    bpy.ops.ed.undo()
    live.update_now()
    assert bpy.context.active_object.terrane.seed == 15 and is_shown()


@pytest.mark.slow
def test_the_update_operator_shows_the_plants_that_a_preview_has_hidden(terrain, live):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    terrain.terrane.seed = 15
    live.update_now(is_preview=True)
    live.queue.clear()
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"} and is_shown()


def on_land(tile, **keywords):
    """Return flat places of the plants of a tile, on the land that it is one of, without those at its border."""
    for thing in [obj for obj in bpy.context.scene.objects if obj.get("terrane_part") == "plants"]:
        bpy.data.objects.remove(thing)
    bpy.ops.terrane.terrain_add(
        preset="alps", resolution=65, size=1000.0, height=300.0, tile=tile, **keywords
    )
    bpy.ops.terrane.camera_add()
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    return instances()[:, :2] + 1000.0 * np.array(tile)


@pytest.mark.slow
def test_the_plants_of_neighboring_tiles_join(terrane):
    """Every place belongs to one pattern: the tiles' own grid of points, which a tile may not begin anew."""
    here, beside = on_land((0.0, 0.0)), on_land((1.0, 0.0))
    shifted = on_land((0.5, 0.0))
    whole = np.concatenate((here, beside))
    repeated = {tuple(one) for one in np.round(here + (1000.0, 0.0), 1)}
    repeated &= {tuple(one) for one in np.round(beside, 1)}
    assert len(repeated) < 0.01 * len(here)  # by chance
    inside = whole[np.abs(whole[:, 0] - 500.0) < 499.0]
    known = {tuple(one) for one in np.round(inside, 1)}
    found = {tuple(one) for one in np.round(shifted[np.abs(shifted[:, 0] - 500.0) < 499.0], 1)}
    # Some lie on the edge of what is rounded.
    assert len(known & found) > 0.9 * len(found) and len(found) == pytest.approx(len(known), abs=20)


@pytest.mark.slow
def test_plants_go_to_another_tile_with_their_terrain(terrane):
    expected = on_land((2.0, 1.0))
    on_land((0.0, 0.0))
    bpy.ops.terrane.terrain_update(tile=(2.0, 1.0))
    places = instances()[:, :2] + (2000.0, 1000.0)
    assert len(places) == len(expected)
    np.testing.assert_allclose(flat_order(places), flat_order(expected), atol=1e-3)
    bpy.ops.terrane.terrain_update(seamless=True)
    seamless = instances()[:, :2]
    on_land((0.0, 0.0), seamless=True)
    np.testing.assert_allclose(flat_order(seamless), flat_order(instances()), atol=1e-3)


@pytest.mark.slow
def test_they_keep_apart(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    places = instances()[:, :2]
    middle = places[np.abs(places).max(axis=1) < 250.0]
    away = np.hypot(*(middle[:, np.newaxis] - middle[np.newaxis]).transpose(2, 0, 1))
    np.fill_diagonal(away, np.inf)
    # Ten meters apart on the average; of as many by chance, one in two hundred has a neighbor within 0.4 m.
    # Only at the borders of tiles do some come closer.
    assert np.quantile(away.min(axis=1), 0.05) > 5.0


@pytest.mark.slow
def test_they_stand_on_the_ground(terrain):
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "conifers_density": 10.0})
    places = instances()
    heights, _ = surface(terrain, places)
    # Blender splits a few squares, which would fold, from corner 1 to 3.
    assert np.mean(np.abs(places[:, 2] - heights) > 0.02) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0.4, 1.6])
def test_they_stand_on_terrains_that_are_no_squares(terrane, depth):
    obj = add_terrain(preset="alps", resolution=129, size=1000.0, height=300, depth=depth)
    bpy.ops.terrane.camera_add()
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    places = instances()
    assert len(places) == pytest.approx(10000 * depth, rel=0.03)
    assert np.ptp(places[:, 1]) == pytest.approx(1000 * depth, rel=0.02)
    heights, _ = surface(obj, places)
    assert np.quantile(np.abs(places[:, 2] - heights), 0.99) < 0.02


@pytest.mark.slow
def test_they_stand_on_a_terrain_that_a_modifier_changes(terrain):
    terrain.modifiers.new("Finer", "SUBSURF").levels = 1
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "conifers_density": 20.0})
    places = instances()
    heights, _ = surface(terrain, places)
    assert len(places) == pytest.approx(2000, rel=0.05)
    np.testing.assert_allclose(places[:, 2], heights, atol=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("steepest", [15.0, 30.0])
def test_none_stands_on_steeper_ground(terrain, steepest):
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "conifers_density": 40.0})
    _, all_slopes = surface(terrain, instances())
    assert (all_slopes > steepest).sum() > 300
    bpy.ops.terrane.scatter_add(
        **{**EVERYWHERE, "conifers_density": 40.0, "conifers_steepest": steepest}
    )
    _, slopes = surface(terrain, instances())
    assert len(slopes) > 200 and slopes.max() <= steepest + 0.1
    # On gentle ground all stand that stood there.
    assert (slopes < steepest - 5).sum() == (all_slopes < steepest - 5).sum()


@pytest.mark.slow
def test_they_keep_to_the_heights_they_may_have(terrain):
    limits = {"conifers_lowest": 0.3, "conifers_highest": 0.6}
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, **limits})
    heights, _ = ground(terrain)
    share = (instances()[:, 2] - heights.min()) / (heights.max() - heights.min())
    assert len(share) > 500 and share.min() >= 0.299 and share.max() <= 0.601


@pytest.mark.slow
def test_none_stands_under_water(terrane):
    obj = add_terrain(preset="fjords", resolution=129)
    bpy.ops.terrane.camera_add()
    thin = {**EVERYWHERE, "conifers_density": 0.2}
    bpy.ops.terrane.scatter_add(**thin)
    dry = instances()
    bpy.ops.terrane.water_add()
    wet = instances()
    sea = module("noise_core.landscapes.preset_library").preset("fjords").look.sea
    # Cells at the shore are covered only as a whole.
    heights, width = ground(obj)
    cell = width / 128
    assert len(wet) < 0.97 * len(dry)
    assert {tuple(one) for one in wet} < {tuple(one) for one in dry}
    below = wet[wet[:, 2] < sea]
    for x, y, _ in below:
        column, row = (x / width + 0.5) * 128, (y / width + 0.5) * 128
        corners = heights[int(row) : int(row) + 2, int(column) : int(column) + 2]
        assert corners.max() >= sea - 1e-3, (x, y, cell)
    bpy.ops.terrane.landscape_part_remove(part="water")
    assert len(instances()) == len(dry)


@pytest.mark.slow
def test_another_height_moves_them_up_and_down_only(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    instances_before = instances()
    bpy.ops.terrane.terrain_update(height=150.0)
    instances_after = instances()
    np.testing.assert_array_equal(flat_order(instances_before), flat_order(instances_after))
    assert np.ptp(instances_after[:, 2]) < 0.7 * np.ptp(instances_before[:, 2])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["attribute", "group"])
def test_a_painted_mask_says_where_they_stand(terrain, kind):
    x = np.linspace(-500.0, 500.0, 129)
    values = np.tile((x > 0.0).astype(np.float32), 129)
    if kind == "attribute":
        terrain.data.attributes.new("woods", "FLOAT", "POINT").data.foreach_set("value", values)
    else:
        group = terrain.vertex_groups.new(name="woods")
        group.add(np.flatnonzero(values).tolist(), 1.0, "REPLACE")
    bpy.ops.terrane.scatter_add(**EVERYWHERE, mask="woods")
    places = instances()
    assert len(places) == pytest.approx(5000, rel=0.06) and places[:, 0].min() > -8.0
    bpy.ops.terrane.scatter_add(**EVERYWHERE, mask="")
    assert len(instances()) == pytest.approx(10000, rel=0.03)


@pytest.mark.slow
def test_far_from_the_camera_groups_stand_for_sixteen(terrain):
    camera = bpy.context.scene.camera
    camera.location = (0.0, 0.0, ground(terrain)[0][64, 64])
    bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "near": 100.0})
    light, groups, every = instances("Light"), instances("Far"), instances("Conifers")
    is_alone = np.hypot(*every.T[:2]) < 85.0
    assert np.hypot(*light.T[:2]).min() > 85.0 and np.hypot(*light.T[:2]).max() < 360.0
    assert np.hypot(*groups.T[:2]).min() > 255.0
    # Up to there as many as the density says, beyond one group for sixteen.
    assert is_alone.sum() == pytest.approx(100 * np.pi * 0.085**2 * 100, rel=0.1)
    inner = np.hypot(*light.T[:2]) < 250.0
    assert inner.sum() + (len(every) - len(light) - len(groups)) == pytest.approx(
        100 * np.pi * 0.0625 * 100, rel=0.1
    )
    outer = groups[np.hypot(*groups.T[:2]) > 360.0]
    assert len(outer) == pytest.approx(100 / 16 * (100 - np.pi * 0.1296 * 100), rel=0.12)
    camera.location.x = 300.0
    moved = instances("Conifers Light")
    assert np.median(moved[:, 0]) > 200.0


@pytest.mark.slow
def test_viewports_show_single_trees_on_a_share_of_the_ground(terrain):
    camera = bpy.context.scene.camera
    camera.location = (0.0, 0.0, ground(terrain)[0][64, 64])
    results = {}
    for share in (1.0, 0.5):
        bpy.ops.terrane.scatter_add(**{**EVERYWHERE, "near": 140.0, "viewport_share": share})
        groups = instances("Far")
        every = instances()
        results[share] = len(every) - len(groups)
        assert np.hypot(*groups.T[:2]).min() == pytest.approx(420.0 * share, rel=0.2)
    # Half of the trees, up to half the distance.
    assert results[0.5] == pytest.approx(results[1.0] / 8.0, rel=0.3)


@pytest.mark.slow
def test_nothing_stands_nearer_to_the_camera_than_it_is_high(terrain):
    camera, size = bpy.context.scene.camera, 30.0
    places = {}
    for name, above in (("low", 2.0), ("high", 300.0)):
        camera.location = (0.0, 0.0, ground(terrain)[0][64, 64] + above)
        bpy.ops.terrane.scatter_add(**EVERYWHERE, conifers_size=size)
        places[name] = np.hypot(*instances()[:, :2].T)
    assert size - 2.0 < places["low"].min() < 1.5 * size
    assert (places["high"] < size).sum() == pytest.approx(100.0 * np.pi * 0.03**2 * 100, rel=0.5)
    others = [np.sort(place[place > size]) for place in places.values()]
    np.testing.assert_allclose(*others, rtol=1e-5)


@pytest.mark.slow
def test_without_a_camera_there_are_groups_alone(terrain):
    bpy.ops.terrane.scatter_add(
        viewport_share=1.0, near=100.0, conifers_clumps=0.0, conifers_highest=2.0
    )
    assert len(instances("Grass")) + len(instances("Conifers 1")) > 0
    bpy.ops.terrane.landscape_part_remove(part="camera")
    assert bpy.context.scene.camera is None
    found = instances()
    assert 0 < len(found) == len(instances("Far")) < 3000


@pytest.mark.slow
def test_collections_of_the_user_take_the_place_of_ours(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    mine = bpy.data.collections.new("Mine")
    bpy.context.scene.collection.children.link(mine)
    mine.objects.link(bpy.data.objects.new("Palm", bpy.data.meshes.new("Palm")))
    mine.objects["Palm"].data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [], [(0, 1, 2)])
    compat = module("operators.bridge.datablocks.compat")
    obj = part("plants")
    compat.set_modifier_input(obj.modifiers[0], "Conifers Collection", mine)
    obj.update_tag()
    assert len(instances("Palm")) == len(instances()) > 5000
    bpy.ops.terrane.scatter_add(from_panel=True, near=9e5)
    assert len(instances("Palm")) == len(instances()) > 5000


def stones(terrain, **keywords):
    """Return places and heights of stones that lie evenly or in groups: shapes (n, 3) and (n,)."""
    own = {name.replace("conifers", "stones"): value for name, value in EVERYWHERE.items()}
    own |= {"conifers_density": 0.0, "stones_size": 0.5, **keywords}
    bpy.ops.terrane.scatter_add(**own)
    bpy.context.view_layer.update()
    plants, graph = part("plants"), bpy.context.evaluated_depsgraph_get()
    # On slopes they are sheared up and down: their size is level.
    found = [
        (*instance.matrix_world.translation, instance.matrix_world.col[0].xy.length)
        for instance in graph.object_instances
        if instance.is_instance and instance.parent.original == plants
    ]
    values = np.array(found, np.float64)
    return values[:, :3], values[:, 3]


@pytest.mark.slow
def test_many_stones_are_small_and_few_large(terrain):
    """Their number above a size falls by the power of -2.7 (Hartmann, 1969)."""
    _, sizes = stones(terrain, stones_density=100.0)
    assert len(sizes) > 5000
    sizes = np.sort(sizes / sizes.min())
    more = 1.0 - np.arange(len(sizes)) / len(sizes)
    chosen = (sizes > 1.05) & (sizes < 3.0)
    slope = np.polyfit(np.log(sizes[chosen]), np.log(more[chosen]), 1)[0]
    assert slope == pytest.approx(-2.7, abs=0.2)
    assert sizes.max() < 7.0


@pytest.mark.slow
def test_groups_of_stones_have_no_edge(terrain):
    """Where stones are few, they are never none beside many: density changes by little from cell to cell."""
    places, _ = stones(terrain, stones_density=400.0, stones_clumps=1.0, group_size=400.0)
    counted, *_ = np.histogram2d(*places[:, :2].T, bins=16, range=[[-500.0, 500.0]] * 2)
    assert counted.max() > 4.0 * np.median(counted) or counted.max() > 6.0 * counted.min()
    for axis in (0, 1):
        rows = counted if axis == 0 else counted.T
        low, high = np.sort(np.stack((rows[:-1], rows[1:])), axis=0)
        assert (high > 5.0 * low + 12.0).mean() < 0.01


@pytest.mark.slow
def test_they_go_without_a_trace(terrain):
    counts_before = counts()
    for _ in range(2):
        bpy.ops.terrane.scatter_add()
    assert counts() != counts_before
    bpy.ops.terrane.landscape_part_remove(part="plants")
    bpy.ops.terrane.landscape_part_remove(part="camera")
    bpy.ops.terrane.camera_add()
    assert counts() == counts_before


@pytest.mark.slow
def test_two_terrains_have_plants_of_their_own(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    counts_before = counts()
    bpy.ops.terrane.terrain_add(preset="mesa", resolution=33)
    bpy.ops.terrane.scatter_add()
    bpy.ops.terrane.landscape_part_remove(part="plants")
    bpy.ops.object.delete()
    bpy.data.orphans_purge(do_recursive=True)
    bpy.context.view_layer.objects.active = terrain
    assert len(instances()) > 9000 and counts()["collections"] == counts_before["collections"]


def test_bad_values_are_refused_and_nothing_is_made(terrain):
    counts_before = counts()
    with pytest.raises(RuntimeError, match=r"Plants.conifers_steepest must be in \[0, 90\]; got"):
        bpy.ops.terrane.scatter_add(conifers_steepest=91.0)
    assert counts() == counts_before


@pytest.mark.slow
def test_settings_are_those_of_the_preset_and_of_the_panel(terrane):
    bpy.ops.terrane.terrain_add(preset="mesa", resolution=33)
    bpy.ops.terrane.scatter_add()
    settings = bpy.context.scene.terrane_plants
    plants = module("noise_core.landscapes.preset_library").preset("mesa").look.plants
    assert settings.bushes_density == plants.bushes_density and plants.conifers_density == 0.0
    settings.bushes_density = 7.0
    bpy.ops.terrane.scatter_add(from_panel=True)
    compat = module("operators.bridge.datablocks.compat")
    read = compat.modifier_input(part("plants").modifiers[0], "Bushes Density")
    assert read == 7.0 and settings.conifers_density == 0.0


@pytest.mark.wide
def test_a_landscape_has_the_plants_of_its_preset(terrane):
    bpy.ops.terrane.landscape_add(preset="rolling_hills", resolution=65, ground=False, water=False)
    assert len(instances()) > 100
    compat = module("operators.bridge.datablocks.compat")
    read = {
        name: compat.modifier_input(part("plants").modifiers[0], name)
        for name in ("Camera", "Beyond")
    }
    assert read["Camera"] == bpy.context.scene.camera and read["Beyond"] > 0.0
    outside = np.abs(instances()[:, :2]).max(axis=1) > 2000.0
    assert outside.any(), "they go on over the mirror images"
    bpy.ops.terrane.landscape_part_remove(part="surroundings")
    assert np.abs(instances()[:, :2]).max() <= 2000.1


@pytest.mark.slow
def test_a_landscape_without_plants(terrane):
    for keywords in ({"preset": "dunes"}, {"preset": "alps", "plants": False}):
        bpy.ops.terrane.landscape_add(resolution=33, ground=False, **keywords)
    assert not any(obj.get("terrane_part") == "plants" for obj in bpy.context.scene.objects)


@pytest.mark.slow
def test_maps_that_nodes_of_the_plants_read_are_made(terrane):
    obj = add_terrain(preset="rolling_hills", resolution=65)
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    bpy.ops.terrane.terrain_update()
    assert "flow" not in obj.data.attributes
    bpy.ops.terrane.scatter_add(**EVERYWHERE, conifers_flow=-1.0)
    bpy.ops.terrane.terrain_update()
    assert "flow" in obj.data.attributes


OPENED = """
import sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[-1])
assert not any("terrane" in one for one in bpy.context.preferences.addons.keys())
graph = bpy.context.evaluated_depsgraph_get()
print("COUNT", sum(one.is_instance for one in graph.object_instances), flush=True)
import os
os._exit(0)
"""


@pytest.mark.slow
def test_a_saved_file_shows_the_same_without_the_extension(terrain, tmp_path):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    count = len(instances())
    path, script = tmp_path / "saved.blend", tmp_path / "opened.py"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    script.write_text(OPENED, encoding="utf-8")
    binary = bpy.app.binary_path
    command = [binary, "--background", "--factory-startup", "--python"] if binary else [sys.executable]  # fmt: skip
    arguments = [*command, str(script), "--", str(path)]
    environment = {"BLENDER_USER_RESOURCES": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        arguments, timeout=240, capture_output=True, text=True, check=False, env=environment
    )
    assert f"COUNT {count}" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_solid_view_shows_plants_in_their_colors(terrane):
    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=33)
    bpy.ops.terrane.scatter_add()
    leaves = bpy.data.materials["Terrane Leaves"].diffuse_color
    assert leaves[1] > leaves[0] > leaves[2]  # green, not the gray of a new material
    models = [
        obj
        for obj in bpy.data.objects
        if obj.active_material == bpy.data.materials["Terrane Leaves"]
    ]
    assert models and all(tuple(model.color) == tuple(leaves) for model in models)


def model_meshes(kind):
    """Return the meshes of a kind near the camera."""
    return [obj.data for obj in bpy.data.collections[f"Terrane {kind}"].objects]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "largest"), [("Conifers", 0.002), ("Broadleaves", 0.005)])
def test_trees_near_by_have_small_leaves_and_no_sheets(terrain, kind, largest):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    for mesh in model_meshes(kind):
        leaves = [polygon.area for polygon in mesh.polygons if polygon.material_index == 0]
        # Of a tree that is 1 high. Sheets were a hundredth and more.
        assert len(leaves) > 5000 and max(leaves) < largest, (len(leaves), max(leaves))
        points = positions(mesh)
        assert 0.9 < points[:, 2].max() < 1.1 and np.abs(points[:, :2]).max() < 0.6


@pytest.mark.slow
def test_models_stay_small(terrain):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    things = bpy.data.collections["Terrane Plant Models"].all_objects
    assert sum(len(obj.data.vertices) for obj in things) < 135_000
    assert all(len(mesh.vertices) < 3_500 for mesh in model_meshes("Conifers Far"))
    assert all(len(mesh.vertices) < 3_500 for mesh in model_meshes("Broadleaves Far"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Conifers", "Conifers Far", "Broadleaves", "Bushes", "Grass"])
def test_leaves_face_out_of_their_crown(terrain, kind):
    bpy.ops.terrane.scatter_add(**EVERYWHERE)
    for mesh in model_meshes(kind):
        points = positions(mesh)
        facing = np.empty(points.size, np.float32)
        mesh.attributes["terrane_facing"].data.foreach_get("vector", facing)
        facing = facing.reshape(-1, 3)
        length = np.sqrt((facing * facing).sum(axis=1))
        assert length.max() <= 1.01 and length[length > 0.0].min() > 0.03
        if kind in {"Conifers", "Broadleaves", "Bushes"}:
            middle = points * (1.0, 1.0, 0.0)
            out = (facing * middle).sum(axis=1)[length > 0.0]
            assert np.mean(out > -1e-4) > 0.85


@pytest.mark.slow
def test_light_passes_through_leaves_alone(terrain):
    bpy.ops.terrane.scatter_add()
    kinds = {
        name: {node.type for node in bpy.data.materials[f"Terrane {name}"].node_tree.nodes}
        for name in ("Leaves", "Needles", "Shrubs", "Grass", "Bark", "Stones")
    }
    thin = {name for name, types in kinds.items() if "BSDF_TRANSLUCENT" in types}
    assert thin == {"Leaves", "Needles", "Shrubs", "Grass"}
    assert all("BUMP" in kinds[name] for name in ("Bark", "Stones"))


def known():
    """Return the inputs of the plants' nodes: water, camera, and the reach of the land."""
    modifier = part("plants").modifiers[0]
    value = module("operators.bridge.datablocks.compat").modifier_input
    beyond = module("operators.bridge.scene.plant_kind").BEYOND
    return tuple(value(modifier, name) for name in ("Water", "Camera", beyond))


@pytest.mark.slow
def test_plants_know_of_water_camera_and_surroundings_whatever_adds_or_removes_them(terrane):
    bpy.ops.terrane.terrain_add(preset="fjords", resolution=33)
    terrain, scene = bpy.context.active_object, bpy.context.scene
    scene.camera = None
    kinds = module("noise_core.landscapes.plants").KINDS
    bpy.ops.terrane.scatter_add(**{f"{kind}_density": 0.0 for kind in kinds})
    assert known() == (None, None, 0.0)
    bpy.ops.terrane.water_add()
    assert known() == (part("water"), None, 0.0)
    bpy.ops.terrane.surroundings_add(kind="mirror")
    assert known() == (part("water"), None, 0.5)
    bpy.ops.terrane.camera_add()
    assert known() == (part("water"), part("camera"), 0.5)
    # The bridge alone, without an operator.
    scenes = {name: module(f"operators.bridge.scene.{name}") for name in ("waters", "surroundings")}
    scenes["surroundings"].remove(scene, terrain)
    assert known() == (part("water"), part("camera"), 0.0)
    scenes["waters"].remove(scene, terrain)
    assert known() == (None, part("camera"), 0.0)
    bpy.ops.terrane.landscape_part_remove(part="camera")
    assert known() == (None, None, 0.0)


@pytest.mark.slow
def test_a_camera_that_takes_anothers_place_counts_for_all_plants(terrane):
    kinds = module("noise_core.landscapes.plants").KINDS
    bpy.context.scene.camera = mine = bpy.data.objects.new("Mine", bpy.data.cameras.new("Mine"))
    for _ in range(2):
        bpy.ops.terrane.terrain_add(preset="fjords", resolution=33)
        bpy.ops.terrane.scatter_add(**{f"{kind}_density": 0.0 for kind in kinds})
    all_plants = [obj for obj in bpy.context.scene.objects if obj.get("terrane_part") == "plants"]
    value = module("operators.bridge.datablocks.compat").modifier_input
    bpy.ops.terrane.camera_add()
    assert [value(plant.modifiers[0], "Camera") for plant in all_plants] == [mine, mine]
    bpy.ops.terrane.camera_add(replace=True)
    cameras = [value(plant.modifiers[0], "Camera") for plant in all_plants]
    assert cameras == [part("camera")] * 2
