# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting tasks, and the results of ended ones.

A refused task is tried again when the state that the refusal depends on has changed (`Task.state`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import bpy

from ..interface.messages import redraw_panels
from .task import KINDS, Key, LiveTask, Task


class Result(NamedTuple):
    """What the user should know about a task that has ended, and its state if it was refused."""

    task: Task
    note: str
    state: object = None


class TaskList:
    """Waiting tasks, and results; the clock returns seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.waiting: dict[Key, Task] = {}
        """The newest last; a task that runs is among them."""
        self.results: dict[Key, Result] = {}
        self.touched: dict[Key, LiveTask] = {}
        """Tasks since the file was loaded: undo may leave them different from their settings."""

    def add(self, task: Task, *, is_thorough: bool = False) -> None:
        """Note that a task may be due; of two with the same key the older one is kept."""
        if task.key in self.results:  # its note stays until there is a result
            self.results[task.key] = Result(task, self.results[task.key].note)
        task = self.waiting.pop(task.key, task)
        self.waiting[task.key] = task  # the newest comes last
        if isinstance(task, LiveTask):
            # Before anything is written: its owner may be gone by then, and back by undo.
            self.touched[task.key] = task
        task.changed, task.has_preview = self.clock(), False
        task.is_thorough |= is_thorough

    def adopt(self) -> None:
        """Add tasks that show a preview but are not queued, such as those of copies."""
        for kind in KINDS.values():
            for owner in filter(kind.is_followed, getattr(bpy.data, kind.collection)):
                task = kind(owner)
                is_known = task.key in self.results or task.key in self.waiting
                if not is_known and task.shows_preview(owner):
                    self.add(task)

    def look_again(self) -> None:
        """Add refused tasks again whose state has changed."""
        for key, (task, note, state) in list(self.results.items()):
            if state is None:
                continue
            owner = task.find()
            if owner is None:
                self.end(task)
            elif not task.must_wait(owner) and task.state(owner) != state:
                self.results[key] = Result(task, note)
                self.waiting = {key: task, **self.waiting}

    def end(self, task: Task, note: str = "", state: object = None) -> None:
        """Remove a task from the queue because it is done, or refused in its present state."""
        self.waiting.pop(task.key, None)
        before = self.results.pop(task.key, None)
        if note:
            self.results[task.key] = Result(task, note, state)
        if note != ("" if before is None else before.note):
            redraw_panels(bpy.context)

    def refuse(self, task: Task, note: str) -> None:
        """Remove a task from the queue until its state has changed."""
        owner = task.find()
        self.end(task, note, None if owner is None else task.state(owner))

    def forget(self) -> None:
        """Forget all tasks and results."""
        for tasks in (self.waiting, self.results, self.touched):
            tasks.clear()
