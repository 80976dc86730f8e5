# SPDX-License-Identifier: GPL-3.0-or-later
"""From an empty file to a colored landscape with the mouse: what docs/first_terrain.md tells.

Pictures for that page, and the panel in its states in both themes, go to the folder after ``--``
with result.json. All is drawn in software: so the terrain has few vertices here, and is rendered
coarsely, unless TERRANE_FINE is set, as `nox -s walk_pictures` does.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import LIMIT, Driver, Scenario
from extension import PICTURE, TAB
from panels import at_rest, keep_panel
from terrains import heights, settled

EDITOR = "VIEW_3D"
PRESET = "rolling_hills"

HEADER = 40
"""Pixels from the sidebar's lower edge to the header of Terrain Material, when all is scrolled."""

BRUSH = 170
"""Pixels: few strokes, for each is drawn in software."""

PALETTE = "temperate"
SKY, BRIGHTNESS = "sunrise.exr", 2.0
"""Of those that Blender ships, the one with a low sun, whose shadows show the relief; it is a dim one."""

IS_FINE = "TERRANE_FINE" in os.environ
"""Whether everything is as a user has it, and takes the time that it takes."""

SAMPLES, RENDERED = (12, 1200.0) if IS_FINE else (1, 50.0)
"""Of a pixel in the viewport, and seconds to wait for them at most."""

COARSE = "4"
"""Pixels along a side of what is rendered as one, unless all is fine."""

BOUNCES = 2
"""Of light: more is not seen on open ground, and takes several times as long."""

LOOK, IDLE = 5.0, 0.15
"""Seconds between two looks at how busy Blender is, and the share of a processor that it takes at most
when there is nothing left to render. While it renders it takes all that it gets."""

BELOW_LIST = 420
"""Pixels of the preferences, from below, in which there is nothing."""


SIDE, DETAIL = 200, 256
"""Vertices along a side, and pixels of textures, unless all is fine."""


