# SPDX-License-Identifier: GPL-3.0-or-later
"""Control of long work: threads, progress and cancel in one argument."""

from __future__ import annotations

from dataclasses import dataclass

from . import blocks
from .arguments import check_callable
from .blocks import Cancel, Progress


@dataclass(frozen=True, kw_only=True)
class Control:
    """How work runs, and who hears of it. No result depends on it.

    Parameters
    ----------
    threads : int, optional
        At least 1; by default as many as there are processors.
    progress : callable, optional
        Called with the finished share, from 0 to 1, rising; see `blocks.Progress`.
    cancel : callable, optional
        Called many times a second; True stops the work; see `blocks.Cancel`.

    Raises
    ------
    ParameterError
        If there cannot be so many threads, or a callback cannot be called.

    Examples
    --------
    >>> from noise_core import Control
    >>> Control(threads=2).threads
    2
    """

    threads: int | None = None
    progress: Progress | None = None
    cancel: Cancel | None = None

    def __post_init__(self) -> None:
        """Check the values."""
        blocks.check_threads(self.threads)
        check_callable(self.progress, "progress")
        check_callable(self.cancel, "cancel")


NO_CONTROL = Control()
