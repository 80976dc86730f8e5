# SPDX-License-Identifier: GPL-3.0-or-later
"""Ambient occlusion and cavity: dark places, bright places, and their reach."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.blocks import unheard
from noise_core.maps import AmbientOcclusion, Cavity, Slope, ambient_occlusion, cavity
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level
from noise_core.rasters.smoothing import pad, smooth, smooth_twice, strides, strides_within

SIDE = 65
GRID = Grid(SIDE, SIDE, size=640.0)  # samples 10 m apart


def meters() -> tuple[np.ndarray, np.ndarray]:
    y, x = np.mgrid[:SIDE, :SIDE] * 10.0
    return x - 320.0, y - 320.0


@pytest.mark.parametrize("steepness", [0.0, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("bearing", [0.0, 30.0, 45.0, 90.0])
def test_even_slopes_are_bright_to_their_borders(steepness, bearing):
    x, y = meters()
    turn = math.radians(bearing)
    plane = steepness * (x * math.cos(turn) + y * math.sin(turn))
    np.testing.assert_allclose(ambient_occlusion(plane, GRID, radius=200.0), 1.0, atol=2e-3)
    np.testing.assert_allclose(cavity(plane, GRID, radius=100.0), 0.0, atol=1e-3)


def test_pits_are_dark_and_peaks_are_not():
    x, y = meters()
    peak = 150.0 * np.exp(-(x * x + y * y) / 60.0**2)
    on_peak, in_pit = (
        ambient_occlusion(sign * peak, GRID, radius=160.0)[32, 32] for sign in (1, -1)
    )
    assert on_peak > 0.99
    assert in_pit < 0.5
    assert cavity(peak, GRID, radius=80.0)[32, 32] > 0.5
    assert cavity(-peak, GRID, radius=80.0)[32, 32] < -0.5


def test_a_shaft_sees_no_sky():
    depth = np.zeros((SIDE, SIDE))
    depth[32, 32] = -1e5
    dark = ambient_occlusion(depth, GRID)
    assert dark[32, 32] < 1e-3
    assert dark[40:, 40:].min() > 0.999, "a hole takes no light from others"


def test_the_bottom_of_a_round_bowl_as_computed():
    """Walls all around at one angle hide the sine of that angle."""
    x, y = meters()
    cone = np.hypot(x, y)  # 45 degrees everywhere
    dark = ambient_occlusion(cone, GRID, radius=10.0)
    assert dark[32, 32] == pytest.approx(1.0 - math.sqrt(0.5), abs=1e-3)


def test_valleys_are_darker_than_crests():
    height = 120.0 * Fractal(source=Perlin(frequency=3.0), octaves=4).sample_grid(GRID, 2)
    around = smooth_twice(height, strides_within(12.0, height.shape), False)
    light, crease = ambient_occlusion(height, GRID), cavity(height, GRID)
    for field in (light, crease):
        assert field[height < around - 3.0].mean() < field[height > around + 3.0].mean() - 0.1


def test_a_tower_between_two_directions_is_seen():
    """It takes light from all around it, not from eight rays only."""
    x, y = meters()
    tower = np.zeros((SIDE, SIDE))
    tower[32, 32] = 400.0
    light = ambient_occlusion(tower, GRID, radius=160.0)
    ring = np.abs(np.hypot(x, y) - 120.0) < 30.0
    assert (light[ring] < 0.9999).mean() > 0.9
    assert light[ring].std() < 0.05


def test_what_is_far_away_counts_only_within_the_radius():
    wall = np.zeros((SIDE, SIDE))
    wall[:, 50:] = 300.0
    row = {r: ambient_occlusion(wall, GRID, radius=r)[32] for r in (50.0, 100.0, 200.0)}
    for radius, light in row.items():
        beyond = 49 - math.ceil(1.8 * radius / 10.0)  # smoothing sees a little farther
        assert light[:beyond].min() > 0.999, radius
        assert light[49] < 0.75, radius
    assert (row[50.0] >= row[200.0] - 1e-6).all()


def test_resolutions_agree():
    noise = Fractal(source=Perlin(frequency=2.0), octaves=3)
    for one, within in ((ambient_occlusion, 0.06), (cavity, 0.2)):
        fields = []
        for side in (129, 257):
            grid = Grid(side, side, size=1000.0)
            fields.append(one(150.0 * noise.sample_grid(grid, 5), grid))
        coarse, fine = fields[0], fields[1][::2, ::2]
        assert np.abs(coarse - fine).mean() < within * fine.std() * 3
        assert np.corrcoef(coarse.ravel(), fine.ravel())[0, 1] > 0.95


def test_size_matters_not_if_all_is_scaled():
    height = np.random.default_rng(4).normal(size=(20, 30))
    for one in (ambient_occlusion, cavity):
        small = one(height, Grid(20, 30, size=30.0))
        large = one(height * 64.0, Grid(20, 30, size=30.0 * 64.0))
        np.testing.assert_allclose(large, small, atol=1e-5)


def test_contrast():
    height = np.random.default_rng(4).normal(size=(20, 30))
    grid = Grid(20, 30, size=100.0)
    assert (cavity(height, grid, contrast=0.0) == 0.0).all()
    soft, hard = cavity(height, grid, contrast=1.0), cavity(height, grid, contrast=50.0)
    assert (np.sign(soft) == np.sign(hard)).all() and (np.abs(hard) >= np.abs(soft)).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (5, 4), (30, 22)])
@pytest.mark.parametrize("stride", [1, 3, 11])
@pytest.mark.parametrize("wrap", [False, True])
def test_smoothing_is_its_formula(shape, stride, wrap):
    field = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    expected = field.astype(np.float64)
    for axis in (0, 1):
        count = shape[axis]
        parts = []
        for offset in (-stride, 0, stride):
            index = np.arange(count) + offset
            if wrap:
                parts.append(expected.take(index % count, axis))
                continue
            inside = np.clip(index, 0, count - 1)
            mirrored = expected.take(np.clip(2 * inside - index, 0, count - 1), axis)
            outside = np.expand_dims(index != inside, 1 - axis)
            parts.append(np.where(outside, 2 * expected.take(inside, axis) - mirrored, mirrored))
        expected = (parts[0] + 2 * parts[1] + parts[2]) / 4
    np.testing.assert_allclose(smooth(field, stride, wrap), expected, atol=1e-5)


def test_smoothing_helpers():
    assert [strides(widest) for widest in (0.4, 0.5, 1.0, 3.0, 8.0)] == [
        *([], [1], [1], [1, 2, 3], [1, 2, 4, 8])
    ]
    line = np.array([[1.0, 2.0, 4.0]], np.float32)
    assert pad(line, 2, 1, False).tolist() == [[-2.0, 0.0, 1.0, 2.0, 4.0, 6.0, 7.0]]
    assert pad(line, 2, 1, True).tolist() == [[2.0, 4.0, 1.0, 2.0, 4.0, 1.0, 2.0]]


@pytest.mark.parametrize("shape", [(128, 256), (96, 80), (75, 128)])
def test_large_fields_look_the_same_though_not_all_samples_are_looked_at(shape):
    grid = Grid(*shape, wrap=True, size=100.0)
    ground = Fractal(source=Perlin(frequency=4.0), octaves=4).sample_grid(grid, 2) * 5.0
    surface = HeightField(ground, Level.from_grid(grid))
    # Horizons a few samples away are found at other places on half the samples.
    for one, near in ((Cavity(radius=12.0), 2e-3), (Cavity(), 2e-3), (AmbientOcclusion(), 0.06)):
        whole = one.read(surface, unheard)
        large = one.read_large(surface, unheard)
        assert large.dtype == np.float32 and large.shape == shape
        assert np.abs(large - whole).mean() < near, one
        assert np.ptp(whole) > 0.2, "there is something to see"
        low, high = one.bounds()
        assert low <= large.min() and large.max() <= high
    assert (
        Slope().read_large(surface, unheard).tobytes() == Slope().read(surface, unheard).tobytes()
    )


def test_wide_crevices_are_exact_at_every_second_sample():
    grid = Grid(64, 96, wrap=True, size=100.0)
    white = np.random.default_rng(3).normal(size=grid.shape).astype(np.float32)
    surface = HeightField(white, Level.from_grid(grid))
    one = Cavity(radius=grid.size / 6.0)  # strides of 1, 2, 4 and 8 samples
    whole, large = one.read(surface, unheard), one.read_large(surface, unheard)
    np.testing.assert_allclose(large[::2, ::2], whole[::2, ::2], atol=1e-5)
    between = np.abs(large - whole)
    assert 1e-5 < between.max() < 0.05, "between them they are interpolated"
    assert between.mean() < 0.004, "white noise is the roughest ground there is"
