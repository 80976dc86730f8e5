# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of worlds: eight octaves of Perlin, or a preset, evaluated and written with all overviews.

python -m benchmarks.worlds [--preset alps] [--sides 4096 8192 16384 32768] [--workers 2] [--tile 2048] [--folder /tmp]

Each side is built in a process of its own, and the store is removed afterwards. The first number is that of
samples a second with the start of the workers, the second without. Beside them stand what plain processes reach
that do nothing but evaluate the same tiles, samples for each second of a processor, which other work on the
machine changes least, the highest memory of one process, the bytes of the store, and the bytes written over these. One
worker has one thread.
`--scaling` tells how much faster several workers are than one, beside as many processes of plain arithmetic.
`--flushes 5` tells how much longer builds take that flush their files to the disk than such that do not, by the clock, the best
of so many in turn; one worker builds.
`--kills 30` ends a build of 4096 x 4096 samples so many times at random moments, and compares its digest
with that of a build that ran through.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from noise_core import Recipe
from noise_core.base import blocks
from noise_core.noises import Fractal, Perlin
from terrane_worlds import World
from terrane_worlds.builds.budget import size_of

NOISE = Fractal(source=Perlin(frequency=4.0), octaves=8)
RECIPE = Recipe(layers=(NOISE,), seed=7, height=1000.0, size=16000.0)


_ROUNDS = 40_000
"""Of plain arithmetic: some seconds of one process."""

PRESET, UNFLUSHED = "BENCHMARK_PRESET", "BENCHMARK_UNFLUSHED"
"""Variables of the environment that tell the processes started here of a preset, and to flush nothing."""


def world(side: int, tile: int) -> World:
    """Return a world of the noise or of the preset."""
    return World(os.environ.get(PRESET) or RECIPE, side, side, tile)


def written_bytes() -> int:
    """Return the bytes that this process, and those that it has waited for, have handed to the system to write."""
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(lines["wchar"])


def build(store: str, side: int, tile: int, workers: int) -> None:
    """Build a store, and print seconds and memory."""
    if os.environ.get(UNFLUSHED):
        os.fsync = lambda number: None
    begun: list[float] = []
    start, written = time.perf_counter(), written_bytes()
    with blocks.on_threads(1):
        digest = world(side, tile).build(
            store,
            workers=workers,
            progress=lambda status: begun or begun.append(time.perf_counter()),
        )
    end = time.perf_counter()
    times = os.times()
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    found = {
        "seconds": end - start,
        "working": end - begun[0],
        "processor": sum(times[:4]),
        "memory": max(resource.getrusage(kind).ru_maxrss for kind in kinds) * 1024,
        "digest": digest,
        "bytes": size_of(Path(store)),
        "written": (written_bytes() - written) / size_of(Path(store)),
    }
    print(json.dumps(found))


def plain(side: int, tile: int, processes: int) -> float:
    """Return the samples a second of processes that evaluate some of the tiles and keep nothing."""
    tiles = list(world(side, tile).tiling.tiles[: 16 * processes])
    jobs = [(side, tile, one) for one in tiles]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(_evaluate, jobs[:processes], 1)  # they have imported everything then
        start = time.perf_counter()
        pool.map(_evaluate, jobs, 1)
        return sum(one.rows * one.columns for one in tiles) / (time.perf_counter() - start)


def _evaluate(job: tuple) -> None:
    side, tile, window = job
    part = world(side, tile).grid.window(window.row, window.column, *window.shape)
    with blocks.on_threads(1):
        RECIPE.evaluate(part)


