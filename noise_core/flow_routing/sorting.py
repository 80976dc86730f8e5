# SPDX-License-Identifier: GPL-3.0-or-later
"""Stable radix sorting: the same order on every processor, by NumPy's sort of 16-bit integers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import checkpoint
from .directions import Cells

_HALF = 1 << 16


def argsort_floats(values: Field) -> Cells:
    """Return the stable order of finite float32 numbers, smallest first."""
    bits = values.view(np.int32)
    # Read as integers, floats rise as they should, except that negative ones rise backwards.
    keys = (bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF))).view(np.uint32)
    keys ^= np.uint32(0x80000000)
    return _order(keys)


def argsort_integers(values: npt.NDArray[np.int32], count: int) -> Cells:
    """Return the stable order of whole numbers from 0 to below `count`."""
    if count <= _HALF:
        return np.argsort(values.astype(np.uint16), kind="stable")
    return _order(values.view(np.uint32))


def _order(keys: npt.NDArray[np.uint32]) -> Cells:
    order = np.argsort((keys & np.uint32(_HALF - 1)).astype(np.uint16), kind="stable")
    checkpoint()
    upper = (keys >> np.uint32(16)).astype(np.uint16)[order]
    checkpoint()
    return order[np.argsort(upper, kind="stable")]
