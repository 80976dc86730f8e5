# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream-power erosion on levels from coarse to fine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import Field
from ...blocks import Progress, is_enough
from ...drainage import FlowTree, border
from ...drainage.basins import basins_of
from ...drainage.flow_scale import flow_of
from ...fields.pyramid import Level, prolonged, restricted
from .step import Ground, Streams, advanced


@dataclass(frozen=True)
class Schedule:
    """How many steps on which level.

    Attributes
    ----------
    coarsest : int
        On the coarsest level, which does the whole duration.
    finer : tuple of int
        On the finest level, the next coarser one and so on; the last number holds for all others.
    largest : int
        Samples along the shorter side of the finest level that has any.
    later : float
        Share of the duration that each finer level does once more.
    """

    coarsest: int
    finer: tuple[int, ...]
    largest: int
    later: float = 0.25

    def on(self, place: int, levels: list[Level]) -> tuple[int, float]:
        """Return the steps on a level, counted from the finest, and their whole duration."""
        if place == len(levels) - 1:
            return self.coarsest, 1.0
        skipped = sum(min(level.shape) > self.largest for level in levels[:-1])
        if place < skipped:
            return 0, 0.0
        return self.finer[min(place - skipped, len(self.finer) - 1)], self.later


def pyramid_of(field: Field, levels: list[Level]) -> list[Field]:
    """Return a field on levels that become coarser."""
    fields = [field]
    for fine, coarse in zip(levels, levels[1:]):
        fields.append(restricted(fields[-1], fine, coarse))
    return fields


@dataclass(frozen=True)
class Eroded:
    """What erosion leaves, on the finest level.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In metres.
    flow : ndarray of shape (rows, columns), float32
        See `flow_of`.
    lake : ndarray of shape (rows, columns), float32
        Depth of standing water, in metres.
    """

    height: Field
    flow: Field
    lake: Field


def eroded(
    bases: list[Field],
    levels: list[Level],
    grounds: Callable[[int], Ground],
    streams: Streams,
    schedule: Schedule,
    buried: float,
    progress: Progress,
) -> Eroded:
    """Return the ground after all steps on all levels, or after those that were taken till it was enough.

    Parameters
    ----------
    bases : list of ndarray, float32
        The height before, finest level first.
    levels : list of Level
        Their levels.
    grounds : callable
        Gives the ground of a level by its place in `levels`.
    buried : float
        Metres of deposit under which half of the finer detail vanishes.
    """
    plan = [schedule.on(place, levels) for place in range(len(levels))]
    total = sum(steps * level.rows * level.columns for (steps, _), level in zip(plan, levels))
    done = 0
    height, flow, lake = bases[-1], np.zeros(1, np.float32), np.zeros(1, np.float32)
    for place in reversed(range(len(levels))):
        level, (steps, duration) = levels[place], plan[place]
        if place < len(levels) - 1:
            height = _refined(height, bases, levels, place, buried)
        ground = grounds(place)
        height = np.where(ground.kept, bases[place], height)
        is_last = not any(finer for finer, _ in plan[:place])
        for step in range(1, steps + 1):
            height, tree, areas = advanced(height, level, streams, ground, duration / steps)
            ends = is_enough()
            if ends or (is_last and step == steps):
                flow = flow_of(areas, level)
                lake = _water_depth(height, level, ground, tree)
            del tree, areas  # or the next step would have two of them
            done += level.rows * level.columns
            progress(done / total)
            if ends:
                plan[:place] = [(0, 0.0)] * place
                break
        if not steps:
            coarse = levels[place + 1]
            flow, lake = prolonged(flow, coarse, level), prolonged(lake, coarse, level)
            np.clip(flow, 0.0, 1.0, out=flow)  # cubic interpolation overshoots
    return Eroded(height, flow, np.maximum(lake, np.zeros(1, np.float32)))


def _water_depth(height: Field, level: Level, ground: Ground, tree: FlowTree) -> Field:
    """Return how deep the water stands in metres, after a step along a tree.

    Water stays nowhere but above those ends of the tree that are no outlets.
    """
    leaves = ground.kept | border(level) if ground.is_open else ground.kept
    outlets = tree.ends & leaves
    if not outlets.any() or not (tree.ends & ~leaves).any():
        return np.zeros_like(height)
    basins = basins_of(height, level, tree.peeled, outlets.reshape(-1))
    assert basins is not None  # there are other ends
    water = basins.levels[basins.labels].reshape(level.shape)
    water -= height
    return np.maximum(water, np.zeros(1, np.float32), out=water)


def _refined(
    height: Field, bases: list[Field], levels: list[Level], index: int, buried: float
) -> Field:
    """Return a coarser level's result with the finer detail of the ground that is not buried."""
    coarse, fine = levels[index + 1], levels[index]
    refined = prolonged(height, coarse, fine)
    before = prolonged(bases[index + 1], coarse, fine)
    deposit = refined - before
    np.maximum(deposit, np.zeros(1, np.float32), out=deposit)
    deposit *= np.float32(1.0 / buried)
    deposit *= deposit
    deposit += np.float32(1.0)
    detail = bases[index] - before
    detail /= deposit
    refined += detail
    return refined
