# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of the queue: products to be updated, those that wait, the one that runs, and results of ended ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
from bpy.app.translations import pgettext_iface

from ..datablocks.ref import Ref
from ..interface.messages import redraw_panels
from . import jobs
from .jobs import Job
from .pace import Update
from .product import Product
from .steps import StepRunner

Key = tuple[str, Any]
"""Name of the product, and the number of its owner; of two tasks with the same key only one is queued."""


class Task:
    """Product of an owner that is queued; without an owner it is a picture, which a name tells from others."""

    changed = 0.0  # when its settings changed last
    begun = 0.0  # when work on it began last
    has_preview = False  # a preview of the newest settings is shown
    is_thorough = False  # paint, which is no setting, is compared too: that takes time

    def __init__(self, product: Product, owner: Any = None, name: str = "") -> None:
        self.product = product
        self.ref: Ref[Any] | None = None if owner is None else Ref.of(owner)
        self.key: Key = (product.key, name if self.ref is None else self.ref.uid)
        self.title = name  # for the progress bar
        if self.ref is not None:
            self.title = str(pgettext_iface("Updating {}")).format(owner.name)

    def find(self) -> Any | None:
        """Return the owner, None if it was removed; looked up each time, since undo moves it.

        A picture has no owner, and is there itself.
        """
        if self.ref is None:
            return self
        owner = self.ref.find()
        return owner if owner is not None and self.product.is_of(owner) else None


PRODUCTS: list[Product] = []
"""Products that follow the settings of datablocks."""


def product_of(owner: Any) -> Product | None:
    """Return the product that is made of the settings of a datablock, None if none is."""
    for product in PRODUCTS:
        if type(owner) is product.owners and product.is_of(owner):
            return product
    return None


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
                waiting = {key: task, **self.waiting}  # it is no newer than these
                self.waiting.clear()
                self.waiting.update(waiting)

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
