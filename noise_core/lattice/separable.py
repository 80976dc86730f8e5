# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise on a regular grid as sums of a few vectors per row.

On a regular grid the weights of a lattice noise depend on the row or on the column alone. So
each lattice row r becomes two vectors over the columns, U and V, made once, and a row of
samples between lattice rows r and r + 1 is

    w0 U[r] + (w0 dy) V[r] + w1 U[r + 1] + (w1 (dy - 1)) V[r + 1].

`einsum` computes such sums for many rows in one call, with NumPy's vector instructions. It
needs no BLAS, which a downloaded Blender's NumPy does not have, and adds up in the order of the
vectors: a sample has the same bits in every window and with every number of threads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from ..base.plans import RowPlan

Tables = Callable[[int, int], Field]
"""Called with (first, last): the column vectors of lattice rows first..last - 1, as an array of
shape (copies, last - first, vectors, columns): U alone, or U and V."""

MIN_COLUMNS = 2
"""In a single column `einsum` would add up in another order."""

STACKED_DENSITY = 1.0 / 12.0
"""Lattice rows per sample row up to which octaves are added up by one call for all rows between
two lattice rows; finer ones have so few rows there that calls would cost more than they do."""

SAMPLES_AT_ONCE = 1 << 18
"""Samples that all layers are added to before the next ones, while they are in the cache."""

LATTICE_ROWS_AT_ONCE = 64
"""Lattice rows whose column vectors are made at once: enough to hide the cost of the calls."""

ROWS_OF_A_RUN = 8
"""How long the runs of rows have to be on average; see `_Runs`."""

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RowProduct:
    """Fields that are sums of a few column vectors times row weights.

    The fields are copies of one noise, which share all but the column vectors.

    Attributes
    ----------
    lower : ndarray of shape (rows,), int64
        The lattice row at or below each sample row; does not fall.
    weights : ndarray of shape (rows, 2 * vectors), float32
        The weights of the lower lattice row's column vectors, then of the upper one's.
    density : float
        Lattice rows per sample row of the whole grid: in which order sums are made must not
        depend on the window.
    tables : callable
        See `Tables`.
    """

    lower: Rows
    weights: Field
    density: float
    tables: Tables


@dataclass(frozen=True)
class ColumnStrip:
    """Adjacent columns of samples, and the products that are summed there.

    Attributes
    ----------
    products : sequence of RowProduct
        At least one.
    copies, columns : int
        Of their column vectors; at least `FEWEST_COLUMNS`.
    """

    products: Sequence[RowProduct]
    copies: int
    columns: int


