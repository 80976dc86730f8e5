# SPDX-License-Identifier: GPL-3.0-or-later
"""New gray values in an existing image, whose transparency is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ..datablocks import images, pixel_decoding
from ..datablocks.images import Content
from ..datablocks.pixel_decoding import PixelDecoding


@dataclass(frozen=True)
class Packing:
    """File to be packed into an existing image, and how Blender is to read it.

    Attributes
    ----------
    packed : Content
    space : str
        The color space.
    alpha_mode : str
        Blender's name of the kind of transparency.
    """

    packed: Content
    space: str
    alpha_mode: str

    def show(self, image: bpy.types.Image) -> None:
        """Pack the file, and show it."""
        owner = cast(Any, image)
        if owner.alpha_mode != self.alpha_mode:
            owner.alpha_mode = self.alpha_mode
        images.write_content(image, self.packed, self.space)
        image.update()


@dataclass(frozen=True)
class Repainted:
    """New gray values of an image, and the old ones.

    Attributes
    ----------
    after : Packing
        With the new values.
    before : ndarray of shape (rows, columns), float32
        The old gray values; see `images.unsigned_pixels`.
    unsaved : Packing or None
        The old pixels, if they were painted and not saved.
    """

    after: Packing
    before: Field
    unsaved: Packing | None


def repaint(image: bpy.types.Image, values: Field) -> None:
    """Write new gray values into an image of any number of channels.

    They have the form that `images.unsigned_pixels` returns.
    """
    repainting(image, values)().after.show(image)


def repainting(image: bpy.types.Image, values: Field) -> Callable[[], Repainted]:
    """Read an image, and return a function that makes its new contents, in any thread.

    Raises
    ------
    ParameterError
        If it cannot be read; see `images.unsigned_pixels`.
    """
    reading, pixels = PixelDecoding.of(image), images.stored_pixels(image)
    is_float, is_unsaved = bool(image.is_float), bool(image.is_dirty)
    spaces = pixel_decoding.space_for_pixels(image), pixel_decoding.space_for_numbers(image)
    alpha_mode = _alpha_mode(image)

    def paint() -> Repainted:
        channels = min(pixels.shape[2], 3)
        numbers = reading.numbers(pixels, channels)
        before, unsaved = numbers[..., 0].copy(), None
        if is_unsaved:
            was = _content(numbers, pixels, is_float=is_float)
            unsaved = Packing(was, spaces[0], alpha_mode)
        numbers[:] = values[..., np.newaxis]
        mode = alpha_mode
        if reading.is_multiplied and pixels.shape[2] == 4 and not pixels[..., 3].all():
            mode = "CHANNEL_PACKED"  # multiplying by 0 would lose them
        after = Packing(_content(numbers, pixels, is_float=is_float), spaces[1], mode)
        return Repainted(after, before, unsaved)

    return paint


def _alpha_mode(image: bpy.types.Image) -> str:
    """Return the kind of transparency of the packed file.

    Pixels that were never in a file are not multiplied by alpha, and must not be.
    """
    is_new = image.is_float and image.source == "GENERATED" and image.alpha_mode == "STRAIGHT"
    return "PREMUL" if is_new else str(image.alpha_mode)


def _content(numbers: Field, pixels: Field, *, is_float: bool) -> Content:
    """Return the contents of pixels, which are changed, with new numbers in their first channels."""
    pixels[..., : numbers.shape[2]] = numbers
    shown = pixels if pixels.shape[2] >= 3 else pixels[..., 0]
    return images.content(shown, float_buffer=is_float)
