# SPDX-License-Identifier: GPL-3.0-or-later
"""Ambient occlusion: the share of the sky that the ground sees."""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..base.arrays import Field
from ..base.blocks import Progress, checkpoint
from ..base.params import number
from ..rasters import differences, pyramid, smoothing
from ..types.height_field import HeightField
from ..types.map import Map, map_type

DIRECTIONS = 8
"""In how many directions the horizon is sought: along x, along y, and four between them."""

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
        # Above the lowest point: what is added and taken away again may not round slopes away.
        ground = surface.height - surface.height.min()
        surface = HeightField(ground, surface.level)
        horizons = _horizons(surface, self.radius or DEFAULT_RADIUS * surface.level.width)
        result = np.empty(surface.level.shape, np.float32)

        def work(start: int, stop: int) -> None:
            frame = differences.add_frame(surface.height, surface.level, start, stop)
            x, y = differences.gradient(frame, surface.level)
            tangents = _tangents(x, y)
            _raise(tangents, surface.height[start:stop], horizons, start)
            hidden = functools.reduce(np.add, _sine(tangents))
            hidden *= np.float32(-1.0 / DIRECTIONS)
            hidden += np.float32(1.0)
            np.clip(hidden, 0.0, 1.0, out=result[start:stop])

        surface.by_rows(work, progress, DIRECTIONS // 2)
        return result

    def read_large(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read_large`: on every second sample."""
        fine, coarse = surface.level, surface.level.coarser()
        halved = HeightField(pyramid.restrict(surface.height, fine, coarse), coarse)
        return pyramid.prolong(self.read(halved, progress), coarse, fine, self.bounds())


class _Horizon:
    """Heights at a certain distance, divided by it.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Smoothed.
    reach : int
        The distance in samples.
    spacing : float
        Of samples, in meters.
    wrap : bool
        Whether the last row and column meet the first.

    Attributes
    ----------
    factor : float
        1 / the distance along x and along y.
    ratio : float
        Ratio of the distance along the diagonals to that along the axes.
    """

    def __init__(self, field: Field, reach: int, spacing: float, wrap: bool) -> None:
        self.rows, self.columns = field.shape
        self.reach, self._step = reach, max(1, round(reach * math.sqrt(0.5)))
        self.factor = 1.0 / (reach * spacing)
        self.ratio = math.sqrt(2.0) * self._step / reach
        self.wide = np.empty((self.rows + 2 * reach, self.columns + 2 * reach), np.float32)
        inside = self.wide[reach:-reach, reach:-reach]
        np.multiply(field, np.float32(self.factor), out=inside)
        if wrap:
            sides = np.r_[:reach, -reach:0]
            rows, columns = ((np.r_[-reach:0, :reach] % count) + reach for count in field.shape)
            # Below and above what was there before, then at both sides of all rows.
            self.wide[sides] = self.wide[rows]
            self.wide[:, sides] = self.wide[:, columns]
        else:
            self.wide[:reach] = self.wide[-reach:] = _BELOW
            self.wide[:, :reach] = self.wide[:, -reach:] = _BELOW

    def visible_heights(self, start: int, stop: int) -> tuple[Field, Field, Field]:
        """Return the heights around some rows along x, along y and along the diagonals.

        Those along x have shape (2, rows, columns), those along y (2, 1, rows, columns), and those
        between (2, 2, rows, columns): backwards before forwards, along y before x. They are views.
        """
        reach, step = self.reach, self._step
        return (
            self._around(start, stop, 0, reach)[0],
            self._around(start, stop, reach, 0),
            self._around(start, stop, step, step),
        )

    def _around(self, start: int, stop: int, up: int, along: int) -> Field:
        """Return the heights some rows and columns before and after some rows."""
        first = self.wide[start + self.reach - up :, self.reach - along :]
        row, column = self.wide.strides
        shape = (2 if up else 1, 2 if along else 1, stop - start, self.columns)
        strides = (2 * up * row, 2 * along * column, row, column)
        return as_strided(first, shape, strides, writeable=False)


def _horizons(surface: HeightField, radius: float) -> list[_Horizon]:
    """Return the horizons to search, the nearest first."""
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
            field = smoothing.smooth(field, max(1, round(reach / 4)), level.wrap)
        horizons.append(_Horizon(field, reach, surface.spacing, level.wrap))
    return horizons


def _tangents(x: Field, y: Field) -> Field:
    """Return the ground's own slopes in all directions, in the order of `_Horizon.visible_heights`."""
    tangents = np.empty((DIRECTIONS, *x.shape), np.float32)
    np.negative(x, out=tangents[0])
    tangents[1] = x
    np.negative(y, out=tangents[2])
    tangents[3] = y
    backwards, forwards = tangents[4:6], tangents[6:8]
    np.add(x, y, out=forwards[1])
    np.subtract(y, x, out=forwards[0])
    forwards *= np.float32(math.sqrt(0.5))
    np.negative(forwards[::-1], out=backwards)
    return tangents


def _raise(tangents: Field, here: Field, horizons: list[_Horizon], start: int) -> None:
    """Raise tangents to those of the horizons where these are higher.

    Instead of taking the ground's own height from each height that is seen, it is added to the
    tangents, all divided by the distance: that works in place, which saves time here.
    """
    rows, columns = here.shape
    straight, between = tangents[:4], tangents[4:]
    parts = (straight[:2], straight[2:, np.newaxis], between.reshape(2, 2, rows, columns))
    factor, ratio = 0.0, 1.0
    for horizon in horizons:
        checkpoint()
        straight += here * np.float32(horizon.factor - factor)
        share = horizon.ratio / ratio
        if share != 1.0:
            between *= np.float32(share)
        between += here * np.float32(horizon.factor - share * factor)
        factor, ratio = horizon.factor, horizon.ratio
        for part, heights in zip(parts, horizon.visible_heights(start, start + rows)):
            np.maximum(part, heights, out=part)
    tangents -= here * np.float32(factor)
    between *= np.float32(1.0 / ratio)


def _sine(tangent: Field) -> Field:
    """Return the sine of the angle that has this tangent."""
    root = tangent * tangent
    root += np.float32(1.0)
    np.sqrt(root, out=root)
    np.divide(tangent, root, out=root)
    return root
