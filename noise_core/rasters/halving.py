# SPDX-License-Identifier: GPL-3.0-or-later
"""Means of 2 x 2 samples: the overviews of stores and of files."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field


def halve(values: npt.NDArray[np.float32]) -> Field:
    """Return the means of 2 x 2 samples; at an odd end those of the remaining ones.

    Parameters
    ----------
    values : ndarray of shape (rows, columns), float32
        A part that begins at an even row and column has the bits of the whole.

    Returns
    -------
    ndarray of half as many rows and columns, rounded up, float32

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.halving import halve
    >>> print(halve(np.arange(16, dtype=np.float32).reshape(4, 4)))
    [[ 2.5  4.5]
     [10.5 12.5]]
    """
    rows, columns = values.shape
    if rows % 2 or columns % 2:
        values = np.pad(values, ((0, rows % 2), (0, columns % 2)), mode="edge")
    pairs = values[0::2] + values[1::2]
    means: Field = pairs[:, 0::2] + pairs[:, 1::2]
    means *= np.float32(0.25)
    return means
