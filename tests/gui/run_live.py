# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update in a real window: drag a slider, undo, redo; long work beside; the switch.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import BESIDE_LIST, TAB, module
from terrains import add, dispatcher, follows, heights, look_at_little, settled, terrain, undo


def live(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab("VIEW_3D", TAB)
    look_at_little(driver)
    plain = {"noise": "perlin", "fractal": "fbm", "octaves": 8, "frequency": 4, "seed": 1}

    with driver.step("drag a slider: the heights follow while the mouse moves"):
        add(driver, **plain, size=100.0, height=10.0, resolution=256)
        yield 0.3
        driver.screenshot("before")
        x, y = yield from driver.find_property("VIEW_3D", "terrane.seed")
        heights_before, seeds = heights(terrain()), []
        shown = [heights_before]

        def look() -> None:
            seeds.append(terrain().terrane.seed)
            now = heights(terrain())
            if not np.array_equal(now, shown[-1]):
                shown.append(now)

        yield from driver.drag(x, y, 60, look, until=lambda: len(shown) > 4)
        after_drag = terrain().terrane.seed
        assert len(set(seeds)) > 4, seeds
        assert len(shown) > 4, f"{len(shown)} shapes were seen for {len(set(seeds))} seeds"
        yield from follows(driver, terrain())
        heights_after = heights(terrain())
        assert after_drag != 1 and not np.array_equal(heights_before, heights_after)

    with driver.step("one undo brings settings and heights back, redo brings both again"):
        for _ in range(2):
            yield from undo(driver)
            assert terrain().terrane.seed == 1, terrain().terrane.seed
            yield from follows(driver, terrain())
            assert np.array_equal(heights(terrain()), heights_before)
            yield from undo(driver, shift=True)
            assert terrain().terrane.seed == after_drag
            yield from follows(driver, terrain())
            assert np.array_equal(heights(terrain()), heights_after)

    with driver.step("undo after a click, which ends before the heights have changed"):
        x, y = yield from driver.find_button("VIEW_3D", "terrane.seed_new", shares=(BESIDE_LIST,))
        yield from driver.click(x, y)
        yield from driver.wait_for(lambda: terrain().terrane.seed != after_drag, "a new seed")
        yield from follows(driver, terrain())
        assert not np.array_equal(heights(terrain()), heights_after)
        yield from undo(driver)
        assert terrain().terrane.seed == after_drag
        yield from follows(driver, terrain())
        assert np.array_equal(heights(terrain()), heights_after)

    with driver.step("another resolution and another size, undone and redone"):
        terrain().terrane.resolution, terrain().terrane.size = 200, 300.0
        bpy.ops.ed.undo_push(message="measures")
        yield from follows(driver, terrain())
        assert len(terrain().data.vertices) == 200 * 200
        yield from undo(driver)
        yield from follows(driver, terrain())
        assert len(terrain().data.vertices) == 256 * 256 and terrain().terrane.built_rows == 256
        width = np.ptp(
            module("operators.bridge.datablocks.meshes").positions_of(terrain().data)[:, 0]
        )
        assert width == 100.0, width
        yield from undo(driver, shift=True)
        yield from follows(driver, terrain())
        assert len(terrain().data.vertices) == 200 * 200

    with driver.step("what was edited is left alone, until the edit is undone"):
        bpy.ops.ed.undo_push(message="before the edit")
        terrain().data.vertices[7].co.z += 1.0
        terrain().data.update()
        edited = heights(terrain())
        bpy.ops.ed.undo_push(message="an edit")
        terrain().terrane.seed = 77
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), edited)
        assert "Update" in module("operators.bridge.tasks.live").note(terrain())
        yield 0.3
        driver.screenshot("edited")
        yield from undo(driver)
        terrain().terrane.seed = 78
        yield from follows(driver, terrain())

    with driver.step("the switch turns it off and on"):
        scene = bpy.context.scene
        scene.terrane_live = False
        heights_before = heights(terrain())
        terrain().terrane.seed = 5
        yield 0.5
        assert np.array_equal(heights(terrain()), heights_before)
        scene.terrane_live = True
        yield from follows(driver, terrain())

    yield from _painting(driver)
    yield from _long_work(driver)
    yield from _renders(driver)


