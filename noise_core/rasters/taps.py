# SPDX-License-Identifier: GPL-3.0-or-later
"""Weighted sums of rows and columns of a field, and interpolation by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field

_SAMPLES_PER_BLOCK = 1 << 16
"""Worked out at once: a block and its temporaries stay in the cache."""

Indices = npt.NDArray[np.intp]

Tap = tuple[Indices, npt.NDArray[np.float64]]
"""Numbers of rows or columns of a field, and the weight of each."""


def shift_index(index: Indices, offset: int, count: int, wrap: bool) -> Indices:
    """Return indices some samples further on, those beyond the border as `cubic_taps` has them."""
    moved = index + offset
    return moved % count if wrap else np.clip(moved, 0, count - 1)


def drop_weightless(taps: list[Tap]) -> list[Tap]:
    """Return the taps that have any weight: the others cost time and change no more than the sign of a zero."""
    return [tap for tap in taps if tap[1].any()]


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
    used = [(index, weight.astype(np.float32)) for index, weight in taps]
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
                part = field[start:stop].take(index, axis=1, mode="wrap")  # spares a check
                part *= weight
            total = part if total is None else np.add(total, part, out=total)
        assert total is not None  # weights sum to 1
        result[start:stop] = total

    blocks.run(work, shape[0], max(1, _SAMPLES_PER_BLOCK // shape[1]))
    return result


def interpolate(field: Field, position: npt.NDArray[np.float64], axis: int) -> Field:
    """Return a field's values at positions along an axis, by cubic interpolation (Catmull & Rom 1974).

    Its border is repeated.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    position : ndarray of shape (n,), float64
        In samples from the first one, not beyond the last one.
    axis : {0, 1}
        0 for rows, 1 for columns.

    Returns
    -------
    ndarray of shape (n, columns) or (rows, n), float32
        Exact at samples.
    """
    samples = field.shape[axis]
    base = np.floor(position).astype(np.intp)
    taps = cubic_taps(base, position - base, samples, False)
    return weighted_sum(field, drop_weightless(taps), axis)


def linear_neighbors(
    place: npt.NDArray[np.float64], count: int, wrap: bool
) -> tuple[Indices, Indices, npt.NDArray[np.float64]]:
    """Return the samples at or before places and those after them, and how far on the places lie, from 0 to 1.

    Parameters
    ----------
    place : ndarray of float64
        In samples from the first one; places beyond a border count as on it.
    count : int
        Samples that there are.
    wrap : bool
        Whether the last one meets the first.
    """
    if not wrap:
        place = np.clip(place, 0.0, count - 1.0)
    base = np.floor(place)
    previous = base.astype(np.intp)
    if wrap:
        previous %= count
        return previous, (previous + 1) % count, place - base
    return previous, np.minimum(previous + 1, count - 1), place - base


def cubic_taps(base: Indices, share: npt.NDArray[np.float64], count: int, wrap: bool) -> list[Tap]:
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


def spline_taps(base: Indices, share: npt.NDArray[np.float64], count: int, wrap: bool) -> list[Tap]:
    """Return the taps of smooth approximation by cubic B-splines; see `cubic_taps`."""
    weights = zip((-1, 0, 1, 2), spline_weights(share))
    return [(shift_index(base, k, count, wrap), weight) for k, weight in weights]


def spline_weights(t: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], ...]:
    """Return the weights of smooth approximation for the samples at -1, 0, 1 and 2.

    Linear interpolation, averaged by (1, 2, 1) / 4 over steps of half a sample: from level to level that
    becomes a cubic B-spline (Lane & Riesenfeld 1980). No weight is negative, so nothing overshoots.

    Parameters
    ----------
    t : ndarray of float64
        Places, from 0 to 1.
    """
    early, late = np.maximum(0.5 - t, 0.0), np.maximum(t - 0.5, 0.0)
    return (
        0.25 * early,
        0.75 - 0.5 * t - 0.25 * late,
        0.25 + 0.5 * t - 0.25 * early,
        0.25 * late,
    )


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


def b_spline_weights(t: Field) -> tuple[Field, Field, Field, Field]:
    """Return the weights of a cubic B-spline for the knots at -1, 0, 1 and 2; none is negative, so nothing overshoots.

    Parameters
    ----------
    t : ndarray of float32
        Places, from 0 to 1.
    """
    complement = np.float32(1.0) - t
    sixth = np.float32(1.0 / 6.0)
    outer, last = complement * complement * complement * sixth, t * t * t * sixth
    inner = t * t * (t * np.float32(0.5) - np.float32(1.0)) + np.float32(2.0 / 3.0)
    third = complement * complement * (complement * np.float32(0.5) - np.float32(1.0)) + np.float32(
        2.0 / 3.0
    )
    return outer, inner, third, last
