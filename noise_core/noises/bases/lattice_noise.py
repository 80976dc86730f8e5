# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of value and gradient noise: values at the corners of a cell, blended by a fade.

A type that derives from `LatticeNoise` defines the values at a lattice point: a constant, a slope
along each axis, or both. Evaluation at points, as sums of vectors on a grid, and on the torus is
common to all.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...base import blocks
from ...base.arrays import MOST_DIMENSIONS, Field, Index, Points
from ...base.declared import declared_type
from ...base.grid import Axes
from ...base.params import cells_per_tile, choice
from ...base.plans import point_plan, single_plan
from ...base.torus import square_lattice
from ...lattice import corners, fades, lattice_cells, lattice_terms, many_corners
from .noise import Noise

if TYPE_CHECKING:
    from ...base.derivatives import Slopes
    from ...base.plans import RowPlan
    from ...base.torus import Lattice, Torus
    from ...lattice.affine import Affine
    from ...lattice.corners import Bits, CornerNodes, Nodes
    from ...lattice.lattice_terms import LatticeTerm, SlopeTerms


_THIRD_DERIVATIVE = 120.0
"""Of one cell with the quintic fade, whose own is 60 at the corners: twice that for value noise,
and about 110 for gradient noise (measured)."""

MAX_CELLS_PER_SAMPLE = 2.05
"""Beyond, a lattice row has so many more points than samples that asking each point is faster."""

_FEW = 4
"""Up to so many dimensions the corners of points are taken one after the other, and derivatives that are not
written out are those of numbers that carry them along."""

NODES_PER_POINT = 2
"""Up to so many lattice points in the box around some points all of these are hashed: of the four or more
corners of each cell it would be nearly as many."""


