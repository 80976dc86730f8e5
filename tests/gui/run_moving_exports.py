# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of Blender's own, as background jobs of a window, of a terrain with keyframes; and two terrains with one mesh.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB
from run_export import browser, press
from terrains import add, heights, look_at_little

FRAMES = (1, 6, 11)
LOW, HIGH = 10.0, 40.0
"""Heights in the first and the last of these frames."""

EXPORTERS = {"alembic": (".abc", {}), "usd": (".usdc", {"export_animation": True})}
"""Blender's names of exporters that are background jobs, with the endings of their files and their options."""

SOON = 60.0
"""Seconds, where everything is drawn in software and others are at work."""


def keyed(driver: Driver) -> bpy.types.Object:
    """Add a terrain whose height has two keyframes."""
    obj = add(driver, preset="none", resolution=17)
    for frame, height in ((FRAMES[0], LOW), (FRAMES[-1], HIGH)):
        obj.terrane.height = height
        obj.keyframe_insert("terrane.height", frame=frame)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    scene.frame_set(FRAMES[0])
    return obj


def export(driver: Driver, operator, path: Path, **options: object) -> Scenario:
    """Export by the file browser, as a user does: the work is a background job."""
    driver.operate("VIEW_3D", lambda: operator("INVOKE_DEFAULT", filepath=str(path)))
    yield from driver.wait_for(lambda: browser() is not None, "file browser")
    yield 1.0
    space = browser()[1].spaces.active
    for name, value in options.items():
        setattr(space.active_operator, name, value)
    space.params.directory, space.params.filename = str(path.parent).encode(), path.name
    yield 0.5
    press(driver, bpy.ops.file.execute)
    yield from driver.wait_for(path.exists, "file", SOON)
    manager = bpy.context.window_manager
    yield from driver.wait_for(lambda: not manager.is_interface_locked, "end of the export", SOON)
    yield 1.0


def spans_of(operator, path: Path) -> np.ndarray:
    """Import a file, and return the extents along z of its mesh in some frames; the objects are removed again."""
    before = set(bpy.data.objects)
    operator(filepath=str(path))
    new = set(bpy.data.objects) - before
    (obj,) = (each for each in new if each.type == "MESH")
    spans = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        spans.append(np.ptp([(obj.matrix_world @ vertex.co).z for vertex in mesh.vertices]))
    for each in new:
        bpy.data.objects.remove(each)
    bpy.context.scene.frame_set(FRAMES[0])
    return np.array(spans)


def check_motion(spans: np.ndarray) -> None:
    middle = (spans[1] - spans[0]) / (spans[2] - spans[0])
    np.testing.assert_allclose(spans[2] / spans[0], HIGH / LOW, rtol=1e-3)
    assert 0.2 < middle < 0.8, spans


def moving_exports(driver: Driver) -> Scenario:
    """Export, read back; then let two terrains share a mesh."""
    built, folder = bpy.app.build_options, driver.folder
    with driver.step("add a terrain with keyframes"):
        obj = keyed(driver)
        look_at_little(driver)
        yield 0.5
    print(f"gui: exporters: {[name for name in EXPORTERS if getattr(built, name)]}", flush=True)
    for name, (ending, options) in EXPORTERS.items():
        if getattr(built, name):  # Debian builds Blender without
            with driver.step(f"export it to {name} in the background: it moves"):
                path = folder / f"terrain{ending}"
                operator = getattr(bpy.ops.wm, f"{name}_export")
                yield from export(driver, operator, path, **options)
                check_motion(spans_of(getattr(bpy.ops.wm, f"{name}_import"), path))
    with driver.step("a duplicate with other keyframes: the panel and a render say that both stand still"):  # fmt: skip
        yield from driver.open_tab("VIEW_3D", TAB)
        twin = obj.copy()
        bpy.context.scene.collection.objects.link(twin)
        twin.animation_data_clear()
        for frame, height in ((FRAMES[0], LOW), (FRAMES[-1], 3.0 * HIGH)):
            twin.terrane.height = height
            twin.keyframe_insert("terrane.height", frame=frame)
        bpy.context.scene.frame_set(FRAMES[1])
        yield 1.0
        driver.screenshot("shared")
        ended: list[object] = []
        bpy.app.handlers.render_complete.append(lambda scene, _: ended.append(scene))
        render(driver, folder)
        yield from driver.wait_for(
            lambda: ended and not bpy.app.is_job_running("RENDER"), "the end", SOON
        )
        yield 1.0
        driver.screenshot("told")
    with driver.step("one click gives each its own mesh, and one undo takes it back"):
        yield from driver.push_undo("before")
        driver.operate("VIEW_3D", bpy.ops.terrane.mesh_single_user, "UI")
        yield 1.0
        terrains = [each for each in bpy.data.objects if each.type == "MESH"]
        assert len({each.data for each in terrains}) == 2
        spans = [float(np.ptp(heights(each))) for each in terrains]
        assert abs(spans[0] - spans[1]) > 1.0, spans
        driver.screenshot("own_meshes")
        driver.operate("VIEW_3D", bpy.ops.ed.undo)
        yield 1.0
        terrains = [each for each in bpy.data.objects if each.type == "MESH"]
        assert len(terrains) == 2 and len({each.data for each in terrains}) == 1


def render(driver: Driver, folder: Path) -> None:
    """Begin to render two frames in the window."""
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.cycles.use_denoising = False  # Debian builds Blender without
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.frame_end = FRAMES[0] + 1
    scene.render.filepath = str(folder / "frame")
    driver.operate("VIEW_3D", lambda: bpy.ops.render.render("INVOKE_DEFAULT", animation=True))


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(moving_exports)
