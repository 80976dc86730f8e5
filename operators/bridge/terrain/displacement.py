# SPDX-License-Identifier: GPL-3.0-or-later
"""Displacement of meshes by noise in space: reading, computation and writing."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, checkpoint
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.landscapes.grid_meshes import recognition
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import compat, meshes
from ..datablocks.meshes import Positions, read_attribute
from ..datablocks.vertex_groups import read_weights
from ..schema import layer_groups
from ..schema.displace_settings import DISPLACE
from ..tasks.jobs import Work

_POINTS = 1 << 17
"""Vertices between two checks for cancellation: about 50 ms of the slowest noises."""


@dataclass(frozen=True)
class Displacement:
    """Parameters of a displacement, as declared in `keywords.DISPLACE`."""

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
            raise ParameterError("Displace.vector must have a length", got=self.vector)


def work(
    obj: bpy.types.Object, positions: Positions, recipe: Recipe, settings: Displacement
) -> Work:
    """Return the work that gives the offset of each vertex of a mesh object, which is not in Edit Mode.

    The recipe's noise is sampled in three dimensions at `meshes.present_positions`.
    """
    if on_grid := recipe.layers_on_grid:
        name = on_grid[0].name or on_grid[0].label
        raise ParameterError("this recipe cannot displace a mesh: its layer {} needs a grid", name)
    mesh = meshes.mesh_of(obj)
    if len(mesh.vertices) == 0:
        raise ParameterError("{} has no vertices", mesh.name)
    recognition.check_positions(mesh.name, positions)
    key = obj.active_shape_key
    if key is not None and key.lock_shape and not settings.as_shape_key:
        raise TerraneError("The shape key {} is locked: unlock it first", key.name)
    share = _mask(mesh, settings.mask) if settings.mask else np.float32(1.0)
    direction = _direction(mesh, settings)

    def displace(progress: Progress, cancel: Cancel) -> Positions:
        tile = np.float32(settings.tile)
        if settings.tile <= 0.0:  # by default the mesh's largest dimension
            tile = max(np.float32(np.ptp(positions, axis=0).max()), np.float32(1e-6))
        points, amount = positions / tile, np.empty(len(positions), np.float32)
        with cancellable(cancel):
            for start in range(0, len(points), _POINTS):
                checkpoint()
                part = slice(start, start + _POINTS)
                amount[part] = recipe.noise.sample(points[part], recipe.seed)
                progress(min(start + _POINTS, len(points)) / len(points))
        amount *= np.float32(settings.strength)
        amount *= share
        return direction * amount[:, np.newaxis]

    return displace


def write(obj: bpy.types.Object, settings: Displacement, offset: Positions) -> None:
    """Move the vertices of an object's mesh or of its active shape key, or of a new one."""
    mesh, key = meshes.mesh_of(obj), obj.active_shape_key
    positions = meshes.present_positions(obj) + offset
    if settings.as_shape_key:
        if mesh.shape_keys is None:
            obj.shape_key_add(name="Basis", from_mix=False)
        key = obj.shape_key_add(name="Terrane", from_mix=False)
        meshes.set_key_positions(key, positions)
        key.value = 1.0
        obj.active_shape_key_index = len(mesh.shape_keys.key_blocks) - 1
    elif key is not None and key != mesh.shape_keys.reference_key:
        meshes.set_key_positions(key, positions)
    else:
        # The other keys are relative to this one: they move with it, as they do in Edit Mode.
        for block in [] if key is None else mesh.shape_keys.key_blocks:
            meshes.set_key_positions(block, meshes.key_positions(block) + offset)
        meshes.set_positions(mesh, positions)
    compat.update_positions(mesh)


def _mask(mesh: bpy.types.Mesh, name: str) -> Field:
    """Return the weights of a vertex group, or the values of a float attribute."""
    attribute = read_attribute(mesh, name)
    if attribute is not None:
        return attribute
    if name not in layer_groups.group_names(mesh):
        raise ParameterError("mask must name a vertex group or a float attribute", got=repr(name))
    return read_weights(mesh, name)


def _direction(mesh: bpy.types.Mesh, settings: Displacement) -> Positions:
    """Return the direction in which vertices move, as one unit vector for all or one for each."""
    if settings.direction == "normal":
        return meshes.normals_of(mesh)
    axes = dict(zip("xyz", np.eye(3)))
    vector = np.array(axes.get(settings.direction, settings.vector), np.float64)
    return (vector / np.linalg.norm(vector)).astype(np.float32)
