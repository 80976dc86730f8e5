# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in a real window: presets to choose from, the picture of the settings, contact sheets.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario

TAB = "Terrane"
PICTURE = 135  # pixels from the seed to the middle of the picture below
PACKAGE = "bl_ext.user_default.terrane"


def module(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{name}")


def settings():
    return bpy.context.scene.terrane


def pictures(driver: Driver) -> Scenario:
    """Play everything."""
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    yield from driver.open_tab("VIEW_3D", TAB)
    yield 0.5
    yield from _presets(driver)


def _presets(driver: Driver) -> Scenario:
    with driver.step("a click on the picture shows all presets, a click on one loads it"):
        x, y = yield from driver.find_property("VIEW_3D", "terrane.seed")
        driver.screenshot("panel")
        yield from driver.click(x - 40, y - PICTURE)
        yield 1.5
        driver.screenshot("presets")
        before = settings().preset
        yield from driver.click(x - 380, y - PICTURE - 300)
        yield 0.5
        chosen = settings().preset
        driver.screenshot("chosen")
        assert chosen != before, "no preset was chosen"

    with driver.step("it is one step to undo"):
        yield from driver.key("Z", *driver.centre("VIEW_3D"), ctrl=True)
        yield from driver.wait_for(lambda: settings().preset == before, "undo")
        yield from driver.key("Z", *driver.centre("VIEW_3D"), ctrl=True, shift=True)
        yield from driver.wait_for(lambda: settings().preset == chosen, "redo")


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(pictures)
