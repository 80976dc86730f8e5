# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Warp` beyond the contract of all noises."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.domain_warp import extent, lookup
from noise_core.lattice.seed_shifts import seed_shift
from noise_core.noises import (
    Fractal,
    Gradient,
    Perlin,
    Raster,
    Remap,
    Simplex,
    Terrace,
    Warp,
    White,
)
from noise_core.noises.warp import _copy_seed
from tools import lookup_errors

ROOT = Path(__file__).parents[2]

SEED = 21
SOURCE = Fractal(source=Perlin(frequency=3.0), octaves=3.0)
FLOW = Perlin(frequency=2.0)
SMOOTH = {"source": Perlin(frequency=4.0), "displacement": Perlin(frequency=3.0)}


def warp(**parameters):
    return Warp(**{"source": SOURCE, "displacement": FLOW, **parameters})


def copies(points, level):
    """Return the displacement's copies at points, each with its own seed, where the seed moves them."""
    moved = points + seed_shift(SEED, level, 4.0 / FLOW.frequency)[: points.shape[-1]]
    return np.stack(
        [
            FLOW.sample(moved, _copy_seed(SEED, level, axis))
            for axis in range(min(points.shape[-1], 3))
        ],
        axis=-1,
    ).astype(np.float64)


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_is_the_source_at_displaced_points(levels, count):
    points = np.random.default_rng(3).uniform(-1.0, 2.0, (400, count))
    scale = np.array([1.0, 0.5, -2.0])[:count]
    moved = points + 0.2 * scale * copies(points, 0)
    if levels == 2:
        moved = points + 0.2 * scale * copies(moved, 1)
    warped = warp(strength=0.2, scale=(1.0, 0.5, -2.0), levels=levels)
    np.testing.assert_allclose(warped.sample(points, SEED), SOURCE.sample(moved, SEED), atol=2e-6)


def test_the_fourth_coordinate_stays():
    points = np.random.default_rng(3).uniform(-1.0, 2.0, (100, 4))
    moved = points.copy()
    moved[:, :3] += 0.2 * copies(points, 0)
    np.testing.assert_allclose(
        warp(strength=0.2).sample(points, SEED), SOURCE.sample(moved, SEED), atol=2e-6
    )


@pytest.mark.parametrize("method", ["exact", "lookup"])
@pytest.mark.parametrize("parameters", [{"strength": 0.0}, {"scale": (0.0, 0.0, 0.0)}])
def test_no_strength_is_the_source_to_the_bit(parameters, method):
    still = warp(method=method, levels=2, **parameters)
    grid = Grid(20, 30)
    np.testing.assert_array_equal(still.sample_grid(grid, SEED), SOURCE.sample_grid(grid, SEED))
    points = np.random.default_rng(3).uniform(-1.0, 2.0, (50, 3))
    np.testing.assert_array_equal(still.sample(points, SEED), SOURCE.sample(points, SEED))


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.0, 1.0, 1.0), (2.0, 0.0, 1.0)])
def test_lookup_is_close_to_exact(levels, wrap, scale):
    grid = Grid(150, 200, wrap=wrap, origin=(0.25, -3.0))
    exact = Warp(**SMOOTH, levels=levels, scale=scale)
    looked_up = exact.with_values(method="lookup")
    difference = looked_up.sample_grid(grid, SEED) - exact.sample_grid(grid, SEED)
    assert np.abs(difference).max() < 1e-3
    assert np.sqrt(np.mean(np.square(difference))) < 1e-4


@pytest.mark.newest
def test_lookup_error_is_as_stated():
    grid = Grid(1024, 1024)
    flow = Fractal(source=Perlin(frequency=4.0), octaves=5.0)
    for octaves, largest, mean in ((1.0, 3e-4, 4e-5), (5.0, 4e-4, 4e-5), (8.0, 4e-3, 8e-4)):
        source = Fractal(source=Perlin(frequency=4.0), octaves=octaves)
        exact = Warp(source=source, displacement=flow, levels=2)
        looked_up = exact.with_values(method="lookup")
        difference = looked_up.sample_grid(grid, SEED) - exact.sample_grid(grid, SEED)
        assert np.abs(difference).max() < largest
        assert np.sqrt(np.mean(np.square(difference))) < mean


