# SPDX-License-Identifier: GPL-3.0-or-later
"""Debris Flow: fans, lobes and levees, in meters and degrees."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.erosion.debris import events
from noise_core.flow_routing.routing import fill
from noise_core.modifiers import DebrisFlow, StreamErosion
from noise_core.modifiers.bases.modifier import Relief
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from noise_core.rasters.totals import total

pytestmark = pytest.mark.newest

SIDE, SIZE = 321, 1250.0
SMOOTH = {"levees": 0.0, "amount": 0.3, "events": 80, "depth": 12.0, "catchment": 45.0}
"""Many small surges without levees, that build a fan with the slope at rest."""


def tangent(degrees: float) -> float:
    return float(np.tan(np.radians(degrees)))


def places(turn: float) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates from the middle in meters, turned by some degrees."""
    line = (np.arange(SIDE) / (SIDE - 1) - 0.5) * SIZE
    x, y = np.meshgrid(line, line)
    turn = np.radians(turn)
    return x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)


def wall(turn: float = 0.0, apron: float = 0.0) -> tuple[np.ndarray, Grid]:
    """Return a wall of 35 degrees with one gully of 28, whose mouth is in the middle, over a plane.

    The upland falls away from the wall, so that no water but the gully's comes over its brink.
    An apron of 250 meters may lie between, of some degrees.
    """
    x, y = places(turn)
    up = np.maximum(y, 0.0)
    height = np.minimum(up * tangent(35.0), up * tangent(28.0) + 0.8 * np.abs(x))
    height = np.minimum(height, 250.0 - 0.02 * up) + np.clip(y, -250.0, 0.0) * tangent(apron)
    return height.astype(np.float32), Grid(SIDE, SIDE, size=SIZE)


def fan(turn: float = 0.0, **values: float) -> tuple[np.ndarray, np.ndarray]:
    """Return heights and deposit of a fan before the wall."""
    return _fan(turn, DebrisFlow(**{**SMOOTH, **values}))


@functools.cache
def _fan(turn: float, modifier: DebrisFlow) -> tuple[np.ndarray, np.ndarray]:
    height, grid = wall(turn)
    relief = modifier.apply(height, grid, 3)
    return relief.height, relief.maps["scree"]


def slopes(height: np.ndarray, grid: Grid) -> np.ndarray:
    """Return slopes in degrees."""
    y, x = np.gradient(height.astype(np.float64), grid.spacing)
    return np.degrees(np.arctan(np.hypot(x, y)))


@functools.lru_cache(maxsize=8)
def mountains(side: int, wrap: bool = False) -> tuple[np.ndarray, Grid]:
    """Return eroded mountains."""
    grid = Grid(side, side, wrap=wrap, size=4000.0)
    height = Fractal(source=Perlin(frequency=3.0), octaves=8).sample_grid(grid, 3)
    height = StreamErosion().apply(height * np.float32(900.0), grid, 1).height
    height.flags.writeable = False
    return height, grid


@functools.cache
def flowed(side: int, wrap: bool = False) -> Relief:
    """Return such mountains after debris flow."""
    height, grid = mountains(side, wrap)
    return DebrisFlow().apply(height, grid, 5)


@pytest.mark.parametrize("turn", [0.0, 45.0])
@pytest.mark.parametrize("rest", [5.0, 8.0, 12.0])
def test_a_fan_is_as_steep_as_debris_rests(turn, rest):
    height, deposit = fan(turn, rest_slope=rest)
    x, y = places(turn)
    before = y < -12.0
    on_fan = (deposit > 0.5) & before
    found = slopes(height, wall()[1])[on_fan]
    assert abs(np.median(found) / rest - 1.0) <= 0.15


@pytest.mark.parametrize("turn", [0.0, 45.0])
def test_a_fan_is_a_cone_with_its_top_at_the_mouth(turn):
    height, deposit = fan(turn)
    x, y = places(turn)
    before, away = y < 0.0, np.hypot(x, y)
    rings = [(before & (away >= low) & (away < low + 20.0)) for low in range(0, 120, 20)]
    means = [float(height[ring].mean()) for ring in rings]
    assert means == sorted(means, reverse=True)
    top = np.argmax(np.where(before, height, -np.inf))
    assert away.reshape(-1)[top] < 25.0
    # Debris lies to both sides, and as far to either as ahead, within a factor of 2.
    lies = (deposit > 0.5) & before
    left, right, ahead = (float(way[lies].max()) for way in (-x, x, -y))
    assert max(left, right, ahead) <= 2.0 * min(left, right, ahead)


def test_a_turned_wall_has_the_same_fan():
    fans = []
    for turn in (0.0, 45.0):
        height, deposit = fan(turn)
        x, y = places(turn)
        lies = (deposit > 0.5) & (y < 0.0)
        # In units of the volume: the gully's source may be a sample further up.
        unit = float(deposit[y < 0.0].sum()) ** (1.0 / 3.0)
        middle = np.median(slopes(height, wall()[1])[lies])
        fans.append((middle, np.sqrt(lies.sum()) / unit, deposit.max() / unit))
    np.testing.assert_allclose(fans[0], fans[1], rtol=0.12)


