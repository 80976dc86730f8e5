# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between images and fields.

Encoding the file that is packed into an image takes the most time, and does not access Blender. So
a thread creates a `Content`, which the main thread packs quickly.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, cast

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ..interface import messages
from ..interface.registering import undo_on_failure
from . import color_spaces, editing, pixel_decoding
from .ref import Ref


def signed_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel, black as -1 and white as 1; see `unsigned_pixels`."""
    return unsigned_pixels(image) * np.float32(2.0) - np.float32(1.0)


def unsigned_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel as its file has it, black as 0 and white as 1, the bottom row first.

    Raises a ParameterError if the image has no pixels: a missing file, or a render result; or if its color
    space distorts them, see `pixel_decoding`.
    """
    pixels = stored_pixels(image)
    return pixel_decoding.PixelDecoding.of(image).numbers(pixels, 1)[..., 0]


def stored_pixels(image: bpy.types.Image) -> Field:
    """Return a copy of the pixels in memory, shape (rows, columns, channels); raise an error if there are none."""
    rows, columns = shape_of(image)
    stored: Any = image.pixels
    if rows == 0 or columns == 0 or len(stored) == 0:
        raise ParameterError("image {!r} has no pixels", image.name)
    values = np.empty(rows * columns * image.channels, np.float32)
    stored.foreach_get(values)
    return values.reshape(rows, columns, image.channels)


@dataclass(frozen=True)
class Content:
    """Encoded pixels of an image, ready to be packed into it."""

    data: bytes  # the bytes of a file: PNG of 8 bits, or OpenEXR of 32
    float_buffer: bool  # whether it is OpenEXR
    is_color: bool  # whether the pixels are colors (sRGB in 8 bits, linear as floats) or numbers
    shape: tuple[int, int]
    """Rows and columns; reading them from the image makes Blender load all of it."""
    checksum: int  # CRC-32 of the data


def content(values: Field, *, float_buffer: bool, is_color: bool = False) -> Content:
    """Return encoded pixels; any thread may call this, since it does not access Blender.

    The values, shape (rows, columns) or (rows, columns, channels), are as they are stored, row 0 at the
    bottom: gray or three colors, with or without transparency. For the rest see `Content`.
    """
    from ....noise_core.codecs.image_writing import image_bytes  # here: a terrain needs no image

    file_format, bits = ("exr", 32) if float_buffer else ("png", 8)
    data = image_bytes(values, file_format, bits, is_color=is_color, is_compressed=False)
    rows, columns = values.shape[:2]
    return Content(data, float_buffer, is_color, (rows, columns), zlib.crc32(data))


def new_image(name: str, values: Field, *, float_buffer: bool) -> bpy.types.Image:
    """Return a new image of numbers that is saved with the file: packed, with a fake user; see `content`."""
    return create_image(name, content(values, float_buffer=float_buffer))


def create_image(name: str, packed: Content) -> bpy.types.Image:
    """Return a new image with packed content and a fake user."""
    image = create_packed_image(name, packed)
    image.use_fake_user = True
    return image


def create_packed_image(
    name: str, packed: Content, *, alpha: bool = False, is_read: bool = True
) -> bpy.types.Image:
    """Return a new image with packed content; for `is_read` see `write_content`."""
    options = {"alpha": alpha, "float_buffer": packed.float_buffer, "is_data": not packed.is_color}
    image: bpy.types.Image = cast(Any, bpy.data.images).new(name, 1, 1, **options)
    with undo_on_failure(lambda: bpy.data.images.remove(image)):
        write_content(image, packed, is_read=is_read)
    return image


def write_content(
    image: bpy.types.Image, packed: Content, space: str | None = None, *, is_read: bool = True
) -> None:
    """Replace the packed content of an image, of any size or kind; its users stay.

    Undo restores the former content, since the image is read from the packed file. `space` is Blender's
    name of the color space, if it is not the default for such pixels. Scripts find the pixels in memory,
    unless `is_read` is false: of an image that only materials show, a render reads them.
    """
    owner = cast(Any, image)
    owner.pack(data=packed.data, data_len=len(packed.data))
    image.source = "FILE"
    usual = color_space(float_buffer=packed.float_buffer, is_color=packed.is_color)
    owner.colorspace_settings.name = space or usual
    owner.buffers_free()
    _remember(image, packed.checksum)
    if is_read and editing.synchronous.is_on:
        # A script may save it as another kind of file, but Blender forgets the `file_format` that is
        # set before it has read the pixels; in a window they are read when they are shown.
        _ = owner.size[0]


