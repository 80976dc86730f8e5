# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea around a terrain wherever its level lies: below all of the land around, at one vertex, or above all of it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, part, positions
from tests.drawing import count_of, generator

CASES = 300

LEVELS = ("below all", "at one vertex", "between", "above all")

WATERS = ("none", "rivers", "sea")
"""Water over the terrain: none of it, some that flows, or some that stands."""


def grid_mesh(side, heights, width):
    """Return a mesh of squares from -width to width, with a height at each vertex."""
    line = np.linspace(-width, width, side)
    places = [(*place, z) for place, z in zip(((x, y) for y in line for x in line), heights)]
    corners = [row * side + column for row in range(side - 1) for column in range(side - 1)]
    faces = [(first, first + 1, first + side + 1, first + side) for first in corners]
    mesh = bpy.data.meshes.new("Land")
    mesh.from_pydata(places, [], faces)
    return mesh, faces


def water_mesh(kind, side, level, width):
    """Return the mesh of the water over a terrain half as wide."""
    mesh, _ = grid_mesh(side, [level] * side * side, width / 2.0)
    if kind == "none":
        mesh.clear_geometry()
    for name in ("terrane_course", "terrane_flow"):
        attribute = mesh.attributes.new(name, "FLOAT_VECTOR", "POINT")
        is_flow = name == "terrane_flow"
        value = float(kind == "rivers") if is_flow else 0.5
        attribute.data.foreach_set("vector", [value] * 3 * len(mesh.vertices))
    return mesh


@pytest.mark.parametrize("case", range(count_of(CASES)))
def test_the_sea_lies_over_all_faces_that_reach_below_it(terrane, case):
    seas, draw = module("operators.bridge.scene.open_seas"), generator(f"open seas {case}")
    side, width = draw.randrange(2, 9), 10.0 ** draw.uniform(0.0, 5.0)
    # On whole numbers the level is met to the bit.
    heights = draw.sample(range(-200, 200), side * side)
    order, kind = sorted(heights), LEVELS[case % len(LEVELS)]
    level = {
        "below all": order[0] - draw.randrange(2),
        "at one vertex": order[0] + 1,
        "between": draw.choice(order),
        "above all": order[-1] + 1,
    }[kind]
    land, faces = grid_mesh(side, heights, width)
    water = water_mesh(draw.choice(WATERS), side, level, width)
    corner = np.full(2, width / 2.0, np.float32)
    surf = seas.Surf(water, width * draw.uniform(0.01, 2.0))
    polygons = seas.open_sea(-corner, corner, 2.0, float(level), land, surf)
    mesh = bpy.data.meshes.new("Sea")
    polygons.write(mesh)
    assert not mesh.validate()
    wet = [face for face in faces if min(heights[one] for one in face) < level]
    assert len(mesh.polygons) == len(wet) + 4
    used = sorted({one for face in wet for one in face})
    points, course, depth = (
        np.empty(count * len(mesh.vertices), np.float32) for count in (3, 3, 1)
    )
    mesh.attributes["position"].data.foreach_get("vector", points)
    mesh.attributes["terrane_course"].data.foreach_get("vector", course)
    mesh.attributes["terrane_depth"].data.foreach_get("value", depth)
    assert (points[2::3] == level).all()
    np.testing.assert_array_equal(depth[: len(used)], [level - heights[one] for one in used])
    nearness = course[2::3]
    assert ((nearness >= 0.0) & (nearness <= 1.0)).all()
    assert (nearness[: len(used)][depth[: len(used)] <= 0.0] == 1.0).all()


@pytest.mark.slow
def test_a_sea_inside_a_landscape_touches_no_land_around(terrane):
    """A hollow holds a sea, and the land around lies higher than it: beyond that land begins the open sea."""
    bpy.context.scene.world = None
    terrain = add_terrain(preset="lake", resolution=65)
    points = positions(terrain.data)
    bpy.ops.terrane.surroundings_add(kind="land")
    lowest = float(positions(part("land").data)[:, 2].min())
    assert points[:, 2].min() + 5.0 < lowest, "the preset has no such hollow any more"
    bpy.ops.terrane.water_add(from_panel=False, sea=True, level=lowest - 1.0, rivers=0.0)
    assert len(part("water").data.polygons) > 10 and len(part("open_sea").data.polygons) == 4
    bpy.ops.terrane.water_add(from_panel=False, sea=True, level=lowest + 1.0, rivers=0.0)
    assert len(part("open_sea").data.polygons) > 4
