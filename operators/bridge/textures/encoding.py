# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of linear colors for images of 8 bits, in parts for large fields."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel
from ....noise_core.base.errors import Cancelled
from ....noise_core.materials.colors import linear_to_srgb

_SAMPLES = 1 << 18
"""Samples between two checks of whether to stop: about ten milliseconds."""


def row_parts(shape: tuple[int, ...], cancel: Cancel) -> Iterator[slice]:
    """Yield the rows of a field of a shape, (rows, columns, ...), part by part.

    Raises
    ------
    Cancelled
        If `cancel` returns True.
    """
    rows, columns = shape[:2]
    step = max(1, _SAMPLES // columns)
    for start in range(0, rows, step):
        if cancel():
            raise Cancelled("cancelled")
        yield slice(start, min(start + step, rows))


def srgb(field: Field, cancel: Cancel) -> Field:
    """Return linear values of shape (rows, columns, ...) as sRGB.

    Raises
    ------
    Cancelled
        If `cancel` returns True.
    """
    result = np.empty_like(field)
    for part in row_parts(field.shape, cancel):
        result[part] = linear_to_srgb(field[part])
    return result
