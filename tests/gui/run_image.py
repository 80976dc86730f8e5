# SPDX-License-Identifier: GPL-3.0-or-later
"""The Image Editor's tab in a real window: noise, colorings, surfaces; ``nox -s gui`` runs this.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB
from themes import use_light_theme

EDITOR = "IMAGE_EDITOR"
SIDE = 512


def images(driver: Driver) -> Scenario:
    """Make an image by each part of the panel, and look at the panel."""
    options = bpy.context.scene.terrane.image_options
    options.width = options.height = SIDE
    surface = _surface()
    surface.width = surface.height = SIDE
    folder, usual = driver.folder / "textures", surface.directory

    with driver.step("open the tab"):
        driver.area("VIEW_3D").ui_type = EDITOR
        yield 0.5
        yield from driver.open_tab(EDITOR, TAB)
        yield from driver.widen(EDITOR, 120)
        driver.screenshot("image_noise")

    with driver.step("make a picture by a formula"):
        options.kind, options.coloring = "coloring", "marble"
        yield 0.5
        driver.screenshot("image_coloring_new")
        image = yield from _new_image(driver)
        assert image.name == "Marble" and tuple(image.size) == (SIDE, SIDE)
        assert driver.area(EDITOR).spaces.active.image == image
        driver.operate(EDITOR, bpy.ops.image.view_all, fit_view=True)
        yield 0.5
        driver.screenshot("image_coloring")

    with driver.step("update it in place, and undo that"):
        own = image.terrane.image_options
        pixels_before = tuple(image.pixels[:64])
        own.coloring_marble.bands = 7
        yield from _press(driver, "terrane.image_update")
        yield from driver.wait_for(lambda: tuple(image.pixels[:64]) != pixels_before, "new pixels")
        assert bpy.data.images["Marble"] == image and own.coloring_marble.bands == 7
        yield 0.5
        driver.screenshot("image_updated")
        driver.operate(EDITOR, bpy.ops.ed.undo)
        yield 0.5
        image = bpy.data.images["Marble"]
        assert tuple(image.pixels[:64]) == pixels_before, "undo left the new pixels"
        driver.screenshot("image_undone")

    with driver.step("save a loop of it"):
        own = image.terrane.image_options
        own.motion, own.frames, own.loop_length = "loop", 4, 0.3
        _surface().directory = str(folder)
        yield 1.0
        yield from _press(driver, "terrane.sequence_save", is_upwards=True)
        yield from driver.wait_for(lambda: "marble_0001.png" in bpy.data.images, "a sequence")
        assert len(list(folder.glob("marble_*.png"))) == 4
        space = driver.area(EDITOR).spaces.active
        assert space.image.source == "SEQUENCE" and space.image_user.frame_duration == 4
        yield 1.0
        space.image, _surface().directory = image, usual  # pictures show no place of this machine
        yield 1.0
        driver.screenshot("image_sequence")
        own.motion = "still"

    with driver.step("color noise with a ramp of one's own"):
        own = image.terrane.image_options
        own.kind, own.colors, own.palette = "noise", "palette", "mars"
        yield 0.5
        yield from _press(driver, "terrane.ramp_new", shares=(0.83, 0.86, 0.89, 0.8))
        yield from driver.wait_for(lambda: own.colors == "ramp", "a ramp")
        assert own.ramp_texture is not None
        yield from _press(driver, "terrane.image_update")
        yield from driver.wait_for(lambda: own.kind == "noise" and _is_colored(image), "colors")
        yield 0.5
        driver.screenshot("image_ramp")

    with driver.step("bake textures of a surface"):
        bpy.context.scene.terrane.image_options.kind = "surface"
        image.terrane.image_options.kind = "surface"
        yield from driver.hover(*driver.center(EDITOR, "UI"))
        yield 1.0
        driver.screenshot("image_surface_new")
        yield from _press(driver, "terrane.images_bake")
        yield from driver.wait_for(lambda: "Granite Base Color" in bpy.data.images, "textures")
        shown = driver.area(EDITOR).spaces.active.image
        assert shown == bpy.data.images["Granite Base Color"], shown
        driver.operate(EDITOR, bpy.ops.image.view_all, fit_view=True)
        yield 0.5
        driver.screenshot("image_surface_dark")

    with driver.step("save them as files"):
        _surface().directory = str(folder)
        yield from driver.scroll_down(EDITOR)
        yield from _press(driver, "terrane.images_save", is_upwards=True)
        yield from driver.wait_for(lambda: (folder / "granite_basecolor.png").exists(), "files")
        _surface().directory = usual
        yield 1.0
        driver.screenshot("image_surface_files")

    with driver.step("look at it in the light theme"):
        if use_light_theme():
            yield from driver.scroll_up(EDITOR)
            driver.screenshot("image_surface_light")
            bpy.ops.preferences.reset_default_theme()


def _surface() -> bpy.types.PropertyGroup:
    """Return the scene's settings of surfaces, anew: after an undo they lie elsewhere."""
    return bpy.context.scene.terrane_material


def _press(driver: Driver, operator: str, **where: object) -> Scenario:
    """Press a button of the panel, after the panel has forgotten the last one."""
    yield from driver.hover(*driver.center(EDITOR))
    yield 0.3
    yield from driver.press(EDITOR, operator, **where)


def _new_image(driver: Driver) -> Scenario:
    images_before = set(bpy.data.images)
    yield from _press(driver, "terrane.image_new")
    yield from driver.wait_for(lambda: set(bpy.data.images) - images_before, "a new image")
    (image,) = set(bpy.data.images) - images_before
    return image


def _is_colored(image: bpy.types.Image) -> bool:
    first = image.pixels[:4]
    return image.colorspace_settings.name == "Linear Rec.709" and first[0] != first[2]


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(images)
