# SPDX-License-Identifier: GPL-3.0-or-later
"""The first ten minutes with a landscape, as far as no brush is needed; the walk plays all of them.

Begins with the file that Blender begins with: its cube, camera and light are there.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB
from landscape_steps import (
    EDITOR,
    go_near,
    hide_plants,
    parts,
    render,
    stop_by_escape,
    terrain,
    undo_in_one_step,
)
from terrains import heights, settled

SIDE = 64
"""Vertices along a side: all is drawn in software."""

PICTURE = {"percentage": 10, "samples": 1}


def landscape(driver: Driver) -> Scenario:
    """Play everything."""
    with driver.step("open the tab"):
        yield from driver.open_tab(EDITOR, TAB)
        bpy.context.scene.terrane.preset_picture = "rolling_hills"
        bpy.context.scene.terrane.resolution = SIDE
        bpy.ops.ed.undo_push(message="settings")

    with driver.step("Esc leaves nothing behind"):
        yield from stop_by_escape(driver)

    with driver.step("one undo takes all of it back"):
        # Plants take a second of each redraw in software: no mesh is drawn until the landscape has come back.
        driver.area(EDITOR).spaces.active.show_object_viewport_mesh = False
        yield from undo_in_one_step(driver)
        driver.area(EDITOR).spaces.active.show_object_viewport_mesh = True
        yield from driver.drawn()
        driver.screenshot("added")
        yield from hide_plants(driver)

    with driver.step("F12 shows it"):
        yield from render(driver, "rendered", **PICTURE)

    with driver.step("drag the seed: the parts stay"):
        heights_before, there = heights(terrain()), parts()
        x, y = yield from driver.find_property(EDITOR, "terrane.seed")
        yield from driver.drag(x, y, 24, lambda: None)
        yield from settled(driver)
        assert not np.array_equal(heights(terrain()), heights_before) and parts() == there

    with driver.step("a picture from nearby"):
        yield from go_near(driver)
        driver.screenshot("near")
        yield from render(driver, "near_rendered", **PICTURE)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(landscape)
