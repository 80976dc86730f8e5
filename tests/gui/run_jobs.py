# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in a real window: progress, Esc, and all that a user may do meanwhile.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from terrains import look_at_little

HEADER = 32  # pixels from the preset to the header of the panel below

CANCEL = 0.35
"""Seconds of work, of all threads of Blender's, in which a cancelled job has to be gone, with what is drawn
meanwhile. By the clock it is less, unless others are at work."""

SIDE, FINE_SIDE = 400, 700
"""Vertices along a side of grids: what takes longer than an operator waits, and what takes seconds."""


def jobs() -> ModuleType:
    return module("operators.bridge.tasks.jobs")


def running() -> bool:
    return jobs().running() is not None


def slow_recipe(times: int) -> str:
    core, modifiers = module("noise_core"), module("noise_core.modifiers")
    noise = module("noise_core.landscapes.preset_library").preset("alps").recipe.noise
    stack = (modifiers.StreamErosion(),) * times
    return core.Recipe(layers=(noise, *stack), height=300.0).to_json()


def add_slowly(driver: Driver, resolution: int = 1024, times: int = 64) -> Scenario:
    """Begin a terrain that takes as long as so many erosions: half a minute, or more."""
    driver.operate(
        "VIEW_3D",
        lambda: bpy.ops.terrane.terrain_add(
            "INVOKE_DEFAULT", recipe=slow_recipe(times), size=2000.0, resolution=resolution
        ),
    )
    assert running(), "the work is over already, or never began"
    yield 0.05


def erode_slowly(driver: Driver) -> None:
    """Begin an erosion; nothing is drawn before the caller goes on, which takes as long as that."""
    status, start = [], time.monotonic()
    driver.operate(
        "VIEW_3D",
        lambda: status.extend(
            bpy.ops.terrane.mesh_erode("INVOKE_DEFAULT", modifier="thermal_erosion", passes=400)
        ),
    )
    assert running(), f"{status} after {time.monotonic() - start:.2f} s"


def heights(obj: bpy.types.Object) -> list[float]:
    return [vertex.co.z for vertex in obj.data.vertices[:5000]]


def gone_soon(driver: Driver, stop: Callable[[], object], most: float = CANCEL) -> Scenario:
    """Stop the running job; it has to end after little work, in seconds."""
    assert running(), "the work is over already"
    start, process_time_before = time.monotonic(), time.process_time()
    stop()
    yield from driver.wait_for(lambda: not running(), "an end")
    seconds, worked = time.monotonic() - start, time.process_time() - process_time_before
    print(f"gui: gone after {seconds:.3f} s, with {worked:.3f} s of work", flush=True)
    assert worked < most, worked


def escaped(driver: Driver, x: float, y: float, most: float = CANCEL) -> Scenario:
    """Press Esc; the running job has to end soon."""
    yield from driver.hover(x, y)
    press = {"type": "ESC", "x": int(x), "y": int(y)}
    yield from gone_soon(driver, lambda: driver.window.event_simulate(value="PRESS", **press), most)
    driver.window.event_simulate(value="RELEASE", **press)


