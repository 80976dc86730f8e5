# SPDX-License-Identifier: GPL-3.0-or-later
"""Rain that falls where wind climbs: its law, and its effect on valleys and divides."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion.stream.rain import OrographicRain
from noise_core.modifiers import StreamErosion
from noise_core.rasters.level import Level

WIDTH = 12000.0


def bumps(level):
    """Return two hills of different width on a torus."""
    y, x = np.indices(level.shape) / np.array(level.shape)[:, None, None]
    turns = 2.0 * np.pi * np.array([x - 0.3, y - 0.6])
    return (400.0 * np.exp(np.cos(turns).sum(0)) + 200.0 * np.cos(2.0 * turns[0])).astype(
        np.float32
    )


@pytest.mark.parametrize("samples", [128, 512])
@pytest.mark.parametrize("waves, distance", [(2, 1000.0), (1, 2500.0), (3, 500.0)])
def test_rain_is_that_of_smith_and_barstad(samples, waves, distance):
    level = Level(samples, samples, WIDTH / samples, WIDTH / samples, True)
    place = np.arange(samples) / samples
    number = 2.0 * np.pi * waves / WIDTH
    wave = 500.0 * np.exp(2j * np.pi * waves * place)
    height = np.tile(wave.real.astype(np.float32), (samples, 1))
    rain = OrographicRain(0.4, 0.0, distance, 1000.0).fall(height, level)
    # Their equation 49 without airflow dynamics: ascent, delayed twice.
    response = 1j * number * distance / (1.0 + 1j * number * distance) ** 2
    expected = 1.0 + 4.0 * 0.4 / 1000.0 * (response * wave).real
    assert np.abs(rain - expected).max() < 0.02
    ratio = expected.min() / expected.max()
    assert rain.min() / rain.max() == pytest.approx(ratio, abs=0.03)


@pytest.mark.parametrize("amount", [0.3, 1.0, 4.0])
def test_its_mean_is_1_and_some_falls_everywhere(amount):
    level = Level(256, 256, 40.0, 40.0, True)
    height = bumps(level)
    rain = OrographicRain(amount, 70.0, 0.0, float(np.ptp(height))).fall(height, level)
    assert rain.mean(dtype=np.float64) == pytest.approx(1.0, abs=1e-3)
    assert rain.min() > 0.02
    assert (rain * 4096.0 == np.rint(rain * 4096.0)).all(), "sums upstream have to be exact"


@pytest.mark.parametrize("direction", [0.0, 20.0, 135.0])
def test_wind_and_land_turn_together(direction):
    level = Level(256, 256, 40.0, 40.0, True)
    height = bumps(level)
    rain = OrographicRain(1.0, direction, 900.0, 3000.0).fall(height, level)
    # Column c becomes row c: a turn by 90 degrees counterclockwise, since rows run up.
    turned = np.ascontiguousarray(height.T[:, ::-1])
    other = OrographicRain(1.0, direction + 90.0, 900.0, 3000.0).fall(turned, level)
    assert np.abs(other - rain.T[:, ::-1]).max() <= 4.0 / 4096.0


@pytest.mark.parametrize("direction", [45.0, 30.0])
def test_rain_is_as_strong_across_the_grid(direction):
    """A round hill has the same rain for every wind, turned."""
    level = Level(256, 256, 40.0, 40.0, False)
    y, x = (np.indices(level.shape) - 127.5) * 40.0
    height = (1000.0 * np.exp(-(x * x + y * y) / 2000.0**2)).astype(np.float32)
    along, across = (
        OrographicRain(1.0, wind, 900.0, 1000.0).fall(height, level) for wind in (0.0, direction)
    )
    assert across.max() == pytest.approx(along.max(), rel=0.01)
    assert across.min() == pytest.approx(along.min(), abs=0.02)


def test_none_is_even_rain():
    grid = Grid(150, 150, size=WIDTH)
    height = bumps(Level.from_grid(grid))
    even = StreamErosion().apply(height, grid, 2).height
    calm = StreamErosion(wind_direction=100.0, rain_distance=50.0).apply(height, grid, 2).height
    assert even.tobytes() == calm.tobytes()
    wet = StreamErosion(orographic_rain=1.0).apply(height, grid, 2).height
    assert np.abs(wet - even).mean() > 1.0


def test_divides_wander_to_the_lee():
    """A block that rises evenly across the wind (Bonnet 2009; Goren and others 2014)."""
    grid = Grid(257, 257, size=20000.0)
    place = np.linspace(0.0, 1.0, 257)
    block = 1500.0 * np.clip((0.3 - np.abs(place - 0.5)) / 0.04, 0.0, 1.0)
    rising = np.tile(block.astype(np.float32), (257, 1))

    def divide(**parameters):
        height = StreamErosion(mode="grow", **parameters).apply(rising, grid, 1).height
        return height[40:-40].argmax(1).mean() / 256.0

    even = divide()
    assert divide(orographic_rain=1.0, wind_direction=0.0) > even + 0.008
    assert divide(orographic_rain=1.0, wind_direction=180.0) < even - 0.008


def test_windward_valleys_are_cut_deeper():
    grid = Grid(256, 256, size=WIDTH, wrap=True)
    height = bumps(Level.from_grid(grid))
    rain = OrographicRain(1.0, 0.0, 0.0, float(np.ptp(height)))
    fallen = rain.fall(height, Level.from_grid(grid))
    even = StreamErosion().apply(height, grid, 2).maps["wear"]
    wet = StreamErosion(orographic_rain=1.0, wind_direction=0.0).apply(height, grid, 2).maps["wear"]
    windward, lee = fallen > 1.3, fallen < 0.7
    assert wet[windward].mean() / even[windward].mean() > 1.05
    assert wet[lee].mean() / even[lee].mean() < 0.97


def test_resolutions_agree():
    grids = [Grid(n, n, size=WIDTH) for n in (257, 513)]
    heights = [bumps(Level.from_grid(Grid(n, n, size=WIDTH))) for n in (513,)]
    coarse, fine = (
        StreamErosion(orographic_rain=1.0).apply(one, grid, 2).height
        for one, grid in zip((np.ascontiguousarray(heights[0][::2, ::2]), heights[0]), grids)
    )
    assert np.abs(fine[::2, ::2] - coarse).mean() <= 0.007 * np.ptp(heights[0])


@pytest.mark.parametrize("shape", [(1, 40), (40, 1), (3, 3)])
@pytest.mark.parametrize("wrap", [False, True])
def test_any_shape(shape, wrap):
    grid = Grid(*shape, size=WIDTH, wrap=wrap)
    height = np.linspace(0.0, 1e9, shape[0] * shape[1]).astype(np.float32).reshape(shape)
    assert np.isfinite(StreamErosion(orographic_rain=4.0).apply(height, grid, 2).height).all()
