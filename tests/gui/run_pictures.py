# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in a real window: presets to choose from, contact sheets.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import PICTURE, TAB, module

COLORS = [(red, green, 1.0) for red in (0.0, 0.4, 0.8) for green in (0.0, 0.4, 0.8)]
"""Test pictures of a contact sheet; no theme has colors as blue."""

SPOTS = ((0.5, 0.5), (0.05, 0.95), (0.95, 0.05), (0.95, 0.95), (0.05, 0.05))
"""Where to click on a picture, as shares of its width and height."""


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


def _open_sheet() -> None:
    bpy.ops.wm.call_panel("INVOKE_DEFAULT", name="TERRANE_PT_contact_sheet", keep_open=False)


def _seen(driver: Driver, color: tuple[float, ...]) -> tuple[int, int, int, int]:
    """Return where a color is on the screen, from the left and from below: first and last column, first and last row."""
    image = bpy.data.images.load(str(driver.screenshot("sheet_colors")))
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    is_there = np.abs(pixels.reshape(height, width, 4)[..., :3] - color).max(axis=-1) < 0.02
    rows, columns = np.nonzero(is_there)
    assert len(rows) > 2000, f"{color} covers {len(rows)} pixels"
    return columns.min(), columns.max(), rows.min(), rows.max()


def _contact_sheet(driver: Driver) -> Scenario:
    preview = module("operators.bridge.textures.recipe_preview")
    thumbnails = module("operators.bridge.interface.thumbnails")

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

    with driver.step("each of the nine pictures is a button, in the middle and near its corners"):
        for place in range(preview.COUNT):
            thumbnails.show(f"sheet {place}", np.full((128, 128, 3), COLORS[place], np.float32))
        for place in range(preview.COUNT):
            across, along = SPOTS[place % len(SPOTS)]
            driver.operate("VIEW_3D", _open_sheet, "UI")
            yield 1.0
            left, right, low, high = _seen(driver, COLORS[place])
            x, y = left + across * (right - left), low + along * (high - low)
            yield from driver.click(x, y)
            expected = sheet.entries[place].recipe
            yield from driver.wait_for(lambda expected=expected: _recipe() == expected, "it")

    with driver.step("other kinds, and Esc while it is drawn"):
        call, recipe_before = bpy.ops.terrane.contact_sheet, _recipe()
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
