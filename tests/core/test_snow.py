# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow: it drifts behind crests, slides off walls, melts in the sun, fills hollows, and none is lost."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion.slides import loose_layer
from noise_core.erosion.snow import cover, weather
from noise_core.modifiers import Snow, StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters import boxes
from noise_core.rasters.level import Level
from noise_core.stages.memory import MemoryRunner

pytestmark = pytest.mark.newest

SIZE = 4000.0
EVERYWHERE = {"snow_line": -1.0, "transition": 0.0}
CALM = {**EVERYWHERE, "wind": 0.0}
DARK = {**CALM, "sun": 0.0}


def plane(grid: Grid, degrees: float, uphill: str) -> np.ndarray:
    """Return a plane that rises to the north or to the south, at its middle 0 meters high."""
    y = (np.arange(grid.rows) - 0.5 * (grid.rows - 1)) * grid.spacing * np.tan(np.radians(degrees))
    rise = y if uphill == "north" else -y
    return np.repeat(rise[:, np.newaxis], grid.columns, axis=1).astype(np.float32)


@functools.lru_cache(maxsize=8)
def mountains(side: int, wrap: bool = False) -> tuple[Grid, np.ndarray]:
    """Return mountains with valleys, 1500 m high."""
    grid = Grid(side, side, wrap=wrap, size=SIZE)
    height = Fractal(source=Perlin(frequency=2.0), octaves=7).sample_grid(grid, 5) * 900.0
    return grid, StreamErosion(strength=0.4).apply(height, grid, 1).height


# --- sun and wind -------------------------------------------------------------------------------


def test_less_lies_on_a_plane_that_faces_the_sun():
    grid = Grid(65, 65, size=SIZE)
    sunny, shady = (
        Snow(**CALM, depth=3.0, sun=0.6).apply(plane(grid, 30.0, uphill), grid).maps["snow"]
        for uphill in ("north", "south")
    )
    assert sunny.mean() < 0.8 * shady.mean()
    assert shady.mean() > 0.8 * 3.0
    turned = Snow(**CALM, depth=3.0, sun=0.6, sun_direction=0.0)
    np.testing.assert_allclose(
        turned.apply(plane(grid, 30.0, "south"), grid).maps["snow"], sunny[::-1], atol=1e-4
    )


def test_sunshine_is_the_cosine_of_the_angle_to_the_sun():
    level = Level.from_grid(Grid(9, 9, size=80.0))
    lit = [np.ones(level.shape, np.float32)] * 3
    flat = weather.sunshine(np.zeros(level.shape, np.float32), level, -90.0, lit)
    np.testing.assert_allclose(flat, 1.0, atol=1e-6)
    slope = plane(Grid(9, 9, size=80.0), 25.0, "north")
    found = weather.sunshine(slope, level, -90.0, lit)
    total = whole = 0.0
    tilt = np.radians(25.0)
    normal = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    for turn, altitude in ((-55.0, 20.0), (0.0, 42.0), (55.0, 20.0)):
        azimuth, high = np.radians(-90.0 + turn), np.radians(altitude)
        sun = [np.cos(high) * np.cos(azimuth), np.cos(high) * np.sin(azimuth), np.sin(high)]
        total, whole = total + max(normal @ sun, 0.0), whole + np.sin(high)
    np.testing.assert_allclose(found, total / whole, rtol=1e-5)


def test_a_wall_shades_the_ground_behind_it():
    grid = Grid(129, 129, size=SIZE)
    height = np.zeros(grid.shape, np.float32)
    height[50:54] = 500.0
    snow = Snow(**CALM, depth=2.0, sun=1.0).apply(height, grid).maps["snow"]
    assert snow[60:64].mean() > 1.2 * snow[36:44].mean(), "north of it lies more"


@pytest.mark.parametrize("direction", [0.0, 90.0, 180.0, 270.0])
def test_a_crest_across_the_wind_has_more_behind_it(direction):
    grid = Grid(129, 129, size=SIZE)
    away = np.abs(np.arange(129) - 64.0) * grid.spacing
    profile = np.maximum(200.0 - 0.35 * away, 0.0).astype(np.float32)
    height = np.repeat(profile[np.newaxis], 129, axis=0)
    height = height if direction in (0.0, 180.0) else np.ascontiguousarray(height.T)
    modifier = Snow(**EVERYWHERE, depth=2.0, sun=0.0, wind=1.0, direction=direction)
    snow = modifier.apply(height, grid).maps["snow"]
    line = snow[64] if direction in (0.0, 180.0) else snow[:, 64]
    line = line if direction in (0.0, 90.0) else line[::-1]
    assert line[66:76].mean() > 2.0 * line[53:63].mean()
    assert line[66:76].mean() > 1.2 * 2.0, "more than falls"
    assert line[64] < 0.7 * 2.0, "the crest is blown bare"
    np.testing.assert_allclose(line[20], 2.0, rtol=0.03)


