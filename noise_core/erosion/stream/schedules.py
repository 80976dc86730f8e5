# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of stream erosion on each level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...rasters.level import Level

_FIRST = 1.5
"""Durations that the coarsest level does: so far 512 samples were worn when every level did some."""

_LATER = 0.4
"""Durations that the next finer level does; what it wears on the whole is given back, so that these
make detail and nothing else."""

_SHRINKING = 0.5
"""How much less each one does than the one before: the finer, the less there is left to do."""

_FINISHING = 0.05
"""Durations of the step that finishes the finest level: half of what the next finer level would do, so that as many
samples as usual look like twice as many."""


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
    is_late : bool
        Whether a level is balanced in its last step.
    """

    coarsest: int
    finer: tuple[int, ...]
    largest: int
    left_out: int = 0
    is_late: bool = False

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

    def finishing(self, levels: Sequence[Level]) -> float:
        """Return the duration of one more step on the finest level, after those that it has on a bent grid; 0 for none.

        Like this it is worked out as the same level of a land with more samples is: on a grid of its own from the first step
        on, rivers would find other ways. A level of a single step takes that on its own grid, as a second one
        would double the time for detail of a sample. So does the coarsest, for which there is no such land.
        """
        steps, _ = self.on(0, levels)
        return _FINISHING if len(levels) > 1 and steps > 1 else 0.0

    def balancing_step(self, steps: int) -> int:
        """Return in which of a level's steps it rises as far as it wears down in all: halfway, or in the last one of a few.

        Mountains that grow around drawn curves are balanced in the last one: their first steps on a level wear most, so that
        twice the wear of half of the steps would lift the land by a hundredth of its relief on each level. Without drawn
        curves the law of stream power counts more: after the last step channels are too concave by up to .03.
        """
        return steps if self.is_late else max(steps // 2 + 1, min(steps, 3))

    @staticmethod
    def balancing_rounds(steps: int) -> int:
        """Return in how many rounds that rise is found: two, but a single step on a fine level does with one."""
        return min(steps, 2)
