# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums that do not depend on the order of the samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core.rasters.totals import mean, total, typical_range


@pytest.mark.parametrize("scale", [1e-40, 1e-6, 1.0, 1e5, 1e30])
def test_a_total_is_the_sum(scale):
    field = np.random.default_rng(1).normal(3.0, 5.0, (70, 1000)) * scale
    field = field.astype(np.float32)
    exact = math.fsum(field.ravel().tolist())
    assert total(field) == pytest.approx(exact, rel=1e-7)
    assert mean(field) == pytest.approx(exact / field.size, rel=1e-7)


def test_order_does_not_matter():
    generator = np.random.default_rng(2)
    field = generator.normal(0.0, 1e3, (300, 700)).astype(np.float32)
    field[3, 4] = 1e7
    expected = total(field)
    for _ in range(3):
        assert total(generator.permutation(field.ravel())) == expected
    assert total(field[::-1, ::-1]) == expected
    assert total(np.asfortranarray(field)) == expected


def test_nothing_is_zero():
    assert total(np.zeros((3, 4), np.float32)) == 0.0


def test_a_spike_is_not_relief():
    field = np.linspace(0.0, 100.0, 10_000, dtype=np.float32).reshape(100, 100)
    assert np.ptp(typical_range(field)) == pytest.approx(99.0, abs=0.1)
    field[50, 50] = 1e6
    assert np.ptp(typical_range(field)) == pytest.approx(99.0, abs=0.1)
    assert np.ptp(typical_range(np.full((1, 1), 7.0, np.float32))) == 0.0
