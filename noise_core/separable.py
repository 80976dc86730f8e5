# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise on a regular grid as matrix products: why Terrane is fast without compiled code.

On a regular grid the weights of a lattice noise depend on the row or on the column alone. So
each lattice row r becomes two vectors over the columns, U and V, made once, and a row of
samples between lattice rows r and r + 1 is

    w0 U[r] + w1 U[r + 1] + (w0 dy) V[r] + (w1 (dy - 1)) V[r + 1].

For a block of rows that is a small matrix of weights times the stacked vectors, and all octaves
of a fractal sum stack into one product, scaled by their amplitudes. Copies of a noise with other
seeds have the same weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import blocks
from .arrays import Field
from .banded import banded
from .portions import Portions

if TYPE_CHECKING:
    from .plans import RowPlan

Tables = Callable[[int, int], Field]
"""Called with (first, last): the column vectors of lattice rows first..last - 1, as an array of
shape (copies, last - first, vectors, columns): U alone, or U and V."""

ROWS_PER_BLOCK = (8, 16, 32, 64)
"""Heights of a product that are tried; the best depends on how many lattice rows it meets."""

ROWS_PER_GROUP = max(ROWS_PER_BLOCK)
"""All layers are added to this many rows before the next ones, while they are in the cache."""

ROWS_PER_LONE_STACK = 4 * ROWS_PER_GROUP
"""A lone stack of coarse octaves has nothing to be added to, and copies less in longer groups."""

STACKED_DENSITY = 1.0 / 6.0
"""Lattice rows per sample row up to which octaves share one product; finer ones get their own,
with blocks so low that they meet few lattice rows."""

SMALL_PRODUCT = 1_000_000
"""OpenBLAS has a kernel for small products (rows x inner x columns up to this) that is twice as
fast on thin ones and stays on the caller's thread; products are cut to fit."""

_CALL = 400.0
"""What the calls for a block cost, in the unit of `_cost` (measured on 1024 columns, two threads)."""

CACHED_TABLE_BYTES = 4 << 20
"""Column vectors of coarse octaves are kept whole up to this size: every block needs them."""

SMALL_TABLE_BYTES = 1 << 20
"""Up to this size, of one copy, they are made before there are threads: in calls so short that two
threads take longer than one (measured)."""


@dataclass(frozen=True)
class RowProduct:
    """Fields that are sums over few lattice rows of row weight times column vector.

    The fields are copies of one noise, which share all but the column vectors.

    Attributes
    ----------
    lower : ndarray of shape (rows,), int64
        The lattice row at or below each sample row; does not fall.
    weights : ndarray of shape (rows, 2, vectors), float32
        The weights of the lower and of the upper lattice row, for each of its column vectors.
    tables : callable
        See `Tables`.
    """

    lower: npt.NDArray[np.int64]
    weights: Field
    tables: Tables

    @property
    def vectors(self) -> int:
        """How many column vectors a lattice row has."""
        return int(self.weights.shape[2])

    @cached_property
    def density(self) -> float:
        """Lattice rows per sample row."""
        return float(self.lower[-1] - self.lower[0]) / max(len(self.lower) - 1, 1)


def row_plan(
    products: Sequence[RowProduct], columns: int, taps: Sequence[float] = (1.0,)
) -> RowPlan:
    """Return the plan that writes the sum of some products, for each of their copies.

    Parameters
    ----------
    products : sequence of RowProduct
        At least one, all for the same rows and columns and with as many copies.
    columns : int
        How many samples a row has.
    taps : sequence of floats
        Each row written is the sum of so many rows, from its own on, times these numbers; the last
        rows of the products, which have no others after them, are only there for that.

    Returns
    -------
    RowPlan
        Its `out` has shape (copies, stop - start, columns).
    """
    layers = [_Layer(terms, columns, taps) for terms in _layers(products)]
    has_fine = any(product.density > STACKED_DENSITY for product in products)
    height = ROWS_PER_GROUP if has_fine else ROWS_PER_LONE_STACK

    def rows(start: int, stop: int, out: Field) -> None:
        with blocks.short_buffers():
            for top in range(start, stop, height):
                blocks.checkpoint()
                bottom = min(top + height, stop)
                part = out[:, top - start : bottom - start]
                for place, layer in enumerate(layers):
                    layer.write(top, bottom, part, is_first=place == 0)

    return rows


def _layers(products: Sequence[RowProduct]) -> list[list[RowProduct]]:
    """Return products that share one matrix product: all coarse ones with as many vectors."""
    by_vectors = lambda product: product.vectors  # noqa: E731
    coarse = [product for product in products if product.density <= STACKED_DENSITY]
    fine = [[product] for product in products if product.density > STACKED_DENSITY]
    stacks = itertools.groupby(sorted(coarse, key=by_vectors), by_vectors)
    return [list(stack) for _, stack in stacks] + fine


