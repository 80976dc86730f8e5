# SPDX-License-Identifier: GPL-3.0-or-later
"""Random splines at points, and on a grid as sums of three vectors a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Coordinates, Field, Index, Points, flatten_points
from ..base.gathering import gather
from ..base.grid import Axes
from ..base.plans import RowPlan, even_parts
from ..base.torus import Lattice
from . import lattice_cells, lattice_terms, separable, spline_wavelets

By = tuple[bool, bool]
"""Whether the derivative along x and that along y is taken, per step of the lattice."""

_BLOCK = 64
"""Steps along a block of the lattice: points that lie far apart ask for as many blocks as they lie in."""

_LONE = 64
"""Fewer points in a block than these ask each for its own coefficients, which takes less (measured)."""

_LONE_AT_ONCE = 256
"""Such points in one call: 1,300 values of white noise for each stay in a cache of 2 MB."""

_FEW = 1 << 18
"""A rectangle of so many coefficients is computed in any case, as is one of four for each point."""

_MOST_STEPS_PER_SAMPLE = 2.05
"""Beyond, a row has so many more coefficients than samples that asking each point is faster."""


@dataclass(frozen=True, eq=False)
class RandomSpline:
    """A quadratic spline whose coefficients are those of `spline_wavelets`.

    Parameters
    ----------
    lattice : Lattice
    seed : int
    deviation : float
        The standard deviation.
    """

    lattice: Lattice
    seed: int
    deviation: float

    def at_points(self, points: Points, orders: Sequence[By]) -> list[Field]:
        """Return the spline, or derivatives of it, at points of any shape."""
        flat, shape = flatten_points(points)
        index, places = lattice_cells.split_cells(self.lattice.coordinates(flat))
        out = np.empty((len(orders), index[0].size), np.float32)
        lone: list[npt.NDArray[np.intp]] = []
        for part in _groups(*index):
            if isinstance(part, slice) or part.size >= _LONE:
                blocks.checkpoint()
                cells = [axis[part] for axis in index]
                self._evaluate(cells, [axis[part] for axis in places], orders, out, part)
            else:
                lone.append(part)
        alone = np.concatenate(lone) if lone else np.empty(0, np.intp)
        for start in range(0, alone.size, _LONE_AT_ONCE):
            blocks.checkpoint()
            part = alone[start : start + _LONE_AT_ONCE]
            cells = [axis[part] for axis in index]
            self._evaluate_alone(cells, [axis[part] for axis in places], orders, out, part)
        return [field.reshape(shape) for field in out]

    def _evaluate_alone(
        self,
        index: Sequence[Index],
        places: Sequence[Field],
        orders: Sequence[By],
        out: Field,
        part: npt.NDArray[np.intp],
    ) -> None:
        """Write some points that share nothing."""
        x, y = (axis - np.int32(2) for axis in index)
        table = spline_wavelets.coefficients_at(self.lattice, self.seed, x, y, self.deviation)

        def coefficient(down: int, step: int) -> Field:
            result: Field = table[down, step]
            return result

        _sum_splines(coefficient, places, orders, out, part)

    def _evaluate(
        self,
        index: Sequence[Index],
        places: Sequence[Field],
        orders: Sequence[By],
        out: Field,
        part: slice | npt.NDArray[np.intp],
    ) -> None:
        """Write some points that share a rectangle of coefficients."""
        low = [int(axis.min()) - 2 for axis in index]
        high = [int(axis.max()) + 1 for axis in index]
        table = self._table((low[0], low[1]), (high[0], high[1]))
        width = table.shape[1]
        address = (index[1] - np.int32(low[1] + 2)).astype(np.intp) * width
        address += index[0] - np.int32(low[0] + 2)
        flat = table.reshape(-1)

        def coefficient(down: int, step: int) -> Field:
            return gather(flat[down * width + step :], address)

        _sum_splines(coefficient, places, orders, out, part)

    def can_serve(self, axes: Axes) -> bool:
        """Return whether a grid's samples are sums of vectors."""
        (across, _), (_, along) = self.lattice.matrix
        densest = axes.step * max(abs(across), abs(along))
        return self.lattice.is_aligned and densest <= _MOST_STEPS_PER_SAMPLE

    def grid_plan(self, axes: Axes, by: By) -> RowPlan:
        """Return the plan of the spline or of a derivative, for a grid that can be served.

        Returns
        -------
        RowPlan
            Its `out` has shape (1, stop - start, columns).
        """
        (across, _), (_, along) = self.lattice.matrix
        x = axes.x if axes.x.size >= separable.MIN_COLUMNS else np.repeat(axes.x, 2)
        (row,), (place,) = lattice_cells.split_cells((axes.y * along,))
        lower, middle, upper = spline_wavelets.spline_weights(place, by[1])
        # A row of the lattice has the vectors of the two splines before it: with those of the next row, three.
        weights = np.stack([lower, middle, np.zeros_like(upper), upper], axis=1)
        density = axes.step * abs(along)
        strips = []
        for part in even_parts(x.size, lattice_terms.COLUMNS_AT_ONCE):
            vectors = _SplineVectors(self, x[part] * across, by[0])
            product = separable.RowProduct(row.astype(np.int64), weights, density, vectors.rows)
            strips.append(separable.ColumnStrip([product], 1, part.stop - part.start))
        plan = separable.row_plan(strips)
        return plan if x.size == axes.x.size else lattice_terms.first_column(plan)

    def _table(self, low: tuple[int, int], high: tuple[int, int]) -> Field:
        return spline_wavelets.coefficients(self.lattice, self.seed, low, high, self.deviation)


