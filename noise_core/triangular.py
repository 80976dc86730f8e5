# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplex noise on a regular grid: the triangular lattice, turned so that its rows run along x.

In the usual orientation the lattice's rows run along the diagonal, and every sample has to find
its triangle, hash its corners and gather their slopes. Turned, every sample lies between two
lattice rows and meets two points of each. Then all that belongs to a lattice point (its slope,
its distance along x) is a vector over the columns, made once per lattice row; the rest is

    max(c(y) - dx(x)^2, 0)^4 * (gx dx + gy dy)

in plain passes over the samples. The fourth of the four points is never within reach, so this is
the same sum as that over the three corners of the triangle.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import blocks
from .arrays import Field, Index
from .grid import Axes
from .torus import TRIANGLE_ROW, TRIANGLE_STEP, Lattice

if TYPE_CHECKING:
    from .plans import RowPlan

REACH = 0.5
"""Square of the kernel's radius. The radius is the height of a triangle, the largest at which a
point is out of reach beyond the edge that faces it: the sum over three corners is smooth."""

Slopes = Callable[[Index, Index], tuple[Field, Field]]
"""Called with lattice indices (i, j) that broadcast: the slopes along x and y at these points."""

Indices = npt.NDArray[np.int64]

_Runs = Indices | tuple[None, slice]
"""An index of some rows by (runs, rows): all at once, or a single run without a copy."""

TILE = 65536
"""Samples handled at once: three arrays of that many float32 stay in the second-level cache."""

LONGEST_ROW = 4096
"""Longest part of a row in a tile; longer ones would leave too few rows to share the vectors."""

BANDS = 24
"""Lattice rows whose vectors are made at once for rows of that length, more for shorter ones."""

HALFWAY = (0.5 * TRIANGLE_STEP) ** 2
"""Square of the distance along a row at which its farther point becomes the nearer one."""


def row_plan(axes: Axes, lattice: Lattice, slopes: Slopes) -> RowPlan | None:
    """Return the plan that writes simplex noise on a grid, or None if this is no way for it.

    It is none if the lattice's rows do not run along x, or if there are so few samples to a
    lattice point that vectors for each row would not pay.
    """
    (along_x, along_y), (slant, down) = lattice.matrix
    if slant != 0.0 or along_y != 0.5 * down:
        return None
    along, height = axes.x * along_x, axes.y * down
    if any(abs(float(steps[-1] - steps[0])) > 2 * len(steps) for steps in (along, height)):
        return None
    band = np.floor(height)
    above = (height - band) * TRIANGLE_ROW
    offset = np.stack((above, above - TRIANGLE_ROW))
    rows = _Rows(
        band.astype(np.int64),
        offset.astype(np.float32)[..., np.newaxis],
        (REACH - offset * offset).astype(np.float32)[..., np.newaxis],
    )
    return _Plan(rows, _columns(along), slopes).write


@dataclass(frozen=True)
class _Rows:
    """What belongs to the rows of samples; axis 0 of a pair: the lattice row below, the one above."""

    band: Indices
    """The lattice row below each row of samples."""
    offset: Field
    """Distances dy to the two lattice rows, shape (2, rows, 1)."""
    reach: Field
    """What they leave of the squared radius, of the same shape."""


@dataclass(frozen=True)
class _Columns:
    """What belongs to the columns of samples, all of shape (2, 2, columns).

    Axis 0: even and odd lattice rows. Axis 1: the nearer and the farther of the two points that
    a sample lies between.
    """

    place: Indices
    """The point's place in its row."""
    distance: Field
    """Distance dx to it."""
    square: Field
    """Square of that."""

    def part(self, left: int, right: int) -> _Columns:
        """Return what belongs to some of the columns."""
        place, distance, square = self.place, self.distance, self.square
        return _Columns(place[..., left:right], distance[..., left:right], square[..., left:right])