def _painting(driver: Driver) -> Scenario:
    """Paint where terraces are, and go back: they are there without a press of Update."""

    def press(mode: str) -> None:
        driver.operate("VIEW_3D", lambda: bpy.ops.terrane.mask_paint("INVOKE_DEFAULT"), "UI")
        assert terrain().mode == mode, f"{terrain().mode} after a press, not {mode}"

    with driver.step("what was painted is seen when the painting is done"):
        add(driver, noise="perlin", fractal="fbm", seed=1, size=100.0, height=10.0, resolution=64)
        yield from follows(driver, terrain())
        bare = heights(terrain())
        driver.operate(
            "VIEW_3D",
            lambda: bpy.ops.terrane.layer_add("INVOKE_DEFAULT", type="terraces"),
            "UI",
        )
        yield from follows(driver, terrain())
        everywhere = heights(terrain())
        press("WEIGHT_PAINT")
        left = np.arange(64 * 64) % 64 < 20
        terrain().vertex_groups.active.add(np.flatnonzero(left).tolist(), 1.0, "REPLACE")
        bpy.ops.ed.undo_push(message="a stroke")
        press("OBJECT")
        yield from settled(driver)
        painted = np.where(left, everywhere, bare)
        assert np.array_equal(heights(terrain()), painted)
        assert not np.array_equal(painted, everywhere)

    with driver.step("that is one step to undo, and to redo"):
        yield from undo(driver)
        assert terrain().mode == "WEIGHT_PAINT", f"one undo leads to {terrain().mode}"
        assert np.array_equal(heights(terrain()), everywhere)
        yield from undo(driver, shift=True)
        yield from settled(driver)
        assert terrain().mode == "OBJECT" and np.array_equal(heights(terrain()), painted)

    with driver.step("it is one step if the update takes long, too"):
        operators = module("operators.long_operator")
        short, operators.SHORT = operators.SHORT, 0.0
        press("WEIGHT_PAINT")
        terrain().vertex_groups.active.add(list(range(64 * 64)), 0.5, "REPLACE")
        bpy.ops.ed.undo_push(message="another stroke")
        press("OBJECT")
        yield from driver.wait_for(lambda: not modal_operators(driver), "an end of the update")
        yield from settled(driver)
        assert not np.array_equal(heights(terrain()), painted)
        yield from undo(driver)
        assert terrain().mode == "WEIGHT_PAINT", f"one undo leads to {terrain().mode}"
        assert np.array_equal(heights(terrain()), painted)
        yield from undo(driver)
        yield from undo(driver)
        yield from settled(driver)
        assert terrain().mode == "OBJECT" and np.array_equal(heights(terrain()), painted)
        operators.SHORT = short

    with driver.step("painting that the mode menu begins and ends is followed too"):
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="WEIGHT_PAINT")
        yield 0.2
        terrain().vertex_groups.active.add(list(range(64 * 64)), 1.0, "REPLACE")
        bpy.ops.ed.undo_push(message="a stroke")
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="OBJECT")
        bpy.ops.ed.undo_push(message="Object Mode")
        yield 0.2
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), everywhere)
        yield from undo(driver)
        yield from undo(driver)
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="OBJECT")
        yield 0.2
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), painted)

    with driver.step("what was edited is not made anew after painting"):
        terrain().data.vertices[7].co.z += 1.0
        terrain().data.update()
        edited = heights(terrain())
        press("WEIGHT_PAINT")
        press("OBJECT")
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), edited)


