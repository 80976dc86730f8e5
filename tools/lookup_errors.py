# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure how far warps that are looked up lie from exact ones, for the table in docs/bounds.md.

python tools/lookup_errors.py            # print the table
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from noise_core import Grid, Noise
from noise_core.noises import Cellular, Fractal, Perlin, Simplex, Value, Warp

SIZES = (256, 512, 1024)
SEED = 7

SOURCES: Mapping[str, Noise] = {
    "Perlin, 4 cells": Perlin(frequency=4.0),
    "Value, 4 cells": Value(frequency=4.0),
    "Simplex, 4 cells": Simplex(frequency=4.0),
    "Cellular F1, 4 cells": Cellular(frequency=4.0),
    "Perlin, 5 octaves from 4 cells": Fractal(source=Perlin(frequency=4.0), octaves=5.0),
    "Value, 5 octaves": Fractal(source=Value(frequency=4.0), octaves=5.0),
    "Simplex, 5 octaves": Fractal(source=Simplex(frequency=4.0), octaves=5.0),
    "Perlin ridged, 5 octaves": Fractal(source=Perlin(frequency=4.0), octaves=5.0, kind="ridged"),
    "Perlin, 8 octaves": Fractal(source=Perlin(frequency=4.0), octaves=8.0),
}


def errors(source: Noise, size: int, levels: int) -> tuple[float, float]:
    """Return the largest and the root mean square error of a warp by 0.1 tiles on a wrapping grid."""
    flow = Fractal(source=Perlin(frequency=4.0), octaves=5.0)
    exact = Warp(source=source, displacement=flow, strength=0.1, levels=levels)
    grid = Grid(size, size, wrap=True)
    expected = exact.sample_grid(grid, SEED).astype(np.float64)
    apart = exact.with_values(method="lookup").sample_grid(grid, SEED) - expected
    return float(np.abs(apart).max()), float(np.sqrt((apart * apart).mean()))


def table() -> str:
    """Return the table as Markdown: largest and root mean square errors, one and two levels."""
    columns = (f"{size}², {'one' if n == 1 else 'two'}" for size in SIZES for n in (1, 2))
    lines = [
        f"| source | {' | '.join(columns)} |",
        "| --- |" + " ---: |" * (2 * len(SIZES)),
    ]
    for name, source in SOURCES.items():
        pairs = [errors(source, size, levels) for size in SIZES for levels in (1, 2)]
        cells = " | ".join(f"{largest:.0e} / {mean:.0e}" for largest, mean in pairs)
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
