# SPDX-License-Identifier: GPL-3.0-or-later
"""The flow tree against plain references: fill, areas, order, lakes, and the implicit step."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.flow_routing import basins, incision, peeling
from noise_core.flow_routing import tree as flow_tree
from noise_core.flow_routing.incision import Incision, incise
from noise_core.flow_routing.outlets import border
from noise_core.flow_routing.routing import fill, route
from noise_core.flow_routing.tree import FlowTree
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from tests.core import drainage_references as reference

SHAPES = [(1, 1), (1, 9), (9, 1), (2, 2), (3, 7), (17, 33), (40, 25)]


def terrains(shape, seed):
    """Return height fields of many kinds."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=shape).astype(np.float32)
    hills = Fractal(source=Perlin(frequency=3.0)).sample_grid(Grid(*shape, size=100.0), seed)
    return {
        "noise": noise,
        "steps": np.round(noise * 1.5),
        "hills": hills * 100,
        "sea": np.maximum(hills, 0.0),
        "flat": np.zeros(shape, np.float32),
        "bowl": -np.hypot(*np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j]).astype("f4"),
    }


def cases():
    for seed, shape in enumerate(SHAPES):
        for kind, height in terrains(shape, seed).items():
            for wrap in (False, True):
                name = f"{kind}-{shape[0]}x{shape[1]}{'-wrap' * wrap}"
                yield pytest.param((np.float32(height), wrap), id=name)


@pytest.fixture(params=[True, False], ids=["waves", "channels"])
def small_parts(request, monkeypatch):
    """Let waves run down to the last cells, in small blocks, or leave all of so small a land to the channels."""
    if request.param:
        monkeypatch.setattr(peeling, "_LEAST_WAVE", 1)
        for module in (peeling, basins, incision, flow_tree):
            monkeypatch.setattr(module, "CELLS_PER_BLOCK", 7)


@pytest.fixture(params=list(cases()))
def routed(request, small_parts):
    height, wrap = request.param
    level = Level.from_grid(Grid(*height.shape, wrap=wrap, size=100.0))
    outlets = border(level)
    if wrap:
        outlets.reshape(-1)[height.argmin()] = True
    return height, level, outlets, route(height, level, outlets)


def test_the_fill_is_a_priority_floods_to_the_bit(routed):
    height, level, outlets, tree = routed
    expected = reference.priority_flood(height, outlets, level.wrap)
    np.testing.assert_array_equal(tree.filled, expected)
    np.testing.assert_array_equal(fill(height, level, outlets), expected)
    again = route(tree.filled, level, outlets)
    np.testing.assert_array_equal(again.filled, expected)


def test_the_tree_leads_every_cell_to_an_outlet(routed):
    height, level, outlets, tree = routed
    cells = np.arange(height.size)
    np.testing.assert_array_equal(np.sort(tree.order), cells)
    place = np.empty_like(cells)
    place[tree.order] = cells
    is_end = tree.receivers == cells
    np.testing.assert_array_equal(is_end.reshape(level.shape), outlets)
    np.testing.assert_array_equal(tree.ends, outlets)
    assert (place[tree.receivers] < place)[~is_end].all()
    group = np.searchsorted(tree.starts, place, side="right")
    assert (group[tree.receivers] < group)[~is_end].all()
    assert tree.starts[0] == 0 and tree.starts[-1] == height.size


def test_receivers_are_neighbors_and_never_above_the_fill(routed):
    height, level, outlets, tree = routed
    for cell, receiver in enumerate(tree.receivers):
        if receiver != cell:
            place, other = (divmod(int(one), level.columns) for one in (cell, receiver))
            step = reference.WAYS[tree.directions[place] - 1]
            assert other == tuple((np.array(place) + step) % level.shape)
            assert level.wrap or max(np.abs(np.subtract(place, other))) == 1
            assert tree.filled[other] <= tree.filled[place]


def test_areas_are_exact(routed):
    height, level, outlets, tree = routed
    area = tree.accumulate()
    np.testing.assert_array_equal(area, reference.accumulate(tree, np.ones(height.shape)))
    assert area[tree.ends.reshape(-1)].sum() == height.size
    assert (area[tree.receivers] >= area).all()
    weights = np.random.default_rng(3).integers(0, 9, height.shape)
    np.testing.assert_array_equal(tree.accumulate(weights), reference.accumulate(tree, weights))


def test_the_implicit_step_is_the_sequential_one(routed):
    height, level, outlets, tree = routed
    rate = np.sqrt(tree.accumulate()).astype(np.float32).reshape(level.shape) * 30
    limits = {"steepest": 1.2, "gentlest": 1e-3}
    result = incise(height, tree, level, rate, **limits)
    expected = reference.incised(height, tree, level, rate, **limits)
    tolerance = 1e-5 * max(np.ptp(height), 1.0)
    np.testing.assert_allclose(result, expected, atol=tolerance)
    flat = result.reshape(-1)
    drains = ~tree.ends.reshape(-1)
    assert (flat > flat[tree.receivers])[drains].all()
    assert not (route(result, level, outlets).filled > result).any()
    np.testing.assert_array_equal(result[tree.ends], height[tree.ends])


