# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields become images and images become fields."""

from __future__ import annotations

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.errors import ParameterError


def gray_pixels(image: bpy.types.Image) -> Field:
    """Return an image's first channel: shape (rows, columns), float32, row 0 at the bottom.

    Raises
    ------
    ParameterError
        If the image has no pixels: a missing file, or a render result.
    """
    columns, rows = image.size
    if rows == 0 or columns == 0 or not image.has_data and len(image.pixels) == 0:
        raise ParameterError(f"image {image.name!r} has no pixels")
    values = np.empty(rows * columns * image.channels, np.float32)
    image.pixels.foreach_get(values)
    return np.ascontiguousarray(values.reshape(rows, columns, image.channels)[..., 0])
