# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of stream-power erosion: flow routing, incision and deposition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.elementary import power, power_of
from ...flow_routing.descent import FlowRandomness, steepest
from ...flow_routing.directions import Mask
from ...flow_routing.incision import cut_through, incise
from ...flow_routing.outlets import Outlets, find_outlets
from ...flow_routing.routing import route
from ...flow_routing.tree import FlowTree
from ...types.level import Level
from ..slides.talus import wear_down

_LEFT = 0.5
"""Share of a river's fall that stays when the detail of a level is told from what it wears overall:
less makes steps of rivers, with pools between."""

_PASSES = 3
"""Passes of `talus.wear_down` in which slides go one cell far: fewer leave walls between valleys, more draw
the directions of the grid."""


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
        How far it rises over the whole duration, in meters; what is kept does not.
    rock : callable or None
        Gives what the rate and the steepest slope are multiplied by, at a height.
    randomness : FlowRandomness or None
        What makes water leave the directions of the grid.
    steepest : ndarray of shape (rows, columns), float32, or float
        The steepest slope that stands, as rise over run.
    slides : int
        How many cells far slides go in one step.
    """

    fixed: Mask
    is_open: bool = False
    uplift: Field | None = None
    rock: Callable[[Field], tuple[Field, Field]] | None = None
    randomness: FlowRandomness | None = None
    steepest: Field | float = 1e6
    slides: int = 1


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
    """

    duration: float
    exponent: float
    gentlest: float
    smoothing: float
    sediment: float
    deepest_lake: float | None


def advance(
    height: Field,
    level: Level,
    streams: StreamPowerParams,
    ground: LevelTerrain,
    share: float,
    overall: Callable[[Field], Field] | None = None,
) -> tuple[Field, FlowTree, Field]:
    """Return the height after one step over a share of the duration, and the flow tree.

    Parameters
    ----------
    overall : callable, optional
        Gives, for the new height, what is to be added to it; rivers cut through where that dams them.

    Returns
    -------
    tuple of Field, FlowTree and Field
        The new height, the tree, and its drainage areas in cells, float32.
    """
    checkpoint()
    height = raised_ground(height, level, streams, ground, share)
    checkpoint()
    leaving = find_outlets(height, level, ground.fixed, ground.is_open)
    tree = route(
        height,
        level,
        leaving.cells,
        directions=steepest(height, level, ground.randomness),
        deepest_lake=streams.deepest_lake,
    )
    areas = tree.accumulate().astype(np.float32).reshape(level.shape)
    rate, limit = limits(areas, height, level, streams, ground, share)
    checkpoint()
    height = lower_outlets(height, level, rate, leaving)
    del leaving
    if streams.sediment > 0.0:
        new = incise(height, tree, level, rate, steepest=limit, gentlest=streams.gentlest)
        worn = height - new
        height = height + deposits(
            tree.accumulate(worn).astype(np.float32).reshape(worn.shape),
            worn,
            areas,
            streams.sediment,
        )
    new = incise(height, tree, level, rate, steepest=limit, gentlest=streams.gentlest)
    if overall is not None:
        below = new.reshape(-1).take(tree.receivers).reshape(new.shape)
        falls = least_falls(new, below, level, streams)
        rise = overall(new)
        rise[ground.fixed] = 0.0
        new = cut_through(np.add(new, rise, out=rise), tree, falls, ground.fixed)
        # Cuts widen to valleys, and what cells that keep their height would dam is filled.
        if ground.slides > 1 or (ground.fixed.any() and _is_dammed(new, tree)):
            rate.fill(0.0)
            new = incise(new, tree, level, rate, steepest=limit, gentlest=streams.gentlest)
    return slide(new, level, limit, ground), tree, areas


