# SPDX-License-Identifier: GPL-3.0-or-later
"""Opened files, and sources of samples that give a few rows at a time.

References
----------
GDAL (2024). RFC 15: band masks. Which samples of a band are valid.
"""

from __future__ import annotations

import functools
import math
import mmap
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ...base.arrays import MAX_HEIGHT, Field
from ...base.errors import ParameterError
from ...base.input_files import open_file, path_of
from ..spatial_reference.reference import AS_THE_FILE_SAYS, SpatialOptions
from .elevation import ElevationInfo

Path = Union[str, os.PathLike[str]]

Samples = npt.NDArray[Any]
"""Numbers as a file holds them, shape (rows, columns)."""

HEAD = 64
"""Bytes from the beginning of a file by which its format is recognized."""


_NEAR = 2.0
"""Times the smallest relative difference of a type and the sum of two floats: GDAL takes closer ones for equal."""


_SLACK = 1e-6
"""Relative difference beyond which float32 takes numbers for different, and GDAL too."""


class InputFile:
    """File whose bytes are mapped into memory, until the last array that looks into them is gone.

    Parameters
    ----------
    path : str or path
    spatial : SpatialOptions
        Coordinate system and unit of heights that count instead of the file's.
    is_alone : bool
        Whether files beside it say nothing of it.
    """

    def __init__(
        self,
        path: Path,
        spatial: SpatialOptions = AS_THE_FILE_SAYS,
        *,
        is_alone: bool = False,
    ) -> None:
        self.path = path_of(path, "elevation: path")
        self.spatial, self.is_alone = spatial, is_alone
        self.name = os.path.basename(self.path)
        mapped: mmap.mmap | None = None
        try:
            with open_file(path) as file:
                if os.fstat(file.fileno()).st_size:
                    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise ParameterError("{} cannot be read: {}", self.name, error.strerror) from error
        if mapped is None:
            raise ParameterError("{} cannot be read: it is empty", self.name)
        self._map = mapped
        self.size = len(mapped)

    @property
    def data(self) -> npt.NDArray[np.uint8]:
        """All bytes, not copied; not to be written to."""
        return np.frombuffer(self._map, np.uint8)

    def take(self, start: int, count: int) -> bytes:
        """Return a copy of some bytes: fewer where the file ends."""
        return self._map[max(start, 0) : max(start + count, 0)]

    @property
    def head(self) -> bytes:
        """First bytes."""
        return self.take(0, HEAD)


class HeightSource(ABC):
    """Samples of a file, a few rows at a time.

    Attributes
    ----------
    info : ElevationInfo
    nodata : scalar, optional
        Number that stands for a hole, of the samples' type.
    factor, offset : float
        Meters in a unit of height, and meters that are added then.
    mask : HeightSource, optional
        Of the same size: its samples are 0 where there is no height.
    find_overviews : callable
        Returns sources of the same land in fewer samples, in any order, with their masks.
    is_top_first : bool
        Whether row 0 is the one with the largest y.
    is_mirrored : bool
        Whether the first sample of a row is the one with the largest x.
    is_sequential : bool
        Whether rows can be read from the first to the last alone, each once.
    band_rows : int
        Rows that are stored together: to read a multiple of them wastes nothing.
    block_columns : int
        Columns that are stored together; 0 if these are whole rows.
    """

    nodata: Any = None
    factor = 1.0
    offset = 0.0
    mask: HeightSource | None = None
    find_overviews: Callable[[], Iterable[HeightSource]] = staticmethod(tuple)
    is_top_first = True
    is_mirrored = False
    is_sequential = False
    band_rows = 1
    block_columns = 0

    def __init__(self, info: ElevationInfo) -> None:
        self.info = info

    @abstractmethod
    def read(self, start: int, stop: int) -> Samples:
        """Return rows from start to stop (exclusive) as the file holds them.

        Raises
        ------
        ParameterError
            If the file is damaged there.
        """

    def read_part(self, start: int, stop: int, columns: slice) -> Samples:
        """Return some columns of rows; see `read`."""
        return self.read(start, stop)[:, columns]

    def read_heights(self, start: int, stop: int, out: Field, columns: slice = slice(None)) -> None:
        """Write rows as meters, with NaN for holes.

        Parameters
        ----------
        start, stop : int
            See `read`.
        out : ndarray of shape (stop - start, columns), float32
        columns : slice
            Of the rows, counted from the smallest x: a part, or all of them.
        """
        if self.is_mirrored:
            first, last, _ = columns.indices(self.info.columns)
            columns = slice(self.info.columns - last, self.info.columns - first)
            out = out[:, ::-1]
        samples = self.read_part(start, stop, columns)
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large becomes a hole
            np.copyto(out, samples, casting="unsafe")
            is_wide = samples.dtype.kind == "f" or samples.dtype.itemsize == 8
            ends = (float(out.min()), float(out.max())) if is_wide else None
            if self.mask is not None:
                out[self.mask.read_part(start, stop, columns) == 0] = np.nan
            elif self.nodata is not None and _may_have(self.nodata, ends):
                out[is_nodata(samples, self.nodata)] = np.nan
            if self.factor != 1.0:
                out *= np.float32(self.factor)
            if self.offset:
                out += np.float32(self.offset)
            if ends is not None:
                heights = [end * self.factor + self.offset for end in ends]
                # NaN compares as false.
                if not (-MAX_HEIGHT <= min(heights) and max(heights) <= MAX_HEIGHT):
                    out[~(np.abs(out) <= np.float32(MAX_HEIGHT))] = np.nan

    def overview_for(self, rows: int, columns: int) -> HeightSource:
        """Return the smallest overview that still has so many rows and columns, or else the source itself.

        Where the source has a mask its overviews need one too.
        """
        fitting = [
            overview
            for overview in self.find_overviews()
            if overview.info.rows >= rows
            and overview.info.columns >= columns
            and (self.mask is None or overview.mask is not None)
        ]
        if not fitting:
            return self
        best = min(fitting, key=lambda overview: overview.info.rows * overview.info.columns)
        best.nodata, best.factor, best.offset = self.nodata, self.factor, self.offset
        best.is_top_first, best.is_mirrored = self.is_top_first, self.is_mirrored
        best.mask = best.mask if self.mask is not None else None
        return best


