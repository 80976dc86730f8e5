# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that are read window by window: exports take them as they take an array.

A reader gives windows: of a store on disk, or computed from those of another reader. `LazyHeights` makes an
array of it that is cut without being read; code that needs the samples of a part asks for its rows, or for
`numpy.asarray` of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, Union

import numpy as np

from ...base.arrays import Field
from ...rasters.halving import halve
from ...rasters.level import Level
from ...rasters.pyramid import restrict, source_part

HELD = 1 << 21
"""Samples that are kept of what was read last, and the most of a computed level that lies in memory."""

CHUNK = 256
"""Samples along a side to whose multiples windows are grown when they are read."""

_AT_ONCE = 1 << 17
"""Samples that are computed at a time."""


class HeightReader(Protocol):
    """Source of windows of heights."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    def read(self, rows: slice, columns: slice) -> Field:
        """Return a window; both slices have a start and a stop within the shape."""

    def halve(self) -> HeightReader | None:
        """Return the means of 2 x 2 samples (`halve`) if they are there already."""


class _Held:
    """The window that was read last, grown to whole chunks: the next one mostly lies in it."""

    def __init__(self, reader: HeightReader) -> None:
        self.reader = reader
        self._rows = self._columns = slice(0, 0)
        self._values = np.empty((0, 0), np.float32)

    def read(self, rows: slice, columns: slice) -> Field:
        """Return a window; not to be written to."""
        if not (_is_within(rows, self._rows) and _is_within(columns, self._columns)):
            most_rows, most_columns = self.reader.shape
            self._columns = _grow(columns, CHUNK, most_columns)
            width = self._columns.stop - self._columns.start
            self._rows = _grow(rows, max(HELD // width // CHUNK, 1) * CHUNK, most_rows)
            self._values = np.empty((0, 0), np.float32)  # not both at once
            self._values = self.reader.read(self._rows, self._columns)
        return self._values[_shift(rows, -self._rows.start), _shift(columns, -self._columns.start)]


class LazyHeights:
    """Heights that look like an array of shape (rows, columns), float32.

    Cutting a window out, ``heights[4:8, 2:9]``, and turning it around, ``heights[::-1]``, reads nothing. Rows,
    ``heights[4:8]``, and ``numpy.asarray(heights)`` are arrays.

    Parameters
    ----------
    reader : HeightReader
    """

    ndim = 2

    def __init__(self, reader: HeightReader) -> None:
        self._held = _Held(reader)
        self._rows, self._columns = (slice(0, count) for count in reader.shape)
        self._is_turned = False
        self._extremes: tuple[np.float32, np.float32] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self._rows.stop - self._rows.start, self._columns.stop - self._columns.start)

    def __getitem__(self, key: slice | tuple[slice, slice]) -> Any:
        """Return some rows as an array; a window, or all rows turned, as heights that are not read yet."""
        if isinstance(key, tuple):
            rows, columns = (_within(index, count) for index, count in zip(key, self.shape))
            return self._cut(self._turn_back(rows), columns)
        if key.step == -1:
            turned = self._cut(slice(0, self.shape[0]), slice(0, self.shape[1]))
            turned._is_turned = not self._is_turned
            return turned
        rows = self._turn_back(_within(key, self.shape[0]))
        values = self._held.read(_shift(rows, self._rows.start), self._columns)
        return values[::-1] if self._is_turned else values

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Return all samples."""
        return np.array(self[0 : self.shape[0]], dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def min(self) -> np.float32:
        """Return the lowest height."""
        return self._find_extremes()[0]

    def max(self) -> np.float32:
        """Return the highest height."""
        return self._find_extremes()[1]

    def halve(self) -> LazyHeights:
        """Return the means of 2 x 2 samples; see `halve`."""
        south_first = self[::-1] if self._is_turned else self
        is_whole = self.shape == self._held.reader.shape
        there = self._held.reader.halve() if is_whole else None
        half = LazyHeights(there or _Means(south_first))
        half._is_turned = self._is_turned
        return half

    def _cut(self, rows: slice, columns: slice) -> LazyHeights:
        """Return a window, given its rows from the south."""
        part = LazyHeights.__new__(LazyHeights)
        part._held, part._is_turned = self._held, self._is_turned
        part._rows = _shift(rows, self._rows.start)
        part._columns = _shift(columns, self._columns.start)
        part._extremes = self._extremes if part.shape == self.shape else None
        return part

    def _turn_back(self, rows: slice) -> slice:
        count = self.shape[0]
        return slice(count - rows.stop, count - rows.start) if self._is_turned else rows

    def _find_extremes(self) -> tuple[np.float32, np.float32]:
        if self._extremes is None:
            lows, highs = zip(*((band.min(), band.max()) for band in self._bands()))
            self._extremes = (min(lows), max(highs))
        return self._extremes

    def _bands(self) -> Iterator[Field]:
        rows, columns = self.shape
        step = max(HELD // columns // CHUNK, 1) * CHUNK
        for start in range(0, rows, step):
            yield self[start : min(start + step, rows)]


class _Means:
    """Means of 2 x 2 samples of heights, computed when they are read."""

    def __init__(self, heights: LazyHeights) -> None:
        self._heights = heights

    @property
    def shape(self) -> tuple[int, int]:
        """See `HeightReader`."""
        rows, columns = self._heights.shape
        return (-(-rows // 2), -(-columns // 2))

    def read(self, rows: slice, columns: slice) -> Field:
        """See `HeightReader`."""
        result, whole = _empty(rows, columns), self._heights.shape
        for part in _pieces(rows, columns):
            below, across = (
                slice(2 * window.start, min(2 * window.stop, count))
                for window, count in zip((part, columns), whole)
            )
            fine: Field = np.asarray(self._heights[below, across])
            result[_shift(part, -rows.start)] = halve(fine)
        return result

    def halve(self) -> None:
        """See `HeightReader`: they are not there."""


class _Restricted:
    """Heights on a coarser level, computed when they are read; see `rasters.pyramid.restrict`."""

    def __init__(self, heights: LazyHeights, fine: Level, coarse: Level) -> None:
        self._heights, self._fine, self._coarse = heights, fine, coarse

    @property
    def shape(self) -> tuple[int, int]:
        """See `HeightReader`."""
        return self._coarse.shape

    def read(self, rows: slice, columns: slice) -> Field:
        """See `HeightReader`."""
        result = _empty(rows, columns)
        for part in _pieces(rows, columns):
            want = self._coarse.part(part.start, columns.start, *_empty_shape(part, columns))
            source = source_part(self._fine, want)
            below, across = (
                slice(begin, begin + count) for begin, count in zip(source.begin, source.shape)
            )
            fine: Field = np.asarray(self._heights[below, across])
            result[_shift(part, -rows.start)] = restrict(fine, source, want)
        return result

    def halve(self) -> None:
        """See `HeightReader`: they are not there."""


Heights = Union[Field, LazyHeights]
"""Heights in memory, or such as are read window by window."""


def halve_heights(heights: Heights) -> Heights:
    """Return the means of 2 x 2 samples; see `halve`."""
    return heights.halve() if isinstance(heights, LazyHeights) else halve(heights)


def restrict_heights(heights: Heights, fine: Level, coarse: Level) -> Heights:
    """Return heights on a coarser level, which does not wrap; see `rasters.pyramid.restrict`.

    Those that are read window by window still are, unless they are few by then.
    """
    if not isinstance(heights, LazyHeights):
        return restrict(heights, fine, coarse)
    half = LazyHeights(_Restricted(heights, fine, coarse))
    return np.asarray(half) if coarse.rows * coarse.columns <= HELD else half


def _is_within(part: slice, whole: slice) -> bool:
    return bool(whole.start <= part.start and part.stop <= whole.stop)


def _within(part: slice, count: int) -> slice:
    start, stop, _ = part.indices(count)
    return slice(start, stop)


def _grow(part: slice, step: int, most: int) -> slice:
    """Return a slice around another one that begins and ends at multiples of a step, or at the end."""
    return slice(part.start // step * step, min(-(-part.stop // step) * step, most))


def _shift(part: slice, places: int) -> slice:
    return slice(part.start + places, part.stop + places)


def _empty_shape(rows: slice, columns: slice) -> tuple[int, int]:
    return (rows.stop - rows.start, columns.stop - columns.start)


def _empty(rows: slice, columns: slice) -> Field:
    return np.empty(_empty_shape(rows, columns), np.float32)


def _pieces(rows: slice, columns: slice) -> Iterator[slice]:
    """Yield a window's rows a few at a time."""
    step = max(_AT_ONCE // max(columns.stop - columns.start, 1), 1)
    for start in range(rows.start, rows.stop, step):
        yield slice(start, min(start + step, rows.stop))