@pytest.mark.parametrize("wrap", [False, True])
def test_lookup_is_the_same_for_windows_and_threads(wrap):
    looked_up = Warp(**SMOOTH, levels=2, method="lookup", strength=0.3)
    grid = Grid(90, 120, wrap=wrap, origin=(0.1, 0.2))
    whole = looked_up.sample_grid(grid, SEED)
    for row, column, rows, columns in ((0, 0, 30, 120), (40, 30, 50, 20), (89, 119, 1, 1)):
        window = looked_up.sample_grid(grid.window(row, column, rows, columns), SEED)
        part = whole[row : row + rows, column : column + columns]
        np.testing.assert_allclose(window, part, atol=2e-6)
    large = Grid(1100, 1000, wrap=wrap)
    one = looked_up.sample_grid(large, SEED, threads=1)
    two = looked_up.sample_grid(large, SEED, threads=2)
    assert one.tobytes() == two.tobytes()


def test_lookup_reaches_several_times_round_a_torus():
    grid = Grid(64, 64, wrap=True)
    exact = Warp(source=Perlin(frequency=2.0), displacement=Perlin(frequency=1.0), strength=4.0)
    looked_up = exact.with_values(method="lookup")
    difference = looked_up.sample_grid(grid, SEED) - exact.sample_grid(grid, SEED)
    assert np.abs(difference).max() < 0.01


def test_lookup_keeps_the_bounds_at_sharp_edges():
    source = Terrace(source=SOURCE, steps=1, sharpness=1.0)
    looked_up = Warp(source=source, displacement=FLOW, method="lookup")
    low, high = source.bounds()
    field = looked_up.sample_grid(Grid(200, 200), SEED)
    assert low <= field.min()
    assert field.max() <= high
    assert field.max() == pytest.approx(1.0, abs=1e-6)


def test_lookup_moves_points_no_further_than_the_displacement_s_bounds():
    slope = Gradient(shape="linear")
    grid = Grid(150, 150)
    jagged = Warp(source=slope, displacement=White(frequency=100.0), strength=0.2, levels=2)
    moved = jagged.with_values(method="lookup").sample_grid(grid, SEED) - slope.sample_grid(grid)
    steepest = np.abs(slope.gradient_grid(grid)).max()
    assert 0.15 * steepest < np.abs(moved).max() <= 0.2 * steepest * 1.001


def test_lookup_falls_back_where_a_table_makes_no_sense():
    grid = Grid(10, 10)
    deep = Warp(**SMOOTH, method="lookup")
    exact = deep.with_values(method="exact")
    for rest in ((0.3,), (0.3, 0.7)):
        np.testing.assert_array_equal(
            deep.sample_grid(grid, SEED, evolution=rest),
            exact.sample_grid(grid, SEED, evolution=rest),
        )
    flat = deep.with_values(scale=(1.0, 1.0, 0.0))
    field = flat.sample_grid(Grid(200, 200), SEED, evolution=(0.3,))
    expected = flat.with_values(method="exact").sample_grid(Grid(200, 200), SEED, evolution=(0.3,))
    assert 0.0 < np.abs(field - expected).max() < 1e-3


def test_tables_are_handed_back_at_once():
    axes = Grid(100, 100).axes()
    table = lookup.NoiseTable(
        [(FLOW, [SEED]), (SOURCE, [SEED])], axes, ((-0.03, 0.03), (-0.02, 0.02))
    )
    assert table.look_up(0, np.full((2, 100, 100), 0.01, np.float32)).shape == (2, 100, 100)
    gone = weakref.ref(table)
    gc.disable()  # it would also find what only holds itself
    try:
        del table
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("source", [SOURCE, Perlin(frequency=200.0), Terrace(source=SOURCE)])
def test_sharpened_plans_sharpen_the_samples(source, wrap):
    axes = Grid(130, 150, wrap=wrap).axes((0.3,))
    samples = np.empty((2, 130, 150), np.float32)
    source.seeds_plan(axes, (1, 2))(0, 130, samples)
    for axis in (1, 2):
        before, middle, after = (
            samples.take(range(first, samples.shape[axis] - 2 + first), axis) for first in range(3)
        )
        samples = 1.25 * middle - 0.125 * (before + after)
    found = np.empty((2, 128, 148), np.float32)
    plan = lookup.sharpening_plan(source, axes, (1, 2), 0.25)
    for start, stop in ((0, 60), (60, 61), (61, 128)):
        plan(start, stop, found[:, start:stop])
    np.testing.assert_allclose(found, 0.25 * samples, rtol=0, atol=2e-6)


