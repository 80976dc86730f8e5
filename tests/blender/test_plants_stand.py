# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants stand: on the slope, without a stretch, where the ground shows woods, and with few faces."""

from __future__ import annotations

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import part

pytestmark = pytest.mark.slow

MOST_FACES = 3_000_000
"""Of plants in viewports."""


def instances():
    """Return the names of the models of all plants, and their matrices, shape (n, 4, 4)."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    found = [
        (instance.object.original, np.array(instance.matrix_world))
        for instance in graph.object_instances
        if instance.is_instance and instance.parent.original == part("plants")
    ]
    return [obj for obj, _ in found], np.array([matrix for _, matrix in found])


def surface(obj):
    """Return a function that gives the height of a terrain's triangles at a place; None beside them."""
    tree = importlib.import_module("mathutils.bvhtree").BVHTree.FromObject(
        obj, bpy.context.evaluated_depsgraph_get()
    )

    def height(x, y):
        hit = tree.ray_cast((x, y, 1e5), (0.0, 0.0, -1.0))[0]
        return None if hit is None else hit.z

    return height


def feet(name, plants):
    """Return the places of the trees of a group, shape (n, 4), from the middle of the model."""
    kinds = module("noise_core.landscapes.plant_shapes.kinds")
    spread = module("noise_core.landscapes.point_sets").spread_points
    _, kind, *_, number = name.split()
    count = kinds.FAR[kind.lower()][1]
    flat = (spread(count, int(number)) - 0.5) * kinds.group_side(kind.lower(), plants)
    return np.column_stack([flat, np.zeros(count), np.ones(count)])


def shown_plants(preset, resolution=257):
    bpy.ops.terrane.landscape_add(preset=preset, resolution=resolution)
    return module("noise_core.landscapes.preset_library").preset(preset).look.plants


@pytest.mark.parametrize("preset", ["alps", "snowy_ridge", "volcano"])
def test_far_trees_stand_on_the_slope_and_are_not_stretched(terrane, preset):
    """Of 100 trees at most two have their foot over a quarter of their height off the ground."""
    plants = shown_plants(preset, 513)
    objects, matrices = instances()
    is_far = np.array(["Conifers Far" in obj.name for obj in objects])
    assert is_far.sum() > 500
    chosen = np.flatnonzero(is_far)[:: max(1, int(is_far.sum() / 500))]
    height, terrain = surface(bpy.context.active_object), bpy.context.active_object
    half = np.array(terrain.dimensions[:2]) / 2
    off, stretch = [], []
    for at in chosen:
        matrix = matrices[at]
        wide, high = np.hypot(*matrix[:2, 0]), matrix[2, 2]
        stretch.append(max(wide / high, high / wide))
        for x, y, z, _ in feet(objects[at].name, plants) @ matrix.T:
            if (np.abs((x, y)) < half).all():
                off.append((z - height(x, y)) / high)
    assert max(stretch) < 1.01
    assert len(off) > 2000
    assert np.mean(np.array(off) > 0.25) < 0.02, np.mean(np.array(off) > 0.25)


def painted_woods(terrain):
    """Return the share of the ground that shows woods at each vertex, shape (rows, columns)."""
    layers = module("noise_core.materials.ground.layers")
    plan_text = module("operators.bridge.scene.ground_colors").plan_text
    plan = module("operators.bridge.nodetree.terrain_material.plan").ground_plan(plan_text(terrain))
    terrains = module("operators.bridge.terrain.terrains")
    mesh_grid = terrains.built_grid(terrain)
    shape = mesh_grid.rows, mesh_grid.columns
    grid = module("noise_core").Grid(*shape, size=mesh_grid.size)
    points = np.empty(3 * shape[0] * shape[1], np.float32)
    terrain.data.attributes["position"].data.foreach_get("vector", points)
    maps = {}
    for name in ("flow", "cavity", "river", "ridge", "crease", "wear", "deposit", "scree", "snow"):
        if name in terrain.data.attributes:
            maps[name] = np.empty(shape[0] * shape[1], np.float32)
            terrain.data.attributes[name].data.foreach_get("value", maps[name])
            maps[name] = maps[name].reshape(shape)
    heights = np.ascontiguousarray(points.reshape(*shape, 3)[..., 2])
    rows = module("noise_core.materials.ground.land_rows").LandRows
    ground = rows.of(heights, grid, plan, maps).ground(slice(0, shape[0]))
    share, palette = 1.0, plan.landscape.layers
    for name in plan.layers[plan.layers.index("woods") :]:
        cover = layers.cover_share(palette[name], name, ground)
        share = cover if name == "woods" else share * (1.0 - cover)
    return points.reshape(*shape, 3), share