def color_space(*, float_buffer: bool, is_color: bool) -> str:
    """Return the set-up's name of the color space for such pixels."""
    return color_spaces.for_colors(is_float=float_buffer) if is_color else color_spaces.for_data()


def is_of_kind(
    image: bpy.types.Image, shape: tuple[int, int], *, float_buffer: bool, is_color: bool
) -> bool:
    """Return whether an image can hold such pixels unchanged."""
    owner = cast(Any, image)
    space = color_space(float_buffer=float_buffer, is_color=is_color)
    is_same_kind = bool(image.is_float) == float_buffer and image.source in ("FILE", "GENERATED")
    return is_same_kind and owner.colorspace_settings.name == space and shape_of(image) == shape


def pixels_of(values: Field, channels: int) -> Field:
    """Return gray values or colors, opaque and with one axis, as Blender takes them; any thread may call this."""
    pixels = np.ones((*values.shape[:2], 4), np.float32)
    pixels[..., :3] = values if values.ndim == 3 else values[..., np.newaxis]
    return np.ascontiguousarray(pixels[..., :channels]).reshape(-1)


def is_single(image: bpy.types.Image) -> bool:
    """Return whether an image is a single picture, without tiles, frames or stereo views."""
    return image.source in ("FILE", "GENERATED") and not image.is_multiview


def can_be_packed(image: bpy.types.Image) -> bool:
    """Return whether pixels can be packed into an image: a single picture of this file."""
    return image.library is None and is_single(image)


def pack_pixels(image: bpy.types.Image) -> None:
    """Pack the present pixels with Blender's own operator."""
    image.pack()
    forget_checksums()  # the new file may have the address and the size of the old one


def active(context: bpy.types.Context) -> bpy.types.Image | None:
    """Return the image that the current Image Editor shows."""
    space: Any = context.space_data
    if space is None or space.type != "IMAGE_EDITOR":
        return None
    return space.image


def shape_of(image: bpy.types.Image) -> tuple[int, int]:
    """Return an image's rows and columns."""
    size: Any = image.size
    return size[1], size[0]


def show(context: bpy.types.Context, image: bpy.types.Image) -> None:
    """Show an image in the current Image Editor, or in an empty one."""
    current_area: Any = context.area
    if current_area is not None and current_area.type == "IMAGE_EDITOR":
        current_area.spaces.active.image = image
        return
    areas: Any = [] if context.screen is None else context.screen.areas
    for area in areas:
        if area.type == "IMAGE_EDITOR" and area.spaces.active.image is None:
            area.spaces.active.image = image
            return


def redraw(context: bpy.types.Context) -> None:
    """Redraw all editors that may show an image."""
    for _, area in messages.open_areas(context, "IMAGE_EDITOR", "VIEW_3D", "NODE_EDITOR"):
        area.tag_redraw()


_known: dict[Ref[bpy.types.Image], tuple[int, int, int]] = {}
"""Address, size and checksum of packed files.

Blender returns a packed file only as a copy: for an image of 4096 x 4096 floats copy and checksum take
0.15 s, too long while a slider is dragged. So a checksum is kept until the packed file is another
object in Blender, or has another size. Undo and loading clear all checksums.
"""


def packed_checksum(image: bpy.types.Image) -> int:
    """Return a checksum of the file packed into an image, 0 if there is none."""
    packed: Any = image.packed_file
    if packed is None:
        return 0
    *same, checksum = _known.get(Ref.of(image), (0, 0, 0))
    if same != [hash(packed), packed.size]:
        checksum = _read_checksum(packed)
        _remember(image, checksum)
    return checksum


def forget_checksums() -> None:
    """Forget all checksums, because Blender may have changed packed files."""
    _known.clear()


def _read_checksum(packed: Any) -> int:
    return zlib.crc32(packed.data)


def _remember(image: bpy.types.Image, checksum: int) -> None:
    packed: Any = image.packed_file
    _known[Ref.of(image)] = (hash(packed), packed.size, checksum)
