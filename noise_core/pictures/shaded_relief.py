# SPDX-License-Identifier: GPL-3.0-or-later
"""Shaded relief of terrain from above: the colors of land under a low sun and the sky.

The pictures are thumbnails, which must render quickly and differ clearly. So low relief is exaggerated
and very steep relief is flattened.

References
----------
Eduard Imhof (1965). Kartographische Geländedarstellung. (Light from the north-west.)
Erik Reinhard, Michael Stark, Peter Shirley, James Ferwerda (2002). Photographic tone reproduction for
digital images. (Compression of highlights.)
"""

from __future__ import annotations

import math

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Cancel
from ..base.grid import Grid, require_size
from ..maps.ambient_occlusion_map import AmbientOcclusion
from ..materials.colors.spaces import linear_to_srgb

AZIMUTH, ALTITUDE = 315.0, 36.0
"""Of the sun in degrees, clockwise from north and above the horizon."""

SUN = (2.1, 1.9, 1.6)
SKY = (0.13, 0.17, 0.27)
"""Light from either, linear: warm against cool, their sum about white on level ground."""

_TYPICAL_SLOPE = 0.85
"""Rise over run that nine tenths of the ground stay below in a picture that is easy to read."""

_EXAGGERATION = 0.78
"""How much of the way to that the heights go: 1 would make all ground equally steep."""

_WHITE = 2.0
"""Light that becomes white: up to there it is compressed, so that snow in the sun keeps its shape."""

_TABLE = np.asarray(linear_to_srgb(np.linspace(0.0, 1.0, 4096)), np.float32)


def shaded_relief(
    height: Field,
    grid: Grid,
    color: Field,
    *,
    cancel: Cancel | None = None,
) -> Field:
    """Return a picture of a terrain.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Of the ground or of the water above it, in meters, row 0 in the south.
    grid : Grid
        Of the same shape.
    color : ndarray of shape (3, rows, columns), float32
        Linear.
    cancel : callable, optional
        See `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (rows, columns, 3), float32
        sRGB, 0 to 1, row 0 in the south.

    Raises
    ------
    ParameterError
        If the shape of the heights differs from the grid's, or that has no size.
    Cancelled
        If `cancel` said yes.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Fractal
    >>> from noise_core.pictures.shaded_relief import shaded_relief
    >>> grid = Grid(64, 64, size=4000.0)
    >>> height = 300.0 * Fractal().sample_grid(grid, seed=1)
    >>> picture = shaded_relief(height, grid, np.full((3, 64, 64), 0.4, np.float32))
    >>> picture.shape, bool(picture.max() <= 1.0)
    ((64, 64, 3), True)
    """
    spacing = require_size(grid, "shaded_relief").spacing
    surface = height * np.float32(_exaggeration(height, spacing))
    direct = _sunlight(surface, spacing)
    occlusion = AmbientOcclusion().values(surface, grid, cancel=cancel)
    lit = np.empty_like(color)
    for channel, (sun, sky) in enumerate(zip(SUN, SKY)):
        light = direct * np.float32(sun) + occlusion * np.float32(sky)
        np.multiply(color[channel], light, out=lit[channel])
    brightest = lit.max(axis=0)
    lit *= (np.float32(1.0) + brightest * np.float32(_WHITE**-2)) / (np.float32(1.0) + brightest)
    return encode_srgb(np.moveaxis(lit, 0, -1))


def encode_srgb(linear: Field) -> Field:
    """Return linear colors as sRGB, both clipped to [0, 1]."""
    last = len(_TABLE) - 1
    place = np.clip(linear, 0.0, 1.0) * np.float32(last) + np.float32(0.5)
    return _TABLE[place.astype(np.int32)]


def _gradient(height: Field, spacing: float) -> tuple[Field, Field]:
    if min(height.shape) < 2:
        return np.zeros_like(height), np.zeros_like(height)
    dy, dx = np.gradient(height, np.float32(spacing))
    return np.asarray(dy, np.float32), np.asarray(dx, np.float32)


def _exaggeration(height: Field, spacing: float) -> float:
    """Return the factor of heights that makes slopes visible."""
    typical = float(np.quantile(np.hypot(*_gradient(height, spacing)), 0.9))
    return (_TYPICAL_SLOPE / typical) ** _EXAGGERATION if typical > 0.0 else 1.0


def _sunlight(height: Field, spacing: float) -> Field:
    """Return the share of sunlight on the ground, with soft cast shadows."""
    dy, dx = _gradient(height, spacing)
    turn, rise = math.radians(90.0 - AZIMUTH), math.radians(ALTITUDE)
    east, north = math.cos(rise) * math.cos(turn), math.cos(rise) * math.sin(turn)
    facing = math.sin(rise) - dx * np.float32(east) - dy * np.float32(north)
    facing /= np.sqrt(dx * dx + dy * dy + np.float32(1.0))
    return np.clip(facing, 0.0, 1.0) * _direct_light(height, spacing, (north, east), math.sin(rise))


def _direct_light(height: Field, spacing: float, way: tuple[float, float], up: float) -> Field:
    """Return 1 in direct light, 0 in shadow; `way` points to the sun (rows, columns)."""
    length = max(abs(way[0]), abs(way[1]))
    step = (way[0] / length, way[1] / length)
    climb = up / length * spacing
    farthest = min(float(np.ptp(height)) / climb, float(max(height.shape)))
    above = np.zeros_like(height)
    distance = 1.0
    while distance < farthest:
        ahead = _shift(height, round(step[0] * distance), round(step[1] * distance))
        np.maximum(above, ahead - height - np.float32(climb * distance), out=above)
        distance = distance * 1.12 + 1.0
    dark = np.clip(above * np.float32(1.0 / (3.0 * spacing)), 0.0, 1.0)
    return np.asarray(np.float32(1.0) - dark)


def _shift(height: Field, rows: int, columns: int) -> Field:
    """Return the heights shifted by some rows and columns; edges are repeated."""
    down = np.clip(np.arange(height.shape[0], dtype=np.intp) + rows, 0, height.shape[0] - 1)
    along = np.clip(np.arange(height.shape[1], dtype=np.intp) + columns, 0, height.shape[1] - 1)
    return np.asarray(height[down[:, np.newaxis], along])
