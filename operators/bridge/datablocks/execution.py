# SPDX-License-Identifier: GPL-3.0-or-later
"""Synchronous execution: Blender waits for work, as in scripts, instead of going on between its steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_is_synchronous = False


@contextmanager
def synchronously() -> Iterator[None]:
    """Declare that Blender waits for all that is done in this context: nothing else can change."""
    global _is_synchronous
    before, _is_synchronous = _is_synchronous, True
    try:
        yield
    finally:
        _is_synchronous = before


def is_synchronous() -> bool:
    """Return whether Blender waits."""
    return _is_synchronous
