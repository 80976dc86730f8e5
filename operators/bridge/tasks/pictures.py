# SPDX-License-Identifier: GPL-3.0-or-later
"""Queue of the pictures in panels and menus, which threads draw in the background.

Nothing waits for them, and they write no data that is saved or rendered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..interface import timer
from .jobs import Work
from .product import Product
from .queue import TaskQueue
from .task import Task

queue = TaskQueue(writes_scene=False)


class DrawnPicture(Product):
    """A picture that is drawn once and passed to `write` in the main thread."""

    key = "picture"
    is_urgent = False
    is_wanted = staticmethod(lambda owner: True)

    def __init__(self, work: Work, write: Callable[[Any], None]) -> None:
        self._work, self._write = work, write

    def request(self, owner: Any) -> str:
        """Return the name of all pictures, as each is drawn once."""
        return self.key

    def holders(self, owner: Any) -> tuple[()]:
        """Return nothing: no datablock holds it."""
        return ()

    def lacks_more(self, owner: Any, request: Any, *, is_thorough: bool) -> bool:
        """Return that it is not drawn yet."""
        return True

    def work(self, owner: Any, request: Any, side: int | None = None) -> Work:
        """Draw it."""
        return self._work

    def write(self, owner: Any, request: Any, result: Any, *, is_preview: bool = False) -> str:
        """Pass the picture on."""
        self._write(result)
        return ""


def draw(name: str, work: Work, write: Callable[[Any], None]) -> None:
    """Draw a picture soon and pass it to `write`, without a window immediately; of one name only the newest."""
    task = Task(DrawnPicture(work, write), name=name)
    queue.discard(task.key)
    add(task)


def add(task: Task) -> None:
    """Add a task, and start the timer that runs it."""
    queue.add(task)
    if bpy.app.background:
        queue.finish()
    timer.call(queue.step)


def clear() -> None:
    """Discard all pictures."""
    timer.cancel(queue.step)
    queue.clear()
