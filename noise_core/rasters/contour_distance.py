# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances to a contour of a field, which lies between samples.

The contour's crossings of all rows and columns of samples are points on it, less than two samples
apart. Far from it the nearest of those is as good as the contour; near it the distances along the
row and along the column give that to the line through both crossings.

References
----------
Stefan Gustavson, Robin Strand (2011). Anti-aliased Euclidean distance transform. Pattern
Recognition Letters 32. (contours between samples)
"""

from __future__ import annotations

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from . import boxes, distance_field

_NEAR, _FAR = 1.0, 3.0
"""Samples from the contour up to which the line counts, and from which the nearest crossing does: a
line is wrong at sharp corners, a crossing up to 0.4 samples beside the nearest point of the contour."""

_TILE = 256
"""Columns of a tile: its samples and a few copies of them stay in the cache."""

_TINY = np.float32(1e-12)
_SAMPLES = 1 << 16


def signed_distance(values: Field, reach: float, wrap: bool) -> Field:
    """Return the distance of each sample to the contour of a field at 0, negative where the field is.

    Parameters
    ----------
    values : ndarray of shape (rows, columns), float32
        Straight between neighbors.
    reach : float
        In samples, above 0; no distance is longer.
    wrap : bool
        Whether the last row and column meet the first.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        In samples.
    """
    down = _squares_along_columns(values, reach, wrap)
    result = _nearest(down, reach, wrap)
    turned = np.ascontiguousarray(values.T)
    along = _squares_along_columns(turned, reach, wrap)
    del turned
    blocks.checkpoint()
    along_rows = _nearest(along, reach, wrap).T
    along = along.T

    def join(start: int, stop: int) -> None:
        blocks.checkpoint()
        part = result[start:stop]
        np.minimum(part, along_rows[start:stop], out=part)
        _straighten(part, down[start:stop], along[start:stop], _limit(reach))
        np.minimum(part, np.float32(reach), out=part)
        np.negative(part, out=part, where=values[start:stop] < 0.0)

    blocks.run(join, len(values), max(1, _SAMPLES // values.shape[1]))
    return result


def margin(reach: float) -> int:
    """Return how many samples around a part its distances depend on."""
    return int(reach) + 3


def _straighten(distance: Field, down: Field, along: Field, limit: np.float32) -> None:
    """Replace distances to crossings by those to lines through two of them, near the contour.

    Parameters
    ----------
    distance : ndarray, float32
        To the nearest crossing, in samples; written to.
    down, along : ndarray of that shape, float32
        Squared distances to one in the same column and row; the limit where there is none.
    limit : numpy.float32
    """
    one = np.float32(1.0)
    line: Field = np.zeros_like(distance)
    for squares in (down, along):
        inverse = np.divide(one, np.maximum(squares, _TINY))
        inverse *= squares < limit
        line += inverse
    np.maximum(line, one / limit, out=line)
    np.sqrt(line, out=line)
    np.divide(one, line, out=line)
    line -= distance
    share = (np.float32(_FAR) - distance) * np.float32(1.0 / (_FAR - _NEAR))
    np.clip(share, np.float32(0.0), np.float32(1.0), out=share)
    line *= share
    distance += line


def _squares_along_columns(values: Field, reach: float, wrap: bool) -> Field:
    """Return the squared distances to the nearest crossing in each column, at most that of the reach."""
    gaps = _gaps(values, wrap)
    squares = distance_field.spread_along_columns(gaps, wrap)
    squares *= squares
    # What is out of reach ends the search for the nearest crossing there.
    np.minimum(squares, _limit(reach), out=squares)
    return squares


def _nearest(squares: Field, reach: float, wrap: bool) -> Field:
    """Return the distance to the nearest crossing of columns, by squared distances within columns.

    In tiles: most have no crossing within reach, and are done at once.
    """
    rows, columns = squares.shape
    result = np.empty_like(squares)
    offsets = min(int(reach) + 1, columns // 2 if wrap else columns - 1)
    index = boxes.around(columns, offsets, wrap)
    width = max(_TILE, 2 * offsets)
    height = max(1, _SAMPLES // (4 * width))

    def work(start: int, stop: int) -> None:
        for begin in range(0, columns, width):
            end = min(begin + width, columns)
            wide = squares[start:stop].take(index[begin : end + 2 * offsets], axis=1)
            least = distance_field.least_within(wide, offsets)
            np.sqrt(least, out=result[start:stop, begin:end])

    blocks.run(work, rows, height)
    return result


def _limit(reach: float) -> np.float32:
    """Return the square of a distance beyond the reach."""
    return np.float32((reach + 1.0) * (reach + 1.0))


def _gaps(values: Field, wrap: bool) -> Field:
    """Return the distance of each sample to a crossing before the next one in its column, or inf."""
    result = np.full(values.shape, np.inf, np.float32)
    rows, columns = values.shape
    height = max(1, _SAMPLES // columns)
    for start in range(0, rows - 1, height):
        blocks.checkpoint()
        stop = min(start + height, rows - 1)
        upper, lower = slice(start, stop), slice(start + 1, stop + 1)
        _note_crossings(values[upper], values[lower], result[upper], result[lower])
    if wrap and rows > 1:
        _note_crossings(values[-1:], values[:1], result[-1:], result[:1])
    return result


def _note_crossings(upper: Field, lower: Field, below: Field, above: Field) -> None:
    """Note the distances of crossings between rows from both, in place, where none is nearer."""
    row, column = np.nonzero((upper < 0.0) != (lower < 0.0))
    begin, end = upper[row, column], lower[row, column]
    gap = begin / (begin - end)
    below[row, column] = np.minimum(below[row, column], gap)
    above[row, column] = np.minimum(above[row, column], np.float32(1.0) - gap)
