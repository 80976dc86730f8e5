# SPDX-License-Identifier: GPL-3.0-or-later
"""Color spaces of the set-up that Blender runs with, found by their roles and their effects.

A studio gives Blender other color spaces by an OpenColorIO configuration, in which "Non-Color", "sRGB"
and "Linear Rec.709" need not exist. So no name is taken for granted: Blender says which space it takes for
numbers, for colors in 8 bits and for colors as floats, and how a space changes numbers is measured, by a
picture that Blender reads in it.

References
----------
OpenColorIO, Academy Software Foundation. Configuration roles and color spaces, version 2 (2021).
IEC 61966-2-1 (1999). Default RGB color space sRGB.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Color

from ....noise_core.base.arrays import Field
from ....noise_core.materials.colors.spaces import srgb_to_linear
from . import compat

GRAYS = (0.0, 0.02, 0.18, 0.5, 0.75, 1.0)
"""Gray values read in a color space to identify it, besides pure red, green and blue."""

TOLERANCE = 5e-4
"""Blender 4.2 changes grays by 4e-4 in linear spaces whose primaries are not those of the scene."""

SRGB_TOLERANCE = 5e-5
"""Such a change would add up where numbers are encoded again and again."""


@dataclass(frozen=True)
class ColorSpace:
    """How Blender converts the numbers of a file to the scene's linear colors.

    Attributes
    ----------
    is_linear : bool
        Whether grays stay as they are.
    is_srgb : bool
        Whether grays are decoded as sRGB.
    primaries : ndarray of shape (3, 3), float32
        Pure red, green and blue as the scene's linear colors.
    """

    is_linear: bool
    is_srgb: bool
    primaries: Field

    @property
    def keeps_channels(self) -> bool:
        """Whether it has the primaries of the scene: channels are converted one by one."""
        return _are_close(self.primaries, np.eye(3, dtype=np.float32))


def names() -> list[str]:
    """Return the names of all color spaces."""
    name_property: Any = bpy.types.ColorManagedInputColorspaceSettings.bl_rna.properties["name"]
    return [item.identifier for item in name_property.enum_items]


def of(name: str) -> ColorSpace:
    """Return the effect of a color space on numbers, as measured."""
    return _measure(name, compat.working_space())


def for_data() -> str:
    """Return the name of the color space of numbers."""
    return _role(is_data=True)


def for_colors(*, is_float: bool) -> str:
    """Return the name of the color space for colors of Rec. 709: linear as floats, sRGB in 8 bits.

    It is the one that Blender gives new images, if that is of this kind; else the first that is. Where the
    set-up has none, Blender's choice has to do.
    """
    return _find_for_colors(is_float, compat.working_space())


def unchanged() -> str:
    """Return the name of a color space of linear colors, not of numbers, in which pixels stay as they are."""
    return _find_identity(compat.working_space())


@functools.cache
def _find_identity(working: str) -> str:
    usual, data = _role(float_buffer=True), for_data()
    return next((name for name in (usual, *names()) if name != data and _is_unchanged(name)), usual)


def _is_unchanged(name: str) -> bool:
    space = of(name)
    return space.is_linear and space.keeps_channels


@functools.cache
def _find_for_colors(is_float: bool, working: str) -> str:
    usual = _role(float_buffer=is_float)
    # Those whose names promise it are tried first: each may take a tenth of a second.
    candidates = sorted(names(), key=lambda name: "709" not in name and "srgb" not in name.lower())
    return next((name for name in (usual, *candidates) if _is_for_colors(name, is_float)), usual)


def _is_for_colors(name: str, is_float: bool) -> bool:
    space = of(name)
    axes = [Color(axis).from_rec709_linear_to_scene_linear() for axis in np.eye(3).tolist()]
    is_curve = space.is_linear if is_float else space.is_srgb
    return is_curve and _are_close(space.primaries, np.array(axes, np.float32))


@functools.cache
def _role(**kind: bool) -> str:
    """Return the name of the color space that Blender gives a new image."""
    image: Any = bpy.data.images.new("Role", 1, 1, **kind)
    try:
        return str(image.colorspace_settings.name)
    finally:
        bpy.data.images.remove(image)


@functools.cache
def _measure(name: str, working: str) -> ColorSpace:
    pixels = _read_in(name)
    grays = np.array(GRAYS, np.float32)[:, np.newaxis]
    present = pixels[: len(GRAYS)]
    return ColorSpace(
        is_linear=_are_close(present, grays),
        is_srgb=_are_close(present, np.asarray(srgb_to_linear(grays), np.float32), SRGB_TOLERANCE),
        primaries=pixels[len(GRAYS) :],
    )


def _read_in(name: str) -> Field:
    """Return grays, red, green and blue as Blender reads them from a file of floats in a color space."""
    data = _test_picture()
    image: Any = bpy.data.images.new("Color Space", 1, 1, float_buffer=True)
    try:
        image.pack(data=data, data_len=len(data))
        image.source = "FILE"
        image.colorspace_settings.name = name
        image.buffers_free()
        pixels = np.empty(len(image.pixels), np.float32)
        image.pixels.foreach_get(pixels)
        return pixels.reshape(len(GRAYS) + 3, -1)[:, :3].copy()
    finally:
        bpy.data.images.remove(image)


@functools.cache
def _test_picture() -> bytes:
    from ....noise_core.codecs.image_writing import image_bytes  # here: seldom needed

    values = np.repeat(np.array(GRAYS, np.float32), 3).reshape(-1, 3)
    return image_bytes(np.concatenate((values, np.eye(3, dtype=np.float32)))[np.newaxis], "exr", 32)


def _are_close(
    values: Field, expected: npt.NDArray[np.float32], tolerance: float = TOLERANCE
) -> bool:
    return bool(np.allclose(values, expected, rtol=0.0, atol=tolerance))