def _long_work(driver: Driver) -> Scenario:
    """Play updates that take seconds."""
    jobs = module("operators.bridge.tasks.jobs")
    made = module("operators.bridge.terrain.mesh_record")

    def is_whole_shown() -> bool:
        """Tell whether there is a bar, and not that of a preview, which takes long here too."""
        return jobs.visible_job() is not None and made.of(terrain().data).is_preview

    with driver.step("a long recipe: previews during the drag, the whole after it"):
        add(driver, recipe=_eroded(), size=2000.0, resolution=600)
        yield from settled(driver)
        x, y = yield from driver.find_property("VIEW_3D", "terrane.seed")
        shown, kinds = set(), set()

        def look() -> None:
            record = made.of(terrain().data)
            shown.add(record.checksum)
            kinds.add(record.is_preview)

        start = time.monotonic()
        yield from driver.drag(x, y, 40, look, until=lambda: len(shown) > 2 and True in kinds)
        print(
            f"gui: {len(shown)} lands in {time.monotonic() - start:.1f} s of dragging", flush=True
        )
        assert len(shown) > 2 and True in kinds, "no previews during the drag"
        yield from driver.wait_for(lambda: jobs.visible_job() is not None, "a progress bar")
        assert jobs.running() is None, "other operators would have to wait"
        yield 0.2
        driver.screenshot("long")
        yield from follows(driver, terrain())
        assert jobs.visible_job() is None

    with driver.step("long work that is finished early"):
        add(driver, recipe=_eroded(24), size=2000.0, resolution=100)
        terrain().terrane.resolution = 400
        yield from driver.wait_for(lambda: jobs.visible_job() is not None, "a progress bar")
        yield from driver.wait_for(lambda: jobs.visible_job().can_finish, "iterations")
        bpy.ops.terrane.job_finish()
        yield from settled(driver)
        assert len(terrain().data.vertices) == 400 * 400

    with driver.step("a newer change ends long work and begins anew"):
        terrain().terrane.seed += 1
        yield from driver.wait_for(is_whole_shown, "a progress bar")
        job = jobs.visible_job()
        terrain().terrane.seed += 1
        yield from driver.wait_for(lambda: jobs.visible_job() is not job, "an end")
        assert job.is_stopping
        yield from driver.wait_for(is_whole_shown, "a progress bar")

    with driver.step("Esc is for a gesture of Blender's own while one goes on"):
        place, watch = driver.center("VIEW_3D"), "TERRANE_OT_live_watch"
        add(driver, recipe=_eroded(12), size=2000.0, resolution=400)
        yield from settled(driver)
        yield from driver.hover(*place)
        yield from driver.key("G", *place)
        yield from driver.wait_for(lambda: modal_operators(driver), "grabbing")
        assert watch not in modal_operators(driver), "it would not come after the gesture"
        terrain().terrane.seed += 1
        yield from driver.wait_for(lambda: watch in modal_operators(driver), "a watch for Esc")
        yield from driver.hover(place[0] + 40, place[1])
        job = jobs.visible_job()
        yield from driver.key("ESC", place[0] + 40, place[1])
        yield from driver.wait_for(lambda: modal_operators(driver) == [watch], "an end of grabbing")
        assert not job.is_stopping and tuple(terrain().location) == (0.0, 0.0, 0.0)
        yield from driver.wait_for(is_whole_shown, "a progress bar")

    with driver.step("Esc ends it and leaves the preview"):
        start, heights_before = time.monotonic(), heights(terrain())
        yield from driver.key("ESC", *driver.center("VIEW_3D"))
        yield from driver.wait_for(lambda: jobs.visible_job() is None, "an end")
        print(f"gui: gone after {time.monotonic() - start:.3f} s", flush=True)
        yield from settled(driver)
        assert made.of(terrain().data).is_preview
        assert np.array_equal(heights(terrain()), heights_before)
        yield 0.3
        driver.screenshot("stopped")
        add(driver, recipe=_eroded(), size=2000.0, resolution=400)

    with driver.step("Blender goes on while it computes"):
        # The times are only told: how long they are is up to the machine and what else it does.
        times, runs, step = [], [], dispatcher().step

        def timed() -> float | None:
            start = time.thread_time()
            step_after = step()
            times.append(time.thread_time() - start)
            runs.append(dispatcher().run)
            return step_after

        dispatcher().step = timed
        terrain().terrane.seed += 1
        yield from settled(driver)
        dispatcher().step = step
        times.sort()
        print(f"gui: works {times[len(times) // 2]:.4f} to {times[-1]:.4f} s", flush=True)
        at_work = [run for run in runs if run is not None]
        assert any(at_work.count(run) > 2 for run in at_work), "it came back only at the end"

    with driver.step("deleting, Edit Mode and another file meanwhile"):
        terrain().terrane.seed += 1
        yield from _at_work(driver)
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="EDIT")
        yield 0.5
        assert not dispatcher().is_idle, "it does not wait for Object Mode"
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="OBJECT")
        yield from follows(driver, terrain())
        terrain().terrane.seed += 1
        yield from _at_work(driver)
        bpy.data.objects.remove(terrain())
        yield from settled(driver)
        add(driver, recipe=_eroded(), size=2000.0, resolution=400)
        terrain().terrane.seed += 1
        yield from _at_work(driver)
        bpy.ops.wm.read_homefile(use_empty=False, load_ui=False)
        yield 1.0
        assert dispatcher().is_idle and jobs.visible_job() is None


