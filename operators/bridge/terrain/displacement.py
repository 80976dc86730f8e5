# SPDX-License-Identifier: GPL-3.0-or-later
"""Displacement of meshes by noise in space: reading, computation and writing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, checkpoint
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.recipe import Recipe
from ..datablocks import compat, meshes
from ..datablocks.mesh_layers import read_attribute
from ..datablocks.meshes import Positions
from ..datablocks.vertex_groups import read_weights
from ..schema.keywords import DISPLACE
from ..tasks.jobs import Work

_POINTS = 1 << 17
"""Vertices between two checks for cancellation: about 50 ms of the slowest noises."""


@dataclass(frozen=True)
class Displaced:
    """Result of a displacement.

    Attributes
    ----------
    offset : ndarray of shape (vertices, 3), float32
        Offset of each vertex.
    positions : ndarray of that shape
        Resulting positions.
    """

    offset: Positions
    positions: Positions


@dataclass(frozen=True)
class Displacement:
    """Parameters of a displacement, as declared in `keywords.DISPLACE`.

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
            parameter.check(getattr(self, parameter.name), "Displace")
        if self.direction == "vector" and not any(self.vector):
            raise ParameterError("Displace.vector must have a length; got {}", self.vector)


def work(thing: bpy.types.Object, positions: Positions, recipe: Recipe, way: Displacement) -> Work:
    """Return the work that gives the offsets of the vertices of a mesh or its active shape key.

    Parameters
    ----------
    thing : Object
        A mesh object, not in Edit Mode.
    positions : ndarray of shape (vertices, 3), float32
        Its `meshes.present_positions`.
    recipe : Recipe
        Its noise is sampled in three dimensions at the positions of the vertices.
    way : Displacement
        Distance and direction.

    Returns
    -------
    callable
        The work, which gives a `Displaced`; see `write`.

    Raises
    ------
    ParameterError
        If the recipe cannot be sampled in space, or the mask does not exist.
    TerraneError
        If the shape key that would move is locked.
    """
    if on_grid := recipe.layers_on_grid:
        name = on_grid[0].name or on_grid[0].label
        raise ParameterError("this recipe cannot displace a mesh: its layer {} needs a grid", name)
    mesh = meshes.mesh_of(thing)
    if len(mesh.vertices) == 0:
        raise ParameterError("{} has no vertices", mesh.name)
    meshes.check_positions(mesh.name, positions)
    key = thing.active_shape_key
    if key is not None and key.lock_shape and not way.as_shape_key:
        raise TerraneError("The shape key {} is locked: unlock it first", key.name)
    share = _mask(mesh, way.mask) if way.mask else None
    direction = _direction(mesh, way)

    def displace(progress: Progress, cancel: Cancel) -> Displaced:
        with cancellable(cancel):
            amount = _sample(recipe, positions / _tile(positions, way.tile), progress)
        amount *= np.float32(way.strength)
        if share is not None:
            amount *= share
        offset = direction * amount[:, np.newaxis]
        return Displaced(offset, positions + offset)

    return displace


def _sample(recipe: Recipe, points: Positions, progress: Progress) -> Field:
    """Return a recipe's noise at points, in blocks."""
    amount = np.empty(len(points), np.float32)
    for start in range(0, len(points), _POINTS):
        checkpoint()
        part = slice(start, start + _POINTS)
        amount[part] = recipe.noise.sample(points[part], recipe.seed)
        progress(min(start + _POINTS, len(points)) / len(points))
    return amount


def write(thing: bpy.types.Object, way: Displacement, displaced: Displaced) -> None:
    """Move the vertices of an object's mesh or of its active shape key."""
    if way.as_shape_key:
        _add_key(thing, displaced.positions)
    else:
        _move(thing, displaced)
    compat.update_positions(meshes.mesh_of(thing))


def _tile(positions: Positions, given: float) -> np.float32:
    """Return the length of a tile, by default the mesh's largest dimension."""
    if given > 0.0:
        return np.float32(given)
    return max(np.float32(np.ptp(positions, axis=0).max()), np.float32(1e-6))


def _mask(mesh: bpy.types.Mesh, name: str) -> Field:
    """Return the weights of a vertex group, or the values of a float attribute."""
    attribute = read_attribute(mesh, name)
    if attribute is not None:
        return attribute
    if name not in _group_names(mesh):
        raise ParameterError("mask must name a vertex group or a float attribute; got {!r}", name)
    return read_weights(mesh, name)


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


_AXES: Mapping[str, tuple[float, float, float]] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
}


def _direction(mesh: bpy.types.Mesh, way: Displacement) -> Positions:
    """Return the direction in which vertices move, as one unit vector for all or one for each."""
    if way.direction == "normal":
        return meshes.normals_of(mesh)
    vector = np.array(_AXES.get(way.direction, way.vector), np.float64)
    return (vector / np.linalg.norm(vector)).astype(np.float32)
