# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow on ground: the snow that slopes hold, slides of the rest, and a cover smoother than the ground.

Slides go farther than samples are apart: snow travels on a coarse level, the same at every resolution,
whose samples hold as much as the finer ones in them. Then it settles on these where they have room.
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

import functools
from collections.abc import Sequence

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.elementary import tangent_of
from ...rasters import boxes, margins
from ...rasters import steepness as slopes
from ...rasters.level import Level
from ...stages import continuation
from ...stages.description import Local, Part, Raster
from ...stages.levelled import spread
from ...stages.runner import Runner
from ..slides import balancing, loose_layer

PASSES = 96
"""Of snow over the coarse level: it moves on by one of its samples in each. From the tops of alps to
valley floors it is some 40 samples."""

_BEYOND = 8
"""Samples beyond each border on that level, from where slides come as others leave."""

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


def hold(
    target: Level, parts: Sequence[Part], progress: Progress, *, steepest: float, depth: float
) -> Field:
    """Return the thickness of snow that stays on the slopes of some heights, in meters.

    Parameters
    ----------
    target, parts, progress
        See `description.Work`; the part is the height.
    steepest : float
        Slope in degrees from which on none stays.
    depth : float
        Of the snow that falls on level ground, in meters.
    """
    (part,) = parts
    steepness = slopes.steepness(part.values, part.level)
    limit = tangent_of(steepest)
    gentle = min(_GENTLE, 0.5 * steepest)
    room = steepness * np.float32(-1.0 / (limit - tangent_of(gentle)))
    room += np.float32(limit / (limit - tangent_of(gentle)))
    np.maximum(room, np.float32(0.0), out=room)
    room *= room
    room *= np.float32(_ON_GENTLE * depth)
    return room


def settle(
    run: Runner,
    snow: Raster,
    holds: Raster,
    heights: Sequence[Raster],
    levels: Sequence[Level],
) -> tuple[Raster, float]:
    """Return the thickness of snow after it has slid, and how much finds no place.

    Parameters
    ----------
    run : Runner
    snow, holds : Raster
        Snowfall, and the capacity of each place, in meters.
    heights : sequence of Raster
        Of the ground on all levels, in meters.
    levels : sequence of Level
        Finest first; snow slides on the last.

    Returns
    -------
    tuple of Raster and float
        In meters; snow without a place is summed over all samples, and not in the field.
    """
    split = Local("split", _split, makes=("lying", "sliding", "room"), held=0.0)
    lying, sliding, room = run.local(split, snow, holds)
    whole = run.total(sliding)
    if run.holds(whole == 0.0):
        return lying, 0.0
    wide = levels[-1].widen(_BEYOND)
    layers, slides, rooms = (
        run.restrict_all(field, levels)[-1] for field in (lying, sliding, room)
    )
    around = [continuation.widen_amount(run, field, wide) for field in (slides, layers, rooms)]
    around.append(continuation.widen(run, heights[-1], wide))
    slide = Local("slide", _slide_on, None, makes=("arrived", "share"), held=48.0)
    arrived, filled = run.local(slide, *around, on=levels[-1])
    share = min(run.total(arrived) / max(run.total(slides), float(_TINY)), 1.0)
    # Coarse samples tell how full the finer ones in them are.
    full = spread(run, filled, levels)
    (come,) = run.local(Local("come", _multiply, makes=("come",), held=0.0), room, full)
    run.drop([arrived, sliding, room, full], [come])
    arriving = run.total(come)
    if run.holds(arriving == 0.0):
        return lying, whole
    # Of coarse samples each stands for as many finer ones, but for those at borders: the sum is put right.
    factor = np.float32(min(share * whole / arriving, _MOST))
    lay = functools.partial(_lay, factor=factor)
    (settled,) = run.local(Local("lay", lay, makes=("snow",), held=4.0), lying, come)
    run.drop([lying, come], [settled])
    return settled, whole - arriving * float(factor)


def _split(target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, Field, Field]:
    """Return the snow that lies, the snow that slides, and the room for more, of snowfall and capacity."""
    snow, holds = (part.values for part in parts)
    lying = np.minimum(snow, holds)
    return lying, snow - lying, holds - lying


