# SPDX-License-Identifier: GPL-3.0-or-later
"""First steps of a user in a real window: ``nox -s gui`` runs this inside Blender.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import ROW, Driver, Scenario
from extension import BESIDE_LIST, TAB, module
from themes import use_light_theme

SMALL = 129
"""Vertices along a side."""


def first_terrain(driver: Driver) -> Scenario:
    """Add a terrain and an image by the buttons of their panels, and look at them."""
    with driver.step("open the tab in the 3D viewport"):
        yield from driver.open_tab("VIEW_3D", TAB)
        driver.screenshot("viewport_panel")

    with driver.step("add a terrain by the panel's button"):
        objects_before = set(bpy.data.objects)
        yield from driver.press("VIEW_3D", "terrane.terrain_add")
        yield from driver.wait_for(lambda: set(bpy.data.objects) - objects_before, "a new object")
        (terrain,) = [
            obj for obj in set(bpy.data.objects) - objects_before if obj.terrane.is_terrain
        ]
        assert len(terrain.data.vertices) > 1000, terrain.name
        assert not [obj for obj in bpy.data.objects if "terrane_part" in obj], "a mesh alone"

    with driver.step("look at the terrain"):
        # As the button has framed it; without the floor, which would cut through it.
        overlay: Any = driver.area("VIEW_3D").spaces.active.overlay
        overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False
        yield from driver.hover(*driver.center("VIEW_3D"))
        yield 2.0
        driver.screenshot("viewport_terrain")

    with driver.step("tweak the last operation in its popup"):
        x, y = driver.center("VIEW_3D")
        # Every field that the wheel is tried over makes the terrain anew: let it be small.
        _last_operator().properties.resolution = SMALL
        yield from driver.key("F9", x, y)
        yield 1.0
        driver.screenshot("viewport_redo")
        octaves = _last_operator().properties.octaves
        yield from _wheel_over_popup(
            driver, x, y, lambda: _last_operator().properties.octaves != octaves
        )
        # What is redone is made of new data: names of the old are gone.
        (terrain,) = [thing for thing in bpy.data.objects if thing.terrane.is_terrain]
        assert terrain == bpy.context.active_object
        assert len(terrain.data.vertices) < 2 * SMALL**2
        assert (
            terrain.terrane.layers[0].chain[1].fractal.octaves
            == _last_operator().properties.octaves
        )
        driver.screenshot("viewport_redone")
        yield from driver.key("ESC", x, y)

    with driver.step("update it with a new seed by the panel's buttons, without Global Undo"):
        bpy.context.preferences.edit.use_global_undo = False
        seed, mesh = terrain.terrane.seed, terrain.data
        lowest = min(vertex.co.z for vertex in mesh.vertices)
        yield from driver.press("VIEW_3D", "terrane.seed_new", shares=(BESIDE_LIST,))
        yield from driver.wait_for(lambda: terrain.terrane.seed != seed, "a new seed")
        yield from driver.press("VIEW_3D", "terrane.terrain_update")
        yield from driver.wait_for(
            lambda: min(vertex.co.z for vertex in mesh.vertices) != lowest, "a new shape"
        )
        assert terrain.data == mesh and bpy.context.active_object == terrain
        bpy.context.preferences.edit.use_global_undo = True
        yield 1.0
        driver.screenshot("viewport_updated")

    with driver.step("stack modifiers by the panel's buttons"):
        yield from _stack_modifiers(driver, terrain)

    with driver.step("open the tab in the Image Editor"):
        driver.area("VIEW_3D").ui_type = "IMAGE_EDITOR"
        yield 0.5
        yield from driver.open_tab("IMAGE_EDITOR", TAB)
        driver.screenshot("image_panel")

    with driver.step("make an image by the panel's button"):
        images = set(bpy.data.images)
        yield from driver.press("IMAGE_EDITOR", "terrane.image_new")
        yield from driver.wait_for(lambda: set(bpy.data.images) - images, "a new image")
        (image,) = set(bpy.data.images) - images
        # It is read from what is packed when somebody looks at it, as the editor does.
        yield from driver.wait_for(lambda: image.has_data, f"pixels in {image.name}")

    with driver.step("look at the image"):
        space = driver.area("IMAGE_EDITOR").spaces.active
        assert space.image == image, "the editor does not show the new image"
        driver.operate("IMAGE_EDITOR", bpy.ops.image.view_all, fit_view=True)
        yield 1.0
        driver.screenshot("image_editor")


def _stack_modifiers(driver: Driver, terrain: bpy.types.Object) -> Scenario:
    """Add three, press the buttons beside the list, and look at the panel in both themes."""
    stack = terrain.terrane
    count_before = len(stack.layers)
    for kind in module("noise_core").modifier_types():
        if len(stack.layers) == count_before + 3:
            break
        driver.operate("VIEW_3D", bpy.ops.terrane.layer_add, "UI", type=kind)
    assert len(stack.layers) == count_before + 3
    yield 0.5
    yield from driver.scroll_down("VIEW_3D")
    yield from driver.press("VIEW_3D", "terrane.layer_duplicate", shares=(BESIDE_LIST,))
    yield from driver.wait_for(lambda: len(stack.layers) == count_before + 4, "a copy")
    yield from driver.press("VIEW_3D", "terrane.layer_remove", shares=(BESIDE_LIST,))
    yield from driver.wait_for(lambda: len(stack.layers) == count_before + 3, "one less")
    place, kind = stack.active_layer, stack.layers[stack.active_layer].type
    yield from driver.press("VIEW_3D", "terrane.layer_move", shares=(BESIDE_LIST,), given="DOWN")
    yield from driver.wait_for(lambda: stack.active_layer == place - 1, "another place")
    assert stack.layers[place - 1].type == kind
    stack.layers[place].muted, stack.layers[place].painted_mask = True, "valley"
    yield from driver.scroll_down("VIEW_3D")
    driver.screenshot("modifiers_dark")
    if use_light_theme():
        yield 0.5
        driver.screenshot("modifiers_light")
        bpy.ops.preferences.reset_default_theme()


def _last_operator() -> bpy.types.Operator:
    """Return the operator that the popup shows."""
    return bpy.context.window_manager.operators[-1]


def _wheel_over_popup(driver: Driver, x: int, y: int, is_done: Callable[[], bool]) -> Scenario:
    """Turn the wheel with Ctrl held, field by field from the bottom, until something has changed."""
    for below in range(330, 60, -ROW):
        place = {"x": x + 210, "y": y - below}
        yield from driver.hover(place["x"], place["y"])
        driver.window.event_simulate(type="WHEELUPMOUSE", value="PRESS", ctrl=True, **place)
        yield 0.3
        if is_done():
            return
    raise AssertionError("no field of the popup answered to the wheel")


def _empty_scene() -> None:
    """Remove the cube that every new file has; keep camera and light."""
    for mesh in list(bpy.data.meshes):
        bpy.data.meshes.remove(mesh)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    _empty_scene()
    Driver(Path(sys.argv[-1])).run(first_terrain)
