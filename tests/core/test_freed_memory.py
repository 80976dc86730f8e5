# SPDX-License-Identifier: GPL-3.0-or-later
"""Freed memory that glibc keeps for the next arrays."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

_FAULTS = """
import resource

import numpy as np

from noise_core.base.freed_memory import keep_freed_memory

def fill() -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    arrays = [np.ones(8 << 20, np.uint8) for _ in range(10)]
    assert all(one[-1] for one in arrays)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

keep_freed_memory()
fill()
print(fill())
"""

has_glibc = pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="only glibc is told"
)


def page_faults(**environment: str) -> int:
    """Return the page faults of 80 MB that had been freed before."""
    inherited = {key: one for key, one in os.environ.items() if not key.startswith("MALLOC_")}
    command = [sys.executable, "-c", _FAULTS]
    result = subprocess.run(
        command, env=inherited | environment, check=True, capture_output=True, text=True
    )
    return int(result.stdout)


@has_glibc
def test_memory_that_was_freed_is_kept():
    assert page_faults() < 100  # of 4 KB each it is 20,480


@has_glibc
@pytest.mark.parametrize("name", ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"])
def test_what_the_environment_says_holds(name):
    assert page_faults(**{name: "65536"}) > 100
