# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory of freed arrays, kept for the next ones."""

from __future__ import annotations

import functools
import os
import sys

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1
"""Numbers of glibc's parameters (malloc.h, mallopt(3))."""

LARGEST_KEPT = 32 << 20
"""Bytes. Larger arrays are mapped afresh in any case: glibc accepts no higher threshold."""

KEPT = 256 << 20
"""Bytes that are kept at most. Erosion of 1024² needs 90 MB."""

_IN_ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"}
"""Variables that set the same parameters."""


@functools.cache
def keep_freed_memory() -> None:
    """Let the C library keep the memory of arrays instead of returning it each time.

    glibc maps large arrays afresh and unmaps them when they are freed, and returns the free end of its
    heap, so that every block pays for page faults: up to three times the time of the noise itself, and a
    twentieth of that of erosion. Settings of malloc in the environment win. Elsewhere this does
    nothing, and needs not where malloc itself keeps freed memory, as in Blender on Windows; see
    benchmarks/page_faults.py and docs/develop/platforms.md.
    """
    if sys.platform != "linux" or not _IN_ENVIRONMENT.isdisjoint(os.environ):
        return
    try:
        import ctypes
    except ImportError:  # a Python can be built without it
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, LARGEST_KEPT)
        mallopt(_TRIM_THRESHOLD, KEPT)
