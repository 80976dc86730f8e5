# SPDX-License-Identifier: GPL-3.0-or-later
"""Regular grid as a mesh: vertices, edges, faces and UV map, row by row, faces seen from above."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid
from .meshes import MeshArray

UV_NAME = "UVMap"

Indices = npt.NDArray[np.int32]


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
        left = _numbers(self.columns) + self._row_edges
        pattern = np.stack((low, left[1:], low + self.columns - 1, left[:-1]), axis=1)
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
        return np.einsum("rk,kn->rn", shares, patterns.reshape(3, -1)).reshape(-1)


def _numbers(count: int) -> Indices:
    return np.arange(count, dtype=np.int32)


def _repeat(pattern: Indices, step: int, rows: int, out: Indices) -> None:
    """Write one pattern per row into `out`, each `step` higher than the one before."""
    first = _numbers(rows)[:, np.newaxis] * np.int32(step)
    np.add(pattern.reshape(1, -1), first, out=out.reshape(rows, -1))


def grid_positions(grid: Grid, height: Field) -> npt.NDArray[np.float32]:
    """Return the vertices of a height field, centered on the origin in x and y: shape (3 * vertices,)."""
    positions = np.empty((grid.rows, grid.columns, 3), np.float32)
    width, depth = grid.size, (grid.rows - 1) * grid.spacing
    positions[..., 0] = np.linspace(-width / 2, width / 2, grid.columns)
    positions[..., 1] = np.linspace(-depth / 2, depth / 2, grid.rows)[:, np.newaxis]
    positions[..., 2] = height
    return positions.reshape(-1)


def grid_arrays(grid: Grid, height: Field) -> tuple[MeshArray, ...]:
    """Return the edges, faces, UV map and positions of a height field, for a mesh with its elements."""
    topology = Topology(grid.rows, grid.columns)
    return (
        MeshArray(".edge_verts", topology.edge_vertices),
        MeshArray(".corner_vert", topology.corner_vertices),
        MeshArray(".corner_edge", topology.corner_edges),
        MeshArray(UV_NAME, topology.corner_coordinates, _add_uv_map),
        MeshArray("position", lambda: grid_positions(grid, height)),
    )


def _add_uv_map(mesh: bpy.types.Mesh) -> bool:
    mesh.uv_layers.new(name=UV_NAME, do_init=False)
    return True
