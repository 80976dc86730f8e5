# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of noise and erosion where the C library returns freed memory, as on musl and Windows.

python benchmarks/page_faults.py [library]

CPU milliseconds and page faults on one thread, the best of several runs in processes of their own: as
glibc does it after `freed_memory.keep_freed_memory`; with every array beyond 1 MiB mapped afresh, as Windows' own
heap does it; and beyond 128 KiB, as musl does it. A library that replaces malloc, such as the
libtbbmalloc_proxy.so.2 that Blender brings along on Windows, is one column more.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROUNDS = 3
RUNS = 5

_MEASURE = "--measure"


def _allocators(library: str) -> dict[str, dict[str, str]]:
    """Return the environments in which glibc does as others do, by their names."""

    def mapped_from(size: int) -> dict[str, str]:
        # Set by hand, neither grows when a larger array is freed (mallopt(3)).
        return {f"MALLOC_{name}_THRESHOLD_": str(size) for name in ("MMAP", "TRIM")}

    found = {"kept": {}, "1 MiB": mapped_from(1 << 20), "128 KiB": mapped_from(1 << 17)}
    if library:
        preload = {"LD_PRELOAD": library, "LD_LIBRARY_PATH": str(Path(library).parent)}
        found[Path(library).name] = preload
    return found


def _cases() -> dict[str, Callable[[], object]]:
    import numpy as np

    from noise_core import Grid, Recipe
    from noise_core.modifiers import StreamErosion
    from noise_core.noises import Fractal, Perlin, Warp

    fbm = Fractal(source=Perlin(frequency=8.0), octaves=8)
    recipe = Recipe(layers=(fbm, StreamErosion()), height=1000.0)
    points = np.stack(np.meshgrid(*2 * [np.linspace(0.0, 1.0, 512)]), axis=-1)
    return {
        "fbm, 512²": lambda: fbm.sample_grid(Grid(512, 512)),
        "fbm, 1024²": lambda: fbm.sample_grid(Grid(1024, 1024)),
        "fbm at 512² points": lambda: fbm.sample(points),
        "warped fbm, 1024²": lambda: Warp(source=fbm).sample_grid(Grid(1024, 1024)),
        "stream erosion, 512²": lambda: recipe.evaluate(Grid(512, 512, size=8000.0)),
    }


def measure() -> dict[str, list[float]]:
    """Return milliseconds and page faults of each case in this process."""
    from noise_core.base.blocks import on_threads

    found = {}
    with on_threads(1):
        for name, work in _cases().items():
            work()
            runs = []
            for _ in range(RUNS):
                start = time.process_time()
                faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
                work()
                faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
                runs.append([(time.process_time() - start) * 1e3, float(faults)])
            found[name] = min(runs)
    return found


def main() -> None:
    """Print the table, as Markdown."""
    allocators = _allocators(sys.argv[1] if len(sys.argv) > 1 else "")
    best: dict[str, dict[str, list[float]]] = {}
    for _ in range(ROUNDS):
        for name, environment in allocators.items():
            own = {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
            printed = subprocess.run(
                [sys.executable, __file__, _MEASURE],
                env={**os.environ, **own, **environment},
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
            for case, row in json.loads(printed).items():
                known = best.setdefault(case, {})
                known[name] = min(known.get(name, row), row)
    print(
        f"| CPU ms (page faults) | {' | '.join(allocators)} |\n|{' --- |' * (len(allocators) + 1)}"
    )
    for case, rows in best.items():
        cells = (f"{rows[name][0]:.0f} ({rows[name][1]:.0f})" for name in allocators)
        print(f"| {case} | {' | '.join(cells)} |")


if __name__ == "__main__":
    if _MEASURE in sys.argv:
        print(json.dumps(measure()))
    else:
        main()
