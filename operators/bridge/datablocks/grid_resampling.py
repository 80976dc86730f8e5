# SPDX-License-Identifier: GPL-3.0-or-later
"""Resampling from one regular grid to another over the same area.

Attributes of any domain are resampled to a finer or coarser grid. Fields are resampled to a grid of
square cells, which the core needs, and back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from .mesh_layers import FORMATS, Layer, MeshArray, StoredLayer, ensure_attribute, layer_data
from .regular_grid import Topology

SAME = 0.01
"""Largest deviation of cells that count as square, and largest relative error of slopes."""

LONGEST = 16.0
"""Largest ratio of the sides of a cell; the number of squares grows by as much."""


def resample_attribute(layer: StoredLayer, old: Topology, new: Topology) -> MeshArray:
    """Return an attribute of one grid as an array of a mesh that is another grid."""
    component, dtype, _ = FORMATS[layer.data_type]

    def compute() -> Layer:
        values = resample_layer(layer.values, layer.domain, old, new)
        return np.ascontiguousarray(values, dtype).reshape(-1)

    return MeshArray(
        compute,
        lambda mesh, values: layer_data(mesh, layer.name).foreach_set(component, values),
        lambda mesh: ensure_attribute(mesh, layer.name, layer.data_type, layer.domain),
    )


def resample_layer(layer: Layer, domain: str, old: Topology, new: Topology) -> Layer:
    """Return an attribute's values for a finer or coarser grid over the same area.

    Parameters
    ----------
    layer : ndarray of shape (elements, width)
        Floats are interpolated; other types are taken from the nearest element.
    domain : str
        "POINT", "EDGE", "FACE" or "CORNER".
    old, new : Topology
        The grids.
    """
    if domain == "POINT":
        return _points(layer, old, new)
    if domain == "EDGE":
        return _edges(layer, old, new)
    if domain == "FACE":
        return _faces(layer, old, new)
    return _corners(layer, old, new)


def _points(layer: Layer, old: Topology, new: Topology) -> Layer:
    field = layer.reshape(old.rows, old.columns, -1)
    row, column = _positions(old.rows, new.rows), _positions(old.columns, new.columns)
    if layer.dtype != np.float32:
        near = field[np.rint(row).astype(np.intp)][:, np.rint(column).astype(np.intp)]
        return near.reshape(new.vertices, -1)
    return _blend(_blend(field, row, 0), column, 1).reshape(new.vertices, -1)


def _blend(field: Layer, positions: npt.NDArray[np.float64], axis: int) -> Layer:
    """Return linear interpolations between neighbors along one axis."""
    low = np.minimum(positions.astype(np.intp), max(field.shape[axis] - 2, 0))
    shape = [1, 1, 1]
    shape[axis] = -1
    share = (positions - low).astype(np.float32).reshape(shape)
    first, second = np.take(field, low, axis), np.take(field, low + 1, axis)
    return first + (second - first) * share


def all_edges_remain(layer: Layer, old: Topology, new: Topology) -> bool:
    """Return whether another grid keeps all values of edges, so that they could be restored from it.

    Parameters
    ----------
    layer : ndarray of shape (edges, width)
    old, new : Topology
        See `resample_layer`.
    """
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
    return np.concatenate([one.reshape(-1, layer.shape[1]) for one in (along, across)])


def _lines(values: Layer, lines: tuple[int, int], vertices: tuple[int, int]) -> Layer:
    """Return the values of the edges along the lines of a new grid.

    Parameters
    ----------
    values : ndarray of shape (lines, edges, width)
        Values of an old grid; consecutive edges on each line.
    lines, vertices : tuple of two ints
        Number of lines of the old and of the new grid, and number of vertices on each.
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
    field = layer.reshape(old.rows - 1, old.columns - 1, 4, -1)
    row, column = _nearest_cells(old.rows, new.rows), _nearest_cells(old.columns, new.columns)
    cells = field[row][:, column]
    if layer.dtype != np.float32:
        return cells.reshape(new.faces * 4, -1)
    return _within_cells(cells, row, column, old, new).reshape(new.faces * 4, -1)


def _within_cells(
    cells: Layer,
    row: npt.NDArray[np.intp],
    column: npt.NDArray[np.intp],
    old: Topology,
    new: Topology,
) -> Layer:
    """Return the values at the new faces' corners, each interpolated within one old face."""
    rows, columns = _positions(old.rows, new.rows), _positions(old.columns, new.columns)
    result = np.empty_like(cells)
    for corner, (up, right) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        t = (rows[up : up + new.rows - 1] - row).astype(np.float32)[:, np.newaxis, np.newaxis]
        s = (columns[right : right + new.columns - 1] - column).astype(np.float32)[:, np.newaxis]
        low = cells[..., 0, :] * (1 - s) + cells[..., 1, :] * s
        high = cells[..., 3, :] * (1 - s) + cells[..., 2, :] * s
        result[..., corner, :] = low * (1 - t) + high * t
    return result


