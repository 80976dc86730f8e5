# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes blended along lattice rows, against the plain sum of two ends."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.banded import banded
from noise_core.column_vectors import COLUMNS_PER_BLOCK, column_vectors


def example(columns, density, kinds, seed=0):
    """Return lower ends and random weights for them."""
    generator = np.random.default_rng(seed)
    lower = np.floor(np.arange(columns) * density + 0.4).astype(np.int64)
    return lower - lower[0], generator.normal(size=(columns, 2, kinds)).astype(np.float32)


def dense(lower, weights, taps=(1.0,)):
    """Return the weight of every lattice line for every sample, shape (samples, lines, kinds)."""
    whole = np.zeros((len(lower), int(lower[-1]) + 2, weights.shape[2]))
    for row, place in enumerate(lower):
        whole[row, place : place + 2] = weights[row]
    count = len(lower) - len(taps) + 1
    return sum(tap * whole[later : later + count] for later, tap in enumerate(taps))


TAPS = [(1.0,), (-0.125, 1.25, -0.125)]
DENSITIES = [(0.0,), (0.01, 0.3), (2.0, 1.0, 0.01), (3.0, 0.7, 0.1)]
"""Of several lattices that are laid out together."""


@pytest.mark.parametrize("taps", TAPS)
@pytest.mark.parametrize("densities", DENSITIES)
@pytest.mark.parametrize("columns", [1, 5, COLUMNS_PER_BLOCK, 100])
@pytest.mark.parametrize(("kinds", "first"), [(2, 0), (1, 1)])
def test_each_column_is_the_sum_of_its_ends(columns, densities, kinds, first, taps):
    samples = columns + len(taps) - 1
    examples = [example(samples, density, 2, seed) for seed, density in enumerate(densities)]
    lower, weights = (np.array(each) for each in zip(*examples))
    made = column_vectors(lower, weights, taps)
    assert len(made) == len(densities)
    for vectors, (below, own) in zip(made, examples):
        nodes = np.random.default_rng(1).normal(size=(kinds, 3, 4, int(below[-1]) + 2))
        nodes = nodes.astype(np.float32)
        shares = dense(below, own, taps)[..., first : first + kinds]
        expected = np.einsum("kcrn,enk->crke", nodes, shares)
        fields = vectors.blended(nodes, first)
        assert fields.dtype == np.float32 and fields.shape[-1] == columns
        np.testing.assert_allclose(fields, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("taps", TAPS)
@pytest.mark.parametrize("densities", DENSITIES)
@pytest.mark.parametrize(("samples", "height"), [(3, 8), (40, 8), (41, 16)])
def test_bands_hold_every_weight_where_its_lattice_line_is(samples, height, densities, taps):
    examples = [example(samples, density, 2, seed) for seed, density in enumerate(densities)]
    lower, weights = (np.array(each) for each in zip(*examples))
    base, bands, laid = banded(lower, weights, height, taps)
    assert laid.shape[1:] == (height, sum(bands), 2)
    begin = 0
    for first, band, (below, own) in zip(base, bands, examples):
        for row, shares in enumerate(dense(below, own, taps)):
            block, within = divmod(row, height)
            expected = np.zeros((band, 2))
            there = shares[first[block] :][:band]
            expected[: len(there)] = there
            found = laid[block, within, begin : begin + band]
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
            assert abs(shares.sum() - there.sum()) < 1e-6, "a weight lies outside the band"
        begin += band
