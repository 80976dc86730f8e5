# SPDX-License-Identifier: GPL-3.0-or-later
"""Random variation of rock and water from place to place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...base.arrays import Field
from ...flow_routing.descent import FlowRandomness
from ...lattice.hash import child_seed
from ...rasters.level import Level
from .limits import varied

_SPREAD = 0.4
"""How much the steepest slope varies from place to place at full randomness: without it hillsides
are ruled like facets, with more they are grainy."""

_UNEVENNESS = 0.7
"""The same of the falls to which valleys fill up, on every level: without it rivers run straight along the grid
over fans, which are planes."""

_GRAINS = (1.0, 0.6, 0.4, 0.3)
"""How much of that there is on the coarsest level and the next finer ones, the last number for all
others: on a fine level it would be seen cell by cell."""


@dataclass(frozen=True)
class StreamVariation:
    """Random variation of a land.

    Attributes
    ----------
    seed : int
        Of the land.
    amount : float
        From 0, none, to 1.
    """

    seed: int
    amount: float

    def of_flow(self, index: int) -> FlowRandomness | None:
        """Return the randomness of flow directions or of bent grids, by the number of its seed; None if there is none."""
        if self.amount == 0.0:
            return None
        return FlowRandomness(child_seed(self.seed, index), self.amount)

    def of_slope(self, slope: float, level: Level, number: int) -> Field | float:
        """Return the steepest slope as rise over run on a level by its number from the coarsest: rock varies."""
        if self.amount == 0.0:
            return slope
        spread = _SPREAD * self.amount * item_or_last(_GRAINS, number)
        return varied(slope, spread, level, child_seed(self.seed, 5))

    def of_falls(self, level: Level) -> Field | float:
        """Return the factor of the falls of graded rivers."""
        if self.amount == 0.0:
            return 1.0
        return varied(1.0, _UNEVENNESS * self.amount, level, child_seed(self.seed, 7))


_Item = TypeVar("_Item")


def item_or_last(items: Sequence[_Item], number: int) -> _Item:
    """Return an item by its number, the last one for all beyond."""
    return items[min(number, len(items) - 1)]
