# SPDX-License-Identifier: GPL-3.0-or-later
"""Resampling of fields at bent places: where edges meet, far places are those beside the samples."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.erosion.stream.between_samples import resample, resample_all

ROWS, COLUMNS = 37, 90


@pytest.fixture
def field():
    return np.random.default_rng(3).normal(0.0, 100.0, (ROWS, COLUMNS)).astype(np.float32)


@pytest.fixture
def offsets():
    """Return offsets of up to five samples, of which float32 holds sums with whole numbers exactly."""
    chance = np.random.default_rng(4)
    return tuple(
        chance.integers(-320, 320, (ROWS, COLUMNS)).astype(np.float32) / 64 for _ in range(2)
    )


def test_whole_samples_are_moved_as_they_are(field):
    for down, right in ((0, 0), (3, -5), (-40, 64), (5 * ROWS + 2, -7 * COLUMNS)):
        whole = tuple(np.full(field.shape, one, np.float32) for one in (down, right))
        moved = resample(field, whole, wrap=True)
        assert np.array_equal(moved, np.roll(field, (-down, -right), (0, 1)))


@pytest.mark.parametrize("turns", [(1, 0), (0, -1), (-2, 3), (50, 50)])
def test_a_turn_around_the_torus_changes_no_bit(field, offsets, turns):
    far = tuple(one + np.float32(n * count) for one, n, count in zip(offsets, turns, field.shape))
    assert np.array_equal(resample(field, offsets, wrap=True), resample(field, far, wrap=True))


def test_no_place_lies_beyond_a_border(field, offsets):
    far = tuple(np.full(field.shape, 1000.0, np.float32) for _ in range(2))
    assert np.array_equal(resample(field, far, wrap=False), np.full(field.shape, field[-1, -1]))


@pytest.mark.parametrize("wrap", [False, True])
def test_fields_that_are_moved_together_have_the_bits_of_each(field, offsets, wrap):
    single = np.zeros((1, 1), np.float32)
    other = np.ascontiguousarray(field[::-1])
    moved = resample_all((field, single, other), offsets, wrap)
    assert moved[1] is single
    for whole, result in ((field, moved[0]), (other, moved[2])):
        assert np.array_equal(result, resample(whole, offsets, wrap))
