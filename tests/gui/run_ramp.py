# SPDX-License-Identifier: GPL-3.0-or-later
"""Ramps of colors, dragged in Blender's own widget: an image's, and a terrain material's.

That widget sends no notice of its changes, so only a window shows how an image follows them. Screenshots and
result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB, module
from terrains import add, follows, heights, settled, terrain, undo

EDITOR = "IMAGE_EDITOR"
STOP = 2
"""Which stop is dragged, counted from 0."""

BAND = (0.055, 0.87)
"""Where the band of a ramp begins and ends, as shares of the sidebar's width, its tabs included."""

ABOVE_COLOR = {EDITOR: 16, "NODE_EDITOR": 47}
"""Pixels from the field of a stop's color up to the stops: in nodes there is a row between."""

BY = 24
"""Pixels that a stop is dragged by, a tenth of the band."""

SOON = 20.0
"""Seconds in which an image of 256 x 256 has to follow, where everything is drawn in software and others
are at work."""


def ramps(driver: Driver) -> Scenario:
    """Play everything."""
    yield from _image(driver)
    yield from _material(driver)


# --- the ramp of an image ------------------------------------------------------------------------


def _image(driver: Driver) -> Scenario:
    with driver.step("make an image in the colors of a ramp"):
        driver.area("VIEW_3D").ui_type = EDITOR
        yield 0.5
        yield from driver.open_tab(EDITOR, TAB)
        options = bpy.context.scene.terrane.image_options
        options.width = options.height = 256
        options.kind, options.colors, options.palette = "noise", "palette", "mars"
        _pressed(driver, bpy.ops.terrane.ramp_new)
        _pressed(driver, bpy.ops.terrane.image_new, from_panel=True)
        yield from driver.wait_for(lambda: "Alps" in bpy.data.images, "an image")
        yield from settled(driver)
        yield 0.5
        assert [round(stop.position, 3) for stop in _stops()] == [0.0, 0.25, 0.5, 0.75, 1.0]

    with driver.step(
        "drag a stop: the image follows while the mouse moves, and when it has let go"
    ):
        pixels_before, seen = _pixels(), set()
        yield from _drag_stop(
            driver,
            EDITOR,
            0.5,
            lambda: seen.add(_pixels().tobytes()),
            until=lambda: len(seen) > 3,  # a busy machine draws seldom
        )
        # From here on nothing is clicked, pressed or moved.
        start = time.monotonic()
        assert 0.55 < _stops()[STOP].position < 0.75, _stops()[STOP].position
        assert len(seen) > 3, f"{len(seen)} pictures were seen while a stop was dragged"
        yield from driver.wait_for(_is_whole, "the whole image", limit=SOON)
        print(f"gui: whole after {time.monotonic() - start:.2f} s", flush=True)
        yield from settled(driver)
        pixels_after = _pixels()
        assert not np.array_equal(pixels_after, pixels_before)
        driver.screenshot("ramp_dragged")

    with driver.step("what came live is what the button makes"):
        bpy.ops.terrane.image_update(image="Alps")
        assert np.array_equal(_pixels(), pixels_after)
        bpy.ops.ed.undo_push(message="an update")

    with driver.step("a drag is one step to undo, and to redo"):
        yield from _drag_stop(driver, EDITOR, _stops()[STOP].position, lambda: None)
        yield from settled(driver)
        further = _pixels()
        assert not np.array_equal(further, pixels_after)
        for shift, expected in ((False, pixels_after), (True, further), (False, pixels_after)):
            yield from undo(driver, shift=shift, kind=EDITOR)
            yield from settled(driver)
            assert np.array_equal(_pixels(), expected), f"shift {shift}: other pixels"

    with driver.step("a new color, a stop more and another interpolation are followed too"):
        for change in (
            lambda: setattr(_stops()[0], "color", (0.0, 0.2, 1.0, 1.0)),
            lambda: setattr(_stops().new(0.4), "color", (0.0, 1.0, 0.0, 1.0)),
            lambda: setattr(bpy.data.textures["Mars"].color_ramp, "interpolation", "CONSTANT"),
        ):
            old = _pixels()
            change()
            yield from driver.wait_for(
                lambda old=old: not np.array_equal(_pixels(), old), "other pixels", limit=SOON
            )
            yield from settled(driver)


