# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoothing by a Gaussian, at a cost that hardly depends on its width.

Three box averages along each axis come within 6 % of a Gaussian's peak. The outermost sample on both
sides of a box counts in part, so that any width can be had, not only odd numbers of samples.

References
----------
Pascal Gwosdek, Sven Grewenig, Andres Bruhn, Joachim Weickert (2011). Theoretical foundations of
Gaussian convolution by extended box filtering. SSVM. (the share of the outermost samples)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from .level import Level

_PASSES = 3

_SAMPLES = 1 << 16
"""Samples in one array of a block: 256 KB, so that a few of them stay in the cache."""


@dataclass(frozen=True)
class _BoxFilter:
    """A box filter: `reach` whole samples to either side, and a share of the next one."""

    reach: int
    share: float

    @classmethod
    def for_deviation(cls, deviation: float, period: int) -> _BoxFilter:
        """Return the box of which three make a Gaussian.

        Parameters
        ----------
        deviation : float
            Standard deviation of the Gaussian, in samples.
        period : int
            Samples after which the field repeats; a box never reaches further.
        """
        deviation = min(deviation, float(period))
        variance = deviation * deviation / _PASSES
        reach = int((math.sqrt(1.0 + 12.0 * variance) - 1.0) / 2.0)
        if 2 * reach + 1 >= period:
            reach = (period - 1) // 2
            return cls(reach, (period - 1 - 2 * reach) / 2.0)
        whole = reach * (reach + 1) * (2 * reach + 1) / 3.0
        share = (variance * (2 * reach + 1) - whole) / (2.0 * ((reach + 1) ** 2 - variance))
        share = min(max(share, 0.0), 1.0)
        return cls(reach, min(share, (period - 1 - 2 * reach) / 2.0))

    @property
    def margin(self) -> int:
        """Samples that all passes together need on either side."""
        return _PASSES * (self.reach + 1)

    def smooth(self, flat: Field, stride: int, line: int, out: Field) -> None:
        """Do all passes over a flat array.

        Parameters
        ----------
        flat : ndarray of one axis, float32
        stride : int
            How far apart neighbors lie.
        line : int
            How far apart lines of the result begin.
        out : ndarray of two axes, float32
            Takes the result, which begins `margin` neighbors after the array does.
        """
        outer, share = (self.reach + 1) * stride, np.float32(self.share)
        weight = np.float32(1.0 / (2 * self.reach + 1 + 2.0 * self.share))
        result, spare, *scratch = (np.empty(flat.size, np.float32) for _ in range(4))
        for passes_left in reversed(range(_PASSES)):
            sums = _window_sums(
                flat[stride : flat.size - stride], 2 * self.reach + 1, stride, result, scratch
            )
            if self.share > 0.0:
                ends = np.add(flat[: sums.size], flat[2 * outer :], out=scratch[0][: sums.size])
                ends *= share
                sums += ends
            if passes_left:
                flat, result, spare = np.multiply(sums, weight, out=sums), spare, result
        lines = np.ndarray(
            out.shape, np.float32, sums, strides=(sums.itemsize * line, sums.itemsize)
        )
        np.multiply(lines, weight, out=out)


def blur(
    field: Field,
    level: Level,
    deviation: float,
    progress: Progress | None = None,
    target: Level | None = None,
) -> Field:
    """Return a field smoothed by a Gaussian; beyond borders it goes on as its mirror image.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        On the samples of `level`.
    level : Level
        Spacing, and whether edges meet.
    deviation : float
        Standard deviation in meters, at least 0.
    progress : callable, optional
        See `blocks.Progress`.
    target : Level, optional
        The part that is wanted, if `level` is the part that it depends on: see `source_part`.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.rasters.boxes import blur
    >>> from noise_core.rasters.level import Level
    >>> level = Level.from_grid(Grid(33, 33, size=320.0))
    >>> spike = np.zeros((33, 33), np.float32)
    >>> spike[16, 16] = 1.0
    >>> soft = blur(spike, level, 20.0)
    >>> bool(soft[16, 16] < 0.2), round(float(soft.sum()), 2)
    (True, 1.0)
    """
    target_level = level if target is None else target
    across, along = _filters(level, deviation)
    halves = _halves(progress)
    rows = _along_rows(field, along, _places(along, level, target_level, 1), halves[0])
    return _along_columns(rows, across, _places(across, level, target_level, 0), halves[1])


def source_part(target: Level, deviation: float) -> Level:
    """Return the part of a whole level that a part of it, smoothed, depends on."""
    across, along = _filters(target, deviation)
    return target.grow(across.margin, along.margin)


