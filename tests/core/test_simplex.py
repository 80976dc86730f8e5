# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of simplex noise beyond the contract of all noises."""

from __future__ import annotations

import dataclasses
import itertools
import math
import tracemalloc

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.plans import AddingPlan
from noise_core.base.torus import (
    TRIANGLE_ROW,
    TRIANGLE_STEP,
    Torus,
    simplex_lattice,
    triangular_lattice,
)
from noise_core.fractals.sums import Summand, sum_plan
from noise_core.lattice.affine import Affine
from noise_core.noises import Simplex
from noise_core.noises.bases.mapped_noise import MappedNoise

TOLERANCE = 2e-6
UNMOVED = Affine(((1.0, 0.0), (0.0, 1.0)), 1.0, (0.0, 0.0, 0.0, 0.0))

TORI = {
    "unit": ((1.0, 0.0), (0.0, 1.0)),
    "oblong": ((1.0, 0.0), (0.0, 0.37)),
    "turned": ((0.8, -0.6), (0.6, 0.8)),
    "skewed": ((1.0, 0.3), (0.0, 0.7)),
    "mirrored": ((-1.0, 0.2), (0.3, 0.9)),
    "thin": ((0.01, 0.0), (0.0, 0.02)),
    "thin and turned": ((-0.03, 0.02), (0.03, 0.01)),
}


def grid_points(grid: Grid) -> np.ndarray:
    return np.stack(grid.axes().points(0, grid.rows), axis=-1)


def scattered(count: int, dimension: int, extent: float = 9.0) -> np.ndarray:
    """Points of an additive sequence: spread evenly, with no lattice that a noise could share."""
    roots = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0]))[:dimension]
    return (np.arange(count)[:, np.newaxis] * roots % 1.0 - 0.5) * extent


