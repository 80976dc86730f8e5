# SPDX-License-Identifier: GPL-3.0-or-later
"""Random splines without the part that coarser splines can hold: the coefficients of wavelet noise.

White noise on a lattice, as coefficients of quadratic B-splines, holds all frequencies up to its own. The splines
on a lattice half as fine hold the lower half of them. The rest, after their best approximation of the noise, is a
band of one octave. The approximation is local, so that coefficients can be computed anywhere, on any torus with an
even number of steps along its periods.

References
----------
Robert L. Cook, Tony DeRose (2005). Wavelet noise. SIGGRAPH.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..base.torus import Lattice, Torus, square_lattice
from .hash import child_seed, hash_indices

_HALF_DOWN = (
    0.6553403416642832, 0.03397897500715019, -0.2437804296589858, -0.02593597770877668, 0.10331124881380579, 0.011654616343898578,
    -0.04441196994440356, -0.005039188012290923, 0.019119626312658389, 0.002170655043301169, -0.008232307298448596,
    -0.000934669547216127, 0.0035446228648964946, 0.0004024473454074898, -0.0015262269744163748, -0.0001732839778698424,
)  # fmt: skip
"""How the best approximation by splines twice as coarse is made: its coefficient k is the sum of these times the
fine ones 2 k + 1, 2 k, 2 k - 1 ..., and the same to the other side from 2 k + 2 on. What follows is below 0.0007."""

_DOWN = tuple(value / (2.0 * sum(_HALF_DOWN)) for value in (*_HALF_DOWN[::-1], *_HALF_DOWN))
"""All 32, which must add up to 1, so that nothing of a constant is left."""

_UP = (0.25, 0.75, 0.75, 0.25)
"""A coarse spline as a sum of four fine ones."""

MARGIN = 16
"""Fine coefficients to either side that one depends on."""

DEVIATION = 0.36736
"""Standard deviation of the band of white noise with the deviation 1, the root of the mean square over all places."""


def fine_lattice(frequency: float, torus: Torus | None) -> Lattice:
    """Return the lattice with two steps to each of `frequency` cells per tile."""
    coarse = square_lattice(frequency, torus)
    (xx, xy), (yx, yy) = coarse.matrix
    matrix = ((2.0 * xx, 2.0 * xy), (2.0 * yx, 2.0 * yy))
    periods = coarse.periods
    if periods is not None:
        (a, b), (c, d) = periods
        periods = ((2 * a, 2 * b), (2 * c, 2 * d))
    return Lattice(matrix, 2.0 * coarse.frequency, periods)


def coefficients(
    lattice: Lattice, seed: int, low: tuple[int, int], high: tuple[int, int], scale: float
) -> Field:
    """Return the coefficients of a band in a rectangle of a lattice.

    Even and odd coefficients of one band differ in their expected squares, so it is the sum of two,
    one of which is moved by a step along both axes.

    Parameters
    ----------
    lattice : Lattice
        As `fine_lattice` makes them.
    seed : int
    low, high : tuple of two ints
        The first index along x and y, and the one after the last.
    scale : float
        Standard deviation of the noise.

    Returns
    -------
    ndarray of shape (y, x), float32
    """
    size = np.float32(scale * (1.5**0.5) / DEVIATION * 2.0**-31)
    total = _band(lattice, seed, low, high, size)
    x, y = ((first + 1, last + 1) for first, last in zip(low, high))
    total += _band(lattice, child_seed(seed, 1), (x[0], y[0]), (x[1], y[1]), size)
    return total


def coefficients_at(
    lattice: Lattice, seed: int, x: Index, y: Index, scale: float
) -> npt.NDArray[np.float32]:
    """Return the coefficients that points need which lie far apart, with the bits of `coefficients`.

    Parameters
    ----------
    lattice, seed, scale
        See `coefficients`.
    x, y : ndarray of shape (n,), int32
        The first index along each axis.

    Returns
    -------
    ndarray of shape (3, 3, n), float32
        Of three indices along y and along x.
    """
    size = np.float32(scale * (1.5**0.5) / DEVIATION * 2.0**-31)
    total = _band_at(lattice, seed, x, y, size)
    one = np.int32(1)
    total += _band_at(lattice, child_seed(seed, 1), x + one, y + one, size)
    return total


def _band(
    lattice: Lattice, seed: int, low: tuple[int, int], high: tuple[int, int], size: np.float32
) -> Field:
    """Return white noise without its best approximation by splines twice as coarse."""
    starts = [first - (first & 1) for first in low]
    stops = [last + (last & 1) for last in high]
    i, j = (
        np.arange(first - MARGIN, last + MARGIN, dtype=np.int32)
        for first, last in zip(starts, stops)
    )
    band = _remainder(lattice, seed, (i, j[:, np.newaxis]), size)
    x, y = (
        slice(first - start_index, last - start_index)
        for first, last, start_index in zip(low, high, starts)
    )
    return np.ascontiguousarray(band[y, x])


def _band_at(
    lattice: Lattice, seed: int, x: Index, y: Index, size: np.float32
) -> npt.NDArray[np.float32]:
    """Return three by three places of `_band` from each of some first indices on, shape (3, 3, n)."""
    odd_x, odd_y = x & np.int32(1), y & np.int32(1)
    steps = np.arange(-MARGIN, 4 + MARGIN, dtype=np.int32)[:, np.newaxis]
    i, j = steps + (x - odd_x), steps + (y - odd_y)
    band = _remainder(lattice, seed, (i[np.newaxis], j[:, np.newaxis]), size)
    step, point = np.arange(3, dtype=np.intp), np.arange(x.size, dtype=np.intp)
    return band[step[:, np.newaxis, np.newaxis] + odd_y, step[:, np.newaxis] + odd_x, point]


def _remainder(
    lattice: Lattice, seed: int, index: tuple[Index, Index], size: np.float32
) -> npt.NDArray[np.float32]:
    """Return the remainder of white noise along the first two axes, y and x, without the `MARGIN` around it."""
    bits = hash_indices(lattice.wrap(*index), seed)
    white = bits.view(np.int32).astype(np.float32) * size
    coarse = _approximate(_approximate(white).swapaxes(0, 1)).swapaxes(0, 1)
    remainder: npt.NDArray[np.float32] = white[MARGIN:-MARGIN, MARGIN:-MARGIN] - coarse
    return remainder


def _approximate(fine: Field) -> Field:
    """Return the best approximation along the first axis, which gets shorter by `MARGIN` at both ends.

    The first coefficient and the number of all must be even.
    """
    even, odd = fine[::2], fine[1::2]
    count = len(even) - len(_DOWN) // 2 + 1
    coarse = np.zeros((count, *fine.shape[1:]), np.float32)
    for step, factor in enumerate(_DOWN):
        source = (even, odd)[step % 2]
        coarse += source[step // 2 : step // 2 + count] * np.float32(factor)
    result = np.empty((2 * (count - 1), *fine.shape[1:]), np.float32)
    for parity in (0, 1):
        own = coarse[1:] * np.float32(_UP[parity])
        own += coarse[:-1] * np.float32(_UP[parity + 2])
        result[parity::2] = own
    return result


def spline_weights(place: Field, by: bool = False) -> npt.NDArray[np.float32]:
    """Return the quadratic B-splines that are not zero in a step, or their derivatives.

    Parameters
    ----------
    place : ndarray of shape (n,), float32
        Within the step, in [0, 1].
    by : bool
        Whether to return the derivatives, per step.

    Returns
    -------
    ndarray of shape (3, n), float32
        Of the spline that begins two steps before, one before, and in the step.
    """
    one, half = np.float32(1.0), np.float32(0.5)
    complement = one - place
    if by:
        return np.stack([-complement, complement - place, place])
    return np.stack(
        [half * complement * complement, half + place * complement, half * place * place]
    )
