# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that are broken on purpose, one promise each; none of them is ever registered."""

from __future__ import annotations

import time

import numpy as np

from noise_core import Grid, Modifier, Relief
from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.base.declared import declared_type
from noise_core.modifiers.bases.modifier import Modifier as Base
from noise_core.rasters.boxes import blur
from noise_core.rasters.level import Level


def mutant(cls: type[Modifier]) -> type[Modifier]:
    """Declare a type as `modifier_type` does, but leave the registry alone."""
    cls.key, cls.label = cls.__name__.lower(), cls.__name__
    return declared_type(cls)


def smoothed(height: Field, grid: Grid) -> Field:
    return blur(height, Level.from_grid(grid), 2.0 * grid.spacing)


@mutant
class SoundModifier(Modifier):
    """Keeps every promise: moves ground halfway to a smooth copy."""

    makes = {"moved": "How far the ground moved, in meters"}
    amounts = frozenset({"moved"})

    def relief(self, height, grid, seed, progress):
        result = smoothed(height, grid)
        blocks.checkpoint()
        progress(1.0)
        return Relief(result, {"moved": np.abs(result - height)})


class _Altered(SoundModifier):
    """Keeps every promise but one."""

    def relief(self, height, grid, seed, progress):
        relief = super().relief(height, grid, seed, progress)
        return Relief(self.altered(relief.height, height, grid, seed), relief.maps)

    def altered(self, result, height, grid, seed):
        return result


@mutant
class DoubleHeights(_Altered):
    def altered(self, result, height, grid, seed):
        return result.astype(np.float64)


@mutant
class DropsAColumn(_Altered):
    def altered(self, result, height, grid, seed):
        return result[:, : max(1, grid.columns - 1)]


@mutant
class UndefinedOnLevelGround(_Altered):
    def altered(self, result, height, grid, seed):
        spread = np.ptp(height)
        return result if spread > 0.0 else np.full_like(result, np.nan)


@mutant
class UndefinedFarOut(_Altered):
    def altered(self, result, height, grid, seed):
        return result if grid.size < 1e6 else np.full_like(result, np.inf)


@mutant
class Idle(_Altered):
    def altered(self, result, height, grid, seed):
        return height.copy()


@mutant
class Explodes(_Altered):
    def altered(self, result, height, grid, seed):
        return height * np.float32(30.0)


@mutant
class WritesHeight(_Altered):
    def altered(self, result, height, grid, seed):
        if height.flags.writeable:
            height[0, 0] += 1.0
        return result


@mutant
class GivesBackHeight(_Altered):
    def altered(self, result, height, grid, seed):
        return height


@mutant
class CountsItsCalls(_Altered):
    def altered(self, result, height, grid, seed):
        _calls.append(seed)
        return result + np.float32(len(_calls))


_calls: list[int] = []


@mutant
class CountsProcessors(_Altered):
    def altered(self, result, height, grid, seed):
        return result + np.float32(blocks.processor_count())


@mutant
class ForgetsTheMask(SoundModifier):
    def apply(self, height, grid, seed=0, mask=None, progress=None, cancel=None):
        return super().apply(height, grid, seed, None, progress, cancel)


@mutant
class ForgetsTheOpacity(SoundModifier):
    def apply(self, *arguments, **keywords):
        whole = self.with_values(opacity=1.0)
        return super(ForgetsTheOpacity, whole).apply(*arguments, **keywords)


@mutant
class MakesMore(SoundModifier):
    def relief(self, height, grid, seed, progress):
        relief = super().relief(height, grid, seed, progress)
        return Relief(relief.height, {**relief.maps, "extra": relief.height.copy()})


@mutant
class NegativeMaps(SoundModifier):
    def relief(self, height, grid, seed, progress):
        relief = super().relief(height, grid, seed, progress)
        return Relief(relief.height, {"moved": relief.height - height})


@mutant
class RunsBackwards(SoundModifier):
    def relief(self, height, grid, seed, progress):
        progress(0.5)
        progress(0.25)
        return super().relief(height, grid, seed, progress)


@mutant
class Deaf(SoundModifier):
    """Works long without asking whether it should stop."""

    def relief(self, height, grid, seed, progress):
        until = time.thread_time() + 0.12
        while time.thread_time() < until:
            pass
        return super().relief(height, grid, seed, progress)


@mutant
class CatchesItsCancel(SoundModifier):
    """Goes on after a cancel."""

    def apply(self, height, grid, seed=0, mask=None, progress=None, cancel=None):
        return super().apply(height, grid, seed, mask, progress, None)


@mutant
class HasBorders(SoundModifier):
    """Treats a torus as if it ended."""

    def relief(self, height, grid, seed, progress):
        relief = super().relief(height, Grid(*grid.shape, size=grid.size), seed, progress)
        return relief


@mutant
class Pins(_Altered):
    """Leaves the border where it was."""

    def altered(self, result, height, grid, seed):
        for rim in (0, -1):
            result[rim], result[:, rim] = height[rim], height[:, rim]
        return result


@mutant
class Tears(_Altered):
    """Lets the border sink."""

    def altered(self, result, height, grid, seed):
        for rim in (0, -1):
            result[rim] -= np.float32(150.0)
        return result


@mutant
class SinksAtTheSeam(_Altered):
    def altered(self, result, height, grid, seed):
        if grid.wrap:
            result[:, -1] -= np.float32(150.0)
        return result


@mutant
class TakesAnything(SoundModifier):
    def apply(self, height, grid, seed=0, mask=None, progress=None, cancel=None):
        rows, columns = grid.shape
        field = np.nan_to_num(np.resize(np.asarray(height, np.float32), (rows, columns)))
        return Base.apply(self, field, grid, 0, None, progress, cancel)
