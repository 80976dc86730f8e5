# SPDX-License-Identifier: GPL-3.0-or-later
"""An ice age: ice grows and wears its bed on coarse levels; finer ones add detail, polished where ice was.

Levels are counted from the coarsest. Each finer one is worn for a third as long, and from a certain number of
samples on none is, so that the same land comes at every resolution.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import CountedProgress, Progress
from ...rasters import pyramid
from ...rasters.level import Level
from ...stages import continuation
from ...stages.description import Local, Part, Raster
from ...stages.levelled import climb
from ...stages.runner import Runner, fill
from .abrasion import Abrasion
from .climate import Climate
from .flow import Ice, Mesh

COARSEST = 32
"""Samples along the shorter side of the coarsest level, on which ice grows, at least."""

_WORN = 100
"""Samples along the shorter side of the coarsest level on which ice wears its bed, at least, if there are so
many: on fewer it would wear ridges as narrow as a sample."""

_FINEST = 600
"""Samples along the shorter side of the finest level on which ice flows, at most."""

_GROWING = (400, 300, 200, 40, 10)
"""Steps in which ice grows on the coarsest level, and in which it adapts to each finer one."""

_STEPS = (24, 10, 5)
"""Steps of wear on the coarsest level that is worn, and on finer ones."""

_ADAPTING = (8, 5, 3)
"""Steps in which ice adapts to each of them, likewise."""

_WEAR = 0.62
"""Of level ground below thick and fast ice at full strength on the coarsest of these levels, in reliefs."""

_SHORTER = 0.35
"""How long each finer level is worn, compared with the next coarser one."""

_POLISH = 0.015
"""Wear that takes half of the detail between coarser samples with it, in reliefs."""

_LOWEST, _HIGHEST = -4.0, 5.0
"""In reliefs above the typical lowest ground: single spikes and pits beyond count as that high."""

_BEYOND = 8
"""Samples beyond each border on these levels: ice there comes and goes as it does within."""

_HELD = 60.0
"""Bytes of memory for each sample of a level on which ice flows."""

_THICKEST = 100.0
"""In units of thickness, more than there is: a bound that keeps prolonged ice from becoming negative."""


@dataclass(frozen=True)
class Glaciation:
    """Parameters of an ice age.

    Attributes
    ----------
    lowest, relief : float
        Typical lowest ground, and the range of typical heights above it, in meters.
    unit : float
        Thickness at which as much ice slides as deforms, in meters.
    line : float
        Equilibrium line in reliefs above the lowest ground.
    strength : float
        How long it lasts.
    widening, wall : float
        See `Abrasion`.
    """

    lowest: float
    relief: float
    unit: float
    line: float
    strength: float
    widening: float
    wall: float

    def wear_down(self, run: Runner, height: Raster) -> tuple[Raster, Raster]:
        """Return the wear in reliefs, and the thickness of ice in units, beyond the borders too.

        Parameters
        ----------
        run : Runner
        height : Raster
            In meters.
        """
        levels = run.level.pyramid(COARSEST)
        wide = [level.widen(_BEYOND if min(level.shape) <= _FINEST else 0) for level in levels]
        (ground,) = run.local(Local("reliefs", self._in_reliefs, is_lazy=True), height)
        grounds = [continuation.widen(run, ground, wide[0])]
        for level, around in zip(levels[1:], wide[1:]):
            ground = run.restrict(grounds[-1], level)
            grounds.append(continuation.widen(run, ground, around))
        wear, ice = (fill(run, name, 0.0, wide[-1]) for name in ("wear", "ice"))
        wear, ice = climb(len(levels), (wear, ice), _IceAge(self, run, wide, grounds), run)
        return wear, ice

    def glaciate(
        self, target: Level, parts: Sequence[Part], progress: Progress, *, plan: Plan
    ) -> tuple[Field, Field]:
        """Return the wear and the ice after the steps of a level, of ground, wear and ice before."""
        ground, wear, thickness = (part.values for part in parts)
        ice = Ice(ground - wear, thickness, self._mesh(target))
        self._glaciate(ice, target, plan, CountedProgress(progress, plan.cost(target)).add)
        return np.subtract(ground, ice.bed), ice.thickness.copy()

    def _glaciate(self, ice: Ice, level: Level, plan: Plan, report: Callable[[int], None]) -> None:
        """Let ice adapt to a level, and wear its bed."""
        climate = Climate(self.line)
        abrasion = Abrasion(self.relief, self.unit, self.widening, self.wall)
        samples = level.rows * level.columns
        ice.grow(climate, plan.growing)
        report(plan.growing * samples)
        for _ in range(plan.steps):
            abrasion.abrade(ice, level, self.strength * plan.wear / plan.steps)
            ice.adapt(climate, plan.adapting)
            report(plan.adapting * samples)
            if blocks.is_enough():
                break

    def refine(
        self, target: Level, parts: Sequence[Part], progress: Progress
    ) -> tuple[Field, Field]:
        """Return wear and ice on a finer level: detail of the ground is worn off where ice was.

        The parts are wear, ice and ground on the coarser level, and the finer ground.
        """
        wear, thickness, ground, fine_ground = (part.values for part in parts)
        coarse, fine = parts[0].level, target
        worn = np.maximum(pyramid.prolong_smoothly(wear, coarse, fine), np.float32(0.0))
        blocks.checkpoint()
        detail = pyramid.prolong(ground, coarse, fine)
        np.subtract(fine_ground, detail, out=detail)
        blocks.checkpoint()
        share = worn / (worn + np.float32(_POLISH))
        share *= detail
        worn += share
        blocks.checkpoint()
        # Ice has a smooth surface: it is thinner on what stands out of its bed.
        detail -= share
        ice = pyramid.prolong(thickness, coarse, fine, (0.0, _THICKEST))
        detail *= np.float32(self.relief / self.unit)
        detail *= ice / (ice + np.float32(1.0))
        ice -= detail
        np.maximum(ice, np.float32(0.0), out=ice)
        return worn, ice

    def _in_reliefs(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return heights in reliefs above the lowest ground."""
        height = parts[0].values
        low, high = (self.lowest + end * self.relief for end in (_LOWEST, _HIGHEST))
        ground: Field = np.clip(height, np.float32(low), np.float32(high))
        ground -= np.float32(self.lowest)
        ground /= np.float32(self.relief)
        return ground

    def _mesh(self, level: Level) -> Mesh:
        side = (level.width * level.depth) ** 0.5
        unit = self.unit / self.relief
        return Mesh(level.step_y / side, level.step_x / side, level.wrap, unit)


