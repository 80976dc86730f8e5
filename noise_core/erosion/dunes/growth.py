# SPDX-License-Identifier: GPL-3.0-or-later
"""Dunes grow on a level whose samples suit their spacing, and get sharp brinks on finer ones.

That level is the same for every resolution of a terrain, so that dunes are, too. It may be finer than
the terrain's own samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import tangent_of
from ...rasters import margins, totals
from ...rasters.level import Level
from ..slides import loose_layer
from . import beginning, wind
from .borders import WideLevel

_COARSEST = 1.0 / 12.0
"""The longest distance of samples at which dunes grow, in spacings of dunes; the shortest is half."""

_WAY = 12.0
"""How far wind carries sand while dunes grow at full strength, in spacings of dunes."""

FINE_STEPS = 5
"""Steps on each finer level: a brink moves on by one or two samples, and becomes as sharp as they allow."""

_LAST_PASSES = 20
"""Passes in which sand comes to rest after the wind."""

_CREEP = 0.0015
"""How fast grains that others hit roll downhill: a share of the height difference in one step, times
samples in a spacing of dunes. More makes dunes flat, less lets ripples grow."""

_MOST_CREEP = 0.15
"""Of a height difference in one pass; with the share that slides at most it stays stable."""

_REST = 0.985
"""Slopes approach the angle of repose from above; sliding stops at this share of its tangent, so that
slip faces stand at it."""

_STEPS = 2
"""Steps on a strip while it is in the cache; the strip is read with so many rows more."""

_PASSES = 4
"""Likewise, of sliding alone."""

_BURIED = 0.1
"""Sand so thick hides half of the ground's bumps between coarser samples, in spacings of those."""

_HUGE = 1e13
"""Meters, above all heights that there are."""


@dataclass(frozen=True)
class Desert:
    """What dunes grow by.

    Attributes
    ----------
    direction : float
        Where wind blows to, in degrees counterclockwise from the x axis.
    spacing : float
        Of dunes, in meters.
    supply : float
        Mean thickness of sand, in meters.
    repose : float
        Angle at which sand comes to rest, in degrees.
    strength : float
        How long the wind blows.
    """

    direction: float
    spacing: float
    supply: float
    repose: float
    strength: float

    def levels(self, level: Level) -> list[Level]:
        """Return the levels from a terrain's own to that on which dunes grow, finest first.

        The first one is not the terrain's own where dunes grow on finer samples.
        """
        longest = self.spacing * _COARSEST
        levels = [level]
        while _step(levels[0]) > longest and max(levels[0].shape) > 1:
            levels = [_finer(levels[0])]
        while min(levels[-1].shape) > 2 and _step(levels[-1].coarser()) <= longest:
            levels.append(levels[-1].coarser())
        return levels

    def surroundings(self, levels: list[Level]) -> list[WideLevel]:
        """Return the levels with land beyond their borders."""
        finer = [WideLevel.finer(level) for level in levels[:-1]]
        return [*finer, WideLevel.of(levels[-1], self.spacing)]

    def grow_first(
        self, ground: Field, around: WideLevel, seed: int, report: Callable[[int], None]
    ) -> wind.Dunes:
        """Return the dunes that grow out of the first heaps of sand on the coarsest level and around it."""
        sand = beginning.heap_up(around.wide, self.spacing, self.direction, seed)
        load = wind.Wind(self.spacing).load
        below = around.surround(ground)
        dunes = wind.Dunes.lay(below, scale_to(sand, self.supply), load)
        dunes = self.grow(dunes, around.wide, self.steps(around.level), report)
        scale_to(dunes.sand, self.supply, around.cut(dunes.sand))
        return dunes

    def steps(self, level: Level) -> int:
        """Return the number of steps in which dunes grow on a level, at least 1."""
        return max(1, round(_WAY * self.strength * self.spacing / _step(level)))

    def grow(
        self, dunes: wind.Dunes, level: Level, steps: int, report: Callable[[int], None]
    ) -> wind.Dunes:
        """Return dunes after some steps on one level."""
        hops = wind.hops(level, self.direction, steps)
        for start in range(0, steps, _STEPS):
            dunes = self._blow(dunes, level, hops[start : start + _STEPS])
            report(len(hops[start : start + _STEPS]) * level.rows * level.columns)
            if blocks.is_enough():
                break
        return dunes

    def settle(self, dunes: wind.Dunes, level: Level) -> Field:
        """Return the thickness of sand after all of it has come to rest."""
        sand = dunes.sand + dunes.load
        for start in range(0, _LAST_PASSES, _PASSES):
            sand = self._slide(dunes.ground, sand, level, min(_PASSES, _LAST_PASSES - start))
        np.maximum(sand, np.float32(0.0), out=sand)
        return sand

    def _blow(self, dunes: wind.Dunes, level: Level, hops: list[wind.Hop]) -> wind.Dunes:
        reach = (wind.REACH + loose_layer.REACH) * len(hops)
        air = wind.Wind(self.spacing)
        creep = min(_CREEP * self.spacing / _step(level), _MOST_CREEP) / air.load

        def work(part: list[Field]) -> list[Field]:
            here = wind.Dunes(*part)
            for hop in hops:
                blocks.checkpoint()
                here = air.blow(here, hop)
                moved = here.load * np.float32(creep)
                np.minimum(moved, np.float32(_MOST_CREEP), out=moved)
                sand = loose_layer.slide(here.ground, here.sand, self._at_rest(level), moved)
                inner = (slice(2, -2), slice(2, -2))
                kept = [field[inner] for field in here.fields()]
                here = wind.Dunes(kept[0], sand, *kept[2:])
            return list(here.fields())[1:]

        made = margins.work_in_strips(list(dunes.fields()), level, reach, 5, work)
        return wind.Dunes(dunes.ground, *made)

    def _slide(self, ground: Field, sand: Field, level: Level, passes: int) -> Field:
        def work(part: list[Field]) -> list[Field]:
            below, here = part
            for _ in range(passes):
                blocks.checkpoint()
                here = loose_layer.slide(below, here, self._at_rest(level))
                below = below[2:-2, 2:-2]
            return [here]

        return margins.work_in_strips([ground, sand], level, loose_layer.REACH * passes, 1, work)[0]

    def _at_rest(self, level: Level) -> float:
        return _REST * tangent_of(self.repose) * _step(level)


