# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders in a window, which wait until the updates of their scene are done.

A render begins in another thread, which must not access data that Blender's main thread may be drawing.
Blender calls the render's handlers before it reads the scene. There the thread waits, while the timer of
the main thread finishes the updates. If Blender itself waits for the render to end, as before it quits,
the timer no longer runs; then the render continues with the data as they are.
"""

from __future__ import annotations

import threading
import time  # noqa: TID251 (how long a render waits, never what it shows)
from collections.abc import Callable

import bpy

PATIENCE = 5.0
"""Seconds without a sign of life from the main thread after which a render waits no longer."""

_LOOK = 0.1
"""Seconds between two looks at the main thread."""


class Renders:
    """Renders that wait for updates.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._waiting: dict[threading.Event, str] = {}
        self._beaten = 0.0

    @property
    def are_waiting(self) -> bool:
        """Whether there is a render that waits."""
        return bool(self._waiting)

    def wait(self, scene: str) -> None:
        """Wait, in a render's own thread, until `serve` finds nothing due for a scene of this name."""
        is_done = threading.Event()
        self.beat()
        self._waiting[is_done] = scene
        while not is_done.wait(_LOOK) and self._clock() - self._beaten < PATIENCE:
            pass
        self._waiting.pop(is_done, None)

    def beat(self) -> None:
        """Note that the main thread is alive."""
        self._beaten = self._clock()

    def serve(self, is_due: Callable[[bpy.types.Scene], bool]) -> None:
        """Release the renders whose scenes are up to date; in the main thread."""
        self.beat()
        for is_done, name in tuple(self._waiting.items()):
            scene = bpy.data.scenes.get(name)
            if scene is None or not is_due(scene):
                is_done.set()

    def release(self) -> None:
        """Release all renders."""
        for is_done in tuple(self._waiting):
            is_done.set()


def is_main_thread() -> bool:
    """Return whether this is Blender's main thread; renders call handlers in another one."""
    return threading.current_thread() is threading.main_thread()


def is_rendering() -> bool:
    """Return whether Blender reads meshes and images in another thread."""
    return any(bpy.app.is_job_running(one) for one in ("RENDER", "OBJECT_BAKE"))
