# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictors: samples that were stored as differences to their left neighbors.

References
----------
Adobe (1992). TIFF, revision 6.0, section 14 (predictor 2).
Adobe (2005). Photoshop TIFF technical note 3 (predictor 3, floating point).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .codecs import Bytes


def undo_predictor(
    data: Bytes, predictor: int, channels: int, dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Return the first sample of each pixel.

    Parameters
    ----------
    data : ndarray of shape (rows, bytes per row), uint8
        It is overwritten.
    predictor : int
        1, 2 or 3.
    channels : int
        Samples per pixel.
    dtype : dtype
        Of a sample, in the file's order of bytes.

    Returns
    -------
    ndarray of shape (rows, columns)
    """
    rows = len(data)
    if predictor == 3:
        return _undo_floating(data, channels, dtype)
    samples = data.view(dtype)
    first = samples.reshape(rows, -1, channels)[:, :, 0]
    if predictor == 1:
        return first
    bits = first.view(f"{dtype.byteorder}u{dtype.itemsize}")
    whole = np.cumsum(bits, axis=1, dtype=f"=u{dtype.itemsize}")
    return whole.view(dtype.newbyteorder("="))


def _undo_floating(data: Bytes, channels: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Undo predictor 3: bytes of equal weight stand together, the highest first, as differences."""
    rows, size = len(data), dtype.itemsize
    # With several channels each byte is less that of the same channel in the pixel before it.
    deltas = data.reshape(rows, -1, channels)[:, :, 0]
    planes = np.cumsum(deltas, axis=1, dtype=np.uint8).reshape(rows, size, -1)
    whole = np.empty((rows, planes.shape[2]), f"=u{size}")
    whole[:] = planes[:, 0]
    for weight in range(1, size):
        whole <<= 8
        whole |= planes[:, weight]
    return whole.view(f"=f{size}")
