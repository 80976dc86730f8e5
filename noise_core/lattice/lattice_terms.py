# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noises on a grid as terms of a sum, evaluated together.

The vectors and weights of the sums (`separable`) are computed for all octaves of a fractal at once: each
octave has few rows and columns, so that separate calls would cost more than the arithmetic.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..base.derivatives import Dual, split_parts
from ..base.gathering import gather
from ..base.grid import Axes
from ..base.plans import RowPlan, even_parts
from . import fades, separable
from .corners import Nodes
from .lattice_cells import split_cells

COLUMNS_AT_ONCE = 4096
"""Wider grids are computed in strips, so that what many rows need stays in the cache."""

Slices = Callable[[Index, Index], Sequence[Nodes]]
"""Called with columns and rows of a lattice: what stands there, shape (rows, columns), copy by copy."""


@dataclass(frozen=True)
class LatticeTerm:
    """Copies of a lattice noise, or of a derivative of it, on the samples of a grid, times a number.

    Attributes
    ----------
    axes : Axes
        Where the samples lie. The lattice's axes are theirs.
    cells : tuple of two floats
        Cells per tile along x and y.
    fade : str
        See `fades`.
    slices : callable
        See `Slices`.
    vectors : int
        How many column vectors a lattice row has: 2 with slopes, 1 without.
    copies : int
    by : int, optional
        Whether this is the derivative by x (0) or y (1).
    factor : float
    """

    axes: Axes
    cells: tuple[float, float]
    fade: str
    slices: Slices
    vectors: int
    copies: int
    by: int | None = None
    factor: float = 1.0

    def scale(self, factor: float) -> LatticeTerm:
        """Return the term times a number."""
        return replace(self, factor=self.factor * factor)


@dataclass(frozen=True)
class SlopeTerms:
    """The derivatives of one copy of a lattice noise along x and y."""

    x: LatticeTerm
    y: LatticeTerm

    def scale(self, factor: float) -> SlopeTerms:
        """Return the derivatives of the same noise times a number."""
        return SlopeTerms(self.x.scale(factor), self.y.scale(factor))


def row_plan(terms: Sequence[LatticeTerm]) -> RowPlan:
    """Return the plan of the sum of some terms, for each of their copies.

    Parameters
    ----------
    terms : sequence of LatticeTerm
        At least one, all for the same samples and with as many copies.
    """
    columns = len(terms[0].axes.x)
    if columns < separable.MIN_COLUMNS:
        return first_column(
            row_plan([replace(term, axes=_repeat_columns(term.axes)) for term in terms])
        )
    plans = []
    for part in even_parts(columns, COLUMNS_AT_ONCE):
        some = [replace(term, axes=replace(term.axes, x=term.axes.x[part])) for term in terms]
        products: list[separable.RowProduct] = []
        for (fade, by, _), alike in itertools.groupby(some, attrgetter("fade", "by", "vectors")):
            products += _products(list(alike), fade, by)
        plans.append(separable.ColumnStrip(products, terms[0].copies, part.stop - part.start))
    return separable.row_plan(plans)


def first_column(plan: RowPlan) -> RowPlan:
    """Return the plan for the first of two columns."""

    def rows(start: int, stop: int, out: Field) -> None:
        slopes = np.empty((*out.shape[:-1], 2), np.float32)
        plan(start, stop, slopes)
        out[:] = slopes[..., :1]

    return rows


def _repeat_columns(axes: Axes) -> Axes:
    """Return axes with all columns repeated once."""
    return replace(axes, x=np.repeat(axes.x, 2))


def gradient_row_plan(pairs: Sequence[SlopeTerms]) -> RowPlan:
    """Return the gradient plan for the sum of some terms of one copy each."""
    along_x, along_y = row_plan([pair.x for pair in pairs]), row_plan([pair.y for pair in pairs])

    def rows(start: int, stop: int, out: Field) -> None:
        along_x(start, stop, out[:1])
        along_y(start, stop, out[1:])

    return rows


