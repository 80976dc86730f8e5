# SPDX-License-Identifier: GPL-3.0-or-later
"""The mask of a layer over the ground in a real viewport, and the viewport as it was before.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from terrains import add, follows, look_at_little, settled, terrain

EDITOR = "VIEW_3D"

WITHIN = 8
"""Pixels down from where a button is first met, to be well within it."""


def mask(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab(EDITOR, TAB)
    look_at_little(driver, has_picture=False)
    obj = add(driver, is_shown=True, preset="none", size=20.0, height=4.0, resolution=96)
    driver.operate(EDITOR, bpy.ops.terrane.layer_add, "UI", type="terraces")
    driver.operate(EDITOR, bpy.ops.terrane.layer_mask, "UI", source="slope")
    terrain().terrane.layers[-1].mask.low = 35.0
    yield from follows(driver, obj)
    drawing = module("operators.bridge.textures.mask_drawing")
    overlay = module("operators.bridge.textures.mask_overlay").overlay

    with driver.step("press Show Mask: red where the layer acts, white where it does not"):
        yield from driver.scroll_down(EDITOR)
        x, y = yield from driver.find_button(EDITOR, "terrane.mask_show", is_upwards=True)
        yield from driver.hover(*driver.center(EDITOR), 0.5)  # where no tooltip opens
        before = _seen(driver, "before")
        yield from driver.click(x, y - WITHIN)
        yield from driver.wait_for(lambda: drawing.shown is not None, "a mask")
        yield from driver.hover(*driver.center(EDITOR), 0.5)
        yield from driver.drawn()
        driver.screenshot("panel")
        during = _seen(driver, "during")
        red, pale = _count(during, before)
        share = drawing.shown.colors[:, 3].mean()
        assert red > 2000 and pale > 2000, f"{red} red, {pale} white pixels; alpha {share}"

    with driver.step("it follows a limit of the mask"):
        terrain().terrane.layers[-1].mask.low = 75.0
        yield from settled(driver)
        yield from driver.wait_for(
            lambda: drawing.shown.colors[:, 1].mean() > 0.95, "no steep slope"
        )
        yield 0.5
        fewer, _ = _count(_seen(driver, "steep"), before)
        assert fewer < red / 4, f"{fewer} red pixels of {red}"
        terrain().terrane.layers[-1].mask.low = 35.0
        yield from settled(driver)
        yield 1.0
        assert np.abs(_seen(driver, "again") - during).max() < 0.02

    with driver.step("another layer ends it, and the viewport is as it was"):
        terrain().terrane.active_layer = 0
        yield from settled(driver)
        yield 0.5
        assert drawing.shown is None and overlay.owner is None
        # Software draws a pixel or two of a thousand a shade lighter.
        assert np.abs(_seen(driver, "after") - before).max() < 0.02


def _seen(driver: Driver, name: str) -> np.ndarray:
    """Return the pixels of the viewport, shape (rows, columns, 3)."""
    image = bpy.data.images.load(str(driver.picture(name, EDITOR, "WINDOW")))
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[..., :3]


def _count(now: np.ndarray, before: np.ndarray) -> tuple[int, int]:
    """Return how many pixels are redder, and how many are whiter, than before."""
    change = now - before
    red = (change[..., 0] - change[..., 1] > 0.2).sum()
    pale = ((change.min(axis=-1) > 0.05) & (np.ptp(change, axis=-1) < 0.05)).sum()
    return int(red), int(pale)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(mask)
