# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream-power erosion on levels from coarse to fine."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Progress, checkpoint, is_enough
from ...flow_routing.basins import find_basins
from ...flow_routing.descent import FlowRandomness
from ...flow_routing.directions import Mask
from ...flow_routing.flow_scale import flow_scale
from ...flow_routing.outlets import border
from ...flow_routing.tree import FlowTree
from ...rasters.level import Level
from ...rasters.pyramid import prolong
from ...stages.levelled import climb
from .bending import Bend
from .detail import add_detail, mean_wear
from .land_levels import LandLevels
from .limits import LevelTerrain, StreamPowerParams
from .schedules import Schedule
from .step import advance


@dataclass(frozen=True)
class ErosionResult:
    """Result of erosion on the finest level.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    flow : ndarray of shape (rows, columns), float32
        See `flow_scale`.
    lake : ndarray of shape (rows, columns), float32
        Depth of standing water, in meters.
    """

    height: Field
    flow: Field
    lake: Field

    def within_bounds(self) -> ErosionResult:
        """Return the result without the overshoot of cubic interpolation."""
        np.clip(self.flow, np.float32(0.0), np.float32(1.0), out=self.flow)
        return replace(self, lake=np.maximum(self.lake, np.zeros(1, np.float32)))


def erode(
    land: LandLevels,
    streams: StreamPowerParams,
    schedule: Schedule,
    randomness: FlowRandomness | None,
    progress: Progress,
    *,
    until: int = 0,
) -> ErosionResult:
    """Return the ground after all steps on all levels, or after fewer if `blocks.is_enough`.

    Parameters
    ----------
    land : LandLevels
    randomness : FlowRandomness or None
        The bending of the grids of all levels but the finest.
    until : int
        Place of the level to end with. Flow and lakes have values once no finer level has steps.
    """
    law = _Erosion(land, streams, schedule, randomness, progress)
    zero = np.zeros(1, np.float32)
    begun = ErosionResult(land.around.extend(land.bases[-1]), zero, zero)
    return climb(len(land.levels), begun, law, until=until)


class _Erosion:
    """Steps on all levels; see `levelled.LevelLaw` and, for the parameters, `erode`."""

    def __init__(
        self,
        land: LandLevels,
        streams: StreamPowerParams,
        schedule: Schedule,
        randomness: FlowRandomness | None,
        progress: Progress,
    ) -> None:
        self._land, self._streams, self._randomness = land, streams, randomness
        self._schedule, self._plan = schedule, schedule.plan(land.levels)
        self._progress, self._done = progress, 0.0
        self._total = sum(map(self.cost, range(len(land.levels))))

    def refine(self, place: int, state: ErosionResult) -> ErosionResult:
        """Add the detail of a level to the ground of the coarser one."""
        checkpoint()
        levels, bases = self._land.levels, self._land.bases
        coarse, level = levels[place + 1], levels[place]
        refined, coarse_height = (
            prolong(field, coarse, level) for field in (state.height, bases[place + 1])
        )
        return replace(
            state,
            height=add_detail(refined, coarse_height, bases[place], self._streams.buried),
        )

    def solve(self, place: int, state: ErosionResult) -> ErosionResult:
        """Take the steps of a level."""
        checkpoint()
        land, (steps, _) = self._land, self._plan[place]
        level, bend = land.with_surroundings(place), None
        if place > 0 and steps and self._randomness is not None:
            number = len(land.levels) - 1 - place
            bend = Bend.random(level, self._randomness.seed, self._randomness.amount, number)
        ground = land.grounds(place, level, bend)
        base = state.height if place == len(land.levels) - 1 else land.bases[place]
        height = _initial_height(state.height, base, ground.fixed, bend)
        height, flow, lake = self._advance(place, replace(state, height=height), ground)
        if bend is not None:
            height = bend.straighten(height)
            flow, lake = (
                bend.straighten(field) if field.size > 1 else field for field in (flow, lake)
            )
        elif not steps:
            coarse = land.levels[place + 1]
            flow, lake = (prolong(field, coarse, level) for field in (flow, lake))
        return ErosionResult(*(land.crop(place, field) for field in (height, flow, lake)))

    def cost(self, place: int) -> float:
        """Return steps times samples."""
        level = self._land.levels[place]
        return float(self._plan[place][0] * level.rows * level.columns)

    def _advance(
        self, place: int, state: ErosionResult, ground: LevelTerrain
    ) -> tuple[Field, Field, Field]:
        """Return height, flow and lakes after the steps of a level; the last two once no finer level has steps."""
        land, (steps, duration) = self._land, self._plan[place]
        level = land.with_surroundings(place)
        height, flow, lake = state.height, state.flow, state.lake
        balancing = self._schedule.balancing_step(steps) if place < len(land.levels) - 1 else 0
        overall = functools.partial(
            mean_wear,
            height,
            wrap=level.wrap,
            factor=steps / max(balancing, 1),
            is_rising=ground.uplift is not None,
        )
        is_last = not any(finer for finer, _ in self._plan[:place])
        for step in range(1, steps + 1):
            rounds = self._schedule.balancing_rounds(steps) if step == balancing else 0
            height, tree, areas = advance(
                height, level, self._streams, ground, duration / steps, overall, rounds
            )
            ends = is_enough()
            if ends or (is_last and step == steps):
                checkpoint()
                flow = flow_scale(areas, level, land.levels[place])
                lake = _water_depth(height, level, ground, tree)
            del tree, areas  # or the next step would have two of them
            self._done += self.cost(place) / steps
            self._progress(self._done / self._total)
            if ends:
                self._plan[:place] = [(0, 0.0)] * place
                break
        return height, flow, lake


def _initial_height(height: Field, base: Field, fixed: Mask, bend: Bend | None) -> Field:
    """Return the initial height of a level, on its bent grid."""
    begun = height if bend is None else bend.bend(height)
    if not fixed.any():
        return begun
    return np.where(fixed, base if bend is None else bend.bend(base), begun)


def _water_depth(height: Field, level: Level, ground: LevelTerrain, tree: FlowTree) -> Field:
    """Return the depth of standing water in meters, after a step along a tree.

    Water stays nowhere but above those ends of the tree that are no outlets.
    """
    leaves = ground.fixed | border(level) if ground.is_open else ground.fixed
    outlets = tree.ends & leaves
    if not outlets.any() or not (tree.ends & ~leaves).any():
        return np.zeros_like(height)
    basins = find_basins(height, level, tree.leaves, outlets.reshape(-1))
    assert basins is not None  # there are other ends
    water = basins.standing.fill(height)
    water -= height
    return water
