# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind heaps sand up into dunes."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import erosion, rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import bearing, number
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..erosion.dunes.borders import WideLevel
    from ..erosion.dunes.growth import Desert
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

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

_STATE = ("ground", "sand", "load", "shadow", "upwind", "speed")
"""What `wind.Dunes` has."""


@modifier_type("wind_erosion", "Wind Erosion")
class WindErosion(Modifier):
    """Covers the ground with sand that wind heaps into dunes.

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
        help="Duration of the wind: more makes higher dunes; 0 brings no sand",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=2.0,
        unit="factor",
    )
    direction: float = bearing(
        20.0,
        help="Direction of the wind",
        visible_when=("strength", 0.0),
    )
    sand: float = number(
        0.0,
        help="Mean thickness of the sand in meters",
        automatic="about half of level ground covered",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=20.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    spacing: float = number(
        0.0,
        help="Distance between dunes in meters",
        automatic=(1.0 / 10.0, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=500.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    talus_angle: float = number(
        33.0,
        help="Angle of repose on the slip faces behind brinks, in degrees",
        minimum=10.0,
        maximum=45.0,
        soft_minimum=28.0,
        soft_maximum=36.0,
        unit="angle",
        advanced=True,
        visible_when=("strength", 0.0),
    )

    coarsening: ClassVar[float] = 1.0

    def at_low_quality(self) -> WindErosion:
        """Return dunes that grow on coarser samples."""
        return _CoarseDunes(
            **{field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Let dunes grow on levels that suit their spacing, and lay their sand on the ground."""
        if self.strength == 0.0:
            return stages.StagedRelief(height, {"sand": stages.fill(run, "sand", 0.0)})
        desert = self.desert(run.level)
        sand = _grow(run, desert, height, seed)
        whole, (rows, columns) = run.total(sand), run.level.shape
        factor = desert.supply * rows * columns / whole if whole > 0.0 else 1.0
        lay = functools.partial(_lay, factor=factor)
        result, scaled = run.local(stages.Local("lay", lay, makes=("height", "sand")), height, sand)
        run.drop([sand])
        return stages.StagedRelief(result, {"sand": scaled})

    def desert(self, level: Level) -> Desert:
        """Return the parameters of dunes on a terrain with the samples of a level."""
        side = math.sqrt(level.width * level.depth)
        closest = max(_CLOSEST * side, _FEWEST_SAMPLES * max(level.step_x, level.step_y))
        spacing = max(min(self.spacing or _AUTOMATIC * level.width, side), closest) / _MERGED
        supply = self.sand or _SUPPLY * spacing
        return erosion.dunes.growth.Desert(
            self.direction, spacing, supply, self.talus_angle, self.strength, self.coarsening
        )


class _CoarseDunes(WindErosion):
    """Dunes for land that is seen from afar: in an eighth of the time, less sharp."""

    coarsening: ClassVar[float] = 2.0


def _grow(run: Runner, desert: Desert, height: Raster, seed: int) -> Raster:
    """Return the thickness of sand on a terrain's own samples, not yet as much as is supplied."""
    level = run.level
    levels = desert.levels(level)
    surroundings = desert.surroundings(levels)
    ground = height
    if levels[0] is not level:
        (ground,) = run.local(stages.Local("finer", _prolong), height, on=levels[0])
    law = _DuneLaw(run, desert, levels, surroundings, run.subsample_all(ground, levels))
    first = functools.partial(desert.grow_first, around=surroundings[-1], seed=seed)
    stage = stages.Local("grow_first", first, None, makes=_STATE, held=60.0)
    with run.portion(0.0, law.share_of_first):
        state = run.local(stage, law.surround(len(levels) - 1))
    with run.portion(law.share_of_first, 1.0):
        dunes = stages.climb(len(levels), state, law, run)
    kept = [run.gather("cut", surroundings[0].cut, field, levels[0]) for field in dunes[:3]]
    settle = stages.Local(
        "settle", desert.settle, erosion.dunes.growth.SETTLING_REACH, makes=("sand",), held=16.0
    )
    (sand,) = run.local(settle, *kept)
    run.drop(dunes, [sand])
    if levels[0] is not level:
        (sand,) = run.local(stages.Local("own", _subsample, makes=("sand",)), sand, on=level)
    return sand


@dataclasses.dataclass(frozen=True)
class _DuneLaw:
    """Dunes on some levels; see `levelled.LevelLaw`. The state is all that `wind.Dunes` has."""

    run: Runner
    desert: Desert
    levels: Sequence[Level]
    around: Sequence[WideLevel]
    grounds: Sequence[Raster]

    def surround(self, place: int) -> Raster:
        """Return the ground of a level with that beyond its borders."""
        wide = self.around[place]
        return self.run.gather("surround", wide.surround, self.grounds[place], wide.wide)

    def refine(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Add the ground of a finer level."""
        coarse, fine = self.around[place + 1], self.around[place]
        is_first = place + 2 == len(self.levels)
        work = functools.partial(
            erosion.dunes.growth.refine, coarse=coarse, fine=fine, smoothly=is_first
        )
        across = functools.partial(coarse.source_part, finer=fine)
        stage = stages.Local("refine", work, across=across, makes=_STATE, held=16.0)
        return self.run.local(stage, *state, self.surround(place), on=fine.wide)

    def solve(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Let the wind blow on a finer level, if it is not enough."""
        if place + 1 == len(self.levels) or self.run.is_enough():
            return state
        work, reach = self.desert.grow_finer, erosion.dunes.growth.GROWTH_REACH
        stage = stages.Local("grow", work, reach, makes=_STATE, held=24.0, in_cache=4e6)
        grown = self.run.local(stage, *state)
        self.run.drop(state, grown)
        return grown

    def cost(self, place: int) -> float:
        """Return steps times samples; those on the coarsest level were taken before."""
        wide = self.around[place].wide
        is_first = place + 1 == len(self.levels)
        return (
            0.0 if is_first else float(erosion.dunes.growth.FINE_STEPS * wide.rows * wide.columns)
        )

    @property
    def share_of_first(self) -> float:
        """Share of the steps on the coarsest level in all of them, times samples."""
        wide = self.around[-1].wide
        first = float(self.desert.steps(self.levels[-1]) * wide.rows * wide.columns)
        return first / (first + sum(map(self.cost, range(len(self.levels)))))


def _prolong(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    (part,) = parts
    return rasters.pyramid.prolong(part.values, part.level, target)


def _subsample(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    (part,) = parts
    sand = rasters.pyramid.subsample(part.values, part.level, target)
    return np.maximum(sand, np.float32(0.0))


def _lay(
    target: Level, parts: Sequence[Part], progress: Progress, *, factor: float
) -> tuple[Field, Field]:
    """Return the ground with sand on it, and the thickness of as much sand as is supplied."""
    height, sand = (part.values for part in parts)
    scaled = sand * np.float32(factor)
    return height + scaled, scaled
