# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a straight line of sight meets a land, for points that are drawn on it."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field

Vector = npt.NDArray[np.float64]

_PER_SAMPLE = 2.0
"""Places along the line for each sample that it passes over."""

_HALVINGS = 30
"""Of the stretch in which the line enters the ground."""


def first_hit(
    height: Field, origin: Vector, direction: Vector, margin: float = 0.0
) -> Vector | None:
    """Return where a ray first meets the ground from above; None if it does not.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
    origin, direction : ndarray of shape (3,), float64
        x and y in samples, z in the unit of the heights.
    margin : float
        Samples beyond the edges within which the ground goes on at the height of the edge.

    Returns
    -------
    ndarray of shape (3,), float64, or None

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.sight_lines import first_hit
    >>> ground = np.full((5, 5), 2.0, np.float32)
    >>> first_hit(ground, np.array([0.0, 2.0, 4.0]), np.array([1.0, 0.0, -1.0])).tolist()
    [2.0, 2.0, 2.0]
    """
    near, far = _span(height, origin, direction, margin)
    if not far > near:
        return None
    flat = math.hypot(direction[0], direction[1]) * (far - near)
    count = 2 + math.ceil(_PER_SAMPLE * flat)
    shares = near + (far - near) * np.arange(count, dtype=np.float64) / (count - 1)
    below = _clearance(height, origin, direction, shares) <= 0.0
    place = int(below.argmax())
    if not below[place] or place == 0:
        return None
    low, high = float(shares[place - 1]), float(shares[place])
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if _clearance(height, origin, direction, np.array([middle]))[0] > 0.0:
            low = middle
        else:
            high = middle
    hit: Vector = origin + high * direction
    return hit


def _span(height: Field, origin: Vector, direction: Vector, margin: float) -> tuple[float, float]:
    """Return the stretch of a ray above the land, in lengths of its direction: empty if it misses that."""
    rows, columns = height.shape
    lowest, highest = float(height.min()) - 1.0, float(height.max()) + 1.0
    limits = (
        (-margin, columns - 1.0 + margin),
        (-margin, rows - 1.0 + margin),
        (lowest, highest),
    )
    near, far = 0.0, math.inf
    for start, along, (low, high) in zip(origin, direction, limits):
        if along == 0.0:
            if not low <= start <= high:
                return 0.0, 0.0
            continue
        first, last = sorted(((low - start) / along, (high - start) / along))
        near, far = max(near, float(first)), min(far, float(last))
    return near, far


def _clearance(height: Field, origin: Vector, direction: Vector, shares: Vector) -> Vector:
    """Return how high points of a ray lie above the ground, which is bilinear between samples."""
    x, y, z = (start + shares * along for start, along in zip(origin, direction))
    rows, columns = height.shape
    x, y = np.clip(x, 0.0, columns - 1.0), np.clip(y, 0.0, rows - 1.0)
    left = np.minimum(x.astype(np.intp), max(columns - 2, 0))
    top = np.minimum(y.astype(np.intp), max(rows - 2, 0))
    right, bottom = np.minimum(left + 1, columns - 1), np.minimum(top + 1, rows - 1)
    across, down = x - left, y - top
    upper = height[top, left] * (1.0 - across) + height[top, right] * across
    lower = height[bottom, left] * (1.0 - across) + height[bottom, right] * across
    clearance: Vector = z - (upper * (1.0 - down) + lower * down)
    return clearance
