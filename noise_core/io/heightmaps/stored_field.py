# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields as files store them: whole numbers or floats, made a few rows at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Union, cast

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...lattice.hash import hash_indices
from ..targets.bases.target import Encoding
from .lazy_heights import halve_heights

Channel = Union[Field, npt.NDArray[np.uint8]]
"""Values, or whole numbers as a file has them."""

ROUNDING = 0.51
"""Share of a step by which a stored number may differ: half, and a little for float64."""

_DITHER_SEED = 0xD17


@dataclass(frozen=True, eq=False)
class StoredField:
    """A field with the numbers that stand for it; see `image_writing.samples.Samples`.

    Attributes
    ----------
    channels : tuple of ndarrays or LazyHeights of shape (rows, columns), float32
        Row 0 at the smallest y. Or whole numbers of the encoding's type, which are stored as they are.
    encoding : Encoding
    scale, offset : float
        A number n stands for offset + n * scale. Not used for floats.
    is_dithered : bool
        Whether chance decides between the two nearest numbers, by how near they are.
    first : tuple of two ints
        Row and column of the first sample in the whole land: chance hangs on it, so that tiles agree.
    """

    channels: tuple[Channel, ...]
    encoding: Encoding
    scale: float = 1.0
    offset: float = 0.0
    is_dithered: bool = False
    first: tuple[int, int] = (0, 0)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and channels."""
        rows, columns = self.channels[0].shape
        return (rows, columns, len(self.channels))

    @property
    def tolerance(self) -> float:
        """Largest loss of a value that is allowed, in its unit."""
        if not self.encoding.highest_number:
            return 0.0
        return (ROUNDING + 0.5 * self.is_dithered) * self.scale

    def halve(self) -> StoredField:
        """Return the means of 2 x 2 samples; see `rasters.halving`."""
        return replace(
            self,
            channels=tuple(
                cast(Field, halve_heights(cast(Field, channel))) for channel in self.channels
            ),
        )

    def values(self, part: slice) -> npt.NDArray[Any]:
        """Return some rows as they are, in the order of the file."""
        fields = [self._upright(field)[part] for field in self.channels]
        return fields[0][..., np.newaxis] if len(fields) == 1 else np.stack(fields, axis=-1)

    def lost(self, numbers: npt.NDArray[Any], part: slice) -> float:
        """Return by how much the numbers of some rows in a file are off at most, in the unit of the values."""
        values = self.values(part)
        if values.dtype.kind != "u":
            return float(np.abs(self.decode(numbers) - values).max(initial=0.0))
        if np.array_equal(numbers, values):
            return 0.0
        return float(np.abs(numbers.astype(np.int64) - values).max(initial=0)) * self.scale

    def __getitem__(self, part: slice, /) -> npt.NDArray[Any]:
        """Return the numbers of some rows, in the order of the file."""
        values = self.values(part)
        if not self.encoding.highest_number or values.dtype.kind == "u":
            return values
        numbers = (values.astype(np.float64) - self.offset) / self.scale
        if self.is_dithered:
            numbers += self._chance(part)[..., np.newaxis]
        return np.rint(numbers).astype(np.dtype(self.encoding.number).newbyteorder("="))

    def decode(self, numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the values of numbers in a file."""
        # Made float64 first: NumPy 1 keeps the type of an array beside a single number.
        exact = numbers.astype(np.float64)
        return exact * self.scale + self.offset if self.encoding.highest_number else exact

    def _upright(self, field: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return field[::-1] if self.encoding.north_first else field

    def _chance(self, part: slice) -> npt.NDArray[np.float64]:
        """Return numbers in [-0.5, 0.5) that hang on the places of samples."""
        count, columns, _ = self.shape
        row, column = self.first
        rows = self._upright(np.arange(row, row + count, dtype=np.int32))[part]
        bits = hash_indices(
            [np.arange(column, column + columns, dtype=np.int32), rows[:, np.newaxis]], _DITHER_SEED
        )
        return bits.astype(np.float64) * 2.0**-32 - 0.5
