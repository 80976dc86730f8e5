# SPDX-License-Identifier: GPL-3.0-or-later
"""Averages and slopes in windows."""

from __future__ import annotations

from noise_core.base.arrays import Field
from noise_core.rasters import boxes
from noise_core.rasters.level import Level

from ..base.tiling import Window
from .parts import check_holds, part, window_of


def blur_needs(want: Window, level: Level, deviation: float) -> Window:
    """Return the window that a blurred one depends on; the deviation is in meters."""
    return window_of(boxes.source_part(part(level, want), deviation))


def blur(values: Field, source: Window, level: Level, want: Window, deviation: float) -> Field:
    """Return a window smoothed by a Gaussian; the deviation is in meters."""
    check_holds(source, blur_needs(want, level, deviation), "blur")
    return boxes.blur(values, part(level, source), deviation, target=part(level, want))
