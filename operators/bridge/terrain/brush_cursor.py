# SPDX-License-Identifier: GPL-3.0-or-later
"""Circle of the brush, drawn on the ground under the mouse."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from bpy_extras import view3d_utils

from ....noise_core.base.errors import TerraneError
from ....noise_core.erosion.brushes.brush import AUTOMATIC
from ..datablocks.curve_objects import Table
from ..schema import state
from ..schema.exact_numbers import number
from .brush_settings import BRUSH
from .drawn_ground import DrawnGround

_COLOR = (1.0, 0.75, 0.3)
_WIDTH = 2.0
"""Pixels of the line, on a screen of usual density."""

_INNER = 0.6
"""Opacity of the inner circle, whose share of the radius is the strength."""

_POINTS = 64
"""Points of a circle."""

_pinned: tuple[DrawnGround, Table | None] | None = None
"""Ground under the circle while an operator follows the mouse, and the place where it stays if it does not move."""


def pin(ground: DrawnGround, center: Table | None = None) -> None:
    """Draw the circle on a ground that is known, and at a place of it if one is given, until `unpin`."""
    global _pinned
    _pinned = (ground, center)


def unpin() -> None:
    """Draw the circle on the present ground under the mouse again."""
    global _pinned
    _pinned = None


def radius_of(scene: bpy.types.Scene, terrain: Any) -> float:
    """Return the radius of the brush on a terrain, in meters."""
    size = number(getattr(terrain, state.PROPERTY).size)
    return 0.5 * (number(BRUSH.group(scene).size) or AUTOMATIC * size)


def circle(ground: DrawnGround, center: Table, radius: float) -> Table:
    """Return points of a circle on the ground in the scene's space, shape (points, 3); the radius in meters."""
    turn = np.linspace(0.0, 2.0 * np.pi, _POINTS)
    places = np.empty((_POINTS, 3), np.float64)
    places[:, 0] = center[0] + radius * np.cos(turn)
    places[:, 1] = center[1] + radius * np.sin(turn)
    steps = np.rint((places[:, :2] - ground.corner) / ground.step)
    rows, columns = ground.height.shape
    column = np.clip(steps[:, 0], 0, columns - 1).astype(np.intp)
    row = np.clip(steps[:, 1], 0, rows - 1).astype(np.intp)
    places[:, 2] = ground.height[row, column]
    matrix = np.array(ground.terrain.resolve().matrix_world, np.float64)
    points: Table = np.einsum("ij,kj->ik", places, matrix[:3, :3]) + matrix[:3, 3]
    return points


def meters_per_pixel(ground: DrawnGround, center: Table, region: Any, view: Any) -> float:
    """Return how many meters of a terrain a pixel of a view shows at a place of the ground."""
    radius = 4.0 * ground.step
    points = circle(ground, center, radius)
    pixels = [view3d_utils.location_3d_to_region_2d(region, view, point) for point in points]
    across = [pixel.x for pixel in pixels if pixel is not None]
    width = max(across) - min(across) if across else 0.0
    return 2.0 * radius / max(width, 1.0)


def draw(context: bpy.types.Context, mouse: tuple[float, float]) -> None:
    """Draw the circle in the region of a 3D viewport; nothing beside the active terrain.

    Blender calls this with the place of the mouse in the window, and draws in pixels of the window, too.
    """
    terrain, region, view = state.active_terrain(context), context.region, context.region_data
    if terrain is None or region is None or view is None or terrain.mode != "OBJECT":
        return
    ground, center = _pinned or (_present_ground(terrain), None)
    if ground is not None and center is None:
        center = ground.hit(region, view, (mouse[0] - region.x, mouse[1] - region.y))
    if ground is None or center is None:
        return
    radius, group = radius_of(context.scene, terrain), BRUSH.group(context.scene)
    for share, opacity in ((1.0, 1.0), (group.strength, _INNER)):
        points = circle(ground, center, share * radius)
        pixels = (view3d_utils.location_3d_to_region_2d(region, view, point) for point in points)
        shown = [pixel for pixel in pixels if pixel is not None]
        _draw_line([(pixel.x + region.x, pixel.y + region.y, 0.0) for pixel in shown], opacity)


def _present_ground(terrain: bpy.types.Object) -> DrawnGround | None:
    try:
        return DrawnGround.of(terrain)
    except TerraneError:  # the operator says why
        return None


def _draw_line(places: list[tuple[float, float, float]], opacity: float) -> None:
    if len(places) < 2:
        return
    import gpu  # here: Blender without a window has none
    from gpu_extras.batch import batch_for_shader

    shader: Any = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINE_STRIP", {"pos": places})
    shader.bind()
    view: Any = gpu.state.viewport_get()
    shader.uniform_float("viewportSize", view[2:])
    shader.uniform_float("lineWidth", _WIDTH * bpy.context.preferences.system.ui_scale)
    shader.uniform_float("color", (*_COLOR, opacity))
    gpu.state.blend_set("ALPHA")
    batch.draw(shader)
    gpu.state.blend_set("NONE")
