# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise on a regular grid as matrix products: why Terrane is fast without compiled code.

On a regular grid the weights of a lattice noise depend on the row or on the column alone. So
each lattice row r becomes two vectors over the columns, U and V, made once, and a row of
samples between lattice rows r and r + 1 is

    w0 U[r] + w1 U[r + 1] + (w0 dy) V[r] + (w1 (dy - 1)) V[r + 1].

For a block of rows that is a small matrix of weights times the stacked vectors, and all octaves
of a fractal sum stack into one product, scaled by their amplitudes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import blocks
from .arrays import Field

if TYPE_CHECKING:
    from .noise import RowPlan

Tables = Callable[[int, int], tuple[Field, ...]]
"""Called with (first, last): the column vectors U, or U and V, of lattice rows first..last - 1,
each of shape (last - first, columns)."""

ROWS_PER_BLOCK = (8, 16, 32, 64)
"""Heights of a product that are tried; the best depends on how many lattice rows it meets."""

SMALL_PRODUCT = 1_000_000
"""OpenBLAS has a kernel for small products (rows x inner x columns up to this) that is twice as
fast on thin ones and stays on the caller's thread; products are cut to fit."""

CACHED_TABLE_BYTES = 4 << 20
"""Column vectors of coarse octaves are kept whole up to this size: every block needs them."""


@dataclass(frozen=True)
class RowProduct:
    """A field that is a sum over few lattice rows of row weight times column vector.

    Attributes
    ----------
    lower : ndarray of shape (rows,), int64
        The lattice row at or below each sample row; does not fall.
    weights : tuple of ndarrays of shape (rows, 2), float32
        Per column vector (U, or U and V) the weights of the lower and the upper lattice row.
    tables : callable
        See `Tables`.
    """

    lower: npt.NDArray[np.int64]
    weights: tuple[Field, ...]
    tables: Tables

    def scaled(self, factor: float) -> RowProduct:
        """Return the same field times a number."""
        weights = tuple(weight * np.float32(factor) for weight in self.weights)
        return replace(self, weights=weights)

    def cached(self, columns: int) -> RowProduct:
        """Return the same field with all its column vectors made now, if they are small."""
        first, last = int(self.lower[0]), int(self.lower[-1]) + 2 + max(ROWS_PER_BLOCK)
        if (last - first) * columns * 4 * len(self.weights) > CACHED_TABLE_BYTES:
            return self
        whole = self.tables(first, last)

        def tables(start: int, stop: int) -> tuple[Field, ...]:
            if stop > last:
                return self.tables(start, stop)
            return tuple(table[start - first : stop - first] for table in whole)

        return replace(self, tables=tables)


@dataclass(frozen=True)
class _Term:
    """One product with its weights laid out for blocks: where it stands in the stacked matrix."""

    product: RowProduct
    base: npt.NDArray[np.int64]
    """First lattice row of every block."""
    band: int
    """How many lattice rows a block takes."""
    column: int
    """Where its vectors begin among the stacked ones."""


def row_plan(products: Sequence[RowProduct], columns: int) -> RowPlan:
    """Return the plan that writes the sum of some products.

    Parameters
    ----------
    products : sequence of RowProduct
        All for the same rows and columns.
    columns : int
        How many samples a row has.
    """
    height = _best_height(products)
    terms, weights = _stacked(products, height)
    inner = weights.shape[1]
    width = max(64, SMALL_PRODUCT // (height * inner) // 16 * 16)

    def rows(start: int, stop: int, out: Field) -> None:
        first_block, last_block = start // height, (stop - 1) // height
        strips = [
            (
                int(term.base[first_block]),
                term.product.tables(
                    int(term.base[first_block]), int(term.base[last_block]) + term.band
                ),
            )
            for term in terms
        ]
        stacked = np.empty((inner, columns), np.float32)
        for block in range(first_block, last_block + 1):
            blocks.checkpoint()
            for term, (origin, tables) in zip(terms, strips):
                offset = int(term.base[block]) - origin
                at = term.column
                for table in tables:
                    stacked[at : at + term.band] = table[offset : offset + term.band]
                    at += term.band
            top, bottom = max(start, block * height), min(stop, (block + 1) * height)
            part = weights[top:bottom]
            for left in range(0, columns, width):
                right = min(left + width, columns)
                np.matmul(
                    part, stacked[:, left:right], out=out[top - start : bottom - start, left:right]
                )

    return rows


def _best_height(products: Sequence[RowProduct]) -> int:
    """Return how many rows a block should have: few enough to meet few lattice rows."""

    def cost(height: int) -> float:
        inner = 0.0
        for product in products:
            rows = len(product.lower)
            lattice_rows = float(product.lower[-1] - product.lower[0]) / max(rows - 1, 1)
            inner += len(product.weights) * (2.0 + height * lattice_rows)
        # Copying the vectors together costs about as much as eight more rows of product.
        return inner * (1.0 + 8.0 / height)

    return min(ROWS_PER_BLOCK, key=cost)


def _stacked(products: Sequence[RowProduct], height: int) -> tuple[list[_Term], Field]:
    """Lay all products' weights side by side: shape (rows, inner)."""
    rows = len(products[0].lower)
    row = np.arange(rows)
    terms: list[_Term] = []
    parts: list[Field] = []
    column = 0
    for product in products:
        base = product.lower[::height]
        place = product.lower - np.repeat(base, height)[:rows]
        band = int(place.max()) + 2
        terms.append(_Term(product, base, band, column))
        for weight in product.weights:
            part = np.zeros((rows, band), np.float32)
            part[row, place] = weight[:, 0]
            part[row, place + 1] = weight[:, 1]
            parts.append(part)
            column += band
    return terms, np.ascontiguousarray(np.concatenate(parts, axis=1))
