# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream-power erosion step by step, on levels from coarse to fine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import Field
from ..blocks import Progress, checkpoint
from ..drainage import FlowTree, route
from ..drainage.basins import basins_of
from ..drainage.descent import Chance, steepest
from ..drainage.directions import Mask
from ..drainage.incision import incised
from ..pyramid import Level, prolonged, restricted
from .outlets import Outlets, outlets


@dataclass(frozen=True)
class Ground:
    """What the ground is like on one level.

    Attributes
    ----------
    kept : ndarray of shape (rows, columns), bool
        Cells that rivers end in and that keep their height.
    is_open : bool
        Whether rivers leave over the border too, which wears down.
    uplift : ndarray of shape (rows, columns), float32, or None
        How far it rises over the whole duration, in metres.
    rock : callable or None
        Gives what the rate and the steepest slope are multiplied by, at a height.
    chance : Chance or None
        What makes water leave the directions of the grid.
    steepness : ndarray of shape (rows, columns), float32, or None
        What the steepest slope is multiplied by, here and there.
    """

    kept: Mask
    is_open: bool = False
    uplift: Field | None = None
    rock: Callable[[Field], tuple[Field, Field]] | None = None
    chance: Chance | None = None
    steepness: Field | None = None


@dataclass(frozen=True)
class Streams:
    """The numbers of the process.

    Attributes
    ----------
    duration : float
        Erodibility times time, in metres to the power of 1 - 2 `exponent`.
    exponent : float
        Of the drainage area.
    steepest, gentlest : float
        Slopes that the ground is kept between, as rise over run.
    smoothing : float
        Share of the difference to the neighbours' mean that goes before each step.
    sediment : float
        How much of what is worn off settles again; 0 to 1.
    deepest_lake : float or None
        In metres; see `drainage.route`.
    """

    duration: float
    exponent: float
    steepest: float
    gentlest: float
    smoothing: float
    sediment: float
    deepest_lake: float | None


def advanced(
    height: Field, level: Level, streams: Streams, ground: Ground, share: float
) -> tuple[Field, FlowTree]:
    """Return the height after a share of the duration, in one step, and the tree it flowed along."""
    checkpoint()
    if streams.smoothing > 0.0:  # first, so that the ground drains without pits in the end
        height = _smoothed(height, level.wrap, streams.smoothing, ground.kept)
    if ground.uplift is not None:
        height = height + ground.uplift * np.float32(share)
    leaving = outlets(height, level, ground.kept, ground.is_open)
    tree = route(
        height,
        level,
        leaving.cells,
        directions=steepest(height, level, ground.chance),
        deepest_lake=streams.deepest_lake,
    )
    areas = tree.accumulated().astype(np.float32).reshape(level.shape)
    rate = _rate(areas, level, streams, share)
    limit: Field | float = streams.steepest
    if ground.steepness is not None:
        limit = ground.steepness * np.float32(streams.steepest)
    if ground.rock is not None:
        ease, steepness = ground.rock(height)
        rate *= ease
        limit = steepness * np.asarray(limit, np.float32)
    height = _outlets_lowered(height, level, rate, leaving)
    del leaving
    if streams.sediment > 0.0:
        new = incised(height, tree, level, rate, steepest=limit, gentlest=streams.gentlest)
        height = height + _sediment(height - new, tree, areas, streams.sediment)
    del areas
    new = incised(height, tree, level, rate, steepest=limit, gentlest=streams.gentlest)
    return new, tree


def _rate(areas: Field, level: Level, streams: Streams, share: float) -> Field:
    """Return duration times drainage area to its power, in metres."""
    # A square root is the same on every processor; other powers may differ in the last bit.
    power: Field = (
        np.sqrt(areas) if streams.exponent == 0.5 else np.power(areas, np.float32(streams.exponent))
    )
    cell = level.step_x * level.step_y
    power *= np.float32(streams.duration * share * cell**streams.exponent)
    return power


def _outlets_lowered(height: Field, level: Level, rate: Field, leaving: Outlets) -> Field:
    """Let an open border wear down as if the ground beyond went on at the same slope."""
    run = np.float32(min(level.step_x, level.step_y))
    lowered: Field = height - leaving.slopes * (run * (rate / (rate + run)))
    return lowered


def _sediment(worn: Field, tree: FlowTree, areas: Field, amount: float) -> Field:
    """Return what settles of what is worn off upstream, in metres (Yuan et al. 2019)."""
    load = tree.accumulated(worn).astype(np.float32).reshape(worn.shape)
    load -= worn
    load *= np.float32(amount)
    load /= areas
    return np.maximum(load, np.zeros(1, np.float32), out=load)


def _smoothed(height: Field, wrap: bool, amount: float, kept: Mask) -> Field:
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


@dataclass(frozen=True)
class Schedule:
    """How many steps on which level.

    Attributes
    ----------
    coarsest : int
        On the coarsest level, which does the whole duration.
    finer : tuple of int
        On the finest level, the next coarser one and so on; the last number holds for all others.
    later : float
        Share of the duration that each finer level does once more.
    """

    coarsest: int
    finer: tuple[int, ...]
    later: float = 0.25

    def on(self, place: int, levels: int) -> tuple[int, float]:
        """Return the steps on a level, counted from the finest, and their whole duration."""
        if place == levels - 1:
            return self.coarsest, 1.0
        return self.finer[min(place, len(self.finer) - 1)], self.later


def pyramid_of(field: Field, levels: list[Level]) -> list[Field]:
    """Return a field on levels that become coarser."""
    fields = [field]
    for fine, coarse in zip(levels, levels[1:]):
        fields.append(restricted(fields[-1], fine, coarse))
    return fields


def eroded(
    bases: list[Field], levels: list[Level], grounds: Callable[[int], Ground], streams: Streams,
    schedule: Schedule, buried: float, progress: Progress,
) -> tuple[Field, FlowTree]:  # fmt: skip
    """Return the eroded height on the finest level and the tree of its last step.

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
    plan = [schedule.on(place, len(levels)) for place in range(len(levels))]
    total = float(
        sum(steps * level.rows * level.columns for (steps, _), level in zip(plan, levels))
    )
    done = 0.0
    height, tree = bases[-1], None
    for place in reversed(range(len(levels))):
        level, (steps, duration) = levels[place], plan[place]
        if place < len(levels) - 1:
            height = _refined(height, bases, levels, place, buried)
        ground = grounds(place)
        height = np.where(ground.kept, bases[place], height)
        for _ in range(steps):
            height, tree = advanced(height, level, streams, ground, duration / steps)
            done += level.rows * level.columns
            progress(done / total)
    assert tree is not None  # there is at least one step
    return height, tree


def water_depth(height: Field, level: Level, tree: FlowTree, pits: Mask) -> Field:
    """Return how deep the water stands, in metres, above the pits among the ends of a tree.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        After a step along the tree: nowhere but at these pits does water stay.
    """
    open_ends = tree.ends & ~pits
    if not pits.any() or not open_ends.any():
        return np.zeros_like(height)
    basins = basins_of(height, level, tree.peeled, open_ends.reshape(-1))
    assert basins is not None  # there are pits
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
