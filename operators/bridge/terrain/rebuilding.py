# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebuilding of a terrain's mesh on another grid, with the user's data carried over.

The mesh is read in steps, another one is built in steps, and the last step replaces the old geometry:
until then the mesh does not change. If it is edited between two steps, all steps are repeated at once.
(Emptying and refilling the mesh would take as long, and Blender would remove its animation.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.grid_meshes.regular_grid import (
    Topology,
    all_edges_remain,
    resample_layer,
)
from ..datablocks import compat, editing, evaluated_geometry, meshes, vertex_groups
from ..datablocks.meshes import (
    UV_NAME,
    ActiveLayers,
    Layer,
    MeshArray,
    StoredLayer,
    ensure_attribute,
)
from ..datablocks.ref import Ref
from ..datablocks.vertex_groups import Levels, StoredGroup, Weights
from ..tasks import steps
from ..tasks.jobs import as_work
from ..tasks.steps import Steps
from . import map_layers
from .mesh_building import SMALL, DraftMesh, write_array, write_geometry, write_maps

FindObject = Callable[[], bpy.types.Object]
"""Function that finds the object being read or written, called in each step."""


class MeshChangedError(Exception):
    """The mesh has changed since an earlier step."""


class MeshWatch:
    """Watch for changes of a mesh object in Object Mode, used in ``with contextlib.closing(...)``.

    Changes are detected when Blender evaluates the geometry. Pending evaluation is done first.
    """

    def __init__(self, context: bpy.types.Context, obj: bpy.types.Object) -> None:
        self._object, self._mesh = Ref.of(obj), Ref.of(meshes.mesh_of(obj))
        self._is_changed = False
        events = bpy.app.handlers
        # Blender compares handlers by identity, not by equality.
        updated: Any = lambda scene, depsgraph=None: self._look(depsgraph)  # noqa: E731
        on_undo: Any = lambda *arguments: self._note()  # noqa: E731
        self._handlers: tuple[tuple[Any, Any], ...] = (
            (events.depsgraph_update_post, updated),
            (events.undo_post, on_undo),
            (events.redo_post, on_undo),
        )
        if not editing.synchronous.is_on:
            context.evaluated_depsgraph_get()
            for handlers, function in self._handlers:
                handlers.append(function)

    def close(self) -> None:
        """Remove the handlers."""
        for handlers, function in self._handlers:
            if function in handlers:  # loading a file removes them
                handlers.remove(function)

    def resolve(self) -> bpy.types.Object:
        """Return the object; raise a MeshChangedError if it has changed, a TerraneError if it is gone."""
        obj = self._object.resolve()
        has_same_mesh = self._mesh.refers_to(meshes.mesh_of(obj))
        if self._is_changed or obj.mode != "OBJECT" or not has_same_mesh:
            raise MeshChangedError(obj.name)
        return obj

    def _look(self, depsgraph: Any) -> None:
        if depsgraph is not None and any(
            update.is_updated_geometry
            and (self._object.refers_to(update.id) or self._mesh.refers_to(update.id))
            for update in depsgraph.updates
        ):
            self._note()

    def _note(self) -> None:
        self._is_changed = True


@dataclass(frozen=True)
class RebuildOrder:
    """Order to rebuild a mesh on a grid; see `regrid.update_mesh`."""

    old: Topology | None
    """The present grid; None if the mesh is no grid, so that no data can be carried over."""
    grid: Grid
    height: Field
    maps: Mapping[str, Field]
    single_user: bool

    @property
    def new(self) -> Topology:
        """The new grid."""
        return Topology(self.grid.rows, self.grid.columns)


@dataclass(frozen=True)
class _Stored:
    """Data of a mesh outside Blender."""

    layers: tuple[StoredLayer, ...]
    lost: tuple[str, ...]
    """Names of attributes that cannot be carried over."""
    active: ActiveLayers
    groups: tuple[StoredGroup, ...]
    maps: tuple[str, ...]
    """Names of the maps that Terrane has written."""


def rebuild(
    context: bpy.types.Context, terrain: bpy.types.Object, order: RebuildOrder
) -> Steps[tuple[str, ...]]:
    """Take the steps that rebuild the mesh of a terrain on another grid; see `regrid.update_mesh`."""
    mesh = meshes.mesh_of(terrain)
    if mesh.shape_keys is not None:
        raise TerraneError(
            "{} has shape keys, which have no other resolution: apply or remove them first",
            terrain.name,
        )
    if terrain.mode == "OBJECT" and max(len(mesh.vertices), order.new.vertices) >= SMALL:
        ref = Ref.of(terrain)
        try:
            return (yield from _rebuild(context, terrain, order))
        except MeshChangedError:
            terrain = ref.resolve()
    with editing.object_mode(context, terrain), editing.synchronous.on():
        return steps.at_once(_rebuild(context, terrain, order))


def _rebuild(
    context: bpy.types.Context, terrain: bpy.types.Object, order: RebuildOrder
) -> Steps[tuple[str, ...]]:
    """Build another mesh; its geometry finally replaces that of the terrain's mesh."""
    with closing(MeshWatch(context, terrain)) as watch:
        yield None
        stored = yield from _read(watch.resolve, order)
        name = meshes.mesh_of(watch.resolve()).name
        with closing(DraftMesh(name, *order.grid.shape)) as draft:
            yield None
            lost = yield from _fill(draft, stored, order)
            # From here on the bounds of the mesh are known, even if objects share it.
            _ = draft.carrier().bound_box[0]
            yield None
            mesh = editing.editable_mesh(watch.resolve(), single_user=order.single_user)
            evaluated_geometry.replace_geometry(context, mesh, draft.carrier())
            map_layers.note(mesh, (name for name in order.maps if name in mesh.attributes))
            return lost


def _read(find: FindObject, order: RebuildOrder) -> Steps[_Stored]:
    """Take the steps to the data to carry over, without the maps that Terrane made."""
    mesh = meshes.mesh_of(find())
    map_names = map_layers.MapChoice.of(mesh).written
    skipped = {*map_names}
    groups = []
    for name in [group.name for group in find().vertex_groups]:
        groups.append(StoredGroup.of(find(), name))
        yield None
    if order.old is None:
        skipped.add(UV_NAME)
    layers = []
    names, lost = meshes.layer_names(meshes.mesh_of(find()), skipped)
    for name in names:
        layers.append(meshes.read_layer(meshes.mesh_of(find()), name))
        yield None
    if (old := order.old) is not None:
        # Terrane's UV map is written again, unless it was edited.
        layers = yield as_work(lambda: [layer for layer in layers if not _is_own_uv(layer, old)])
    active = ActiveLayers.of(meshes.mesh_of(find()))
    return _Stored(tuple(layers), lost, active, tuple(groups), map_names)


def _is_own_uv(layer: StoredLayer, old: Topology) -> bool:
    if (layer.name, layer.data_type, layer.domain) != (UV_NAME, "FLOAT2", "CORNER"):
        return False
    return np.array_equal(layer.values.reshape(-1), old.corner_coordinates())


def _fill(draft: DraftMesh, stored: _Stored, order: RebuildOrder) -> Steps[tuple[str, ...]]:
    """Take the steps that fill an empty mesh; return the names of the data that could not be carried over."""
    yield from write_geometry(draft.mesh, order.grid, order.height)
    lost = [*stored.lost, *(yield from _write_layers(draft, stored.layers, order))]
    stored_maps = {name: field for name, field in order.maps.items() if name in stored.maps}
    refused = yield from write_maps(draft.mesh, stored_maps)
    # After the maps: Blender makes no attribute with the name of a vertex group.
    for group in stored.groups:
        yield from _write_group(draft, group, order)
    further_maps = {name: field for name, field in order.maps.items() if name not in stored_maps}
    refused += yield from write_maps(draft.mesh, further_maps)
    stored.active.restore(draft.mesh())
    compat.update_positions(draft.mesh())
    return (*lost, *refused)


def _write_layers(
    draft: DraftMesh, layers: Iterable[StoredLayer], order: RebuildOrder
) -> Steps[list[str]]:
    """Take the steps that carry attributes over; return the names of those lost."""
    old, lost = order.old, []
    for layer in layers:
        if old is None:
            lost.append(layer.name)
        elif not (yield from write_array(draft.mesh, _resample(layer, old, order.new))):
            lost.append(layer.name)
        elif layer.domain == "EDGE":
            remain = partial(all_edges_remain, layer.values, old, order.new)
            if not (yield as_work(remain)):
                lost.append(f"{layer.name.removeprefix('.')} of some edges")
    return lost


def _resample(layer: StoredLayer, old: Topology, new: Topology) -> MeshArray:
    """Return an attribute of one grid as an attribute of a mesh that is another grid."""

    def compute() -> Layer:
        values = resample_layer(layer.values, layer.domain, old, new)
        return np.ascontiguousarray(values, layer.values.dtype).reshape(-1)

    def add(mesh: bpy.types.Mesh) -> bool:
        return ensure_attribute(mesh, layer.name, layer.data_type, layer.domain)

    return MeshArray(layer.name, compute, add)


def _write_group(draft: DraftMesh, stored: StoredGroup, order: RebuildOrder) -> Steps[None]:
    """Take the steps that add a vertex group, without weights if they cannot be carried over."""
    draft.carrier().vertex_groups.new(name=stored.name)
    if order.old is not None:
        values = stored.weights[:, np.newaxis]
        resample = partial(resample_layer, values, "POINT", order.old, order.new)
        weights = (yield as_work(resample))[:, 0]
        yield from write_weights(lambda: draft.carrier().vertex_groups[stored.name], weights)
    stored.restore_state(draft.carrier())


def write_weights(find: Callable[[], bpy.types.VertexGroup], weights: Weights) -> Steps[None]:
    """Take the steps of `vertex_groups.write_weights`, each for `MANY` vertices at most."""
    levels: Levels = yield as_work(lambda: vertex_groups.weight_levels(weights))
    yield from vertex_groups.add_levels(find, levels)
