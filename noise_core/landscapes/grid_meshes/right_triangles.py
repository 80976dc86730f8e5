# SPDX-License-Identifier: GPL-3.0-or-later
"""Nested triangulations of a grid by an error: right triangles, halved where the land needs it.

A square is cut by a diagonal into two right triangles. A triangle is halved from the middle of its longest side to its
right angle, and so are the halves. So a vertex belongs to two triangles, one on each side of the longest side that it
halves, and both are halved together: nothing cracks. A vertex that is there needs those at the right angles of both,
so a triangulation is closed if no vertex has a smaller error than those that need it.

All squares and all sides of one size lie on a regular lattice: a level of the hierarchy is a slice of the grid, and
neither errors nor triangles are found one by one.

References
----------
Evans, Kirkpatrick & Townsend (2001). Right-triangulated irregular networks. Algorithmica 30.
Lindstrom & Pascucci (2001). Visualization of large terrains made easy. IEEE Visualization: nested errors.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.gathering import gather

Indices = npt.NDArray[np.int32]
Shares = npt.NDArray[np.bool_]

_WASTE = 1.125
"""How many times as many cells as the grid's own squares of the largest size may cover."""

_POINTWISE = 8
"""Cells along a square up to which its points are gone through one by one, for all squares at once."""

_MOSTLY = 0.5
"""Share of squares from which all are measured: to pick them out takes longer."""

_FEW_LACKING = 1.0 / 64.0
"""Share of samples that are taken although they lie on a triangle of others: to leave so few out takes longer."""

_LOWER_HALF = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0))
"""Corners of a square's half, as shares of its side: rows, columns. The other half is its mirror image."""

_QUARTER = ((0.0, 0.0), (0.0, 1.0), (0.5, 0.5))
"""Corners of the quarter at a square's first row."""


@dataclass(frozen=True, eq=False)
class Triangulation:
    """Triangles between samples of a grid.

    Attributes
    ----------
    vertices : ndarray of shape (vertices,), int64
        Their places in the raveled grid, rising.
    triangles : ndarray of shape (triangles, 3), int32
        Numbers of their vertices, anticlockwise where columns run along x and rows along y.
    """

    vertices: npt.NDArray[np.int64]
    triangles: Indices


