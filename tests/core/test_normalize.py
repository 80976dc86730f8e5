# SPDX-License-Identifier: GPL-3.0-or-later
"""Normalize: limits are met, relief is kept or stretched."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.modifiers import Normalize
from tests.core.contract_modifiers import grid_of, terrain


@pytest.mark.parametrize(("low", "high"), [(0.0, 100.0), (-50.0, 1234.5), (20.0, 20.5)])
def test_limits_are_met(low, high):
    field = terrain(50, 60)
    result = Normalize(minimum=low, maximum=high).apply(field, grid_of(field)).height
    assert result.min() == np.float32(low) and result.max() == np.float32(high)
    order = np.argsort(field, axis=None)
    assert (np.diff(result.ravel()[order]) >= 0.0).all()
    share = (field - field.min()) / np.ptp(field)
    np.testing.assert_allclose(result, low + share * (high - low), rtol=1e-5, atol=1e-4)


def test_the_default_moves_the_ground_to_zero():
    field = terrain(50, 60)
    result = Normalize().apply(field, grid_of(field)).height
    np.testing.assert_allclose(result, field - field.min(), atol=1e-3)
    assert result.min() == 0.0
    raised = Normalize(minimum=30.0, maximum=10.0).apply(field, grid_of(field)).height
    np.testing.assert_allclose(raised, field - field.min() + 30.0, atol=1e-3)


def test_no_relief_comes_to_lie_at_the_minimum():
    flat = np.full((4, 5), 7.0, np.float32)
    result = Normalize(minimum=-2.0, maximum=9.0).apply(flat, grid_of(flat)).height
    assert (result == -2.0).all()


def test_outliers_are_left_out():
    field = terrain(50, 60).copy()
    expected = Normalize(maximum=100.0, outliers=0.02).apply(field, grid_of(field)).height
    field[25, 30], field[10, 10] = 1e6, -1e6
    result = Normalize(maximum=100.0, outliers=0.02).apply(field, grid_of(field)).height
    assert result[25, 30] > 1000.0 and result[10, 10] < -1000.0
    ordinary = np.ones(field.shape, bool)
    ordinary[25, 30] = ordinary[10, 10] = False
    np.testing.assert_allclose(result[ordinary], expected[ordinary], atol=1.0)
    inside = (result >= 0.0) & (result <= 100.0)
    assert inside.mean() == pytest.approx(0.96, abs=0.005)
