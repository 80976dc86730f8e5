# SPDX-License-Identifier: GPL-3.0-or-later
"""Shaded relief of terrain from above: colors by height and slope, a low sun, and the sky.

The pictures are thumbnails, which must render quickly and differ clearly. So low relief is exaggerated
and very steep relief is flattened.

References
----------
Eduard Imhof (1965). Kartographische Geländedarstellung. (Light from the north-west.)
"""

from __future__ import annotations

import math

import numpy as np

from .base.arrays import Field
from .base.blocks import Cancel
from .base.errors import ParameterError
from .base.grid import Grid
from .maps.ambient_occlusion_map import AmbientOcclusion
from .materials.colors import LANDSCAPES, Landscape
from .materials.colors.spaces import linear_to_srgb

AZIMUTH, ALTITUDE = 315.0, 36.0
"""Of the sun in degrees, clockwise from north and above the horizon."""

SUN = (2.05, 1.88, 1.62)
SKY = (0.42, 0.50, 0.64)
"""Light from either, linear: warm against cool, their sum about white on level ground."""

_TYPICAL_SLOPE = 0.62
"""Rise over run that nine tenths of the ground stay below in a picture that is easy to read."""

_EXAGGERATION = 0.7
"""How much of the way to that the heights go: 1 would make all ground equally steep."""

_HIGHLIGHTS = 0.18
"""How soon bright light is compressed, so that snow in the sun keeps its shape."""

_SHORE = 0.012
"""Share of the depth over which the shore fades into the sea."""

_TABLE = np.asarray(linear_to_srgb(np.linspace(0.0, 1.0, 4096)), np.float32)


def shaded_relief(
    height: Field,
    grid: Grid,
    palette: str = "alpine",
    sea: float | None = None,
    *,
    cancel: Cancel | None = None,
) -> Field:
    """Return a picture of a terrain.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, row 0 in the south.
    grid : Grid
        Of the same shape.
    palette : str
        One of `LANDSCAPES`.
    sea : float, optional
        Height of the sea in meters; no sea if not given.
    cancel : callable, optional
        See `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (rows, columns, 3), float32
        sRGB, 0 to 1, row 0 in the south.

    Raises
    ------
    ParameterError
        If there is no such palette, or the shape differs from the grid's.
    Cancelled
        If `cancel` said yes.
    """
    if palette not in LANDSCAPES:
        raise ParameterError(
            "{} must be one of {}; got {}",
            "shaded_relief.palette",
            ", ".join(LANDSCAPES),
            repr(palette),
        )
    landscape = LANDSCAPES[palette]
    surface = height if sea is None else np.maximum(height, np.float32(sea))
    spacing = grid.spacing
    surface = surface * np.float32(_exaggeration(surface, spacing))
    slope = np.hypot(*_gradient(surface, spacing))
    color = _ground(height, slope, landscape, sea)
    direct = _sunlight(surface, spacing)
    occlusion = AmbientOcclusion().values(surface, grid, cancel=cancel)
    for channel, (sun, sky) in enumerate(zip(SUN, SKY)):
        color[channel] *= direct * np.float32(sun) + occlusion * np.float32(sky)
    if sea is not None:
        _flood(color, height, sea, landscape)
    color /= np.float32(1.0) + np.float32(_HIGHLIGHTS) * color * color
    return encode_srgb(np.moveaxis(color, 0, -1))


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


def _ground(height: Field, slope: Field, landscape: Landscape, sea: float | None) -> Field:
    """Return linear colors of shape (3, rows, columns): the ramp by height, rock where it is steep."""
    dry = height if sea is None else height[height >= np.float32(sea)]
    low, high = np.quantile(dry if dry.size else height, (0.005, 0.995))
    if sea is not None:
        low = min(max(low, sea), high)
    level = (height - np.float32(low)) * np.float32(1.0 / max(high - low, 1e-9))
    color = landscape.ramp.colors(level)
    rock = landscape.layers.get("rock")
    if rock is not None:
        steep = math.tan(math.radians(max(rock.flattest, 5.0)))
        share = _smooth_step(slope, 0.75 * steep, 1.25 * steep)
        for channel, part in enumerate(rock.color):
            color[channel] += (np.float32(part) - color[channel]) * share
    return color


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


def _flood(color: Field, height: Field, sea: float, landscape: Landscape) -> None:
    """Composite the sea over linear colors."""
    depth = np.float32(sea) - height
    deepest = max(float(depth.max()), 1e-9)
    share = _smooth_step(depth, 0.0, 0.6 * deepest)
    wet = _smooth_step(depth, 0.0, _SHORE * deepest)
    for channel, (shallow, deep) in enumerate(zip(landscape.shallow, landscape.deep)):
        water = np.float32(shallow) + np.float32(deep - shallow) * share
        color[channel] += (water * np.float32(1.8) - color[channel]) * wet


def _smooth_step(values: Field, low: float, high: float) -> Field:
    """Return 0 below `low`, 1 above `high`, and a smooth rise between."""
    share = np.clip((values - np.float32(low)) * np.float32(1.0 / (high - low)), 0.0, 1.0)
    result: Field = share * share * (np.float32(3.0) - np.float32(2.0) * share)
    return result
