# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of row weight times column vector as blocked matrix products, against the plain sum."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Fractal, Perlin, Value
from noise_core.separable import RowProduct, row_plan

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
    return RowProduct(lower, weights, tables), field, asked


def written(plan, rows, columns, *parts):
    out = np.full((COPIES, rows, columns), np.nan, np.float32)
    for start, stop in parts or [(0, rows)]:
        plan(start, stop, out[:, start:stop])
    return out


@pytest.mark.parametrize("vectors", [1, 2, 3])
@pytest.mark.parametrize("density", [0.0, 0.01, 0.1, 0.16, 0.2, 0.5, 1.0, 2.7])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (7, 5), (64, 33), (130, 100)])
def test_one_product_is_the_sum(rows, columns, density, vectors):
    product, expected, _ = example(rows, columns, density, vectors)
    field = written(row_plan([product], columns), rows, columns)
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("densities", [(0.01, 0.02, 0.05), (0.5, 1.5), (0.02, 0.3, 0.1, 2.0)])
def test_several_products_are_added(densities):
    rows, columns = 97, 41
    examples = [
        example(rows, columns, d, 1 + i % 2, seed=i, first=10 * i) for i, d in enumerate(densities)
    ]
    field = written(row_plan([e[0] for e in examples], columns), rows, columns)
    np.testing.assert_allclose(field, sum(e[1] for e in examples), rtol=0, atol=5e-5)


@pytest.mark.parametrize("density", [0.05, 0.4])
def test_rows_may_be_asked_for_in_any_parts(density):
    rows, columns = 150, 20
    product, expected, _ = example(rows, columns, density)
    plan = row_plan([product], columns)
    parts = ((149, 150), (0, 1), (1, 70), (70, 71), (71, 149))
    field = written(plan, rows, columns, *parts)
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


def test_wide_rows_are_cut():
    product, expected, _ = example(8, 20000, 0.5)
    field = written(row_plan([product], 20000), 8, 20000)
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("densities", [(0.05, 0.1), (0.1, 0.4)])
def test_taps_add_up_rows(densities):
    rows, columns, taps = 83, 30, (0.5, -2.0, 0.25)
    examples = [example(rows + 2, columns, density, seed=i) for i, density in enumerate(densities)]
    field = written(row_plan([each[0] for each in examples], columns, taps), rows, columns)
    whole = sum(each[1] for each in examples)
    expected = sum(tap * whole[:, later : later + rows] for later, tap in enumerate(taps))
    np.testing.assert_allclose(field, expected, rtol=0, atol=5e-5)


def test_small_tables_are_made_once_and_large_ones_for_what_is_asked():
    small, expected, asked = example(200, 50, 0.05)
    plan = row_plan([small], 50)
    assert len(asked) == 1, "it is made before there are threads"
    assert np.array_equal(written(plan, 200, 50), written(plan, 200, 50))
    field = written(row_plan([small], 50), 200, 50, (0, 90), (90, 200))
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)
    assert len(asked) == 2, "a kept table was made again"
    large, expected, asked = example(4000, 400, 1.0)
    field = written(row_plan([large], 400), 4000, 400, (0, 90), (90, 4000))
    np.testing.assert_allclose(field, expected, rtol=0, atol=2e-5)
    assert max(stop - start for start, stop in asked) < 200


def test_density_counts_lattice_rows_per_sample_row():
    product, _, _ = example(101, 4, 0.5)
    assert product.density == pytest.approx(0.5, abs=0.01)
    assert product.vectors == 2
    assert example(1, 4, 0.5)[0].density == 0.0


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
