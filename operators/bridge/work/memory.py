# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory for what is read from Blender, and for what Blender makes, made ready by another thread.

To copy a large mesh out of Blender takes milliseconds. But a system gives memory when it is written to
for the first time, page by page, and that takes up to ten times as long, on virtual machines most of
all. A thread can do it; what is read then finds its place ready.

Blender's own arrays take as long. In most executables Blender and Python ask the same allocator, which
keeps for some seconds what is given back: what a thread has written to and given back, Blender gets.
(Not in Blender as a Python module; and Debian's 5.2 keeps no piece above 64 MB.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from ....noise_core.blocks import Cancel, Progress
from ....noise_core.errors import Cancelled
from . import attendance
from .jobs import Work
from .steps import Steps

Block = npt.NDArray[np.uint8]

WORTH = 1 << 22
"""Bytes from which on a thread is asked: what is less is there in a millisecond."""

_CHUNK = 1 << 23
"""Bytes between two looks at whether to stop."""

_ready: list[Block] = []
"""What `empty` may give away."""


def touching(sizes: Sequence[int], spare: Sequence[int] = ()) -> Work:
    """Return the work that gives blocks of so many bytes, each written to.

    Blocks of the sizes in `spare` are written to as well and given back, for arrays that Blender makes.
    """

    def touched(progress: Progress, cancel: Cancel) -> tuple[Block, ...]:
        blocks = tuple(np.empty(size, np.uint8) for size in (*sizes, *spare))
        for block in blocks:
            for start in range(0, len(block), _CHUNK):
                if cancel():
                    raise Cancelled("no memory is needed any more")
                block[start : start + _CHUNK].fill(0)
        return blocks[: len(sizes)]

    return touched


def warmed(sizes: Sequence[int]) -> Steps[None]:
    """Take the step before Blender makes arrays of so many bytes, if that is worth it."""
    if not attendance.is_at_once() and sum(sizes) >= WORTH:
        yield touching((), sizes)


@contextmanager
def ready(blocks: Sequence[Block]) -> Iterator[None]:
    """Let `empty` give these blocks away meanwhile, each once."""
    _ready[:] = blocks
    try:
        yield
    finally:
        _ready.clear()


def empty(count: int, dtype: Any) -> npt.NDArray[Any]:
    """Return an array of so many numbers whose values are not set, as `numpy.empty` does.

    It lies in a block that is ready, if one is exactly as large.
    """
    size = count * np.dtype(dtype).itemsize
    for place, block in enumerate(_ready):
        if len(block) == size:
            return _ready.pop(place).view(dtype)
    return np.empty(count, dtype)
