# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `GullyErosion` beyond the contract of all modifiers."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base import blocks
from noise_core.modifiers import GullyErosion, gully_erosion
from noise_core.noises import Fractal, Perlin

pytestmark = pytest.mark.newest

SEED = 5
WIDTH = 4000.0
HILLS = Fractal(source=Perlin(frequency=2.0), octaves=3.0, persistence=0.4)


def hills(rows, columns, *, wrap=False, height=1200.0):
    """Return smooth hills and their grid."""
    grid = Grid(rows, columns, wrap=wrap, size=WIDTH)
    return HILLS.sample_grid(grid, 3) * np.float32(height), grid


def cone(side=201, steepness=0.6):
    """Return a cone that rises from a plain, its distance from the top in widths, and its grid."""
    y, x = np.mgrid[-0.5 : 0.5 : side * 1j, -0.5 : 0.5 : side * 1j]
    distance = np.hypot(x, y)
    height = np.maximum(0.0, 0.35 - distance) * WIDTH * steepness
    return height.astype(np.float32), distance, Grid(side, side, size=WIDTH)


def correlation(first, second):
    return float(np.corrcoef(first.ravel(), second.ravel())[0, 1])


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("samples", [40, 500, 3000])
def test_blocks_of_any_size_give_the_same_bits(wrap, samples):
    height, grid = hills(60, 50, wrap=wrap)
    whole = GullyErosion().apply(height, grid, SEED)
    with mock.patch.object(gully_erosion, "_SAMPLES", samples):
        for threads in (1, 2):
            with mock.patch.object(blocks, "processor_count", lambda threads=threads: threads):
                parts = GullyErosion().apply(height, grid, SEED)
            assert parts.height.tobytes() == whole.height.tobytes()
            for name in ("ridge", "crease"):
                assert parts.maps[name].tobytes() == whole.maps[name].tobytes()


def test_four_times_the_meters_give_four_times_the_meters():
    height, grid = hills(70, 90)
    small = GullyErosion(scale=500.0).apply(height, grid, SEED)
    wide = Grid(70, 90, size=4.0 * WIDTH)
    large = GullyErosion(scale=2000.0).apply(height * np.float32(4.0), wide, SEED)
    np.testing.assert_array_equal(large.height, small.height * np.float32(4.0))
    np.testing.assert_array_equal(large.maps["ridge"], small.maps["ridge"])


def test_a_seamless_terrain_takes_its_gullies_along():
    """Moved together with its origin it is the same world, read from another place."""
    height, grid = hills(64, 128, wrap=True)
    straight = GullyErosion(scale=500.0).apply(height, grid, SEED)
    for down, right in ((16, 0), (0, 32), (-8, 24)):
        there = Grid(64, 128, wrap=True, size=WIDTH, origin=(-right / 128, -down / 128))
        rolled = GullyErosion(scale=500.0).apply(
            np.roll(height, (down, right), (0, 1)), there, SEED
        )
        for one, other in (
            (straight.height, rolled.height),
            (straight.maps["crease"], rolled.maps["crease"]),
        ):
            np.testing.assert_array_equal(np.roll(one, (down, right), (0, 1)), other)


@pytest.mark.parametrize("wrap", [False, True])
def test_resolutions_agree(wrap):
    """Octaves that both grids can show: the coarse one has no finer ones."""
    erosion = GullyErosion(octaves=3.0)
    fine = 512 if wrap else 511
    coarse_height, coarse = hills(256, 256, wrap=wrap)
    fine_height, finer = hills(fine, fine, wrap=wrap)
    one = erosion.apply(coarse_height, coarse, SEED)
    relief = erosion.apply(fine_height, finer, SEED)
    change = one.height - coarse_height
    assert correlation(change, (relief.height - fine_height)[::2, ::2]) >= 0.995
    assert correlation(one.height, relief.height[::2, ::2]) >= 0.9995
    assert correlation(one.maps["ridge"], relief.maps["ridge"][::2, ::2]) >= 0.995


def test_size_follows_meters():
    """Twice the size of gullies on twice the world is the same picture."""
    height, grid = hills(80, 80)
    default = GullyErosion().apply(height, grid, SEED)
    asked = GullyErosion(scale=WIDTH / 8.0).apply(height, grid, SEED)
    np.testing.assert_array_equal(default.height, asked.height)


