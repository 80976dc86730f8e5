# SPDX-License-Identifier: GPL-3.0-or-later
"""What was painted on images is saved with the file, however somebody has left painting.

Strokes change the pixels at hand, and a Blender file has only those that are packed. The button that
goes back packs them, but there are many other ways out of Texture Paint, and one may save in it too.
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
    """Listen no longer."""
    if _before_saving in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(_before_saving)


@persistent
def _before_saving(*_: object) -> None:
    for image in bpy.data.images:
        if image.is_dirty and image.get(painting.PAINTED) and not _shows_preview(image):
            painting.keep(image)


def _shows_preview(image: bpy.types.Image) -> bool:
    """Return whether the pixels at hand are only a rough picture of what is to come."""
    record = made_pictures.MadePicture.of(image)
    return record is not None and record.is_preview
