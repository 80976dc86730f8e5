# SPDX-License-Identifier: GPL-3.0-or-later
"""Shape of a crater: bowl, rim and ejecta, fresh and worn.

The radius is that of the rim's crest. Within it the height above the ground before is a parabola of
the squared distance; outside it is the rim's, times a cover that falls as the third power of the
distance. The cover is also the share of the older ground that is gone.

References
----------
Pike (1977). Size-dependence in the shape of fresh impact craters on the Moon. (a depth of a fifth
    of the diameter, a rim of 0.04 of it)
McGetchin, Settle, Head (1973). Radial thickness variation in impact crater ejecta. (the third power)
Fassett, Thomson (2014). Crater degradation on the lunar maria. (wear by diffusion)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Field
from .population import LARGEST_RADIUS, Impacts, Numbers, age_of

RIM = 0.2
"""Height of a fresh rim above the ground, over the depth from rim to floor: 0.04 / 0.2 of the diameter."""

FRESH_BEND, WORN_BEND = 0.25, 1.0
"""Bend of the wall: with 0.25 it is steepest near the crest, 31 degrees at a true depth of a fifth;
with 1 it rounds off into the crest."""

FLOOR = 0.45
"""Share of the depth that the flattest floors fill, after complex craters of the Moon."""

PEAK, PEAK_RADIUS = 0.3, 0.3
"""Height of a central peak over the depth, and its radius over the crater's."""

_SIMPLE = 0.5
"""Craters up to this size, over that of the largest, are plain bowls."""

END = 2.2
"""Radius at which ejecta end, where they would have an 11th of the rim's height, if the outline is a circle."""

ELLIPSE, TRIANGLE = 0.1, 0.045
"""Largest share by which the squared distance differs from a circle's: that of an ellipse everywhere, that of
a triangle per radius from the center. The ejecta of the least round crater end just within `REACH`."""

_COVER_SHIFT = np.float32(math.ceil(4096.0 / (END**3 - 1.0)) / 4096.0)
_COVER_SCALE = np.float32(1.0) + _COVER_SHIFT
"""Make the cover exactly 1 at the rim, and 0 from where the ejecta end: of few digits, so that 1 and the
shift add up without rounding."""

_ONE = np.float32(1.0)


OVER, SCALE, LEVEL, TILT_X, TILT_Y, BOTTOM, SLOPE, BEND = range(8)
"""Rows of what is known of each crater: one over its radius in cells; its depth when it was fresh; the
ground before the impact at the center, and its rise along x and y over one radius; and within the rim,
with u the squared distance over the radius, the height above that: ``bottom + slope u + bend u^2``."""

_FLOOR, _PEAK = 8, 9
"""Rows that only craters with floors have: lowest level of the floor, height of the central peak."""

_LOBES = slice(-4, None)
"""Rows that only craters that are no circles have: cosine and sine parts of an ellipse and of a triangle."""


@dataclass(frozen=True)
class CraterStyle:
    """Style that all craters of a noise share.

    Attributes
    ----------
    depth : float
        Of the largest fresh crater, from rim to floor.
    wear : float
        0 for craters as fresh as at first, 1 if the oldest are worn down to nothing.
    floors : float
        0 for plain bowls, 1 for the flattest floors and highest peaks in the largest craters.
    irregularity : float
        0 for circles, 1 for the least round outlines.
    """

    depth: float
    wear: float
    floors: float
    irregularity: float