class _Layer:
    """Products that share one matrix product per block of rows."""

    def __init__(self, products: Sequence[RowProduct], columns: int, taps: Sequence[float]) -> None:
        self._columns = columns
        self._height = min(ROWS_PER_BLOCK, key=lambda height: _cost(products, height))
        laid = banded(
            np.stack([product.lower for product in products]),
            np.stack([product.weights for product in products]),
            self._height,
            taps,
        )
        self._bases, self._bands = laid.base, laid.bands
        self._tables = _shared_out(products, laid.bands, columns)
        blocks, height, _, _ = laid.weights.shape
        self._weights = laid.weights.reshape(blocks * height, -1)
        largest = max(64, SMALL_PRODUCT // (height * self._weights.shape[1]) // 16 * 16)
        self._width = _piece(columns, largest)

    def write(self, start: int, stop: int, out: Field, *, is_first: bool) -> None:
        """Write the layer's rows into `out`, or add them to it."""
        height = self._height
        first, last = start // height, (stop - 1) // height
        tables = [
            tables(int(base[first]), int(base[last]) + band)
            for tables, base, band in zip(self._tables.take(), self._bases, self._bands)
        ]
        stacked = np.empty((len(out), self._weights.shape[1], self._columns), np.float32)
        buffer = None if is_first else np.empty((len(out), height, self._columns), np.float32)
        for block in range(first, last + 1):
            vectors = self._vectors(tables, first, block, stacked)
            top, bottom = max(start, block * height), min(stop, (block + 1) * height)
            part, target = self._weights[top:bottom], out[:, top - start : bottom - start]
            if buffer is None:
                _multiply(part, vectors, self._width, target)
            else:
                added = buffer[:, : len(part)]
                _multiply(part, vectors, self._width, added)
                target += added

    def _vectors(self, tables: list[Field], first: int, block: int, stacked: Field) -> Field:
        """Return one block's column vectors, shape (copies, inner, columns)."""
        at = 0
        for table, base, band in zip(tables, self._bases, self._bands):
            offset = int(base[block] - base[first])
            vectors = table[:, offset : offset + band].reshape(len(table), -1, self._columns)
            if len(tables) == 1:
                return vectors
            # Coarse octaves meet the same lattice rows in many blocks: copy only what changes.
            inner = vectors.shape[1]
            if block == first or base[block] != base[block - 1]:
                stacked[:, at : at + inner] = vectors
            at += inner
        return stacked


def _shared_out(
    products: Sequence[RowProduct], bands: Sequence[int], columns: int
) -> Portions[Tables]:
    """Return the column vectors of some products, for threads to make together.

    Those of coarse octaves are made whole, as every block needs them, and the small ones at once.
    """
    lasts = [int(product.lower[-1]) + band for product, band in zip(products, bands)]
    sizes = [
        (last - int(product.lower[0])) * columns * 4 * product.vectors
        for product, last in zip(products, lasts)
    ]

    def tables(product: RowProduct, last: int, size: int) -> Tables:
        if size > CACHED_TABLE_BYTES:
            return product.tables
        first = int(product.lower[0])
        whole = product.tables(first, last)
        return lambda start, stop: whole[:, start - first : stop - first]

    shared = Portions([partial(tables, *each) for each in zip(products, lasts, sizes)])
    shared.take(place for place, size in enumerate(sizes) if size <= SMALL_TABLE_BYTES)
    return shared


def _multiply(weights: Field, vectors: Field, width: int, out: Field) -> None:
    """Write matrix products that are cut into pieces of columns, but asked for in one call.

    Threads share out long calls well; in short ones they wait for the interpreter's lock.

    Parameters
    ----------
    weights : ndarray of shape (rows, inner), float32
    vectors : ndarray of shape (copies, inner, columns), float32
    width : int
        Columns of a piece.
    out : ndarray of shape (copies, rows, columns), float32
    """
    columns = out.shape[2]
    whole = columns // width * width
    if whole:
        pieces = _pieces(vectors[..., :whole], width)
        np.matmul(weights, pieces, out=_pieces(out[..., :whole], width))
    if whole < columns:
        np.matmul(weights, vectors[..., whole:], out=out[..., whole:])


def _piece(columns: int, largest: int) -> int:
    """Return how wide the pieces of a product are: alike if possible, so that one call does all."""
    fewest = -(-columns // largest)
    for count in range(fewest, 2 * fewest + 1):
        if columns % count == 0:
            return columns // count
    return -(-columns // fewest)


def _pieces(field: Field, width: int) -> Field:
    """Return a view of shape (copies, pieces, rows, width)."""
    copies, rows, columns = field.shape
    return field.reshape(copies, rows, columns // width, width).swapaxes(1, 2)


def _cost(products: Sequence[RowProduct], height: int) -> float:
    """Return what a sample of a product costs, up to a factor (measured).

    Low blocks meet few lattice rows, high ones use the processor better and need fewer calls.
    """
    inner = sum(product.vectors * (2.0 + height * product.density) for product in products)
    return inner * (1.0 + 10.0 / height) + _CALL / height
