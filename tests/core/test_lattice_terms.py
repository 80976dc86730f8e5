# SPDX-License-Identifier: GPL-3.0-or-later
"""Terms of one sum that differ in everything but their samples, against the noises themselves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid
from noise_core.lattice import lattice_terms
from noise_core.noises import Evolution, Fractal, Perlin, Transform, Value

ROWS, COLUMNS, SEED = 90, 110, 5

NOISES = [
    Perlin(frequency=3.0),
    Value(frequency=30.0, fade="cubic"),
    Fractal(source=Perlin(frequency=5.0, fade="linear"), octaves=4.0),
    Evolution(source=Perlin(frequency=9.0), position=0.3),
    Transform(source=Value(frequency=4.0), scale=(2.0, 3.0, 1.0)),
]
"""Of several fades, with slopes and without, coarse and fine."""


@pytest.fixture(params=[False, True], ids=["open", "wrapping"])
def axes(request):
    return Grid(ROWS, COLUMNS, size=50.0, wrap=request.param).axes()


def written(plan, *shape):
    out = np.full(shape, np.nan, np.float32)
    plan(0, 40, out[:, :40])
    plan(40, shape[1], out[:, 40:])
    return out


def values(noise, axes):
    out = np.empty((ROWS, COLUMNS), np.float32)
    noise.plan(axes, SEED)(0, ROWS, out)
    return out.astype(np.float64)


def terms_of(axes):
    """Return the terms of all noises, each times a different factor, and the factors."""
    factors = [0.5 - 0.2 * place for place in range(len(NOISES))]
    terms = [
        term.scale(factor)
        for noise, factor in zip(NOISES, factors)
        for term in noise.terms(axes, [SEED])
    ]
    return terms, factors


def test_terms_of_any_kind_add_up(axes):
    terms, factors = terms_of(axes)
    expected = sum(factor * values(noise, axes) for noise, factor in zip(NOISES, factors))
    found = written(lattice_terms.row_plan(terms), 1, *expected.shape)[0]
    np.testing.assert_allclose(found, expected, rtol=0, atol=3e-6)


@pytest.mark.parametrize("columns", [(5, 6), (30, 32), (0, 109)])
def test_any_columns_have_the_same_bits(axes, columns, monkeypatch):
    whole = written(lattice_terms.row_plan(terms_of(axes)[0]), 1, ROWS, COLUMNS)
    first, last = columns
    some = dataclasses.replace(axes, x=axes.x[first:last])
    part = written(lattice_terms.row_plan(terms_of(some)[0]), 1, ROWS, last - first)
    assert np.array_equal(part, whole[..., first:last])
    monkeypatch.setattr(lattice_terms, "COLUMNS_AT_ONCE", 17)
    cut = written(lattice_terms.row_plan(terms_of(axes)[0]), 1, ROWS, COLUMNS)
    assert np.array_equal(cut, whole)


def test_slopes_of_any_kind_add_up(axes):
    pairs, expected = [], np.zeros((2, ROWS, COLUMNS))
    for place, noise in enumerate(NOISES):
        if isinstance(noise, Fractal):
            continue  # a sum has no single pair
        pairs.append(noise.slope_terms(axes, SEED).scale(1.0 + place))
        own = np.empty((2, ROWS, COLUMNS), np.float32)
        noise.gradient_plan(axes, SEED)(0, ROWS, own)
        expected += (1.0 + place) * own
    found = written(lattice_terms.gradient_row_plan(pairs), 2, ROWS, COLUMNS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3)


def test_scaling_twice_multiplies():
    (term,) = NOISES[0].terms(Grid(4, 4).axes(), [SEED])
    assert term.scale(0.5).scale(-3.0).factor == -1.5
    assert term.factor == 1.0
