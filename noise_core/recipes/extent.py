# SPDX-License-Identifier: GPL-3.0-or-later
"""Width and depth that the land of a recipe can have."""

from __future__ import annotations

import numpy as np

from ..base.arrays import to_float
from ..base.errors import ParameterError, format_value
from ..base.grid import check_meters

DEEPEST = 1e4
"""Widths that a land may be deep, and depths that it may be wide."""


def check_size(size: object) -> float:
    """Return a width that a grid can have."""
    if not isinstance(size, (int, float, np.integer, np.floating)) or isinstance(size, bool):
        raise ParameterError("Recipe.size must be a number", got=format_value(size))
    return check_meters(size, "Recipe.size")


def check_depth(depth: object, size: float) -> float | None:
    """Return the depth of a land of a width, None if it is as deep as wide."""
    if depth is None:
        return None
    meters = to_float(depth)
    if meters == size:
        return None
    low, high = size / DEEPEST, size * DEEPEST
    if not low <= meters <= high:
        raise ParameterError(
            "Recipe.depth must be a number in [{:g}, {:g}] for a size of {:g}, or None",
            low,
            high,
            size,
            got=format_value(depth),
        )
    return meters
