# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as arrays: vertices of meshes and shape keys, and attributes.

All access uses the attribute layer and one-dimensional arrays of the exact type: any other access is
25 to 200 times slower. Attributes are fetched again after one is added, because older versions of
Blender move them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.landscapes.grid_meshes import recognition
from . import compat
from .linked import require_writable

Positions = npt.NDArray[np.float32]
"""Shape (vertices, 3)."""

UV_NAME = "UVMap"
"""Name of the UV map of Terrane's meshes."""


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


def bounds_of(points: Positions) -> tuple[Positions, Positions]:
    """Return the lowest and the highest coordinates of some points, one at least.

    Axis by axis: NumPy takes 25 times as long for short rows at once.
    """
    axes = points.T
    return np.array([axis.min() for axis in axes]), np.array([axis.max() for axis in axes])


def lengths_of(points: Positions) -> npt.NDArray[np.float32]:
    """Return the distance of each point from the origin."""
    x, y, z = points.T
    lengths: npt.NDArray[np.float32] = np.sqrt(x * x + y * y + z * z)
    return lengths


def set_positions(mesh: bpy.types.Mesh, positions: Positions) -> None:
    """Move a mesh's vertices, unless it is linked; call `compat.update_positions` afterwards."""
    layer_data(mesh, "position").foreach_set("vector", flatten(positions))


def show_positions(mesh: bpy.types.Mesh, positions: Positions) -> None:
    """Move a mesh's vertices in a frame, in memory if it is linked, where each takes two microseconds."""
    if mesh.is_editable:
        set_positions(mesh, positions)
    else:  # Blender would ignore all at once
        _set_each(mesh.vertices, positions)


def _set_each(points: Any, positions: Positions) -> None:
    for point, position in zip(points, positions.tolist()):
        point.co = position


def add_uv_map(mesh: bpy.types.Mesh, coordinates: npt.NDArray[np.float32]) -> None:
    """Give a mesh that was just written its UV map, with the coordinates of all corners."""
    mesh.uv_layers.new(name=UV_NAME, do_init=False)
    layer_data(mesh, UV_NAME).foreach_set("vector", flatten(coordinates))


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
    """Move the vertices of a shape key, unless it is linked."""
    key.points.foreach_set("co", flatten(positions))


def show_key_positions(key: bpy.types.ShapeKey, positions: Positions) -> None:
    """Move the vertices of a shape key in a frame; see `show_positions`."""
    if key.id_data.is_editable:
        set_key_positions(key, positions)
    else:
        _set_each(key.points, positions)


def basis_positions(mesh: bpy.types.Mesh) -> Positions:
    """Return the positions of a mesh's reference key, or of the mesh if it has no shape keys."""
    keys = mesh.shape_keys
    return positions_of(mesh) if keys is None else key_positions(keys.reference_key)


def present_positions(obj: bpy.types.Object) -> Positions:
    """Return the positions of an object's active shape key, or of its mesh if it has none."""
    key = obj.active_shape_key
    return positions_of(mesh_of(obj)) if key is None else key_positions(key)


def finite_positions_of(obj: bpy.types.Object) -> Positions:
    """Return a copy of the vertex positions of a mesh object; for errors see `recognition.check_positions`."""
    mesh = mesh_of(obj)
    positions = positions_of(mesh)
    recognition.check_positions(mesh.name, positions)
    return positions


# --- attributes ---------------------------------------------------------------------------------

Layer = npt.NDArray[Any]
"""One row of values per element: shape (elements, width)."""

FORMATS: Mapping[str, tuple[str, type, int]] = {
    "FLOAT": ("value", np.float32, 1),
    "INT": ("value", np.int32, 1),
    "INT8": ("value", np.int8, 1),
    "BOOLEAN": ("value", np.bool_, 1),
    "FLOAT2": ("vector", np.float32, 2),
    "FLOAT_VECTOR": ("vector", np.float32, 3),
    "FLOAT_COLOR": ("color", np.float32, 4),
    "BYTE_COLOR": ("color", np.float32, 4),
    "QUATERNION": ("value", np.float32, 4),
}
"""Property, array type and number of components by data type."""

_GEOMETRY = ("position", ".edge_verts", ".corner_vert", ".corner_edge")


@dataclass(frozen=True)
class MeshArray:
    """Attribute that any thread can compute and the main thread stores."""

    name: str
    compute: Callable[[], npt.NDArray[Any]]  # returns its values, with one axis
    add: Callable[[bpy.types.Mesh], bool] = lambda mesh: True
    """Adds it to a mesh that may not have it; returns whether Blender allows it."""

    def store(self, mesh: bpy.types.Mesh, values: npt.NDArray[Any]) -> None:
        """Write the computed values."""
        attribute: Any = mesh.attributes[self.name]
        attribute.data.foreach_set(FORMATS.get(attribute.data_type, FORMATS["INT"])[0], values)


@dataclass(frozen=True)
class StoredLayer:
    """Copy of an attribute outside Blender."""

    name: str
    data_type: str
    domain: str
    values: Layer


