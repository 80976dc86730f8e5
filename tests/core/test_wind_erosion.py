# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind Erosion: dunes with slip faces to leeward, gentle windward slopes, and no sand lost."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.base import blocks
from noise_core.erosion.dunes import growth, wind
from noise_core.erosion.slides import loose_layer
from noise_core.modifiers import WindErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from noise_core.stages.description import Part

pytestmark = pytest.mark.newest

SIZE = 500.0
DIRECTION = 20.0

AROUND = [(down, along) for down in (-1, 0, 1) for along in (-1, 0, 1)]


@functools.lru_cache(maxsize=4)
def dunes(side: int, wrap: bool = True, direction: float = DIRECTION) -> np.ndarray:
    """Return dunes on level ground."""
    grid = Grid(side, side, wrap=wrap, size=SIZE)
    modifier = WindErosion(direction=direction, spacing=80.0)
    return modifier.apply(np.zeros(grid.shape, np.float32), grid, 4).height


def slopes(height: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the rise along x and along y of heights that wrap."""
    along, across = (
        (np.roll(height, -1, axis) - np.roll(height, 1, axis)) / (2.0 * spacing) for axis in (1, 0)
    )
    return along, across


def slopes_to_the_wind(
    height: np.ndarray, direction: float = DIRECTION
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return slopes in degrees: all, of slip faces, and of ground that faces the wind within 45 degrees."""
    along, across = slopes(height, SIZE / height.shape[1])
    steep = np.hypot(along, across)
    angle = np.radians(direction)
    rise = along * np.cos(angle) + across * np.sin(angle)
    degrees = np.degrees(np.arctan(steep))
    faces = degrees[(degrees > 25.0) & (rise < 0.0)]
    windward = degrees[(rise > 0.7071 * steep) & (degrees > 1.0)]
    return degrees, faces, windward


@pytest.mark.parametrize("side", [512, 1024])
def test_slip_faces_are_steep_and_windward_slopes_gentle(side):
    degrees, faces, windward = slopes_to_the_wind(dunes(side))
    assert len(faces) > 0.02 * degrees.size
    assert 30.0 <= np.median(faces) <= 34.0
    assert np.percentile(windward, 95) <= 15.0
    assert np.percentile(degrees, 99) <= 35.0


def test_hardly_any_slip_face_looks_into_the_wind():
    along, across = slopes(dunes(256), SIZE / 256)
    angle = np.radians(DIRECTION)
    rise = along * np.cos(angle) + across * np.sin(angle)
    steep = np.hypot(along, across) > np.tan(np.radians(25.0))
    assert (steep & (rise > 0.0)).sum() < 0.1 * (steep & (rise < 0.0)).sum()


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("ground", [0.0, 40.0])
def test_the_mean_thickness_is_the_supply(wrap, ground):
    grid = Grid(150, 203, wrap=wrap, size=SIZE)
    height = Fractal(source=Perlin(frequency=3.0), octaves=6).sample_grid(grid, 2)
    height *= np.float32(ground)
    relief = WindErosion(sand=2.0).apply(height, grid, 1)
    sand = relief.maps["sand"]
    assert sand.min() >= 0.0
    assert abs(sand.mean(dtype=np.float64) - 2.0) <= 2e-5
    rise = (relief.height.astype(np.float64) - height).mean()
    assert abs(rise - 2.0) <= 2e-5
    np.testing.assert_allclose(relief.height, height + sand, atol=1e-4)


def test_a_wind_turned_by_a_right_angle_turns_the_land():
    """Chance stays where it is, so it is the statistics that turn."""
    for direction in (0.0, 90.0, 180.0):
        _, faces, windward = slopes_to_the_wind(dunes(256, True, direction), direction)
        assert len(faces) > 0.01 * 256 * 256
        assert np.percentile(windward, 95) <= 18.0
    limit = np.tan(np.radians(25.0))
    for direction, first in ((0.0, 0), (90.0, 1)):
        rises = slopes(dunes(256, True, direction), SIZE / 256)
        falls = (-rises[first] > limit).sum()
        assert falls > 5 * (rises[first] > limit).sum()
        assert falls > 5 * (np.abs(rises[1 - first]) > limit).sum()


def test_one_step_turned_by_a_right_angle_gives_the_turned_step():
    rng = np.random.default_rng(1)
    ground, sand = (rng.random((20, 20)).astype(np.float32) for _ in range(2))
    air = wind.Wind(10.0)
    here = air.blow(wind.Dunes.lay(ground, sand, air.load), wind.Hop(0, 1, 1.0))
    there = air.blow(wind.Dunes.lay(ground.T, sand.T, air.load), wind.Hop(1, 0, 1.0))
    for one, other in zip(here.fields(), there.fields()):
        np.testing.assert_array_equal(one, other.T)


def heap(level: Level, height: float) -> np.ndarray:
    """Return a round heap of sand in the middle."""
    y, x = np.mgrid[: level.rows, : level.columns]
    away = np.hypot(y - level.rows / 2, x - level.columns / 2) * level.step_x
    return (height * np.maximum(1.0 - (away / 30.0) ** 2, 0.0)).astype(np.float32)


def test_a_heap_moves_downwind_and_gets_a_slip_face():
    level = Level.from_grid(Grid(128, 128, wrap=True, size=200.0))
    desert = growth.Desert(0.0, 30.0, 1.0, 33.0, 1.0)
    sand = heap(level, 4.0)
    begin = wind.Dunes.lay(np.zeros_like(sand), sand, wind.Wind(30.0).load)
    end = desert.grow(begin, level, 100, lambda cost: None)
    column = np.arange(level.columns)

    def middle(field: np.ndarray) -> float:
        return float((field.sum(axis=0, dtype=np.float64) * column).sum() / field.sum())

    assert middle(end.sand) > middle(sand) + 3.0
    parts = [Part(field, level) for field in (end.ground, end.sand, end.load)]
    settled = desert.settle(level, parts, blocks.unheard)
    degrees = np.degrees(np.arctan(np.diff(settled[64]) / level.step_x))
    assert 30.0 <= -degrees.min() <= 34.0
    windward = degrees[degrees > 1.0]
    assert np.median(windward) < 10.0
    assert (windward < 15.0).mean() > 0.8, "but for its foot"
    whole = float(begin.sand.sum(dtype=np.float64) + begin.load.sum(dtype=np.float64))
    after = float(end.sand.sum(dtype=np.float64) + end.load.sum(dtype=np.float64))
    assert abs(after - whole) <= 1e-5 * whole


def test_only_sand_slides():
    ground = np.zeros((40, 40), np.float32)
    ground[:, 20:] = 50.0
    sand = np.full_like(ground, 0.5)
    for _ in range(5):
        moved = loose_layer.slide(ground, sand, 0.6)
        ground = ground[2:-2, 2:-2]
        assert moved.min() >= 0.0
        sand = moved
    assert sand[:, 10].min() < 0.1, "sand at the brink has fallen"
    assert sand[:, 9].max() > 0.5


def test_halves_of_each_other_are_the_same_land():
    coarse, fine = dunes(257, False), dunes(513, False)
    relief = np.ptp(fine)
    assert np.abs(coarse - fine[::2, ::2]).mean() <= 0.02 * relief
    finer = dunes(1025, False)
    assert np.abs(fine - finer[::2, ::2]).mean() <= 0.007 * np.ptp(finer)


@pytest.mark.parametrize("direction, step", [(DIRECTION, 1), (DIRECTION + 180.0, -1)])
def test_land_is_as_smooth_at_its_upwind_borders_as_behind_them(direction, step):
    """Wind brings material from beyond the border on coarser levels, and leaves no steps."""
    height = dunes(513, False, direction).astype(np.float64)[::step, ::step]
    for side in (height, height.T):
        bends = np.abs(side[:-2] - 2.0 * side[1:-1] + side[2:])
        assert np.median(bends[0]) <= 1.25 * np.median(bends[8:24])


@pytest.mark.parametrize("side", [(1, 200), (200, 1), (30, 257), (100, 64)])
def test_narrow_land_has_borders_too(side):
    grid = Grid(*side, size=SIZE)
    relief = WindErosion(spacing=80.0).apply(np.zeros(side, np.float32), grid, 1)
    assert np.isfinite(relief.height).all()
    assert relief.height.min() >= 0.0
    assert relief.height.max() > 0.0


def test_samples_further_apart_than_dunes_grow_on_finer_ones():
    desert = WindErosion(spacing=80.0).desert(Level.from_grid(Grid(65, 65, size=SIZE)))
    levels = desert.levels(Level.from_grid(Grid(65, 65, size=SIZE)))
    assert len(levels) == 1
    assert levels[0].shape == desert.levels(Level.from_grid(Grid(1025, 1025, size=SIZE)))[-1].shape


def test_no_wind_brings_no_sand():
    grid = Grid(20, 30, size=SIZE)
    height = Perlin().sample_grid(grid, 1)
    relief = WindErosion(strength=0.0).apply(height, grid, 1)
    np.testing.assert_array_equal(relief.height, height)
    assert not relief.maps["sand"].any()


@functools.cache
def preset_slopes() -> tuple[Recipe, np.ndarray, np.ndarray, np.ndarray]:
    """Return the preset's recipe, its heights, their slopes in degrees, and the rise along its wind."""
    recipe = Recipe.from_preset("dunes")
    height = recipe.evaluate(recipe.grid(513)).height.astype(np.float64)
    across, along = np.gradient(height, recipe.size / 512)
    angle = np.radians(recipe.layers[-1].direction)
    rise = along * np.cos(angle) + across * np.sin(angle)
    return recipe, height, np.degrees(np.arctan(np.hypot(along, across))), rise


def test_the_preset_has_slip_faces_at_repose():
    _, _, degrees, rise = preset_slopes()
    assert np.percentile(degrees, 99) <= 35.0
    assert 0.03 <= (degrees > 28.0).mean() <= 0.2
    assert 30.0 <= np.median(degrees[(degrees > 25.0) & (rise < 0.0)]) <= 34.0
    facing = rise > 0.7071 * np.tan(np.radians(degrees))
    assert np.percentile(degrees[facing & (degrees > 1.0)], 95) <= 15.0


@pytest.mark.parametrize("seed", [1, 5, 12])
def test_high_dunes_come_to_rest_for_other_seeds_too(seed):
    """Slip faces ten meters high are many samples long: sand slides on coarser levels as well."""
    recipe = Recipe.from_preset("dunes", seed=seed)
    height = recipe.evaluate(recipe.grid(513)).height.astype(np.float64)
    degrees = np.degrees(np.arctan(np.hypot(*np.gradient(height, recipe.size / 512))))
    assert np.percentile(degrees, 99) <= 35.0


def test_the_preset_is_high_for_its_width():
    recipe, height, _, _ = preset_slopes()
    assert np.ptp(height) > 0.03 * recipe.size


def test_brinks_of_the_preset_run_on_across_most_of_it():
    _, _, degrees, rise = preset_slopes()
    places = np.argwhere((degrees > 25.0) & (rise < 0.0))
    faces = {tuple(place) for place in places.tolist()}
    widest = max(column_extents(faces))
    assert widest > 0.7 * 513


def column_extents(faces: set[tuple[int, int]]) -> Iterator[int]:
    """Yield over how many columns each slip face runs on; takes the faces away."""
    while faces:
        edge = {faces.pop()}
        found = set(edge)
        while edge:
            near = {(row + down, column + along) for row, column in edge for down, along in AROUND}
            edge = near & faces
            faces -= edge
            found |= edge
        columns = [column for _, column in found]
        yield max(columns) - min(columns) + 1
