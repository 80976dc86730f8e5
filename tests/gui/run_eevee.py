# SPDX-License-Identifier: GPL-3.0-or-later
"""A landscape rendered by Cycles and by EEVEE, which needs a window: both show the same light.

The pictures and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from pictures import rendered

SIZE = (64, 36)
"""Pixels of a picture: all is drawn in software."""

CLOSE = 1.0 / 3.0
"""Stops by which the pictures may differ as a whole."""


def eevee(driver: Driver) -> Scenario:
    """Play everything."""
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    with driver.step("add a landscape with a sea"):
        scene.world = None
        # Without plants: each has shaders and shadows of its own, and all is drawn in software.
        added = bpy.ops.terrane.landscape_add(preset="coast", resolution=65, plants=False)
        assert added == {"FINISHED"}
        yield 0.1
    with driver.step("render it with Cycles"):
        scene.render.engine, scene.cycles.samples = "CYCLES", 16
        scene.cycles.use_denoising = False  # some builds go without
        traced = rendered(driver, "cycles")
        yield 0.1
    with driver.step("render it with EEVEE"):
        engines = bpy.types.RenderSettings.bl_rna.properties["engine"].enum_items
        scene.render.engine = next(
            engine.identifier for engine in engines if "EEVEE" in engine.identifier
        )
        scene.eevee.taa_render_samples = 1  # each draws all shadows
        scene.eevee.shadow_resolution_scale = 0.1
        drawn = rendered(driver, "eevee")
        yield 0.1
    with driver.step("the sky, and all of the picture, are as bright"):
        rows = slice(-SIZE[1] // 4, None)
        for part, limit in ((rows, 0.1), (slice(None), CLOSE)):
            stops = math.log2(float(drawn[part].mean() / traced[part].mean()))
            assert abs(stops) < limit, f"EEVEE is {stops:+.2f} stops off Cycles"


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(eevee)
