# SPDX-License-Identifier: GPL-3.0-or-later
"""Amplify: the mean of every cell stays, detail follows the land, and it is the same at every resolution."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from benchmarks.relief_figures import SHALLOW, difference
from noise_core import Grid
from noise_core.base import blocks
from noise_core.erosion import amplification
from noise_core.erosion.amplification import Roughness
from noise_core.erosion.stream import law
from noise_core.flow_routing.routing import route
from noise_core.modifiers import Amplify, StreamErosion
from noise_core.noises import Fractal, Perlin, Raster
from noise_core.rasters.coarse_cells import CoarseCells
from noise_core.rasters.level import Level
from tests.core.test_coarse_cells import cell_means

pytestmark = pytest.mark.newest

SEED = 5
CELL = 30.0
CELLS = 64
WIDTH = CELL * CELLS


@functools.cache
def measured(rows, columns, *, wrap=False, relief=400.0):
    """Return a land that was measured in cells, the cubic through them, and its grid."""
    noise = Fractal(source=Perlin(frequency=3.0), octaves=5.0, persistence=0.45)
    side = CELLS if wrap else CELLS + 1
    coarse = noise.sample_grid(Grid(side, side, wrap=wrap), 7)
    grid = Grid(rows, columns, size=WIDTH, wrap=wrap)
    picture = Raster(pixels=coarse, edge="repeat" if wrap else "clamp")
    height = picture.sample_grid(grid) * np.float32(relief)
    height.flags.writeable = False
    return height, grid


def amplified(height, grid, seed=SEED, **values):
    return Amplify(cell_size=CELL).with_values(**values).apply(height, grid, seed).height


def worst_mean(height, result, grid, size):
    """Return by how much the mean of a cell has changed at most, in meters."""
    return np.abs(cell_means(result.astype(np.float64) - height, grid, size)).max()


@pytest.mark.parametrize(
    ("shape", "wrap", "size"),
    [
        ((257, 513), False, CELL),
        ((513, 257), False, CELL),
        ((300, 331), False, 37.3),
        ((200, 333), True, 31.7),
        ((256, 256), True, CELL),
        ((129, 129), False, 20.0),
        ((97, 97), False, 500.0),
    ],
)
def test_the_mean_height_of_each_cell_stays(shape, wrap, size):
    height, grid = measured(*shape, wrap=wrap)
    result = amplified(height, grid, cell_size=size)
    assert np.abs(result - height).max() > 1.0
    assert worst_mean(height, result, grid, size) < 0.01


def test_much_detail_leaves_the_means_as_well():
    height, grid = measured(257, 257, relief=2000.0)
    result = amplified(height, grid, strength=4.0)
    assert np.std(result - height) > 10.0
    assert worst_mean(height, result, grid, CELL) < 0.05


def test_no_pattern_of_cells_shows():
    """Detail is about as steep across the edges of cells as anywhere, and no higher at any place within them."""
    height, grid = measured(513, 513)
    change = (amplified(height, grid) - height)[:512, :512]
    pattern = change.reshape(CELLS, 8, CELLS, 8).mean(axis=(0, 2))
    assert pattern.std() < 3.0 * change.std() / CELLS
    for axis in (0, 1):
        steps = np.abs(np.diff(change, axis=axis)).mean(axis=1 - axis)
        by_place = [steps[place::8].mean() for place in range(8)]
        assert max(by_place) < 1.3 * min(by_place)


def test_flat_ground_stays_flat():
    grid = Grid(129, 129, size=WIDTH)
    flat = np.full(grid.shape, 812.5, np.float32)
    np.testing.assert_array_equal(amplified(flat, grid), flat)
    slope = np.linspace(0.0, 500.0, 129, dtype=np.float32) + np.zeros((129, 1), np.float32)
    for size in (CELL, 37.3):
        np.testing.assert_allclose(amplified(slope, grid, cell_size=size), slope, atol=0.01)


def test_a_plain_beside_mountains_stays_a_plain():
    height, grid = measured(513, 513)
    y = np.linspace(0.0, 1.0, 513, dtype=np.float32)[:, np.newaxis]
    height = height * np.clip(4.0 * y - 2.0, 0.0, 1.0)
    change = np.abs(amplified(height, grid) - height)
    assert change[400:].mean() > 0.5
    assert change[:140].max() < 1e-3


def test_roughness_follows_the_land():
    """Twice as high is twice as rough: the change scales with the measured heights."""
    height, grid = measured(257, 257)
    deviations = [
        np.std(amplified(height * np.float32(factor), grid) - height * np.float32(factor))
        for factor in (0.25, 0.5, 1.0)
    ]
    assert deviations[0] < deviations[1] < deviations[2]
    assert 1.5 < deviations[1] / deviations[0] < 2.5
    assert 1.5 < deviations[2] / deviations[1] < 2.5


@pytest.mark.parametrize("exponent", [0.7, 0.85, 1.0])
def test_the_lands_own_exponent_goes_on(exponent):
    noise = Fractal(source=Perlin(frequency=4.0), octaves=9.0, persistence=0.5**exponent)
    coarse = noise.sample_grid(Grid(CELLS + 1, CELLS + 1), 3)
    grid = Grid(513, 513, size=WIDTH)
    height = Raster(pixels=coarse, edge="clamp").sample_grid(grid) * np.float32(400.0)
    cells = CoarseCells.over(Level.from_grid(grid), CELL)
    found = -np.log2(np.median(Roughness.measure(height, cells).persistence))
    assert abs(found - exponent) < 0.06
    # What the measurement lacks below its cells is given back: no more, and not much less than half.
    lacking = cells.take_off_means(noise.sample_grid(grid, 3) * np.float32(400.0) - height)
    assert 0.4 < np.std(amplified(height, grid) - height) / lacking.std() < 1.0


def spectrum(field):
    """Return the power of a square field, and the waves of each part along its side."""
    side = len(field)
    window = np.hanning(side)
    power = np.abs(np.fft.fft2((field - field.mean()) * window * window[:, np.newaxis])) ** 2
    waves = np.hypot(*np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side))) * side
    return power, waves


def test_detail_fills_the_spectrum_below_the_cells():
    height, grid = measured(513, 513)
    result = amplified(height, grid)
    (before, waves), (after, _) = spectrum(height), spectrum(result)
    fine = (waves > 0.75 * CELLS) & (waves < 200)
    broad = waves < 0.2 * CELLS
    assert after[fine].sum() > 20.0 * before[fine].sum()
    assert abs(after[broad].sum() / before[broad].sum() - 1.0) < 0.01
    # From the coarse waves down it goes on falling as steeply as land does, without a step.
    edges = np.geomspace(8, 200, 12)
    means = [after[(waves > low) & (waves < high)].mean() for low, high in zip(edges, edges[1:])]
    slope = -np.polyfit(np.log(edges[1:] * edges[:-1]) / 2.0, np.log(means), 1)[0]
    assert 3.0 < slope < 4.6


def test_more_samples_give_the_same_land():
    heights = {side: amplified(*measured(side, side)) for side in (257, 513, 1025)}
    relief = float(np.ptp(heights[1025]))
    for coarse, fine in ((513, 1025), (257, 1025)):
        mean, most = difference(heights[coarse], heights[fine], relief)
        assert mean <= 0.5 and most <= 4.0
        assert mean > 0.01, "no detail was added"
    change = [heights[side] - measured(side, side)[0] for side in (513, 1025)]
    assert np.corrcoef(change[0].ravel(), change[1][::2, ::2].ravel())[0, 1] > 0.8


@pytest.mark.parametrize("shape", [(256, 256), (200, 333)])
def test_a_shifted_torus_gives_the_rolled_result_to_the_bit(shape):
    rows, columns = shape
    height, grid = measured(rows, columns, wrap=True)
    straight = amplified(height, grid)
    for down, right in ((8, 0), (-64, 24), (1, 7), (0, 3 * columns)):
        there = Grid(*shape, wrap=True, size=WIDTH, origin=(-right / columns, -down / columns))
        moved = amplified(np.roll(height, (down, right), (0, 1)), there)
        assert moved.tobytes() == np.roll(straight, (down, right), (0, 1)).tobytes()


def test_a_seam_is_like_any_line_inside():
    height, grid = measured(256, 256, wrap=True)
    change = amplified(height, grid) - height
    for axis in (0, 1):
        steps = np.abs(change - np.roll(change, -1, axis)).mean(axis=1 - axis)
        assert steps[-1] < 1.5 * steps.mean()


@pytest.mark.parametrize("wrap", [False, True])
def test_threads_change_no_bit(wrap):
    height, grid = measured(300, 331, wrap=wrap)
    results = []
    for count in (1, 2, 3):
        with blocks.on_threads(count):
            results.append(amplified(height, grid).tobytes())
    assert results[0] == results[1] == results[2]


def test_hardly_any_hollows_are_made():
    """Cells that drained before drain after; hollows of the coarse land get fewer."""
    height, grid = measured(513, 513)
    level = Level.from_grid(grid)
    before, after = (route(one, level).filled - one for one in (height, amplified(height, grid)))
    assert np.mean(before > SHALLOW) > 0.01
    assert np.mean(after > SHALLOW) < np.mean(before > SHALLOW)
    assert np.mean((after > SHALLOW) & (before < 0.1 * SHALLOW)) < 0.002


def test_rills_run_down_the_slope():
    """Along the contour of a roof the ground varies more than down its sides."""
    height, grid = measured(513, 513, relief=40.0)
    roof = height + 900.0 - np.abs(np.linspace(-800.0, 800.0, 513, dtype=np.float32))
    change = amplified(roof, grid, bumps=0.0, rivers=0.0) - roof
    side = change[:, 60:220]
    down, along = (np.abs(np.diff(side, axis=axis)).mean() for axis in (1, 0))
    assert along > 1.5 * down > 0.0


def test_rivers_gather_the_water_of_the_slopes():
    """Valleys of the detail: channels of some hundred square meters lie lower than the ground around them."""
    height, grid = measured(513, 513)
    level = Level.from_grid(grid)
    result = amplified(height, grid, bumps=0.3, gullies=0.0)
    plain = amplified(height, grid, bumps=0.3, gullies=0.0, rivers=0.0)
    incised = []
    for one in (result, plain):
        areas = route(one, level).accumulate().reshape(one.shape)
        curvature = sum(np.roll(one, 1, axis) + np.roll(one, -1, axis) for axis in (0, 1)) - 4 * one
        inner = np.s_[8:-8, 8:-8]
        incised.append(curvature[inner][areas[inner] > 40.0].mean())
    assert incised[0] > 1.3 * incised[1] > 0.0


@pytest.mark.parametrize("share", ["bumps", "gullies", "rivers"])
def test_each_share_changes_something(share):
    height, grid = measured(257, 257)
    nothing = {"bumps": 0.0, "gullies": 0.0, "rivers": 0.0}
    np.testing.assert_array_equal(amplified(height, grid, **nothing), height)
    alone = amplified(height, grid, **{**nothing, share: 1.0})
    assert np.std(alone - height) > 0.1
    without = amplified(height, grid, **{share: 0.0})
    assert np.std(without - amplified(height, grid)) > 0.1


def test_a_grid_no_finer_than_the_cells_stays_as_it_is():
    height, grid = measured(65, 65)
    for size in (CELL, 20.0, 1e-3):
        np.testing.assert_array_equal(amplified(height, grid, cell_size=size), height)
    fine, grid = measured(129, 129)
    np.testing.assert_array_equal(amplified(fine, grid, strength=0.0), fine)
    assert (amplified(fine, grid) != fine).any()


def test_chance_depends_on_the_seed():
    height, grid = measured(257, 257)
    changes = [amplified(height, grid, seed) - height for seed in (1, 1, 2)]
    assert changes[0].tobytes() == changes[1].tobytes()
    assert abs(np.corrcoef(changes[0].ravel(), changes[2].ravel())[0, 1]) < 0.6


def test_progress_goes_on_all_the_time():
    height, grid = measured(257, 257)
    told: list[float] = []
    Amplify(cell_size=CELL).apply(height, grid, SEED, progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0
    assert max(np.diff([0.0, *told])) < 0.3


def test_rivers_are_those_of_stream_erosion():
    """The declared defaults are those of `amplification`; types import no algorithm, and so cannot read them."""
    usual, own = StreamErosion(), amplification
    shares = (own._SMOOTHING, own._RANDOMNESS, own._DEEPEST_LAKE, own._LOWEST_SHARE)
    assert shares == (usual.smoothing, usual.randomness, usual.lake_depth, usual.lowest_share)
    assert (own._FLATTEST, own._BURIED) == (law._FLATTEST, law._BURIED)
