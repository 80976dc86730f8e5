# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightmap written through the file browser of a real window.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from terrains import look_at_little


def export(driver: Driver) -> Scenario:
    """Open the file browser from the panel's operator, choose a target and a name there, and write."""
    look_at_little(driver, has_picture=False)
    yield from driver.open_tab("VIEW_3D", TAB)
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.terrain_add(preset="dunes", resolution=33))

    with driver.step("the file browser has the options of the target"):
        begin_export(driver)
        yield from driver.wait_for(lambda: browser() is not None, "file browser")
        yield 1.0
        operator = browser()[1].spaces.active.active_operator
        assert Path(browser()[1].spaces.active.params.filename).suffix, "no name is proposed"
        operator.target = "unity"
        operator.target_unity.byte_order = "mac"
        operator.samples = 65
        browser()[1].tag_redraw()
        yield 1.0
        driver.screenshot("browser")

    with driver.step("what was chosen there is written after it has closed"):
        params = browser()[1].spaces.active.params
        params.directory, params.filename = str(driver.folder).encode(), "land"
        yield 0.5
        press(driver, bpy.ops.file.execute)
        path = driver.folder / "land.raw.json"
        yield from driver.wait_for(path.exists, "heightmap")
        yield from driver.wait_for(
            lambda: module("operators.bridge.tasks.jobs").running() is None, "an end"
        )
        says = json.loads(path.read_text(encoding="utf-8"))
        assert says["samples"] == [65, 65], says["samples"]
        assert says["options"] == {"byte_order": "mac", "flipped": False}, says["options"]
        assert (driver.folder / "land.raw").stat().st_size == 65 * 65 * 2
        yield 0.5
        assert browser() is None
        driver.screenshot("written")

    with driver.step("Cancel writes nothing"):
        begin_export(driver)
        yield from driver.wait_for(lambda: browser() is not None, "file browser")
        yield 1.0
        names_before = sorted(path.name for path in driver.folder.iterdir())
        press(driver, bpy.ops.file.cancel)
        yield 1.0
        assert browser() is None
        assert sorted(path.name for path in driver.folder.iterdir()) == names_before


def begin_export(driver: Driver) -> None:
    """Press the button, as far as the operator is concerned."""
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.heightmap_export("INVOKE_DEFAULT"), "UI")


def browser() -> tuple[bpy.types.Window, bpy.types.Area] | None:
    """Return the file browser with its window; None if none is open."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "FILE_BROWSER":
                return window, area
    return None


def press(driver: Driver, operator: object) -> None:
    """Call one of the file browser's operators there."""
    window, area = browser()
    region = next(one for one in area.regions if one.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=region):
        operator("INVOKE_DEFAULT")


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(export)
