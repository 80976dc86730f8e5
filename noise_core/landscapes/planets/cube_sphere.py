# SPDX-License-Identifier: GPL-3.0-or-later
"""A sphere as a cube whose six faces are grids of equal angles: no poles, cells of about one size.

A face's coordinates are tangents of evenly spaced angles from -45 to 45 degrees, so that its lines are great
circles. The largest cell is 1.4 times as large as the smallest; on a cube that is blown up evenly it is 5.2 times.

References
----------
C. Ronchi, R. Iacono, P. S. Paolucci (1996). The "cubed sphere": a new method for the solution of partial
differential equations in spherical geometry. Journal of Computational Physics 124, 93-114.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.elementary import tangent_of

Numbers = npt.NDArray[np.int32]

FACES = 6

AXES = (
    ((0, 1), (1, 1), (2, 1)),
    ((0, -1), (1, -1), (2, 1)),
    ((1, 1), (0, -1), (2, 1)),
    ((1, -1), (0, 1), (2, 1)),
    ((2, 1), (0, 1), (1, 1)),
    ((2, -1), (0, 1), (1, -1)),
)
"""Of each face: its outward axis, its columns and its rows, as an axis of space and the way along it. Columns
cross rows outwards."""

_TILES = 3
"""Faces side by side on a UV map: three columns, two rows."""


@dataclass(frozen=True)
class CubeSphere:
    """The vertices, edges and quads of a cube sphere.

    Vertices within faces come first, face by face and row by row; then those on edges of the cube, once.

    Attributes
    ----------
    cells : int
        Along an edge of the cube, 1 at least.
    """

    cells: int

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return FACES * self.cells**2 + 2

    @property
    def quads(self) -> int:
        """Number of faces of the mesh."""
        return FACES * self.cells**2

    @functools.cached_property
    def index(self) -> Numbers:
        """Return the vertex at each place of each face: shape (6, n + 1, n + 1)."""
        side = self.cells - 1
        index = np.empty((FACES, self.cells + 1, self.cells + 1), np.int32)
        index[:, 1:-1, 1:-1] = np.arange(FACES * side**2, dtype=np.int32).reshape(FACES, side, side)
        numbers = np.unique(self._border_keys, return_inverse=True)[1].reshape(-1)
        index[self._is_border] = numbers + FACES * side**2
        return index

    def directions(self) -> Field:
        """Return the directions of all vertices: unit vectors, shape (vertices, 3).

        One is a function of its place on the cube alone: n and 2 n cells have the same at places that both
        have, to the bit.
        """
        side, inner = self.cells - 1, slice(1, -1)
        result = np.empty((self.vertices, 3), np.float32)
        tangents = self._tangents
        for face, (outward, across, up) in enumerate(AXES):
            part = result[face * side**2 : (face + 1) * side**2].reshape(side, side, 3)
            u, v = tangents[inner], tangents[inner, np.newaxis]
            length = 1.0 / np.sqrt(1.0 + (u * u + v * v))
            part[..., outward[0]] = outward[1] * length
            part[..., across[0]] = across[1] * u * length
            part[..., up[0]] = up[1] * v * length
        keys, count = np.unique(self._border_keys), self.cells + 1
        places = tangents[np.stack([keys // count**2, keys // count % count, keys % count], axis=1)]
        x, y, z = places.T
        # Of the three squares one is 1; in this order sums are those within the faces.
        squares = np.sort(np.stack([x * x, y * y, z * z]), axis=0)
        lengths = np.sqrt(squares[2] + (squares[1] + squares[0]))
        result[FACES * side**2 :] = places / lengths[:, np.newaxis]
        return result

    def areas(self) -> Field:
        """Return the share of the sphere that belongs to each vertex, about: their sum is 1 but for rounding."""
        tangents = self._tangents
        u, v = tangents, tangents[:, np.newaxis]
        squares = 1.0 + (u * u + v * v)
        # Of the mapping by angles: (1 + u^2) (1 + v^2) / (1 + u^2 + v^2)^(3/2).
        share = (1.0 + u * u) * (1.0 + v * v) / (squares * np.sqrt(squares))
        share[[0, 0, -1, -1], [0, -1, 0, -1]] *= 0.75  # three cells meet there, not four
        result = np.empty(self.vertices, np.float32)
        for face in self.index:
            result[face] = share
        result /= np.float32(result.sum(dtype=np.float64))
        return result

    def quad_vertices(self) -> Numbers:
        """Return the vertices of each quad, anticlockwise from outside: shape (quads, 4)."""
        at = self.index
        corners = (at[:, :-1, :-1], at[:, :-1, 1:], at[:, 1:, 1:], at[:, 1:, :-1])
        return np.stack(corners, axis=-1).reshape(-1, 4)

    def edges(self) -> tuple[Numbers, Numbers]:
        """Return the vertices of each edge, shape (edges, 2), and the edges of each quad, shape (quads, 4).

        The edge of a corner leads to the next corner.
        """
        n, at = self.cells, self.index
        along = np.stack((at[:, :, :-1], at[:, :, 1:]), axis=-1)  # (6, n + 1, n, 2)
        across = np.stack((at[:, :-1], at[:, 1:]), axis=-1)  # (6, n, n + 1, 2)
        inner = FACES * n * (n - 1)
        along_at = np.empty(along.shape[:3], np.int32)
        across_at = np.empty(across.shape[:3], np.int32)
        along_at[:, 1:-1] = np.arange(inner, dtype=np.int32).reshape(FACES, n - 1, n)
        across_at[:, :, 1:-1] = np.arange(inner, 2 * inner, dtype=np.int32).reshape(FACES, n, n - 1)
        border = np.concatenate((along[:, ::n], across[:, :, ::n].swapaxes(1, 2)), axis=1)
        pairs = np.sort(border.reshape(-1, 2), axis=1)
        keys = pairs[:, 0].astype(np.int64) * self.vertices + pairs[:, 1]
        unique_keys, which = np.unique(keys, return_inverse=True)
        which = which.reshape(FACES, 4, n) + 2 * inner
        along_at[:, ::n], across_at[:, :, ::n] = which[:, :2], which[:, 2:].swapaxes(1, 2)
        shared = np.stack(np.divmod(unique_keys, self.vertices), axis=1)
        ends = (along[:, 1:-1].reshape(-1, 2), across[:, :, 1:-1].reshape(-1, 2), shared)
        sides = (along_at[:, :-1], across_at[:, :, 1:], along_at[:, 1:], across_at[:, :, :-1])
        return (
            np.concatenate(ends).astype(np.int32),
            np.stack(sides, axis=-1).reshape(-1, 4),
        )

    def coordinates(self) -> Field:
        """Return u and v of each quad's corners, shape (quads, 4, 2): six square tiles, three by two."""
        shares = np.arange(self.cells + 1, dtype=np.intp) / self.cells
        low, high = shares[:-1], shares[1:]
        result = np.empty((FACES, self.cells, self.cells, 4, 2), np.float32)
        for face in range(FACES):
            row, column = divmod(face, _TILES)
            for corner, (u, v) in enumerate(((low, low), (high, low), (high, high), (low, high))):
                result[face, :, :, corner, 0] = (column + u) / _TILES
                result[face, :, :, corner, 1] = (row + v[:, np.newaxis]) / _TILES
        return result.reshape(-1, 4, 2)

    @functools.cached_property
    def _tangents(self) -> npt.NDArray[np.float64]:
        """Return the tangents of the angles of n + 1 lines, from -1 to 1; both halves are the same."""
        n = self.cells
        upper = [tangent_of(45.0 * (2 * i - n) / n) for i in range((n + 1) // 2, n)]
        half = np.array([*upper, 1.0])
        return np.concatenate((-half[::-1], half[n % 2 == 0 :]))

    @functools.cached_property
    def _is_border(self) -> npt.NDArray[np.bool_]:
        is_border = np.ones((FACES, self.cells + 1, self.cells + 1), np.bool_)
        is_border[:, 1:-1, 1:-1] = False
        return is_border

    @functools.cached_property
    def _border_keys(self) -> npt.NDArray[np.int64]:
        """Return a number for the place on the cube of each vertex on the border of a face: see `_is_border`."""
        n = self.cells
        line = np.arange(n + 1, dtype=np.int64)
        keys = np.empty((FACES, n + 1, n + 1), np.int64)
        weights = ((n + 1) ** 2, n + 1, 1)
        for face, (outward, across, up) in enumerate(AXES):
            column, row = (line if way > 0 else line[::-1] for _, way in (across, up))
            keys[face] = weights[outward[0]] * (n if outward[1] > 0 else 0)
            keys[face] += weights[across[0]] * column
            keys[face] += weights[up[0]] * row[:, np.newaxis]
        return keys[self._is_border]
