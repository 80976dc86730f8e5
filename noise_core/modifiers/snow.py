# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow falls, drifts, slides and melts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..base.params import bearing, number
from ..erosion.snow import cover, weather
from ..rasters import pyramid, totals
from ..rasters import steepness as slopes
from ..rasters.level import Level
from .bases.modifier import Modifier, Relief, modifier_type

_AUTOMATIC = 1.0 / 1000.0
"""Depth of snow as a share of the terrain's width, if none is given."""

_EVEN = 3.0
"""Width over which snow evens out the ground, in depths of snow, if none is given."""

_COARSEST = 160
"""Samples along the shorter side of the level on which snow slides, and up to twice as many: on alps 12 km
wide these are some 50 meters apart, as wide as slides are."""

_FLAT = 1e-3
"""Share of the width; land with less relief counts as being at the height of its top."""

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
        Sums over all samples, in meters. What slides and finds no place melts.
    """

    lying: Field
    fallen: float
    melted: float


@modifier_type("snow", "Snow")
class Snow(Modifier):
    """Lays snow over the ground: it drifts behind crests, slides off walls, and melts in the sun.

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
        help="Thickness of the snow that falls on level ground, in meters; 0 takes a thousandth of the width",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=20.0,
        unit="length",
    )
    snow_line: float = number(
        0.35,
        help="Height above which snow falls: 0 is the lowest, 1 the highest; less than 0 for all ground",
        minimum=-1.0,
        maximum=2.0,
        soft_minimum=0.0,
        soft_maximum=1.0,
    )
    transition: float = number(
        0.3,
        help="Part of the relief over which snow gets thicker, half of it below the snow line",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=1.0,
    )
    wind: float = number(
        0.6,
        help="How much wind takes from crests, and leaves behind them; 0 is calm",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    direction: float = bearing(
        20.0,
        help="Where the wind blows to",
        visible_when=("wind", 0.0),
    )
    sun: float = number(
        0.4,
        help="How much the sun melts at the snow line, as a share of what falls; 0 melts none",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        unit="factor",
    )
    sun_direction: float = number(
        180.0,
        help="Where the sun stands at noon, as on a compass: 0 is north (Y), 90 east (X)",
        minimum=-360.0,
        maximum=360.0,
        unit="angle",
        visible_when=("sun", 0.0),
    )
    steepest: float = number(
        55.0,
        help="Slope from which on no snow stays, in degrees; less steep ones hold less than gentle ones",
        minimum=10.0,
        maximum=85.0,
        soft_minimum=40.0,
        soft_maximum=65.0,
        unit="angle",
    )
    smoothing: float = number(
        0.0,
        help="Width in meters over which snow evens out the ground; 0 takes three times its depth",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
        advanced=True,
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the ground with snow on it, and the thickness of the snow."""
        snow = self.cover(height, grid, progress).lying
        progress(1.0)
        return Relief(height + snow, {"snow": snow})

    def cover(self, height: Field, grid: Grid, progress: Progress = blocks.unheard) -> SnowBalance:
        """Return the snow that lies on the ground, and what became of the rest.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        grid : Grid
        progress : callable, optional
            See `blocks.Progress`.
        """
        levels = Level.from_grid(grid).pyramid(_COARSEST)
        own, depth = levels[0], self.depth or _AUTOMATIC * grid.width
        heights = pyramid.restrict_all(height, levels)
        share = self._share_of_relief(height, heights[-1], own)
        snow = self._fall(share, heights, levels)
        snow *= np.float32(depth)
        fallen = totals.total(snow)
        progress(0.35)
        holds = cover.held(slopes.steepness(height, own), self.steepest, depth)
        snow, lost = cover.settle(
            snow, holds, heights, levels, lambda done: progress(0.35 + 0.25 * done)
        )
        melt = self._melt(share, heights, levels, depth)
        np.minimum(melt, snow, out=melt)
        snow -= melt
        melted = totals.total(melt) + lost
        progress(0.8)
        snow = cover.even_out(snow, height, own, self.smoothing or _EVEN * depth)
        return SnowBalance(snow, fallen, melted)

    def _share_of_relief(self, height: Field, coarse: Field, level: Level) -> Field:
        """Return heights as shares of the relief, from 0 to 1."""
        low, high = totals.typical_range(coarse)
        span = max(high - low, _FLAT * max(level.width, level.depth))
        share: Field = height - np.float32(high)
        share *= np.float32(1.0 / span)
        share += np.float32(1.0)
        return np.clip(share, np.float32(0.0), np.float32(1.0), out=share)

    def _fall(self, share: Field, heights: Sequence[Field], levels: Sequence[Level]) -> Field:
        """Return how much snow falls, as a multiple of the depth."""
        half = 0.5 * self.transition
        snow = slopes.smoothstep(share.copy(), self.snow_line - half, self.snow_line + half)
        if self.wind > 0.0:
            nearest = weather.NEAREST * weather.REACH * levels[0].width
            place = max(at for at, one in enumerate(levels) if at == 0 or one.step_x <= nearest)
            factor = weather.shelter(heights[place], levels[place], self.direction)
            factor = weather.drift(factor, self.wind)
            snow *= pyramid.prolong_all_smoothly(factor, levels[: place + 1])
        return snow

    def _melt(
        self, share: Field, heights: Sequence[Field], levels: Sequence[Level], depth: float
    ) -> Field:
        """Return the thickness that melts where enough lies."""
        if self.sun == 0.0:
            return np.zeros_like(share)
        noon = 90.0 - self.sun_direction  # counterclockwise from the x axis
        lit = weather.light(heights[-1], levels[-1], noon)
        lit = [pyramid.prolong_all_smoothly(one, levels) for one in lit]
        melt = weather.sunshine(heights[0], levels[0], noon, lit)
        # The higher the cooler, from the snow line on.
        above = np.maximum(share - np.float32(self.snow_line), np.float32(0.0))
        above *= np.float32((_COOLEST - 1.0) / max(1.0 - self.snow_line, 0.1))
        above += np.float32(1.0)
        np.maximum(above, np.float32(_COOLEST), out=above)
        melt *= above
        melt *= np.float32(self.sun * depth)
        return melt
