# SPDX-License-Identifier: GPL-3.0-or-later
"""Synchronous execution: Blender waits for a task, as in scripts, instead of handling events between steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_is_synchronous = False


@contextmanager
def synchronously() -> Iterator[None]:
    """Declare that Blender waits for all tasks within the block, so that no data can change."""
    global _is_synchronous
    before, _is_synchronous = _is_synchronous, True
    try:
        yield
    finally:
        _is_synchronous = before


def is_synchronous() -> bool:
    """Return whether Blender waits for tasks."""
    return _is_synchronous
