# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers of a terrain as curves in meters: found by its flow, smoothed, with banks that fall downstream."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...flow_routing.outlets import border, lowest_cells
from ...flow_routing.routing import route
from ...flow_routing.streams import find_streams
from ...flow_routing.surface_flow import LOWEST_SHARE
from ...flow_routing.tree import FlowTree
from ...flow_routing.water_levels import StandingWater
from ...lattice.hash import child_seed, hash_indices
from ...rasters.level import Level
from .curves import STEP, Floats, Indices, RiverCurves
from .drawn_rivers import DrawnRivers
from .lines import RiverLines, enter, lines_of

_SMOOTH = 128
"""Rounds in which a line of samples becomes a curve: over four widths of the river (2 (4 / `STEP`)^2), so
that the eight directions of the grid are forgotten."""

_SLOPE_WIDTHS, _MOST_ROUNDS = 5.0, 1000
"""Widths of the widest river over which the slope of a valley is measured, and the rounds that smooth at most."""

_GENTLE, _STEEP = 0.008, 0.03
"""Slope up to which a river wanders freely, and from which it does not: above some 3 percent rivers run
straight, in steps and pools (Montgomery & Buffington 1997)."""

_FALL = 1e-4
"""Least slope of a river along its valley: large lowland rivers have as little (Leopold & Wolman 1957)."""

_UNEVEN = 0.5
"""Widths by which a new river is uneven, so that its bends have something to grow from."""

_UNEVEN_ROUNDS = 24
"""Rounds that smooth it over not quite two widths."""

_LEFT = 0.165
"""Standard deviation that these rounds leave of evenly distributed numbers from -1 to 1."""

_VARIED, _VARIED_ROUNDS = 0.35, 200
"""By how much banks differ, as a share, and the rounds that smooth it over five widths: some bends grow sooner."""

_VARIED_LEFT = 0.097
"""Standard deviation that these rounds leave of such numbers."""

_SMALLER = 0.4
"""Part of its freedom that a very small river has, beside a large one: creeks on the plains of rivers lie in
clay, and bend less."""

_FEWEST = 5
"""Samples of a river."""

_NONE = RiverCurves.of([np.empty(0)] * 5, np.zeros(1, np.intp))


@dataclass(frozen=True)
class RiverWidths:
    """Choice of rivers, and their widths.

    Attributes
    ----------
    least_area : float
        Square meters that a river drains.
    widest, narrowest : float
        In meters: of the largest river at its end, and of all.
    inflow : float
        Share of the largest river's water that it brings from beyond the border, below 1.
    most_points : int
        Of all curves before they wander, half a width apart: the smallest rivers are left out for it.

    References
    ----------
    Luna B. Leopold, Thomas Maddock (1953). The hydraulic geometry of stream channels and some
    physiographic implications. US Geological Survey Professional Paper 252. (The width grows with the
    square root of the water.)
    """

    least_area: float
    widest: float
    narrowest: float
    inflow: float
    most_points: int = 1 << 30


@dataclass(frozen=True)
class Network:
    """Rivers before they wander.

    Attributes
    ----------
    curves : RiverCurves
    joins : ndarray of shape (rivers,), intp
        The river that each one flows into; -1 if none.
    routed : int
        How many were found by the flow; the others, after them, are drawn.
    """

    curves: RiverCurves
    joins: Indices
    routed: int


def find_rivers(
    height: Field,
    level: Level,
    sea: float | None,
    widths: RiverWidths,
    seed: int,
    drawn: DrawnRivers | None = None,
) -> Network | None:
    """Return the rivers on some ground; None if there is none.

    Parameters
    ----------
    height : ndarray of level.shape, float32
        In meters.
    level : Level
    sea : float or None
        Level in meters below which rivers end; None if they end at the border only.
    widths : RiverWidths
    seed : int
    drawn : DrawnRivers, optional
        Rivers besides, in which those end that meet them; none comes in over the border then.
    """
    tree = _flow(height, level, sea, drawn)
    shares = tree.accumulate().reshape(level.shape) / height.size
    least = widths.least_area / (level.step_x * level.step_y * height.size)
    dry = np.full(level.shape, -np.inf, np.float32)
    lines = lines_of(find_streams(StandingWater(dry, tree, shares), least), level)
    if drawn is not None:
        lines = drawn.join(lines)
    elif lines.cells:
        lines = enter(lines, tree, shares.reshape(-1), level, widths.inflow)
    lines = lines.keep(_FEWEST)
    if not lines.cells and drawn is None:
        return None
    curves, joins = _NONE, np.empty(0, np.intp)
    if lines.cells:
        curves, lines = _curves_of(lines, tree, shares.reshape(-1), level, widths, drawn)
        joins = lines.joins
    routed = curves.count
    if drawn is not None:
        curves, joins = drawn.add_to(curves, joins)
    curves = replace(curves, level=lower_downstream(curves, curves.level))
    rounds = 2.0 * (_SLOPE_WIDTHS * widths.widest / max(level.step_x, level.step_y)) ** 2
    curves = replace(curves, freedom=_freedom(curves, min(int(rounds) + 1, _MOST_ROUNDS)))
    curves = _forget_grid(curves.resample(), routed).resample()
    banks = lower_downstream(curves, curves.level)
    for _ in range(_UNEVEN_ROUNDS):
        curves.relax(banks)
    curves = replace(curves, level=banks)
    return Network(_roughen(curves, seed).resample(), joins, routed)


