# SPDX-License-Identifier: GPL-3.0-or-later
"""Painted masks of layers: fields from vertex groups, float attributes and images.

A mask is stored by name, and an image by a pointer too (`layer_groups.py`), which takes precedence.
A name is resolved as an attribute first, then as a vertex group, then as an image. The first two
require a mesh that still is the grid that Terrane built.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Union

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import Message, ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.grid_meshes.regular_grid import Topology
from ....noise_core.rasters.resampling import stretch
from ..datablocks import editing, images, vertex_places
from ..datablocks.meshes import mesh_of, read_attribute
from ..datablocks.ref import Ref
from ..datablocks.vertex_groups import Weights, read_weights
from . import layer_groups, settings, state

Owner = Union[bpy.types.Object, bpy.types.Mesh, None]
"""Source of vertex masks; without one only images can be masks."""


def fields(owner: Owner, source: Any, grid: Grid, depth: float | None = None) -> dict[int, Field]:
    """Return the mask of each layer by its place in the flat list, from 0 to 1, for `Recipe.evaluate`.

    The owner is the present terrain, in any mode; its grid may be finer or coarser than the fields',
    which covers the same area, unless a depth is given: the extent of the owner along y, in tiles, if
    the fields' grid reaches beyond it. The source names the masks: a group of settings, or a request
    made from one. Layers that are muted or have no mask are left out.

    Raises a ParameterError if a named mask does not exist, or the owner is no longer the grid that was
    built.
    """
    return {
        place: field(owner, layer_state.mask, grid, layer_state.name, depth, layer_state.mask_image)
        for place, layer_state in enumerate(settings.states(source))
        if layer_state.mask and not layer_state.is_muted
    }


def has_painted_masks(owner: bpy.types.Object, source: Any) -> bool:
    """Return whether any layer has a mask that is painted: a vertex group or an image.

    Attributes do not count: they may be maps, which change whenever the heights are rebuilt.
    """
    return any(not layer_state.is_muted for layer_state in _painted_states(owner, source).values())


def painted_checksum(
    owner: bpy.types.Object, source: Any, fields_by_place: dict[int, Field]
) -> int:
    """Return a checksum of the painted masks among the result of `fields`."""
    stamp = 0
    for place in sorted(fields_by_place.keys() & _painted_states(owner, source)):
        stamp = zlib.crc32(np.ascontiguousarray(fields_by_place[place]).data, stamp)
    return stamp


def _painted_states(owner: bpy.types.Object, source: Any) -> dict[int, Any]:
    attributes = mesh_of(owner).attributes
    states = enumerate(settings.states(source))
    return {
        place: layer_state
        for place, layer_state in states
        if layer_state.mask and layer_state.mask not in attributes
    }


def named_fields(source: Any, fields_by_place: dict[int, Field]) -> dict[str, Field]:
    """Return the result of `fields` by mask name, for storing the masks on another terrain.

    A terrain that is built with another one's settings needs that one's masks as attributes, so
    that it can be rebuilt. Images need no copy.
    """
    states = settings.states(source)
    return {
        states[place].mask: values
        for place, values in fields_by_place.items()
        if _find_image(states[place].mask, states[place].mask_image) is None
    }


def _find_image(name: str, number: int) -> bpy.types.Image | None:
    """Return the image with a session number, or else with a name; None if there is none."""
    return Ref[Any]("IMAGE", number, "").find() or bpy.data.images.get(name)


def weights(owner: bpy.types.Object | bpy.types.Mesh, name: str) -> Weights | None:
    """Return a mask's value at every vertex, from 0 to 1; None if the mesh has none of that name.

    The owner must not be in Edit Mode. A float attribute has precedence over a vertex group.
    """
    mesh = owner if isinstance(owner, bpy.types.Mesh) else mesh_of(owner)
    values = read_attribute(mesh, name)
    if values is None and name in layer_groups.group_names(owner):
        values = read_weights(mesh, name)
    return None if values is None else np.clip(values, np.float32(0.0), np.float32(1.0))


def names(owner: Owner) -> Iterator[tuple[str, str]]:
    """Yield the names of possible masks with their kinds: "GROUP", "ATTRIBUTE" or "IMAGE"."""
    if owner is not None:
        mesh = owner if isinstance(owner, bpy.types.Mesh) else mesh_of(owner)
        for name in sorted(layer_groups.group_names(owner)):
            yield name, "GROUP"
        for name in layer_groups.attribute_names(mesh):
            yield name, "ATTRIBUTE"
    for image in bpy.data.images:
        if image.source != "VIEWER":  # a render result has no pixels to read
            yield image.name, "IMAGE"


def owner_of(group: Any) -> bpy.types.Object | None:
    """Return the terrain that a group of settings belongs to, None if it is a scene's."""
    owner = None if group is None else group.id_data
    return owner if isinstance(owner, bpy.types.Object) else None


def kind_of(owner: Owner, entry: Any) -> str:
    """Return the kind of an entry's mask, see `names`; "" if it has none, or it was removed."""
    if entry.mask_image is not None:
        return "IMAGE"
    return next((kind for name, kind in names(owner) if name == entry.painted_mask), "")


def field(
    owner: Owner, name: str, grid: Grid, who: str, depth: float | None = None, number: int = 0
) -> Field:
    """Return one mask by its name or an image's session number; errors name `who`. See `fields`."""
    if owner is not None and Ref("IMAGE", number, "").find() is None:
        values = _weights_in_any_mode(owner, name)
        if values is not None:
            return _from_vertices(owner, values, grid, f"{who}.mask {name!r}", depth)
    image = _find_image(name, number)
    if image is None:
        allowed = Message("an image")
        if owner is not None:
            allowed = Message("a vertex group, a float attribute or an image")
        raise ParameterError("{}: the mask must name {}", who, allowed, got=repr(name))
    shown = np.clip(images.unsigned_pixels(image), 0.0, 1.0)
    return stretch(shown, grid, is_texture=grid.wrap, depth=depth)


def _weights_in_any_mode(owner: bpy.types.Object | bpy.types.Mesh, name: str) -> Weights | None:
    if isinstance(owner, bpy.types.Mesh):
        return _weights_in_rows(owner, owner, name)
    with editing.object_mode(bpy.context, owner):
        return _weights_in_rows(owner, mesh_of(owner), name)


def _weights_in_rows(
    owner: bpy.types.Object | bpy.types.Mesh, mesh: bpy.types.Mesh, name: str
) -> Weights | None:
    values = weights(owner, name)
    return None if values is None else vertex_places.in_rows(mesh, values)


def _from_vertices(owner: Any, values: Weights, grid: Grid, who: str, depth: float | None) -> Field:
    rows, columns = _built_shape(owner)
    if rows < 2 or columns < 2 or Topology(rows, columns).vertices != len(values):
        raise ParameterError(
            "{} cannot be read: {} is no longer the grid that it was made of", who, owner.name
        )
    return stretch(values.reshape(rows, columns), grid, is_texture=False, depth=depth)


def _built_shape(owner: bpy.types.Object | bpy.types.Mesh) -> tuple[int, int]:
    """Return rows and columns of the grid that a mesh was built as, 0 if it is no terrain."""
    for obj in [owner] if isinstance(owner, bpy.types.Object) else bpy.data.objects:
        group = getattr(obj, state.PROPERTY)
        if group.is_terrain and owner in (obj, obj.data):
            return group.built_rows, group.built_columns
    return 0, 0