def long_work(driver: Driver) -> Scenario:
    """Begin, cancel and disturb terrains and erosions."""
    yield from driver.open_tab("VIEW_3D", TAB)
    look_at_little(driver)
    x, y = driver.center("VIEW_3D")

    with driver.step("progress is seen while Blender goes on"):
        bpy.ops.ed.undo_push(message="begin")
        yield from add_slowly(driver)
        ticks = []
        shares = []
        while running() and (len(ticks) < 25 or (shares[-1] == 0.0 and len(ticks) < 500)):
            ticks.append(time.monotonic())
            shares.append(jobs().running().share)
            yield 0.02
        gaps = [b - a for a, b in zip(ticks, ticks[1:])]
        # Blender draws in between, in software here: the longest says little.
        gaps.sort()
        print(f"gui: gaps {gaps[0]:.3f} to {gaps[-1]:.3f} s, shares {shares[::6]}", flush=True)
        assert gaps[len(gaps) // 2] < 0.2
        assert shares == sorted(shares) and shares[-1] > 0.0
        driver.screenshot("progress")
        assert not bpy.data.meshes

    with driver.step("other long work is refused meanwhile"):
        for operator in (bpy.ops.terrane.terrain_add, bpy.ops.terrane.image_new):
            assert not operator.poll()

    with driver.step("Esc cancels and leaves nothing"):
        yield from escaped(driver, x, y)
        yield 0.3
        assert not bpy.data.meshes and not bpy.data.objects
        assert bpy.ops.terrane.terrain_add.poll()
        driver.screenshot("cancelled")

    with driver.step("a right click is Blender's own, and cancels nothing"):
        yield from add_slowly(driver)
        yield 0.3
        yield from driver.click(x, y, "RIGHTMOUSE")
        yield 0.5
        assert running() and not jobs().running().is_stopping
        driver.screenshot("menu_meanwhile")
        yield from driver.key("ESC", x, y)  # closes the menu
        yield 0.3
        if running():
            yield from escaped(driver, x, y)
        assert not bpy.data.meshes

    with driver.step("the panel's tick finishes early and keeps what is done"):
        yield from add_slowly(driver, 512, times=16)
        yield from driver.wait_for(lambda: jobs().running().can_finish, "a step")
        yield 0.3  # until the panel is drawn with the button
        driver.screenshot("can_finish")
        driver.operate("VIEW_3D", bpy.ops.terrane.job_finish, "UI")
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.3
        assert len(bpy.data.meshes) == 1
        driver.screenshot("finished_early")
        driver.operate("VIEW_3D", bpy.ops.ed.undo)
        yield 0.3
        assert not bpy.data.objects, "one undo does not suffice"

    with driver.step("the panel's cross cancels"):
        yield from add_slowly(driver)
        yield 0.3
        yield from gone_soon(
            driver, lambda: driver.operate("VIEW_3D", bpy.ops.terrane.job_cancel, "UI")
        )
        assert not bpy.data.meshes

    with driver.step("what is let finish is one undo step"):
        yield from add_slowly(driver, 256, times=4)
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.3
        assert len(terrains()) == 1 and len(bpy.data.objects) == 1, "a terrain alone"
        driver.screenshot("finished")
        assert bpy.context.window_manager.operators[-1].bl_idname == "TERRANE_OT_terrain_add"
        driver.operate("VIEW_3D", bpy.ops.ed.undo)
        yield 0.3
        assert not bpy.data.objects, "one undo does not suffice"
        driver.operate("VIEW_3D", bpy.ops.ed.redo)
        yield 0.3
        assert len(terrains()) == 1

    with driver.step("settings that are changed during an update stay"):
        (terrain,) = terrains()
        terrain.terrane.resolution = 300
        driver.operate("VIEW_3D", lambda: bpy.ops.terrane.terrain_update("INVOKE_DEFAULT"))
        assert running()
        terrain.terrane.seed, terrain.display_type = 99, "BOUNDS"
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.3
        assert len(terrain.data.vertices) == 300 * 300 and terrain.terrane.seed == 99

    with driver.step("short work is over at once"):
        for count in range(2, 10):  # others at work on the same processors can make it long
            driver.operate(
                "VIEW_3D",
                lambda: bpy.ops.terrane.terrain_add("INVOKE_DEFAULT", resolution=33),
            )
            if not running():
                assert len(terrains()) == count
                break
            yield from driver.wait_for(lambda: not running(), "an end")
        else:
            raise AssertionError("it took its time each time")
        yield 0.1

    with driver.step("the popup redoes what ran in a thread"):
        for other in list(bpy.data.objects):
            bpy.data.objects.remove(other)
        obj = grid(driver, 250, is_shown=True)
        erode_slowly(driver)
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.3
        assert "scree" in obj.data.attributes
        driver.operate("VIEW_3D", bpy.ops.view3d.view_selected)
        yield 0.5
        yield from driver.key("F9", x, y)
        yield 1.0
        driver.screenshot("eroded_redo")
        yield from driver.key("ESC", x, y)

    with driver.step("a mesh that is deleted meanwhile"):
        erode_slowly(driver)
        bpy.data.objects.remove(bpy.context.active_object)
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.2

    with driver.step("a mesh that is changed meanwhile stays as it was changed"):
        obj = grid(driver, FINE_SIDE)
        heights_before = heights(obj)
        erode_slowly(driver)
        yield from driver.wait_for(lambda: jobs().running().share > 0.0, "progress")
        obj.data.vertices[7].co.z += 1.0
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.2
        after = heights(obj)
        moved = [place for place, (a, b) in enumerate(zip(heights_before, after)) if a != b]
        assert moved == [7], (len(moved), [attribute.name for attribute in obj.data.attributes])
        assert "terrane_own_height" not in obj.data.attributes

    with driver.step("Edit Mode meanwhile is no obstacle"):
        obj = grid(driver)
        erode_slowly(driver)
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="EDIT")
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.2
        assert obj.mode == "EDIT", obj.mode
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="OBJECT")
        assert "terrane_own_height" in obj.data.attributes

    with driver.step("Sculpt Mode meanwhile is refused"):
        obj = grid(driver)
        erode_slowly(driver)
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="SCULPT")
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.2
        driver.operate("VIEW_3D", bpy.ops.object.mode_set, mode="OBJECT")
        assert "terrane_own_height" not in obj.data.attributes

    with driver.step("undo meanwhile is noticed"):
        grid(driver)
        bpy.ops.ed.undo_push(message="a grid")
        grid(driver)
        bpy.ops.ed.undo_push(message="another grid")
        erode_slowly(driver)
        driver.operate("VIEW_3D", bpy.ops.ed.undo)
        yield from driver.wait_for(lambda: not running(), "an end")
        yield 0.2

    with driver.step("the panel's buttons work with the mouse"):
        for _ in range(5):  # the messages of the steps before, one above the other
            yield from driver.key("ESC", x, y)
        for other in list(bpy.data.objects):
            bpy.data.objects.remove(other)
        obj = grid(driver, 250, is_shown=True)
        before = heights(obj)
        driver.operate("VIEW_3D", bpy.ops.view3d.view_selected)
        yield 0.5
        driver.screenshot("mesh_panel")
        yield from driver.press("VIEW_3D", "terrane.terrain_from_mesh")
        yield from driver.wait_for(lambda: not running() and obj.terrane.is_terrain, "a terrain")
        assert heights(obj) == before
        yield 0.5
        driver.screenshot("mesh_panel_terrain")
        driver.operate("VIEW_3D", bpy.ops.terrane.layer_add, "UI", type="stream_erosion")
        yield from driver.wait_for(
            lambda: not running() and heights(obj) != before, "an erosion that follows"
        )
        yield 0.5
        driver.screenshot("mesh_panel_eroded")
        driver.operate("VIEW_3D", bpy.ops.terrane.layer_mute, "UI")
        yield from driver.wait_for(lambda: heights(obj) == before, "the mesh before")
        driver.operate("VIEW_3D", bpy.ops.terrane.layer_mute, "UI")
        yield from driver.wait_for(lambda: heights(obj) != before, "the mesh after")
        driver.operate("VIEW_3D", bpy.ops.terrane.mesh_release, "UI")
        assert heights(obj) == before and not obj.terrane.is_terrain

    with driver.step("look at the panel of maps"):
        yield from show_panel(driver, "TERRANE_PT_maps")
        driver.screenshot("maps_panel")
        yield from driver.press("VIEW_3D", "terrane.maps_bake")
        yield from driver.wait_for(lambda: not running() and "flow" in obj.data.attributes, "maps")
        driver.screenshot("maps_panel_after")

    with driver.step("another file meanwhile"):
        grid(driver)
        erode_slowly(driver)
        bpy.ops.wm.read_homefile(use_empty=False, load_ui=False)
        yield 1.0
        assert not running()
        yield from driver.open_tab("VIEW_3D", TAB)
        driver.screenshot("another_file")


