# SPDX-License-Identifier: GPL-3.0-or-later
"""Latency of live update inside Blender: ``python benchmarks/blender_live.py``.

From the moment a property is set to the moment the new positions are in the mesh and Blender knows
of them, for a terrain of eight octaves of Perlin noise. Needs Blender as a Python module
(``pip install bpy``), or runs in Blender itself with ``--background --python``; with a window,
``blender --python benchmarks/blender_live.py``, the way through Blender's main loop is in it too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import blas
import bpy

RESOLUTION = 512
OCTAVES = 8
RUNS = 60
WARM = 10
"""Runs before, which do not count: Terrane learns how long this recipe takes."""

MUST, AIM = 0.033, 0.012


def terrain() -> bpy.types.Object:
    """Add the terrain."""
    _terrane.empty_scene()
    bpy.ops.terrane.terrain_add(
        noise="perlin", fractal="fbm", octaves=OCTAVES, frequency=4, resolution=RESOLUTION
    )
    return bpy.context.active_object


def report(seconds: list[float], where: str) -> None:
    """Print the least and the middle one."""
    counted = sorted(seconds[WARM:])
    least, middle = counted[0], counted[len(counted) // 2]
    size = f"{RESOLUTION} x {RESOLUTION}, {OCTAVES} octaves"
    print(f"Blender {bpy.app.version_string}, {blas.label()}, {size}, {where}")
    print(
        f"property to positions: least {least * 1e3:.1f} ms, median {middle * 1e3:.1f} ms", end=""
    )
    print(f"  (must {MUST * 1e3:g}, aim {AIM * 1e3:g})", flush=True)


def in_background(live: ModuleType) -> None:
    """Measure without the main loop, which has no timers here."""
    thing, seconds = terrain(), []
    for run in range(WARM + RUNS):
        start = time.perf_counter()
        thing.terrane.layers[0].chain[0].perlin.frequency = 4.0 + 0.01 * (run + 1)
        live.update_now(is_preview=True)
        seconds.append(time.perf_counter() - start)
    report(seconds, "in the background")


def in_window(live: ModuleType, changed: ModuleType) -> None:
    """Measure with the main loop; the window is closed at the end."""
    seconds: list[float] = []
    written: list[float] = []
    tell = changed.update_positions

    def telling(mesh: bpy.types.Mesh) -> None:
        tell(mesh)
        written.append(time.perf_counter())

    changed.update_positions = telling

    def runs() -> Iterator[float]:
        thing = terrain()
        thing.display_type = "BOUNDS"  # drawing is the graphics card's time
        yield 1.0
        for run in range(WARM + RUNS):
            written.clear()
            start = time.perf_counter()
            thing.terrane.layers[0].chain[0].perlin.frequency = 4.0 + 0.01 * (run + 1)
            while not written:
                yield 0.0
            seconds.append(written[0] - start)
            while not live.queue.is_idle:
                yield 0.02
            print(".", end="", flush=True)
        report(seconds, "in a window")
        _terrane.leave(0)

    steps = runs()
    bpy.app.timers.register(lambda: next(steps), first_interval=1.0)


def main() -> None:
    """Measure and print."""
    package = _terrane.load()
    live = _terrane.part(package, "operators.bridge.tasks.live")
    if bpy.app.background:
        in_background(live)
    else:
        in_window(live, _terrane.part(package, "operators.bridge.datablocks.compat"))


if __name__ == "__main__":
    if bpy.app.background:
        _terrane.run(main)
    main()
