# SPDX-License-Identifier: GPL-3.0-or-later
"""Guide for the gullies on a height field: slope direction, steepness and crests."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field, Index
from ...base.blocks import Progress
from ...base.grid import Axes, Grid
from ...gully_patterns.carving import SlopeBlock
from ...gully_patterns.octaves import Coordinate, normalize
from ...rasters.level import Level
from ...stages.description import Part
from .spline import Knots, Spline, Weights, between_rows

_RELIEF = np.float32(0.12)
"""Height above what is around, as a share of the spacing of gullies, that counts as a full crest."""

_AROUND = 1.0
"""How far what is around reaches, in spacings of gullies."""

_COUNTRY = 0.5
"""How far the country reaches that has to be steep, in spacings of gullies: more than a valley floor,
which would stand out as a dam if its gullies were left out."""

BEYOND = 5
"""Knots beyond each border of a land, by which crests and country go on; with the usual smoothing they are as
far apart as a third of the largest gullies."""

_NOWHERE = (1 << 60, 1 << 60)
"""Row and column of the world at which no land begins."""


@dataclass(frozen=True)
class SlopeRange:
    """Steepness from which gullies begin, and at which they have full height, as tangents."""

    least: float
    full: float


@dataclass(frozen=True)
class GuideKnots:
    """Knots along the rows and columns of a land, at which the ground is smoothed.

    Attributes
    ----------
    grid : Grid
        Of the whole land.
    spacing : float
        Of the largest gullies, in meters.
    rows, columns : Knots
    """

    grid: Grid
    spacing: float
    rows: Knots
    columns: Knots

    @classmethod
    def on(cls, grid: Grid, spacing: float, smoothing: float) -> GuideKnots:
        """Return the knots for ground that is smoothed over so many spacings of gullies."""
        level, axes = Level.from_grid(grid), grid.axes()
        distance = smoothing * spacing / grid.spacing
        return cls(
            grid,
            spacing,
            Knots.with_spacing(level.rows, distance, level.wrap, axes.y[0] / axes.step),
            Knots.with_spacing(level.columns, distance, level.wrap, axes.x[0] / axes.step),
        )

    @property
    def level(self) -> Level:
        """The knots as a level without edges that meet: each is there once."""
        step = self.grid.spacing
        down, along = (step * max(knots.distance, 1.0) for knots in (self.rows, self.columns))
        # With a knot at each sample it would be the level of the land itself, if it began there.
        return Level(self.rows.count, self.columns.count, down, along, False, _NOWHERE)

    @property
    def reach(self) -> int:
        """Samples around a knot that its average is made of."""
        return max(self.rows.reach, self.columns.reach)

    def widen(self, beyond: int) -> GuideKnots:
        """Return the knots with so many more beyond each border of the land."""
        rows, columns = self.rows.widen(beyond), self.columns.widen(beyond)
        return dataclasses.replace(self, rows=rows, columns=columns)

    def source_part(self, source: Level, target: Level) -> Level:
        """Return the part of a land, with samples beyond its borders, that the averages at some knots come of."""
        beyond = source.beyond
        (top, bottom), (left, right) = (
            knots.needed(begin, begin + count, beyond)
            for knots, begin, count in zip((self.rows, self.columns), target.begin, target.shape)
        )
        return source.part(top + beyond, left + beyond, bottom - top, right - left)

    def average_part(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        """Return the averages of a height field at some knots."""
        (part,) = parts
        (row, column), (rows, columns) = target.begin, target.shape
        beyond = part.level.beyond
        first, left = (begin - beyond for begin in part.level.begin)
        averages = self.rows.average(part.values, 0, row, row + rows, first, beyond)
        return self.columns.average(averages, 1, column, column + columns, left, beyond)


class GullyGuide:
    """Smoothed ground under a land.

    Parameters
    ----------
    knots : GuideKnots
    smooth : ndarray, float32
        The averages of its heights at the knots, in meters.
    slopes : SlopeRange

    Attributes
    ----------
    spacing : float
        Of the largest gullies, in meters.
    ground, crests, country : Spline
        Heights in meters, how far they stand out from their surroundings, and the wider steepness.
    steepness : numpy.float32
        Factor of slopes per sample, so that gullies have full height at 1.
    """

    def __init__(self, knots: GuideKnots, smooth: Field, slopes: SlopeRange) -> None:
        grid, spacing, rows, columns = knots.grid, knots.spacing, knots.rows, knots.columns
        self._axes, self.spacing = grid.axes(), spacing
        self.steepness = np.float32(1.0 / (slopes.full * grid.spacing))
        samples = spacing / grid.spacing
        self.ground = Spline.from_knots(rows, columns, smooth)
        surroundings = self._smooth_knots(smooth, _AROUND * samples)
        crests = (smooth - surroundings) / (_RELIEF * np.float32(spacing))
        np.clip(crests, -1.0, 1.0, out=crests)
        x, y = self.ground.slopes(*np.meshgrid(rows.places, columns.places, indexing="ij"))
        steep = np.sqrt(x * x + y * y) / np.float32(grid.spacing)
        steep -= np.float32(slopes.least)
        steep /= np.float32(max(slopes.full - slopes.least, 1e-3))
        country = self._smooth_knots(np.clip(steep, 0.0, 1.0), _COUNTRY * samples)
        self.crests = Spline.from_knots(rows, columns, crests)
        self.country = Spline.from_knots(rows, columns, country)

    def directions(self, x: Coordinate, y: Coordinate) -> tuple[Field, Field]:
        """See `Directions`."""
        return self.ground.slopes(self.places(y, 1), self.places(x, 0))

    def places(self, axis: Coordinate, which: int) -> Coordinate:
        """Return coordinates in tiles as samples of the grid."""
        first = (self._axes.x, self._axes.y)[which][0]
        places: Coordinate = (axis - first) * (1.0 / self._axes.step)
        return places

    def _smooth_knots(self, knots: Field, reach: float) -> Field:
        """Return the values at the knots, smoothed over some samples."""
        ground = self.ground
        wide = [
            Knots.with_spacing(
                axis_knots.count,
                reach / axis_knots.distance,
                axis_knots.wrap,
                (axis[0] / self._axes.step + axis_knots.first) / axis_knots.distance,
            )
            for axis_knots, axis in ((ground.rows, self._axes.y), (ground.columns, self._axes.x))
        ]
        return Spline.smoothing(wide[0], wide[1], knots).at_samples()


class GuideRows:
    """Guide along the rows of a land, or of a part of it.

    Parameters
    ----------
    guide : GullyGuide
    axes : Axes
        Of the part's samples.
    """

    def __init__(self, guide: GullyGuide, axes: Axes) -> None:
        self._guide, self._y = guide, axes.y
        places = guide.places(axes.x, 0)
        self._heights, self._slopes = guide.ground.along_rows(places)
        self._crests, _ = guide.crests.along_rows(places)
        self._country, _ = guide.country.along_rows(places)

    def rows(self, start: int, ground: SlopeBlock, country: Field, scratch: Field) -> None:
        """Write the slope block of some rows, and the wider steepness, from 0 to 1."""
        index, weights, slopes = self._around(start, len(country))
        across, up = ground.across
        between_rows(self._slopes, index, weights, up, scratch)
        between_rows(self._heights, index, slopes, across, scratch)
        between_rows(self._crests, index, weights, ground.target, scratch)
        between_rows(self._country, index, weights, country, scratch)
        np.negative(across, out=across)
        normalize(across, up, ground.steepness)
        ground.steepness *= self._guide.steepness
        np.minimum(ground.steepness, np.float32(1.0), out=ground.steepness)

    def smooth(self, start: int, out: Field, scratch: Field) -> None:
        """Write the height of the smooth ground at some rows, in meters."""
        index, weights, _ = self._around(start, len(out))
        between_rows(self._heights, index, weights, out, scratch)

    def _around(self, start: int, count: int) -> tuple[Index, Weights, Weights]:
        """Return the knots around some rows; see `Knots.around`."""
        places = self._guide.places(self._y[start : start + count], 1)
        return self._guide.ground.rows.around(places)
