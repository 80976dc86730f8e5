# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular grid as a mesh: its elements, row by row, and their attributes at another resolution.

Faces are seen from above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.grid import Grid
from ...rasters.resampling import resample_field, sample_positions

Indices = npt.NDArray[np.int32]

Layer = npt.NDArray[Any]
"""Values of an attribute, one row for each element: shape (elements, width)."""


@dataclass(frozen=True)
class Topology:
    """Elements of a grid of rows x columns vertices, and their connections.

    Faces are quads, anticlockwise from above: corner 0 is the one at the smallest x and y, and
    corner k's edge runs from corner k to corner k + 1.
    """

    rows: int
    columns: int

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return self.rows * self.columns

    @property
    def edges(self) -> int:
        """Number of edges: those along the rows first, then those along the columns."""
        return self._row_edges + (self.rows - 1) * self.columns

    @property
    def faces(self) -> int:
        """Number of faces."""
        return (self.rows - 1) * (self.columns - 1)

    @property
    def _row_edges(self) -> int:
        return self.rows * (self.columns - 1)

    # Each method creates the pattern of one grid row and adds the row's first number to it, which
    # writes every large array once, in order.

    def edge_vertices(self) -> Indices:
        """Return the two vertices of every edge: shape (2 * edges,)."""
        pairs = np.empty(self.edges * 2, np.int32)
        along, across = pairs[: self._row_edges * 2], pairs[self._row_edges * 2 :]
        column = _numbers(self.columns)
        _repeat(np.stack((column[:-1], column[1:]), axis=1), self.columns, self.rows, along)
        _repeat(
            np.stack((column, column + self.columns), axis=1), self.columns, self.rows - 1, across
        )
        return pairs

    def corner_vertices(self) -> Indices:
        """Return the vertex of every face corner: shape (4 * faces,)."""
        corners = np.empty(self.faces * 4, np.int32)
        low = _numbers(self.columns)
        high = low + self.columns
        pattern = np.stack((low[:-1], low[1:], high[1:], high[:-1]), axis=1)
        _repeat(pattern, self.columns, self.rows - 1, corners)
        return corners

    def corner_edges(self) -> Indices:
        """Return the edge that follows every face corner: shape (4 * faces,)."""
        corners = np.empty(self.faces * 4, np.int32)
        low = _numbers(self.columns - 1)
        left_edges = _numbers(self.columns) + self._row_edges
        pattern = np.stack((low, left_edges[1:], low + self.columns - 1, left_edges[:-1]), axis=1)
        _repeat(pattern, self.columns - 1, self.rows - 1, corners)
        # Edges along the columns advance by one more each row.
        corners.reshape(self.rows - 1, -1)[:, 1::2] += _numbers(self.rows - 1)[:, np.newaxis]
        return corners

    def corner_coordinates(self) -> npt.NDArray[np.float32]:
        """Return u and v of every face corner, 0 to 1 over the whole grid: shape (8 * faces,)."""
        u = (np.arange(self.columns, dtype=np.intp) / (self.columns - 1)).astype(np.float32)
        v = (np.arange(self.rows, dtype=np.intp) / (self.rows - 1)).astype(np.float32)
        # One product of each row's (1, low v, high v), whose sums have one term that is not 0.
        patterns = np.zeros((3, self.columns - 1, 4, 2), np.float32)
        patterns[0, ..., 0] = np.stack((u[:-1], u[1:], u[1:], u[:-1]), axis=1)
        patterns[1, :, :2, 1] = patterns[2, :, 2:, 1] = 1.0
        shares = np.stack((np.ones_like(v[1:]), v[:-1], v[1:]), axis=1)
        coordinates: Field = np.einsum("rk,kn->rn", shares, patterns.reshape(3, -1))
        return coordinates.reshape(-1)


def _numbers(count: int) -> Indices:
    return np.arange(count, dtype=np.int32)


def _repeat(pattern: Indices, step: int, rows: int, out: Indices) -> None:
    """Write one pattern per row into `out`, each `step` higher than the one before."""
    first = _numbers(rows)[:, np.newaxis] * np.int32(step)
    np.add(pattern.reshape(1, -1), first, out=out.reshape(rows, -1))


def grid_positions(grid: Grid, height: Field) -> npt.NDArray[np.float32]:
    """Return the vertices of a height field, centered on the origin in x and y: shape (3 * vertices,)."""
    positions = np.empty((grid.rows, grid.columns, 3), np.float32)
    width, depth = grid.width, (grid.rows - 1) * grid.spacing
    positions[..., 0] = np.linspace(-width / 2, width / 2, grid.columns)
    positions[..., 1] = np.linspace(-depth / 2, depth / 2, grid.rows)[:, np.newaxis]
    positions[..., 2] = height
    return positions.reshape(-1)


def resample_layer(layer: Layer, domain: str, old: Topology, new: Topology) -> Layer:
    """Return an attribute's values, shape (elements, width), for a finer or coarser grid over the same area.

    Floats are interpolated; other types are taken from the nearest element. The domain is "POINT",
    "EDGE", "FACE" or "CORNER".
    """
    ways = {"POINT": _points, "EDGE": _edges, "FACE": _faces, "CORNER": _corners}
    return ways[domain](layer, old, new)


