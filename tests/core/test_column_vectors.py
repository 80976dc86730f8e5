# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes blended along lattice rows, against the plain sum of two ends."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.lattice.lattice_terms import ColumnVectors

COPIES, ROWS = 3, 4


@pytest.mark.parametrize("density", [0.0, 0.01, 0.3, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("columns", [2, 5, 100])
@pytest.mark.parametrize(("kinds", "first"), [(2, 0), (1, 1)])
def test_each_column_is_the_sum_of_its_ends(columns, density, kinds, first):
    generator = np.random.default_rng(columns)
    lower = np.floor(np.arange(columns) * density + 0.4).astype(np.int64)
    weights = generator.normal(size=(2, 2, columns)).astype(np.float32)
    nodes = generator.normal(size=(kinds, COPIES, ROWS, int(lower[-1]) + 2)).astype(np.float32)
    vectors = ColumnVectors(lower, weights).blend(nodes, first)
    assert vectors.dtype == np.float32
    shares = weights[first : first + kinds].astype(np.float64)
    expected = np.einsum("kcrx,kx->crkx", nodes[..., lower], shares[:, 0])
    expected += np.einsum("kcrx,kx->crkx", nodes[..., lower + 1], shares[:, 1])
    np.testing.assert_allclose(vectors, expected, rtol=0, atol=1e-6)


def test_a_part_of_the_columns_has_the_same_bits():
    generator = np.random.default_rng(3)
    lower = np.floor(np.arange(90) * 0.7).astype(np.int64)
    weights = generator.normal(size=(2, 2, 90)).astype(np.float32)
    nodes = generator.normal(size=(2, 1, 20, 70)).astype(np.float32)
    whole = ColumnVectors(lower, weights).blend(nodes)
    for first, last in ((0, 2), (17, 60), (88, 90)):
        part = ColumnVectors(lower[first:last], weights[..., first:last]).blend(nodes)
        assert np.array_equal(part, whole[..., first:last])