@pytest.mark.parametrize("preset", ["snowy_ridge"])
def test_painted_woods_lie_below_trees(terrane, preset):
    """Nine of ten places that are painted as woods lie within a crown or a group, where trees are planted."""
    plants = shown_plants(preset, 513)
    terrain = bpy.context.active_object
    compat = module("operators.bridge.datablocks.compat")
    compat.set_modifier_input(part("plants").modifiers[0], "Viewport Share", 1.0)
    part("plants").update_tag()
    objects, matrices = instances()
    points, share = painted_woods(terrain)
    camera = np.array(bpy.context.scene.camera.matrix_world.translation)
    below = camera[2] - surface(terrain)(*camera[:2])
    away = np.sqrt(((points[..., :2] - camera[:2]) ** 2).sum(axis=-1) + below**2)
    reach = plants.near * module("operators.bridge.scene.plant_nodes").TREES_UP_TO
    chosen = points[(share > 0.5) & (away < 0.85 * reach) & (away > 50.0)]
    chosen = chosen[:: max(1, len(chosen) // 1500)]
    kinds = module("noise_core.landscapes.plant_shapes.kinds")
    radii = {"Conifers": 0.22, "Broadleaves": 0.4}
    tree = importlib.import_module("mathutils.kdtree").KDTree(len(objects))
    wide = np.zeros(len(objects))
    for at, (obj, matrix) in enumerate(zip(objects, matrices)):
        kind = obj.name.split()[1]
        if kind in radii:
            square = kinds.group_side(kind.lower(), plants) / np.pi**0.5
            wide[at] = matrix[2, 2] * (square if "Far" in obj.name else radii[kind])
        tree.insert((*matrix[:2, 3], 0.0), at)
    tree.balance()
    covered = [
        any(away <= wide[at] for _, at, away in tree.find_range((x, y, 0.0), wide.max()))
        for x, y, _ in chosen.tolist()
    ]
    assert len(covered) > 1000
    assert np.mean(covered) > 0.88, np.mean(covered)  # 0.90 at the presets' own resolutions


PLANTED = ("alps", "fjords", "island", "meandering_river", "river_delta", "rolling_hills")
"""Presets with most plants."""


@pytest.mark.wide
@pytest.mark.parametrize("preset", PLANTED)
def test_viewports_have_few_faces(terrane, preset):
    shown_plants(preset)
    objects, _ = instances()
    assert sum(len(obj.data.polygons) for obj in objects) <= MOST_FACES


def planted_up_to(terrain):
    nodes = terrain.active_material.node_tree.nodes
    return nodes["Terrane Crowns"].inputs["Planted Up To"].default_value


def test_the_ground_shows_no_crowns_where_trees_stand(terrane):
    plants = shown_plants("rolling_hills", 65)
    terrain = bpy.context.active_object
    reach = plants.near * module("operators.bridge.scene.plant_nodes").TREES_UP_TO
    assert planted_up_to(terrain) == pytest.approx(reach)
    bpy.ops.terrane.landscape_part_remove(part="plants")
    assert planted_up_to(terrain) == 0.0


def test_woods_follow_the_material_of_the_ground(terrane):
    """Another palette has other woods; nodes that nothing uses any more are gone."""
    shown_plants("rolling_hills", 129)
    trees = {obj.name for obj in bpy.data.node_groups}
    before = len([obj for obj in instances()[0] if "Conifers" in obj.name])
    bpy.ops.terrane.terrain_material(palette="alpine", detail_pixels=16)
    bpy.ops.terrane.terrain_update()
    objects, _ = instances()
    assert len([obj for obj in objects if "Conifers" in obj.name]) != before
    assert planted_up_to(bpy.context.active_object) > 0.0
    geometry = [obj for obj in bpy.data.node_groups if obj.bl_idname == "GeometryNodeTree"]
    assert all(tree.users for tree in geometry), trees
