# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw roads and a lake on a terrain with the tool of the toolbar, by the mouse alone.

Screenshots and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import TICK, Driver, Scenario
from extension import TAB, module
from terrains import add, follows, heights, settled, terrain, undo

EDITOR = "VIEW_3D"
TOOL = "terrane.curve_draw"
PLAIN = {"noise": "perlin", "fractal": "fbm", "octaves": 4, "frequency": 2, "seed": 1}

ACROSS = [(-0.3, -0.1), (-0.15, 0.05), (0.0, 0.0), (0.15, -0.08), (0.3, 0.02)]
"""Corners of a stroke, in widths of the viewport from its middle."""

AROUND = [(-0.1, 0.1), (0.05, 0.12), (0.1, 0.2), (-0.05, 0.22), (-0.1, 0.1)]


def draw(driver: Driver) -> Scenario:
    """Play everything."""
    driver.area(EDITOR).spaces.active.overlay.show_floor = False
    yield from driver.open_tab(EDITOR, TAB)
    add(driver, is_shown=True, **PLAIN, size=100.0, height=8.0, resolution=96)
    yield from follows(driver, terrain())
    driver.operate(EDITOR, bpy.ops.view3d.view_axis, type="TOP")
    driver.operate(EDITOR, bpy.ops.view3d.view_all)
    yield 0.5
    plain = heights(terrain())

    with driver.step("choose the tool"):
        driver.operate(EDITOR, bpy.ops.wm.tool_set_by_id, name=TOOL)
        yield 0.5
        driver.screenshot("tool")

    with driver.step("Esc while drawing leaves no trace"):
        yield from stroke(driver, ACROSS, end="ESC")
        yield from settled(driver)
        assert not bpy.data.curves and len(terrain().terrane.layers) == 1
        assert np.array_equal(heights(terrain()), plain)

    with driver.step("a stroke becomes a road that the land follows, in one undo step"):
        yield from stroke(driver, ACROSS, look="drawing")
        yield from driver.wait_for(lambda: len(terrain().terrane.layers) == 2, "a layer")
        yield from follows(driver, terrain())
        road = bpy.data.objects["Road"]
        assert road.parent == terrain() and road.show_in_front
        assert 2 <= len(road.data.splines[0].bezier_points) <= 12
        drawn = heights(terrain())
        assert not np.array_equal(drawn, plain)
        driver.screenshot("road")
        yield from undo(driver)
        yield from follows(driver, terrain())
        assert "Road" not in bpy.data.objects and len(terrain().terrane.layers) == 1
        assert np.array_equal(heights(terrain()), plain)
        yield from undo(driver, shift=True)
        yield from follows(driver, terrain())
        assert np.array_equal(heights(terrain()), drawn)

    with driver.step("a stroke that returns to its beginning is closed: a pad"):
        tool = bpy.context.workspace.tools.from_space_view3d_mode("OBJECT")
        tool.operator_properties(TOOL).kind = "pad"
        yield from stroke(driver, AROUND)
        yield from driver.wait_for(lambda: len(terrain().terrane.layers) == 3, "a layer")
        yield from follows(driver, terrain())
        (spline,) = bpy.data.objects["Pad"].data.splines
        assert spline.use_cyclic_u
        kind = module("operators.bridge.terrain.path_layers").kind_of
        assert [kind(entry) for entry in terrain().terrane.layers[1:]] == ["road", "pad"]
        driver.screenshot("pad")

    with driver.step("the list selects the road, whose points then move the land"):
        place = terrain().terrane.layers.find("Road")
        driver.operate(EDITOR, bpy.ops.terrane.curve_select, "UI", place=place)
        yield from driver.wait_for(lambda: terrain().terrane.active_layer == 1, "the layer")
        assert bpy.context.active_object.name == "Road"
        before = heights(terrain())
        x, y = driver.center(EDITOR)
        yield from driver.key("G", x, y)
        yield from driver.hover(x, y + 60)
        driver.screenshot("moving")
        yield from driver.click(x, y + 60)
        yield from follows(driver, terrain())
        assert not np.array_equal(heights(terrain()), before)
        driver.screenshot("moved")


def stroke(
    driver: Driver,
    corners: list[tuple[float, float]],
    watch: Callable[[], object] = lambda: None,
    **how: str,
) -> Scenario:
    """Press the mouse, move through corners while something watches, and let go or press a key."""
    region = driver.region(EDITOR)
    places = [
        (
            region.x + region.width * (0.42 + 0.8 * x),
            region.y + region.height * 0.5 + region.width * y,
        )
        for x, y in corners
    ]
    line = [
        (np.array(first) * (1.0 - share) + np.array(second) * share)
        for first, second in zip(places, places[1:])
        for share in np.arange(8) / 8.0
    ] + [np.array(places[-1])]
    yield from driver.hover(*line[0])
    send = driver.window.event_simulate
    send(type="LEFTMOUSE", value="PRESS", x=int(line[0][0]), y=int(line[0][1]))
    yield TICK
    for x, y in line[1:]:
        yield from driver.hover(x, y)
        watch()
    if "look" in how:
        yield 0.5
        driver.screenshot(how["look"])
    x, y = (int(value) for value in line[-1])
    if "end" in how:
        for value in ("PRESS", "RELEASE"):
            send(type=how["end"], value=value, x=x, y=y)
            yield TICK
    send(type="LEFTMOUSE", value="RELEASE", x=x, y=y)
    yield TICK


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1]), has_overlap=True).run(draw)
