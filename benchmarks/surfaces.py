# SPDX-License-Identifier: GPL-3.0-or-later
"""What a full set of seven maps costs: as a multiple of one fractal, and in bytes a texel.

    python -m benchmarks.surfaces              # all surfaces at 1024 x 1024
    python -m benchmarks.surfaces 2048 brick

The fractal is that of docs/benchmarks.md, Perlin noise of 8 octaves from 8 cells, on the same grid;
what it costs from 4 cells is printed as well. Times are processor time on one thread, the least of
some runs; bytes are the peak beyond the maps themselves.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

from noise_core import Grid
from noise_core.blocks import on_threads
from noise_core.noises import Fractal, Perlin
from noise_core.surfaces import surface, surface_names

MOST, MEDIAN = 40.0, 20.0
"""What the heaviest surface and the median may cost, in fractals."""

MOST_BYTES = 64.0


def least(work: Callable[[], object], runs: int) -> float:
    """Return the processor time of the fastest of some runs, in seconds."""
    times = []
    with on_threads(1):
        for _ in range(runs):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return min(times)


def peak(name: str, grid: Grid) -> float:
    """Return the most memory held beyond the maps, in bytes a texel."""
    tracemalloc.start()
    maps = surface(name).textures(grid, 1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (most - sum(field.nbytes for field in maps.values())) / (grid.rows * grid.columns)


def main() -> int:
    """Print a line for each surface; return 1 if one is too dear."""
    arguments = sys.argv[1:]
    side = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 1024
    grid = Grid(side, side, wrap=True)
    coarse, unit = (fractal_seconds(cells, grid) for cells in (4.0, 8.0))
    print(
        f"one fractal at {side} x {side}: {unit * 1e3:.1f} ms; from 4 cells {coarse * 1e3:.1f} ms"
    )
    costs, sizes = [], []
    for name in arguments or surface_names():
        one = surface(name)
        costs.append(least(lambda: one.textures(grid, 1), 3) / unit)  # noqa: B023
        sizes.append(peak(name, grid))
        print(f"{name:20} {costs[-1]:6.1f} fractals  {sizes[-1]:6.1f} bytes a texel")
    median = statistics.median(costs)
    print(f"heaviest {max(costs):.1f} (at most {MOST:g}), median {median:.1f} (at most {MEDIAN:g})")
    return int(max(costs) > MOST or median > MEDIAN or max(sizes) > MOST_BYTES)


def fractal_seconds(cells: float, grid: Grid) -> float:
    """Return what one fractal costs, in seconds."""
    fractal = Fractal(source=Perlin(frequency=cells), octaves=8.0)
    return least(lambda: fractal.sample_grid(grid, 1), 15)


if __name__ == "__main__":
    sys.exit(main())
