# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Blender goes on while something is done, or all of it happens at once, as in scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_is_at_once = False


@contextmanager
def at_once() -> Iterator[None]:
    """Say that all is done at once meanwhile, so that nobody can change anything."""
    global _is_at_once
    before, _is_at_once = _is_at_once, True
    try:
        yield
    finally:
        _is_at_once = before


def is_at_once() -> bool:
    """Return whether that is so."""
    return _is_at_once