def _points(layer: Layer, old: Topology, new: Topology) -> Layer:
    field = layer.reshape(old.rows, old.columns, -1)
    if layer.dtype == np.float32:
        points = resample_field(field, (new.rows, new.columns), is_smooth=False)
        return points.reshape(new.vertices, -1)
    row, column = sample_positions(old.rows, new.rows), sample_positions(old.columns, new.columns)
    near: Layer = field[np.rint(row).astype(np.intp)][:, np.rint(column).astype(np.intp)]
    return near.reshape(new.vertices, -1)


def all_edges_remain(layer: Layer, old: Topology, new: Topology) -> bool:
    """Return whether another grid keeps all values of edges, so that they could be restored from it."""
    return np.array_equal(_edges(_edges(layer, old, new), new, old), layer)


def _edges(layer: Layer, old: Topology, new: Topology) -> Layer:
    """Return the values of new edges from the old edges that they lie on.

    An edge that covers several old ones has their minimum: it is a seam where all of them are, and as
    sharp as the least sharp one. Edges between the old lines have 0.
    """
    count = old.rows * (old.columns - 1)
    along = layer[:count].reshape(old.rows, old.columns - 1, -1)
    across = layer[count:].reshape(old.rows - 1, old.columns, -1).swapaxes(0, 1)
    along = _lines(along, (old.rows, new.rows), (old.columns, new.columns))
    across = _lines(across, (old.columns, new.columns), (old.rows, new.rows)).swapaxes(0, 1)
    return np.concatenate([values.reshape(-1, layer.shape[1]) for values in (along, across)])


def _lines(values: Layer, lines: tuple[int, int], vertices: tuple[int, int]) -> Layer:
    """Return the values of the edges along the lines of a new grid: shape (lines, edges, width), as `values`.

    `lines` and `vertices` on each are those of the old and of the new grid.
    """
    old, new = vertices[0] - 1, vertices[1] - 1
    place = np.arange(lines[1], dtype=np.int64) * (lines[0] - 1)
    is_on_line = place % (lines[1] - 1) == 0
    on_lines = values[place[is_on_line] // (lines[1] - 1)]
    # In integers: new edge k reaches from k * old / new to (k + 1) * old / new.
    first = np.arange(new, dtype=np.int64) * old // new
    last = -(-np.arange(1, new + 1, dtype=np.int64) * old // new) - 1
    least = on_lines[:, first]
    for step in range(1, int((last - first).max()) + 1):
        least = np.minimum(least, on_lines[:, np.minimum(first + step, last)])
    result = np.zeros((lines[1], new, values.shape[2]), values.dtype)
    result[is_on_line] = least
    return result


def _faces(layer: Layer, old: Topology, new: Topology) -> Layer:
    """Return the values of the old faces that contain the centers of the new ones."""
    field = layer.reshape(old.rows - 1, old.columns - 1, -1)
    row, column = _nearest_cells(old.rows, new.rows), _nearest_cells(old.columns, new.columns)
    return field[row][:, column].reshape(new.faces, -1)


def _corners(layer: Layer, old: Topology, new: Topology) -> Layer:
    corners = layer.reshape(old.faces * 4, -1)
    # Where the corners around each vertex agree, the values belong to the vertices.
    order = old.corner_vertices()
    points = np.empty((old.vertices, corners.shape[1]), corners.dtype)
    points[order] = corners
    if np.array_equal(points[order], corners):
        return _points(points, old, new)[new.corner_vertices()]
    cells = _faces(layer, old, new).reshape(new.rows - 1, new.columns - 1, 4, -1)
    if layer.dtype == np.float32:
        cells = _within_cells(cells, old, new)
    return cells.reshape(new.faces * 4, -1)


def _within_cells(cells: Layer, old: Topology, new: Topology) -> Layer:
    """Return the values at the new faces' corners, each interpolated within one old face."""
    row, column = _nearest_cells(old.rows, new.rows), _nearest_cells(old.columns, new.columns)
    rows, columns = sample_positions(old.rows, new.rows), sample_positions(old.columns, new.columns)
    result = np.empty_like(cells)
    for corner, (up, right) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        t = (rows[up : up + new.rows - 1] - row).astype(np.float32)[:, np.newaxis, np.newaxis]
        s = (columns[right : right + new.columns - 1] - column).astype(np.float32)[:, np.newaxis]
        low = cells[..., 0, :] * (1 - s) + cells[..., 1, :] * s
        high = cells[..., 3, :] * (1 - s) + cells[..., 2, :] * s
        result[..., corner, :] = low * (1 - t) + high * t
    return result


def _nearest_cells(old: int, new: int) -> npt.NDArray[np.intp]:
    """Return the old face that contains the center of each new face along an axis."""
    return ((np.arange(new - 1, dtype=np.intp) + 0.5) * ((old - 1) / (new - 1))).astype(np.intp)