def _products(
    terms: Sequence[LatticeTerm], fade: str, by: int | None
) -> Iterator[separable.RowProduct]:
    """Yield the products of terms with one fade, one derivative and as many vectors."""
    column, across = _cells(
        [term.axes.x for term in terms], [term.cells[0] for term in terms], fade, is_slope=by == 0
    )
    row, along = _cells(
        [term.axes.y for term in terms], [term.cells[1] for term in terms], fade, is_slope=by == 1
    )
    along *= np.array([term.factor for term in terms], np.float32).reshape(-1, 1, 1, 1)
    first, last = column.min(axis=1), column.max(axis=1) + 2
    # A slope along x has a distance along the row; what a slope along y or a constant is worth
    # does not change along it, so that these two have the same weights.
    across = np.ascontiguousarray(across[..., ::-1].transpose(0, 3, 2, 1))
    for place, term in enumerate(terms):
        columns = np.arange(first[place], last[place], dtype=np.int32)
        vectors = ColumnVectors(column[place] - first[place], across[place])
        yield separable.RowProduct(
            row[place],
            along[place, ..., : term.vectors].reshape(len(row[place]), -1),
            term.axes.step * abs(term.cells[1]),
            functools.partial(_blend, term.slices, columns, vectors),
        )


def _cells(
    axes: Sequence[npt.NDArray[np.float64]], cells: Sequence[float], fade: str, *, is_slope: bool
) -> tuple[npt.NDArray[np.int64], Field]:
    """Return the cells of the samples along some axes, and the weights of the cells' ends.

    Parameters
    ----------
    axes : sequence of ndarrays of shape (n,), float64
    cells : sequence of floats
        Cells per tile of each.
    fade : str
    is_slope : bool
        Whether to return the derivatives of the weights instead.

    Returns
    -------
    index : ndarray of shape (axes, n), int64
    weights : ndarray of shape (axes, n, 2, 2), float32
        For the lower and for the upper end: its weight, and that times the distance to it.
    """
    axis = np.array(axes)
    coordinate = Dual(axis, {0: np.ones((1, 1))}).field if is_slope else axis
    (index,), (offset,) = split_cells((coordinate * np.array(cells)[:, np.newaxis],))
    upper = fades.FADES[fade](offset)
    lower = np.float32(1.0) - upper
    weights = [lower, lower * offset, upper, upper * (offset - np.float32(1.0))]
    if is_slope:
        weights = [split_parts(weight, 1)[1][0] for weight in weights]
    return index.astype(np.int64), np.stack(weights, axis=-1).reshape(*axis.shape, 2, 2)


def _blend(slices: Slices, columns: Index, vectors: ColumnVectors, start: int, stop: int) -> Field:
    """Return the column vectors of a term's lattice rows, as `separable.Tables` do."""
    copies = slices(columns, np.arange(start, stop, dtype=np.int32))
    constants = [nodes.constant for nodes in copies if nodes.constant is not None]
    slopes = [[nodes.slopes[axis] for nodes in copies] for axis in range(len(copies[0].slopes))]
    if not slopes:
        return vectors.blend([constants], first=1)
    fields = vectors.blend(slopes)
    if constants:
        fields[:, :, :1] += vectors.blend([constants], first=1)
    return fields


class ColumnVectors:
    """The weights of the two nodes around each column of samples, for several kinds of nodes.

    Parameters
    ----------
    lower : ndarray of shape (columns,), int64
        The node at or before each column, counted from the first one.
    weights : ndarray of shape (kinds, 2, columns), float32
        Of that node and of the next one.
    """

    def __init__(self, lower: npt.NDArray[np.int64], weights: Field) -> None:
        self._ends = np.concatenate((lower, lower + 1)).astype(np.intp)
        self._weights = weights

    def blend(self, kinds: Sequence[Sequence[Field]], first: int = 0) -> Field:
        """Return nodes of several kinds, blended by the weights of these kinds.

        Parameters
        ----------
        kinds : sequence of sequences of ndarrays of shape (rows, nodes), float32
            Kind by kind, copy by copy.
        first : int
            The first of the kinds.

        Returns
        -------
        ndarray of shape (copies, rows, kinds, columns), float32
        """
        copies, rows, columns = len(kinds[0]), len(kinds[0][0]), self._weights.shape[2]
        met = np.empty((len(kinds), copies, rows, 2 * columns), np.float32)
        for nodes, ends in zip(kinds, met):
            for field, end in zip(nodes, ends):
                gather(field, self._ends, end)
        vectors = np.empty((copies, rows, len(kinds), columns), np.float32)
        weights = self._weights[first : first + len(kinds)]
        met = met.reshape(len(kinds), copies, rows, 2, columns)
        np.einsum("kcrex,kex->crkx", met, weights, out=vectors)
        return vectors
