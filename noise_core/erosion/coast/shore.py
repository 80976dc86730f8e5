# SPDX-License-Identifier: GPL-3.0-or-later
"""A shore on the coarse samples on which waves are worked out, the same at every resolution of a land."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...rasters import boxes, pyramid
from ...rasters.level import Level
from ...stages.description import Part
from . import waves as sea_waves

COARSEST = 128
"""Samples along the shorter side, to 255: bays of a hundredth of the width are seen."""

BEYOND = 32
"""Samples beyond each border that waves cross, if the fetch is as long."""

BAND = 1.5
"""Half the width of the band along the shore that counts, in samples."""

_FAR, _NARROWEST = 1.6, 1.2
"""Deviations of weights, in retreats and in samples: three boxes reach three of these, and waves cut not quite
five retreats inland."""

_TINY = np.float32(1e-6)


@dataclass(frozen=True)
class Shore:
    """Measures of a shore on coarse samples.

    Attributes
    ----------
    level : Level
    distance : ndarray of level.shape, float32
        From the shore, in meters; negative at sea.
    depth : ndarray of level.shape, float32
        Of the water, in meters; 0 on land.
    """

    level: Level
    distance: Field
    depth: Field

    @classmethod
    def on(cls, height: Part, distance: Part, sea: float) -> Shore:
        """Return the shore of a land.

        Parameters
        ----------
        height, distance : Part
            On coarse samples: in meters, and from the shore likewise.
        sea : float
            Level, in meters.
        """
        depth = np.maximum(np.float32(sea) - height.values, np.float32(0.0))
        return cls(height.level, distance.values, depth)

    @property
    def step(self) -> float:
        """The longer distance of samples, in meters."""
        return step_of(self.level)

    @property
    def water(self) -> Field:
        """Share of water at each sample, from 0 to 1."""
        share = self.distance * np.float32(-1.0 / self.step)
        share += np.float32(0.5)
        return np.clip(share, np.float32(0.0), np.float32(1.0), out=share)

    @property
    def band(self) -> Field:
        """1 at the shore, falling to 0 at a sample and a half on both sides of it."""
        band = np.abs(self.distance)
        band *= np.float32(-1.0 / (BAND * self.step))
        band += np.float32(1.0)
        return np.maximum(band, np.float32(0.0), out=band)

    def force(self, waves: sea_waves.Waves, width: float) -> Field:
        """Return the force of waves at the nearest shore, 1 at an open and straight one, 0 far from all.

        Parameters
        ----------
        waves : Waves
        width : float
            The retreat of an open coast, in meters.
        """
        water = self.water
        force = waves.force(water, self.level)
        force = self.spread(force, width, water)
        bend = sea_waves.focus(water, self.level, 2.0 * max(width, self.step))
        force *= self.spread(bend, width)
        return force

    def spread(self, values: Field, width: float, where: Field | None = None) -> Field:
        """Return values at the nearest shore; 0 far from all.

        Parameters
        ----------
        values : ndarray of level.shape, float32
        width : float
            The retreat of an open coast, in meters.
        where : ndarray of level.shape, float32, optional
            Share of the places along the shore that count.
        """
        band = self.band
        if where is not None:
            band *= where
        far = max(_FAR * width, _NARROWEST * self.step)
        return sea_waves.spread(values, band, self.level, self.margin(width), far)

    def margin(self, width: float) -> float:
        """Return a width in meters that is no less than samples can show."""
        return max(width, _NARROWEST * self.step)

    def slope(self, width: float) -> Field:
        """Return the mean slope of the sea floor before the nearest shore, rise over run.

        Parameters
        ----------
        width : float
            The retreat of an open coast, in meters: up to there the floor counts.
        """
        near = self.distance * np.float32(-1.0)
        where = np.maximum(near, np.float32(0.0))
        where *= np.float32(1.0 / max(width, 2.0 * self.step))
        where *= np.maximum(np.float32(1.0) - where, np.float32(0.0))
        reach = self.margin(width)
        depth = boxes.blur(self.depth * where, self.level, reach)
        near *= where
        depth /= np.maximum(boxes.blur(near, self.level, reach), _TINY)
        return depth


def step_of(level: Level) -> float:
    """Return the longer distance of samples in meters; a single row or column has none."""
    sides = ((level.step_x, level.columns), (level.step_y, level.rows))
    return max((step for step, count in sides if count > 1), default=level.step_x)


def levels_of(level: Level) -> list[Level]:
    """Return the levels from a terrain's own to that of waves, finest first."""
    return level.pyramid(COARSEST)


def refine(part: Part, target: Level) -> Field:
    """Return a field of coarse samples on the finest ones, at least 0."""
    if part.level.whole_shape == target.whole_shape:
        return part.values.copy()
    return pyramid.prolong(part.values, part.level, target, (0.0, math.inf))
