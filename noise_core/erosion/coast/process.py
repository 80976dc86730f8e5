# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of waves on a land in stages: their force on a coarse level, the cut by it, and the beaches of what is worn."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.grid import Grid
from ...rasters.level import Level
from ...stages import continuation
from ...stages.description import Local, Part, Raster, grid_of
from ...stages.runner import Runner, fill
from . import beaches, cliffs, shore
from .beaches import Beach
from .cliffs import Coast
from .rock import CoastalRock
from .waves import Waves

_STEPS = 6

_HELD = 60.0
"""Bytes of memory for each coarse sample on which waves are worked out."""


@dataclass(frozen=True)
class CoastProcess:
    """Waves that cut the coast of a land, and lay beaches.

    Attributes
    ----------
    grid : Grid
        Of the land.
    seed : int
        Unsigned, 32 bits.
    coast : Coast
        Measures of cliffs and platforms.
    waves : Waves
    rock : CoastalRock
        How its hardness varies.
    beach : Beach
        Profile of beaches.
    sand : float
        Share of the worn rock that becomes sand.
    """

    grid: Grid
    seed: int
    coast: Coast
    waves: Waves
    rock: CoastalRock
    beach: Beach
    sand: float

    def run(self, run: Runner, height: Raster) -> tuple[Raster, Raster, Raster]:
        """Return the new height, the thickness of sand, and the worn rock, all in meters.

        Parameters
        ----------
        run : Runner
        height : Raster
            In meters, with a shore.
        """
        levels = shore.levels_of(run.level)
        coarse = levels[-1]
        distance = self.coast.shore_distance(run, height, coarse)
        run.report(1 / _STEPS)
        floor, away = (run.subsample_all(field, levels)[-1] for field in (height, distance))
        floor = continuation.widen(run, floor, coarse.widen(shore.BEYOND))
        waves = Local("waves", self.feel, None, makes=("force", "slope"), held=_HELD)
        force, slope = run.local(waves, floor, away, on=coarse)
        run.report(2 / _STEPS)
        stage = Local("retreat", self.retreat, makes=("strength", "back", "hold"), held=30.0)
        strength, retreat, hold = run.local(stage, force, on=run.level)
        foot = self.coast.foot_distance(run, distance, hold, coarse)
        run.report(3 / _STEPS)
        stage = Local("cut", self.cut, makes=("height", "share"), held=30.0)
        rough, share = run.local(stage, height, foot, strength, distance, slope)
        fall = Local("fall", self.coast.slide, cliffs.PASSES, held=24.0)
        (worn,) = run.local(fall, rough, share)
        run.drop([strength, hold, slope, rough, share])
        (wear,) = run.local(Local("wear", _subtract, makes=("wear",), held=0.0), height, worn)
        run.report(4 / _STEPS)
        if self.rock.variation > 0.0:  # sand lies along the coast, not around each stack
            run.drop([foot])
            foot = self.coast.foot_distance(run, distance, retreat, coarse)
        run.drop([distance, retreat])
        run.report(5 / _STEPS)
        beach = self._lay(run, worn, wear, foot, force, levels)
        (result,) = run.local(Local("lay", _add, held=0.0), worn, beach)
        run.drop([worn, foot, force])
        return result, beach, wear

    def feel(self, target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, Field]:
        """Return the force of waves and the slope of the sea floor, of the height and the distance from the shore."""
        floor, away = parts
        sea, retreat = self.coast.sea, self.coast.retreat
        old = shore.Shore.on(floor, cliffs.go_on(floor, away, sea), sea)
        inner = continuation.within_borders(old.level, target).within(old.level)
        force = old.force(self.waves, retreat)[inner]
        return np.ascontiguousarray(force), np.ascontiguousarray(old.slope(retreat)[inner])

    def retreat(
        self, target: Level, parts: Sequence[Part], progress: Progress
    ) -> tuple[Field, Field, Field]:
        """Return the force of waves on the finest samples, and the retreat without and with cores."""
        strength = shore.refine(parts[0], target)
        part_grid = grid_of(self.grid, target)
        retreat = self.rock.retreat(strength, part_grid, self.seed)
        return strength, retreat, self.rock.hold_cores(retreat, strength, part_grid, self.seed)

    def cut(self, target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, Field]:
        """Return the land with platforms and cliffs, and the share of the cut that is made.

        The parts are the height, the distance from the foot of cliffs, the force of waves, the distance from
        the old shore, and the slope of the sea floor before it on coarse samples.
        """
        height, foot, strength, distance = (part.values for part in parts[:4])
        share = self.coast.share(strength, foot, distance)
        floor = shore.refine(parts[4], target)
        buttress = self.rock.buttresses(grid_of(self.grid, target), self.seed)
        return self.coast.cut(height, foot, share, floor, buttress), share

    def _lay(
        self,
        run: Runner,
        ground: Raster,
        wear: Raster,
        foot: Raster,
        force: Raster,
        levels: Sequence[Level],
    ) -> Raster:
        """Return the thickness of sand: part of the worn rock, where waves are weaker."""
        if self.sand == 0.0:
            return fill(run, "beach", 0.0)
        seen = [run.subsample_all(field, levels)[-1] for field in (ground, foot)]
        worn = run.restrict_all(wear, levels)[-1]
        stage = Local("spread", self.spread, None, makes=("width",), held=_HELD)
        (wide,) = run.local(stage, *seen, worn, force)
        (laid,) = run.local(
            Local("heap", self.heap, makes=("sand",), held=37.0), ground, foot, wide
        )
        factor = beaches.limit(run.total(laid), run.total(wear), self.sand)
        scale = functools.partial(_scale, factor=factor)
        (beach,) = run.local(Local("limit", scale, makes=("beach",), held=0.0), laid)
        run.drop([wide, laid])
        return beach

    def spread(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return how wide beaches are, of ground, distance from its foot, wear and the force of waves."""
        ground, foot, worn, force = parts
        new = shore.Shore.on(ground, foot, self.coast.sea)
        return self.beach.widths(worn.values, force.values, new, self.sand, self.coast.retreat)

    def heap(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return the thickness of sand, of ground, distance from its foot and the width of beaches."""
        ground, foot = (part.values for part in parts[:2])
        wide = shore.refine(parts[2], target)
        return self.beach.lay(ground, foot, wide, self.coast.sea)


def _subtract(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    old, new = (part.values for part in parts)
    return old - new


def _add(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    ground, sand = (part.values for part in parts)
    return ground + sand


def _scale(target: Level, parts: Sequence[Part], progress: Progress, *, factor: float) -> Field:
    return parts[0].values if factor == 1.0 else parts[0].values * np.float32(factor)
