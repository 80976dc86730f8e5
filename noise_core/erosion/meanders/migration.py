# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers wander: their curvature moves them aside, valley walls hold them, and bends are cut off.

The rate at which a bank moves is that of its own curvature, times -1, and the mean curvature upstream,
times 2.5, with weights that fade with the distance. So bends grow and move downstream, and
wiggles shorter than a bend are smoothed.

References
----------
Alan D. Howard, Thomas R. Knutson (1984). Sufficient conditions for river meandering: a simulation
approach. Water Resources Research 20. (the law and its two factors)
Syunsuke Ikeda, Gary Parker, Kenji Sawai (1981). Bend theory of river meanders. Part 1. Linear
development. Journal of Fluid Mechanics 112.
Luna B. Leopold, M. Gordon Wolman (1960). River meanders. Geological Society of America Bulletin 71.
(bends are some eleven widths long)
Axel Paris, Eric Guerin, Pauline Collon, Eric Galin (2023). Authoring and simulating meandering rivers.
ACM Transactions on Graphics 42. (valley walls, cutoffs and oxbow lakes on a terrain)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...base.blocks import checkpoint
from ...base.elementary import smooth_step
from ...rasters.level import Level
from ...rasters.taps import linear_neighbors
from .curves import STEP, Floats, Indices, RiverCurves, upstream_mean
from .rivers import lower_downstream

_OWN, _UPSTREAM = -1.0, 2.5
"""Factors of a bend's own curvature, and of the curvature upstream (Howard & Knutson 1984)."""

_MEMORY = 1.8
"""Widths upstream over which the weights fade to 1 / e. The fastest bends are 8.24 times as long: they grow
as k^2 (2.5 / (1 + k^2) - 1) with k = 2 pi `_MEMORY` / length, which is largest at k = 0.762. Between points
half a width apart it is as if the memory were a quarter of a width shorter: the bends are 12.6 widths long."""

_DOUBLINGS = 5
"""32 points upstream count, over ten of those lengths."""

_RATE = 0.05
"""Widths by which a bend of curvature 1 / width moves in one step. More than `STEP`^2 / 2 = 0.125 would not
be stable: a bend's own curvature smooths it as diffusion does."""

_SHARPEST = 0.5
"""Curvature times the width from which on bends upstream do no more: those of radius 2 to 3 widths move fastest
(Hickin & Nanson 1975)."""

_KINK = 2.0
"""The same for the part that smooths a bend: more is a kink where a neck was cut, not a bend."""

_RESAMPLE, _CUT, _RECORD = 5, 10, 30
"""Steps between one resampling, search for necks, or record of the course, and the next."""

_MOST_RECORDS = 28
"""Of the course: each of a wide river takes long to draw."""

_HEAL = 30
"""Steps at the end in which no neck is cut: new ones become smooth."""

_ENDS = 6.0
"""Widths from the ends of a river, which stay, over which it comes to move freely."""

_NEAR = 3.0
"""Widths between two center lines that break through: floods cut strips of ground up to two widths wide, before
the banks meet."""

_LEAST = 8.0
"""Widths along a river between two such points: less is a bend, not a neck."""


@dataclass(frozen=True)
class Valley:
    """The ground that rivers wander on, and how it holds them.

    Attributes
    ----------
    height : ndarray of level.shape, float64
        In meters.
    level : Level
    wall : float
        Height above the banks in meters at which ground moves a quarter as fast.
    """

    height: Floats
    level: Level
    wall: float

    def at(self, x: Floats, y: Floats) -> Floats:
        """Return the height at places in meters, linear between samples; beyond borders as there."""
        level = self.level
        row, below, down = linear_neighbors(y / level.step_y, level.rows, level.wrap)
        column, beside, along = linear_neighbors(x / level.step_x, level.columns, level.wrap)
        top = self.height[row, column] + along * (
            self.height[row, beside] - self.height[row, column]
        )
        low = self.height[below, column] + along * (
            self.height[below, beside] - self.height[below, column]
        )
        result: Floats = top + down * (low - top)
        return result

    def hold(self, curves: RiverCurves, shift: Floats) -> Floats:
        """Return how freely banks move to one side: 1 on level ground, less where it rises there."""
        x, y = curves.normals()
        ahead = np.where(shift < 0.0, -curves.width, curves.width)
        rise = self.at(curves.x + ahead * x, curves.y + ahead * y) - curves.level
        share = np.maximum(rise, 0.0) / self.wall
        free = 1.0 / (1.0 + share * share)
        result: Floats = free * free
        return result


@dataclass(frozen=True)
class Course:
    """Courses of rivers at some time.

    Attributes
    ----------
    curves : RiverCurves
    bends : ndarray of shape (points,), float64
        How sharply the water pressed on a bank, above 0 where that was the right one: see `press`.
    is_old : bool
        Whether these are bends that were cut off then, which keep water.
    """

    curves: RiverCurves
    bends: Floats
    is_old: bool = False


