# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact fill and drainage area against pysheds, in a separate process.

    python -m benchmarks.pysheds_chain RUNS

pysheds 0.5 does not work with NumPy 2, so the whole comparison runs under a Python with NumPy 1.26,
Terrane included. Prints one line of JSON: seconds by side, ours first, and NumPy's version.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from affine import Affine
from pysheds.grid import Grid as Sheds
from pysheds.view import Raster, ViewFinder

from .ground import Terrain
from .measure import Work, timed

SIDES = (512, 1024)


def chain(terrain: Terrain) -> Work:
    """Return what fills and adds up the same terrain by pysheds."""
    rows, columns = terrain.height.shape
    step = terrain.level.step_x
    place = Affine(step, 0.0, 0.0, 0.0, -step, rows * step)
    view = ViewFinder(affine=place, shape=(rows, columns), nodata=np.float64(-1e9))
    heights = Raster(terrain.height.astype(np.float64), viewfinder=view)
    sheds = Sheds.from_raster(heights)

    def work() -> tuple[object, object]:
        filled = sheds.fill_depressions(sheds.fill_pits(heights))
        directions = sheds.flowdir(sheds.resolve_flats(filled))
        return filled, sheds.accumulation(directions)

    filled = np.asarray(work()[0])
    assert np.array_equal(filled, terrain.drained()[0]), "the peer fills to other heights"
    return work


def main() -> None:
    """Measure and print."""
    seconds = {}
    for side in SIDES:
        terrain = Terrain.of(side)
        ours, peer = timed([terrain.drained, chain(terrain)], int(sys.argv[1]))
        seconds[str(side)] = (ours.best, peer.best)
    print(json.dumps({"numpy": np.__version__, "seconds": seconds}))


if __name__ == "__main__":
    main()
