# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the sky the ground sees."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Field
from ..blocks import Progress, checkpoint
from ..fields.differences import framed, gradient
from ..fields.height_field import HeightField
from ..fields.smoothing import smoothed
from ..map import Map, map_type
from ..params import number

DIRECTIONS = tuple((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x)
"""The eight ways to look, as signs along y and x."""

DEFAULT_RADIUS = 1.0 / 16.0
"""Of the width of the terrain."""

_BELOW = np.float32(-1e30)
"""Height of what lies beyond a border: hides nothing, and stays finite in any arithmetic."""


@map_type("ambient_occlusion", "Ambient Occlusion")
class AmbientOcclusion(Map):
    """How much of the sky the ground sees: 1 on crests, in the open and on even slopes, 0 in pits.

    Notes
    -----
    In eight directions the horizon is sought at the radius, at half of it, at a quarter and so on,
    the farther the more smoothed, so that nothing between two directions is missed. The part of
    the sky it hides is the sine of its height above the ground's own tangent plane: an even slope
    hides nothing. Nothing stands beyond the border of a grid that does not wrap.

    References
    ----------
    Louis Bavoil, Miguel Sainz, Rouslan Dimitrov (2008). Image-space horizon-based ambient
    occlusion. SIGGRAPH talks.
    """

    radius: float = number(
        0.0,
        help="How far away ground can take light; 0 takes a sixteenth of the width",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=1000.0,
        unit="length",
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 1.0)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        horizons = _horizons(surface, self.radius or DEFAULT_RADIUS * surface.level.width)
        result = np.empty(surface.level.shape, np.float32)

        def work(start: int, stop: int) -> None:
            x, y = gradient(framed(surface.height, surface.level, start, stop), surface.level)
            here = surface.height[start:stop]
            total = np.zeros_like(here)
            for way in DIRECTIONS:
                checkpoint()
                total += _sine(_highest(here, x, y, way, horizons, start))
            total *= np.float32(-1.0 / len(DIRECTIONS))
            total += np.float32(1.0)
            np.clip(total, 0.0, 1.0, out=result[start:stop])

        surface.by_rows(work, progress)
        return result


class _Horizon:
    """Heights to look at from a certain distance.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Smoothed.
    reach : int
        The distance in samples.
    spacing : float
        Of samples, in metres.
    wrap : bool
        Whether the last row and column meet the first.
    """

    def __init__(self, field: Field, reach: int, spacing: float, wrap: bool) -> None:
        self.rows, self.columns = field.shape
        self.reach, self.spacing = reach, spacing
        if wrap:
            rows = np.arange(-reach, self.rows + reach) % self.rows
            columns = np.arange(-reach, self.columns + reach) % self.columns
            self.wide = field.take(rows, axis=0).take(columns, axis=1)
        else:
            self.wide = np.pad(field, reach, constant_values=_BELOW)

    def seen(self, way: tuple[int, int], start: int, stop: int) -> tuple[Field, float]:
        """Return the heights seen from some rows, and their distance in metres."""
        is_diagonal = way[0] != 0 and way[1] != 0
        step = max(1, round(self.reach * math.sqrt(0.5))) if is_diagonal else self.reach
        top, left = self.reach + way[0] * step, self.reach + way[1] * step
        part = self.wide[start + top : stop + top, left : left + self.columns]
        return part, step * self.spacing * (math.sqrt(2.0) if is_diagonal else 1.0)


def _horizons(surface: HeightField, radius: float) -> list[_Horizon]:
    """Return where to look, the nearest first."""
    level = surface.level
    distance = min(max(radius / surface.spacing, 1.0), float(max(level.shape)))
    reaches = []
    while distance >= 1.0:
        reaches.append(round(distance))
        distance /= 2.0
    field, horizons = surface.height, []
    for reach in reversed(reaches):
        checkpoint()
        if reach > 3:
            # Half as wide, as a normal distribution, as the eighth of a circle that it stands for.
            field = smoothed(field, max(1, round(reach / 4)), level.wrap)
        horizons.append(_Horizon(field, reach, surface.spacing, level.wrap))
    return horizons


def _highest(
    here: Field, x: Field, y: Field, way: tuple[int, int], horizons: list[_Horizon], start: int
) -> Field:
    """Return the tangent of the horizon's height, at least that of the ground itself."""
    scale = np.float32(1.0 / math.hypot(*way))
    tangent = x * (scale * np.float32(way[1]))
    tangent += y * (scale * np.float32(way[0]))
    rise = np.empty_like(here)
    for horizon in horizons:
        heights, distance = horizon.seen(way, start, start + len(here))
        np.subtract(heights, here, out=rise)
        rise *= np.float32(1.0 / distance)
        np.maximum(tangent, rise, out=tangent)
    return tangent


def _sine(tangent: Field) -> Field:
    """Return the sine of the angle that has this tangent."""
    root = tangent * tangent
    root += np.float32(1.0)
    np.sqrt(root, out=root)
    np.divide(tangent, root, out=root)
    return root
