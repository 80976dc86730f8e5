# SPDX-License-Identifier: GPL-3.0-or-later
"""Each coloring against its formula, written out; and the promises of all."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Cancelled, Grid, ParameterError, coloring_types
from noise_core.lattice.seed_shifts import copy_seed, seed_shift
from noise_core.materials.colorings import (
    Cells,
    Clouds,
    FourColorWarp,
    InvertedCells,
    Marble,
    SeaLevel,
    VoronoiRegions,
    WoodRings,
)
from noise_core.materials.colorings.four_color_warp import warp_colors
from noise_core.materials.colors.spaces import display_to_light, linear_to_srgb, srgb_to_linear
from noise_core.noises import Cellular, Constant, Fractal, Perlin, Value

GRID = Grid(37, 53, wrap=True)
EVERY = pytest.mark.parametrize("cls", coloring_types().values(), ids=lambda cls: cls.key)


def test_the_named_ones_are_there():
    assert list(coloring_types()) == [
        "cells",
        "clouds",
        "four_color_warp",
        "inverted_cells",
        "marble",
        "sea_level",
        "voronoi_regions",
        "wood_rings",
    ]


def test_sea_level():
    noise = Fractal(source=Perlin(frequency=3.0))
    value = (noise.sample_grid(GRID, 5) + 1.0) / 2.0
    picture = SeaLevel(source=noise).paint(GRID, 5, space="srgb")
    upper = value >= 128.0 / 255.0
    assert 0.1 < upper.mean() < 0.9
    assert (picture[..., 0] == 0.0).all()
    np.testing.assert_allclose(picture[..., 1], np.where(upper, value, 0.0), atol=1e-6)
    np.testing.assert_allclose(
        picture[..., 2], np.where(upper, 0.0, np.minimum(2.0 * value, 1.0)), atol=1e-6
    )


@pytest.mark.parametrize(
    ("noise", "color"),
    [
        (0.4, (0, 0.7, 0)),
        (-0.4, (0, 0, 0.6)),
        (0, (0, 0, 1)),
        (0.5001 / 127.5, (0, 128 / 255, 0)),
        (0.4999 / 127.5, (0, 0, 1)),
    ],
)
def test_sea_level_by_numbers(noise, color):
    pixel = SeaLevel(source=Constant(value=float(noise))).paint(Grid(1, 1), space="srgb")[0, 0]
    np.testing.assert_allclose(pixel, color, atol=1e-6)


@pytest.mark.parametrize(("noise", "gray"), [(0.0, 0.0), (0.33, 0.3), (-0.33, 0.7), (0.5, 0.0)])
def test_wood_rings_by_numbers(noise, gray):
    pixel = WoodRings(source=Constant(value=noise)).paint(Grid(1, 1), space="srgb")[0, 0]
    np.testing.assert_allclose(pixel, [gray] * 3, atol=1e-5)


def test_wood_rings():
    noise = Perlin(frequency=2.0)
    share = noise.sample_grid(GRID, 5) * np.float32(0.5) + np.float32(0.5)
    value = share * np.float32(20.0)
    picture = WoodRings(source=noise).paint(GRID, 5, space="srgb")
    for channel in range(3):
        np.testing.assert_array_equal(picture[..., channel], value - np.floor(value))


FOUR = ((0.101961, 0.619608, 0.666667), (0.666667, 0.666667, 0.498039), (0.0, 0.0, 0.164706),
        (0.666667, 1.0, 1.0))  # fmt: skip


def warp_formula(f, q, r, colors=FOUR):
    """Return the colors of one pixel as the source writes them."""

    def mix(a, b, t):
        return a + (b - a) * min(max(t, 0.0), 1.0)

    first, second, third, fourth = map(np.array, colors)
    color = mix(first, second, f * f * 4.0)
    color = mix(color, third, np.hypot(q[0], q[1]))
    color = mix(color, fourth, abs(r[0]))
    return (f**3 + 0.6 * f**2 + 0.5 * f) * color


def test_four_color_warp_has_the_formulas_colors():
    f, q0, q1, r0 = np.random.default_rng(3).uniform(0.0, 1.0, (4, 9, 11)).astype(np.float32)
    colors = warp_colors(f, [q0, q1], [r0, r0], FOUR)
    for place in np.ndindex(f.shape):
        expected = warp_formula(f[place], (q0[place], q1[place]), (r0[place], 0.0))
        np.testing.assert_allclose(colors[(slice(None), *place)], expected, atol=2e-6)


def test_four_color_warp_keeps_its_colors():
    assert colored_by(FourColorWarp()) == FOUR


def colored_by(warp):
    return (warp.low_color, warp.high_color, warp.bend_color, warp.fold_color)


def test_four_color_warp_moves_at_its_speed():
    warp, grid = FourColorWarp(), Grid(9, 9)
    fast = warp.with_values(speed=2.5)
    moved = warp.paint(grid, 3, (0.5, 1.0))
    assert fast.paint(grid, 3, (0.2, 0.4)).tobytes() == moved.tobytes()
    assert fast.paint(grid, 3).tobytes() == warp.paint(grid, 3).tobytes()
    still = warp.with_values(speed=0.0)
    assert still.paint(grid, 3, (0.2,)).tobytes() == still.paint(grid, 3, (0.7,)).tobytes()
    with pytest.raises(ParameterError, match="FourColorWarp.speed"):
        warp.with_values(speed=100.0).paint(grid, 3, (1e7,))


def test_four_color_warp_bends_twice():
    noise, strength, seed = Value(frequency=3.0), 0.25, 11
    grid = Grid(9, 9)
    axes = grid.axes()
    points = np.stack(np.meshgrid(axes.x, axes.y), -1)

    def share(at, level, axis):
        moved = at + seed_shift(seed, level, 4.0 / 3.0)[:2]
        return (noise.sample(moved, copy_seed(seed, 1 + 2 * level + axis)) + 1.0) / 2.0

    q = np.stack([share(points, 0, axis) for axis in (0, 1)], -1)
    r = np.stack([share(points + strength * q, 1, axis) for axis in (0, 1)], -1)
    f = (noise.sample(points + strength * r, seed) + 1.0) / 2.0
    colors = ((0.9, 0.1, 0.2), (0.1, 0.8, 0.3), (0.3, 0.2, 0.7), (0.6, 0.6, 0.1))
    names = ("low_color", "high_color", "bend_color", "fold_color")
    picture = FourColorWarp(source=noise, strength=strength, **dict(zip(names, colors))).paint(
        grid, seed, space="srgb"
    )
    for place in np.ndindex(f.shape):
        expected = np.clip(warp_formula(f[place], q[place], r[place], colors), 0.0, 1.0)
        np.testing.assert_allclose(picture[place], expected, atol=1e-5)


def test_cells_and_inverted_cells():
    noise = Cellular(frequency=5.0)
    value = (noise.sample_grid(GRID, 5) + 1.0) / 2.0
    for channel in range(3):
        np.testing.assert_allclose(
            Cells(source=noise).paint(GRID, 5, space="srgb")[..., channel], value, atol=1e-6
        )
        inverted = InvertedCells(source=noise).paint(GRID, 5, space="srgb")[..., channel]
        np.testing.assert_allclose(inverted, 1.0 - value, atol=1e-6)


def test_voronoi_regions_have_one_color_each():
    cells = Cellular(frequency=6.0, output="cell").sample_grid(GRID, 5)
    picture = VoronoiRegions(frequency=6.0).paint(GRID, 5)
    colors = []
    for value in np.unique(cells):
        inside = picture[cells == value]
        assert (inside == inside[0]).all()
        colors.append(inside[0])
    assert len(np.unique(colors, axis=0)) == len(colors) > 20
    # Red, green and blue have nothing to do with each other.
    assert np.abs(np.corrcoef(np.transpose(colors)) - np.eye(3)).max() < 0.6


def test_marble_is_a_wave_along_x_without_turbulence():
    picture = Marble(bands=4, strength=0.0).paint(GRID)
    assert (picture == picture[:1]).all()
    brightness = picture[0].sum(-1)
    expected = np.cos(2.0 * np.pi * 4.0 * np.arange(53) / 53)
    assert np.corrcoef(brightness, expected)[0, 1] > 0.9
    np.testing.assert_array_equal(np.argsort(brightness)[-1:], [0])


def test_clouds_by_numbers():
    def pixel(noise):
        clouds = Clouds(source=Constant(value=noise), cover=0.5, softness=0.4)
        return clouds.paint(Grid(1, 1))[0, 0]

    sky, half, white = pixel(0.0), pixel(0.4), pixel(0.8)
    assert sky[2] > 2.0 * sky[0]
    np.testing.assert_allclose(white, 1.0, atol=1e-6)
    np.testing.assert_allclose(half, (sky + white) / 2.0, atol=1e-6)


@EVERY
def test_pictures_are_colors(cls):
    picture = cls().paint(GRID, 3)
    assert picture.shape == (37, 53, 3) and picture.dtype == np.float32
    assert picture.min() >= 0.0 and picture.max() <= 1.0 and np.ptp(picture) > 0.1


@EVERY
def test_pictures_are_seamless(cls):
    grid = Grid(24, 32, wrap=True)
    shifted = Grid(24, 32, wrap=True, origin=(0.5, 0.375))
    rolled = np.roll(cls().paint(grid, 3), (-12, -16), (0, 1))
    apart = np.abs(rolled - cls().paint(shifted, 3))
    # Exact but where a rounding error of the position changes the region, or the ring.
    assert np.mean(apart > 1e-3) < 0.01


@EVERY
def test_pictures_move_with_evolution_and_change_with_the_seed(cls):
    first = cls().paint(GRID, 3)
    np.testing.assert_array_equal(first, cls().paint(GRID, 3, threads=1))
    assert np.abs(cls().paint(GRID, 3, (0.4,)) - first).max() > 0.01
    assert np.abs(cls().paint(GRID, 3, (0.4, 0.2)) - first).max() > 0.01
    assert np.abs(cls().paint(GRID, 4) - first).max() > 0.01


@EVERY
def test_small_sizes_work(cls):
    for rows, columns in ((1, 1), (1, 9), (3, 7)):
        assert np.isfinite(cls().paint(Grid(rows, columns, wrap=True))).all()


def test_errors_and_cancelling():
    with pytest.raises(ParameterError, match=r"SeaLevel\.paint: evolution must be up to 2"):
        SeaLevel().paint(GRID, 0, (0.0, 0.0, 0.0))
    with pytest.raises(ParameterError, match=r"WoodRings\.rings must be in \[0, 10000\]; got -1"):
        WoodRings(rings=-1.0)
    with pytest.raises(Cancelled):
        SeaLevel().paint(GRID, cancel=lambda: True)


@EVERY
def test_light_and_display_values_are_one_picture(cls):
    light, display = (cls().paint(GRID, 3, space=space) for space in ("linear", "srgb"))
    np.testing.assert_array_equal(light, cls().paint(GRID, 3))
    np.testing.assert_allclose(light, srgb_to_linear(display), atol=2e-7)
    np.testing.assert_allclose(linear_to_srgb(light), display, atol=2e-6)
    assert light.mean() < display.mean() - 0.01
    with pytest.raises(ParameterError, match=rf"{cls.__name__}\.paint: space must be 'linear' or "):
        cls().paint(GRID, 3, space="raw")


def test_the_table_of_light_is_its_formula():
    values = np.random.default_rng(1).uniform(-0.1, 1.1, 200_000).astype(np.float32)
    values = np.concatenate((values, np.linspace(0.0, 1.0, 65_536, dtype=np.float32)))
    expected = srgb_to_linear(np.clip(values, 0.0, 1.0))
    np.testing.assert_allclose(display_to_light(values), expected, rtol=0.0, atol=1.5e-7)
    assert values.min() < 0.0  # the argument is not changed
