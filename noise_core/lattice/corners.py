# SPDX-License-Identifier: GPL-3.0-or-later
"""Values at the corners of the cells around points, gathered and blended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field, Index


class Nodes(NamedTuple):
    """Values at lattice points: ``constant + sum(slope * distance)`` along each axis."""

    constant: Field | None
    slopes: tuple[Field, ...]


Bits = tuple[int, ...]
"""A corner of a cell: 0 or 1 along each axis."""

CornerValues = Callable[[Bits], Field]
"""Returns, in a new array, what stands at one corner of each point's cell."""


def gather_corners(
    nodes: Nodes,
    distances: Sequence[tuple[Field, Field]],
    extent: Sequence[int],
    address: npt.NDArray[np.intp],
) -> CornerValues:
    """Take every point's corners out of a table of nodes."""

    def corner(bits: Bits) -> Field:
        step = 0
        for bit, length in zip(bits, extent):
            step = step * length + bit
        parts = []
        for slope, distance, bit in zip(nodes.slopes, distances, bits):
            part = take(slope, step, address)
            parts.append(np.multiply(part, distance[bit], out=part))
        if nodes.constant is not None:
            parts.append(take(nodes.constant, step, address))
        result, *rest = parts
        for part in rest:
            result += part
        return result

    return corner


def bounding_box(index: Sequence[Index]) -> tuple[list[int], list[int]]:
    """Return the lowest cell and the extent, along each axis, of the corners of some cells."""
    low = [int(axis.min()) if axis.size else 0 for axis in index]
    high = [int(axis.max()) if axis.size else 0 for axis in index]
    return low, [last - first + 2 for first, last in zip(low, high)]


def box_indices(low: Sequence[int], extent: Sequence[int]) -> list[Index]:
    """Return the numbers of all corners of a box, one array per axis, which broadcast."""
    return [
        np.arange(first, first + length, dtype=np.int32).reshape(
            [-1 if axis == own else 1 for axis in range(len(low))]
        )
        for own, (first, length) in enumerate(zip(low, extent))
    ]


def addresses(
    index: Sequence[Index], low: Sequence[int], extent: Sequence[int]
) -> npt.NDArray[np.intp]:
    """Return the address of each point's lowest corner in a flat table of its box."""
    place = index[0] - np.int32(low[0])
    for axis, first, length in zip(index[1:], low[1:], extent[1:]):
        place *= np.int32(length)
        place += axis
        place -= np.int32(first)
    return place.astype(np.intp)


def take(table: Field, step: int, address: npt.NDArray[np.intp]) -> Field:
    """Return what stands in a table of nodes, some steps behind addresses."""
    # The same addresses in a shifted view serve every corner. mode="wrap" spares NumPy's bounds
    # check and its buffering of `out`; no address is outside.
    return table.ravel()[step:].take(address, out=np.empty(address.shape, np.float32), mode="wrap")


def blend_corners(corner: CornerValues, weights: Sequence[Field], axis: int, bits: Bits) -> Field:
    """Blend the corners pairwise, axis by axis.

    Raises
    ------
    Cancelled
        If the job was cancelled: 8 corners of a block take milliseconds, and in 8-D there are 256.
    """
    if axis == len(weights):
        return corner(bits)
    if len(weights) - axis > 3:
        blocks.checkpoint()
    low = blend_corners(corner, weights, axis + 1, bits)
    high = blend_corners(corner, weights, axis + 1, (*bits[:axis], 1, *bits[axis + 1 :]))
    high -= low
    high *= weights[axis]
    high += low
    return high
