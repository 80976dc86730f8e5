# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that are spread evenly in a tile, in an order of which every beginning is even too."""

from __future__ import annotations

import functools

import numpy as np

from ..base.arrays import Field
from ..lattice.hash import hash_indices

_CHOICE = 16
"""Places for each point, among which the points are chosen: with fewer, the last ones come too close to others."""

_SETS = 64
"""Sets of these, which take turns to be chosen from.

The farthest of all places would be the gaps of a lattice: plants stood in rows. Half of the points were in step with one
wave, now a fortieth.
"""


@functools.lru_cache(maxsize=4)
def spread_points(count: int, seed: int = 0) -> Field:
    """Return points in the unit square, each the farthest of some places from all that come before it.

    So the first points of any number are spread as evenly as all of them (blue noise): a density is
    a number of points, and a higher one only adds some. The square repeats seamlessly.

    Parameters
    ----------
    count : int
        At least 1.
    seed : int
        Unsigned, 32 bits.

    Returns
    -------
    ndarray of shape (count, 2), float32, read-only
        Coordinates from 0 to 1, without 1.

    References
    ----------
    Eldar, Lindenbaum, Porat and Zeevi (1997). The farthest point strategy for progressive image
    sampling. IEEE Transactions on Image Processing 6(9).
    Mitchell (1991). Spectrally optimal sampling for distribution ray tracing. SIGGRAPH 1991. (the choice among some
    places by chance alone)

    Examples
    --------
    >>> from noise_core.landscapes.point_sets import spread_points
    >>> points = spread_points(32, seed=1)
    >>> points.shape, bool(points.min() >= 0.0), bool(points.max() <= 1.0)
    ((32, 2), True, True)
    """
    index = np.arange(count * _CHOICE, dtype=np.int32)
    axes = [hash_indices((index, np.full_like(index, axis)), seed) for axis in (0, 1)]
    # 24 bits, which float32 holds exactly: none becomes 1.
    places = np.stack([(axis >> np.uint32(8)).astype(np.float32) for axis in axes])
    places *= np.float32(2.0**-24)
    nearest = np.full(places.shape[1], np.inf, np.float32)
    offset, turned = np.empty_like(places), np.empty_like(places)
    chosen = np.empty(count, np.intp)
    place, sets = 0, min(_SETS, count)
    for number in range(count):
        chosen[number] = place
        np.subtract(places, places[:, place, np.newaxis], out=offset)
        np.abs(offset, out=offset)
        np.subtract(np.float32(1.0), offset, out=turned)
        np.minimum(offset, turned, out=offset)
        np.multiply(offset, offset, out=offset)
        np.add(offset[0], offset[1], out=offset[0])
        np.minimum(nearest, offset[0], out=nearest)
        turn = number % sets
        place = turn + sets * int(nearest[turn::sets].argmax())
    points = np.ascontiguousarray(places[:, chosen].T)
    points.flags.writeable = False
    return points
