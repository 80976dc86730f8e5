# SPDX-License-Identifier: GPL-3.0-or-later
"""Solid view from above: as bright as the pictures of presets, without seams, without floor and axes.

The pictures and result.json go to the folder after ``--``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Quaternion

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import module
from terrains import settled

PRESETS = ("alps", "canyon", "dunes", "rolling_hills", "snowy_ridge", "coast")

SIDE = 129
"""Vertices along a side."""

PIXELS = 256
"""Along a side of a picture."""

BRIGHTNESS = 0.1
"""By which the mean of Solid view may differ from that of the preset's picture."""

VIEW = 1.438
"""Widths of ground along a side of a picture that is taken from one width away."""

AWAY = 2.0
"""Widths from which the surroundings are seen."""

SEAM = 0.05
"""By which a line along the border of a terrain may be darker than the ground beside it."""


def solid(driver: Driver) -> Scenario:
    """Play everything."""
    with driver.step("the first terrain changes the viewport"):
        add(driver, "terrain_add", preset="alps", resolution=SIDE)
        yield from settled(driver)
        space = driver.area("VIEW_3D").spaces.active
        assert space.shading.color_type == "VERTEX", space.shading.color_type
        assert not (space.overlay.show_floor or space.overlay.show_axis_x)
    for preset in PRESETS:
        with driver.step(f"{preset} is as bright as its picture"):
            add(driver, "terrain_add", preset=preset, resolution=SIDE)
            yield from settled(driver)
            ratio = float(seen_from_above(driver, preset, 1.0).mean() / picture(preset).mean())
            print(f"{preset}: Solid view has {ratio:.3f} of the brightness", flush=True)
            assert abs(ratio - 1.0) < BRIGHTNESS, f"{preset}: {ratio:.3f}"
    with driver.step("no seams between land and surroundings"):
        bpy.context.scene.world = None
        # Without a gorge along the border, which would be a dark line, too.
        add(driver, "landscape_add", preset="canyon", seed=12, resolution=SIDE, plants=False)
        yield from settled(driver)
        depth = seam(seen_from_above(driver, "seams", AWAY))
        driver.area("VIEW_3D").spaces.active.shading.show_object_outline = True
        outlined = seam(seen_from_above(driver, "outlined", AWAY))
        print(f"seams: {depth:.3f}, with outlines {outlined:.3f}", flush=True)
        assert depth < SEAM < outlined, (depth, outlined)
    with driver.step("the button sets all back"):
        space.shading.show_object_outline = False
        driver.operate("VIEW_3D", bpy.ops.terrane.viewport_colors)
        assert space.shading.color_type == "MATERIAL" and space.shading.studio_light == "Default"
        assert space.overlay.show_floor and space.shading.show_object_outline


def add(driver: Driver, name: str, **keywords: object) -> None:
    """Add a terrain or a landscape as the only one, as its button does."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    operator = getattr(bpy.ops.terrane, name)
    driver.operate("VIEW_3D", lambda: operator(colors=True, **keywords))
    viewports = module("operators.bridge.terrain.viewports")
    driver.operate("VIEW_3D", lambda: viewports.show_colors(bpy.context))


def seen_from_above(driver: Driver, name: str, widths: float) -> np.ndarray:
    """Return Solid view of the terrain and all around it as sRGB, and keep it; `widths` tell the distance."""
    terrain = next(obj for obj in bpy.data.objects if obj.terrane.is_terrain)
    space = driver.area("VIEW_3D").spaces.active
    view, width = space.region_3d, float(terrain.dimensions.x)
    view.view_perspective, view.view_rotation = "ORTHO", Quaternion()
    view.view_location, view.view_distance = terrain.location, widths * width
    space.clip_start, space.clip_end = 1e-3 * width, 10.0 * width
    scene: Any = bpy.context.scene
    scene.render.resolution_x = scene.render.resolution_y = PIXELS
    scene.render.film_transparent = True
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.filepath = str(driver.folder / f"{name}.png")
    space.overlay.show_overlays = False
    driver.operate("VIEW_3D", lambda: bpy.ops.render.opengl(write_still=True, view_context=True))
    space.overlay.show_overlays = True
    image = bpy.data.images.load(scene.render.filepath)
    image.colorspace_settings.is_data = True
    values = np.empty((PIXELS, PIXELS, 4), np.float32)
    image.pixels.foreach_get(values.reshape(-1))
    bpy.data.images.remove(image)
    ground = np.argwhere(values[..., 3] > 0.99)
    low, high = ground.min(axis=0), ground.max(axis=0) + 1
    return values[low[0] : high[0], low[1] : high[1], :3]


def borders(side: int, widths: float) -> list[int]:
    """Return the columns of a picture from so many widths away where a terrain ends."""
    half = 0.5 * side / (VIEW * widths)
    return [round(0.5 * side - half), round(0.5 * side + half)]


def picture(preset: str) -> np.ndarray:
    """Return the picture of a preset, which is seen from above too."""
    found = module("noise_core.landscapes.preset_library").preset(preset)
    grid = found.recipe.grid(SIDE)
    relief = found.recipe.evaluate(grid)
    thumbnail = module("noise_core.pictures.thumbnail").thumbnail
    return thumbnail(relief.height, grid, found.look, found.recipe.height, maps=relief.maps)


def seam(values: np.ndarray) -> float:
    """Return how much darker a line along a border of the terrain is than the ground beside it, at most.

    The median along the line leaves out valleys that end there.
    """
    gray, darker = values.mean(axis=2), []
    for across in (gray, gray.T):
        for border in borders(across.shape[1], AWAY):
            for place in range(border - 2, border + 3):
                beside = 0.5 * (across[:, place - 4] + across[:, place + 4])
                darker.append(np.median(beside - across[:, place]))
    return float(max(darker))


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(solid)
