# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures become images with the right colour spaces, packed into the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy

from ...noise_core.arrays import Field
from ...noise_core.surfaces import MAPS
from . import images

MARK = "terrane_texture"
"""Custom property of the images that are ours, with the name of the map: only these are replaced."""

LABELS: Mapping[str, str] = {"base_colour": "Base Color"}
"""Where Blender calls a map otherwise."""

EXACT = frozenset({"height", "normal"})
"""Maps that 8 bits are not enough for: steps in them are seen as terraces."""


def is_exact(name: str) -> bool:
    """Return whether a map needs floats."""
    return name in EXACT


def image_name(owner: str, name: str) -> str:
    """Return what the image of a map is called."""
    return f"{owner} {LABELS.get(name, MAPS[name].label)}"


def new_texture(owner: str, name: str, field: Field, storage: str) -> bpy.types.Image:
    """Return a new image of a map.

    Parameters
    ----------
    owner : str
        Name of the material.
    name : str
        Of the map.
    field : ndarray of shape (rows, columns) or (rows, columns, 3), float32
        Values as they are stored: colours as sRGB if they get 8 bits, linear if floats.
    storage : {"mixed", "float"}
    """
    rows, columns = field.shape[:2]
    is_colour, is_float = MAPS[name].is_colour, storage == "float" or is_exact(name)
    _drop_abandoned(image_name(owner, name))
    image: Any = images.blank(
        image_name(owner, name), rows, columns, float_buffer=is_float, is_colour=is_colour
    )
    image[MARK] = name
    images.write_pixels(image, images.opaque(field))
    return image


def is_ours(image: Any | None) -> bool:
    """Return whether an image was made here, and may be replaced."""
    return image is not None and MARK in image and image.library is None


def replace(old: bpy.types.Image, new: bpy.types.Image) -> None:
    """Let all that uses an image of ours use another one, which takes its name.

    Writing other pixels into the old one could not be undone: Blender's undo knows no pixels.
    """
    name = old.name
    old.user_remap(new)
    bpy.data.images.remove(old)
    new.name = name


def _drop_abandoned(name: str) -> None:
    """Remove an image of ours that nothing uses, so that a new one can have its name."""
    image = bpy.data.images.get(name)
    if is_ours(image) and image.users == 0:
        bpy.data.images.remove(image)