def raised_ground(
    height: Field, level: Level, streams: StreamPowerParams, ground: LevelTerrain, share: float
) -> Field:
    """Return the ground after creep and uplift over a share of the duration; samples next to it count."""
    if streams.smoothing > 0.0:  # first, so that the ground drains without pits in the end
        height = _diffuse(height, level.wrap, streams.smoothing, ground.fixed)
    if ground.uplift is not None:
        height = height + np.where(ground.fixed, np.float32(0.0), ground.uplift * np.float32(share))
    return height


def limits(
    areas: Field,
    height: Field,
    level: Level,
    streams: StreamPowerParams,
    ground: LevelTerrain,
    share: float,
) -> tuple[Field, Field | float]:
    """Return the rate of incision, in meters, and the steepest slope that stands.

    Parameters
    ----------
    areas : ndarray of shape (rows, columns), float32
        Drained, in cells.
    height : ndarray of that shape, float32
        In meters.
    """
    rate = _rate(areas, level, streams, share)
    if ground.rock is None:
        return rate, ground.steepest
    checkpoint()
    ease, steepness = ground.rock(height)
    rate *= ease
    return rate, steepness * np.asarray(ground.steepest, np.float32)


def least_falls(height: Field, below: Field, level: Level, streams: StreamPowerParams) -> Field:
    """Return how far each cell has to stay above its receiver, in meters.

    Parameters
    ----------
    height, below : ndarray of shape (rows, columns), float32
        Of each cell and of its receiver, in meters.
    """
    falls = height - below
    falls *= np.float32(_LEFT)
    gentlest = np.float32(streams.gentlest * min(level.step_x, level.step_y))
    np.maximum(falls, gentlest, out=falls)
    return falls


def _is_dammed(height: Field, tree: FlowTree) -> bool:
    """Return whether any cell lies below its receiver."""
    flat = height.reshape(-1)
    return bool(np.less(flat, flat.take(tree.receivers)).any())


def _rate(areas: Field, level: Level, streams: StreamPowerParams, share: float) -> Field:
    """Return the duration times a power of the drainage area, in meters."""
    rate = power(areas, streams.exponent)
    cell = level.step_x * level.step_y
    rate *= np.float32(streams.duration * share * power_of(cell, streams.exponent))
    return rate


def lower_outlets(height: Field, level: Level, rate: Field, leaving: Outlets) -> Field:
    """Lower an open border as if the slope continued beyond it."""
    run = np.full(1, min(level.step_x, level.step_y), np.float32)
    fall = rate / (rate + run)
    fall *= run
    fall *= leaving.slopes
    return np.subtract(height, fall, out=fall)


def deposits(load: Field, worn: Field, areas: Field, amount: float) -> Field:
    """Return the deposition of material eroded upstream, in meters (Yuan et al. 2019).

    Parameters
    ----------
    load : ndarray of shape (rows, columns), float32
        What was worn off in each cell and upstream of it, in meters; written to.
    worn : ndarray of that shape, float32
        What was worn off in each cell.
    areas : ndarray of that shape, float32
        In cells.
    amount : float
        Share of it that comes to rest.
    """
    load -= worn
    load *= np.float32(amount)
    load /= areas
    return np.maximum(load, np.zeros(1, np.float32), out=load)


def slide(height: Field, level: Level, limit: Field | float, ground: LevelTerrain) -> Field:
    """Return the height after slides across divides that have become steeper than walls may be.

    What slides reaches a river, which carries it away.
    """
    return wear_down(height, level, limit, reach_of_slides(ground.slides), ground.fixed)


def reach_of_slides(slides: int) -> int:
    """Return how many samples away slides over so many cells depend on."""
    return _PASSES * slides


def _diffuse(height: Field, wrap: bool, amount: float, kept: Mask) -> Field:
    """Return one step of diffusion."""
    padded = np.pad(height, 1, mode="wrap" if wrap else "edge")
    change = padded[:-2, 1:-1] + padded[2:, 1:-1]
    change += padded[1:-1, :-2]
    change += padded[1:-1, 2:]
    change *= np.float32(0.25)
    change -= height
    change *= np.float32(amount)
    change[kept] = 0.0
    change += height
    return change
