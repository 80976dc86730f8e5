# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of running water against brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import Grid
from noise_core.flow_routing.surface_flow import drainage_areas, flow_tree
from noise_core.flow_routing.tree import FlowTree
from noise_core.maps import drainage_area, flow, river, river_distance, strahler, wetness
from noise_core.maps.bases.map import as_height_field
from noise_core.maps.strahler_map import orders
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.height_field import HeightField

SHAPES = [(1, 1), (1, 12), (9, 1), (7, 5), (24, 31), (40, 40)]


def rough(shape: tuple[int, int], seed: int) -> np.ndarray:
    """Return ground full of pits; every third has flats."""
    height = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return np.round(height * 2) if seed % 3 == 0 else height


def surface(shape: tuple[int, int], wrap: bool, seed: int) -> HeightField:
    return as_height_field(rough(shape, seed), Grid(*shape, wrap=wrap, size=100.0), "test")


def donors(tree: FlowTree) -> list[list[int]]:
    """Return who drains into each cell."""
    found: list[list[int]] = [[] for _ in tree.receivers]
    for cell, receiver in enumerate(tree.receivers):
        if cell != receiver:
            found[receiver].append(cell)
    return found


def sequential_orders(tree: FlowTree, is_stream: np.ndarray) -> np.ndarray:
    """Return Strahler's orders by the book, one cell at a time."""
    result = np.zeros(len(tree.receivers), int)
    upstream = donors(tree)
    for cell in tree.order[::-1]:
        above = [result[one] for one in upstream[cell] if result[one] > 0]
        if is_stream[cell]:
            highest = max(above, default=1)
            result[cell] = highest + (above.count(highest) > 1)
    return result


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_strahler_equals_brute_force(shape, wrap, seed):
    ground = surface(shape, wrap, seed)
    for cells in (1, 3, 20):
        is_stream = drainage_areas(ground).reshape(-1) >= cells
        expected = sequential_orders(flow_tree(ground), is_stream)
        np.testing.assert_array_equal(orders(flow_tree(ground), is_stream), expected)
        threshold = (cells - 0.5) * ground.cell_area
        grid = Grid(*shape, wrap=wrap, size=100.0)
        found = strahler(ground.height, grid, threshold=threshold)
        np.testing.assert_array_equal(found.reshape(-1), expected)


def test_strahler_of_a_mountain_range():
    grid = Grid(128, 128, size=5000.0)
    height = 900.0 * Fractal(source=Perlin(frequency=3.0), octaves=6).sample_grid(grid, 1)
    order = strahler(height, grid)
    assert order.max() >= 4
    counts = [int((order == one).sum()) for one in range(1, 5)]
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_drainage_area_equals_walking(wrap, seed):
    """Every sample walks down to its end and leaves its area on the way."""
    shape = (14, 19)
    grid = Grid(*shape, wrap=wrap, size=60.0)
    height = rough(shape, seed)
    receivers = flow_tree(as_height_field(height, grid, "test")).receivers
    expected = np.zeros(height.size)
    for cell in range(height.size):
        expected[cell] += 1
        while receivers[cell] != cell:
            cell = receivers[cell]
            expected[cell] += 1
    area = drainage_area(height, grid).reshape(-1)
    np.testing.assert_allclose(area, expected * grid.spacing**2, rtol=1e-6)
    ends = receivers == np.arange(height.size)
    assert area[ends].sum() == pytest.approx(height.size * grid.spacing**2, rel=1e-5)
    share = np.maximum(expected / height.size, 1e-6)
    np.testing.assert_allclose(
        flow(height, grid).reshape(-1), 1.0 + np.log10(share) / 6.0, atol=1e-5
    )


def test_water_of_a_torus_ends_in_low_hollows_only():
    grid = Grid(50, 60, wrap=True, size=100.0)
    height = 50.0 * Fractal(source=Perlin(frequency=4.0), octaves=5).sample_grid(grid, 3)
    ground = as_height_field(height, grid, "test")
    ends = flow_tree(ground).ends
    assert 1 < ends.sum() < 30
    assert height[ends].max() <= np.quantile(height, 0.045)
    for row, column in zip(*np.nonzero(ends)):
        around = np.roll(height, (1 - row, 1 - column), (0, 1))[:3, :3]
        assert height[row, column] == around.min()


