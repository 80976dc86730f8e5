# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in a real window: presets to choose from, contact sheets.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import PICTURE, TAB, module


def settings():
    return bpy.context.scene.terrane


def pictures(driver: Driver) -> Scenario:
    """Play everything."""
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    yield from driver.open_tab("VIEW_3D", TAB)
    yield 0.5
    yield from _presets(driver)
    yield from _contact_sheet(driver)


def _presets(driver: Driver) -> Scenario:
    with driver.step("a click on the picture shows all presets, a click on one loads it"):
        x, y = yield from driver.find_preset("VIEW_3D")
        driver.screenshot("panel")
        yield from driver.click(x - 40, y - PICTURE)
        yield 1.5
        driver.screenshot("presets")
        preset_before = settings().preset
        yield from driver.click(x - 380, y - PICTURE - 300)
        yield 0.5
        chosen = settings().preset
        driver.screenshot("chosen")
        assert chosen != preset_before, "no preset was chosen"

    with driver.step("it is one step to undo"):
        yield from driver.key("Z", *driver.center("VIEW_3D"), ctrl=True)
        yield from driver.wait_for(lambda: settings().preset == preset_before, "undo")
        yield from driver.key("Z", *driver.center("VIEW_3D"), ctrl=True, shift=True)
        yield from driver.wait_for(lambda: settings().preset == chosen, "redo")


def _recipe():
    return module("operators.bridge.schema.settings").read(settings())


def _contact_sheet(driver: Driver) -> Scenario:
    preview = module("operators.bridge.textures.recipe_preview")

    with driver.step("a contact sheet: a click takes what lies below, one step to undo"):
        yield from driver.press("VIEW_3D", "terrane.contact_sheet")
        yield from driver.wait_for(lambda: preview.present_sheet is not None, "a sheet")
        yield 1.5
        driver.screenshot("sheet")
        recipe_before, sheet = _recipe(), preview.present_sheet
        yield from driver.click(*driver.mouse)
        yield from driver.wait_for(lambda: _recipe() != recipe_before, "another recipe")
        assert _recipe() in [entry.recipe for entry in sheet.entries]
        yield 0.3
        driver.screenshot("sheet_taken")
        yield from driver.key("Z", *driver.center("VIEW_3D"), ctrl=True)
        yield from driver.wait_for(lambda: _recipe() == recipe_before, "undo")

    with driver.step("other kinds, and Esc while it is drawn"):
        call = bpy.ops.terrane.contact_sheet
        driver.operate("VIEW_3D", lambda: call("INVOKE_DEFAULT", kind="seeds"), "UI")
        yield from driver.wait_for(lambda: preview.present_sheet.kind == "seeds", "seeds")
        yield 1.0
        driver.screenshot("sheet_seeds")
        x, y = driver.center("VIEW_3D")
        yield from driver.key("ESC", x - 500, y)
        yield from driver.hover(x, y)
        driver.operate("VIEW_3D", lambda: call("INVOKE_DEFAULT", kind="seeds", roll=9), "UI")
        assert module("operators.bridge.tasks.jobs").running() is not None
        # In the same turn: before Blender looks whether it is done.
        for value in ("PRESS", "RELEASE"):
            driver.window.event_simulate(type="ESC", value=value, x=x, y=y)
        yield 0.3
        assert module("operators.bridge.tasks.jobs").running() is None
        assert preview.present_sheet.roll == 0 and _recipe() == recipe_before


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(pictures)
