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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
    taps : tuple of floats
        Each row of the fields is the sum of so many rows, from its own on, times these numbers; the
        last rows, which have no others after them, are only there for that.
    """

    lower: npt.NDArray[np.int64]
    weights: Field
    tables: Tables
    taps: tuple[float, ...] = (1.0,)

    @property
    def rows(self) -> int:
        """How many rows the fields have."""
        return len(self.lower) - len(self.taps) + 1

    @property
    def vectors(self) -> int:
        """How many column vectors a lattice row has."""
        return int(self.weights.shape[2])

    @property
    def density(self) -> float:
        """Lattice rows per sample row."""
        return float(self.lower[-1] - self.lower[0]) / max(len(self.lower) - 1, 1)

    def scaled(self, factor: float) -> RowProduct:
        """Return the same field times a number."""
        return replace(self, weights=self.weights * np.float32(factor))


@dataclass(frozen=True)
class SlopeProducts:
    """The derivatives of a field along x and y, each a product of its own."""

    x: RowProduct
    y: RowProduct

    def scaled(self, factor: float) -> SlopeProducts:
        """Return the derivatives of the same field times a number."""
        return SlopeProducts(self.x.scaled(factor), self.y.scaled(factor))


def row_plan(products: Sequence[RowProduct], columns: int) -> RowPlan:
    """Return the plan that writes the sum of some products, for each of their copies.

    Parameters
    ----------
    products : sequence of RowProduct
        At least one, all for the same rows and columns and with as many copies.
    columns : int
        How many samples a row has.

    Returns
    -------
    RowPlan
        Its `out` has shape (copies, stop - start, columns).
    """
    coarse = [product for product in products if product.density <= STACKED_DENSITY]
    fine = [[product] for product in products if product.density > STACKED_DENSITY]
    layers = [_Layer(terms, columns) for terms in ([coarse] if coarse else []) + fine]
    height = ROWS_PER_GROUP if fine else ROWS_PER_LONE_STACK

    def rows(start: int, stop: int, out: Field) -> None:
        with blocks.short_buffers():
            for top in range(start, stop, height):
                blocks.checkpoint()
                bottom = min(top + height, stop)
                part = out[:, top - start : bottom - start]
                for place, layer in enumerate(layers):
                    layer.write(top, bottom, part, is_first=place == 0)

    return rows


def gradient_row_plan(products: Sequence[SlopeProducts], columns: int) -> RowPlan:
    """Return the gradient plan for the sum of some products of one copy each."""
    along_x = row_plan([pair.x for pair in products], columns)
    along_y = row_plan([pair.y for pair in products], columns)

    def rows(start: int, stop: int, out: Field) -> None:
        along_x(start, stop, out[:1])
        along_y(start, stop, out[1:])

    return rows


class _Layer:
    """Products that share one matrix product per block of rows."""

    def __init__(self, products: Sequence[RowProduct], columns: int) -> None:
        self._columns = columns
        self._height = min(ROWS_PER_BLOCK, key=lambda height: _cost(products, height))
        laid = [
            banded(product.lower, product.weights, self._height, product.taps)
            for product in products
        ]
        self._bases = [each.base for each in laid]
        self._bands = [each.band for each in laid]
        self._tables = _shared_out(products, self._bands, columns)
        rows = self._height * len(laid[0].base)
        self._weights = np.concatenate([each.weights.reshape(rows, -1) for each in laid], axis=1)
        largest = max(64, SMALL_PRODUCT // (self._height * self._weights.shape[1]) // 16 * 16)
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

    Those of coarse octaves are made whole, as every block needs them.
    """

    def tables(product: RowProduct, band: int) -> Tables:
        first, last = int(product.lower[0]), int(product.lower[-1]) + band
        if (last - first) * columns * 4 * product.vectors > CACHED_TABLE_BYTES:
            return product.tables
        whole = product.tables(first, last)
        return lambda start, stop: whole[:, start - first : stop - first]

    return Portions([partial(tables, *pair) for pair in zip(products, bands)])


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
