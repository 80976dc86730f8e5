# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits by the memory of the computer.

Operating systems allocate more memory than they have, and end a program that uses all of it; its unsaved
data is lost. Requests that need more than the installed memory are refused before they start.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys

from ....noise_core.base.errors import TerraneError

PER_VERTEX = 130
"""Bytes that a vertex of a terrain takes at the least while it is made: measured with Blender 4.5, at
2048 x 2048 and 4096 x 4096: 136 to 140, with erosion 170 to 197."""

PER_PIXEL = {False: 12, True: 24}
"""Bytes that a pixel of an image takes at the least, of 8 bits a channel and of 32: measured in the
same way, 12 to 20 and 24 to 29."""

PER_TEXEL = 8
"""Bytes that a texel takes at the least for each channel of each map: measured, 8 to 10."""

_GIGABYTE = 1e9


def require(who: str, samples: int, bytes_each: int) -> None:
    """Raise a TerraneError if samples need more than the installed memory; `who` is its subject."""
    needed, has = samples * bytes_each / _GIGABYTE, total_bytes() / _GIGABYTE
    if has and needed > has:
        raise TerraneError(
            "{} would take {:.0f} GB of memory; this computer has {:.0f} GB", who, needed, has
        )


@functools.cache
def total_bytes() -> int:
    """Return the bytes of installed memory; 0 if unknown."""
    if sys.platform == "win32":
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        is_known = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return int(status.total_physical) if is_known else 0
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 0


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of Windows' kernel32."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total_physical", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 6),
    )
