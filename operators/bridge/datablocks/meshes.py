# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices of meshes and shape keys as arrays.

All access uses the attribute layer and one-dimensional arrays of the exact type: any other access is
25 to 200 times slower. Attributes are fetched again after one is added, because older versions of
Blender move them.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.errors import ParameterError

Positions = npt.NDArray[np.float32]
"""Shape (vertices, 3)."""


def mesh_of(obj: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of a mesh object, typed as such."""
    mesh: Any = obj.data
    return mesh


def layer_data(mesh: bpy.types.Mesh, name: str) -> Any:
    """Return the values of an attribute."""
    attribute: Any = mesh.attributes[name]
    return attribute.data


def flatten(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return an array in the layout that Blender reads fastest: one axis, contiguous, float32."""
    return np.ascontiguousarray(array, np.float32).reshape(-1)


def positions_of(mesh: bpy.types.Mesh) -> Positions:
    """Return a copy of a mesh's vertex positions."""
    positions = np.empty(len(mesh.vertices) * 3, np.float32)
    if len(positions):  # some versions have no such attribute without vertices
        layer_data(mesh, "position").foreach_get("vector", positions)
    return positions.reshape(-1, 3)


def set_positions(mesh: bpy.types.Mesh, positions: Positions) -> None:
    """Move a mesh's vertices; call `compat.update_positions` afterwards."""
    layer_data(mesh, "position").foreach_set("vector", flatten(positions))


def normals_of(mesh: bpy.types.Mesh) -> Positions:
    """Return a copy of the normals of a mesh's vertices."""
    normals = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertex_normals.foreach_get("vector", normals)
    return normals.reshape(-1, 3)


def key_positions(key: bpy.types.ShapeKey) -> Positions:
    """Return a copy of a shape key's positions."""
    positions = np.empty(len(key.points) * 3, np.float32)
    key.points.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def set_key_positions(key: bpy.types.ShapeKey, positions: Positions) -> None:
    """Move the vertices of a shape key."""
    key.points.foreach_set("co", flatten(positions))


def present_positions(obj: bpy.types.Object) -> Positions:
    """Return the positions of an object's active shape key, or of its mesh if it has none."""
    key = obj.active_shape_key
    return positions_of(mesh_of(obj)) if key is None else key_positions(key)


def check_positions(name: str, positions: Positions) -> None:
    """Make sure that all positions are finite.

    Raises
    ------
    ParameterError
        If some are infinite or not a number; the message begins with `name`.
    """
    is_finite = np.isfinite(positions)
    if not is_finite.all():
        count = int(np.count_nonzero(~is_finite.all(axis=1)))
        raise ParameterError(
            "{}: coordinates of vertices must be finite numbers; those of {} are not", name, count
        )
