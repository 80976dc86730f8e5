# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows as parts of levels, and functions that need neighbors up to some distance."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from noise_core.base.arrays import Field
from noise_core.rasters.level import Level

from ..tiling import Tiling, Window


def part(level: Level, window: Window) -> Level:
    """Return the part of a whole level that a window covers."""
    return level.part(*dataclasses.astuple(window))


def window_of(level: Level) -> Window:
    """Return the window that a part of a level covers."""
    return Window(*level.begin, *level.shape)


def tiling_of(level: Level, side: int) -> Tiling:
    """Return a whole level divided into tiles."""
    return Tiling(level.rows, level.columns, side, level.wrap)


def grow(window: Window, level: Level, margin: int) -> Window:
    """Return a window with so many more samples on every side, but none beyond a border of the level."""
    return window_of(part(level, window).grow(margin, margin))


def local(
    function: Callable[[Level], Field], level: Level, source: Window, want: Window, margin: int
) -> Field:
    """Return the values of a function of a part, where edges that are no borders are too far away to matter.

    Parameters
    ----------
    function : callable
        Takes the part of the level that `source` covers. Its values depend on those around, up to `margin`
        samples away, and at a border on samples as far inside.
    level : Level
        The whole one.
    source, want : Window
    margin : int
        In samples.

    Raises
    ------
    ValueError
        If `source` does not hold so many samples around `want`.
    """
    check_holds(source, grow(want, level, margin), "local")
    return np.ascontiguousarray(function(part(level, source))[want.within(source)])


def check_holds(source: Window, needed: Window, who: str) -> None:
    """Raise a ValueError that starts with `who` unless a window holds another one."""
    rows, columns = needed.within(source)
    if (
        min(rows.start, columns.start) < 0
        or rows.stop > source.rows
        or columns.stop > source.columns
    ):
        raise ValueError(f"{who}: the values must cover {needed}; got {source}")
