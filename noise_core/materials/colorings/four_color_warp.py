# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoke in four colors, from a noise that is warped twice by copies of it."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field, Points
from ...base.grid import Axes
from ...base.params import noise, number, vector
from ...domain_warp import reach
from ...lattice.hash import child_seed
from ...noises.fractal import Fractal
from ...noises.value import Value
from ...types.coloring import Coloring, Rows, coloring_type, mix_colors
from ...types.noise import Noise

TEAL = (0.101961, 0.619608, 0.666667)
SAND = (0.666667, 0.666667, 0.498039)
NIGHT = (0.0, 0.0, 0.164706)
FOAM = (0.666667, 1.0, 1.0)
"""The four colors, in linear light as the source has them."""

Colors = tuple[tuple[float, ...], ...]
"""Low, high, bend and fold color."""


def _color(default: tuple[float, ...], where: str) -> tuple[float, ...]:
    """Declare one of the four colors."""
    return vector(default, help=f"Color {where}", minimum=0.0, maximum=1.0, unit="color")


@coloring_type("four_color_warp", "Four-Color Warp")
class FourColorWarp(Coloring):
    """Swirling smoke in four colors: teal, sand, night and foam unless others are chosen.

    Notes
    -----
    All noises are taken from [-1, 1] to [0, 1]. With s the strength in tiles, q two copies of the
    noise at p, r two more at p + s q, and f the noise itself at p + s r, the color is

        mix(low, high, min(4 f^2, 1)), of that mix(., bend, min(|q|, 1)),
        of that mix(., fold, min(|r.x|, 1)), times f^3 + 0.6 f^2 + 0.5 f

    Further coordinates (the evolution of a moving picture) are multiplied by the speed.

    References
    ----------
    Inigo Quilez (2002). Domain warping. https://iquilezles.org/articles/warp/
    Patricio Gonzalez Vivo, Jen Lowe (2015). The book of shaders, chapter 13.
    """

    source: Noise = noise(
        lambda: Fractal(source=Value(frequency=3.0, fade="cubic"), octaves=5.0),
        help="The noise that is bent, and that bends itself",
    )
    strength: float = number(
        1.0 / 3.0,
        help="How far a noise of 1 moves a point, in tiles",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=1.0,
    )
    low_color: tuple[float, ...] = _color(TEAL, "where the noise is low")
    high_color: tuple[float, ...] = _color(SAND, "where the noise is high")
    bend_color: tuple[float, ...] = _color(NIGHT, "where the first bend is far")
    fold_color: tuple[float, ...] = _color(FOAM, "where the second bend is far along x")
    speed: float = number(
        1.0,
        help="How fast a moving picture changes: its evolution is multiplied by this; 0 stands still",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=4.0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        reach.check_reach(self.strength, self.source, "FourColorWarp.strength")

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        axes = dataclasses.replace(axes, rest=tuple(place * self.speed for place in axes.rest))
        self.source.check_axes(axes, "FourColorWarp.speed")
        colors = (self.low_color, self.high_color, self.bend_color, self.fold_color)
        seeds = [child_seed(seed, 1 + copy) for copy in range(4)]
        # The first bend lies on the grid, where the noise has a faster way.
        plans = [self.source.plan(axes, own) for own in seeds[:2]]

        def rows(start: int, stop: int) -> Field:
            q = [np.empty((stop - start, len(axes.x)), np.float32) for _ in plans]
            for plan, out in zip(plans, q):
                plan(start, stop, out)
            points = axes.points(start, stop)
            q = [_to_unit(field) for field in q]
            r = self.source.sample_seeds(self._move_points(points, q), seeds[2:], axes.torus)
            r = [_to_unit(field) for field in r]
            f = _to_unit(self.source.values(self._move_points(points, r), seed, axes.torus))
            return warp_colors(f, q, r, colors)

        return rows

    def _move_points(self, points: Points, by: list[Field]) -> Points:
        strength = np.float32(self.strength)
        return (points[0] + by[0] * strength, points[1] + by[1] * strength, *points[2:])


def warp_colors(f: Field, q: list[Field], r: list[Field], colors: Colors) -> Field:
    """Return the colors of the formula, shape (3, rows, columns).

    Parameters
    ----------
    f : ndarray of shape (rows, columns), float32
    q, r : lists of two such arrays
    colors : four colors
    """
    low, high, bend, fold = map(_plane, colors)
    square = f * f
    color = mix_colors(low, high, np.minimum(square * np.float32(4.0), 1.0))
    length = np.sqrt(q[0] * q[0] + q[1] * q[1])
    color = mix_colors(color, bend, np.minimum(length, np.float32(1.0)))
    color = mix_colors(color, fold, np.minimum(np.abs(r[0]), np.float32(1.0)))
    color *= square * f + square * np.float32(0.6) + f * np.float32(0.5)
    return color


def _plane(color: tuple[float, ...]) -> npt.NDArray[np.float32]:
    return np.array(color, np.float32).reshape(3, 1, 1)


def _to_unit(field: Field) -> Field:
    """Return values of [-1, 1] in [0, 1], in place."""
    field *= np.float32(0.5)
    field += np.float32(0.5)
    return field
