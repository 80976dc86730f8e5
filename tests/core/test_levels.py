# SPDX-License-Identifier: GPL-3.0-or-later
"""The same land at every resolution, and rivers that do not follow the grid."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from benchmarks.relief_figures import Rivers, difference, eroded_presets, sea_of
from noise_core import Grid
from noise_core.erosion.stream.bending import Bend
from noise_core.landscapes.preset_library import preset
from noise_core.modifiers import StreamErosion
from noise_core.noises import Fractal, Perlin
from noise_core.pictures.relief_figures.ground import measure_slopes
from noise_core.pictures.relief_figures.rivers import Drainage, measure_slopes_and_areas
from noise_core.rasters.level import Level
from tests.core.preset_lands import land

ERODED = eroded_presets()

TO_THE_FINEST = ("badlands", "canyon", "fjords", "mesa", "ridge_rivers")
"""Those in which more samples change much, each for another reason; `benchmarks` compares all."""

NO_PROFILES = ("crater_field", "mesa")
"""Those that are mostly pits, or steps of rock layers."""

LEVEL = np.tan(np.radians(1.0))
"""The slope that looks flat."""


def heights(name, samples):
    """Return a preset's land with all its layers."""
    return land(name, samples).height


def test_there_are_eroded_presets():
    assert {"alps", "canyon", "fjords", "island", "mesa"} <= set(ERODED)
    assert "dunes" not in ERODED and len(ERODED) > 10


@pytest.mark.newest
@pytest.mark.parametrize("name", ERODED)
def test_more_samples_give_the_same_land(name):
    coarse, fine = heights(name, 257), heights(name, 513)
    mean, most = difference(coarse, fine, float(np.ptp(fine)))
    assert mean < 1.1 and most < 8.0
    assert mean > 0.01, "no detail was added"


@pytest.mark.newest
@pytest.mark.parametrize("name", TO_THE_FINEST)
def test_as_many_samples_as_usual_give_the_land_of_more(name):
    coarse, fine = heights(name, 513), heights(name, 1025)
    mean, most = difference(coarse, fine, float(np.ptp(fine)))
    assert mean < 0.35 and most < 2.0
    assert mean > 0.01, "no detail was added"


@pytest.mark.newest
@pytest.mark.parametrize("name", ERODED)
def test_rivers_do_not_run_on_rails(name):
    recipe = preset(name).recipe
    rivers = Rivers.of(heights(name, 513), sea_of(recipe))
    assert rivers.straight < 7.0
    # No pit that was not there: craters have theirs, which rivers fill up in part.
    assert rivers.pits < 0.5 or rivers.pits < pits_without_rivers(name)


def pits_without_rivers(name):
    """Return the share of pits, in per cent, of a preset's land before rivers have shaped it."""
    recipe = preset(name).recipe
    layers = tuple(one for one in recipe.layers if not isinstance(one, StreamErosion))
    dry = dataclasses.replace(recipe, layers=layers)
    return Rivers.of(dry.evaluate(recipe.grid(513)).height, sea_of(recipe)).pits


@pytest.mark.newest
@pytest.mark.parametrize("name", [one for one in ERODED if one not in NO_PROFILES])
def test_rivers_are_concave(name):
    recipe = preset(name).recipe
    level = Level.from_grid(recipe.grid(513))
    fit = measure_slopes_and_areas(Drainage.of(heights(name, 513), level, sea_of(recipe))).fit
    # With 1024 samples it is 0.3 to 0.6: rivers begin at a fourth of the area then, where slopes change less.
    assert 0.3 < -fit.slope < 0.76


@pytest.mark.newest
def test_chance_frees_slopes_of_the_grid():
    """Flow in eight directions makes octagons of slopes at their steepest angle."""
    grid = Grid(257, 257, size=14_000.0)
    biases = {}
    for randomness in (0.0, 0.9):
        erosion = StreamErosion(
            strength=0.9, talus_angle=29.0, valley_fill=0.04, randomness=randomness
        )
        biases[randomness] = np.mean([slope_bias(erosion, grid, seed) for seed in range(4)])
    assert biases[0.0] > 0.06
    assert biases[0.9] < 0.35 * biases[0.0]


def slope_bias(erosion, grid, seed):
    """Return how far the slopes of eroded hills prefer the directions of the grid."""
    noise = Fractal(source=Perlin(frequency=2.6), octaves=8, rotation=31.0)
    height = erosion.apply(noise.sample_grid(grid, seed) * np.float32(1700.0), grid, seed).height
    return measure_slopes(height, Level.from_grid(grid), np.ones(grid.shape, bool)).grid_bias


@pytest.mark.newest
@pytest.mark.parametrize(("name", "most"), [("alps", 0.15), ("mountain_range", 0.3)])
def test_basins_between_mountains_are_not_filled_up(name, most):
    """For every seed: plains in places, but not over a third of the land."""
    recipe = preset(name).recipe
    for seed in (1, 2, 6, 8):
        one = dataclasses.replace(recipe, seed=seed)
        grid = one.grid(257)
        rise = np.gradient(one.evaluate(grid).height, one.size / 256.0)
        assert np.mean(np.hypot(*rise) < LEVEL) < most, seed


