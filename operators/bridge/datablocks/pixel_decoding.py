# SPDX-License-Identifier: GPL-3.0-or-later
"""Decoding of Blender's pixels to the numbers in an image's file.

A heightmap contains numbers, but Blender reads them as colors by default. It converts files of more
than 8 bits to linear, and multiplies them by their transparency: a quarter of the height would become
a twentieth. Decoding undoes both, to within a step of 16 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.materials.colors.spaces import linear_to_srgb, srgb_to_linear
from . import color_spaces

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PixelDecoding:
    """Decoding of an image: the steps from the numbers in its file to its pixels."""

    is_made_linear: bool = False  # whether Blender converts the numbers from sRGB to linear
    is_multiplied: bool = False  # whether Blender multiplies them by the transparency
    is_part: bool = False
    """Whether they are premultiplied: Blender divides them by the transparency for the conversion."""

    @classmethod
    def of(cls, image: bpy.types.Image) -> PixelDecoding:
        """Return the decoding of an image; raise an error if its color space changes numbers irreversibly."""
        space: Any = image.colorspace_settings
        if not image.is_float or space.is_data:
            return cls()  # as in the file
        conversion = color_spaces.of(space.name)
        if not (conversion.is_srgb or conversion.is_linear):
            raise ParameterError(
                "image {!r} has the color space {}, which bends its numbers: choose "
                "{} or a linear one",
                image.name,
                space.name,
                color_spaces.for_data(),
            )
        is_from_file = image.source != "GENERATED"
        return cls(
            conversion.is_srgb,
            is_from_file and image.alpha_mode == "STRAIGHT",
            image.alpha_mode == "PREMUL" or (not is_from_file and image.alpha_mode == "STRAIGHT"),
        )

    def numbers(self, pixels: Field, channels: int) -> Field:
        """Return the first channels of pixels, without transparency, with the values in the file, as a new array.

        Numbers that were multiplied by 0 are lost, and become 0.
        """
        result: Field = pixels[..., :channels].copy()
        share = self._shares(pixels)
        if share is not None:
            result /= share
        if self.is_made_linear:
            result[:] = linear_to_srgb(result)
        if share is not None and self.is_part:
            result *= share
        return result

    def _shares(self, pixels: Field) -> Field | None:
        """Return the divisors of the pixels, shape (rows, columns, 1); None if there are none."""
        if pixels.shape[2] < 4 or not (
            self.is_multiplied or (self.is_part and self.is_made_linear)
        ):
            return None
        alpha: Field = pixels[..., 3:4]
        return None if (alpha == 1.0).all() else np.where(alpha == 0.0, np.float32(1.0), alpha)


def scene_colors(image: bpy.types.Image, pixels: Field) -> Numbers:
    """Return stored pixels as shaders see them: linear colors, shape (rows, columns, 3), float64.

    Of color spaces that are neither linear nor of numbers, all are taken for sRGB.
    """
    space: Any = image.colorspace_settings
    colors = pixels[..., :3] if pixels.shape[2] >= 3 else pixels[..., :1].repeat(3, axis=2)
    if image.is_float or space.is_data or color_spaces.of(space.name).is_linear:
        return colors.astype(np.float64)
    return srgb_to_linear(colors)


def space_for_numbers(image: bpy.types.Image) -> str:
    """Return the color space in which numbers packed into an image are read unchanged.

    That is its own, unless it is linear and mixes colors: in Blender 4.2 these change gray values slightly, and
    repeated packing would accumulate the change.
    """
    space: Any = image.colorspace_settings
    if space.is_data or not image.is_float:
        return str(space.name)
    conversion = color_spaces.of(space.name)
    is_same = conversion.is_srgb or conversion.keeps_channels
    return str(space.name) if is_same else color_spaces.for_data()


def space_for_pixels(image: bpy.types.Image) -> str:
    """Return the color space in which the result of `PixelDecoding` becomes the pixels in memory."""
    space = space_for_numbers(image)
    settings: Any = image.colorspace_settings
    is_other = settings.name != space
    return color_spaces.unchanged() if is_other else space
