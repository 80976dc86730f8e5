# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Gradient` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.torus import Torus
from noise_core.noises import Gradient

X, Y = np.meshgrid(np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 41))
GRID = Grid(41, 41)


def risen(inside, falloff):
    """Return the gradient of a distance to the edge, for an even rise."""
    return 2.0 * np.clip(inside / falloff, 0.0, 1.0) - 1.0


def test_linear():
    gradient = Gradient(shape="linear", angle=30.0, center=(0.4, 0.6), falloff=0.7, fade="linear")
    along = (X - 0.4) * np.cos(np.pi / 6) + (Y - 0.6) * np.sin(np.pi / 6)
    np.testing.assert_allclose(gradient.sample_grid(GRID), risen(along + 0.35, 0.7), atol=1e-6)


def test_radial():
    gradient = Gradient(center=(0.4, 0.6), radius=0.5, falloff=0.3, fade="linear")
    inside = 0.5 - np.hypot(X - 0.4, Y - 0.6)
    np.testing.assert_allclose(gradient.sample_grid(GRID), risen(inside, 0.3), atol=1e-6)


def test_edges():
    gradient = Gradient(
        shape="edges", center=(0.5, 0.4), extent=(0.8, 0.6), falloff=0.2, fade="linear"
    )
    across = risen(0.4 - np.abs(X - 0.5), 0.2) / 2.0 + 0.5
    along = risen(0.3 - np.abs(Y - 0.4), 0.2) / 2.0 + 0.5
    np.testing.assert_allclose(gradient.sample_grid(GRID), 2.0 * across * along - 1.0, atol=1e-6)


def test_fades_are_the_core_s():
    share = np.linspace(0.0, 1.0, 41)
    curves = {
        "linear": share,
        "cubic": share**2 * (3.0 - 2.0 * share),
        "quintic": share**3 * (share * (6.0 * share - 15.0) + 10.0),
    }
    for fade, curve in curves.items():
        gradient = Gradient(shape="linear", falloff=1.0, fade=fade)
        field = gradient.sample_grid(GRID)
        np.testing.assert_allclose(field[7], 2.0 * curve - 1.0, atol=2e-6)


@pytest.mark.parametrize("shape", ["linear", "radial", "edges"])
def test_falloff_0_is_a_cliff(shape):
    field = Gradient(shape=shape, falloff=0.0, radius=0.3, extent=(0.5, 0.5)).sample_grid(GRID)
    assert set(np.unique(field)) == {-1.0, 1.0}


def test_a_wrapped_hill_is_the_nearest_of_its_images():
    for torus in (Torus(((1.0, 0.0), (0.0, 0.5))), Torus(((1.5, 0.25), (-0.5, 1.0)))):
        gradient = Gradient(center=(0.1, 0.2), falloff=0.4, fade="linear")
        x, y = np.random.default_rng(1).uniform(-2.0, 2.0, (2, 300))
        (a, b), (c, d) = torus.periods
        distance = np.min(
            [
                np.hypot(x - 0.1 + i * a + j * b, y - 0.2 + i * c + j * d)
                for i in range(-6, 7)
                for j in range(-9, 10)
            ],
            axis=0,
        )
        field = gradient.values((x, y), 0, torus)
        np.testing.assert_allclose(field, risen(0.5 - distance, 0.4), atol=1e-5)


def test_a_wrapped_ramp_climbs_and_falls_evenly():
    grid = Grid(40, 40, wrap=True)
    field = Gradient(shape="linear", falloff=1.0, fade="linear").sample_grid(grid)
    assert (field.min(), field.max()) == (-1.0, 1.0)
    around = np.diff(np.append(field[0], field[0, 0]))
    np.testing.assert_allclose(np.abs(around), 0.1, atol=1e-5)
    assert field[0, 20] == pytest.approx(0.0, abs=1e-6)
    assert field[0, 30] == pytest.approx(1.0, abs=1e-6)


def test_a_ramp_across_a_thin_torus_still_closes():
    grid = Grid(8, 40, wrap=True)
    field = Gradient(shape="linear", angle=90.0, falloff=0.1).sample_grid(grid)
    assert (np.ptp(field, axis=1) < 1e-6).all()
    assert np.ptp(field) == pytest.approx(2.0)


def test_further_axes_do_not_count():
    points = np.random.default_rng(1).uniform(0.0, 1.0, (100, 4))
    for shape in ("linear", "radial", "edges"):
        gradient = Gradient(shape=shape, angle=20.0)
        flat = gradient.sample(points[:, :2])
        np.testing.assert_array_equal(gradient.sample(points[:, :3]), flat)
        np.testing.assert_array_equal(gradient.sample(points), flat)
        points[:, 1] = 0.5
        line = gradient.sample(points[:, :1])
        np.testing.assert_array_equal(line, gradient.sample(points[:, :2]))
