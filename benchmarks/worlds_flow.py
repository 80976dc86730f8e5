# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of flow in tiles: filled depressions, directions and drainage areas of land of ten octaves.

python -m benchmarks.worlds_flow [--sides 4096 16384] [--tile 2048] [--folder /tmp] [--evaluate]

Heights lie on the disk, or with `--evaluate` are evaluated when they are asked for, which is part of the time then and
takes 4 bytes a cell less of the 14 on the disk. One thread. Cells for each second of the processor, the highest memory so far, the time on the clock, and, up to
4096 samples a side, the time over that of the same in memory, which is run first.
"""

from __future__ import annotations

import argparse
import dataclasses
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from noise_core import Grid
from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.flow_routing.routing import route
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from terrane_worlds.base.tiling import Tiling, Window
from terrane_worlds.flow.surface import drained_cells
from terrane_worlds.rasters.level_fields import read_whole
from terrane_worlds.tiles.engine import Engine
from terrane_worlds.tiles.fields import TiledField
from terrane_worlds.tiles.land import Land

NOISE = Fractal(source=Perlin(frequency=2.1), octaves=10)
HEIGHT = np.float32(2000.0)
MOST_IN_MEMORY = 4096


@dataclasses.dataclass(frozen=True)
class Evaluated:
    """Heights that are read as if they lay in a field."""

    grid: Grid
    tiling: Tiling

    def read(self, window: Window) -> Field:
        """Return the heights of a window."""
        part = self.grid.window(window.row, window.column, *window.shape)
        return NOISE.sample_grid(part, 5) * HEIGHT


def stored(evaluated: Evaluated, land: Land) -> TiledField:
    """Return the heights as a field."""
    height = land.new_field("height", "float32")
    for one in land.tiling.tiles:
        height.write(one, evaluated.read(one))
    return height


def measure(side: int, tile: int, folder: Path, evaluate: bool) -> None:
    """Print a line about land of so many samples a side."""
    grid = Grid(side, side, size=12000.0)
    land = Land(grid, Tiling(side, side, tile), Engine(), folder)
    height: Evaluated | TiledField = Evaluated(grid, land.tiling)
    if not evaluate:
        height = stored(height, land)
    in_memory = None
    if side <= MOST_IN_MEMORY:
        whole = height.read(Window(0, 0, side, side))
        start = time.process_time()
        areas = route(whole, Level.from_grid(grid)).accumulate()
        in_memory = time.process_time() - start
    start, begin = time.process_time(), time.perf_counter()
    cells = drained_cells(height, land)
    taken, minutes = time.process_time() - start, (time.perf_counter() - begin) / 60.0
    over = ""
    if in_memory is not None:
        assert np.array_equal(read_whole(cells).reshape(-1), areas)
        over = f"  {taken / in_memory:.2f} of the time in memory"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{side:6} {side * side / taken / 1e6:6.2f} M cells/s {peak:7.0f} MiB {minutes:6.1f} min{over}",
        flush=True,
    )


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sides", type=int, nargs="*", default=[4096, 16384])
    parser.add_argument("--tile", type=int, default=2048)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--evaluate", action="store_true")
    given = parser.parse_args()
    for side in given.sides:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder, blocks.on_threads(1):
            measure(side, given.tile, Path(folder), given.evaluate)


if __name__ == "__main__":
    main()