def test_a_part_whose_water_goes_on_is_worn_as_in_the_whole(small_parts):
    """Ends of the part have directions that lead out of it."""
    height, level = terrains((40, 40), 6)["hills"], Level(40, 40, 5.0, 5.0, wrap=False)
    tree = route(height, level)
    rate = np.sqrt(tree.accumulate()).astype(np.float32).reshape(level.shape) * 30
    whole = Incision.of(height, tree.directions, level, rate, 1.2, 1e-3).solve(tree)
    rows = columns = slice(9, 31)
    ways, ground = (one[rows, columns].copy() for one in (tree.directions, height))
    beyond, closed = np.full(ways.shape, np.nan, np.float32), ways.copy()
    for place in np.argwhere(ways):
        other = place + reference.WAYS[ways[tuple(place)] - 1]
        if (other < 0).any() or (other >= ways.shape).any():
            beyond[tuple(place)], closed[tuple(place)] = whole[tuple(other + 9)], 0
    assert not np.isnan(beyond).all()
    part = FlowTree(ways, ground, peeling.peel_leaves(closed, wrap=False))
    worn = Incision.of(ground, ways, level, rate[rows, columns], 1.2, 1e-3).solve(part, beyond)
    np.testing.assert_array_equal(worn, whole[rows, columns])


def test_without_an_outlet_the_lowest_cell_is_one():
    height = np.random.default_rng(1).normal(size=(12, 9)).astype(np.float32)
    tree = route(height, Level.from_grid(Grid(12, 9, wrap=True, size=100.0)))
    assert np.flatnonzero(tree.ends) == [height.argmin()]


@pytest.mark.parametrize("by", [(0, 5), (7, 0), (3, 11)])
def test_rolling_a_torus_rolls_the_tree(by):
    height = np.random.default_rng(2).normal(size=(24, 30)).astype(np.float32)
    level = Level.from_grid(Grid(24, 30, wrap=True, size=100.0))
    tree = route(height, level)
    rolled = route(np.roll(height, by, (0, 1)), level)
    np.testing.assert_array_equal(rolled.directions, np.roll(tree.directions, by, (0, 1)))
    np.testing.assert_array_equal(rolled.filled, np.roll(tree.filled, by, (0, 1)))


def test_the_steepest_descent_knows_distances():
    height = np.float32([[5, 5, 5], [5, 4, 2.9], [5, 5, 2.6]])
    level = Level.from_grid(Grid(3, 3, size=2.0))
    outlets = height == np.float32(2.6)
    assert route(height, level, outlets).directions[1, 1] == 5  # 1.1 over 1 beats 1.4 over 1.41
    height[2, 2] = 2.2
    assert route(height, level, height == np.float32(2.2)).directions[1, 1] == 8


def two_lakes():
    """Return a slope with a deep hole of two pits and a shallow hole of one, and its level."""
    height = np.linspace(100, 80, 40, dtype=np.float32)[np.newaxis].repeat(20, 0)
    height[5:10, 8:16] = 40.0
    height[7, 9], height[7, 12], height[5:10, 11] = 30.0, 20.0, 60.0
    height[12:14, 30:32] = 75.0
    return height, Level.from_grid(Grid(20, 40, size=39.0))


def test_a_deep_lake_keeps_its_deepest_pit():
    height, level = two_lakes()
    outlets = np.zeros(level.shape, bool)
    outlets[:, -1] = True
    tree = route(height, level, outlets, deepest_lake=30.0)
    ends = {divmod(int(cell), 40) for cell in np.flatnonzero(tree.ends)}
    assert ends == {(7, 12), *((row, 39) for row in range(20))}
    area = tree.accumulate().reshape(level.shape)
    assert area[7, 12] > 35  # the neighboring pit drains into it too
    np.testing.assert_array_equal(tree.filled, route(height, level, outlets).filled)
    assert area[tree.ends].sum() == height.size
    everything = route(height, level, outlets, deepest_lake=1e6)
    np.testing.assert_array_equal(everything.ends, outlets)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("wrap", [False, True])
def test_lakes_leave_a_whole_tree(seed, wrap):
    height = np.random.default_rng(seed).normal(size=(31, 26)).astype(np.float32)
    level = Level.from_grid(Grid(31, 26, wrap=wrap, size=100.0))
    for deepest in (0.0, 0.7, 2.0):
        tree = route(height, level, deepest_lake=deepest)
        assert tree.accumulate()[tree.ends.reshape(-1)].sum() == height.size
        np.testing.assert_array_equal(tree.filled, route(height, level).filled)
        lakes = tree.ends & ~route(height, level).ends
        assert (tree.filled - height)[lakes].min(initial=np.inf) > deepest


def test_a_long_winding_way_is_followed_to_its_end():
    """More steps to the outlet than 16 bits can count."""
    tree = route(np.arange(70_000, dtype=np.float32)[np.newaxis], Level(1, 70_000, 1, 1, False),
                 np.arange(70_000)[np.newaxis] == 0)  # fmt: skip
    assert tree.accumulate()[0] == 70_000


def test_smooth_ground_leaves_next_to_nothing_to_be_sorted():
    """Water runs side by side for long there: no round over all cells would find many leaves."""
    y, x = np.mgrid[0:200, 0:300].astype(np.float32)
    height = 0.4 * x + 3.0 * np.sin(0.05 * y) + 4.0 * np.sin(0.03 * x + 0.02 * y)
    level = Level.from_grid(Grid(*height.shape, size=300.0))
    tree = route(height.astype(np.float32), level)
    assert len(tree.leaves.main_cells) < 0.3 * height.size
    layer = np.full(height.size, len(tree.leaves.layers))
    for number, cells in enumerate(tree.leaves.layers):
        layer[cells] = number
    drains = tree.receivers != np.arange(height.size)
    cells = np.flatnonzero(drains & (layer < len(tree.leaves.layers)))
    assert (layer[tree.receivers[cells]] > layer[cells]).all()
    for own, alone in zip(tree.leaves.layers, tree.leaves.alone):
        down = tree.receivers[own]
        assert len(np.unique(down[:alone])) == alone
        assert not np.isin(down[:alone], down[alone:]).any()
    np.testing.assert_array_equal(
        tree.accumulate(), reference.accumulate(tree, np.ones(height.size))
    )