def test_calm_air_brings_as_much_to_all_ground():
    grid, height = mountains(129)
    height = height * np.float32(0.1)  # nothing slides
    balance = Snow(**DARK, depth=2.0).cover(height, grid)
    assert balance.fallen == pytest.approx(2.0 * height.size, rel=1e-6)
    assert balance.melted == 0.0


# --- slides -------------------------------------------------------------------------------------


def test_a_plane_above_55_degrees_carries_none():
    grid = Grid(65, 65, size=SIZE)
    assert not Snow(**DARK, depth=3.0).apply(plane(grid, 56.0, "north"), grid).maps["snow"].any()
    gentle = Snow(**DARK, depth=3.0).apply(plane(grid, 20.0, "north"), grid).maps["snow"]
    np.testing.assert_allclose(gentle, 3.0, rtol=1e-3)


def test_none_stays_on_walls_and_it_lies_at_their_feet():
    grid = Grid(129, 129, size=1000.0)
    y = np.arange(129) * grid.spacing
    profile = np.clip((y - 400.0) * 1.8, 0.0, 300.0)
    height = np.repeat(profile[:, np.newaxis], 129, axis=1).astype(np.float32)
    snow = Snow(**DARK, depth=2.0).apply(height, grid).maps["snow"]
    wall = (y > 420.0) & (y < 545.0)
    assert not snow[wall].any()
    foot = snow[(y > 330.0) & (y < 395.0)]
    assert foot.mean() > 1.5 * 2.0
    assert snow.mean(dtype=np.float64) > 0.95 * 2.0, "hardly any finds no place"


@pytest.mark.parametrize("side", [257, 513])
def test_no_steep_ground_carries_any(side):
    grid, height = mountains(side)
    height = height * np.float32(2.0)
    snow = Snow(**EVERYWHERE).apply(height, grid).maps["snow"]
    rise, along = np.gradient(height.astype(np.float64), grid.spacing)
    steep = np.degrees(np.arctan(np.hypot(rise, along)))
    assert (steep > 55.0).mean() > 0.01
    assert not snow[steep > 55.01].any()
    assert snow[(steep > 45.0) & (steep < 55.0)].mean() < 0.4 * snow[steep < 30.0].mean()


def test_what_slides_off_arrives_elsewhere():
    rng = np.random.default_rng(2)
    ground, snow = (rng.random((40, 40)).astype(np.float32) for _ in range(2))
    snow[:3] = snow[-3:] = snow[:, :3] = snow[:, -3:] = 0.0
    held = np.full_like(snow, 0.3)
    moved = loose_layer.slide_off(ground, snow, held)
    assert moved.min() >= 0.0
    assert np.abs(moved - snow[2:-2, 2:-2]).max() > 0.05
    assert moved.sum(dtype=np.float64) == pytest.approx(snow.sum(dtype=np.float64), rel=1e-6)
    kept = loose_layer.slide_off(ground, snow, snow + np.float32(0.1))
    np.testing.assert_array_equal(kept, snow[2:-2, 2:-2])


# --- cover --------------------------------------------------------------------------------------


def test_a_pit_fills_and_a_bump_is_thinner():
    grid = Grid(129, 129, size=1000.0)
    y, x = np.mgrid[:129, :129] * grid.spacing
    pit, bump = (np.exp(-((x - at) ** 2 + (y - 500.0) ** 2) / (2.0 * 25.0**2)) for at in (300, 700))
    height = (8.0 * (bump - pit)).astype(np.float32)
    snow = Snow(**DARK, depth=3.0, smoothing=30.0).apply(height, grid).maps["snow"]
    around = np.median(snow)
    middle = round(500.0 / grid.spacing)
    assert snow[middle, round(300 / grid.spacing)] > 1.6 * around
    assert snow[middle, round(700 / grid.spacing)] < 0.6 * around
    assert np.ptp(height + snow) < 0.75 * np.ptp(height)


