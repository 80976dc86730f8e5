# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of the queue, their runs and their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy

from .jobs import Job, Work
from .pace import QUICK, SMALLEST, Update
from .steps import StepRunner, Steps

Key = tuple[str, Any]
"""The kind of task, and an identifier within that kind."""


class Task(ABC):
    """Task of the queue: finds its owner, plans an update, and writes the result.

    Parameters
    ----------
    key : Key
        Of two tasks with the same key only the newer one counts.
    title : str
        Description for the progress bar.

    Attributes
    ----------
    changed : float
        When its settings changed last.
    begun : float
        When work on it began last.
    has_preview : bool
        Whether a preview of the newest settings is shown.
    is_thorough : bool
        Whether to compare what was painted too: it is no setting, and takes time to read.
    """

    settled = 0.15
    """Seconds without a change after which a gesture seems to rest: the whole follows its preview."""

    pause = 0.0
    """Seconds from the beginning of one run to that of the next, at least."""

    quick, smallest = QUICK, SMALLEST
    """Seconds that a preview may take, and its samples along the longer side, at least."""

    is_urgent = True
    """Whether the main thread waits a moment for it, or does it itself if it is short."""

    def __init__(self, key: Key, title: str) -> None:
        self.key, self.title = key, title
        self.changed = self.begun = 0.0
        self.has_preview = self.is_thorough = False

    @abstractmethod
    def find(self) -> Any | None:
        """Return the owner, None if it was removed; looked up each time, since undo moves it."""

    def is_wanted(self, owner: Any) -> bool:
        """Return whether the task is to be done at all."""
        return True

    def is_in(self, scene: bpy.types.Scene, owner: Any) -> bool:
        """Return whether a render of a scene may show it."""
        return False

    def must_wait(self, owner: Any) -> bool:
        """Return whether the task has to wait, for example while a mesh is edited."""
        return False

    def why_waiting(self, owner: Any) -> str:
        """Return a message for the user while the task waits; empty if none is needed."""
        return ""

    def refusal(self, owner: Any) -> str:
        """Return why the task cannot be done; empty if it can."""
        return ""

    def state(self, owner: Any) -> object:
        """Return the state that a refusal depends on besides the settings; it is read often."""
        return None

    @abstractmethod
    def plan(self, owner: Any) -> Update | None:
        """Return the update that is due, None if there is none.

        Raises
        ------
        TerraneError
            If the settings cannot be read.
        """

    def quick_plan(self, owner: Any) -> Update | None:
        """Return the update that a preview is due for, if it is known without reading all settings."""
        return None

    @abstractmethod
    def work(self, owner: Any, update: Update, side: int | None) -> Work:
        """Return the work on the whole, or on a preview with so many samples along its longer side.

        Raises
        ------
        TerraneError
            If the work cannot be done.
        """

    @abstractmethod
    def write(
        self, owner: Any, update: Update, result: Any, *, is_preview: bool
    ) -> str | Steps[str]:
        """Write the result of the work; return a message for the user, or an empty text.

        Long work is a generator of steps, which removes partial results when it is closed.

        Raises
        ------
        TerraneError
            If the result cannot be stored.
        """

    def undo(self, owner: Any) -> None:  # noqa: B027 (most tasks have nothing to do)
        """Repair what undo or redo has left inconsistent besides the settings themselves."""

    @classmethod
    def of(cls, owner: Any) -> Task | None:
        """Return the task of a datablock, None if it follows no settings; for kinds of `KINDS`."""
        return None

    @classmethod
    def previews(cls) -> Iterator[Task]:
        """Yield the tasks of all datablocks that show a preview."""
        yield from ()

    def shows_preview(self, owner: Any) -> bool:
        """Return whether its owner shows a preview."""
        return False


KINDS: dict[type, type[Task]] = {}
"""Tasks that follow the settings of datablocks, by the type of the datablock; see `live.add_kind`."""


def task_of(owner: Any) -> Task | None:
    """Return the task that follows the settings of a datablock, None if none does."""
    kind = KINDS.get(type(owner))
    return None if kind is None else kind.of(owner)


class TaskRun(StepRunner):
    """Run of a task's steps.

    Parameters
    ----------
    task : Task
    update : Update
        What is due.
    side : int or None
        Samples along the longer side of a preview; None for the whole.
    is_short : bool
        Whether it ends soon, so that a newer change waits for it.
    steps, clock
        See `StepRunner`.
    """

    def __init__(
        self,
        task: Task,
        update: Update,
        side: int | None,
        steps: Steps[Any],
        clock: Callable[[], float],
        *,
        is_short: bool,
    ) -> None:
        super().__init__(task.title, steps, clock, Job)
        self.task, self.update, self.side, self.is_short = task, update, side, is_short
        self.is_watched = False
        """Whether the user sees its progress."""


@dataclass(frozen=True)
class Result:
    """Result of a task that has ended.

    Attributes
    ----------
    task : Task
    note : str
        What the user should know.
    state : object
        Of its owner when it was refused, see `Task.state`; None if it was not refused.
    """

    task: Task
    note: str
    state: object = None
