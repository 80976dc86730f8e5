# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples near rivers: which point of a river is the nearest, and how far it lies aside, in half widths.

Every piece of a river between two points visits the samples around it, all pieces at once for each offset.
So the work grows with the samples near rivers, not with those of the terrain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.blocks import checkpoint
from ...rasters.level import Level
from .curves import Floats, Indices, RiverCurves

_ALIKE = 0.7
"""Pieces are worked on together whose surroundings are at least this share of the widest ones."""

_TINY = 1e-30


@dataclass(frozen=True)
class Nearby:
    """Samples near rivers.

    Attributes
    ----------
    cells : ndarray of shape (samples,), intp
        Their numbers, rising.
    aside : ndarray of that shape, float64
        Distance from the nearest center line in half widths of its river, above 0 on the left.
    point : ndarray of that shape, intp
        Point of the curves before the nearest place.
    share : ndarray of that shape, float64
        How far that lies on the way to the next point, from 0 to 1.
    """

    cells: Indices
    aside: Floats
    point: Indices
    share: Floats

    def read(self, values: Floats) -> Floats:
        """Return values of the points of the curves at the samples, linear between points."""
        start = values[self.point]
        result: Floats = start + self.share * (values[self.point + 1] - start)
        return result


class Stamps:
    """Finds the samples near rivers, again and again with the same memory.

    Parameters
    ----------
    level : Level
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        count = level.rows * level.columns
        self._least = np.full(count, np.inf, np.float32)
        self._point = np.zeros(count, np.int32)

    def find(
        self, curves: RiverCurves, reach: float, where: npt.NDArray[np.bool_] | None = None
    ) -> Nearby:
        """Return the samples within a reach of rivers.

        Parameters
        ----------
        curves : RiverCurves
        reach : float
            In half widths of the rivers.
        where : ndarray of shape (points,), bool, optional
            Points at which there are rivers.
        """
        pieces = _StampedPieces.of(curves, where)
        for group in pieces.groups(reach, self.level):
            self._visit(group, reach)
        cells = np.flatnonzero(self._least < np.inf)
        point = self._point[cells].astype(np.intp)
        self._least[cells] = np.inf
        checkpoint()
        return pieces.measure(cells, point, self.level)

    def _visit(self, group: _StampedPieces, reach: float) -> None:
        """Give the samples around some pieces to the nearest ones."""
        level, margin = self.level, group.margin(reach, self.level)
        pieces = group.near(level, margin)
        if not pieces.point.size:
            return
        row, column = pieces.samples(level)
        offsets = np.arange(-margin, margin + 1, dtype=np.intp)
        columns = _place(column[np.newaxis] + offsets[:, np.newaxis], level, 1)
        is_inside = np.logical_and(columns >= 0, columns < level.columns)
        again = _rank_in_cell(row, column)
        last = int(again.max())
        limit = np.float32(reach * reach)
        lines = pieces.lines(row, column, level)
        for offset in offsets.tolist():
            checkpoint()
            rows = _place(row + offset, level, 0)
            far = lines.distances(offset * level.step_y, offsets * level.step_x)
            is_near = far <= limit
            begin = rows * level.columns
            is_near &= is_inside
            is_near &= (rows >= 0) & (rows < level.rows)
            for place in np.flatnonzero(is_near.any(axis=1)).tolist():
                near = np.flatnonzero(is_near[place])
                cells, distance = begin[near] + columns[place, near], far[place, near]
                point = pieces.point[near]
                if last == 0:
                    self._keep(cells, distance, point)
                    continue
                times = again[near]
                for number in range(last + 1):
                    once = times == number
                    self._keep(cells[once], distance[once], point[once])

    def _keep(self, cells: Indices, distance: npt.NDArray[np.float32], point: Indices) -> None:
        """Give samples, each once, to points that are nearer than others before."""
        nearer = distance < self._least[cells]
        cells = cells[nearer]
        self._least[cells] = distance[nearer]
        self._point[cells] = point[nearer]


@dataclass(frozen=True)
class _StampLines:
    """Pieces as seen from their samples, in half widths: shape (pieces,), float32 each.

    `along` and `aside` are where the sample lies along the piece and beside it, `x` and `y` the
    direction of the piece over its half width, `length` its length.
    """

    along: npt.NDArray[np.float32]
    aside: npt.NDArray[np.float32]
    x: npt.NDArray[np.float32]
    y: npt.NDArray[np.float32]
    length: npt.NDArray[np.float32]

    def distances(self, down: float, across: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        """Return squared distances of samples so many meters off: shape (len(across), pieces)."""
        below = np.float32(down)
        right = across.astype(np.float32)[:, np.newaxis]
        along = right * self.x
        along += self.along + below * self.y
        along -= np.minimum(np.maximum(along, np.float32(0.0)), self.length)
        aside = right * self.y
        aside += self.aside - below * self.x
        aside *= aside
        along *= along
        aside += along
        return aside


@dataclass(frozen=True)
class _StampedPieces:
    """Pieces between neighboring points of rivers.

    Attributes
    ----------
    point : ndarray of shape (pieces,), intp
        The first point of each.
    x, y : ndarray of that shape, float64
        Its place in meters.
    across, along : ndarray of that shape, float64
        To the second point, in meters.
    half : ndarray of that shape, float64
        Half the width of the river, in meters.
    """

    point: Indices
    x: Floats
    y: Floats
    across: Floats
    along: Floats
    half: Floats

    @classmethod
    def of(cls, curves: RiverCurves, where: npt.NDArray[np.bool_] | None) -> _StampedPieces:
        """Return the pieces of some rivers."""
        first = np.delete(np.arange(len(curves.x), dtype=np.intp), curves.last)
        if where is not None:
            first = first[where[first] | where[first + 1]]
        x, y = curves.x, curves.y
        across, along = x[first + 1] - x[first], y[first + 1] - y[first]
        half = 0.25 * (curves.width[first] + curves.width[first + 1])
        return cls(first, x[first], y[first], across, along, half)

    def groups(self, reach: float, level: Level) -> list[_StampedPieces]:
        """Return the pieces in groups that reach about as far; without those far from the terrain."""
        far = reach * self.half + np.sqrt(self.across * self.across + self.along * self.along)
        remaining = np.ones(len(far), np.bool_)
        if not level.is_round:
            remaining = (self.x > -far) & (self.x < level.width + far)
            remaining &= (self.y > -far) & (self.y < level.depth + far)
        result = []
        while remaining.any():
            is_alike = remaining & (far >= _ALIKE * float(far[remaining].max()))
            result.append(self._pick(np.flatnonzero(is_alike)))
            remaining &= ~is_alike
        return result

    def near(self, level: Level, margin: int) -> _StampedPieces:
        """Return those of which a sample so many off may lie in a part of a land; all in the whole."""
        if level.whole is None:
            return self
        is_near = np.ones(len(self.point), np.bool_)
        for axis, line in enumerate(self.samples(level)):
            # From so far before the part on, across edges that meet.
            offset, most = line - (level.begin[axis] - margin), level.shape[axis] + 2 * margin
            if level.is_round:
                offset %= level.whole_shape[axis]
            is_near &= (offset >= 0) & (offset < most)
        return self._pick(np.flatnonzero(is_near))

    def margin(self, reach: float, level: Level) -> int:
        """Return how many samples off its own one a piece may reach."""
        length = np.sqrt(self.across * self.across + self.along * self.along)
        far = float((reach * self.half + length).max())
        return int(far / min(level.step_x, level.step_y)) + 1

    def samples(self, level: Level) -> tuple[Indices, Indices]:
        """Return row and column of the sample next to the first point of each."""
        row, column = np.rint(self.y / level.step_y), np.rint(self.x / level.step_x)
        return row.astype(np.intp), column.astype(np.intp)

    def lines(self, row: Indices, column: Indices, level: Level) -> _StampLines:
        """Return how pieces lie from their samples."""
        length = np.maximum(np.sqrt(self.across * self.across + self.along * self.along), _TINY)
        x, y = (column * level.step_x - self.x), (row * level.step_y - self.y)
        right, up = self.across / length, self.along / length
        values = (
            (x * right + y * up) / self.half,
            (x * up - y * right) / self.half,
            right / self.half,
            up / self.half,
            length / self.half,
        )
        return _StampLines(*(field.astype(np.float32) for field in values))

    def measure(self, cells: Indices, point: Indices, level: Level) -> Nearby:
        """Return where samples lie along and beside the pieces that begin at some points."""
        # Ends of rivers begin no piece, so pieces are fewer than points.
        piece = np.searchsorted(self.point, point)
        row, column = level.numbers(*np.divmod(cells, level.columns))
        x, y = column * level.step_x - self.x[piece], row * level.step_y - self.y[piece]
        if level.is_round:
            x -= np.rint(x / level.width) * level.width
            y -= np.rint(y / level.depth) * level.depth
        across, along = self.across[piece], self.along[piece]
        share = (x * across + y * along) / np.maximum(across * across + along * along, _TINY)
        share = np.minimum(np.maximum(share, 0.0), 1.0)
        is_left = across * y - along * x > 0.0
        x, y = x - share * across, y - share * along
        aside = np.sqrt(x * x + y * y) / self.half[piece]
        return Nearby(cells, np.where(is_left, aside, -aside), point, share)

    def _pick(self, numbers: Indices) -> _StampedPieces:
        return _StampedPieces(
            self.point[numbers],
            self.x[numbers],
            self.y[numbers],
            self.across[numbers],
            self.along[numbers],
            self.half[numbers],
        )


def _place(line: Indices, level: Level, axis: int) -> Indices:
    """Return where rows or columns of a land lie in a part of it; beyond its ends those that do not."""
    place = line - level.begin[axis]
    return place % level.whole_shape[axis] if level.is_round else place


def _rank_in_cell(row: Indices, column: Indices) -> Indices:
    """Return how many entries before each one have the same row and column."""
    order = np.lexsort((column, row))
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (np.diff(row[order]) != 0) | (np.diff(column[order]) != 0)
    places = np.arange(len(order), dtype=np.intp)
    begin = np.maximum.accumulate(np.where(is_new, places, 0))
    result = np.empty(len(order), np.intp)
    result[order] = places - begin
    return result
