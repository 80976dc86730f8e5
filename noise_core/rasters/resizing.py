# SPDX-License-Identifier: GPL-3.0-or-later
"""Images at another size, filtered so that nothing too fine is left.

References
----------
Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided Geometric Design.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field


def resize_planes(planes: Field, rows: int, columns: int, closed: tuple[bool, bool]) -> Field:
    """Return planes with other numbers of rows and columns.

    Parameters
    ----------
    planes : ndarray of shape (channels, rows, columns), float32
    rows, columns : int
        At least 1.
    closed : tuple of two bools
        Whether rows and columns go on at their beginning; otherwise the outermost ones are drawn out.

    Returns
    -------
    ndarray of shape (channels, rows, columns), float32
        Within the least and the largest value of each plane.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.resizing import resize_planes
    >>> resize_planes(np.ones((3, 40, 60), np.float32), 20, 30, (False, False)).shape
    (3, 20, 30)
    """
    across = _resize_last(planes, columns, closed[1])
    along = _resize_last(across.transpose(0, 2, 1), rows, closed[0]).transpose(0, 2, 1)
    low, high = (part(axis=(1, 2), keepdims=True) for part in (planes.min, planes.max))
    return np.clip(along, low, high)


def _resize_last(planes: Field, count: int, is_closed: bool) -> Field:
    """Return planes with another number of values along the last axis."""
    old = planes.shape[-1]
    if count == old:
        return planes
    ratio = old / count
    width = max(ratio, 1.0)  # of the filter: each old value counts when there are fewer new ones
    middle = (np.arange(count, dtype=np.int64) + 0.5) * ratio - 0.5
    first = np.ceil(middle - 2.0 * width)
    taps = [first + tap for tap in range(math.ceil(4.0 * width))]
    weights = [_catmull_rom(np.abs(tap - middle) / width) for tap in taps]
    whole = sum(weights, np.zeros(count))
    result = np.zeros((*planes.shape[:-1], count), np.float32)
    for tap, weight in zip(taps, weights):
        blocks.checkpoint()
        place = tap.astype(np.intp)
        place = place % old if is_closed else np.clip(place, 0, old - 1)
        result += planes[..., place] * (weight / whole).astype(np.float32)
    return result


def _catmull_rom(distance: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the weight of a value at a distance of at least 0; none from 2 on."""
    near = (1.5 * distance - 2.5) * distance * distance + 1.0
    far = ((-0.5 * distance + 2.5) * distance - 4.0) * distance + 2.0
    return np.where(distance < 1.0, near, np.where(distance < 2.0, far, 0.0))