def _positions(old: int, new: int) -> npt.NDArray[np.float64]:
    """Return the positions of new vertices along an axis, in steps of the old ones."""
    return np.arange(new, dtype=np.float64) * ((old - 1) / (new - 1))


def _nearest_cells(old: int, new: int) -> npt.NDArray[np.intp]:
    """Return the old face that contains the center of each new face along an axis."""
    return ((np.arange(new - 1, dtype=np.intp) + 0.5) * ((old - 1) / (new - 1))).astype(np.intp)


@dataclass(frozen=True)
class SquareCells:
    """Grid of square cells for a field, with resampling to it and back.

    Attributes
    ----------
    rows, columns : int
        Shape of the field.
    grid : Grid
        The grid of squares, with more rows or columns if the cells are not square.
    """

    rows: int
    columns: int
    grid: Grid

    @classmethod
    def of(cls, rows: int, columns: int, step_x: float, step_y: float) -> SquareCells:
        """Return the grid of squares for cells of step_x by step_y meters.

        Raises
        ------
        ParameterError
            If they are more than 16 times as long as wide.
        """
        ratio = max(step_x / step_y, step_y / step_x)
        if ratio > LONGEST:
            raise ParameterError(
                "cells must be at most {:g} times as long as wide; got {:.3g} times: "
                "subdivide the mesh along the longer side, or even out its scale",
                LONGEST,
                ratio,
            )
        across, along = columns, rows
        if ratio > 1.0 + SAME:
            step = min(step_x, step_y)
            across = 1 + round((columns - 1) * step_x / step)
            along = 1 + round((rows - 1) * step_y / step)
        return cls(rows, columns, Grid(along, across, size=(columns - 1) * step_x))

    @property
    def are_square(self) -> bool:
        """Whether the cells of the field are square."""
        return self.grid.shape == (self.rows, self.columns)

    def spread(self, field: Field) -> Field:
        """Resample a field to the grid of squares, with cubic interpolation."""
        return resample_field(field, self.grid.shape, is_smooth=True)

    def gather(self, field: Field) -> Field:
        """Resample a field from the grid of squares to the original samples, linearly."""
        return resample_field(field, (self.rows, self.columns), is_smooth=False)


def resample_field(field: Field, shape: tuple[int, int], *, is_smooth: bool) -> Field:
    """Return a field on a grid over the same area with the same corners.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    shape : tuple of two ints
        Rows and columns of the result.
    is_smooth : bool
        Cubic, without kinks at the old samples; or linear, without overshoot.
    """
    for axis, count in enumerate(shape):
        if field.shape[axis] != count:
            field = _resample_along(field, count, axis, is_smooth)
    return field


def _resample_along(field: Field, count: int, axis: int, is_smooth: bool) -> Field:
    last = field.shape[axis] - 1
    positions = np.arange(count, dtype=np.float64) * (last / max(count - 1, 1))
    low = np.minimum(positions.astype(np.intp), max(last - 1, 0))
    share = (positions - low).astype(np.float32)
    weights = _cubic(share) if is_smooth else ((0, 1.0 - share), (1, share))
    # One more sample at each end, for the cubic's outer neighbors, extrapolated linearly.
    longer = _extend(field, axis)
    shape = list(field.shape)
    shape[axis] = count
    result = np.zeros(shape, np.float32)
    for offset, weight in weights:
        neighbors = np.take(longer, low + (1 + offset), axis)
        neighbors *= weight.reshape((-1, 1) if axis == 0 else (1, -1))
        result += neighbors
    return result


def _extend(field: Field, axis: int) -> Field:
    lines = np.moveaxis(field, axis, 0)
    second, last_but_one = (lines[1], lines[-2]) if len(lines) > 1 else (lines[0], lines[0])
    first, last = 2 * lines[0] - second, 2 * lines[-1] - last_but_one
    longer = np.concatenate((first[np.newaxis], lines, last[np.newaxis]))
    return np.moveaxis(longer, 0, axis)


def _cubic(t: npt.NDArray[np.float32]) -> tuple[tuple[int, npt.NDArray[np.float32]], ...]:
    """Return the weights of four neighbors by their offset.

    References
    ----------
    E. Catmull, R. Rom: A class of local interpolating splines. Computer Aided Geometric Design,
    1974.
    """
    half = np.float32(0.5)
    return (
        (-1, half * t * (t * (2 - t) - 1)),
        (0, half * (t * t * (3 * t - 5) + 2)),
        (1, half * t * (t * (4 - 3 * t) + 1)),
        (2, half * t * t * (t - 1)),
    )
