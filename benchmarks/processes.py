# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to be measured in a process of its own: peak memory and the time to import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

_MEMORY = """
import sys
from pathlib import Path
from noise_core import Grid
from noise_core.noises import Cellular, Fractal, Perlin, Simplex
noise, side, threads = eval(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
noise.sample_grid(Grid(64, 64), 7, threads=threads)

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))

# Forget the peak so far: it may be the parent's, from before this process began its own program.
Path("/proc/self/clear_refs").write_text("5")
before = peak()
field = noise.sample_grid(Grid(side, side), 7, threads=threads)
print(peak() - before - field.nbytes)
"""

_IMPORT = """
import time
import numpy
begin = time.perf_counter()
import noise_core
print(time.perf_counter() - begin)
"""


def peak_memory(noise: str, side: int, threads: int) -> float:
    """Return the most memory, in MB, that a grid needed beyond its result (Linux only)."""
    return float(_output(_MEMORY, noise, str(side), str(threads))) / 1e6


def import_milliseconds(runs: int) -> float:
    """Return the best time to import `noise_core`, NumPy being there already."""
    return min(float(_output(_IMPORT)) for _ in range(runs)) * 1e3


def _output(code: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    ).stdout
