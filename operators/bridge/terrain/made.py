# SPDX-License-Identifier: GPL-3.0-or-later
"""Build record of a terrain's mesh, stored with the mesh.

The object stores the settings, the mesh stores the heights, and Blender's undo restores them
independently: a mesh that did not change between two undo steps is not restored, even if it has
changed since. The record is stored with the heights, so it is always valid for them: it holds their
settings, their grid and a checksum that detects later changes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid
from ..datablocks import meshes
from ..datablocks.ownership import StoredRecord
from ..schema import layers
from ..schema.layers import LayerState
from .regrid import Built


@dataclass(frozen=True)
class Made(StoredRecord):
    """Build record of a mesh: what it was made from, and its grid with the width in meters."""

    settings: str
    """Digest of the request; see `digest`."""
    heights: int
    """Checksum of the vertices' heights."""
    rows: int
    columns: int
    size: float
    is_preview: bool = False
    """Whether the heights are a preview of finer ones."""
    painted: int | None = None
    """Number that identifies the painted masks, which are no settings: `masks.painted_checksum`; None if unknown."""

    @property
    def built(self) -> Built:
        """The grid, for `regrid`."""
        return Built(self.rows, self.columns, self.size)


def remember(
    mesh: bpy.types.Mesh,
    settings: str,
    grid: Grid,
    height: Field | None = None,
    *,
    is_preview: bool = False,
    painted: int | None = None,
) -> None:
    """Store the build record of the present heights of a mesh; passing the heights saves reading them."""
    if height is None or mesh.shape_keys is not None:
        stamp = checksum(mesh)
    else:
        stamp = _checksum(height)
    Made(settings, stamp, grid.rows, grid.columns, grid.width, is_preview, painted).store(mesh)


def checksum(mesh: bpy.types.Mesh) -> int:
    """Return a checksum of all heights of a mesh, which is not in Edit Mode."""
    keys = mesh.shape_keys
    positions = (
        meshes.positions_of(mesh) if keys is None else meshes.key_positions(keys.reference_key)
    )
    return _checksum(positions[:, 2])


def _checksum(height: npt.NDArray[np.float32]) -> int:
    return zlib.crc32(np.ascontiguousarray(height).data)


def digest(request: Any) -> str:
    """Return a digest of a `terrains.Request`; images count by name, not by their pixels."""
    *numbers, tile = (request.recipe.depth_ratio, *dataclasses.astuple(request.measures))
    measures = (float(np.float32(one)) for one in (*numbers, *tile))
    # The recipe has the names and the muted layers; numbers of images change with each session.
    same = {"name": "", "is_muted": False, "pictures": ()}
    bare = (dataclasses.replace(one, **same) for one in request.states)
    states = {place: repr(one) for place, one in enumerate(bare) if one != LayerState()}
    named = {place: layers.picture_names(one) for place, one in enumerate(request.states)}
    pictures = {place: names for place, names in named.items() if names}
    whole = json.dumps([recipe_text(request), tuple(measures), states, pictures])
    return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()


def recipe_text(request: Any) -> str:
    """Return a text that identifies the recipe of a request, without the pixels of images."""
    return layers.text_of(request.recipe, request.states)