def press(curves: RiverCurves) -> Floats:
    """Return the excess of the current at the right bank: curvature times width, lagging downstream."""
    bend = np.clip(curves.bends(), -_KINK, _KINK)
    between = curves.steps() / curves.width / _MEMORY
    # 1 / (1 + x + x^2 / 2 + x^3 / 6) is e^-x within a few thousandths at points half a width apart.
    fade = 1.0 / (1.0 + between * (1.0 + between * (0.5 + between / 6.0)))
    fade[curves.first] = 0.0
    result: Floats = _OWN * bend + _UPSTREAM * upstream_mean(
        np.clip(bend, -_SHARPEST, _SHARPEST), fade, _DOUBLINGS
    )
    return result


def wander(
    curves: RiverCurves, valley: Valley, steps: int, progress: Callable[[int], None]
) -> tuple[RiverCurves, list[Course]]:
    """Return where rivers run after some steps, and where they ran before, in order.

    Parameters
    ----------
    curves : RiverCurves
        With evenly spaced points.
    valley : Valley
    steps : int
    progress : callable
        Called with the number of steps since the last call.
    """
    courses: list[Course] = []
    between = max(_RECORD, steps // _MOST_RECORDS)
    for step in range(1, steps + 1):
        checkpoint()
        current = press(curves)
        shift = -_RATE * current * curves.width * curves.freedom * _loosen_ends(curves)
        curves = curves.move(shift * valley.hold(curves, shift))
        if step % _CUT == 0 and step <= steps - _HEAL:
            curves, loops = cut_necks(curves)
            courses.extend(Course(loop, press(loop), is_old=True) for loop in loops)
        if step % _RESAMPLE == 0:
            curves = curves.resample()
            level = lower_downstream(curves, curves.level)
            curves.relax(level)
            curves = replace(curves, level=level)
        if step % between == 0:
            courses.append(Course(curves, press(curves)))
            progress(between)
    curves = curves.resample()
    courses.append(Course(curves, press(curves)))
    return curves, courses


def _loosen_ends(curves: RiverCurves) -> Floats:
    """Return how freely points move: 0 at both ends of a river, 1 far from them."""
    run = curves.run()
    remaining = np.repeat(curves.lengths(), np.diff(curves.starts)) - run
    share = np.minimum(np.minimum(run, remaining) / (_ENDS * curves.width), 1.0)
    return smooth_step(share)


def cut_necks(curves: RiverCurves) -> tuple[RiverCurves, list[RiverCurves]]:
    """Return rivers that have broken through their necks, and the bends that were cut off.

    Parameters
    ----------
    curves : RiverCurves

    Returns
    -------
    tuple of RiverCurves and list of RiverCurves
        The bends are rivers of one each, from the neck to the neck.
    """
    first, second = find_pairs(curves)
    if not len(first):
        return curves, []
    is_kept = np.ones(len(curves.x), np.bool_)
    loops = []
    done = -1
    # From each point to the farthest one downstream that it meets: the whole bend goes at once.
    for index in np.lexsort((-second, first)).tolist():
        begin, end = int(first[index]), int(second[index])
        if begin <= done:
            continue
        loops.append(_part(curves, begin, end + 1))
        is_kept[begin + 1 : end] = False
        done = end
    return curves.drop(is_kept), loops


def _part(curves: RiverCurves, begin: int, end: int) -> RiverCurves:
    """Return some points of a river as another river."""
    part = [values[begin:end] for values in curves.columns()]
    return RiverCurves.of(part, np.array([0, end - begin], np.intp))


def find_pairs(curves: RiverCurves) -> tuple[Indices, Indices]:
    """Return pairs of points of one river that are near to each other, but not along it.

    Points lie in square cells as wide as two of them may be apart; only those in the same or in
    neighboring cells are compared.
    """
    numbers = curves.numbers()
    reach = _NEAR * np.maximum.reduceat(curves.width, curves.first)
    row, column = (
        np.floor(values / reach[numbers]).astype(np.int64) for values in (curves.y, curves.x)
    )
    row -= row.min()
    column -= column.min()
    rows, columns = int(row.max()) + 3, int(column.max()) + 3
    cell = (numbers * rows + row + 1) * columns + column + 1
    order = np.argsort(cell, kind="stable")
    sorted_cells = cell[order]
    pairs = []
    # Half of the neighbors, and the own cell: each pair is met once or twice, never missed.
    for offset in (0, 1, columns - 1, columns, columns + 1):
        begin = np.searchsorted(sorted_cells, cell + offset, side="left")
        count = np.searchsorted(sorted_cells, cell + offset, side="right") - begin
        point = np.repeat(np.arange(len(cell), dtype=np.intp), count)
        place = np.arange(len(point), dtype=np.intp) - np.repeat(
            np.cumsum(count, dtype=np.intp) - count, count
        )
        neighbor = order[begin[point] + place]
        pairs.append((np.minimum(point, neighbor), np.maximum(point, neighbor)))
    first, second = (np.concatenate(parts) for parts in zip(*pairs))
    x, y = curves.x[first] - curves.x[second], curves.y[first] - curves.y[second]
    near = _NEAR * 0.5 * (curves.width[first] + curves.width[second])
    is_neck = (second - first) * STEP > _LEAST
    is_neck &= x * x + y * y < near * near
    return first[is_neck], second[is_neck]
