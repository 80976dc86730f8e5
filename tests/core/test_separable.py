# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of row weight times column vector in few calls, against the plain sum."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from noise_core import Grid
from noise_core.lattice import separable
from noise_core.lattice.separable import ColumnStrip, RowProduct, row_plan
from noise_core.noises import Fractal, Perlin, Value

COPIES = 2


def example(rows, columns, density, vectors=2, seed=0, first=-3):
    """Return a product with random weights and vectors, and the fields it stands for, in float64."""
    generator = np.random.default_rng(seed)
    lower = first + np.floor(np.arange(rows) * density + 0.3).astype(np.int64)
    weights = generator.normal(size=(rows, 2, vectors)).astype(np.float32)
    store = generator.normal(size=(COPIES, int(lower[-1]) - first + 300, vectors, columns))
    store = store.astype(np.float32)
    asked = []

    def tables(start, stop):
        assert start >= first, "below the lowest lattice row"
        asked.append((start, stop))
        return store[:, start - first : stop - first].copy()

    field = np.einsum(
        "rsv,nrsvc->nrc",
        weights.astype(np.float64),
        np.stack((store[:, lower - first], store[:, lower - first + 1]), axis=2),
    )
    return RowProduct(lower, weights.reshape(rows, -1), density, tables), field, asked


def plan_of(products, columns):
    return row_plan([ColumnStrip(products, COPIES, columns)])


def written(plan, rows, columns, *parts):
    out = np.full((COPIES, rows, columns), np.nan, np.float32)
    for start, stop in parts or [(0, rows)]:
        plan(start, stop, out[:, start:stop])
    return out


DENSITIES = [0.001, 0.01, 0.07, 0.0834, 0.1, 0.2, 0.249, 0.26, 0.5, 0.7, 1.0, 1.001, 1.9, 2.7]


@pytest.mark.parametrize("vectors", [1, 2, 3])
@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (7, 5), (64, 33), (530, 100)])
def test_one_product_is_the_sum(rows, columns, density, vectors):
    product, expected, _ = example(rows, columns, density, vectors)
    field = written(plan_of([product], columns), rows, columns)
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("densities", [(0.01, 0.02, 0.05), (0.5, 1.5), (0.02, 0.3, 0.1, 2.0)])
def test_several_products_are_added(densities):
    rows, columns = 97, 41
    examples = [
        example(rows, columns, d, 1 + i % 2, seed=i, first=10 * i) for i, d in enumerate(densities)
    ]
    field = written(plan_of([e[0] for e in examples], columns), rows, columns)
    np.testing.assert_allclose(field, sum(e[1] for e in examples), rtol=0, atol=5e-5)


@pytest.mark.parametrize("densities", [(0.05,), (0.4,), (0.01, 0.07, 0.3, 1.0, 1.7)])
def test_rows_in_any_parts_have_the_same_bits(densities):
    rows, columns = 150, 20
    examples = [example(rows, columns, density, seed=i) for i, density in enumerate(densities)]
    plan = plan_of([each[0] for each in examples], columns)
    whole = written(plan, rows, columns)
    parts = ((149, 150), (0, 1), (1, 70), (70, 71), (71, 149))
    assert np.array_equal(written(plan, rows, columns, *parts), whole)
    np.testing.assert_allclose(whole, sum(each[1] for each in examples), rtol=0, atol=5e-5)


def test_strips_lie_side_by_side():
    examples = [example(50, columns, 0.3, seed=columns) for columns in (20, 7, 2)]
    strips = [ColumnStrip([each[0]], COPIES, each[1].shape[2]) for each in examples]
    field = written(row_plan(strips), 50, 29)
    expected = np.concatenate([each[1] for each in examples], axis=2)
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


def test_runs_of_rows_and_copied_vectors_have_the_same_bits(monkeypatch):
    for density in (0.1, 0.25, 0.249, 0.34, 0.5, 1.0, 1.002, 2.0, 1.5, 0.7):
        product, _, _ = example(300, 12, density)
        fields = []
        for shortest in (0, 1 << 30):
            monkeypatch.setattr(separable, "ROWS_OF_A_RUN", shortest)
            fields.append(written(plan_of([product], 12), 300, 12))
        assert np.array_equal(*fields)


def test_vectors_are_made_once_and_for_some_rows_at_a_time():
    product, _, asked = example(4000, 400, 1.0)
    written(plan_of([product], 400), 4000, 400)
    assert max(stop - start for start, stop in asked) < 1000
    assert sum(stop - start for start, stop in asked) < 1.3 * 4000
    coarse, _, asked = example(4000, 400, 0.05)
    written(plan_of([coarse], 400), 4000, 400)
    assert max(stop - start for start, stop in asked) <= separable.LATTICE_ROWS_AT_ONCE


@pytest.mark.parametrize("noise", [Perlin(), Value(), Fractal(octaves=8.0)])
def test_memory_beyond_the_result_does_not_grow_with_the_grid(noise):
    def peak(rows):
        grid = Grid(2000, 500).window(0, 0, rows, 500)
        noise.sample_grid(grid, 1, threads=1)
        tracemalloc.start()
        noise.sample_grid(grid, 1, threads=1)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most - rows * 500 * 4

    assert peak(2000) < 2 * peak(500) + (16 << 20)
