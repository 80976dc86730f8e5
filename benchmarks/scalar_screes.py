# SPDX-License-Identifier: GPL-3.0-or-later
"""One pass of `noise_core.erosion.slides.talus` in compiled scalar code, corner by corner and face by face.

What a user with numba would write: the share that slides is worked out once for each corner, then every
pair of neighbors exchanges what slides through the face between them. Imported only if numba is there.
"""

from __future__ import annotations

import math

import numba
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]

_jit = numba.njit(nogil=True, error_model="numpy")


@_jit
def slide(
    height: Field,
    out: Field,
    shares: Field,
    stable: np.float32,
    share: np.float32,
    held: np.float32,
) -> None:
    """Write heights after one pass, on samples equally far apart along both axes.

    Parameters
    ----------
    height, out : ndarray of shape (rows, columns), float32
        Before and after. No ground slides along the border.
    shares : ndarray of that shape, float32
        Written to.
    stable, share, held : float32
        See `talus.TalusParams`.
    """
    rows, columns = height.shape
    for row in range(rows - 1):
        for column in range(columns - 1):
            upper = height[row, column + 1] - height[row, column]
            lower = height[row + 1, column + 1] - height[row + 1, column]
            left = height[row + 1, column] - height[row, column]
            right = height[row + 1, column + 1] - height[row, column + 1]
            squares = upper * upper + lower * lower + left * left + right * right
            shares[row, column] = share - held / math.sqrt(max(squares, stable))
    for row in range(rows):
        for column in range(columns):
            out[row, column] = height[row, column]
    for row in range(rows - 1):
        for column in range(columns - 1):
            here = height[row, column]
            if row > 0:
                flow = (shares[row, column] + shares[row - 1, column]) * (
                    height[row, column + 1] - here
                )
                out[row, column] += flow
                out[row, column + 1] -= flow
            if column > 0:
                flow = (shares[row, column] + shares[row, column - 1]) * (
                    height[row + 1, column] - here
                )
                out[row, column] += flow
                out[row + 1, column] -= flow
