# SPDX-License-Identifier: GPL-3.0-or-later
"""Dunes grow on a level whose samples suit their spacing, and get sharp brinks on finer ones.

That level is the same for every resolution of a terrain, so that dunes are, too. It may be finer than
the terrain's own samples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import CountedProgress, Progress
from ...base.elementary import tangent_of
from ...rasters import margins, totals
from ...rasters.level import Level
from ...stages.description import Part
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
"""Passes in which sand comes to rest after the wind, on each level: on the finest alone slip faces of high dunes,
which are many samples long, would stay steeper."""

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
    """Parameters of the growth of dunes.

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
    coarsening : float
        How many times as far apart as usual the samples may be on which dunes grow.
    """

    direction: float
    spacing: float
    supply: float
    repose: float
    strength: float
    coarsening: float = 1.0

    def levels(self, level: Level) -> list[Level]:
        """Return the levels from a terrain's own to that on which dunes grow, finest first.

        The first one is not the terrain's own where dunes grow on finer samples.
        """
        longest = self.spacing * _COARSEST * self.coarsening
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
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        around: WideLevel,
        seed: int,
    ) -> tuple[Field, ...]:
        """Return the dunes that grow out of the first heaps of sand on the coarsest level and around it.

        The part is the ground with the strip.
        """
        sand = beginning.heap_up(target, self.spacing, self.direction, seed)
        load = wind.Wind(self.spacing).load
        dunes = wind.Dunes.lay(parts[0].values, scale_to(sand, self.supply), load)
        steps = self.steps(around.level)
        report = CountedProgress(progress, steps * target.rows * target.columns)
        dunes = self.grow(dunes, target, steps, report.add)
        rows, columns = around.level.shape
        scale_to(dunes.sand, self.supply, np.ascontiguousarray(dunes.sand[:rows, :columns]))
        return dunes.fields()

    def grow_finer(
        self, target: Level, parts: Sequence[Part], progress: Progress
    ) -> tuple[Field, ...]:
        """Return dunes after the steps on a finer level, of all that they are before."""
        dunes, level = wind.Dunes(*(part.values for part in parts)), parts[0].level
        report = CountedProgress(progress, FINE_STEPS * level.rows * level.columns)
        return self.grow(dunes, level, FINE_STEPS, report.add).fields()

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
        return replace(dunes, sand=self._settle(dunes.ground, dunes.sand, level))

    def settle(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return the thickness of sand after all of it has come to rest, of ground, sand and load."""
        ground, lying, load = (part.values for part in parts)
        sand = self._settle(ground, lying + load, parts[0].level)
        np.maximum(sand, np.float32(0.0), out=sand)
        return sand

    def _settle(self, ground: Field, sand: Field, level: Level) -> Field:
        for start in range(0, _LAST_PASSES, _PASSES):
            sand = self._slide(ground, sand, level, min(_PASSES, _LAST_PASSES - start))
        return sand

    def _blow(self, dunes: wind.Dunes, level: Level, hops: list[wind.Hop]) -> wind.Dunes:
        reach = (wind.REACH + loose_layer.REACH) * len(hops)
        air = wind.Wind(self.spacing)
        creep = min(_CREEP * self.spacing / _step(level), _MOST_CREEP) / air.load

        def work(part: list[Field]) -> list[Field]:
            strip = wind.Dunes(*part)
            for hop in hops:
                blocks.checkpoint()
                strip = air.blow(strip, hop)
                moved = strip.load * np.float32(creep)
                np.minimum(moved, np.float32(_MOST_CREEP), out=moved)
                sand = loose_layer.slide(strip.ground, strip.sand, self._at_rest(level), moved)
                inner = (slice(2, -2), slice(2, -2))
                kept = [field[inner] for field in strip.fields()]
                strip = wind.Dunes(kept[0], sand, *kept[2:])
            return list(strip.fields())[1:]

        results = margins.work_in_strips(list(dunes.fields()), level, reach, 5, work)
        return wind.Dunes(dunes.ground, *results)

    def _slide(self, ground: Field, sand: Field, level: Level, passes: int) -> Field:
        def work(part: list[Field]) -> list[Field]:
            below, loose = part
            for _ in range(passes):
                blocks.checkpoint()
                loose = loose_layer.slide(below, loose, self._at_rest(level))
                below = below[2:-2, 2:-2]
            return [loose]

        return margins.work_in_strips([ground, sand], level, loose_layer.REACH * passes, 1, work)[0]

    def _at_rest(self, level: Level) -> float:
        return _REST * tangent_of(self.repose) * _step(level)


SETTLING_REACH = loose_layer.REACH * _LAST_PASSES
GROWTH_REACH = (wind.REACH + loose_layer.REACH) * FINE_STEPS + SETTLING_REACH
"""Samples in which sand comes to rest, and that the steps on a finer level reach with those."""


def refine(
    target: Level,
    parts: Sequence[Part],
    progress: Progress,
    *,
    coarse: WideLevel,
    fine: WideLevel,
    smoothly: bool,
) -> tuple[Field, ...]:
    """Return dunes on a finer level and around it; thick sand buries the bumps of its ground.

    The parts are all that dunes are on the coarser level, and the finer ground with its strip. With
    `smoothly` sand does not go through the samples of the coarser level, on which it has grown: along the
    wind hollows end in steps from one row of these to the next, which would stay.
    """
    zero = np.float32(0.0)
    *dunes, surrounded = parts
    below, lying, air, shade, mean, gained = dunes
    if smoothly:
        sand = coarse.prolong_smoothly(lying, fine, target)
    else:
        sand = coarse.prolong(lying, fine, target, (0.0, _HUGE))
    blocks.checkpoint()
    ground = surrounded.values
    bumps = coarse.prolong(below, fine, target)
    bumps -= ground
    bumps *= sand / (sand + np.float32(_BURIED * _step(coarse.level)))
    sand += bumps
    np.maximum(sand, zero, out=sand)
    blocks.checkpoint()
    load = coarse.prolong(air, fine, target, (0.0, _HUGE))
    shadow = coarse.prolong(shade, fine, target)
    blocks.checkpoint()
    upwind = coarse.prolong(mean, fine, target)
    speed = coarse.prolong(gained, fine, target, (0.0, 1.0))
    return ground, sand, load, shadow, upwind, speed


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
        for step, count in zip((level.step_x, level.step_y), level.whole_shape[::-1])
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
