# SPDX-License-Identifier: GPL-3.0-or-later
"""Timer of the extension: functions that Blender calls between events.

Blender has no timers in background mode, where the functions are not called.
"""

from __future__ import annotations

import time  # noqa: TID251 (when a function is called again, never what it computes)
from collections.abc import Callable
from typing import Any

import bpy

LATER = 0.25
"""Seconds until the next call of a function that waits for Object Mode or the end of a render."""

Step = Callable[[], float | None]
"""Function that returns the seconds until its next call, None for no further call."""

_due: dict[Step, float] = {}
_is_ticking = False


def call(step: Step) -> None:
    """Call a function once, as soon as possible."""
    if bpy.app.background:
        return
    _due[step] = 0.0
    if not _is_ticking:
        _arm(0.0)


def cancel(step: Step) -> None:
    """Cancel further calls of a function."""
    _due.pop(step, None)
    if not _due and bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)


def _arm(seconds: float) -> None:
    """Schedule the next tick, in place of one scheduled before."""
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    bpy.app.timers.register(_tick, first_interval=seconds, persistent=True)


def _tick() -> float | None:
    """Call the functions that are due; return the seconds until the next one."""
    global _is_ticking
    manager = bpy.context.window_manager
    if manager is None or not manager.windows:
        return LATER
    context: Any = bpy.context
    is_well, _is_ticking = False, True
    try:
        # A timer has no window, and so no view layer.
        with context.temp_override(window=context.window or manager.windows[0]):
            for step, due in list(_due.items()):
                if due <= time.perf_counter() and _due.pop(step, None) is not None:
                    seconds = step()
                    if seconds is not None:
                        _due.setdefault(step, time.perf_counter() + seconds)
        is_well = True
    finally:
        _is_ticking = False
        if not is_well and _due:  # Blender drops a timer that fails; the other functions stay
            _arm(LATER)
    if not _due:
        return None
    return max(0.0, min(_due.values()) - time.perf_counter())