def _may_have(nodata: Any, ends: tuple[float, float] | None) -> bool:
    """Return whether a number may be among samples of which the smallest and the largest are known."""
    if ends is None:
        return True
    number = float(nodata)
    slack = _SLACK * abs(number)
    return not (number + slack < ends[0] or number - slack > ends[1])


def is_nodata(samples: Samples, nodata: Any) -> npt.NDArray[np.bool_]:
    """Return which samples have the number for holes.

    GDAL takes floats for equal that differ by less than some times the smallest difference that the type holds. In
    order of size their bits are whole numbers one after the other, so that one comparison finds these.

    Parameters
    ----------
    samples : ndarray
    nodata : scalar
        Of the same type, but for the order of its bytes.
    """
    dtype = samples.dtype
    if dtype.kind != "f" or dtype.itemsize < 4 or not nodata or not math.isfinite(nodata):
        return np.asarray(samples == nodata)
    bits = np.dtype(f"u{dtype.itemsize}")
    lowest, highest = (int(end.view(bits)) for end in _near(dtype.newbyteorder("=").type(nodata)))
    steps = samples.astype(dtype.newbyteorder("="), copy=False).view(bits) - bits.type(lowest)
    return np.asarray(steps <= bits.type(highest - lowest))


@functools.lru_cache(maxsize=16, typed=True)
def _near(nodata: Any) -> tuple[Any, Any]:
    """Return the floats of one sign with the smallest and the largest size that GDAL takes for equal to a float."""
    epsilon, ends = float(np.finfo(nodata.dtype).eps), []
    for far in (nodata.dtype.type(0.0), np.copysign(nodata.dtype.type(np.inf), nodata)):
        end = nodata
        while True:
            with np.errstate(over="ignore"):  # beyond the largest float
                beyond = np.nextafter(end, far)
            difference = abs(float(beyond) - float(nodata))
            half = abs(float(beyond) / 2.0 + float(nodata) / 2.0)  # the sum may be infinite
            if not difference < 2.0 * _NEAR * epsilon * half or not np.isfinite(beyond):
                break
            end = beyond
        ends.append(end)
    return ends[0], ends[1]


class ArraySource(HeightSource):
    """Samples that lie in an array, in memory or in a mapped file.

    Parameters
    ----------
    info : ElevationInfo
    samples : ndarray of shape (rows, columns)
    is_top_first : bool
        See `HeightSource`.
    """

    def __init__(self, info: ElevationInfo, samples: Samples, *, is_top_first: bool) -> None:
        super().__init__(info)
        self._samples = samples
        self.is_top_first = is_top_first
        self.nodata = nodata_of(info.nodata, samples.dtype)

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        return self._samples[start:stop]


def nodata_of(value: int | float | None, dtype: np.dtype[Any]) -> Any:
    """Return the number for holes as a scalar of a type; None if the type has no such number."""
    if value is None or value != value:  # NaN is a hole in any case
        return None
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(value)
    limits = np.iinfo(dtype)
    # GDAL leaves a fraction away.
    return dtype.type(int(value)) if limits.min <= value <= limits.max else None


def value_range_of(dtype: np.dtype[Any]) -> tuple[float, float] | None:
    """Return the lowest and highest number of an integer type; None for other types."""
    if dtype.kind not in "iu":
        return None
    limits = np.iinfo(dtype)
    return (float(limits.min), float(limits.max))
