# SPDX-License-Identifier: GPL-3.0-or-later
"""Courses of drawn rivers, from head to mouth, and on to where water leaves the land.

A river that ends on the land would be a pit: the water of the river would leave it somewhere on its way. So a course
goes on from there as water would run over the ground, down to an outlet or into another drawn river.

References
----------
J.-D. Genevaux, E. Galin, E. Guerin, A. Peytavie, B. Benes (2013). Terrain generation using procedural models based on
hydrology. ACM Transactions on Graphics 32(4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...curves.chains import HALF, Chain, Table
from ...flow_routing.directions import Mask
from ...flow_routing.outlets import border
from ...flow_routing.routing import route
from .places import LevelFrame, read, stations

_NEAR = 2.0
"""Samples of the coarsest level: an end of a curve that comes so close to a border or to another river reaches it."""

_BEYOND = 0.3
"""Widths of the land that a course goes on beyond the border, over all samples that lie around it."""

_CLOSE = 0.5
"""Samples between the vertices of a course at most."""

_ROUNDS = 2
"""Of smoothing, which takes the corners of the grid off a course that follows the ground."""


@dataclass(frozen=True, eq=False)
class RiverCourse:
    """Way of a river.

    Attributes
    ----------
    vertices : ndarray of shape (n, 6), float64
        See `curves.chains.X`; from the head to an outlet.
    count : int
        How many of the first vertices are its own; the rest are those of the river that it joins.
    joins : int
        Number of that river; -1 if it joins none.
    """

    vertices: Table
    count: int
    joins: int = -1


@dataclass(frozen=True, eq=False)
class RiverGround:
    """Ground on the coarsest level that tells where drawn rivers go.

    Attributes
    ----------
    frame : LevelFrame
        Not bent, without surroundings.
    height : ndarray of shape frame.shape, float32
        In meters.
    ends : ndarray of that shape, bool
        Where rivers end.
    is_open : bool
        Whether they leave over the border too.
    """

    frame: LevelFrame
    height: Field
    ends: Mask
    is_open: bool

    @property
    def outlets(self) -> Mask:
        """Where water leaves."""
        return self.ends | border(self.frame.level) if self.is_open else self.ends

    def reaches_end(self, place: Table) -> bool:
        """Return whether water leaves at a place, a row and a column, or just beside it."""
        count = np.array(self.frame.shape)
        is_bordered = self.is_open and not self.frame.level.wrap
        if is_bordered and float(self._inside(place).min()) < _NEAR:
            return True
        cell = np.floor(place + 0.5).astype(np.intp)
        cell = cell % count if self.frame.level.wrap else np.clip(cell, 0, count - 1)
        return bool(self.ends[cell[0], cell[1]])

    def go_on_beyond(self, vertices: Table) -> Table:
        """Return a course that goes on straight beyond the border if it ends there."""
        if not self.is_open or self.frame.level.wrap:
            return vertices
        place = self.frame.places(vertices[-1:])[0]
        inside = self._inside(place)
        side, width = int(inside.argmin()), float(max(self.frame.shape))
        if not -_BEYOND * width < inside[side] < _NEAR:
            return vertices
        axis = side % 2
        place[axis] += (inside[side] + _BEYOND * width) * (-1.0 if side < 2 else 1.0)
        return np.concatenate((vertices, self.vertices(place[np.newaxis], vertices[-1])))

    def vertices(self, places: Table, like: Table) -> Table:
        """Return vertices at places, a row and a column each, as wide as another vertex."""
        table = np.repeat(like[np.newaxis], len(places), axis=0)
        table[:, :2] = self.frame.tiles(places)
        return table

    def _inside(self, place: Table) -> Table:
        """Return how far a place lies inside the four borders, in samples."""
        last = np.array(self.frame.shape) - 1.0
        return np.concatenate((place, last - place))


def find_courses(chains: Sequence[Chain], ground: RiverGround) -> list[RiverCourse]:
    """Return the courses of drawn rivers.

    A river ends where its curve meets a border, the sea or another river, or else at its lower end. It does not
    close: a closed curve lacks its last piece.

    Parameters
    ----------
    chains : sequence of Chain
    ground : RiverGround
    """
    rivers = _KnownCourses(chains, ground)
    for number in rivers.waiting():
        if rivers.ends_at_outlet(number):
            rivers.finish(number, ground.go_on_beyond(rivers.lines[number]))
    while rivers.join_one():
        pass
    for number in rivers.waiting():
        checkpoint()
        rivers.lead_on(number)
    return [course for course in rivers.courses if course is not None]


class _KnownCourses:
    """Rivers, some of whose ways to an outlet are known."""

    def __init__(self, chains: Sequence[Chain], ground: RiverGround) -> None:
        self.ground = ground
        self.courses: list[RiverCourse | None] = [None] * len(chains)
        tables = [
            self._dense(chain.vertices[:-1] if chain.closed else chain.vertices) for chain in chains
        ]
        self._places = [ground.frame.places(table) for table in tables]
        self.lines = [self._downstream(number, table) for number, table in enumerate(tables)]
        self._places = [ground.frame.places(table) for table in self.lines]

    def waiting(self) -> list[int]:
        """Return the numbers of rivers whose way is not known yet."""
        return [number for number, course in enumerate(self.courses) if course is None]

    def ends_at_outlet(self, number: int) -> bool:
        """Return whether the curve of a river ends where water leaves."""
        return self.ground.reaches_end(self._places[number][-1])

    def finish(self, number: int, own: Table, rest: Table | None = None, joins: int = -1) -> None:
        """Set the way of a river, which may go on with the last vertices of another one that it joins."""
        table = own if rest is None else np.concatenate((own, rest))
        self.courses[number] = RiverCourse(table, len(own) + (rest is not None), joins)

    def join_one(self) -> bool:
        """Let rivers go on with those that they end at and whose way is known; return whether there was one."""
        for number in self.waiting():
            near = self._nearest(number, self._places[number][-1])
            if near is not None:
                self._join(number, self.lines[number], near)
                return True
        return False

    def lead_on(self, number: int) -> None:
        """Let a river go on as water would run from its end."""
        ground, frame = self.ground, self.ground.frame
        outlets, height = ground.outlets.copy(), ground.height.copy()
        top = np.float32(float(height.max()) + 1.0)
        runs = frame.runs(self.lines[number])
        if not runs:
            self.finish(number, self.lines[number])
            return
        for row, column in runs:
            height[row, column] = top
        row, column = (int(cells[-1]) for cells in runs[-1])
        height[row, column] = ground.height[row, column]
        for course in self.courses:
            for rows, columns in [] if course is None else frame.runs(course.vertices):
                outlets[rows, columns] = True
        receivers = route(height, frame.level, outlets).receivers
        cell = row * frame.shape[1] + column
        way = [cell]
        while receivers[cell] != cell:
            cell = int(receivers[cell])
            way.append(cell)
        places = self._unroll(np.stack(np.divmod(np.array(way, np.intp), frame.shape[1]), axis=1))
        places = _smoothed(places + (self._places[number][-1] - places[0]))
        last = self.lines[number][-1]
        line = np.concatenate((self.lines[number], ground.vertices(places[1:], last)))
        near = self._nearest(number, places[-1])
        if ground.outlets.reshape(-1)[cell] or near is None:
            self.finish(number, ground.go_on_beyond(line))
        else:
            self._join(number, line, near)

    def _unroll(self, cells: Table) -> Table:
        """Return neighboring cells as places that do not jump where edges meet."""
        places = cells.astype(np.float64)
        if self.ground.frame.level.wrap:
            size = np.array(self.ground.frame.shape, np.float64)
            jumps = np.round(np.diff(places, axis=0) / size)
            places[1:] -= np.cumsum(jumps, axis=0, dtype=np.float64) * size
        return places

    def _dense(self, table: Table) -> Table:
        """Return a line with vertices so close that the nearest of them tells where others join it."""
        return stations(table, _CLOSE / max(self.ground.frame.steps()))

    def _downstream(self, number: int, table: Table) -> Table:
        """Return the vertices of a river from its head to its mouth."""
        ranks = [self._rank(number, self._places[number][end]) for end in (0, -1)]
        ends, wrap = self._places[number][[0, -1]], self.ground.frame.level.wrap
        first, last = read((self.ground.height,), ends, wrap)[0]
        is_upward = ranks[0] > ranks[1] or (ranks[0] == ranks[1] and first < last)
        return np.ascontiguousarray(table[::-1]) if is_upward else table

    def _rank(self, number: int, place: Table) -> int:
        """Return how sure it is that a river ends at a place."""
        if self.ground.reaches_end(place):
            return 2
        others = [line for other, line in enumerate(self._places) if other != number]
        return int(any(self._distances(line, place).min() < _NEAR for line in others))

    def _distances(self, line: Table, place: Table) -> Table:
        """Return the distances of stations from a place, in samples."""
        apart = line - place
        if self.ground.frame.level.wrap:
            size = np.array(self.ground.frame.shape, np.float64)
            apart -= np.round(apart / size) * size
        return np.sqrt(apart[:, 0] * apart[:, 0] + apart[:, 1] * apart[:, 1])

    def _nearest(self, number: int, place: Table) -> tuple[int, Table] | None:
        """Return the number of the river whose way is known and that is nearest to a place, and distances of its vertices; None if none is near."""
        found = None
        least = _NEAR
        for other, course in enumerate(self.courses):
            if course is None or other == number:
                continue
            apart = self._distances(self.ground.frame.places(course.vertices), place)
            if float(apart.min()) < least:
                least = float(apart.min())
                found = other, apart
        return found

    def _join(self, number: int, line: Table, near: tuple[int, Table]) -> None:
        """Let a river go on with another one from one of its vertices on."""
        other, apart = near
        joined = self.courses[other]
        assert joined is not None
        start = int(apart.argmin())
        shift = np.zeros(line.shape[1])
        if self.ground.frame.level.wrap:  # the other one may be a copy of it, whole tiles away
            shift[:2] = np.round(line[-1, :2] - joined.vertices[start, :2])
        self.finish(number, line, joined.vertices[start:] + shift, self._owner(line, number))

    def _owner(self, line: Table, number: int) -> int:
        """Return which river whose way is known has the place where a line ends: others may go on along it."""
        place, known = self.ground.frame.places(line[-1:])[0], {}
        for other, course in enumerate(self.courses):
            if course is not None and other != number:
                own = self.ground.frame.places(course.vertices[: course.count])
                known[other] = float(self._distances(own, place).min())
        return min(known, key=known.__getitem__)


def _smoothed(places: Table) -> Table:
    """Return places along a line with fewer corners; both ends stay."""
    for _ in range(_ROUNDS):
        if len(places) > 2:
            inner = 0.25 * (places[:-2] + 2.0 * places[1:-1] + places[2:])
            places = np.concatenate((places[:1], inner, places[-1:]))
    return places


def widest(courses: Sequence[RiverCourse]) -> float:
    """Return half of the width of the widest river, in meters."""
    return max((float(course.vertices[:, HALF].max()) for course in courses), default=0.0)
