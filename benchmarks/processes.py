# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements in separate processes: peak memory, import time, another NumPy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPORTS = ROOT / "build" / "benchmarks"
"""Where other commands leave what belongs into the report."""

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

_EXPORT = """
import sys
import tracemalloc
from pathlib import Path
from noise_core import Recipe
from noise_core.io.heightmaps import ExportOptions, export_heightmap
recipe, folder, side = Recipe.from_preset("alps"), sys.argv[1], int(sys.argv[2])

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))

def export(land, name, samples):
    export_heightmap(land, Path(folder) / name, target="unreal", samples=samples, size=1.0, options=ExportOptions(overwrite=True))

export(recipe, "warm", 505)  # what is imported and kept counts for neither
Path("/proc/self/clear_refs").write_text("5")
before = peak()
if len(sys.argv) > 3:
    export(recipe, "export", side)
    print(peak() - before)
else:
    made = recipe.evaluate(recipe.grid(side))
    print(peak() - before)
    tracemalloc.start()
    export(made.height, "write", side)
    print(tracemalloc.get_traced_memory()[1])
"""

_EROSION = """
import sys
import tracemalloc
from benchmarks.ground import Terrain
Terrain.of(64).eroded()
terrain = Terrain.of(int(sys.argv[1]))
tracemalloc.start()
terrain.eroded()
print(tracemalloc.get_traced_memory()[1])
"""


def comparisons() -> list[Path]:
    """Return the reports of `before`, which compare this checkout with earlier commits."""
    return sorted(REPORTS.glob("before-*.md"))


def peak_memory(noise: str, side: int, threads: int) -> float:
    """Return the most memory, in MB, that a grid needed beyond its result (Linux only)."""
    return float(_output(_MEMORY, noise, str(side), str(threads))) / 1e6


def import_milliseconds(runs: int) -> float:
    """Return the best time to import `noise_core`, NumPy being there already."""
    return min(float(_output(_IMPORT)) for _ in range(runs)) * 1e3


def erosion_bytes_per_cell(side: int) -> float:
    """Return the most memory that arrays took during a default stream erosion, its input aside."""
    return float(_output(_EROSION, str(side))) / side**2


def export_bytes_per_sample(side: int, folder: Path) -> tuple[float, float]:
    """Return the peak memory of an export beyond that of its evaluation, and beyond finished heights (Linux only)."""
    given = (str(folder), str(side))
    evaluated, writing = map(float, _output(_EXPORT, *given).split())
    exported = float(_output(_EXPORT, *given, "export"))
    return (exported - evaluated) / side**2, writing / side**2


@dataclass(frozen=True)
class Drainage:
    """Fill and drainage area against pysheds.

    Attributes
    ----------
    numpy : str
        The version it was measured with.
    seconds : dict
        Ours and the peer's by the side of the grid.
    """

    numpy: str
    seconds: dict[int, tuple[float, float]]


def drainage_beside_pysheds(runs: int) -> Drainage | None:
    """Measure under the Python that `TERRANE_PYSHEDS_PYTHON` names; None if there is none."""
    python = os.environ.get("TERRANE_PYSHEDS_PYTHON")
    if not python:
        return None
    printed = run([python, "-m", "benchmarks.pysheds_chain", str(runs)])
    result = json.loads(printed.splitlines()[-1])
    seconds = {int(side): (ours, peer) for side, (ours, peer) in result["seconds"].items()}
    return Drainage(result["numpy"], seconds)


def _output(code: str, *arguments: str) -> str:
    return run([sys.executable, "-c", code, *arguments])


def run(command: list[str], root: Path = ROOT) -> str:
    """Return what a command prints that finds the packages of this checkout, or of another one."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(
        command, cwd=root, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
