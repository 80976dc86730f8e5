# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Transform` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Fractal, Perlin, Transform

SOURCE = Perlin(frequency=4.0)
GENERATOR = np.random.default_rng(5)


def test_nothing_is_the_source_to_the_bit():
    grid = Grid(20, 30)
    np.testing.assert_array_equal(
        Transform(source=SOURCE).sample_grid(grid, 3), SOURCE.sample_grid(grid, 3)
    )


def test_turns_then_scales_then_moves():
    points = GENERATOR.uniform(-1.0, 2.0, (500, 4))
    angle = np.radians(33.0)
    x = points[:, 0] * np.cos(angle) - points[:, 1] * np.sin(angle)
    y = points[:, 0] * np.sin(angle) + points[:, 1] * np.cos(angle)
    moved = np.stack(
        (2.0 * x + 0.1, 0.5 * y - 0.2, 3.0 * points[:, 2] + 0.3, points[:, 3]), axis=-1
    )
    transform = Transform(
        source=SOURCE, scale=(2.0, 0.5, 3.0), rotation=33.0, offset=(0.1, -0.2, 0.3)
    )
    for count in (2, 3, 4):
        np.testing.assert_allclose(
            transform.sample(points[:, :count], 3), SOURCE.sample(moved[:, :count], 3), atol=2e-6
        )


def test_scale_makes_finer():
    grid = Grid(33, 33)
    finer = Transform(source=SOURCE, scale=(2.0, 2.0, 1.0))
    field = Perlin(frequency=8.0).sample_grid(grid, 3)
    np.testing.assert_allclose(finer.sample_grid(grid, 3), field, atol=2e-6)
    assert finer.finest() == 8.0


def test_a_fractal_stacks_scaled_sources_into_one_product():
    scaled = Transform(source=SOURCE, scale=(2.0, 1.0, 1.0))
    axes = Grid(20, 20).axes()
    assert len(scaled.terms(axes, [3])) == 1
    assert Transform(source=SOURCE, rotation=10.0).terms(axes, [3]) is None
    assert len(Transform(source=Fractal(octaves=3.0)).terms(axes, [3])) == 3
    assert Transform(source=Fractal(kind="ridged")).terms(axes, [3]) is None
    assert Fractal(source=Transform(source=SOURCE, rotation=10.0)).terms(axes, [3]) is None


def test_refuses_to_reach_where_cells_blur():
    fine = Perlin(frequency=1e6)
    with pytest.raises(ParameterError, match=r"^Transform.offset must move points by at most 268"):
        Transform(source=fine, offset=(0.0, -300.0, 0.0))
    finer = Transform(source=fine, scale=(100.0, 1.0, 1.0))
    with pytest.raises(ParameterError, match=r"^Transform.scale must leave at most 1073741824"):
        Transform(source=finer, scale=(1.0, 100.0, 1.0))


@pytest.mark.parametrize("rotation", [0.0, 37.0, 90.0, -84.0])
def test_derivatives_on_a_line_are_those_of_a_turned_and_stretched_source(rotation):
    noise = Transform(source=Perlin(frequency=2.0), scale=(3.0, 0.5, 1.0), rotation=rotation)
    x, step = np.linspace(-2.0, 2.0, 101), 2.0**-10
    value, (slope,) = noise.slopes((x,), 5, None)
    before, after = (noise.values((x + side * step,), 5, None) for side in (-1.0, 1.0))
    np.testing.assert_array_equal(value, noise.values((x,), 5, None))
    np.testing.assert_allclose(slope, (after - before) / (2.0 * step), atol=2e-3 * np.ptp(slope))
