# SPDX-License-Identifier: GPL-3.0-or-later
"""Other gray values in an image that is there already; its transparency stays."""

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
    """What is packed into an image that is there, and how Blender is to read it.

    Attributes
    ----------
    packed : Content
    space : str
        The color space.
    alpha_mode : str
        What Blender calls the kind of transparency.
    """

    packed: Content
    space: str
    alpha_mode: str

    def show(self, image: bpy.types.Image) -> None:
        """Show it, and pack it."""
        owner = cast(Any, image)
        if owner.alpha_mode != self.alpha_mode:
            owner.alpha_mode = self.alpha_mode
        images.write_content(image, self.packed, self.space)
        image.update()


@dataclass(frozen=True)
class Repainted:
    """New gray values of an image, and what was there.

    Attributes
    ----------
    after : Packing
        With the new values.
    before : ndarray of shape (rows, columns), float32
        The gray values that were there; see `images.unsigned_pixels`.
    unsaved : Packing or None
        All that was there, if only the pixels at hand had it: somebody has painted.
    """

    after: Packing
    before: Field
    unsaved: Packing | None


def repaint(image: bpy.types.Image, values: Field) -> None:
    """Write new gray values into an image of any number of channels.

    They are such as `images.unsigned_pixels` gives.
    """
    repainting(image, values)().after.show(image)


def repainting(image: bpy.types.Image, values: Field) -> Callable[[], Repainted]:
    """Read an image, and return what paints new gray values on it, in any thread.

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
            mode = "CHANNEL_PACKED"  # multiplied by 0 there would be nothing left of them
        after = Packing(_content(numbers, pixels, is_float=is_float), spaces[1], mode)
        return Repainted(after, before, unsaved)

    return paint


def _alpha_mode(image: bpy.types.Image) -> str:
    """Return the kind of transparency that what is packed has.

    Pixels that never were in a file are not multiplied by it yet, and are not to be.
    """
    is_new = image.is_float and image.source == "GENERATED" and image.alpha_mode == "STRAIGHT"
    return "PREMUL" if is_new else str(image.alpha_mode)


def _content(numbers: Field, pixels: Field, *, is_float: bool) -> Content:
    """Return numbers with the other channels of pixels, which are changed, as they are packed."""
    pixels[..., : numbers.shape[2]] = numbers
    shown = pixels if pixels.shape[2] >= 3 else pixels[..., 0]
    return images.content(shown, float_buffer=is_float)
