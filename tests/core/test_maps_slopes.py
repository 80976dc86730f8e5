# SPDX-License-Identifier: GPL-3.0-or-later
"""Slope, aspect, curvature and normals against surfaces whose derivatives are known."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.elementary import arctangent, direction, logarithm2
from noise_core.maps import aspect, aspect_mask, curvature, normal, slope, slope_mask
from noise_core.noises import Fractal, Perlin

SHAPE = (31, 45)
GRID = Grid(*SHAPE, size=88.0)  # samples 2 m apart
INNER = np.s_[1:-1, 1:-1]


def meters(grid: Grid = GRID) -> tuple[np.ndarray, np.ndarray]:
    """Return where the samples lie, from the middle."""
    y, x = np.mgrid[: grid.rows, : grid.columns] * grid.spacing
    return x - x.mean(), y - y.mean()


@pytest.mark.parametrize("bearing", range(0, 360, 15))
@pytest.mark.parametrize("steepness", [1.0, 30.0, 75.0])
def test_planes(bearing, steepness):
    """A plane that falls towards a bearing, up to its borders and corners."""
    x, y = meters()
    turn, rise = np.radians(bearing), np.tan(np.radians(steepness))
    height = 100.0 - rise * (x * np.sin(turn) + y * np.cos(turn))
    np.testing.assert_allclose(slope(height, GRID), steepness, atol=2e-3)
    away = (aspect(height, GRID) - bearing + 180.0) % 360.0 - 180.0
    np.testing.assert_allclose(away, 0.0, atol=0.02)
    for kind in ("mean", "plan", "profile"):
        np.testing.assert_allclose(curvature(height, GRID, kind=kind), 0.0, atol=2e-5)
    facing = normal(height, GRID)
    up = np.cos(np.radians(steepness))
    expected = [np.sin(turn) * rise * up, np.cos(turn) * rise * up, up]
    np.testing.assert_allclose(facing, np.broadcast_to(expected, facing.shape), atol=2e-5)


def test_level_ground_has_no_aspect_and_is_in_no_mask():
    level = np.full(SHAPE, 7.0)
    assert (aspect(level, GRID) == -1.0).all()
    assert (aspect_mask(level, GRID, -400.0, 400.0, 50.0) == 0.0).all()
    assert (slope(level, GRID) == 0.0).all()
    np.testing.assert_array_equal(normal(level, GRID), np.broadcast_to([0, 0, 1], (*SHAPE, 3)))


@pytest.mark.parametrize("a, b, c", [(0.02, 0.02, 0.0), (-0.01, 0.03, 0.0), (0.01, -0.02, 0.015)])
def test_quadratic_surfaces_have_their_derivatives(a, b, c):
    """Central differences are exact for them, and so are second differences at the border."""
    x, y = meters()
    height = a * x * x + b * y * y + c * x * y + 0.3 * x - 0.2 * y
    p, q = 2 * a * x + c * y + 0.3, 2 * b * y + c * x - 0.2
    steep = np.degrees(np.arctan(np.hypot(p, q)))
    np.testing.assert_allclose(slope(height, GRID)[INNER], steep[INNER], atol=2e-3)
    np.testing.assert_allclose(curvature(height, GRID), -(a + b), atol=3e-5)
    along = (2 * a * p * p + 2 * b * q * q + 2 * c * p * q) / (p * p + q * q)
    across = (2 * a * q * q + 2 * b * p * p - 2 * c * p * q) / (p * p + q * q)
    near = np.hypot(p, q) > 0.02  # elsewhere the direction is rounding
    for kind, expected in (("profile", -along), ("plan", -across)):
        found = curvature(height, GRID, kind=kind)
        np.testing.assert_allclose(found[near], expected[near], atol=2e-4)


def test_a_sphere():
    x, y = meters()
    radius = 90.0
    height = np.sqrt(radius**2 - x * x - y * y)
    facing = normal(height, GRID)
    expected = np.stack([x, y, height], axis=-1) / radius
    np.testing.assert_allclose(facing[INNER], expected[INNER], atol=2e-3)
    away = np.degrees(np.arcsin(np.hypot(x, y) / radius))
    np.testing.assert_allclose(slope(height, GRID)[INNER], away[INNER], atol=0.15)
    for kind in ("mean", "plan", "profile"):
        assert curvature(height, GRID, kind=kind)[15, 22] == pytest.approx(1 / radius, rel=0.01)


def test_crests_are_positive_hollows_negative():
    x, y = meters()
    assert (curvature(-x * x, GRID) > 0).all()
    assert (curvature(y * y, GRID) < 0).all()
    spur, gully = -0.1 * x * x - y, 0.1 * x * x - y
    assert curvature(spur, GRID, kind="plan")[15, 22] > 0.19
    assert curvature(gully, GRID, kind="plan")[15, 22] < -0.19
    brow, foot = -y - 0.01 * y * y, -y + 0.01 * y * y
    assert curvature(brow, GRID, kind="profile")[15, 22] > 0.019
    assert curvature(foot, GRID, kind="profile")[15, 22] < -0.019


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("radius", [0.0, 9.0])
def test_plan_and_profile_add_up(wrap, radius):
    grid = Grid(30, 26, wrap=wrap, size=100.0)
    height = 9.0 * Perlin(frequency=3.0).sample_grid(grid, 1)
    both = [curvature(height, grid, kind=kind, radius=radius) for kind in ("plan", "profile")]
    mean = curvature(height, grid, radius=radius)
    np.testing.assert_allclose(sum(both), 2 * mean, atol=1e-5)


def test_a_radius_smooths_but_keeps_planes_and_parabolas():
    x, y = meters()
    rough = np.random.default_rng(3).normal(size=SHAPE)
    wide = curvature(rough, GRID, radius=16.0)
    assert np.abs(wide).max() < 0.15 * np.abs(curvature(rough, GRID)).max()
    np.testing.assert_allclose(curvature(0.3 * x - 2 * y, GRID, radius=20.0), 0.0, atol=2e-5)
    bowl = curvature(0.01 * (x * x + y * y), GRID, radius=12.0)
    np.testing.assert_allclose(bowl[8:-8, 8:-8], -0.02, atol=1e-4)


@pytest.mark.parametrize("kind", ["slope", "mean", "plan", "profile"])
@pytest.mark.parametrize("seed", range(3))
def test_borders_look_like_the_inside(kind, seed):
    """No lighter or darker line around the map of rough ground."""
    grid = Grid(160, 200, size=3000.0)
    height = 400.0 * Fractal(source=Perlin(frequency=4.0), octaves=7).sample_grid(grid, seed)
    field = slope(height, grid) if kind == "slope" else np.abs(curvature(height, grid, kind=kind))
    for border, inside in (
        (field[0], field[1:12]),
        (field[-1], field[-12:-1]),
        (field[:, 0], field[:, 1:12]),
        (field[:, -1], field[:, -12:-1]),
    ):
        assert 0.6 < border.mean() / inside.mean() < 1.4


def test_the_spacing_counts():
    height = np.random.default_rng(2).normal(size=SHAPE)
    one, double = (Grid(*SHAPE, size=size) for size in (44.0, 88.0))
    np.testing.assert_allclose(slope(2 * height, double), slope(height, one), rtol=1e-5)
    np.testing.assert_allclose(
        curvature(2 * height, double), curvature(height, one) / 2, rtol=1e-4, atol=1e-5
    )


def test_a_window_equals_the_whole():
    height = np.random.default_rng(6).normal(size=SHAPE).astype(np.float32)
    window = GRID.window(4, 7, 20, 30)
    part = np.s_[4:24, 7:37]
    for one in (slope, aspect, normal, curvature):
        inside = one(height[part], window)[INNER]
        np.testing.assert_array_equal(inside, one(height, GRID)[part][INNER])


def test_a_line_of_samples_has_a_slope():
    for shape in ((1, 9), (9, 1)):
        grid = Grid(*shape, size=8.0)
        height = (grid.spacing * np.arange(9.0)).reshape(shape)
        np.testing.assert_allclose(slope(height, grid), 45.0, atol=1e-4)
        assert (aspect(height, grid) == (270.0 if shape[0] == 1 else 180.0)).all()
        assert (curvature(height, grid) == 0.0).all()


def test_normals():
    height = 5.0 * np.random.default_rng(0).normal(size=SHAPE)
    plain = normal(height, GRID)
    np.testing.assert_allclose(np.linalg.norm(plain, axis=-1), 1.0, atol=3e-7)
    assert (plain[..., 2] > 0).all()
    flipped = normal(height, GRID, convention="directx")
    np.testing.assert_array_equal(flipped, plain * np.array([1, -1, 1], np.float32))
    np.testing.assert_allclose(normal(height, GRID, encoded=True), plain / 2 + 0.5, atol=1e-6)
    np.testing.assert_allclose(
        normal(height, GRID, strength=3.0), normal(3 * height, GRID), atol=1e-6
    )
    assert (normal(height, GRID, strength=0.0)[..., 2] == 1.0).all()


def test_aspect_masks_go_around():
    x, y = meters()
    cone = -np.hypot(x, y)
    bearing = aspect(cone, GRID)
    north = aspect_mask(cone, GRID, -45.0, 45.0)
    np.testing.assert_array_equal(
        north == 1.0, (bearing <= 45.0) & (bearing >= 0) | (bearing >= 315.0)
    )
    np.testing.assert_array_equal(aspect_mask(cone, GRID, 315.0, 405.0), north)
    wide = aspect_mask(cone, GRID, -45.0, 45.0, 30.0)
    assert (wide >= north).all() and wide[(bearing > 76.0) & (bearing < 284.0)].max() == 0.0
    assert 0.0 < wide[(bearing > 50.0) & (bearing < 70.0)].min() < 1.0
    for low, high in ((0.0, 360.0), (100.0, 460.0), (-np.inf, np.inf), (0.0, np.inf)):
        np.testing.assert_array_equal(aspect_mask(cone, GRID, low, high), bearing >= 0.0)


def test_slope_masks_pick_the_cliffs():
    x, _ = meters()
    height = np.where(x > 0, 3.0 * x, 0.1 * x)
    cliffs = slope_mask(height, GRID, 45.0, 90.0, 10.0)
    assert (cliffs[x > 2] == 1.0).all() and (cliffs[x < -2] == 0.0).all()


def test_elementary_functions():
    tangent = np.concatenate((np.linspace(0, 4, 4001), np.geomspace(1e-30, 1e30, 999)))
    tangent = tangent.astype(np.float32)
    np.testing.assert_allclose(arctangent(tangent), np.degrees(np.arctan(tangent)), atol=2e-5)
    turn = np.linspace(0.0, 359.99, 5000)
    x, y = (
        np.float32(7.0) * part(np.radians(turn)).astype(np.float32) for part in (np.sin, np.cos)
    )
    exact = np.degrees(np.arctan2(x.astype(np.float64), y)) % 360.0
    error = (direction(x, y) - exact + 180.0) % 360.0 - 180.0
    np.testing.assert_allclose(error, 0.0, atol=5e-5)
    zero = np.zeros(1, np.float32)
    assert direction(zero, zero) == 0.0 and direction(-np.float32(1e-30) + zero, zero + 1) < 360.0
    values = np.geomspace(1.2e-38, 3e38, 9999).astype(np.float32)
    np.testing.assert_allclose(
        logarithm2(values), np.log2(values.astype(np.float64)), rtol=2e-7, atol=1e-6
    )
    powers = np.float32(2.0) ** np.arange(-20, 21, dtype=np.float32)
    np.testing.assert_allclose(logarithm2(powers), np.arange(-20, 21), atol=1e-6)
