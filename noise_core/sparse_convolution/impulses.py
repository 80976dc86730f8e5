# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses: a random point in each cell of a lattice, and the kernel around it.

One point a cell, anywhere in it, makes the expected value of a sum of kernels the same everywhere, with
less chance in it than points without cells have.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..base.arrays import Field, Hash, Index
from ..base.torus import Lattice
from ..lattice.hash import child_seed, hash_indices
from ..voronoi.feature_points import FeaturePoints

Marks = Sequence[Field]
"""What impulses have beside their places: arrays of one shape, as many as the kernel needs."""


class Kernel(Protocol):
    """Kernel around each impulse: sums of products of a factor along y and one along all other axes.

    Distances are those to the impulse, in cells; the kernel ends at `radius` along every axis.
    `by` is the axis of a derivative, or None.
    """

    @property
    def radius(self) -> int:
        """Reach along every axis, in cells."""

    @property
    def fields(self) -> int:
        """Number of sums."""

    def marks(self, bits: Hash) -> tuple[Field, ...]:
        """Return the marks of impulses with these random bits."""

    def columns(self, distances: Sequence[Field], marks: Marks, by: int | None) -> list[Field]:
        """Return one factor for each product; the distances are those along x, z and on."""

    def rows(self, distance: Field, marks: Marks, by: int | None) -> list[list[Field]]:
        """Return the other factor for each field and product, along y."""


@dataclass(frozen=True, eq=False)
class Impulses:
    """Impulses of a lattice, one in each cell.

    Parameters
    ----------
    lattice : Lattice
    seed : int
        Unsigned, 32 bits.
    kernel : Kernel
    """

    lattice: Lattice
    seed: int
    kernel: Kernel

    def of(self, indices: Sequence[Index]) -> tuple[Field, ...]:
        """Return the impulses of some cells: their places within the cell, axis by axis, then their marks."""
        if self.lattice.periods is not None:
            indices = (*self.lattice.wrap(indices[0], indices[1]), *indices[2:])
        bits = hash_indices(indices, child_seed(self.seed, 1))
        return (*self._points.positions(indices), *self.kernel.marks(bits))

    @functools.cached_property
    def _points(self) -> FeaturePoints:
        return FeaturePoints(self.lattice, self.seed, 1.0)

    @property
    def steps(self) -> range:
        """Steps along an axis from a place's own cell to those whose kernels can reach it."""
        return range(-self.kernel.radius, self.kernel.radius + 1)