def walk(driver: Driver) -> Scenario:
    """Play everything."""
    with driver.step("1 install"):
        yield from _look_at_preferences(driver)

    with driver.step("2 the tab of an empty scene"):
        bpy.data.objects.remove(bpy.data.objects["Cube"])
        bpy.ops.ed.undo_push(message="no cube")
        _hide_floor(driver)
        yield from driver.open_tab(EDITOR, TAB)
        yield from at_rest(driver)
        driver.picture("first_terrain_empty", EDITOR)
        yield from keep_panel(driver, "empty")

    with driver.step("3 pick a preset by its picture, add a terrain"):
        yield from _pick_preset(driver)
        if not IS_FINE:
            bpy.context.scene.terrane.resolution = SIDE
        yield from driver.press(EDITOR, "terrane.terrain_add")
        yield from driver.wait_for(lambda: _terrain() is not None, "a terrain")
        yield from at_rest(driver)
        _assert_all_is_seen(driver)
        driver.picture("first_terrain_added", EDITOR)
        yield from keep_panel(driver, "terrain")

    with driver.step("4 drag the seed"):
        before, seed = heights(_terrain()), _terrain().terrane.seed
        x, y = yield from driver.find_property(EDITOR, "terrane.seed")
        yield from driver.drag(x, y, 24, lambda: None)
        yield from settled(driver)
        assert _terrain().terrane.seed != seed
        assert not np.array_equal(heights(_terrain()), before)
        yield from at_rest(driver)
        driver.picture("first_terrain_seed", EDITOR)

    yield from _masked_erosion(driver)
    yield from _colors(driver)

    with driver.step("8 save, open again"):
        before, path = heights(_terrain()), str(driver.folder / "first_terrain.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
        yield 1.0
        yield from settled(driver)
        assert np.array_equal(heights(_terrain()), before)
        assert _terrain().active_material is not None


def _masked_erosion(driver: Driver) -> Scenario:
    """Add rivers, and paint where they flow."""
    with driver.step("5 add an erosion"):
        before = heights(_terrain())
        driver.operate(EDITOR, _pressed(bpy.ops.terrane.layer_add, type="stream_erosion"), "UI")
        yield from settled(driver)
        eroded = heights(_terrain())
        assert not np.array_equal(eroded, before)
        yield from at_rest(driver)
        driver.picture("first_terrain_erosion", EDITOR)
        yield from keep_panel(driver, "erosion")

    with driver.step("6 paint where it acts"):
        yield from driver.scroll_down(EDITOR)
        yield from driver.press(EDITOR, "terrane.mask_paint", shares=(0.6,), is_upwards=True)
        yield from driver.wait_for(lambda: _terrain().mode == "WEIGHT_PAINT", "Weight Paint")
        yield 1.0
        yield from _strokes(driver)
        weights = _weights()
        assert weights.max() > 0.5 and weights.min() == 0.0, (weights.min(), weights.max())
        yield 0.5
        driver.picture("first_terrain_mask", EDITOR)
        yield from keep_panel(driver, "painting")
        yield from driver.press(EDITOR, "terrane.mask_paint", shares=(0.6,), is_upwards=True)
        yield from driver.wait_for(lambda: _terrain().mode == "OBJECT", "Object Mode")
        yield from driver.wait_for(lambda: not np.array_equal(heights(_terrain()), eroded), "less")
        yield from settled(driver)
        yield from driver.scroll_up(EDITOR)
        masked = heights(_terrain())
        # Where nothing was painted the ground is what it was before any erosion.
        outside = _weights() == 0.0
        assert np.array_equal(masked[outside], before[outside])
        assert np.abs(masked - before)[~outside].max() > 1.0
        yield from at_rest(driver)
        driver.picture("first_terrain_masked", EDITOR)


def _colors(driver: Driver) -> Scenario:
    """Color the landscape, and look at it as it will be rendered."""
    with driver.step("7 color it"):
        yield from driver.scroll_down(EDITOR)
        region = driver.region(EDITOR, "UI")
        yield from driver.click(region.x + 80, region.y + HEADER)
        yield from driver.scroll_down(EDITOR)
        scene = bpy.context.scene
        scene.terrane_terrain_material.palette = PALETTE
        scene.terrane_terrain_material.water = "none"
        if not IS_FINE:
            scene.terrane_terrain_material.detail_pixels = DETAIL
        button = {"shares": (0.6,), "is_upwards": True}
        yield from driver.press(EDITOR, "terrane.terrain_material", **button)
        yield from driver.wait_for(lambda: _terrain().active_material is not None, "a material")
        yield from _rendered(driver)
        driver.picture("first_terrain_colored", EDITOR)
        driver.area(EDITOR).spaces.active.shading.type = "SOLID"
        yield from keep_panel(driver, "material")


def _hide_floor(driver: Driver) -> None:
    """Switch off the floor and its axes, which would cut through whatever is near sea level."""
    overlay: Any = driver.area(EDITOR).spaces.active.overlay
    overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False


def _assert_all_is_seen(driver: Driver) -> None:
    """Make sure that no corner of the terrain is out of sight, or behind the sidebar or a header."""
    region, space = driver.region(EDITOR), driver.area(EDITOR).spaces.active
    right = driver.region(EDITOR, "UI").x - region.x
    above = driver.region(EDITOR, "TOOL_HEADER").y - region.y
    thing = _terrain()
    corners = [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
    places = [location_3d_to_region_2d(region, space.region_3d, corner) for corner in corners]
    assert all(0.0 < x < right and 0.0 < y < above for x, y in places), (places, right, above)
    assert max(x for x, _ in places) - min(x for x, _ in places) > right / 2.0, "it is too small"


def _rendered(driver: Driver) -> Scenario:
    """Render in the viewport, by Cycles: EEVEE's shaders take minutes to build in software."""
    scene: Any = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.preview_samples, scene.cycles.use_preview_denoising = SAMPLES, IS_FINE
    scene.render.preview_pixel_size = "1" if IS_FINE else COARSE
    scene.cycles.max_bounces = BOUNCES
    # By its colors alone: what is smaller than a pixel would otherwise be kept as grain.
    scene.cycles.preview_denoising_input_passes = "RGB"
    space: Any = driver.area(EDITOR).spaces.active
    space.shading.type = "RENDERED"
    # Lit by one of Blender's own skies, as in Material Preview.
    space.shading.use_scene_lights_render = space.shading.use_scene_world_render = False
    space.shading.studio_light, space.shading.studiolight_intensity = SKY, BRIGHTNESS
    yield from _until_idle(RENDERED)
    # What it tells about its progress is drawn with the picture.
    driver.area(EDITOR).tag_redraw()
    yield from driver.drawn()


def _until_idle(limit: float) -> Scenario:
    """Wait until no thread of Blender has work: nothing else tells that a viewport has all samples."""
    end, busy = time.monotonic() + limit, True
    while busy and time.monotonic() < end:
        start, used = time.monotonic(), time.process_time()
        yield LOOK
        busy = time.process_time() - used > IDLE * (time.monotonic() - start)
    assert not (busy and IS_FINE), f"it still renders after {limit:g} seconds"


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


def _pick_preset(driver: Driver) -> Scenario:
    """Open the pictures of all presets, look at them, take one."""
    x, y = yield from driver.find_property(EDITOR, "terrane.seed")
    yield from driver.click(x, y - PICTURE)
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
    thing = _terrain()
    group = thing.vertex_groups.active
    found = np.zeros(len(thing.data.vertices), np.float32)
    for vertex in thing.data.vertices:
        for one in vertex.groups:
            if one.group == group.index:
                found[vertex.index] = one.weight
    return found


def _terrain() -> bpy.types.Object | None:
    """Return the terrain; Blender makes names anew when it undoes."""
    return next((thing for thing in bpy.data.objects if thing.terrane.is_terrain), None)


def _pressed(operator: Any, **keywords: object) -> Any:
    """Return an operator as its button calls it, with an undo step."""
    return lambda: operator("INVOKE_DEFAULT", True, **keywords)


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    seconds = 540.0 + RENDERED if IS_FINE else LIMIT
    Driver(Path(sys.argv[-1]), seconds, is_for_show=IS_FINE).run(walk)