def even_out(snow: np.ndarray, height: np.ndarray, level: Level) -> np.ndarray:
    run = MemoryRunner(level)
    return cover.even_out(run, run.take(snow), run.take(height), 30.0).values


@pytest.mark.parametrize("wrap", [False, True])
def test_an_even_cover_on_a_plane_stays_and_none_is_lost(wrap):
    grid = Grid(64, 48, wrap=wrap, size=800.0)
    level = Level.from_grid(grid)
    rng = np.random.default_rng(4)
    snow = np.full(grid.shape, 2.0, np.float32)
    flat = np.zeros(grid.shape, np.float32) if wrap else plane(grid, 20.0, "north")
    np.testing.assert_allclose(even_out(snow, flat, level), 2.0, rtol=1e-4)
    rough = rng.normal(0.0, 2.0, grid.shape).astype(np.float32)
    evened = even_out(snow, rough, level)
    assert evened.min() >= 0.0 and evened.std() > 0.5
    assert evened.sum(dtype=np.float64) == pytest.approx(snow.sum(dtype=np.float64), rel=1e-6)


def second_derivatives(height: np.ndarray, spacing: float) -> np.ndarray:
    """Return the Laplacian, without the outermost samples."""
    inner = height[1:-1, 1:-1].astype(np.float64)
    beside = height[2:, 1:-1] + height[:-2, 1:-1] + height[1:-1, 2:] + height[1:-1, :-2]
    return (beside - 4.0 * inner) / spacing**2


def test_thickness_follows_concavity_and_the_surface_is_smoother():
    grid, height = mountains(513)
    modifier = Snow()
    relief = modifier.apply(height, grid, 1)
    snow = relief.maps["snow"][1:-1, 1:-1]
    width = 3.0 * SIZE / 1000.0
    smooth = boxes.blur(height, Level.from_grid(grid), width)
    concave = second_derivatives(smooth, grid.spacing)
    on = snow > 0.01 * snow.max()
    assert np.corrcoef(concave[on], snow[on])[0, 1] >= 0.4
    thick = snow > np.median(snow[on])
    rough, even = (
        second_derivatives(one, grid.spacing)[thick].std() for one in (height, relief.height)
    )
    assert even < 0.75 * rough


# --- the whole ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("values", [{}, {"sun": 0.0}, {"sun": 2.0, "wind": 1.0}, EVERYWHERE])
def test_what_fell_lies_or_has_melted(wrap, values):
    grid, height = mountains(200, wrap)
    balance = Snow(**values).cover(height, grid)
    assert balance.lying.min() >= 0.0
    lying = balance.lying.sum(dtype=np.float64)
    assert balance.fallen > 0.0
    assert abs(lying + balance.melted - balance.fallen) <= 1e-5 * balance.fallen


def test_the_height_is_the_ground_and_the_snow():
    grid, height = mountains(129)
    relief = Snow().apply(height, grid)
    np.testing.assert_array_equal(relief.height, height + relief.maps["snow"])


def test_snow_lies_above_its_line():
    grid, height = mountains(129)
    height = height * np.float32(0.2)  # nothing slides down
    modifier = Snow(snow_line=0.5, transition=0.1, wind=0.0, sun=0.0)
    snow = modifier.apply(height, grid).maps["snow"]
    low, high = np.quantile(height, (0.005, 0.995))
    share = (height - low) / (high - low)
    assert snow[share > 0.6].mean() > 10.0 * snow[share < 0.35].mean()
    none = Snow(snow_line=2.0, transition=0.0).apply(height, grid)
    np.testing.assert_array_equal(none.height, height)


def test_level_land_lies_at_its_top():
    grid = Grid(33, 40, size=SIZE)
    snow = Snow(sun=0.0).apply(np.full(grid.shape, 7.0, np.float32), grid).maps["snow"]
    np.testing.assert_allclose(snow, SIZE / 1000.0, rtol=1e-5)


def test_halves_of_each_other_are_the_same_snow():
    grid, height = mountains(513)
    coarse = Grid(257, 257, size=SIZE)
    halved = np.ascontiguousarray(height[::2, ::2])
    fine = Snow().apply(height, grid).maps["snow"][::2, ::2]
    found = Snow().apply(halved, coarse).maps["snow"]
    difference = np.abs(fine - found).mean()
    assert difference <= 0.001 * np.ptp(height)
    assert difference <= 0.3 * fine.mean()
