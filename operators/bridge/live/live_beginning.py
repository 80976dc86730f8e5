# SPDX-License-Identifier: GPL-3.0-or-later
"""Work begins, here and now or in a thread, and how long it takes is remembered."""

from __future__ import annotations

from collections.abc import Callable

from ....noise_core.errors import Cancelled
from ..preferences import preview_cap
from ..work import jobs
from ..work.jobs import Job, Work
from .live_pace import AT_ONCE, Pace
from .live_target import Plan, Target
from .live_work import DoneJob, Due, Run, samples, seconds_to_spread

MOMENT = 0.02
"""Seconds that Blender waits for work that begins, whoever does it: with a `TURN` of writing and
Blender's own share, that stays below what anybody feels as a freeze."""

AT_SIGHT = 0.015
"""Seconds that work may be expected to take for the main thread to do it by itself. If it is not
done within a `MOMENT`, it is handed over to another thread all the same."""


class Beginning:
    """Begins work, and knows from what was begun before how long it will take.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.pace = Pace()

    def begun(self, target: Target, due: Due, side: int | None) -> Run:
        """Begin work on a preview of so many samples along its longer side, or on the whole.

        Raises
        ------
        TerraneError
            If it cannot be done.
        """
        plan, begun = due.plan, self.clock()
        work = target.work(due.owner, plan, side)
        count, is_whole = samples(plan, side), side is None
        expected = self.pace.expected(plan.structure, count, is_whole=is_whole)
        at_most = self.pace.at_most(plan.structure, count, is_whole=is_whole)
        at_sight = at_most + seconds_to_spread(plan, side) <= AT_SIGHT
        job = (self._done_at_sight(work) if at_sight else None) or Job(target.title, work)
        is_short = not is_whole or expected <= AT_ONCE
        return Run(target, plan, job, side, begun, is_short)

    def measure(self, run: Run) -> None:
        """Note how long some work took, until now."""
        seconds, count = self.clock() - run.begun, samples(run.plan, run.side)
        self.pace.note(run.plan.structure, count, seconds, is_whole=run.side is None)

    def is_slow(self, plan: Plan) -> bool:
        """Return whether the whole takes so long that a preview comes first."""
        expected = self.pace.expected(plan.structure, samples(plan, None), is_whole=True)
        return plan.is_costly or expected > AT_ONCE

    def quick_side(self, plan: Plan) -> int:
        """Return how many samples along its longer side a quick preview has."""
        return self.pace.quick_side(plan.structure, plan.shape, preview_cap())

    def _done_at_sight(self, work: Work) -> DoneJob | None:
        """Do some work here and now; None if it takes too long for that."""
        limit = self.clock() + MOMENT
        try:
            late = lambda: self.clock() > limit  # noqa: E731
            return DoneJob(jobs.at_once(lambda progress, cancel: work(progress, late)))
        except Cancelled:
            return None
