# SPDX-License-Identifier: GPL-3.0-or-later
"""Sediment: nothing is lost, valleys fill and become flat, water stays positive."""

from __future__ import annotations

import dataclasses
from unittest import mock

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion import pipes
from noise_core.erosion.pipes import PipeModelParams, WaterState, simulate
from noise_core.modifiers import SedimentErosion, sediment_erosion
from noise_core.modifiers.sediment_erosion import _WEATHER
from noise_core.rasters.level import Level
from tests.core.test_thermal_erosion import mountains, volume

pytestmark = pytest.mark.newest

WEATHER = PipeModelParams(**_WEATHER)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(128, 128), (70, 101)])
def test_nothing_is_lost(rows, columns, wrap):
    height = mountains(128, wrap)[0][:rows, :columns]
    grid = Grid(rows, columns, wrap=wrap, size=9000.0)
    for modifier in (SedimentErosion(), SedimentErosion(capacity=3.0, rain=4.0, steps=40)):
        relief = modifier.apply(height, grid)
        assert np.abs(relief.height - height).max() > 20.0
        whole = float(np.abs(height).sum(dtype=np.float64))
        assert abs(volume(relief.height) - volume(height)) <= 1e-5 * whole


def test_water_and_load_go_nowhere_else():
    height, grid = mountains(64, True)
    level = Level.from_grid(grid)
    flood = WaterState.dry(height / np.float32(level.step_x))
    flood = dataclasses.replace(flood, water=np.full_like(height, 0.3))
    still = dataclasses.replace(WEATHER, rain=0.0, dry=1.0)
    before = volume(flood.water), volume(flood.ground)
    for _ in range(50):
        flood = simulate(flood, level, still, 4)
        assert flood.water.min() >= 0.0
        assert flood.load.min() >= -1e-6
    assert volume(flood.water) == pytest.approx(before[0], rel=1e-5)
    whole = float(np.abs(height).sum(dtype=np.float64)) / level.step_x
    assert abs(volume(flood.ground) + volume(flood.load) - before[1]) <= 2e-7 * whole
    assert flood.load.max() > 1e-3


def test_water_comes_to_rest_level():
    x = np.mgrid[:24, :24][1]
    bowl = (0.02 * (x - 11.5) ** 2).astype(np.float32)
    flood = dataclasses.replace(WaterState.dry(bowl), water=np.full_like(bowl, 0.4))
    calm = dataclasses.replace(WEATHER, rain=0.0, dry=1.0, capacity=0.0, friction=0.97)
    for _ in range(400):
        flood = simulate(flood, Level(24, 24, 1.0, 1.0, False), calm, 4)
    surface = (flood.ground + flood.water)[flood.water > 0.05]
    assert surface.size > 100
    assert np.ptp(surface) < 0.02
    np.testing.assert_array_equal(flood.ground, bowl)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_strips_do_not_show(steps, wrap):
    height, grid = mountains(70, wrap)
    level = Level.from_grid(grid)
    flood = WaterState.dry(height / np.float32(level.step_x))
    for _ in range(20):
        flood = simulate(flood, level, WEATHER, 4)
    expected = simulate(flood, level, WEATHER, steps)
    with mock.patch.object(pipes, "_SAMPLES", 500):
        parts = simulate(flood, level, WEATHER, steps)
    for one, other in zip(expected.arrays(), parts.arrays()):
        np.testing.assert_array_equal(one, other)


def test_valley_floors_become_flat():
    height, grid = mountains(257)
    relief = SedimentErosion().apply(height, grid)
    low = height < np.percentile(height, 12.0)
    before, after = (_slopes(field, grid.spacing)[low] for field in (height, relief.height))
    assert np.median(after) < 0.6 * np.median(before)
    assert relief.maps["deposit"][low].mean() > 3.0 * relief.maps["deposit"][~low].mean()
    wet = relief.maps["water"] > np.percentile(relief.maps["water"], 97.0)
    assert height[wet].mean() < height.mean()


def _slopes(height: np.ndarray, spacing: float) -> np.ndarray:
    return np.hypot(*np.gradient(height.astype(np.float64), spacing))


def test_maps_are_the_change():
    height, grid = mountains(90)
    relief = SedimentErosion(steps=30).apply(height, grid)
    change = relief.maps["deposit"] - relief.maps["wear"]
    np.testing.assert_allclose(change, relief.height - height, atol=1e-4)
    assert not (relief.maps["deposit"] * relief.maps["wear"]).any()


def test_parameters_do_what_they_say():
    height, grid = mountains(128)

    def moved(**values):
        return float(np.abs(SedimentErosion(**values).apply(height, grid).height - height).mean())

    assert moved(steps=20) < moved(steps=80)
    assert moved(capacity=0.3) < moved(capacity=1.0) < moved(capacity=2.0)
    assert moved(rain=0.3) < moved(rain=2.0)
    assert moved(rain=0.0, talus_angle=80.0) < 0.1 * moved()
    np.testing.assert_array_equal(SedimentErosion(steps=0).apply(height, grid).height, height)


def test_four_times_the_size_is_four_times_the_height_exactly():
    height, grid = mountains(130)
    modifier = SedimentErosion(steps=20)
    result = modifier.apply(height, grid)
    larger = modifier.apply(height * np.float32(4.0), Grid(130, 130, size=36000.0))
    np.testing.assert_array_equal(larger.height, result.height * np.float32(4.0))
    np.testing.assert_array_equal(larger.maps["water"], result.maps["water"] * np.float32(4.0))


def test_longer_steps_on_finer_levels_leave_the_land_of_single_ones():
    height, grid = mountains(513)
    few = SedimentErosion(steps=60).apply(height, grid)
    with mock.patch.object(sediment_erosion, "_STRIDE", 1.0):
        single = SedimentErosion(steps=60).apply(height, grid)
    apart = np.abs(few.height - single.height) / np.ptp(height)
    assert 0.0 < apart.mean() < 1e-3
    assert np.quantile(apart, 0.99) < 6e-3
    moved = [np.abs(one.height - height).mean() for one in (few, single)]
    assert moved[0] == pytest.approx(moved[1], rel=0.05)


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 7, 100, 333, 400])
def test_steps_of_every_length_last_as_long(steps):
    modifier = SedimentErosion(steps=steps)
    for place in range(6):
        count, length = modifier.steps_on(place)
        assert count * length == pytest.approx(
            steps * (4.0, 2.8, 2.0, 1.0, 1.0, 1.0)[place], abs=0.5
        )
        assert (0.0 if steps == 0 else 1.0) <= length <= 2.5


def test_weather_of_longer_steps_is_that_of_several():
    weather = dataclasses.replace(WEATHER, friction=0.97)
    double = weather.over(2.0)
    assert double.dry == pytest.approx(weather.dry**2, rel=1e-12)
    assert double.friction == pytest.approx(weather.friction**2, rel=1e-12)
    assert 1.0 - double.exchange == pytest.approx((1.0 - weather.exchange) ** 2, rel=1e-12)
    assert (double.rain, double.pull) == (2.0 * weather.rain, 4.0 * weather.pull)
    assert weather.over(1.0) == weather
