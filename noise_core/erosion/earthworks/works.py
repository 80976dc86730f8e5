# SPDX-License-Identifier: GPL-3.0-or-later
"""A path on a land: beds, banks, surfaces and ponds, on the whole and on finer parts."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.grid import Grid
from ...curves.chains import HALF, ROUGH, Chain, Table
from ...lattice.hash import child_seed
from ...noises.perlin import Perlin
from ...rasters import boxes
from ...rasters.level import Level
from ...stages import continuation
from ...stages.description import Local, Part, Raster, grid_of
from ...stages.memory import MemoryRunner
from ...stages.runner import Runner
from . import banks, profile, surfaces
from .alignment import Alignment, find_courses
from .banks import BankLaw
from .profile import ProfileLaw

_SMOOTHED = 0.25
"""Deviation of the ground whose bumps are kept, in reaches, if that is more than the width of the bed."""

_BUMP = 4.0
"""Widths of the bed from one widening to the next."""


@dataclass(frozen=True)
class PathWorks:
    """The laws of a path on a land.

    Attributes
    ----------
    alignment : Alignment
        Where the beds run.
    profile : ProfileLaw
        How high they are.
    banks : BankLaw
        How the ground beside them changes.
    surface : str
        One of `surfaces.SURFACES`.
    """

    alignment: Alignment
    profile: ProfileLaw
    banks: BankLaw
    surface: str

    def lay(
        self, run: Runner, height: Raster, seed: int, makes: tuple[str, ...]
    ) -> tuple[Raster, ...]:
        """Return the height with beds and banks, and the maps of `shape`.

        Parameters
        ----------
        run : Runner
        height : Raster
            In meters.
        seed : int
            Of the widths.
        makes : tuple of str
            Names of the maps.
        """
        curves = self.alignment.chains(run.level.step_x)
        courses = find_courses(run, height, curves, self.profile)
        widest = _widest(curves)
        rough = any((chain.vertices[:, ROUGH] > 0.0).any() for chain in curves)
        sources = [height]
        if (self.banks.detail or rough) and widest:
            deviation = max(2.0 * widest, _SMOOTHED * self.banks.reach)
            sources.append(_smooth(run, height, deviation))
        work = functools.partial(
            self.shape, grid=run.grid, courses=courses, widest=widest, seed=seed
        )
        stage = Local("path", work, 0, makes=("height", *makes), held=0.5)
        return run.local(stage, *sources)

    def refine(self, height: Field, level: Level, land: Field, grid: Grid) -> tuple[Field, ...]:
        """Return a part of a finer level with beds and banks, and its maps cut, fill, bed and gap.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
            In meters.
        level : Level
        land : ndarray of shape grid.shape, float32
            Heights of the whole land, which beds follow.
        grid : Grid
            Of the land.
        """
        run = MemoryRunner(Level.from_grid(grid), grid=grid)
        curves = self.alignment.chains(run.level.step_x)
        courses = find_courses(run, run.take(land), curves, self.profile)
        law = dataclasses.replace(self.banks, detail=0.0, width_noise=0.0)
        return banks.shape(banks.BankGround(height, level), profile.unpack(courses), law)

    def shape(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        grid: Grid,
        courses: Sequence[Table],
        widest: float,
        seed: int,
    ) -> tuple[Field, ...]:
        """Return the height of a part of a land with beds and banks, and its maps.

        These are cut, fill, bed, gap, road and pond.
        """
        height = parts[0].values
        ground = banks.BankGround(
            height,
            target,
            height - parts[1].values if len(parts) > 1 else None,
            self._widening(grid_of(grid, target), widest, seed),
        )
        found = profile.unpack(courses)
        shaped, cut, fill, bed, gap = banks.shape(ground, found, self.banks)
        road = surfaces.firmness(bed, self.surface)
        pond = np.zeros_like(height)
        if self.alignment.holds_water:
            pond = surfaces.standing_depth(shaped, target, found)
        progress(1.0)
        return shaped, cut, fill, bed, gap, road, pond

    def _widening(self, grid: Grid, widest: float, seed: int) -> Field | None:
        """Return where beds are wider, and where narrower, from -1 to 1."""
        if not self.banks.width_noise or not widest:
            return None
        frequency = grid.width / (2.0 * widest * _BUMP)
        noise = Perlin(frequency=min(max(frequency, 1e-4), 1e6))
        return noise.sample_grid(grid, child_seed(seed, 1))


def _widest(curves: Sequence[Chain]) -> float:
    """Return half of the width of the widest bed, in meters."""
    return max((float(chain.vertices[:, HALF].max()) for chain in curves), default=0.0)


def _smooth(run: Runner, height: Raster, deviation: float) -> Raster:
    """Return the ground without its bumps."""
    reach = functools.partial(boxes.source_part, deviation=deviation)
    across = functools.partial(continuation.around, reach=reach)
    wide = run.level.widen(boxes.margin(run.level, deviation))
    work = functools.partial(smooth_part, deviation=deviation)
    stage = Local("smooth", work, reach, across=across, held=5.5)
    (result,) = run.local(stage, continuation.widen(run, height, wide), on=run.level)
    return result


def smooth_part(
    target: Level, parts: Sequence[Part], progress: Progress, *, deviation: float
) -> Field:
    """Return the smoothed height of a part of a land."""
    (part,) = parts
    inner = continuation.within_borders(part.level, target)
    return boxes.blur(part.values, part.level, deviation, progress, inner)
