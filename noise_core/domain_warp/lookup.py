# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of noises, rendered once over a grid and its surroundings and interpolated.

The surface between the samples is a biquadratic B-spline: its slope is continuous, and it takes
nine samples where a bicubic one takes sixteen. The samples are sharpened first to compensate the spline's
blur; its error is then that of bicubic Catmull-Rom interpolation.

References
----------
Philippe Thevenaz, Thierry Blu, Michael Unser (2000). Interpolation revisited. IEEE Transactions
on Medical Imaging. (quasi-interpolation by B-splines)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.gathering import gather
from ..base.grid import Axes
from ..base.lazy_cache import LazyCache
from .extent import Reach, TableAxis, coarseness, table_periods

if TYPE_CHECKING:
    from ..base.plans import RowPlan
    from .warp_noise import WarpNoise


ROWS_PER_BAND = 128
"""Rows that are rendered at once, when the first point asks for one of them."""

_FACTOR = 0.25
"""What the samples are multiplied by, because the weights of `_weights` are four times too large."""

_ENDS = np.array([-0.5, 0.5], np.float32).reshape(2, 1, 1, 1)
"""Where a sample's share begins and ends."""

_WHOLE_IN_FLOAT = 1 << 24
"""Up to here float32 holds every whole number."""

MIDDLE, BESIDE = 1.25, -0.125
"""Weights of a sample and of each of its neighbors, along either axis: every quadratic passes
through the spline unchanged."""


