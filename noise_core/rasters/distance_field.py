# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact Euclidean distances to the nearest of some samples.

The squared distance is the least of all parabolas (x - i)^2 + g(i)^2 along a row, where g is the
distance along the column. Most samples lie near, and are done by trying offsets one by one; rows
with samples farther off get the lower envelope of their parabolas, which takes the same time
however far it is.

References
----------
T. Saito, J. Toriwaki (1994). New algorithms for Euclidean distance transformation of an
n-dimensional digitized picture. Pattern Recognition 27.
Pedro F. Felzenszwalb, Daniel P. Huttenlocher (2012). Distance transforms of sampled functions.
Theory of Computing 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field

_NEAR = 64
"""Offsets that are tried. Up to here that is faster than the envelope (measured)."""

_SAMPLES_PER_BLOCK = 1 << 15
"""Three arrays of 128 KB stay in a processor's own cache."""

ROWS_PER_ENVELOPE = 512
"""Rows whose envelopes are built in step: many for speed, few for memory and for a cancel. 1024 are no faster."""

_FEW = 3.0
"""Reach in samples up to which looking at all 28 neighbors is faster than the transform: measured."""

_OFFSETS_PER_LOOK = 8
"""Offsets between two checks whether all samples are done."""

Numbers = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


def distance_transform(targets: npt.NDArray[np.bool_], wrap: bool) -> Field:
    """Return the distance of each sample to the nearest target, in samples; inf without any.

    Parameters
    ----------
    targets : ndarray of shape (rows, columns), bool
    wrap : bool
        Whether the last row and column meet the first.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        Right to the last bit.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.distance_field import distance_transform
    >>> targets = np.zeros((3, 5), bool)
    >>> targets[1, 0] = True
    >>> print(distance_transform(targets, False)[1])
    [0. 1. 2. 3. 4.]

    On a field that wraps the nearest target may lie beyond an edge:

    >>> print(distance_transform(targets, True)[1])
    [0. 1. 2. 2. 1.]
    """
    return from_squares(squares_along_columns(targets, wrap), wrap)


