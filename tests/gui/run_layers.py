# SPDX-License-Identifier: GPL-3.0-or-later
"""Stack layers by the panel, choose among them, and take the recipe through the clipboard.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import BESIDE_LIST, PACKAGE, TAB, module
from themes import use_light_theme

NAME, EYE = 0.3, 0.699
"""Where the names of layers and their last switch are, as shares of the sidebar's width."""

WITHIN, ONE_ROW = 8, 20
"""From the upper edge of a row to well within it, and from a row to the next, in pixels."""


def layers(driver: Driver) -> Scenario:
    """Add three layers, press the buttons of the list, copy and paste."""
    group = bpy.context.scene.terrane

    def operate(operator, **keywords):
        driver.operate("VIEW_3D", operator, "UI", **keywords)

    with driver.step("begin with a plain noise"):
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
        operate(bpy.ops.terrane.preset_load, preset="none")
        yield from driver.open_tab("VIEW_3D", TAB)
        assert group.active_layer == 0

    with driver.step("add two layers of noise and a modifier"):
        for kind in ("perlin", "simplex"):
            operate(bpy.ops.terrane.layer_add, type=kind)
        operate(bpy.ops.terrane.layer_add, type="terraces")
        yield 2.0
        driver.screenshot("layers")
        assert [entry.name for entry in group.layers] == [
            *("Perlin", "Perlin.001", "Simplex", "Terraces")
        ]

    with driver.step("press the buttons beside the list"):
        yield from driver.scroll_down("VIEW_3D", times=5)
        yield from driver.press("VIEW_3D", "terrane.layer_duplicate", shares=(BESIDE_LIST,))
        yield from driver.wait_for(lambda: len(group.layers) == 5, "a copy")
        yield from driver.press("VIEW_3D", "terrane.layer_remove", shares=(BESIDE_LIST,))
        yield from driver.wait_for(lambda: len(group.layers) == 4, "one less")
        yield from driver.press(
            "VIEW_3D", "terrane.layer_move", shares=(BESIDE_LIST,), given="DOWN"
        )
        yield from driver.wait_for(lambda: group.active_layer == 2, "another place")

    with driver.step("choose layers by clicking on them"):
        _, y = yield from driver.find_property("VIEW_3D", "layers[0].muted", share=EYE)
        region, scale = driver.region("VIEW_3D", "UI"), bpy.context.preferences.system.ui_scale
        x = region.x + NAME * region.width
        for place in (0, 1):
            yield from driver.click(x, y - WITHIN + place * ONE_ROW * scale)
            yield from driver.wait_for(lambda place=place: group.active_layer == place, "a layer")
            yield 1.0

    with driver.step("mask a layer by another one, and let it act alone"):
        operate(bpy.ops.terrane.layer_mask, source="layer", layer="Simplex")
        operate(bpy.ops.terrane.layer_solo)
        group.layers[1].opacity = 0.6
        yield 2.0
        driver.screenshot("layers_masked")
        if use_light_theme():
            yield 1.0
            driver.screenshot("layers_light")
            bpy.ops.preferences.reset_default_theme()
        operate(bpy.ops.terrane.layer_solo)

    with driver.step("take every preset through the clipboard"):
        library = module("noise_core.landscapes.preset_library")
        names = library.preset_names()
        assert "alps" in names
        for name in names:
            operate(bpy.ops.terrane.preset_load, preset=name)
            operate(bpy.ops.terrane.recipe_copy)
            text = bpy.context.window_manager.clipboard
            assert '"noise"' in text, f"{name}: the clipboard holds {text[:80]!r}"
            operate(bpy.ops.terrane.preset_load, preset="none")
            operate(bpy.ops.terrane.recipe_paste)
            operate(bpy.ops.terrane.recipe_copy)
            assert bpy.context.window_manager.clipboard == text, name
            yield 0.05

    with driver.step("refuse what is no recipe"):
        bpy.context.window_manager.clipboard = "hello"
        try:
            operate(bpy.ops.terrane.recipe_paste)
        except RuntimeError as error:
            assert "The clipboard holds no recipe" in str(error)
        else:
            raise AssertionError("a greeting was taken for a recipe")
        yield 0.5

    yield from _files(driver)


def _files(driver: Driver) -> Scenario:
    """Save a recipe and load it by the file browser, which begins in the preferences' folder.

    There is no such folder before; left to itself, Blender would begin in the one around it.
    """
    group, folder = bpy.context.scene.terrane, driver.folder / "recipes"
    preferences = bpy.context.preferences
    preferences.view.filebrowser_display_type = "SCREEN"
    preferences.addons[PACKAGE].preferences.directory = str(folder)

    with driver.step("save a recipe by the file browser"):
        driver.operate("VIEW_3D", bpy.ops.terrane.preset_load, "UI", preset="alps")
        group.seed = 77
        yield from _browse(driver, bpy.ops.terrane.recipe_save, folder)
        driver.screenshot("recipe_save")
        yield from driver.press("FILE_BROWSER", "file.execute", "EXECUTE")
        yield from driver.wait_for(lambda: list(folder.glob("*.json")), "a file")
        (file,) = folder.iterdir()
        yield from driver.wait_for(lambda: not _browsers(driver), "an end of the browser")

    with driver.step("load it by the file browser"):
        driver.operate("VIEW_3D", bpy.ops.terrane.preset_load, "UI", preset="none")
        assert group.seed != 77
        yield from _browse(driver, bpy.ops.terrane.recipe_load, folder)
        driver.screenshot("recipe_load")
        region = driver.region("FILE_BROWSER")
        yield from driver.click(region.x + 60, region.y + region.height - 40)
        assert _browsers(driver)[0].spaces.active.params.filename == file.name
        yield from driver.press("FILE_BROWSER", "file.execute", "EXECUTE")
        yield from driver.wait_for(lambda: group.seed == 77, "the recipe")
        assert "stream_erosion" in [entry.type for entry in group.layers]


def _browse(driver: Driver, operator: Any, folder: Path) -> Scenario:
    """Call an operator as its button does, and wait for the file browser, in the right folder."""
    driver.operate("VIEW_3D", lambda: operator("INVOKE_DEFAULT"), "UI")
    yield from driver.wait_for(lambda: _browsers(driver), "a file browser")
    yield 1.0
    shown = Path(_browsers(driver)[0].spaces.active.params.directory.decode())
    assert shown == folder, f"the file browser begins in {shown}"


def _browsers(driver: Driver) -> list[bpy.types.Area]:
    return [area for area in driver.window.screen.areas if area.type == "FILE_BROWSER"]


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(layers)
