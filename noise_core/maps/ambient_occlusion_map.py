# SPDX-License-Identifier: GPL-3.0-or-later
"""Ambient occlusion: the share of the sky that the ground sees."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import as_strided

from .. import rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress, checkpoint
from ..base.params import number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner

DIRECTIONS = 8
"""In how many directions the horizon is sought: along x, along y, and four between them."""

DEFAULT_RADIUS = 1.0 / 16.0
"""Of the width of the terrain."""

_HELD, _BLOCKS = 3.0, 1.2e6
"""Bytes of memory for each sample and distance at which the horizon is sought, and for blocks in the cache."""

_BELOW = np.float32(-1e30)
"""Height of what lies beyond a border: hides nothing, and stays finite in any arithmetic."""


@map_type("ambient_occlusion", "Ambient Occlusion")
class AmbientOcclusion(Map):
    """Visible sky: 1 on crests, in the open and on even slopes, 0 in pits.

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

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import AmbientOcclusion

    The bottom of a pit sees less of the sky than the plain around it:

    >>> grid = Grid(65, 65, size=640.0)
    >>> height = np.zeros(grid.shape, np.float32)
    >>> height[28:37, 28:37] = -80.0
    >>> sky = AmbientOcclusion(radius=100.0).values(height, grid)
    >>> bool(sky[32, 32] < 0.5 < sky[5, 5])
    True
    """

    radius: float = number(
        0.0,
        help="Radius of occluding ground",
        automatic=(1.0 / 16.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=1000.0,
        unit="length",
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 1.0)

    def stages(self, run: Runner, height: Raster) -> Raster:
        """See `Map.stages`: measures the lowest point, and looks around from all."""
        # Above the lowest point: what is added and taken away again may not round slopes away.
        (lowest,) = run.values_at(height, (0,))
        work = functools.partial(self._look_around, lowest=lowest)
        reaches = self.reaches(run.level)
        stage = stages.Local(
            "sky",
            work,
            self._around,
            makes=(self.key,),
            held=_HELD * len(reaches),
            in_cache=_BLOCKS,
        )
        (sky,) = run.local(stage, height)
        return sky

    def _look_around(
        self, target: Level, parts: Sequence[Part], progress: Progress, *, lowest: np.float32
    ) -> Field:
        (part,) = parts
        return self._sky(
            rasters.height_field.HeightField(part.values - lowest, part.level), target, progress
        )

    def reaches(self, level: Level) -> list[int]:
        """Return how far away horizons are sought, in samples, the nearest first."""
        radius = self.radius or DEFAULT_RADIUS * level.width
        distance = min(max(radius / level.step_x, 1.0), float(max(level.whole_shape)))
        reaches = []
        while distance >= 1.0:
            reaches.append(round(distance))
            distance /= 2.0
        return reaches[::-1]

    def _around(self, target: Level) -> Level:
        """Return the part of a land that a part of the map is made of."""
        margin, smoothed = 1, 0
        for reach in self.reaches(target):
            smoothed += _stride(reach)
            margin = max(margin, smoothed + reach)
        return target.grow(margin, margin)

    def _sky(self, surface: HeightField, target: Level, progress: Progress) -> Field:
        """Return the share of the sky that a part of a land sees.

        Parameters
        ----------
        surface : HeightField
            Above the lowest point of the whole land, on the part and its surroundings.
        target : Level
            The part.
        """
        horizons = _horizons(surface, target, self.reaches(target))
        beside = target.grow(1, 1)
        near, inner = (surface.height[level.within(surface.level)] for level in (beside, target))
        rows, columns = target.within(beside)
        result = np.empty(target.shape, np.float32)

        def work(start: int, stop: int) -> None:
            frame = rasters.differences.add_frame(
                near, beside, start + rows.start, stop + rows.start
            )
            x, y = (slope[:, columns] for slope in rasters.differences.gradient(frame, beside))
            tangents = _tangents(x, y)
            _raise(tangents, inner[start:stop], horizons, start)
            hidden = functools.reduce(np.add, _sine(tangents))
            hidden *= np.float32(-1.0 / DIRECTIONS)
            hidden += np.float32(1.0)
            np.clip(hidden, 0.0, 1.0, out=result[start:stop])

        rasters.height_field.HeightField(inner, target).by_rows(work, progress, DIRECTIONS // 2)
        return result

    def read_large(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read_large`: on every second sample."""
        fine, coarse = surface.level, surface.level.coarser()
        halved = rasters.height_field.HeightField(
            rasters.pyramid.restrict(surface.height, fine, coarse), coarse
        )
        return rasters.pyramid.prolong(self.read(halved, progress), coarse, fine, self.bounds())


