# SPDX-License-Identifier: GPL-3.0-or-later
"""A landscape with all its parts inside Blender, each in a fresh process: ``python benchmarks/blender_landscape.py``.

Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself with
``blender --background --python``. Terrane is installed as an extension in a profile of its own. Prints
processor time of `landscape_add`, best of three: for the first click after the installation, when no image
of the ground and the sky lies on disk yet (after one run that only compiles Terrane's modules); for the
first one in a later session; and for one more in the same session, in an emptied file. Then all of them as
multiples of evaluating the recipe alone in the same process, a number that depends little on the machine
and on what else it does. At last how large the file is, saved compressed.
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
"""Argument of the process that adds one landscape; after it the folder of its bytecode."""


def add_once(bytecode: str) -> dict[str, float]:
    """Add a landscape, and the same again; return seconds of processor time and megabytes of its file."""
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
    return {"first": first, "again": min(again), "recipe": min(alone), "megabytes": megabytes}


def in_empty_file() -> float:
    """Remove what is in the file, add a landscape, and return seconds of processor time of the latter."""
    _terrane.empty_scene()
    bpy.context.scene.world = None
    bpy.data.orphans_purge(do_recursive=True)
    return timed(lambda: bpy.ops.terrane.landscape_add(preset=PRESET, resolution=RESOLUTION))


def timed(work: Callable[[], object]) -> float:
    """Return seconds of processor time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def in_fresh_process(bytecode: str, profile: str) -> dict[str, Any]:
    """Return what `add_once` does in a process of its own."""
    binary, script = bpy.app.binary_path, str(Path(__file__).resolve())
    command = [binary, "--background", "--python", script, "--"] if binary else [sys.executable, script]  # fmt: skip
    done = subprocess.run(
        [*command, ONCE, bytecode],
        env={**os.environ, "BLENDER_USER_RESOURCES": profile},
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = [one for one in done.stdout.splitlines() if one.startswith("{")]
    found: dict[str, Any] = json.loads(line)
    return found


def forget_images(profile: Path) -> None:
    """Remove what earlier sessions have left on disk."""
    for folder in profile.rglob("made_images"):
        shutil.rmtree(folder)


def main() -> None:
    """Measure and print."""
    if ONCE in sys.argv:
        print(json.dumps(add_once(sys.argv[-1])), flush=True)
        return
    after_install, later = [], []
    with tempfile.TemporaryDirectory() as bytecode, tempfile.TemporaryDirectory() as folder:
        profile = Path(folder)
        extensions = profile / "extensions" / "user_default"
        extensions.mkdir(parents=True)
        (extensions / "terrane").symlink_to(Path(__file__).resolve().parents[1])
        in_fresh_process(bytecode, folder)
        for _ in range(RUNS):
            forget_images(profile)
            after_install.append(in_fresh_process(bytecode, folder))
            later.append(in_fresh_process(bytecode, folder))
    rows = (
        ("landscape_add", "first", later, "    (must 3)"),
        ("after install", "first", after_install, ""),
        ("once more", "again", later, ""),
        ("recipe alone", "recipe", later, ""),
    )
    print(
        f"Blender {bpy.app.version_string}, {blas.label()}, {PRESET} at {RESOLUTION} x {RESOLUTION}"
    )
    for title, name, found, must in rows:
        print(f"{title:15} {min(one[name] for one in found):7.2f} s{must}")
    for title, name, found, _ in rows[:-1]:
        ratio = statistics.median(one[name] / one["recipe"] for one in found)
        print(f"{title} over recipe alone: {ratio:.1f}")
    print(
        f"file, compressed{min(one['megabytes'] for one in later):7.1f} MB   (must 90)", flush=True
    )


if __name__ == "__main__":
    _terrane.run(main)