def _curves_of(
    lines: RiverLines,
    tree: FlowTree,
    shares: Floats,
    level: Level,
    widths: RiverWidths,
    drawn: DrawnRivers | None,
) -> tuple[RiverCurves, RiverLines]:
    """Return the curves of the largest rivers, and their lines."""
    most = 0.0 if drawn is None else drawn.water(shares)
    lines, width = _affordable(lines, shares, level, widths, most)
    x, y = lines.places(level)
    banks = tree.filled.reshape(-1)[np.concatenate(lines.cells)].astype(np.float64)
    return RiverCurves(x, y, banks, width, np.ones_like(x), lines.starts), lines


def _forget_grid(curves: RiverCurves, routed: int) -> RiverCurves:
    """Return curves of which the first ones, which ran from sample to sample, are smoothed; drawn ones stay."""
    smoothed, end = curves.smooth(_SMOOTH), curves.starts[routed]
    smoothed.x[end:], smoothed.y[end:] = curves.x[end:], curves.y[end:]
    return smoothed


def _affordable(
    lines: RiverLines, shares: Floats, level: Level, widths: RiverWidths, most: float = 0.0
) -> tuple[RiverLines, Floats]:
    """Return the largest rivers, as many as have at most so many points, and the widths of their samples.

    The largest one is widened if it alone has more. `most` is the water of other rivers, if one of them has more.
    """
    water = lines.water(shares)
    width = np.maximum(widths.widest * np.sqrt(water / max(water.max(), most)), widths.narrowest)
    x, y = lines.places(level)
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    across, along = np.diff(x, prepend=x[:1]), np.diff(y, prepend=y[:1])
    run = np.cumsum(np.sqrt(across * across + along * along) / (STEP * width), dtype=np.float64)
    counts = run[last] - run[first]
    # A tributary has less water than the river that it joins, and goes first.
    order = np.argsort(-water[last], kind="stable")
    count = int(
        np.searchsorted(
            np.cumsum(counts[order], dtype=np.float64), widths.most_points, side="right"
        )
    )
    if count == len(order):
        return lines, width
    kept = np.sort(order[: max(count, 1)])
    width = np.concatenate([width[first[number] : last[number] + 1] for number in kept.tolist()])
    if not count:
        width *= counts[order[0]] / widths.most_points
    return lines.pick(kept), width


def _flow(height: Field, level: Level, sea: float | None, drawn: DrawnRivers | None) -> FlowTree:
    """Return the flow to the border and the sea, or else to the lowest hollows; and to drawn rivers."""
    is_end = np.zeros(level.shape, np.bool_) if level.wrap else border(level)
    if sea is not None:
        is_end |= height < np.float32(sea)
    hollows = None if is_end.any() else lowest_cells(height, LOWEST_SHARE)
    if drawn is not None:
        is_end.reshape(-1)[drawn.cells] = True
    return route(height, level, is_end, hollows=hollows)


def _freedom(curves: RiverCurves, rounds: int) -> Floats:
    """Return how freely rivers wander, from 0, where their valleys are steep, to 1."""
    level = curves.level.copy()
    for _ in range(rounds):
        curves.relax(level)
    steps = curves.steps()
    fall = np.zeros_like(level)
    fall[1:] = np.maximum(level[:-1] - level[1:], 0.0) / np.maximum(steps[1:], 1e-30)
    fall[curves.first] = fall[curves.first + 1]
    return smooth_step(np.clip((_STEEP - fall) / (_STEEP - _GENTLE), 0.0, 1.0))


def lower_downstream(curves: RiverCurves, level: Floats) -> Floats:
    """Return levels that fall downstream at least a little: raised upstream where they do not."""
    remaining = _FALL * (np.repeat(curves.lengths(), np.diff(curves.starts)) - curves.run())
    lowered = level - remaining
    # The highest further down; rivers are kept apart by a number above all differences.
    apart = 2.0 * (float(lowered.max()) - float(lowered.min())) + 1.0
    shift = apart * (curves.count - 1 - curves.numbers())
    raised = np.maximum.accumulate((lowered + shift)[::-1])[::-1]
    result: Floats = raised - shift + remaining
    return result


def _roughen(curves: RiverCurves, seed: int) -> RiverCurves:
    """Return slightly uneven curves, whose banks differ, by chance; their ends stay."""
    roughness = _random(curves, _UNEVEN_ROUNDS, seed) * (_UNEVEN / _LEFT)
    varied = _random(curves, _VARIED_ROUNDS, child_seed(seed, 1)) * (_VARIED / _VARIED_LEFT)
    size = curves.width / float(curves.width.max())
    freedom = curves.freedom * np.maximum(1.0 + varied, 0.2) * (_SMALLER + (1.0 - _SMALLER) * size)
    return replace(curves.move(roughness * curves.width * curves.freedom), freedom=freedom)


def _random(curves: RiverCurves, rounds: int, seed: int) -> Floats:
    """Return random numbers for the points of rivers, smoothed along these; 0 at their ends."""
    place = np.arange(len(curves.x), dtype=np.intp) - np.repeat(
        curves.first, np.diff(curves.starts)
    )
    bits = hash_indices((curves.numbers().astype(np.int32), place.astype(np.int32)), seed)
    result: Floats = bits.astype(np.float64) / 2.0**31 - 1.0
    result[curves.first] = result[curves.last] = 0.0
    for _ in range(rounds):
        curves.relax(result)
    return result
