# SPDX-License-Identifier: GPL-3.0-or-later
"""Water of drawn lakes on ground that later paths have changed: at its level, closed by its shores, without walls."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from noise_core import CurvePoint, Grid, LandCurve
from noise_core.flow_routing.water_levels import drawn_depth, spread_levels, standing_water
from noise_core.landscapes.preset_library import preset
from noise_core.modifiers import Path
from noise_core.noises import Fractal, Perlin
from tests.drawing import count_of, generator

CASES = 300
PRESETS = 40
SIDE, SIZE = 97, 2000.0
KINDS = ("road", "trail", "dam", "river_bed", "cliff")


def random_shore(draw):
    """Return a closed curve around a place on the land."""
    x, y, radius = draw.uniform(0.3, 0.7), draw.uniform(0.3, 0.7), draw.uniform(0.08, 0.28)
    turns = [2.0 * math.pi * number / 12 for number in range(12)]
    points = [
        CurvePoint(
            at=(x + reach * math.cos(turn), y + reach * math.sin(turn)),
            z=draw.uniform(-20.0, 40.0),
            width=draw.choice((0.0, 20.0, 60.0)),
        )
        for turn in turns
        for reach in (radius * draw.uniform(0.6, 1.3),)
    ]
    return LandCurve(points=points, closed=True)


def random_path(draw):
    """Return a path of another kind somewhere on the land."""
    points = [
        CurvePoint(
            at=(draw.random(), draw.random()),
            z=draw.uniform(-40.0, 60.0),
            width=draw.uniform(5, 60),
        )
        for _ in range(draw.randrange(2, 5))
    ]
    heights = draw.choice(("follow", "given"))
    return Path.of_kind(draw.choice(KINDS), curves=[LandCurve(points=points)], heights=heights)


def random_ground(draw, grid):
    """Return hills on a plane, in a bowl or on a dome."""
    land = Fractal(source=Perlin(frequency=draw.uniform(1.0, 4.0)), octaves=5)
    hills = land.sample_grid(grid, draw.randrange(1 << 31)) * np.float32(draw.uniform(5.0, 80.0))
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    bend, slope = draw.uniform(-150.0, 150.0), draw.uniform(-60.0, 60.0)
    return (hills + bend * (x * x + y * y) + slope * x).astype(np.float32)


def around(values):
    """Return the values of the eight samples around each, NaN beyond the border: shape (8, rows, columns)."""
    rows, columns = values.shape
    wide = np.pad(values, 1, constant_values=np.nan)
    steps = [(row, column) for row in range(3) for column in range(3) if (row, column) != (1, 1)]
    return np.stack([wide[row : row + rows, column : column + columns] for row, column in steps])


def assert_closed(levels, height):
    """Around each wet sample there is the same water, or ground that is as high."""
    wet = np.isfinite(levels)
    level, beside, ground = (
        values[..., wet] for values in (levels, around(levels), around(height))
    )
    is_same = np.isclose(beside, level, rtol=0.0, atol=1e-3)
    is_bank = (beside == -np.inf) & (ground >= level - 1e-3)
    assert (is_same | is_bank | np.isnan(ground)).all()


def assert_flat(levels):
    """The mesh of the water, one sample wider, nowhere climbs from a wet sample."""
    wet = np.isfinite(levels)
    beside = around(spread_levels(levels))[:, wet]
    assert not (beside > levels[wet] + 1e-3).any()


def look_at(height, grid, pond, level, rivers):
    """Look at the water over a land with a lake of a level."""
    water = standing_water(height, grid, drawn=pond, rivers=rivers)
    levels, wet = water.levels, np.isfinite(water.levels)
    assert (levels[wet] > height[wet] - 1e-3).all()
    assert_closed(levels, height)
    assert_flat(levels)
    is_drawn = (pond > 0.0) & (height < level - 1e-3)
    # As high as it is drawn, or as the ground holds.
    assert (levels[is_drawn] <= level + 1e-3).all()
    if not rivers:  # which fill other hollows, on raised ground too
        assert not wet[(pond > 0.0) & (height > level + 1e-2)].any()
    return levels


@pytest.mark.parametrize("case", range(count_of(CASES)))
def test_paths_across_a_drawn_lake_leave_its_level(case):
    draw, grid = generator(f"drawn lakes {case}"), Grid(SIDE, SIDE, size=SIZE)
    lake = Path.of_kind(
        "lake", curves=[random_shore(draw)], heights=draw.choice(("follow", "given")),
        water=draw.uniform(2.0, 40.0), detail=draw.choice((0.0, draw.random())),
    )  # fmt: skip
    relief = lake.apply(random_ground(draw, grid), grid)
    pond, height = relief.maps["pond"], relief.height
    if not pond.any():  # narrower than its shore
        return
    level = float((height + pond)[pond > 0.0].max())
    look_at(height, grid, pond, level, draw.choice((0.0, 0.01)))
    for _ in range(draw.randrange(1, 4)):
        height = random_path(draw).apply(height, grid).height
        if (height == relief.height)[pond > 0.0].mean() > 0.6:
            look_at(height, grid, pond, level, draw.choice((0.0, 0.01)))


@pytest.mark.parametrize("case", range(count_of(CASES)))
def test_the_level_is_that_of_most_of_a_lake(case):
    draw = generator(f"levels of lakes {case}")
    noise = np.random.default_rng(draw.randrange(1 << 31))
    level, shape = draw.uniform(-1e3, 1e3), (draw.randrange(3, 20), draw.randrange(3, 20))
    pond = noise.uniform(0.1, 50.0, shape).astype(np.float32)
    ground = np.float32(level) - pond
    changed = ground + noise.uniform(-60.0, 60.0, shape) * (noise.random(shape) < 0.25)
    changed = changed.astype(np.float32)
    depth = drawn_depth(changed, pond, draw.random() < 0.5)
    if (changed == ground).mean() > 0.55:
        np.testing.assert_allclose(depth, np.maximum(level - changed, 0.0), atol=1e-3)
    assert not drawn_depth(changed, np.zeros_like(pond), False).any()


@pytest.mark.parametrize("case", range(count_of(PRESETS)))
def test_the_lake_of_the_preset_stays_in_its_hollow(case):
    """Whatever road crosses it, and whatever hills there are around."""
    draw = generator(f"lake preset {case}")
    recipe = preset("lake").recipe
    road = random_path(draw)
    recipe = dataclasses.replace(
        recipe,
        seed=draw.choice((recipe.seed, draw.randrange(1 << 31))),
        layers=(*recipe.layers, road),
    )
    grid = recipe.grid(193)
    relief = recipe.evaluate(grid)
    pond = relief.maps["pond"]
    if (np.abs(relief.height + pond + 108.0)[pond > 0.0] < 1e-2).mean() > 0.6:
        levels = look_at(relief.height, grid, pond, -108.0, 0.012)
        assert (np.abs(levels + 108.0) < 1e-3).any() or recipe.seed != preset("lake").recipe.seed