@dataclass(frozen=True)
class ActiveLayers:
    """Names of the active UV map, of the one for rendering, and of the active color attribute."""

    uv: str
    render_uv: str
    color: str

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> ActiveLayers:
        """Return the names of a mesh.

        Read attributes first: accessing UV maps makes some versions copy all shared ones.
        """
        render_uv = next((layer.name for layer in mesh.uv_layers if layer.active_render), "")
        uv = mesh.uv_layers.active.name if mesh.uv_layers.active else ""
        return cls(uv, render_uv, mesh.attributes.active_color_name or "")

    def restore(self, mesh: bpy.types.Mesh) -> None:
        """Activate those layers of a mesh that exist."""
        if self.uv in mesh.uv_layers:
            mesh.uv_layers.active = mesh.uv_layers[self.uv]
        if self.render_uv in mesh.uv_layers:
            mesh.uv_layers[self.render_uv].active_render = True
        if self.color and self.color in mesh.attributes:
            mesh.attributes.active_color_name = self.color


def layer_names(
    mesh: bpy.types.Mesh, skipped: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the attributes that `read_layer` reads, and of the others.

    Without the geometry and those in `skipped`.
    """
    readable, unknown = [], []
    # No lookup by name, which makes Blender 4.5 copy the attribute.
    for attribute in mesh.attributes:
        if attribute.name not in {*_GEOMETRY, *skipped} and not compat.is_hidden(attribute):
            (readable if attribute.data_type in FORMATS else unknown).append(attribute.name)
    return tuple(readable), tuple(unknown)


def read_layer(mesh: bpy.types.Mesh, name: str) -> StoredLayer:
    """Return a copy of an attribute of a mesh that is not in Edit Mode."""
    attribute: Any = mesh.attributes[name]
    return StoredLayer(name, attribute.data_type, attribute.domain, read_values(attribute))


def read_values(attribute: Any) -> Layer:
    """Return a copy of an attribute's values: shape (elements, components)."""
    name, dtype, width = FORMATS[attribute.data_type]
    values = np.empty(len(attribute.data) * width, dtype)
    attribute.data.foreach_get(name, values)
    return values.reshape(-1, width)


def read_attribute(mesh: bpy.types.Mesh, name: str) -> npt.NDArray[np.float32] | None:
    """Return a float attribute of the vertices, None if there is none of that name."""
    attribute = mesh.attributes.get(name)
    if attribute is None or attribute.domain != "POINT" or attribute.data_type != "FLOAT":
        return None
    return read_values(attribute)[:, 0]


_SMOOTH = ("FLOAT", "FLOAT_VECTOR", "FLOAT_COLOR", "BYTE_COLOR")
"""Types of attributes whose values can lie between those of vertices."""


def smooth_attributes(mesh: bpy.types.Mesh) -> dict[str, str]:
    """Return the types, by name, of the attributes of vertices that a finer mesh in their place has too."""
    return {
        attribute.name: attribute.data_type
        for attribute in mesh.attributes
        if attribute.domain == "POINT"
        and attribute.data_type in _SMOOTH
        and attribute.name != "position"
        and not compat.is_hidden(attribute)
    }


def add_values(mesh: bpy.types.Mesh, name: str, data_type: str, values: Layer) -> None:
    """Give the vertices of a new mesh an attribute."""
    if add_attribute(mesh, name, data_type, "POINT"):
        layer_data(mesh, name).foreach_set(FORMATS[data_type][0], flatten(values))


def add_attribute(mesh: bpy.types.Mesh, name: str, data_type: str, domain: str) -> bool:
    """Add an attribute of exactly this name; return whether Blender allows it.

    It does not if a vertex group has the name, or the name is too long. A TerraneError is raised for linked meshes,
    which Blender itself would change.
    """
    require_writable(mesh)
    attributes: Any = mesh.attributes
    attribute = attributes.new(name, data_type, domain)
    if attribute is not None and attribute.name != name:
        attributes.remove(attribute)
        return False
    return attribute is not None


def ensure_attribute(mesh: bpy.types.Mesh, name: str, data_type: str, domain: str) -> bool:
    """Return whether a mesh has an attribute of this kind; add it if none has its name."""
    present = mesh.attributes.get(name)
    if present is None:
        return add_attribute(mesh, name, data_type, domain)
    return (present.data_type, present.domain) == (data_type, domain)


def write_maps(mesh: bpy.types.Mesh, maps: Mapping[str, Field]) -> tuple[str, ...]:
    """Store fields as attributes of the vertices of a mesh, not in Edit Mode, replacing those of the same names.

    One number per vertex becomes a FLOAT attribute; three, along the last axis, a FLOAT_VECTOR. Returns
    the names that another kind of attribute or a vertex group has, which were not written.
    """
    refused = []
    for array in map_arrays(maps):
        if array.add(mesh):
            array.store(mesh, array.compute())
        else:
            refused.append(array.name)
    return tuple(refused)


def map_arrays(maps: Mapping[str, Field]) -> Iterator[MeshArray]:
    """Yield the attributes that `write_maps` stores."""
    for name, field in maps.items():
        yield _map_array(name, field)


def _map_array(name: str, field: Field) -> MeshArray:
    def add(mesh: bpy.types.Mesh) -> bool:
        data_type = "FLOAT" if field.size == len(mesh.vertices) else "FLOAT_VECTOR"
        return ensure_attribute(mesh, name, data_type, "POINT")

    return MeshArray(name, lambda: flatten(field), add)
