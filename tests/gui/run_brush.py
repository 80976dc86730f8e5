# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain brush in a real viewport: a stroke, undo, Esc, and size and strength by the mouse.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import GLANCE, TICK, Driver, Scenario
from terrains import add, expected, heights, look_at_little, settled, terrain, undo

EDITOR = "VIEW_3D"
ACROSS = 200


def brush(driver: Driver) -> Scenario:
    """Play everything."""
    look_at_little(driver, has_picture=False)
    obj = add(driver, is_shown=True, preset="none", size=2000.0, height=200.0, resolution=129)
    driver.operate(EDITOR, bpy.ops.view3d.view_axis, type="TOP")
    driver.operate(EDITOR, bpy.ops.view3d.view_selected)
    yield from settled(driver)
    before, count = heights(obj), len(obj.terrane.layers)
    settings = bpy.context.scene.terrane_brush
    settings.kind, settings.size, settings.strength = "deposit", 300.0, 1.0

    with driver.step("the tool is in the toolbar, and its circle on the ground"):
        driver.operate(EDITOR, bpy.ops.wm.tool_set_by_id, name="terrane.brush")
        x, y = driver.center(EDITOR)
        yield from driver.hover(x - 20, y, 0.5)
        yield from driver.hover(x, y, 0.5)
        assert _is_orange_near(driver, "circle", x, y), "no circle around the mouse"

    with driver.step("Esc takes a stroke back"):
        yield from _press(driver, x, y)
        assert not np.array_equal(heights(terrain()), before)
        yield from driver.key("ESC", x + ACROSS, y)
        yield from _release(driver, x + ACROSS, y)
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), before)
        assert len(terrain().terrane.layers) == count

    with driver.step("a stroke is kept as a layer, and the heights are those of the settings"):
        yield from _press(driver, x, y)
        driver.screenshot("stroke")
        yield from _release(driver, x + ACROSS, y)
        yield from settled(driver)
        once = heights(terrain())
        assert terrain().terrane.layers[-1].name == "Sculpted Change"
        assert np.abs(once - before).max() > 3.0
        assert np.array_equal(once, expected(terrain()))

    with driver.step("Shift smooths, in one undo step"):
        yield from _press(driver, x, y, shift=True)
        yield from _release(driver, x + ACROSS, y)
        yield from settled(driver)
        assert not np.array_equal(heights(terrain()), once)
        assert len(terrain().terrane.layers) == count + 1
        yield from undo(driver)
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), once)
        yield from undo(driver)
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), before)
        assert len(terrain().terrane.layers) == count
        yield from undo(driver, shift=True)
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), once)

    with driver.step("F sets the size, Shift F the strength, a right click takes them back"):
        yield from _adjust(driver, x, y, 60, "LEFTMOUSE")
        larger = _settings().size
        assert larger > 320.0, larger
        driver.screenshot("size")
        yield from _adjust(driver, x, y, 60, "RIGHTMOUSE")
        assert _settings().size == larger
        yield from _adjust(driver, x, y, -60, "LEFTMOUSE", shift=True)
        assert 0.5 < _settings().strength < 0.9, _settings().strength


def _is_orange_near(driver: Driver, name: str, x: int, y: int) -> bool:
    """Return whether the circle is around a place of the window."""
    driver.screenshot(name)
    image = bpy.data.images.load(str(driver.folder / f"{name}.png"))
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    red, green, blue = np.moveaxis(pixels.reshape(height, width, 4)[..., :3], -1, 0)
    rows, columns = np.nonzero((red > 0.85) & (green - blue > 0.2) & (red - green > 0.1))
    near = (np.abs(columns - x) < ACROSS) & (np.abs(rows - y) < ACROSS)
    middle = columns[near].mean(), rows[near].mean()
    return near.sum() > 50 and np.hypot(middle[0] - x, middle[1] - y) < 6.0


def _settings() -> Any:
    return bpy.context.scene.terrane_brush


def _press(driver: Driver, x: int, y: int, *, shift: bool = False) -> Scenario:
    """Press the mouse button and move to the right."""
    yield from driver.hover(x, y)
    driver.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y, shift=shift)
    yield TICK
    for moved in range(0, ACROSS + 1, 20):
        driver.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + moved, y=y)
        yield GLANCE
    yield TICK


def _release(driver: Driver, x: int, y: int) -> Scenario:
    driver.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield TICK


def _adjust(driver: Driver, x: int, y: int, by: int, end: str, *, shift: bool = False) -> Scenario:
    """Press F, move, and click."""
    yield from driver.key("F", x, y, shift=shift)
    for share in range(1, 7):
        yield from driver.hover(x + by * share // 6, y)
    yield from driver.click(x + by, y, end)
    yield TICK


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(brush)
