# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras that look over a terrain from a place given in shares of it.

The camera follows its terrain as long as it stands where it was put. One that the user has moved, or
fastened to something, is the user's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....noise_core.landscapes.scene import Camera
from ..datablocks.linked import is_writable
from ..datablocks.record import note_replaced, replaced_by
from ..tasks.product import Product
from ..terrain import followers, terrains
from ..terrain.terrain_product import TERRAIN
from . import parts, settings

PART = "camera"

_DEFAULT_PLACE = (7.3589, -6.9258, 4.9583)
"""Where the camera of a new file stands."""

_NEAREST, _FARTHEST = 1e-4, 100.0
"""Clipping limits of the camera, in distances to its target."""

_VIEW, _PLACED = "terrane_view", "terrane_placed"
"""Custom properties of the camera: its place in shares of its terrain, the matrix and the distance
that followed from these."""

_SEA = "sea"
"""Key of the level of the sea, beside the parameters of the place."""


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
    stand = places(terrain, camera, sea)
    obj = _find_or_add(context)
    lens: Any = obj.data
    lens.lens = camera.lens
    obj[parts.TERRAIN] = terrain
    values = {parameter.name: getattr(camera, parameter.name) for parameter in camera.parameters()}
    obj[_VIEW] = values if sea is None else {**values, _SEA: sea}
    _put(obj, *stand)
    if scene.camera != obj and (is_replacing or is_untouched(scene.camera)):
        _make_active(scene, obj)
    CAMERA.note(terrain)
    return bool(scene.camera == obj)


def place_first(context: bpy.types.Context, terrain: bpy.types.Object) -> None:
    """Put a camera above a terrain as in its preset's picture, if the scene has none or that of a new file."""
    look = terrains.look_of(terrain)
    if is_untouched(context.scene.camera):
        settings.write(context, look.camera)
        place(context, terrain, look.camera, look.sea)


def aim(context: bpy.types.Context, eye: Vector, target: Vector, lens: float) -> bool:
    """Put the landscape's camera at a point, over no terrain; return whether it is the scene's camera now.

    A camera of the user's stays the scene's.
    """
    scene = context.scene
    obj = _find_or_add(context)
    for name in (parts.TERRAIN, _VIEW):
        obj.pop(name, None)
    lens_data: Any = obj.data
    lens_data.lens = lens
    _put(obj, eye, target)
    if scene.camera != obj and is_untouched(scene.camera):
        _make_active(scene, obj)
    return bool(scene.camera == obj)


def _find_or_add(context: bpy.types.Context) -> bpy.types.Object:
    obj = parts.find(context.scene, PART)
    if obj is not None:
        return obj
    name = "Terrane Camera"
    return parts.add(context.scene, PART, name, data=bpy.data.cameras.new(name))


def remove(scene: bpy.types.Scene) -> None:
    """Remove the landscape's camera; the scene has the one again that it had before."""
    obj: Any = parts.find(scene, PART)
    if obj is None:
        return
    former = replaced_by(obj, PART).get("camera")
    if scene.camera == obj:
        is_there = former is not None and scene.objects.get(former.name) == former
        scene.camera = former if is_there else None
    parts.remove(obj)


class TerrainCamera(Product):
    """The camera over a terrain, which is put in its place again when the heights or the size change."""

    key = PART
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> object:
        """Return the intended place of the camera; None without a camera, or if the user has moved it."""
        obj = _camera_over(terrain)
        return (
            None if obj is None or not _is_in_place(obj) else sorted(obj[_VIEW].to_dict().items())
        )

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the camera, which stores its place."""
        obj = _camera_over(terrain)
        return () if obj is None else (obj,)

    def write(
        self, terrain: bpy.types.Object, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Move the camera."""
        obj = _camera_over(terrain)
        if obj is not None:
            _put(obj, *places(terrain, *_view(obj)))
        return ""

    def undo(self, terrain: bpy.types.Object) -> None:
        """Let Blender evaluate the camera, which else stays where it was."""
        for obj in self.holders(terrain):
            obj.update_tag()


CAMERA = TerrainCamera()


def _camera_over(terrain: bpy.types.Object) -> Any | None:
    """Return the camera that was put over a terrain and may be changed; None if there is none."""
    for obj in bpy.data.objects:
        is_own = obj.type == "CAMERA" and obj.get(parts.MARK) == PART and is_writable(obj)
        if is_own and obj.get(parts.TERRAIN) == terrain and obj.get(_VIEW) is not None:
            return obj
    return None


def _view(obj: Any) -> tuple[Camera, float | None]:
    """Return the intended place of a camera in shares of its terrain, and the level of the sea there."""
    values = obj[_VIEW].to_dict()
    sea = values.pop(_SEA, None)
    return Camera(**{**values, "eye": tuple(values["eye"]), "target": tuple(values["target"])}), sea


def _is_in_place(obj: Any) -> bool:
    """Return whether a camera stands where it was put, and nothing else moves it."""
    is_free = obj.parent is None and obj.animation_data is None and not obj.constraints
    placed, present = obj[_PLACED][:16], _numbers(obj.matrix_basis)
    return is_free and bool(np.allclose(present, placed, rtol=1e-5, atol=1e-5))


def _numbers(matrix: Any) -> list[float]:
    return [number for row in matrix for number in row]


def _put(obj: Any, eye: Vector, target: Vector) -> None:
    """Move a camera to a place and turn it to another; limits that the user has set stay."""
    turn = (target - eye).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    obj.matrix_world = Matrix.Translation((eye.x, eye.y, eye.z)) @ turn
    lens, distance = obj.data, (target - eye).length
    former = obj.get(_PLACED)
    for name, share in (("clip_start", _NEAREST), ("clip_end", _FARTHEST)):
        present = getattr(lens, name)
        if former is None or abs(present - former[16] * share) < 1e-4 * present:
            setattr(lens, name, distance * share)
    obj[_PLACED] = [*_numbers(obj.matrix_basis), distance]


def _make_active(scene: bpy.types.Scene, obj: Any) -> None:
    """Render a scene through a camera, which records the former one."""
    note_replaced(obj, PART, camera=scene.camera)
    scene.camera = obj
    followers.tell_parts(scene)


def places(terrain: bpy.types.Object, camera: Camera, sea: float | None) -> tuple[Vector, Vector]:
    """Return the location and the target of a camera, in the world."""
    mesh_grid, points = terrains.grid_points(terrain)
    height = points[..., 2]
    surface = height if sea is None else np.maximum(height, np.float32(sea))
    lift = Vector((0.0, 0.0, camera.lift * mesh_grid.size))
    aim = Vector((0.0, 0.0, camera.aim * mesh_grid.size))
    eye = _at(points, surface, camera.eye) + lift
    target = _at(points, surface, camera.target) + aim
    if (target - eye).length < 1e-6 * mesh_grid.size:
        target = eye + Vector((0.0, mesh_grid.size, 0.0))
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