def row_plan(strips: Sequence[ColumnStrip]) -> RowPlan:
    """Return the plan of adjacent strips of columns, for each of their copies.

    Parameters
    ----------
    strips : sequence of ColumnStrip
        At least one, from left to right, all for the same rows.

    Returns
    -------
    RowPlan
        Its `out` has shape (copies, stop - start, columns of all strips).
    """
    layers = [_layers(strip) for strip in strips]
    edges = list(itertools.accumulate((strip.columns for strip in strips), initial=0))
    copies, widest = strips[0].copies, max(strip.columns for strip in strips)
    height = max(1, SAMPLES_AT_ONCE // widest)

    def rows(start: int, stop: int, out: Field) -> None:
        with blocks.short_buffers():
            plans = [[layer.plan(stop) for layer in layer_plans] for layer_plans in layers]
            most = 0 if len(plans[0]) == 1 else copies * min(height, stop - start) * widest
            buffer = np.empty(most, np.float32)
            for top in range(start, stop, height):
                blocks.checkpoint()
                bottom = min(top + height, stop)
                for layer_plans, left, right in zip(plans, edges, edges[1:]):
                    part = out[:, top - start : bottom - start, left:right]
                    layer_plans[0](top, bottom, part)
                    for plan in layer_plans[1:]:
                        added = buffer[: part.size].reshape(part.shape)
                        plan(top, bottom, added)
                        np.add(part, added, out=part)

    return rows


def _layers(strip: ColumnStrip) -> list[_Stack | _Runs]:
    """Return the groups that are summed: all coarse products together, then each fine one."""
    coarse = [product for product in strip.products if product.density <= STACKED_DENSITY]
    fine = [_Runs(product) for product in strip.products if product.density > STACKED_DENSITY]
    return [_Stack(coarse, strip.copies, strip.columns), *fine] if coarse else [*fine]


class _VectorCache:
    """Column vectors of a product, computed for a range of lattice rows on demand.

    Parameters
    ----------
    product : RowProduct
    stop : int
        The sample row before which they end.
    """

    def __init__(self, product: RowProduct, stop: int) -> None:
        self._tables = product.tables
        self._end = int(product.lower[stop - 1]) + 2
        self._first, self._pairs = 0, np.empty((1, 0, 1, 1), np.float32)

    def pairs(self, lowest: int, highest: int) -> Field:
        """Return the vectors of some lattice rows, each together with those of the next row.

        Returns
        -------
        ndarray of shape (copies, highest + 1 - lowest, 2 * vectors, columns), float32
            A view, in which neighbors overlap.
        """
        end = highest + 1
        if lowest < self._first or end > self._first + self._pairs.shape[1]:
            # And enough more to be worth a call.
            last = max(end + 1, min(lowest + LATTICE_ROWS_AT_ONCE, self._end))
            self._first, table = lowest, self._tables(lowest, last)
            copies, rows, vectors, columns = table.shape
            shape = (copies, rows - 1, 2 * vectors, columns)
            self._pairs = np.lib.stride_tricks.as_strided(table, shape, table.strides)
        return self._pairs[:, lowest - self._first : end - self._first]


class _Stack:
    """Coarse products: many sample rows lie between the same two lattice rows."""

    def __init__(self, products: Sequence[RowProduct], copies: int, columns: int) -> None:
        self._products = products
        self._weights = np.concatenate([product.weights for product in products], axis=1)
        self._shape = (copies, self._weights.shape[1], columns)
        counts = (product.weights.shape[1] for product in products)
        ends = list(itertools.accumulate(counts, initial=0))
        self._places = [slice(*pair) for pair in itertools.pairwise(ends)]
        self._lower = lower = np.stack([product.lower for product in products])
        self._cuts = np.flatnonzero((lower[:, 1:] != lower[:, :-1]).any(axis=0)) + 1

    def plan(self, stop: int) -> RowPlan:
        """Return the plan for rows before some row, from top to bottom."""
        vectors = [_VectorCache(product, stop) for product in self._products]
        held: Sequence[int | None] = [None] * len(vectors)
        stack = np.empty(self._shape, np.float32)

        def rows(top: int, bottom: int, out: Field) -> None:
            nonlocal held
            first, last = np.searchsorted(self._cuts, (top + 1, bottom)).tolist()
            edges = [top, *self._cuts[first:last].tolist(), bottom]
            for begin, end in zip(edges, edges[1:]):
                lowers = self._lower[:, begin].tolist()
                for vector, place, lower, before in zip(vectors, self._places, lowers, held):
                    if lower != before:  # the vectors around the row are not in the stack yet
                        stack[:, place] = vector.pairs(lower, lower)[:, 0]
                held = lowers
                part = out[:, begin - top : end - top]
                np.einsum("ik,ckj->cij", self._weights[begin:end], stack, out=part)

        return rows


class _Runs:
    """A fine product: one call computes rows as far apart as its lattice rows.

    If there are about n rows to a lattice row, every n-th row meets the next lattice row or, from
    time to time, another one: few calls are enough, and no vector is copied. Where n is far from
    a whole number, runs would be short, and vectors are copied instead.
    """

    def __init__(self, product: RowProduct) -> None:
        self._product = product
        self._every = every = max(1, round(1.0 / product.density))
        steps = product.lower[every:] - product.lower[:-every]
        self._bends = np.flatnonzero(steps[every:] != steps[:-every]) + every
        self._is_regular = len(self._bends) * ROWS_OF_A_RUN <= len(product.lower)

    def plan(self, stop: int) -> RowPlan:
        """Return the plan for rows before some row, from top to bottom."""
        vectors = _VectorCache(self._product, stop)

        def rows(top: int, bottom: int, out: Field) -> None:
            lower, weights = self._product.lower[top:bottom], self._product.weights[top:bottom]
            pairs = vectors.pairs(int(lower[0]), int(lower[-1]))
            lower = lower - lower[0]
            if not self._is_regular:
                np.einsum("ik,cikj->cij", weights, pairs[:, lower], out=out)
                return
            for run in self._runs(top, bottom):
                some = _progression(lower[run])
                np.einsum("ik,cikj->cij", weights[run], pairs[:, some], out=out[:, run])

        return rows

    def _runs(self, top: int, bottom: int) -> Iterator[slice]:
        """Yield the rows of each call, counted from the top one."""
        every = self._every
        bends = self._bends[slice(*np.searchsorted(self._bends, (top, bottom)).tolist())]
        for first in range(top, min(top + every, bottom)):
            start = first
            for bend in bends[(bends - first) % every == 0].tolist():
                if bend > start:
                    yield slice(start - top, bend + 1 - top, every)
                    start = bend + every
            if start < bottom:
                yield slice(start - top, bottom - top, every)


def _progression(numbers: Rows) -> slice:
    """Return equal or equally spaced numbers as a slice."""
    first, last = int(numbers[0]), int(numbers[-1])
    step = (last - first) // max(len(numbers) - 1, 1)
    return slice(first, last + 1, step or 1)
