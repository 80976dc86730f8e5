# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion of values to integers, a few rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ...base import blocks

LEVEL = 4
"""Of zlib, 1 to 9: noise hardly gets smaller beyond, and 9 takes five times as long."""

STRIP = 1 << 16
"""Samples that are compressed at a time: within these a cancel is heard."""

Steps = npt.NDArray[np.unsignedinteger]


class Samples(Protocol):
    """A picture, row 0 at the top: an array, or a source that makes its rows on demand."""

    @property
    def shape(self) -> tuple[Any, ...]:
        """Rows, columns and channels."""

    def __getitem__(self, rows: slice, /) -> npt.NDArray[Any]:
        """Return some rows."""


def quantize(field: npt.NDArray[Any], bits: int) -> Steps:
    """Return values from 0 to 1 as whole numbers, rounded to the nearest; whole numbers stay."""
    if field.dtype.kind == "u":
        return field
    # Float32 has 24 bits: 65535 times a value is exact enough to round.
    scaled = np.clip(field, 0.0, 1.0) * np.float32(2**bits - 1)
    whole: Steps = np.rint(scaled).astype(np.uint8 if bits == 8 else np.uint16)
    return whole


def row_strips(rows: int, width: int) -> Iterator[slice]:
    """Yield rows a few at a time."""
    height = max(1, STRIP // width)
    for start in range(0, rows, height):
        blocks.checkpoint()
        yield slice(start, min(start + height, rows))
