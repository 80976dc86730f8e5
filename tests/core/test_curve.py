# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Curve` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Curve, Perlin, Raster

RAMP = np.linspace(-1.5, 1.5, 3001)
POINTS = ((-1.0, -0.5), (-0.2, -0.4), (0.1, 0.6), (0.4, 0.6), (1.0, 0.2))


def curved(points, values=RAMP, **parameters):
    """Return values sent through a curve."""
    source = Raster(pixels=np.asarray(values, np.float32)[np.newaxis], edge="clamp")
    curve = Curve(source=source, points=points, **parameters)
    field = curve.sample_grid(Grid(1, len(values)))[0]
    low, high = curve.bounds()
    assert low - 1e-6 <= field.min()
    assert field.max() <= high + 1e-6
    return field


def test_linear_is_straight_between_points_and_level_outside():
    x, y = zip(*POINTS)
    np.testing.assert_allclose(
        curved(POINTS, interpolation="linear"), np.interp(RAMP, x, y), atol=1e-6
    )


def test_smooth_goes_through_its_points():
    x, y = zip(*POINTS)
    np.testing.assert_allclose(np.interp(x, RAMP, curved(POINTS)), y, atol=1e-5)


def test_smooth_never_overshoots():
    field = curved(POINTS)
    for (x, y), (right, top) in zip(POINTS, POINTS[1:]):
        part = field[(x <= RAMP) & (right >= RAMP)]
        assert part.min() >= min(y, top) - 1e-6
        assert part.max() <= max(y, top) + 1e-6
        step = np.diff(part) * np.sign(top - y)
        assert (step >= -1e-6).all() if top != y else np.abs(step).max() < 1e-6


def test_smooth_is_smooth():
    slope = np.diff(curved(POINTS)) / np.diff(RAMP)
    inside = np.abs(RAMP[1:-1]) < 0.99
    assert np.abs(np.diff(slope))[inside].max() < 0.1
    kinked = np.diff(curved(POINTS, interpolation="linear")) / np.diff(RAMP)
    assert np.abs(np.diff(kinked))[inside].max() > 1.0


def test_straight_points_make_a_straight_curve():
    for interpolation in ("smooth", "linear"):
        field = curved(((-1.0, -1.0), (0.25, 0.25), (1.0, 1.0)), interpolation=interpolation)
        np.testing.assert_allclose(field, np.clip(RAMP, -1.0, 1.0), atol=1e-6)


def test_points_on_one_spot_make_a_jump():
    for gap in (1e-9, 1e-30, 1e-300):
        field = curved(((-1.0, -1.0), (0.0, -1.0), (gap, 1.0), (1.0, 1.0)))
        np.testing.assert_allclose(field[RAMP < -1e-3], -1.0, atol=1e-6)
        np.testing.assert_allclose(field[RAMP > 1e-3], 1.0, atol=1e-6)


def test_bounds_know_where_the_source_ends():
    high = ((-3.0, -5.0), (0.0, 0.0), (1.0, 0.5), (3.0, 9.0))
    low_end, high_end = Curve(source=Perlin(), points=high, interpolation="linear").bounds()
    assert low_end == pytest.approx(-5.0 / 3.0, abs=1e-3)
    assert high_end == pytest.approx(0.5, abs=1e-3)


def test_refuses_points_out_of_reach():
    with pytest.raises(ParameterError, match=r"^Curve.points must be within \[-1e\+06, 1e\+06\]"):
        Curve(points=((0.0, 0.0), (1.0, 1e7)))
