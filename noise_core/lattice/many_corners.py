# SPDX-License-Identifier: GPL-3.0-or-later
"""Blend of the 2^n corners of cells in many dimensions, in blocks of bounded size.

The corners along the last axes stand in one array, as many as a block has room for; those along the first
axes are taken one after the other. So a few points in 16 dimensions are not 65,536 calls each, and many
points need no more memory. Time goes with 2^n: Perlin noise takes some 30 microseconds a point in 8
dimensions and 7 milliseconds in 16 (one thread).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Index
from ..base.plans import even_parts
from .corners import Nodes

NodesOf = Callable[[Sequence[Index]], Nodes]
"""Returns, in new arrays, the nodes at lattice points."""

Weights = Sequence[tuple[Field, Field]]
"""Weights of the upper corners along each axis, with their derivatives along that axis."""

Array = TypeVar("Array", Field, Index)

_ELEMENTS = 1 << 16
"""Corners of points whose arrays are held at once."""

_POINTS = 1 << 13
"""Points at once: 8 corners of each."""


def blend_values(
    nodes_of: NodesOf, index: Sequence[Index], offset: Sequence[Field], weights: Sequence[Field]
) -> Field:
    """Return the blend of all corners, with the bits of `corners.blend_corners`.

    Parameters
    ----------
    nodes_of : callable
    index, offset : sequences of arrays of one shape
        Cells of the points along each axis, and where in them they lie.
    weights : sequence of arrays of that shape
        Of the upper corner along each axis.
    """
    shape = index[0].shape
    result = np.empty(index[0].size, np.float32)
    cells, places = _flatten(index), _flatten(offset)
    shares = _flatten(weights)
    for part in even_parts(result.size, _POINTS):
        own = [share[part] for share in shares]
        blend = _CornerBlend(
            nodes_of,
            [axis[part] for axis in cells],
            [axis[part] for axis in places],
            list(zip(own, own)),  # no derivative is asked for
            (),
        )
        result[part] = blend.total()[0]
    return result.reshape(shape)


def blend_slopes(
    nodes_of: NodesOf,
    index: Sequence[Index],
    offset: Sequence[Field],
    rises: Sequence[np.float32],
    weights: Weights,
) -> tuple[Field, tuple[Field, ...]]:
    """Return the blend and its derivatives along each axis; `rises` are those of the offsets."""
    shape, size = index[0].shape, index[0].size
    result = np.empty((1 + len(index), size), np.float32)
    pairs = [(share.reshape(-1), slope.reshape(-1)) for share, slope in weights]
    flat_index, flat_offset = _flatten(index), _flatten(offset)
    for part in even_parts(size, _POINTS // len(result)):
        cells = [axis[part] for axis in flat_index]
        places = [axis[part] for axis in flat_offset]
        shares = [(share[part], slope[part]) for share, slope in pairs]
        result[:, part] = _CornerBlend(nodes_of, cells, places, shares, rises).total()
    value, *slopes = (row.reshape(shape) for row in result)
    return value, tuple(slopes)


def _flatten(axes: Sequence[Array]) -> list[Array]:
    return [axis.reshape(-1) for axis in axes]


class _CornerBlend:
    """The corners of some points, and their weights; derivatives too if there are rises."""

    def __init__(
        self,
        nodes_of: NodesOf,
        index: Sequence[Index],
        offset: Sequence[Field],
        weights: Weights,
        rises: Sequence[np.float32],
    ) -> None:
        self._nodes_of, self._weights, self._rises = nodes_of, weights, rises
        self._rows = 1 + len(rises)
        room = max(1, _ELEMENTS // (self._rows * max(1, index[0].size)))
        together = min(len(index), room.bit_length() - 1)
        self._outer = len(index) - together
        self._shape = (2,) * together + (index[0].size,)
        self._cells = [(axis, axis + np.int32(1)) for axis in index[: self._outer]]
        self._places = [(axis, axis - np.float32(1.0)) for axis in offset[: self._outer]]
        self._inner_cells = [
            self._spread(axis, axis + np.int32(1), at)
            for at, axis in enumerate(index[self._outer :])
        ]
        self._inner_places = [
            self._spread(axis, axis - np.float32(1.0), at)
            for at, axis in enumerate(offset[self._outer :])
        ]

    def _spread(self, lower: Array, upper: Array, at: int) -> Array:
        """Return the tables of the lower and the upper corners along one of the last axes."""
        shape = [1] * len(self._shape)
        shape[at], shape[-1] = 2, lower.size
        corners: Array = np.stack((lower, upper)).reshape(shape)
        return corners

    def total(self, bits: tuple[int, ...] = ()) -> Field:
        """Return the blend over all corners that begin with some bits: value, then derivatives, in rows.

        Raises
        ------
        Cancelled
            If the job was cancelled.
        """
        if len(bits) == self._outer:
            blocks.checkpoint()
            return self._inner_total(bits)
        low, high = self.total((*bits, 0)), self.total((*bits, 1))
        return self._join(low, high, len(bits))

    def _inner_total(self, bits: tuple[int, ...]) -> Field:
        cells = [pair[bit] for pair, bit in zip(self._cells, bits)]
        places = [pair[bit] for pair, bit in zip(self._places, bits)]
        nodes = self._nodes_of([*cells, *self._inner_cells])
        total = np.zeros((self._rows, *self._shape), np.float32)
        for row, rise in enumerate(self._rises[: len(nodes.slopes)]):
            np.multiply(nodes.slopes[row], rise, out=total[1 + row])
        parts = [
            np.multiply(slope, place, out=slope)
            for slope, place in zip(nodes.slopes, [*places, *self._inner_places])
        ]
        if nodes.constant is not None:
            parts.append(nodes.constant)
        total[0] = parts[0]
        for part in parts[1:]:
            total[0] += part
        for axis in range(len(self._weights) - 1, self._outer - 1, -1):
            total = self._join(total[..., 0, :], total[..., 1, :], axis)
        return total

    def _join(self, low: Field, high: Field, axis: int) -> Field:
        """Return the blend of lower and upper corners along an axis; overwrites the upper ones."""
        weight, slope = self._weights[axis]
        high -= low
        across = high[0] * slope if self._rises else None
        high *= weight
        if across is not None:
            high[1 + axis] += across
        high += low
        return high
