# SPDX-License-Identifier: GPL-3.0-or-later
"""Fade curves: their formulas and their ends."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.lattice import fades

T = np.linspace(0.0, 1.0, 257, dtype=np.float32)
FORMULAS = {
    "linear": lambda t: t,
    "cubic": lambda t: 3 * t**2 - 2 * t**3,
    "quintic": lambda t: 6 * t**5 - 15 * t**4 + 10 * t**3,
}
FLAT_ORDERS = {"linear": 0, "cubic": 1, "quintic": 2}
EVERY = pytest.mark.parametrize("key", list(FORMULAS))


def test_keys_are_the_same_everywhere():
    assert set(fades.FADES) == set(fades.OPTIONS) == set(FORMULAS)


@EVERY
def test_value_is_the_published_formula(key):
    field = fades.FADES[key](T)
    assert field.dtype == np.float32
    np.testing.assert_allclose(field, FORMULAS[key](T.astype(np.float64)), atol=5e-7)


@EVERY
def test_ends_and_middle_are_exact(key):
    ends = fades.FADES[key](np.array([0.0, 0.5, 1.0], np.float32))
    np.testing.assert_array_equal(ends, np.array([0.0, 0.5, 1.0], np.float32))


@EVERY
def test_it_rises_and_is_symmetric(key):
    field = fades.FADES[key](T)
    assert (np.diff(field) >= 0.0).all()
    np.testing.assert_allclose(field + field[::-1], 1.0, atol=5e-7)


@EVERY
def test_as_many_derivatives_vanish_at_the_ends_as_it_says(key):
    t = np.linspace(0.0, 1e-2, 5)
    polynomial = np.polynomial.Polynomial.fit(t, FORMULAS[key](t), 4, domain=[0, 1], window=[0, 1])
    order = FLAT_ORDERS[key]
    assert np.abs(polynomial.coef[1 : order + 1]).max(initial=0.0) < 1e-3
    assert abs(polynomial.coef[order + 1]) > 0.5


@EVERY
def test_the_input_stays_and_the_result_is_new(key):
    given = T.copy()
    field = fades.FADES[key](given)
    np.testing.assert_array_equal(given, T)
    assert not np.shares_memory(field, given)