class NoiseTable:
    """Noises on the samples of a grid and around it, rendered on demand.

    Parameters
    ----------
    noises : sequence of pairs of WarpNoise and sequence of int
        Noises to render, each with the seeds of its copies.
    axes : Axes
        The grid's samples; they are the table's too, so that a window sees the same table.
    reach : pair of Reach
        How far along x and y. On a torus the table is one period and reaches everywhere.
    tolerance : float
        By how much a value may be off because fewer samples are rendered than the grid has.
    """

    def __init__(
        self,
        noises: Sequence[tuple[WarpNoise, Sequence[int]]],
        axes: Axes,
        reach: tuple[Reach, Reach],
        tolerance: float = 0.0,
    ) -> None:
        every = coarseness([noise for noise, _ in noises], axes, tolerance)
        along, across = axes.steps
        self._periods = periods = table_periods(axes, every)
        self._lines = (
            TableAxis(axes.first[1], len(axes.x), across, every, reach[0], periods and periods[0]),
            TableAxis(axes.first[0], len(axes.y), along, every, reach[1], periods and periods[1]),
        )
        self._is_coarse = every > 1
        x, y = (line.coordinates for line in self._lines)
        columns, rows = (len(line.coordinates) - 4 for line in self._lines)
        margin_axes = replace(axes, x=x, y=y)
        # All at once, before there are threads: so much Python would only make them wait.
        plans = [sharpening_plan(each, margin_axes, seeds, _FACTOR) for each, seeds in noises]
        copies = [len(seeds) for _, seeds in noises]
        self._samples = np.empty((sum(copies), rows + 2, columns + 2), np.float32)
        starts = range(0, rows + 2, ROWS_PER_BAND)
        # They hold the samples, not the table, to avoid a reference cycle.
        self._bands = LazyCache(
            [partial(_render, plans, copies, start, self._samples) for start in starts]
        )

    def look_up(
        self, start: int, shifts: Field, factors: tuple[float, float] = (1.0, 1.0)
    ) -> Field:
        """Return the noises and their copies at the samples of some rows, each displaced.

        Parameters
        ----------
        start : int
            The grid's row that the first row of the shifts belongs to.
        shifts : ndarray of shape (2, some rows, columns), float32
            Along x and along y.
        factors : tuple of two floats
            Factors that turn shifts into tiles, where they have to lie within the reach.

        Returns
        -------
        ndarray of shape (all copies, some rows, columns), float32
        """
        across, along = self._lines
        rows = slice(start, start + shifts.shape[1])
        into_samples = np.array([factors[0] / across.step, factors[1] / along.step], np.float32)
        part = shifts * into_samples[:, np.newaxis, np.newaxis]
        if self._is_coarse:
            part[0] += across.beyond
            part[1] += along.beyond[rows, np.newaxis]
        whole = np.rint(part)
        part -= whole
        places = shift_samples(whole, (across.places, along.places[rows]), self._periods)
        first, last = along.span(rows)
        self._bands.take(range(first // ROWS_PER_BAND, last // ROWS_PER_BAND + 1))
        return _spline(self._samples, addresses(places, self._samples.shape[1:]), _weights(part))


def _render(plans: Sequence[RowPlan], copies: Sequence[int], start: int, samples: Field) -> None:
    """Write one band of rows of a table's samples, of shape (all copies, rows, columns)."""
    stop = min(start + ROWS_PER_BAND, samples.shape[1])
    first = 0
    for plan, count in zip(plans, copies):
        plan(start, stop, samples[first : first + count, start:stop])
        first += count


def shift_samples(
    shifts: Field, places: tuple[Field, Field], periods: tuple[int, int] | None
) -> Field:
    """Return the indices of the samples at given whole offsets from those of some rows.

    Parameters
    ----------
    shifts : ndarray of shape (2, rows, columns), float32
        Whole numbers, along x and along y; the result is written into it.
    places : tuple of two ndarrays of shape (columns,) and (rows,), float32
        Their own columns and rows: whole numbers.
    periods : tuple of two ints, optional
        After how many columns and rows the samples repeat, if they do.

    Returns
    -------
    ndarray of shape (2, rows, columns), float32
        Columns and rows: whole numbers.
    """
    shifts[0] += places[0]
    shifts[1] += places[1][:, np.newaxis]
    if periods is not None:
        for axis, period in zip(shifts, periods):
            _wrap(axis, period)
    return shifts


def addresses(places: Field, shape: tuple[int, ...]) -> npt.NDArray[np.intp]:
    """Return the addresses of samples in a flat array of rows.

    Parameters
    ----------
    places : ndarray of shape (2, rows, columns), float32
        Their columns and rows; overwritten.
    shape : tuple of two ints
        Rows and columns of that array.
    """
    height, width = shape
    across, along = places
    flat: npt.NDArray[np.intp]
    if height * width <= _WHOLE_IN_FLOAT:
        along *= np.float32(width)
        along += across
        flat = along.astype(np.intp)
        return flat
    # 32 bits are much faster, and enough up to 8 GB.
    integer: type[np.signedinteger[Any]] = np.int32 if height * width < 2**31 else np.int64
    place = along.astype(integer)
    place *= integer(width)
    place += across.astype(integer)
    flat = place.astype(np.intp)
    return flat


def _wrap(index: Field, period: int) -> None:
    """Reduce integers modulo a period, in place."""
    # The half keeps the quotient away from whole numbers, where its rounding would matter.
    laps = index + np.float32(0.5)
    laps *= np.float32(1.0 / period)
    np.floor(laps, out=laps)
    laps *= np.float32(period)
    index -= laps


def _weights(part: Field) -> Field:
    """Return two times the quadratic B-spline's weights of the samples before, at and after.

    Parameters
    ----------
    part : ndarray of shape (2, rows, columns), float32

    Returns
    -------
    ndarray of shape (3, 2, rows, columns), float32
    """
    weights = np.empty((3, *part.shape), np.float32)
    before, middle, after = weights
    ends = weights[::2]
    np.add(part, _ENDS, out=ends)
    np.multiply(ends, ends, out=ends)
    np.add(before, after, out=middle)
    np.subtract(np.float32(2.0), middle, out=middle)
    return weights


def _spline(samples: Field, address: npt.NDArray[np.intp], weights: Field) -> Field:
    """Return the weighted sum of three by three samples, the first of them at each address."""
    count, _, width = samples.shape
    total = np.empty((count, *address.shape), np.float32)
    place = address.reshape(-1)
    shifts = [row * width + column for row in range(3) for column in range(3)]
    taps = np.empty((len(shifts), place.size), np.float32)
    square = taps.reshape(3, 3, -1)
    across, along = weights.reshape(3, 2, -1).swapaxes(0, 1)
    for channel, field in zip(samples.reshape(count, -1), total.reshape(count, -1)):
        for shift, tap in zip(shifts, taps):
            # The same addresses in a shifted view serve all taps.
            gather(channel[shift:], place, out=tap)
        # One long call: threads would wait for the interpreter's lock between many short ones.
        np.einsum("rcn,cn,rn->n", square, across, along, out=field)
    return total


def sharpening_plan(noise: WarpNoise, axes: Axes, seeds: Sequence[int], factor: float) -> RowPlan:
    """Return the plan for sharpened samples of copies of a noise, times a factor.

    Parameters
    ----------
    noise : WarpNoise
    axes : Axes
        One sample more on each side than there will be.
    seeds : sequence of int
    factor : float

    Returns
    -------
    RowPlan
        Its `out` has shape (copies, stop - start, columns - 2).
    """
    columns = len(axes.x)
    plan = noise.seeds_plan(axes, seeds)

    def rows(start: int, stop: int, out: Field) -> None:
        buffer = np.empty((len(seeds), stop - start + 2, columns), np.float32)
        plan(start, stop + 2, buffer)
        for field, channel in zip(buffer, out):
            _sharpen(field, factor, channel)

    return rows


def _sharpen(samples: Field, factor: float, out: Field) -> None:
    """Write samples sharpened along both axes, times a factor.

    `samples`, contiguous, has one more sample on each side than `out`.
    """
    width = samples.shape[1]
    flat = samples.reshape(-1)
    along = flat[width:-width] * np.float32(MIDDLE / BESIDE)
    along += flat[: -2 * width]
    along += flat[2 * width :]
    # Across too as if all rows were one: faster, and what the rows' ends get is left out.
    across = along * np.float32(MIDDLE / BESIDE)
    across[1:] += along[:-1]
    across[:-1] += along[1:]
    inner = across.reshape(-1, width)[:, 1:-1]
    np.multiply(inner, np.float32(factor * BESIDE * BESIDE), out=out)
