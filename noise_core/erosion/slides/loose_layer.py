# SPDX-License-Identifier: GPL-3.0-or-later
"""A loose layer slides over the ground below it, which does not: sand over rock, or snow.

`talus` slides all ground; here no place can lose more than the layer on it. It moves to the lower
ones of four neighbors, each by its share of the height differences. Sand that leaves one sample arrives at
others.
"""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field

REACH = 2
"""Samples that one pass reaches."""

_RATE = np.float32(0.22)
"""Share of an excess that slides in one pass; from a fourth on heights would overshoot."""

_SHARE = np.float32(0.9)
"""Of the layer at a place so much leaves it at most in one pass."""

_TINY = np.float32(1e-30)
"""Keeps 0 / 0 from happening."""

_Flows = tuple[Field, Field, Field, Field]
"""Height differences to lower neighbors: the next column, the next row, the one before, the row before."""


def slide(ground: Field, sand: Field, repose: float, creep: Field | None = None) -> Field:
    """Return the layer after one pass in which ground that is too steep slides.

    As in `talus` the excess of the gradient's length over that at rest counts, so that slopes have no
    preferred direction.

    Parameters
    ----------
    ground, sand : ndarray of shape (rows, columns), float32
        Height below the layer, and its thickness, in meters.
    repose : float
        Height difference over one spacing at which it comes to rest, in meters.
    creep : ndarray of shape (rows, columns), float32, optional
        Share of the height difference to a lower neighbor that moves at any slope.

    Returns
    -------
    ndarray of shape (rows - 4, columns - 4), float32
        Without the two outermost samples on all sides.
    """
    flows = _falls(ground + sand)
    share = _share_beyond(flows, repose)
    if creep is not None:
        share += creep[1:-1, 1:-1]
    leaves = _sum(flows)
    limit = sand[1:-1, 1:-1] * _SHARE
    limit /= np.maximum(np.maximum(leaves, limit), _TINY)  # at most 1, and no share is as much
    np.minimum(share, limit, out=share)
    return _pass_on(sand, flows, leaves, share)


def slide_off(ground: Field, snow: Field, held: Field) -> Field:
    """Return the layer after one pass in which each place loses the sand that it cannot hold.

    Parameters
    ----------
    ground, snow : ndarray of shape (rows, columns), float32
        Height below the layer, and its thickness, in meters.
    held : ndarray of shape (rows, columns), float32
        Thickness that stays, in meters, at least 0.

    Returns
    -------
    ndarray of shape (rows - 4, columns - 4), float32
        Without the two outermost samples on all sides.

    References
    ----------
    M. Bernhardt, K. Schulz (2010). SnowSlide: a simple routine for calculating gravitational snow
    transport. Geophysical Research Letters 37.
    """
    flows = _falls(ground + snow)
    leaves = _sum(flows)
    inner = (slice(1, -1), slice(1, -1))
    share: Field = snow[inner] - held[inner]
    np.maximum(share, np.float32(0.0), out=share)
    share /= np.maximum(np.maximum(leaves, share), _TINY)
    np.minimum(share, _RATE, out=share)
    return _pass_on(snow, flows, leaves, share)


def _falls(height: Field) -> _Flows:
    """Return by how much neighbors are lower, 0 if they are not, without the outermost samples."""
    along = height[1:-1, :-1] - height[1:-1, 1:]
    down = height[:-1, 1:-1] - height[1:, 1:-1]
    zero = np.float32(0.0)
    return (
        np.maximum(along[:, 1:], zero),
        np.maximum(down[1:], zero),
        np.maximum(np.negative(along[:, :-1]), zero),
        np.maximum(np.negative(down[:-1]), zero),
    )


def _sum(flows: _Flows) -> Field:
    leaves = flows[0] + flows[1]
    leaves += flows[2]
    leaves += flows[3]
    return leaves


def _pass_on(layer: Field, flows: _Flows, leaves: Field, share: Field) -> Field:
    """Return a layer after a share of the height differences, which are written to, has moved."""
    for flow in flows:
        flow *= share
    leaves *= share
    core: Field = layer[2:-2, 2:-2] - leaves[1:-1, 1:-1]
    core += flows[0][1:-1, :-2]
    core += flows[2][1:-1, 2:]
    core += flows[1][:-2, 1:-1]
    core += flows[3][2:, 1:-1]
    return core


def _share_beyond(flows: _Flows, repose: float) -> Field:
    """Return the share of the height differences to lower neighbors that slides."""
    slope = np.maximum(flows[0], flows[2])
    slope *= slope
    steepest = np.maximum(flows[1], flows[3])
    steepest *= steepest
    slope += steepest
    np.sqrt(slope, out=slope)
    np.maximum(slope, _TINY, out=slope)
    excess: Field = slope - np.float32(repose)
    np.maximum(excess, np.float32(0.0), out=excess)
    excess /= slope
    excess *= _RATE
    return excess
