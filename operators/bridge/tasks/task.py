# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of the queue: what there is to do for a datablock or a picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ..datablocks.ref import Ref
from ..schema import live_switch
from .jobs import Work
from .pace import Update
from .steps import Steps

Key = tuple[str, Any]
"""The kind of task, and an identifier within that kind; of two tasks with the same key only one is queued."""


class Task(ABC):
    """Task of the queue: finds its owner, plans an update, and writes the result."""

    settled = 0.15
    """Seconds without a change after which a gesture seems to rest: the whole follows its preview."""

    pause = 0.0
    """Seconds from the beginning of one run to that of the next, at least."""

    quick = 0.025
    """Seconds that a preview is meant to take: with Blender's drawing some twenty a second."""

    smallest = 48
    """Samples along the longer side of a preview, at least: less shows nothing."""

    is_urgent = True
    """Whether the main thread waits a moment for it, or does it itself if it is short."""

    key: Key
    title: str  # for the progress bar
    changed = 0.0  # when its settings changed last
    begun = 0.0  # when work on it began last
    has_preview = False  # a preview of the newest settings is shown
    is_thorough = (
        False  # what was painted is compared too: it is no setting, and takes time to read
    )

    def find(self) -> Any | None:
        """Return the owner, None if it was removed; looked up each time, since undo moves it."""
        return self

    def is_wanted(self, owner: Any) -> bool:
        """Return whether the task is to be done at all."""
        return True

    def must_wait(self, owner: Any) -> bool:
        """Return whether the task has to wait, for example while a mesh is edited."""
        return False

    def refusal(self, owner: Any) -> str:
        """Return why the task cannot be done; empty if it can."""
        return ""

    def state(self, owner: Any) -> object:
        """Return the state that a refusal depends on besides the settings; it is read often."""
        return None

    @abstractmethod
    def plan(self, owner: Any) -> Update | None:
        """Return the update that is due, None if there is none; a TerraneError says why it cannot be known."""

    def quick_plan(self, owner: Any) -> Update | None:
        """Return the update that a preview is due for, if it is known without reading all settings."""
        return None

    @abstractmethod
    def work(self, owner: Any, update: Update, side: int | None) -> Work:
        """Return the work on the whole, or on a preview with so many samples along its longer side."""

    @abstractmethod
    def write(
        self, owner: Any, update: Update, result: Any, *, is_preview: bool
    ) -> str | Steps[str]:
        """Write the result of the work; return a message for the user, or an empty text.

        Long work is a generator of steps, which removes partial results when it is closed.
        """


class LiveTask(Task):
    """A datablock that follows its settings."""

    kind = ""
    collection = ""
    """Attribute of ``bpy.data`` with all datablocks of its type."""

    is_followed: Callable[[Any], bool]
    """Static: whether a datablock has settings that it can follow."""

    is_wanted = staticmethod(live_switch.is_live)

    def __init__(self, owner: Any) -> None:
        self.ref: Ref[Any] = Ref.of(owner)
        self.key, self.title = (self.kind, self.ref.uid), f"Updating {owner.name}"

    def find(self) -> Any | None:
        """Return the datablock, None if it was removed or follows no settings any more."""
        owner = self.ref.find()
        return owner if owner is not None and self.is_followed(owner) else None

    def why_waiting(self, owner: Any) -> str:
        """Return a message for the user while the task waits; empty if none is needed."""
        return ""

    @abstractmethod
    def undo(self, owner: Any) -> None:
        """Repair what undo or redo has left inconsistent besides the settings themselves."""

    @abstractmethod
    def shows_preview(self, owner: Any) -> bool:
        """Return whether its owner shows a preview."""


KINDS: dict[type, type[LiveTask]] = {}
"""Tasks that follow the settings of datablocks, by the type of the datablock."""


def task_of(owner: Any) -> LiveTask | None:
    """Return the task that follows the settings of a datablock, None if none does."""
    kind = KINDS.get(type(owner))
    return kind(owner) if kind is not None and kind.is_followed(owner) else None