def test_lookup_margins_have_a_limit():
    axes = Grid(10, 1001).axes()
    far = (0.0, (extent.MAX_MARGIN + 1) * axes.step)
    assert extent.can_serve(axes, ((-2.0, 2.0), (0.0, 0.0)))
    assert not extent.can_serve(axes, (far, (0.0, 0.0)))
    assert not extent.can_serve(axes, ((0.0, 0.0), far))
    assert extent.can_serve(Grid(10, 10, wrap=True).axes(), (far, far))


def test_smooth_noises_are_rendered_at_fewer_samples():
    smooth, rough = Perlin(frequency=4.0), Terrace(source=Perlin(frequency=4.0))

    def coarseness(*noises, tolerance=1e-4, **grid):
        return extent.coarseness(noises, Grid(257, 257, **grid).axes(), tolerance)

    assert coarseness(smooth, tolerance=0.0) == 1
    assert [coarseness(smooth, tolerance=allowed) for allowed in (2e-5, 1e-4, 8e-4, 1.0)] == [
        *(1, 2, 4),
        extent.MAX_STEPS_APART,
    ]
    assert coarseness(rough, tolerance=1.0) == 1
    assert coarseness(smooth, rough, tolerance=1.0) == 1
    # A torus of an odd number of samples has no half of them.
    assert coarseness(smooth, tolerance=1.0, wrap=True) == 1


