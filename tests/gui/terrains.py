# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain of a scenario: its heights, the expected heights, and whether updates have ended."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from driver import PATIENCE, Driver, Scenario
from extension import module


def dispatcher() -> Any:
    """Return the queue of live updates."""
    return module("operators.bridge.tasks.live").queue


def terrain() -> bpy.types.Object:
    """Return the terrain; Blender makes names anew when it undoes."""
    return bpy.data.objects["Terrain"]


def heights(obj: bpy.types.Object) -> np.ndarray:
    """Return the height of each vertex."""
    return module("operators.bridge.datablocks.meshes").positions_of(obj.data)[:, 2].copy()


def asked(obj: bpy.types.Object) -> object:
    """Return the request of an object's settings, for comparing."""
    return module("operators.bridge.terrain.terrains").present_request(obj)


def expected(obj: bpy.types.Object) -> np.ndarray:
    """Return the heights that an object's settings stand for, worked out anew."""
    request = module("operators.bridge.terrain.terrains").present_request(obj)
    return request.acting.evaluate(request.grid()).height.reshape(-1)


def settled(driver: Driver, limit: float = PATIENCE) -> Scenario:
    """Wait until nothing is left to do."""
    yield 0.05
    yield from driver.wait_for(lambda: dispatcher().is_idle, "rest", limit)


def follows(driver: Driver, obj: bpy.types.Object) -> Scenario:
    """Wait for rest; the heights must then be those of the settings, to the bit."""
    yield from settled(driver)
    assert np.array_equal(heights(obj), expected(obj)), "the heights are not the settings'"
    record = module("operators.bridge.terrain.mesh_record").of(obj.data)
    assert not record.is_preview


def add(driver: Driver, *, is_shown: bool = False, **keywords: object) -> bpy.types.Object:
    """Add a terrain as the only object; drawn as a box, for faces are slow in software."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    driver.operate("VIEW_3D", lambda: bpy.ops.terrane.terrain_add(**keywords))
    obj = bpy.context.view_layer.objects.active
    obj.name, obj.display_type = "Terrain", "TEXTURED" if is_shown else "BOUNDS"
    bpy.ops.ed.undo_push(message="a terrain")
    return obj


def undo(driver: Driver, *, shift: bool = False, kind: str = "VIEW_3D") -> Scenario:
    """Press Ctrl+Z, or Ctrl+Shift+Z, over the viewport or another editor; go on when it is done."""
    x, y = driver.center(kind)
    handlers = bpy.app.handlers.redo_post if shift else bpy.app.handlers.undo_post
    done: list[bool] = []

    def note(*_: object) -> None:
        done.append(True)

    handlers.append(note)
    yield from driver.key("Z", x - 150, y, ctrl=True, shift=shift)
    yield from driver.wait_for(lambda: done, "redo" if shift else "undo")
    handlers.remove(note)
    yield 0.2


def look_at_little(driver: Driver, *, has_picture: bool = True) -> None:
    """Leave out all that takes long to draw in software: the floor, all other editors, and perhaps the preview.

    Scenarios about something else need no picture of every setting that they pass through.
    """
    if not has_picture:
        bpy.utils.unregister_class(bpy.types.TERRANE_PT_terrain_preview)
    driver.area("VIEW_3D").spaces.active.overlay.show_overlays = False
    for area in driver.window.screen.areas:
        if area.type != "VIEW_3D":
            area.ui_type = "TEXT_EDITOR"
