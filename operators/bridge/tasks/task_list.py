# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that wait, and the results of ended ones."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from ..interface.messages import redraw_panels
from .task import PRODUCTS, Key, Task
from .task_run import Result


class TaskList:
    """Waiting tasks, and the results of ended ones; the clock returns seconds.

    A refused task is tried again when the state that the refusal depends on has changed (`Product.state`).
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.waiting: dict[Key, Task] = {}
        """The newest last; a task that runs is among them."""
        self.results: dict[Key, Result] = {}
        self.touched: dict[Key, Task] = {}
        """Tasks since the file was loaded: undo may leave their products different from their settings."""

    def add(self, task: Task, *, is_thorough: bool = False) -> None:
        """Note that a task may be due; of two with the same key the older one is kept."""
        if task.key in self.results:  # its note stays until there is a result
            self.results[task.key] = Result(task, self.results[task.key].note)
        task = self.waiting.pop(task.key, task)
        self.waiting[task.key] = task  # the newest comes last
        if task.ref is not None:
            # Before anything is written: its owner may be gone by then, and back by undo.
            self.touched[task.key] = task
        task.changed, task.has_preview = self._clock(), False
        task.is_thorough |= is_thorough

    def add_previews(self) -> None:
        """Add tasks that show a preview but are not queued, such as those of copies."""
        for product in PRODUCTS:
            for owner in filter(product.is_of, getattr(bpy.data, product.collection)):
                task = Task(product, owner)
                is_known = task.key in self.results or task.key in self.waiting
                if not is_known and product.shows_preview(owner):
                    self.add(task)

    def retry_refused(self) -> None:
        """Add refused tasks again whose state has changed."""
        for key, (task, note, state) in list(self.results.items()):
            if state is None:
                continue
            owner = task.find()
            if owner is None:
                self.end(task)
            elif not task.product.must_wait(owner) and task.product.state(owner) != state:
                self.results[key] = Result(task, note)
                others = dict(self.waiting)
                self.waiting.clear()
                self.waiting.update({key: task, **others})

    def end(self, task: Task, note: str = "", state: object = None) -> None:
        """Remove a task because it is done, or refused in its present state."""
        self.waiting.pop(task.key, None)
        previous = self.results.pop(task.key, None)
        if note:
            self.results[task.key] = Result(task, note, state)
        if note != ("" if previous is None else previous.note):
            redraw_panels(bpy.context)

    def refuse(self, task: Task, note: str) -> None:
        """Remove a task until its state has changed."""
        owner = task.find()
        self.end(task, note, None if owner is None else task.product.state(owner))

    def has_urgent(self) -> bool:
        """Return whether an urgent task is due, or will be when a gesture rests."""
        owners = [(task, task.find()) for task in self.waiting.values() if task.product.is_urgent]
        return any(
            owner is not None and not task.product.must_wait(owner) for task, owner in owners
        )

    def forget(self) -> None:
        """Forget all tasks and results."""
        for tasks in (self.waiting, self.results, self.touched):
            tasks.clear()
