# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain's mesh is made anew on another grid, and what is the user's is carried over.

It is read step by step, another is made aside step by step, and in the last step it takes over what
was made: until then it is as it was, to the bit. If somebody changes it meanwhile, all is done anew,
at once. (To empty a mesh and fill it again would be no shorter: Blender removes its animation then.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ....noise_core.arrays import Field
from ....noise_core.errors import TerraneError
from ....noise_core.grid import Grid
from .. import compat, meshes
from ..geometry import editing, geometry_transfer
from ..geometry.layers import StoredLayer, StoredLayers, activate, layer_part, read_layers
from ..geometry.new_meshes import SMALL, geometry_written
from ..geometry.resampling import all_edges_remain, resampled
from ..geometry.subjects import Thing
from ..geometry.topology import Topology
from ..geometry.unfinished import Unfinished
from ..geometry.watching import ChangedMeanwhileError, Watch
from ..geometry.weights import StoredGroup, group_written, read_groups
from ..maps import map_layers
from ..work import attendance, parts, steps
from ..work.steps import Steps
from . import before

FoundObject = Callable[[], bpy.types.Object]
"""Returns the object that is read or written to, found anew in each step."""


@dataclass(frozen=True)
class Order:
    """What a mesh is to become.

    Attributes
    ----------
    old : Topology or None
        The grid that it is; None if it is none, and nothing on it can be carried over.
    grid : Grid
    height : ndarray of shape (rows, columns), float32
    maps : mapping of str to ndarray
        See `regrid.update_mesh`.
    single_user : bool
        Leave other objects that share the mesh as they are.
    """

    old: Topology | None
    grid: Grid
    height: Field
    maps: Mapping[str, Field]
    single_user: bool

    @property
    def new(self) -> Topology:
        """The grid that it is to be."""
        return Topology(self.grid.rows, self.grid.columns)


@dataclass(frozen=True)
class _Stored:
    """What a mesh had, outside Blender."""

    layers: StoredLayers
    groups: tuple[StoredGroup, ...]
    maps: tuple[str, ...]
    """Names of those that were ours."""


def rebuilt(
    context: bpy.types.Context, terrain: bpy.types.Object, order: Order
) -> Steps[tuple[str, ...]]:
    """Take the steps to a terrain whose mesh has another grid; see `regrid.update_mesh`."""
    mesh = meshes.mesh_of(terrain)
    if mesh.shape_keys is not None:
        raise TerraneError(
            "{} has shape keys, which cannot follow to another resolution: apply or "
            "remove them first",
            terrain.name,
        )
    if terrain.mode == "OBJECT" and max(len(mesh.vertices), order.new.vertices) >= SMALL:
        thing = Thing.of(terrain)
        try:
            return (yield from _rebuilding(context, terrain, order))
        except ChangedMeanwhileError:
            terrain = thing.found()
    with editing.object_mode(context, terrain), attendance.at_once():
        return steps.at_once(_rebuilding(context, terrain, order))


def _rebuilding(
    context: bpy.types.Context, terrain: bpy.types.Object, order: Order
) -> Steps[tuple[str, ...]]:
    """Make another mesh, which takes the place of the terrain's own in the end."""
    with (
        closing(Watch(context, terrain)) as watch,
        closing(Unfinished(meshes.mesh_of(terrain).name)) as unfinished,
    ):
        yield None
        stored = yield from _read(context, watch.found, order)
        lost = yield from _filled(unfinished, stored, order)
        # Where the mesh ends is known from here on, however many share it.
        _ = unfinished.carrier().bound_box[0]
        yield None
        mesh = editing.editable_mesh(watch.found(), single_user=order.single_user)
        geometry_transfer.take(context, mesh, unfinished.carrier())
        map_layers.note(mesh, (name for name in order.maps if name in mesh.attributes))
        return lost


def _read(context: bpy.types.Context, found: FoundObject, order: Order) -> Steps[_Stored]:
    """Take the steps to what has to survive; heights from before an erosion do not."""
    mesh = meshes.mesh_of(found())
    ours = map_layers.Record.of(mesh).written
    skipped = {*ours, *map_layers.covered(mesh), *before.names(mesh)}
    groups = yield from read_groups(context, found)
    if order.old is None:
        skipped.add(meshes.UV_NAME)
    layers = yield from read_layers(lambda: meshes.mesh_of(found()), skipped)
    if order.old is not None:
        layers = yield parts.making(_without_own_uv(layers, order.old))
    return _Stored(layers, groups, ours)


def _without_own_uv(layers: StoredLayers, old: Topology) -> Callable[[], StoredLayers]:
    """Leave our own UV map out unless somebody has edited it: it is made anew."""

    def is_edited(layer: StoredLayer) -> bool:
        if layer.name != meshes.UV_NAME or (layer.data_type, layer.domain) != ("FLOAT2", "CORNER"):
            return True
        return not np.array_equal(layer.values.reshape(-1), old.corner_coordinates())

    return lambda: replace(layers, layers=tuple(filter(is_edited, layers.layers)))


def _filled(unfinished: Unfinished, stored: _Stored, order: Order) -> Steps[tuple[str, ...]]:
    """Take the steps that fill an empty mesh; return names of what could not be carried over."""
    found = unfinished.mesh
    yield from geometry_written(found, order.grid, order.height)
    lost = list(stored.layers.lost)
    for layer in stored.layers.layers:
        is_carried = order.old is not None and (
            yield from parts.written(layer_part(layer, order.old, order.new), found)
        )
        if not is_carried:
            lost.append(layer.name)
        elif layer.domain == "EDGE" and not (yield parts.making(_remains(layer, order))):
            lost.append(f"{layer.name.removeprefix('.')} of some edges")
    known = {name: field for name, field in order.maps.items() if name in stored.maps}
    refused = yield from meshes.maps_written(known, found)
    # Then only, for Blender makes no attribute with the name of a vertex group.
    for group in stored.groups:
        weights = None
        if order.old is not None:
            weights = yield parts.making(_resampled_weights(group, order.old, order.new))
        yield from group_written(unfinished.carrier, group, weights)
    others = {name: field for name, field in order.maps.items() if name not in known}
    refused += yield from meshes.maps_written(others, found)
    activate(found(), stored.layers)
    compat.positions_changed(found())
    return (*lost, *refused)


def _remains(layer: StoredLayer, order: Order) -> Callable[[], bool]:
    old = order.old
    return lambda: old is not None and all_edges_remain(layer.values, old, order.new)


def _resampled_weights(group: StoredGroup, old: Topology, new: Topology) -> Callable[[], Any]:
    return lambda: resampled(group.weights[:, np.newaxis], "POINT", old, new)[:, 0]
