# SPDX-License-Identifier: GPL-3.0-or-later
"""Thumbnails of recipes: shaded relief of terrain, gray values of textures."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import Cancel
from ..base.grid import Grid
from ..landscapes.look import Look
from ..materials.colors import LANDSCAPES
from ..materials.ground.colors import land_colors
from ..materials.ground.plan import GroundPlan
from .shaded_relief import shaded_relief

Colors = Field
"""Shape (rows, columns, 3), float32, sRGB from 0 to 1, row 0 at the bottom."""


_NO_MAPS: Mapping[str, Field] = MappingProxyType({})


def thumbnail(
    height: Field,
    grid: Grid,
    look: Look,
    reach: float,
    *,
    maps: Mapping[str, Field] = _NO_MAPS,
    cancel: Cancel | None = None,
) -> Colors:
    """Return the picture of a finished field.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    look : Look
        How it is drawn.
    reach : float
        The recipe's height, for textures: the sign tells which end is white.
    maps : mapping of str to ndarray
        What modifiers have made, of the same shape.
    cancel : callable, optional
        See `blocks.Cancel`.

    Raises
    ------
    ParameterError, Cancelled
        See `shaded_relief`.
    """
    if not look.is_flat:
        plan = plan_of(look)
        depth = plan.water_depth(height, grid, maps, cancel=cancel)
        color = land_colors(height, grid, plan, maps, depth=depth, cancel=cancel)
        return shaded_relief(height + depth, grid, color, cancel=cancel)
    return grays(height if reach >= 0.0 else -height)


def plan_of(look: Look) -> GroundPlan:
    """Return how a land of a preset's look is colored: with all layers of its palette, and water."""
    landscape = LANDSCAPES[look.palette].with_limits(look.limits)
    layers = tuple(landscape.layers)
    return GroundPlan(
        landscape, layers, look.sea, look.sea, has_lakes=look.has_lakes, rivers=look.rivers
    )


def grays(values: Field, low: float | None = None, high: float | None = None) -> Colors:
    """Return values as grays, black at `low` and white at `high`: their own limits if not given."""
    low = float(values.min()) if low is None else low
    high = float(values.max()) if high is None else high
    gray = (values - np.float32(low)) * np.float32(1.0 / (high - low if high > low else 1.0))
    np.clip(gray, np.float32(0.0), np.float32(1.0), out=gray)
    return np.repeat(gray[..., np.newaxis], 3, axis=-1)


def resize(picture: Colors, side: int) -> Colors:
    """Return a picture as a square of `side` pixels; between its pixels colors are mixed.

    A picture that is not square is shown whole, with black beside it.
    """
    rows, columns = picture.shape[:2]
    scale = side / max(rows, columns)
    tall, wide = max(1, round(rows * scale)), max(1, round(columns * scale))
    made = np.zeros((side, side, 3), np.float32)
    top, left = (side - tall) // 2, (side - wide) // 2
    below, up = _places(rows, tall)
    before, on = _places(columns, wide)
    part = _mix(picture[below], picture[np.minimum(below + 1, rows - 1)], up[:, None, None])
    after = np.minimum(before + 1, columns - 1)
    made[top : top + tall, left : left + wide] = _mix(part[:, before], part[:, after], on[:, None])
    return made


def _places(old: int, new: int) -> tuple[npt.NDArray[np.intp], Field]:
    """Return the index of the sample before each of `new` positions, and the fraction beyond it."""
    places = np.clip((np.arange(new, dtype=np.intp) + 0.5) * (old / new) - 0.5, 0.0, old - 1.0)
    before = places.astype(np.intp)
    return before, (places - before).astype(np.float32)


def _mix(first: Field, second: Field, share: Field) -> Field:
    return first + (second - first) * share
