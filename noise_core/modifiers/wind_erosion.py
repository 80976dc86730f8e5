# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind heaps sand up into dunes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..base.arrays import Field
from ..base.blocks import CountedProgress, Progress, is_enough
from ..base.grid import Grid
from ..base.params import bearing, number
from ..erosion.dunes import growth, wind
from ..rasters import pyramid
from ..rasters.level import Level
from .bases.modifier import Modifier, Relief, modifier_type

if TYPE_CHECKING:
    from ..erosion.dunes.growth import Desert

_AUTOMATIC = 0.1
"""Spacing of dunes as a share of the terrain's width, if none is given."""

_MERGED = 1.6
"""Distance of dunes in the end, in those of the first heaps: small ones catch up with large ones."""

_CLOSEST = 1.0 / 15.0
_FEWEST_SAMPLES = 6.0
"""Dunes are no closer than so much of the terrain's side, or so many of its samples: the time grows with the
third power of how many there are in a row, and closer ones cannot be seen."""

_SUPPLY = 0.04
"""Thickness of sand in spacings of dunes, if none is given: crests join, and ground shows between."""


@modifier_type("wind_erosion", "Wind Erosion")
class WindErosion(Modifier):
    """Lays sand over the ground and lets wind heap it up into dunes.

    Dunes climb on rises and flow around rock; the ground below stays. Little sand on level ground makes
    crescents (barchans), more makes ridges across the wind that run on and fork.

    Notes
    -----
    Sand in the wind hops on, settles in the shadow behind brinks, and slides down slip faces. It
    starts in heaps of the noise's. Dunes grow on samples that suit their spacing, at every
    resolution of the terrain the same; finer levels sharpen the brinks. Where edges do not meet, as much
    sand comes over the border as leaves. The mean thickness of sand is that of the supply.

    References
    ----------
    B. T. Werner (1995). Eolian dunes: computer simulations and attractor interpretation. Geology 23.
    Axel Paris, Adrien Peytavie, Eric Guerin, Oscar Argudo, Eric Galin (2019). Desertscape simulation.
    Computer Graphics Forum 38.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import WindErosion
    >>> grid = Grid(65, 65, wrap=True, size=1000.0)
    >>> desert = WindErosion(sand=5.0, spacing=150.0).apply(np.zeros(grid.shape), grid, seed=2)
    >>> sand = desert.maps["sand"]
    >>> bool(sand.min() >= 0.0), bool(sand.max() > 5.0)
    (True, True)
    """

    makes: ClassVar[Mapping[str, str]] = {"sand": "Thickness of the sand, in meters"}
    amounts: ClassVar[frozenset[str]] = frozenset({"sand"})

    strength: float = number(
        1.0,
        help="How long the wind blows: dunes get higher, and their crests run on; 0 brings no sand",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=2.0,
        unit="factor",
    )
    direction: float = bearing(
        20.0,
        help="Where the wind blows to",
        visible_when=("strength", 0.0),
    )
    sand: float = number(
        0.0,
        help="Mean thickness of the sand in meters; 0 takes what covers about half of level ground",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=20.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    spacing: float = number(
        0.0,
        help="Distance from dune to dune in meters; 0 takes a tenth of the width; from a fifteenth of a square terrain to all of it",
        minimum=0.0,
        maximum=1e9,
        soft_maximum=500.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    talus_angle: float = number(
        33.0,
        help="Angle of the slip faces behind brinks, in degrees: that at which sand comes to rest",
        minimum=10.0,
        maximum=45.0,
        soft_minimum=28.0,
        soft_maximum=36.0,
        unit="angle",
        advanced=True,
        visible_when=("strength", 0.0),
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the ground with dunes on it, and the thickness of their sand."""
        if self.strength == 0.0:
            progress(1.0)
            return Relief(height.copy(), {"sand": np.zeros_like(height)})
        desert = self.desert(Level.from_grid(grid))
        sand = self._grow(height, grid, desert, seed, progress)
        progress(1.0)
        return Relief(height + sand, {"sand": sand})

    def desert(self, level: Level) -> Desert:
        """Return what dunes grow by on a terrain with the samples of a level."""
        side = math.sqrt(level.width * level.depth)
        closest = max(_CLOSEST * side, _FEWEST_SAMPLES * max(level.step_x, level.step_y))
        spacing = max(min(self.spacing or _AUTOMATIC * level.width, side), closest) / _MERGED
        supply = self.sand or _SUPPLY * spacing
        return growth.Desert(self.direction, spacing, supply, self.talus_angle, self.strength)

    def _grow(
        self, height: Field, grid: Grid, desert: Desert, seed: int, progress: Progress
    ) -> Field:
        """Return the thickness of sand on a terrain's own samples."""
        own = Level.from_grid(grid)
        levels = desert.levels(own)
        grounds = [height if levels[0] is own else pyramid.prolong(height, own, levels[0])]
        for fine, coarse in zip(levels, levels[1:]):
            grounds.append(pyramid.subsample(grounds[-1], fine, coarse))
        counts = [growth.FINE_STEPS] * (len(levels) - 1) + [desert.steps(levels[-1])]
        around = desert.surroundings(levels)
        costs = [count * one.wide.rows * one.wide.columns for count, one in zip(counts, around)]
        report = CountedProgress(progress, max(sum(costs), 1))
        dunes = desert.grow_first(grounds[-1], around[-1], seed, report.add)
        for place in reversed(range(len(levels) - 1)):
            here, is_first = around[place], place + 2 == len(levels)
            dunes = growth.refine(dunes, around[place + 1], here, grounds[place], is_first)
            if not is_enough():
                dunes = desert.grow(dunes, here.wide, counts[place], report.add)
        cut = wind.Dunes(*(around[0].cut(field) for field in dunes.fields()))
        sand = desert.settle(cut, levels[0])
        if levels[0] is not own:
            sand = np.maximum(pyramid.subsample(sand, levels[0], own), np.float32(0.0))
        return growth.scale_to(sand, desert.supply)
