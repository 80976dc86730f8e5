# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Remap` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Perlin, Remap


def remapped(**parameters):
    source, grid = Perlin(frequency=5.0), Grid(40, 30)
    remap = Remap(source=source, **parameters)
    return remap, remap.sample_grid(grid, 3), source.sample_grid(grid, 3).astype(np.float64)


def test_default_makes_a_mask():
    remap, field, source = remapped()
    np.testing.assert_allclose(field, (source + 1.0) / 2.0, atol=1e-7)
    assert remap.bounds() == (0.0, 1.0)


def test_maps_linearly_without_clamp():
    remap, field, source = remapped(
        from_minimum=0.0, from_maximum=0.5, to_minimum=10.0, to_maximum=20.0, clamp=False
    )
    np.testing.assert_allclose(field, 10.0 + 20.0 * source, atol=1e-5)
    assert remap.bounds() == (-10.0, 30.0)


def test_clamps_to_the_new_range():
    remap, field, source = remapped(from_minimum=0.0, from_maximum=0.25)
    np.testing.assert_allclose(field, np.clip(source * 4.0, 0.0, 1.0), atol=1e-6)
    assert (field.min(), field.max()) == (0.0, 1.0)
    assert remap.bounds() == (0.0, 1.0)


@pytest.mark.parametrize(
    "ranges",
    [
        {"from_minimum": 1.0, "from_maximum": -1.0},
        {"to_minimum": 1.0, "to_maximum": 0.0},
    ],
)
def test_backwards_turns_upside_down(ranges):
    remap, field, source = remapped(**ranges)
    np.testing.assert_allclose(field, (1.0 - source) / 2.0, atol=1e-7)
    assert remap.bounds() == (0.0, 1.0)


def test_refuses_an_empty_range():
    message = (
        r"^Remap.from_maximum must be at least 0.0001 away from from_minimum; got 0.5 and 0.5$"
    )
    with pytest.raises(ParameterError, match=message):
        Remap(from_minimum=0.5, from_maximum=0.5)
    with pytest.raises(ParameterError):
        Remap(from_minimum=0.5, from_maximum=0.50001)
    Remap(from_minimum=0.5, from_maximum=0.501)
