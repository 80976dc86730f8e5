# SPDX-License-Identifier: GPL-3.0-or-later
"""One pass of `noise_core.erosion.talus` in compiled scalar code, edge by edge.

What a user with numba would write, in its faster form: every pair of neighbors once, the flow
added to one and taken from the other. Gathering all eight neighbors of each sample takes twice as
long. Imported only if numba is there.
"""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]

_jit = numba.njit(nogil=True, error_model="numpy")


@_jit
def _over(rise: np.float32, stays: np.float32) -> np.float32:
    """Return by how much a difference is larger than what stays."""
    return rise - min(max(rise, -stays), stays)


@_jit
def slide(
    height: Field,
    out: Field,
    stays: tuple[np.float32, np.float32, np.float32],
    rate: np.float32,
    diagonal: np.float32,
) -> None:
    """Write heights after one pass.

    Parameters
    ----------
    height, out : ndarray of shape (rows, columns), float32
        Before and after.
    stays : tuple of three float32
        Differences that stay along a row, along a column and diagonally.
    rate, diagonal : float32
        Share of an excess that slides, straight and diagonally.
    """
    rows, columns = height.shape
    for row in range(rows):
        for column in range(columns):
            out[row, column] = height[row, column]
    for row in range(rows):
        for column in range(columns):
            here = height[row, column]
            if column + 1 < columns:
                flow = rate * _over(here - height[row, column + 1], stays[0])
                out[row, column] -= flow
                out[row, column + 1] += flow
            if row + 1 < rows:
                flow = rate * _over(here - height[row + 1, column], stays[1])
                out[row, column] -= flow
                out[row + 1, column] += flow
                if column + 1 < columns:
                    flow = diagonal * _over(here - height[row + 1, column + 1], stays[2])
                    out[row, column] -= flow
                    out[row + 1, column + 1] += flow
                if column > 0:
                    flow = diagonal * _over(here - height[row + 1, column - 1], stays[2])
                    out[row, column] -= flow
                    out[row + 1, column - 1] += flow
