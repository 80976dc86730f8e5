# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow on ground: what slopes hold, slides of the rest to where it comes to lie, and a cover smoother than the ground.

Slides go farther than samples are apart: snow travels on a coarse level, the same at every resolution,
whose samples hold what the finer ones in them can hold. Then it settles on these where they have room.
Hollows fill and bumps are blown bare; as much lies as before.

References
----------
M. Bernhardt, K. Schulz (2010). SnowSlide: a simple routine for calculating gravitational snow
transport. Geophysical Research Letters 37.
Paul Fearing (2000). Computer modelling of fallen snow. SIGGRAPH.
Adam Winstral, Kelly Elder, Robert E. Davis (2002). Spatial snow modeling of wind-redistributed snow
using terrain-based parameters. Journal of Hydrometeorology 3. (snow in concavities)
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import tangent_of
from ...rasters import boxes, margins, pyramid, smoothing, totals
from ...rasters.level import Level
from ..slides import balancing, loose_layer

PASSES = 96
"""Of snow over the coarse level: it moves on by one of its samples in each. From the tops of alps to
valley floors it is some 40 samples."""

_AT_ONCE = 4
"""Passes over a strip while it is in the cache; the strip is read with so many rows more."""

_GENTLE = 25.0
_ON_GENTLE = 1.6
"""Slope in degrees that holds so many times what falls on level ground. Slabs break away from 25 degrees
on, mostly from 30 to 45; what is gentler holds more, with the square of how far it is from the steepest."""

_TINY = np.float32(1e-30)
"""Keeps 0 / 0 from happening."""

_MOST = 2.0
"""Times as much as coarse samples tell comes to lie at most on the finer ones in them: what they tell is
smoothed, and may not be there where they have room."""

_WIDTHS = (2.0, 1.0, 0.5)
"""Of the averages, the widest first: what one leaves is seen by the next."""

_MOST_FILL = 0.3
"""Of a hollow's depth, how much counts beside the snow that lies there: it gets up to four times as thick."""

_KEPT = 1.8
"""Of a bump's height likewise: nearly half of the snow stays on the highest. With less in three steps all crests
of alps were bare, like threads over the white."""

_SHARE = 0.65
"""Of bumps and hollows that one step takes. What is left of channels leads water as the ground below does: with all
of it the water of smooth slopes ran along the rows and columns of samples."""

_MARGIN = 4.0
"""Deviations of the average that count beyond a border."""


def held(steepness: Field, steepest: float, depth: float) -> Field:
    """Return the thickness of snow that stays on slopes, in meters, as a new array.

    Parameters
    ----------
    steepness : ndarray of shape (rows, columns), float32
        Rise over run.
    steepest : float
        Slope in degrees from which on none stays.
    depth : float
        Of what falls on level ground, in meters.
    """
    limit = tangent_of(steepest)
    gentle = min(_GENTLE, 0.5 * steepest)
    room = steepness * np.float32(-1.0 / (limit - tangent_of(gentle)))
    room += np.float32(limit / (limit - tangent_of(gentle)))
    np.maximum(room, np.float32(0.0), out=room)
    room *= room
    room *= np.float32(_ON_GENTLE * depth)
    return room


def settle(
    snow: Field,
    holds: Field,
    heights: Sequence[Field],
    levels: Sequence[Level],
    report: Callable[[float], None],
) -> tuple[Field, float]:
    """Return the thickness of snow after it has slid, and how much finds no place.

    Parameters
    ----------
    snow, holds : ndarray of shape levels[0].shape, float32
        What fell, and what each place holds, in meters.
    heights : sequence of ndarray, float32
        Of the ground on all levels, in meters.
    levels : sequence of Level
        Finest first; snow slides on the last.
    report : callable
        Called with the finished share.

    Returns
    -------
    tuple of ndarray of shape levels[0].shape, float32, and float
        In meters; what finds no place is summed over all samples, and not in the field.
    """
    lying = np.minimum(snow, holds)
    sliding = snow - lying
    whole = totals.total(sliding)
    if whole == 0.0:
        return lying, 0.0
    room = holds - lying
    rooms = pyramid.restrict_all(room, levels)
    slides = pyramid.restrict_all(sliding, levels)[-1]
    layers = pyramid.restrict_all(lying, levels)[-1]
    arrived = _slide_on(slides, layers, rooms[-1], heights[-1], levels[-1], report)
    share = min(totals.total(arrived) / max(totals.total(slides), float(_TINY)), 1.0)
    # Coarse samples tell how full the finer ones in them are.
    arrived /= np.maximum(rooms[-1], _TINY)
    room *= pyramid.prolong_all_smoothly(arrived, levels)
    come = totals.total(room)
    if come == 0.0:
        return lying, whole
    # Of coarse samples each stands for as many finer ones, but for those at borders: the sum is put right.
    factor = np.float32(min(share * whole / come, _MOST))
    room *= factor
    lying += room
    return lying, whole - come * float(factor)


