# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths of the turns of Blender's event loop, and the work in the longest.

A timer beats at every turn; the time between two beats is how long a window stands still. Watched
functions note the turn in which they ran, and their time. Where a window is drawn in software, and other
programs run, the clock on the wall tells little about the cause of a wait: the work of Blender's main thread is
measured too, without the system's work for it. A virtual machine needs from 8 to 160 ms to hand out
48 MB of memory to any program.
"""

from __future__ import annotations

import functools
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import bpy

BEAT = 0.001
"""Seconds; Blender itself rests up to 5 ms a turn while nothing happens."""

FREEZE = 0.05
"""Seconds that a turn may take before it is felt."""

EVALUATION, DRAWING = "Blender evaluates the scene", "Blender draws the viewport"
BLENDERS = (EVALUATION, DRAWING)


@dataclass
class Turn:
    """Work between two beats, in seconds.

    Attributes
    ----------
    length : float
        By the clock on the wall: the wait of a user on this machine, as busy as it is.
    work : float
        That the processor worked for Blender's main thread meanwhile.
    parts : dict of str to float
        Such work by watched part; calls of another watched part count there only.
    """

    length: float = 0.0
    work: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def own(self) -> float:
        """Work under test: all watched parts but Blender's."""
        return sum(seconds for name, seconds in self.parts.items() if name not in BLENDERS)

    def __str__(self) -> str:
        """Return it as a line, the longest parts first."""
        parts = sorted(self.parts.items(), key=lambda part: -part[1])[:4]
        known = ", ".join(f"{name} {seconds * 1e3:.0f}" for name, seconds in parts)
        return (
            f"{self.length * 1e3:.0f} ms, worked {self.work * 1e3:.0f} ({known or 'none watched'})"
        )


def _worked() -> float:
    """Return the seconds that the processor has worked for this thread, without work of the system."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_utime


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), _worked()


class Turns:
    """Watch the event loop for a while: ``with turns.watched(): yield ...``."""

    def __init__(self) -> None:
        self.all: list[Turn] = []
        self._turn = Turn()
        self._beaten = (0.0, 0.0)
        self._open: list[float] = []  # of each part that runs now, what it has called
        self._restore: list[Callable[[], None]] = []

    # --- what has been seen ---

    @property
    def longest(self) -> Turn:
        """The longest turn."""
        return max(self.all, key=lambda turn: turn.length)

    @property
    def busiest(self) -> Turn:
        """The turn with most of the work under test."""
        return max(self.all, key=lambda turn: turn.own)

    def lines(self) -> list[str]:
        """Return the lines to print."""
        lengths, works = (
            sorted(getattr(turn, name) for turn in self.all) for name in ("length", "work")
        )
        over = [sum(seconds > FREEZE for seconds in many) for many in (lengths, works)]
        return [
            f"{len(lengths)} turns, half within {lengths[len(lengths) // 2] * 1e3:.1f} ms; "
            f"{over[0]} longer than 50 ms, {over[1]} of them by work",
            f"the longest: {self.longest}",
            f"most work of Terrane: {self.busiest.own * 1e3:.0f} ms, in {self.busiest}",
        ]

    # --- watching ---

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch until it ends."""
        self.all, self._turn, self._beaten = [], Turn(), _clocks()
        view: Any = bpy.types.SpaceView3D
        handlers = bpy.app.handlers
        drawing, evaluating = _Pair(self, DRAWING), _Pair(self, EVALUATION)
        drawn = [
            view.draw_handler_add(drawing.begin, (), "WINDOW", "PRE_VIEW"),
            view.draw_handler_add(drawing.end, (), "WINDOW", "POST_PIXEL"),
        ]
        # First and last of all handlers, so that those of what is tested count as its own.
        handlers.depsgraph_update_pre.append(evaluating.begin)
        handlers.depsgraph_update_post.insert(0, evaluating.end)
        beat = self._beat  # Blender tells functions apart by what they are, not by equality
        bpy.app.timers.register(beat, first_interval=0.0)
        try:
            yield
        finally:
            bpy.app.timers.unregister(beat)
            handlers.depsgraph_update_pre.remove(evaluating.begin)
            handlers.depsgraph_update_post.remove(evaluating.end)
            for handler in drawn:
                view.draw_handler_remove(handler, "WINDOW")

    def watch(self, owner: Any, name: str, title: str) -> None:
        """Note how long a function of a class, an object or a module runs, from now on."""
        function = getattr(owner, name)

        @functools.wraps(function)
        def timed(*arguments: Any, **keywords: Any) -> Any:
            start = _worked()
            self._open.append(0.0)
            try:
                return function(*arguments, **keywords)
            finally:
                whole = _worked() - start
                self.note(title, whole - self._open.pop())
                if self._open:
                    self._open[-1] += whole

        setattr(owner, name, _AS_BLENDER_CALLS.get(name, lambda own: own)(timed))

    def note(self, title: str, seconds: float) -> None:
        """Note that something took so long in this turn."""
        self._turn.parts[title] = self._turn.parts.get(title, 0.0) + seconds

    def _beat(self) -> float:
        now, beaten_before = _clocks(), self._beaten
        self._turn.length, self._turn.work = now[0] - beaten_before[0], now[1] - beaten_before[1]
        self.all.append(self._turn)
        self._turn, self._beaten = Turn(), now
        return BEAT


# Blender counts the arguments that a function declares before it calls it.
_AS_BLENDER_CALLS: dict[str, Callable[[Any], Any]] = {
    "draw": lambda timed: lambda self, context: timed(self, context),
    "invoke": lambda timed: lambda self, context, event: timed(self, context, event),
    "modal": lambda timed: lambda self, context, event: timed(self, context, event),
}


class _Pair:
    """Work of Blender between two calls of handlers."""

    def __init__(self, turns: Turns, title: str) -> None:
        self._turns, self._title, self._start = turns, title, 0.0

    def begin(self, *_: Any) -> None:
        self._start = _worked()

    def end(self, *_: Any) -> None:
        self._turns.note(self._title, _worked() - self._start)
