# SPDX-License-Identifier: GPL-3.0-or-later
"""What a live update is made of: a wish, what is due for it, and the work that has begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.errors import Message, TerraneError
from ..work.jobs import Job
from ..work.steps import Course
from .live_target import Plan, Target

_SPREAD = 2e-8
"""Seconds a sample: 15 ns measured for heights, 25 for the pixels of an image."""


@dataclass
class Wish:
    """Something has changed, and what was made of it is to follow."""

    target: Target
    changed: float
    is_shown: bool = False
    """Whether a preview of the newest state is there, or none could be."""
    is_thorough: bool = False
    """Whether to look at what was painted too: it is no setting, and reading it takes its time."""


@dataclass(frozen=True)
class DoneJob:
    """Work that is over, in the place of a `Job`."""

    value: Any
    is_done = True

    def wait(self, seconds: float) -> bool:
        """Wait for nothing."""
        return True

    def stop(self) -> None:
        """Stop nothing."""

    def result(self) -> Any:
        """Return what the work gave."""
        return self.value


@dataclass
class Run:
    """Work that has begun."""

    target: Target
    plan: Plan
    job: Job | DoneJob
    side: int | None
    """Of the preview; None for the whole."""
    begun: float
    is_short: bool
    is_watched: bool = False
    course: Course | None = None
    """Steps that write what came of the work."""


@dataclass(frozen=True)
class Due:
    """A datablock, for as long as Blender is not let go on, and what is due for it."""

    owner: Any
    plan: Plan


def samples(plan: Plan, side: int | None) -> int:
    """Return how many samples the whole has, or a preview of it."""
    whole = plan.shape[0] * plan.shape[1]
    return whole if side is None else max(1, round(whole * (side / max(plan.shape)) ** 2))


def seconds_to_spread(plan: Plan, side: int | None) -> float:
    """Return about how long a preview takes to be spread over all samples, beyond its own making."""
    if side is None or side >= max(plan.shape):
        return 0.0
    return _SPREAD * plan.shape[0] * plan.shape[1]


def text_of(error: BaseException) -> str:
    """Return what went wrong in one line."""
    if isinstance(error, TerraneError):
        return error.message
    return str(error) or Message("There is not enough memory for that")


def is_rendering() -> bool:
    """Return whether Blender reads meshes and images in another thread."""
    return any(bpy.app.is_job_running(one) for one in ("RENDER", "OBJECT_BAKE"))
