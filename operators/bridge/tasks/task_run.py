# SPDX-License-Identifier: GPL-3.0-or-later
"""Run of one task, and the result of one that has ended."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy

from . import jobs
from .jobs import Job
from .steps import StepRunner
from .task import Task
from .update import Update

OVERDUE = 0.25
"""Seconds that short work may take before a newer change ends it: it would end soon anyway."""


class Result(NamedTuple):
    """Message for the user about an ended task, and its state if it was refused."""

    task: Task
    note: str
    state: object = None


class TaskRun(StepRunner):
    """Steps of a task's update, or of its preview with `side` samples along its longer side."""

    start = Job
    task: Task
    update: Update
    side: int | None
    is_short: bool  # it ends soon, so that a newer change waits for it
    shown: Job | None = None  # its job whose progress the user sees; `job` may be a later one

    def show(self) -> None:
        """Show the progress of long work, so that the user can end it."""
        is_watched, self.shown = self.shown is not None, self.job
        if self.shown is not None:
            jobs.show(self.shown)
        if not is_watched and not bpy.app.background:
            operators: Any = bpy.ops
            operators.terrane.live_watch("INVOKE_DEFAULT")


def is_superseded(run: TaskRun, age: float) -> bool:
    """Return whether a newer change ends a run of that age in seconds.

    It does not end a preview that is as small as previews get: were that given up each time, nothing would
    ever be seen while a slider is dragged.
    """
    if not run.is_short:
        return True
    is_smallest = run.side is not None and run.side <= run.task.product.smallest
    return run.task.product.is_urgent and age > OVERDUE and not is_smallest
