# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields become images and images become fields.

To encode pixels as the file that is packed into an image is what takes long, and it needs no
Blender: work in a thread gives a `Content`, and there is little left to do for the main thread.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, cast

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.errors import ParameterError
from .file_numbers import LINEAR, NUMBERS, SRGB, Reading
from .pictures import packed_files
from .work import attendance


def signed_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel, black as -1 and white as 1; see `unsigned_pixels`."""
    return unsigned_pixels(image) * np.float32(2.0) - np.float32(1.0)


def unsigned_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel as its file has it, black as 0 and white as 1.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        Row 0 is the bottom row.

    Raises
    ------
    ParameterError
        If the image has no pixels: a missing file, or a render result; or if its color space bends
        them, see `Reading`.
    """
    pixels = stored_pixels(image)
    return Reading.of(image).numbers(pixels, 1)[..., 0]


def stored_pixels(image: bpy.types.Image) -> Field:
    """Return a copy of the pixels that Blender has at hand, shape (rows, columns, channels).

    Raises
    ------
    ParameterError
        If there are none.
    """
    columns, rows = image.size
    stored: Any = image.pixels
    if rows == 0 or columns == 0 or len(stored) == 0:
        raise ParameterError("image {!r} has no pixels", image.name)
    values = np.empty(rows * columns * image.channels, np.float32)
    stored.foreach_get(values)
    return values.reshape(rows, columns, image.channels)


@dataclass(frozen=True)
class Content:
    """The pixels of an image as they are packed into it.

    Attributes
    ----------
    data : bytes
        A file: PNG of 8 bits, or OpenEXR of 32.
    float_buffer : bool
        Which of them.
    is_color : bool
        Colors, sRGB in 8 bits and linear as floats; else numbers.
    shape : tuple of two ints
        Rows and columns: to ask the image itself makes Blender read all of it.
    checksum : int
        CRC-32 of the data.
    """

    data: bytes
    float_buffer: bool
    is_color: bool
    shape: tuple[int, int]
    checksum: int


def content(values: Field, *, float_buffer: bool, is_color: bool = False) -> Content:
    """Return pixels as they are packed; Blender is not asked, so that any thread may do it.

    Parameters
    ----------
    values : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        As they are stored, row 0 at the bottom: gray, three colors, or these with transparency.
    float_buffer : bool
        32-bit floats, or 8 bits.
    is_color : bool
        See `Content`.

    Raises
    ------
    Cancelled
        If the job that this is part of was cancelled.
    """
    from ...noise_core.image_writing import image_bytes  # here: a terrain needs no image

    file_format, bits = _FILES[float_buffer]
    data = image_bytes(values, file_format, bits, is_color=is_color, is_compressed=False)
    rows, columns = values.shape[:2]
    return Content(data, float_buffer, is_color, (rows, columns), zlib.crc32(data))


_FILES = {True: ("exr", 32), False: ("png", 8)}
"""Formats and bits of files that Blender reads as floats, and in 8 bits."""


def new_image(
    name: str, values: Field, *, float_buffer: bool, is_color: bool = False
) -> bpy.types.Image:
    """Return a new image that survives saving: packed, and kept though nothing uses it.

    The arguments besides the name are those of `content`.
    """
    return new_kept(name, content(values, float_buffer=float_buffer, is_color=is_color))


def new_kept(name: str, packed: Content) -> bpy.types.Image:
    """Return a new image of what is packed, kept though nothing uses it."""
    image = new_packed(name, packed)
    image.use_fake_user = True
    return image


def new_packed(name: str, packed: Content, *, alpha: bool = False) -> bpy.types.Image:
    """Return a new image of what is packed."""
    own = {"alpha": alpha, "float_buffer": packed.float_buffer, "is_data": not packed.is_color}
    image: bpy.types.Image = cast(Any, bpy.data.images).new(name, 1, 1, **own)
    write_content(image, packed)
    return image


def write_content(image: bpy.types.Image, packed: Content, space: str | None = None) -> None:
    """Pack other pixels into an image, of another size or kind if need be; all users keep it.

    It can be undone, for the image is read from what is packed, which undo knows.

    Parameters
    ----------
    image : Image
        Written to.
    packed : Content
        Its pixels.
    space : str, optional
        What Blender calls their color space, if it is not the one that suits such pixels.
    """
    owner = cast(Any, image)
    owner.pack(data=packed.data, data_len=len(packed.data))
    image.source = "FILE"
    owner.colorspace_settings.name = space or color_space(
        float_buffer=packed.float_buffer, is_color=packed.is_color
    )
    owner.buffers_free()
    packed_files.note(image, packed.checksum)
    if attendance.is_at_once():
        # A script may save it as another kind of file, but Blender forgets the `file_format` that is
        # set before it has read the pixels; in a window they are read when they are shown.
        _ = owner.size[0]


def color_space(*, float_buffer: bool, is_color: bool) -> str:
    """Return what Blender calls the color space of such pixels."""
    if not is_color:
        return NUMBERS
    return LINEAR if float_buffer else SRGB


def opaque(values: Field) -> Field:
    """Return gray values or colors as pixels of shape (rows, columns, 4)."""
    pixels = np.ones((*values.shape[:2], 4), np.float32)
    pixels[..., :3] = values if values.ndim == 3 else values[..., np.newaxis]
    return pixels


def is_of_kind(
    image: bpy.types.Image, shape: tuple[int, int], *, float_buffer: bool, is_color: bool
) -> bool:
    """Return whether an image can hold such pixels as it is."""
    owner = cast(Any, image)
    space = color_space(float_buffer=float_buffer, is_color=is_color)
    is_same_kind = bool(image.is_float) == float_buffer and image.source in ("FILE", "GENERATED")
    return is_same_kind and owner.colorspace_settings.name == space and shape_of(image) == shape


def shown(values: Field, channels: int) -> Field:
    """Return gray values or colors as `show_pixels` wants them; any thread may do it.

    Returns
    -------
    ndarray of shape (rows * columns * channels,), float32
    """
    return np.ascontiguousarray(opaque(values)[..., :channels]).reshape(-1)


def show_pixels(image: bpy.types.Image, pixels: Field) -> None:
    """Show other pixels, see `shown`, without packing them: they last until the image is read anew."""
    stored: Any = image.pixels
    stored.foreach_set(pixels)
    image.update()


def is_single(image: bpy.types.Image) -> bool:
    """Return whether an image is one picture: no tiles, no frames, no views for two eyes."""
    return image.source in ("FILE", "GENERATED") and not image.is_multiview


def can_be_packed(image: bpy.types.Image) -> bool:
    """Return whether other pixels can be packed into an image: it is one picture, of this file."""
    return image.library is None and is_single(image)


def pack_shown(image: bpy.types.Image) -> None:
    """Pack the pixels at hand as Blender itself does it."""
    image.pack()
    packed_files.forget()  # what was packed may lie where the old one was, and be as large


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


def redraw(context: bpy.types.Context) -> None:
    """Draw anew all that may show an image."""
    windows = [] if context.window_manager is None else context.window_manager.windows
    for window in windows:
        for area in window.screen.areas:
            if area.type in {"IMAGE_EDITOR", "VIEW_3D", "NODE_EDITOR"}:
                area.tag_redraw()
