# SPDX-License-Identifier: GPL-3.0-or-later
"""Coastal Erosion: platforms, cliffs, stacks and beaches, in meters and degrees."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.erosion.coast import beaches, cliffs, shore, waves
from noise_core.modifiers import CoastalErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.connected import label_components
from noise_core.rasters.level import Level
from noise_core.rasters.totals import total
from noise_core.stages.memory import MemoryRunner

pytestmark = pytest.mark.newest

SIZE = 2000.0
RETREAT = 60.0
PLAIN = {"rock_variation": 0.0, "direction": 90.0, "spread": 60.0, "retreat": RETREAT}
"""One rock, and waves that run to larger y."""


def lines(side: int) -> np.ndarray:
    """Return how far each row lies from the middle, in meters."""
    return np.arange(side) * Grid(side, side, size=SIZE).spacing - SIZE / 2.0


def planar(side: int, land: float = 0.5, floor: float = 0.3) -> tuple[np.ndarray, Grid]:
    """Return a planar coast: sea at small y, land at large."""
    y = lines(side)
    profile = np.where(y > 0.0, y * land, y * floor).astype(np.float32)
    return np.repeat(profile[:, np.newaxis], side, axis=1), Grid(side, side, size=SIZE)


def wavy(side: int, waves_across: int = 3, depth: float = 120.0) -> tuple[np.ndarray, Grid]:
    """Return a coast of bays and headlands: these at columns of the largest cosine."""
    grid = Grid(side, side, size=SIZE)
    x = np.arange(side) / (side - 1)
    behind = lines(side)[:, np.newaxis] + depth * np.cos(2.0 * np.pi * waves_across * x)
    return (0.4 * behind).astype(np.float32), grid


@functools.lru_cache(maxsize=8)
def hills(side: int, wrap: bool = False) -> tuple[np.ndarray, Grid]:
    """Return land and sea of all kinds."""
    grid = Grid(side, side, wrap=wrap, size=8000.0)
    height = Fractal(source=Perlin(frequency=3.0), octaves=8).sample_grid(grid, 3)
    height *= np.float32(500.0)
    height.flags.writeable = False
    return height, grid


def foot_of(height: np.ndarray, grid: Grid, level: float = 4.0) -> np.ndarray:
    """Return where each column first rises above a level, in meters from the middle."""
    return np.argmax(height > level, axis=0) * grid.spacing - SIZE / 2.0


@pytest.mark.parametrize("side", [257, 513])
def test_a_straight_coast_retreats_evenly(side):
    height, grid = planar(side)
    worn = CoastalErosion(**PLAIN, sand=0.0).apply(height, grid, 1).height
    foot = foot_of(worn, grid)
    assert foot.max() == foot.min()
    # Above the foot the cliff needs 2 meters to rise to what is looked for here.
    assert abs(foot[0] - RETREAT) <= 1.5 * grid.spacing


@pytest.mark.parametrize("platform, cliff", [(2.8, 58.0), (1.0, 45.0), (2.0, 70.0)])
def test_platform_and_cliff_stand_at_their_angles(platform, cliff):
    height, grid = planar(513)
    modifier = CoastalErosion(**PLAIN, sand=0.0, platform_angle=platform, cliff_angle=cliff)
    worn = modifier.apply(height, grid, 1).height[:, 100]
    slopes = np.degrees(np.arctan(np.diff(worn) / grid.spacing))
    y = lines(513)[:-1]
    on_platform = slopes[(y > 4.0) & (y < RETREAT - 8.0)]
    assert on_platform.max() <= 3.001
    np.testing.assert_allclose(on_platform, platform, atol=0.1)
    on_cliff = slopes[(y > RETREAT + 4.0) & (y < RETREAT + 10.0)]
    np.testing.assert_allclose(on_cliff, cliff, atol=0.5)
    np.testing.assert_array_equal(worn[-100:], height[-100:, 100])


def test_platforms_are_gentle_on_any_land():
    height, grid = hills(513)
    modifier = CoastalErosion(direction=30.0, sand=0.0, retreat=300.0, platform_angle=2.8)
    relief = modifier.apply(height, grid, 5)
    # What was land and is sea now has been cut; without its edges it is all platform.
    cut = (height > 0.0) & (relief.height < 0.0)
    inner = cut[1:-1, 1:-1].copy()
    for rows in range(3):
        for columns in range(3):
            inner &= cut[rows : rows + len(inner), columns : columns + inner.shape[1]]
    y, x = np.gradient(relief.height.astype(np.float64), grid.spacing)
    slopes = np.degrees(np.arctan(np.hypot(x, y)))[1:-1, 1:-1][inner]
    assert len(slopes) > 300
    assert np.percentile(slopes, 99) <= 3.001


def test_nothing_stands_much_steeper_than_a_cliff():
    height, grid = hills(513)
    relief = CoastalErosion(cliff_angle=50.0, retreat=150.0, sand=0.0).apply(height, grid, 5)
    y, x = np.gradient(relief.height.astype(np.float64), grid.spacing)
    slopes = np.degrees(np.arctan(np.hypot(x, y)))[relief.maps["wear"] > 5.0]
    assert np.percentile(slopes, 99) <= 52.0
    assert (slopes > 40.0).mean() > 0.02


def test_headlands_retreat_more_than_bays():
    height, grid = wavy(257)
    modifier = CoastalErosion(**{**PLAIN, "spread": 90.0}, sand=0.0, fetch=600.0)
    retreat = foot_of(modifier.apply(height, grid, 1).height, grid) - foot_of(height, grid)
    x = np.arange(257) / 256.0
    head, bay = np.cos(6.0 * np.pi * x) > 0.9, np.cos(6.0 * np.pi * x) < -0.9
    assert retreat[head].mean() > 1.4 * retreat[bay].mean() > 0.0


def test_a_lee_shore_stays():
    grid = Grid(257, 257, size=SIZE)
    y, x = np.meshgrid(lines(257), lines(257), indexing="ij")
    height = (0.5 * (450.0 - np.hypot(x, y))).astype(np.float32)
    wear = CoastalErosion(**PLAIN).apply(height, grid, 1).maps["wear"]
    windward, lee = wear[y < -300.0].sum(), wear[y > 300.0].sum()
    assert windward > 0.0
    assert lee < 0.02 * windward


def test_sheltered_water_has_no_waves():
    level = Level.from_grid(Grid(129, 129, size=SIZE))
    y, x = np.meshgrid(lines(129), lines(129), indexing="ij")
    water = ((np.hypot(x, y) < 150.0) | (y < -500.0)).astype(np.float32)
    force = waves.Waves(90.0, 90.0, 600.0).force(water, level)
    assert force[64, 64] < 0.3
    assert abs(force[5, 64] - 1.0) < 0.05


def test_stacks_stand_before_the_cliff():
    height, grid = planar(513, land=1.2)
    counts = []
    for variation in (0.0, 1.0):
        modifier = CoastalErosion(
            **{**PLAIN, "rock_variation": variation, "retreat": 120.0}, rock_size=250.0, sand=0.0
        )
        worn = modifier.apply(height, grid, 4).height
        labels, count = label_components(worn > 2.0, False)
        counts.append(count)
        highest = [float(worn[labels == number].max()) for number in range(count)]
    assert counts[0] == 1
    assert counts[1] >= 5
    assert sum(top > 8.0 for top in highest) >= 4


def test_the_profile_of_a_beach_is_deans():
    beach = beaches.Beach(slope=0.1, waves=2.0)
    distance = np.linspace(0.0, 800.0, 4001, dtype=np.float32)
    depth = beach.depth(distance).astype(np.float64)
    assert depth[0] == 0.0
    again = depth / 0.1 + (depth / beach.scale) ** 1.5
    np.testing.assert_allclose(again, distance, rtol=2e-4, atol=1e-4)
    assert abs(beach.depth(np.float32([0.01]))[0] / 0.01 - 0.1) < 0.01
    # Far out it is A x^(2/3) (Bruun 1954, Dean 1977), less what the slope at the water takes.
    assert abs(depth[-1] / (beach.scale * 800.0 ** (2.0 / 3.0)) - 1.0) < 0.1


def test_a_beach_lies_on_a_planar_coast_in_its_profile():
    y = lines(1025)
    ground = np.repeat((0.04 * y).astype(np.float32)[:, np.newaxis], 4, axis=1)
    foot = np.repeat(y.astype(np.float32)[:, np.newaxis], 4, axis=1)
    beach = beaches.Beach(slope=0.1, waves=2.0)
    wide = np.full_like(ground, 60.0)
    surface = (ground + beach.lay(ground, foot, wide, 0.0))[:, 0]
    spacing = y[1] - y[0]
    dry = (y > -60.0 + spacing) & (y < -60.0 + 2.0 / 0.1 - spacing)
    np.testing.assert_allclose(surface[dry], 0.1 * (y[dry] + 60.0), atol=1e-3)
    np.testing.assert_allclose(np.diff(surface)[dry[:-1]][:-1] / spacing, 0.1, atol=1e-3)
    wet = (y < -60.0) & (y > -78.0)
    np.testing.assert_allclose(
        surface[wet], -beach.depth((-60.0 - y[wet]).astype(np.float32)), atol=1e-3
    )
    assert surface[np.abs(y + 40.0) < 15.0].min() > ground[np.abs(y + 40.0) < 15.0].max()


def test_a_beach_comes_to_lie_in_a_bay():
    height, grid = wavy(513)
    modifier = CoastalErosion(**{**PLAIN, "spread": 90.0}, fetch=600.0)
    beach = modifier.apply(height, grid, 1).maps["beach"]
    x = np.arange(513) / 512.0
    bay, head = np.cos(6.0 * np.pi * x) < -0.7, np.cos(6.0 * np.pi * x) > 0.7
    assert beach[:, bay].sum() > 5.0 * beach[:, head].sum()
    assert 0.5 < beach.max() < 10.0


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("sand", [0.0, 0.001, 0.4, 1.0])
def test_what_is_worn_off_settles_or_goes_to_deep_water(wrap, sand):
    height, grid = hills(256, wrap)
    relief = CoastalErosion(sand=sand).apply(height, grid, 5)
    wear, beach = relief.maps["wear"], relief.maps["beach"]
    assert wear.min() >= 0.0
    assert beach.min() >= 0.0
    np.testing.assert_allclose(relief.height, height - wear + beach, atol=1e-4)
    eroded, settled = total(wear), total(beach)
    carried = total(height) - total(relief.height)
    assert abs(eroded - settled - carried) <= 1e-5 * eroded
    assert 0.0 <= settled <= sand * eroded * (1.0 + 1e-6)
    assert (settled > 0.0) == (sand > 0.0)


def test_nothing_changes_far_from_the_shore():
    height, grid = hills(513)
    modifier = CoastalErosion(direction=30.0)
    coast = modifier.coast(grid)
    run = MemoryRunner(Level.from_grid(grid), grid=grid)
    away = coast.shore_distance(run, run.take(height), shore.levels_of(run.level)[-1]).values
    relief = modifier.apply(height, grid, 5)
    wear = relief.maps["wear"]
    assert wear.any()
    # The softest rock that is struck hardest retreats 1.6 times as far as the rest.
    assert (
        height[wear > 0.0].max() < coast.foot + (cliffs.REACH + 1.6) * coast.retreat * coast.cliff
    )
    assert not wear[away < -1.5 * coast.retreat].any()
    deep = height < -4.0 * modifier.wave_height
    assert deep.any()
    assert not relief.maps["beach"][deep].any()


@pytest.mark.parametrize("wrap", [False, True])
def test_it_is_the_same_land_at_two_resolutions(wrap):
    lands = []
    for side in (513, 1025):
        height, grid = hills(side - wrap, wrap)
        lands.append(CoastalErosion(direction=30.0).apply(height, grid, 5).height)
    difference = np.abs(lands[0] - lands[1][::2, ::2])
    assert difference.mean() < 1e-4 * np.ptp(lands[1])
    assert difference.max() < 0.2 * np.ptp(lands[1])


def test_chance_hangs_on_places():
    lands = []
    for origin in (0.0, 0.25):
        grid = Grid(256, 256, wrap=True, size=8000.0, origin=(origin, 0.0))
        height = Fractal(source=Perlin(frequency=3.0), octaves=6).sample_grid(grid, 3)
        lands.append(CoastalErosion().apply(height * np.float32(500.0), grid, 5).height)
    np.testing.assert_array_equal(np.roll(lands[1], 64, 1), lands[0])
    height, grid = hills(256)
    one, other = (CoastalErosion().apply(height, grid, seed).height for seed in (1, 2))
    assert (one != other).any()


@pytest.mark.parametrize(
    "values, sea",
    [({"strength": 0.0}, 0.0), ({"sea_level": -1e5}, 0.0), ({"sea_level": 1e5}, 0.0)],
)
def test_without_waves_or_shore_nothing_happens(values, sea):
    height, grid = hills(256)
    relief = CoastalErosion(**values).apply(height, grid, 1)
    np.testing.assert_array_equal(relief.height, height)
    assert not relief.maps["wear"].any()
    assert not relief.maps["beach"].any()


def test_no_hollow_is_cut_behind_the_shore():
    """Waves reach all ground that they cut: below the old sea level there is no new basin on land."""
    height, grid = hills(513)
    modifier = CoastalErosion(rock_variation=1.0, retreat=300.0, sand=0.0)
    worn = modifier.apply(height, grid, 5).height
    labels, count = label_components(worn < 1.2, False)
    reached = np.zeros(count + 1, bool)
    reached[labels[height < 0.0]] = True
    lost = (worn < 0.5) & ~reached[labels] & (height > 5.0)
    assert not lost.any()


@pytest.mark.parametrize("name", ["coast", "island", "river_delta"])
def test_presets_have_beaches_cliffs_and_platforms(name):
    recipe = Recipe.from_preset(name)
    assert any(isinstance(one, CoastalErosion) for one in recipe.modifiers)
    made = recipe.evaluate(recipe.grid(257))
    spacing = recipe.size / 256.0
    assert (made.maps["beach"] > 0.3).sum() * spacing > 20.0 * recipe.size / 256.0
    shallow = (made.height < 0.0) & (made.height > -6.0)
    assert shallow.mean() > 0.004
