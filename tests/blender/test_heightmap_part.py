# SPDX-License-Identifier: GPL-3.0-or-later
"""A rectangle on measured land is a box in degrees, by which its file gives that part alone."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.extension import module
from tests.blender.helpers import height_grid
from tests.blender.test_heightmap_import import SPACING, bring, land, write_tif, write_tiles
from tests.drawing import count_of, generator


def part_between(terrain, start, stop):
    """Return the part of a terrain between two places in its own space."""
    parts = module("operators.bridge.terrain.land_parts")
    ground = module("operators.bridge.terrain.drawn_ground").DrawnGround.of(terrain)
    return parts.LandPart.between(ground, np.array(start), np.array(stop))


def drawn_places(random, terrain, least):
    """Return two opposite corners of a rectangle on a terrain, some of them beyond its borders."""
    sides = []
    for length in terrain.dimensions[:2]:
        low = random.uniform(-0.6 * length, 0.49 * length - least)
        high = max(low, -0.5 * length) + random.uniform(least, 0.5 * length)
        sides.append(random.sample((low, high), 2))
    return [(*corner, 0.0) for corner in zip(*sides)]


def test_on_a_map_of_degrees_the_part_is_its_rectangle(terrane, tmp_path):
    values = write_tiles(tmp_path)
    random = generator("parts of degrees")
    whole = bring(tmp_path)
    for _ in range(count_of(60)):
        part = part_between(whole, *drawn_places(random, whole, 0.1 * whole.dimensions[1]))
        west, south, east, north = part.box()
        sizes = np.array(whole.dimensions[:2])
        ends = np.array([part.low, part.high]) / sizes + 0.5
        steps = ends * (np.array(values.shape[::-1]) - 1.0)
        (left, bottom), (right, top) = np.array([7.0, 46.0]) + 0.01 * steps
        assert -1e-6 < min(west - left, right - east) <= max(west - left, right - east) < 2e-5
        # The last row of the mesh is up to half a step of it away from the land's edge.
        assert max(abs(south - bottom), abs(north - top)) < 0.005, part.box()
        piece = bring(tmp_path, west=west, south=south, east=east, north=north)
        first, low = np.ceil((np.array([west, south]) - (7.0, 46.0)) * 100.0 - 1e-6)
        last, high = np.floor((np.array([east, north]) - (7.0, 46.0)) * 100.0 + 1e-6)
        corners = values[int(low), [int(first), int(last)]]
        np.testing.assert_allclose(height_grid(piece)[0, [0, -1]], corners, atol=0.05)
        bpy.data.objects.remove(piece)


def test_in_a_zone_the_part_has_the_samples_of_its_rectangle(terrane, tmp_path):
    path = write_tif(tmp_path / "valley.tif", land(61, 83))
    random = generator("parts of a zone")
    whole = bring(path)
    heights = height_grid(whole)
    for _ in range(count_of(60)):
        part = part_between(whole, *drawn_places(random, whole, 4.5 * SPACING))
        box = dict(zip(("west", "south", "east", "north"), part.box()))
        piece = bring(path, **box)
        found = height_grid(piece)
        # Give or take the bend of a zone and the rounding of the box.
        first = (part.low - part.ground.corner) / SPACING
        last = (part.high - part.ground.corner) / SPACING
        assert np.abs(np.array(found.shape[::-1]) - (last - first + 1.0)).max() < 3.0, box
        windows = np.lib.stride_tricks.sliding_window_view(heights, found.shape)
        rows, columns = np.nonzero(np.abs(windows - found).max(axis=(2, 3)) < 0.02)
        assert len(rows) == 1, box
        at = np.array([columns[0], rows[0]])
        assert (at > first - 1.0).all() and (at < first + 2.0).all(), box
        bpy.data.objects.remove(piece)


def test_a_part_lies_on_the_terrain_wherever_the_terrain_is(terrane, tmp_path):
    whole = bring(write_tif(tmp_path / "valley.tif", land()))
    width, depth, _ = whole.dimensions
    part = part_between(whole, (-0.9 * width, 0.2 * depth, 0.0), (0.1 * width, -3.0 * depth, 0.0))
    assert part.size == pytest.approx((0.6 * width, 0.7 * depth), rel=1e-6)
    box = part.box()
    whole.location, whole.rotation_euler = (500.0, -200.0, 40.0), (0.0, 0.0, 0.7)
    bpy.context.view_layer.update()
    assert part.box() == box
    inverse = whole.matrix_world.inverted()
    outline = np.array([tuple(inverse @ Vector(place)) for place in part.outline()])
    assert outline[:, 0].min() == pytest.approx(-0.5 * width, abs=1e-2)
    assert outline[:, 1].max() == pytest.approx(0.2 * depth, abs=1e-2)
    grid = height_grid(whole)
    assert grid.min() - 0.01 <= outline[:, 2].min() <= outline[:, 2].max() <= grid.max() + 0.01


def test_what_is_no_measured_land_is_refused(terrane, tmp_path):
    operator = bpy.ops.terrane.heightmap_part
    assert not operator.poll()
    bpy.ops.terrane.terrain_add(resolution=9)
    assert not operator.poll()
    np.save(tmp_path / "plain.npy", land())
    terrain = bring(tmp_path / "plain.npy")
    assert operator.poll()
    error = module("noise_core.base.errors").TerraneError
    with pytest.raises(error, match="plain: its place is not known in degrees"):
        module("operators.bridge.terrain.land_parts").place_of(terrain)
