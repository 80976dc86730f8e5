# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a terrain in Blender with a given checkout: ``python before_blender.py CHECKOUT RUNS``.

One of the two programs of `before`, which starts it with an earlier commit too: it may use only what
both have. Prints seconds of CPU time as a line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(sys.argv[1]) / "examples"))

import _terrane
import blas
import bpy

CHECKOUT, RUNS = Path(sys.argv[1]), int(sys.argv[2])
RESOLUTION = 512
OCTAVES = 8
MORE = 10
"""So many times as many runs: each takes milliseconds, and the first ones teach live update its pace."""


def best(work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> float:
    """Return the least processor time of some runs, in seconds, each after a preparation."""
    times = []
    for _ in range(MORE * RUNS):
        prepare()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def add() -> None:
    """Add a terrain by the operator."""
    bpy.ops.terrane.terrain_add(
        noise="perlin", fractal="fbm", octaves=OCTAVES, frequency=4, resolution=RESOLUTION
    )


def live_updates(package: ModuleType) -> ModuleType:
    """Return the module that updates terrains, by its name of today or the one it had before."""
    name = "operators.bridge.tasks.live"
    if not CHECKOUT.joinpath(*name.split(".")).with_suffix(".py").exists():
        name = "operators.bridge.live.live_update"
    return _terrane.part(package, name)


def main() -> None:
    """Measure and print."""
    package = _terrane.load()
    assert Path(package.__file__).is_relative_to(CHECKOUT), package.__file__
    live = live_updates(package)
    seconds = {f"terrain_add, {RESOLUTION}²": best(add, _terrane.empty_scene)}
    thing = bpy.context.active_object

    def update() -> None:
        # Before recipes were lists of layers, the frequency was a property of the settings.
        own = thing.terrane
        basis = own.layers[0].chain[0].perlin if hasattr(own, "layers") else own
        basis.frequency += 0.01
        live.update_now()

    height = thing.data.vertices[-1].co.z
    seconds[f"live update of the whole, {RESOLUTION}²"] = best(update)
    assert thing.data.vertices[-1].co.z != height, "live update did nothing"

    def drag(name: str, step: float) -> None:
        setattr(thing.terrane, name, getattr(thing.terrane, name) + step)
        live.update_now(is_preview=True)

    for label, name, step in (("Height Scale", "height", 0.01), ("Seed", "seed", 1)):
        height = thing.data.vertices[-1].co.z
        seconds[f"a drag of {label}, {RESOLUTION}²"] = best(partial(drag, name, step))
        assert thing.data.vertices[-1].co.z != height, "live update did nothing"
    label = f"{blas.label()}, Blender {bpy.app.version_string}"
    print(json.dumps({"blas": blas.name(), "label": label, "seconds": seconds}))


if __name__ == "__main__":
    _terrane.run(main)
