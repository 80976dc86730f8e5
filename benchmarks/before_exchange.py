# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure heights in and out with a given checkout: ``python before_exchange.py CHECKOUT RUNS``.

One of the programs of `before`, which starts it with an earlier commit too: it may use only what both have.
Prints seconds of CPU time on one thread as a line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import blas
import numpy as np
from measure import timed

import noise_core
from noise_core import Grid
from noise_core.io.elevation_reading import read_elevation
from noise_core.io.heightmaps import export_heightmap
from noise_core.noises import Fractal, Perlin

try:
    from noise_core import Control, ExportOptions

    OVERWRITE = {"options": ExportOptions(overwrite=True), "control": Control(threads=1)}
    ALONE = {"control": Control(threads=1)}
except ImportError:  # a commit whose exports take all in one list
    OVERWRITE, ALONE = {"overwrite": True, "threads": 1}, {"threads": 1}

SIDE, TEXT_SIDE, HGT_SIDE = 2049, 513, 3601
TARGETS = {"unreal": 2017, "png16": SIDE, "geotiff": SIDE, "npy": SIDE}
"""Targets that are written, and their samples along a side."""


def main() -> None:
    """Measure and print."""
    checkout, runs = Path(sys.argv[1]), int(sys.argv[2])
    if hasattr(
        os, "sched_setaffinity"
    ):  # files are read on as many threads as there are processors
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    assert Path(noise_core.__file__).is_relative_to(checkout), noise_core.__file__
    noise = Fractal(source=Perlin(frequency=4.0), octaves=8)
    with tempfile.TemporaryDirectory(prefix="terrane-exchange-") as name:
        folder = Path(name)
        works = {**_exports(folder, noise), **_imports(folder, noise)}
        seconds = {
            work: timed([read_or_write], 2 * runs)[0].best for work, read_or_write in works.items()
        }
    print(json.dumps({"blas": blas.name(), "label": blas.label(), "seconds": seconds}))


def _heights(noise: Fractal, side: int) -> np.ndarray:
    return noise.sample_grid(Grid(side, side), 7) * np.float32(1000.0)


def _exports(folder: Path, noise: Fractal) -> dict[str, Callable[[], object]]:
    def export(target: str, side: int) -> Callable[[], object]:
        heights, path = _heights(noise, side), folder / target
        options = {"target": target, "samples": side, "size": 60_000.0, **OVERWRITE}
        return lambda: export_heightmap(heights, path, **options)

    return {f"Export, {target}, {side}²": export(target, side) for target, side in TARGETS.items()}


def _imports(folder: Path, noise: Fractal) -> dict[str, Callable[[], object]]:
    """Write files, and return what reads each, whole and reduced."""
    heights = _heights(noise, SIDE)
    land = {"size": 60_000.0, "samples": SIDE, **ALONE}
    export_heightmap(heights, folder / "land.tif", target="geotiff", **land)
    export_heightmap(heights, folder / "relief.png", target="png16", **land)
    whole = _heights(noise, HGT_SIDE).astype(">i2")
    whole[100:200, 300:400] = -32768
    (folder / "N46E007.hgt").write_bytes(whole.tobytes())
    text = "\n".join(" ".join(f"{one:.2f}" for one in row) for row in _heights(noise, TEXT_SIDE))
    head = (
        f"ncols {TEXT_SIDE}\nnrows {TEXT_SIDE}\nxllcorner 600000\nyllcorner 200000\ncellsize 25\n"
    )
    (folder / "land.asc").write_text(f"{head}NODATA_value -9999\n{text}\n", encoding="ascii")
    np.save(folder / "land.npy", heights)
    heights[:2048, :2048].astype("<f4").tofile(folder / "land.r32")
    sides = {
        "land.tif": SIDE,
        "relief.png": SIDE,
        "N46E007.hgt": HGT_SIDE,
        "land.asc": TEXT_SIDE,
        "land.npy": SIDE,
        "land.r32": 2048,
    }
    works: dict[str, Callable[[], object]] = {}
    for name, side in sides.items():
        path = folder / name
        works[f"Import, {path.suffix[1:]}, {side}²"] = lambda path=path: read_elevation(path)
        works[f"Import, {path.suffix[1:]}, {side}² to 256²"] = (
            lambda path=path: read_elevation(path, samples=256)
        )  # fmt: skip
    return works


if __name__ == "__main__":
    main()
