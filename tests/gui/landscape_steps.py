# SPDX-License-Identifier: GPL-3.0-or-later
"""First steps with a landscape: add it, stop it, undo it, render it, look at it from nearby, keep the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from driver import ROW, Driver, Scenario
from extension import TAB, module
from terrains import settled, undo

EDITOR, PICTURES = "VIEW_3D", "IMAGE_EDITOR"

TEXTURE = 64
"""Pixels along a side of textures: what is in them is tested elsewhere."""

KINDS = ("objects", "meshes", "collections", "lights", "cameras", "materials", "worlds")
"""What is there must be the same after a landscape was stopped or undone."""

RENDER = 900.0
"""Seconds to wait for a picture that is for show; a scenario that is not ends earlier."""

NEAR = {"lift": 0.004, "lens": 24.0}
"""A camera at 0.4 % of the width above the ground, with a wide view."""


def terrain() -> bpy.types.Object | None:
    """Return the terrain; Blender makes names anew when it undoes."""
    return next((obj for obj in bpy.data.objects if obj.terrane.is_terrain), None)


def parts() -> set[str]:
    """Return which parts of a landscape are there."""
    return {obj["terrane_part"] for obj in bpy.context.scene.objects if "terrane_part" in obj}


def stop_by_escape(driver: Driver) -> Scenario:
    """Begin to add a landscape, press Esc while its heights are worked out, then while its ground is."""
    jobs, names_before, view = module("operators.bridge.tasks.jobs"), _names(), _view(driver)
    for condition in (lambda: jobs.running() is not None, lambda: terrain() is not None):
        yield from driver.press(EDITOR, "terrane.landscape_add")
        yield from driver.wait_for(condition, "work")
        yield from driver.key("ESC", *driver.center(EDITOR))
        yield from driver.wait_for(lambda: jobs.running() is None, "an end of the work")
        yield from driver.drawn()
        assert _names() == names_before, (_names(), names_before)
        assert _view(driver) == view, "the view has stayed where the terrain was"


def add(driver: Driver) -> Scenario:
    """Press the button, and wait for all parts."""
    yield from driver.press(EDITOR, "terrane.landscape_add")
    yield from driver.wait_for(lambda: "camera" in parts(), "a camera", RENDER)
    yield from settled(driver)
    assert terrain() == bpy.context.view_layer.objects.active
    assert terrain().active_material is not None
    assert {"sun", "camera"} <= parts(), parts()
    assert bpy.context.scene.camera.get("terrane_part") == "camera"


def hide_plants(driver: Driver) -> Scenario:
    """Hide plants from the views from now on: their leaves take a second of each redraw in software."""
    for obj in bpy.context.scene.objects:
        if obj.get("terrane_part") == "plants":
            obj.hide_viewport = True
    yield from driver.drawn()


def undo_in_one_step(driver: Driver) -> Scenario:
    """Add a landscape, take it back by one Ctrl+Z, and bring it back by another key."""
    names_before = _names()
    yield from add(driver)
    names_after = _names()
    yield from undo(driver)
    assert _names() == names_before, (_names(), names_before)
    yield from undo(driver, shift=True)
    yield from settled(driver)
    assert _names() == names_after, (_names(), names_after)


def render(
    driver: Driver,
    name: str,
    *,
    percentage: int,
    samples: int,
    is_denoised: bool = False,
    has_sky: bool = True,
) -> Scenario:
    """Press F12, wait for the picture, and keep it by the menu Image of its window; return to the first one."""
    scene: Any = bpy.context.scene
    scene.render.engine, scene.cycles.samples = "CYCLES", samples
    # Debian's Blender 4.3 is built without it, and then renders nothing.
    scene.cycles.use_denoising = is_denoised
    scene.render.resolution_percentage = percentage
    done: list[bool] = []

    def note(*_: object) -> None:
        done.append(True)

    bpy.app.handlers.render_complete.append(note)
    yield from driver.key("F12", *driver.center(EDITOR))
    yield from driver.wait_for(lambda: done, "a picture", RENDER)
    bpy.app.handlers.render_complete.remove(note)
    yield 1.0
    path = driver.folder / f"{name}.png"
    _save(driver, path)
    yield 0.5
    _assert_landscape(path, has_sky)


def go_near(driver: Driver) -> Scenario:
    """Open the panel Landscape, and in it the camera's; lower the camera by its button Update."""
    yield from driver.scroll_down(EDITOR)
    header = {"shares": (0.78, 0.8, 0.76), "given": "landscapes"}
    x, y = yield from driver.find_button(EDITOR, "terrane.manual_open", **header)
    yield from driver.click(driver.region(EDITOR, "UI").x + 60, y - ROW // 2)
    yield from driver.drawn()
    yield from driver.scroll_down(EDITOR)
    crosses: dict[str, Any] = {"shares": (0.84, 0.82, 0.86), "is_upwards": True, "given": "camera"}
    x, y = yield from driver.find_button(EDITOR, "terrane.landscape_part_remove", **crosses)
    # The cross is left first, and its upper edge belongs to the panel above.
    yield from driver.hover(x - 120, y - ROW // 2)
    yield from driver.click(x - 120, y - ROW // 2)
    yield from driver.drawn()
    for name, value in NEAR.items():
        setattr(bpy.context.scene.terrane_camera, name, value)
    z_before = bpy.context.scene.camera.matrix_world.translation.z
    yield from driver.scroll_down(EDITOR, times=8)
    yield from driver.press(EDITOR, "terrane.camera_add")
    yield from driver.wait_for(
        lambda: bpy.context.scene.camera.matrix_world.translation.z < z_before, "a lower camera"
    )


def export(driver: Driver) -> Scenario:
    """Make an image of the terrain's heights, and save it; then save textures, each by a button of the panel."""
    maps = bpy.context.scene.terrane_maps
    for prop in maps.bl_rna.properties:
        if prop.type == "BOOLEAN":
            setattr(maps, prop.identifier, prop.identifier == "height")
    bake = bpy.ops.terrane.maps_bake  # the panel Maps is closed: this is its button Images
    chosen = {"from_panel": True, "as_images": True, "as_attributes": False}
    images_before = set(bpy.data.images)
    driver.operate(EDITOR, lambda: bake("INVOKE_DEFAULT", **chosen), "UI")
    yield from driver.wait_for(
        lambda: set(bpy.data.images) - images_before, "an image of the heights"
    )
    (image,) = set(bpy.data.images) - images_before
    driver.area(EDITOR).ui_type = PICTURES
    yield 0.5
    driver.area(PICTURES).spaces.active.image = image
    heightmap = driver.folder / "heightmap.exr"
    scene: Any = bpy.context.scene
    driver.operate(PICTURES, bpy.ops.image.save_as, filepath=str(heightmap), copy=True)
    _assert_heights(heightmap)
    folder, surface = driver.folder / "textures", scene.terrane_material
    surface.width = surface.height = TEXTURE
    surface.directory, surface.overwrite = str(folder), True
    scene.terrane.image_options.kind = "surface"
    yield from driver.open_tab(PICTURES, TAB)
    yield from driver.scroll_down(PICTURES)
    yield from driver.press(PICTURES, "terrane.images_save", is_upwards=True)
    written = folder / f"{surface.surface}_basecolor.png"
    yield from driver.wait_for(written.exists, "files")
    yield from driver.wait_for(
        lambda: module("operators.bridge.tasks.jobs").running() is None, "an end"
    )
    assert _pixels(written).shape == (TEXTURE, TEXTURE, 3)
    yield 0.5
    driver.screenshot("walk_exported")
    driver.area(PICTURES).ui_type = EDITOR


def _assert_heights(path: Path) -> None:
    """Make sure that a file has the heights of the terrain, all of them from black to white."""
    obj = terrain()
    own = np.empty(3 * len(obj.data.vertices), np.float32)
    obj.data.attributes["position"].data.foreach_get("vector", own)
    high = own.reshape(-1, 3)[:, 2].astype(np.float64)
    gray = _pixels(path)[..., 0].reshape(-1).astype(np.float64)
    assert gray.size == high.size, (gray.size, high.size)
    share = (high - high.min()) / np.ptp(high)
    assert np.abs(gray - share).max() < 1e-5, np.abs(gray - share).max()


def _pixels(path: Path) -> np.ndarray:
    """Return the numbers of a file from the bottom up, without transparency, shape (rows, columns, 3)."""
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    values = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values.reshape(height, width, 4)[..., :3]


def _save(driver: Driver, path: Path) -> None:
    """Keep the picture as Image > Save As does, and close the window that shows it."""
    manager = bpy.context.window_manager
    window = manager.windows[-1]
    area = max(window.screen.areas, key=lambda one: (one.type == "IMAGE_EDITOR", one.width))
    assert area.type == "IMAGE_EDITOR" and area.spaces.active.image.type == "RENDER_RESULT"
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.image.save_as(filepath=str(path))
    if window != driver.window:
        with bpy.context.temp_override(window=window):
            bpy.ops.wm.window_close()


def _assert_landscape(path: Path, has_sky: bool) -> None:
    """Make sure that a picture has a bright sky above, unless one looks down, and a ground of many colors that is no gray."""
    pixels = _pixels(path)
    height = len(pixels)
    sky, ground = pixels[-height // 8 :], pixels[: height // 3]
    is_bright = sky.mean() > ground.mean() and sky[..., 2].mean() > sky[..., 0].mean()
    assert is_bright or not has_sky, "no blue sky"
    assert ground.std() > 0.03 and np.ptp(ground.mean((0, 1))) > 0.03, "a gray or an even ground"


def _view(driver: Driver) -> tuple[object, ...]:
    """Return where the viewport looks from, and how far."""
    space: Any = driver.area(EDITOR).spaces.active
    view = space.region_3d
    return (tuple(view.view_location), view.view_distance, space.clip_start, space.clip_end)


def _names() -> dict[str, list[str]]:
    """Return the names of all that a landscape is made of, and the scene's world and camera."""
    scene = bpy.context.scene
    found = {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in KINDS}
    return {**found, "scene": [scene.world.name, scene.camera.name]}
