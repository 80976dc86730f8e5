# SPDX-License-Identifier: GPL-3.0-or-later
"""Height, size and resolution, dragged in their fields and by the button beside each.

The dragged numbers go to result.json, in the order of dragging.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import BESIDE_LIST, TAB
from terrains import look_at_little, settled

EDITOR = "VIEW_3D"
PIXELS = 100

FIELDS = {"size": 12000.0, "height": 2000.0, "resolution": 512}
"""As the default preset has them."""

FIELD = {"resolution": "resolution_field"}
"""The property that a field shows where it is not the number itself."""

PRESETS = {"dunes": 3.0, "rolling_hills": 170.0, "mountain_range": 2600.0}
"""Heights from the lowest preset to the highest."""

LEAST, MOST = 1.25, 1.5
"""What 100 pixels to the right have to make of a number, as shares of it."""


def drag(driver: Driver) -> Scenario:
    """Drag all of them: nothing but the scene's settings is there, so nothing has to be made."""
    look_at_little(driver, has_picture=False)
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    settings = bpy.context.scene.terrane
    yield from driver.open_tab(EDITOR, TAB)
    yield from driver.scroll_down(EDITOR, times=8)

    with driver.step("the fields are as coarse as the numbers of the presets"):
        for name, before in FIELDS.items():
            settings[name] = before
            yield from _drag_field(driver, name)
            driver.screenshot(f"field_{name}")
            _assert_grown(driver, name, before)

    with driver.step("the buttons beside them scale small numbers and large ones alike"):
        for name in FIELDS:
            place = yield from driver.find_property(EDITOR, f"terrane.{FIELD.get(name, name)}")
            for before in (FIELDS[name], *(PRESETS.values() if name == "height" else ())):
                setattr(settings, name, before)
                yield from _scale(driver, place)
                _assert_grown(driver, name, before)

    with driver.step("Esc takes it back, Ctrl+Z in one step"):
        settings.height = 240.0
        bpy.ops.ed.undo_push(message="a height")
        place = yield from driver.find_property(EDITOR, "terrane.height")
        yield from _scale(driver, place, end="ESC")
        assert settings.height == 240.0, settings.height
        yield from _scale(driver, place)
        assert bpy.context.scene.terrane.height != 240.0
        bpy.ops.ed.undo()
        yield from settled(driver)
        assert bpy.context.scene.terrane.height == 240.0, bpy.context.scene.terrane.height


def _assert_grown(driver: Driver, name: str, before: float) -> None:
    after = getattr(bpy.context.scene.terrane, name)
    print(f"drag: {name} {before:g} -> {after:g}", flush=True)
    assert LEAST <= after / before <= MOST, f"{name}: {before:g} has become {after:g}"


def _drag_field(driver: Driver, name: str) -> Scenario:
    x, y = yield from driver.find_property(EDITOR, f"terrane.{FIELD.get(name, name)}")
    yield from driver.drag(x, y, PIXELS, lambda: None)


def _scale(driver: Driver, place: tuple[int, int], end: str = "LEFTMOUSE") -> Scenario:
    """Press the button beside a field, move the mouse, and end it with a click or a key."""
    region = driver.region(EDITOR, "UI")
    x, y = int(region.x + region.width * BESIDE_LIST), place[1]
    yield from driver.click(x, y)
    for moved in range(0, PIXELS + 1, 10):
        yield from driver.hover(x + moved, y)
    for value in ("PRESS", "RELEASE"):
        driver.window.event_simulate(type=end, value=value, x=x + PIXELS, y=y)
        yield 0.1


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(drag)
