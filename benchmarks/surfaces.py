# SPDX-License-Identifier: GPL-3.0-or-later
"""What a full set of seven maps costs: as a multiple of one fractal, and in bytes a texel.

    python -m benchmarks.surfaces              # all surfaces at 1024 x 1024
    python -m benchmarks.surfaces 2048 brick

The fractal is that of docs/benchmarks.md, Perlin noise of 8 octaves from 8 cells, on the same grid.
Times are processor time on one thread, the best of some runs in turn with the fractal's, so that a
machine that slows down hits both; bytes are the peak beyond the maps themselves.
"""

from __future__ import annotations

import statistics
import sys
import tracemalloc

from noise_core import Grid
from noise_core.blocks import on_threads
from noise_core.noise import Noise
from noise_core.noises import Fractal, Perlin
from noise_core.surfaces import surface, surface_names

from .measure import timed

MOST, MEDIAN = 40.0, 20.0
"""What the heaviest surface and the median may cost, in fractals."""

MOST_BYTES = 64.0


RUNS = 5


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
    fractal = Fractal(source=Perlin(frequency=8.0), octaves=8.0)
    costs, sizes = [], []
    for name in arguments or surface_names():
        cost, unit = fractals(name, fractal, grid)
        costs.append(cost)
        sizes.append(peak(name, grid))
        print(
            f"{name:20} {cost:6.1f} fractals of {unit * 1e3:.1f} ms {sizes[-1]:6.1f} bytes a texel",
            flush=True,
        )
    median = statistics.median(costs)
    print(f"heaviest {max(costs):.1f} (at most {MOST:g}), median {median:.1f} (at most {MEDIAN:g})")
    return int(max(costs) > MOST or median > MEDIAN or max(sizes) > MOST_BYTES)


def fractals(name: str, fractal: Noise, grid: Grid) -> tuple[float, float]:
    """Return what a surface costs in fractals, and what one of these does in seconds."""
    one = surface(name)
    with on_threads(1):
        textures, unit = timed(
            [lambda: one.textures(grid, 1), lambda: fractal.sample_grid(grid, 1)], RUNS
        )
    return textures.best / unit.best, unit.best


if __name__ == "__main__":
    sys.exit(main())