@declared_type
class LatticeNoise(Noise):
    """Base of noises that blend the values at the corners of a square cell."""

    is_arithmetic = True
    dimensions: ClassVar[tuple[int, ...]] = tuple(range(1, MOST_DIMENSIONS + 1))

    frequency: float = cells_per_tile()
    has_slopes: ClassVar[bool] = True
    """Whether `nodes` gives slopes; if not, it gives a constant alone."""

    fade: str = choice(
        "quintic", help="Interpolation curve between corners", options=fades.OPTIONS, advanced=True
    )

    def nodes(self, indices: Sequence[Index], seed: int) -> Nodes:
        """Return the values at lattice points.

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
        return self.sample_seeds(points, (seed,), torus)[0]

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: in the plane written out, in half the time and with the same bits."""
        lattice = square_lattice(self.frequency, torus)
        is_many = len(points) > _FEW
        if not (is_many or (len(points) == 2 and self.has_slopes and lattice.is_aligned)):
            return super().slopes(points, seed, torus)
        index, offset = lattice_cells.split_cells(lattice.coordinates(points))
        if is_many:
            return self._slopes_of_many(index, offset, seed)
        rises = [np.float32(lattice.matrix[axis][axis]) for axis in (0, 1)]
        (nodes_at,) = self._corner_nodes(index, lattice, (seed,))
        distances = [(distance, distance - np.float32(1.0)) for distance in offset]
        weights = [fades.with_slope(self.fade, place, rise) for place, rise in zip(offset, rises)]
        result, *slopes = corners.blend_slopes(nodes_at, distances, rises, weights, 0, (0, 0))
        return result, tuple(slopes)

    def _slopes_of_many(
        self, index: Sequence[Index], offset: Sequence[Field], seed: int
    ) -> tuple[Field, Slopes]:
        """Return the value and its derivatives in many dimensions, where nothing repeats."""
        rise = np.float32(self.frequency)
        weights = [fades.with_slope(self.fade, place, rise) for place in offset]
        return many_corners.blend_slopes(
            lambda cells: self.nodes(cells, seed), index, offset, [rise] * len(index), weights
        )

    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """See `Noise.sample_seeds`: cells, fades and addresses are the same for all seeds."""
        lattice = square_lattice(self.frequency, torus)
        return self.in_cells(
            *lattice_cells.split_cells(lattice.coordinates(points)), lattice, seeds
        )

    def sample_octaves(
        self,
        points: Points,
        octaves: Iterable[tuple[Affine, Sequence[int]]],
        torus: Torus | None,
    ) -> Iterator[list[Field]]:
        """See `Noise.sample_octaves`: where a lattice is twice as fine, each cell is cut in two."""
        found = lattice_cells.octave_cells(self.frequency, points, octaves, torus)
        for cells, lattice, seeds in found:
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
        weights = [fades.FADES[self.fade](distance) for distance in offset]
        if len(index) > _FEW and isinstance(offset[0], np.ndarray) and not _is_close(index):
            return [
                many_corners.blend_values(
                    functools.partial(self._wrapped_nodes, lattice, seed), index, offset, weights
                )
                for seed in seeds
            ]
        distances = [(distance, distance - np.float32(1.0)) for distance in offset]
        corners_of = self._corner_nodes(index, lattice, seeds)
        results = []
        for nodes_at in corners_of:
            blocks.checkpoint()
            first = (0,) * len(index)
            results.append(corners.blend_corners(nodes_at, distances, weights, 0, first))
        return results

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`."""
        return single_plan(self.seeds_plan(axes, (seed,)))

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`: a sum of vectors where the lattice is aligned with the grid."""
        terms = self.terms(axes, seeds)
        if terms is None:
            return point_plan(lambda points: self.sample_seeds(points, seeds, axes.torus), axes)
        return lattice_terms.row_plan(terms)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`: two sums of vectors where the value is one."""
        pair = self.slope_terms(axes, seed)
        if pair is None:
            return super().gradient_plan(axes, seed)
        return lattice_terms.gradient_row_plan([pair])

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`."""
        return True

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """See `Noise.terms`: one."""
        term = self._term(axes, seeds, None)
        return None if term is None else [term]

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """See `Noise.slope_terms`: the same term with the weights' derivatives."""
        along_x, along_y = (self._term(axes, (seed,), axis) for axis in (0, 1))
        if along_x is None or along_y is None:
            return None
        return lattice_terms.SlopeTerms(along_x, along_y)

    def _term(self, axes: Axes, seeds: Sequence[int], by: int | None) -> LatticeTerm | None:
        """Return the fields of a grid, or their derivatives by x (0) or y (1), as a term."""
        lattice = square_lattice(self.frequency, axes.torus)
        cells = (lattice.matrix[0][0], lattice.matrix[1][1])
        densest = axes.step * max(map(abs, cells))
        if not lattice.is_aligned or densest > MAX_CELLS_PER_SAMPLE:
            return None

        def slices(columns: Index, rows: Index) -> list[Nodes]:
            fixed, beyond = lattice_cells.split_cells(
                tuple(np.full(1, at * self.frequency) for at in axes.rest)
            )
            return [self._slice(columns, rows, fixed, beyond, lattice, seed) for seed in seeds]

        vectors = 2 if self.has_slopes else 1
        return lattice_terms.LatticeTerm(axes, cells, self.fade, slices, vectors, len(seeds), by)

    def _slice(
        self,
        columns: Index,
        rows: Index,
        fixed: Sequence[Index],
        beyond: Sequence[Field],
        lattice: Lattice,
        seed: int,
    ) -> Nodes:
        """Return the nodes of a 2-D slice, shape (rows, columns): a fixed z and w blend away."""
        fade = fades.FADES[self.fade]
        i, j = lattice.wrap(columns[np.newaxis, :], rows[:, np.newaxis])
        if not fixed:
            return self.nodes((i, j), seed)
        constant = np.zeros((len(rows), len(columns)), np.float32)
        slopes: list[Field] = []
        for bits in itertools.product((0, 1), repeat=len(fixed)):
            corner = tuple(index + np.int32(bit) for index, bit in zip(fixed, bits))
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
        return corners.Nodes(constant, tuple(slopes))

    def _corner_nodes(
        self, index: Sequence[Index], lattice: Lattice, seeds: Sequence[int]
    ) -> list[CornerNodes]:
        """Return, per seed, the function that gives the nodes at one corner of each point's cell.

        Points that lie close together share corners: the nodes of their bounding box are then
        made once and gathered. Scattered points get theirs one by one.
        """
        low, extent = corners.bounding_box(index)
        if not _is_few(extent, index):
            return [self._direct(index, lattice, seed) for seed in seeds]
        box = _wrap(corners.box_indices(low, extent), lattice)
        address = corners.addresses(index, low, extent)
        return [corners.gather_nodes(self.nodes(box, seed), extent, address) for seed in seeds]

    def _direct(self, index: Sequence[Index], lattice: Lattice, seed: int) -> CornerNodes:
        """Return the function that computes the nodes of each point's corners directly."""

        def corner(bits: Bits) -> Nodes:
            place = [axis + np.int32(bit) if bit else axis for axis, bit in zip(index, bits)]
            return self._wrapped_nodes(lattice, seed, place)

        return corner

    def _wrapped_nodes(self, lattice: Lattice, seed: int, place: Sequence[Index]) -> Nodes:
        return self.nodes(_wrap(place, lattice), seed)


def _is_close(index: Sequence[Index]) -> bool:
    """Return whether cells lie so close together that the nodes of their box are as many as their corners."""
    return _is_few(corners.bounding_box(index)[1], index)


def _is_few(extent: Sequence[int], index: Sequence[Index]) -> bool:
    return math.prod(extent) <= NODES_PER_POINT * index[0].size


def _wrap(indices: Sequence[Index], lattice: Lattice) -> Sequence[Index]:
    if lattice.periods is None or len(indices) < 2:
        return indices
    return (*lattice.wrap(indices[0], indices[1]), *indices[2:])
