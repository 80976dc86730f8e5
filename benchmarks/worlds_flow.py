# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of flow in tiles: filled depressions, directions and drainage areas of land of ten octaves.

python -m benchmarks.worlds_flow [--sides 4096 16384] [--tile 2048] [--folder /tmp]

One thread. Cells for each second of the processor, the highest memory so far, and, up to 4096 samples a side,
the time over that of the same in memory, which is run first.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from noise_core import Grid
from noise_core.base import blocks
from noise_core.flow_routing.routing import route
from noise_core.noises import Fractal, Perlin
from noise_core.types.level import Level
from worlds.engine import Engine
from worlds.flow.surface import drained_cells
from worlds.land import Land
from worlds.rasters.level_fields import read_whole
from worlds.tiling import Tiling

NOISE = Fractal(source=Perlin(frequency=2.1), octaves=10)
HEIGHT = np.float32(2000.0)
MOST_IN_MEMORY = 4096


def measure(side: int, tile: int, folder: Path) -> None:
    """Print a line about land of so many samples a side."""
    grid = Grid(side, side, size=12000.0)
    land = Land(grid, Tiling(side, side, tile), Engine(), folder)
    height = land.new_field("height", "float32")
    for one in land.tiling.tiles:
        window = grid.window(one.row, one.column, *one.shape)
        height.write(one, NOISE.sample_grid(window, 5) * HEIGHT)
    in_memory = None
    if side <= MOST_IN_MEMORY:
        whole = read_whole(height)
        start = time.process_time()
        areas = route(whole, Level.from_grid(grid)).accumulate()
        in_memory = time.process_time() - start
    start = time.process_time()
    cells = drained_cells(height, land)
    taken = time.process_time() - start
    over = ""
    if in_memory is not None:
        assert np.array_equal(read_whole(cells).reshape(-1), areas)
        over = f"  {taken / in_memory:.2f} of the time in memory"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{side:6} {side * side / taken / 1e6:6.2f} M cells/s {peak:7.0f} MiB{over}", flush=True)


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sides", type=int, nargs="*", default=[4096, 16384])
    parser.add_argument("--tile", type=int, default=2048)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    given = parser.parse_args()
    for side in given.sides:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder, blocks.on_threads(1):
            measure(side, given.tile, Path(folder))


if __name__ == "__main__":
    main()
