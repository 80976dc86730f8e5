# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Terrace` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Perlin, Raster, Terrace


def terraced(values, **parameters):
    """Return values sent through a terrace."""
    source = Raster(pixels=np.asarray(values, np.float32)[np.newaxis], edge="clamp")
    return Terrace(source=source, **parameters).sample_grid(Grid(1, len(values)))[0]


def test_sharpness_0_is_the_source_to_the_bit():
    source, grid = Perlin(frequency=5.0), Grid(40, 30)
    field = Terrace(source=source, sharpness=0.0).sample_grid(grid, 3)
    np.testing.assert_array_equal(field, source.sample_grid(grid, 3))


def test_sharpness_1_has_whole_steps_only():
    ramp = np.linspace(-1.0, 1.0, 200)
    field = terraced(ramp, steps=4, sharpness=1.0)
    assert set(np.unique(field)) == {-1.0, -0.5, 0.0, 0.5, 1.0}
    assert np.abs(field - ramp).max() <= 0.25 + 1e-6


@pytest.mark.parametrize("sharpness", [0.3, 0.8, 0.99, 1.0])
def test_rises_everywhere_and_keeps_the_levels(sharpness):
    field = terraced(np.linspace(-1.0, 1.0, 1001), steps=5, sharpness=sharpness)
    assert (np.diff(field) >= 0.0).all()
    np.testing.assert_allclose(field[::200], np.linspace(-1.0, 1.0, 6), atol=1e-6)


def test_treads_keep_the_stated_slope():
    near = np.array([-1e-3, 1e-3])
    field = terraced(near, steps=2, sharpness=0.8)
    assert np.diff(field)[0] / np.diff(near)[0] == pytest.approx(0.2, rel=0.02)
    on_riser = np.array([0.499, 0.501])
    field = terraced(on_riser, steps=2, sharpness=0.8)
    assert np.diff(field)[0] / np.diff(on_riser)[0] == pytest.approx(5.0, rel=0.05)


def test_bounds_follow_the_source():
    low, high = Terrace(source=Perlin(), sharpness=1.0).bounds()
    assert low == pytest.approx(-1.0, abs=1e-4)
    assert high == pytest.approx(1.0, abs=1e-4)
