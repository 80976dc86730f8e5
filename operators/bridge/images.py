# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields become images and images become fields."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.errors import ParameterError


def signed_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel, black as -1 and white as 1; see `unsigned_pixels`."""
    return unsigned_pixels(image) * np.float32(2.0) - np.float32(1.0)


def unsigned_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel, black as 0 and white as 1.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        Row 0 is the bottom row.

    Raises
    ------
    ParameterError
        If the image has no pixels: a missing file, or a render result.
    """
    columns, rows = image.size
    stored: Any = image.pixels
    if rows == 0 or columns == 0 or len(stored) == 0:
        raise ParameterError(f"image {image.name!r} has no pixels")
    values = np.empty(rows * columns * image.channels, np.float32)
    stored.foreach_get(values)
    return values.reshape(rows, columns, image.channels)[..., 0]


def new_image(name: str, values: Field, *, float_buffer: bool) -> bpy.types.Image:
    """Return a new gray image that survives saving: packed, and kept though nothing uses it.

    Parameters
    ----------
    name : str
        What Blender calls it.
    values : ndarray of shape (rows, columns), float32
        Row 0 is the bottom row.
    float_buffer : bool
        32-bit floats, or 8 bits.
    """
    rows, columns = values.shape
    # Data from the start: a colour space chosen later would wipe the pixels.
    image = bpy.data.images.new(
        name, columns, rows, alpha=False, float_buffer=float_buffer, is_data=True
    )
    write_gray(image, values)
    image.use_fake_user = True
    return image


def write_gray(image: bpy.types.Image, values: Field) -> None:
    """Write all pixels of an image and pack them."""
    pixels = np.empty((*values.shape, 4), np.float32)
    pixels[..., :3] = values[..., np.newaxis]
    pixels[..., 3] = 1.0
    write_pixels(image, pixels)


def write_pixels(image: bpy.types.Image, pixels: Field) -> None:
    """Write all pixels of an image, shape (rows, columns, 4), and pack them."""
    stored: Any = image.pixels
    stored.foreach_set(np.ascontiguousarray(pixels, np.float32).reshape(-1))
    image.update()
    image.pack()


def repaint(image: bpy.types.Image, values: Field) -> None:
    """Write new gray values into an image of any number of channels; its transparency stays."""
    rows, columns = values.shape
    stored: Any = image.pixels
    pixels = np.empty(rows * columns * image.channels, np.float32)
    stored.foreach_get(pixels)
    shaped = pixels.reshape(rows, columns, image.channels)
    shaped[..., : min(image.channels, 3)] = values[..., np.newaxis]
    stored.foreach_set(pixels)
    image.update()
    image.pack()


def active(context: bpy.types.Context) -> bpy.types.Image | None:
    """Return the image that the Image Editor at hand shows."""
    space: Any = context.space_data
    if space is None or space.type != "IMAGE_EDITOR":
        return None
    return space.image


def shape_of(image: bpy.types.Image) -> tuple[int, int]:
    """Return an image's rows and columns."""
    size: Any = image.size
    return size[1], size[0]


def by_number(number: int) -> bpy.types.Image | None:
    """Return the image that Blender gave a number, None if it is gone."""
    return next((image for image in bpy.data.images if image.session_uid == number), None)


def show(context: bpy.types.Context, image: bpy.types.Image) -> None:
    """Show an image in the Image Editor at hand, or in one that shows none yet."""
    own: Any = context.area
    if own is not None and own.type == "IMAGE_EDITOR":
        own.spaces.active.image = image
        return
    areas: Any = [] if context.screen is None else context.screen.areas
    for area in areas:
        if area.type == "IMAGE_EDITOR" and area.spaces.active.image is None:
            area.spaces.active.image = image
            return