def margin(level: Level, deviation: float) -> int:
    """Return how far a field is smoothed that goes on beyond its borders, in samples."""
    return max(box.margin for box in _filters(level, deviation))


def _filters(level: Level, deviation: float) -> tuple[_BoxFilter, _BoxFilter]:
    """Return the boxes along a column and along a row of a whole level."""
    mirrors = 1 if level.is_round else 2
    rows, columns = level.whole_shape
    return (
        _BoxFilter.for_deviation(deviation / level.step_y, rows * mirrors),
        _BoxFilter.for_deviation(deviation / level.step_x, columns * mirrors),
    )


def _places(box: _BoxFilter, level: Level, target: Level, axis: int) -> npt.NDArray[np.intp]:
    """Return where the samples that a box reads lie in a part of a level."""
    count, first = level.whole_shape[axis], target.begin[axis]
    index = np.arange(first - box.margin, first + target.shape[axis] + box.margin, dtype=np.intp)
    index = _fold(index, count, level.is_round) - level.begin[axis]
    return index % count if level.is_round else index


def around(count: int, margin: int, wrap: bool) -> npt.NDArray[np.intp]:
    """Return the indices of `count` samples in a row, with `margin` more on either side.

    Beyond the ends they go round on a torus, and otherwise back as in a mirror.
    """
    return _fold(np.arange(-margin, count + margin, dtype=np.intp), count, wrap)


def _fold(index: npt.NDArray[np.intp], count: int, wrap: bool) -> npt.NDArray[np.intp]:
    """Return the samples that stand for those beyond the ends of a line."""
    if wrap:
        return index % count
    index %= 2 * count
    return np.minimum(index, 2 * count - 1 - index)


def _halves(progress: Progress | None) -> tuple[Progress | None, Progress | None]:
    if progress is None:
        return (None, None)
    report: Progress = progress
    return (lambda share: report(share / 2.0), lambda share: report(0.5 + share / 2.0))


def _along_rows(
    field: Field, box: _BoxFilter, index: npt.NDArray[np.intp], progress: Progress | None
) -> Field:
    rows, columns = len(field), len(index) - 2 * box.margin
    result = np.empty((rows, columns), np.float32)
    neighbors = _neighbors(index)

    def smooth(start: int, stop: int) -> None:
        lines = field[start:stop]
        padded = lines.take(index, axis=1) if neighbors is None else lines[:, neighbors]
        # What begins in one row and ends in the next falls on the margins.
        box.smooth(padded.reshape(-1), 1, len(index), result[start:stop])

    blocks.run(smooth, rows, max(1, _SAMPLES // len(index)), progress=progress)
    return result


def _along_columns(
    field: Field, box: _BoxFilter, index: npt.NDArray[np.intp], progress: Progress | None
) -> Field:
    rows, columns = len(index) - 2 * box.margin, field.shape[1]
    result = np.empty((rows, columns), np.float32)
    neighbors = _neighbors(index)

    def smooth(start: int, stop: int) -> None:
        lines = field[:, start:stop]
        padded = lines.take(index, axis=0) if neighbors is None else lines[neighbors]
        box.smooth(padded.reshape(-1), stop - start, stop - start, result[:, start:stop])

    blocks.run(smooth, columns, max(16, _SAMPLES // len(index)), progress=progress)
    return result


def _neighbors(index: npt.NDArray[np.intp]) -> slice | None:
    """Return the samples of some indices as a slice, None if they are not neighbors."""
    first = int(index[0])
    is_run = np.array_equal(index, np.arange(first, first + len(index), dtype=np.intp))
    return slice(first, first + len(index)) if is_run else None


def _window_sums(
    flat: Field, count: int, stride: int, result: Field, scratch: Sequence[Field]
) -> Field:
    """Return the sums of `count` neighbors each, out of sums of 1, 2, 4 ... neighbors.

    Every sum is made in the same order wherever it lies, so nothing drifts along a row and a
    field that is moved gives the moved sums, to the bit; running sums would do neither.

    Parameters
    ----------
    flat : ndarray of one axis, float32
    count, stride : int
        How many neighbors, which lie how far apart.
    result : ndarray
        Its beginning takes the sums.
    scratch : sequence of two ndarrays
        Overwritten.
    """
    length = flat.size - (count - 1) * stride
    total = np.add(flat[:length], np.float32(0.0), out=result[:length])  # so that no sum is -0
    powers, size, offset = flat, 1, 1
    for place in range(count.bit_length() - 1):
        blocks.checkpoint()
        reach = size * stride
        left = powers.size - reach
        powers = np.add(powers[:left], powers[reach:], out=scratch[place % 2][:left])
        size *= 2
        if count & size:
            total += powers[offset * stride : offset * stride + length]
            offset += size
    return total