# From coarse to far too fine: runs of rows, several runs a tile, bands without samples, no plan.
@pytest.mark.parametrize("frequency", [0.3, 1.0, 7.3, 32.0, 64.0, 130.0, 250.0, 900.0])
@pytest.mark.parametrize(
    "grid",
    [
        Grid(120, 120),
        Grid(120, 90, wrap=True),
        Grid(75, 120, origin=(1000.0, -3.7)),
        Grid(3, 5000, origin=(0.25, 0.5)),
        Grid(400, 7),
        Grid(1, 40),
        Grid(40, 1),
        Grid(1, 1),
    ],
    ids=str,
)
def test_grid_agrees_with_points(frequency: float, grid: Grid) -> None:
    noise = Simplex(frequency=frequency)
    points = noise.values(grid.axes().points(0, grid.rows), 5, grid.torus)
    np.testing.assert_allclose(noise.sample_grid(grid, 5), points, rtol=0, atol=TOLERANCE)
    if not grid.wrap:
        sampled = noise.sample(grid_points(grid), 5)
        np.testing.assert_allclose(sampled, points, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("frequency", [4.0, 40.0, 170.0])
def test_rows_in_any_portion_are_the_same_to_the_bit(frequency: float) -> None:
    noise = Simplex(frequency=frequency)
    grid = Grid(200, 150, wrap=True)
    whole = noise.sample_grid(grid, 3)
    rows = noise.plan(grid.axes(), 3)
    for start, stop in itertools.pairwise([0, 1, 3, 60, 61, 199, 200]):
        part = np.empty((stop - start, 150), np.float32)
        rows(start, stop, part)
        np.testing.assert_array_equal(part, whole[start:stop])
    window = noise.sample_grid(grid.window(37, 11, 90, 70), 3)
    np.testing.assert_array_equal(window, whole[37:127, 11:81])


@pytest.mark.parametrize("frequency", [4.0, 40.0, 170.0, 900.0])
@pytest.mark.parametrize("seeds", [(3,), (3, 8)])
def test_octaves_are_added_with_the_bits_of_adding_them_later(
    frequency: float, seeds: tuple[int, ...]
) -> None:
    noise, axes = Simplex(frequency=frequency), Grid(130, 150, origin=(0.4, -3.0)).axes()
    plan, factor = noise.seeds_plan(axes, seeds), np.float32(0.37)
    below = np.random.default_rng(int(frequency)).random((len(seeds), 130, 150), dtype=np.float32)
    octave = np.empty_like(below)
    plan(0, 130, octave)
    added = below.copy()
    assert isinstance(plan, AddingPlan) == (frequency < 200.0)  # finer ones have no plan of tiles
    if isinstance(plan, AddingPlan):
        plan.add(0, 70, added[:, :70], factor)
        plan.add(70, 130, added[:, 70:], factor)
        assert (added == below + octave * factor).all()
    # A sum takes both ways, and each octave comes once.
    summands = [Summand(MappedNoise(noise, UNMOVED), seeds, share) for share in (0.25, 0.5)]
    total = np.empty_like(below)
    sum_plan(summands, axes)(0, 130, total)
    assert (total == octave * np.float32(0.25) + octave * np.float32(0.5)).all()


def test_axes_may_fall() -> None:
    noise = Simplex(frequency=9.0)
    axes = Grid(80, 60).axes()
    axes = dataclasses.replace(axes, x=0.1 - axes.x, y=0.2 - 2.0 * axes.y)
    out = np.empty((80, 60), np.float32)
    noise.plan(axes, 4)(0, 80, out)
    points = noise.values(axes.points(0, 80), 4, None)
    np.testing.assert_allclose(out, points, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("dimension", [2, 3, 4])
@pytest.mark.parametrize("frequency", [0.4, 1.0, 6.7])
@pytest.mark.parametrize("torus", TORI.values(), ids=TORI)
def test_repeats_on_any_torus(
    torus: tuple[tuple[float, float], tuple[float, float]], frequency: float, dimension: int
) -> None:
    noise = Simplex(frequency=frequency)
    points = tuple(scattered(3000, dimension, 4.0).T)
    here = noise.values(points, 7, Torus(torus))
    assert here.std() > 0.05
    for first, second in ((1, 0), (0, 1), (-3, 2)):
        there = tuple(
            axis + first * row[0] + second * row[1] for axis, row in zip(points, torus)
        ) + tuple(points[2:])
        np.testing.assert_allclose(
            noise.values(there, 7, Torus(torus)), here, rtol=0, atol=TOLERANCE
        )


@pytest.mark.parametrize("frequency", [1.0, 5.0, 12.0, 33.3])
def test_aligned_torus_keeps_rows_along_x(frequency: float) -> None:
    lattice = triangular_lattice(frequency, Torus(((1.0, 0.0), (0.0, 0.6))))
    (along_x, along_y), (slant, down) = lattice.matrix
    assert slant == 0.0
    assert along_y == down / 2
    assert lattice.periods is not None
    (points, half), (zero, rows) = lattice.periods
    assert zero == 0
    assert rows == 2 * half
    assert points == max(1, round(frequency / TRIANGLE_STEP))
    assert rows == max(2, 2 * round(0.6 * frequency / TRIANGLE_ROW / 2))


@pytest.mark.parametrize("dimension", [3, 4])
def test_torus_hardly_stretches_the_lattice(dimension: int) -> None:
    free = np.array(simplex_lattice(dimension, 16.0, None).matrix)
    closed = np.array(simplex_lattice(dimension, 16.0, Torus(TORI["turned"])).matrix)
    stretch = np.linalg.svd(closed @ np.linalg.inv(free), compute_uv=False)
    assert 0.9 < stretch.min() <= stretch.max() < 1.1


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_bound_is_kept_and_nearly_met(dimension: int) -> None:
    values = Simplex(frequency=10.0).sample(scattered(400_000, dimension, 60.0), 1)
    highest = np.abs(values).max()
    assert highest <= 1.0
    assert highest > (0.85 if dimension == 1 else 0.95)
    assert abs(values.mean()) < 0.005


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_bound_holds_for_slopes_chosen_at_will(dimension: int) -> None:
    """The kernels times distances of all corners sum to at most 1, once scaled."""
    from noise_core.noises.simplex import _BOUNDS

    inside = np.sort(scattered(200_000, dimension, 1.0) + 0.5, axis=1)[:, ::-1]
    reach, unskew = 0.5, (1.0 - 1.0 / math.sqrt(dimension + 1.0)) / dimension
    if dimension == 1:
        reach, unskew = 1.0, 0.0
    total = np.zeros(len(inside))
    for corner in range(dimension + 1):
        offset = inside - (np.arange(dimension) < corner)
        offset = offset - unskew * offset.sum(axis=1, keepdims=True)
        square = np.square(offset).sum(axis=1)
        total += np.maximum(reach - square, 0.0) ** 4 * np.sqrt(square)
    assert 0.9 * _BOUNDS[dimension] < total.max() <= _BOUNDS[dimension]


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_has_no_jumps(dimension: int) -> None:
    """Not even a kernel's rim shows: a radius any larger would cut it off at a face."""
    noise = Simplex(frequency=5.0)
    points = scattered(100_000, dimension)
    step = 1e-6
    for axis in range(dimension):
        moved = points.copy()
        moved[:, axis] += step
        # The steepest slope is about 6 per cell.
        assert np.abs(noise.sample(moved, 2) - noise.sample(points, 2)).max() < 60 * step


def test_has_no_preferred_direction() -> None:
    field = Simplex(frequency=40.0).sample_grid(Grid(900, 900), 11).astype(np.float64)
    along_y, along_x = np.gradient(field)
    diagonal = (along_x + along_y) / math.sqrt(2.0)
    spread = [np.square(slope).mean() for slope in (along_x, along_y, diagonal)]
    assert max(spread) / min(spread) < 1.05


def test_points_of_the_lattice_are_zero() -> None:
    i, j = np.meshgrid(np.arange(-20.0, 20.0), np.arange(-20.0, 20.0))
    points = np.stack(((i - j / 2) * TRIANGLE_STEP, j * TRIANGLE_ROW), axis=-1)
    np.testing.assert_allclose(Simplex(frequency=1.0).sample(points, 9), 0.0, atol=1e-6)


def test_numpy_settings_are_left_alone() -> None:
    getbufsize_before = np.getbufsize()
    Simplex().sample_grid(Grid(50, 50), threads=1)
    assert np.getbufsize() == getbufsize_before


def test_memory_stays_small() -> None:
    tracemalloc.start()
    try:
        # Few samples per lattice row: all of them at once would take 200 MB.
        rows = Simplex(frequency=700.0).plan(Grid(2048, 2048).axes(), 1)
        out = np.empty((2048, 2048), np.float32)
        rows(0, 2048, out)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - out.nbytes < 24e6
