# SPDX-License-Identifier: GPL-3.0-or-later
"""Meanders: the law by which bends grow, and rivers on flat and steep land, in meters and widths."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base.blocks import CountedProgress, unheard
from noise_core.erosion.meanders import migration
from noise_core.erosion.meanders.curves import STEP, RiverCurves, upstream_mean
from noise_core.erosion.meanders.migration import Valley, press, wander
from noise_core.erosion.meanders.process import COARSEST
from noise_core.erosion.meanders.stamping import Stamps
from noise_core.flow_routing.routing import fill
from noise_core.modifiers import Meanders
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

pytestmark = pytest.mark.newest

SIZE = 6000.0
WIDTH = 40.0
ANGLES = (0.0, 22.5, 45.0)
SEEDS = (1, 2, 3, 4)


def valley(
    side: int,
    angle: float = 20.0,
    *,
    slope: float = 0.003,
    half: float = 450.0,
    rough: float = 0.0,
    size: float = SIZE,
) -> tuple[np.ndarray, Grid]:
    """Return a valley with a flat floor that falls to an angle, between walls that rise by 6 percent."""
    grid = Grid(side, side, size=size)
    place = np.arange(side) * grid.spacing - size / 2.0
    x, y = np.meshgrid(place, place)
    turn = np.radians(angle)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    height = -slope * along + 0.06 * np.maximum(np.abs(across) - half, 0.0)
    height += 0.5 * (across / 500.0) ** 2
    if rough:
        noise = Fractal(source=Perlin(frequency=6.0), octaves=7).sample_grid(grid, 3)
        height += noise * rough * np.clip((height + 8.0) / 10.0, 0.15, 3.0)
    return height.astype(np.float32), grid


def courses(height: np.ndarray, grid: Grid, modifier: Meanders, seed: int) -> list:
    """Return where rivers ran, and at last where they run."""
    levels = Level.from_grid(grid).pyramid(COARSEST)
    report = CountedProgress(unheard, 1)
    found = modifier.meandering(grid).courses(height, levels, seed, report)
    assert found is not None
    return found


def main_river(curves: RiverCurves) -> RiverCurves:
    """Return the longest river alone."""
    number = int(np.argmax(curves.lengths()))
    begin, end = curves.starts[number : number + 2]
    part = [values[begin:end] for values in curves.columns()]
    return RiverCurves.of(part, np.array([0, end - begin], np.intp))


def shape_in_valley(curves: RiverCurves, angle: float) -> tuple[float, float]:
    """Return sinuosity, and mean length of a bend and its opposite in widths, far from the ends."""
    river, turn = main_river(curves), np.radians(angle)
    x, y = river.x - SIZE / 2.0, river.y - SIZE / 2.0
    along = x * np.cos(turn) + y * np.sin(turn)
    inside = np.flatnonzero(np.abs(along) < SIZE / 3.0)
    part = slice(inside[0], inside[-1] + 1)
    way = np.hypot(np.diff(x[part]), np.diff(y[part])).sum()
    straight = along[part][-1] - along[part][0]
    bends = press(river)[part]
    bends = bends[np.abs(bends) > 0.08]  # shorter wiggles are none
    turns = np.count_nonzero(np.diff(np.sign(bends)))
    return way / straight, 2.0 * straight / max(turns, 1) / river.width[part].mean()


def pits(height: np.ndarray, grid: Grid) -> np.ndarray:
    """Return where water would stand deeper than half a meter."""
    return fill(height, Level.from_grid(grid)) - height > 0.5


def straight_river(points: int, width: float = 10.0) -> RiverCurves:
    """Return a river along x."""
    x = STEP * width * np.arange(points)
    flat = np.zeros(points)
    level = np.linspace(1.0, 0.0, points)
    same = np.full(points, width)
    return RiverCurves(x, flat, level, same, np.ones(points), np.array([0, points], np.intp))


# --- the law ------------------------------------------------------------------------------------


def growth(wave: np.ndarray | float) -> np.ndarray | float:
    """Return by which share small bends grow in one step, by 2 pi over their length in widths.

    The law of Howard & Knutson for points `STEP` apart, which see a sine as a little less bent.
    """
    fade = np.exp(-STEP / migration._MEMORY)
    upstream = np.real((1.0 - fade) / (1.0 - fade * np.exp(-1j * wave * STEP)))
    half = 0.5 * wave * STEP
    return migration._RATE * (wave * np.sin(half) / half) ** 2 * (2.5 * upstream - 1.0)


@pytest.mark.parametrize("length", [6.0, 8.0, 11.0, 14.0, 20.0, 30.0])
def test_small_bends_grow_as_linear_theory_says(length):
    river = straight_river(2001)
    wave = 2.0 * np.pi / length
    phase = wave * river.x / river.width
    bent = RiverCurves(river.x, 1e-4 * np.sin(phase), *river.columns()[2:], river.starts)
    moved = -migration._RATE * press(bent) * bent.width
    middle = slice(800, 800 + 40 * round(length * 5))  # whole bends
    found = 2.0 * (moved * np.sin(phase))[middle].mean() / 1e-4
    assert found == pytest.approx(growth(wave), abs=1e-4)


def test_bends_of_some_thirteen_widths_grow_fastest():
    length = np.linspace(6.0, 40.0, 500)
    assert 12.0 <= length[np.argmax(growth(2.0 * np.pi / length))] <= 13.5


def test_upstream_mean_is_the_weighted_mean():
    values = np.random.default_rng(3).normal(size=90)
    fade = np.random.default_rng(4).uniform(0.5, 0.9, 90)
    fade[[0, 40]] = 0.0
    for index, mean in enumerate(upstream_mean(values, fade, 5)):
        weight, total, whole = 1.0, 0.0, 0.0
        for before in range(index, max(index - 32, -1), -1):
            total, whole = total + weight * values[before], whole + weight
            weight *= fade[before]
        assert mean == pytest.approx(total / whole)


def test_necks_are_those_that_all_pairs_show():
    random = np.random.default_rng(7)
    x, y = np.cumsum(random.normal(0.0, 4.0, (2, 400)), axis=1)
    width = np.full(400, 8.0)
    curves = RiverCurves(x, y, width, width, width, np.array([0, 250, 400], np.intp))
    first, second = migration.find_pairs(curves)
    found = set(zip(first.tolist(), second.tolist()))
    near = migration._NEAR * 8.0
    expected = {
        (one, other)
        for begin, end in ((0, 250), (250, 400))
        for one, other in itertools.combinations(range(begin, end), 2)
        if (other - one) * STEP > migration._LEAST
        and (x[one] - x[other]) ** 2 + (y[one] - y[other]) ** 2 < near * near
    }
    assert found == expected and found


def test_a_neck_is_cut_and_the_bend_kept():
    turn = np.linspace(-0.45 * np.pi, 1.45 * np.pi, 80)
    x = np.concatenate(
        (np.linspace(-400, -10, 60), 60 * np.cos(turn)[::-1], np.linspace(10, 400, 60))
    )
    y = np.concatenate((np.full(60, -70.0), 60 * np.sin(turn)[::-1], np.full(60, -70.0)))
    width = np.full(200, 10.0)
    curves = RiverCurves(x, y, np.linspace(5, 0, 200), width, width, np.array([0, 200], np.intp))
    cut, loops = migration.cut_necks(curves)
    assert len(loops) == 1
    assert loops[0].lengths()[0] > 300.0
    assert cut.lengths()[0] < 850.0
    assert np.all(np.diff(cut.level) < 0.0)
    assert (cut.x[0], cut.x[-1]) == (-400.0, 400.0)


@pytest.mark.parametrize("wrap", [False, True])
def test_samples_near_rivers_are_those_that_all_distances_show(wrap):
    level = Level.from_grid(Grid(40, 50, wrap=wrap, size=500.0))
    random = np.random.default_rng(5)
    x = np.linspace(-20.0, 480.0, 60)
    y = 190.0 + np.cumsum(random.normal(0.0, 12.0, 60))
    width = np.linspace(15.0, 60.0, 60)
    curves = RiverCurves(x, y, x, width, width, np.array([0, 33, 60], np.intp))
    near = Stamps(level).find(curves, 2.0)
    row, column = np.divmod(np.arange(2000), 50)
    least = np.full(2000, np.inf)
    for piece in [*range(32), *range(33, 59)]:
        start, way = (
            np.array([x[piece], y[piece]]),
            np.diff([x[piece : piece + 2], y[piece : piece + 2]]),
        )
        offset = np.stack((column * level.step_x, row * level.step_y)) - start[:, np.newaxis]
        if wrap:
            period = np.array([[level.width], [level.depth]])
            offset -= np.rint(offset / period) * period
        share = np.clip((offset * way).sum(axis=0) / (way * way).sum(), 0.0, 1.0)
        distance = np.hypot(*(offset - share * way)) / (0.25 * (width[piece] + width[piece + 1]))
        least = np.minimum(least, distance)
    is_clear = np.abs(least - 2.0) > 1e-3
    found = np.zeros(2000, bool)
    found[near.cells] = True
    np.testing.assert_array_equal(found[is_clear], (least <= 2.0)[is_clear])
    np.testing.assert_allclose(np.abs(near.aside), least[near.cells], atol=1e-4)


# --- rivers -------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1)
def shapes() -> np.ndarray:
    """Return sinuosity and bend length in flat valleys at three angles: shape (angles, seeds, 2)."""
    modifier = Meanders(width=WIDTH, drainage_area=0.2 * SIZE * SIZE)
    return np.array(
        [
            [
                shape_in_valley(courses(*valley(257, angle), modifier, seed)[-1].curves, angle)
                for seed in SEEDS
            ]
            for angle in ANGLES
        ]
    )


def test_rivers_wander_in_flat_valleys():
    sinuosity = shapes()[..., 0]
    assert 1.3 <= sinuosity.min() and sinuosity.max() <= 2.3
    assert 1.5 <= sinuosity.mean() <= 2.0


def test_bends_are_some_eleven_widths_long():
    assert 10.0 <= shapes()[..., 1].mean(axis=1).min()
    assert shapes()[..., 1].mean(axis=1).max() <= 14.0


def test_the_grid_has_no_say():
    means = shapes().mean(axis=1)
    assert np.ptp(means, axis=0)[0] <= 0.12 * means[:, 0].mean()
    assert np.ptp(means, axis=0)[1] <= 0.12 * means[:, 1].mean()


@pytest.mark.parametrize("slope", [0.03, 0.05])
def test_rivers_run_straight_in_steep_valleys(slope):
    height, grid = valley(257, 22.5, slope=slope, half=100.0)
    sinuosity, _ = shape_in_valley(courses(height, grid, Meanders(width=WIDTH), 1)[-1].curves, 22.5)
    assert sinuosity < 1.1


def test_longer_wandering_cuts_more_bends_off():
    height, grid = valley(257)
    counts = [
        sum(
            one.is_old
            for seed in SEEDS
            for one in courses(height, grid, Meanders(strength=strength), seed)
        )
        for strength in (0.5, 1.0, 2.0)
    ]
    assert counts[0] == 0 < counts[1] < counts[2]


def test_walls_hold_rivers():
    def belt(half: float) -> float:
        height, grid = valley(257, 0.0, half=half)
        river = main_river(courses(height, grid, Meanders(width=WIDTH, strength=1.5), 1)[-1].curves)
        inner = np.abs(river.x - SIZE / 2.0) < SIZE / 3.0
        return float(np.abs(river.y[inner] - SIZE / 2.0).max())

    assert belt(60.0) < 330.0
    assert belt(60.0) < 0.8 * belt(450.0)


def test_ends_stay_and_banks_fall():
    river = straight_river(600)
    uneven = river.move(np.sin(np.arange(600) / 3.5) * np.minimum(np.arange(600)[::-1], 5.0))
    level = Level.from_grid(Grid(9, 9, size=4000.0))
    flat = Valley(np.full((9, 9), -1.0), level, 1.0)
    moved, _ = wander(uneven, flat, 200, lambda steps: None)
    assert moved.lengths()[0] > 1.2 * uneven.lengths()[0]
    for values, before in zip((moved.x, moved.y), (uneven.x, uneven.y)):
        assert (values[0], values[-1]) == pytest.approx((before[0], before[-1]))
    assert np.all(np.diff(moved.level) <= 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_beds_fall_and_tributaries_arrive(seed):
    height, grid = valley(257, rough=6.0, size=4000.0)
    modifier = Meanders(strength=1.5)
    process = modifier.meandering(grid)
    last = courses(height, grid, modifier, seed)[-1]
    bottom, curves = process.bottom(last), last.curves
    assert curves.count > 3
    for begin, end in itertools.pairwise(curves.starts):
        assert np.all(np.diff(bottom[begin:end]) <= 0.0)
    for last_point in curves.last:
        x, y = curves.x[last_point], curves.y[last_point]
        at_border = min(x, y, 4000.0 - x, 4000.0 - y) <= 16.0
        others = curves.numbers() != curves.numbers()[last_point]
        away = np.hypot(curves.x - x, curves.y - y)[others]
        assert at_border or (away <= 0.5 * curves.width[others]).any()


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0])
def test_water_runs_off_the_plain(angle):
    height, grid = valley(513, angle, rough=6.0, size=4000.0)
    before = pits(height, grid)
    without = pits(Meanders(oxbows=0.0, strength=1.5).apply(height, grid, 5).height, grid)
    assert (without & ~before).mean() <= 0.001
    relief = Meanders(strength=1.5).apply(height, grid, 5)
    after = pits(relief.height, grid)
    assert (after & ~before).mean() <= 0.015
    # What stands there are the lakes in bends that were cut off.
    new = after & ~before
    assert new.any() and (relief.maps["channel"][new] > 0.3).mean() > 0.9


def test_a_river_comes_in_over_the_border_of_its_valley():
    height, grid = valley(257, 0.0)
    through = main_river(courses(height, grid, Meanders(), 1)[-1].curves)
    assert through.x.min() < 30.0 and through.x.max() > SIZE - 30.0
    assert through.width.min() > 0.6 * through.width.max()
    alone = main_river(courses(height, grid, Meanders(inflow=0.0), 1)[-1].curves)
    assert alone.width.min() < 0.5 * alone.width.max()


def test_rivers_end_at_the_sea():
    height, grid = valley(257, 0.0)
    modifier = Meanders(outlets="sea", sea_level=-6.0)
    river = main_river(courses(height, grid, modifier, 1)[-1].curves)
    shore = SIZE / 2.0 + 6.0 / 0.003
    assert river.x.max() < shore + 100.0
    relief = modifier.apply(height, grid, 1)
    far = np.arange(257) * grid.spacing > shore + 300.0
    np.testing.assert_array_equal(relief.maps["channel"][:, far], 0.0)


# --- the ground ---------------------------------------------------------------------------------


def test_more_samples_do_not_move_rivers():
    coarse, coarse_grid = valley(513, rough=6.0, size=4000.0)
    fine, fine_grid = valley(1025, rough=6.0, size=4000.0)
    few = Meanders().apply(coarse, coarse_grid, 5).height
    many = Meanders().apply(fine, fine_grid, 5).height
    difference = np.abs(many[::2, ::2] - few).mean()
    assert difference <= 1e-4 * np.ptp(many)


def test_the_bed_is_as_wide_and_deep_as_told():
    height, grid = valley(1025, 0.0, size=4000.0)
    modifier = Meanders(width=60.0, depth=5.0, bars=0.0, oxbows=0.0, inflow=0.9)
    made = modifier.apply(height, grid, 1)
    assert made.maps["channel"].min() == 0.0
    assert made.maps["channel"].max() == pytest.approx(5.0, rel=0.05)
    run = courses(height, grid, modifier, 1)[-1]
    river = main_river(run.curves)
    inner = np.flatnonzero(np.abs(river.x - 2000.0) < 1200.0)
    row, column = (
        np.rint(values[inner] / grid.spacing).astype(int) for values in (river.y, river.x)
    )
    depth = river.level[inner] - made.height[row, column]
    share = river.width[inner] / 60.0
    assert np.median(depth / share) == pytest.approx(5.0, rel=0.12)
    area = (made.maps["channel"] > 0.0).sum() * grid.spacing**2
    lengths = run.curves.lengths()
    width = run.curves.width[run.curves.last]
    # Inner banks reach further than half the width.
    assert 1.0 < area / (lengths * width).sum() < 1.4


def test_nothing_changes_far_from_rivers_and_without_any():
    height, grid = valley(257)
    relief = Meanders().apply(height, grid, 1)
    x, y = np.meshgrid(*2 * [np.arange(257) * grid.spacing - SIZE / 2.0])
    far = np.abs(y * np.cos(np.radians(20.0)) - x * np.sin(np.radians(20.0))) > 1500.0
    np.testing.assert_array_equal(relief.height[far], height[far])
    still = Meanders(strength=0.0).apply(height, grid, 1)
    np.testing.assert_array_equal(still.height, height)
    dry = Meanders(drainage_area=1e12).apply(height, grid, 1)
    np.testing.assert_array_equal(dry.height, height)


def test_the_preset_has_a_river_from_border_to_border():
    recipe = Recipe.from_preset("meandering_river")
    river = recipe.layers[-1]
    assert isinstance(river, Meanders)
    made = recipe.evaluate(recipe.grid(257))
    channel = made.maps["channel"] > 0.5
    assert channel[:, 0].any() and channel[:, -1].any()
    assert 0.02 < channel.mean() < 0.12
