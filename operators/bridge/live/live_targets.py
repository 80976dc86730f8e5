# SPDX-License-Identifier: GPL-3.0-or-later
"""Which datablocks are updated live: one kind of target for each kind of datablock."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from .. import meshes, state
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
    """Yield what shows a preview although nobody is at work on the whole."""
    for thing in bpy.data.objects:
        if state.is_terrain(thing):
            record = Made.of(meshes.mesh_of(thing))
            if record is not None and record.is_preview:
                yield TerrainTarget(thing)
    for image in bpy.data.images:
        if state.is_picture(image):
            shown = MadePicture.of(image)
            if shown is not None and shown.is_preview:
                yield PictureTarget(image)