def _slide_on(
    slides: Field,
    layers: Field,
    rooms: Field,
    ground: Field,
    level: Level,
    report: Callable[[float], None],
) -> Field:
    """Return which part of sliding snow has come to lie where, on one level, in meters."""
    snow, holds = layers + slides, layers + rooms

    def work(part: list[Field]) -> list[Field]:
        below, here, stays = part
        for _ in range(_AT_ONCE):
            blocks.checkpoint()
            here = loose_layer.slide_off(below, here, stays)
            below, stays = below[2:-2, 2:-2], stays[2:-2, 2:-2]
        return [here]

    for done in range(0, PASSES, _AT_ONCE):
        fields, reach = [ground, snow, holds], loose_layer.REACH * _AT_ONCE
        (snow,) = margins.work_in_strips(fields, level, reach, 1, work)
        report((done + _AT_ONCE) / PASSES)
        if blocks.is_enough():
            break
    np.minimum(snow, holds, out=snow)
    snow -= layers
    np.maximum(snow, np.float32(0.0), out=snow)
    return snow


def even_out(snow: Field, height: Field, level: Level, deviation: float) -> Field:
    """Return the thickness of snow after hollows of the ground have filled, in meters.

    Parameters
    ----------
    snow, height : ndarray of shape (rows, columns), float32
        Thickness, and height of the ground, in meters.
    level : Level
        Of that shape.
    deviation : float
        Standard deviation in meters of the average that tells bumps from hollows.
    """
    for width in _WIDTHS:
        snow = _even_once(snow, height, level, width * deviation)
    return snow


def _even_once(snow: Field, height: Field, level: Level, deviation: float) -> Field:
    """Return the thickness after one step; bumps of the snow itself count too."""
    bumps = height + snow
    bumps -= _average(bumps, level, deviation)
    change = np.empty_like(snow)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        here, bump = snow[start:stop], bumps[start:stop]
        away = np.maximum(bump, np.float32(0.0)) * np.float32(_KEPT)
        away -= np.minimum(bump, np.float32(0.0)) * np.float32(_MOST_FILL)
        away += here
        away += np.float32(1e-30)  # neither snow nor bump
        part = here / away
        part *= bump
        np.multiply(part, np.float32(-_SHARE), out=change[start:stop])

    blocks.run(work, level.rows, max(1, (1 << 16) // level.columns))
    balancing.balance(change)
    change += snow
    return np.maximum(change, np.float32(0.0), out=change)


def _average(height: Field, level: Level, deviation: float) -> Field:
    """Return heights smoothed by a Gaussian; beyond borders slopes go on, so that a plane stays a plane."""
    if level.wrap:
        return boxes.blur(height, level, deviation)
    margins = [
        min(math.ceil(_MARGIN * deviation / step), count)
        for step, count in ((level.step_y, level.rows), (level.step_x, level.columns))
    ]
    wide = height
    for axis, margin in enumerate(margins):
        wide = smoothing.pad(wide, margin, axis, False)
    rows, columns = wide.shape
    around = dataclasses.replace(level, rows=rows, columns=columns)
    smooth = boxes.blur(wide, around, deviation)
    down, along = margins
    return smooth[down : down + level.rows, along : along + level.columns]
