# SPDX-License-Identifier: GPL-3.0-or-later
"""Any mesh is moved by noise in space: what is read, the work on it, and what is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.arrays import Field
from ....noise_core.blocks import Cancel, Progress, cancellable, checkpoint
from ....noise_core.errors import ParameterError, TerraneError
from ....noise_core.recipe import Recipe
from .. import compat, meshes
from ..keywords import DISPLACE
from ..meshes import Positions
from ..work import attendance, memory
from ..work.jobs import Work
from .layers import read_attribute
from .vertex_normals import vertex_normals
from .weights import read_weights

_POINTS = 1 << 17
"""Vertices between two looks at whether to stop: some 50 ms of the slowest noises."""

_MANY = 1 << 16
"""Vertices from which on a thread works out normals while Blender goes on: for fewer Blender needs some
ten milliseconds at most."""


@dataclass(frozen=True)
class Displaced:
    """What a displacement comes to.

    Attributes
    ----------
    offset : ndarray of shape (vertices, 3), float32
        How far each vertex moves.
    positions : ndarray of that shape
        Where it is then.
    """

    offset: Positions
    positions: Positions


@dataclass(frozen=True)
class Displacement:
    """How a mesh is moved; the parameters are those in `keywords.DISPLACE`.

    Raises
    ------
    ParameterError
        If a value is not allowed, or the direction has no length.
    """

    strength: float
    tile: float
    direction: str
    vector: tuple[float, float, float]
    mask: str
    as_shape_key: bool

    def __post_init__(self) -> None:
        for parameter in DISPLACE:
            parameter.checked(getattr(self, parameter.name), "Displace")
        if self.direction == "vector" and not any(self.vector):
            raise ParameterError(f"Displace.vector must have a length; got {self.vector}")


def work(
    context: bpy.types.Context,
    thing: bpy.types.Object,
    positions: Positions,
    recipe: Recipe,
    way: Displacement,
) -> Work:
    """Return the work that gives how far each vertex of a mesh moves, or of its active shape key.

    Parameters
    ----------
    context : Context
        For reading vertex groups.
    thing : Object
        A mesh object, not in Edit Mode.
    positions : ndarray of shape (vertices, 3), float32
        Its `present_positions`.
    recipe : Recipe
        Its noise is sampled at the vertices' positions, in three dimensions.
    way : Displacement
        How far and where to.

    Returns
    -------
    callable
        Its work gives a `Displaced`; see `write`.

    Raises
    ------
    ParameterError
        If the recipe cannot be sampled in space, or the mask does not exist.
    TerraneError
        If the shape key that would move is locked.
    """
    if on_grid := recipe.layers_on_grid:
        name = on_grid[0].name or on_grid[0].label
        raise ParameterError(f"this recipe cannot displace a mesh: its layer {name} needs a grid")
    mesh = meshes.mesh_of(thing)
    if len(mesh.vertices) == 0:
        raise ParameterError(f"{mesh.name} has no vertices")
    meshes.check_places(mesh.name, positions)
    key = thing.active_shape_key
    if key is not None and key.lock_shape and not way.as_shape_key:
        raise TerraneError(f"The shape key {key.name} is locked: unlock it first")
    share = _mask(context, mesh, way.mask) if way.mask else None
    direction = _DIRECTIONS[way.direction](thing, positions, way)

    def displaced(progress: Progress, cancel: Cancel) -> Displaced:
        with cancellable(cancel):
            towards = direction.make(lambda share: progress(direction.share * share))
            amount = _sampled(
                recipe,
                positions / _tile(positions, way.tile),
                lambda share: progress(direction.share + (1.0 - direction.share) * share),
            )
        amount *= np.float32(way.strength)
        if share is not None:
            amount *= share
        offset = towards * amount[:, np.newaxis]
        return Displaced(offset, positions + offset)

    return displaced


def _sampled(recipe: Recipe, points: Positions, progress: Progress) -> Field:
    """Return a recipe's noise at points, some after the other."""
    amount = np.empty(len(points), np.float32)
    for start in range(0, len(points), _POINTS):
        checkpoint()
        part = slice(start, start + _POINTS)
        amount[part] = recipe.noise.sample(points[part], recipe.seed)
        progress(min(start + _POINTS, len(points)) / len(points))
    return amount


def write(thing: bpy.types.Object, way: Displacement, displaced: Displaced) -> None:
    """Move the vertices of an object's mesh or of its active shape key, which are where they were."""
    if way.as_shape_key:
        _add_key(thing, displaced.positions)
    else:
        _move(thing, displaced)
    compat.positions_changed(meshes.mesh_of(thing))


