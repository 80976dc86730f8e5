# SPDX-License-Identifier: GPL-3.0-or-later
"""Small work that nobody waits for, such as pictures: one piece at a time, in a thread of its own.

Of two pieces that make the same thing the newer one counts. What comes of it is handed over in
Blender's main thread, by a timer. In the background there are no timers: there all is done at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.errors import Cancelled, TerraneError
from . import jobs
from .jobs import Job, Work

TICK = 0.02
"""Seconds between two looks at the work."""

Done = Callable[[Any], None]
"""Gets what the work gave, in the main thread."""

_LOG = logging.getLogger(__package__)
_REFUSALS = (TerraneError, MemoryError)


@dataclass(frozen=True)
class _Piece:
    key: str
    work: Work
    done: Done
    refused: Callable[[], None]


_waiting: dict[str, _Piece] = {}
_running: tuple[_Piece, Job] | None = None


def run(key: str, work: Work, done: Done, refused: Callable[[], None] = lambda: None) -> None:
    """Do some work soon, and hand over what came of it.

    Parameters
    ----------
    key : str
        What is made: older work on the same is given up.
    work : callable
        See `jobs.Work`.
    done : callable
        Is not called if the work was given up or refused.
    refused : callable
        Is called if it could not be done.
    """
    piece = _Piece(key, work, done, refused)
    if bpy.app.background:
        _hand_over(piece, lambda: jobs.at_once(work))
        return
    give_up(key)
    _waiting[key] = piece
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.0, persistent=True)


def give_up(key: str) -> bool:
    """Do not go on with the work on something; return False if it is done, and to be handed over."""
    _waiting.pop(key, None)
    if _running is not None and _running[0].key == key:
        if _running[1].is_done:
            return False
        _running[1].stop()
    return True


def is_idle() -> bool:
    """Return whether there is nothing to do."""
    return _running is None and not _waiting


def clear() -> None:
    """Give everything up."""
    global _running
    _waiting.clear()
    if _running is not None:
        _running[1].stop()
        _running[1].wait(jobs.LONGEST_STOP)
        _running = None
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)


def _tick() -> float | None:
    global _running
    if _running is not None:
        piece, job = _running
        if not job.is_done:
            return TICK
        _running = None
        if not job.is_stopping:
            _hand_over(piece, job.result)
    if _waiting:
        piece = _waiting.pop(next(iter(_waiting)))
        _running = (piece, Job(piece.key, piece.work))
    return None if _running is None else TICK


def _hand_over(piece: _Piece, result: Callable[[], Any]) -> None:
    try:
        made = result()
    except Cancelled:
        return
    except _REFUSALS as error:
        _LOG.info("Terrane: %s: %s", piece.key, error)
        piece.refused()
        return
    piece.done(made)


def register() -> None:
    """Do nothing: work begins later."""


unregister = clear
