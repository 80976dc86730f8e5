# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises rendered once over a grid and its surroundings, then looked up between the samples.

The surface between the samples is a biquadratic B-spline: its slope is continuous, and it takes
nine samples where a bicubic one takes sixteen. The samples are sharpened first, so that every
quadratic passes through unchanged; its error is then that of bicubic Catmull-Rom interpolation.

References
----------
Philippe Thevenaz, Thierry Blu, Michael Unser (2000). Interpolation revisited. IEEE Transactions
on Medical Imaging. (quasi-interpolation by B-splines)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..arrays import Field
from ..grid import Axes
from ..portions import Portions

if TYPE_CHECKING:
    from ..noise import Noise
    from ..plans import RowPlan

Reach = tuple[float, float]
"""How far, in samples, points may lie off the grid's own: lowest and highest shift."""

ROWS_PER_BAND = 126
"""Rows that are rendered at once, when the first point asks for one of them; with the two that are
only there to sharpen the others, they are whole blocks of a matrix product."""

LARGEST_MARGIN = 4096
"""Samples; a table that sticks out further than this is not worth rendering."""


class Table:
    """Some noises on the samples of a grid and around it, rendered where they are asked for.

    Parameters
    ----------
    noises : sequence of pairs of Noise and sequence of int
        What to render, each with the seeds of its copies.
    axes : Axes
        The grid's samples; they are the table's too, so that a window sees the same table.
    reach : pair of Reach
        How far along x and y. On a torus the table is one period and reaches everywhere.
    """

    def __init__(
        self,
        noises: Sequence[tuple[Noise, Sequence[int]]],
        axes: Axes,
        reach: tuple[Reach, Reach],
    ) -> None:
        steps = spacing(axes)
        self._periods = _periods(axes)
        if self._periods is None:
            left, columns = _extent(reach[0], len(axes.x))
            low, rows = _extent(reach[1], len(axes.y))
        else:
            (columns, rows), left, low = self._periods, 0, 0
        # One more sample on each side for the spline's outer taps; one more again is rendered
        # so that they can be sharpened.
        x = axes.x[0] + np.arange(-left - 2, columns - left + 2) * steps[0]
        y = axes.y[0] + np.arange(-low - 2, rows - low + 2) * steps[1]
        around = Axes(x, y, axes.rest, axes.torus, axes.step)
        plans = Portions([partial(each.copies_plan, around, seeds) for each, seeds in noises])
        copies = [len(seeds) for _, seeds in noises]
        self._origin = (left, low)
        self._samples = np.empty((sum(copies), rows + 2, columns + 2), np.float32)
        starts = range(0, rows + 2, ROWS_PER_BAND)
        # They hold the samples, not the table: it would be kept alive by itself.
        self._bands = Portions(
            [partial(_render, plans, copies, start, self._samples) for start in starts]
        )

    def look_up(self, start: int, shifts: Field) -> Field:
        """Return the noises and their copies at the samples of some rows, each shifted.

        Parameters
        ----------
        start : int
            The grid's row that the first row of the shifts belongs to.
        shifts : ndarray of shape (2, some rows, columns), float32
            Along x and along y, in samples, within the reach.

        Returns
        -------
        ndarray of shape (all copies, some rows, columns), float32
        """
        whole = np.rint(shifts)
        part = shifts - whole
        left, low = self._origin
        places = moved(whole, (left, low + start), self._periods)
        first, last = int(places[1].min()), int(places[1].max()) + 2
        self._bands.take(range(first // ROWS_PER_BAND, last // ROWS_PER_BAND + 1))
        return _spline(self._samples, addresses(places, self._samples.shape[1:]), _weights(part))


def _render(plans: Portions[RowPlan], copies: Sequence[int], start: int, samples: Field) -> None:
    """Write one band of rows of a table's samples, of shape (all copies, rows, columns)."""
    _, height, width = samples.shape
    stop = min(start + ROWS_PER_BAND, height)
    first = 0
    for plan, count in zip(plans.take(), copies):
        buffer = np.empty((count, stop - start + 2, width + 2), np.float32)
        plan(start, stop + 2, buffer)
        for field, channel in zip(buffer, samples[first : first + count]):
            # A quarter, because the weights of `_weights` are four times too large.
            _sharpened(field, 0.25, channel[start:stop])
        first += count


def can_serve(axes: Axes, reach: tuple[Reach, Reach]) -> bool:
    """Return whether a table for this grid makes sense; the same for every window of it."""
    if axes.torus is not None:
        return _periods(axes) is not None
    return all(high - low <= LARGEST_MARGIN for low, high in reach)


def spacing(axes: Axes) -> tuple[float, float]:
    """Return the distance between neighbouring samples along x and y, with its sign."""
    x, y = (
        float(axis[-1] - axis[0]) / (len(axis) - 1) if len(axis) > 1 else axes.step
        for axis in (axes.x, axes.y)
    )
    return (x, y)


def _extent(reach: Reach, count: int) -> tuple[int, int]:
    """Return the samples before the grid's first, and all of them."""
    before, after = math.ceil(-reach[0]) + 1, math.ceil(reach[1]) + 1
    return before, before + count + after


def _periods(axes: Axes) -> tuple[int, int] | None:
    """Return after how many columns and rows a torus repeats, if it is aligned with the grid."""
    if axes.torus is None:
        return None
    (xx, xy), (yx, yy) = axes.torus.periods
    dx, dy = spacing(axes)
    columns, rows = abs(round(xx / dx)), abs(round(yy / dy))
    misfit = max(abs(abs(xx / dx) - columns), abs(abs(yy / dy) - rows))
    if xy != 0.0 or yx != 0.0 or columns < 1 or rows < 1 or misfit > 1e-6:
        return None
    return columns, rows


def moved(shifts: Field, first: tuple[int, int], periods: tuple[int, int] | None) -> Field:
    """Return the samples that lie so many whole samples off the samples of some rows.

    Parameters
    ----------
    shifts : ndarray of shape (2, rows, columns), float32
        Whole numbers, along x and along y; the result is written into it.
    first : tuple of two ints
        Column and row of the first sample.
    periods : tuple of two ints, optional
        After how many columns and rows the samples repeat, if they do.

    Returns
    -------
    ndarray of shape (2, rows, columns), float32
        Columns and rows: whole numbers.
    """
    _, rows, columns = shifts.shape
    shifts[0] += np.arange(first[0], first[0] + columns, dtype=np.float32)
    shifts[1] += np.arange(first[1], first[1] + rows, dtype=np.float32)[:, np.newaxis]
    if periods is not None:
        for axis, period in zip(shifts, periods):
            _wrap(axis, period)
    return shifts


def addresses(places: Field, shape: tuple[int, ...]) -> npt.NDArray[np.intp]:
    """Return where samples stand in a flat array of rows of samples.

    Parameters
    ----------
    places : ndarray of shape (2, rows, columns), float32
        Their columns and rows.
    shape : tuple of two ints
        Rows and columns of that array.
    """
    height, width = shape
    # 32 bits are much faster, and enough up to 8 GB.
    integer: type[np.signedinteger[Any]] = np.int32 if height * width < 2**31 else np.int64
    across, place = places.astype(integer)
    place *= integer(width)
    place += across
    flat: npt.NDArray[np.intp] = place.astype(np.intp)
    return flat


def _wrap(index: Field, period: int) -> None:
    """Bring whole numbers into [0, period), in place."""
    # The half keeps the quotient away from whole numbers, where its rounding would matter.
    laps = index + np.float32(0.5)
    laps *= np.float32(1.0 / period)
    np.floor(laps, out=laps)
    laps *= np.float32(period)
    index -= laps


def _sharpened(samples: Field, factor: float, out: Field) -> None:
    """Write (5/4, -1/8, -1/8) of every sample and its neighbours, along both axes, times a factor.

    `samples`, contiguous, has one more sample on each side than `out`.
    """
    width = samples.shape[1]
    flat = samples.reshape(-1)
    along = flat[width:-width] * np.float32(-10.0)
    along += flat[: -2 * width]
    along += flat[2 * width :]
    # Across too as if all rows were one: faster, and what the rows' ends get is left out.
    across = along * np.float32(-10.0)
    across[1:] += along[:-1]
    across[:-1] += along[1:]
    inner = across.reshape(-1, width)[:, 1:-1]
    np.multiply(inner, np.float32(factor / 64.0), out=out)


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
    np.subtract(np.float32(0.5), part, out=before)
    before *= before
    np.add(part, np.float32(0.5), out=after)
    after *= after
    np.subtract(np.float32(2.0), before, out=middle)
    middle -= after
    return weights


def _spline(samples: Field, address: npt.NDArray[np.intp], weights: Field) -> Field:
    """Return the weighted sum of three by three samples, the first of them at each address."""
    count, _, width = samples.shape
    flat = samples.reshape(count, -1)
    total = np.empty((count, *address.shape), np.float32)
    row, tap = np.empty_like(total), np.empty_like(total)
    for along in range(3):
        for across in range(3):
            into = tap if across else row
            for channel, field in zip(flat, into):
                # The same addresses in a shifted view: no tap needs addresses of its own. "wrap"
                # spares NumPy's bounds check and its buffering of `out`; no address is outside.
                channel[along * width + across :].take(address, out=field, mode="wrap")
            into *= weights[across, 0]
            if across:
                row += tap
        if along:
            row *= weights[along, 1]
            total += row
        else:
            np.multiply(row, weights[along, 1], out=total)
    return total
