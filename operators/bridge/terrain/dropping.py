# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are put onto the ground of terrains, as it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
from mathutils import Matrix, Vector

from ....noise_core.base.arrays import Field
from ..datablocks import linked, solids
from ..schema import state
from . import footprints, terrains

_UP = Vector((0.0, 0.0, 1.0))

_BEYOND = 1.0
"""Meters above the highest point of a terrain from which rays fall."""


@dataclass(frozen=True)
class _DropGround:
    """Point on the ground, and the direction away from it."""

    point: Vector
    normal: Vector


def drop(
    context: bpy.types.Context, objects: Sequence[bpy.types.Object], *, is_aligned: bool
) -> list[bpy.types.Object]:
    """Put objects onto the ground, their lowest points at its height; return those without ground.

    Children move with their parents. An aligned object is tilted so that its own upward axis points away from the
    ground. Raises a TerraneError if an object cannot be moved.
    """
    linked.require_writable(*objects)
    shown = [obj for obj in context.view_layer.objects if state.is_terrain(obj)]
    bare = {
        terrain: footprints.ground_without(terrain, objects)
        for terrain in shown
        if terrain.visible_get()
    }
    missed = []
    for obj in objects:
        foot = _foot(obj)
        ground = _ground_at(context, bare, foot)
        if ground is None:
            missed.append(obj)
            continue
        turn = Matrix.Identity(4)
        if is_aligned:
            up = (obj.matrix_world.to_3x3() @ _UP).normalized()
            turn = up.rotation_difference(ground.normal).to_matrix().to_4x4()
        there, back = (Matrix.Translation(place.to_tuple()) for place in (ground.point, -foot))
        moved = there @ turn @ back
        obj.matrix_world = moved @ obj.matrix_world
    return missed


def _foot(obj: bpy.types.Object) -> Vector:
    """Return the place of an object's origin at the height of its lowest point, or of those of its children."""
    lowest = obj.matrix_world.translation.z
    parts = [places[:, 2].min() for places in solids.world_places(obj)]
    if parts:
        lowest = float(min(parts))
    x, y, _ = obj.matrix_world.translation
    return Vector((x, y, lowest))


def _ground_at(
    context: bpy.types.Context, grounds: Mapping[bpy.types.Object, Field | None], foot: Vector
) -> _DropGround | None:
    """Return the highest ground of terrains at a place, of their meshes or of other heights; None if there is none."""
    found: list[_DropGround] = []
    depsgraph: Any = context.view_layer.depsgraph
    for terrain, heights in grounds.items():
        evaluated = terrain.evaluated_get(depsgraph)
        matrix, inverse = evaluated.matrix_world, evaluated.matrix_world.inverted_safe()
        corners: Any = evaluated.bound_box
        top = max((matrix @ Vector(corner)).z for corner in corners) + _BEYOND
        start = inverse @ Vector((foot.x, foot.y, top))
        down = (inverse.to_3x3() @ -_UP).normalized()
        hit: Any = evaluated.ray_cast(start, down)
        is_hit, point, normal, _ = hit
        if is_hit and heights is not None:
            point, normal = _on_heights(terrain, heights, point)
        if is_hit:
            away = (inverse.to_3x3().transposed() @ normal).normalized()
            found.append(_DropGround(matrix @ point, away if away.z > 0.0 else -away))
    return max(found, key=lambda ground: float(ground.point.z), default=None)


def _on_heights(terrain: bpy.types.Object, heights: Field, place: Vector) -> tuple[Vector, Vector]:
    """Return the point of other heights of a terrain at a place of its mesh, linear between samples, and its normal."""
    rows, columns = heights.shape
    step = terrains.built_grid(terrain).size / (columns - 1)
    column = min(max(place.x / step + 0.5 * (columns - 1), 0.0), columns - 1.001)
    row = min(max(place.y / step + 0.5 * (rows - 1), 0.0), rows - 1.001)
    left, low = int(column), int(row)
    (first, second), (third, fourth) = heights[low : low + 2, left : left + 2].tolist()
    along, down = column - left, row - low
    near, far = first + along * (second - first), third + along * (fourth - third)
    rise = (1.0 - down) * (second - first) + down * (fourth - third)
    normal = Vector((-rise / step, -(far - near) / step, 1.0)).normalized()
    return Vector((place.x, place.y, near + down * (far - near))), normal
