# SPDX-License-Identifier: GPL-3.0-or-later
"""Every state of the panels that the walk does not come by, in both themes.

Pictures for docs/panels.md go to the folder after ``--`` with result.json.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from panels import at_rest, keep_panel, measure_evenly, show_alone
from terrains import add, heights, look_at_little, terrain

VIEWPORT, IMAGES = "VIEW_3D", "IMAGE_EDITOR"
SIDE = 64
"""Vertices, or pixels, along a side: it is the panel that is looked at."""

HALF = 8
"""Turns of the wheel until the list of layers is at the top."""

FAR = 0.42
"""How far the work is that a progress bar shows."""


CLOSED = (
    ("displace", ("displace", "maps")),
    ("ground", ("terrain_material",)),
    ("surfaces", ("material", "nodes")),
)
"""Pictures of what is closed at first, and stands below all else."""


def panels(driver: Driver) -> Scenario:
    """Play everything."""
    measure_evenly()
    yield from driver.open_tab(VIEWPORT, TAB)
    look_at_little(driver)
    yield from _layers(driver)
    yield from _states_of_a_terrain(driver)
    yield from _world(driver)
    yield from _image_editor(driver)
    yield from _closed_panels(driver)


def _layers(driver: Driver) -> Scenario:
    def operate(operator: Any, **keywords: object) -> None:
        driver.operate(VIEWPORT, operator, "UI", **keywords)

    with driver.step("the noise of a terrain"):
        add(driver, preset="alps", resolution=SIDE)
        yield from at_rest(driver)
        yield from driver.scroll_down(VIEWPORT)
        yield from keep_panel(driver, "noise")

    with driver.step("layers: one masked by slope, one left out, one alone"):
        add(driver, preset="rolling_hills", resolution=SIDE)
        operate(bpy.ops.terrane.layer_add, type="stream_erosion")
        operate(bpy.ops.terrane.layer_add, type="terraces")
        operate(bpy.ops.terrane.layer_mute, place=len(terrain().terrane.layers) - 1)
        operate(bpy.ops.terrane.layer_add, type="cellular")
        operate(bpy.ops.terrane.layer_mask, source="slope")
        terrain().terrane.layers[-1].opacity = 0.6
        yield from driver.scroll_up(VIEWPORT)
        yield from driver.scroll_down(VIEWPORT, times=HALF)
        yield from keep_panel(driver, "layers")
        yield from driver.scroll_down(VIEWPORT)
        yield from keep_panel(driver, "layer")


def _states_of_a_terrain(driver: Driver) -> Scenario:
    with driver.step("what was edited by hand does not follow"):
        add(driver, preset="alps", resolution=SIDE)
        yield from driver.scroll_up(VIEWPORT)
        yield from at_rest(driver)
        terrain().data.vertices[7].co.z += 1.0
        terrain().data.update()
        terrain().terrane.seed += 1
        yield from keep_panel(driver, "edited")
        bpy.ops.terrane.terrain_update()

    with driver.step("long work is on its way"):
        jobs = module("operators.bridge.tasks.jobs")
        work = SimpleNamespace(
            title="Updating the Terrain",
            share=FAR,
            is_stopping=False,
            is_finishing=False,
            can_finish=True,
        )
        yield from at_rest(driver)
        jobs.show(work)
        yield from keep_panel(driver, "working")
        jobs.hide(work)

    with driver.step("a type that is not known"):
        terrain().terrane.layers[-1].type = "landslides"
        yield from keep_panel(driver, "unknown")


def _world(driver: Driver) -> Scenario:
    def operate(operator: Any, **keywords: object) -> None:
        driver.operate(VIEWPORT, operator, "UI", **keywords)

    with driver.step("land of any size, of which a part is shown at full detail"):
        values = heights(terrain()).reshape(SIDE, SIDE)
        writing = module("noise_core.io.heightmaps.export")
        writing.export_heightmap(values, driver.folder / "land.npy", target="npy", size=1000.0)
        file = str(driver.folder / "land.npy.json")
        operate(bpy.ops.terrane.world_open, filepath=file, samples=SIDE // 4, ground=False)
        operate(
            bpy.ops.terrane.world_region_load,
            place="samples",
            first_sample=(SIDE // 4, SIDE // 4),
            samples=SIDE // 4,
        )
        yield from driver.scroll_up(VIEWPORT)
        yield from keep_panel(driver, "world")
        bpy.data.objects.remove(bpy.context.active_object)
        bpy.context.view_layer.objects.active = terrain()


def _image_editor(driver: Driver) -> Scenario:
    scene = bpy.context.scene
    options = scene.terrane.image_options
    options.width = options.height = SIDE

    with driver.step("noise in the Image Editor"):
        driver.area(VIEWPORT).ui_type = IMAGES
        yield 0.5
        yield from driver.open_tab(IMAGES, TAB)
        yield from keep_panel(driver, "image", IMAGES)

    with driver.step("an image in the colors of a ramp"):
        options.kind, options.colors, options.palette = "noise", "palette", "mars"
        driver.operate(IMAGES, bpy.ops.terrane.ramp_new, "UI")
        yield from keep_panel(driver, "ramp", IMAGES)

    with driver.step("a picture by a formula, that moves"):
        options.kind, options.coloring = "coloring", "marble"
        options.motion, options.frames = "loop", 24
        yield from keep_panel(driver, "coloring", IMAGES)

    with driver.step("textures of a surface"):
        options.kind = "surface"
        yield from keep_panel(driver, "surface", IMAGES)
        yield from driver.scroll_down(IMAGES)
        yield from keep_panel(driver, "files", IMAGES)


def _closed_panels(driver: Driver) -> Scenario:
    with driver.step("what is closed at first, for a mesh that is no terrain"):
        driver.area(IMAGES).ui_type = VIEWPORT
        yield 0.5
        bpy.data.objects.remove(terrain())
        driver.operate(VIEWPORT, bpy.ops.mesh.primitive_grid_add, size=100.0)
        for name, sections in CLOSED:
            yield from show_alone(
                driver, VIEWPORT, [f"TERRANE_PT_{section}" for section in sections]
            )
            yield from keep_panel(driver, name)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1]), has_overlap=True).run(panels)
