# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands at lattice points, blended along lattice rows: the column vectors of `separable`.

Along a row too the weights depend on the column alone, so that a block of columns is a matrix
product as well: of the few nodes that it meets and of their weights, the same for all lattice rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .arrays import Field
from .banded import banded
from .gathering import gather_columns

COLUMNS_PER_BLOCK = 32
"""Narrower blocks meet fewer nodes, wider ones need fewer products (measured from 4 to 1000 cells
a row of 1152 samples: three to eight times as fast as gathering both ends of every sample)."""


class ColumnVectors:
    """The weights of the nodes around each column of samples, for several kinds of nodes.

    Parameters
    ----------
    base : ndarray of shape (blocks,), int64
        The first node of each block of columns.
    weights : ndarray of shape (blocks, COLUMNS_PER_BLOCK, band, kinds), float32
        Of the nodes from there on.
    columns : int
        How many there are.
    last : int
        The last node.
    """

    def __init__(
        self, base: npt.NDArray[np.int64], weights: Field, columns: int, last: int
    ) -> None:
        self._columns = columns
        self._weights = np.ascontiguousarray(weights.transpose(3, 0, 2, 1))
        _, self._blocks, self._band, _ = self._weights.shape
        places = base[:, np.newaxis] + np.arange(self._band)
        # What a block that is filled up asks for beyond the last node has no weight.
        self._places = np.minimum(places, last).reshape(-1).astype(np.intp)

    def blended(self, nodes: Field, first: int = 0) -> Field:
        """Return nodes of several kinds, blended by the weights of these kinds.

        Parameters
        ----------
        nodes : ndarray of shape (kinds, copies, rows, nodes), float32
        first : int
            The first of the kinds.

        Returns
        -------
        ndarray of shape (copies, rows, kinds, columns), float32
        """
        kinds, copies, rows, _ = nodes.shape
        shape = (self._blocks, self._band)
        met = np.empty((kinds, copies, rows, len(self._places)), np.float32)
        gather_columns(nodes, self._places, met)
        vectors = np.empty((copies, rows, kinds, self._blocks, COLUMNS_PER_BLOCK), np.float32)
        np.matmul(
            met.reshape(kinds, copies, rows, *shape).swapaxes(2, 3),
            self._weights[first : first + kinds, np.newaxis],
            out=vectors.transpose(2, 0, 3, 1, 4),
        )
        return vectors.reshape(copies, rows, kinds, -1)[..., : self._columns]


def column_vectors(
    lower: npt.NDArray[np.int64], weights: Field, taps: Sequence[float] = (1.0,)
) -> list[ColumnVectors]:
    """Lay out the weights of several lattices.

    Parameters
    ----------
    lower : ndarray of shape (lattices, columns), int64
        The node at or before each column, counted from the first one; does not fall.
    weights : ndarray of shape (lattices, columns, 2, kinds), float32
        Weights of that node and of the next one.
    taps : sequence of floats
        See `banded`.
    """
    laid = banded(lower, weights, COLUMNS_PER_BLOCK, taps)
    columns, made, first = lower.shape[1] - len(taps) + 1, [], 0
    for base, band, last in zip(laid.base, laid.bands, lower[:, -1].tolist()):
        own = laid.weights[:, :, first : first + band]
        made.append(ColumnVectors(base, own, columns, last + 1))
        first += band
    return made
