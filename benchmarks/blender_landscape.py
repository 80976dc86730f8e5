# SPDX-License-Identifier: GPL-3.0-or-later
"""A landscape with all its parts inside Blender, each in a fresh process: ``python benchmarks/blender_landscape.py``.

Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself with
``blender --background --python``. Terrane is installed as an extension in a profile of its own. Prints
seconds of `landscape_add`, best of three: for the first click after the installation, when no image
of the ground and the sky lies on disk yet (after one run that only compiles Terrane's modules); for the
first one in a later session; and for one more in the same session, in an emptied file. The columns are the
processor time of a process with one processor, where the system can limit it; the processor time of one with all
processors, whose threads also count the time they wait for each other if they share a core; and the elapsed time of
the latter. The ratios are processor time over that of evaluating the recipe alone in the same process, which
depends little on the machine and on what else it does. The last line is the size of the file, saved compressed.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import blas
import bpy

PRESET = "rolling_hills"
RESOLUTION = 1024
RUNS = 3
AGAIN = 2
"""How often a process adds the landscape once more, and evaluates the recipe: the least counts."""
ONCE = "--once"
"""Argument of the process that adds one landscape; after it how many processors it may have, 0 for all, and the
folder of its bytecode."""

Seconds = tuple[float, float]
"""Of processor time, and elapsed."""


def add_once(processors: int, bytecode: str) -> dict[str, Any]:
    """Add a landscape, and the same again; return the seconds of each and the megabytes of its file."""
    if processors:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:processors])
    # As in a Blender that people start, which has it on disk.
    sys.dont_write_bytecode, sys.pycache_prefix = False, bytecode
    core = _terrane.part(_terrane.load(), "noise_core")
    first = in_empty_file()
    recipe = core.Recipe.from_preset(PRESET)
    grid = recipe.grid(RESOLUTION)
    alone, again = [], []
    for _ in range(AGAIN):
        alone.append(timed(lambda: recipe.evaluate(grid)))
        again.append(in_empty_file())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "landscape.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
        megabytes = path.stat().st_size / 1e6
    return {"first": first, "again": least(again), "recipe": least(alone), "megabytes": megabytes}


def least(found: list[Seconds]) -> Seconds:
    """Return the least of each kind of seconds."""
    processors, elapsed = zip(*found)
    return min(processors), min(elapsed)


def in_empty_file() -> Seconds:
    """Remove what is in the file, add a landscape, and return the seconds of the latter."""
    _terrane.empty_scene()
    bpy.context.scene.world = None
    bpy.data.orphans_purge(do_recursive=True)
    return timed(lambda: bpy.ops.terrane.landscape_add(preset=PRESET, resolution=RESOLUTION))


def timed(work: Callable[[], object]) -> Seconds:
    """Return the seconds that some work takes."""
    start, begin = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - start, time.perf_counter() - begin


def in_fresh_process(processors: int, bytecode: str, profile: str) -> dict[str, Any]:
    """Return what `add_once` does in a process of its own."""
    binary, script = bpy.app.binary_path, str(Path(__file__).resolve())
    command = [binary, "--background", "--python", script, "--"] if binary else [sys.executable, script]  # fmt: skip
    done = subprocess.run(
        [*command, ONCE, str(processors), bytecode],
        env={**os.environ, "BLENDER_USER_RESOURCES": profile},
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = [one for one in done.stdout.splitlines() if one.startswith("{")]
    found: dict[str, Any] = json.loads(line)
    return found


def install(profile: Path) -> None:
    """Install this checkout as an extension in an empty profile: only then it has a disk cache."""
    extensions = profile / "extensions" / "user_default"
    extensions.mkdir(parents=True)
    (extensions / "terrane").symlink_to(Path(__file__).resolve().parents[1])


def forget_images(profile: Path) -> None:
    """Remove what earlier sessions have left on disk."""
    for folder in profile.rglob("made_images"):
        shutil.rmtree(folder)


def measure(processors: int, bytecode: str, profile: str) -> dict[str, list[dict[str, Any]]]:
    """Return what processes found right after the installation, and what later ones did."""
    found: dict[str, list[dict[str, Any]]] = {"after install": [], "later": []}
    for _ in range(RUNS):
        forget_images(Path(profile))
        for runs in found.values():
            runs.append(in_fresh_process(processors, bytecode, profile))
    return found


def main() -> None:
    """Measure and print."""
    if ONCE in sys.argv:
        print(json.dumps(add_once(int(sys.argv[-2]), sys.argv[-1])), flush=True)
        return
    with tempfile.TemporaryDirectory() as bytecode, tempfile.TemporaryDirectory() as profile:
        install(Path(profile))
        in_fresh_process(0, bytecode, profile)
        spread = measure(0, bytecode, profile)
        alone = measure(1, bytecode, profile) if hasattr(os, "sched_setaffinity") else None
    print(
        f"Blender {bpy.app.version_string}, {blas.label()}, {PRESET} at {RESOLUTION} x {RESOLUTION}"
    )
    print("seconds             one processor   all processors   elapsed")
    for title, when, name in (
        ("landscape_add", "later", "first"),
        ("after install", "after install", "first"),
        ("once more", "later", "again"),
        ("recipe alone", "later", "recipe"),
    ):
        one, all_of_them = (
            f"{min(run[name][0] for run in found[when]):.2f}" if found else ""
            for found in (alone, spread)
        )
        elapsed = min(run[name][1] for run in spread[when])
        must = "  (must 3)" if title == "landscape_add" else ""
        print(f"{title:19}{one:>14}{all_of_them:>17}{elapsed:10.2f}{must}")
        if name != "recipe":
            runs = (alone or spread)[when]
            ratio = statistics.median(run[name][0] / run["recipe"][0] for run in runs)
            print(f"{'  over recipe alone':19}{ratio:14.1f}")
    megabytes = min(run["megabytes"] for run in spread["later"])
    print(f"file, compressed{megabytes:7.1f} MB   (must 90)", flush=True)


if __name__ == "__main__":
    _terrane.run(main)