class _SplineVectors:
    """Rows of coefficients as splines along the columns of a grid.

    Parameters
    ----------
    spline : RandomSpline
    along : ndarray of shape (columns,), float64
        Where they lie, in steps.
    by : bool
        Whether their derivatives are taken.
    """

    def __init__(self, spline: RandomSpline, along: Coordinates, by: bool) -> None:
        (column,), (place,) = lattice_cells.split_cells((along,))
        self._spline, self._weights = spline, spline_wavelets.spline_weights(place, by)
        self._low, self._high = int(column.min()) - 2, int(column.max()) + 1
        self._columns = (column - np.int32(self._low + 2)).astype(np.intp)

    def rows(self, first: int, last: int) -> Field:
        """Return the vectors of lattice rows; see `separable.Tables`."""
        table = self._spline._table((self._low, first - 2), (self._high, last - 1))
        lines = np.zeros((len(table), self._columns.size), np.float32)
        for step, weight in enumerate(self._weights):
            lines += table.take(self._columns + step, axis=1, mode="wrap") * weight
        return np.stack([lines[: last - first], lines[1 : last - first + 1]], axis=1)[np.newaxis]


def _sum_splines(
    coefficient: Callable[[int, int], Field],
    places: Sequence[Field],
    orders: Sequence[By],
    out: Field,
    part: slice | npt.NDArray[np.intp],
) -> None:
    """Write the nine splines of some points, with the coefficients of each step along y and x."""
    for field, by in zip(out, orders):
        across, along = map(spline_wavelets.spline_weights, places, by)
        total = np.zeros_like(places[0])
        for down, row in enumerate(along):
            line = np.zeros_like(total)
            for step, weight in enumerate(across):
                line += coefficient(down, step) * weight
            line *= row
            total += line
        field[part] = total


def _groups(i: Index, j: Index) -> Iterator[slice | npt.NDArray[np.intp]]:
    """Yield groups of points, of which each shares a rectangle of coefficients."""
    if not i.size:
        return
    extent = [int(axis.max()) - int(axis.min()) + 3 for axis in (i, j)]
    if extent[0] * extent[1] <= 4 * i.size + _FEW:
        yield slice(0, i.size)
        return
    block = ((j // np.int32(_BLOCK)).astype(np.int64) << 32) + i // np.int32(_BLOCK)
    order = np.argsort(block, kind="stable")
    ordered = block[order]
    yield from np.split(order, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
