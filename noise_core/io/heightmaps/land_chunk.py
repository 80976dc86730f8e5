# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of a land whose samples become vertices of meshes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...landscapes.grid_meshes.right_triangles import Triangulation
from ..targets.bases.chunk_mesh import Bytes, ChunkMesh, Indices

_BITS = 24
"""Of the whole numbers that float32 has."""

Number = TypeVar("Number", np.float32, np.uint8)

Point = tuple[float, float, float]


def float_step(reach: float) -> float:
    """Return a power of two whose multiples up to a distance float32 has all."""
    return float(np.ldexp(1.0, int(np.frexp(reach)[1]) - _BITS))


@dataclass(frozen=True, eq=False)
class LandChunk:
    """A part of a land.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    normals : ndarray of shape (rows, columns, 3), float32
    land_shape : tuple of two ints
        Rows and columns of all of the land.
    first : tuple of two ints
        Row and column of its first sample in the land.
    spacing : float
        Meters between samples.
    textures : mapping of str to str
        See `ChunkMesh.textures`.
    name, land : str
        Of the part, and of all of the land.
    weights : tuple of ndarrays of shape (rows, columns, 4), uint8
        See `ChunkMesh.weights`.
    """

    height: Field
    normals: Field
    land_shape: tuple[int, int]
    first: tuple[int, int]
    spacing: float
    textures: Mapping[str, str]
    name: str
    land: str
    weights: tuple[Bytes, ...] = ()

    @property
    def samples(self) -> tuple[int, int]:
        """Columns and rows."""
        return (self.height.shape[1], self.height.shape[0])

    @property
    def place(self) -> Point:
        """Its middle, from that of the land, at height 0."""
        middles = (0.5 * (count - 1) for count in self.height.shape)
        y, x = (float(self._along(axis, middle)) for axis, middle in enumerate(middles))
        return (x, y, 0.0)

    def _along(self, axis: int, numbers: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return where samples of rows or columns lie, in meters from the middle of the land.

        They are rounded to a step of which float32 has all multiples within a chunk: the borders of two chunks
        are the same numbers, whichever of their middles they are counted from.
        """
        step = float_step(0.5 * (max(self.height.shape) - 1) * self.spacing)
        from_middle = self.first[axis] - 0.5 * (self.land_shape[axis] - 1)
        places = (np.asarray(numbers, np.float64) + from_middle) * self.spacing
        return np.asarray(np.rint(places / step) * step)

    def bounds(self, depth: float) -> tuple[Point, Point]:
        """Return its smallest and largest coordinates, in meters from the middle of the land, with skirts."""
        south, north = self._along(0, (0, self.height.shape[0] - 1)).tolist()
        west, east = self._along(1, (0, self.height.shape[1] - 1)).tolist()
        lowest, highest = float(self.height.min()), float(self.height.max())
        return (west, south, lowest - depth), (east, north, highest)

    def mesh(self, found: Triangulation, name: str) -> ChunkMesh:
        """Return a triangulation of its samples as a mesh of a name."""
        columns = self.height.shape[1]
        vertices = found.vertices
        count = len(vertices)
        positions = np.empty((count, 3), np.float32)
        within = np.empty((count, 2), np.float32)
        over = np.empty((count, 2), np.float32)
        is_whole = count == self.height.size
        down = across = vertices[:0]
        if not is_whole:
            down, across = np.divmod(vertices.astype(np.int32), np.int32(columns))
        for column, (axis, places) in enumerate(((1, across), (0, down))):
            samples = self.height.shape[axis]
            numbers = np.arange(samples, dtype=np.float64)
            along = self._along(axis, numbers) - self.place[column]
            land = (numbers + self.first[axis]) / (self.land_shape[axis] - 1)
            for into, values in (
                (positions, along),
                (within, numbers / (samples - 1)),
                (over, land),
            ):
                plain = values.astype(np.float32)
                if is_whole:
                    table = into.reshape(*self.height.shape, -1)
                    table[..., column] = plain[:, np.newaxis] if axis == 0 else plain
                else:
                    into[:, column] = plain.take(places)
        positions[:, 2] = self._taken(self.height, found)[:, 0]
        return ChunkMesh(
            name,
            self.place,
            positions,
            found.triangles,
            self._normals_at(found),
            (within, over),
            tuple(self._taken(weights, found) for weights in self.weights),
            self.textures,
            self.samples,
            self.name,
            self.land,
        )

    def _taken(self, field: npt.NDArray[Number], found: Triangulation) -> npt.NDArray[Number]:
        """Return a field's values at vertices: shape (vertices, channels)."""
        values = np.ascontiguousarray(field).reshape(self.height.size, -1)
        if len(found.vertices) == self.height.size:
            return values
        return values.take(found.vertices, axis=0)

    def _normals_at(self, found: Triangulation) -> Field:
        """Return the normals of vertices: straight up if a map of those of the finest level lies over them."""
        if "normal" not in self.textures:
            return self._taken(self.normals, found)
        up = np.zeros((len(found.vertices), 3), np.float32)
        up[:, 2] = 1.0
        return up

    def bare(self, mesh: ChunkMesh) -> ChunkMesh:
        """Return a mesh of positions alone."""
        return ChunkMesh(mesh.name, mesh.place, mesh.positions, mesh.triangles, chunk=self.name)

    def with_skirt(self, mesh: ChunkMesh, depth: float) -> ChunkMesh:
        """Return a mesh with walls that hang so many meters down from its borders."""
        border = _around(mesh.positions)
        count, first = len(border), len(mesh.positions)
        below = (first + np.arange(count, dtype=np.int64)).astype(np.int32)
        ahead, below_ahead = np.roll(border, -1), np.roll(below, -1)
        walls = [(below, below_ahead, ahead), (below, ahead, border)]
        triangles = [mesh.triangles, *(np.stack(corners, axis=-1) for corners in walls)]
        positions = mesh.positions[border].copy()
        positions[:, 2] -= np.float32(depth)
        assert mesh.normals is not None  # only bare meshes have none
        return dataclasses.replace(
            mesh,
            positions=np.concatenate([mesh.positions, positions]),
            triangles=np.concatenate(triangles),
            normals=np.concatenate([mesh.normals, mesh.normals[border]]),
            coordinates=tuple(np.concatenate([one, one[border]]) for one in mesh.coordinates),
            weights=tuple(np.concatenate([one, one[border]]) for one in mesh.weights),
        )


def _around(positions: Field) -> Indices:
    """Return the numbers of the vertices on the border of a rectangle, anticlockwise from the south-west."""
    x, y = positions[:, 0], positions[:, 1]
    sides = []
    for axis, end, order in ((1, y.min(), x), (0, x.max(), y), (1, y.max(), -x), (0, x.min(), -y)):
        on_side = np.flatnonzero(positions[:, axis] == end)
        sides.append(on_side[np.argsort(order[on_side], kind="stable")][:-1])
    return np.asarray(np.concatenate(sides).astype(np.int32))
