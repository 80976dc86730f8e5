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

_LANES = np.uint64(0x00FF00FF00FF00FF)
"""Every second byte of eight: each has room for its sums in the 16 bits that it begins."""

_TO_ALL_ABOVE = np.uint64(0x0001000100010001)
"""Times this, each lane of 16 bits becomes the sum of itself and those below."""

_BYTE, _LANE, _LAST_LANE = np.uint64(8), np.uint64(16), np.uint64(48)

_BYTES_AT_ONCE = 1 << 17
"""Whose temporaries stay in the cache."""


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
    planes = add_up_bytes(deltas).reshape(rows, size, -1)
    whole = np.empty((rows, planes.shape[2]), f"=u{size}")
    whole[:] = planes[:, 0]
    for weight in range(1, size):
        whole <<= 8
        whole |= planes[:, weight]
    return whole.view(f"=f{size}")


def add_up_bytes(deltas: Bytes) -> Bytes:
    """Return the running sums of bytes along rows, without carries: faster than `cumsum`.

    That waits for each sum before it begins the next. Here eight bytes are summed at once, and only
    the sums of these one after the other.

    Parameters
    ----------
    deltas : ndarray of shape (rows, bytes), uint8
    """
    if deltas.shape[1] % 8 or not deltas.flags.c_contiguous:
        return np.cumsum(deltas, axis=1, dtype=np.uint8)
    sums = np.empty_like(deltas)
    step = max(1, _BYTES_AT_ONCE // deltas.shape[1])
    for start in range(0, len(deltas), step):
        words = deltas[start : start + step].view("<u8")
        even, odd = words & _LANES, (words >> _BYTE) & _LANES
        even *= _TO_ALL_ABOVE
        odd *= _TO_ALL_ABOVE
        totals = ((even + odd) >> _LAST_LANE).astype(np.uint8)
        before = np.zeros(words.shape, np.uint64)
        before[:, 1:] = np.cumsum(totals, axis=1, dtype=np.uint8)[:, :-1]
        before *= _TO_ALL_ABOVE
        even += before
        high = ((even + odd) & _LANES) << _BYTE
        odd <<= _LANE
        even += odd
        even &= _LANES
        np.bitwise_or(even, high, out=sums[start : start + step].view("<u8"))
    return sums
