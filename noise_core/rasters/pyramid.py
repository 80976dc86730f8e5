# SPDX-License-Identifier: GPL-3.0-or-later
"""Restriction of fields to coarser levels, and prolongation to finer ones.

Every modifier that moves material works from coarse to fine. A level need not have a power of two
rows or columns; one that wraps stays exactly seamless.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from ..types.level import Level

_SAMPLES_PER_BLOCK = 1 << 16
"""Of the finer level, worked out at once: a block and its temporaries stay in the cache."""

_Indices = npt.NDArray[np.intp]

Tap = tuple[_Indices, npt.NDArray[np.float64]]
"""Numbers of rows or columns of a field, and the weight of each."""


def restrict(field: Field, fine: Level, coarse: Level) -> Field:
    """Return a field on a coarser level: smoothed by (1, 2, 1) / 4 along both axes, then sampled."""
    if _is_double(fine, coarse):
        return _restrict_by_two(field, coarse)
    rows = _halve(field, coarse.rows, 0, fine.wrap)
    return _halve(rows, coarse.columns, 1, fine.wrap)


def subsample(field: Field, fine: Level, coarse: Level) -> Field:
    """Return a field on a coarser level, sampled without smoothing.

    What two resolutions have in common they have on all coarser levels, to the bit.
    """
    if all(_is_half(many, few, fine.wrap) for many, few in zip(fine.shape, coarse.shape)):
        return np.ascontiguousarray(field[::2, ::2])
    return _resample(field, coarse, fine.wrap, axes=(0, 1))


def _is_half(many: int, few: int, wrap: bool) -> bool:
    return many == (2 * few if wrap else max(2 * few - 1, 1))


def prolong(
    field: Field, coarse: Level, fine: Level, bounds: tuple[float, float] | None = None
) -> Field:
    """Return a field on a finer level, by cubic interpolation (Catmull & Rom 1974).

    The cubic overshoots at sharp edges; with bounds it is cut off at them.
    """
    if _is_double(fine, coarse):
        return _double(field, fine, bounds)
    result = _resample(field, fine, fine.wrap, axes=(1, 0))
    return result if bounds is None else np.clip(result, *bounds, out=result)


def _is_double(fine: Level, coarse: Level) -> bool:
    """Return whether every second sample of the finer level lies on one of the coarser."""
    return fine.wrap and fine.shape == (2 * coarse.rows, 2 * coarse.columns)


def _positions(count: int, samples: int, wrap: bool) -> npt.NDArray[np.float64]:
    """Return the positions of `count` samples among `samples` others over the same extent."""
    step = samples / count if wrap else (samples - 1) / max(count - 1, 1)
    return np.arange(count, dtype=np.float64) * np.float64(step)


def shift_index(index: _Indices, offset: int, count: int, wrap: bool) -> _Indices:
    """Return indices some samples further on, those beyond the border as `cubic_taps` has them."""
    moved = index + offset
    return moved % count if wrap else np.clip(moved, 0, count - 1)


def weighted_sum(field: Field, taps: list[Tap], axis: int) -> Field:
    """Return the weighted sum of rows or columns of a field, one for each entry of the taps.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    taps : list of Tap
        Their weights sum to 1.
    axis : int
        0 for rows, 1 for columns.
    """
    used = [(index, weight.astype(np.float32)) for index, weight in taps if weight.any()]
    count = len(taps[0][0])
    shape = (count, field.shape[1]) if axis == 0 else (field.shape[0], count)
    result = np.empty(shape, np.float32)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        total: Field | None = None
        for index, weight in used:
            if axis == 0:
                part = field.take(index[start:stop], axis=0)
                part *= weight[start:stop, np.newaxis]
            else:
                part = field[start:stop].take(index, axis=1)
                part *= weight
            total = part if total is None else np.add(total, part, out=total)
        assert total is not None  # weights sum to 1
        result[start:stop] = total

    blocks.run(work, shape[0], max(1, _SAMPLES_PER_BLOCK // shape[1]))
    return result


def _halve(field: Field, count: int, axis: int, wrap: bool) -> Field:
    samples = field.shape[axis]
    position = _positions(count, samples, wrap)
    base = np.floor(position).astype(np.intp)
    share = position - base
    # The taps of the samples below and above the position, each (1, 2, 1) / 4.
    weights = ((1 - share) / 4, (2 - share) / 4, (1 + share) / 4, share / 4)
    return weighted_sum(
        field,
        [(shift_index(base, k, samples, wrap), w) for k, w in zip((-1, 0, 1, 2), weights)],
        axis,
    )


def _resample(field: Field, level: Level, wrap: bool, axes: tuple[int, int]) -> Field:
    """Return a field on another level by cubic interpolation, first along one axis and then the other."""
    for axis in axes:
        position = _positions(level.shape[axis], field.shape[axis], wrap)
        field = interpolate(field, position, axis, wrap)
    return field


def interpolate(
    field: Field, position: npt.NDArray[np.float64], axis: int, wrap: bool = False
) -> Field:
    """Return a field's values at positions along an axis, by cubic interpolation (Catmull & Rom 1974).

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    position : ndarray of shape (n,), float64
        In samples from the first one, not beyond the last one.
    axis : {0, 1}
        0 for rows, 1 for columns.
    wrap : bool
        Whether the field goes on at its other end; otherwise its border is repeated.

    Returns
    -------
    ndarray of shape (n, columns) or (rows, n), float32
        Exact at samples.
    """
    samples = field.shape[axis]
    base = np.floor(position).astype(np.intp)
    return weighted_sum(field, cubic_taps(base, position - base, samples, wrap), axis)


def cubic_taps(base: _Indices, share: npt.NDArray[np.float64], count: int, wrap: bool) -> list[Tap]:
    """Return the taps of cubic interpolation (Catmull & Rom 1974).

    Parameters
    ----------
    base : ndarray of shape (n,), intp
        The last of the samples before each place.
    share : ndarray of that shape, float64
        How far the place lies beyond it, from 0 to 1 sample.
    count : int
        Samples that there are.
    wrap : bool
        Whether the last one meets the first; else those at the border go on beyond it.
    """
    weights = zip((-1, 0, 1, 2), cubic_weights(share))
    return [(shift_index(base, k, count, wrap), weight) for k, weight in weights]


def cubic_weights(t: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Return the weights of cubic interpolation (Catmull & Rom 1974) for the samples at -1, 0, 1 and 2.

    Parameters
    ----------
    t : ndarray of float32 or float64
        Places, from 0 to 1.
    """
    return (
        t * (t * (1.0 - 0.5 * t) - 0.5),
        t * t * (1.5 * t - 2.5) + 1.0,
        t * (t * (2.0 - 1.5 * t) + 0.5),
        t * t * (0.5 * t - 0.5),
    )