def test_flow_does_not_depend_on_resolution_or_size():
    """The river that leaves a valley has one flow."""
    found = []
    for columns, size in ((65, 100.0), (65, 1e5), (257, 100.0)):
        grid = Grid(columns, columns, size=size)
        y, x = np.mgrid[-1 : 1 : columns * 1j, 0 : 1 : columns * 1j]
        found.append(flow(size * (np.abs(y) + 0.5 * x), grid)[columns // 2, 0])
    assert found[1] == pytest.approx(found[0], abs=1e-6)
    assert found[2] == pytest.approx(found[0], abs=0.01)
    assert found[0] > 0.9


def test_wetness_of_a_plane():
    """One sample's strip of ground drains through each, so a is the way from the crest."""
    grid = Grid(30, 12, size=110.0)  # samples 10 m apart
    height = np.repeat(3.0 * np.arange(30.0)[:, None], 12, axis=1)  # falls by 0.3
    index = wetness(height, grid)[2:-2, 2:-2]
    way = 10.0 * (29 - np.arange(30.0))[2:-2]
    # The first row is a border, where water leaves at once.
    np.testing.assert_allclose(index, np.log(way / 0.3)[:, None] * np.ones(8), atol=1e-4)


def test_level_ground_is_wet_but_finite():
    grid = Grid(20, 20, size=190.0)
    bowl = np.maximum(np.hypot(*(np.mgrid[:20, :20] - 9.5)), 5.0)
    index = wetness(bowl, grid)
    assert index[9, 9] > index[0, 0] + 2.0
    assert index.max() < math.log(400 * 10.0 / 1e-3) + 1e-3


@pytest.mark.parametrize("wrap", [False, True])
def test_river_distance_equals_brute_force(wrap):
    grid = Grid(26, 33, wrap=wrap, size=330.0)
    height = rough(grid.shape, 5)
    area = drainage_area(height, grid)
    for threshold in (10.0 * grid.spacing**2, 60.0 * grid.spacing**2):
        ys, xs = np.nonzero(area >= threshold * (1 - 1e-6))
        y, x = np.mgrid[:26, :33]
        dy, dx = np.abs(y[..., None] - ys), np.abs(x[..., None] - xs)
        if wrap:
            dy, dx = np.minimum(dy, 26 - dy), np.minimum(dx, 33 - dx)
        expected = np.hypot(dy, dx).min(axis=-1) * grid.spacing
        found = river_distance(height, grid, threshold=threshold * (1 - 1e-6))
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_without_rivers_they_are_far():
    grid = Grid(30, 40, size=390.0)
    far = river_distance(rough(grid.shape, 1), grid, threshold=1e12)
    np.testing.assert_allclose(far, math.hypot(390.0, 290.0), rtol=1e-6)
    assert river_distance(rough(grid.shape, 1), grid).min() == 0.0


def test_rivers_are_bands_that_widen_downstream():
    """In a straight valley: each size of river begins where it drains enough, twice as wide."""
    grid = Grid(101, 101, size=1000.0)
    y, x = np.mgrid[:101, :101].astype(np.float64)
    valley = np.abs(x - 50.0) * 2.0 + y * 0.5  # the river runs down the middle, to row 0
    drained = drainage_area(valley, grid)[:, 50]
    threshold = 1.5e4
    found = river(valley, grid, threshold=threshold, width=160.0)
    for row in range(101):
        sizes = [size for size in range(4) if drained[row] >= threshold * 4.0**size]
        if sizes:
            strength = (sizes[-1] + 2) / 5
            assert strength - 1e-6 <= found[row, 50] <= 1.0
            half = max(80.0 * 2.0 ** (sizes[-1] - 3) / grid.spacing, 1.0)
            for off in range(1, 9):
                assert found[row, 50 + off] >= strength * (1.0 - off / half) - 1e-6
    # At the mouth nothing lies upstream of it but the river itself: the band is exact.
    half = 80.0 / grid.spacing
    assert drained[0] >= threshold * 64.0
    np.testing.assert_allclose(
        found[0, 50:61], np.maximum(1.0 - np.arange(11) / half, 0.0), atol=1e-6
    )
    assert found[:, :20].max() == 0.0 == found[-1].max()


def test_no_river_at_all():
    assert river(rough((20, 30), 1), Grid(20, 30, size=100.0), threshold=1e12).max() == 0.0
