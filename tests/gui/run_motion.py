# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback of a terrain with keyframes, also as a preview, a render of it, and a bake that Esc ends. Screenshots and result.json go to the folder after ``--``."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import module
from run_jobs import escaped
from terrains import add, expected, heights, look_at_little, terrain

FRAMES = 250

DRAWN = 1.0
"""Seconds of work after Esc: after each change of the frame all is drawn, in software in 0.3 seconds, and Esc may
come in the middle. Once it comes, the bake ends in milliseconds."""

SOON = 60.0
"""Seconds, where everything is drawn in software and others are at work."""


def motion(driver: Driver) -> Scenario:
    """Play everything."""
    folder = Path(sys.argv[-1])
    with driver.step("add a terrain with keyframes"):
        obj = add(driver, preset="none", resolution=257, colors=True)
        for frame, height in ((1, 2.0), (250, 60.0)):
            obj.terrane.height = height
            obj.keyframe_insert("terrane.height", frame=frame)
        bpy.context.scene.frame_set(1)
        yield 0.5
        before = heights(obj)
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
    with driver.step(
        "play what takes too long for a frame: a preview, and the whole when it stops"
    ):
        product = module("operators.bridge.terrain.terrain_product").TERRAIN
        frames = module("operators.bridge.terrain.frames")
        quick, frames._QUICK = frames._QUICK, 1e-6
        yield from driver.key("SPACE", *driver.center("VIEW_3D"))
        yield from driver.wait_for(lambda: product.shows_preview(terrain()), "one", SOON)
        yield from driver.key("SPACE", *driver.center("VIEW_3D"))
        yield from driver.wait_for(lambda: not product.shows_preview(terrain()), "the whole", SOON)
        assert np.array_equal(heights(terrain()), expected(terrain()))
        frames._QUICK = quick
    with driver.step("go to another frame: the colors follow heights that were whole at once"):
        colors = module("operators.bridge.scene.ground_colors").COLORS
        yield from driver.wait_for(lambda: not colors.is_due(terrain()), "rest", SOON)
        yield 1.0
        before = heights(terrain())
        yield from driver.key("RIGHT_ARROW", *driver.center("VIEW_3D"))
        yield from driver.wait_for(
            lambda: not np.array_equal(heights(terrain()), before), "the frame", SOON
        )
        yield from driver.wait_for(lambda: not colors.is_due(terrain()), "the colors", SOON)
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
    with driver.step("bake 250 frames, which shows progress, and press Esc: nothing is left"):
        look_at_little(driver)
        obj, baked = add_evolving(driver), folder / "baked"
        baked.mkdir(exist_ok=True)
        before = state_of(obj, baked)
        for target in ("cache", "keys"):
            yield from bake_and_escape(driver, target, baked)
            assert state_of(terrain(), baked) == before, target
        bpy.context.scene.frame_set(200)  # it still follows its keyframes
        assert np.array_equal(heights(terrain()), expected(terrain()))
        assert heights(terrain()).tobytes() != before[0]


def add_evolving(driver: Driver) -> bpy.types.Object:
    """Add a terrain of 512 x 512 vertices whose noise changes over 250 frames, and go to one of them."""
    core, noises = module("noise_core"), module("noise_core.noises")
    evolution = module("noise_core.noises.evolution").Evolution(source=noises.Fractal())
    recipe = core.Recipe(layers=(evolution,), height=30.0, size=100.0)
    obj = add(driver, recipe=recipe.to_json(), resolution=512)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    for frame, position in ((1, 0.0), (FRAMES, 1.0)):
        obj.terrane.layers[0].chain[2].evolution.position = position
        obj.keyframe_insert("terrane.layers[0].chain[2].evolution.position", frame=frame)
    scene.frame_set(40)
    return obj


def state_of(obj: bpy.types.Object, folder: Path) -> tuple[object, ...]:
    """Return all that a bake may change: the terrain, the scene's frame, datablocks and files."""
    data = (bpy.data.actions, bpy.data.meshes, bpy.data.shape_keys, bpy.data.objects)
    return (
        heights(obj).tobytes(),
        [modifier.name for modifier in obj.modifiers],
        bpy.context.scene.frame_current,
        [sorted(one.name for one in kind) for kind in data],
        sorted(path.name for path in folder.iterdir()),
    )


def bake_and_escape(driver: Driver, target: str, folder: Path) -> Scenario:
    """Bake the frames of the scene, see the status bar count, and press Esc after a few of them."""
    messages = module("operators.bridge.interface.messages")
    keywords = {"target": target, "filepath": str(folder / "a.pc2")}
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.motion_bake("INVOKE_DEFAULT", **keywords))
    seen: list[str] = []

    def counts() -> bool:
        text = messages._progress.partition("%")[0]
        seen.extend([text] * (text not in seen))
        return len(seen) > 2

    yield from driver.wait_for(counts, "progress", SOON)
    assert all(text.startswith("Baking the Motion: ") for text in seen), seen
    shares = [int(text.split()[-1]) for text in seen]
    assert shares == sorted(shares) and shares[-1] < 50, shares
    assert any(folder.glob("*.part")) == (target == "cache")
    driver.screenshot(f"baking_{target}")
    yield from escaped(driver, *driver.center("VIEW_3D"), DRAWN)
    yield 0.3
    assert not messages._progress


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(motion)
