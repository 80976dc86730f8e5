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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.grid import Axes
from ..base.plans import AddingPlan
from ..base.torus import TRIANGLE_ROW, TRIANGLE_STEP, Lattice
from .triangular_vectors import (
    BANDS,
    MAX_ROW_LENGTH,
    SPACE,
    TILE,
    ColumnPositions,
    Indices,
    RowVectors,
    Slopes,
    SlopeVectors,
    build_columns,
    view_as,
)

if TYPE_CHECKING:
    from ..base.plans import RowPlan

REACH = 0.5
"""Square of the kernel's radius. The radius is the height of a triangle, the largest at which a
point is out of reach beyond the edge that faces it: the sum over three corners is smooth."""

HALFWAY = (0.5 * TRIANGLE_STEP) ** 2
"""Square of the distance along a row at which its farther point becomes the nearer one."""


MAX_CELLS_PER_SAMPLE = 2.0
"""Beyond, vectors for each lattice row would not pay."""

FEWEST_ROWS = 8.0
"""Rows between two lattice rows from which they are divided by what is within their reach."""

_Runs = Indices | tuple[None, slice]
"""An index of some rows by (runs, rows): all at once, or a single run without a copy."""


def row_plan(
    axes: Axes, lattice: Lattice, slopes: Slopes, *, is_gradient: bool = False
) -> RowPlan | None:
    """Return the plan of simplex noise on a grid, or None if the grid is unsuitable.

    It is none if the lattice's rows do not run along x, or if there are so few samples to a
    lattice point that vectors for each row would not pay. The gradient plan writes the
    derivatives along x and y instead.
    """
    (along_x, along_y), (slant, down) = lattice.matrix
    if slant != 0.0 or along_y != 0.5 * down:
        return None
    if axes.step * max(abs(along_x), abs(down)) > MAX_CELLS_PER_SAMPLE:
        return None
    along, height = axes.x * along_x, axes.y * down
    band = np.floor(height)
    above = (height - band) * TRIANGLE_ROW
    offset = np.stack((above, above - TRIANGLE_ROW))
    reach = REACH - offset * offset
    near = reach >= HALFWAY
    if axes.step * abs(down) * FEWEST_ROWS > 1.0:
        near[:] = False
    number = band.astype(np.int64)
    distances = np.stack((offset, reach)).T.astype(np.float32)[..., np.newaxis]
    rows = RowVectors(number, (number & 1) + 2 * near[0] + 4 * near[1], distances)
    if not is_gradient:
        return _SimplexPlan(rows, build_columns(along), slopes)
    scale = np.array([along_x * TRIANGLE_STEP, down * TRIANGLE_ROW], np.float32)
    return _SimplexGradientPlan(rows, build_columns(along), slopes, scale.reshape(2, 1, 1, 1))


class _Neighbor(NamedTuple):
    """A lattice point that contributes to a tile of samples; arrays broadcast to (runs, rows, columns)."""

    reach: Field
    """What the distance along y leaves of the squared radius."""
    is_near: bool
    """Whether no sample is out of reach."""
    square: Field
    """Square of the distance along x."""
    distance: Field
    """Distance dx along x."""
    offset: Field
    """Distance dy along y."""
    along: Field
    across: Field
    """The two vectors of the point, see `SlopeVectors`."""

    def kernel(self, out: Field) -> Field:
        """Write the remainder of the squared radius, 0 out of reach."""
        np.subtract(self.reach, self.square, out)
        if not self.is_near:
            # Zeros of the same shape: NumPy's loop for a scalar has no vector instructions.
            np.maximum(out, view_as(SPACE.zero, out.shape), out=out)
        return out


