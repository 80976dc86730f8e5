# SPDX-License-Identifier: GPL-3.0-or-later
"""A land on all levels before rivers erode it.

The coarsest one has samples beyond its borders, from which water comes in, and over which it goes on: without them a
border would have no water but its own, and valleys would be shallow along all four sides, which shows as a rim. That
level gives a land its shape, so that it alone needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...rasters.level import Level
from ...stages import continuation
from .bending import Bend
from .limits import LevelTerrain

BEYOND = 20
"""Samples beyond each border of the coarsest level: with 12 canyons are a sixth gentler at their borders."""


@dataclass(frozen=True)
class LandLevels:
    """A land on all its levels, finest first, before erosion.

    Attributes
    ----------
    bases : sequence of ndarray, float32
        The heights, in meters; those of levels that nobody works on are not read.
    levels : sequence of Level
    grounds : callable
        Gives the terrain of a level by its place, for the level with the samples beyond its borders, on a bent grid if
        there is a bend.
    wide : Level
        The coarsest one with samples beyond its borders, if rivers leave over them.
    """

    bases: Sequence[Field]
    levels: Sequence[Level]
    grounds: Callable[[int, Level, Bend | None], LevelTerrain]
    wide: Level

    def widened(self, place: int) -> Level:
        """Return a level with the samples beyond its borders that it has."""
        return self.wide if place == len(self.levels) - 1 else self.levels[place]

    def crop(self, place: int, field: Field) -> Field:
        """Return the values of a field, if it has any, on the samples of the land itself."""
        wide, level = self.widened(place), self.levels[place]
        if wide is level or field.shape != wide.shape:
            return field
        return np.ascontiguousarray(continuation.on_land(field, wide, level))
