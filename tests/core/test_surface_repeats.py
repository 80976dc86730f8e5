# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces show no repetition within a tile: in a picture of 3 x 3 tiles one sees tiles repeat where something within one does."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.materials.surfaces import surface, surface_names
from tests.drawing import IS_DEEP

SIDE = 128
LAMP = np.array([-0.52, 0.50, 0.69], np.float32)
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)

NEAR = 0.15
"""Of a tile: how wide the peak of the autocorrelation may be, which a surface's own grains and folds make."""

MOST = 0.2

REGULAR = {
    "brick": "laid in courses",
    "concrete": "cast in boards",
    "fabric_weave": "woven",
    "hexagons": "laid in rows",
    "roof_tiles": "laid in courses",
    "sandstone_strata": "laid down in beds",
    "wood_planks": "laid in rows",
}
"""Surfaces that repeat in the world, and why."""


def picture(name: str, seed: int) -> np.ndarray:
    """Return a surface under a lamp, in grays as an eye sees them, shape (SIDE, SIDE)."""
    maps = surface(name).textures(Grid(SIDE, SIDE, wrap=True), seed, ("base_color", "normal"))
    normal = maps["normal"]
    lit = np.clip(normal @ LAMP, 0.0, None)
    return np.sqrt(np.clip(maps["base_color"] @ LUMINANCE * (0.3 + lit), 0.0, None))


def repetition(gray: np.ndarray) -> float:
    """Return the largest autocorrelation of a seamless picture beside its peak, from -1 to 1."""
    power = np.abs(np.fft.fft2(gray - gray.mean(dtype=np.float64))) ** 2
    correlation = np.fft.ifft2(power).real
    steps = np.fft.fftfreq(SIDE)
    away = np.hypot(steps[:, np.newaxis], steps)
    return float((correlation / correlation[0, 0])[away > NEAR].max())


@pytest.mark.parametrize("name", surface_names())
def test_nothing_repeats_within_a_tile(name):
    found = [repetition(picture(name, seed)) for seed in ((0, 3, 8) if IS_DEEP else (0,))]
    if name in REGULAR:
        assert max(found) >= MOST, "no exception is needed any more"
    else:
        assert max(found) < MOST


def test_a_pattern_that_repeats_is_seen():
    x = np.arange(SIDE) / SIDE
    random = np.random.default_rng(1).normal(size=(SIDE, SIDE))
    waves = np.sin(2.0 * np.pi * 4.0 * x)[:, np.newaxis] + random
    assert repetition(random) < 0.1 < MOST < repetition(waves)
