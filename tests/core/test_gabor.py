# SPDX-License-Identifier: GPL-3.0-or-later
"""Gabor and phasor noise: the band and the directions of their energy, their heights, their seams."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.noises import Gabor

SIDE = 256


def spectrum(noise, seed=4):
    """Return the energy of a wrapping field, the waves per tile and their directions in degrees, [0, 180)."""
    field = noise.sample_grid(Grid(SIDE, SIDE, wrap=True), seed)
    energy = np.abs(np.fft.fft2(field)) ** 2
    along = np.fft.fftfreq(SIDE, 1.0 / SIDE)
    turn = np.degrees(np.arctan2(along[:, np.newaxis], along)) % 180.0
    return energy / energy.sum(), np.hypot(along[:, np.newaxis], along), turn


@pytest.mark.parametrize("bandwidth", [0.2, 0.4, 0.8])
@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_energy_lies_in_the_band(bandwidth, spread):
    energy, waves, _ = spectrum(Gabor(frequency=32.0, bandwidth=bandwidth, spread=spread))
    apart = np.abs(waves / 32.0 - 1.0)
    # A bell's spectrum is near a Gaussian: half its height at half the width, 0.2 % of its energy beyond 1.2 of it.
    assert energy[apart > 1.2 * bandwidth].sum() < 0.01
    assert energy[apart > 0.5 * bandwidth].sum() > 0.02


@pytest.mark.parametrize("direction", [0.0, 30.0, 90.0, 135.0])
def test_energy_lies_in_the_direction(direction):
    energy, _, turn = spectrum(
        Gabor(frequency=32.0, bandwidth=0.2, spread=0.1, direction=direction)
    )
    apart = np.abs((turn - direction + 90.0) % 180.0 - 90.0)
    # 9 degrees of spread to either side, and the width of the band.
    assert energy[apart > 9.0 + 20.0].sum() < 0.01


def test_all_around_no_direction_is_preferred():
    energies = [spectrum(Gabor(frequency=32.0, spread=1.0), seed) for seed in range(6)]
    energy = np.mean([one[0] for one in energies], axis=0)
    eighths = [energy[np.floor(energies[0][2] / 22.5) == k].sum() for k in range(8)]
    assert max(eighths) / min(eighths) < 1.4


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("rest", [(), (0.3,)])
def test_deviation_is_as_stated(spread, rest):
    noise = Gabor(frequency=24.0, spread=spread)
    fields = [noise.sample_grid(Grid(96, 96), seed, evolution=rest) for seed in range(4)]
    assert np.std(fields) == pytest.approx(0.3, rel=0.12)
    assert abs(np.mean(fields)) < 0.02


@pytest.mark.parametrize("profile", ["sine", "triangle", "saw", "square"])
def test_phasor_noise_has_full_height_everywhere(profile):
    field = Gabor(frequency=32.0, profile=profile).sample_grid(Grid(SIDE, SIDE), 3)
    assert field.min() >= -1.0 and field.max() <= 1.0
    # Squares of two waves a side: each has nearly the lowest and the highest value.
    squares = field.reshape(16, 16, 16, 16).transpose(0, 2, 1, 3).reshape(256, -1)
    assert np.mean(np.ptp(squares, axis=1) > 1.5) > 0.99


def test_profiles_are_those_of_one_phase():
    grid = Grid(64, 64)
    sine, saw, triangle, square = (
        Gabor(profile=profile).sample_grid(grid, 2).astype(float)
        for profile in ("sine", "saw", "triangle", "square")
    )
    turns = 0.5 * saw + 0.5
    np.testing.assert_allclose(sine, np.sin(2.0 * np.pi * turns), atol=1e-5)
    np.testing.assert_allclose(triangle, 1.0 - 4.0 * np.abs((turns + 0.25) % 1.0 - 0.5), atol=1e-5)
    sure = np.abs(sine) > 1e-5
    assert np.array_equal(square[sure], np.sign(sine[sure]))


def test_a_torus_thinner_than_a_kernel_closes():
    field = Gabor(frequency=3.0, bandwidth=0.2).sample_grid(Grid(64, 64, wrap=True), 1)
    for axis in (0, 1):
        steps = np.abs(np.diff(field, axis=axis)).max()
        seam = np.abs(np.take(field, 0, axis) - np.take(field, -1, axis)).max()
        assert seam <= 1.1 * steps


@pytest.mark.parametrize(
    "values", [{"bandwidth": 0.0}, {"spread": 1.5}, {"profile": "round"}, {"frequency": 0.0}]
)
def test_bad_values_are_refused(values):
    with pytest.raises(ParameterError, match=rf"^Gabor\.{next(iter(values))} must "):
        Gabor(**values)


@pytest.mark.parametrize("dimension", [1, 4])
def test_other_dimensions_are_refused(dimension):
    with pytest.raises(ParameterError, match="points must have 2, 3 coordinates; got"):
        Gabor().sample(np.zeros((1, dimension)))
