# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow falls, drifts, slides and melts."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import erosion, rasters, stages
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..base.params import bearing, number
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters import Level
    from ..stages import Local, Part, Raster, Runner, StagedRelief

_AUTOMATIC = 1.0 / 1000.0
"""Depth of snow as a share of the terrain's width, if none is given."""

_EVEN = 3.0
"""Width over which snow evens out the ground, in depths of snow, if none is given."""

_COARSEST = 160
"""Samples along the shorter side of the level on which snow slides, and up to twice as many: on alps 12 km
wide these are some 50 meters apart, as wide as slides are."""

_FLAT = 1e-3
"""Share of the width; land with less relief counts as being at the height of its top."""

_EDGE = 2
"""Samples beyond borders that finer ones are interpolated from."""

_COOLEST = 0.4
"""Share of what melts at the snow line that melts at the top, of the same sun."""


@dataclasses.dataclass(frozen=True)
class SnowBalance:
    """Where snow came to be.

    Attributes
    ----------
    lying : ndarray of shape (rows, columns), float32
        Thickness in meters.
    fallen, melted : float
        Sums over all samples, in meters. Sliding snow without a place melts.
    """

    lying: Field
    fallen: float
    melted: float


@modifier_type("snow", "Snow")
class Snow(Modifier):
    """Snow cover that drifts behind crests, slides off walls and melts in the sun.

    Notes
    -----
    Snow falls above the snow line, more on ground that is sheltered from the wind by what lies upwind, and
    less on crests. Slopes hold the less the steeper they are; the rest slides down and settles where there
    is room. The sun of a day in spring melts some, by slope, direction and shade, less at the top. Then
    wind fills hollows and blows bumps bare, so that snow is smoother than the ground. What fell lies or has
    melted.

    References
    ----------
    Guillaume Cordonnier, Pierre Ecormier, Eric Galin, James Gain, Bedrich Benes, Marie-Paule Cani (2018).
    Interactive generation of time-evolving, snow-covered landscapes with avalanches. Computer Graphics
    Forum 37.
    Adam Winstral, Kelly Elder, Robert E. Davis (2002). Spatial snow modeling of wind-redistributed snow
    using terrain-based parameters. Journal of Hydrometeorology 3.
    M. Bernhardt, K. Schulz (2010). SnowSlide: a simple routine for calculating gravitational snow
    transport. Geophysical Research Letters 37.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Snow
    >>> from noise_core.noises import Gradient

    Without wind, more snow lies on the upper half of a mountain than on the lower one:

    >>> grid = Grid(65, 65, size=4000.0)
    >>> mountain = 500.0 * (1.0 + Gradient(shape="radial").sample_grid(grid))
    >>> cover = Snow(depth=2.0, snow_line=0.5, transition=0.1, wind=0.0).apply(mountain, grid, seed=1)
    >>> snow = cover.maps["snow"]
    >>> bool(snow[mountain > 600.0].mean() > snow[mountain < 400.0].mean())
    True
    """

    makes: ClassVar[Mapping[str, str]] = {"snow": "Thickness of the snow, in meters"}
    amounts: ClassVar[frozenset[str]] = frozenset({"snow"})

    depth: float = number(
        0.0,
        help="Snow thickness on level ground in meters",
        automatic=(1.0 / 1000.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=20.0,
        unit="length",
    )
    snow_line: float = number(
        0.35,
        help="Height of the snow line, from 0 (lowest) to 1 (highest); below 0 for all ground",
        minimum=-1.0,
        maximum=2.0,
        soft_minimum=0.0,
        soft_maximum=1.0,
    )
    transition: float = number(
        0.3,
        help="Range of heights over which snow thickens around the snow line",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=1.0,
    )
    wind: float = number(
        0.6,
        help="Snow moved by wind from crests to their lee; 0 is calm",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    direction: float = bearing(
        20.0,
        help="Direction of the wind",
        visible_when=("wind", 0.0),
    )
    sun: float = number(
        0.4,
        help="Melting at the snow line, relative to the snowfall; 0 melts none",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        unit="factor",
    )
    sun_direction: float = number(
        180.0,
        help="Compass direction of the sun at noon: 0 is north (Y), 90 east (X)",
        minimum=-360.0,
        maximum=360.0,
        unit="angle",
        visible_when=("sun", 0.0),
    )
    steepest: float = number(
        55.0,
        help="Steepest slope that holds snow, in degrees; gentler slopes hold more",
        minimum=10.0,
        maximum=85.0,
        soft_minimum=40.0,
        soft_maximum=65.0,
        unit="angle",
    )
    smoothing: float = number(
        0.0,
        help="Width over which snow smooths the ground in meters",
        automatic=(3.0, "depth"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
        advanced=True,
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Let snow fall, slide, melt and drift."""
        snow, _, _ = self._cover(run, height)
        (result,) = run.local(stages.Local("lay", _add, held=0.0), height, snow)
        return stages.StagedRelief(result, {"snow": snow})

    def cover(self, height: Field, grid: Grid, progress: Progress = blocks.unheard) -> SnowBalance:
        """Return the snow that lies on the ground, and the balance of the rest.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        grid : Grid
        progress : callable, optional
            See `blocks.Progress`.
        """
        run = stages.MemoryRunner(rasters.Level.from_grid(grid), progress, grid)
        snow, fallen, melted = self._cover(run, run.take(height))
        return SnowBalance(snow.values, fallen, melted)

    def _cover(self, run: Runner, height: Raster) -> tuple[Raster, float, float]:
        """Return the snow that lies, and how much fell and melted; see `SnowBalance`."""
        levels = run.level.pyramid(_COARSEST)
        heights = run.restrict_all(height, levels)
        share = self._share_of_relief(run, heights)
        with run.portion(0.0, 0.35):
            snow = self._fall(run, share, heights, levels)
        fallen = run.total(snow)
        run.report(0.35)
        hold = functools.partial(
            erosion.snow.cover.hold, steepest=self.steepest, depth=self._depth(run)
        )
        (holds,) = run.local(stages.Local("hold", hold, 1, makes=("holds",), held=8.0), height)
        with run.portion(0.35, 0.6):
            settled, lost = erosion.snow.cover.settle(run, snow, holds, heights, levels)
        run.drop([snow, holds], [settled])
        with run.portion(0.6, 0.8):
            snow, melted = self._melt(run, settled, share, heights, levels)
        run.drop([settled], [snow])
        with run.portion(0.8, 1.0):
            deviation = self.smoothing or _EVEN * self._depth(run)
            return erosion.snow.cover.even_out(run, snow, height, deviation), fallen, melted + lost

    def _depth(self, run: Runner) -> float:
        return self.depth or _AUTOMATIC * run.grid.width

    @staticmethod
    def _share_of_relief(run: Runner, heights: Sequence[Raster]) -> Raster:
        """Return heights as shares of the relief, from 0 to 1."""
        level = run.level
        low, high = run.typical_range(heights[-1])
        span = max(high - low, _FLAT * max(level.width, level.depth))
        work = functools.partial(_share_of, high=high, span=span)
        (share,) = run.local(stages.Local("share", work, held=0.0, is_lazy=True), heights[0])
        return share

    def _fall(
        self, run: Runner, share: Raster, heights: Sequence[Raster], levels: Sequence[Level]
    ) -> Raster:
        """Return the thickness of the snow that falls."""
        sources = [share]
        if self.wind > 0.0:
            nearest = erosion.snow.weather.NEAREST * erosion.snow.weather.REACH * run.level.width
            place = max(at for at, level in enumerate(levels) if at == 0 or level.step_x <= nearest)
            drift = stages.Local("drift", self._drift, None, makes=("factor",), held=27.0)
            (factor,) = _look_around(run, drift, erosion.snow.weather.REACH, heights[: place + 1])
            sources.append(factor)
        work = functools.partial(self._fall_on, depth=self._depth(run))
        (snow,) = run.local(stages.Local("fall", work, makes=("snow",), held=8.0), *sources)
        run.drop(sources[1:])
        return snow

    def _drift(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return the factor by which the wind multiplies the snow that falls."""
        (part,) = parts
        sheltered = erosion.snow.weather.shelter(part.values, part.level, self.direction)
        return erosion.snow.weather.drift(_cut(sheltered, part.level, target), self.wind)

    def _fall_on(
        self, target: Level, parts: Sequence[Part], progress: Progress, *, depth: float
    ) -> Field:
        """Return the thickness of the snow that falls, of the share of the relief and the factor of the wind."""
        half, fields = 0.5 * self.transition, [part.values for part in parts]
        snow = rasters.steepness.smoothstep(
            fields[0].copy(), self.snow_line - half, self.snow_line + half
        )
        for factor in fields[1:]:
            snow *= factor
        snow *= np.float32(depth)
        return snow

    def _melt(
        self,
        run: Runner,
        snow: Raster,
        share: Raster,
        heights: Sequence[Raster],
        levels: Sequence[Level],
    ) -> tuple[Raster, float]:
        """Return the thickness of snow after some has melted, and how much has."""
        if self.sun == 0.0:
            return snow, 0.0
        names = [f"lit_{number}" for number in range(erosion.snow.weather.HOURS)]
        light = stages.Local("light", self._light, None, makes=tuple(names), held=16.0)
        lit = _look_around(run, light, erosion.snow.weather.FARTHEST, heights)
        work = functools.partial(self._melt_on, depth=self._depth(run))
        stage = stages.Local("melt", work, 1, makes=("snow", "melt"), held=6.0)
        snow, melt = run.local(stage, snow, share, heights[0], *lit)
        melted = run.total(melt)
        run.drop([melt, *lit])
        return snow, melted

    @property
    def _noon(self) -> float:
        """Where the sun stands at noon, counterclockwise from the x axis."""
        return 90.0 - self.sun_direction

    def _light(self, target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, ...]:
        (part,) = parts
        hours = erosion.snow.weather.light(part.values, part.level, self._noon)
        return tuple(_cut(hour, part.level, target) for hour in hours)

    def _melt_on(
        self, target: Level, parts: Sequence[Part], progress: Progress, *, depth: float
    ) -> tuple[Field, Field]:
        """Return the snow that remains, and the snow that melts."""
        snow, share, height, *lit = (part.values for part in parts)
        melt = erosion.snow.weather.sunshine(height, parts[0].level, self._noon, lit)
        # The higher the cooler, from the snow line on.
        above = np.maximum(share - np.float32(self.snow_line), np.float32(0.0))
        above *= np.float32((_COOLEST - 1.0) / max(1.0 - self.snow_line, 0.1))
        above += np.float32(1.0)
        np.maximum(above, np.float32(_COOLEST), out=above)
        melt *= above
        melt *= np.float32(self.sun * depth)
        np.minimum(melt, snow, out=melt)
        return snow - melt, melt


def _look_around(
    run: Runner, stage: Local, reach: float, heights: Sequence[Raster]
) -> list[Raster]:
    """Return on the finest of some levels the fields that a stage finds on the coarsest one, up to a distance.

    Parameters
    ----------
    run : Runner
    stage : Local
        Reads the height, with samples beyond borders.
    reach : float
        How far it looks, as a share of the width.
    heights : sequence of Raster
        Of the ground on these levels, finest first.
    """
    levels = [height.level for height in heights]
    edged = [levels[0], *(level.widen(_EDGE) for level in levels[1:])]
    margin = math.ceil(reach * run.level.width / levels[-1].step_x) + _EDGE
    wide = stages.continuation.widen(run, heights[-1], levels[-1].widen(margin))
    return [stages.spread(run, field, edged) for field in run.local(stage, wide, on=edged[-1])]


def _cut(field: Field, level: Level, target: Level) -> Field:
    """Return a field of a part of a level, perhaps a wide one, on a smaller part."""
    return stages.continuation.on_land(field, level, target)


def _share_of(
    target: Level, parts: Sequence[Part], progress: Progress, *, high: float, span: float
) -> Field:
    """Return heights as shares of a span below a highest one, from 0 to 1."""
    share: Field = parts[0].values - np.float32(high)
    share *= np.float32(1.0 / span)
    share += np.float32(1.0)
    return np.clip(share, np.float32(0.0), np.float32(1.0), out=share)


def _add(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    """Return heights with snow on them."""
    height, snow = (part.values for part in parts)
    return height + snow
