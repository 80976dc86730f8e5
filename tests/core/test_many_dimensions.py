# SPDX-License-Identifier: GPL-3.0-or-later
"""Perlin and value noise at points of 5 to 16 coordinates, against a slow sum over the corners of a cell."""

from __future__ import annotations

import itertools
import time
import tracemalloc

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.base.blocks import cancellable
from noise_core.noises import Fractal, Perlin, Value
from noise_core.noises.perlin import _slopes

FADES = {
    "linear": lambda t: t,
    "cubic": lambda t: t * t * (3 - 2 * t),
    "quintic": lambda t: t * t * t * (t * (t * 6 - 15) + 10),
}
MANY = pytest.mark.parametrize("dimension", [5, 6, 7, 8])
NOISES = pytest.mark.parametrize(
    "noise",
    [
        *(Perlin(frequency=1.0, fade=fade) for fade in FADES),
        Perlin(frequency=1.0, gradients="diagonal", lattice="permutation"),
        Perlin(frequency=1.0, gradients="indexed", lattice="permutation_xor"),
        Value(frequency=1.0),
    ],
    ids=lambda noise: f"{noise.key}-{noise.fade}-{getattr(noise, 'lattice', '')}",
)


def scattered(count, dimension):
    return np.random.default_rng(dimension).uniform(-9.0, 9.0, (count, dimension))


def summed(noise, point, seed):
    """Return the weighted sum of the values at the corners of the cell around a point."""
    cell, fade, result = np.floor(point), FADES[noise.fade], 0.0
    for bits in itertools.product((0, 1), repeat=len(point)):
        corner = (cell + bits).astype(np.int32)
        distance = point - corner
        nodes = noise.nodes([np.array([axis]) for axis in corner], seed)
        value = 0.0 if nodes.constant is None else float(nodes.constant[0])
        value += sum(float(slope[0]) * along for slope, along in zip(nodes.slopes, distance))
        share = fade(point - cell)
        weight = np.prod(np.where(np.array(bits) == 1, share, 1.0 - share))
        result += weight * value
    return result


@MANY
@NOISES
def test_it_is_the_sum_over_the_corners(noise, dimension):
    points = scattered(6, dimension)
    expected = [summed(noise, point, 5) for point in points]
    np.testing.assert_allclose(noise.sample(points, 5), expected, rtol=0.0, atol=2e-6)


@MANY
@NOISES
def test_it_keeps_the_stated_bound(noise, dimension):
    low, high = noise.bounds()
    field = noise.sample(scattered(20_000, dimension), 3)
    assert low <= field.min() < -0.15 and 0.15 < field.max() <= high
    assert abs(field.mean()) < 0.05


@MANY
@pytest.mark.parametrize("fade", FADES)
def test_the_largest_sum_is_1_in_the_middle_of_a_cell(fade, dimension):
    slopes = _slopes("circle", dimension, fade)
    assert slopes.shape == (dimension, 2**dimension)
    t = np.linspace(0.0, 1.0, 1001)
    along = (1.0 - FADES[fade](t)) * t + FADES[fade](t) * (1.0 - t)
    assert along.max() == along[500] == 0.5  # one axis: the mean of the corners' distances
    assert np.abs(slopes).sum(axis=0).max() * 0.5 == pytest.approx(1.0, abs=1e-6)


@MANY
@pytest.mark.parametrize("lattice", ["hash", "permutation"])
def test_perlin_is_zero_at_lattice_points(lattice, dimension):
    points = np.floor(scattered(50, dimension))
    assert not Perlin(frequency=1.0, lattice=lattice).sample(points, 4).any()


@MANY
@NOISES
def test_its_derivatives_are_those_of_its_values(noise, dimension):
    points, step = np.floor(scattered(4, dimension)) + 0.37, 1e-3
    slopes = noise.gradient(points, 2)
    assert slopes.shape == points.shape
    for axis in range(dimension):
        moved = np.eye(dimension)[axis] * step
        rise = noise.sample(points + moved, 2).astype(np.float64) - noise.sample(points - moved, 2)
        np.testing.assert_allclose(slopes[:, axis], rise / (2.0 * step), rtol=0.0, atol=2e-3)


