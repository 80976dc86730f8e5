# SPDX-License-Identifier: GPL-3.0-or-later
"""A land on all levels before rivers erode it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...base.arrays import Field
from ...rasters.level import Level
from ...rasters.surroundings import Surroundings
from .bending import Bend
from .limits import LevelTerrain


@dataclass(frozen=True)
class LandLevels:
    """A land on all its levels, finest first, before erosion.

    Attributes
    ----------
    bases : sequence of ndarray, float32
        The heights, in meters; those of levels that nobody works on are not read.
    levels : sequence of Level
    grounds : callable
        Gives the terrain of a level by its place, for the level with what lies around it, on a bent grid if there is
        a bend.
    around : Surroundings
        Of the coarsest level.
    """

    bases: Sequence[Field]
    levels: Sequence[Level]
    grounds: Callable[[int, Level, Bend | None], LevelTerrain]
    around: Surroundings

    def with_surroundings(self, place: int) -> Level:
        """Return a level with what lies around it."""
        return self.around.wide if self._is_coarsest(place) else self.levels[place]

    def crop(self, place: int, field: Field) -> Field:
        """Return the values of a field on the samples of the land itself."""
        is_wide = self._is_coarsest(place) and field.shape == self.around.wide.shape
        return self.around.cut(field) if is_wide else field

    def _is_coarsest(self, place: int) -> bool:
        return place == len(self.levels) - 1
