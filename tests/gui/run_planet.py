# SPDX-License-Identifier: GPL-3.0-or-later
"""A planet in a real window: add it, take it back in one step, and render it.

The pictures and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from landscape_steps import EDITOR, KINDS
from pictures import rendered
from terrains import undo

SIZE = (64, 36)
"""Pixels of a picture: all is drawn in software."""

CELLS = 48
"""Quads along the side of a face."""


def planet(driver: Driver) -> Scenario:
    """Play everything."""
    scene = bpy.context.scene
    scene.world = None
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.ops.ed.undo_push(message="an empty scene")
    names_before = names()
    with driver.step("add a planet, as the menu does"):
        add = bpy.ops.terrane.planet_add
        driver.operate(EDITOR, lambda: add("INVOKE_DEFAULT", resolution=CELLS))
        yield from driver.wait_for(lambda: scene.camera is not None, "a camera")
        yield from driver.drawn()
        driver.screenshot("added")
        names_after = names()
        assert len(names_after["objects"]) >= 4, names_after["objects"]
    with driver.step("one undo takes all of it back, redo brings all of it again"):
        yield from undo(driver)
        assert names() == names_before, (names(), names_before)
        yield from undo(driver, shift=True)
        assert names() == names_after, (names(), names_after)
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    with driver.step("a render shows it before a dark sky"):
        scene.render.engine, scene.cycles.samples = "CYCLES", 16
        scene.cycles.use_denoising = False  # some builds go without
        light = rendered(driver, "rendered")
        yield 0.1
        assert np.median(light[-4:, :4]) < 0.02, "the sky is not dark"
        assert light[:, SIZE[0] // 2].mean() > 0.05, "nothing is in the middle"


def names() -> dict[str, list[str]]:
    """Return the names of objects that may come with a planet."""
    return {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in KINDS}


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(planet)
