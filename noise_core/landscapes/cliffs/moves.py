# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves of the vertices of a cliff along level normals, as far as no face turns round or crosses another."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from . import crossings
from .cutting import Flags, Numbers, Polygons, Reals
from .sampling import between_samples

_TRIES = 6
"""Times that moves are halved where faces would turn; then they are left out."""

_LEAST = 0.15
"""Share of a face's area along its normal that a move leaves, at least."""

_PROBES = (0.25, 0.5, 0.75, 1.0)
"""Shares of a move at which the ground is asked for."""

_ROUNDS = 12
"""Rounds of shortening moves until no face crosses another."""

_PARALLEL = 0.99
"""Cosine between the directions of the moves of a face's corners, at least, for faces that need no test."""

_EVEN = 0.6
"""Tangent of slope below which a face is even ground, which nothing overhangs."""

_LEANING = 0.6
"""The same, for faces that need no test."""

_ALIGNED = 0.5
"""Cosine between the directions of a steep face and of its move, at least."""


def room_share(samples: Reals, unit: Reals, move: Reals, height: Field) -> Reals:
    """Return the share of a move, in cells, that stays in the rock, or before it, over twice its length.

    So neither of two walls reaches the other through a thin crest, or across a gap.
    """
    start = between_samples({"": height[..., np.newaxis]}, samples)[""][:, 0]
    share, is_free = np.zeros(len(move), np.float64), np.ones(len(move), np.bool_)
    for part in _PROBES:
        place = samples + unit[:, ::-1] * (2.0 * part * move)[:, np.newaxis]
        ground = between_samples({"": height[..., np.newaxis]}, place)[""][:, 0]
        is_free &= (ground - start) * move <= 0.0
        share[is_free] = part
    return share


def move_apart(
    polygons: Polygons, points: Reals, samples: Reals, unit: Reals, move: Reals
) -> Reals:
    """Return the places of moved vertices; moves are shortened where faces would turn round or cross.

    Parameters
    ----------
    polygons : Polygons
        Faces of three and four corners.
    points : ndarray of shape (vertices, 3), float64
        Before the move.
    samples : ndarray of shape (vertices, 2), float64
        Rows and columns of the terrain.
    unit : ndarray of shape (vertices, 2), float64
        Level unit vectors that vertices move along.
    move : ndarray of shape (vertices,), float64
        Meters; it is changed.
    """
    triangles = _Triangles(polygons, points, samples, unit)
    _without_turns(triangles, points, unit, move)
    return _without_crossings(triangles, points, unit, move)


