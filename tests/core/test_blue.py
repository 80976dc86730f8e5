# SPDX-License-Identifier: GPL-3.0-or-later
"""Blue noise: each value once in a mask, no low frequencies, and the samples above a threshold lie spread."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Cancelled, Grid
from noise_core.base.blocks import cancellable
from noise_core.noises import Blue, White
from noise_core.noises.blue import SIDE, mask_ranks


def cells(noise, seed=0, count=SIDE):
    """Return the noise in the middles of cells, of which a tile has `count` a side."""
    middles = (np.arange(count) + 0.5) / SIDE
    points = np.stack(np.meshgrid(middles, middles), axis=-1)
    return type(noise)(frequency=float(SIDE)).sample(points, seed)


def power(field, low, high):
    """Return the mean power between two frequencies in waves a cell, over that of all."""
    spectrum = np.abs(np.fft.fft2(field - field.mean())) ** 2
    along = np.fft.fftfreq(SIDE)
    frequency = np.hypot(along[:, np.newaxis], along)
    expected = (frequency > low) & (frequency <= high)
    return spectrum[expected].mean() / spectrum[frequency > 0.0].mean()


def test_every_value_comes_once_in_even_steps():
    assert np.array_equal(np.sort(mask_ranks(), axis=None), np.arange(SIDE * SIDE))
    values = np.sort(cells(Blue(), seed=9), axis=None)
    assert np.array_equal(np.unique(np.diff(values)), [np.float32(2.0 / SIDE**2)])
    assert values.sum(dtype=np.float64) == 0.0


def test_it_lacks_low_frequencies_where_white_noise_has_all():
    blue, white = cells(Blue()), cells(White())
    assert power(blue, 0.0, 0.2) < 0.01 < 0.5 < power(white, 0.0, 0.2)
    assert power(blue, 0.3, 0.5) > 1.0


@pytest.mark.parametrize("share", [0.02, 0.1, 0.25, 0.5])
def test_a_threshold_keeps_its_share_spread_evenly(share):
    kept = cells(Blue(), seed=4) < 2.0 * share - 1.0
    assert kept.mean() == pytest.approx(share, abs=1.0 / SIDE**2)
    assert power(kept.astype(float), 0.0, 0.35 * share**0.5) < 0.25
    # As many in each quarter of the mask, within a fortieth of the share.
    quarters = kept.reshape(2, SIDE // 2, 2, SIDE // 2).mean(axis=(1, 3))
    assert np.ptp(quarters) < max(0.1 * share, 4.0 / SIDE**2)


def test_no_direction_is_preferred():
    spectrum = np.abs(np.fft.fft2(cells(Blue()))) ** 2
    along = np.fft.fftfreq(SIDE)
    frequency = np.hypot(along[:, np.newaxis], along)
    turn = np.arctan2(along[:, np.newaxis], along)
    ring = (frequency > 0.3) & (frequency < 0.45)
    eighths = [spectrum[ring & (np.floor(turn / (np.pi / 4)) == k)].mean() for k in range(-4, 4)]
    assert max(eighths) / min(eighths) < 1.35


def test_a_torus_of_whole_masks_has_no_line():
    grid = Grid(2 * SIDE, 2 * SIDE, wrap=True)
    field = Blue(frequency=2.0 * SIDE).sample_grid(grid, 5)
    for axis in (0, 1):
        assert np.array_equal(np.roll(field, SIDE, axis), field)
    moved = np.roll(field, (SIDE // 2, SIDE // 2), (0, 1))[:SIDE, :SIDE]
    assert power(moved, 0.0, 0.2) < 0.01


def test_seeds_turn_mirror_and_move_the_mask():
    fields = {cells(Blue(), seed).tobytes() for seed in range(200)}
    assert len(fields) == 200
    for seed in (1, 2, 3):
        assert power(cells(Blue(), seed), 0.0, 0.2) < 0.01


def test_it_goes_on_at_negative_places():
    middles = (np.arange(-SIDE, SIDE) + 0.5) / SIDE
    points = np.stack(np.meshgrid(middles, middles), axis=-1)
    field = Blue(frequency=float(SIDE)).sample(points, 3)
    assert np.array_equal(field[:SIDE, :SIDE], field[SIDE:, SIDE:])


def test_making_the_mask_can_be_cancelled_and_is_then_made_anew():
    mask_ranks.cache_clear()
    with pytest.raises(Cancelled), cancellable(lambda: True):
        mask_ranks()
    assert mask_ranks().shape == (SIDE, SIDE)