@dataclass(frozen=True, eq=False)
class CraterShapes:
    """Coefficients of some craters of one class.

    Attributes
    ----------
    table : ndarray of shape (rows, n) or (rows,), float32
        See `OVER` and below.
    has_floors, has_lobes : bool
        Whether the table has these rows.
    """

    table: Field
    has_floors: bool
    has_lobes: bool

    def take(self, chosen: Numbers) -> CraterShapes:
        """Return the shapes of some craters."""
        return CraterShapes(self.table.take(chosen, axis=1), self.has_floors, self.has_lobes)

    def of(self, number: int) -> CraterShapes:
        """Return the shape of one crater, with numbers as its coefficients."""
        return CraterShapes(self.table[:, number], self.has_floors, self.has_lobes)

    def evaluate(self, x: Field, y: Field) -> tuple[Field, Field]:
        """Return the height of craters, with the planes that they lie in, and their cover.

        Parameters
        ----------
        x, y : ndarray, float32
            From the center, in radii; broadcasting with each other and with the coefficients.

        Returns
        -------
        height, cover : ndarray, float32
            The height outside the rim is that of the rim: it counts by the cover only.
        """
        u = self._squared_distances(x, y)
        bowl = np.minimum(u, _ONE)
        height = bowl * self.table[BEND]
        height += self.table[SLOPE]
        height *= bowl
        if self.has_floors:
            height += self.table[BOTTOM]
            np.maximum(height, self.table[_FLOOR], out=height)
            bowl *= np.float32(-1.0 / PEAK_RADIUS**2)
            bowl += _ONE
            np.maximum(bowl, np.float32(0.0), out=bowl)
            bowl *= bowl
            bowl *= self.table[_PEAK]
            height += bowl
            height += self.table[LEVEL] + self.table[TILT_X] * x
        else:
            height += (self.table[LEVEL] + self.table[BOTTOM]) + self.table[TILT_X] * x
        height += self.table[TILT_Y] * y
        cover = np.maximum(u, _ONE, out=u)
        np.sqrt(cover, out=bowl)
        cover *= bowl
        np.divide(_COVER_SCALE, cover, out=cover)
        cover -= _COVER_SHIFT
        np.maximum(cover, np.float32(0.0), out=cover)
        return height, cover

    def _squared_distances(self, x: Field, y: Field) -> Field:
        """Return the squared distances of points over the radius, as the outlines count them."""
        if not self.has_lobes:
            return x * x + y * y
        cosine, sine, third, fourth = self.table[_LOBES]
        xx, yy = x * x, y * y
        # Terms of x and y alone are added last: they are few numbers in a window.
        u: Field = x * ((np.float32(3.0) * fourth) * y)
        u += (np.float32(2.0) * sine) * y - (np.float32(3.0) * third) * yy
        u *= x
        u += xx * (_ONE + cosine) + third * (xx * x)
        u += yy * (_ONE - cosine) - fourth * (yy * y)
        return u


def build_shapes(impacts: Impacts, number: int, style: CraterStyle) -> CraterShapes:
    """Return the shapes of craters of one class, on level ground.

    Parameters
    ----------
    impacts : Impacts
    number : int
        Of the class.
    style : CraterStyle
    """
    has_floors = style.floors > 0.0 and number == 0
    has_lobes = style.irregularity > 0.0
    rows = 8 + 2 * has_floors + 4 * has_lobes
    table = np.zeros((rows, impacts.radius.size), np.float32)
    np.divide(_ONE, impacts.radius, out=table[OVER])
    size = impacts.radius * np.float32(2.0**-number / LARGEST_RADIUS)
    table[SCALE] = size * np.float32(style.depth)
    worn = age_of(impacts.time) * np.float32(style.wear)
    unworn = _ONE - worn
    # A rim is sharper than its bowl, so diffusion takes it faster.
    deep = table[SCALE] * unworn * unworn
    wall = np.float32(FRESH_BEND) + np.float32(WORN_BEND - FRESH_BEND) * worn
    table[BOTTOM] = np.float32(RIM) * deep * unworn - deep
    table[SLOPE], table[BEND] = deep * (_ONE + wall), -deep * wall
    if has_floors:
        complexity = np.maximum(size - np.float32(_SIMPLE), np.float32(0.0))
        complexity *= np.float32(style.floors / (1.0 - _SIMPLE))
        table[_FLOOR] = table[BOTTOM] + np.float32(FLOOR) * complexity * deep
        table[_PEAK] = np.float32(PEAK) * complexity * deep
    if has_lobes:
        most = np.array([[ELLIPSE], [ELLIPSE], [TRIANGLE], [TRIANGLE]], np.float32)
        # Both parts at their largest make the root of two times either.
        table[_LOBES] = impacts.lobes * (most * np.float32(style.irregularity / math.sqrt(2.0)))
    return CraterShapes(table, has_floors, has_lobes)
