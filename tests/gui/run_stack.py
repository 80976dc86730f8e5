# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of layers of a terrain by the mouse alone: add, reorder, mute and solo the first layer, undo.

After every click the heights are compared by value: with those of the settings, worked out anew, and
with those from before. Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import BESIDE_LIST, TAB, module
from terrains import add, follows, heights, look_at_little, terrain, undo

EDITOR = "VIEW_3D"

STAR, EYE = 0.627, 0.699
"""Where the switches of layers are, as shares of the sidebar's width, its tabs included."""

WITHIN = 8
"""Pixels down from where a button is first met, to be well within it."""

BUTTON = 20
"""Pixels from a button to the next below it, at a scale of 1."""

PLAIN = {"noise": "perlin", "fractal": "fbm", "octaves": 5, "frequency": 4, "seed": 1}


def stack(driver: Driver) -> Scenario:
    """Play everything."""
    yield from driver.open_tab(EDITOR, TAB)
    look_at_little(driver, has_picture=False)
    add(driver, **PLAIN, size=100.0, height=10.0, resolution=96)
    yield from follows(driver, terrain())
    states = [heights(terrain())]

    with driver.step("add a modifier and a layer of noise by the menu"):
        for keys, names in (("B", ["Perlin", "Blur"]), ("NV", ["Perlin", "Blur", "Value"])):
            yield from _choose(driver, keys)
            yield from driver.wait_for(lambda names=names: _names() == names, "a layer")
            yield from _changed(driver, states)
    plain, both = states[0], states[-1]

    with driver.step("move the layer down, and up again"):
        x, y = yield from driver.find_button(
            EDITOR, "terrane.layer_move", shares=(BESIDE_LIST,), given="DOWN"
        )
        yield from driver.click(x, y - WITHIN)
        assert _names() == ["Perlin", "Value", "Blur"], _names()
        yield from _changed(driver, states)
        assert not np.array_equal(states[-1], both)
        driver.screenshot("moved")
        yield from driver.click(x, y - WITHIN + BUTTON * bpy.context.preferences.system.ui_scale)
        assert _names() == ["Perlin", "Blur", "Value"], _names()
        yield from _changed(driver, states)
        assert np.array_equal(states[-1], both)

    yield from _first_layer(driver, states, plain, both)

    with driver.step("undo and redo every click"):
        last = len(states) - 1
        for place in reversed(range(last)):
            yield from _back_at(driver, states[place])
        for place in range(1, last + 1):
            yield from _back_at(driver, states[place], shift=True)

    yield from _build_to_here(driver, states, both)


def _back_at(driver: Driver, expected: np.ndarray, *, shift: bool = False) -> Scenario:
    yield from undo(driver, shift=shift)
    yield from follows(driver, terrain())
    assert np.array_equal(heights(terrain()), expected)


def _first_layer(
    driver: Driver, states: list[np.ndarray], plain: np.ndarray, both: np.ndarray
) -> Scenario:
    """Press the switches of the first layer."""
    x, y = yield from driver.find_property(EDITOR, "layers[0].muted", share=EYE)
    region = driver.region(EDITOR, "UI")
    star = region.x + STAR * region.width

    with driver.step("mute the first layer: the others stand on a plain of height 0"):
        yield from driver.click(x, y - WITHIN)
        assert terrain().terrane.layers[0].muted
        yield from _changed(driver, states)
        recipe = module("operators.bridge.terrain.terrains").present_request(terrain()).recipe
        flat = module("noise_core.noises").Constant(value=0.0)
        loud = dataclasses.replace(recipe, layers=(flat, *recipe.layers[1:]))
        grid = module("operators.bridge.terrain.terrains").present_request(terrain()).grid()
        assert np.array_equal(states[-1], loud.evaluate(grid).height.reshape(-1))
        assert not np.array_equal(states[-1], both)
        driver.screenshot("muted")
        yield from driver.click(x, y - WITHIN)
        assert not terrain().terrane.layers[0].muted
        yield from _changed(driver, states)
        assert np.array_equal(states[-1], both)

    with driver.step("show the first layer alone: the ground is what it was before all layers"):
        yield from driver.click(star, y - WITHIN)
        assert terrain().terrane.layers[0].solo
        yield from _changed(driver, states)
        assert np.array_equal(states[-1], plain)
        driver.screenshot("alone")
        yield from driver.click(star, y - WITHIN)
        assert not terrain().terrane.layers[0].solo
        yield from _changed(driver, states)
        assert np.array_equal(states[-1], both)


def _build_to_here(driver: Driver, states: list[np.ndarray], both: np.ndarray) -> Scenario:
    """Press Build to Here, choose a lower layer by a click, and press it again."""
    texts = module("operators.bridge.terrain.layer_times").texts
    note = module("operators.bridge.terrain.partial_lands").note
    assert set(texts(terrain().terrane)) <= {0, 1, 2} and texts(terrain().terrane)

    with driver.step("build to the layer that is clicked on, and to the end again"):
        top = len(terrain().terrane.layers) - 1
        terrain().terrane.active_layer = top
        x, y = yield from driver.find_property(EDITOR, "build_to_here", share=0.4)
        yield from driver.click(x, y - WITHIN)
        assert terrain().terrane.build_to_here and note(terrain()) == ""
        yield from follows(driver, terrain())
        assert np.array_equal(heights(terrain()), both)
        _, first = yield from driver.find_property(EDITOR, "layers[0].muted", share=EYE)
        name = driver.region(EDITOR, "UI").x + 60
        yield from driver.click(
            name, first - WITHIN + BUTTON * bpy.context.preferences.system.ui_scale
        )
        yield from driver.wait_for(lambda: terrain().terrane.active_layer == 1, "a choice")
        yield from _changed(driver, states)
        assert note(terrain()) == f"{terrain().name} is built to Blur", note(terrain())
        yield from driver.hover(x, y - WITHIN, 1.0)
        driver.screenshot("built_to_here")
        yield from driver.click(x, y - WITHIN)
        assert not terrain().terrane.build_to_here
        yield from _changed(driver, states)
        assert np.array_equal(states[-1], both)
        # Blender takes no step for the choice of a layer: undo goes to where the switch was pressed.
        yield from _back_at(driver, both)
        assert terrain().terrane.build_to_here and terrain().terrane.active_layer == top
        yield from _back_at(driver, both, shift=True)
        assert not terrain().terrane.build_to_here


def _choose(driver: Driver, keys: str) -> Scenario:
    """Open the menu of the plus by a click, and choose by the letters that are underlined in it."""
    top = len(terrain().terrane.layers) - 1
    _, y = yield from driver.find_property(EDITOR, f"layers[{top}].muted", share=EYE)
    region = driver.region(EDITOR, "UI")
    yield from driver.click(region.x + BESIDE_LIST * region.width, y - WITHIN)
    yield 0.4
    for key in keys:
        yield from driver.key(key, *driver.mouse)
        yield 0.4


def _changed(driver: Driver, states: list[np.ndarray]) -> Scenario:
    """Wait for rest, compare with the settings, and keep the heights: they must be other ones."""
    yield from follows(driver, terrain())
    now = heights(terrain())
    assert not np.array_equal(now, states[-1]), "the click has changed no height"
    states.append(now)


def _names() -> list[str]:
    return [entry.name for entry in terrain().terrane.layers]


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(stack)
