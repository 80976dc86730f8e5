# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Curve` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Absolute, Curve, Perlin, Raster, curve

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


@pytest.mark.parametrize("interpolation", ["smooth", "linear"])
def test_a_curve_with_many_points_has_the_bits_of_the_sum_of_its_segments(
    interpolation, monkeypatch
):
    rng = np.random.default_rng(5)
    places = np.sort(rng.uniform(-1.0, 1.0, 64)).tolist()
    places[20] = places[19] + 1e-7  # a jump
    places[60:] = [places[59] + step for step in (1e-3, 2e-3, 3e-3, 3e-3 + 1e-9)]  # in one bin
    rising = tuple(zip(places, rng.uniform(-1.0, 1.0, 64).tolist()))
    values = np.concatenate((rng.uniform(-1.2, 1.2, 5000), places)).astype(np.float32)
    one = Curve(points=rising, interpolation=interpolation)
    found, summed = values.copy(), values.copy()
    one.change(found)
    monkeypatch.setattr(curve, "_MANY_POINTS", len(places))
    one.change(summed)
    assert found.tobytes() == summed.tobytes()
    assert np.ptp(found) > 1.0


def test_bounds_know_where_the_source_ends():
    high = ((-3.0, -5.0), (0.0, 0.0), (1.0, 0.5), (3.0, 9.0))
    low_end, high_end = Curve(source=Perlin(), points=high, interpolation="linear").bounds()
    assert low_end == pytest.approx(-5.0 / 3.0, abs=1e-3)
    assert high_end == pytest.approx(0.5, abs=1e-3)


def test_refuses_points_out_of_reach():
    with pytest.raises(ParameterError, match=r"^Curve.points must be within \[-1e\+06, 1e\+06\]"):
        Curve(points=((0.0, 0.0), (1.0, 1e7)))


# --- automatic handles --------------------------------------------------------------------------

OF_BLENDER = [
    (
        ((-1.0, 0.0), (-0.5, 0.9), (0.0, -0.6), (0.6, 0.5), (1.0, -0.3)),
        (0.0, 0.63617, 0.89067, 0.73354, -0.43414, -0.53069, 0.20356, 0.49851, 0.3341, -0.3),
    ),
    (
        ((-1.0, -1.0), (0.0, -0.4), (1.0, 1.0)),
        (-1.0, -0.94512, -0.8296, -0.69111, -0.50952, -0.28029, -0.00675, 0.33854, 0.76818, 1.0),
    ),
    (
        ((-0.75, -0.8), (0.5, 0.6)),
        (-0.8, -0.8, -0.66, -0.38, -0.1, 0.18, 0.46, 0.6, 0.6, 0.6),
    ),
]
"""Points, and the values that `CurveMapping.evaluate` of Blender 5.2 gives from -9/8 to 9/8."""


@pytest.mark.parametrize(("points", "expected"), OF_BLENDER)
def test_automatic_is_the_curve_of_blenders_editor(points, expected):
    values = np.arange(-9, 10, 2) / 8
    field = curved(points, values, interpolation="automatic")
    np.testing.assert_allclose(field, expected, rtol=0.0, atol=2e-5)


@pytest.mark.parametrize("points", [one for one, _ in OF_BLENDER])
def test_automatic_goes_through_its_points_and_is_level_beyond(points):
    x, y = zip(*points)
    field = curved(points, interpolation="automatic")
    # A step of the table is 1/128, and a top lies anywhere in it.
    np.testing.assert_allclose(np.interp(x, RAMP, field), y, atol=3e-3)
    assert (field[x[0] >= RAMP] == np.float32(y[0])).all()
    np.testing.assert_allclose(field[x[-1] <= RAMP], y[-1], atol=1e-6)


def test_automatic_may_overshoot_and_its_bounds_know():
    points = ((-1.0, 0.0), (-0.2, 0.9), (0.2, 1.0), (0.3, 0.2), (1.0, 0.1))
    source = Perlin(frequency=3.0)
    curve = Curve(source=source, points=points, interpolation="automatic")
    field = curved(points, interpolation="automatic")
    assert field.max() > 1.001 and field.min() < 0.099
    low, high = curve.bounds()
    assert low <= field.min() and high >= field.max()
    assert Curve(source=Absolute(source=source), points=points).bounds()[0] > low


def test_automatic_has_derivatives():
    curve = Curve(source=Perlin(frequency=3.0), points=POINTS, interpolation="automatic")
    points = np.random.default_rng(3).uniform(0.0, 1.0, (400, 2))
    gradient = curve.gradient(points, 5)
    step = 1e-4
    for axis in (0, 1):
        moved = np.eye(2)[axis] * step
        rise = curve.sample(points + moved, 5) - curve.sample(points - moved, 5)
        error = np.abs(rise / (2.0 * step) - gradient[:, axis])
        assert np.median(error) < 0.02 and np.quantile(error, 0.98) < 0.4
    assert np.abs(gradient).max() > 2.0


def test_an_automatic_curve_on_one_spot_is_a_jump():
    for gap in (1e-7, 1e-300, 1e-310):
        field = curved(((0.0, -1.0), (gap, 1.0)), interpolation="automatic")
        np.testing.assert_allclose(field[RAMP < -1e-3], -1.0, atol=1e-6)
        np.testing.assert_allclose(field[RAMP > 1e-3], 1.0, atol=1e-6)


def test_equal_handles_make_a_straight_curve():
    field = curved(((-1.0, -1.0), (0.25, 0.25), (1.0, 1.0)), interpolation="automatic")
    np.testing.assert_allclose(field, np.clip(RAMP, -1.0, 1.0), atol=1e-6)
