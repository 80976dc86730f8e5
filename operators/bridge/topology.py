# SPDX-License-Identifier: GPL-3.0-or-later
"""The vertices, edges and faces of a grid as index arrays; row by row, faces seen from above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Topology:
    """How many elements a grid of rows x columns vertices has, and how they hang together.

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

    def edge_vertices(self) -> Indices:
        """Return the two vertices of every edge: shape (2 * edges,)."""
        grid = self._numbered(0, self.rows, self.columns)
        pairs = np.empty((self.edges, 2), np.int32)
        along, across = pairs[: self._row_edges], pairs[self._row_edges :]
        along[:, 0], along[:, 1] = grid[:, :-1].ravel(), grid[:, 1:].ravel()
        across[:, 0], across[:, 1] = grid[:-1].ravel(), grid[1:].ravel()
        return pairs.ravel()

    def corner_vertices(self) -> Indices:
        """Return the vertex of every face corner: shape (4 * faces,)."""
        corners = np.empty((self.rows - 1, self.columns - 1, 4), np.int32)
        first = self._numbered(0, self.rows, self.columns)[:-1, :-1]
        corners[..., 0] = first
        np.add(first, 1, out=corners[..., 1])
        np.add(first, self.columns + 1, out=corners[..., 2])
        np.add(first, self.columns, out=corners[..., 3])
        return corners.ravel()

    def corner_edges(self) -> Indices:
        """Return the edge that follows every face corner: shape (4 * faces,)."""
        corners = np.empty((self.rows - 1, self.columns - 1, 4), np.int32)
        along = self._numbered(0, self.rows, self.columns - 1)
        across = self._numbered(self._row_edges, self.rows - 1, self.columns)
        corners[..., 0], corners[..., 2] = along[:-1], along[1:]
        corners[..., 1], corners[..., 3] = across[:, 1:], across[:, :-1]
        return corners.ravel()

    def corner_coordinates(self) -> npt.NDArray[np.float32]:
        """Return u and v of every face corner, 0 to 1 over the whole grid: shape (8 * faces,)."""
        u = (np.arange(self.columns) / (self.columns - 1)).astype(np.float32)
        v = (np.arange(self.rows) / (self.rows - 1)).astype(np.float32)[:, np.newaxis]
        corners = np.empty((self.rows - 1, self.columns - 1, 4, 2), np.float32)
        for corner, left, low in (
            (0, True, True),
            (1, False, True),
            (2, False, False),
            (3, True, False),
        ):
            corners[..., corner, 0] = u[:-1] if left else u[1:]
            corners[..., corner, 1] = v[:-1] if low else v[1:]
        return corners.ravel()

    @staticmethod
    def _numbered(first: int, rows: int, columns: int) -> Indices:
        return np.arange(first, first + rows * columns, dtype=np.int32).reshape(rows, columns)
