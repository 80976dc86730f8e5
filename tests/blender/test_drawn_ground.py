# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground along drawn curves: a road has its surface and no plants on it, a drawn lake its water."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

from tests.blender.helpers import add_terrain, attribute_names, attribute_values, part, positions
from tests.drawing import generator

SIDE, SIZE = 129, 1000.0
NONE = {f"{kind}_density": 0.0 for kind in ("conifers", "broadleaves", "bushes", "grass", "stones")}
EVERYWHERE = {
    **{"clumps": 0.0, "steepest": 90.0, "lowest": -1.0, "highest": 2.0, "moisture": 0.0},
    "density": 400.0,
}


@pytest.fixture
def terrain(terrane):
    """Return a terrain a kilometer wide, with a camera above it."""
    obj = add_terrain(preset="alps", resolution=SIDE, size=SIZE, height=200.0)
    bpy.ops.terrane.camera_add()
    return obj


def draw(kind, points):
    status = bpy.ops.terrane.curve_add(kind=kind, points=json.dumps(points), smooth=False)
    assert status == {"FINISHED"}
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}


def field(terrain, name):
    return attribute_values(terrain.data, name).reshape(SIDE, SIDE)


def scatter(kind, **more):
    """Return the places of plants of one kind that stand everywhere, from 0 to 1 across the terrain."""
    values = {f"{kind}_{name}": value for name, value in EVERYWHERE.items()}
    keywords = {**NONE, **values, "near": 1e6, "viewport_share": 1.0, **more}
    assert bpy.ops.terrane.scatter_add(**keywords) == {"FINISHED"}
    bpy.context.view_layer.update()
    plants, graph = part("plants"), bpy.context.evaluated_depsgraph_get()
    places = [
        tuple(instance.matrix_world.translation)
        for instance in graph.object_instances
        if instance.is_instance and instance.parent.original == plants
    ]
    return np.array(places, np.float64).reshape(-1, 3)


def distance_to(points, places):
    """Return the distance in meters of places from straight pieces between points."""
    ends = np.array([point[:2] for point in points]) * SIZE - 0.5 * SIZE
    nearest = np.full(len(places), np.inf)
    for start, stop in zip(ends[:-1], ends[1:]):
        along = stop - start
        share = np.clip((places[:, :2] - start) @ along / (along @ along), 0.0, 1.0)
        beside = places[:, :2] - start - share[:, np.newaxis] * along
        nearest = np.minimum(nearest, np.hypot(*beside.T))
    return nearest


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["conifers", "stones"])
@pytest.mark.parametrize("width", [3.0, 30.0])
def test_no_plant_stands_on_a_road_that_is_narrower_or_wider_than_a_cell(terrain, kind, width):
    draw_from = generator(f"plants beside roads {kind} {width}")
    ends = [(0.02, draw_from.uniform(0.2, 0.8)), (0.5, 0.45), (0.98, draw_from.uniform(0.2, 0.8))]
    points = [[*at, 100.0, width] for at in ends]
    before = distance_to(points, scatter(kind))
    draw("road", points)
    after = distance_to(points, scatter(kind))
    assert (before < 0.5 * width).any() and not (after < 0.5 * width).any()
    verge = 0.5 * width + SIZE / (SIDE - 1)
    assert (after > verge).sum() == pytest.approx((before > verge).sum(), rel=0.1)


def color_of(terrain):
    """Return the stored colors of a terrain's vertices, shape (SIDE, SIDE, 3)."""
    values = np.empty(SIDE * SIDE * 4, np.float32)
    terrain.data.attributes["Terrane Color"].data.foreach_get("color", values)
    return values.reshape(SIDE, SIDE, 4)[..., :3]


def test_a_road_is_painted_exactly_where_its_bed_is(terrain, live):
    draw("road", [[0.1, 0.3, 100.0, 40.0], [0.5, 0.5, 120.0, 40.0], [0.9, 0.4, 100.0, 40.0]])
    assert bpy.ops.terrane.colors_add() == {"FINISHED"}
    colors = {}
    for surface in ("none", "earth", "gravel", "asphalt"):
        terrain.terrane.layers[-1].path.surface = surface
        live.update_now()
        colors[surface] = color_of(terrain)
    bed = field(terrain, "bed")
    np.testing.assert_allclose(field(terrain, "road"), bed, rtol=1e-6)
    for surface in ("earth", "gravel", "asphalt"):
        differs = np.abs(colors[surface] - colors["none"]).max(axis=2) > 0.0
        assert not differs[bed == 0.0].any() and differs[bed > 0.7].mean() > 0.99
    assert colors["asphalt"][bed == 1.0].max() < colors["gravel"][bed == 1.0].mean()


def test_the_material_of_a_land_with_a_road_has_a_layer_of_it(terrain):
    bpy.ops.terrane.terrain_material(detail_pixels=32)
    names = {node.name for node in terrain.active_material.node_tree.nodes}
    assert "Terrane Layer Road" not in names and "Terrane Road" not in names
    draw("trail", [[0.1, 0.3, 100.0, 40.0], [0.9, 0.5, 120.0, 40.0]])
    bpy.ops.terrane.terrain_material(detail_pixels=32)
    names = {node.name for node in terrain.active_material.node_tree.nodes}
    assert {"Terrane Road", "Terrane Road Colors"} <= names
    # A shelf for a house, or the edge of a cliff, is no road.
    assert {"bed", "road", "pond"} <= attribute_names(terrain)


def circle(radius, height, at=(0.5, 0.5)):
    turns = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    return [
        [at[0] + radius * float(np.cos(turn)), at[1] + radius * float(np.sin(turn)), height, 1.0]
        for turn in turns
    ]


def draw_lake(radius, **values):
    bpy.ops.terrane.curve_add(kind="lake", points=json.dumps(circle(radius, 0.0)), closed=True)
    for name, value in values.items():
        setattr(bpy.context.active_object.terrane.layers[-1].path, name, value)
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}


def test_a_drawn_lake_has_its_water_up_to_the_lowest_ground_along_its_curve(terrain):
    draw_lake(0.15)
    pond = field(terrain, "pond")
    surface = positions(terrain.data).reshape(SIDE, SIDE, 3)[..., 2] + pond
    level = surface[pond > 0.0]
    assert (pond > 0.0).sum() > 200 and np.ptp(level) < 1e-3
    assert 4.0 < pond.max() <= 60.0
    assert bpy.ops.terrane.water_add(rivers=0.0) == {"FINISHED"}
    water = positions(part("water").data)
    on_lake = np.hypot(*water[:, :2].T) < 0.16 * SIZE
    assert on_lake.any() and np.abs(water[on_lake, 2] - level.mean()).max() < 1e-3


def test_a_road_across_a_drawn_lake_has_no_water_on_it(terrain):
    draw_lake(0.2)
    before, lake = field(terrain, "pond"), positions(terrain.data)[:, 2].copy()
    top = float((before.ravel() + lake)[before.ravel() > 0.0].max()) + 8.0
    draw("road", [[0.1, 0.5, top, 60.0], [0.9, 0.5, top, 60.0]])
    terrain.terrane.layers[-1].path.heights = "given"
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}
    after = field(terrain, "pond")
    across = np.abs(positions(terrain.data)[:, 1].reshape(before.shape))
    on_road = (across < 25.0) & (before > 0.0)
    assert on_road.sum() > 50 and not after[on_road].any()
    far = (across > 0.1 * SIZE) & (before > 1.0)
    np.testing.assert_allclose(after[far], before[far], atol=1e-3)
