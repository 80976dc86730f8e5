# SPDX-License-Identifier: GPL-3.0-or-later
"""An ice age: ice grows and wears its bed on coarse levels; finer ones add detail, polished where ice was.

Levels are counted from the coarsest. Each finer one is worn for a third as long, and from a certain number of
samples on none is, so that the same land comes at every resolution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...rasters import pyramid
from ...rasters.level import Level
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

_THICKEST = 100.0
"""In units of thickness, more than there is: a bound that keeps prolonged ice from becoming negative."""


@dataclass(frozen=True)
class Glaciation:
    """What an ice age depends on.

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

    def run(
        self, height: Field, levels: Sequence[Level], report: Callable[[int], None]
    ) -> tuple[Field, Field]:
        """Return the wear and the thickness of ice, in meters, on the finest of some levels.

        Parameters
        ----------
        height : ndarray of shape levels[0].shape, float32
            In meters.
        levels : sequence of Level
            Finest first.
        report : callable
            Takes the cost of each part that is done; see `cost`.
        """
        grounds = pyramid.restrict_all(self._in_reliefs(height), levels)
        wear, thickness = np.zeros_like(grounds[-1]), np.zeros_like(grounds[-1])
        for place, plan in reversed(list(enumerate(schedule(levels)))):
            ground, level = grounds[place], levels[place]
            if place + 1 < len(levels):
                coarse = (grounds.pop(), levels[place + 1])
                wear, thickness = self._refine(wear, thickness, *coarse, ground, level)
            if plan.growing and (plan.must or not blocks.is_enough()):
                ice = Ice(ground - wear, thickness, self._mesh(level))
                self._glaciate(ice, level, plan, report)
                np.subtract(ground, ice.bed, out=wear)
                thickness = ice.thickness.copy()
            report(level.rows * level.columns)
        wear *= np.float32(self.relief)
        thickness *= np.float32(self.unit)
        return wear, thickness

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

    def _refine(
        self,
        wear: Field,
        thickness: Field,
        ground: Field,
        coarse: Level,
        fine_ground: Field,
        fine: Level,
    ) -> tuple[Field, Field]:
        """Return wear and ice on a finer level: detail of the ground is worn off where ice was."""
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

    def _in_reliefs(self, height: Field) -> Field:
        """Return heights in reliefs above the lowest ground."""
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
    """What is done on a level.

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


def schedule(levels: Sequence[Level]) -> list[Plan]:
    """Return what is done on some levels, finest first."""
    sides = [min(level.shape) for level in levels]
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


def cost(levels: Sequence[Level]) -> int:
    """Return the cost of all that is done on some levels, finest first."""
    return sum(
        (1 + plan.growing + plan.steps * plan.adapting) * level.rows * level.columns
        for plan, level in zip(schedule(levels), levels)
    )


def _item(items: Sequence[int], number: int) -> int:
    """Return an item by its number, the last one for all beyond."""
    return items[min(number, len(items) - 1)]