class _Horizon:
    """Heights at a certain distance, divided by it.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Smoothed.
    level : Level
        Of that shape.
    target : Level
        The part of it from which the horizon is sought, or all of it.
    reach : int
        The distance in samples.

    Attributes
    ----------
    factor : float
        1 / the distance along x and along y.
    ratio : float
        Ratio of the distance along the diagonals to that along the axes.
    """

    def __init__(self, field: Field, level: Level, target: Level, reach: int) -> None:
        self.rows, self.columns = target.shape
        self.reach, self._step = reach, max(1, round(reach * math.sqrt(0.5)))
        self.factor = 1.0 / (reach * level.step_x)
        self.ratio = math.sqrt(2.0) * self._step / reach
        seen = target.grow(reach, reach)
        top, left = (
            reach + wide_begin - begin for wide_begin, begin in zip(seen.begin, target.begin)
        )
        self.wide = np.full((self.rows + 2 * reach, self.columns + 2 * reach), _BELOW)
        inside = self.wide[top : top + seen.rows, left : left + seen.columns]
        np.multiply(field[seen.within(level)], np.float32(self.factor), out=inside)
        if level.wrap:
            sides = np.r_[:reach, -reach:0]
            rows, columns = ((np.r_[-reach:0, :reach] % count) + reach for count in field.shape)
            # Below and above what was there before, then at both sides of all rows.
            self.wide[sides] = self.wide[rows]
            self.wide[:, sides] = self.wide[:, columns]

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


def _horizons(surface: HeightField, target: Level, reaches: list[int]) -> list[_Horizon]:
    """Return the horizons to search, the nearest first."""
    level, field, horizons = surface.level, surface.height, []
    for reach in reaches:
        checkpoint()
        stride = _stride(reach)
        if stride:
            field = rasters.smoothing.smooth(field, stride, level.wrap)
        horizons.append(_Horizon(field, level, target, reach))
    return horizons


def _stride(reach: int) -> int:
    """Return the stride of the average over ground so far away; 0 for none.

    It is half as wide, as a normal distribution, as the eighth of a circle that it stands for.
    """
    return max(1, round(reach / 4)) if reach > 3 else 0


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


def _raise(tangents: Field, height: Field, horizons: list[_Horizon], start: int) -> None:
    """Raise tangents to those of the horizons where these are higher.

    Instead of taking the ground's own height from each height that is seen, it is added to the
    tangents, all divided by the distance: that works in place, which saves time here.
    """
    rows, columns = height.shape
    straight, between = tangents[:4], tangents[4:]
    parts = (straight[:2], straight[2:, np.newaxis], between.reshape(2, 2, rows, columns))
    factor, ratio = 0.0, 1.0
    for horizon in horizons:
        checkpoint()
        straight += height * np.float32(horizon.factor - factor)
        share = horizon.ratio / ratio
        if share != 1.0:
            between *= np.float32(share)
        between += height * np.float32(horizon.factor - share * factor)
        factor, ratio = horizon.factor, horizon.ratio
        for part, heights in zip(parts, horizon.visible_heights(start, start + rows)):
            np.maximum(part, heights, out=part)
    tangents -= height * np.float32(factor)
    between *= np.float32(1.0 / ratio)


def _sine(tangent: Field) -> Field:
    """Return the sine of the angle that has this tangent."""
    root = tangent * tangent
    root += np.float32(1.0)
    np.sqrt(root, out=root)
    np.divide(tangent, root, out=root)
    return root
