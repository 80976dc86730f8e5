# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognition of a mesh as a grid of rows x columns, by the connections of its faces.

The order of its vertices does not matter. The place of each vertex is computed from its position
between the four corners, and then verified face by face.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.blocks import checkpoint
from ...base.errors import ParameterError

Positions = npt.NDArray[np.float32]
"""Shape (vertices, 3)."""

Places = npt.NDArray[np.int64]
Plane = npt.NDArray[np.float64]

EVENNESS = 0.02
"""Largest deviation of a vertex from its place, as a share of the spacing.

Far more than the rounding of float32 on a terrain of 10 km, and too small to be visible.
"""

_FACES_AT_ONCE = 1 << 14
"""Their arrays stay in the processor's cache."""


def check_positions(name: str, positions: Positions) -> None:
    """Make sure that all positions are finite.

    Raises a ParameterError if some are infinite or not a number; the message begins with `name`.
    """
    is_finite = np.isfinite(positions)
    if not is_finite.all():
        count = int(np.count_nonzero(~is_finite.all(axis=1)))
        raise ParameterError(
            "{}: coordinates of vertices must be finite numbers; those of {} are not", name, count
        )


@dataclass(frozen=True)
class VertexGrid:
    """A mesh's vertices as a grid, seen from above."""

    rows: int  # at least 2 each
    columns: int
    places: Places  # index of each vertex in the raveled field, shape (vertices,)
    across: tuple[float, float, float]
    """Steps from one column, and from one row, to the next, in the mesh's own axes."""
    along: tuple[float, float, float]

    def field(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return values of the vertices as a field of shape (rows, columns)."""
        field = np.empty(self.rows * self.columns, np.float32)
        field[self.places] = values
        return field.reshape(self.rows, self.columns)

    def values(self, field: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return a field as values of the vertices, in their order."""
        return np.ascontiguousarray(field, np.float32).reshape(-1)[self.places]


@dataclass(frozen=True)
class MeshFaces:
    """Arrays of a mesh that recognition needs."""

    name: str
    positions: Positions  # of the mesh or of one of its shape keys, shape (vertices, 3)
    corners: npt.NDArray[np.int32]
    """The vertex of each corner, face by face, and the edge to the next corner of the same face."""
    corner_edges: npt.NDArray[np.int32]
    edges: npt.NDArray[np.int32]  # shape (edges, 2)
    count: int  # number of faces

    def vertex_grid(self) -> VertexGrid:
        """Return the vertices as a grid.

        Raises a ParameterError if it is no grid of quads, or not regular seen along its own Z axis, and
        `Cancelled` if its job was cancelled.
        """
        check_positions(self.name, self.positions)
        try:
            if self.count == 0:
                raise ParameterError("it has no faces")
            if not self._are_quads():
                raise ParameterError("it has faces that are not quads")
            faces = self.corners.reshape(-1, 4)
            ordered = _ordered_grid(self.positions, faces)
            return ordered or _find_vertex_grid(self.positions, faces)
        except ParameterError as reason:
            raise _refusal(self.name, reason) from None

    def _are_quads(self) -> bool:
        """Return whether each four corners are a face.

        Reading the number of corners of each face takes Blender twenty times as long as all other
        arrays. But the edge of a corner leads to the next corner of the same face. Four corners
        whose edges form a cycle are a face: the edges of a triangle return to the first corner
        early, which is then twice among the four and no cell of a grid; those of a larger face do
        not return.
        """
        if len(self.corners) != 4 * self.count:
            return False
        quads = self.corners.reshape(-1, 4)
        ways = self.corner_edges.reshape(-1, 4)
        # Both ends of an edge are read as one number of 64 bits, a few faces at a time: a fourth of the time.
        edges = np.ascontiguousarray(self.edges).view(np.int64).reshape(-1)
        for start in range(0, len(quads), _FACES_AT_ONCE):
            checkpoint()
            part = quads[start : start + _FACES_AT_ONCE]
            pairs = np.empty((2, len(part), 4, 2), np.int32)  # forwards, and backwards
            pairs[0, ..., 0] = pairs[1, ..., 1] = part
            pairs[0, ..., 1] = pairs[1, ..., 0] = np.roll(part, -1, axis=1)
            edge_numbers = edges.take(ways[start : start + _FACES_AT_ONCE])
            forwards, backwards = pairs.view(np.int64)[..., 0]
            if not ((edge_numbers == forwards) | (edge_numbers == backwards)).all():
                return False
        return True


def are_counts_of_grid(vertices: int, edges: int, faces: int) -> bool:
    """Return whether a grid of quads has so many vertices, edges and faces: most other meshes have not.

    A grid of r rows and c columns has r c vertices, 2 r c - r - c edges and (r - 1) (c - 1) faces. So the first two
    counts say the sum and the product of r and c, which are whole numbers if the square of their difference is one.

    Examples
    --------
    >>> from noise_core.landscapes.grid_meshes.recognition import are_counts_of_grid
    >>> are_counts_of_grid(15, 22, 8)  # 3 rows of 5
    True
    >>> are_counts_of_grid(8, 12, 6)  # a cube
    False
    """
    total = 2 * vertices - edges
    square = total * total - 4 * vertices
    if square < 0 or faces != edges - vertices + 1:
        return False
    difference = math.isqrt(square)
    return difference * difference == square and total - difference >= 4


def grid_of_rows(name: str, positions: Positions, rows: int, columns: int) -> VertexGrid:
    """Return the grid of a mesh that was just built in the order of rows: its faces need no proof.

    Parameters
    ----------
    name : str
        Of the mesh, for errors.
    positions : ndarray of shape (rows * columns, 3), float32
    rows, columns : int
        At least 2 each.

    Raises
    ------
    ParameterError
        If positions are not finite, or not even along its axes.
    """
    check_positions(name, positions)
    vertex_grid = _even_grid(positions, rows, columns)
    if vertex_grid is None:
        raise _refusal(name, "its vertices are not evenly spaced seen along its Z axis")
    return vertex_grid


def _refusal(name: str, reason: str | ParameterError) -> ParameterError:
    return ParameterError("{} is not a grid of quads that is regular from above: {}", name, reason)


def _ordered_grid(positions: Positions, faces: npt.NDArray[np.int32]) -> VertexGrid | None:
    """Return the grid of a mesh whose vertices and faces lie in the order of rows, along its axes.

    Terrane's own are such, and most others. The result is that of `_find_vertex_grid`; None if the
    mesh is no such grid.
    """
    columns = int(faces[0, 3]) - int(faces[0, 0])
    rows = len(positions) // max(columns, 1)
    if columns < 2 or rows < 2 or len(positions) != rows * columns:
        return None
    if len(faces) != (rows - 1) * (columns - 1):
        return None
    first = np.arange(rows - 1, dtype=np.int32)[:, np.newaxis] * np.int32(columns)
    lowest = (first + np.arange(columns - 1, dtype=np.int32)).reshape(-1)
    for corner, beyond in enumerate((0, 1, columns + 1, columns)):
        checkpoint()
        if not np.array_equal(faces[:, corner], lowest + np.int32(beyond)):
            return None
    return _even_grid(positions, rows, columns)


def _even_grid(positions: Positions, rows: int, columns: int) -> VertexGrid | None:
    """Return vertices and faces in the order of rows as a grid; None if it is uneven or turned."""
    fields = (positions[:, axis].reshape(rows, columns) for axis in range(2))
    across, along = (_even_steps(field) for field in fields)
    if across is None or along is None or across[0] <= 0.0 or along[1] <= 0.0:
        return None
    places = np.arange(rows * columns, dtype=np.int64)
    return VertexGrid(rows, columns, places, (across[0], 0.0, 0.0), (0.0, along[1], 0.0))


def _even_steps(field: npt.NDArray[np.float32]) -> tuple[float, float] | None:
    """Return the steps of a coordinate along rows and along columns, one of them 0; None if uneven."""
    rows, columns = field.shape
    start = float(field[0, 0])
    step_x = (float(field[0, -1]) - start) / (columns - 1)
    step_y = (float(field[-1, 0]) - start) / (rows - 1)
    if (step_x == 0.0) == (step_y == 0.0):
        return None
    count, step = (columns, step_x) if step_x else (rows, step_y)
    places = start + step * np.arange(count, dtype=np.float64)
    off = np.abs(field - places.reshape((1, count) if step_x else (count, 1)))
    return (step_x, step_y) if off.max() <= EVENNESS * abs(step_x or step_y) else None


def _find_vertex_grid(positions: Positions, faces: npt.NDArray[np.int32]) -> VertexGrid:
    """Return vertices and quads as a grid; raise a ParameterError with the reason if they form none."""
    checkpoint()
    valence = np.bincount(faces.reshape(-1), minlength=len(positions))
    if valence.min() == 0:
        raise ParameterError("it has loose vertices")
    ends = np.flatnonzero(valence == 1)
    if len(ends) != 4:
        raise ParameterError("a grid has 4 corners, it has {}", len(ends))
    plane = positions[:, :2].astype(np.float64)
    origin, across, along = _sides(plane[ends])
    rows, columns = _counts(plane, np.flatnonzero(valence <= 2), origin, across, along)
    if rows * columns != len(positions) or (rows - 1) * (columns - 1) != len(faces):
        raise ParameterError("it has holes, or parts that are no part of a grid")
    checkpoint()
    places = _places(plane, (rows, columns), origin, across, along)
    _prove(places, faces, columns)
    return VertexGrid(
        rows,
        columns,
        places,
        (*(across / (columns - 1)).tolist(), 0.0),
        (*(along / (rows - 1)).tolist(), 0.0),
    )


def _sides(corners: Plane) -> tuple[Plane, Plane, Plane]:
    """Return the corner where rows and columns begin, and its two sides.

    Of the four possible ways, columns run as nearly as possible along +x; rows are to their left.
    """
    offsets = corners - corners.mean(axis=0)
    ring = corners[np.argsort(np.arctan2(offsets[:, 1], offsets[:, 0]), kind="stable")]
    sides = np.roll(ring, -1, axis=0) - ring
    first = int(np.argmax(sides[:, 0] / np.maximum(np.linalg.norm(sides, axis=1), 1e-300)))
    origin, across = ring[first], sides[first]
    along = ring[first - 1] - origin
    width, depth = np.linalg.norm(across), np.linalg.norm(along)
    gap = np.linalg.norm(sides[first] + sides[(first + 2) % 4])
    # A thousandth: a smaller deviation from square is less than `EVENNESS` in a cell.
    if min(width, depth) == 0.0 or abs(across @ along) > 1e-3 * width * depth or gap > 1e-3 * width:
        raise ParameterError("its outline seen along its Z axis is no rectangle")
    return origin, across, along


def _counts(
    plane: Plane, border: npt.NDArray[np.intp], origin: Plane, across: Plane, along: Plane
) -> tuple[int, int]:
    """Return the numbers of rows and columns.

    rows * columns vertices have 2 (rows + columns) - 4 on their border: two equations, which
    determine the numbers up to their order. The sides determine the order.
    """
    half = len(border) / 4.0 + 1.0
    root = half * half - len(plane)
    if root < 0.0:
        raise ParameterError("it has parts that are no part of a grid")
    more, less = round(half + root**0.5), round(half - root**0.5)
    offsets = plane[border] - origin
    s, t = offsets @ across / (across @ across), offsets @ along / (along @ along)
    for rows, columns in ((less, more), (more, less)):
        if rows < 2 or columns < 2:
            continue
        left, bottom = np.abs(s) < 0.25 / (columns - 1), np.abs(t) < 0.25 / (rows - 1)
        if left.sum() == rows and bottom.sum() == columns:
            return rows, columns
    raise ParameterError("it has holes, or its vertices are not evenly spaced along its sides")


def _places(
    plane: Plane, shape: tuple[int, int], origin: Plane, across: Plane, along: Plane
) -> Places:
    rows, columns = shape
    offsets = plane - origin
    column = offsets @ (across * ((columns - 1) / (across @ across)))
    row = offsets @ (along * ((rows - 1) / (along @ along)))
    nearest_column, nearest_row = np.rint(column), np.rint(row)
    beside = max(np.abs(column - nearest_column).max(), np.abs(row - nearest_row).max())
    if beside > EVENNESS:
        raise ParameterError("its vertices are not evenly spaced seen along its Z axis")
    places = (nearest_row * columns + nearest_column).astype(np.int64)
    if places.min() < 0 or places.max() >= rows * columns:
        raise ParameterError("it has parts that are no part of a grid")
    if np.bincount(places, minlength=rows * columns).max() > 1:
        raise ParameterError("some of its vertices lie above each other")
    return places


def _prove(places: Places, faces: npt.NDArray[np.int32], columns: int) -> None:
    """Make sure that every face is one cell of the grid.

    The diagonals of a cell at place p join p with p + columns + 1, and p + 1 with p + columns:
    they have the same midpoint. No other four vertices have that, except across the ends of a
    row. There are as many faces as cells, so no cell may occur twice.
    """
    checkpoint()
    a, b, c, d = (places[faces[:, corner]] for corner in range(4))
    checkpoint()
    first, second = np.abs(a - c), np.abs(b - d)
    is_cell = (a + c == b + d) & (first + second == 2 * columns)
    is_cell &= np.minimum(first, second) == columns - 1
    checkpoint()
    lowest = np.minimum(np.minimum(a, b), np.minimum(c, d))
    is_cell &= lowest % columns < columns - 1
    if not is_cell.all() or np.bincount(lowest).max() > 1:
        raise ParameterError("its faces do not join neighbors")