def from_squares(along: Field, wrap: bool) -> Field:
    """Return the distance of each sample to the nearest target, in samples; see `distance_transform`.

    Parameters
    ----------
    along : ndarray of shape (rows, columns), float32
        The squared distances within columns, of whole rows: of all, or of some.
    wrap : bool
        Whether the last column meets the first.
    """
    rows, columns = along.shape
    reach = min(_NEAR, columns // 2 if wrap else columns - 1)
    result = _nearby(along, reach, wrap)
    is_done = np.ones(rows, np.bool_)
    if reach == _NEAR:
        is_done = result.max(axis=1) <= np.float32((reach + 1) ** 2)
    unfinished = np.flatnonzero(~is_done)
    for start in range(0, len(unfinished), ROWS_PER_ENVELOPE):
        some = unfinished[start : start + ROWS_PER_ENVELOPE]
        margin = columns // 2 if wrap else 0
        result[some] = _envelope(_pad(along[some], margin, wrap, np.inf))[
            :, margin : margin + columns
        ]
    return np.sqrt(result, out=result)


def _nearby(along: Field, reach: int, wrap: bool) -> Field:
    """Return the least of along[x + k] + k^2, k from -reach to reach, in each row."""
    rows, columns = along.shape
    result = np.empty_like(along)
    block = max(1, _SAMPLES_PER_BLOCK // (columns + 2 * reach))

    def work(first: int, last: int) -> None:
        for start in range(first, last, block):
            part = slice(start, min(start + block, last))
            result[part] = least_within(_pad(along[part], reach, wrap, np.inf), reach)

    blocks.run(work, rows, blocks.rows_of_strip(rows, columns))
    return result


def distance_within(targets: npt.NDArray[np.bool_], reach: float, wrap: bool) -> Field:
    """Return the distances of `distance_transform` up to a reach in samples, and inf beyond it.

    Looks at neighbors within the reach alone, so it is the faster of the two while these are few.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.distance_field import distance_within
    >>> targets = np.zeros((1, 6), bool)
    >>> targets[0, 0] = True
    >>> print(distance_within(targets, 3.0, False))
    [[ 0.  1.  2.  3. inf inf]]
    """
    rows, columns = targets.shape
    if reach > _FEW:
        if reach <= _NEAR:
            most = min(int(reach), columns // 2 if wrap else columns - 1)
            result = _nearby(squares_along_columns(targets, wrap), most, wrap)
            np.sqrt(result, out=result)
        else:
            result = distance_transform(targets, wrap)
        result[result > np.float32(reach)] = np.inf
        return result
    margin = int(reach)
    wide = np.pad(targets, margin, mode="wrap") if wrap else np.pad(targets, margin)
    result = np.full(targets.shape, np.inf, np.float32)
    offsets = range(-margin, margin + 1)
    places = [(row * row + column * column, row, column) for row in offsets for column in offsets]
    # The nearest come last, and overwrite what is farther.
    for square, row, column in sorted(places, reverse=True):
        if square <= reach * reach:
            blocks.checkpoint()
            top, first_column = margin + row, margin + column
            shifted = wide[top : top + rows, first_column : first_column + columns]
            np.copyto(result, np.sqrt(np.float32(square)), where=shifted)
    return result


def squares_along_columns(
    targets: npt.NDArray[np.bool_], wrap: bool, beyond: tuple[Field, Field] | None = None
) -> Field:
    """Return the squared distance of each sample to the nearest target in its column.

    Parameters
    ----------
    targets : ndarray of shape (rows, columns), bool
    wrap : bool
        Whether the last row meets the first.
    beyond : tuple of two ndarrays of shape (columns,), float32, optional
        The distances in the row before the first to a target there or before it, and in the row after the
        last to one there or after it, if these are some rows of more.
    """
    result = np.where(targets, np.float32(0.0), np.float32(np.inf))
    spread_along_columns(result, wrap, beyond)
    result *= result
    return result


def spread_along_columns(
    distances: Field, wrap: bool, beyond: tuple[Field, Field] | None = None
) -> Field:
    """Make distances at some samples, inf at others, those of all samples in their columns, in place.

    Parameters
    ----------
    distances : ndarray of shape (rows, columns), float32
        In samples, at least 0.
    wrap, beyond
        See `squares_along_columns`.
    """
    step, unit = np.empty(distances.shape[1], np.float32), np.float32(1.0)
    ends = beyond or (np.full_like(step, np.inf), np.full_like(step, np.inf))
    for _ in range(2 if wrap else 1):
        for lines, end in zip((distances, distances[::-1]), ends):
            previous = lines[-1] if wrap else end
            for line in lines:
                np.add(previous, unit, out=step)
                previous = np.minimum(line, step, out=line)
            blocks.checkpoint()
    return distances


def _pad(field: Field, width: int, wrap: bool, beyond: float) -> Field:
    """Return rows with `width` more samples at both ends."""
    if not wrap:
        return np.pad(field, ((0, 0), (width, width)), constant_values=beyond)
    columns = field.shape[1]
    wide: Field = field.take(np.arange(-width, columns + width, dtype=np.intp) % columns, axis=1)
    return wide


def least_within(wide: Field, reach: int) -> Field:
    """Return the least of wide[x + k] + k^2, k from -reach to reach, for all x but `reach` at both ends."""
    columns = wide.shape[1] - 2 * reach
    lowest = wide.min()
    least = wide[:, reach : reach + columns].copy()
    distances = np.empty_like(least)
    for offset in range(1, reach + 1):
        if offset % _OFFSETS_PER_LOOK == 1:
            blocks.checkpoint()
            if least.max() <= lowest + offset * offset:
                break
        shifted = wide[:, reach - offset : reach - offset + columns]
        right = wide[:, reach + offset : reach + offset + columns]
        np.minimum(shifted, right, out=distances)
        distances += np.float32(offset * offset)
        np.minimum(least, distances, out=least)
    return least


@dataclass
class _EnvelopeStacks:
    """The parabolas of the envelopes so far, and those still to come, one stack a row.

    Row r owns the places from first[r] to last[r] of each flat array: its stack grows into the
    places whose parabolas it has already taken. A parabola is i and g(i)^2 + i^2.
    """

    first: Indices
    last: Indices
    i: Numbers
    offset: Numbers
    begins: Numbers

    def build(self) -> Indices:
        """Leave the envelopes in the stacks; return the place of each one's last parabola."""
        row = np.flatnonzero(self.last >= self.first)
        self.begins[self.first[row]] = -np.inf
        tops = self.first - 1
        top, coming, end = self.first[row], self.first[row] + 1, self.last[row]
        tops[row] = top
        while True:
            blocks.checkpoint()
            is_open = coming <= end
            if not is_open.all():
                tops[row[~is_open]] = top[~is_open]
                row, top, coming, end = (stack[is_open] for stack in (row, top, coming, end))
            if not len(row):
                return tops
            i, offset = self.i[coming], self.offset[coming]
            meet = (offset - self.offset[top]) / (2.0 * (i - self.i[top]))
            is_below = meet > self.begins[top]
            # The new parabola lies on top, or the top one is nowhere the least and goes.
            top += np.where(is_below, np.intp(1), np.intp(-1))
            place = top[is_below]
            self.i[place], self.offset[place] = i[is_below], offset[is_below]
            self.begins[place] = meet[is_below]
            coming += is_below


def _envelope(along: Field) -> Field:
    """Return the least of along[r, i] + (x - i)^2 over all i, for every x of every row."""
    blocks.checkpoint()
    rows, columns = along.shape
    is_taken = np.isfinite(along)
    # What is nowhere the least next to its two neighbors need not be tried.
    is_taken[:, 1:-1] &= along[:, :-2] + along[:, 2:] + 2.0 > 2.0 * along[:, 1:-1]
    blocks.checkpoint()
    row, column = np.nonzero(is_taken)
    counts = is_taken.sum(axis=1, dtype=np.intp)
    bounds = np.concatenate((np.zeros(1, np.intp), np.cumsum(counts, dtype=np.intp)))
    blocks.checkpoint()
    i = column.astype(np.float64)
    stacks = _EnvelopeStacks(
        bounds[:-1], bounds[1:] - 1, i, along[row, column] + i * i, np.empty_like(i)
    )
    top = stacks.build()
    has_any = top >= stacks.first
    is_kept = np.arange(len(i), dtype=np.intp) <= top[row]
    blocks.checkpoint()
    begins = np.clip(np.ceil(stacks.begins[is_kept]), 0, columns)
    kept_row, kept_i = row[is_kept], stacks.i[is_kept]
    ends = np.append(begins[1:], columns)
    ends[np.append(kept_row[1:] != kept_row[:-1], True)] = columns
    blocks.checkpoint()
    parabola = np.repeat(kept_i, (ends - begins).astype(np.intp)).reshape(-1, columns)
    result = np.full((rows, columns), np.inf, np.float32)
    x = np.arange(columns, dtype=np.intp)
    blocks.checkpoint()
    nearest = np.take_along_axis(along[has_any], parabola.astype(np.intp), axis=1)
    result[has_any] = nearest + (x - parabola) ** 2
    return result
