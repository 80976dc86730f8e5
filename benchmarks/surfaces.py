# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of a full set of seven maps: as a multiple of one fractal, and in bytes per texel.

    python -m benchmarks.surfaces              # all surfaces at 2048 x 2048
    python -m benchmarks.surfaces 1024 brick

The fractal is Perlin noise of 8 octaves from 8 cells, as in the other tables, on the same grid. Times
are processor time on one thread, the best of some runs in turn with as many fractals as the median
surface may cost: a machine whose speed comes and goes would favor the shorter of two works, for
which a fast moment is enough. Bytes are the peak beyond the maps themselves.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence

from noise_core import Grid
from noise_core.base.blocks import on_threads
from noise_core.materials.surfaces import surface, surface_names
from noise_core.noises import Fractal, Perlin
from noise_core.pictures.thumbnail import surface_picture

from .measure import timed
from .tables import say, verdict

SIDE = 2048
HEAVIEST, MEDIAN = 40.0, 20.0
"""What the heaviest surface and the median one may cost, in fractals."""

BYTES = 64.0
"""A texel beyond the maps."""

PREVIEW, PREVIEW_SIDE = 150.0, 256
"""Milliseconds that the picture in a panel may take after a change, and its pixels along each side."""


def table(runs: int, side: int = SIDE, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of a table: all surfaces, or some."""
    yield f"## Surfaces: seven maps, {side}²\n"
    yield "In times of Perlin fbm of 8 octaves from 8 cells on the same grid, all on one thread.\n"
    yield "| surface | fractals | of ms | bytes a texel beyond the maps |"
    yield "| --- | ---: | ---: | ---: |"
    grid = Grid(side, side, wrap=True)
    costs, sizes = [], []
    for name in names or surface_names():
        cost, unit = fractals(name, grid, runs)
        costs.append(cost)
        sizes.append(peak(name, grid))
        row = f"| {name} | {cost:.1f} | {unit * 1e3:.1f} | {sizes[-1]:.0f} |"
        say(row)
        yield row
    yield "\n| | measured | must | reached |"
    yield "| --- | ---: | ---: | --- |"
    for what, value, must in (
        ("heaviest surface, fractals", max(costs), HEAVIEST),
        ("median surface, fractals", statistics.median(costs), MEDIAN),
        ("most memory, bytes a texel", max(sizes), BYTES),
        ("slowest picture of settings, ms", max(map(preview, names or surface_names())), PREVIEW),
    ):
        row = f"| {what} | {value:.1f} | {must:g} | {verdict(value, must, 0.0)} |"
        say(row)
        yield row
    yield ""


def fractals(name: str, grid: Grid, runs: int) -> tuple[float, float]:
    """Return what a surface costs in fractals, and what one of these does in seconds."""
    one, fractal = surface(name), Fractal(source=Perlin(frequency=8.0), octaves=8.0)
    count = round(MEDIAN)

    def units() -> None:
        for _ in range(count):
            fractal.sample_grid(grid, 1)

    with on_threads(1):
        textures, unit = timed([lambda: one.textures(grid, 1), units], runs)
    return textures.best / unit.best * count, unit.best / count


def preview(name: str) -> float:
    """Return how many milliseconds the picture of a surface takes in panels, as users wait for it."""
    one = surface(name)
    seeds = iter(range(100))
    work = [lambda: surface_picture(one, next(seeds), PREVIEW_SIDE)]
    return timed(work, 5, time.perf_counter)[0].best * 1e3


def peak(name: str, grid: Grid) -> float:
    """Return the most memory held beyond the maps, in bytes a texel."""
    tracemalloc.start()
    maps = surface(name).textures(grid, 1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (most - sum(field.nbytes for field in maps.values())) / (grid.rows * grid.columns)


def main() -> None:
    """Print the table."""
    arguments = sys.argv[1:]
    side = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else SIDE
    print("\n".join(table(5, side, arguments)))


if __name__ == "__main__":
    main()
