# SPDX-License-Identifier: GPL-3.0-or-later
"""Craters that reach points, and the ground that they leave there in their order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field, Hash
from ..base.gathering import gather
from .cells import ImpactIndex
from .population import REACH, Impacts, Numbers, Positions, SizeClass
from .shape import CraterShapes

Part = tuple[Numbers, Hash, Field, Field]
"""Points, times, heights and covers of craters that reach them."""


class Places:
    """Points whose ground is asked for.

    Parameters
    ----------
    x, y : ndarray of shape (n,), float64
        In tiles.
    before : ndarray of shape (n,), uint32, optional
        Of each point; later impacts do not count.

    Attributes
    ----------
    parts : list of Part
        Ground left by the craters, class by class.
    """

    def __init__(self, x: Positions, y: Positions, limit: Hash | None = None) -> None:
        self.x, self.y, self.before = x, y, limit
        self.parts: list[Part] = []

    @property
    def size(self) -> int:
        """Number of points."""
        return self.x.size


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Pairs of a point and a crater that reaches it.

    Attributes
    ----------
    points, numbers : ndarray of shape (n,), intp
        Of the point and of the crater.
    dx, dy : ndarray of shape (n,), float32
        From the center of the crater to the point, in radii.
    """

    points: Numbers
    numbers: Numbers
    dx: Field
    dy: Field

    @classmethod
    def none(cls) -> Overlaps:
        """Return no pairs."""
        numbers, ways = np.zeros(0, np.intp), np.zeros(0, np.float32)
        return cls(numbers, numbers, ways, ways)

    def renumber(self, points: Numbers, numbers: Numbers) -> Overlaps:
        """Return the pairs with these points, and with new numbers of craters by their old ones."""
        return Overlaps(points, gather(numbers, self.numbers), self.dx, self.dy)

    def evaluate(self, shapes: CraterShapes, impacts: Impacts) -> Part:
        """Return the ground that the craters leave."""
        height, cover = shapes.take(self.numbers).evaluate(self.dx, self.dy)
        return self.points, gather(impacts.time, self.numbers), height, cover


def find_overlaps(size_class: SizeClass, index: ImpactIndex, places: Places) -> Overlaps:
    """Return the craters of a class that reach places; the cells around must be in the index."""
    impacts = index.impacts
    if not places.size or not impacts.size:
        return Overlaps.none()
    column, row = size_class.cells(places.x, places.y)
    i, j = np.floor(column).astype(np.int32), np.floor(row).astype(np.int32)
    over = np.float32(1.0) / impacts.radius
    pairs = []
    for across, along in itertools.product((-1, 0, 1), repeat=2):
        number = index.find(i + np.int32(across), j + np.int32(along))
        (points,) = (number >= 0).nonzero()
        number = gather(number, points)
        if places.before is not None:
            (older,) = (gather(impacts.time, number) < gather(places.before, points)).nonzero()
            points, number = gather(points, older), gather(number, older)
        scale = gather(over, number)
        dx = (gather(column, points) - gather(impacts.x, number)).astype(np.float32) * scale
        dy = (gather(row, points) - gather(impacts.y, number)).astype(np.float32) * scale
        (met,) = (dx * dx + dy * dy < np.float32(REACH * REACH)).nonzero()
        pairs.append((gather(points, met), gather(number, met), gather(dx, met), gather(dy, met)))
    points, number, dx, dy = (np.concatenate(each) for each in zip(*pairs))
    return Overlaps(points, number.astype(np.intp), dx, dy)


def compose(parts: Sequence[Part], count: int) -> Field:
    """Return the ground at points after all impacts that reach them, in their order."""
    ground = np.zeros(count, np.float32)
    if not parts:
        return ground
    points, times, heights, covers = (np.concatenate(each) for each in zip(*parts))
    order = np.argsort(points.astype(np.uint64) << np.uint64(32) | times, kind="stable")
    points, heights, covers = points[order], heights[order], covers[order]
    is_first = np.ones(points.size, np.bool_)
    np.not_equal(points[1:], points[:-1], out=is_first[1:])
    (chosen,) = is_first.nonzero()
    while chosen.size:
        at = points[chosen]
        below = ground[at]
        ground[at] = below + covers[chosen] * (heights[chosen] - below)
        # The next impact at the same point, if there is one.
        chosen = chosen[chosen + 1 < points.size] + 1
        chosen = chosen[~is_first[chosen]]
    return ground
