# SPDX-License-Identifier: GPL-3.0-or-later
"""Circle of the brush, drawn on the ground under the mouse."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from bpy_extras import view3d_utils

from ....noise_core.base.errors import TerraneError
from ....noise_core.erosion.brushes.brush import AUTOMATIC
from ..schema import state
from ..schema.exact_numbers import number
from .brush_settings import BRUSH
from .ground_pointer import GroundPointer, Vector

_COLOR = (1.0, 0.75, 0.3)
_WIDTH = 2.0
"""Pixels of the line, on a screen of usual density."""

_INNER = 0.6
"""Opacity of the inner circle, whose share of the radius is the strength."""

_pinned: tuple[GroundPointer, Vector] | None = None
"""Ground and place where the circle stays while size or strength are set."""


def pin(pointer: GroundPointer, center: Vector) -> None:
    """Draw the circle at a place in tiles until `unpin`."""
    global _pinned
    _pinned = (pointer, center)


def unpin() -> None:
    """Draw the circle under the mouse again."""
    global _pinned
    _pinned = None


def radius_of(scene: bpy.types.Scene, terrain: Any) -> float:
    """Return the radius of the brush on a terrain, in meters."""
    size = number(getattr(terrain, state.PROPERTY).size)
    return 0.5 * (number(BRUSH.group(scene).size) or AUTOMATIC * size)


def meters_per_pixel(
    terrain: bpy.types.Object, pointer: GroundPointer, center: Vector, region: Any, view: Any
) -> float:
    """Return how many meters of a terrain a pixel of a view shows at a place, in tiles."""
    radius = 0.01 * pointer.frame.size
    points = pointer.circle(terrain, center, radius)
    pixels = [view3d_utils.location_3d_to_region_2d(region, view, point) for point in points]
    across = [pixel.x for pixel in pixels if pixel is not None]
    width = max(across) - min(across) if across else 0.0
    return 2.0 * radius / max(width, 1.0)


def draw(context: bpy.types.Context, mouse: tuple[float, float]) -> None:
    """Draw the circle in the region of a 3D viewport; nothing beside the active terrain.

    Blender calls this with the place of the mouse in the window.
    """
    terrain, region, view = state.active_terrain(context), context.region, context.region_data
    if terrain is None or region is None or view is None or terrain.mode != "OBJECT":
        return
    pinned = _pinned or _find(terrain, region, view, (mouse[0] - region.x, mouse[1] - region.y))
    if pinned is None:
        return
    pointer, center = pinned
    radius, group = radius_of(context.scene, terrain), BRUSH.group(context.scene)
    for share, opacity in ((1.0, 1.0), (group.strength, _INNER)):
        points = pointer.circle(terrain, center, share * radius)
        pixels = (view3d_utils.location_3d_to_region_2d(region, view, point) for point in points)
        _draw_line([(pixel.x, pixel.y, 0.0) for pixel in pixels if pixel is not None], opacity)


def _find(
    terrain: bpy.types.Object, region: Any, view: Any, mouse: tuple[float, float]
) -> tuple[GroundPointer, Vector] | None:
    try:
        pointer = GroundPointer.of(terrain)
    except TerraneError:  # the operator says why
        return None
    place = pointer.find(terrain, region, view, mouse)
    return None if place is None else (pointer, np.asarray(place))


def _draw_line(places: list[tuple[float, float, float]], opacity: float) -> None:
    if len(places) < 2:
        return
    import gpu  # here: Blender without a window has none
    from gpu_extras.batch import batch_for_shader

    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINE_STRIP", {"pos": places})
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", _WIDTH * bpy.context.preferences.system.ui_scale)
    shader.uniform_float("color", (*_COLOR, opacity))
    gpu.state.blend_set("ALPHA")
    batch.draw(shader)
    gpu.state.blend_set("NONE")
