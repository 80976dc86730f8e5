# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of a mesh in its present state, the forms in which they are stored, and their vertex groups.

Groups are written in steps because Blender needs half a microsecond per vertex.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.maps.bases.map import as_height_field
from ....noise_core.rasters.height_field import HeightField
from ..datablocks import editing, meshes, vertex_groups
from ..datablocks.ground import (
    Ground,
    gap,
    sample_field,
    sample_grid,
    vertex_field,
    vertex_grid,
)
from ..datablocks.images import Content
from ..datablocks.meshes import Positions, read_attribute
from ..datablocks.ref import Ref
from ..datablocks.vertex_groups import LEVELS, MANY, Weights
from ..schema import masks, state
from ..schema.layers import modifiers_of
from ..tasks.jobs import Work, as_work
from ..tasks.steps import Steps
from . import catalog, map_images, map_layers
from .map_images import Limits
from .rebuilding import FindObject, write_weights
from .terrains import built_grid, present_request, vertices_of

SPLAT = "splat"
"""Label of the image with several maps as channels."""


@dataclass(frozen=True)
class Baked:
    """Maps of a mesh, by name."""

    fields: Mapping[str, Field]
    """On the mesh's own rows and columns, not on the grid of squares used to compute them."""
    ground: Ground  # converts these to values of the vertices
    surface: HeightField  # the fields were read off it; it caches their intermediate results
    is_seamless: bool = False  # whether the last row and column repeat the first

    def texels(self, field: Field) -> Field:
        """Return the part of a field that an image stores: without the repeated row and column."""
        return field[:-1, :-1] if self.is_seamless else field


def work(
    obj: bpy.types.Object,
    names: Collection[str],
    positions: Positions | None = None,
    *,
    is_new: bool = False,
) -> Work:
    """Return the work that gives a `Baked`.

    Maps of the relief are computed from the present mesh. Maps that only modifiers make are read
    from the mesh, or evaluated from the recipe if the terrain is still as it was made.

    Maps that no modifier makes are left out of `names`; `positions` are `meshes.present_positions`, if
    already read. A new terrain is one that was built a moment before, in the same step: it need not be
    recognized.
    """
    shape_of_mesh = None
    if is_new:
        shape = built_grid(obj)
        shape_of_mesh = shape.rows, shape.columns
    with editing.object_mode(bpy.context, obj):
        present = meshes.present_positions(obj) if positions is None else positions
        recognize = Ground.read(obj, present, shape_of_mesh)
        stored = _stored_maps(meshes.mesh_of(obj), names)
        missing = (set(names) - stored.keys()) & catalog.modifier_maps()
        recipe = _recipe_maps(obj, missing) if missing else None
    is_seamless = state.is_terrain(obj) and getattr(obj, state.PROPERTY).seamless

    def bake(progress: Progress, cancel: Cancel) -> Baked:
        with cancellable(cancel):
            ground = recognize()
        height = ground.heights(np.ascontiguousarray(present[:, 2]))
        stored_fields = {name: ground.spread(values) for name, values in stored.items()}
        start = 0.0
        if recipe is not None and vertex_grid(recipe[0]).shape == ground.cells.grid.shape:
            start = 0.8
            stored_fields = {**recipe[1](part_of(progress, 0.0, start), cancel), **stored_fields}
        part = part_of(progress, start, 1.0)
        # Sculpting may have separated the edges.
        grid = sample_grid(ground.cells.grid, seamless=is_seamless and gap(height) == 0.0)
        there_too = {name: sample_field(field, grid) for name, field in stored_fields.items()}
        resampled = sample_field(height, grid)
        surface = as_height_field(resampled, grid, "read_maps")
        maps = catalog.compute(names, there_too, resampled, grid, part, cancel, surface=surface)
        fields = {
            name: ground.on_mesh_grid(vertex_field(field, grid)) for name, field in maps.items()
        }
        return Baked(fields, ground, surface, grid.wrap)

    return bake


def _stored_maps(mesh: bpy.types.Mesh, map_names: Collection[str]) -> dict[str, Weights]:
    """Return the modifiers' maps that the mesh stores, as values of its vertices."""
    written = map_layers.MapChoice.of(mesh).written
    names = [name for name in written if name in map_names and name in catalog.modifier_maps()]
    stored = ((name, read_attribute(mesh, name)) for name in names)
    return {name: values for name, values in stored if values is not None}


