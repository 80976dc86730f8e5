# SPDX-License-Identifier: GPL-3.0-or-later
"""Guide for the gullies on a height field: slope direction, steepness and crests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.grid import Grid
from ...types.level import Level
from .carving import SlopeBlock
from .octaves import Coordinate, normalize
from .spline import Knots, Spline, between_rows

_RELIEF = np.float32(0.12)
"""Height above what is around, as a share of the spacing of gullies, that counts as a full crest."""

_AROUND = 1.0
"""How far what is around reaches, in spacings of gullies."""

_COUNTRY = 0.5
"""How far the country reaches that has to be steep, in spacings of gullies: more than a valley floor,
which would stand out as a dam if its gullies were left out."""


@dataclass(frozen=True)
class SlopeRange:
    """Steepness from which gullies begin, and at which they have full height, as tangents."""

    least: float
    full: float


class Guide:
    """Smoothed ground under a height field.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    spacing : float
        Of the largest gullies, in meters.
    smoothing : float
        How far the ground is smoothed, in such spacings.
    slopes : SlopeRange

    Attributes
    ----------
    spacing : float
        As given.
    """

    def __init__(
        self, height: Field, grid: Grid, spacing: float, smoothing: float, slopes: SlopeRange
    ) -> None:
        level, axes = Level.from_grid(grid), grid.axes()
        self._axes, self.spacing = axes, spacing
        self._steepness = np.float32(1.0 / (slopes.full * grid.spacing))
        samples = spacing / grid.spacing
        distance = smoothing * samples
        rows = Knots.with_spacing(level.rows, distance, level.wrap, axes.y[0] / axes.step)
        columns = Knots.with_spacing(level.columns, distance, level.wrap, axes.x[0] / axes.step)
        smooth = columns.average(rows.average(height, 0), 1)
        self._ground = Spline.from_knots(rows, columns, smooth)
        around = self._smooth_knots(smooth, _AROUND * samples)
        crests = (smooth - around) / (_RELIEF * np.float32(spacing))
        np.clip(crests, -1.0, 1.0, out=crests)
        x, y = self._ground.slopes(*np.meshgrid(rows.places, columns.places, indexing="ij"))
        steep = np.sqrt(x * x + y * y) / np.float32(grid.spacing)
        steep -= np.float32(slopes.least)
        steep /= np.float32(max(slopes.full - slopes.least, 1e-3))
        country = self._smooth_knots(np.clip(steep, 0.0, 1.0), _COUNTRY * samples)
        places = self._places(axes.x, 0)
        self._heights, self._slopes = self._ground.along_rows(places)
        self._crests, _ = Spline.from_knots(rows, columns, crests).along_rows(places)
        self._country, _ = Spline.from_knots(rows, columns, country).along_rows(places)

    def directions(self, x: Coordinate, y: Coordinate) -> tuple[Field, Field]:
        """See `Directions`."""
        return self._ground.slopes(self._places(y, 1), self._places(x, 0))

    def rows(self, start: int, ground: SlopeBlock, country: Field, scratch: Field) -> None:
        """Write the slope block of some rows, and the wider steepness, from 0 to 1."""
        places = self._places(self._axes.y[start : start + len(country)], 1)
        index, weights, slopes = self._ground.rows.around(places)
        across, up = ground.across
        between_rows(self._slopes, index, weights, up, scratch)
        between_rows(self._heights, index, slopes, across, scratch)
        between_rows(self._crests, index, weights, ground.target, scratch)
        between_rows(self._country, index, weights, country, scratch)
        np.negative(across, out=across)
        normalize(across, up, ground.steepness)
        ground.steepness *= self._steepness
        np.minimum(ground.steepness, np.float32(1.0), out=ground.steepness)

    def smooth(self, start: int, out: Field, scratch: Field) -> None:
        """Write the height of the smooth ground at some rows, in meters."""
        places = self._places(self._axes.y[start : start + len(out)], 1)
        index, weights, _ = self._ground.rows.around(places)
        between_rows(self._heights, index, weights, out, scratch)

    def _places(self, axis: Coordinate, which: int) -> Coordinate:
        """Return coordinates in tiles as samples of the grid."""
        first = (self._axes.x, self._axes.y)[which][0]
        places: Coordinate = (axis - first) * (1.0 / self._axes.step)
        return places

    def _smooth_knots(self, knots: Field, reach: float) -> Field:
        """Return the values at the knots, smoothed over some samples."""
        ground = self._ground
        wide = [
            Knots.with_spacing(
                own.count,
                reach / own.distance,
                own.wrap,
                (axis[0] / self._axes.step + own.first) / own.distance,
            )
            for own, axis in ((ground.rows, self._axes.y), (ground.columns, self._axes.x))
        ]
        return Spline.smoothing(wide[0], wide[1], knots).at_samples()