@pytest.mark.parametrize("source", [Perlin(frequency=6.0), Simplex(frequency=4.0), SOURCE])
@pytest.mark.parametrize("tolerance", [1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("wrap", [False, True])
def test_coarse_tables_are_as_exact_as_they_were_asked_to_be(source, tolerance, wrap):
    grid = Grid(400, 400, wrap=wrap, origin=(0.3, 7.1))
    axes = grid.axes()
    table = lookup.NoiseTable([(source, [SEED])], axes, ((-0.1, 0.1), (-0.1, 0.1)), tolerance)
    shifts = np.random.default_rng(5).uniform(-0.1, 0.1, (2, 400, 400)).astype(np.float32)
    points = [axis + shift for axis, shift in zip(axes.points(0, 400), shifts)]
    found = np.concatenate(
        [table.look_up(0, shifts[:, :250]), table.look_up(250, shifts[:, 250:])], 1
    )
    difference = np.abs(found[0] - source.values(tuple(points), SEED, axes.torus)).max()
    fine = lookup.NoiseTable([(source, [SEED])], axes, ((-0.1, 0.1), (-0.1, 0.1)))
    own = np.abs(fine.look_up(0, shifts)[0] - source.values(tuple(points), SEED, axes.torus)).max()
    assert difference <= max(1.3 * tolerance, own + 1e-6)


def test_windows_of_a_coarse_table_have_the_same_samples():
    smooth = Warp(source=Perlin(frequency=2.0), displacement=FLOW, levels=2, method="lookup")
    grid = Grid(301, 401, origin=(0.1, -0.2))
    assert extent.coarseness([smooth.source], grid.axes(), 1e-4) == 4
    whole = smooth.sample_grid(grid, SEED)
    for row, column in ((1, 2), (6, 3), (11, 13)):
        window = smooth.sample_grid(grid.window(row, column, 50, 60), SEED)
        np.testing.assert_allclose(window, whole[row : row + 50, column : column + 60], atol=2e-6)


def test_bounds_are_the_source_s():
    source = Remap(to_minimum=-3.0, to_maximum=-1.0)
    assert warp(source=source).bounds() == (-3.0, -1.0)


def test_refuses_to_reach_where_cells_blur():
    fine = Perlin(frequency=1e6)
    with pytest.raises(ParameterError, match=r"^Warp.strength must move points by at most 268"):
        Warp(source=fine, displacement=Remap(to_maximum=1000.0), strength=1.0)
    far = Fractal(source=fine, octaves=4.0)
    Warp(displacement=far, strength=10.0, scale=(1.0, 10.0, 1.0), levels=1)
    with pytest.raises(ParameterError, match=r"^Warp.strength must move points by at most 33"):
        Warp(displacement=far, strength=10.0, scale=(1.0, 10.0, 1.0), levels=2)


PICTURE = Raster(pixels=np.random.default_rng(5).uniform(-1.0, 1.0, (12, 16)))


@pytest.mark.parametrize("method", ["exact", "lookup"])
@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("flow", [PICTURE, Remap(source=PICTURE, to_minimum=-0.5, to_maximum=0.5)])
def test_a_picture_bends_to_all_sides(method, levels, flow):
    noise = warp(displacement=flow, strength=0.05, levels=levels, method=method)
    points = np.random.default_rng(6).uniform(0.0, 1.0, (200, 2))

    def aside(number):
        offset = np.array([0.5698402909980532, 0.7548776662466927]) * number % 1.0
        return lambda at: flow.sample(at + offset, SEED).astype(np.float64)

    moved = points + 0.05 * np.stack([aside(axis)(points) for axis in (0, 1)], -1)
    if levels == 2:
        moved = points + 0.05 * np.stack([aside(3 + axis)(moved) for axis in (0, 1)], -1)
    np.testing.assert_allclose(noise.sample(points, SEED), SOURCE.sample(moved, SEED), atol=2e-5)
    # Copy 0 is the picture itself, and the others differ from it.
    assert np.abs(aside(0)(points) - flow.sample(points, SEED)).max() == 0.0
    assert np.abs(np.corrcoef(aside(0)(points), aside(1)(points))[0, 1]) < 0.5

    grid = Grid(64, 64, wrap=True)
    field = noise.sample_grid(grid, SEED)
    exact = noise.with_values(method="exact").sample_grid(grid, SEED)
    assert np.abs(field - exact).max() < (0.1 if method == "lookup" else 1e-6)
    rolled = noise.sample_grid(Grid(64, 64, wrap=True, origin=(0.5, 0.25)), SEED)
    np.testing.assert_allclose(rolled, np.roll(field, (-16, -32), (0, 1)), atol=2e-3)


def test_the_slopes_of_a_picture_bent_by_a_picture():
    noise = warp(displacement=PICTURE, strength=0.02, levels=2)
    points = np.random.default_rng(6).uniform(0.0, 1.0, (50, 2))
    step = 1e-5
    for axis in range(2):
        aside = np.eye(2)[axis] * step
        rise = noise.sample(points + aside, SEED).astype("f8") - noise.sample(points - aside, SEED)
        slope = noise.gradient(points, SEED)[:, axis]
        np.testing.assert_allclose(slope, rise / (2.0 * step), atol=0.15)


def test_a_picture_alone_is_the_same_for_every_seed():
    grid = Grid(9, 9, wrap=True)
    assert PICTURE.has_picture and not SOURCE.has_picture
    assert PICTURE.sample_grid(grid, 1).tobytes() == PICTURE.sample_grid(grid, 2).tobytes()
    copies = PICTURE.sample_seeds(tuple(np.zeros((2, 3))), (1, 2), None)
    assert copies[0].tobytes() == copies[1].tobytes()


def test_levels_and_axes_have_copies_of_their_own():
    seeds = {_copy_seed(SEED, level, axis) for level in range(2) for axis in range(3)}
    assert len(seeds) == 6


@pytest.mark.newest
def test_the_errors_of_lookups_are_those_of_the_documentation():
    page = (ROOT / "docs" / "bounds.md").read_text(encoding="utf-8")
    for name, source in lookup_errors.SOURCES.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {name} |")]
        stated = [[float(word) for word in cell.split("/")] for cell in row.split("|")[2:-1]]
        assert len(stated) == 2 * len(lookup_errors.SIZES)
        sizes = lookup_errors.SIZES[:2]  # the third takes four times as long as both
        for place, (size, levels) in enumerate((size, n) for size in sizes for n in (1, 2)):
            found, what = lookup_errors.errors(source, size, levels), f"{name}, {size}, {levels}"
            np.testing.assert_array_less(found, np.array(stated[place]) * 1.5, err_msg=what)
            np.testing.assert_array_less(np.array(stated[place]) / 2.0, found, err_msg=what)