def _stops() -> Any:
    return bpy.data.textures["Mars"].color_ramp.elements


def _pixels() -> np.ndarray:
    image = bpy.data.images["Alps"]
    found = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(found)
    return found


def _is_whole() -> bool:
    """Return whether the image is not a preview."""
    record = module("operators.bridge.datablocks.record").Record.of(
        bpy.data.images["Alps"], "picture"
    )
    return record is not None and not record.is_preview


# --- the ramp of a terrain's material ------------------------------------------------------------


def _material(driver: Driver) -> Scenario:
    with driver.step("a material by height has a ramp in the node editor"):
        driver.area(EDITOR).ui_type = "VIEW_3D"
        yield 0.5
        add(driver, noise="perlin", fractal="fbm", seed=1, size=100.0, height=10.0, resolution=64)
        yield from settled(driver)
        _pressed(driver, bpy.ops.terrane.terrain_material, "VIEW_3D", style="ramp")
        yield from driver.wait_for(lambda: terrain().active_material is not None, "a material")
        driver.area("VIEW_3D").ui_type = "ShaderNodeTree"
        yield 1.0
        tree = terrain().active_material.node_tree
        tree.nodes.active = _ramp_node()
        yield from driver.open_tab("NODE_EDITOR", "Node")
        driver.screenshot("material_ramp")

    with driver.step("drag a stop of it"):
        places_before = _places()
        yield from _drag_stop(driver, "NODE_EDITOR", places_before[STOP], lambda: None)
        places_after = _places()
        moved = [one != other for one, other in zip(places_before, places_after, strict=True)]
        assert moved == [place == STOP for place in range(len(places_before))], (
            places_before,
            places_after,
        )
        assert 0.05 < places_after[STOP] - places_before[STOP] < 0.15, (places_before, places_after)
        driver.screenshot("material_ramp_dragged")

    with driver.step("the heights that follow a setting leave it alone, undo brings it back"):
        old = heights(terrain())
        terrain().terrane.seed += 1
        bpy.ops.ed.undo_push(message="a seed")
        yield from follows(driver, terrain())
        assert not np.array_equal(heights(terrain()), old) and _places() == places_after
        yield from undo(driver, kind="NODE_EDITOR")
        yield from follows(driver, terrain())
        assert np.array_equal(heights(terrain()), old) and _places() == places_after
        yield from undo(driver, kind="NODE_EDITOR")
        assert _places() == places_before and np.array_equal(heights(terrain()), old)

    with driver.step("pressed again, the material is the palette's"):
        yield from undo(driver, shift=True, kind="NODE_EDITOR")
        assert _places() == places_after
        bpy.ops.terrane.terrain_material(style="ramp")
        assert _places() == places_before


def _places() -> list[float]:
    return [stop.position for stop in _ramp_node().color_ramp.elements]


def _ramp_node() -> Any:
    nodes = terrain().active_material.node_tree.nodes
    return next(node for node in nodes if node.type == "VALTORGB")


# --- both ----------------------------------------------------------------------------------------


def _pressed(driver: Driver, operator: Any, kind: str = EDITOR, **keywords: object) -> None:
    """Call an operator as its button does, with an undo step."""
    driver.operate(kind, lambda: operator("INVOKE_DEFAULT", **keywords), "UI")


def _drag_stop(
    driver: Driver,
    kind: str,
    place: float,
    look: Callable[[], object],
    until: Callable[[], object] = lambda: True,
) -> Scenario:
    """Drag the stop at a place to the right, looking at each step, until a condition holds."""
    _, y = yield from driver.find_property(kind, ".color")
    region = driver.region(kind, "UI")
    left, right = (region.x + share * region.width for share in BAND)
    x = left + place * (right - left)
    yield from driver.drag(x, y + ABOVE_COLOR[kind], BY, look, pace=3, until=until)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(ramps)
