# SPDX-License-Identifier: GPL-3.0-or-later
"""Height fields become meshes.

Everything goes through the attribute layer, in one-dimensional arrays of the exact type: any other
way into Blender is 25 to 200 times slower. Attributes are fetched anew after each one that is
added, because older Blenders move them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ...noise_core.arrays import Field
from ...noise_core.errors import Message, ParameterError
from ...noise_core.grid import Grid
from . import compat
from .geometry.layers import has_attribute
from .geometry.topology import Topology
from .work import memory
from .work.parts import Found, Part, Room, flat, written
from .work.steps import Steps

UV_NAME = "UVMap"

Positions = npt.NDArray[np.float32]
"""Shape (vertices, 3)."""


def mesh_of(thing: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of a mesh object, whose data could be of any type as far as Python knows."""
    mesh: Any = thing.data
    return mesh


def why_not_mode(thing: bpy.types.Object) -> str:
    """Return why Blender would not change an object's mode; nothing if it would."""
    if thing.hide_viewport:
        return Message("This object is disabled in viewports: enable it there first")
    return ""


def why_not_left(thing: bpy.types.Object | None) -> str:
    """Return why an object cannot leave Edit Mode and come back; nothing if it can, or is in another."""
    return why_not_mode(thing) if thing is not None and thing.mode == "EDIT" else ""


def layer_data(mesh: bpy.types.Mesh, name: str) -> Any:
    """Return the values of an attribute, fetched anew because older Blenders move them."""
    attribute: Any = mesh.attributes[name]
    return attribute.data


def parts_of(topology: Topology) -> tuple[Part, ...]:
    """Return the edges, faces and UV map of a grid, for a mesh that has room for them."""
    return (
        Part(topology.edge_vertices, _writer(".edge_verts")),
        Part(topology.corner_vertices, _writer(".corner_vert")),
        Part(topology.corner_edges, _writer(".corner_edge")),
        Part(topology.face_starts, compat.set_face_starts),
        Part(
            topology.corner_coordinates, _write_coordinates, _add_coordinates, 32 * topology.faces
        ),
    )


def room_for(topology: Topology) -> tuple[Room, ...]:
    """Return what gives an empty mesh as many elements as a grid has, one kind after the other."""
    corners = topology.faces * 4
    return (
        Room(lambda mesh: mesh.vertices.add(topology.vertices), (12 * topology.vertices,)),
        Room(lambda mesh: mesh.edges.add(topology.edges), (8 * topology.edges,)),
        Room(lambda mesh: mesh.loops.add(corners), (4 * corners, 4 * corners)),
        Room(lambda mesh: mesh.polygons.add(topology.faces), (4 * topology.faces,)),
    )


def fill_topology(mesh: bpy.types.Mesh, topology: Topology) -> None:
    """Give an empty mesh the vertices, edges, faces and UV map of a grid."""
    for room in room_for(topology):
        room.make(mesh)
    for part in parts_of(topology):
        part.add(mesh)
        part.write(mesh, part.make())


def _writer(name: str) -> Callable[[bpy.types.Mesh, npt.NDArray[Any]], None]:
    return lambda mesh, values: layer_data(mesh, name).foreach_set("value", values)


def _add_coordinates(mesh: bpy.types.Mesh) -> bool:
    mesh.uv_layers.new(name=UV_NAME, do_init=False)
    return True


def _write_coordinates(mesh: bpy.types.Mesh, coordinates: npt.NDArray[np.float32]) -> None:
    layer_data(mesh, UV_NAME).foreach_set("vector", coordinates)


def grid_positions(grid: Grid, height: Field) -> Positions:
    """Return the vertices of a height field, centered on the origin in x and y."""
    positions = np.empty((grid.rows, grid.columns, 3), np.float32)
    width, depth = grid.size, (grid.rows - 1) * grid.spacing
    positions[..., 0] = np.linspace(-width / 2, width / 2, grid.columns)
    positions[..., 1] = np.linspace(-depth / 2, depth / 2, grid.rows)[:, np.newaxis]
    positions[..., 2] = height
    return positions.reshape(-1, 3)


def positions_of(mesh: bpy.types.Mesh) -> Positions:
    """Return a copy of a mesh's vertex positions."""
    positions = memory.empty(len(mesh.vertices) * 3, np.float32)
    if len(positions):  # some versions have no such attribute then
        layer_data(mesh, "position").foreach_get("vector", positions)
    return positions.reshape(-1, 3)


def check_places(name: str, positions: Positions) -> None:
    """Make sure that all vertices of a mesh lie somewhere.

    Raises
    ------
    ParameterError
        If the coordinates of some are infinite or not a number; `name` says whose they are.
    """
    is_somewhere = np.isfinite(positions)
    if not is_somewhere.all():
        count = int(np.count_nonzero(~is_somewhere.all(axis=1)))
        raise ParameterError(
            "{}: coordinates of vertices must be finite numbers; those of {} are not", name, count
        )


def set_positions(mesh: bpy.types.Mesh, positions: Positions) -> None:
    """Move a mesh's vertices; call `compat.positions_changed` when all is written."""
    layer_data(mesh, "position").foreach_set("vector", flat(positions))


def write_maps(mesh: bpy.types.Mesh, maps: Mapping[str, Field]) -> tuple[str, ...]:
    """Store fields as attributes of the vertices, in place of those of the same names.

    Parameters
    ----------
    mesh : Mesh
        Not in Edit Mode.
    maps : mapping of str to ndarray, float32
        One number per vertex becomes a FLOAT attribute; three, along the last axis, a FLOAT_VECTOR.

    Returns
    -------
    tuple of str
        The names that were not written: an attribute of another kind or a vertex group, somebody
        else's, has them.
    """
    refused = []
    for name, field in maps.items():
        part = _map_part(name, field)
        if part.add(mesh):
            part.write(mesh, part.make())
        else:
            refused.append(name)
    return tuple(refused)


def maps_written(maps: Mapping[str, Field], found: Found) -> Steps[tuple[str, ...]]:
    """Take the steps of `write_maps`."""
    refused = []
    for name, field in maps.items():
        if not (yield from written(_map_part(name, field), found)):
            refused.append(name)
    return tuple(refused)


def _map_part(name: str, field: Field) -> Part:
    """Return a map as a part of a mesh with as many vertices as it has numbers, or a third of them."""

    def kind(mesh: bpy.types.Mesh) -> tuple[str, str]:
        is_single = field.size == len(mesh.vertices)
        return ("FLOAT", "value") if is_single else ("FLOAT_VECTOR", "vector")

    def add(mesh: bpy.types.Mesh) -> bool:
        return has_attribute(mesh, name, kind(mesh)[0], "POINT")

    def write(mesh: bpy.types.Mesh, values: npt.NDArray[np.float32]) -> None:
        layer_data(mesh, name).foreach_set(kind(mesh)[1], values)

    return Part(lambda: flat(field), write, add, field.nbytes)


def key_positions(key: bpy.types.ShapeKey) -> Positions:
    """Return a copy of a shape key's positions."""
    positions = memory.empty(len(key.points) * 3, np.float32)
    key.points.foreach_get("co", positions)
    return positions.reshape(-1, 3)


def set_key_positions(key: bpy.types.ShapeKey, positions: Positions) -> None:
    """Move the vertices of a shape key."""
    key.points.foreach_set("co", flat(positions))
