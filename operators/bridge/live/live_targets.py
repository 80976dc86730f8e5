# SPDX-License-Identifier: GPL-3.0-or-later
"""Which datablocks are updated live: one kind of target for each kind of datablock."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from .. import state
from ..datablocks import meshes
from ..pictures.made_pictures import MadePicture
from ..terrain.made import Made
from .live_pictures import PictureTarget
from .live_target import Target
from .live_terrains import TerrainTarget


def target_of(owner: bpy.types.ID) -> Target | None:
    """Return what follows the settings of a datablock, None if nothing does."""
    if isinstance(owner, bpy.types.Object) and state.is_terrain(owner):
        return TerrainTarget(owner)
    if isinstance(owner, bpy.types.Image) and state.is_picture(owner):
        return PictureTarget(owner)
    return None


def previews() -> Iterator[Target]:
    """Yield what shows a preview."""
    for owner in (*bpy.data.objects, *bpy.data.images):
        target = target_of(owner)
        if target is not None and shows_preview(owner):
            yield target


def shows_preview(owner: bpy.types.ID) -> bool:
    """Return whether what was made of some settings stands in for something finer."""
    record: Made | MadePicture | None = None
    if isinstance(owner, bpy.types.Object):
        record = Made.of(meshes.mesh_of(owner))
    elif isinstance(owner, bpy.types.Image):
        record = MadePicture.of(owner)
    return record is not None and record.is_preview
