# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting tasks, and the results of ended ones.

A refused task is tried again when the state that the refusal depends on has changed (`Task.state`).
"""

from __future__ import annotations

from collections.abc import Callable

import bpy

from . import windows
from .task import KINDS, Key, Result, Task


class TaskList:
    """Waiting tasks, and results.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.waiting: dict[Key, Task] = {}
        """The newest last; a task that runs is among them."""
        self.results: dict[Key, Result] = {}
        self.touched: dict[Key, Task] = {}
        """Tasks that have changed since the file was loaded: undo may leave them different from their settings."""

    def add(self, task: Task, *, is_thorough: bool = False) -> None:
        """Note that a task may be due; of two with the same key the older one is kept."""
        if task.key in self.results:  # its note stays until there is a result
            self.results[task.key] = Result(task, self.results[task.key].note)
        task = self.waiting.pop(task.key, task)
        self.waiting[task.key] = task  # the newest comes last
        task.changed, task.has_preview = self.clock(), False
        task.is_thorough |= is_thorough

    def adopt(self) -> None:
        """Add tasks that show a preview but are not queued, such as those of copies."""
        for kind in KINDS.values():
            for task in kind.previews():
                if task.key not in self.results and task.key not in self.waiting:
                    self.add(task)

    def look_again(self) -> None:
        """Add refused tasks again whose state has changed."""
        for key, result in list(self.results.items()):
            if result.state is None:
                continue
            owner = result.task.find()
            if owner is None:
                self.end(result.task)
            elif not result.task.must_wait(owner) and result.task.state(owner) != result.state:
                self.results[key] = Result(result.task, result.note)
                self.waiting = {key: result.task, **self.waiting}

    def end(self, task: Task, note: str = "") -> None:
        """Remove a task from the queue because it is done."""
        self.waiting.pop(task.key, None)
        before = self.results.pop(task.key, None)
        if note:
            self.results[task.key] = Result(task, note)
        if note != ("" if before is None else before.note):
            windows.redraw_panels(bpy.context)

    def refuse(self, task: Task, note: str) -> None:
        """Remove a task from the queue until its state has changed."""
        self.end(task, note)
        if (owner := task.find()) is not None:
            self.results[task.key] = Result(task, note, task.state(owner))

    def forget(self) -> None:
        """Forget all tasks and results."""
        for tasks in (self.waiting, self.results, self.touched):
            tasks.clear()
