# SPDX-License-Identifier: GPL-3.0-or-later
"""Column vectors for `separable`: lattice values blended along lattice rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .arrays import Field
from .gathering import gather_columns


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
                gather_columns(field, self._ends, end)
        vectors = np.empty((copies, rows, len(kinds), columns), np.float32)
        weights = self._weights[first : first + len(kinds)]
        met = met.reshape(len(kinds), copies, rows, 2, columns)
        np.einsum("kcrex,kex->crkx", met, weights, out=vectors)
        return vectors
