# SPDX-License-Identifier: GPL-3.0-or-later
"""Averages and slopes in windows."""

from __future__ import annotations

from collections.abc import Sequence

from noise_core.base.arrays import Field
from noise_core.rasters import boxes
from noise_core.rasters import smoothing as averages
from noise_core.rasters import steepness as slopes
from noise_core.types.level import Level

from ..tiling import Window
from .parts import check_holds, local, part, window_of


def smooth(
    values: Field, have: Window, level: Level, want: Window, strides: Sequence[int]
) -> Field:
    """Return a window averaged once for each stride, which needs all strides together around it."""

    def average(within: Level) -> Field:
        field = values
        for stride in strides:
            field = averages.smooth(field, stride, within.wrap)
        return field

    return local(average, level, have, want, sum(strides))


def steepness(values: Field, have: Window, level: Level, want: Window) -> Field:
    """Return rise over run in a window, which needs one sample around it."""
    return local(lambda within: slopes.steepness(values, within), level, have, want, 1)


def blur_needs(want: Window, level: Level, deviation: float) -> Window:
    """Return the window that a blurred one depends on; the deviation is in meters."""
    return window_of(boxes.source_part(part(level, want), deviation))


def blur(values: Field, have: Window, level: Level, want: Window, deviation: float) -> Field:
    """Return a window smoothed by a Gaussian; the deviation is in meters."""
    check_holds(have, blur_needs(want, level, deviation), "blur")
    return boxes.blur(values, part(level, have), deviation, target=part(level, want))
