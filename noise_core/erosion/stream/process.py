# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream-power erosion on levels from coarse to fine."""

from __future__ import annotations

import functools
from collections.abc import Sequence
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
from ...rasters.pyramid import prolong, restrict, subsample
from ...rasters.smoothing import smooth
from ...stages.levelled import climb
from .bending import Bend
from .land_levels import LandLevels
from .limits import LevelTerrain, StreamPowerParams
from .step import advance

_FIRST = 1.5
"""Durations that the coarsest level does: so far 512 samples were worn when every level did some."""

_LATER = 0.4
"""Durations that the next finer level does; what it wears on the whole is given back, so that these
make detail and nothing else."""

_SHRINKING = 0.5
"""How much less each one does than the one before: the finer, the less there is left to do."""

_OVERALL = (1, 2)
"""Strides of the averages that tell what a level wears on the whole from its detail: as wide as two
samples of the next coarser level."""


@dataclass(frozen=True)
class Schedule:
    """Steps on each level, counted from the coarsest, so that every resolution shares them.

    Attributes
    ----------
    coarsest : int
        On the coarsest level.
    finer : tuple of int
        On the next finer one and so on; the last number holds for all others.
    largest : int
        Samples along the shorter side of the finest level that has any.
    left_out : int
        Number of levels at the fine end that have no steps in addition.
    """

    coarsest: int
    finer: tuple[int, ...]
    largest: int
    left_out: int = 0

    def plan(self, levels: Sequence[Level]) -> list[tuple[int, float]]:
        """Return the steps on all levels, finest first, and their total durations."""
        return [self.on(place, levels) for place in range(len(levels))]

    def on(self, place: int, levels: Sequence[Level]) -> tuple[int, float]:
        """Return the steps on a level, counted from the finest, and their total duration."""
        number = len(levels) - 1 - place
        if number == 0:
            return self.coarsest, _FIRST
        if min(levels[place].shape) > self.largest or place < self.left_out:
            return 0, 0.0
        steps = self.finer[min(number, len(self.finer)) - 1]
        return steps, _LATER * _SHRINKING ** (number - 1)

    @staticmethod
    def balancing_step(steps: int) -> int:
        """Return in which of a level's steps it rises as far as it wears down in all: halfway, or in the last one of a few."""
        return max(steps // 2 + 1, min(steps, 3))

    @staticmethod
    def balancing_rounds(steps: int) -> int:
        """Return in how many rounds that rise is found: two, but a single step on a fine level does with one."""
        return min(steps, 2)


def build_bases(field: Field, levels: list[Level]) -> list[Field]:
    """Return a field on all levels, finest first, each subsampled and smoothed once.

    Subsampling keeps values of the field: if two resolutions agree on a level, they agree bit for
    bit on all coarser levels.
    """
    return [field, *coarser_bases(field, levels)]


def coarser_bases(picks: Field, levels: list[Level]) -> list[Field]:
    """Return a field on all levels but the finest, whose own subsamples are given."""
    bases = []
    for fine, coarse in zip(levels, levels[1:]):
        bases.append(restrict(picks, fine, coarse))
        picks = subsample(picks, fine, coarse)
    return bases


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
        self._plan, self._progress, self._done = schedule.plan(land.levels), progress, 0.0
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
        balancing = Schedule.balancing_step(steps) if place < len(land.levels) - 1 else 0
        overall = functools.partial(
            mean_wear,
            height,
            wrap=level.wrap,
            factor=steps / max(balancing, 1),
            is_rising=ground.uplift is not None,
        )
        is_last = not any(finer for finer, _ in self._plan[:place])
        for step in range(1, steps + 1):
            rounds = Schedule.balancing_rounds(steps) if step == balancing else 0
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


WEAR_MARGIN = sum(_OVERALL) + 1
"""Samples around a place that its mean wear depends on."""


def mean_wear(before: Field, height: Field, wrap: bool, factor: float, is_rising: bool) -> Field:
    """Return the loss of height, smoothed, times a factor.

    A level rises by it, because coarser levels define the large shapes: without it a grid with more
    levels would be eroded more. On land that rises until it is in balance, valleys alone tell: divides grow
    on a finer level, where less water gathers next to them, and rivers would be drowned for that.
    """
    if is_rising:
        before, height = _valleys(before, wrap), _valleys(height, wrap)
    worn = before - height
    for stride in _OVERALL:
        worn = smooth(worn, stride, wrap)
    worn *= np.float32(factor)
    return worn


def _valleys(height: Field, wrap: bool) -> Field:
    """Return the lowest of the nine heights at and around each sample: shape (rows, columns).

    A coarser level's rivers lie on every second sample, so that one is among them. Between these
    rivers were interpolated, and are too high.
    """
    checkpoint()
    padded = np.pad(height, 1, mode="wrap" if wrap else "edge")
    columns = np.minimum(padded[:-2], padded[1:-1])
    np.minimum(columns, padded[2:], out=columns)
    lowest = np.minimum(columns[:, :-2], columns[:, 1:-1])
    return np.minimum(lowest, columns[:, 2:], out=lowest)


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


def add_detail(refined: Field, before: Field, base: Field, buried: float) -> Field:
    """Return refined ground with the detail that its base has beyond the coarser one's.

    Parameters
    ----------
    refined, before : ndarray of shape (rows, columns), float32
        A coarser level's heights after and before, on these samples; the first is written to.
    base : ndarray of that shape, float32
        Those before of this level.
    buried : float
        See `StreamPowerParams`.
    """
    deposit = refined - before
    np.maximum(deposit, np.zeros(1, np.float32), out=deposit)
    deposit *= np.float32(1.0 / buried)
    deposit *= deposit
    deposit += np.float32(1.0)
    detail = base - before
    detail /= deposit
    refined += detail
    return refined
