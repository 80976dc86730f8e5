# SPDX-License-Identifier: GPL-3.0-or-later
"""Deposits of rivers and slides at the foot of walls, as steep as measured fans and aprons."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.landscapes.preset_library import preset
from tests.core.preset_lands import land

pytestmark = pytest.mark.newest


def slopes_of(name, samples):
    """Return the heights and the slopes, in degrees, of a preset's land, and its maps."""
    made = land(name, samples)
    rise = np.gradient(made.height.astype(float), preset(name).size / (samples - 1))
    return made.height, np.degrees(np.arctan(np.hypot(*rise))), made.maps


def test_walls_of_mesas_have_aprons_over_a_quarter_of_their_height():
    height, slopes, _ = slopes_of("mesa", 1025)
    foot, top = (
        -200.0,
        330.0,
    )  # of the walls: where floors and tables are steeper than a few degrees
    quarter = foot + 0.25 * (top - foot)
    apron = slopes[(height > foot) & (height < quarter)]
    assert 30.0 < np.median(apron) < 37.0
    wall = slopes[(height > 0.5 * (foot + top)) & (height < top - 60.0)]
    assert np.median(wall) > 50.0


def test_valleys_fill_with_fans():
    """Fans have 3 to 10 degrees, for instance Blair & McPherson (1994)."""
    _, slopes, maps = slopes_of("alps", 513)
    assert np.mean(maps["deposit"] > 5.0) > 0.05
    assert 3.0 < np.median(slopes[maps["deposit"] > 5.0]) < 10.0
