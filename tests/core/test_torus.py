# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattices that close on a torus: exact periods, one representative, never collapsed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core.base.torus import Torus, apply_matrix, inverse, product, square_lattice

UNIT = Torus(((1.0, 0.0), (0.0, 1.0)))
ENTRIES = st.floats(-3.0, 3.0).filter(lambda value: abs(value) > 1e-3)
MATRICES = st.tuples(st.tuples(ENTRIES, ENTRIES), st.tuples(ENTRIES, ENTRIES)).filter(
    lambda m: abs(m[0][0] * m[1][1] - m[0][1] * m[1][0]) > 0.05
)
TORI = MATRICES.map(Torus)
FREQUENCIES = st.floats(0.01, 100.0)


def turned(degrees, width=1.0, depth=1.0):
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    return Torus(((width * cosine, -depth * sine), (width * sine, depth * cosine)))


@given(MATRICES, MATRICES)
def test_product_and_inverse_are_those_of_matrices(left, right):
    np.testing.assert_allclose(product(left, right), np.array(left) @ np.array(right), atol=1e-12)
    np.testing.assert_allclose(product(left, inverse(left)), np.eye(2), atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("matrix", [((2.0, 0.0), (0.0, 0.5)), ((0.6, -0.8), (0.8, 0.6))])
def test_mapped_keeps_the_dtype_and_the_input(dtype, matrix):
    x, y = np.arange(5, dtype=dtype), np.ones(5, dtype)
    before = x.copy()
    new_x, new_y = apply_matrix(matrix, (x, y))
    assert {new_x.dtype, new_y.dtype} == {np.dtype(dtype)}
    np.testing.assert_array_equal(x, before)
    expected = np.array(matrix) @ np.stack((x, y))
    np.testing.assert_allclose((new_x, new_y), expected, rtol=1e-6)
    (alone,) = apply_matrix(matrix, (x,))
    np.testing.assert_allclose(alone, x * dtype(np.hypot(matrix[0][0], matrix[1][0])), rtol=1e-6)


def test_without_a_torus_a_lattice_is_just_scaled():
    lattice = square_lattice(2.5, None)
    assert lattice.matrix == ((2.5, 0.0), (0.0, 2.5))
    assert lattice.periods is None
    assert lattice.is_aligned
    i = np.arange(-3, 3, dtype=np.int32)
    assert lattice.wrap(i, i) == (i, i)


@pytest.mark.parametrize(
    ("frequency", "depth", "cells"),
    [
        (8.0, 1.0, (8, 8)),
        (8.0, 0.5, (8, 4)),
        (7.6, 1.0, (8, 8)),
        (3.0, 0.5, (3, 2)),
        (0.2, 0.3, (1, 1)),
    ],
)
def test_sizes_are_rounded_to_a_whole_number_per_period(frequency, depth, cells):
    lattice = square_lattice(frequency, Torus(((1.0, 0.0), (0.0, depth))))
    assert lattice.periods == ((cells[0], 0), (0, cells[1]))
    assert lattice.matrix == ((float(cells[0]), 0.0), (0.0, cells[1] / depth))
    assert lattice.is_aligned


@given(FREQUENCIES, TORI)
def test_the_periods_are_whole_lattice_steps(frequency, torus):
    lattice = square_lattice(frequency, torus)
    assert lattice.periods is not None
    steps = np.array(lattice.matrix) @ np.array(torus.periods)
    np.testing.assert_allclose(steps, lattice.periods, atol=1e-6 * (1.0 + frequency))
    (a, b), (c, d) = lattice.periods
    assert a * d - b * c != 0, "the lattice has collapsed"


@given(st.floats(3.0, 100.0), st.floats(-180.0, 180.0))
def test_cells_are_stretched_but_little(frequency, degrees):
    lattice = square_lattice(frequency, turned(degrees))
    lengths = np.linalg.svd(np.array(lattice.matrix), compute_uv=False)
    # Rounding moves the end of each period by at most half a cell along each axis.
    assert np.abs(lengths / frequency - 1.0).max() <= 1.0 / frequency + 1e-9


@given(FREQUENCIES, TORI, st.integers(-3, 3), st.integers(-3, 3))
def test_points_that_the_torus_makes_one_have_one_representative(frequency, torus, first, second):
    lattice = square_lattice(min(frequency, 20.0), torus)
    (a, b), (c, d) = lattice.periods
    i, j = (axis.ravel().astype(np.int32) for axis in np.mgrid[-30:30:7, -30:30:7])
    expected = lattice.wrap(i, j)
    moved = lattice.wrap(
        (i + a * first + b * second).astype(np.int32), (j + c * first + d * second).astype(np.int32)
    )
    for one, other in zip(expected, moved):
        assert one.dtype == np.int32
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "torus", [UNIT, Torus(((1.0, 0.0), (0.0, 0.5))), turned(30.0), turned(180.0)]
)
def test_different_points_keep_different_representatives(torus):
    lattice = square_lattice(5.0, torus)
    (a, b), (c, d) = lattice.periods
    i, j = (axis.ravel().astype(np.int32) for axis in np.mgrid[-15:16, -15:16])
    found = set(zip(*(axis.tolist() for axis in lattice.wrap(i, j))))
    assert len(found) == abs(a * d - b * c)


def test_wrapping_broadcasts():
    lattice = square_lattice(4.0, UNIT)
    i, j = lattice.wrap(np.arange(9, dtype=np.int32)[:, None], np.arange(5, dtype=np.int32)[None])
    assert np.broadcast_shapes(i.shape, j.shape) == (9, 5)
    np.testing.assert_array_equal(np.ravel(i), np.arange(9) % 4)


def test_a_torus_goes_through_a_map_with_its_points():
    seen = UNIT.through(((0.0, -2.0), (3.0, 0.0)))
    assert seen.periods == ((0.0, -2.0), (3.0, 0.0))


def test_further_axes_are_only_scaled():
    lattice = square_lattice(7.6, UNIT)
    ones = np.ones(3)
    x, y, z, w = lattice.coordinates((ones, ones, ones, ones))
    assert (x[0], y[0], z[0], w[0]) == (8.0, 8.0, 7.6, 7.6)
    assert not math.isclose(x[0], z[0])
