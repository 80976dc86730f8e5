# SPDX-License-Identifier: GPL-3.0-or-later
"""Craters drawn into rows of a grid in the order of their impacts, each in its own window.

Large craters are drawn one by one. Small ones are drawn many at once: of one class and one epoch all
those that are the oldest far and wide, whose windows do not meet, then the oldest of those left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Hash
from ..base.gathering import gather
from ..base.grid import Axes
from ..base.plans import RowPlan
from .cells import rectangle_of
from .history import ImpactHistory, PlacedCraters
from .overlaps import Places
from .population import (
    EPOCHS,
    LARGEST_RADIUS,
    REACH,
    Numbers,
    Positions,
    SizeClass,
    epoch_of,
)
from .shape import OVER, CraterStyle

_FEWEST_SAMPLES = 2.0
"""Samples along a cell of the smallest class from which on windows pay."""

_WIDE_WINDOW = 40
"""Samples along a window from which on craters are drawn one by one: there a call takes less than the
arithmetic."""

_SAMPLES_AT_ONCE = 1 << 15
"""So that all that is worked out for them stays in the cache."""

_SMALL = 0.7
"""Radius over the largest up to which craters have smaller windows: about half of them."""

_SLACK = 2
"""Samples that a window may reach beyond its crater, on either side."""

_SAFE = 1.0001
"""Makes windows a trace wider than craters, whatever rounding does."""

_FAR_AWAY = 1e4
"""Distance in cells of the samples of the margin."""

_NEVER = np.uint32(0xFFFFFFFF)
"""Later than impacts of any class that there is."""


def can_serve(classes: Sequence[SizeClass], axes: Axes) -> bool:
    """Return whether all lattices run along a grid's axes, with cells large enough for windows."""
    finest = classes[-1].lattice.matrix
    densest = max(abs(finest[0][0]), abs(finest[1][1])) * axes.step
    return densest * _FEWEST_SAMPLES <= 1.0 and all(
        size_class.lattice.is_aligned
        and min(size_class.lattice.matrix[0][0], size_class.lattice.matrix[1][1]) > 0.0
        for size_class in classes
    )


def grid_plan(classes: Sequence[SizeClass], style: CraterStyle, axes: Axes) -> RowPlan:
    """Return the plan for a grid that `can_serve` accepts."""

    def rows(start: int, stop: int, out: Field) -> None:
        y = axes.y[start:stop]
        left, right, bottom, top = axes.x[0], axes.x[-1], y[0], y[-1]
        corners = np.array([left, right]), np.array([bottom, top])
        nothing = Places(axes.x[:0], axes.y[:0])
        history = ImpactHistory(
            classes, style, nothing, lambda size_class: rectangle_of(*size_class.cells(*corners))
        )
        field = _CraterField.blank(out.shape, history.craters, axes, y)
        for epoch in range(EPOCHS):
            for craters, scale in zip(history.craters, field.scales):
                blocks.checkpoint()
                (chosen,) = (epoch_of(craters.impacts.time) == epoch).nonzero()
                if chosen.size:
                    field.draw(craters, scale, chosen)
        out[...] = field.inner

    return rows


@dataclass(frozen=True, eq=False)
class RowScale:
    """Samples of some rows of a grid in cells of one class.

    Attributes
    ----------
    x, y : ndarray of shape (columns,) and (rows,), float64
        With a margin of samples that are not there on all sides.
    steps : tuple of two floats
        Cells from one sample to the next, along x and y.
    """

    x: Positions
    y: Positions
    steps: tuple[float, float]


