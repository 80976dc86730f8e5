# SPDX-License-Identifier: GPL-3.0-or-later
"""Restriction of fields to coarser levels, and prolongation to finer ones.

Every modifier that moves material works from coarse to fine. A level need not have a power of two
rows or columns; one that wraps stays exactly seamless. Either level may be a part of a whole one: the
result has the bits of the whole if the field holds `source_part`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from .level import Level
from .taps import (
    Tap,
    cubic_taps,
    cubic_weights,
    drop_weightless,
    shift_index,
    spline_taps,
    spline_weights,
    weighted_sum,
)

_SAMPLES_PER_BLOCK = 1 << 16
"""Of the finer level, worked out at once: a block and its temporaries stay in the cache."""


def source_part(source: Level, target: Level) -> Level:
    """Return the part of a level that another one, coarser or finer, needs to be made of it.

    Parameters
    ----------
    source : Level
        A whole one.
    target : Level
        Over the same extent, or a part of such a level.
    """
    rows, columns = (_source_range(source, target, axis) for axis in (0, 1))
    return source.part(rows[0], columns[0], rows[1] - rows[0], columns[1] - columns[0])


def _source_range(source: Level, target: Level, axis: int) -> tuple[int, int]:
    """Return where the taps of a part's rows or columns begin and end."""
    count, samples = target.whole_shape[axis], source.whole_shape[axis]
    places = _positions(source, target, axis)
    first = target.begin[axis]
    ends = []
    for number in (first, first + target.shape[axis] - 1):
        turns, within = divmod(number, count) if target.is_round else (0, number)
        ends.append(turns * samples + int(np.floor(places[within])))
    low, high = ends[0] - 1, ends[1] + 3
    return (low, high) if target.is_round else (max(low, 0), min(high, samples))


def restrict(field: Field, fine: Level, coarse: Level) -> Field:
    """Return a field on a coarser level: smoothed by (1, 2, 1) / 4 along both axes, then sampled."""
    if fine.whole is None and _is_double(fine, coarse):
        return _restrict_by_two(field, coarse)
    return _halve(_halve(field, fine, coarse, 0), fine, coarse, 1)


def restrict_all(field: Field, levels: Sequence[Level]) -> list[Field]:
    """Return a field on several levels, finest first; it is on the first one itself."""
    fields = [field]
    for fine, coarse in zip(levels, levels[1:]):
        blocks.checkpoint()
        fields.append(restrict(fields[-1], fine, coarse))
    return fields


def subsample(field: Field, fine: Level, coarse: Level) -> Field:
    """Return a field on a coarser level, sampled without smoothing.

    Samples that two resolutions have in common they have on all coarser levels, to the bit.
    """
    if not fine.beyond + coarse.beyond and all(
        _is_half(many, few, fine.is_round)
        for many, few in zip(fine.whole_shape, coarse.whole_shape)
    ):
        rows, columns = (
            slice(2 * own - other, 2 * (own + count) - other, 2)
            for own, other, count in zip(coarse.begin, fine.begin, coarse.shape)
        )
        return np.ascontiguousarray(field[rows, columns])
    return _resample(field, fine, coarse, axes=(0, 1))


def _is_half(many: int, few: int, wrap: bool) -> bool:
    return many == (2 * few if wrap else max(2 * few - 1, 1))


def prolong(
    field: Field, coarse: Level, fine: Level, bounds: tuple[float, float] | None = None
) -> Field:
    """Return a field on a finer level, by cubic interpolation (Catmull & Rom 1974).

    The cubic overshoots at sharp edges; with bounds it is cut off at them.
    """
    if _is_double(fine, coarse):
        doubled = _double(field, cubic_weights, bounds)
        return _cut(doubled, fine, [2 * begin for begin in coarse.begin])
    result = _resample(field, coarse, fine, axes=(1, 0))
    return result if bounds is None else np.clip(result, *bounds, out=result)


def prolong_smoothly(field: Field, coarse: Level, fine: Level) -> Field:
    """Return a field on a finer level, by cubic B-splines; see `spline_weights`.

    It never overshoots, so that there are no ripples beside sharp edges. In return it does not go through
    the samples, but beside them.
    """
    if _is_double(fine, coarse):
        doubled = _double(field, spline_weights)
        return _cut(doubled, fine, [2 * begin for begin in coarse.begin])
    return _resample(field, coarse, fine, axes=(1, 0), taps_at=spline_taps)


def prolong_all_smoothly(field: Field, levels: Sequence[Level]) -> Field:
    """Return a field of the last of some levels, finest first, on the first one; see `prolong_smoothly`."""
    for coarse, fine in zip(levels[::-1], levels[-2::-1]):
        field = prolong_smoothly(field, coarse, fine)
    return field


def _is_double(fine: Level, coarse: Level) -> bool:
    """Return whether every second sample of the finer level lies on one of the coarser."""
    rows, columns = coarse.whole_shape
    return fine.is_round and fine.whole_shape == (2 * rows, 2 * columns)