def _recipe_maps(obj: bpy.types.Object, missing: Collection[str]) -> tuple[Grid, Work] | None:
    """Return the samples of a terrain's recipe and the work that gives its maps at the vertices.

    None if the object is no terrain any more, or its modifiers make none of the missing maps.
    """
    if not state.is_terrain(obj):
        return None
    request = present_request(obj)
    recipe, grid = request.acting, request.grid()
    rows, columns = vertices_of(obj, grid).shape
    if rows * columns != len(meshes.mesh_of(obj).vertices):
        return None
    if not any(set(modifier.makes) & set(missing) for modifier in modifiers_of(recipe)):
        return None
    where = masks.fields(obj, request, grid)

    def evaluate(progress: Progress, cancel: Cancel) -> dict[str, Field]:
        relief = recipe.evaluate(grid, masks=where, progress=progress, cancel=cancel)
        return {name: vertex_field(field, grid) for name, field in relief.maps.items()}

    return grid, evaluate


@dataclass(frozen=True)
class Storable:
    """Stored forms of maps, by name: attributes in their own units, vertex groups from 0 to 1, images."""

    attributes: Mapping[str, Weights]
    groups: Mapping[str, Weights]
    images: Mapping[str, Content]

    @classmethod
    def of(
        cls, baked: Baked, names: Collection[str], channels: Sequence[str], limits: Limits | None,
        *, has_attributes: bool, has_images: bool, has_groups: bool,
    ) -> Storable:  # fmt: skip
        """Return the requested forms of those maps that have these names; any thread may call this.

        Channels are the maps of a splat map, in their order; a map that was not made leaves its channel
        empty. No splat map is made if there are none. For limits see `map_images.unit_values`.
        """
        fields = {name: field for name, field in baked.fields.items() if name in names}
        shown = fields if has_images or has_groups else {}
        units = {
            name: map_images.unit_values(name, field, limits)
            for name, field in baked.fields.items()
            if name in shown or name in channels
        }
        images = {
            name: map_images.content(baked.texels(units[name])) for name in fields if has_images
        }
        if channels:
            splat = map_images.splat([*map(units.get, channels)])
            images[SPLAT] = map_images.content(baked.texels(splat))
        masks = [name for name in fields if has_groups and name in catalog.masks()]
        vertices = baked.ground.vertices
        return cls(
            {name: vertices(field) for name, field in fields.items() if has_attributes},
            {name: vertices(units[name]) for name in masks},
            images,
        )


# --- vertex groups -------------------------------------------------------------------------------


def write_groups(
    context: bpy.types.Context, obj: bpy.types.Object, weights: Mapping[str, Weights]
) -> Steps[None]:
    """Take the steps that make vertex groups of an object not in Edit Mode, or overwrite existing ones.

    If the steps are not completed, the groups are restored.
    """
    for name in weights:
        if name in obj.vertex_groups and obj.vertex_groups[name].lock_weight:
            raise ParameterError("{}: the vertex group {!r} is locked", obj.name, name)
    ref, mode, count = Ref.of(obj), obj.mode, len(meshes.mesh_of(obj).vertices)

    def find() -> bpy.types.Object:
        obj = ref.resolve()
        if obj.mode != mode or len(meshes.mesh_of(obj).vertices) != count:
            raise TerraneError("{} was changed meanwhile: do it once more", obj.name)
        return obj

    weights_by_name: dict[str, Weights | None] = {}
    is_done = False
    try:
        for name, values in weights.items():
            is_there, mesh = name in find().vertex_groups, meshes.mesh_of(find())
            weights_by_name[name] = vertex_groups.read_weights(mesh, name) if is_there else None
            yield None
            yield from _write_group(find, name, values)
        is_done = True
    finally:
        if not is_done:
            _restore(context, ref, weights_by_name)


def _write_group(find: FindObject, name: str, values: Weights) -> Steps[None]:
    groups = find().vertex_groups
    if name in groups:
        outside: npt.NDArray[np.int32] = yield as_work(
            lambda: np.flatnonzero(np.rint(values * LEVELS) <= 0.0).astype(np.int32)
        )
        for start in range(0, len(outside), MANY):
            _group(find, name).remove(outside[start : start + MANY].tolist())
            yield None
    else:
        groups.new(name=name)
    yield from write_weights(lambda: _group(find, name), values)


def _group(find: FindObject, name: str) -> bpy.types.VertexGroup:
    group = find().vertex_groups.get(name)
    if group is None:
        raise TerraneError("the vertex group {!r} was removed meanwhile: do it once more", name)
    return group


def _restore(
    context: bpy.types.Context, ref: Ref[bpy.types.Object], former: Mapping[str, Weights | None]
) -> None:
    """Restore groups in one step, in any mode, unless the object is gone or no longer a mesh."""
    obj = ref.find()
    if obj is None or obj.type != "MESH":
        return
    with editing.object_mode(context, obj):
        for name, values in former.items():
            group = obj.vertex_groups.get(name)
            if group is None:
                continue
            if values is None:
                obj.vertex_groups.remove(group)
            elif len(values) == len(meshes.mesh_of(obj).vertices):
                group.remove(range(len(values)))
                vertex_groups.write_weights(group, values)
