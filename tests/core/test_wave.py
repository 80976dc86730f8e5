# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves: their profiles against mathematics, and how they close on a torus."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.noises import Wave

PROFILES = {
    "sine": lambda t: np.sin(2.0 * np.pi * t),
    "triangle": lambda t: 1.0 - 4.0 * np.abs((t + 0.25) % 1.0 - 0.5),
    "saw": lambda t: 2.0 * (t % 1.0) - 1.0,
}
EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES)


@EVERY_PROFILE
def test_bands_have_their_profile_along_their_angle(profile):
    points = np.random.default_rng(1).uniform(-2.0, 2.0, (500, 2))
    noise = Wave(frequency=3.0, profile=profile, angle=30.0, phase=0.2)
    along = points @ (np.cos(np.pi / 6.0), np.sin(np.pi / 6.0)) * 3.0 + 0.2
    apart = np.abs(noise.sample(points) - PROFILES[profile](along))
    assert apart[np.abs(along - np.rint(along)) > 1e-4].max() < 5e-4


@EVERY_PROFILE
def test_rings_have_their_profile_from_their_center(profile):
    points = np.random.default_rng(2).uniform(-2.0, 2.0, (500, 2))
    noise = Wave(frequency=2.5, profile=profile, shape="rings", center=(0.3, -0.4))
    along = np.hypot(*(points - (0.3, -0.4)).T) * 2.5
    apart = np.abs(noise.sample(points) - PROFILES[profile](along))
    assert apart[np.abs(along - np.rint(along)) > 1e-4].max() < 5e-4


@EVERY_PROFILE
def test_a_spiral_has_its_profile_from_its_center_and_around_it(profile):
    points = np.random.default_rng(2).uniform(-2.0, 2.0, (500, 2))
    noise = Wave(frequency=2.5, profile=profile, shape="spiral", center=(0.3, -0.4))
    x, y = (points - (0.3, -0.4)).T
    along = np.hypot(x, y) * 2.5 + np.arctan2(x, y) / (2.0 * np.pi)
    apart = np.abs(noise.sample(points) - PROFILES[profile](along))
    assert apart[np.abs(along - np.rint(along)) > 1e-4].max() < 5e-4


def test_a_spiral_meets_itself_at_the_edges_of_a_tile():
    def field(side):
        noise = Wave(frequency=4.0, shape="spiral", center=(0.5, 0.5))
        return noise.sample_grid(Grid(side, side, wrap=True))

    def largest_step(field):
        # Away from the points half a tile aside, which it winds back around.
        eighth = len(field) // 8
        return np.abs(field[0] - field[-1])[eighth : 3 * eighth].max()

    assert largest_step(field(512)) < 0.6 * largest_step(field(256)) < 0.1
    plain = Wave(frequency=4.0, shape="spiral", center=(0.5, 0.5)).sample_grid(Grid(257, 257))
    middle = slice(112, 144)
    np.testing.assert_allclose(field(256)[middle, middle], plain[middle, middle], atol=0.05)


@pytest.mark.parametrize("shape", ["bands", "rings", "spiral"])
def test_waves_far_from_the_origin_keep_their_shape(shape):
    near, far = Wave(shape=shape, center=(0.0, 0.0)), Wave(shape=shape, center=(900.0, 0.0))
    points = np.random.default_rng(3).uniform(-1.0, 1.0, (200, 2))
    apart = np.abs(near.sample(points) - far.sample(points + (900.0, 0.0)))
    assert apart.max() < 1e-4


@pytest.mark.parametrize("angle", [0.0, 27.0, 90.0, -135.0])
@EVERY_PROFILE
def test_bands_close_on_a_torus_near_the_angle_that_was_asked(profile, angle):
    noise = Wave(frequency=6.3, profile=profile, angle=angle)
    count = 240
    field = noise.sample_grid(Grid(count, count, wrap=True))
    spectrum = np.abs(np.fft.fft2(field))
    row, column = np.unravel_index(spectrum.argmax(), spectrum.shape)
    whole = np.array([column, row]) - count * (np.array([column, row]) > count // 2)
    expected = 6.3 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    assert min(np.abs(whole - expected).max(), np.abs(whole + expected).max()) <= 0.5 + 1e-9


def test_rings_on_a_torus_go_around_the_nearest_image():
    count = 64
    field = Wave(frequency=4.0, shape="rings", center=(0.1, 0.9)).sample_grid(
        Grid(count, count, wrap=True)
    )
    x, y = np.meshgrid(np.arange(count) / count, np.arange(count) / count)
    apart = [np.abs(axis - middle) for axis, middle in ((x, 0.1), (y, 0.9))]
    nearest = np.hypot(*(np.minimum(one, 1.0 - one) for one in apart))
    np.testing.assert_allclose(field, np.sin(2.0 * np.pi * 4.0 * nearest), rtol=0.0, atol=5e-4)


def test_a_whole_phase_changes_nothing_and_half_a_one_turns_sines_over():
    grid = Grid(33, 33)
    field = Wave(frequency=2.0).sample_grid(grid)
    np.testing.assert_allclose(Wave(frequency=2.0, phase=3.0).sample_grid(grid), field, atol=1e-6)
    np.testing.assert_allclose(Wave(frequency=2.0, phase=0.5).sample_grid(grid), -field, atol=1e-6)


@pytest.mark.parametrize("profile", ["sine", "triangle", "saw"])
def test_slopes_of_a_spiral_are_those_of_its_formula(profile):
    def turns(x, y):
        return 3.0 * np.hypot(x, y) + np.arctan2(x, y) / (2.0 * np.pi)

    angles = np.linspace(0.1, 6.2, 40)
    x, y = 7.3 * np.cos(angles), 7.3 * np.sin(angles)
    noise = Wave(frequency=3.0, shape="spiral", profile=profile, center=(0.0, 0.0))
    value, slopes = noise.slopes((x, y), 0, None)
    share = turns(x, y) % 1.0
    rates = {
        "sine": 2.0 * np.pi * np.cos(2.0 * np.pi * share),
        "triangle": np.where((share < 0.25) | (share >= 0.75), 4.0, -4.0),
        "saw": np.full(40, 2.0),
    }
    for place, found in enumerate(slopes):
        step = np.array([1e-6, 0.0]) if place == 0 else np.array([0.0, 1e-6])
        rise = (turns(x + step[0], y + step[1]) - turns(x - step[0], y - step[1])) / 2e-6
        kept = np.abs(rise) < 10.0  # not where atan2 jumps
        np.testing.assert_allclose(found[kept], (rates[profile] * rise)[kept], rtol=2e-3, atol=2e-3)
