# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain shapes from -1 to 1: ramps, hills, islands."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Coordinates, Field, Points
from ..base.elementary import cosine_sine_of
from ..base.grid import Axes
from ..base.params import choice, number, vector
from ..base.plans import open_plan
from ..base.torus import closed_wave, laps_of, multiply, nearest_images
from ..lattice import fades
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.plans import RowPlan
    from ..base.torus import Torus


@noise_type("gradient", "Gradient", family="shape")
class Gradient(Noise):
    """Rises from -1 outside to 1 inside: a ramp, a round hill or an island.

    Notes
    -----
    Only x and y count; along further axes the shape stays the same.

    On a wrapping grid the distance to the center is that to its nearest image. A ramp climbs over
    one half of the way round and falls over the other, at the angle nearest to the asked one
    that closes.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Gradient
    >>> island = Gradient(shape="radial", radius=0.5, falloff=0.5, fade="linear")
    >>> print(island.sample_grid(Grid(3, 5)).round(2))
    [[-1.   -1.   -1.   -1.   -1.  ]
     [-1.   -0.41  0.   -0.41 -1.  ]
     [-1.    0.    1.    0.   -1.  ]]

    A ramp that climbs towards 90 degrees from the x axis, northward:

    >>> north = Gradient(shape="linear", angle=90.0, falloff=1.0, fade="linear")
    >>> print(north.sample_grid(Grid(5, 5))[:, 0].round(2))
    [-1.  -0.5  0.   0.5  1. ]
    """

    has_seed = False
    is_arithmetic = True

    shape: str = choice(
        "radial",
        help="Shape of the gradient",
        options={
            "linear": "A ramp through the center",
            "radial": "A round hill",
            "edges": "A plateau that falls off towards four edges",
        },
    )
    center: tuple[float, ...] = vector(
        (0.5, 0.5), help="Center of the shape, in tiles", minimum=-1000.0, maximum=1000.0
    )
    angle: float = number(
        0.0,
        help="Direction of the ramp's rise, in degrees from the X axis",
        minimum=-360.0,
        maximum=360.0,
        soft_minimum=-180.0,
        soft_maximum=180.0,
        unit="angle",
        visible_when=("shape", ("linear",)),
    )
    radius: float = number(
        0.5,
        help="Radius of the hill in tiles, where -1 is reached",
        minimum=0.001,
        maximum=100.0,
        soft_maximum=2.0,
        visible_when=("shape", ("radial",)),
    )
    extent: tuple[float, ...] = vector(
        (1.0, 1.0),
        help="Width and depth between the edges in tiles, where -1 is reached",
        minimum=0.001,
        maximum=100.0,
        visible_when=("shape", ("edges",)),
    )
    falloff: float = number(
        0.5,
        help="Distance of the rise in tiles; 0 makes a cliff",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.0,
    )
    fade: str = choice(
        "cubic",
        help="Profile of the rise",
        options={
            "linear": "Evenly, with a kink at both ends",
            "cubic": "Smoothly",
            "quintic": "Smoothly in the shading too",
        },
        advanced=True,
        visible_when=("falloff", 0.0),
    )

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        field = _SHAPES[self.shape](self, points, torus)
        field *= np.float32(2.0)
        field -= np.float32(1.0)
        return field

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: from one coordinate per row and per column."""
        return open_plan(lambda points: self.values(points, seed, axes.torus), axes)

    def _linear(self, points: Points, torus: Torus | None) -> Field:
        direction = cosine_sine_of(self.angle)
        offset = _offsets(points, self.center)
        if torus is not None:
            return self._triangle(offset, direction, torus)
        along = _sum([multiply(axis, part) for axis, part in zip(offset, direction)])
        return self._fade(along.astype(np.float32) + np.float32(self.falloff / 2.0))

    def _triangle(self, offset: Points, direction: tuple[float, float], torus: Torus) -> Field:
        """Return the ramp that rises and falls again over one period."""
        waves, length = closed_wave(direction, torus)
        along = _sum([multiply(axis, part) for axis, part in zip(offset, waves)])
        along -= along.dtype.type(0.25)
        along -= np.rint(along)
        distance = np.abs(along.astype(np.float32))
        # Twice as steep as a ramp that need not come back, so that it gets as high.
        distance *= np.float32(-2.0 * length)
        distance += np.float32(0.5 * length + self.falloff / 2.0)
        return self._fade(distance)

    def _radial(self, points: Points, torus: Torus | None) -> Field:
        offset = _offsets(points, self.center)
        images: list[Points] = [offset] if torus is None else nearest_images(offset, torus)
        squares = [_square(image) for image in images]
        nearest = functools.reduce(np.minimum, squares)
        return self._fade(np.float32(self.radius) - np.sqrt(nearest))

    def _edges(self, points: Points, torus: Torus | None) -> Field:
        offset = _offsets(points, self.center)
        if torus is not None:
            # Along the sides of the period, so that the plateau closes on a turned one too.
            offset = tuple(
                multiply(axis, math.hypot(*side))
                for axis, side in zip(laps_of(offset, torus), zip(*torus.periods))
            )
        parts = [
            self._fade(np.float32(extent / 2.0) - np.abs(axis.astype(np.float32)))
            for axis, extent in zip(offset, self.extent)
        ]
        return parts[0] * parts[1] if len(parts) == 2 else parts[0]

    def _fade(self, inside: Field) -> Field:
        """Return 0 outside and 1 deep inside, from the distance to the outer edge."""
        if self.falloff < _CLIFF:
            return (inside > np.float32(self.falloff / 2.0)).astype(np.float32)
        inside = inside * np.float32(1.0 / self.falloff)
        return fades.FADES[self.fade](np.clip(inside, np.float32(0.0), np.float32(1.0)))


_CLIFF = 1e-6
"""A falloff in tiles below which there is nothing between 0 and 1."""

_SHAPES = {"linear": Gradient._linear, "radial": Gradient._radial, "edges": Gradient._edges}


def _offsets(points: Points, center: tuple[float, ...]) -> Points:
    """Return x and y relative to the center; points on a line lie at its height."""
    return tuple(axis - axis.dtype.type(middle) for axis, middle in zip(points[:2], center))


def _sum(parts: list[Coordinates]) -> Coordinates:
    """Return a new array with the sum."""
    total: Coordinates = parts[0] + parts[1] if len(parts) == 2 else parts[0].copy()
    return total


def _square(offset: Points) -> Field:
    """Return the squared length of an offset."""
    total: Field = functools.reduce(np.add, [np.square(axis.astype(np.float32)) for axis in offset])
    return total