class _CraterField:
    """Ground under construction, with a margin that windows may reach into."""

    def __init__(self, ground: Field, margin: int, scales: Sequence[RowScale]) -> None:
        self._ground, self._margin, self.scales = ground, margin, scales

    @classmethod
    def blank(
        cls, shape: tuple[int, ...], sets: Sequence[PlacedCraters], axes: Axes, y: Positions
    ) -> _CraterField:
        """Return the ground before all impacts."""
        margin = _WIDE_WINDOW + 2
        ground = np.zeros((shape[0] + 2 * margin, shape[1] + 2 * margin), np.float32)
        scales = []
        for craters in sets:
            (across, _), (_, along) = craters.size_class.lattice.matrix
            column, row = _pad(axes.x * across, margin), _pad(y * along, margin)
            scales.append(RowScale(column, row, (axes.step * across, axes.step * along)))
        return cls(ground, margin, scales)

    @property
    def inner(self) -> Field:
        """The ground without its margin."""
        margin = self._margin
        return self._ground[margin:-margin, margin:-margin]

    def draw(self, craters: PlacedCraters, scale: RowScale, chosen: Numbers) -> None:
        """Draw craters of one class and one epoch, the oldest first."""
        widest = 2.0 * REACH * LARGEST_RADIUS * max(1.0 / step for step in scale.steps)
        if widest + _SLACK > _WIDE_WINDOW:
            self._draw_alone(craters, scale, chosen)
            return
        # Cells with `gap` others between them hold centers at least `gap` cells apart.
        gap = math.ceil(2.0 * (REACH * LARGEST_RADIUS + _SLACK * max(scale.steps)))
        for together in _rounds(craters, chosen, gap):
            is_small = craters.impacts.radius[together] < np.float32(_SMALL * LARGEST_RADIUS)
            for alike in (together[is_small], together[~is_small]):
                if alike.size:
                    self._draw_together(craters, scale, alike)

    def _draw_alone(self, craters: PlacedCraters, scale: RowScale, chosen: Numbers) -> None:
        """Draw craters one by one into the samples that they reach."""
        impacts, margin = craters.impacts, self._margin
        chosen = chosen[np.argsort(impacts.time[chosen], kind="stable")]
        reach = _SAFE * REACH * impacts.radius[chosen].astype(np.float64)
        ends = [
            np.searchsorted(axis[margin:-margin], center[chosen] + side) + margin
            for axis, center in ((scale.x, impacts.x), (scale.y, impacts.y))
            for side in (-reach, reach)
        ]
        (seen,) = ((ends[0] < ends[1]) & (ends[2] < ends[3])).nonzero()
        for number, left, right, low, high in zip(
            chosen[seen].tolist(), *(end[seen].tolist() for end in ends)
        ):
            shapes = craters.shapes.of(number)
            x, y = scale.x[left:right] - impacts.x[number], scale.y[low:high] - impacts.y[number]
            x, y = (axis.astype(np.float32) * shapes.table[OVER] for axis in (x, y))
            at_once = max(1, _SAMPLES_AT_ONCE // (right - left))
            for start in range(0, high - low, at_once):
                part = y[start : start + at_once, np.newaxis]
                height, cover = shapes.evaluate(x, part)
                below = self._ground[low + start : low + start + len(part), left:right]
                height -= below
                height *= cover
                below += height

    def _draw_together(self, craters: PlacedCraters, scale: RowScale, chosen: Numbers) -> None:
        """Draw craters whose windows do not meet."""
        impacts = craters.impacts
        reach = REACH * float(impacts.radius[chosen].max())
        wide, high = (math.ceil(2.0 * reach / step) + _SLACK for step in scale.steps)
        chosen, left, low = self._place_windows(craters, scale, chosen, reach, (wide, high))
        stride = self._ground.shape[1]
        across = np.arange(wide, dtype=np.intp)[:, np.newaxis]
        along = np.arange(high, dtype=np.intp)[:, np.newaxis]
        window = along[:, :, np.newaxis] * stride + across
        flat = self._ground.reshape(-1)  # a view
        at_once = max(1, _SAMPLES_AT_ONCE // (wide * high))
        for start in range(0, chosen.size, at_once):
            part = slice(start, start + at_once)
            these, columns, rows = chosen[part], left[part], low[part]
            shapes = craters.shapes.take(these)
            x = scale.x.take(columns + across) - gather(impacts.x, these)
            y = scale.y.take(rows + along) - gather(impacts.y, these)
            x, y = (axis.astype(np.float32) * shapes.table[OVER] for axis in (x, y))
            # Craters lie along the last axis: loops over it are long, and see all else in steps.
            height, cover = shapes.evaluate(x, y[:, np.newaxis])
            places = window + (rows * stride + columns)
            below = gather(flat, places)
            height -= below
            height *= cover
            below += height
            flat[places] = below

    def _place_windows(
        self,
        craters: PlacedCraters,
        scale: RowScale,
        chosen: Numbers,
        reach: float,
        size: tuple[int, int],
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Return those craters whose windows meet the field, and their first columns and rows."""
        impacts, (rows, columns) = craters.impacts, self.inner.shape
        across, along = (
            np.floor((centers[chosen] - reach - axis[self._margin]) / step)
            for centers, axis, step in zip((impacts.x, impacts.y), (scale.x, scale.y), scale.steps)
        )
        is_seen = (across > -size[0]) & (across < columns) & (along > -size[1]) & (along < rows)
        left, low = (first[is_seen].astype(np.intp) + self._margin for first in (across, along))
        return chosen[is_seen], left, low


def _pad(axis: Positions, margin: int) -> Positions:
    """Return positions with a margin that lies out of every crater's reach."""
    return np.pad(axis, margin, mode="constant", constant_values=float(axis.max()) + _FAR_AWAY)


def _rounds(craters: PlacedCraters, chosen: Numbers, gap: int) -> Iterator[Numbers]:
    """Yield groups of craters that lie more than `gap` cells apart, each after all older neighbors."""
    i, j = craters.impacts.i[chosen].astype(np.intp), craters.impacts.j[chosen].astype(np.intp)
    i += gap - int(i.min())
    j += gap - int(j.min())
    times = np.full((int(j.max()) + gap + 1, int(i.max()) + gap + 1), _NEVER, np.uint32)
    own = craters.impacts.time[chosen]
    times[j, i] = own
    while chosen.size:
        oldest = _lowest_around(_lowest_around(times, gap).T, gap).T
        is_ready = oldest[j - gap, i - gap] == own
        yield chosen[is_ready]
        times[j[is_ready], i[is_ready]] = _NEVER
        i, j, own, chosen = (each[~is_ready] for each in (i, j, own, chosen))


def _lowest_around(times: Hash, gap: int) -> Hash:
    """Return the lowest of some neighbors along the first axis, which gets shorter by twice the gap."""
    count = len(times) - 2 * gap
    lowest = times[:count].copy()
    for step in range(1, 2 * gap + 1):
        np.minimum(lowest, times[step : step + count], out=lowest)
    return lowest
