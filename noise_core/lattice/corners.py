# SPDX-License-Identifier: GPL-3.0-or-later
"""Values at the corners of the cells around points, gathered and blended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field, Index
from ..base.gathering import gather


class Nodes(NamedTuple):
    """Values at lattice points: ``constant + sum(slope * distance)`` along each axis."""

    constant: Field | None
    slopes: tuple[Field, ...]


Bits = tuple[int, ...]
"""A corner of a cell: 0 or 1 along each axis."""

CornerNodes = Callable[[Bits], Nodes]
"""Returns, in new arrays, the nodes at one corner of each point's cell."""

Distances = Sequence[tuple[Field, Field]]
"""Distances of points from the lower and from the upper corners of their cells, along each axis."""


def gather_nodes(nodes: Nodes, extent: Sequence[int], address: npt.NDArray[np.intp]) -> CornerNodes:
    """Take every point's corners out of a table of nodes."""

    def corner(bits: Bits) -> Nodes:
        step = 0
        for bit, length in zip(bits, extent):
            step = step * length + bit
        constant = None if nodes.constant is None else take(nodes.constant, step, address)
        return Nodes(constant, tuple(take(slope, step, address) for slope in nodes.slopes))

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
            [-1 if axis == axis_indices else 1 for axis in range(len(low))]
        )
        for axis_indices, (first, length) in enumerate(zip(low, extent))
    ]


def addresses(
    index: Sequence[Index], low: Sequence[int], extent: Sequence[int]
) -> npt.NDArray[np.intp]:
    """Return the address of each point's lowest corner in a flat table of its box."""
    place, first = index[0], low[0]
    for axis, lowest, length in zip(index[1:], low[1:], extent[1:]):
        place = place * np.int32(length)
        place += axis
        first = first * length + lowest
    # Modulo 2^32, and so exact: no address is larger than its table.
    place = place - np.uint32(first & 0xFFFFFFFF).astype(np.int32)
    return place.astype(np.intp)


def take(table: Field, step: int, address: npt.NDArray[np.intp]) -> Field:
    """Return the entries of a table of nodes, some steps behind addresses."""
    # The same addresses in a shifted view serve every corner.
    return gather(table.ravel()[step:], address)


def blend_corners(
    nodes_at: CornerNodes,
    distances: Distances,
    weights: Sequence[Field],
    axis: int,
    bits: Bits,
) -> Field:
    """Blend the values at corners pairwise, axis by axis.

    Raises
    ------
    Cancelled
        If the job was cancelled: 8 corners of a block take milliseconds, and in 8-D there are 256.
    """
    if axis == len(weights):
        constant, slopes = nodes_at(bits)
        parts = [
            np.multiply(slope, distance[bit], out=slope)
            for slope, distance, bit in zip(slopes, distances, bits)
        ]
        result, *remaining = parts if constant is None else [*parts, constant]
        for part in remaining:
            result += part
        return result
    if len(weights) - axis > 3:
        blocks.checkpoint()
    upper = (*bits[:axis], 1, *bits[axis + 1 :])
    low = blend_corners(nodes_at, distances, weights, axis + 1, bits)
    high = blend_corners(nodes_at, distances, weights, axis + 1, upper)
    high -= low
    high *= weights[axis]
    high += low
    return high


def blend_slopes(
    nodes_at: CornerNodes,
    distances: Distances,
    rises: Sequence[np.float32],
    weights: Sequence[tuple[Field, Field]],
    axis: int,
    bits: Bits,
) -> list[Field]:
    """Blend the values at corners and their derivatives along each axis; see `blend_corners`.

    All their arithmetic is that of `base.derivatives`, in the same order: so are the bits. Nodes
    have slopes. `rises` are the derivatives of the distances; weights are given with theirs, each
    along its own axis.
    """
    if axis == len(weights):
        constant, slopes = nodes_at(bits)
        result, *remaining = (
            slope * distance[bit] for slope, distance, bit in zip(slopes, distances, bits)
        )
        for part in remaining if constant is None else [*remaining, constant]:
            result += part
        for slope, rise in zip(slopes, rises):
            slope *= rise
        return [result, *slopes]
    upper = (*bits[:axis], 1, *bits[axis + 1 :])
    low = blend_slopes(nodes_at, distances, rises, weights, axis + 1, bits)
    high = blend_slopes(nodes_at, distances, rises, weights, axis + 1, upper)
    weight, weight_slope = weights[axis]
    for above, below in zip(high, low):
        above -= below
    across = high[0] * weight_slope
    for above in high:
        above *= weight
    high[1 + axis] += across
    for above, below in zip(high, low):
        above += below
    return high
