# SPDX-License-Identifier: GPL-3.0-or-later
"""Rock falls and comes to rest as scree."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import tangent_of
from ..base.params import integer, number
from ..erosion import slides
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_COARSEST = 32
"""Samples along the shorter side of the coarsest level: slopes that span a tile slide there."""

_GROWTH = 1.6
"""How many times as many passes the next coarser level gets, which costs four times less."""

_MAX_PASSES_FACTOR = 4.0
"""The most passes on a coarse level, as a multiple of those on the finest."""

_IN_CACHE = 1.4e6
"""Bytes of the strips that slide at once."""


@modifier_type("thermal_erosion", "Thermal Erosion")
class ThermalErosion(Modifier):
    """Slopes that are too steep slide to their angle of repose.

    Cliffs wear back and lay screes at their feet. Nothing is lost: what leaves one place lies at
    another.

    Notes
    -----
    Ground moves along the gradient, as much as its length exceeds the stable slope, so that a heap
    of sand stays round; see `erosion.slides.talus`. One pass moves it by one sample, so it would take
    thousands to bring rock from a crest down to a valley. Coarser copies of the terrain slide first;
    what they change is added to the finer one, without ripples, down to the samples themselves. Slopes
    approach the angle and do not undercut it. After 2,000 passes none is steeper by half a degree, between any
    two of eight neighbors; after the default 16, some of a steep land stay 5 degrees steeper and more, as cliffs do.

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

    makes: ClassVar[Mapping[str, str]] = {"scree": "Thickness of settled debris, in meters"}
    amounts: ClassVar[frozenset[str]] = frozenset({"scree"})

    talus_angle: float = number(
        37.0,
        help="Steepest slope of loose rock, in degrees",
        minimum=0.0,
        maximum=89.0,
        soft_minimum=15.0,
        soft_maximum=60.0,
        unit="angle",
        visible_when=("passes", 0.0),
    )
    passes: int = integer(
        16,
        help="Slides, each by one sample; steep ground needs up to 2,000 to reach the angle",
        minimum=0,
        maximum=2000,
        soft_maximum=100,
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Let rock slide on coarse levels first, and measure the scree."""
        levels = run.level.pyramid(_COARSEST)
        law = _Slides(self, run, levels, run.restrict_all(height, levels))
        (result,) = stages.climb(len(levels), (law.heights[-1],), law, run)
        scree = run.local(
            stages.Local("scree", _find_scree, makes=("scree",), held=0.0), height, result
        )
        return stages.StagedRelief(result, {"scree": scree[0]})

    def passes_on(self, depth: int) -> int:
        """Return the number of passes on the level that is `depth` times coarser."""
        return round(self.passes * min(_GROWTH**depth, _MAX_PASSES_FACTOR))

    def slide(
        self, level: Level, parts: Sequence[Part], passes: Sequence[int]
    ) -> tuple[Field, ...]:
        """Return heights on one level after some passes; see `talus.slide`."""
        steepness = tangent_of(self.talus_angle)
        params = slides.talus.TalusParams.from_steepness(level, steepness)
        return (slides.talus.slide(parts[0].values, level, params, sum(passes)),)


@dataclasses.dataclass(frozen=True)
class _Slides:
    """Rock that slides on some levels; see `levelled.LevelLaw`. The state is the height."""

    modifier: ThermalErosion
    run: Runner
    levels: Sequence[Level]
    heights: Sequence[Raster]

    def refine(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Add the change of the coarser level."""
        stage = stages.Local("change", _refine_change, makes=("change",), held=8.0)
        coarse = self.heights[place + 1]
        (change,) = self.run.local(stage, *state, coarse, on=self.levels[place])
        return (slides.balancing.add_balanced(self.run, self.heights[place], change),)

    def solve(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Let rock slide, if it is not enough."""
        if place + 1 < len(self.levels) and self.run.is_enough():
            return state
        passes = self.modifier.passes_on(place)
        stage = stages.Rounds(
            "slide",
            self.modifier.slide,
            slides.talus.split_passes(passes),
            _reach_of,
            held=4.5,
            in_cache=_IN_CACHE,
        )
        slid = self.run.rounds(stage, state)
        self.run.drop(state, slid)
        return slid

    def cost(self, place: int) -> float:
        """Return passes times samples."""
        level = self.levels[place]
        return float(self.modifier.passes_on(place) * level.rows * level.columns)


def _reach_of(passes: int) -> int:
    return passes


def _refine_change(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    """Return the change of a level by that of a coarser one, not yet balanced, of the coarser heights."""
    new, old = parts
    return rasters.pyramid.prolong_smoothly(new.values - old.values, old.level, target)


def _find_scree(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    """Return the thickness of the scree, of the heights before and after."""
    old, new = (part.values for part in parts)
    scree: Field = new - old
    return np.maximum(scree, np.float32(0.0), out=scree)