@dataclass(frozen=True)
class _SimplexPlan(AddingPlan):
    """Simplex noise on a grid, in tiles."""

    has_distance: ClassVar[bool] = True
    """Whether the vectors along x are those times the distance."""

    rows: RowVectors
    columns: ColumnPositions
    slopes: Slopes

    def __call__(self, start: int, stop: int, out: Field) -> None:
        """See `RowPlan`."""
        self._rows(start, stop, out, None)

    def add(self, start: int, stop: int, out: Field, factor: np.float32) -> None:
        """See `AddingPlan.add`."""
        self._rows(start, stop, out, factor)

    def _rows(self, start: int, stop: int, out: Field, factor: np.float32 | None) -> None:
        """Write the samples, or add them times a factor."""
        parts = _split_range(0, out.shape[-1], MAX_ROW_LENGTH)
        bands = BANDS * MAX_ROW_LENGTH // max(right - left for left, right in parts)
        span = np.abs(self.rows.band[start:stop] - self.rows.band[start])
        pieces = -(-int(span[-1] + 1) // bands)
        piece = span * pieces // (span[-1] + 1)
        with blocks.short_buffers():
            for top, bottom in _runs(piece, start):
                for left, right in parts:
                    part = out[..., top - start : bottom - start, left:right]
                    self._strip(top, bottom, self.columns.part(left, right), part, factor)

    def _strip(
        self,
        top: int,
        bottom: int,
        columns: ColumnPositions,
        out: Field,
        factor: np.float32 | None,
    ) -> None:
        """Write or add the samples of some rows and columns."""
        span = self.rows.band[top:bottom]
        low, high = int(span.min()), int(span.max()) + 2
        vectors = SlopeVectors(low, high, columns, self.slopes, has_distance=self.has_distance)
        width = out.shape[-1]
        for firsts, count, kind in self._groups(top, bottom, TILE // width):
            blocks.checkpoint()
            lines: Indices | slice
            if len(firsts) == 1:
                first = int(firsts[0])
                rows: _Runs = np.s_[np.newaxis, first : first + count]
                lines = slice(first - top, first - top + count)
            else:
                rows = firsts[:, np.newaxis] + np.arange(count, dtype=np.intp)
                lines = rows.ravel() - top
            if isinstance(lines, slice) and factor is None:
                # The rows lie together: sum in place.
                self._tile(rows, kind, vectors, columns, out[..., np.newaxis, lines, :])
                continue
            total = self._total((len(firsts), count, width))
            self._tile(rows, kind, vectors, columns, total)
            result = total.reshape(*out.shape[:-2], len(firsts) * count, width)
            if factor is None:
                out[..., lines, :] = result
            else:
                np.multiply(result, factor, result)
                out[..., lines, :] += result

    def _groups(self, top: int, bottom: int, limit: int) -> Iterator[tuple[Indices, int, int]]:
        """Yield runs of rows that lie between the same lattice rows, several equal ones at a time.

        Each item holds the first rows of the runs, the common count of rows and their common
        `RowVectors.kind`.
        """
        kind = self.rows.kind[top:bottom]
        is_first = np.concatenate(([True], np.diff(self.rows.band[top:bottom]) != 0))
        is_first[1:] |= np.diff(kind) != 0
        starts = np.flatnonzero(is_first)
        counts = np.diff(starts, append=len(kind))
        pieces = -(-counts // limit)
        if pieces.max() > 1:
            ends = np.cumsum(pieces, dtype=np.intp)
            place = np.arange(ends[-1], dtype=np.intp) - np.repeat(ends - pieces, pieces)
            starts, counts, pieces = (np.repeat(part, pieces) for part in (starts, counts, pieces))
            edges = counts * place // pieces
            starts, counts = starts + edges, counts * (place + 1) // pieces - edges
        groups = counts * 8 + kind[starts]
        for group in np.unique(groups):
            firsts, count = starts[groups == group] + top, int(group) >> 3
            for start, stop in _split_range(0, len(firsts), max(1, limit // count)):
                yield firsts[start:stop], count, int(group) & 7

    def _neighbors(
        self, rows: _Runs, kind: int, vectors: SlopeVectors, columns: ColumnPositions
    ) -> Iterator[_Neighbor]:
        """Yield the up to four lattice points around the samples of a tile."""
        band, distances = self.rows.band[rows][:, 0], self.rows.distances[rows]
        for side in (0, 1):
            offset, reach = distances[:, :, side, 0], distances[:, :, side, 1]
            parity, is_near_row = (kind + side) & 1, bool(kind & 2 << side)
            gradients = vectors.of(band + side)
            for hand in (0, 1):
                along, across = gradients[:, :, hand : hand + 1]
                if hand == 1 and kind > 1 and not is_near_row:
                    continue  # All farther points are out of reach.
                is_near = hand == 0 and is_near_row
                square, distance = columns.square[parity, hand], columns.distance[parity, hand]
                yield _Neighbor(reach, is_near, square, distance, offset, along, across)

    def _total(self, shape: tuple[int, ...]) -> Field:
        """Return uninitialized memory for the sums of a tile of (runs, rows, columns)."""
        return view_as(SPACE.total, shape)

    def _tile(
        self,
        rows: _Runs,
        kind: int,
        vectors: SlopeVectors,
        columns: ColumnPositions,
        total: Field,
    ) -> None:
        """Write the sum of the contributions of the four points around each sample."""
        kernel, slope = (view_as(part, total.shape) for part in (SPACE.kernel, SPACE.slope))
        is_first = True
        for point in self._neighbors(rows, kind, vectors, columns):
            point.kernel(kernel)
            np.square(kernel, kernel)
            np.square(kernel, kernel)
            np.multiply(point.offset, point.across, slope)
            np.add(slope, point.along, slope)
            np.multiply(kernel, slope, total if is_first else kernel)
            if not is_first:
                np.add(total, kernel, total)
            is_first = False


@dataclass(frozen=True)
class _SimplexGradientPlan(_SimplexPlan):
    """The derivatives of simplex noise on a grid, in tiles.

    With k = c(y) - dx^2 and s = gx dx + gy dy a point adds k^4 s, whose derivative along x is
    k^3 (k gx - 8 dx s); that along y is alike.
    """

    has_distance: ClassVar[bool] = False

    scale: Field
    """What turns distances into tiles along x and y, shape (2, 1, 1, 1)."""

    def _total(self, shape: tuple[int, ...]) -> Field:
        return np.empty((2, *shape), np.float32)

    def _tile(
        self,
        rows: _Runs,
        kind: int,
        vectors: SlopeVectors,
        columns: ColumnPositions,
        total: Field,
    ) -> None:
        """Write the two sums: (2, runs, rows, columns)."""
        shape = total.shape[1:]
        kernel, slope, cube = (
            view_as(part, shape) for part in (SPACE.kernel, SPACE.slope, SPACE.total)
        )
        part = np.empty(shape, np.float32)
        total.fill(0.0)
        for point in self._neighbors(rows, kind, vectors, columns):
            point.kernel(kernel)
            np.square(kernel, cube)
            np.multiply(kernel, cube, cube)
            np.multiply(point.offset, point.across, slope)
            np.multiply(point.distance, point.along, part)
            np.add(slope, part, slope)
            np.multiply(slope, np.float32(-8.0), slope)
            axes = ((point.distance, point.along), (point.offset, point.across))
            for out, (distance, gradient) in zip(total, axes):
                np.multiply(slope, distance, part)
                part += kernel * gradient
                part *= cube
                out += part
        total *= self.scale


def _runs(values: Indices, start: int) -> list[tuple[int, int]]:
    """Return the bounds of runs of equal values, counted from `start`."""
    cuts = (np.flatnonzero(np.diff(values)) + 1 + start).tolist()
    return list(zip([start, *cuts], [*cuts, start + len(values)]))


def _split_range(start: int, stop: int, limit: int) -> list[tuple[int, int]]:
    """Divide a range into the fewest equal parts no longer than `limit`."""
    count = -(-(stop - start) // limit)
    edges = [start + (stop - start) * portion // count for portion in range(count + 1)]
    return list(zip(edges, edges[1:]))
