# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the fields of noise are drawn in a window of 1600 x 900: visible for every preset without a scroll or a click.

Nothing is pressed: "Copy Data Path" of a field's context menu tells what is below the mouse. Screenshots and
result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from terrains import add, look_at_little, settled

VIEWPORT, IMAGES = "VIEW_3D", "IMAGE_EDITOR"

FIELDS = ("seed", "octaves", "frequency", "persistence", "warp")

FEW = 4
"""Of so many presets one is looked at where the box is the same as for a new terrain, by the same code."""

SIDE = 17
"""Vertices or pixels along a side: it is the panel that is looked at."""


def fields(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab(VIEWPORT, TAB)
    look_at_little(driver)
    library = module("noise_core.landscapes.preset_library")
    presets = ("none", *library.preset_names())
    assert (driver.window.width, driver.window.height) == (1600, 900)

    with driver.step("a new terrain, and the cube of a new file that can be displaced"):
        assert bpy.context.active_object.type == "MESH"
        yield from _all_visible(driver, VIEWPORT, presets)

    with driver.step("a terrain"):
        add(driver, preset="none", resolution=SIDE)
        yield from _all_visible(driver, VIEWPORT, presets[::FEW])

    with driver.step("a planet"):
        driver.operate(VIEWPORT, bpy.ops.terrane.planet_add, resolution=SIDE)
        yield from _all_visible(driver, VIEWPORT, ("none", "ridged", "warped"))

    with driver.step("an image"):
        bpy.context.scene.terrane.image_options.width = SIDE
        bpy.context.scene.terrane.image_options.height = SIDE
        driver.area(VIEWPORT).ui_type = IMAGES
        yield 0.5
        yield from driver.open_tab(IMAGES, TAB)
        yield from _all_visible(driver, IMAGES, presets[1::FEW])
        driver.operate(IMAGES, bpy.ops.terrane.image_new, "UI", width=SIDE, height=SIDE)
        yield from _all_visible(driver, IMAGES, ("alps", "clouds"))


def _all_visible(driver: Driver, kind: str, presets: Iterable[str]) -> Scenario:
    """Load presets, and meet each field with the mouse: where it was for the last preset, or by a search."""
    places: dict[str, tuple[int, int]] = {}
    for preset in presets:
        driver.operate(kind, bpy.ops.terrane.preset_load, "UI", preset=preset)
        driver.area(kind).tag_redraw()
        yield from settled(driver)
        yield from driver.drawn()
        for name in FIELDS:
            if name in places:
                yield from driver.hover(*places[name])
                if driver.path_below_mouse(kind, "UI").endswith(f"terrane.{name}"):
                    continue
            print(f"gui: {kind}: search {name} of {preset}", flush=True)
            places[name] = yield from driver.find_property(kind, f"terrane.{name}")
        heights = [places[name][1] for name in FIELDS]
        assert heights == sorted(heights, reverse=True), (preset, places)
    driver.picture(f"fields_{kind}_{len(driver.steps)}", kind)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(fields)