def test_more_levees_make_rougher_fans():
    rough = [slopes(fan(levees=levees)[0], wall()[1]) for levees in (0.0, 1.0)]
    lies = [(fan(levees=levees)[1] > 0.5) & (places(0.0)[1] < -12.0) for levees in (0.0, 1.0)]
    assert np.std(rough[1][lies[1]]) > 1.3 * np.std(rough[0][lies[0]])


def test_levees_stand_on_both_sides_of_the_way():
    height, grid = wall(apron=14.0)
    relief = DebrisFlow(levees=1.0, events=6, depth=12.0, catchment=50.0).apply(height, grid, 3)
    x, y = places(0.0)
    profiles = (relief.height - height)[(y[:, 0] < -15.0) & (y[:, 0] > -60.0)]
    line = x[0]
    bed = profiles[:, np.abs(line) <= 10.0].min(axis=1)
    left, right = (profiles[:, (side * line > 10.0) & (side * line < 60.0)] for side in (-1, 1))
    assert (left.max(axis=1) > bed + 1.0).all()
    assert (right.max(axis=1) > bed + 1.0).all()


def test_gullies_start_debris_and_even_slopes_do_not():
    height, grid = wall()
    found = events.find_sources(height, Level.from_grid(grid), tangent(22.0), 50.0**2)
    x, y = (along.reshape(-1)[found.cells] for along in places(0.0))
    high = y > 20.0
    assert 1 <= high.sum() <= 3
    assert (np.abs(x[high]) < 8.0).all()
    even = np.maximum(places(0.0)[1], 0.0) * tangent(35.0)
    relief = DebrisFlow().apply(even.astype(np.float32), grid, 3)
    assert np.abs(relief.height - even)[places(0.0)[1] > 20.0].max() < 0.1


@pytest.mark.parametrize("wrap", [False, True])
def test_what_is_taken_is_laid_down(wrap):
    height, relief = mountains(384, wrap)[0], flowed(384, wrap)
    debris, wear = total(relief.maps["scree"]), total(relief.maps["wear"])
    assert debris > 0.05 * height.size
    assert abs(debris - wear) <= 1e-5 * debris
    assert abs(total(relief.height) - total(height)) <= 1e-5 * debris
    assert relief.maps["wear"].max() <= 4000.0 / 500.0 + 0.5


def test_fans_in_mountains_have_the_slopes_of_fans():
    recipe = Recipe.from_preset("alps")
    grid = recipe.grid(385)
    height = recipe.evaluate(grid).height
    relief = DebrisFlow().apply(height, grid, 5)
    lies = relief.maps["scree"] > 1.0
    assert lies.mean() > 0.01
    assert 3.0 <= np.median(slopes(relief.height, grid)[lies]) <= 15.0
    assert np.median(slopes(height, grid)[relief.maps["wear"] > 1.0]) > 22.0


def test_few_basins_are_dammed():
    height, grid = mountains(384)
    level = Level.from_grid(grid)
    land = flowed(384).height
    before, after = ((fill(one, level) - one > 0.5).mean() for one in (height, land))
    assert after - before <= 0.015


def test_edges_that_meet_have_no_seam():
    change = flowed(384, True).height - mountains(384, True)[0]
    assert np.abs(change[[0, -1]]).max() > 0.5
    inner = np.abs(np.diff(change, axis=0)).max()
    assert np.abs(change[0] - change[-1]).max() <= inner
    assert np.abs(change[:, 0] - change[:, -1]).max() <= np.abs(np.diff(change, axis=1)).max()


def test_it_is_the_same_land_at_two_resolutions():
    height, grid = mountains(641)
    fine = DebrisFlow().apply(height, grid, 5).height
    coarse = DebrisFlow().apply(height[::2, ::2].copy(), Grid(321, 321, size=4000.0), 5).height
    difference = np.abs(fine[::2, ::2] - coarse)
    assert difference.mean() <= 5e-4 * np.ptp(height)
    assert difference.mean() <= 0.25 * np.abs(fine - height).mean()


def test_other_seeds_make_other_lobes():
    height, grid = mountains(129)
    one, same, other = (DebrisFlow().apply(height, grid, seed).height for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


@pytest.mark.parametrize("values", [{"amount": 0.0}, {"start_slope": 60.0}, {"catchment": 1e6}])
def test_without_debris_nothing_happens(values):
    grid = Grid(129, 129, size=4000.0)
    height = Fractal(source=Perlin(frequency=2.0), octaves=3).sample_grid(grid, 3)
    height *= np.float32(200.0)
    relief = DebrisFlow(**values).apply(height, grid, 1)
    np.testing.assert_array_equal(relief.height, height)
    assert not relief.maps["scree"].any()
    assert not relief.maps["wear"].any()


def test_a_recipe_keeps_it():
    recipe = Recipe(layers=(Perlin(frequency=2.0), DebrisFlow(events=7)), height=900.0, size=3000.0)
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert set(recipe.evaluate(recipe.grid(65)).maps) >= {"scree", "wear"}
