# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras that look over a terrain from a place given in shares of it."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....noise_core.scene import Camera
from ..terrain import followers, terrains
from . import parts

PART = "camera"

_DEFAULT_PLACE = (7.3589, -6.9258, 4.9583)
"""Where the camera of a new file stands."""

_NEAREST, _FARTHEST = 1e-4, 100.0
"""Limits of what the camera sees, in distances to what it looks at."""


def is_untouched(camera: bpy.types.Object | None) -> bool:
    """Return whether a scene has no camera, or the one of a new file, where it stands there."""
    if camera is None:
        return True
    place = np.array(camera.location)
    return camera.name == "Camera" and bool(np.allclose(place, _DEFAULT_PLACE, atol=1e-3))


def place(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    camera: Camera,
    sea: float | None,
    *,
    is_replacing: bool = False,
) -> bool:
    """Put the landscape's camera above a terrain; return whether it is the scene's camera now.

    A camera of the user's stays the scene's, unless it is to be replaced.
    """
    scene = context.scene
    eye, target = places(terrain, camera, sea)
    own = parts.find(scene, PART)
    if own is None:
        own = parts.add(context, PART, "Terrane Camera", bpy.data.cameras.new("Terrane Camera"))
    turn = (target - eye).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    own.matrix_world = Matrix.Translation((eye.x, eye.y, eye.z)) @ turn
    lens: Any = own.data
    distance = (target - eye).length
    lens.lens = camera.lens
    lens.clip_start, lens.clip_end = distance * _NEAREST, distance * _FARTHEST
    if scene.camera != own and (is_replacing or is_untouched(scene.camera)):
        scene.camera = own
        followers.tell_parts(scene)
    return bool(scene.camera == own)


def remove(scene: bpy.types.Scene) -> None:
    """Remove the landscape's camera."""
    own = parts.find(scene, PART)
    if own is not None:
        parts.remove(own)


def places(terrain: bpy.types.Object, camera: Camera, sea: float | None) -> tuple[Vector, Vector]:
    """Return where a camera stands and where it looks, in the world."""
    built, points = terrains.grid_points(terrain)
    height = points[..., 2]
    surface = height if sea is None else np.maximum(height, np.float32(sea))
    lift = Vector((0.0, 0.0, camera.lift * built.size))
    aim = Vector((0.0, 0.0, camera.aim * built.size))
    eye = _at(points, surface, camera.eye) + lift
    target = _at(points, surface, camera.target) + aim
    if (target - eye).length < 1e-6 * built.size:
        target = eye + Vector((0.0, built.size, 0.0))
    return terrain.matrix_world @ eye, terrain.matrix_world @ target


def _at(points: Any, surface: Any, share: tuple[float, ...]) -> Vector:
    """Return the point of a surface at a place in shares; beyond the border it is as high as there."""
    rows, columns = surface.shape
    row = round(min(max(share[1], 0.0), 1.0) * (rows - 1))
    column = round(min(max(share[0], 0.0), 1.0) * (columns - 1))
    first, last = points[0, 0], points[-1, -1]
    x = float(first[0] + share[0] * (last[0] - first[0]))
    y = float(first[1] + share[1] * (last[1] - first[1]))
    return Vector((x, y, float(surface[row, column])))