def _columns(along: npt.NDArray[np.float64]) -> _Columns:
    """Prepare the columns from their coordinates in steps along a row."""
    # Odd rows are shifted by half a step to the left.
    shifted = np.stack((along, along + 0.5))
    left = np.floor(shifted)
    beyond_middle = shifted - left >= 0.5
    place = np.stack((left + beyond_middle, left + ~beyond_middle), axis=1)
    distance = (shifted[:, np.newaxis] - place) * TRIANGLE_STEP
    square = distance * distance
    return _Columns(place.astype(np.int64), distance.astype(np.float32), square.astype(np.float32))


class _Vectors:
    """The vectors over some columns that belong to a range of lattice rows."""

    def __init__(self, low: int, high: int, columns: _Columns, slopes: Slopes) -> None:
        self._base: list[int] = []
        self._tables: list[list[Field]] = []
        first, last = int(columns.place.min()), int(columns.place.max()) + 1
        j = np.arange(low, high, dtype=np.int64)[:, np.newaxis]
        i = np.arange(first, last, dtype=np.int64) + (j >> 1)
        nodes = slopes(i.astype(np.int32), j.astype(np.int32))
        for parity in (0, 1):
            base = low + ((parity - low) & 1)
            own = [np.ascontiguousarray(node[base - low :: 2]) for node in nodes]
            shape = (len(own[0]), 1, columns.place.shape[-1])
            tables = [_shaped(part, shape) for part in _SPACE.vectors[parity]]
            for hand, distance in enumerate(columns.distance[parity]):
                address = columns.place[parity, hand] - first
                for node, table in zip(own, tables[2 * hand :]):
                    node.take(address, 1, table[:, 0], "wrap")
                tables[2 * hand] *= distance
            self._base.append(base)
            self._tables.append(tables)

    def of(self, row: Indices) -> list[Field]:
        """Return gx dx and gy of the nearer, then of the farther point: (len(row), 1, columns).

        The rows must be all even or all odd. What was returned before is overwritten.
        """
        parity = int(row[0]) & 1
        index = (row - self._base[parity]) >> 1
        tables = self._tables[parity]
        if len(index) == 1:
            one = slice(int(index[0]), int(index[0]) + 1)
            return [table[one] for table in tables]
        shape = (len(index), *tables[0].shape[1:])
        parts = [_shaped(part, shape) for part in _SPACE.gathered]
        return [table.take(index, 0, part, "wrap") for table, part in zip(tables, parts)]


