# SPDX-License-Identifier: GPL-3.0-or-later
"""What a terrain's mesh was made of, kept with the mesh itself.

The settings lie on the object, the heights in the mesh, and Blender's undo puts each of them back
by itself: a mesh that did not change between two undo steps stays as it is even though it has
changed since. What is written here goes wherever the heights go, so it always tells the truth
about them: of which settings they came, on which grid, and, by a checksum, whether somebody has
changed them since.
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
from ..schema import layer_cache, layers
from ..schema.layers import LayerState
from .regrid import Built

PROPERTY = "terrane_made"
"""Name of the custom property."""


@dataclass(frozen=True)
class Made:
    """The record of a mesh.

    Attributes
    ----------
    settings : str
        Digest of what was asked for; see `digest`.
    heights : int
        Checksum of the vertices' heights.
    rows, columns : int
    size : float
        The grid, and its width in meters.
    is_preview : bool
        Whether the heights stand in for finer ones.
    painted : int or None
        Stands for the painted masks, which are no settings: `masks.painted_checksum`; None if unknown.
    """

    settings: str
    heights: int
    rows: int
    columns: int
    size: float
    is_preview: bool = False
    painted: int | None = None

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> Made | None:
        """Return that of a mesh; None if it has none that can be read."""
        try:
            return cls(**json.loads(mesh[PROPERTY]))
        except (KeyError, ValueError, TypeError):
            return None

    @property
    def built(self) -> Built:
        """The grid as `regrid` wants it."""
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
    """Note what the heights that a mesh has now were made of; if they are at hand, it is quicker."""
    if height is None or mesh.shape_keys is not None:
        stamp = checksum(mesh)
    else:
        stamp = _checksum(height)
    made = Made(settings, stamp, grid.rows, grid.columns, grid.size, is_preview, painted)
    mesh[PROPERTY] = json.dumps(dataclasses.asdict(made))


def checksum(mesh: bpy.types.Mesh) -> int:
    """Return a number that changes with any vertex's height; the mesh is not in Edit Mode."""
    keys = mesh.shape_keys
    positions = (
        meshes.positions_of(mesh) if keys is None else meshes.key_positions(keys.reference_key)
    )
    return _checksum(positions[:, 2])


def _checksum(height: npt.NDArray[np.float32]) -> int:
    return zlib.crc32(np.ascontiguousarray(height).data)


def digest(request: Any) -> str:
    """Return a short text that differs whenever another terrain was asked for.

    Parameters
    ----------
    request : Request
        See `terrains.py`. The pixels of images make no difference: what counts is which image.
    """
    *numbers, tile = dataclasses.astuple(request.measures)
    measures = (float(np.float32(one)) for one in (*numbers, *tile))
    # The recipe has the names, and what is muted; images have other numbers in the next session.
    same = {"name": "", "is_muted": False, "pictures": ()}
    bare = (dataclasses.replace(one, **same) for one in request.states)
    states = {place: repr(one) for place, one in enumerate(bare) if one != LayerState()}
    named = {place: layers.picture_names(one) for place, one in enumerate(request.states)}
    pictures = {place: names for place, names in named.items() if names}
    whole = json.dumps([recipe_text(request), tuple(measures), states, pictures])
    return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()


def recipe_text(request: Any) -> str:
    """Return what tells the recipe of a request from others, without the pixels that images hold."""
    return layer_cache.text_of(layers.without_pictures(request.recipe, request.states))
