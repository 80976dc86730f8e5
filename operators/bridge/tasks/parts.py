# SPDX-License-Identifier: GPL-3.0-or-later
"""Short work for a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....noise_core.base.blocks import Cancel, Progress
from .jobs import Work


def making(make: Callable[[], Any]) -> Work:
    """Return the work of a function without progress; it is too short to be stopped."""

    def run(progress: Progress, cancel: Cancel) -> Any:
        return make()

    return run
