# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers fill their valleys up to the profile of a graded river, with fans at their sides."""

from __future__ import annotations

import dataclasses

import numpy as np

from noise_core import Grid
from noise_core.erosion.stream.limits import LevelTerrain, StreamPowerParams, limits
from noise_core.erosion.stream.step import advance
from noise_core.flow_routing.directions import distances
from noise_core.flow_routing.outlets import find_outlets
from noise_core.flow_routing.routing import route
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

STREAMS = StreamPowerParams(
    duration=10.0,
    exponent=0.5,
    gentlest=1e-6,
    smoothing=0.0,
    sediment=0.0,
    deepest_lake=None,
    fall=20.0,
    fan=0.1,
)


def eroded(samples=257, **parameters):
    """Return a wide flat valley between hills after erosion, its level and its flow tree."""
    grid = Grid(samples, samples, size=10_000.0)
    noise = Fractal(source=Perlin(frequency=3.0), octaves=9.0)
    ground = np.maximum(noise.sample_grid(grid, 3) * 1000.0, np.float32(-100.0))
    given = {"strength": 0.3, "randomness": 0.0, "lakes": "fill", "exponent": 0.45}
    height = StreamErosion(**given | parameters).apply(ground, grid, 5).height
    level = Level.from_grid(grid)
    ends = find_outlets(height, level, np.zeros(level.shape, np.bool_), True).cells
    tree = route(height, level, ends)
    return height, level, tree


def slopes_and_areas(height, level, tree):
    """Return the slopes and drainage areas, in square meters, of all cells with a receiver."""
    ways = tree.directions.reshape(-1)
    runs = np.array([1.0, *distances(level)], np.float32)[ways]
    flat = height.reshape(-1)
    slopes = (flat - flat[tree.receivers]) / runs
    areas = tree.accumulate().reshape(-1) * level.step_x * level.step_y
    return slopes[ways > 0], areas[ways > 0]


def test_a_step_leaves_graded_rivers():
    level = Level.from_grid(Grid(129, 129, size=10_000.0))
    ground = Fractal(source=Perlin(frequency=3.0), octaves=9.0).sample_grid(
        Grid(129, 129, size=10_000.0), 3
    )
    terrain = LevelTerrain(fixed=np.zeros(level.shape, np.bool_), is_open=True)
    height, tree, areas = advance(ground * np.float32(500.0), level, STREAMS, terrain, 1.0)
    falls = height.reshape(-1) - height.reshape(-1)[tree.receivers]
    ways = tree.directions.reshape(-1)
    slopes = falls / np.array([1.0, *distances(level)], np.float32)[ways]
    square_meters = areas.reshape(-1) * level.step_x * level.step_y
    graded = np.minimum(STREAMS.fall * square_meters**-STREAMS.exponent, STREAMS.fan)
    drains = ways > 0
    assert (slopes[drains] > 0.99 * graded[drains]).all()
    rivers = drains & (square_meters > 3e6)
    assert np.mean(slopes[rivers] < 1.01 * graded[rivers]) > 0.1, "some rivers have filled"


def test_the_fall_is_told_where_a_quarter_of_the_land_drains():
    level = Level(3, 3, 2500.0, 2500.0, False)
    land = StreamErosion(valley_fill=0.05, fan_angle=6.0)
    streams = land.law(level, 0, 0.0, 600.0).streams
    terrain = LevelTerrain(fixed=np.zeros(level.shape, np.bool_))
    quarter = level.width * level.depth / 4.0 / (level.step_x * level.step_y)
    areas = np.array([[quarter, 4.0 * quarter, 1e-9]], np.float32)
    found = limits(areas, areas, level, streams, terrain, 1.0).gentlest
    fall = 0.05 * 600.0 / np.sqrt(level.width * level.depth)
    expected = [[fall, fall * 0.25**land.exponent, np.tan(np.radians(6.0))]]
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    uneven = dataclasses.replace(terrain, unevenness=np.full((1, 3), 0.5, np.float32))
    half = limits(areas, areas, level, streams, uneven, 1.0).gentlest
    np.testing.assert_allclose(half, 0.5 * found, rtol=1e-6)


def test_level_floors_without_it():
    """Where the border stays: else rivers go on falling beyond it."""
    height, level, tree = eroded(valley_fill=0.0, outlets="fixed")
    slopes, areas = slopes_and_areas(height, level, tree)
    rivers = areas > 1e6
    assert np.mean(slopes[rivers] < 1e-3) > 0.5
    height, level, tree = eroded(valley_fill=0.05, outlets="fixed")
    slopes, areas = slopes_and_areas(height, level, tree)
    assert np.mean(slopes[areas > 1e6] < 1e-3) < 0.01


def test_more_fill_takes_no_ground_away():
    little, much = (eroded(valley_fill=fill)[0] for fill in (0.0, 0.1))
    assert much.mean() > little.mean() + 1.0
