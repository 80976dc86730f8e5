# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a real window stands still while Terrane computes, and why.

Its output lies beside result.json in freezes.txt, in the folder after ``--``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import PATIENCE, Driver, Scenario
from extension import TAB, module
from terrains import add, follows, heights, look_at_little, settled, terrain
from turns import Turns

PLAIN = {"noise": "perlin", "fractal": "fbm", "octaves": 8, "frequency": 4, "seed": 1}

LIMIT = 6.0
"""Seconds that a turn may take by the clock: drawn in software, on a machine that does other things."""

WORK = 0.2
"""Seconds of work that may be Terrane's own in one turn, without what the system does for it."""

ESC = 0.5
"""Seconds of work, of all threads of Blender's, from the key to the end. What is asked for is 0.2 by the
clock, on a machine that does nothing else."""


def freezes(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab("VIEW_3D", TAB)
    look_at_little(driver)
    turns = _watching()

    with driver.step("a new terrain of 1024 x 1024 vertices"):
        with _reported(driver, turns, "a new terrain of 1024 x 1024 vertices"):
            yield from _add(driver, size=2000.0, height=300.0, resolution=1024)
            yield 0.3
        assert len(terrain().data.vertices) == 1024 * 1024

    with driver.step("another resolution: 1024 x 1024 vertices again"):
        add(driver, **PLAIN, size=2000.0, height=300.0, resolution=700)
        yield from settled(driver)
        obj, mesh = terrain(), terrain().data
        count = len(bpy.data.meshes)  # those of terrains that were removed are still there
        obj.vertex_groups.new(name="half").add(range(0, 490000, 2), 0.5, "REPLACE")
        yield 0.3
        with _reported(driver, turns, "another resolution: 1024 x 1024 vertices again"):
            _update(driver, resolution=1024)
            assert _running(), "the terrain is updated already"
            yield from driver.wait_for(lambda: not _running(), "an end")
            yield 0.3
        assert terrain().data == mesh and len(mesh.vertices) == 1024 * 1024
        assert (len(bpy.data.meshes), len(bpy.data.objects)) == (count, 1)
        assert not bpy.data.node_groups
        assert obj.select_get() and bpy.context.view_layer.objects.active == obj

    with driver.step("Esc while it gets another resolution"):
        heights_before = heights(terrain())
        _update(driver, resolution=512, seed=7)
        x, y = driver.center("VIEW_3D")
        while _running() and len(bpy.data.meshes) == count:
            yield 0.001
        assert len(bpy.data.meshes) > count, "no mesh was made aside"
        driver.window.event_simulate(type="ESC", value="PRESS", x=x, y=y)
        yield from driver.wait_for(lambda: not _running(), "an end")
        yield 0.2
        assert len(bpy.data.meshes) == count and (heights(terrain()) == heights_before).all()

    with driver.step("an erosion of 1024 x 1024 vertices"):
        add(driver, **PLAIN, size=2000.0, height=300.0, resolution=1024)
        yield from settled(driver)
        yield 0.3
        with _reported(driver, turns, "an erosion of 1024 x 1024 vertices"):
            _erode(driver, "stream_erosion")
            yield 0.01
            assert _running(), "the erosion is over already, or never began"
            yield from driver.wait_for(lambda: not _running(), "an end")
            yield 0.3
        assert terrain().terrane.layers[-1].type == "stream_erosion"

    with driver.step("Esc ends it: from the key to the end"):
        heights_before = heights(terrain())
        jobs = module("operators.bridge.tasks.jobs")
        x, y = driver.center("VIEW_3D")
        yield from driver.hover(x, y)
        _erode(driver, "thermal_erosion", passes=2000)  # a minute, if nobody pressed
        yield from driver.wait_for(lambda: jobs.running().share > 0.0, "progress")
        job = jobs.running()
        assert not job.is_done, "the erosion is over already"
        start, worked = time.perf_counter(), time.process_time()
        driver.window.event_simulate(type="ESC", value="PRESS", x=x, y=y)
        while not (job.is_done and not _running()):
            assert time.perf_counter() - start < PATIENCE, "it did not end"
            yield 0.001
        seconds, work = time.perf_counter() - start, time.process_time() - worked
        _say(driver, f"Esc: gone {seconds * 1e3:.0f} ms after the key, {work * 1e3:.0f} of work")
        assert job.is_stopping and work < ESC, work
        assert (heights(terrain()) == heights_before).all()

    with driver.step("1024 x 1024 vertices displaced along their normals"):
        heights_before = heights(terrain())
        with _reported(driver, turns, "1024 x 1024 vertices displaced along their normals"):
            driver.operate(
                "VIEW_3D",
                lambda: bpy.ops.terrane.mesh_displace(
                    "INVOKE_DEFAULT", **PLAIN, strength=20.0, direction="normal"
                ),
            )
            assert _running(), "the mesh is displaced already"
            yield from driver.wait_for(lambda: not _running(), "an end")
            yield 0.3
        assert (heights(terrain()) != heights_before).any()

    with driver.step("a slider dragged at 512 x 512 vertices"):
        add(driver, **PLAIN, size=100.0, height=10.0, resolution=512)
        yield from settled(driver)
        x, y = yield from driver.find_property("VIEW_3D", "terrane.seed")
        seed = terrain().terrane.seed
        with _reported(driver, turns, "a slider dragged at 512 x 512 vertices"):
            yield from driver.drag(x, y, 80, lambda: None)
            yield from settled(driver)
            yield 0.3
        assert terrain().terrane.seed != seed
        yield from follows(driver, terrain())

    with driver.step("textures of a material, 1024 x 1024"):
        with _reported(driver, turns, "textures of a material, 1024 x 1024"):
            driver.operate(
                "VIEW_3D",
                lambda: bpy.ops.terrane.material_add(
                    "INVOKE_DEFAULT", surface="granite", width=1024, height=1024
                ),
            )
            yield 0.01
            assert _running(), "the material is baked already"
            yield from driver.wait_for(lambda: not _running(), "an end")
            yield 0.3
        assert terrain().active_material is not None

    with driver.step("an image of 2048 x 2048 that follows its settings"):
        image = yield from _shown_image(driver, width=2048, height=2048)
        with _reported(driver, turns, "an image of 2048 x 2048 that follows its settings"):
            for _ in range(20):
                image.terrane.seed += 1
                yield 0.05
            yield from settled(driver)
            yield 0.3
        record = module("operators.bridge.datablocks.record").Record.of(image, "picture")
        assert not record.is_preview and not image.is_dirty


def _shown_image(driver: Driver, **keywords: object) -> Scenario:
    """Make an image and show it."""
    bpy.ops.terrane.image_new(**PLAIN, **keywords, name="Followed")
    image = bpy.data.images["Followed"]
    area = next(one for one in driver.window.screen.areas if one.type == "TEXT_EDITOR")
    area.ui_type = "IMAGE_EDITOR"
    yield 0.1
    area.spaces.active.image = image
    yield 0.5
    return image


@contextmanager
def _reported(driver: Driver, turns: Turns, title: str) -> Iterator[None]:
    """Watch, print the times, and check the limits."""
    with turns.watched():
        yield
    for line in turns.lines():
        _say(driver, f"{title}: {line}")
    assert turns.longest.length < LIMIT, turns.longest
    assert turns.busiest.own < WORK, turns.busiest


def _say(driver: Driver, line: str) -> None:
    print(f"gui: {line}", flush=True)
    with (driver.folder / "freezes.txt").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def _watching() -> Turns:
    """Return turns that tell the parts of Terrane's work in Blender's main thread apart."""
    turns = Turns()
    long = module("operators.long_operator").LongOperator
    for name in ("invoke", "modal"):
        turns.watch(long, name, f"operator's {name}")
    turns.watch(long, "_go_on", "operator's steps")
    turns.watch(module("operators.bridge.terrain.regrid"), "move", "the mesh is moved")
    turns.watch(
        module("operators.bridge.datablocks.evaluated_geometry"),
        "replace_geometry",
        "the geometry is replaced",
    )
    turns.watch(
        module("operators.bridge.datablocks.images"), "write_content", "an image is written"
    )
    dispatcher = module("operators.bridge.tasks.queue").TaskQueue
    for name in ("step", "step_before_draw"):
        turns.watch(dispatcher, name, f"live update's {name}")
    task_list = module("operators.bridge.tasks.task").TaskList
    turns.watch(task_list, "add", "live update's add")
    for cls in bpy.types.Panel.__subclasses__():
        if cls.__name__.startswith("TERRANE_PT"):
            turns.watch(cls, "draw", "panels")
    return turns


def _add(driver: Driver, **keywords: object) -> Scenario:
    """Add a terrain as the menu does, as the only object; it is drawn as a box as soon as it is there."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    driver.operate(
        "VIEW_3D", lambda: bpy.ops.terrane.terrain_add("INVOKE_DEFAULT", **PLAIN, **keywords)
    )
    while not bpy.data.objects:
        yield 0.001
    obj = bpy.data.objects[0]
    obj.name, obj.display_type = "Terrain", "BOUNDS"
    yield from driver.wait_for(lambda: not _running(), "an end")


def _update(driver: Driver, **keywords: object) -> None:
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.terrain_update("INVOKE_DEFAULT", **keywords))


def _erode(driver: Driver, modifier: str, **keywords: object) -> None:
    driver.operate(
        "VIEW_3D",
        lambda: bpy.ops.terrane.mesh_erode("INVOKE_DEFAULT", modifier=modifier, **keywords),
    )


def _running() -> bool:
    return module("operators.bridge.tasks.jobs").running() is not None


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(freezes)
