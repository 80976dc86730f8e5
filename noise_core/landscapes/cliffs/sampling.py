# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a terrain's vertices at places between them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...base.arrays import Field
from .cutting import Reals


def between_samples(values: Mapping[str, Field], samples: Reals) -> dict[str, Field]:
    """Return values of a terrain's vertices at places between them.

    Parameters
    ----------
    values : mapping of str to ndarray of shape (rows, columns, channels), float32
    samples : ndarray of shape (places, 2), float64
        Rows and columns.
    """
    result: dict[str, Field] = {}
    for name, field in values.items():
        last = np.array(field.shape[:2]) - 2
        first = np.clip(np.floor(samples), 0, last).astype(np.int64)
        share = np.clip(samples - first, 0.0, 1.0).astype(np.float32)
        up, right = share[:, :1], share[:, 1:]
        row, column = first[:, 0], first[:, 1]
        low = field[row, column] * (1 - right) + field[row, column + 1] * right
        high = field[row + 1, column] * (1 - right) + field[row + 1, column + 1] * right
        result[name] = (low * (1 - up) + high * up).astype(np.float32)
    return result
