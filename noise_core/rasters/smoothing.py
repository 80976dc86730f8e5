# SPDX-License-Identifier: GPL-3.0-or-later
"""Averages of a field over increasing widths at all samples (à trous), without coarser grids.

References
----------
M. Holschneider, R. Kronland-Martinet, J. Morlet, Ph. Tchamitchian (1989). A real-time algorithm
for signal analysis with the help of the wavelet transform.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..base import blocks
from ..base.arrays import Field

Seen = Callable[[int, int, Field], None]


def smooth(field: Field, stride: int, wrap: bool, seen: Seen | None = None) -> Field:
    """Return a field averaged by (1, 2, 1) / 4 along both axes, with taps `stride` samples apart.

    Beyond a border it goes on as its mirror image, turned upside down: a plane stays a plane.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    stride : int
        At least 1.
    wrap : bool
        Whether the last row and column meet the first.
    seen : callable, optional
        Called with (start, stop, average) for blocks of rows while they are in the cache; on threads.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.smoothing import smooth
    >>> spike = np.zeros((1, 5), np.float32)
    >>> spike[0, 2] = 16.0
    >>> print(smooth(spike, 1, True))
    [[0. 4. 8. 4. 0.]]
    """
    result = np.empty_like(field)
    rows, columns = field.shape

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        # Halves and quarters are exact: the order saves passes and changes no bit.
        along = _rows(field, start - stride, stop - stride, wrap)
        along = along + _rows(field, start + stride, stop + stride, wrap)
        along *= np.float32(0.5)
        along += field[start:stop]
        part = result[start:stop]
        _add_neighbors(along, stride, wrap, part)
        part *= np.float32(0.5)
        part += along
        part *= np.float32(0.25)
        if seen is not None:
            seen(start, stop, part)

    blocks.run(work, rows, max(1, blocks.SAMPLES_PER_STRIP // 8 // columns))
    return result


def _rows(field: Field, start: int, stop: int, wrap: bool) -> Field:
    """Return some rows of a field, which may lie beyond its border; not to be written to."""
    if start >= 0 and stop <= len(field):
        return field[start:stop]
    count = len(field)
    low, high = beyond(field, max(-start, stop - count), 0, wrap)
    pieces = (
        low[len(low) + min(start, 0) : len(low) + min(stop, 0)],
        field[max(start, 0) : max(stop, 0)],
        high[max(start - count, 0) : max(stop - count, 0)],
    )
    return np.concatenate(pieces)


def _add_neighbors(field: Field, stride: int, wrap: bool, out: Field) -> None:
    """Write the sum of the samples `stride` columns to the left and to the right."""
    if field.shape[1] <= 2 * stride:
        wide = pad(field, stride, 1, wrap)
        np.add(wide[:, : -2 * stride], wide[:, 2 * stride :], out=out)
        return
    np.add(field[:, : -2 * stride], field[:, 2 * stride :], out=out[:, stride:-stride])
    low, high = beyond(field, stride, 1, wrap)
    np.add(low, field[:, stride : 2 * stride], out=out[:, :stride])
    np.add(field[:, -2 * stride : -stride], high, out=out[:, -stride:])


def smooth_twice(field: Field, by: list[int], wrap: bool) -> Field:
    """Return a field averaged twice at each of some strides; itself if there are none.

    Once would leave ripples that second derivatives show.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    by : list of int
        See `strides_within`.
    wrap : bool
        See `smooth`.
    """
    for stride in by:
        field = smooth(smooth(field, stride, wrap), stride, wrap)
    return field


def strides_within(radius: float, shape: tuple[int, int]) -> list[int]:
    """Return the strides whose averages, each taken twice, reach over all samples within a radius.

    Parameters
    ----------
    radius : float
        In samples. The average has a standard deviation of about 0.3 of that.
    shape : tuple of two ints
        Rows and columns of the whole field, beyond which no average reaches.
    """
    return strides(min(radius, float(max(shape))) / 4.0)


def strides(widest: float) -> list[int]:
    """Return the strides of increasingly wide averages, each at most twice the one before.

    Parameters
    ----------
    widest : float
        The last one, in samples; none if it is less than 0.5.
    """
    widths = [int(widest + 0.5)]
    while widths[-1] > 1:
        widths.append((widths[-1] + 1) // 2)
    return widths[::-1] if widths[0] else []


def pad(field: Field, width: int, axis: int, wrap: bool) -> Field:
    """Return a field with `width` more samples at both ends of an axis: see `beyond`."""
    low, high = beyond(field, width, axis, wrap)
    return np.concatenate((low, field, high), axis=axis)


def beyond(field: Field, width: int, axis: int, wrap: bool) -> tuple[Field, Field]:
    """Return `width` more samples before and after a field along an axis.

    They are the samples there if the field wraps; else its mirror image, turned upside down.
    """
    count = field.shape[axis]
    previous, following = (
        np.arange(-width, 0, dtype=np.intp),
        np.arange(count, count + width, dtype=np.intp),
    )
    if wrap:
        low, high = (field.take(index % count, axis=axis) for index in (previous, following))
        return low, high
    low = field.take(np.minimum(-previous, count - 1), axis=axis)
    high = field.take(np.maximum(2 * (count - 1) - following, 0), axis=axis)
    low = np.float32(2.0) * field.take([0], axis=axis) - low
    high = np.float32(2.0) * field.take([count - 1], axis=axis) - high
    return low, high
