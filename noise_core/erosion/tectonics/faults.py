# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults across plates: scarps whose throw is largest in the middle and dies out at both tips.

References
----------
J. J. Walsh, J. Watterson (1988). Analysis of the relationship between displacements and dimensions of faults.
Journal of Structural Geology 10. (throw along strike)
G. C. P. King, R. S. Stein, J. B. Rundle (1988). The growth of geological structures by repeated earthquakes 1.
Conceptual framework. Journal of Geophysical Research 93. (the foot wall rises less than the hanging wall sinks)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import cosine_sine_of
from .scatter import ScatteredPoint
from .segments import scarp

JITTER = 1.0
CHANCES = 4
"""Numbers of chance that a fault has: for its strike, length, throw, and which side sinks."""

_TURN = 28.0
"""Degrees to either side by which strikes differ."""

_FOOT = 0.25
"""Share of the throw by which the foot wall rises; the hanging wall sinks by the rest (King and others 1988)."""

_REACH = 0.35
"""How far from the fault the land is bent, in its length."""

_LIKE = 0.4
"""Faults whose chance is below this fall to the same side: blocks of a system tilt alike."""


@dataclass(frozen=True)
class Fault:
    """A normal fault.

    Attributes
    ----------
    x, y : float
        Of its middle, in meters.
    normal : tuple of two floats
        Where the land sinks, at length 1.
    length : float
        From tip to tip, in meters.
    throw : float
        In its middle, in meters, above 0.
    """

    x: float
    y: float
    normal: tuple[float, float]
    length: float
    throw: float

    @classmethod
    def of(cls, point: ScatteredPoint, drift: float, cell: float, throw: float) -> Fault:
        """Return the fault of a point.

        Parameters
        ----------
        point : ScatteredPoint
        drift : float
            The direction in which the land is stretched, across most faults, in degrees.
        cell : float
            Distance of faults, in meters.
        throw : float
            Of the largest ones, in meters.
        """
        turn, long, size, side = point.chance
        cosine, sine = cosine_sine_of(drift + _TURN * turn)
        if side > _LIKE:
            cosine, sine = -cosine, -sine
        share = 0.5 + 0.5 * size
        length = cell * (1.6 + 0.6 * long)
        return cls(point.x, point.y, (cosine, sine), length, throw * (0.15 + 0.85 * share * share))

    @property
    def reach(self) -> float:
        """How far the land is bent to either side, in meters."""
        return _REACH * self.length

    @property
    def extent(self) -> float:
        """Distance from its middle beyond which nothing happens, in meters."""
        return math.hypot(0.5 * self.length, self.reach)

    def rise(self, x: Field, y: Field) -> Field:
        """Return how far the land rises, in meters, at places from the middle of the fault."""
        (east, north), one = self.normal, np.float32(1.0)
        across = x * np.float32(east)
        across += y * np.float32(north)
        along = y * np.float32(2.0 * east / self.length)
        along -= x * np.float32(2.0 * north / self.length)
        along *= along
        throw = np.maximum(one - along, np.float32(0.0))
        throw *= np.float32(self.throw)
        near: Field = np.abs(across)
        near *= np.float32(-1.0 / self.reach)
        near += one
        np.maximum(near, np.float32(0.0), out=near)
        near *= near
        near *= throw
        near *= np.float32(_FOOT) - scarp(across, self.throw)
        return near


def add_faults(faults: Iterable[Fault], x: Field, y: Field, rise: Field) -> None:
    """Add what faults do to some rows of a land.

    Parameters
    ----------
    x, y : ndarray of shape (rows, columns), float32
        Places, in meters; x rises along rows, but for small bends.
    rise : ndarray of that shape, float32
        Added to.
    """
    left, right = x.min(axis=0), x.max(axis=0)
    low, high = float(y.min()), float(y.max())
    for fault in faults:
        extent = fault.extent
        if fault.y + extent < low or fault.y - extent > high:
            continue
        inside = np.flatnonzero((right > fault.x - extent) & (left < fault.x + extent))
        if not inside.size:
            continue
        blocks.checkpoint()
        part = np.s_[:, inside[0] : inside[-1] + 1]
        rise[part] += fault.rise(x[part] - np.float32(fault.x), y[part] - np.float32(fault.y))
