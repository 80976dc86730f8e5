# SPDX-License-Identifier: GPL-3.0-or-later
"""From ground to ground with rivers that have wandered: find them, move them, join them, lay their plain, carve their bed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.arrays import Field
from ...base.blocks import CountedProgress, Progress, checkpoint
from ...rasters import boxes, pyramid
from ...rasters.level import Level
from ...stages.description import Part
from .bed import RiverBed
from .curves import Floats, RiverCurves
from .drawn_rivers import Drawn, DrawnRivers
from .flood_plain import FloodPlain
from .migration import Course, Valley, press, wander
from .rivers import Network, RiverWidths, find_rivers
from .stamping import Stamps

COARSEST = 160
"""Samples along the shorter side of the level on which rivers are found, and up to twice as many: on a terrain
4 km wide these are 16 to 25 meters apart, half the width of a river."""

_SMOOTH = 1.0
"""Widths of the widest river over which the ground is smoothed that holds rivers."""

_MEET = 0.3
"""Widths of the larger river from its middle within which another has reached it."""

_STRAIGHT = 8
"""Points of a way from the end of a tributary to a river that has moved away."""


@dataclass(frozen=True)
class Meandering:
    """How rivers wander.

    Attributes
    ----------
    widths : RiverWidths
    bed : RiverBed
    steps : int
    wall : float
        Height above the banks in meters at which valley walls hold a river.
    reach : float
        Of the flood plain from where rivers ran, in widths.
    sea : float or None
        Level in meters below which rivers end.
    """

    widths: RiverWidths
    bed: RiverBed
    steps: int
    wall: float
    reach: float
    sea: float | None

    def find(
        self, parts: Sequence[Part], progress: Progress, *, seed: int, drawn: Drawn | None = None
    ) -> tuple[PlainCourse, ...]:
        """Return where rivers ran on a coarse level, as plain numbers; nothing without rivers."""
        (part,) = parts
        report = CountedProgress(progress, 2 * self.steps)
        rivers = None if drawn is None else DrawnRivers.on(drawn, part.level)
        courses = self.courses(part.values, [part.level], seed, report, rivers)
        return tuple(
            (*course.curves.columns(), course.curves.starts, course.bends, course.is_old)
            for course in courses or ()
        )

    def plain(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        plain_courses: tuple[PlainCourse, ...],
    ) -> tuple[Field, Field]:
        """Return height and share of the plain of rivers on the coarse level."""
        plain = FloodPlain.around(_courses(plain_courses), target, self.reach)
        return plain.height, plain.share

    def carve(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        plain_courses: tuple[PlainCourse, ...],
    ) -> tuple[Field, Field]:
        """Return the ground with rivers, and the depth of their water, of the ground and the plain."""
        courses = _courses(plain_courses)
        last = courses[-1]
        stamps, water = Stamps(target), np.zeros(target.shape, np.float32)
        alluvium = self.bed.lay_alluvium(courses[:-1], stamps, water)
        progress(0.5)
        result = FloodPlain.lay(target, parts, alluvium, float(last.curves.level.min()), self.wall)
        del alluvium
        self.bed.carve(result, last, self.bottom(last), stamps, water)
        return result, water

    def courses(
        self,
        height: Field,
        levels: list[Level],
        seed: int,
        report: CountedProgress,
        drawn: DrawnRivers | None = None,
    ) -> list[Course] | None:
        """Return where rivers ran, in order, and at last where they run; None without rivers."""
        ground = height
        for fine, coarse in zip(levels, levels[1:]):
            ground = pyramid.subsample(ground, fine, coarse)
        coarse = levels[-1]
        if drawn is not None:
            ground = drawn.lower(ground)
        network = find_rivers(ground, coarse, self.sea, self.widths, seed, drawn)
        report.add(self.steps)
        if network is None:
            return None
        smooth = boxes.blur(ground, coarse, _SMOOTH * self.widths.widest)
        valley = Valley(smooth.astype(np.float64), coarse, self.wall)
        curves, courses = wander(network.curves, valley, self.steps, report.add)
        curves = _join_rivers(curves, network, coarse)
        return [*courses, Course(curves, press(curves))]

    def bottom(self, course: Course) -> Floats:
        """Return the height of the bed at each point of rivers: it never rises downstream."""
        curves = course.curves
        free = np.clip(curves.freedom, 0.0, 1.0)
        bottom = curves.level - self.bed.depth * curves.width * np.clip(4.0 * free - 0.2, 0.0, 1.0)
        for begin, end in zip(curves.starts[:-1].tolist(), curves.starts[1:].tolist()):
            bottom[begin:end] = np.minimum.accumulate(bottom[begin:end])
        return bottom


PlainCourse = tuple[Any, ...]
"""The columns of a course's curves, their starts, its bends, and whether it is old."""


