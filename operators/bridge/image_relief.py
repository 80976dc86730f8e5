# SPDX-License-Identifier: GPL-3.0-or-later
"""An image as a relief: its first channel, in metres from black to white."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.errors import ParameterError
from ...noise_core.grid import Grid
from . import images
from .erosion_settings import IMAGE_MEASURES
from .ground import image_mask
from .values import number


@dataclass(frozen=True)
class Measures:
    """What an image does not say itself.

    Attributes
    ----------
    size, height : float
        In metres: its width, and from black to white.
    seamless : bool
        Whether opposite edges meet.
    """

    size: float
    height: float
    seamless: bool

    @classmethod
    def of(cls, group: Any) -> Measures:
        """Return those that properties give.

        Raises
        ------
        ParameterError
            If a measure is not allowed.
        """
        values = {"size": number(group.size), "height": number(group.height)}
        for one in IMAGE_MEASURES:
            if one.name in values:
                one.checked(values[one.name], "Image")
        return cls(values["size"], values["height"], group.seamless)


def read(image: bpy.types.Image, measures: Measures) -> tuple[Field, Grid]:
    """Return the heights in metres, row 0 at the bottom, and the grid that they are on.

    Raises
    ------
    ParameterError
        If the image has no pixels, or some that are no numbers.
    """
    shown = images.unsigned_pixels(image)
    if not np.isfinite(shown).all():
        raise ParameterError(f"image {image.name!r} has pixels that are not finite")
    rows, columns = shown.shape
    grid = Grid(rows, columns, wrap=measures.seamless, size=measures.size)
    return shown * np.float32(measures.height), grid


@dataclass(frozen=True)
class _Written:
    """What was last written into an image, and what had been there."""

    number: int
    checksum: int
    before: Field


_last: _Written | None = None


def write(image: bpy.types.Image, values: Field) -> None:
    """Write gray values into the image itself, and remember for a while what was there."""
    global _last
    before = images.unsigned_pixels(image)
    images.repaint(image, values)
    _last = _Written(image.session_uid, _checksum(image), before)


def take_back(image: bpy.types.Image) -> None:
    """Undo the last `write`, if this image is as that has left it.

    Blender's undo leaves pixels alone: redoing with other values has to begin by this.
    """
    if _last is not None and (_last.number, _last.checksum) == (
        image.session_uid,
        _checksum(image),
    ):
        images.repaint(image, _last.before)


def _checksum(image: bpy.types.Image) -> int:
    return zlib.crc32(images.unsigned_pixels(image).tobytes())


def gray(height: Field, measures: Measures) -> Field:
    """Return heights in metres as gray values; what is beyond black and white stays beyond."""
    return height / np.float32(measures.height)


def mask(name: str, grid: Grid) -> Field | None:
    """Return an image as a mask, None if no name is given.

    Raises
    ------
    ParameterError
        If there is no image of that name.
    """
    return image_mask(name, grid) if name else None