def _tile(positions: Positions, given: float) -> np.float32:
    """Return the length of a tile: the mesh's largest dimension unless one is given."""
    if given > 0.0:
        return np.float32(given)
    return max(np.float32(np.ptp(positions, axis=0).max()), np.float32(1e-6))


def present_positions(thing: bpy.types.Object) -> Positions:
    """Return where the vertices are: in the active shape key if there is one."""
    key = thing.active_shape_key
    return meshes.positions_of(meshes.mesh_of(thing)) if key is None else meshes.key_positions(key)


def _mask(context: bpy.types.Context, mesh: bpy.types.Mesh, name: str) -> Field:
    """Return a vertex group's weights, or a float attribute."""
    attribute = read_attribute(mesh, name)
    if attribute is not None:
        return attribute
    if name not in _group_names(mesh):
        raise ParameterError(f"mask must name a vertex group or a float attribute; got {name!r}")
    return read_weights(context, mesh, name)


def _group_names(mesh: bpy.types.Mesh) -> set[str]:
    return {
        group.name
        for thing in bpy.data.objects
        if thing.data is mesh
        for group in thing.vertex_groups
    }


def _move(thing: bpy.types.Object, displaced: Displaced) -> None:
    mesh, key = meshes.mesh_of(thing), thing.active_shape_key
    if key is None:
        meshes.set_positions(mesh, displaced.positions)
        return
    if key != mesh.shape_keys.reference_key:
        meshes.set_key_positions(key, displaced.positions)
        return
    # The other keys are relative to this one: they move with it, as they do in Edit Mode.
    for other in mesh.shape_keys.key_blocks:
        meshes.set_key_positions(other, meshes.key_positions(other) + displaced.offset)
    meshes.set_positions(mesh, displaced.positions)


def _add_key(thing: bpy.types.Object, positions: Positions) -> None:
    mesh = meshes.mesh_of(thing)
    if mesh.shape_keys is None:
        thing.shape_key_add(name="Basis", from_mix=False)
    key = thing.shape_key_add(name="Terrane", from_mix=False)
    meshes.set_key_positions(key, positions)
    key.value = 1.0
    thing.active_shape_key_index = len(mesh.shape_keys.key_blocks) - 1


@dataclass(frozen=True)
class _Direction:
    """Where the vertices move to.

    Attributes
    ----------
    make : callable
        Returns it, as one vector of length 1 or as one for each vertex; any thread may call this.
    share : float
        How much of all work that is, roughly.
    """

    make: Callable[[Progress], Positions]
    share: float = 0.0


def _along(vector: Positions) -> _Direction:
    return _Direction(lambda progress: vector)


def _normals(thing: bpy.types.Object, positions: Positions, way: Displacement) -> _Direction:
    """Let Blender work them out, unless it would be heard to stop for that."""
    mesh = meshes.mesh_of(thing)
    count = len(mesh.vertices)
    if attendance.is_at_once() or count < _MANY:
        normals = memory.empty(count * 3, np.float32)
        mesh.vertex_normals.foreach_get("vector", normals)
        return _along(normals.reshape(-1, 3))
    own = positions if thing.active_shape_key is None else meshes.positions_of(mesh)
    starts = memory.empty(len(mesh.polygons), np.int32)
    corners = memory.empty(len(mesh.loops), np.int32)
    if len(corners):
        compat.read_face_starts(mesh, starts)
        meshes.layer_data(mesh, ".corner_vert").foreach_get("value", corners)
    return _Direction(lambda progress: vertex_normals(own, corners, starts, progress), 0.3)


def _given_vector(thing: bpy.types.Object, positions: Positions, way: Displacement) -> _Direction:
    vector = np.array(way.vector, np.float64)
    return _along((vector / np.linalg.norm(vector)).astype(np.float32))


def _axis(*axis: float) -> _DirectionOf:
    return lambda thing, positions, way: _along(np.array(axis, np.float32))


_DirectionOf = Callable[[bpy.types.Object, Positions, Displacement], _Direction]

_DIRECTIONS: Mapping[str, _DirectionOf] = {
    "normal": _normals,
    "x": _axis(1.0, 0.0, 0.0),
    "y": _axis(0.0, 1.0, 0.0),
    "z": _axis(0.0, 0.0, 1.0),
    "vector": _given_vector,
}
