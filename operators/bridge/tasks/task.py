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
"""The kind of task, and what tells two of a kind apart."""


class Task(ABC):
    """Something that is to be done: it finds its owner, says what is due, and writes what came of it.

    Parameters
    ----------
    key : Key
        Of two tasks with the same key only the newer one counts.
    title : str
        What is being done, for the progress bar.

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
        """Return what it is about, None if that is gone; found each time, since undo moves it."""

    def is_wanted(self, owner: Any) -> bool:
        """Return whether it is to be done at all."""
        return True

    def is_in(self, scene: bpy.types.Scene, owner: Any) -> bool:
        """Return whether a render of a scene may show it."""
        return False

    def must_wait(self, owner: Any) -> bool:
        """Return whether this is a bad moment, but a better one will come."""
        return False

    def why_waiting(self, owner: Any) -> str:
        """Return what to tell the user while it waits; nothing if that goes without saying."""
        return ""

    def refusal(self, owner: Any) -> str:
        """Return why it cannot be done; nothing if it can."""
        return ""

    def state(self, owner: Any) -> object:
        """Return what a refusal may depend on besides the settings, for comparing; it is read often."""
        return None

    @abstractmethod
    def plan(self, owner: Any) -> Update | None:
        """Return what is due, None if nothing is.

        Raises
        ------
        TerraneError
            If the settings cannot be read.
        """

    def quick_plan(self, owner: Any) -> Update | None:
        """Return what a preview is due for if that is known without reading all settings."""
        return None

    @abstractmethod
    def work(self, owner: Any, update: Update, side: int | None) -> Work:
        """Return the work on the whole, or on a preview with so many samples along its longer side.

        Raises
        ------
        TerraneError
            If it cannot be done.
        """

    @abstractmethod
    def write(
        self, owner: Any, update: Update, result: Any, *, is_preview: bool
    ) -> str | Steps[str]:
        """Write what came of the work; return what the user should know about it, if anything.

        What takes long is a generator of steps, which leaves nothing behind when it is closed.

        Raises
        ------
        TerraneError
            If there is no place for it.
        """

    def undo(self, owner: Any) -> None:  # noqa: B027 (most tasks have nothing to do)
        """Put right what undo or redo has left inconsistent besides the settings themselves."""

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
    """The steps of a task on their way.

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
    """The outcome of a task that is over.

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
