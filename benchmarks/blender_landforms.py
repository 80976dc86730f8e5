# SPDX-License-Identifier: GPL-3.0-or-later
"""Seconds of `landscape_add` with each landform inside Blender: ``python benchmarks/blender_landforms.py [NAME ...]``.

Needs Blender as a Python module (``pip install bpy``). Terrane is installed as an extension in a profile of its own,
so that images of the ground and the sky lie on disk from the first run on. Each landform, or each that is named, is added at 1024 x 1024
into an emptied file, twice, in one process that has added a landscape before; the shorter time counts. Columns are
elapsed seconds, and processor seconds of all threads, which on a machine that does nothing else are no less than the
elapsed ones; then the processor seconds of each part: the terrain with its maps and its mesh, the ground, the colors,
the water, the surroundings, the plants, sky and camera, and the cliffs. Further arguments: ``--resolution N``, ``--runs N``, and ``--profile``, which prints where a run spends its time.
"""

from __future__ import annotations

import argparse
import collections
import cProfile
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import blas
import blender_landscape
import bpy

PARTS = ("terrain", "ground", "colors", "water", "surroundings", "plants", "view", "cliffs")
MUST = {"median": 3.0, "slowest": 5.0}
PROFILE = "BLENDER_USER_RESOURCES"
IN_PROFILE = "--in-profile"
"""Argument of the process that measures."""


class Watch:
    """Processor seconds of the parts of a landscape, taken where `landscape_add` begins and ends each."""

    def __init__(self, package: ModuleType) -> None:
        self.seconds: collections.Counter[str] = collections.Counter()
        landscape = _terrane.part(package, "operators.landscape")
        names = {share: name for name, share in landscape._SHARES.items()}
        part_of_steps = landscape.part_of_steps

        def watched(steps: Iterator[Any], *share: float) -> Iterator[Any]:
            begin = time.process_time()
            result = yield from part_of_steps(steps, *share)
            self.seconds[names[share]] += time.process_time() - begin
            return result

        landscape.part_of_steps = watched
        plants, write = landscape.plants, landscape.plants.write
        plants.write = lambda *arguments: self.timed("plants", lambda: write(*arguments))

    def timed(self, name: str, work: Callable[[], object]) -> None:
        """Do some work, and add its time to a part's."""
        begin = time.process_time()
        work()
        self.seconds[name] += time.process_time() - begin

    def landscape(self, preset: str, resolution: int) -> tuple[float, float, dict[str, float]]:
        """Add a landscape to an empty file; return elapsed and processor seconds, and those of each part."""
        _terrane.empty_scene()
        bpy.context.scene.world = None
        bpy.data.orphans_purge(do_recursive=True)
        self.seconds.clear()
        begin, start = time.perf_counter(), time.process_time()
        bpy.ops.terrane.landscape_add(preset=preset, resolution=resolution)
        elapsed, processors = time.perf_counter() - begin, time.process_time() - start
        parts = dict(self.seconds)
        parts["terrain"] = processors - sum(parts.values())
        return elapsed, processors, parts


def profiled(watch: Watch, preset: str, resolution: int) -> None:
    """Print where adding a landscape spends its time, in the main thread."""
    profile = cProfile.Profile()
    profile.enable()
    watch.landscape(preset, resolution)
    profile.disable()
    pstats.Stats(profile).sort_stats("cumulative").print_stats(90)


def main() -> None:
    """Measure in a process with a profile of its own."""
    if IN_PROFILE in sys.argv:
        sys.argv.remove(IN_PROFILE)
        measure()
        return
    with tempfile.TemporaryDirectory() as profile:
        blender_landscape.install(Path(profile))
        command = [sys.executable, str(Path(__file__).resolve()), IN_PROFILE, *sys.argv[1:]]
        subprocess.run(command, env={**os.environ, PROFILE: profile}, check=True)


def measure() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--resolution", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    package = _terrane.load()
    library = _terrane.part(package, "noise_core.landscapes.preset_library")
    names = options.names or [
        name for name in library.shipped_names() if library.heading(name).group == "landforms"
    ]
    watch = Watch(package)
    watch.landscape("rolling_hills", 256)
    print(f"Blender {bpy.app.version_string}, {blas.label()}, {options.resolution} samples wide")
    print(f"{'':18}elapsed  processor" + "".join(f"{name:>13}" for name in PARTS))
    least = []
    for name in names:
        runs = [watch.landscape(name, options.resolution) for _ in range(options.runs)]
        elapsed = min(run[0] for run in runs)
        _, processors, parts = min(runs, key=lambda run: run[1])
        least.append((elapsed, processors))
        columns = "".join(f"{parts.get(part, 0.0):13.2f}" for part in PARTS)
        print(f"{name:18}{elapsed:7.2f}{processors:11.2f}{columns}", flush=True)
        if options.profile:
            profiled(watch, name, options.resolution)
    for kind, times in zip(("elapsed", "processor"), zip(*least)):
        median = f"median {statistics.median(times):.2f} s (must {MUST['median']:g})"
        print(
            f"{kind}: {median}, slowest {max(times):.2f} s (must {MUST['slowest']:g})", flush=True
        )


if __name__ == "__main__":
    _terrane.run(main)
