# SPDX-License-Identifier: GPL-3.0-or-later
"""Heaps of cloud: how much of the sky they hide, how the sun lights them, and that they are the same again."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import Cancelled
from noise_core.base.blocks import on_threads
from noise_core.landscapes import cumulus
from noise_core.landscapes.cumulus import draw_cumulus

pytestmark = pytest.mark.newest

SIDE = 160


def sun(elevation: float, direction: float) -> tuple[float, float, float]:
    up, turn = math.radians(elevation), math.radians(direction)
    return math.sin(turn) * math.cos(up), math.cos(turn) * math.cos(up), math.sin(up)


def shown(x: float, y: float, z: float) -> tuple[int, int]:
    """Return row and column of the pixel that shows a direction."""
    length = math.sqrt(x * x + y * y + z * z)
    u, v = (0.5 + 0.5 * one / length / (1.0 + z / length) for one in (x, y))
    return int(v * SIDE), int(u * SIDE)


def test_more_cover_hides_more_of_the_sky() -> None:
    hidden = []
    for cover in (0.0, 0.05, 0.2, 0.5):
        image = draw_cumulus(cover, 3, sun(20.0, 90.0), side=SIDE)
        assert image.shape == (SIDE, SIDE, 3) and image.dtype == np.float32
        assert image.min() >= 0.0 and image.max() <= 1.0
        hidden.append(float(image[..., 2].mean()))
    assert hidden[0] < 0.02 and all(np.diff(hidden) > 0.04)


def test_clouds_are_above_the_horizon_and_send_no_light_where_there_are_none() -> None:
    image = draw_cumulus(0.3, 3, sun(20.0, 90.0), side=SIDE)
    places = (np.arange(SIDE) + 0.5) / SIDE * 2.0 - 1.0
    outside = np.hypot(places, places[:, np.newaxis]) > 1.0
    assert not image[outside].any()
    clear = image[..., 2] == 0.0
    assert clear.any() and not image[clear].any()


@pytest.mark.parametrize("direction", [0.0, 90.0, 200.0])
def test_clouds_towards_the_sun_have_bright_edges(direction: float) -> None:
    image = draw_cumulus(0.3, 3, sun(25.0, direction), side=SIDE)
    x, y, _ = sun(25.0, direction)
    here = (shown(x, y, 0.35), shown(-x, -y, 0.35))
    means = []
    for row, column in here:
        near = image[max(row - 18, 0) : row + 18, max(column - 18, 0) : column + 18]
        means.append(float(near[..., 0].sum() / near[..., 2].sum()))
    assert means[0] > 1.1 * means[1]


def test_a_low_sun_lights_clouds_less_than_a_high_one_from_below() -> None:
    high, low = (draw_cumulus(0.5, 3, sun(value, 90.0), side=SIDE) for value in (70.0, 8.0))
    middle = slice(SIDE // 3, 2 * SIDE // 3)
    light = [one[middle, middle, 0].sum() / one[middle, middle, 2].sum() for one in (high, low)]
    assert light[0] > light[1]
    below = draw_cumulus(0.5, 3, sun(-30.0, 90.0), side=SIDE)
    assert np.isfinite(below).all() and below[..., 0].max() > 0.0


@pytest.mark.newest
def test_few_wisps_are_missed_where_no_clouds_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for cover in (0.05, 0.12, 0.3):
        fast = draw_cumulus(cover, 3, sun(20.0, 90.0), side=4 * SIDE)
        with monkeypatch.context() as patched:
            patched.setattr(cumulus, "_find_spans", _everywhere)
            whole = draw_cumulus(cover, 3, sun(20.0, 90.0), side=4 * SIDE)
        assert abs(fast[..., 2].mean() / whole[..., 2].mean() - 1.0) < 0.01
        assert (np.abs(fast - whole).max(axis=-1) > 0.05).mean() < 0.003


def _everywhere(layer: object, side: int) -> tuple[cumulus.Numbers, cumulus.Numbers]:
    """Look for clouds at all steps."""
    return np.zeros((side, side), np.int8), np.full((side, side), 127, np.int8)


def test_they_are_the_same_on_any_number_of_threads_and_others_by_another_seed() -> None:
    with on_threads(1):
        first = draw_cumulus(0.2, 3, sun(20.0, 90.0), side=SIDE)
    with on_threads(3):
        second = draw_cumulus(0.2, 3, sun(20.0, 90.0), side=SIDE)
    np.testing.assert_array_equal(first, second)
    clouds = draw_cumulus(0.2, 4, sun(20.0, 90.0), side=SIDE)
    assert np.abs(clouds - first).mean() > 0.01


def test_drawing_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        draw_cumulus(0.2, 3, sun(20.0, 90.0), side=SIDE, cancel=lambda: True)
