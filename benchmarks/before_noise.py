# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure noise and erosion on grids with a given checkout: ``python before_noise.py CHECKOUT RUNS``.

One of the two programs of `before`, which starts it with an earlier commit too: it may use only what
both have. Prints seconds of CPU time on one thread as a line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import blas
from measure import timed

import noise_core
from noise_core import Grid
from noise_core.modifiers import StreamErosion, ThermalErosion
from noise_core.noises import Fractal, Perlin, Warp

LARGE = 4096
EROSIONS = {
    "Whole default stream erosion, 1024²": StreamErosion(),
    "Thermal erosion, 64 passes, 1024²": ThermalErosion(passes=64),
}


def main() -> None:
    """Measure and print."""
    checkout, runs = Path(sys.argv[1]), int(sys.argv[2])
    if hasattr(os, "sched_setaffinity"):  # erosion takes as many threads as there are processors
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    assert Path(noise_core.__file__).is_relative_to(checkout), noise_core.__file__
    fbm = Fractal(source=Perlin(frequency=8.0), octaves=8)
    source = Fractal(source=Perlin(frequency=4.0), octaves=5)
    works = {
        "Perlin fbm, 8 octaves from 8 cells, 512²": (fbm, 512),
        "Perlin fbm, 8 octaves from 8 cells, 1024²": (fbm, 1024),
        "Perlin fbm, 8 octaves from 8 cells, 4096²": (fbm, LARGE),
        "Perlin, one octave, 32 cells, 4096²": (Perlin(frequency=32.0), LARGE),
        "Warp, two levels, fbm of 5 octaves, exact, 1024²": (
            Warp(source=source, displacement=source, strength=0.1, levels=2, method="exact"),
            1024,
        ),
    }
    seconds = {}
    for name, (noise, side) in works.items():
        grid = Grid(side, side)
        more = runs * min(LARGE // side, 8)  # what takes milliseconds is disturbed more
        (timing,) = timed([lambda: noise.sample_grid(grid, 7, threads=1)], more)  # noqa: B023
        seconds[name] = timing.best
    grid = Grid(1024, 1024, size=10_000.0)
    ground = Fractal(source=Perlin(frequency=3.0), octaves=9).sample_grid(grid, 7) * 700.0
    for name, erosion in EROSIONS.items():
        (timing,) = timed([lambda: erosion.apply(ground, grid, 7)], runs)  # noqa: B023
        seconds[name] = timing.best
    print(json.dumps({"blas": blas.name(), "label": blas.label(), "seconds": seconds}))


if __name__ == "__main__":
    main()
