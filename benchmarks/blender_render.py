# SPDX-License-Identifier: GPL-3.0-or-later
"""A landscape rendered by Cycles: ``python benchmarks/blender_render.py``; preset, width and samples may follow.

Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself with
``blender --background --python``. Prints processor time of `landscape_add` and of a picture 960 pixels
wide with 32 samples and denoising, and of the same with one sample a pixel: what it takes to prepare the
scene. Processor time is of all cores together: on two, a picture takes half of it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import bpy

PRESET, RESOLUTION = "rolling_hills", 1024
WIDTH, SAMPLES = 960, 32
CORES = 2


def rendered(width: int, samples: int) -> float:
    """Render the scene; return seconds of processor time."""
    scene: Any = bpy.context.scene
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.render.resolution_x, scene.render.resolution_y = width, width * 9 // 16
    scene.render.resolution_percentage = 100
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "landscape")
        return timed(lambda: bpy.ops.render.render(write_still=True))


def timed(work: Any) -> float:
    """Return seconds of processor time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Measure and print."""
    given = [one for one in sys.argv[1:] if one != "--"] if not bpy.app.binary_path else []
    preset = given[0] if given else PRESET
    width, samples = (int(one) for one in (given[1:3] if len(given) > 2 else (WIDTH, SAMPLES)))
    _terrane.load()
    _terrane.empty_scene()
    bpy.context.scene.world = None
    bpy.data.orphans_purge(do_recursive=True)
    keywords = {} if preset == "none" else {"preset": preset}
    added = timed(lambda: bpy.ops.terrane.landscape_add(resolution=RESOLUTION, **keywords))
    picture, scene = rendered(width, samples), rendered(width, 1)
    print(f"Blender {bpy.app.version_string}, {preset} at {RESOLUTION} x {RESOLUTION}")
    print(f"landscape_add        {added:7.2f} s of processor time")
    print(f"{width} wide, {samples} samples  {picture:7.1f} s, {picture / CORES:.1f} on {CORES} cores (must 120)")  # fmt: skip
    print(f"{width} wide, 1 sample    {scene:7.1f} s", flush=True)


if __name__ == "__main__":
    _terrane.run(main)