class RightTriangles:
    """Hierarchy of the triangulations of a grid.

    Parameters
    ----------
    *fields : ndarray of shape (rows, columns), float32
        Heights; or coordinates, where columns and rows are no straight lines. At least 2 x 2.
    keeps_border : bool
        Whether every triangulation has all samples of the border: then any two of neighboring grids fit together.
    largest : float
        Error that no triangulation is asked for above: what is farther off needs no measure.

    Attributes
    ----------
    shape : tuple of two ints
        Rows and columns.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.landscapes.grid_meshes.right_triangles import RightTriangles
    >>> height = np.zeros((5, 5), np.float32)
    >>> height[2, 2] = 10.0
    >>> peak = RightTriangles(height, keeps_border=False)
    >>> [len(peak.triangulate(error).triangles) for error in (20.0, 8.0, 0.0)]
    [2, 4, 24]
    """

    def __init__(self, *fields: Field, keeps_border: bool = True, largest: float = np.inf) -> None:
        self.shape = fields[0].shape
        self._side = _largest_square(self.shape)
        padding = [(0, -(count - 1) % self._side) for count in self.shape]
        padded = [np.pad(field, padding, mode="edge") for field in fields]
        self._errors: Field = np.zeros_like(padded[0])
        rows, columns = self.shape
        # No triangle crosses a line whose samples are all there, so what is padded can be left out.
        if keeps_border or padding[0][1]:
            self._errors[rows - 1] = np.inf
        if keeps_border or padding[1][1]:
            self._errors[:, columns - 1] = np.inf
        if keeps_border:
            self._errors[0] = self._errors[:, 0] = np.inf
        for half in _halves(self._side):
            checkpoint()
            _find_errors(self._errors, padded, half, largest)

    def triangulate(self, error: float) -> Triangulation:
        """Return the triangulation that is nowhere farther than an error from a sample.

        Parameters
        ----------
        error : float
            In the units of the fields; 0 has all samples but those of places that are quite level.
        """
        active = self._errors > np.float32(error)
        active[:: self._side, :: self._side] = True
        rows, columns = self.shape
        if active.shape == self.shape:
            lacking = active.size - np.count_nonzero(active)
            if lacking <= _FEW_LACKING * active.size:
                return Triangulation(np.arange(active.size, dtype=np.int64), _halved(rows, columns))
        width = active.shape[1]
        places = np.concatenate([part for part in _leaves(active, self._side)])
        if active.shape != self.shape:
            is_inside = (places // width < rows).all(axis=1)
            is_inside &= (places % width < columns).all(axis=1)
            places = places[is_inside]
        inside = np.zeros_like(active)
        inside[:rows, :columns] = active[:rows, :columns]
        numbers = np.cumsum(inside, dtype=np.int32) - np.int32(1)
        triangles = gather(numbers, places)
        return Triangulation(np.flatnonzero(active[:rows, :columns]), triangles)


def _halved(rows: int, columns: int) -> Indices:
    """Return two triangles of each square of neighbors, cell by cell; their diagonals take turns."""
    first = np.empty((2, columns - 1, 2, 3), np.int32)
    south_west = np.arange(2 * columns, dtype=np.int32).reshape(2, columns)[:, :-1]
    up = columns
    for down, across in ((0, 0), (0, 1), (1, 0), (1, 1)):
        part = np.s_[down, across::2]
        # Corners from the south-west one, anticlockwise: east is 1, north is the next row.
        if down == across:
            corners = ((0, 1, up + 1), (0, up + 1, up))
        else:
            corners = ((0, 1, up), (1, up + 1, up))
        for number, triangle in enumerate(corners):
            for place, step in enumerate(triangle):
                np.add(south_west[part], np.int32(step), out=first[part][..., number, place])
    # All other rows are those two, moved up.
    found = np.empty((rows - 1, columns - 1, 2, 3), np.int32)
    for row in range(rows - 1):
        np.add(first[row % 2], np.int32((row - row % 2) * columns), out=found[row])
    return found.reshape(-1, 3)


def _largest_square(shape: tuple[int, ...]) -> int:
    """Return the side of the largest squares, a power of two, that cover a grid without much waste."""
    cells = [count - 1 for count in shape]
    side = 1 << max(max(cells) - 1, 1).bit_length()
    while side > 2:
        covered = [-(-count // side) * side for count in cells]
        if covered[0] * covered[1] <= _WASTE * cells[0] * cells[1]:
            break
        side //= 2
    return side


def _windows(field: Field, side: int) -> Field:
    """Return all squares of a side, with both of their borders: shape (down, across, side + 1, side + 1)."""
    windows = np.lib.stride_tricks.sliding_window_view(field, (side + 1, side + 1))
    return windows[::side, ::side]


def _find_errors(errors: Field, fields: Sequence[Field], half: int, largest: float) -> None:
    """Set the errors of the vertices that halve squares of one size, and before that their sides, in place.

    An error is at least that of all vertices that need this one.
    """
    whole = 2 * half
    level, upright = errors[::whole, half::whole], errors[half::whole, ::whole]
    if half > 1:
        finer = errors[half // 2 :: half, half // 2 :: half]
        beside = np.maximum(finer[:, ::2], finer[:, 1::2])
        _raise(level[:-1], beside[::2])
        _raise(level[1:], beside[1::2])
        beside = np.maximum(finer[::2], finer[1::2])
        _raise(upright[:, :-1], beside[:, ::2])
        _raise(upright[:, 1:], beside[:, 1::2])
    squares = [_windows(field, whole) for field in fields]
    turned = [windows.swapaxes(-1, -2) for windows in squares]
    sides = (
        (level[:-1], squares),
        (level[1:], [windows[..., ::-1, :] for windows in squares]),
        (upright[:, :-1], turned),
        (upright[:, 1:], [windows[..., ::-1, :] for windows in turned]),
    )
    for side, windows in sides:
        _measure(side, windows, _QUARTER, largest)
    centers = errors[half::whole, half::whole]
    for side, _ in sides:
        _raise(centers, side)
    for down, across in ((0, 0), (0, 1), (1, 0), (1, 1)):
        part = np.s_[down::2, across::2]
        chosen = [windows[part] for windows in squares]
        if down != across:  # their diagonals fall
            chosen = [windows[..., ::-1] for windows in chosen]
        _measure(centers[part], chosen, _LOWER_HALF, largest)
        mirrored = [windows.swapaxes(-1, -2) for windows in chosen]
        _measure(centers[part], mirrored, _LOWER_HALF, largest)


def _raise(errors: Field, least: Field) -> None:
    np.maximum(errors, least, out=errors)


def _measure(
    errors: Field, fields: Sequence[Field], corners: Sequence[tuple[float, float]], largest: float
) -> None:
    """Raise the errors of squares to those of a triangle in each, unless they are above the largest already."""
    is_open = errors <= np.float32(largest)
    count = np.count_nonzero(is_open)
    if count > _MOSTLY * errors.size:
        _raise(errors, _distance([_deviation(windows, corners) for windows in fields]))
    elif count:
        found = _distance([_deviation(windows[is_open], corners) for windows in fields])
        errors[is_open] = np.maximum(errors[is_open], found)


def _distance(parts: Sequence[Field]) -> Field:
    """Return the length of what is off along several axes."""
    if len(parts) == 1:
        return parts[0]
    return np.asarray(np.sqrt(sum(part * part for part in parts)))


def _halves(side: int) -> Iterator[int]:
    """Yield half the sides of all squares that have a middle, the smallest first."""
    half = 1
    while half < side:
        yield half
        half *= 2


def _deviation(squares: Field, corners: Sequence[tuple[float, float]]) -> Field:
    """Return how far a triangle is from the samples in it, at most, in each of many squares.

    Parameters
    ----------
    squares : ndarray of shape (..., side + 1, side + 1), float32
    corners : sequence of three pairs
        Shares of the side: rows, columns. The first two lie on the first row.
    """
    side = squares.shape[-1] - 1
    rows, columns = ([int(place * side) for place in axis] for axis in zip(*corners))
    first, second, third = (squares[..., row, column] for row, column in zip(rows, columns))
    along = (second - first) * np.float32(1.0 / side)
    up = (third - first - along * np.float32(columns[2])) * np.float32(1.0 / rows[2])
    if side > _POINTWISE:
        off = _plane(first, along, up, (rows[2] + 1, side + 1))
        off -= squares[..., : rows[2] + 1, :]
        np.abs(off, out=off)
        off *= _within(side, columns[2])
        return np.asarray(off.max(axis=(-2, -1)))
    largest = np.zeros_like(first)
    taken = set(zip(rows, columns))
    off = np.empty_like(first)
    for row in range(rows[2] + 1):
        base = up * np.float32(row)
        base += first
        for column in range(row, _end(row, side, columns[2])):
            if (row, column) not in taken:
                np.multiply(along, np.float32(column), out=off)
                off += base
                off -= squares[..., row, column]
                _raise(largest, np.abs(off, out=off))
    return largest


def _plane(first: Field, along: Field, up: Field, shape: tuple[int, int]) -> Field:
    """Return planes at some rows and columns from their first values, and their rise along both."""
    rows, columns = (np.arange(count, dtype=np.float32) for count in shape)
    plane = along[..., np.newaxis, np.newaxis] * columns
    return plane + (first[..., np.newaxis] + up[..., np.newaxis] * rows)[..., np.newaxis]


def _end(row: int, side: int, apex: int) -> int:
    """Return where a row of a triangle ends: at the border, or at the other diagonal if its apex is in the middle."""
    return side + 1 if apex == side else side + 1 - row


@functools.lru_cache(maxsize=32)
def _within(side: int, apex: int) -> Field:
    """Return 1 at the samples of a triangle whose first row is a side, 0 at others: shape (rows, side + 1)."""
    rows = np.arange((side if apex == side else apex) + 1, dtype=np.int64)[:, np.newaxis]
    columns = np.arange(side + 1, dtype=np.int64)
    ends = np.full_like(rows, side) if apex == side else side - rows
    return ((columns >= rows) & (columns <= ends)).astype(np.float32)


def _leaves(active: Shares, side: int) -> Iterator[Indices]:
    """Yield the triangles that are not halved, the largest first: places in the raveled grid, shape (n, 3)."""
    width = active.shape[1]
    whole = side
    while whole:
        half = whole // 2
        corner = active[::whole, ::whole]
        down, across = (count - 1 for count in corner.shape)
        is_halved = active[half::whole, half::whole] if half else np.zeros((down, across), bool)
        rises = (
            np.add.outer(*(np.arange(count, dtype=np.int32) for count in (down, across))) & 1
        ) == 0
        south_west, south_east = (0, 0), (0, whole)
        north_west, north_east = (whole, 0), (whole, whole)
        # A half is there if the vertex at its right angle is, and its own middle is not.
        for at, is_such, triangle in (
            (corner[:-1, 1:], rises, (south_west, south_east, north_east)),
            (corner[1:, :-1], rises, (south_west, north_east, north_west)),
            (corner[:-1, :-1], ~rises, (south_west, south_east, north_west)),
            (corner[1:, 1:], ~rises, (south_east, north_east, north_west)),
        ):
            yield _triangles(at & is_such & ~is_halved, triangle, whole, width)
        if half:
            level, upright = active[::whole, half::whole], active[half::whole, ::whole]
            middle = (half, half)
            for beside, triangle in (
                (level[:-1], (south_west, south_east, middle)),
                (upright[:, 1:], (south_east, north_east, middle)),
                (level[1:], (north_east, north_west, middle)),
                (upright[:, :-1], (north_west, south_west, middle)),
            ):
                yield _triangles(is_halved & ~beside, triangle, whole, width)
        whole = half


def _triangles(
    present: Shares, corners: Sequence[tuple[int, int]], side: int, width: int
) -> Indices:
    """Return a triangle in each square where it is present: places of its corners in the raveled grid."""
    across = present.shape[1]
    places = np.flatnonzero(present).astype(np.int32)
    row = places // np.int32(across)
    # The place in the grid of squares, each of which is some samples wide.
    places -= row * np.int32(across)
    places *= np.int32(side)
    places += row * np.int32(side * width)
    found = np.empty((len(places), 3), np.int32)
    for number, (down, right) in enumerate(corners):  # one at a time: rows of three are slow
        np.add(places, np.int32(down * width + right), out=found[:, number])
    return found
