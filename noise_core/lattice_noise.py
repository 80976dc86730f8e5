# SPDX-License-Identifier: GPL-3.0-or-later
"""What value and gradient noise share: something at each corner of a cell, blended by a fade.

A type that derives from `LatticeNoise` says what stands at a lattice point (a constant, a
slope along each axis, or both); the way to points, to the matrix product on a grid, and to the
torus is the same for all.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import fades, separable
from .arrays import Coordinates, Field, Index, Points
from .grid import Axes
from .noise import Noise
from .params import choice, number
from .torus import Lattice, Torus, square_lattice

if TYPE_CHECKING:
    from .noise import RowPlan


class Nodes(NamedTuple):
    """What stands at lattice points: ``constant + sum(slope * distance)`` along each axis."""

    constant: Field | None
    slopes: tuple[Field, ...]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class LatticeNoise(Noise):
    """Base of noises that blend what stands at the corners of a square cell."""

    frequency: float = number(
        8.0,
        help="Cells per tile; whole numbers tile without being rounded",
        minimum=1e-4,
        maximum=1e6,
        soft_minimum=0.5,
        soft_maximum=64.0,
        unit="frequency",
    )
    fade: str = choice(
        "quintic", help="How one corner gives way to the next", options=fades.OPTIONS
    )

    def nodes(self, indices: Sequence[Index], seed: int) -> Nodes:
        """Return what stands at lattice points.

        Parameters
        ----------
        indices : sequence of int32 arrays
            One per axis, already wrapped; their shapes broadcast.
        seed : int
            Unsigned, 32 bits.

        Returns
        -------
        Nodes
            float32 arrays of the common shape.
        """
        raise NotImplementedError(f"{type(self).__name__} has no nodes()")

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        lattice = square_lattice(self.frequency, torus)
        index, offset = split(lattice.coordinates(points))
        corners = self._corners(index, lattice, seed)
        weights = [fades.FADES[self.fade](distance) for distance in offset]
        distances = [(distance, distance - np.float32(1.0)) for distance in offset]
        return _blended(corners, distances, weights, 0, (0,) * len(index))

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: a matrix product where the lattice is aligned with the grid."""
        product = self.product(axes, seed)
        if product is None:
            return super().plan(axes, seed)
        return separable.row_plan([product], len(axes.x))

    def product(self, axes: Axes, seed: int) -> separable.RowProduct | None:
        """See `Noise.product`."""
        lattice = square_lattice(self.frequency, axes.torus)
        if not lattice.is_aligned:
            return None
        fade = fades.FADES[self.fade]
        (column,), (across,) = split((axes.x * lattice.matrix[0][0],))
        (row,), (along,) = split((axes.y * lattice.matrix[1][1],))
        rest, beyond = split(tuple(np.full(1, value * self.frequency) for value in axes.rest))
        first = int(column.min())
        columns = np.arange(first, int(column.max()) + 2, dtype=np.int32)
        place = (column - first).astype(np.intp)
        right = fade(across)
        left = np.float32(1.0) - right
        across_right = right * (across - np.float32(1.0))
        across_left = left * across

        def tables(start: int, stop: int) -> Field:
            rows = np.arange(start, stop, dtype=np.int32)
            constant, slopes = self._slice(columns, rows, rest, beyond, lattice, seed)
            vectors = np.empty((len(rows), 2 if slopes else 1, len(place)), np.float32)
            spare = np.empty((len(rows), len(place)), np.float32)
            if slopes:
                _across(slopes[0], place, across_left, across_right, vectors[:, 0], spare)
                _across(slopes[1], place, left, right, vectors[:, 1], spare)
                if constant is not None:
                    part = np.empty_like(spare)
                    _across(constant, place, left, right, part, spare)
                    vectors[:, 0] += part
            elif constant is not None:
                _across(constant, place, left, right, vectors[:, 0], spare)
            return vectors

        upper = fade(along)
        lower = np.float32(1.0) - upper
        weights = np.stack(
            (
                np.stack((lower, lower * along), axis=1),
                np.stack((upper, upper * (along - np.float32(1.0))), axis=1),
            ),
            axis=1,
        )
        weights = weights[:, :, : tables(0, 1).shape[1]]
        product = separable.RowProduct(row.astype(np.int64), weights, tables)
        return product.cached(len(axes.x))

    def _slice(
        self,
        columns: Index,
        rows: Index,
        rest: Sequence[Index],
        beyond: Sequence[Field],
        lattice: Lattice,
        seed: int,
    ) -> Nodes:
        """Return the nodes of a 2-D slice, shape (rows, columns): a fixed z and w blend away."""
        fade = fades.FADES[self.fade]
        i, j = lattice.wrapped(columns[np.newaxis, :], rows[:, np.newaxis])
        if not rest:
            return self.nodes((i, j), seed)
        constant = np.zeros((len(rows), len(columns)), np.float32)
        slopes: list[Field] = []
        for bits in itertools.product((0, 1), repeat=len(rest)):
            corner = tuple(index + np.int32(bit) for index, bit in zip(rest, bits))
            nodes = self.nodes((i, j, *corner), seed)
            weight = np.float32(1.0)
            for bit, distance in zip(bits, beyond):
                share = fade(distance)[0]
                weight *= share if bit else np.float32(1.0) - share
            if nodes.constant is not None:
                constant += weight * nodes.constant
            for slope, bit, distance in zip(nodes.slopes[2:], bits, beyond):
                constant += (weight * (distance[0] - np.float32(bit))) * slope
            plane = [weight * slope for slope in nodes.slopes[:2]]
            slopes = [a + b for a, b in zip(slopes, plane)] if slopes else plane
        return Nodes(constant, tuple(slopes))

    def _corners(
        self, index: Sequence[Index], lattice: Lattice, seed: int
    ) -> dict[tuple[int, ...], Nodes]:
        """Return the nodes at all corners of the points' cells, by the corner's bits.

        Points that lie close together share corners: the nodes of their bounding box are then
        made once and gathered. Scattered points get theirs one by one.
        """
        all_bits = list(itertools.product((0, 1), repeat=len(index)))
        if index[0].size == 0:
            return {bits: Nodes(None, ()) for bits in all_bits}
        low = [int(axis.min()) for axis in index]
        extent = [int(axis.max()) - first + 2 for axis, first in zip(index, low)]
        box = float(np.prod([float(length) for length in extent]))
        if box <= index[0].size:
            return self._gathered(index, low, extent, lattice, seed)
        corners = {}
        for bits in all_bits:
            corner = [axis + np.int32(bit) if bit else axis for axis, bit in zip(index, bits)]
            corners[bits] = self.nodes(_wrapped(corner, lattice), seed)
        return corners

    def _gathered(
        self,
        index: Sequence[Index],
        low: Sequence[int],
        extent: Sequence[int],
        lattice: Lattice,
        seed: int,
    ) -> dict[tuple[int, ...], Nodes]:
        ranges = [
            np.arange(first, first + length, dtype=np.int32).reshape(
                [-1 if axis == own else 1 for axis in range(len(index))]
            )
            for own, (first, length) in enumerate(zip(low, extent))
        ]
        constant, slopes = self.nodes(_wrapped(ranges, lattice), seed)
        tables = [
            None if constant is None else constant.ravel(),
            *(slope.ravel() for slope in slopes),
        ]
        place = index[0] - np.int32(low[0])
        for axis, first, length in zip(index[1:], low[1:], extent[1:]):
            place = place * np.int32(length) + (axis - np.int32(first))
        address = place.astype(np.intp)
        corners = {}
        for bits in itertools.product((0, 1), repeat=len(index)):
            step = 0
            for bit, length in zip(bits, extent):
                step = step * length + bit
            # The same addresses in a shifted view: no corner needs addresses of its own.
            parts = [None if table is None else _taken(table[step:], address) for table in tables]
            corners[bits] = Nodes(parts[0], tuple(part for part in parts[1:] if part is not None))
        return corners


