# SPDX-License-Identifier: GPL-3.0-or-later
"""What value and gradient noise share: something at each corner of a cell, blended by a fade.

A type that derives from `LatticeNoise` says what stands at a lattice point (a constant, a
slope along each axis, or both); the way to points, to the matrix product on a grid, and to the
torus is the same for all.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from . import blocks, fades, separable
from .arrays import Field, Index, Points
from .column_vectors import ColumnVectors
from .corners import Bits, CornerValues, Nodes, addresses, blended, gathered, total
from .derivatives.duals import Dual, parts
from .grid import Axes
from .lattice_cells import Cells, next_octave, split
from .noise import Noise
from .params import cells_per_tile, choice
from .plans import lone, point_plan
from .torus import Lattice, Torus, square_lattice

if TYPE_CHECKING:
    from .affine import Affine
    from .plans import RowPlan


_THIRD_DERIVATIVE = 120.0
"""Of one cell with the quintic fade, whose own is 60 at the corners: twice that for value noise,
and about 110 for gradient noise (measured)."""

MOST_CELLS_PER_SAMPLE = 2.0
"""Beyond, a lattice row has so many more points than samples that asking each point is faster."""


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class LatticeNoise(Noise):
    """Base of noises that blend what stands at the corners of a square cell."""

    is_arithmetic = True

    frequency: float = cells_per_tile()
    has_slopes: ClassVar[bool] = True
    """Whether `nodes` gives slopes; if not, it gives a constant alone."""

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

    def third_derivative(self) -> float:
        """See `Noise.third_derivative`; the other fades have kinks in the value or the slope."""
        return _THIRD_DERIVATIVE * self.frequency**3 if self.fade == "quintic" else math.inf

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self.copies(points, (seed,), torus)[0]

    def copies(self, points: Points, seeds: Sequence[int], torus: Torus | None) -> list[Field]:
        """See `Noise.copies`: cells, fades and addresses are the same for all seeds."""
        lattice = square_lattice(self.frequency, torus)
        return self.in_cells(*split(lattice.coordinates(points)), lattice, seeds)

    def octave_copies(
        self,
        points: Points,
        octaves: Iterable[tuple[Affine, Sequence[int]]],
        torus: Torus | None,
    ) -> Iterator[list[Field]]:
        """See `Noise.octave_copies`: where a lattice is twice as fine, each cell is cut in two."""
        cells: Cells | None = None
        for affine, seeds in octaves:
            blocks.checkpoint()
            lattice = square_lattice(self.frequency, affine.torus(torus))
            cells = next_octave(cells, points, lattice, affine)
            yield self.in_cells(cells.numbers, cells.places, lattice, seeds)

    def in_cells(
        self,
        index: Sequence[Index],
        offset: Sequence[Field],
        lattice: Lattice,
        seeds: Sequence[int],
    ) -> list[Field]:
        """Return the noise at points that lie somewhere in some cells, for several seeds.

        Parameters
        ----------
        index : sequence of int32 arrays
            Numbers of the cells, one array per axis.
        offset : sequence of float32 arrays
            Positions within them.
        lattice : Lattice
        seeds : sequence of int
        """
        corners = self._corner_values(index, offset, lattice, seeds)
        weights = [fades.FADES[self.fade](distance) for distance in offset]
        return [blended(corner, weights, 0, (0,) * len(index)) for corner in corners]

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`."""
        return lone(self.copies_plan(axes, (seed,)))

    def copies_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.copies_plan`: a matrix product where the lattice is aligned with the grid."""
        products = self.products(axes, seeds)
        if products is None:
            return point_plan(lambda points: self.copies(points, seeds, axes.torus), axes)
        return separable.row_plan(products, len(axes.x))

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`: two matrix products where the value is one."""
        pair = self.slope_products(axes, seed)
        if pair is None:
            return super().gradient_plan(axes, seed)
        return separable.gradient_row_plan([pair], len(axes.x))

    @property
    def is_in_short_calls(self) -> bool:
        """See `Noise.is_in_short_calls`."""
        return True

    def products(self, axes: Axes, seeds: Sequence[int]) -> Sequence[separable.RowProduct] | None:
        """See `Noise.products`: one."""
        product = self._product(axes, seeds, None)
        return None if product is None else [product]

    def slope_products(self, axes: Axes, seed: int) -> separable.SlopeProducts | None:
        """See `Noise.slope_products`: the same product with the weights' derivatives."""
        along_x, along_y = (self._product(axes, (seed,), axis) for axis in (0, 1))
        if along_x is None or along_y is None:
            return None
        return separable.SlopeProducts(along_x, along_y)

    def _product(
        self, axes: Axes, seeds: Sequence[int], by: int | None
    ) -> separable.RowProduct | None:
        """Return the fields of a grid, or their derivatives by x (0) or y (1), as a product."""
        lattice = square_lattice(self.frequency, axes.torus)
        densest = axes.step * max(abs(lattice.matrix[0][0]), abs(lattice.matrix[1][1]))
        if not lattice.is_aligned or densest > MOST_CELLS_PER_SAMPLE:
            return None
        column, across = self._cells(axes.x, lattice.matrix[0][0], is_slope=by == 0)
        row, along = self._cells(axes.y, lattice.matrix[1][1], is_slope=by == 1)
        rest, beyond = split(tuple(np.full(1, value * self.frequency) for value in axes.rest))
        first = int(column.min())
        columns = np.arange(first, int(column.max()) + 2, dtype=np.int32)
        # A slope along x has a distance along the row; what a slope along y or a constant is worth
        # does not change along it, so that these two have the same weights.
        vectors = ColumnVectors(column - first, across[..., ::-1])

        def tables(start: int, stop: int) -> Field:
            rows = np.arange(start, stop, dtype=np.int32)
            copies = [self._slice(columns, rows, rest, beyond, lattice, seed) for seed in seeds]
            return _blended(copies, vectors)

        used = 2 if self.has_slopes else 1
        return separable.RowProduct(row, along[..., :used], tables)

    def _cells(
        self, axis: npt.NDArray[np.float64], cells: float, *, is_slope: bool
    ) -> tuple[npt.NDArray[np.int64], Field]:
        """Return in which cells the samples along an axis lie, and the weights of the cells' ends.

        Parameters
        ----------
        axis : ndarray of shape (n,), float64
        cells : float
            Cells per tile.
        is_slope : bool
            Whether to return the derivatives of the weights instead.

        Returns
        -------
        index : ndarray of shape (n,), int64
        weights : ndarray of shape (n, 2, 2), float32
            For the lower and for the upper end: its weight, and that times the distance to it.
        """
        coordinate = Dual(axis, {0: np.ones(1)}).field if is_slope else axis
        (index,), (offset,) = split((coordinate * cells,))
        upper = fades.FADES[self.fade](offset)
        lower = np.float32(1.0) - upper
        weights = [lower, lower * offset, upper, upper * (offset - np.float32(1.0))]
        if is_slope:
            weights = [parts(weight, 1)[1][0] for weight in weights]
        return index.astype(np.int64), np.stack(weights, axis=1).reshape(-1, 2, 2)

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

    def _corner_values(
        self,
        index: Sequence[Index],
        offset: Sequence[Field],
        lattice: Lattice,
        seeds: Sequence[int],
    ) -> list[CornerValues]:
        """Return, per seed, the function that gives each point what stands at a corner.

        Points that lie close together share corners: the nodes of their bounding box are then
        made once and gathered. Scattered points get theirs one by one.
        """
        distances = [(distance, distance - np.float32(1.0)) for distance in offset]
        low = [int(axis.min()) if axis.size else 0 for axis in index]
        extent = [
            int(axis.max()) - first + 2 if axis.size else 2 for axis, first in zip(index, low)
        ]
        if math.prod(extent) > index[0].size:
            return [self._direct(index, distances, lattice, seed) for seed in seeds]
        ranges = [
            np.arange(first, first + length, dtype=np.int32).reshape(
                [-1 if axis == own else 1 for axis in range(len(index))]
            )
            for own, (first, length) in enumerate(zip(low, extent))
        ]
        box = _wrapped(ranges, lattice)
        address = addresses(index, low, extent)
        return [gathered(self.nodes(box, seed), distances, extent, address) for seed in seeds]

    def _direct(
        self,
        index: Sequence[Index],
        distances: Sequence[tuple[Field, Field]],
        lattice: Lattice,
        seed: int,
    ) -> CornerValues:
        """Make the nodes of every point's own corners."""

        def corner(bits: Bits) -> Field:
            corners = [axis + np.int32(bit) if bit else axis for axis, bit in zip(index, bits)]
            constant, slopes = self.nodes(_wrapped(corners, lattice), seed)
            parts = [slope * distance[bit] for slope, distance, bit in zip(slopes, distances, bits)]
            return total(parts if constant is None else [*parts, constant])

        return corner


def _wrapped(indices: Sequence[Index], lattice: Lattice) -> Sequence[Index]:
    if lattice.periods is None or len(indices) < 2:
        return indices
    return (*lattice.wrapped(indices[0], indices[1]), *indices[2:])


def _blended(copies: Sequence[Nodes], vectors: ColumnVectors) -> Field:
    """Return the column vectors of some copies' nodes, as `separable.Tables` do."""
    constants = [nodes.constant for nodes in copies if nodes.constant is not None]
    slopes = [[nodes.slopes[axis] for nodes in copies] for axis in range(len(copies[0].slopes))]
    if not slopes:
        return vectors.blended(np.array([constants]), first=1)
    fields = vectors.blended(np.array(slopes))
    if constants:
        fields[:, :, :1] += vectors.blended(np.array([constants]), first=1)
    return fields
