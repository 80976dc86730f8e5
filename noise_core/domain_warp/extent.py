# SPDX-License-Identifier: GPL-3.0-or-later
"""Extent of a lookup table: its spacing, its margin, and the grid's position in it.

The interpolation error grows with the cube of the spacing and with the noise's third derivative, so
that a smooth noise need not be rendered at every sample of the grid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base.grid import Axes, AxisSteps

if TYPE_CHECKING:
    from .warp_noise import WarpNoise

Reach = tuple[float, float]
"""How far, in tiles, points may lie off the grid's own: lowest and highest shift."""

MAX_MARGIN = 4096
"""Samples; a table that sticks out further than this is not worth rendering."""

MAX_STEPS_APART = 8
"""One sample of so many along each axis is always rendered: there is next to nothing to save then."""

_ERROR = 0.025
"""The spline's largest error by the third derivative and the cube of the distance between samples
(measured on gradient, value and simplex noise with 8 to 32 samples a cell)."""


class TableAxis:
    """Samples of a table along one axis, and the positions of the grid's samples among them.

    Parameters
    ----------
    first, count : int
        The grid's samples: the number of the first one in the whole grid, and how many there are.
    steps : AxisSteps
        Their coordinates.
    every : int
        How many of the grid's steps make one of the table's; counted from the whole grid's first
        sample, so that a window's table has the same samples.
    reach : Reach
    period : int, optional
        After how many samples the table repeats, if it does.

    Attributes
    ----------
    step : float
        Distance between the table's samples.
    coordinates : ndarray, float64
        Where they lie. One more on each side is for the spline's outer taps; one more again is
        rendered so that they can be sharpened.
    places, beyond : ndarrays of shape (n,), float32
        The table's sample at or before each sample of the grid, and how far on that lies, from 0
        to 1.
    """

    def __init__(
        self, first: int, count: int, steps: AxisSteps, every: int, reach: Reach, period: int | None
    ) -> None:
        self.step = steps.length * every
        # What repeats has one table, which begins at the whole grid's first sample.
        begin = 0 if period else first - first % every
        numbers = np.arange(first - begin, first - begin + count, dtype=np.int64)
        before, after, most = 0, 0, period
        if most is None:
            lowest, highest = sorted(end / self.step for end in reach)
            before, after = math.ceil(-lowest) + 1, math.ceil(highest) + 1
            most = before + int(numbers[-1]) // every + 1 + after
        self._reach = None if period else (before, after)
        places = np.arange(-before - 2, most - before + 2, dtype=np.int64)
        self.coordinates = steps.at(begin + every * places)
        self.places = (numbers // every + before).astype(np.float32)
        self.beyond = (numbers % every / every).astype(np.float32)

    def span(self, part: slice) -> tuple[int, int]:
        """Return the first and the last of the table's samples that some of the grid's may need."""
        if self._reach is None:
            return 0, len(self.coordinates) - 3
        before, after = self._reach
        first, last = self.places[part][[0, -1]]
        return int(first) - before, int(last) + after + 2


def coarseness(noises: Sequence[WarpNoise], axes: Axes, tolerance: float) -> int:
    """Return the number of grid steps per table sample that keeps all noises within tolerance.

    Parameters
    ----------
    noises : sequence of WarpNoise
    axes : Axes
    tolerance : float
        By how much a value may be off.

    Returns
    -------
    int
        A power of two, at most `COARSEST`; the same for every window of the grid.
    """
    bend = max(noise.third_derivative() for noise in noises)
    step = max(map(abs, spacing(axes)))
    every = 1
    while every < MAX_STEPS_APART:
        coarser = 2 * every
        is_open = axes.torus is None or table_periods(axes, coarser) is not None
        if not is_open or _ERROR * bend * (coarser * step) ** 3 > tolerance:
            break
        every = coarser
    return every


def can_serve(axes: Axes, reach: tuple[Reach, Reach]) -> bool:
    """Return whether a table is efficient for this grid; the same for every window of it."""
    if axes.torus is not None:
        return table_periods(axes) is not None
    return all(
        high - low <= MAX_MARGIN * abs(step) for (low, high), step in zip(reach, spacing(axes))
    )


def spacing(axes: Axes) -> tuple[float, float]:
    """Return the distance between neighboring samples along x and y, with its sign."""
    along, across = axes.steps
    return (across.length, along.length)


def table_periods(axes: Axes, every: int = 1) -> tuple[int, int] | None:
    """Return the periods of a torus along x and y, in samples, if it is aligned with them.

    Of the grid's samples, one in `every` counts.
    """
    if axes.torus is None:
        return None
    (xx, xy), (yx, yy) = axes.torus.periods
    dx, dy = (step * every for step in spacing(axes))
    columns, rows = abs(round(xx / dx)), abs(round(yy / dy))
    misfit = max(abs(abs(xx / dx) - columns), abs(abs(yy / dy) - rows))
    if xy != 0.0 or yx != 0.0 or columns < 1 or rows < 1 or misfit > 1e-6:
        return None
    return columns, rows