def split(coordinates: Sequence[Coordinates]) -> tuple[tuple[Index, ...], tuple[Field, ...]]:
    """Return cell indices (int32) and positions within the cell (float32, in [0, 1])."""
    index, offset = [], []
    for axis in coordinates:
        cell = np.floor(axis)
        index.append(cell.astype(np.int32))
        offset.append((axis - cell).astype(np.float32, copy=False))
    return tuple(index), tuple(offset)


def _wrapped(indices: Sequence[Index], lattice: Lattice) -> Sequence[Index]:
    if lattice.periods is None or len(indices) < 2:
        return indices
    return (*lattice.wrapped(indices[0], indices[1]), *indices[2:])


def _taken(table: Field, address: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> Field:
    # mode="wrap" spares NumPy's bounds check and its buffering of `out`; no address is outside.
    return np.take(table, address, out=np.empty(address.shape, np.float32), mode="wrap")


def _across(
    nodes: Field,
    place: np.ndarray[tuple[int], np.dtype[np.intp]],
    left: Field,
    right: Field,
    out: Field,
    spare: Field,
) -> None:
    """Blend node values along each lattice row into `out`, shape (rows, columns of samples)."""
    # mode="wrap" spares NumPy's bounds check and its buffering of `out`; no place is outside.
    np.take(nodes, place + 1, axis=1, out=spare, mode="wrap")
    np.multiply(spare, right, out=out)
    np.take(nodes, place, axis=1, out=spare, mode="wrap")
    spare *= left
    out += spare


def _blended(
    corners: dict[tuple[int, ...], Nodes],
    distances: Sequence[tuple[Field, Field]],
    weights: Sequence[Field],
    axis: int,
    bits: tuple[int, ...],
) -> Field:
    """Blend the corners pairwise, axis by axis."""
    if axis == len(weights):
        constant, slopes = corners[bits]
        total = constant
        for slope, bit, distance in zip(slopes, bits, distances):
            part = slope * distance[bit]
            total = part if total is None else np.add(total, part, out=part)
        return np.zeros_like(weights[0]) if total is None else total
    low = _blended(corners, distances, weights, axis + 1, bits)
    upper_bits = bits[:axis] + (1,) + bits[axis + 1 :]
    high = _blended(corners, distances, weights, axis + 1, upper_bits)
    blended = high - low
    blended *= weights[axis]
    blended += low
    return blended