@dataclass(frozen=True)
class _Plan:
    """Simplex noise on a grid, in tiles."""

    rows: _Rows
    columns: _Columns
    slopes: Slopes

    def write(self, start: int, stop: int, out: Field) -> None:
        """See `RowPlan`."""
        parts = _portions(0, out.shape[1], LONGEST_ROW)
        bands = BANDS * LONGEST_ROW // max(right - left for left, right in parts)
        span = np.abs(self.rows.band[start:stop] - self.rows.band[start])
        pieces = -(-int(span[-1] + 1) // bands)
        piece = span * pieces // (span[-1] + 1)
        with blocks.short_buffers():
            for top, bottom in _runs(piece, start):
                for left, right in parts:
                    part = out[top - start : bottom - start, left:right]
                    self._strip(top, bottom, self.columns.part(left, right), part)

    def _strip(self, top: int, bottom: int, columns: _Columns, out: Field) -> None:
        """Write the samples of some rows and columns."""
        span = self.rows.band[top:bottom]
        vectors = _Vectors(int(span.min()), int(span.max()) + 2, columns, self.slopes)
        width = out.shape[1]
        for firsts, count in self._groups(top, bottom, TILE // width):
            blocks.checkpoint()
            if len(firsts) == 1:
                # The rows lie together: sum in place.
                first = int(firsts[0])
                total = out[np.newaxis, first - top : first - top + count]
                self._tile(np.s_[np.newaxis, first : first + count], vectors, columns, total)
            else:
                rows = firsts[:, np.newaxis] + np.arange(count)
                total = _shaped(_SPACE.total, (*rows.shape, width))
                self._tile(rows, vectors, columns, total)
                out[rows.ravel() - top] = total.reshape(rows.size, width)

    def _groups(self, top: int, bottom: int, limit: int) -> Iterator[tuple[Indices, int]]:
        """Yield runs of rows that lie between the same lattice rows, several equal ones at a time.

        Each item holds the first rows of the runs and the common count of rows; their bands are
        all even or all odd.
        """
        band = self.rows.band
        groups: dict[tuple[int, int], list[int]] = {}
        for start, stop in _runs(band[top:bottom], top):
            for first, last in _portions(start, stop, limit):
                groups.setdefault((int(band[first]) & 1, last - first), []).append(first)
        for (_, count), firsts in groups.items():
            for start, stop in _portions(0, len(firsts), max(1, limit // count)):
                yield np.array(firsts[start:stop], np.int64), count

    def _tile(self, rows: _Runs, vectors: _Vectors, columns: _Columns, total: Field) -> None:
        """Write the sum of what the four points around each sample add: (runs, rows, columns)."""
        kernel, slope = (_shaped(part, total.shape) for part in (_SPACE.kernel, _SPACE.slope))
        zero = _SPACE.zero[: total.shape[-1]]
        band = self.rows.band[rows][:, 0]
        is_first = True
        for side in (0, 1):
            offset, reach = self.rows.offset[side][rows], self.rows.reach[side][rows]
            # Within a run the distance to a lattice row rises or falls.
            ends = (float(reach[0, 0, 0]), float(reach[0, -1, 0])) if len(band) == 1 else (0.0, 1.0)
            square = columns.square[(int(band[0]) + side) & 1]
            gradients = vectors.of(band + side)
            for hand, along, across in zip((0, 1), gradients[::2], gradients[1::2]):
                if hand == 1 and max(ends) <= HALFWAY:
                    continue  # All farther points are out of reach.
                np.subtract(reach, square[hand], kernel)
                if hand == 1 or min(ends) < HALFWAY:
                    np.maximum(kernel, zero, out=kernel)
                np.multiply(kernel, kernel, kernel)
                np.multiply(kernel, kernel, kernel)
                np.multiply(offset, across, slope)
                np.add(slope, along, slope)
                np.multiply(kernel, slope, total if is_first else kernel)
                if not is_first:
                    np.add(total, kernel, total)
                is_first = False


def _runs(values: Indices, start: int) -> list[tuple[int, int]]:
    """Return where equal values begin and end, counted from `start`."""
    cuts = (np.flatnonzero(np.diff(values)) + 1 + start).tolist()
    return list(zip([start, *cuts], [*cuts, start + len(values)]))


def _portions(start: int, stop: int, limit: int) -> list[tuple[int, int]]:
    """Divide a range into as few equal portions as are no longer than `limit`."""
    count = -(-(stop - start) // limit)
    edges = [start + (stop - start) * portion // count for portion in range(count + 1)]
    return list(zip(edges, edges[1:]))


class _Space(threading.local):
    """Where a thread works. Fresh memory would cost more than the arithmetic done in it.

    One piece of 4 MB: every part begins on a cache line, and NumPy asks for large pages.
    """

    def __init__(self) -> None:
        line = 16
        sizes = [TILE] * 7 + [(BANDS // 2 + 1) * LONGEST_ROW] * 8 + [LONGEST_ROW]
        raw = np.empty(max(sum(sizes) + line, 1 << 20), np.float32)
        ends = np.cumsum([(-raw.ctypes.data // raw.itemsize) % line, *sizes]).tolist()
        parts = [raw[start:stop] for start, stop in zip(ends, ends[1:])]
        self.kernel, self.slope, self.total = parts[:3]
        self.gathered = parts[3:7]
        self.vectors = (parts[7:11], parts[11:15])
        self.zero = parts[15]
        self.zero[:] = 0.0


_SPACE = _Space()


def _shaped(part: Field, shape: tuple[int, ...]) -> Field:
    return part[: math.prod(shape)].reshape(shape)