def _cut(field: Field, level: Level, begin: list[int]) -> Field:
    """Return the part of a field, which begins at a place of the whole one, that a part of a level needs."""
    if level.whole is None:
        return field
    rows, columns = (
        slice(own - other, own - other + count)
        for own, other, count in zip(level.begin, begin, level.shape)
    )
    return np.ascontiguousarray(field[rows, columns])


def _step(count: int, samples: int, wrap: bool) -> np.float64:
    """Return the distance of `count` samples among `samples` others over the same extent."""
    return np.float64(samples / count if wrap else (samples - 1) / max(count - 1, 1))


def _positions(source: Level, target: Level, axis: int) -> npt.NDArray[np.float64]:
    """Return the positions of the rows or columns of a whole level among those of another one."""
    step = _step(target.land_shape[axis], source.land_shape[axis], target.is_round)
    number = np.arange(-target.beyond, target.whole_shape[axis] - target.beyond, dtype=np.float64)
    return number * step + np.float64(source.beyond)


def _pick_taps(taps: list[Tap], source: Level, target: Level, axis: int) -> list[Tap]:
    """Return the taps of a part's rows or columns, numbered from where that of the source begins.

    Parameters
    ----------
    taps : list of Tap
        Of the whole target. Those without any weight in the whole are left out.
    """
    number = np.arange(target.shape[axis], dtype=np.intp) + target.begin[axis]
    if target.is_round:
        number %= target.whole_shape[axis]
    picked = []
    for index, weight in drop_weightless(taps):
        place = index[number] - source.begin[axis]
        if source.is_round:
            place %= source.whole_shape[axis]
        picked.append((place, weight[number]))
    return picked


def _halve(field: Field, fine: Level, coarse: Level, axis: int) -> Field:
    position = _positions(fine, coarse, axis)
    base = np.floor(position).astype(np.intp)
    share = position - base
    # The taps of the samples below and above the position, each (1, 2, 1) / 4.
    weights = ((1 - share) / 4, (2 - share) / 4, (1 + share) / 4, share / 4)
    samples = fine.whole_shape[axis]
    taps = [
        (shift_index(base, k, samples, fine.is_round), w) for k, w in zip((-1, 0, 1, 2), weights)
    ]
    return weighted_sum(field, _pick_taps(taps, fine, coarse, axis), axis)


def _resample(
    field: Field,
    source: Level,
    target: Level,
    axes: tuple[int, int],
    taps_at: Callable[..., list[Tap]] = cubic_taps,
) -> Field:
    """Return a field on another level by cubics, first along one axis and then the other."""
    for axis in axes:
        position = _positions(source, target, axis)
        base = np.floor(position).astype(np.intp)
        taps = taps_at(base, position - base, source.whole_shape[axis], source.is_round)
        field = weighted_sum(field, _pick_taps(taps, source, target, axis), axis)
    return field


def _restrict_by_two(field: Field, coarse: Level) -> Field:
    """Return the result of `_halve` on a level of half as many rows and columns: faster."""
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


def _double(
    field: Field,
    weights_at: Callable[[npt.NDArray[np.float64]], Sequence[npt.NDArray[np.float64]]],
    bounds: tuple[float, float] | None = None,
) -> Field:
    """Return the result of `_resample` on a level of twice as many rows and columns: faster."""
    result = np.empty((2 * field.shape[0], 2 * field.shape[1]), np.float32)
    columns = np.arange(-1, field.shape[1] + 2, dtype=np.intp) % field.shape[1]
    weights = np.array(weights_at(np.array([0.0, 0.5]))).astype(np.float32)
    on, between = weights[:, 0], weights[:, 1]

    def work(start: int, stop: int) -> None:
        wide = _rows(field, start - 1, stop + 2).take(columns, axis=1)
        lines = (wide[:, :-3], wide[:, 1:-2], wide[:, 2:-1], wide[:, 3:])
        rows = np.empty((len(wide), result.shape[1]), np.float32)
        rows[:, ::2], rows[:, 1::2] = _weigh(lines, on), _weigh(lines, between)
        lines = (rows[:-3], rows[1:-2], rows[2:-1], rows[3:])
        part = result[2 * start : 2 * stop]
        part[::2], part[1::2] = _weigh(lines, on), _weigh(lines, between)
        if bounds is not None:
            np.clip(part, *bounds, out=part)

    blocks.run(work, len(field), max(1, _SAMPLES_PER_BLOCK // result.shape[1]))
    return result


def _weigh(lines: Sequence[Field], weights: Field) -> Field:
    """Return the sum of four fields with their weights; where one has all of it, that one."""
    used = [(line, weight) for line, weight in zip(lines, weights) if weight != 0.0]
    if len(used) == 1:
        return used[0][0]
    result: Field = used[0][0] * used[0][1]
    for line, weight in used[1:]:
        result += line * weight
    return result


def _rows(field: Field, start: int, stop: int) -> Field:
    """Return rows of a field that wraps; not to be written to."""
    if 0 <= start and stop <= len(field):
        return field[start:stop]
    return field.take(np.arange(start, stop, dtype=np.intp) % len(field), axis=0)
