# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured heights, with the place on Earth that they belong to."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.errors import Message
from ...base.georeference import Georeference

Holes = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class ElevationInfo:
    """Facts about an elevation file, from its header.

    Attributes
    ----------
    name : str
        Of the file, without its folder.
    format : str
        Such as "GeoTIFF".
    rows, columns : int
        Samples in the file.
    sample_type : str
        Such as "int16" or "float32".
    georeference : Georeference, optional
        None if the file has none.
    spacing : tuple of two floats, optional
        Meters per sample along x and y; None if the file does not say.
    nodata : float, optional
        Number that stands for a hole.
    value_range : tuple of two floats, optional
        Lowest and highest number of the type, for files whose numbers are not meters.
    says_meters : bool
        Whether the file says that its numbers are meters; otherwise they are at most taken for such.
    notes : tuple of Message
        Further facts, such as the compression, and guesses.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import LoadedHeights, elevation_from_samples
    >>> loaded = LoadedHeights(np.zeros((2, 3), np.int16), "survey", "array")
    >>> info = elevation_from_samples(loaded).info
    >>> info.rows, info.columns, info.sample_type
    (2, 3, 'int16')
    >>> print(info.lines[0])
    array: 3 x 2 samples, int16
    """

    name: str
    format: str
    rows: int
    columns: int
    sample_type: str
    georeference: Georeference | None = None
    spacing: tuple[float, float] | None = None
    nodata: float | None = None
    value_range: tuple[float, float] | None = None
    says_meters: bool = False
    notes: tuple[Message, ...] = ()

    @property
    def is_metric(self) -> bool:
        """Whether the numbers are meters, not shares of a range that the file does not tell."""
        return self.value_range is None

    @property
    def lines(self) -> tuple[Message, ...]:
        """Lines of a report."""
        kind = Message(
            "{}: {} x {} samples, {}", self.format, self.columns, self.rows, self.sample_type
        )
        lines = [kind]
        if self.spacing is not None:
            x, y = self.spacing  # from the first sample to the last, as a mesh of them has it
            size = Message(
                "{:.4g} x {:.4g} m per sample, {:.4g} x {:.4g} km",
                *(x, y, x * (self.columns - 1) / 1000.0, y * (self.rows - 1) / 1000.0),
            )
            lines.append(size)
        if self.georeference is not None:
            lines.append(Message("Coordinate system: {}", self.georeference.system))
        if self.nodata is not None:
            lines.append(Message("{:g} stands for a hole", self.nodata))
        return (*lines, *self.notes)


@dataclasses.dataclass(frozen=True)
class Elevation:
    """Measured heights on a grid.

    Attributes
    ----------
    heights : ndarray of shape (rows, columns), float32
        In meters, row 0 at the smallest y, finite: holes are filled.
    holes : ndarray of that shape, bool, optional
        True where the file has no height; None if there is no hole.
    spacing : tuple of two floats, optional
        Meters per sample along x and y; None if the file does not say.
    georeference : Georeference, optional
        Of these samples, so that an export can write it again.
    info : ElevationInfo
        Facts about the file; its size is that before the reduction.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import LoadedHeights, elevation_from_samples
    >>> heights = np.array([[1.0, 2.0], [3.0, np.nan]], np.float32)
    >>> land = elevation_from_samples(LoadedHeights(heights, "survey", "array"))
    >>> land.heights.shape, bool(np.isfinite(land.heights).all()), int(land.holes.sum())
    ((2, 2), True, 1)
    """

    heights: Field
    holes: Holes | None
    spacing: tuple[float, float] | None
    georeference: Georeference | None
    info: ElevationInfo

    @property
    def lines(self) -> tuple[Message, ...]:
        """Lines of a report."""
        lines = list(self.info.lines)
        rows, columns = self.heights.shape
        if (rows, columns) != (self.info.rows, self.info.columns):
            lines.append(Message("Reduced to {} x {} samples", columns, rows))
        if self.holes is not None:
            lines.append(Message("{} holes filled", int(np.count_nonzero(self.holes))))
        low, high = float(self.heights.min()), float(self.heights.max())
        lines.append(Message("Heights from {:.6g} to {:.6g}", low, high))
        return tuple(lines)
