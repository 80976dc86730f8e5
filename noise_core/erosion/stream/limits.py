# SPDX-License-Identifier: GPL-3.0-or-later
"""Rate of incision in a step of stream-power erosion, and the slopes between which the ground stays.

References
----------
Mackin (1948). Concept of the graded river. Bulletin of the Geological Society of America 59.
Flint (1974). Stream gradient as a function of order, magnitude, and discharge. Water Resources Research 10.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.elementary import power, power_of
from ...flow_routing.descent import FlowRandomness
from ...flow_routing.directions import Mask
from ...rasters.level import Level

if TYPE_CHECKING:
    from ..drawn.guide import LevelGuide
    from .rain import OrographicRain


@dataclass(frozen=True)
class LevelTerrain:
    """Properties of the terrain on one level.

    Attributes
    ----------
    kept : ndarray of shape (rows, columns), bool
        Cells that rivers end in and that keep their height.
    is_open : bool
        Whether rivers leave over the border too, which wears down.
    uplift : ndarray of shape (rows, columns), float32, or None
        How far it rises over the whole duration, in meters; cells that keep their height do not.
    plain : ndarray of that shape, float32, or None
        Ground that the land grew from, in meters: it goes on beyond an open border, where rivers cut no deeper.
    rock : callable or None
        Gives the factors of the rate and of the steepest slope, at a height.
    randomness : FlowRandomness or None
        Makes water leave the directions of the grid.
    steepest : ndarray of shape (rows, columns), float32, or float
        The steepest slope that stands, as rise over run.
    slides : int
        How many cells far slides go in one step.
    unevenness : ndarray of shape (rows, columns), float32, or float
        Factor of the falls of graded rivers.
    rain : OrographicRain or None
        Weights of drainage areas; None for even rain.
    guide : LevelGuide or None
        Changes the ground before water is led over it, so that rivers and ridges lie where they are drawn.
    """

    fixed: Mask
    is_open: bool = False
    uplift: Field | None = None
    plain: Field | None = None
    rock: Callable[[Field], tuple[Field, Field]] | None = None
    randomness: FlowRandomness | None = None
    steepest: Field | float = 1e6
    slides: int = 1
    unevenness: Field | float = 1.0
    rain: OrographicRain | None = None
    guide: LevelGuide | None = None


@dataclass(frozen=True)
class StreamPowerParams:
    """Parameters of the stream-power process.

    Attributes
    ----------
    duration : float
        Erodibility times time, in meters to the power of 1 - 2 `exponent`.
    exponent : float
        Of the drainage area.
    gentlest : float
        Slope that the ground has at least, as rise over run.
    smoothing : float
        Share of the difference to the neighbors' mean that goes before each step.
    sediment : float
        Share of the eroded material that is deposited again; 0 to 1.
    deepest_lake : float or None
        In meters; see `drainage.route`.
    fall : float
        Slope of a river that neither cuts nor fills, times its drainage area to the power of `exponent`, in
        meters to the power of 2 `exponent`. Gentler ground fills up to it. 0 for none.
    fan : float
        Slope that this has at most, as rise over run: that of fans, where little water passes.
    buried : float
        Meters of deposit under which half of the detail of a finer level vanishes.
    """

    duration: float
    exponent: float
    gentlest: float
    smoothing: float
    sediment: float
    deepest_lake: float | None
    fall: float = 0.0
    fan: float = 0.0
    buried: float = math.inf


class IncisionLimits(NamedTuple):
    """Limits of incision: the rate of rivers, and the slopes towards its receiver between which each cell stays.

    Attributes
    ----------
    rate : ndarray of shape (rows, columns), float32
        See `incise`, in meters.
    steepest, gentlest : ndarray of that shape, float32, or float
        As rise over run.
    """

    rate: Field
    steepest: Field | float
    gentlest: Field | float


def limits(
    areas: Field,
    height: Field,
    level: Level,
    streams: StreamPowerParams,
    ground: LevelTerrain,
    share: float,
) -> IncisionLimits:
    """Return the limits of incision.

    Parameters
    ----------
    areas : ndarray of shape (rows, columns), float32
        Drained, in cells.
    height : ndarray of that shape, float32
        In meters.
    """
    powers = power(areas, streams.exponent)
    rate, gentlest = _rate(powers, level, streams, share), _gentlest(powers, level, streams, ground)
    if ground.rock is None:
        return IncisionLimits(rate, ground.steepest, gentlest)
    checkpoint()
    ease, steepness = ground.rock(height)
    rate *= ease
    return IncisionLimits(rate, steepness * np.asarray(ground.steepest, np.float32), gentlest)


def varied(value: float, spread: float, level: Level, seed: int) -> Field:
    """Return a number that chance moves at each place of a level by a share of up to `spread`, up or down."""
    random = level.random_bits(0, level.rows, seed).astype(np.float32)
    random *= np.float32(2.0**-31 * spread * value)
    random += np.float32((1.0 - spread) * value)
    return random


def _rate(powers: Field, level: Level, streams: StreamPowerParams, share: float) -> Field:
    """Return the duration times powers of drainage areas in cells, in meters."""
    cell = level.step_x * level.step_y
    factor = np.float32(streams.duration * share * power_of(cell, streams.exponent))
    return np.multiply(powers, factor)


def _gentlest(
    powers: Field, level: Level, streams: StreamPowerParams, ground: LevelTerrain
) -> Field | float:
    """Return the gentlest slopes: those of graded rivers, which carry on all that comes (Mackin 1948).

    They fall with a power of the drainage area (Flint 1974) that is the one of incision, so that rivers that cut
    and rivers that fill have profiles of the same shape.
    """
    if streams.fall == 0.0:
        return streams.gentlest
    factor = streams.fall / power_of(level.step_x * level.step_y, streams.exponent)
    slopes = np.divide(np.float32(factor), powers, out=powers)
    most = np.float32(max(streams.fan, streams.gentlest))
    np.minimum(slopes, most, out=slopes)
    slopes *= ground.unevenness
    return np.maximum(slopes, np.float32(streams.gentlest), out=slopes)