def refine(
    dunes: wind.Dunes, coarse: WideLevel, fine: WideLevel, ground: Field, smoothly: bool
) -> wind.Dunes:
    """Return dunes on a finer level and around it; its ground is given, and thick sand buries its bumps.

    With `smoothly` sand does not go through the samples of the coarser level, on which it has grown: along the
    wind hollows end in steps from one row of these to the next, which would stay.
    """
    zero = np.float32(0.0)
    if smoothly:
        sand = coarse.prolong_smoothly(dunes.sand, fine)
    else:
        sand = coarse.prolong(dunes.sand, fine, (0.0, _HUGE))
    blocks.checkpoint()
    ground = fine.surround(ground)
    bumps = coarse.prolong(dunes.ground, fine)
    bumps -= ground
    bumps *= sand / (sand + np.float32(_BURIED * _step(coarse.level)))
    sand += bumps
    np.maximum(sand, zero, out=sand)
    blocks.checkpoint()
    load = coarse.prolong(dunes.load, fine, (0.0, _HUGE))
    shadow = coarse.prolong(dunes.shadow, fine)
    blocks.checkpoint()
    upwind = coarse.prolong(dunes.upwind, fine)
    speed = coarse.prolong(dunes.speed, fine, (0.0, 1.0))
    return wind.Dunes(ground, sand, load, shadow, upwind, speed)


def scale_to(sand: Field, thickness: float, part: Field | None = None) -> Field:
    """Scale sand in place so that its mean thickness, or that of a part of it, is the supply, in meters."""
    counted = sand if part is None else part
    whole = totals.total(counted)
    if whole > 0.0:
        sand *= np.float32(thickness * counted.size / whole)
    return sand


def _step(level: Level) -> float:
    """Return the mean distance of samples in meters; a single row or column has none."""
    steps = [
        step
        for step, count in ((level.step_x, level.columns), (level.step_y, level.rows))
        if count > 1
    ] or [level.step_x]
    return sum(steps) / len(steps)


def _finer(level: Level) -> Level:
    """Return the level with twice as many samples along both sides, over the same extent."""
    rows, columns = (2 * count if level.wrap else max(2 * count - 1, 1) for count in level.shape)
    steps = (rows, columns) if level.wrap else (max(rows - 1, 1), max(columns - 1, 1))
    first = (2 * level.first[0], 2 * level.first[1])
    step_y, step_x = level.depth / steps[0], level.width / steps[1]
    return Level(rows, columns, step_y, step_x, level.wrap, first)
