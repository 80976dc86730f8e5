# SPDX-License-Identifier: GPL-3.0-or-later
"""Rock falls and comes to rest as scree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Progress, is_enough
from ..base.elementary import tangent_of
from ..base.grid import Grid
from ..base.params import integer, number
from ..erosion.slides import balancing, talus
from ..rasters import pyramid
from ..rasters.level import Level
from .bases.modifier import Modifier, Relief, modifier_type

_COARSEST = 32
"""Samples along the shorter side of the coarsest level: slopes that span a tile slide there."""

_GROWTH = 1.6
"""How many times as many passes the next coarser level gets, which costs four times less."""

_MAX_PASSES_FACTOR = 4.0
"""The most passes on a coarse level, as a multiple of those on the finest."""


@modifier_type("thermal_erosion", "Thermal Erosion")
class ThermalErosion(Modifier):
    """Lets slopes that are too steep slide until they lie at their angle of repose.

    Cliffs wear back and lay screes at their feet. Nothing is lost: what leaves one place lies at
    another.

    Notes
    -----
    Ground moves along the gradient, as much as its length exceeds the stable slope, so that a heap
    of sand stays round; see `erosion.slides.talus`. One pass moves it by one sample, so it would take
    thousands to bring rock from a crest down to a valley. Coarser copies of the terrain slide first;
    what they change is added to the finer one, without ripples, down to the samples themselves. Slopes
    approach the angle and do not undercut it; on a mountain of a thousand meters some stay steeper,
    as cliffs do.

    References
    ----------
    F. Kenton Musgrave, Craig E. Kolb, Robert S. Mace (1989). The synthesis and rendering of eroded
    fractal terrains. SIGGRAPH.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import slope
    >>> from noise_core.modifiers import ThermalErosion

    A wall 60 m high slides until it lies at 35 degrees, and a heap of scree lies at its foot:

    >>> grid = Grid(33, 65, size=640.0)
    >>> wall = np.zeros(grid.shape, np.float32)
    >>> wall[:, 32:] = 60.0
    >>> slid = ThermalErosion(talus_angle=35.0, passes=200).apply(wall, grid)
    >>> bool(slope(wall, grid).max() > 70.0), bool(slope(slid.height, grid).max() < 38.0)
    (True, True)
    >>> bool(slid.maps["scree"][16, 30] > 0.0)
    True
    """

    makes: ClassVar[Mapping[str, str]] = {"scree": "Thickness of what came to rest, in meters"}
    amounts: ClassVar[frozenset[str]] = frozenset({"scree"})

    talus_angle: float = number(
        37.0,
        help="Steepest slope at which loose rock stays, in degrees",
        minimum=0.0,
        maximum=89.0,
        soft_minimum=15.0,
        soft_maximum=60.0,
        unit="angle",
        visible_when=("passes", 0.0),
    )
    passes: int = integer(
        16,
        help="How often rock slides on by one sample; coarser copies of the terrain slide more often",
        minimum=0,
        maximum=2000,
        soft_maximum=100,
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the eroded height and the scree."""
        levels = self.levels(grid)
        heights = pyramid.restrict_all(height, levels)
        result = self.slide_levels(heights, levels, 0, progress)
        return Relief(result, {"scree": self.scree(height, result)})

    @staticmethod
    def levels(grid: Grid) -> list[Level]:
        """Return the levels on which rock slides, finest first."""
        return Level.from_grid(grid).pyramid(_COARSEST)

    @staticmethod
    def scree(before: Field, after: Field) -> Field:
        """Return the thickness of what came to rest."""
        scree = after - before
        np.maximum(scree, np.float32(0.0), out=scree)
        return scree

    def slide_levels(
        self, heights: Sequence[Field], levels: Sequence[Level], finer: int, progress: Progress
    ) -> Field:
        """Return the eroded height on the finest of some levels.

        Parameters
        ----------
        heights : sequence of ndarray, float32
            Before, on all of them.
        levels : sequence of Level
            Finest first, down to the coarsest of the terrain.
        finer : int
            How many levels of the terrain come before them.
        progress : callable
            See `blocks.Progress`.
        """
        passes = [self.passes_on(finer + depth) for depth in range(len(levels))]
        costs = [count * level.rows * level.columns for count, level in zip(passes, levels)]
        result, done = heights[-1], 0
        for depth in reversed(range(len(levels))):
            if depth + 1 < len(levels):
                coarse = (result, heights[depth + 1], levels[depth + 1])
                change = refine_change(*coarse, heights[depth], levels[depth])
                result = heights[depth] + balancing.balance(change)
            is_first = depth + 1 == len(levels)
            if is_first or not is_enough():
                result = self.slide(result, levels[depth], passes[depth])
            done += costs[depth]
            progress(done / max(sum(costs), 1))
        return result

    def passes_on(self, depth: int) -> int:
        """Return the number of passes on the level that is `depth` times coarser."""
        return round(self.passes * min(_GROWTH**depth, _MAX_PASSES_FACTOR))

    def slide(self, height: Field, level: Level, passes: int) -> Field:
        """Return heights on one level after some passes; see `talus.slide`."""
        steepness = tangent_of(self.talus_angle)
        return talus.slide(
            height, level, talus.TalusParams.from_steepness(level, steepness), passes
        )


def refine_change(
    result: Field, before: Field, coarse: Level, height: Field, level: Level
) -> Field:
    """Return the change of a level by that of a coarser one, not yet balanced.

    Parameters
    ----------
    result, before : ndarray of shape coarse.shape, float32
        The coarser height after and before.
    height : ndarray of shape level.shape, float32
        The finer height before.
    """
    return pyramid.prolong_smoothly(result - before, coarse, level)