def _restrict_by_two(field: Field, coarse: Level) -> Field:
    """Return what `_halve` gives on a level of half as many rows and columns: faster."""
    result = np.empty(coarse.shape, np.float32)

    def work(start: int, stop: int) -> None:
        even, odd = (field[2 * start + first : 2 * stop : 2] for first in (0, 1))
        rows = _thirds(_rows(field, 2 * start - 1, 2 * stop - 1)[::2], even, odd)
        odd = rows[:, 1::2]
        result[start:stop] = _thirds(np.roll(odd, 1, 1), rows[:, ::2], odd)

    blocks.run(work, coarse.rows, max(1, _SAMPLES_PER_BLOCK // (2 * coarse.columns)))
    return result


def _thirds(before: Field, here: Field, after: Field) -> Field:
    """Return the sum of three fields, weighted by (1, 2, 1) / 4."""
    result = before * np.float32(0.25)
    result += here * np.float32(0.5)
    result += after * np.float32(0.25)
    return result


def _double(field: Field, fine: Level, bounds: tuple[float, float] | None) -> Field:
    """Return what `_cubic` gives on a level of twice as many rows and columns: faster."""
    result = np.empty(fine.shape, np.float32)
    columns = np.arange(-1, field.shape[1] + 2, dtype=np.intp) % field.shape[1]

    def work(start: int, stop: int) -> None:
        wide = _rows(field, start - 1, stop + 2).take(columns, axis=1)
        rows = np.empty((len(wide), fine.columns), np.float32)
        rows[:, ::2] = wide[:, 1:-2]
        rows[:, 1::2] = _halfway(wide[:, :-3], wide[:, 1:-2], wide[:, 2:-1], wide[:, 3:])
        result[2 * start : 2 * stop : 2] = rows[1:-2]
        result[2 * start + 1 : 2 * stop : 2] = _halfway(rows[:-3], rows[1:-2], rows[2:-1], rows[3:])
        if bounds is not None:
            part = result[2 * start : 2 * stop]
            np.clip(part, *bounds, out=part)

    blocks.run(work, len(field), max(1, _SAMPLES_PER_BLOCK // fine.columns))
    return result


def _halfway(before: Field, here: Field, after: Field, beyond: Field) -> Field:
    """Return what lies in the middle between two of four fields, by the cubic through them."""
    outer, inner = np.float32(-0.0625), np.float32(0.5625)
    result = before * outer
    result += here * inner
    result += after * inner
    result += beyond * outer
    return result


def _rows(field: Field, start: int, stop: int) -> Field:
    """Return rows of a field that wraps; not to be written to."""
    if 0 <= start and stop <= len(field):
        return field[start:stop]
    return field.take(np.arange(start, stop, dtype=np.intp) % len(field), axis=0)
