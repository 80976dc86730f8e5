# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Raster` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Raster

PICTURE = np.random.default_rng(4).uniform(-1.0, 1.0, (7, 11)).astype(np.float32)


def test_a_wrapping_grid_of_its_size_gives_the_picture_back():
    field = Raster(pixels=PICTURE).sample_grid(Grid(7, 11, wrap=True))
    np.testing.assert_array_equal(field, PICTURE)


@pytest.mark.parametrize("edge", ["clamp", "mirror"])
def test_a_terrain_of_its_size_gives_the_picture_back(edge):
    field = Raster(pixels=PICTURE, edge=edge).sample_grid(Grid(7, 11))
    np.testing.assert_allclose(field, PICTURE, atol=1e-6)


def test_repeats_clamps_and_mirrors_beyond_its_edges():
    points = np.stack(np.meshgrid(np.arange(-10, 21) / 10.0, np.arange(-6, 13) / 10.0), axis=-1)
    for edge, mode in (("clamp", "edge"), ("mirror", "reflect")):
        field = Raster(pixels=PICTURE, edge=edge).sample(points)
        expected = np.pad(PICTURE, ((6, 6), (10, 10)), mode=mode)
        np.testing.assert_allclose(field, expected, atol=2e-6)
    points = np.stack(np.meshgrid(np.arange(-11, 22) / 11.0, np.arange(-7, 14) / 11.0), axis=-1)
    field = Raster(pixels=PICTURE).sample(points)
    np.testing.assert_allclose(field, np.tile(PICTURE, (3, 3)), atol=2e-6)


def test_is_catmull_rom_between_pixels():
    row = np.array([[0.1, 0.2, 0.4, 0.3, 0.1, 0.0, -0.9, 0.9]], np.float32)
    x = np.linspace(2.0, 3.0, 11)
    t = x - 2.0
    p = row[0, 1:5].astype(np.float64)
    expected = 0.5 * (
        2.0 * p[1]
        + (p[2] - p[0]) * t
        + (2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3]) * t**2
        + (3.0 * p[1] - p[0] - 3.0 * p[2] + p[3]) * t**3
    )
    points = np.stack((x / 8.0, np.zeros(11)), axis=-1)
    np.testing.assert_allclose(Raster(pixels=row).sample(points), expected, atol=1e-6)


def test_overshoot_is_cut_off():
    edge = np.repeat([[-1.0] * 4 + [1.0] * 4], 3, axis=0)
    raster = Raster(pixels=edge)
    field = raster.sample_grid(Grid(64, 64))
    assert raster.bounds() == (-1.0, 1.0)
    assert (field.min(), field.max()) == (-1.0, 1.0)


def test_fits_a_whole_number_of_times_on_a_wrapping_grid():
    raster = Raster(pixels=PICTURE)
    field = raster.sample_grid(Grid(44, 44, wrap=True))
    # 7 / 11 deep, so twice along y on a square.
    np.testing.assert_allclose(field[:22], field[22:], atol=2e-6)
    mirrored = Raster(pixels=PICTURE, edge="mirror").sample_grid(Grid(40, 40, wrap=True))
    np.testing.assert_allclose(mirrored[:, 1:20], mirrored[:, :20:-1], atol=2e-6)


def test_further_axes_do_not_count():
    points = np.random.default_rng(1).uniform(-1.0, 2.0, (100, 4))
    raster = Raster(pixels=PICTURE)
    np.testing.assert_array_equal(raster.sample(points), raster.sample(points[:, :2]))


def test_from_file(tmp_path):
    np.save(tmp_path / "heights.npy", PICTURE)
    raster = Raster.from_file(tmp_path / "heights.npy", edge="clamp")
    assert raster == Raster(pixels=PICTURE, edge="clamp")
    with pytest.raises(ParameterError, match=r"^read_image: nothing.png cannot be read"):
        Raster.from_file(tmp_path / "nothing.png")