@dataclass(frozen=True)
class Plan:
    """Steps on a level.

    Attributes
    ----------
    growing : int
        Steps of ice before its bed is worn.
    steps : int
        Of wear.
    adapting : int
        Steps of ice after each of these.
    wear : float
        Of all of them together, in reliefs; see `Abrasion.abrade`.
    must : bool
        Whether it is done even if it is enough: without it there is no result.
    """

    growing: int = 0
    steps: int = 0
    adapting: int = 0
    wear: float = 0.0
    must: bool = False

    def cost(self, level: Level) -> int:
        """Return the cost of all that is done on a level."""
        return (1 + self.growing + self.steps * self.adapting) * level.rows * level.columns


@dataclass(frozen=True)
class _IceAge:
    """Ice that flows on some levels; see `levelled.LevelLaw`. The state is the wear and the ice."""

    glaciation: Glaciation
    run: Runner
    levels: Sequence[Level]
    grounds: Sequence[Raster]

    def refine(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Add the detail of a level."""
        stage = Local("refine", self.glaciation.refine, makes=("wear", "ice"), held=12.0)
        grounds = self.grounds[place : place + 2]
        return self.run.local(stage, *state, *grounds[::-1], on=self.levels[place])

    def solve(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Let ice flow, where that is part of the plan."""
        plan = schedule(self.levels)[place]
        if not plan.growing or (not plan.must and self.run.is_enough()):
            return state
        work = functools.partial(self.glaciation.glaciate, plan=plan)
        stage = Local("glaciate", work, None, makes=("wear", "ice"), held=_HELD)
        results = self.run.local(stage, self.grounds[place], *state)
        self.run.drop(state, results)
        return results

    def cost(self, place: int) -> float:
        """Return steps times samples."""
        return float(schedule(self.levels)[place].cost(self.levels[place]))


def schedule(levels: Sequence[Level]) -> list[Plan]:
    """Return the steps on some levels, finest first."""
    sides = [min(level.land_shape) for level in levels]
    first = max([place for place, side in enumerate(sides) if side >= _WORN], default=0)
    plans = []
    for place, side in enumerate(sides):
        growing = _item(_GROWING, len(levels) - 1 - place)
        number = first - place
        if side > _FINEST:
            plans.append(Plan())
        elif number < 0:
            plans.append(Plan(growing, must=True))
        else:
            steps, adapting = _item(_STEPS, number), _item(_ADAPTING, number)
            plans.append(Plan(growing, steps, adapting, _WEAR * _SHORTER**number, number == 0))
    return plans


def _item(items: Sequence[int], number: int) -> int:
    """Return an item by its number, the last one for all beyond."""
    return items[min(number, len(items) - 1)]
