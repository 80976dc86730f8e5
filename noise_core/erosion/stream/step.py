# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of stream-power erosion: flow routing, incision and deposition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...flow_routing.directions import Mask
from ...flow_routing.incision import Incision, incise
from ...flow_routing.outlets import Outlets, border_lines, find_outlets
from ...flow_routing.routing import route
from ...flow_routing.tree import FlowTree
from ...rasters.level import Level
from ...rasters.smoothing import pad
from ..slides.talus import wear_down
from .limits import IncisionLimits, LevelTerrain, StreamPowerParams, limits

_PASSES = 3
"""Passes of `talus.wear_down` in which slides go one cell far: fewer leave walls between valleys, more draw
the directions of the grid."""


def advance(
    height: Field,
    level: Level,
    streams: StreamPowerParams,
    ground: LevelTerrain,
    share: float,
    overall: Callable[[Field], Field] | None = None,
    rounds: int = 0,
) -> tuple[Field, FlowTree, Field]:
    """Return the height after one step over a share of the duration, and the flow tree.

    Parameters
    ----------
    overall : callable, optional
        Gives, for the new height, how far the ground rises in this step: rivers that cut into it while it does have
        slopes that obey the law, which they would not if it rose afterwards.
    rounds : int
        In which the rise is found: the higher the ground, the more it wears.

    Returns
    -------
    tuple of Field, FlowTree and Field
        The new height, the tree, and its drainage areas in cells of mean rain, float32.
    """
    checkpoint()
    height = raised_ground(height, level, streams, ground, share)
    if ground.guide is not None:
        height = ground.guide.shape(height, ground.fixed)
    checkpoint()
    leaving = find_outlets(height, level, ground.fixed, ground.is_open)
    tree = route(
        height,
        level,
        leaving.cells,
        randomness=ground.randomness,
        deepest_lake=streams.deepest_lake,
    )
    fallen = 1.0 if ground.rain is None else ground.rain.fall(height, level)
    areas = tree.accumulate(fallen).astype(np.float32).reshape(level.shape)
    del fallen
    bounds = limits(areas, height, level, streams, ground, share)
    if ground.guide is not None:
        gentlest = ground.guide.limit(bounds.gentlest, streams.gentlest)
        bounds = bounds._replace(gentlest=gentlest)
    checkpoint()
    height = lower_outlets(height, level, bounds.rate, leaving, ground.plain)
    del leaving
    if streams.sediment > 0.0:
        height = _settle(height, tree, areas, level, streams.sediment, bounds)
    incision, limit = Incision.of(height, tree.directions, level, *bounds), bounds.steepest
    del bounds
    new = incision.solve(tree)
    if overall is not None:
        for _ in range(rounds):
            checkpoint()
            rise = overall(new)
            rise[ground.fixed] = 0.0
            height = np.add(height, rise, out=rise)
            incision = incision.on(height)
            new = incision.solve(tree)
    return slide(new, level, limit, ground), tree, areas


def _settle(
    height: Field,
    tree: FlowTree,
    areas: Field,
    level: Level,
    sediment: float,
    bounds: IncisionLimits,
) -> Field:
    """Return a height on which a share of what a first incision wears off has come to rest."""
    rate, limit, gentlest = bounds
    worn = height - incise(height, tree, level, rate, steepest=limit, gentlest=gentlest)
    load = tree.accumulate(worn).astype(np.float32).reshape(worn.shape)
    return height + deposits(load, worn, areas, sediment)


def raised_ground(
    height: Field, level: Level, streams: StreamPowerParams, ground: LevelTerrain, share: float
) -> Field:
    """Return the ground after creep and uplift over a share of the duration; samples next to it count."""
    if streams.smoothing > 0.0:  # first, so that the ground drains without pits in the end
        height = _diffuse(height, level.wrap, streams.smoothing, ground.fixed)
    if ground.uplift is not None:
        height = height + np.where(ground.fixed, np.float32(0.0), ground.uplift * np.float32(share))
    return height


def lower_outlets(
    height: Field, level: Level, rate: Field, leaving: Outlets, plain: Field | None = None
) -> Field:
    """Lower an open border as if the slope continued beyond it, down to the plain that the land grew from if any."""
    run = np.full(1, min(level.step_x, level.step_y), np.float32)
    lowered = height.copy()
    for line in border_lines(level):
        fall = rate[line] / (rate[line] + run)
        fall *= run
        fall *= leaving.slopes[line]
        lowered[line] = height[line] - fall
        if plain is not None:
            lowest = np.minimum(height[line], plain[line])
            lowered[line] = np.maximum(lowered[line], lowest)
    return lowered


def deposits(load: Field, worn: Field, areas: Field, amount: float) -> Field:
    """Return the deposition of material eroded upstream, in meters (Yuan et al. 2019).

    Parameters
    ----------
    load : ndarray of shape (rows, columns), float32
        Wear in each cell and upstream of it, in meters; written to.
    worn : ndarray of that shape, float32
        Wear in each cell.
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

    Sliding ground reaches a river, which carries it away.
    """
    spared = ground.fixed if ground.guide is None else ground.guide.spare(ground.fixed)
    return wear_down(height, level, limit, reach_of_slides(ground.slides), spared)


def reach_of_slides(slides: int) -> int:
    """Return how many samples away slides over so many cells depend on."""
    return _PASSES * slides


def _diffuse(height: Field, wrap: bool, amount: float, kept: Mask) -> Field:
    """Return one step of diffusion; beyond a border slopes go on, so that they do not get gentler there."""
    padded = pad(pad(height, 1, 0, wrap), 1, 1, wrap)
    rows, columns = height.shape
    result = np.empty_like(height)

    def work(start: int, stop: int) -> None:
        checkpoint()
        above, here, below = (padded[start + line : stop + line] for line in range(3))
        change = above[:, 1:-1] + below[:, 1:-1]
        change += here[:, :-2]
        change += here[:, 2:]
        change *= np.float32(0.25)
        change -= height[start:stop]
        change *= np.float32(amount)
        change[kept[start:stop]] = 0.0
        np.add(change, height[start:stop], out=result[start:stop])

    blocks.run(work, rows, max(1, blocks.SAMPLES_PER_STRIP // 8 // columns))
    return result
