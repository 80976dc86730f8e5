# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of a film: open the tab, choose a preset, drag its height, draw a river, render.

They go to the folder after ``--``, numbered, with frames.json: for each its file and how many milliseconds it is
shown. `tools/film.py` makes the film. Unless TERRANE_FINE is set, the terrain has few vertices, to try it out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import LIMIT, Driver, Scenario
from extension import TAB
from landscape_steps import add, hide_plants, render, terrain
from panels import at_rest
from run_draw import TOOL, stroke
from run_walk import EDITOR, IS_FINE, LONGEST, PICTURE, SIDE, hide_floor, pick_preset
from terrains import settled

MOVES, HOLDS = 180, 3500
"""Milliseconds that a frame is shown while something moves, and while it is to be read."""

RIVER = [(0.28, 0.06), (0.12, 0.0), (0.0, -0.04), (-0.12, -0.02), (-0.26, -0.12)]
"""Corners of the stroke, in widths of the viewport from its middle."""


class Frames:
    """The frames of the film so far."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.shown: list[tuple[str, int]] = []

    def keep(self, milliseconds: int = MOVES) -> None:
        """Keep a picture of the window, with popups and menus."""
        name = f"frame_{len(self.shown):03d}"
        self.driver.picture(name, EDITOR)
        self.show(f"{name}.png", milliseconds)

    def show(self, file: str, milliseconds: int) -> None:
        """Show a file of the folder."""
        self.shown.append((file, milliseconds))
        (self.driver.folder / "frames.json").write_text(json.dumps(self.shown), encoding="utf-8")


def film(driver: Driver) -> Scenario:
    """Play everything."""
    frames = Frames(driver)
    with driver.step("open"):
        bpy.context.view_layer.objects.active = None
        hide_floor(driver)
        yield from driver.open_tab(EDITOR, TAB)
        yield from at_rest(driver)
        frames.keep(HOLDS)

    with driver.step("preset"):
        yield from pick_preset(driver)
        frames.show("first_terrain_presets.png", HOLDS)
        if not IS_FINE:
            bpy.context.scene.terrane.resolution = SIDE
        yield from add(driver)
        yield from hide_plants(driver)
        yield from at_rest(driver)
        frames.keep(HOLDS)

    with driver.step("drag"):
        height = terrain().terrane.height
        x, y = yield from driver.find_property(EDITOR, "terrane.height")
        yield from driver.drag(x, y, 96, frames.keep)
        yield from settled(driver)
        assert terrain().terrane.height > height
        yield from at_rest(driver)
        frames.keep(HOLDS)

    with driver.step("draw"):
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
        yield from render(driver, "rendered", **PICTURE)
        frames.show("rendered.png", 2 * HOLDS)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    limit = LONGEST if IS_FINE else LIMIT
    Driver(Path(sys.argv[-1]), limit, is_for_show=IS_FINE, has_overlap=True).run(film)
