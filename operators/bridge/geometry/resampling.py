# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies on one grid is carried over to another: vertices, faces and face corners."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .topology import Topology

Layer = npt.NDArray[Any]
"""One row of values per element: shape (elements, width)."""


def resampled(layer: Layer, domain: str, old: Topology, new: Topology) -> Layer:
    """Return an attribute's values for a finer or coarser grid over the same area.

    Parameters
    ----------
    layer : ndarray of shape (elements, width)
        Floats are blended, everything else is taken from the nearest element.
    domain : str
        "POINT", "FACE" or "CORNER".
    old, new : Topology
        The grids.
    """
    if domain == "POINT":
        return _points(layer, old, new)
    if domain == "FACE":
        return _faces(layer, old, new)
    return _corners(layer, old, new)


def _points(layer: Layer, old: Topology, new: Topology) -> Layer:
    field = layer.reshape(old.rows, old.columns, -1)
    row, column = _positions(old.rows, new.rows), _positions(old.columns, new.columns)
    if layer.dtype != np.float32:
        near = field[np.rint(row).astype(np.intp)][:, np.rint(column).astype(np.intp)]
        return near.reshape(new.vertices, -1)
    return _blended(_blended(field, row, 0), column, 1).reshape(new.vertices, -1)


def _blended(field: Layer, positions: npt.NDArray[np.float64], axis: int) -> Layer:
    """Return linear interpolations between neighbours along one axis."""
    low = np.minimum(positions.astype(np.intp), max(field.shape[axis] - 2, 0))
    shape = [1, 1, 1]
    shape[axis] = -1
    share = (positions - low).astype(np.float32).reshape(shape)
    first, second = np.take(field, low, axis), np.take(field, low + 1, axis)
    return first + (second - first) * share


def _faces(layer: Layer, old: Topology, new: Topology) -> Layer:
    field = layer.reshape(old.rows - 1, old.columns - 1, -1)
    row, column = _nearest_cells(old.rows, new.rows), _nearest_cells(old.columns, new.columns)
    return field[row][:, column].reshape(new.faces, -1)


def _corners(layer: Layer, old: Topology, new: Topology) -> Layer:
    corners = layer.reshape(old.faces * 4, -1)
    # Where the corners around each vertex agree, it is really the vertices that carry the values.
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
    """Return the values at the new faces' corners, each blended within one old face."""
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
    """Return where the new vertices along an axis lie among the old ones."""
    return np.arange(new, dtype=np.float64) * ((old - 1) / (new - 1))


def _nearest_cells(old: int, new: int) -> npt.NDArray[np.intp]:
    """Return the old face in which the middle of each new face along an axis lies."""
    return ((np.arange(new - 1, dtype=np.intp) + 0.5) * ((old - 1) / (new - 1))).astype(np.intp)
