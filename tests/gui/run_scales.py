# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels in both themes at 100 % and 200 % scale: pictures to look at, and fields that still act by the mouse.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from panels import at_rest
from terrains import add, look_at_little
from themes import dark_and_light

VIEWPORT, IMAGES = "VIEW_3D", "IMAGE_EDITOR"

SCALES = (1.0, 2.0)

SIDE = 33
"""Vertices or pixels along a side: it is the panel that is looked at."""

LAYERS = ("stream_erosion", "blur", "path")


def scales(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab(VIEWPORT, TAB)
    look_at_little(driver)
    for scale in SCALES:
        bpy.context.preferences.view.ui_scale = scale
        yield 1.0
        with driver.step(f"a terrain and its layers at {scale:.0%}"):
            add(driver, preset="perlin", resolution=SIDE)
            yield from _keep(driver, VIEWPORT, f"terrain_{scale:.0%}")
            for kind in LAYERS:
                driver.operate(VIEWPORT, bpy.ops.terrane.layer_add, "UI", type=kind)
                yield from _keep(driver, VIEWPORT, f"{kind}_{scale:.0%}", is_scrolled=True)
        with driver.step(f"Auto is switched by a click at {scale:.0%}"):
            yield from _switch(driver)
        with driver.step(f"an image at {scale:.0%}"):
            yield from _image(driver, f"{scale:.0%}")


def _switch(driver: Driver) -> Scenario:
    """Turn the switch of a number off with the mouse."""
    settings = bpy.context.active_object.terrane
    types = [entry.type for entry in settings.layers]
    settings.active_layer = types.index("blur")
    blur = settings.layers[settings.active_layer].blur
    yield from _scroll(driver, VIEWPORT)
    place = yield from driver.find_property(VIEWPORT, "blur.radius_auto", share=0.85)
    yield from driver.click(*place)
    yield from driver.wait_for(lambda: not blur.radius_auto, "a number")
    assert blur.radius == blur.radius_field > 0.0


def _image(driver: Driver, scale: str) -> Scenario:
    """Make an image, and show the mask of a layer of it."""
    drawing = module("operators.bridge.textures.mask_drawing")
    driver.area(VIEWPORT).ui_type = IMAGES
    yield 0.5
    yield from driver.open_tab(IMAGES, TAB)
    driver.operate(IMAGES, bpy.ops.terrane.image_new, "UI", width=SIDE, height=SIDE)
    driver.operate(IMAGES, bpy.ops.terrane.layer_add, "UI", type="terraces")
    driver.operate(IMAGES, bpy.ops.terrane.layer_mask, "UI", source="slope")
    yield from _keep(driver, IMAGES, f"image_{scale}", is_scrolled=True)
    driver.operate(IMAGES, bpy.ops.terrane.mask_show, "UI")
    yield from driver.wait_for(lambda: drawing.shown is not None, "a mask")
    yield from driver.drawn()
    driver.picture(f"mask_{scale}", IMAGES)
    assert drawing.shown.texture is not None, "the mask was not drawn"
    module("operators.bridge.textures.mask_overlay").overlay.end()
    driver.area(IMAGES).ui_type = VIEWPORT
    yield 0.5
    yield from driver.open_tab(VIEWPORT, TAB)


def _keep(driver: Driver, kind: str, name: str, *, is_scrolled: bool = False) -> Scenario:
    """Take the sidebar's picture in both themes; if scrolled, of its lower part too."""
    yield from at_rest(driver, kind)
    for theme in dark_and_light():
        driver.area(kind).tag_redraw()
        yield from driver.drawn()
        driver.picture(f"{name}_{theme}", kind, "UI")
        if is_scrolled:
            yield from _scroll(driver, kind)
            driver.picture(f"{name}_{theme}_below", kind, "UI")


def _scroll(driver: Driver, kind: str) -> Scenario:
    """Scroll a sidebar down by most of a screen."""
    with bpy.context.temp_override(
        window=driver.window, area=driver.area(kind), region=driver.region(kind, "UI")
    ):
        for _ in range(9):
            bpy.ops.view2d.scroll_down(deltay=-60)
    yield from driver.drawn()


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(scales)
