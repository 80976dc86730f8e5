# SPDX-License-Identifier: GPL-3.0-or-later
"""Octave of stripes along given directions, and the arrays for drawing them.

Every corner of a cell has its own phase. At a point each of the four corners around it stands
for a wave across the direction at that point, with the corner's phase at the corner; the waves are
faded into each other and brought to a common height. With n the unit vector across the direction,
d the way from a corner, w its weight and z = exp(i phase), this is Z = sum w z exp(2 pi i q d n).

All four corners lie half a cell from the middle along x and along y. So the sum comes from three
angles in place of four: one for the way from the middle and one for each axis, whose cosine and
sine, with either sign, serve the corners on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base.arrays import Field
from .octaves import WAVES_PER_CELL
from .trigonometry import constant, cosine_sine

HALF_WAVE = constant(0.5 * WAVES_PER_CELL)
WAVE = np.float32(WAVES_PER_CELL)

_FAINT = constant(0.08)
"""Square of the height from which waves are brought to about height 1: below, gullies end. Lower
values let them end so abruptly that it shows as pits and pimples."""

_FULL = constant(1.08)
"""The same for waves that are not faint at all."""

_ONE = constant(1.0)
_SIGN = np.array(0x80000000, np.uint32)

Corners = Sequence[Field]
"""What stands at two corners on one side of cells, z0 on the left and z1 on the right, each times its
weight along x, as real(z0 + z1), imag(z0 - z1), imag(z0 + z1), real(z0 - z1)."""


Filler = Callable[[int, "Stripes"], tuple[Sequence[Field], Field]]
"""Called with the number of an octave: fills `near` and `far` of the stripes, and returns `place` and
`weight` as `Stripes.waves` wants them. What it returns may be used again."""


def join_corners(left: Sequence[Field], right: Sequence[Field], out: Sequence[Field]) -> None:
    """Write `Corners` of weighted corners, given as real and imaginary part; `out` may be theirs."""
    (left_real, left_imag), (right_real, right_imag) = left, right
    np.add(left_real, right_real, out=out[0])
    np.subtract(left_imag, right_imag, out=out[1])
    np.add(left_imag, right_imag, out=out[2])
    np.subtract(left_real, right_real, out=out[3])


class Stripes:
    """The arrays for one block of points.

    Parameters
    ----------
    shape : tuple of int
        That of the block.

    Attributes
    ----------
    near, far : list of 4 ndarrays
        To be filled with the `Corners` at the lower and the higher y.
    cosine, sine, first, second : ndarrays
        Scratch memory, free between two calls.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        fields = np.empty((12, *shape), np.float32)
        self.near = list(fields[:4])
        self.far = list(fields[4:8])
        self.cosine, self.sine, self.first, self.second = fields[8:]

    def waves(
        self, across: Sequence[Field], place: Sequence[Field], weight: Field
    ) -> tuple[Field, Field]:
        """Return the real and the imaginary part of the sum of waves, in arrays that are reused.

        Parameters
        ----------
        across : two ndarrays
            The unit vector n in the lattice.
        place : two ndarrays
            Positions in the cell, from -1/2 to 1/2, times `WAVE`.
        weight : ndarray
            Of the corners at the higher y.
        """
        turns, scratch, cosine, sine = self.first, self.second, self.cosine, self.sine
        near, far = self.near, self.far
        np.multiply(across[0], HALF_WAVE, out=turns)
        cosine_sine(turns, cosine, sine, scratch)
        for corners, share in ((near, _ONE - weight), (far, weight)):
            _rotate_both_ways(corners, cosine, sine)
            corners[0] *= share
            corners[2] *= share
        np.multiply(across[1], HALF_WAVE, out=turns)
        cosine_sine(turns, cosine, sine, scratch)
        join_corners((near[0], near[2]), (far[0], far[2]), (near[1], scratch, near[3], turns))
        real, imag = near[1], near[3]
        _rotate_both_ways((real, scratch, imag, turns), cosine, sine)
        np.multiply(across[0], place[0], out=turns)
        np.multiply(across[1], place[1], out=scratch)
        turns += scratch
        cosine_sine(turns, cosine, sine, scratch)
        np.multiply(real, cosine, out=near[0])
        np.multiply(imag, sine, out=scratch)
        near[0] -= scratch
        real *= sine
        imag *= cosine
        imag += real
        return near[0], imag

    def normalize(self, real: Field, imag: Field) -> None:
        """Scale waves to height 1 where they are not too faint, in place; they stay within [-1, 1]."""
        factor, square = self.first, self.second
        np.multiply(real, real, out=factor)
        np.multiply(imag, imag, out=square)
        factor += square
        factor += _FAINT
        np.divide(_FULL, factor, out=factor)
        np.sqrt(factor, out=factor)
        real *= factor
        imag *= factor

    def turn_to_flanks(self, across: Sequence[Field], imag: Field, by: tuple[float, float]) -> None:
        """Rotate directions to the steepest ones of the stripes' flanks, in place.

        Parameters
        ----------
        across : two ndarrays
            Unit vectors across the slope, in tiles.
        imag : ndarray
            Result of `waves`.
        by : tuple of two floats
            Cosine and sine of the angle.
        """
        x, y = across
        aside, scratch = self.first, self.second
        cosine = constant(by[0])
        # np.copysign by hand: ten times as fast.
        np.bitwise_and(imag.view(np.uint32), _SIGN, out=aside.view(np.uint32))
        np.bitwise_or(
            aside.view(np.uint32), constant(by[1]).view(np.uint32), out=aside.view(np.uint32)
        )
        np.multiply(x, aside, out=scratch)
        aside *= y
        x *= cosine
        x += aside
        y *= cosine
        y -= scratch


def _rotate_both_ways(corners: Corners, cosine: Field, sine: Field) -> None:
    """Rotate the first of two corners by an angle and the other one back, and add them, in place.

    The real part then stands first, the imaginary part third.
    """
    real, imag_apart, imag, real_apart = corners
    real *= cosine
    imag_apart *= sine
    real -= imag_apart
    imag *= cosine
    real_apart *= sine
    imag += real_apart
