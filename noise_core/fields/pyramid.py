# SPDX-License-Identifier: GPL-3.0-or-later
"""Coarser copies of a field, and the way back: what goes far is worked out on few samples first.

Every modifier that moves material works from coarse to fine. A level need not have a power of two
rows or columns; one that wraps stays exactly seamless.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Field
from ..grid import Grid

_Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Level:
    """The samples of one level: how many, how far apart, and whether edges meet.

    Attributes
    ----------
    rows, columns : int
        At least 1 each.
    step_y, step_x : float
        Distance between neighbours along a column and along a row, in metres.
    wrap : bool
        Whether the last row and column meet the first.
    """

    rows: int
    columns: int
    step_y: float
    step_x: float
    wrap: bool

    @classmethod
    def of(cls, grid: Grid) -> Level:
        """Return the level that has a grid's own samples."""
        wraps = grid.wrap and grid.whole is None  # a window has borders
        return cls(grid.rows, grid.columns, grid.spacing, grid.spacing, wraps)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self.rows, self.columns)

    @property
    def width(self) -> float:
        """Extent along a row, in metres."""
        return self.step_x * (self.columns if self.wrap else max(self.columns - 1, 1))

    @property
    def depth(self) -> float:
        """Extent along a column, in metres."""
        return self.step_y * (self.rows if self.wrap else max(self.rows - 1, 1))

    def coarser(self) -> Level:
        """Return the level with half as many samples along both sides, over the same extent."""
        rows, columns = (self.rows + 1) // 2, (self.columns + 1) // 2
        if self.wrap:
            return Level(rows, columns, self.depth / rows, self.width / columns, True)
        step_y = self.depth / max(rows - 1, 1)
        return Level(rows, columns, step_y, self.width / max(columns - 1, 1), False)

    def pyramid(self, coarsest: int) -> list[Level]:
        """Return this level and coarser ones, finest first, the shorter side at least `coarsest`."""
        levels = [self]
        while (min(levels[-1].shape) + 1) // 2 >= max(coarsest, 2):
            levels.append(levels[-1].coarser())
        return levels


def restricted(field: Field, fine: Level, coarse: Level) -> Field:
    """Return a field on a coarser level: smoothed by (1, 2, 1) / 4 along both axes, then sampled."""
    rows = _halved(field, coarse.rows, 0, fine.wrap)
    return _halved(rows, coarse.columns, 1, fine.wrap)


def prolonged(field: Field, coarse: Level, fine: Level) -> Field:
    """Return a field on a finer level, by cubic interpolation (Catmull & Rom 1974)."""
    rows = _cubic(field, fine.columns, 1, fine.wrap)
    return _cubic(rows, fine.rows, 0, fine.wrap)


def _positions(count: int, samples: int, wrap: bool) -> npt.NDArray[np.float64]:
    """Return where `count` samples lie among `samples` others over the same extent."""
    step = samples / count if wrap else (samples - 1) / max(count - 1, 1)
    return np.arange(count, dtype=np.float64) * np.float64(step)


def _neighbour(index: _Indices, offset: int, count: int, wrap: bool) -> _Indices:
    moved = index + offset
    return moved % count if wrap else np.clip(moved, 0, count - 1)


def _weighted(
    field: Field, taps: list[tuple[_Indices, npt.NDArray[np.float64]]], axis: int
) -> Field:
    """Return the sum of rows or columns of a field, each with its weight."""
    total: Field | None = None
    for index, weight in taps:
        if not weight.any():
            continue
        part = field.take(index, axis=axis)
        factor = weight.astype(np.float32)
        part *= factor[:, np.newaxis] if axis == 0 else factor
        total = part if total is None else np.add(total, part, out=total)
    assert total is not None  # weights sum to 1
    return total


def _halved(field: Field, count: int, axis: int, wrap: bool) -> Field:
    samples = field.shape[axis]
    if wrap and samples == 2 * count:
        return _every_second(field, axis)
    position = _positions(count, samples, wrap)
    base = np.floor(position).astype(np.intp)
    share = position - base
    # The taps of the samples below and above the position, each (1, 2, 1) / 4.
    weights = ((1 - share) / 4, (2 - share) / 4, (1 + share) / 4, share / 4)
    return _weighted(
        field,
        [(_neighbour(base, k, samples, wrap), w) for k, w in zip((-1, 0, 1, 2), weights)],
        axis,
    )


def _cubic(field: Field, count: int, axis: int, wrap: bool) -> Field:
    samples = field.shape[axis]
    if wrap and count == 2 * samples:
        return _twice_as_many(field, axis)
    position = _positions(count, samples, wrap)
    base = np.floor(position).astype(np.intp)
    t = position - base
    weights = (
        t * (t * (1.0 - 0.5 * t) - 0.5),
        t * t * (1.5 * t - 2.5) + 1.0,
        t * (t * (2.0 - 1.5 * t) + 0.5),
        t * t * (0.5 * t - 0.5),
    )
    return _weighted(
        field,
        [(_neighbour(base, k, samples, wrap), w) for k, w in zip((-1, 0, 1, 2), weights)],
        axis,
    )


def _every_second(field: Field, axis: int) -> Field:
    """Return what `_halved` gives where every second sample lies on one of the finer: faster."""
    even, odd = (_along(field, axis, slice(start, None, 2)) for start in (0, 1))
    before = np.roll(odd, 1, axis)
    result = before * np.float32(0.25)
    result += even * np.float32(0.5)
    result += np.multiply(odd, np.float32(0.25), out=before)
    return result


def _twice_as_many(field: Field, axis: int) -> Field:
    """Return what `_cubic` gives where every second sample lies on one of the coarser: faster."""
    shape = list(field.shape)
    shape[axis] *= 2
    result = np.empty(shape, np.float32)
    _along(result, axis, slice(0, None, 2))[:] = field
    outer, inner = np.float32(-0.0625), np.float32(0.5625)
    halfway = np.roll(field, 1, axis) * outer
    halfway += field * inner
    after = np.roll(field, -1, axis)
    halfway += after * inner
    halfway += np.multiply(np.roll(after, -1, axis), outer, out=after)
    _along(result, axis, slice(1, None, 2))[:] = halfway
    return result


def _along(field: Field, axis: int, part: slice) -> Field:
    """Return a part of a field along an axis."""
    return field[part] if axis == 0 else field[:, part]