@MANY
def test_each_coordinate_counts(dimension):
    points = scattered(100, dimension)
    for noise in (Perlin(), Value()):
        sample_before = noise.sample(points, 1)
        for axis in range(dimension):
            moved = points.copy()
            moved[:, axis] += 0.21
            assert (noise.sample(moved, 1) != sample_before).mean() > 0.9


def test_threads_and_blocks_change_no_bit():
    points = scattered(5_000, 6)
    noise = Perlin(frequency=3.0)
    one = noise.sample(points, 1, threads=1)
    assert np.array_equal(one, noise.sample(points, 1, threads=2))
    assert np.array_equal(one[100:200], noise.sample(points[100:200], 1))


def test_what_has_no_such_dimension_says_so():
    with pytest.raises(
        ParameterError, match=r"must have shape \(\.\.\., d\) with d from 1 to 16; got \(1, 17\)"
    ):
        Perlin().sample(np.zeros((1, 17)))
    with pytest.raises(ParameterError, match="must have 1, 2, 3, 4 coordinates; got 5"):
        Fractal(source=Perlin()).sample(np.zeros((1, 5)))


def test_a_cancel_is_heard_in_the_middle_of_a_block():
    moments = []

    def never():
        moments.append(time.thread_time())
        return False

    with cancellable(never):
        Perlin(frequency=1.0).sample(scattered(1 << 15, 8), 1, threads=1)
    assert np.diff(moments).max() < 0.1  # a block takes some 0.3 s


VERY_MANY = pytest.mark.parametrize(("dimension", "count"), [(9, 3), (12, 2), (16, 1)])


@VERY_MANY
@NOISES
def test_it_is_the_sum_over_the_corners_beyond_eight(noise, dimension, count):
    points = scattered(count, dimension)
    cells = np.floor(points)
    bits = np.array(list(itertools.product((0, 1), repeat=dimension)), np.int32)
    expected = []
    for point, cell in zip(points, cells):
        corners = (cell + bits).astype(np.int32)
        nodes = noise.nodes(list(corners.T), 5)
        value = 0.0 if nodes.constant is None else nodes.constant.astype(np.float64)
        for slope, along in zip(nodes.slopes, (point - corners).T):
            value = value + slope * along
        share = FADES[noise.fade](point - cell)
        expected.append((np.where(bits == 1, share, 1.0 - share).prod(-1) * value).sum())
    np.testing.assert_allclose(noise.sample(points, 5), expected, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("dimension", [9, 11])
@NOISES
def test_blocks_change_no_bit_beyond_eight(noise, dimension):
    points = scattered(3_000, dimension)
    whole = noise.sample(points, 2)
    assert np.array_equal(whole[:1], noise.sample(points[:1], 2))
    assert np.array_equal(whole[100:130], noise.sample(points[100:130], 2, threads=2))
    assert noise.bounds()[0] <= whole.min() and whole.max() <= noise.bounds()[1]
    assert abs(whole.mean()) < 0.02 and whole.std() > 0.01


@pytest.mark.parametrize("lattice", ["hash", "permutation", "permutation_xor"])
@pytest.mark.parametrize("gradients", ["circle", "diagonal", "indexed"])
def test_no_slope_is_preferred_beyond_eight(lattice, gradients):
    noise = Perlin(frequency=1.0, lattice=lattice, gradients=gradients)
    numbers = np.random.default_rng(4).integers(-500, 500, (16, 40_000)).astype(np.int32)
    slopes = np.array(noise.nodes(list(numbers), 7).slopes)
    assert np.abs(slopes.mean(axis=1)).max() < 0.03 * np.abs(slopes).max()
    covariance = slopes @ slopes.T / numbers.shape[1]
    assert np.abs(covariance - np.diag(np.diag(covariance))).max() < 0.35 * covariance.max()
    assert np.diag(covariance) == pytest.approx(covariance.trace() / 16, rel=0.45)


def test_memory_does_not_go_with_the_corners():
    points = np.random.default_rng(3).uniform(-2.0, 2.0, (40, 14))
    tracemalloc.start()
    Perlin().sample(points, 1, threads=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24e6  # all corners of all points at once would be 37 MB for each slope alone
