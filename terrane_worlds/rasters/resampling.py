# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows of fields on coarser and finer levels: see `noise_core.rasters.pyramid`."""

from __future__ import annotations

from noise_core.base.arrays import Field
from noise_core.rasters import pyramid
from noise_core.rasters.level import Level

from ..base.tiling import Window
from .parts import check_holds, part, window_of


def source_window(want: Window, source: Level, target: Level) -> Window:
    """Return the window of a level that a window of the next coarser or finer one depends on.

    Parameters
    ----------
    want : Window
        Of `target`.
    source, target : Level
        Whole ones, over the same extent.
    """
    return window_of(pyramid.source_part(source, part(target, want)))


def restrict(values: Field, source: Window, fine: Level, coarse: Level, want: Window) -> Field:
    """Return a window of the coarser level of values on the finer one, smoothed."""
    check_holds(source, source_window(want, fine, coarse), "restrict")
    return pyramid.restrict(values, part(fine, source), part(coarse, want))


def subsample(values: Field, source: Window, fine: Level, coarse: Level, want: Window) -> Field:
    """Return a window of the coarser level of values on the finer one, not smoothed."""
    check_holds(source, source_window(want, fine, coarse), "subsample")
    return pyramid.subsample(values, part(fine, source), part(coarse, want))


def prolong(
    values: Field,
    source: Window,
    coarse: Level,
    fine: Level,
    want: Window,
    bounds: tuple[float, float] | None = None,
) -> Field:
    """Return a window of the finer level of values on the coarser one, cut off at bounds."""
    check_holds(source, source_window(want, coarse, fine), "prolong")
    return pyramid.prolong(values, part(coarse, source), part(fine, want), bounds)
