# SPDX-License-Identifier: GPL-3.0-or-later
"""Resampling from one regular grid to another over the same area.

Attributes of any domain are resampled to a finer or coarser grid. Fields are resampled to a grid of
square cells, which the core needs, and back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.rasters.taps import cubic_weights
from .meshes import Layer, MeshArray, StoredLayer, ensure_attribute
from .regular_grid import Topology

Indices = npt.NDArray[np.intp]

Along = Callable[[Layer, Indices, Field, int], Layer]
"""Interpolation of a field along an axis, between neighbors from `low` on, at shares of a step."""

SAME = 0.01
"""Largest deviation of cells that count as square, and largest relative error of slopes."""

LONGEST = 16.0
"""Largest ratio of the sides of a cell; the number of squares grows by as much."""


def resample_attribute(layer: StoredLayer, old: Topology, new: Topology) -> MeshArray:
    """Return an attribute of one grid as an attribute of a mesh that is another grid."""

    def compute() -> Layer:
        values = resample_layer(layer.values, layer.domain, old, new)
        return np.ascontiguousarray(values, layer.values.dtype).reshape(-1)

    def add(mesh: bpy.types.Mesh) -> bool:
        return ensure_attribute(mesh, layer.name, layer.data_type, layer.domain)

    return MeshArray(layer.name, compute, add)


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
        return _resample(field, (new.rows, new.columns), _linear).reshape(new.vertices, -1)
    row, column = _positions(old.rows, new.rows), _positions(old.columns, new.columns)
    near = field[np.rint(row).astype(np.intp)][:, np.rint(column).astype(np.intp)]
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
    return np.concatenate([one.reshape(-1, layer.shape[1]) for one in (along, across)])


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
    return np.arange(new, dtype=np.float64) * ((old - 1) / max(new - 1, 1))


def _nearest_cells(old: int, new: int) -> Indices:
    """Return the old face that contains the center of each new face along an axis."""
    return ((np.arange(new - 1, dtype=np.intp) + 0.5) * ((old - 1) / (new - 1))).astype(np.intp)


@dataclass(frozen=True)
class SquareCells:
    """Grid of square cells for a field of `rows` and `columns`, with resampling to it and back.

    The grid has more rows or columns if the cells are not square.
    """

    rows: int
    columns: int
    grid: Grid

    @classmethod
    def of(cls, rows: int, columns: int, step_x: float, step_y: float) -> SquareCells:
        """Return the grid of squares for cells of step_x by step_y meters; raise an error if they are too long."""
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
    """Return a field on a grid of a shape over the same area, with the same corners.

    Smooth is cubic, without kinks at the old samples; otherwise it is linear, without overshoot.
    """
    return _resample(field, shape, _cubic if is_smooth else _linear)


def _resample(field: Layer, shape: tuple[int, int], along: Along) -> Layer:
    for axis, count in enumerate(shape):
        size = field.shape[axis]
        if size != count:
            positions = _positions(size, count)
            low = np.minimum(positions.astype(np.intp), max(size - 2, 0))
            share = (positions - low).astype(np.float32)
            one_axis = [-1 if one == axis else 1 for one in range(field.ndim)]
            field = along(field, low, share.reshape(one_axis), axis)
    return field


def _linear(field: Layer, low: Indices, share: Field, axis: int) -> Layer:
    high = np.minimum(low + 1, field.shape[axis] - 1)
    first, second = np.take(field, low, axis), np.take(field, high, axis)
    return first + (second - first) * share


def _cubic(field: Layer, low: Indices, t: Field, axis: int) -> Layer:
    """Interpolate between four neighbors; those outside are extrapolated linearly."""
    last = field.shape[axis] - 1
    ends = (0, min(1, last), last, max(last - 1, 0))
    first, second, end, before = (np.take(field, [place], axis) for place in ends)
    longer = np.concatenate((2 * first - second, field, 2 * end - before), axis)
    weights = cubic_weights(t)
    result = np.take(longer, low, axis) * weights[0]
    for offset in (1, 2, 3):
        result += np.take(longer, low + offset, axis) * weights[offset]
    return result
