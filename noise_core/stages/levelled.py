# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop from the coarsest of some levels to the finest.

More samples add detail and do not move mountains: a law works on a coarse level first, where a few steps go
far, and each finer level takes its result and adds its own detail.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from ..base.arrays import Field
from ..base.blocks import Progress
from ..rasters import pyramid
from ..rasters.level import Level
from .description import Local, Part, Raster
from .runner import Runner

State = TypeVar("State")


class LevelLaw(Protocol[State]):
    """Change of a state on each of some levels, which are counted from the finest."""

    def refine(self, place: int, state: State) -> State:
        """Return the state on a level, of that on the next coarser one."""

    def solve(self, place: int, state: State) -> State:
        """Return the state on a level after the steps there."""

    def cost(self, place: int) -> float:
        """Return the cost of a level, in any unit."""


def climb(
    count: int, state: State, law: LevelLaw[State], run: Runner | None = None, until: int = 0
) -> State:
    """Return the state on the finest of some levels.

    Parameters
    ----------
    count : int
        Of levels.
    state : object
        On the coarsest level, before any step there. If it is a `Raster`, or a sequence of them, what no
        finer level reads is forgotten.
    law : LevelLaw
    run : Runner, optional
        Is told of the progress.
    until : int
        Place of the level to end with.
    """
    costs = [law.cost(place) for place in range(count)]
    whole, done = max(sum(costs[until:]), 1.0), 0.0
    for place in reversed(range(until, count)):
        previous = state
        if run is None:
            state = _step(place, count, state, law)
            continue
        with run.portion(done / whole, (done + costs[place]) / whole):
            state = _step(place, count, state, law)
            run.drop(_rasters_in(previous), _rasters_in(state))
            run.report(1.0)
        done += costs[place]
    return state


def _step(place: int, count: int, state: State, law: LevelLaw[State]) -> State:
    if place + 1 < count:
        state = law.refine(place, state)
    return law.solve(place, state)


def _rasters_in(state: object) -> Sequence[Raster]:
    if isinstance(state, Raster):
        return [state]
    return (
        [raster for raster in state if isinstance(raster, Raster)]
        if isinstance(state, tuple)
        else []
    )


def spread(run: Runner, source: Raster, levels: Sequence[Level]) -> Raster:
    """Return a field of the last of some levels on the first one; see `pyramid.prolong_all_smoothly`."""
    (finest,) = climb(len(levels), (source,), Spread(run, levels), run)
    return finest


@dataclasses.dataclass(frozen=True)
class Spread:
    """Law of a field that finer levels take as it is.

    Attributes
    ----------
    run : Runner
    levels : sequence of Level
        Finest first.
    finish : callable, optional
        The change of the field on each finer level.
    """

    run: Runner
    levels: Sequence[Level]
    finish: Callable[[Runner, Raster], Raster] | None = None

    def refine(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Return the field on a finer level."""
        stage = Local("spread", _prolong_smoothly, makes=("field",), held=8.0)
        finer = self.run.local(stage, *state, on=self.levels[place])
        return finer if self.finish is None else (self.finish(self.run, finer[0]),)

    def solve(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Return the field as it is."""
        return state

    def cost(self, place: int) -> float:
        """Return the samples."""
        return float(self.levels[place].rows * self.levels[place].columns)


def _prolong_smoothly(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    (part,) = parts
    return pyramid.prolong_smoothly(part.values, part.level, target)