def modal_operators(driver: Driver) -> list[str]:
    """Return which operators wait for events."""
    return [operator.bl_idname for operator in driver.window.modal_operators]


def _renders(driver: Driver) -> Scenario:
    """Press F12 while a preview is shown: the render waits for the whole."""
    made = module("operators.bridge.terrain.mesh_record")
    scene, seen = bpy.context.scene, []
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.cycles.use_denoising = False  # some builds go without
    scene.render.resolution_x = scene.render.resolution_y = 16
    bpy.context.preferences.view.render_display_type = "NONE"

    def look(*_: object) -> None:
        seen.append(made.of(terrain().data).is_preview)

    bpy.app.handlers.render_pre.append(look)
    for is_locked in (False, True):
        with driver.step(f"a render shows no preview{', with a locked interface' * is_locked}"):
            add(driver, recipe=_eroded(), size=2000.0, resolution=400)
            scene.collection.objects.link(
                camera := bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
            )
            scene.camera, scene.render.use_lock_interface = camera, is_locked
            yield from settled(driver)
            terrain().terrane.seed += 1
            yield from driver.wait_for(
                lambda: made.of(terrain().data).is_preview, "a preview of the new seed"
            )
            driver.operate("VIEW_3D", lambda: bpy.ops.render.render("INVOKE_DEFAULT"))
            yield from driver.wait_for(lambda: seen, "a render")
            yield from driver.wait_for(lambda: not bpy.app.is_job_running("RENDER"), "its end")
            assert seen == [False], "it shows a preview"
            seen.clear()
            yield from follows(driver, terrain())
    bpy.app.handlers.render_pre.remove(look)


def _at_work(driver: Driver) -> Scenario:
    """Go on as soon as something is worked out for the terrain."""
    yield from driver.wait_for(lambda: not dispatcher().is_idle, "a wish")
    while dispatcher().run is None and not dispatcher().is_idle:
        yield 0.001
    assert dispatcher().run is not None, "it is over already, or never began"


def _eroded(times: int = 4) -> str:
    core, modifiers = module("noise_core"), module("noise_core.modifiers")
    noise = module("noise_core.landscapes.preset_library").preset("alps").recipe.noise
    return core.Recipe(
        layers=(noise, *(modifiers.StreamErosion(),) * times), height=300.0
    ).to_json()


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(live)