class _Triangles:
    """Triangles of faces, the cells of the terrain that they lie in, and how they look along their moves.

    Attributes
    ----------
    corners : ndarray of shape (triangles, 3), int64
    axis : ndarray of shape (triangles, 3), float64
        Unit vector along which a triangle must not turn round: that of its move, or up if it is even ground.
    area : ndarray of shape (triangles,), float64
        Twice its area along that, before the move.
    still : ndarray of shape (triangles,), bool
        Steep ones that look elsewhere than they move.
    astray : ndarray of shape (triangles,), bool
        Those that may cross others: even ones, and steep ones that do not look along their moves, or whose
        corners move in different directions.
    """

    def __init__(self, polygons: Polygons, points: Reals, samples: Reals, unit: Reals) -> None:
        starts, faces = polygons.starts, np.arange(len(polygons.counts), dtype=np.int64)
        three, four = faces[polygons.counts == 3], faces[polygons.counts == 4]
        # Quads are split from the first corner to the third, as Blender does.
        parts = ((three, (0, 1, 2)), (four, (0, 1, 2)), (four, (0, 2, 3)))
        corners = [
            polygons.corners[np.stack([starts[face] + at for at in places], axis=1)]
            for face, places in parts
        ]
        self.corners = np.concatenate(corners)
        self._columns = tuple(np.ascontiguousarray(self.corners[:, at]) for at in range(3))
        a, b, c = (samples[column] for column in self._columns)
        place = (a + b + c) / 3.0
        self.row, self.column = (np.floor(axis).astype(np.int64) + 1 for axis in place.T)
        vectors, moves = self.areas(points), [unit[column] for column in self._columns]
        level = np.sqrt(vectors[:, 0] ** 2 + vectors[:, 1] ** 2)
        is_even = level < _EVEN * vectors[:, 2]
        self.axis = np.zeros_like(vectors)
        self.axis[:, :2] = (moves[0] + moves[1] + moves[2]) / 3.0
        self.axis[is_even] = (0.0, 0.0, 1.0)
        self.area = _dot(vectors, self.axis)
        self.still = ~is_even & (self.area < _ALIGNED * level)
        cosines = [_dot(move, moves[0]) for move in moves]
        astray = (
            (np.minimum(np.minimum(cosines[0], cosines[1]), cosines[2]) < _PARALLEL)
            | self.still
            | (is_even & (np.abs(self.area) < 1e-9))
            | (self.area < _LEANING * level)
        )
        self.astray = self.touching(np.unique(self.corners[astray]), len(points))

    def areas(self, places: Reals, chosen: Numbers | None = None) -> Reals:
        """Return twice the vectors of the areas of all triangles, or of some: shape (triangles, 3)."""
        corners = self.corners if chosen is None else self.corners[chosen]
        a, b, c = (places[corners[:, at]] for at in range(3))
        return np.cross(b - a, c - a)

    def around(self, chosen: Flags) -> Flags:
        """Return the triangles in the cells of some, and in the cells around these."""
        cells = np.zeros(
            (int(self.row.max(initial=0)) + 2, int(self.column.max(initial=0)) + 2), np.bool_
        )
        row, column = self.row[chosen], self.column[chosen]
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                cells[row + down, column + right] = True
        result: Flags = cells[self.row, self.column]
        return result

    def touching(self, vertices: Numbers, count: int) -> Flags:
        """Return the triangles with a corner among some of so many vertices."""
        chosen = np.zeros(count, np.bool_)
        chosen[vertices] = True
        a, b, c = (chosen[column] for column in self._columns)
        result: Flags = a | b | c
        return result


def _dot(first: Reals, second: Reals) -> Reals:
    """Return the products of vectors, of two or three numbers each: a sum along so short an axis is slow."""
    product = first * second
    result: Reals = product[:, 0] + product[:, 1]
    if product.shape[1] == 3:
        result += product[:, 2]
    return result


def _without_turns(triangles: _Triangles, points: Reals, unit: Reals, move: Reals) -> None:
    """Shorten moves where a triangle would turn round.

    The part of a steep one's area that looks along its move stays, and so does the level part of an even one.
    A steep one that looks elsewhere does not move.
    """
    places, suspect = points.copy(), np.arange(len(triangles.corners), dtype=np.int64)
    move[triangles.corners[triangles.still]] = 0.0
    for attempt in range(_TRIES + 1):
        places[:, :2] = points[:, :2] + unit * move[:, np.newaxis]
        now = _dot(triangles.areas(places, suspect), triangles.axis[suspect])
        turned = suspect[now < _LEAST * triangles.area[suspect]]
        corners = np.unique(triangles.corners[turned])
        corners = corners[move[corners] != 0.0]
        if not len(corners):
            break
        move[corners] *= 0.5 if attempt < _TRIES - 1 else 0.0
        suspect = np.flatnonzero(triangles.touching(corners, len(points)))


def _without_crossings(triangles: _Triangles, points: Reals, unit: Reals, move: Reals) -> Reals:
    """Return the places of moved vertices, with shorter moves where faces would cross.

    Faces that look along their normals do not cross each other, as long as these are nearly parallel: the others and
    all around them are tested.
    """
    places, near = points.copy(), triangles.around(triangles.astray)
    for attempt in range(_ROUNDS):
        places[:, :2] = points[:, :2] + unit * move[:, np.newaxis]
        number, corners = np.flatnonzero(near), triangles.corners
        crossing = crossings.crossing_triangles(places, corners, number)
        if not len(crossing):
            break
        vertices = np.unique(corners[crossing])
        for _ in range(attempt // 2):  # their neighbors too, if they alone are not enough
            vertices = np.unique(corners[triangles.touching(vertices, len(points))])
        move[vertices] *= 0.5 if attempt < 2 else 0.0
        near = triangles.around(triangles.touching(vertices, len(points)))
    return places
