# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback of a terrain with keyframes, a render of it, and a bake that Esc ends. Screenshots and result.json go to the folder after ``--``."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import module
from terrains import add, expected, heights, terrain

SOON = 60.0
"""Seconds, where everything is drawn in software and others are at work."""


def motion(driver: Driver) -> Scenario:
    """Play everything."""
    folder = Path(sys.argv[-1])
    with driver.step("add a terrain with keyframes"):
        thing = add(driver, preset="none", resolution=257)
        for frame, height in ((1, 2.0), (250, 60.0)):
            thing.terrane.height = height
            thing.keyframe_insert("terrane.height", frame=frame)
        bpy.context.scene.frame_set(1)
        yield 0.5
        before = heights(thing)
    with driver.step("press space: it moves"):
        seen: set[bytes] = set()
        yield from driver.key("SPACE", *driver.center("VIEW_3D"))
        yield from driver.wait_for(
            lambda: seen.add(heights(terrain()).tobytes()) or len(seen) > 4, "frames", SOON
        )
        driver.screenshot("playing")
        yield from driver.key("SPACE", *driver.center("VIEW_3D"))
        yield 0.5
        assert not np.array_equal(heights(terrain()), before)
        assert np.array_equal(heights(terrain()), expected(terrain()))
    with driver.step("render a frame from the window: the main thread writes what it shows"):
        scene = bpy.context.scene
        scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
        scene.collection.objects.link(scene.camera)
        scene.render.engine, scene.cycles.samples = "CYCLES", 1
        scene.cycles.use_denoising = False  # Debian builds Blender without
        scene.render.resolution_x = scene.render.resolution_y = 16
        scene.frame_start, scene.frame_end = 100, 102
        scene.render.filepath = str(folder / "frame")
        written: set[bytes] = set()
        bpy.app.handlers.render_write.append(lambda *_: written.add(heights(terrain()).tobytes()))
        driver.operate("VIEW_3D", lambda: bpy.ops.render.render("INVOKE_DEFAULT", animation=True))
        yield from driver.wait_for(lambda: len(written) == 3, "three frames", SOON)
        yield from driver.wait_for(lambda: not bpy.app.is_job_running("RENDER"), "the end", SOON)
        yield 1.0
    with driver.step("bake, and press Esc: nothing is left"):
        path = folder / "a.pc2"
        driver.operate(
            "VIEW_3D",
            lambda: bpy.ops.terrane.motion_bake(
                "INVOKE_DEFAULT", start=1, end=5000, filepath=str(path)
            ),
        )
        part = path.with_name("a.pc2.part")
        yield from driver.wait_for(part.exists, "a beginning", SOON)
        yield 1.0
        driver.screenshot("baking")
        yield from driver.key("ESC", *driver.center("VIEW_3D"))
        jobs = module("operators.bridge.tasks.jobs")
        yield from driver.wait_for(lambda: jobs.running() is None, "the end", SOON)
        yield from driver.wait_for(lambda: not part.exists(), "no file", SOON)
        assert not path.exists() and not terrain().modifiers


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(motion)