def _courses(plain_courses: tuple[PlainCourse, ...]) -> list[Course]:
    """Return courses of their plain numbers."""
    return [
        Course(RiverCurves.of(columns, starts), bends, bool(is_old))
        for *columns, starts, bends, is_old in plain_courses
    ]


def _join_rivers(curves: RiverCurves, network: Network, level: Level) -> RiverCurves:
    """Return rivers of which none crosses another: each ends in the first larger or drawn one that it meets.

    A tributary that meets none goes on to the nearest point of the river that it joins.

    Parameters
    ----------
    curves : RiverCurves
    network : Network
        As they began.
    level : Level
        Whether edges meet.
    """
    starts, joins = curves.starts, network.joins
    rivers = [
        np.stack([values[begin:end] for values in curves.columns()])
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist())
    ]
    done: list[int] = []
    for number in _largest_first(curves, network):
        checkpoint()
        ended = _end_at_first(rivers[number], [rivers[joined] for joined in done], level)
        if ended is not None:
            rivers[number] = ended
        elif joins[number] >= 0:
            rivers[number] = _reach(rivers[number], rivers[int(joins[number])], level)
        done.append(number)
    lengths = np.array([river.shape[1] for river in rivers], np.intp)
    ends = np.concatenate((np.zeros(1, np.intp), np.cumsum(lengths, dtype=np.intp)))
    return RiverCurves.of(list(np.concatenate(rivers, axis=1)), ends)


def _largest_first(curves: RiverCurves, network: Network) -> list[int]:
    """Return the rivers, drawn ones before others and the largest first, but each after the one that it joins."""
    joins, is_routed = network.joins, np.arange(curves.count, dtype=np.intp) < network.routed
    order = np.lexsort((-curves.width[curves.last], is_routed)).tolist()
    done: dict[int, None] = {}
    while order:
        ready = [river for river in order if joins[river] < 0 or int(joins[river]) in done]
        done.update(dict.fromkeys(ready))
        order = [river for river in order if river not in done]
    return list(done)


def _end_at_first(river: Floats, rivers: list[Floats], level: Level) -> Floats | None:
    """Return a river up to where it first meets one of some others; None if it meets none."""
    large = np.concatenate(
        [river[:, :0], *(_near(river, joined, level) for joined in rivers)], axis=1
    )
    distance, _, _ = _distances(river, large, level)
    met = np.flatnonzero((distance <= _MEET * large[3]).any(axis=1))
    if not len(met):
        return None
    end = max(int(met[0]), 1)
    return _raise_to(river[:, : end + 1], large, int(distance[end].argmin()))


def _near(river: Floats, target: Floats, level: Level) -> Floats:
    """Return the points of another river that a river may meet."""
    if level.wrap:
        return target
    is_near = np.ones(target.shape[1], np.bool_)
    for points, place in ((river[0], target[0]), (river[1], target[1])):
        is_near &= (place >= points.min() - target[3]) & (place <= points.max() + target[3])
    return target[:, is_near]


def _reach(small: Floats, large: Floats, level: Level) -> Floats:
    """Return a tributary that goes on to the river that it joins."""
    distance, across, along = _distances(small[:, -1:], large, level)
    meeting = int(distance[0].argmin())
    share = np.arange(1, _STRAIGHT + 1, dtype=np.float64) / _STRAIGHT
    way = np.repeat(small[:, -1:], _STRAIGHT, axis=1)
    way[0] -= across[0, meeting] * share
    way[1] -= along[0, meeting] * share
    return _raise_to(np.concatenate((small, way), axis=1), large, meeting)


def _raise_to(river: Floats, large: Floats, meeting: int) -> Floats:
    """Return a river whose banks are nowhere lower than those where it meets a larger one."""
    result = river.copy()
    np.maximum(result[2], large[2, meeting], out=result[2])
    return result


def _distances(small: Floats, large: Floats, level: Level) -> tuple[Floats, Floats, Floats]:
    """Return distances of the points of two rivers, and their parts along x and y."""
    across = small[0][:, np.newaxis] - large[0]
    along = small[1][:, np.newaxis] - large[1]
    if level.wrap:  # the nearest of all copies
        across -= np.rint(across / level.width) * level.width
        along -= np.rint(along / level.depth) * level.depth
    return np.sqrt(across * across + along * along), across, along
