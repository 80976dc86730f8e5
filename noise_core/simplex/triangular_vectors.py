# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors that simplex noise prepares once for many samples; see `triangular`."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..base.torus import TRIANGLE_STEP

Slopes = Callable[[int, int, Index], Field]
"""Called with (first, count, j): the slopes along x and y at the points from (first + k, j[k]) on, as many as
`count`, for all k; shape (2, len(j), count)."""

Indices = npt.NDArray[np.int64]

TILE = 98304
"""Samples handled at once: three arrays of that many float32 are about a second-level cache, and the calls
for fewer cost more than what does not fit (measured)."""

MAX_ROW_LENGTH = 4096
"""Longest part of a row in a tile; longer ones would leave too few rows to share the vectors."""

BANDS = 48
"""Lattice rows whose vectors are made at once for rows of that length, more for shorter ones."""


@dataclass(frozen=True)
class RowVectors:
    """Vectors along the rows of samples."""

    band: Indices
    """The lattice row below each row of samples."""
    kind: Indices
    """1 if that is odd, plus 2 or 4 if the row below or above is so close that its nearer point reaches
    all samples. The farther one of another row reaches none, unless neither is marked."""
    distances: Field
    """The distance dy to the two lattice rows, and what it leaves of the squared radius: shape
    (rows, 2, 2, 1)."""


@dataclass(frozen=True)
class ColumnPositions:
    """Positions along the columns of samples, all of shape (2, 2, columns).

    Axis 0: even and odd lattice rows. Axis 1: the nearer and the farther of the two points that
    a sample lies between.
    """

    place: Indices
    """The point's place in its row."""
    distance: Field
    """Distance dx to it."""
    square: Field
    """Square of that."""

    def part(self, left: int, right: int) -> ColumnPositions:
        """Return the positions of some of the columns."""
        place, distance, square = self.place, self.distance, self.square
        return ColumnPositions(
            place[..., left:right], distance[..., left:right], square[..., left:right]
        )


def build_columns(along: npt.NDArray[np.float64]) -> ColumnPositions:
    """Prepare the columns from their coordinates in steps along a row."""
    # Odd rows are shifted by half a step to the left.
    shifted = np.stack((along, along + 0.5))
    left = np.floor(shifted)
    beyond_middle = shifted - left >= 0.5
    place = np.stack((left + beyond_middle, left + ~beyond_middle), axis=1)
    distance = (shifted[:, np.newaxis] - place) * TRIANGLE_STEP
    square = distance * distance
    return ColumnPositions(
        place.astype(np.int64), distance.astype(np.float32), square.astype(np.float32)
    )


class SlopeVectors:
    """Column vectors of a range of lattice rows, over some columns.

    They are gx dx and gy for each of the two points around a sample, or gx and gy alone.
    """

    def __init__(
        self, low: int, high: int, columns: ColumnPositions, slopes: Slopes, *, has_distance: bool
    ) -> None:
        self._base: list[int] = []
        self._tables: list[Field] = []
        first, last = int(columns.place.min()), int(columns.place.max()) + 1
        for parity, (place, distance) in enumerate(zip(columns.place, columns.distance)):
            base = low + ((parity - low) & 1)
            # Every second row begins one point further.
            j = np.arange(base, high, 2, dtype=np.int32)
            nodes = slopes(first + (base >> 1), last - first, j)
            table = view_as(SPACE.vectors[parity], (2, len(j), *place.shape))
            nodes.take((place - first).ravel(), 2, table.reshape(2, len(j), -1), "wrap")
            if has_distance:
                table[0] *= distance
            self._base.append(base)
            self._tables.append(table)

    def of(self, row: Indices) -> Field:
        """Return the vectors of some lattice rows, all even or all odd; earlier ones are overwritten.

        Returns
        -------
        ndarray of shape (2, len(row), 2, columns), float32
            Along x and y, for the nearer and for the farther point.
        """
        parity = int(row[0]) & 1
        index = (row - self._base[parity]) >> 1
        table = self._tables[parity]
        if len(index) == 1:
            return table[:, int(index[0]) : int(index[0]) + 1]
        part = view_as(SPACE.gathered, (2, len(index), *table.shape[2:]))
        return table.take(index, 1, part, "wrap")


class _Workspace(threading.local):
    """Scratch memory of a thread. Allocating it for each call would cost more than the arithmetic.

    One piece of 6 MB: every part begins on a cache line, and NumPy asks for large pages.
    """

    def __init__(self) -> None:
        line = 16
        most = 4 * (BANDS // 2 + 1) * MAX_ROW_LENGTH
        sizes = [TILE] * 3 + [4 * TILE, most, most, TILE]
        raw = np.empty(max(sum(sizes) + line, 1 << 20), np.float32)
        ends = np.cumsum(
            [(-raw.ctypes.data // raw.itemsize) % line, *sizes], dtype=np.intp
        ).tolist()
        parts = [raw[start:stop] for start, stop in zip(ends, ends[1:])]
        self.kernel, self.slope, self.total = parts[:3]
        self.gathered, *self.vectors, self.zero = parts[3:]
        self.zero[:] = 0.0


SPACE = _Workspace()


def view_as(part: Field, shape: tuple[int, ...]) -> Field:
    """Return the beginning of a block of memory as an array of a shape."""
    return part[: math.prod(shape)].reshape(shape)
