# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightmap imported through the file browser of a real window, and by dropping it.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from run_draw import stroke
from run_export import browser, press
from terrains import look_at_little

DEGREES = (
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'
)
HEAD = "ncols 3\nnrows 3\nxllcenter 600000\nyllcenter 5000000\ncellsize 30\n"


def bring(driver: Driver) -> Scenario:
    """Choose a file in the browser, see its facts, import it; take it back; drop a file."""
    look_at_little(driver, has_picture=False)
    yield from driver.open_tab("VIEW_3D", TAB)
    path = driver.folder / "valley.asc"
    path.write_text(f"{HEAD}100 110 120\n130 140 150\n160 170 190\n", encoding="utf-8")
    running = module("operators.bridge.tasks.jobs").running
    count_before = len(bpy.data.objects)

    with driver.step("the file browser shows what is chosen"):
        driver.operate("VIEW_3D", lambda: bpy.ops.terrane.heightmap_import("INVOKE_DEFAULT"), "UI")
        yield from driver.wait_for(lambda: browser() is not None, "file browser")
        yield 1.0
        params = browser()[1].spaces.active.params
        params.directory, params.filename = str(driver.folder).encode(), path.name
        browser()[1].tag_redraw()
        yield 1.0
        driver.screenshot("browser")

    with driver.step("it becomes a terrain after the browser has closed"):
        press(driver, bpy.ops.file.execute)
        yield from driver.wait_for(lambda: "valley" in bpy.data.objects, "terrain")
        yield from driver.wait_for(lambda: running() is None, "an end")
        terrain = bpy.data.objects["valley"]
        assert tuple(terrain.dimensions) == (60.0, 60.0, 90.0), tuple(terrain.dimensions)
        assert terrain == bpy.context.view_layer.objects.active
        yield 0.5
        driver.screenshot("terrain")

    with driver.step("one undo takes all of it away"):
        driver.operate("VIEW_3D", lambda: bpy.ops.ed.undo(), "WINDOW")
        yield 0.5
        assert len(bpy.data.objects) == count_before, [obj.name for obj in bpy.data.objects]
        assert not [image for image in bpy.data.images if image.name.startswith("valley")]

    with driver.step("what is dropped needs no browser"):
        files = [{"name": path.name}]
        call = bpy.ops.terrane.heightmap_import
        driver.operate(
            "VIEW_3D",
            lambda: call("INVOKE_DEFAULT", directory=str(driver.folder), files=files),
            "WINDOW",
        )
        yield from driver.wait_for(lambda: "valley" in bpy.data.objects, "terrain")
        assert browser() is None
        assert bpy.data.objects["valley"].terrane.layers[0].name == "Elevation"

    with driver.step("Cancel adds nothing"):
        driver.operate("VIEW_3D", lambda: bpy.ops.terrane.heightmap_import("INVOKE_DEFAULT"), "UI")
        yield from driver.wait_for(lambda: browser() is not None, "file browser")
        yield 1.0
        count = len(bpy.data.objects)
        press(driver, bpy.ops.file.cancel)
        yield 1.0
        assert browser() is None and len(bpy.data.objects) == count

    yield from import_part(driver)


def import_part(driver: Driver) -> Scenario:
    """Drag over land with a place on Earth, and choose its file: the part alone becomes a terrain."""
    path = driver.folder / "degrees.asc"
    rows = "\n".join(
        " ".join(str(100 + row + 3 * column) for column in range(41)) for row in range(41)
    )
    path.write_text(
        f"ncols 41\nnrows 41\nxllcenter 7\nyllcenter 46\ncellsize 0.01\n{rows}\n", encoding="utf-8"
    )
    path.with_suffix(".prj").write_text(DEGREES, encoding="utf-8")
    with driver.step("a part is dragged on the land, and Esc leaves it"):
        bpy.ops.terrane.heightmap_import(filepath=str(path))
        whole = bpy.context.view_layer.objects.active
        driver.operate("VIEW_3D", bpy.ops.view3d.view_axis, type="TOP")
        driver.operate("VIEW_3D", bpy.ops.view3d.view_selected)
        yield 1.0
        count = len(bpy.data.objects)
        yield from _drag(driver, end="ESC")
        yield 0.5
        assert browser() is None and len(bpy.data.objects) == count

    with driver.step("the browser has the box of the part, and the file gives it"):
        yield from _drag(driver)
        yield from driver.wait_for(lambda: browser() is not None, "file browser")
        yield 1.0
        space = browser()[1].spaces.active
        space.params.directory, space.params.filename = str(driver.folder).encode(), path.name
        yield 1.0
        driver.screenshot("part_browser")
        press(driver, bpy.ops.file.execute)
        yield from driver.wait_for(lambda: len(bpy.data.objects) > count, "terrain of the part")
        part = bpy.context.view_layer.objects.active
        shares = [one / all_ for one, all_ in zip(part.dimensions, whole.dimensions)]
        assert 0.1 < min(shares) and max(shares) < 0.6, shares
        yield 0.5
        driver.screenshot("part")


def _drag(driver: Driver, **how: str) -> Scenario:
    """Drag a rectangle in the middle of the viewport."""
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.heightmap_part("INVOKE_DEFAULT"), "WINDOW")
    yield 0.3
    yield from stroke(driver, [(-0.06, -0.06), (0.06, 0.06)], **how)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(bring)
