# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of an image's file, from the pixels that Blender makes of them.

A heightmap's numbers are no colors, but Blender takes them for such unless told otherwise. It makes
files of more than 8 bits linear, and multiplies them by their transparency: a quarter of the height
would become a twentieth. Both are undone here, to within a step of 16 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.materials.colors.spaces import linear_to_srgb

NUMBERS, LINEAR, SRGB = "Non-Color", "Linear Rec.709", "sRGB"
"""What Blender calls the color spaces of numbers, of colors as floats and of those in 8 bits."""

_OTHER_LINEAR = ("ACES2065-1", "ACEScg", "scene_linear")
"""Linear ones besides those whose names begin so."""


@dataclass(frozen=True)
class PixelDecoding:
    """How the numbers in an image's file become its pixels.

    Attributes
    ----------
    is_made_linear : bool
        Whether they are taken for sRGB and made linear.
    is_multiplied : bool
        Whether they are multiplied by the transparency.
    is_part : bool
        Whether they have the transparency in them: they are divided by it while they are made linear.
    """

    is_made_linear: bool = False
    is_multiplied: bool = False
    is_part: bool = False

    @classmethod
    def of(cls, image: bpy.types.Image) -> PixelDecoding:
        """Return how an image is read.

        Raises
        ------
        ParameterError
            If its color space bends numbers in a way that cannot be taken back.
        """
        space: Any = image.colorspace_settings
        if not image.is_float or space.is_data:
            return cls()  # as in the file
        if space.name != SRGB and not is_linear(space.name):
            raise ParameterError(
                "image {!r} has the color space {}, which bends its numbers: choose "
                "Non-Color, sRGB or a linear one",
                image.name,
                space.name,
            )
        is_from_file = image.source != "GENERATED"
        return cls(
            space.name == SRGB,
            is_from_file and image.alpha_mode == "STRAIGHT",
            image.alpha_mode == "PREMUL" or (not is_from_file and image.alpha_mode == "STRAIGHT"),
        )

    def numbers(self, pixels: Field, channels: int) -> Field:
        """Return the first channels as the file has them, in a new array.

        Where nothing is left of a number, for it was multiplied by 0, it is 0.

        Parameters
        ----------
        pixels : ndarray of shape (rows, columns, channels), float32
            As Blender has them in memory.
        channels : int
            How many, without transparency.
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
        """Return what pixels are divided by, shape (rows, columns, 1); None if by nothing."""
        if pixels.shape[2] < 4 or not (
            self.is_multiplied or (self.is_part and self.is_made_linear)
        ):
            return None
        alpha: Field = pixels[..., 3:4]
        return None if (alpha == 1.0).all() else np.where(alpha == 0.0, np.float32(1.0), alpha)


def is_linear(space: str) -> bool:
    """Return whether Blender leaves gray as it is in a color space of this name.

    The others are what the versions from 4.2 to 5.2 have; XYZ is linear too, but has no gray.
    """
    begins = space.startswith("Linear ") and "XYZ" not in space
    return begins or space in _OTHER_LINEAR


def space_for_numbers(image: bpy.types.Image) -> str:
    """Return the color space in which numbers packed into an image are the same again.

    That is its own, unless it is one that mixes colors: in Blender 4.2 gray comes out of these a little
    off, and would wander.
    """
    space: Any = image.colorspace_settings
    is_same = space.is_data or not image.is_float or space.name in (SRGB, LINEAR)
    return str(space.name) if is_same else NUMBERS


def space_for_pixels(image: bpy.types.Image) -> str:
    """Return the color space in which what `PixelDecoding` gives becomes the pixels in memory."""
    space = space_for_numbers(image)
    own: Any = image.colorspace_settings
    return LINEAR if space == NUMBERS and not own.is_data else space
