# SPDX-License-Identifier: GPL-3.0-or-later
"""From a new file to pictures of a landscape with the mouse, as in docs/first_terrain.md.

Pictures for that page, and the panel in its states in both themes, go to the folder after ``--``
with result.json. All is drawn in software: so the terrain has few vertices here, and is rendered
coarsely, unless TERRANE_FINE is set, as `nox -s "pictures(walk)"` does.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import LIMIT, Driver, Scenario
from extension import PICTURE as TO_PICTURE
from extension import TAB
from landscape_steps import (
    add,
    export,
    go_near,
    hide_plants,
    render,
    stop_by_escape,
    terrain,
)
from panels import at_rest, keep_panel, measure_evenly
from terrains import heights, settled

EDITOR = "VIEW_3D"
PRESET = "rolling_hills"

BRUSH = 170
"""Pixels: few strokes, for each is drawn in software."""

IS_FINE = "TERRANE_FINE" in os.environ
"""Whether everything is as a user has it, and takes the time that it takes."""

FOR_SHOW = {"percentage": 40, "samples": 8, "is_denoised": True}
PICTURE = FOR_SHOW if IS_FINE else {"percentage": 10, "samples": 1}
"""What is rendered: shares of 1920 x 1080 pixels, and rays for each."""

LONGEST = 1800.0
"""Seconds for all of it, if it is fine."""

BELOW_LIST = 420
"""Pixels of the preferences, from below, in which there is nothing."""


SIDE = 200
"""Vertices along a side, unless all is fine."""


def walk(driver: Driver) -> Scenario:
    """Play everything."""
    measure_evenly()
    with driver.step("1 install"):
        yield from _look_at_preferences(driver)

    with driver.step("2 the tab of a new file"):
        bpy.context.view_layer.objects.active = None
        hide_floor(driver)
        yield from driver.open_tab(EDITOR, TAB)
        yield from at_rest(driver)
        driver.picture("first_terrain_empty", EDITOR)
        yield from keep_panel(driver, "empty")

    with driver.step("3 pick a preset by its picture, add a landscape, change one's mind by Esc"):
        yield from pick_preset(driver)
        if not IS_FINE:
            bpy.context.scene.terrane.resolution = SIDE
            yield from stop_by_escape(driver)
        yield from add(driver)
        yield from at_rest(driver)
        _assert_all_is_seen(driver)
        driver.picture("first_terrain_added", EDITOR)
        yield from keep_panel(driver, "terrain")
        if not IS_FINE:
            yield from hide_plants(driver)

    with driver.step("4 render it, keep the picture"):
        yield from render(driver, "first_terrain_rendered", **PICTURE)

    with driver.step("5 drag the seed"):
        heights_before, seed = heights(terrain()), terrain().terrane.seed
        x, y = yield from driver.find_property(EDITOR, "terrane.seed")
        yield from driver.drag(x, y, 24, lambda: None)
        yield from settled(driver)
        assert terrain().terrane.seed != seed
        assert not np.array_equal(heights(terrain()), heights_before)
        yield from at_rest(driver)
        driver.picture("first_terrain_seed", EDITOR)

    yield from _masked_erosion(driver)

    with driver.step("8 go near"):
        yield from go_near(driver)
        yield from driver.scroll_up(EDITOR)
        driver.picture("first_terrain_parts", EDITOR)
        yield from keep_panel(driver, "landscape")
        yield from render(driver, "first_terrain_near", **PICTURE)

    with driver.step("9 save, open again"):
        heights_before, path = heights(terrain()), str(driver.folder / "first_terrain.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
        yield 1.0
        yield from settled(driver)
        assert np.array_equal(heights(terrain()), heights_before)
        assert terrain().active_material is not None
        assert bpy.context.scene.camera.get("terrane_part") == "camera"

    with driver.step("10 export a heightmap, and textures of a surface"):
        yield from export(driver)


def _masked_erosion(driver: Driver) -> Scenario:
    """Add rivers, and paint where they flow."""
    with driver.step("6 add an erosion"):
        heights_before = heights(terrain())
        driver.operate(EDITOR, _pressed(bpy.ops.terrane.layer_add, type="stream_erosion"), "UI")
        yield from settled(driver)
        eroded = heights(terrain())
        assert not np.array_equal(eroded, heights_before)
        yield from at_rest(driver)
        driver.picture("first_terrain_erosion", EDITOR)
        yield from keep_panel(driver, "erosion")

    with driver.step("7 paint where it acts"):
        yield from driver.scroll_down(EDITOR)
        yield from driver.press(EDITOR, "terrane.mask_paint", shares=(0.6,), is_upwards=True)
        yield from driver.wait_for(lambda: terrain().mode == "WEIGHT_PAINT", "Weight Paint")
        yield 1.0
        yield from _strokes(driver)
        weights = _weights()
        assert weights.max() > 0.5 and weights.min() == 0.0, (weights.min(), weights.max())
        yield 0.5
        driver.picture("first_terrain_mask", EDITOR)
        yield from keep_panel(driver, "painting")
        yield from driver.press(EDITOR, "terrane.mask_paint", shares=(0.6,), is_upwards=True)
        yield from driver.wait_for(lambda: terrain().mode == "OBJECT", "Object Mode")
        yield from driver.wait_for(lambda: not np.array_equal(heights(terrain()), eroded), "less")
        yield from settled(driver)
        yield from driver.scroll_up(EDITOR)
        masked = heights(terrain())
        # Where nothing was painted the ground is what it was before any erosion.
        outside = _weights() == 0.0
        assert np.array_equal(masked[outside], heights_before[outside])
        assert np.abs(masked - heights_before)[~outside].max() > 1.0
        yield from at_rest(driver)
        driver.picture("first_terrain_masked", EDITOR)


def hide_floor(driver: Driver) -> None:
    """Switch off the floor and its axes, which would cut through ground near sea level."""
    overlay: Any = driver.area(EDITOR).spaces.active.overlay
    overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False


def _assert_all_is_seen(driver: Driver) -> None:
    """Make sure that no corner of the terrain is out of sight, or behind the sidebar or a header."""
    region, space = driver.region(EDITOR), driver.area(EDITOR).spaces.active
    right = driver.region(EDITOR, "UI").x - region.x
    above = driver.region(EDITOR, "TOOL_HEADER").y - region.y
    obj = terrain()
    corners = [obj.matrix_world @ Vector(corner) for corner in obj.bound_box]
    places = [location_3d_to_region_2d(region, space.region_3d, corner) for corner in corners]
    assert all(0.0 < x < right and 0.0 < y < above for x, y in places), (places, right, above)
    assert max(x for x, _ in places) - min(x for x, _ in places) > right / 2.0, "it is too small"


def _look_at_preferences(driver: Driver) -> Scenario:
    """Show where a zip is installed, with nothing of other editors beside it."""
    driver.area(EDITOR).ui_type = "PREFERENCES"
    bpy.context.preferences.active_section = "EXTENSIONS"
    yield 0.5
    driver.operate("PREFERENCES", bpy.ops.screen.screen_full_area)
    yield 1.0
    region = driver.region("PREFERENCES")
    yield from driver.click(region.x + region.width - 24, region.y + region.height - 16)
    yield 1.0
    driver.picture("first_terrain_install", "PREFERENCES", beyond=(0, -BELOW_LIST))
    yield from driver.key("ESC", *driver.center("PREFERENCES"))
    driver.operate("PREFERENCES", bpy.ops.screen.screen_full_area)
    yield 0.5
    driver.area("PREFERENCES").ui_type = EDITOR
    yield 1.0


def pick_preset(driver: Driver) -> Scenario:
    """Open the pictures of all presets, look at them, take one."""
    x, y = yield from driver.find_preset(EDITOR)
    yield from driver.click(x, y - TO_PICTURE)
    yield 1.0
    driver.picture("first_terrain_presets", EDITOR, beyond=(0, 60))
    yield from driver.key("ESC", *driver.center(EDITOR))
    bpy.context.scene.terrane.preset_picture = PRESET
    bpy.ops.ed.undo_push(message="a preset")
    yield 0.5


def _strokes(driver: Driver) -> Scenario:
    """Draw two broad strokes over the half that is near."""
    paint: Any = bpy.context.tool_settings.weight_paint
    paint.unified_paint_settings.size = paint.brush.size = BRUSH
    x, y = driver.center(EDITOR)
    x -= driver.region(EDITOR, "UI").width // 2
    for left, below, length in ((-240, 20, 480), (-220, 105, 240)):
        yield from driver.drag(x + left, y - below, length, lambda: None, pace=80)


def _weights() -> np.ndarray:
    obj = terrain()
    group = obj.vertex_groups.active
    found = np.zeros(len(obj.data.vertices), np.float32)
    for vertex in obj.data.vertices:
        for one in vertex.groups:
            if one.group == group.index:
                found[vertex.index] = one.weight
    return found


def _pressed(operator: Any, **keywords: object) -> Any:
    """Return an operator as its button calls it, with an undo step."""
    return lambda: operator("INVOKE_DEFAULT", **keywords)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    limit = LONGEST if IS_FINE else LIMIT
    Driver(Path(sys.argv[-1]), limit, is_for_show=IS_FINE, has_overlap=True).run(walk)
