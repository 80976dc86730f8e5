# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain as a landscape: ground, water, air and a camera, and the picture of it."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
from _air import add_sky, add_sun
from _clouds import View
from _ground import color_ground
from _looks import LOOKS, Camera
from _plants import add_plants
from _surroundings import Land, add_lowlands, mirror
from _waters import add_open_sea, add_water, water_levels
from mathutils import Vector

_REACH = 2
"""Mirror images on each side."""

_FILM = 36.0
"""Millimeters that the film of Blender's cameras is wide."""


def landscape(terrain: bpy.types.Object, preset: str, pixels: int) -> None:
    """Give a terrain a material and water, and put surroundings, a camera, sun and sky around it.

    Parameters
    ----------
    terrain : Object
    preset : str
        Whose look it gets; "" if it has none.
    pixels : int
        Width of the picture that will be rendered: clouds and details are as fine as it.
    """
    look = LOOKS.get(preset, LOOKS[""])
    land = Land.of(terrain)
    color_ground(land, look, pixels)
    levels = water_levels(land, look)
    water = add_water(land, look, levels)
    add_plants(land, look, levels)
    things = [terrain] if water is None else [terrain, water]
    if look.around == "mirror":
        mirror(land, things, _REACH)
        add_open_sea(land, look, _REACH + 0.5)
    elif look.around == "lowlands":
        add_lowlands(land)
    else:
        add_open_sea(land, look, 0.5)
    add_sky(look.air, _view(land, look.camera, pixels))
    add_sun(*look.air.sun, strength=look.air.sun_strength, color=look.air.sun_color, angle=0.9)
    _look_at(land, look.camera, levels)


def render(path: Path, *, samples: int, width: int, exposure: float = 0.25) -> None:
    """Render the scene with Cycles, as wide as told and 16:10."""
    import _cycles

    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = max(1, samples)
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.02
    scene.cycles.max_bounces = 4
    scene.cycles.diffuse_bounces = 2
    scene.cycles.use_denoising = _cycles.with_openimagedenoise  # some builds go without
    scene.render.resolution_x, scene.render.resolution_y = width, width * 10 // 16
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - High Contrast"
    scene.view_settings.exposure = exposure
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):
        settings.media_type = "IMAGE"
    settings.file_format = "PNG"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def _view(land: Land, camera: Camera, pixels: int) -> View:
    """Return what a camera sees of the sky."""
    (x, y), (to_x, to_y) = camera.eye, camera.target
    ahead = math.degrees(math.atan2((to_x - x) * land.width, (to_y - y) * land.depth))
    return View(ahead, math.degrees(2.0 * math.atan(0.5 * _FILM / camera.lens)), pixels)


def _look_at(land: Land, camera: Camera, levels: np.ndarray) -> None:
    """Put the camera above the ground or the water, looking over the land."""
    surface, up = np.maximum(land.height, levels), Vector((0.0, 0.0, land.width))
    add_camera(
        land.at(*camera.eye, surface) + camera.lift * up,
        land.at(*camera.target, surface) + camera.aim * up,
        camera.lens,
    )


def add_camera(spot: Vector, target: Vector, lens: float) -> None:
    """Put a camera somewhere, looking at something, and make it the scene's."""
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    camera.location = spot
    camera.rotation_euler = (target - spot).to_track_quat("-Z", "Y").to_euler()
    distance = (target - spot).length
    camera.data.lens, camera.data.clip_start = lens, distance * 1e-4
    camera.data.clip_end = distance * 100.0
    bpy.context.scene.camera = camera
