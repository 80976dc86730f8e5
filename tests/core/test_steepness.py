# SPDX-License-Identifier: GPL-3.0-or-later
"""Rise over run, by differences."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.rasters.level import Level
from noise_core.rasters.steepness import rise_over_run, smoothstep, steepness


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
@pytest.mark.parametrize("shape", [(2, 2), (30, 41)])
def test_a_plane_is_as_steep_everywhere(shape, scale):
    y, x = np.mgrid[: shape[0], : shape[1]]
    plane = ((0.3 * 5.0 * x - 0.4 * 4.0 * y) * scale).astype(np.float32)
    result = steepness(plane, Level(*shape, 4.0, 5.0, False))
    np.testing.assert_allclose(result, 0.5 * scale, rtol=2e-4)


def test_a_torus_has_no_border():
    field = np.random.default_rng(2).normal(size=(12, 9)).astype(np.float32)
    level = Level(12, 9, 2.0, 1.0, True)
    rolled = steepness(np.roll(field, (5, 4), (0, 1)), level)
    np.testing.assert_array_equal(rolled, np.roll(steepness(field, level), (5, 4), (0, 1)))
    middle = (field[5, 3] - field[5, 1]) / 2.0, (field[6, 2] - field[4, 2]) / 4.0
    assert steepness(field, level)[5, 2] == pytest.approx(np.hypot(*middle), rel=1e-5)


def test_one_sample_is_level():
    assert steepness(np.ones((1, 1), np.float32), Level(1, 1, 1.0, 1.0, False)) == 0.0


def test_ease_rises_from_nothing_to_all():
    values = np.linspace(-1.0, 4.0, 501, dtype=np.float32)
    result = smoothstep(values.copy(), 0.5, 2.5)
    assert (result[values <= 0.5] == 0.0).all() and (result[values >= 2.5] == 1.0).all()
    assert (np.diff(result) >= 0.0).all()
    assert result[250] == pytest.approx(0.5, abs=1e-5)


def test_angles():
    assert rise_over_run(45.0) == pytest.approx(1.0)
    assert np.isfinite(rise_over_run(90.0))
