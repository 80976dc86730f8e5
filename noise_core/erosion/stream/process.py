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
        The bending of the grids of all levels, but not of the step that finishes the finest.
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
        self._finishing = 0.0 if randomness is None else schedule.finishing(land.levels)
        self._progress, self._done = progress, 0.0
        self._has_ended = False
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
        land, (steps, duration) = self._land, self._plan[place]
        if not steps:
            return self._prolong_water(place, state)
        bend, finishes = None, place == 0 and self._finishing > 0.0
        if self._randomness is not None and (place > 0 or finishes):
            level, number = land.with_surroundings(place), len(land.levels) - 1 - place
            bend = Bend.random(level, self._randomness.seed, self._randomness.amount, number)
        is_last = not finishes and not any(finer for finer, _ in self._plan[:place])
        state = self._erode(place, state, steps, duration, bend, is_last=is_last)
        if finishes and not self._has_ended:
            state = self._erode(place, state, 1, self._finishing, None, is_last=True)
        return state

    def cost(self, place: int) -> float:
        """Return steps times samples."""
        level = self._land.levels[place]
        steps = self._plan[place][0] + (place == 0 and self._finishing > 0.0)
        return float(steps * level.rows * level.columns)

    def _prolong_water(self, place: int, state: ErosionResult) -> ErosionResult:
        """Return a level without steps: flow and lakes are those of the next coarser one."""
        land = self._land
        flow, lake = (
            prolong(field, land.levels[place + 1], land.levels[place])
            for field in (state.flow, state.lake)
        )
        ground = land.grounds(place, land.levels[place], None)
        height = _initial_height(state.height, land.bases[place], ground.fixed, None)
        return ErosionResult(height, flow, lake)

    def _erode(
        self,
        place: int,
        state: ErosionResult,
        steps: int,
        duration: float,
        bend: Bend | None,
        *,
        is_last: bool,
    ) -> ErosionResult:
        """Return a level after some steps on a bent grid or its own one, with flow and lakes if they are the last."""
        land = self._land
        ground = land.grounds(place, land.with_surroundings(place), bend)
        base = state.height if place == len(land.levels) - 1 else land.bases[place]
        height = _initial_height(state.height, base, ground.fixed, bend)
        begun = replace(state, height=height)
        fields = self._advance(place, begun, ground, steps, duration, is_last=is_last)
        if bend is not None:
            fields = tuple(bend.straighten(one) if one.size > 1 else one for one in fields)
        return ErosionResult(*(land.crop(place, field) for field in fields))

    def _advance(
        self,
        place: int,
        state: ErosionResult,
        ground: LevelTerrain,
        steps: int,
        duration: float,
        *,
        is_last: bool,
    ) -> tuple[Field, ...]:
        """Return height, flow and lakes after some steps; the last two only if these are the last ones."""
        land = self._land
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
        for step in range(1, steps + 1):
            rounds = self._schedule.balancing_rounds(steps) if step == balancing else 0
            height, tree, areas = advance(
                height, level, self._streams, ground, duration / steps, overall, rounds
            )
            self._has_ended = is_enough()
            if self._has_ended or (is_last and step == steps):
                checkpoint()
                flow = flow_scale(areas, level, land.levels[place])
                lake = _water_depth(height, level, ground, tree)
            del tree, areas  # or the next step would have two of them
            self._done += float(land.levels[place].rows * land.levels[place].columns)
            self._progress(self._done / self._total)
            if self._has_ended:
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