def show_panel(driver: Driver, name: str) -> Scenario:
    """Leave one of the closed panels only, and open it by a click on its header."""
    for cls in bpy.types.Panel.__subclasses__():
        if getattr(cls, "bl_parent_id", "") == "TERRANE_PT_terrain":
            if cls.__name__ == name:
                if not cls.is_registered:
                    bpy.utils.register_class(cls)
            elif cls.is_registered:
                bpy.utils.unregister_class(cls)
    driver.area("VIEW_3D").tag_redraw()
    yield 0.5
    _, y = yield from driver.find_preset("VIEW_3D")
    yield from driver.click(driver.region("VIEW_3D", "UI").x + 110, y - HEADER)
    yield 0.5


def grid(driver: Driver, side: int = SIDE, *, is_shown: bool = False) -> bpy.types.Object:
    """Add Blender's own grid with hills; drawn as a box, for faces are slow in software."""
    driver.operate(
        "VIEW_3D",
        bpy.ops.mesh.primitive_grid_add,
        x_subdivisions=side,
        y_subdivisions=side,
        size=2000.0,
    )
    obj = bpy.context.active_object
    obj.display_type = "TEXTURED" if is_shown else "BOUNDS"
    driver.operate(
        "VIEW_3D",
        bpy.ops.terrane.mesh_displace,
        preset="alps",
        strength=300.0,
        direction="z",
        seed=2,
    )
    return obj


def terrains() -> list[bpy.types.Object]:
    """Return the terrains of the file."""
    return [obj for obj in bpy.data.objects if obj.terrane.is_terrain]


def _empty_scene() -> None:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    for mesh in list(bpy.data.meshes):
        bpy.data.meshes.remove(mesh)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    _empty_scene()
    Driver(Path(sys.argv[-1])).run(long_work)