def start(folder: str, side: int, tile: int, workers: int) -> tuple[Path, subprocess.Popen]:
    """Return the store and the process of a build."""
    store = Path(folder) / "benchmark.zarr"
    numbers = map(str, (side, tile, workers))
    command = [sys.executable, "-m", "benchmarks.worlds", "--build", str(store), *numbers]
    return store, subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def scaling(folder: str, side: int, tile: int, workers: int) -> None:
    """Print how much faster several workers are than one, and processes of plain arithmetic."""
    built, calculated = [], []
    for count in (1, workers):
        store, process = start(folder, side, tile, count)
        built.append(json.loads(process.communicate()[0])["working"])
        shutil.rmtree(store)
        with multiprocessing.get_context("spawn").Pool(count) as pool:
            pool.map(_calculate, [1] * count, 1)  # they have imported everything then
            begin = time.perf_counter()
            pool.map(_calculate, [_ROUNDS // count] * count, 1)
            calculated.append(time.perf_counter() - begin)
    (one, several), (alone, together) = built, calculated
    print(
        f"{side:6} {workers} workers {one / several:.2f} times as fast as one,"
        f" plain arithmetic {alone / together:.2f} times"
    )


def _calculate(rounds: int) -> None:
    values = np.linspace(0.0, 1.0, 1 << 16, dtype=np.float32)
    for _ in range(4 * rounds):
        values *= np.float32(0.999)
        values += np.float32(0.001)


def measure(folder: str, side: int, tile: int, workers: int) -> None:
    """Build a world, and print a line about it."""
    store, process = start(folder, side, tile, workers)
    text, _ = process.communicate()
    shutil.rmtree(store)
    found = json.loads(text)
    peak = 0.0 if os.environ.get(PRESET) else plain(side, tile, workers) / 1e6
    names = ("seconds", "working", "processor")
    first, second, third = (side * side / found[name] / 1e6 for name in names)
    print(
        f"{side:6} {first:8.1f} {second:8.1f} {peak:8.1f} {third:8.1f} M samples/s"
        f" {found['memory'] / 1e6:7.0f} MB {found['bytes'] / 1e9:7.2f} GB {found['written']:5.1f} written",
        flush=True,
    )


def flushes(folder: str, side: int, tile: int, runs: int) -> None:
    """Print how much longer builds take that flush their files."""
    best = {"": float("inf"), "1": float("inf")}
    for unflushed in ("", "1") * runs:
        os.environ[UNFLUSHED] = unflushed
        store, process = start(folder, side, tile, 1)
        seconds = json.loads(process.communicate()[0])["working"]
        best[unflushed] = min(best[unflushed], seconds)
        shutil.rmtree(store)
    print(
        f"{side:6} {best['']:.2f} s, without flushes {best['1']:.2f} s: {best[''] / best['1']:.3f}"
    )


def kill(folder: str, side: int, tile: int, workers: int, count: int) -> None:
    """End builds at random moments, and print how many of their digests agree."""
    store, process = start(folder, side, tile, workers)
    begin = time.perf_counter()
    whole = json.loads(process.communicate()[0])["digest"]
    length = time.perf_counter() - begin
    shutil.rmtree(store)
    agreed, chance = 0, random.Random(1)
    for _ in range(count):
        store, process = start(folder, side, tile, workers)
        try:
            process.wait(chance.uniform(0.0, length))
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        agreed += world(side, tile).build(store, workers=workers) == whole
        shutil.rmtree(store)
    print(f"{agreed} of {count} digests after kills within {length:.1f} s are those of the whole")


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sides", type=int, nargs="*", default=[4096, 8192, 16384, 32768])
    parser.add_argument("--tile", type=int, default=2048)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--preset", default="")
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--flushes", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--build", nargs=4)
    given = parser.parse_args()
    os.environ[PRESET] = given.preset or os.environ.get(PRESET, "")
    if given.build:
        build(given.build[0], *map(int, given.build[1:]))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        if given.kills:
            kill(folder, given.sides[0], given.tile, given.workers, given.kills)
            return
        if given.flushes:
            for side in given.sides:
                flushes(folder, side, given.tile, given.flushes)
            return
        if given.scaling:
            for side in given.sides:
                scaling(folder, side, given.tile, given.workers)
            return
        print("  side    whole  working    plain processor")
        for side in given.sides:
            measure(folder, side, given.tile, given.workers)


if __name__ == "__main__":
    main()
