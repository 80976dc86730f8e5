# SPDX-License-Identifier: GPL-3.0-or-later
"""Record of the heights of a terrain, stored with their mesh: their grid, and the painted masks.

The object stores the settings, the mesh stores the heights, and Blender's undo restores them
independently. So the record that is compared with the settings is stored with the heights.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import zlib
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid
from ..datablocks import meshes
from ..datablocks.record import Record
from ..schema import layers
from ..schema.layers import LayerState
from ..tasks.product import TERRAIN_KEY
from .regrid import Built

_GRID = tuple(field.name for field in dataclasses.fields(Built))
"""Names of its values among the details of a record."""


def of(mesh: bpy.types.Mesh) -> Record | None:
    """Return the record of a mesh's heights; None if there is no readable one."""
    record = Record.of(mesh, TERRAIN_KEY)
    if record is None or not all(
        isinstance(record.details.get(name), int | float) for name in _GRID
    ):
        return None
    return record


def grid_of(record: Record) -> Built:
    """Return the grid of a mesh by its record."""
    return Built(*(record.details[name] for name in _GRID))


def painted_of(record: Record) -> int | None:
    """Return the number that identifies the painted masks, which are no settings; None if unknown.

    See `masks.painted_checksum`.
    """
    number: int | None = record.details.get("painted")
    return number


def record_of(
    mesh: bpy.types.Mesh,
    settings: str,
    grid: Grid,
    height: Field | None = None,
    *,
    is_preview: bool = False,
    painted: int | None = None,
) -> Record:
    """Return the record of the present heights of a mesh, made of settings with a digest.

    Passing the heights saves reading them.
    """
    details = {"rows": grid.rows, "columns": grid.columns, "size": grid.width, "painted": painted}
    return Record(settings, checksum(mesh, height), is_preview, details)


def remember(mesh: bpy.types.Mesh, settings: str, grid: Grid, *values: Any, **options: Any) -> None:
    """Store the record of the present heights of a mesh; see `record_of`."""
    record_of(mesh, settings, grid, *values, **options).store(mesh, TERRAIN_KEY)


def checksum(mesh: bpy.types.Mesh, height: Field | None = None) -> int:
    """Return a checksum of all heights of a mesh, which is not in Edit Mode; passing them saves reading them."""
    if mesh.shape_keys is not None:
        height = meshes.basis_positions(mesh)[:, 2]
    elif height is None:  # one call less in each step of a slider
        height = meshes.positions_of(mesh)[:, 2]
    return zlib.crc32(np.ascontiguousarray(height).data)


def surface_checksum(mesh: bpy.types.Mesh) -> int:
    """Return a checksum of the surfaces of drawn paths, which change without the heights; 0 without paths."""
    surfaces = meshes.read_attribute(mesh, "road")
    return 0 if surfaces is None else zlib.crc32(np.ascontiguousarray(surfaces).data)


def digest(request: Any) -> str:
    """Return a digest of a `terrains.Request`; images count by name, not by their pixels."""
    *numbers, tile = (request.recipe.depth_ratio, *dataclasses.astuple(request.measures))
    measures = (float(np.float32(value)) for value in (*numbers, *tile))
    # The recipe has the names and the muted layers; numbers of images change with each session.
    same = {"name": "", "is_muted": False, "pictures": ()}
    bare = (dataclasses.replace(layer, **same) for layer in request.states)
    states = {place: repr(layer) for place, layer in enumerate(bare) if layer != LayerState()}
    named = {place: layers.picture_names(layer) for place, layer in enumerate(request.states)}
    pictures = {place: names for place, names in named.items() if names}
    whole = json.dumps([request.text, tuple(measures), states, pictures])
    return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()
