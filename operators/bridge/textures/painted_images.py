# SPDX-License-Identifier: GPL-3.0-or-later
"""Packing of painted images before a file is saved.

Strokes change the pixels in memory, and a Blender file stores only packed ones. Terrane's button that
leaves Texture Paint packs them, but a user may leave it in other ways, or save the file during painting.
"""

from __future__ import annotations

import bpy
from bpy.app.handlers import persistent

from ..schema import painting
from . import made_pictures


def register() -> None:
    """Listen to files being saved."""
    bpy.app.handlers.save_pre.append(_before_saving)


def unregister() -> None:
    """Stop listening."""
    if _before_saving in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(_before_saving)


@persistent
def _before_saving(*_: object) -> None:
    for image in bpy.data.images:
        if image.is_dirty and image.get(painting.PAINTED) and not _shows_preview(image):
            painting.keep(image)


def _shows_preview(image: bpy.types.Image) -> bool:
    """Return whether an image shows a preview."""
    record = made_pictures.MadePicture.of(image)
    return record is not None and record.is_preview
