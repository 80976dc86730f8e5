# SPDX-License-Identifier: GPL-3.0-or-later
"""One octave of stripes that run along given directions, and the arrays it takes to draw them.

Every corner of a cell has a phase of its own. At a point each of the four corners around it stands
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

from ...arrays import Field
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
"""What stands at the corners of cells on two sides, z0 on the one and z1 on the other, each times its
weight, as real(z0 + z1), imag(z0 - z1), imag(z0 + z1), real(z0 - z1)."""


Filler = Callable[[int, "Stripes"], tuple[Sequence[Field], Field]]
"""Called with the number of an octave: fills `corners` of the stripes, and returns `place` and `weight`
as `Stripes.waves` wants them. What it returns may be used again."""


def joined(left: Sequence[Field], right: Sequence[Field], out: Sequence[Field]) -> None:
    """Write `Corners` from the real and imaginary parts of two sides, into other arrays."""
    (left_real, left_imag), (right_real, right_imag) = left, right
    np.add(left_real, right_real, out=out[0])
    np.subtract(left_imag, right_imag, out=out[1])
    np.add(left_imag, right_imag, out=out[2])
    np.subtract(left_real, right_real, out=out[3])


class Stripes:
    """The arrays for one block of points.

    What belongs to both axes, or to both sides of an axis, lies in one array, so that NumPy has fewer
    and longer steps to do: in the time between two of them threads wait for each other.

    Parameters
    ----------
    shape : tuple of int
        That of the block.

    Attributes
    ----------
    corners : ndarray of shape (4, 2, *shape)
        To be filled with the `Corners` of left and right, at the lower and at the higher y.
    first, second : ndarrays
        For anybody to write to between two calls.
    spare : list of 4 ndarrays
        The same.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        fields = np.empty((16, *shape), np.float32)
        self.corners = fields[:8].reshape(4, 2, *shape)
        self._cosine, self._sine, self._turns, self._scratch = fields[8:].reshape(4, 2, *shape)
        self.first, self.second = self._scratch
        self.spare = [*self._cosine, *self._sine]

    def waves(self, across: Field, place: Sequence[Field], weight: Field) -> Field:
        """Return the real and the imaginary part of the sum of waves, in an array that is used again.

        Parameters
        ----------
        across : ndarray of shape (2, *shape)
            The unit vector n in the lattice.
        place : two ndarrays
            Positions in the cell, from -1/2 to 1/2, times `WAVE`.
        weight : ndarray
            Of the corners at the higher y.
        """
        cosine, sine, turns, scratch = self._cosine, self._sine, self._turns, self._scratch
        np.multiply(across, HALF_WAVE, out=turns)
        cosine_sine(turns, cosine, sine, scratch)
        sums, imag_apart, sums_imag, real_apart = self.corners
        _turned_both_ways(self.corners, cosine[0], sine[0])
        shares = np.stack((_ONE - weight, weight))
        sums *= shares
        sums_imag *= shares
        pair = imag_apart[0], imag_apart[1], real_apart[0], real_apart[1]
        joined((sums[0], sums_imag[0]), (sums[1], sums_imag[1]), pair)
        _turned_both_ways(pair, cosine[1], sine[1])
        real, _, imag, _ = pair
        np.multiply(across[0], place[0], out=turns[0])
        np.multiply(across[1], place[1], out=scratch[0])
        turns[0] += scratch[0]
        cosine_sine(turns[0], cosine[0], sine[0], scratch[0])
        waves = sums
        np.multiply(real, cosine[0], out=waves[0])
        waves[0] -= np.multiply(imag, sine[0], out=scratch[0])
        np.multiply(imag, cosine[0], out=waves[1])
        waves[1] += np.multiply(real, sine[0], out=scratch[0])
        return waves

    def level(self, waves: Field) -> None:
        """Bring waves to height 1 where they are not too faint, in place; they stay within [-1, 1]."""
        factor = self._scratch[0]
        np.multiply(waves, waves, out=self._scratch)
        factor += self._scratch[1]
        factor += _FAINT
        np.divide(_FULL, factor, out=factor)
        np.sqrt(factor, out=factor)
        waves *= factor

    def turn(self, across: Field, imag: Field, by: tuple[float, float]) -> None:
        """Turn directions to where the stripes' flanks are steepest, in place.

        Parameters
        ----------
        across : ndarray of shape (2, *shape)
            Unit vectors across the slope, in tiles.
        imag : ndarray
            What `waves` gave.
        by : tuple of two floats
            Cosine and sine of the angle.
        """
        aside, turned = self._scratch[0], self._turns
        bits = aside.view(np.uint32)
        # np.copysign by hand: ten times as fast.
        np.bitwise_and(imag.view(np.uint32), _SIGN, out=bits)
        np.bitwise_or(bits, constant(by[1]).view(np.uint32), out=bits)
        np.multiply(across, aside, out=turned)
        across *= constant(by[0])
        across[0] += turned[1]
        across[1] -= turned[0]


def _turned_both_ways(corners: Corners | Field, cosine: Field, sine: Field) -> None:
    """Turn the first of two sides by an angle and the other one back, and add them, in place.

    The real part then stands first, the imaginary part third.
    """
    real, imag_apart, imag, real_apart = corners
    real *= cosine
    imag_apart *= sine
    real -= imag_apart
    imag *= cosine
    real_apart *= sine
    imag += real_apart
