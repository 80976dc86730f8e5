# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits by the memory of the computer.

Operating systems allocate more memory than they have, and end a program that uses all of it; its unsaved
data is lost. Requests that need more than the installed memory are refused before they start.
"""

from __future__ import annotations

import functools
import os
import sys

from .errors import ParameterError

_GIGABYTE = 1e9

_MOST = 1 << 62
"""Samples beyond which there is no computer: a float holds their number."""

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files in which Linux tells a container how much of the memory it may use (control groups, versions 2 and 1)."""


def require(who: str, samples: int, bytes_each: float) -> None:
    """Raise a ParameterError if samples need more than the installed memory; `who` is its subject.

    Parameters
    ----------
    who : str
    samples : int
    bytes_each : float
        That a sample takes at the least.
    """
    needed = min(samples, _MOST) * bytes_each / _GIGABYTE
    has = total_bytes() / _GIGABYTE
    if has and needed > has:
        raise ParameterError(
            "{} would take {:.0f} GB of memory; this computer has {:.0f} GB", who, needed, has
        )


@functools.cache
def total_bytes() -> int:
    """Return the bytes of memory that there are for this process, 0 if unknown: of the computer, or its share."""
    installed = _installed_bytes()
    return min([installed, *_limits()]) if installed else 0


def _installed_bytes() -> int:
    if sys.platform == "win32":
        return _windows_bytes()
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return 0


def _limits() -> list[int]:
    """Return the limits of a container, if there are any."""
    limits = []
    for path in _LIMITS:
        try:
            with open(path, "rb") as file:
                limits.append(int(file.read()))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return [limit for limit in limits if limit > 0]


def _windows_bytes() -> int:
    """Return the installed memory by `GlobalMemoryStatusEx` of Windows' kernel32."""
    import ctypes  # here, since other systems need none of it

    class MemoryStatus(ctypes.Structure):
        """MEMORYSTATUSEX."""

        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total_physical", ctypes.c_uint64),
            ("others", ctypes.c_uint64 * 6),
        )

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    library = getattr(ctypes, "windll").kernel32  # noqa: B009  (a checker elsewhere knows no such name)
    is_known = library.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.total_physical) if is_known else 0
