# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoke in four colors, from a noise or a picture that is warped twice by copies of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ... import domain_warp
from ...base.arrays import Field, Points
from ...base.errors import ParameterError
from ...base.grid import Axes
from ...base.params import choice, noise, number, vector
from ...lattice import seed_shifts
from ...noises.bases import moved_noise
from ...noises.bases.noise import Noise
from ...noises.fractal import Fractal
from ...noises.value import Value
from ...noises.warp import COPIES
from .bases.coloring import SRGB, Coloring, Rows, coloring_type, mix_colors

if TYPE_CHECKING:
    from ...base.torus import Torus

TEAL = (0.101961, 0.619608, 0.666667)
SAND = (0.666667, 0.666667, 0.498039)
NIGHT = (0.0, 0.0, 0.164706)
FOAM = (0.666667, 1.0, 1.0)
"""The four colors: display values, as the source has them."""

Colors = tuple[tuple[float, ...], ...]
"""Low, high, bend and fold color."""

Copy = tuple[Noise, int]
"""A noise and its seed."""

_FARTHEST = 1000.0
"""Tiles that a copy may be moved aside."""


def _color(default: tuple[float, ...], where: str) -> tuple[float, ...]:
    """Declare one of the four colors."""
    return vector(default, help=f"Color {where}", minimum=0.0, maximum=1.0, unit="display_color")


@coloring_type("four_color_warp", "Four-Color Warp")
class FourColorWarp(Coloring):
    """Swirling smoke in four colors.

    Notes
    -----
    All noises are taken from [-1, 1] to [0, 1]. With s the strength in tiles, q two copies of the
    noise at p, r two more at p + s q, and f the noise itself at p + s r, the display value is

        mix(low, high, min(4 f^2, 1)), of that mix(., bend, min(|q|, 1)),
        of that mix(., fold, min(|r.x|, 1)), times f^3 + 0.6 f^2 + 0.5 f

    Further coordinates (the evolution of a moving picture) are multiplied by the speed.

    A stored picture is the same for every seed and never evolves, so its copies are moved aside: with t
    the evolution times the speed, by s (1, 1) for q.y, s (1.7 + 0.15 t, 9.2 + 0.15 t) for r.x and
    s (8.3 + 0.126 t, 2.8 + 0.126 t) for r.y, and the picture itself by the seed, but for seed 0. These are
    the numbers of the Book of Shaders, whose unit is as far as a noise of 1 moves a point. A noise does
    the same, in the plane and with one seed, where its copies are shifts.

    References
    ----------
    Inigo Quilez (2002). Domain warping. https://iquilezles.org/articles/warp/
    Patricio Gonzalez Vivo, Jen Lowe (2015). The book of shaders, chapter 13.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import FourColorWarp
    >>> FourColorWarp().paint(Grid(64, 64), seed=2).shape
    (64, 64, 3)
    """

    space = SRGB

    source: Noise = noise(
        lambda: Fractal(source=Value(frequency=3.0, fade="cubic"), octaves=5.0),
        help="The noise that is bent, and that bends itself",
    )
    copies: str = choice(
        "seeds",
        help="Displacement copies; those of an image always shift it",
        options=COPIES,
        classic=("shifts",),
        advanced=True,
    )
    strength: float = number(
        1.0 / 3.0,
        help="Distance that a noise of 1 moves a point, in tiles",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=1.0,
    )
    low_color: tuple[float, ...] = _color(TEAL, "where the noise is low")
    high_color: tuple[float, ...] = _color(SAND, "where the noise is high")
    bend_color: tuple[float, ...] = _color(NIGHT, "of strong first bends")
    fold_color: tuple[float, ...] = _color(FOAM, "of strong second bends along X")
    speed: float = number(
        1.0,
        help="Speed of the animation; 0 stands still",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=4.0,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        domain_warp.reach.check_reach(self.strength, self.source, "FourColorWarp.strength")

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        axes = dataclasses.replace(axes, rest=tuple(place * self.speed for place in axes.rest))
        if self.copies == "shifts" or self.source.has_picture:
            copies = self._moved_copies(seed, axes.rest)
            axes = dataclasses.replace(axes, rest=())
        else:
            copies = self._seeded_copies(seed)
        self.source.check_axes(axes, "FourColorWarp.speed")
        colors = (self.low_color, self.high_color, self.bend_color, self.fold_color)
        # The first bend lies on the grid, where the noise has a faster way.
        plans = [noise.plan(axes, own) for noise, own in copies[:2]]

        def rows(start: int, stop: int) -> Field:
            q = [np.empty((stop - start, len(axes.x)), np.float32) for _ in plans]
            for plan, out in zip(plans, q):
                plan(start, stop, out)
            points = axes.points(start, stop)
            q = [_to_unit(field) for field in q]
            r = _sample(copies[2:4], self._move_points(points, q), axes.torus)
            r = [_to_unit(field) for field in r]
            (f,) = _sample(copies[4:], self._move_points(points, r), axes.torus)
            return warp_colors(_to_unit(f), q, r, colors)

        return rows

    def _seeded_copies(self, seed: int) -> list[Copy]:
        """Return q.x, q.y, r.x, r.y and f, with seeds of their own; both of a level lie in one place."""
        copies: list[Copy] = []
        for level in (0, 1):
            shift = seed_shifts.seed_shift(seed, level, self.source.seed_span)
            noise = moved_noise.MovedNoise.wrap(self.source, shift)
            first = 1 + 2 * level
            copies += [(noise, seed_shifts.copy_seed(seed, first + axis)) for axis in (0, 1)]
        return [*copies, (self.source, seed)]

    def _moved_copies(self, seed: int, time: Sequence[float]) -> list[Copy]:
        """Return q.x, q.y, r.x, r.y and f as one noise at different places."""
        shifts = [
            domain_warp.moved_copies.copy_shift(level, axis, self.strength, time)
            for level in (0, 1)
            for axis in (0, 1)
        ]
        own = (
            domain_warp.moved_copies.picture_shift(seed) if self.source.has_picture else (0.0, 0.0)
        )
        copies: list[Copy] = []
        for x, y in [*shifts, (0.0, 0.0)]:
            farthest = max(abs(own[0] + x), abs(own[1] + y))
            if farthest > _FARTHEST:
                raise ParameterError(
                    "FourColorWarp.speed must move the noise by at most {:g} tiles",
                    _FARTHEST,
                    got=f"{farthest:g}",
                )
            offset = (own[0] + x, own[1] + y, 0.0, 0.0)
            copies.append((moved_noise.MovedNoise.wrap(self.source, offset), seed))
        return copies

    def _move_points(self, points: Points, by: list[Field]) -> Points:
        strength = np.float32(self.strength)
        return (points[0] + by[0] * strength, points[1] + by[1] * strength, *points[2:])


def _sample(copies: Sequence[Copy], points: Points, torus: Torus | None) -> list[Field]:
    """Return copies at points; those of one noise share all work that does not depend on the seed."""
    first = copies[0][0]
    if len(copies) > 1 and all(noise is first for noise, _ in copies):
        return first.sample_seeds(points, [seed for _, seed in copies], torus)
    return [noise.values(points, seed, torus) for noise, seed in copies]


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