@pytest.mark.parametrize(
    ("valley_fill", "elsewhere", "mean"), [(0.0, 0.0, 1e-3), (0.06, 1e-4, 5e-3)]
)
def test_levels_are_the_same_whatever_comes_after(valley_fill, elsewhere, mean):
    """As long as nothing finer is eroded, twice the samples leave shared heights as they are."""
    noise = Fractal(source=Perlin(frequency=3.0), octaves=9)
    results = []
    for samples in (513, 1025):
        grid = Grid(samples, samples, size=10_000.0)
        height = noise.sample_grid(grid, 3) * np.float32(1000.0)
        erosion = StreamErosion(finest=300, valley_fill=valley_fill)
        results.append(erosion.apply(height, grid, 5).height)
    coarse, fine = results
    # Falls relate to the relief, which more samples make larger by a hair: single rivers run elsewhere.
    assert np.mean(np.abs(fine[::2, ::2] - coarse) > 1.0) <= elsewhere
    assert np.abs(fine[::2, ::2] - coarse).mean() < mean


@pytest.mark.newest
def test_the_finest_level_is_that_of_more_samples():
    """It is bent like the same level of a finer grid: on a grid of its own rivers would run elsewhere."""
    apart = []
    for seed in range(4):
        noise = Fractal(source=Perlin(frequency=2.0 + 0.7 * seed), octaves=9)
        eroded = []
        for samples in (257, 513):
            grid = Grid(samples, samples, size=10_000.0)
            height = noise.sample_grid(grid, seed) * np.float32(1000.0)
            eroded.append(StreamErosion().apply(height, grid, seed).height)
        apart.append(difference(*eroded, float(np.ptp(eroded[1])))[0])
    assert np.mean(apart) < 0.45  # more than half as much again without


@pytest.mark.parametrize(
    ("samples", "quality", "is_finished"),
    [(129, "final", False), (257, "final", True), (513, "final", True), (1025, "final", False), (513, "preview", False), (1025, "thorough", True)],
)  # fmt: skip
def test_levels_of_several_steps_are_finished_on_their_own_grid(samples, quality, is_finished):
    erosion, finest = (
        StreamErosion(quality=quality),
        Level.from_grid(Grid(samples, samples, size=9e3)),
    )
    law = erosion.law(finest, 1, 0.0, 500.0)
    assert (law.schedule.finishing(law.land.levels) > 0.0) is is_finished


def test_straight_channels_are_found():
    y, x = np.mgrid[:200, :200].astype(np.float32)
    furrow = y + 1000 * (x != 100)
    assert Rivers.of(furrow).straight > 90.0
    winding = y + 1000 * (x != 100 + np.abs(y % 12 - 6))
    assert Rivers.of(winding).straight < 10.0
    flat = np.zeros((40, 40), np.float32)
    flat[1:-1, 1:-1] = -1.0
    assert Rivers.of(flat).pits == pytest.approx(100 * 38**2 / 40**2)
    assert Rivers.of(flat, sea=-1.0).pits == 0.0


class TestBend:
    @pytest.mark.parametrize("wrap", [False, True])
    def test_there_and_back(self, wrap):
        level = Level.from_grid(Grid(160, 200, wrap=wrap, size=100.0))
        bend = Bend.random(level, 5, 0.7)
        field = Perlin(frequency=3.0).sample_grid(Grid(160, 200, wrap=wrap, size=100.0), 3)
        bent = bend.bend(field)
        assert np.abs(bent - field).max() > 0.05
        again = bend.straighten(bent)
        assert np.abs(again - field).max() < 0.03
        assert np.abs(again - field).mean() < 0.001

    def test_nothing_folds(self):
        for seed in range(5):
            bend = Bend.random(Level.from_grid(Grid(257, 300, size=100.0)), seed, 1.0)
            for axis, offset in enumerate(bend.there):
                assert np.diff(offset, axis=axis).min() >= -0.81
                assert 0.5 < offset.std() < 4.0

    def test_finer_levels_bend_as_much_in_small_waves_alone(self):
        level = Level.from_grid(Grid(400, 400, wrap=True, size=100.0))
        coarse, fine = (Bend.random(level, 5, 0.3, number).there[1] for number in (1, 2))
        slopes = [np.diff(offset, axis=1).std() for offset in (coarse, fine)]
        assert slopes[1] == pytest.approx(slopes[0], rel=0.1)
        assert fine.std() < 0.5 * coarse.std()

    def test_borders_stay_borders(self):
        level = Level.from_grid(Grid(150, 170, size=100.0))
        across, along = Bend.random(level, 5, 1.0).there
        assert not across[[0, -1]].any() and not along[:, [0, -1]].any()
        assert across[:, [0, -1]].any() and along[[0, -1]].any()

    def test_it_belongs_to_the_world(self):
        one, other = (
            Bend.random(
                dataclasses.replace(Level.from_grid(Grid(150, 170, size=100.0)), first=(0, first)),
                5,
                0.3,
            )
            for first in (0, 20)
        )
        np.testing.assert_allclose(
            one.there[0][20:-20, 40:-20], other.there[0][20:-20, 20:-40], atol=1e-5
        )
