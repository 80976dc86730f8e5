# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in panels: those of presets, and computed ones.

They are Blender's previews, which belong to no file: they are not saved, and undo does not affect
them. In the background previews have no icons, and `icon` returns 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy.utils.previews
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.landscapes.preset_library import picture_of

SIDE = 128
"""Pixels along each side of a thumbnail."""

NO_ICON = 0

_collection: Any = None


def register() -> None:
    """Create the collection of previews."""
    global _collection
    _collection = bpy.utils.previews.new()


def unregister() -> None:
    """Remove the collection of previews."""
    global _collection
    if _collection is not None:
        bpy.utils.previews.remove(_collection)
        _collection = None


def preset_icon(name: str) -> int:
    """Return the icon number of a preset's picture, which is read when it is first drawn."""
    return file_icon(_preset_key(name), picture_of(name))


def file_icon(key: str, path: Path | None) -> int:
    """Return the icon number of a picture in a file, which is read when it is first drawn."""
    if key not in _collection:
        if path is None:
            return NO_ICON
        _collection.load(key, str(path), "IMAGE")
    return int(_collection[key].icon_id)


def forget_preset(name: str) -> None:
    """Forget the picture of a preset, so that a changed one is read again."""
    if _preset_key(name) in _collection:
        del _collection[_preset_key(name)]


def show_preset(name: str, picture: Field) -> None:
    """Show a picture for a preset without reading its file, of which Blender may cache an old one."""
    forget_preset(name)
    show(_preset_key(name), picture)


def show(key: str, picture: Field) -> None:
    """Show a picture under a name: sRGB, shape (side, side, 3), of the same side each time."""
    preview = _collection[key] if key in _collection else _collection.new(key)
    rows, columns = picture.shape[:2]
    pixels = np.ones((rows, columns, 4), np.float32)
    pixels[..., :3] = picture
    if tuple(preview.image_size) != (columns, rows):
        preview.image_size = (columns, rows)
    preview.image_pixels_float.foreach_set(pixels.reshape(-1))


def icon(key: str) -> int:
    """Return the icon number of the picture under a name; `NO_ICON` if there is none."""
    is_known = _collection is not None and key in _collection
    return int(_collection[key].icon_id) if is_known else NO_ICON


def settings_key(kind: str) -> str:
    """Return the name of the picture of the settings in a kind of editor."""
    return f"settings {kind}"


def settings_icon(kind: str) -> int:
    """Return the icon number of that picture."""
    return icon(settings_key(kind))


def _preset_key(name: str) -> str:
    return f"preset {name}"