def test_a_plain_stays_as_it_is():
    height, distance, grid = cone()
    relief = GullyErosion().apply(height, grid, SEED)
    np.testing.assert_allclose(relief.height[distance > 0.6], height[distance > 0.6], atol=1e-3)
    plain = distance > 0.68
    assert plain.any()
    np.testing.assert_array_equal(relief.height[plain], height[plain])
    assert not relief.maps["ridge"][plain].any() and not relief.maps["crease"][plain].any()


def test_gentle_slopes_stay_and_steep_ones_do_not():
    for steepness, is_carved in ((0.02, False), (0.6, True)):
        height, _, grid = cone(steepness=steepness)
        change = np.abs(GullyErosion().apply(height, grid, SEED).height - height)
        assert (change.max() > 5.0) == is_carved


def test_gullies_run_downhill():
    """On a cone the change varies along a circle, much more than from the top down."""
    height, _, grid = cone(side=301)
    erosion = GullyErosion(octaves=1.0, roughness=1.0)
    change = erosion.apply(height, grid, SEED).height - height
    angle, radius = np.mgrid[0.0 : 2.0 * np.pi : 720j, 0.1:0.28:60j]
    at = (np.stack((np.sin(angle), np.cos(angle))) * radius + 0.5) * 300
    polar = change[tuple(np.rint(at).astype(int))]
    around = np.std(polar, axis=0).mean()
    down = np.std(polar - polar.mean(axis=1, keepdims=True), axis=1).mean()
    assert around > 1.5 * down


@pytest.mark.parametrize("balance", [-1.0, -0.65, 0.0, 1.0])
def test_balance_says_what_is_carved(balance):
    height, _, grid = cone()
    erosion = GullyErosion(balance=balance, roughness=1.0)
    change = erosion.apply(height, grid, SEED).height - height
    if abs(balance) == 1.0:
        assert (change * balance).min() >= -1e-3
    if balance:
        assert np.sign(change[60:140, 60:140].mean()) == np.sign(balance)
    deepest = 0.5 * erosion.depth * WIDTH / 8.0 * sum(0.45**n for n in range(5))
    assert np.abs(change).max() <= deepest * (1.0 + abs(balance)) + 1e-3


def test_crests_are_higher_than_beds():
    height, _, grid = cone()
    relief = GullyErosion(roughness=1.0).apply(height, grid, SEED)
    change = relief.height - height
    ridge, crease = relief.maps["ridge"], relief.maps["crease"]
    assert ridge.max() > 0.8 and crease.max() > 0.8
    for field in (ridge, crease):
        assert field.min() >= 0.0 and field.max() <= 1.0
    assert not (ridge * crease).any()
    assert change[ridge > 0.5].mean() > change[crease > 0.5].mean() + 10.0


def test_roughness_keeps_or_irons_the_terrains_own_detail():
    height, _, grid = cone()
    rough = height + np.random.default_rng(2).normal(0.0, 4.0, height.shape).astype(np.float32)
    erosion = GullyErosion(depth=1e-6, smoothing=0.2)
    kept = erosion.with_values(roughness=1.0).apply(rough, grid, SEED).height
    np.testing.assert_allclose(kept, rough, atol=1e-2)
    ironed = erosion.with_values(roughness=0.0).apply(rough, grid, SEED).height
    middle = np.s_[70:130, 70:130]
    assert (
        np.abs(np.diff(ironed[middle], 2)).mean() < 0.2 * np.abs(np.diff(rough[middle], 2)).mean()
    )


def test_gullies_finer_than_samples_are_left_out():
    height, grid = hills(40, 40)
    fine = GullyErosion(scale=1.5 * grid.spacing).apply(height, grid, SEED)
    np.testing.assert_array_equal(fine.height, height)
    assert not fine.maps["ridge"].any()


def test_seeds_give_other_gullies():
    height, grid = hills(90, 90)
    changes = [GullyErosion().apply(height, grid, seed).height - height for seed in (1, 2)]
    assert abs(correlation(*changes)) < 0.5


def test_a_window_is_carved_like_the_whole_away_from_its_border():
    height, grid = hills(160, 160)
    whole = GullyErosion(scale=300.0).apply(height, grid, SEED)
    window = grid.window(30, 20, 100, 110)
    part = GullyErosion(scale=300.0).apply(height[30:130, 20:130], window, SEED)
    inner = np.s_[30:-30, 30:-30]
    expected = whole.height[30:130, 20:130]
    base = height[30:130, 20:130]
    assert correlation((part.height - base)[inner], (expected - base)[inner]) > 0.97
