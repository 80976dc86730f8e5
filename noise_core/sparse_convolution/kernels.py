# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels of sparse convolution: bells, alone, curved, or with a wave in them.

A bell is (1 - s^2)^4 along each axis, s the distance over the radius: near to a Gaussian, so that the
product over all axes is nearly round, but it ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base import waves
from ..base.arrays import Field, Hash
from .impulses import Marks

HALF_WIDTH = 0.6045
"""Waves per radius at which the spectrum of a bell has half its height."""

_TURN = np.float32(2.0 * math.pi)

_PHASE_STEP = np.float32(2.0**-20)
"""Phases have 20 random bits, directions the other 12."""

DIRECTIONS = 1 << 12


def bell(distance: Field, radius: int, order: int = 0) -> Field:
    """Return a bell at distances in cells, or a derivative of it up to the third."""
    scale = np.float32(1.0 / radius)
    s = distance * scale
    remainder = s * s
    np.subtract(np.float32(1.0), remainder, out=remainder)
    np.maximum(remainder, np.float32(0.0), out=remainder)
    square = remainder * remainder
    if order == 0:
        square *= square
        return square
    if order == 1:  # -8 s t^3, with t = 1 - s^2
        s *= square
        s *= remainder
        s *= np.float32(-8.0) * scale
        return s
    if order == 2:  # 48 s^2 t^2 - 8 t^3
        s *= s
        s *= np.float32(48.0)
        s -= np.float32(8.0) * remainder
        s *= square
        s *= scale * scale
        return s
    bent = s * s  # 144 s t^2 - 192 s^3 t
    bent *= np.float32(-192.0)
    bent += np.float32(144.0) * remainder
    bent *= s
    bent *= remainder
    bent *= scale * scale * scale
    return bent


_ENERGY, _CURVED_ENERGY, _MIXED_ENERGY = 0.5990767402532091, 39.28231768231808, -2.909801309801267
"""Integrals of b^2, b''^2 and b b'' for a bell b of radius 1."""


def wave_deviation(radius: int, dimension: int) -> float:
    """Return the standard deviation of a sum of waves under bells, one in each cell."""
    return math.sqrt(0.5 * (radius * _ENERGY) ** dimension)


def blob_deviation(kind: str, radius: int, dimension: int) -> float:
    """Return the standard deviation of a sum of bells or hats with heights in [-1, 1), one in each cell."""
    energy = (radius * _ENERGY) ** dimension
    if kind == "hat":
        # Each of d curvatures with itself, and any two of them.
        own = dimension * _CURVED_ENERGY * _ENERGY ** (dimension - 1)
        mixed = dimension * (dimension - 1) * _MIXED_ENERGY**2 * _ENERGY ** (dimension - 2)
        energy = (own + mixed) * float(radius) ** (dimension - 4)
    return math.sqrt(energy / 3.0)


@dataclass(frozen=True, eq=False)
class WaveKernel:
    """A bell with a plane wave of random phase in it, as Gabor's: its cosine, and with a second field its sine.

    Parameters
    ----------
    radius : int
    fields : int
        1 or 2.
    waves : tuple of arrays of shape (DIRECTIONS,), float32
        The wave vectors to choose from, in turns per cell, axis by axis.
    height : float
    """

    radius: int
    fields: int
    waves: tuple[Field, ...]
    height: float

    def marks(self, bits: Hash) -> tuple[Field, ...]:
        """See `Kernel.marks`: the phase in turns, then the wave vector."""
        chosen = (bits & np.uint32(DIRECTIONS - 1)).astype(np.intp)
        phase = (bits >> np.uint32(12)).astype(np.float32) * _PHASE_STEP
        return (phase, *(axis.take(chosen) for axis in self.waves))

    def columns(self, distances: Sequence[Field], marks: Marks, by: int | None) -> list[Field]:
        """See `Kernel.columns`: cosine and sine under the bells of all axes but y."""
        axes = [0, *range(2, len(marks) - 1)]
        turns = marks[0]
        height = None
        for axis, distance in zip(axes, distances):
            turns = turns + marks[1 + axis] * distance
            part = bell(distance, self.radius)
            height = part if height is None else height * part
        assert height is not None
        cosine, sine = waves.cosine_sine(turns)
        if by is None or by == 1:
            return [height * cosine, height * sine]
        steep = bell(distances[axes.index(by)], self.radius, 1)
        for axis, distance in zip(axes, distances):
            if axis != by:
                steep = steep * bell(distance, self.radius)
        height = height * (_TURN * marks[1 + by])
        return [steep * cosine - height * sine, steep * sine + height * cosine]

    def rows(self, distance: Field, marks: Marks, by: int | None) -> list[list[Field]]:
        """See `Kernel.rows`: cos(a + b) and sin(a + b), of which the columns are cos a and sin a."""
        cosine, sine = waves.cosine_sine(marks[2] * distance)
        height = bell(distance, self.radius) * np.float32(self.height)
        if by == 1:
            steep = bell(distance, self.radius, 1) * np.float32(self.height)
            height *= _TURN * marks[2]
            cosine, sine = steep * cosine - height * sine, steep * sine + height * cosine
        else:
            cosine *= height
            sine *= height
        return [[cosine, -sine], [sine, cosine]][: self.fields]


@dataclass(frozen=True, eq=False)
class BellKernel:
    """A bell of random height, or the curvature of one: a hat with a brim below zero.

    Parameters
    ----------
    radius : int
    is_hat : bool
    height : float
        Of the highest.
    """

    radius: int
    is_hat: bool
    height: float
    fields: int = 1

    def marks(self, bits: Hash) -> tuple[Field, ...]:
        """See `Kernel.marks`: the height."""
        signed = (bits.view(np.int32) >> np.int32(8)).astype(np.float32)
        return (signed * np.float32(self.height * 2.0**-23),)

    def columns(self, distances: Sequence[Field], marks: Marks, by: int | None) -> list[Field]:
        """See `Kernel.columns`."""
        axes = [0, *range(2, len(distances) + 1)]

        def product(bent: int | None) -> Field:
            field = marks[0]
            for axis, distance in zip(axes, distances):
                order = 2 * (axis == bent) + (axis == by)
                field = field * bell(distance, self.radius, order)
            return field

        plain = product(None)
        if not self.is_hat:
            return [plain]
        curved = product(axes[0])
        for axis in axes[1:]:
            curved = curved + product(axis)
        return [curved, plain]

    def rows(self, distance: Field, marks: Marks, by: int | None) -> list[list[Field]]:
        """See `Kernel.rows`."""
        order = int(by == 1)
        plain = bell(distance, self.radius, order)
        return [[-plain, -bell(distance, self.radius, order + 2)] if self.is_hat else [plain]]
