# SPDX-License-Identifier: GPL-3.0-or-later
"""Land around a terrain: it begins at the border, follows, has the same ground, and goes without a trace."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, part, positions


@pytest.fixture
def terrain(terrane):
    """Return a terrain with land around it."""
    bpy.context.scene.world = None
    terrain = add_terrain(preset="alps", resolution=65)
    bpy.ops.terrane.surroundings_add()
    return terrain


def border_of(terrain, side=65):
    grid = positions(terrain.data).reshape(side, side, 3)
    sides = (grid[0, :-1], grid[:-1, -1], grid[-1, :0:-1], grid[:0:-1, 0])
    return np.concatenate(sides)


def values_of(obj, name):
    values = np.empty(len(obj.data.vertices), np.float32)
    obj.data.attributes[name].data.foreach_get("value", values)
    return values


@pytest.mark.slow
def test_it_is_the_kind_of_the_presets_and_has_their_reach(terrain):
    land = part("land")
    assert land.parent == terrain and part("surroundings") is None
    width = terrain.terrane.size
    points = positions(land.data)
    assert np.abs(points[:, :2]).max() == pytest.approx(2.5 * width, rel=1e-5)
    assert 2000 < len(points) < 300000
    assert not land.data.validate()
    assert min(polygon.normal.z for polygon in land.data.polygons) > 0.0
    loose = set(range(len(points))) - {v for edge in land.data.edges for v in edge.vertices}
    assert not loose


def test_it_has_the_vertices_of_the_border_and_no_hole(terrain):
    land, edge = part("land"), border_of(terrain)
    np.testing.assert_array_equal(positions(land.data)[: len(edge)], edge)
    neighbors = np.zeros(len(land.data.edges), np.int32)
    sides = np.empty(len(land.data.loops), np.int32)
    land.data.loops.foreach_get("edge_index", sides)
    np.add.at(neighbors, sides, 1)
    ends = np.array([tuple(one.vertices) for one in land.data.edges])
    open_ends = ends[neighbors == 1]
    last = positions(land.data)[open_ends][..., :2]
    width = terrain.terrane.size
    is_inner = (open_ends < len(edge)).all(axis=1)
    is_outer = np.isclose(np.abs(last).max(axis=-1), 2.5 * width).all(axis=1)
    assert (is_inner | is_outer).all() and is_inner.sum() == len(edge)
    assert neighbors.max() == 2


def test_it_is_no_mirror_image(terrain):
    points, width = positions(part("land").data), terrain.terrane.size
    own = positions(terrain.data).reshape(65, 65, 3)[..., 2]
    far = points[np.abs(points[:, :2]).max(axis=1) > 0.85 * width]
    share = 1.0 - np.abs(1.0 - np.mod(far[:, :2] / width + 0.5, 2.0))
    at = np.rint(share * 64).astype(np.intp)
    likeness = np.corrcoef(own[at[:, 1], at[:, 0]], far[:, 2])[0, 1]
    assert abs(likeness) < 0.6


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [{"seed": 77}, {"height": 500.0}, {"size": 3000.0}, {"resolution": 33}]
)
def test_it_follows_the_terrain(terrain, change):
    positions_before = positions(part("land").data)
    bpy.ops.terrane.terrain_update(**change)
    positions_after, edge = (
        positions(part("land").data),
        border_of(terrain, change.get("resolution", 65)),
    )
    np.testing.assert_array_equal(positions_after[: len(edge)], edge)
    assert (
        positions_after.shape != positions_before.shape
        or np.abs(positions_after - positions_before).max() > 1.0
    )


def test_what_is_sculpted_fades_out_beyond_the_border(terrain):
    positions_before, points = positions(part("land").data), positions(terrain.data)
    is_raised = np.abs(points[:, :2] / terrain.terrane.size - (0.5, 0.0)).max(axis=1) < 0.1
    points[:, 2] += 200.0 * is_raised
    terrain.data.vertices.foreach_set("co", points.reshape(-1))
    terrain.data.update()
    follow = module("operators.bridge.terrain.followers").follow
    module("operators.bridge.tasks.steps").at_once(follow(terrain))
    raised = positions(part("land").data) - positions_before
    width = terrain.terrane.size
    x, y = positions(part("land").data)[:, :2].T
    beside = (np.abs(y) < 0.08 * width) & (x > 0.5 * width)
    np.testing.assert_array_equal(positions(part("land").data)[:256], border_of(terrain))
    assert raised[beside & (x < 0.52 * width), 2].mean() > 100.0
    assert np.abs(raised[x < -0.9 * width, 2]).max() < 30.0


@pytest.mark.slow
def test_parts_change_places_without_a_trace(terrain):
    names = ("objects", "meshes", "node_groups", "collections", "materials")
    bpy.ops.terrane.landscape_part_remove(part="surroundings")
    before = {name: len(getattr(bpy.data, name)) for name in names}
    for kind in ("land", "mirror", "base", "land", "none"):
        bpy.ops.terrane.surroundings_add(kind=kind)
        shown = module("operators.bridge.scene.surroundings").kind_of(bpy.context.scene, terrain)
        assert shown == kind
        assert (part("land") is not None) == (kind == "land")
    assert {name: len(getattr(bpy.data, name)) for name in names} == before


@pytest.mark.slow
def test_it_has_the_ground_of_the_terrain(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    land, material = part("land"), terrain.active_material
    assert list(land.data.materials) == [material]
    bpy.ops.terrane.terrain_material(mapping="none", palette="arctic")
    assert terrain.active_material == material == land.data.materials[0]
    count = len(border_of(terrain))
    for name in ("wear", "flow", "ridge"):
        own = values_of(terrain, name).reshape(65, 65)
        edge = np.concatenate((own[0, :-1], own[:-1, -1], own[-1, :0:-1], own[:0:-1, 0]))
        np.testing.assert_array_equal(values_of(land, name)[:count], edge)
    assert values_of(land, "river")[count:].max() <= 1.0
    assert land.data.attributes.active_color_name == "Terrane Color"
    colors = [one.data.attributes["Terrane Color"].data for one in (terrain, land)]
    assert colors[0][0].color_srgb[:] == colors[1][0].color_srgb[:]
    bpy.ops.terrane.landscape_part_remove(part="ground")
    assert material not in list(bpy.data.materials) and not any(land.data.materials)


@pytest.mark.slow
def test_the_sea_lies_over_it(terrane):
    bpy.ops.terrane.terrain_add(preset="fjords", resolution=65)
    bpy.ops.terrane.water_add(rivers=0.0)
    bpy.ops.terrane.surroundings_add()
    land, sea, width = part("land"), part("open_sea"), bpy.context.active_object.terrane.size
    points = positions(sea.data)
    assert set(points[:, 2].tolist()) == {0.0}
    assert np.abs(points[:, :2]).max() > 20.0 * width
    depth = {tuple(position[:2]): -position[2] for position in positions(land.data).tolist()}
    near = np.abs(points[:, :2]).max(axis=1) < 2.4 * width
    expected = [depth[tuple(one)] for one in points[near, :2].tolist()]
    np.testing.assert_allclose(values_of(sea, "terrane_depth")[near], expected, atol=1e-3)
    assert near.any() and not sea.data.validate()
    bpy.ops.terrane.water_add(from_panel=False, level=300.0, rivers=0.0)
    assert positions(part("open_sea").data)[:, 2].min() == 300.0
    bpy.ops.terrane.landscape_part_remove(part="water")
    assert part("open_sea") is None and part("land") is not None


@pytest.mark.slow
def test_plants_stand_on_it(terrain):
    bpy.ops.terrane.scatter_add(grass_density=0.0, viewport_share=1.0)
    modifier = part("plants").modifiers[0]
    value = module("operators.bridge.datablocks.compat").modifier_input
    assert value(modifier, "Land") == part("land") and value(modifier, "Beyond") > 0.0
    half, seen = 0.5 * terrain.terrane.size, 0
    graph = bpy.context.evaluated_depsgraph_get()
    for instance in graph.object_instances:
        if not instance.is_instance:
            continue
        place = instance.matrix_world.translation
        if max(abs(place.x), abs(place.y)) <= half:
            continue
        seen += 1
        land = part("land").evaluated_get(graph)
        is_hit, hit, _, _ = land.ray_cast((place.x, place.y, 1e5), (0.0, 0.0, -1.0))
        assert is_hit and hit.z == pytest.approx(place.z, abs=1.0)
        if seen > 200:
            break
    assert seen > 20
    bpy.ops.terrane.surroundings_add(kind="mirror")
    assert value(part("plants").modifiers[0], "Land") is None


def test_it_stays_in_a_saved_file_and_follows_there(terrain, tmp_path):
    path = str(tmp_path / "land.blend")
    positions_before = positions(part("land").data)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    found = part("land")
    np.testing.assert_array_equal(positions(found.data), positions_before)
    bpy.context.view_layer.objects.active = found.parent
    lands = module("operators.bridge.scene.lands")
    assert not lands.LAND.is_due(found.parent)
    bpy.ops.terrane.terrain_update(seed=12)
    assert np.abs(positions(part("land").data) - positions_before).max() > 1.0


def test_it_is_made_again_by_live_update(terrain):
    positions_before = positions(part("land").data)
    terrain.terrane.seed = 12
    module("operators.bridge.tasks.live").update_now()
    edge = border_of(terrain)
    np.testing.assert_array_equal(positions(part("land").data)[: len(edge)], edge)
    assert np.abs(positions(part("land").data) - positions_before).max() > 1.0


def test_a_terrain_that_is_no_grid_any_more_is_refused_in_a_line(terrain):
    bpy.ops.terrane.surroundings_add(kind="none")
    terrain.data.vertices.add(1)
    count = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match="is no longer the grid that was built") as told:
        bpy.ops.terrane.surroundings_add(kind="land")
    assert "Traceback" not in str(told.value) and len(bpy.data.objects) == count


def test_undo_of_it_leaves_nothing_to_do(live):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    name = bpy.context.active_object.name
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.terrane.surroundings_add()
    made = part("land").name
    bpy.ops.ed.undo_push(message="surroundings")
    bpy.ops.ed.undo()
    live.update_now()
    assert name in bpy.data.objects and part("land") is None and live.queue.is_idle
    bpy.ops.ed.redo()
    live.update_now()
    assert part("land").name == made and part("land").parent == bpy.data.objects[name]
    assert live.queue.is_idle


def vectors_of(obj, name):
    values = np.empty(3 * len(obj.data.vertices), np.float32)
    obj.data.attributes[name].data.foreach_get("vector", values)
    return values.reshape(-1, 3)


@pytest.mark.slow
def test_the_surf_goes_on_around_the_terrain(terrane):
    terrain = add_terrain(preset="coast", resolution=129)
    bpy.ops.terrane.surroundings_add(kind="land")
    bpy.ops.terrane.water_add()
    sea, inner = part("open_sea"), part("water")
    surf, depth = vectors_of(sea, "terrane_course")[:, 2], values_of(sea, "terrane_depth")
    assert (surf[depth <= 0.0] == 1.0).all()
    # Vertices at the border have the same surf on both sides of it.
    is_still = ~vectors_of(inner, "terrane_flow").any(axis=1)
    here = zip(positions(inner.data)[is_still], vectors_of(inner, "terrane_course")[is_still, 2])
    known = {tuple(place[:2].tolist()): value for place, value in here}
    both = [
        (known[at], value)
        for at, value in zip(map(tuple, positions(sea.data)[:, :2].tolist()), surf)
        if at in known
    ]
    own, other = np.array(both).T
    assert len(both) > 20 and ((0.0 < own) & (own < 1.0)).any()
    assert (other >= own - 1e-6).all()
    # Elsewhere it is as near to the shore as its vertices are, by all straight ways.
    ends = np.array([tuple(edge.vertices) for edge in sea.data.edges])
    ends = ends[(depth[ends] > 0.0).sum(axis=1) == 1]
    share = depth[ends[:, 0]] / (depth[ends[:, 0]] - depth[ends[:, 1]])
    flat = positions(sea.data)[:, :2]
    shore = flat[ends[:, 0]] + share[:, np.newaxis] * (flat[ends[:, 1]] - flat[ends[:, 0]])
    reach = 2.0 * terrain.terrane.size / 128
    wet = np.flatnonzero((depth > 0.0) & (np.abs(flat).max(axis=1) > 0.52 * terrain.terrane.size))
    away = np.array([np.hypot(*(shore - flat[one]).T).min() for one in wet])
    straight = np.maximum(1.0 - away / reach, 0.0)
    off = np.abs(straight - surf[wet])[(straight > 0.0) & (depth[wet] < reach)]
    assert (straight > 0.1).sum() > 50
    assert off.mean() < 0.05 and np.quantile(off, 0.9) < 0.2
    assert surf[depth > 2.0 * reach].max() == 0.0
