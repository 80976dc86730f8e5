# SPDX-License-Identifier: GPL-3.0-or-later
"""Sand slides where it lies too steeply; the ground below does not.

`erosion.slides` slides all there is; here no place can lose more than the sand that lies on it. Sand
moves down the gradient through the four faces of a cell, by the excess of the gradient's length
over that at rest, so that slopes have no preferred direction.
"""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field

REACH = 2
"""Samples that one pass reaches."""

_RATE = np.float32(0.22)
"""Share of an excess that slides in one pass; from a fourth on heights would overshoot."""

_SHARE = np.float32(0.9)
"""Of the sand at a place so much leaves it at most in one pass."""

_TINY = np.float32(1e-30)
"""Keeps 0 / 0 from happening."""


def slide(ground: Field, sand: Field, rest: float, creep: Field | None = None) -> Field:
    """Return the sand after one pass, without the two outermost samples on all sides.

    Parameters
    ----------
    ground, sand : ndarray of shape (rows, columns), float32
        Height below the sand, and its thickness, in meters.
    rest : float
        Height difference over one spacing at which sand comes to rest, in meters.
    creep : ndarray of shape (rows, columns), float32, optional
        Share of the height difference to a lower neighbor that moves at any slope.
    """
    height = ground + sand
    inner = (slice(1, -1), slice(1, -1))
    along = height[1:-1, :-1] - height[1:-1, 1:]
    down = height[:-1, 1:-1] - height[1:, 1:-1]
    zero = np.float32(0.0)
    flows = (
        np.maximum(along[:, 1:], zero),
        np.maximum(down[1:], zero),
        np.maximum(np.negative(along[:, :-1]), zero),
        np.maximum(np.negative(down[:-1]), zero),
    )
    share = _moving_share(flows, rest)
    if creep is not None:
        share += creep[inner]
    leaves = flows[0] + flows[1]
    leaves += flows[2]
    leaves += flows[3]
    limit = sand[inner] * _SHARE
    limit /= np.maximum(np.maximum(leaves, limit), _TINY)  # at most 1, and no share is as much
    np.minimum(share, limit, out=share)
    for flow in flows:
        flow *= share
    leaves *= share
    core: Field = sand[2:-2, 2:-2] - leaves[inner]
    core += flows[0][1:-1, :-2]
    core += flows[2][1:-1, 2:]
    core += flows[1][:-2, 1:-1]
    core += flows[3][2:, 1:-1]
    return core


def _moving_share(flows: tuple[Field, Field, Field, Field], rest: float) -> Field:
    """Return the share of the height differences to lower neighbors that slides."""
    slope = np.maximum(flows[0], flows[2])
    slope *= slope
    other = np.maximum(flows[1], flows[3])
    other *= other
    slope += other
    np.sqrt(slope, out=slope)
    np.maximum(slope, _TINY, out=slope)
    excess: Field = slope - np.float32(rest)
    np.maximum(excess, np.float32(0.0), out=excess)
    excess /= slope
    excess *= _RATE
    return excess