def _multiply(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    room, share = (part.values for part in parts)
    return room * share


def _lay(target: Level, parts: Sequence[Part], progress: Progress, *, factor: np.float32) -> Field:
    lying, come = (part.values for part in parts)
    settled: Field = come * factor
    settled += lying
    return settled


def _slide_on(target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, Field]:
    """Return which part of sliding snow has come to lie where, in meters, and how full places are.

    The parts are sliding snow, lying snow, the room for more, and the ground.
    """
    slides, layers, rooms, ground = (part.values for part in parts)
    level = parts[0].level
    snow, holds = layers + slides, layers + rooms

    def work(part: list[Field]) -> list[Field]:
        below, loose, stays = part
        for _ in range(_AT_ONCE):
            blocks.checkpoint()
            loose = loose_layer.slide_off(below, loose, stays)
            below, stays = below[2:-2, 2:-2], stays[2:-2, 2:-2]
        return [loose]

    for done in range(0, PASSES, _AT_ONCE):
        fields, reach = [ground, snow, holds], loose_layer.REACH * _AT_ONCE
        (snow,) = margins.work_in_strips(fields, level, reach, 1, work)
        progress((done + _AT_ONCE) / PASSES)
        if blocks.is_enough():
            break
    np.minimum(snow, holds, out=snow)
    snow -= layers
    np.maximum(snow, np.float32(0.0), out=snow)
    share = np.maximum(rooms, _TINY)
    inner = continuation.within_borders(level, target).within(level)
    return snow[inner], np.divide(snow, share, out=share)[inner]


def even_out(run: Runner, snow: Raster, height: Raster, deviation: float) -> Raster:
    """Return the thickness of snow after hollows of the ground have filled, in meters.

    Parameters
    ----------
    run : Runner
    snow, height : Raster
        Thickness, and height of the ground, in meters.
    deviation : float
        Standard deviation in meters of the average that tells bumps from hollows.
    """
    first = snow
    for width in _WIDTHS:
        work = functools.partial(_even, deviation=width * deviation)
        reach = functools.partial(boxes.source_part, deviation=width * deviation)
        across = functools.partial(continuation.around, reach=reach)
        (surface,) = run.local(Local("surface", _add, held=0.0, is_lazy=True), height, snow)
        wide = run.level.widen(boxes.margin(run.level, width * deviation))
        surface = continuation.widen(run, surface, wide)
        stage = Local("even", work, reach, across=across, makes=("change",), held=18.0)
        (change,) = run.local(stage, snow, surface)
        raised = balancing.add_balanced(run, snow, change)
        (evened,) = run.local(Local("fill", _above_zero, makes=("snow",), held=0.0), raised)
        run.drop([change] if snow is first else [change, snow], [evened])
        snow = evened
    return snow


def _even(target: Level, parts: Sequence[Part], progress: Progress, *, deviation: float) -> Field:
    """Return the change by one step, not yet balanced; bumps of the snow itself count too."""
    snow, surface = parts
    inner = continuation.within_borders(surface.level, target)
    bumps = surface.values[inner.within(surface.level)] - boxes.blur(
        surface.values, surface.level, deviation, target=inner
    )
    lying = snow.values[target.within(snow.level)]
    change = np.empty(target.shape, np.float32)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        snow_rows, bump = lying[start:stop], bumps[start:stop]
        loss = np.maximum(bump, np.float32(0.0)) * np.float32(_KEPT)
        loss -= np.minimum(bump, np.float32(0.0)) * np.float32(_MOST_FILL)
        loss += snow_rows
        loss += np.float32(1e-30)  # neither snow nor bump
        part = snow_rows / loss
        part *= bump
        np.multiply(part, np.float32(-_SHARE), out=change[start:stop])

    blocks.run(work, target.rows, max(1, (1 << 16) // target.columns))
    return change


def _add(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    height, snow = (part.values for part in parts)
    return height + snow


def _above_zero(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    return np.maximum(parts[0].values, np.float32(0.0))
