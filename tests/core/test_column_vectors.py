# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes blended along lattice rows, against the plain sum of two ends."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.banded import banded
from noise_core.column_vectors import COLUMNS_PER_BLOCK, ColumnVectors


def example(columns, density, kinds, seed=0):
    """Return lower ends and random weights for them."""
    generator = np.random.default_rng(seed)
    lower = np.floor(np.arange(columns) * density + 0.4).astype(np.int64)
    return lower - lower[0], generator.normal(size=(columns, 2, kinds)).astype(np.float32)


@pytest.mark.parametrize("density", [0.0, 0.01, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("columns", [1, 5, COLUMNS_PER_BLOCK, 100])
@pytest.mark.parametrize(("kinds", "first"), [(2, 0), (1, 1)])
def test_each_column_is_the_sum_of_its_ends(columns, density, kinds, first):
    lower, weights = example(columns, density, 2)
    nodes = np.random.default_rng(1).normal(size=(kinds, 3, 4, int(lower[-1]) + 2))
    nodes = nodes.astype(np.float32)
    used = weights[..., first : first + kinds].astype(np.float64)
    ends = np.stack((nodes[..., lower], nodes[..., lower + 1]), axis=-1)
    expected = np.einsum("kcrne,nek->crkn", ends, used)
    fields = ColumnVectors(lower, weights).blended(nodes, first)
    assert fields.dtype == np.float32
    np.testing.assert_allclose(fields, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("taps", [(1.0,), (-0.125, 1.25, -0.125)])
@pytest.mark.parametrize("density", [0.0, 0.1, 0.7, 3.0])
@pytest.mark.parametrize(("samples", "height"), [(3, 8), (40, 8), (41, 16)])
def test_bands_hold_every_weight_where_its_lattice_line_is(samples, height, density, taps):
    lower, weights = example(samples, density, 2)
    dense = np.zeros((samples, int(lower[-1]) + 2, 2))
    for row, place in enumerate(lower):
        dense[row, place : place + 2] = weights[row]
    count = samples - len(taps) + 1
    dense = sum(tap * dense[later : later + count] for later, tap in enumerate(taps))
    base, laid = banded(lower, weights, height, taps)
    for row in range(count):
        block, within = divmod(row, height)
        expected = np.zeros((laid.shape[2], 2))
        there = dense[row, base[block] :][: laid.shape[2]]
        expected[: len(there)] = there
        np.testing.assert_allclose(laid[block, within], expected, rtol=0, atol=1e-6)
        assert abs(dense[row].sum() - there.sum()) < 1e-6, "a weight lies outside the band"
