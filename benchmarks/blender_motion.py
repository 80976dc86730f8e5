# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of terrains with keyframes inside Blender: ``python benchmarks/blender_motion.py [-- PRESET ...]``.

From one frame of the scene to the next, without erosion: all that Blender and Terrane do, drawing aside, and
what of it the noise takes. Needs Blender as a Python module (``pip install bpy``), or runs in Blender itself:
``blender --background --python benchmarks/blender_motion.py`` measures whole frames, as renders
get them; without ``--background`` those of a window, where a terrain that takes too long shows a preview.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import _terrane
import blas
import bpy

RESOLUTION, FRAMES = 512, 24
PRESETS = ("none", "alps", "rolling_hills")
MUST, AIM = 0.040, 0.020


def animate(terrain: Any, what: str) -> None:
    """Key the tile, along which the land flies, the opacity of the last layer of noise, or the height."""
    if what == "tile":
        for frame, place in ((1, 0.0), (1 + FRAMES, 0.5)):
            terrain.terrane.tile = (place, 0.0)
            terrain.keyframe_insert("terrane.tile", frame=frame)
        return
    layers = [place for place, one in enumerate(terrain.terrane.layers) if not one.muted]
    path = f"terrane.layers[{layers[-1]}].opacity" if what == "opacity" else "terrane.height"
    for frame, share in ((1, 0.5), (1 + FRAMES, 1.0)):
        owner = terrain.terrane.layers[layers[-1]] if what == "opacity" else terrain.terrane
        name = path.rpartition(".")[2]
        setattr(owner, name, share if what == "opacity" else share * 100.0)
        terrain.keyframe_insert(path, frame=frame)


def terrain_of(preset: str, modifiers: Any) -> Any:
    """Add a terrain without its modifiers."""
    _terrane.empty_scene()
    bpy.ops.terrane.terrain_add(preset=preset, resolution=RESOLUTION)
    terrain: Any = bpy.context.active_object
    for entry in terrain.terrane.layers:
        entry.muted = entry.muted or entry.type in modifiers
    bpy.ops.terrane.terrain_update()
    return terrain


class Spent:
    """Seconds that a function takes, each time that it is called."""

    def __init__(self, owner: Any, name: str) -> None:
        self.seconds: list[float] = []
        called: Callable[..., Any] = getattr(owner, name)

        def timed(*given: Any, **more: Any) -> Any:
            start = time.perf_counter()
            result = called(*given, **more)
            self.seconds.append(time.perf_counter() - start)
            return result

        setattr(owner, name, timed)


def main() -> None:
    """Measure and print."""
    package = _terrane.load()
    modifiers = _terrane.part(package, "noise_core").modifier_types()
    frames = _terrane.part(package, "operators.bridge.terrain.frames")
    regrid = _terrane.part(package, "operators.bridge.terrain.regrid")
    noise, move = Spent(frames.known_fields(), "sample"), Spent(regrid, "move")
    size, where = f"{RESOLUTION} x {RESOLUTION}", "whole" if bpy.app.background else "in a window"
    print(f"Blender {bpy.app.version_string}, {blas.label()}, {size} without modifiers, {where}")
    print(
        f"milliseconds a frame, median, least, least of the processors (must {MUST * 1e3:g}, aim {AIM * 1e3:g}):"
    )
    given = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    for preset in given or PRESETS:
        for what in ("tile", "opacity", "height"):
            animate(terrain_of(preset, modifiers), what)
            scene, seconds, worked = bpy.context.scene, [], []
            scene.frame_set(1)
            noise.seconds, move.seconds = [], []
            for frame in range(2, 2 + FRAMES):
                start, before = time.perf_counter(), time.process_time()
                scene.frame_set(frame)
                seconds.append(time.perf_counter() - start)
                worked.append(time.process_time() - before)
            noises, moved = (statistics.median(one.seconds) * 1e3 for one in (noise, move))
            whole = f"{statistics.median(seconds) * 1e3:6.1f} {min(seconds) * 1e3:6.1f} {min(worked) * 1e3:6.1f}"
            print(
                f"{preset:16} {what:8} {whole}   noise {noises:6.1f}, vertices {moved:5.1f}",
                flush=True,
            )


if __name__ == "__main__":
    if bpy.app.background:
        _terrane.run(main)
    main()
    bpy.ops.wm.quit_blender()
