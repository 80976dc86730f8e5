# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of a film: open the tab, choose a preset, drag its height, draw a river, render.

They go to the folder after ``--``, numbered, with frames.json: for each its file, how many milliseconds it is
shown, and what is done. `tools/film.py` makes the film. Each frame waits for what it shows, so a slow machine plays
longer and makes the same film. Unless TERRANE_FINE is set, the terrain has few vertices, to try it out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import LIMIT, TICK, Driver, Scenario
from extension import TAB
from landscape_steps import add, hide_plants, render, terrain
from panels import at_rest
from run_draw import TOOL, stroke
from run_walk import EDITOR, IS_FINE, LONGEST, PICTURE, SIDE, hide_floor, pick_preset
from terrains import settled

MOVES, HOLDS = 180, 3500
"""Milliseconds that a frame is shown while something moves, and while it is to be read."""

STEPS, STEP = 14, 2
"""Moves of the mouse that drag the height, and pixels of each."""

RENDERED = {"percentage": 50, "samples": 16, "is_denoised": True} if IS_FINE else PICTURE
"""What is rendered: as wide as the film, if it is fine."""

RIVER = [(0.28, 0.06), (0.12, 0.0), (0.0, -0.04), (-0.12, -0.02), (-0.26, -0.12)]
"""Corners of the stroke, in widths of the viewport from its middle."""


class Frames:
    """The frames of the film so far."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.caption = ""
        self.shown: list[tuple[str, int, str]] = []

    def keep(self, milliseconds: int = MOVES) -> None:
        """Keep a picture of the window, with popups and menus."""
        name = f"frame_{len(self.shown):03d}"
        self.driver.picture(name, EDITOR)
        self.show(f"{name}.png", milliseconds)

    def show(self, file: str, milliseconds: int) -> None:
        """Show a file of the folder."""
        self.shown.append((file, milliseconds, self.caption))
        (self.driver.folder / "frames.json").write_text(json.dumps(self.shown), encoding="utf-8")


def film(driver: Driver) -> Scenario:
    """Play everything."""
    frames = Frames(driver)
    with driver.step("open"):
        frames.caption = "Press N, open the tab Terrane"
        bpy.context.view_layer.objects.active = None
        hide_floor(driver)
        yield from driver.open_tab(EDITOR, TAB)
        yield from at_rest(driver)
        frames.keep(HOLDS)

    with driver.step("preset"):
        frames.caption = "Choose a preset by its picture"
        yield from pick_preset(driver)
        frames.show("first_terrain_presets.png", HOLDS)
        frames.caption = "Add Landscape"
        if not IS_FINE:
            bpy.context.scene.terrane.resolution = SIDE
        yield from add(driver)
        yield from hide_plants(driver)
        yield from at_rest(driver)
        frames.keep(HOLDS)

    with driver.step("drag"):
        frames.caption = "Drag: the terrain follows"
        height = terrain().terrane.height
        yield from _drag_height(driver, frames)
        assert terrain().terrane.height > height
        yield from at_rest(driver)
        frames.caption = "Let go: water, plants and far land follow too"
        frames.keep(HOLDS)

    with driver.step("draw"):
        frames.caption = "Draw a river: the erosion obeys it"
        driver.operate(EDITOR, bpy.ops.wm.tool_set_by_id, name=TOOL)
        tool = bpy.context.workspace.tools.from_space_view3d_mode("OBJECT")
        tool.operator_properties(TOOL).kind = "river"
        yield 0.5
        count = len(terrain().terrane.layers)
        yield from stroke(driver, RIVER, frames.keep)
        yield from driver.wait_for(lambda: len(terrain().terrane.layers) > count, "a layer")
        yield from settled(driver)
        yield from at_rest(driver)
        frames.keep(2 * HOLDS)

    with driver.step("render"):
        frames.caption = "The camera takes the view"
        driver.operate(EDITOR, bpy.ops.view3d.camera_to_view)
        yield from at_rest(driver)
        frames.keep(HOLDS)
        frames.caption = "F12 renders it"
        yield from render(driver, "rendered", **RENDERED, has_sky=False)
        frames.show("rendered.png", 2 * HOLDS)


def _drag_height(driver: Driver, frames: Frames) -> Scenario:
    """Drag the height of the terrain, which follows each move of the mouse before its frame is kept."""
    x, y = yield from driver.find_property(EDITOR, "terrane.height")
    yield from driver.hover(x, y)
    send = driver.window.event_simulate
    send(type="LEFTMOUSE", value="PRESS", x=int(x), y=int(y))
    yield TICK
    for moved in range(STEP, STEPS * STEP + 1, STEP):
        send(type="MOUSEMOVE", value="NOTHING", x=int(x) + moved, y=int(y))
        yield TICK
        yield from settled(driver)
        yield from driver.drawn()
        frames.keep()
    send(type="LEFTMOUSE", value="RELEASE", x=int(x) + STEPS * STEP, y=int(y))
    yield TICK
    yield from settled(driver)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    limit = LONGEST if IS_FINE else LIMIT
    Driver(Path(sys.argv[-1]), limit, is_for_show=IS_FINE, has_overlap=True).run(film)
