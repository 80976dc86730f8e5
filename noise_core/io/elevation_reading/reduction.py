# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of a source at full size, or reduced to fewer samples on the way."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import MOST_SAMPLES, Field, check_size
from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError
from ...rasters import hole_filling
from .elevation import Holes
from .source import HeightSource

_SAMPLES_PER_BAND = 1 << 20
"""That are read together: a few megabytes with all temporaries."""

_SAMPLES_AT_ONCE = 1 << 22
"""Of a band whose rows are read in parts: tall tiles of a wide file fill the memory otherwise."""

_SAMPLES_ON_THREADS = 1 << 26
"""That all threads hold, of some 16 bytes each with all temporaries."""

_SUMS_AT_ONCE = 1 << 17
"""Of 8 bytes, which stay in the cache."""

_SHARE_OF_READING = 0.9
"""Of the progress; the rest is filling holes."""

_Sums = npt.NDArray[np.float64]

Edges = npt.NDArray[np.float64]
"""Where parts begin, and where the last one ends, in samples."""


def reduced_shape(source: HeightSource, samples: int | None) -> tuple[int, int]:
    """Return rows and columns of a source with so many samples along the longer side, or all.

    Raises
    ------
    ParameterError
        If they are too many for the memory.
    """
    rows, columns = source.info.rows, source.info.columns
    factor = 1.0 if samples is None else max(1.0, max(rows, columns) / samples)
    shape = (max(1, round(rows / factor)), max(1, round(columns / factor)))
    check_size(source.info.name, *shape)
    return shape


def smaller_source(source: HeightSource, shape: tuple[int, int]) -> HeightSource:
    """Return the source to read so many rows and columns of: an overview of one that is too large for the memory.

    Others are read themselves: overviews may be made by leaving samples out.
    """
    is_large = source.info.rows * source.info.columns > MOST_SAMPLES
    return source.reduced(*shape) if is_large else source


def read_source(
    source: HeightSource,
    shape: tuple[int, int],
    progress: Progress | None,
    cancel: Cancel | None,
) -> tuple[Field, Holes | None]:
    """Return heights, row 0 at the smallest y, and the holes that were filled in them.

    Parameters
    ----------
    source : HeightSource
    shape : tuple of two ints
        Wanted rows and columns, not more than there are.
    progress, cancel : callable, optional

    Raises
    ------
    ParameterError
        If the file is damaged, too large for the memory, or holds no height.
    """
    rows, columns = source.info.rows, source.info.columns
    return _reduce(source, _edges(rows, shape[0]), _edges(columns, shape[1]), progress, cancel)


def read_means(
    source: HeightSource,
    rows: Edges,
    columns: Edges,
    progress: Progress | None,
    cancel: Cancel | None,
) -> Field:
    """Return means over the areas between edges, row 0 at the smallest y; holes are filled.

    Parameters
    ----------
    source : HeightSource
    rows, columns : ndarray of shape (parts + 1,), float64
        Rising, in samples from the smallest y and x: sample i reaches from i to i + 1.
    progress, cancel : callable, optional

    Raises
    ------
    ParameterError
        See `read_source`.
    """
    if source.is_top_first:
        rows = source.info.rows - rows[::-1]
    return _reduce(source, rows, columns, progress, cancel)[0]


def _reduce(
    source: HeightSource,
    rows: Edges,
    columns: Edges,
    progress: Progress | None,
    cancel: Cancel | None,
) -> tuple[Field, Holes | None]:
    """Return means between edges, those of rows in the order of the file, and holes."""
    try:
        heights = np.empty((len(rows) - 1, len(columns) - 1), np.float32)
        upright = heights[::-1] if source.is_top_first else heights
        _read(source, upright, _AreaMean(rows, columns, upright), progress, cancel)
        holes = np.isnan(heights)
        count = int(np.count_nonzero(holes))
        if count == heights.size:
            raise ParameterError("{} must hold heights; got holes alone", source.info.name)
        if count:
            with blocks.cancellable(cancel):
                hole_filling.fill_holes(heights, holes)
    except MemoryError as error:
        raise ParameterError(
            "{} is too large for the memory: {}", source.info.name, error
        ) from error
    if progress is not None:
        progress(1.0)
    return heights, holes if count else None


def _read(
    source: HeightSource,
    heights: Field,
    mean: _AreaMean,
    progress: Progress | None,
    cancel: Cancel | None,
) -> None:
    """Write heights in the order of the file, with NaN for holes."""
    rows, columns = source.info.rows, source.info.columns
    is_whole = heights.shape == (rows, columns)

    band = max(1, _SAMPLES_PER_BAND // (columns * source.band_rows)) * source.band_rows
    parts = _column_parts(source, band)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        if is_whole:
            source.read_heights(start, stop, heights[start:stop])
            return
        sums = mean.begin(start, stop)
        for part in parts:
            blocks.checkpoint()
            numbers = np.empty((stop - start, part.stop - part.start), np.float32)
            source.read_heights(start, stop, numbers, part)
            sums.add(numbers, part.start)
        mean.end(sums)

    held = band * (parts[0].stop - parts[0].start)
    most = max(1, _SAMPLES_ON_THREADS // held)
    blocks.run(
        work,
        rows,
        band,
        threads=1 if source.is_sequential else min(blocks.thread_count(), most),
        progress=None if progress is None else lambda done: progress(done * _SHARE_OF_READING),
        cancel=cancel,
    )
    if not is_whole:
        mean.finish()


def _column_parts(source: HeightSource, rows: int) -> list[slice]:
    """Return the parts in which so many rows are read: whole rows, or some blocks of wide ones."""
    columns, wide = source.info.columns, source.block_columns
    if not wide or source.is_sequential or rows * columns <= _SAMPLES_AT_ONCE:
        return [slice(0, columns)]
    step = max(1, _SAMPLES_AT_ONCE // (rows * wide)) * wide
    # Blocks are counted from the first sample in the file.
    first = columns % step if source.is_mirrored else step
    ends = [*range(first or step, columns, step), columns]
    return [slice(start, end) for start, end in zip([0, *ends], ends)]


class _BandSums:
    """Sums over the parts of larger samples that lie in a band of rows.

    Attributes
    ----------
    start, stop : int
        Rows of the band.
    first, last : int
        Larger samples that have a part in it, along y.
    total, weight : ndarray of shape (last - first, columns), float64
    """

    def __init__(self, rows: Edges, columns: Edges, start: int, stop: int) -> None:
        self.start, self.stop, self._rows, self._columns = start, stop, rows, columns
        self.first = max(int(np.searchsorted(rows, start, "right")) - 1, 0)
        self.last = min(int(np.searchsorted(rows, stop, "left")), len(rows) - 1)
        shape = (self.last - self.first, len(columns) - 1)
        self.total, self.weight = np.zeros(shape), np.zeros(shape)

    def add(self, part: Field, left: int) -> None:
        """Add the columns from `left` on; holes are NaN. The part is overwritten."""
        right, edges = left + part.shape[1], self._columns
        first = max(int(np.searchsorted(edges, left, "right")) - 1, 0)
        last = min(int(np.searchsorted(edges, right, "left")), len(edges) - 1)
        edges = np.clip(edges[first : last + 1], left, right) - left
        full = np.diff(edges)
        if np.isnan(part.max()):
            is_hole = np.isnan(part)
            part[is_hole] = 0.0
            weights = _sum_columns((~is_hole).astype(np.float32), edges)
        else:
            weights = np.broadcast_to(full, (len(part), len(full)))
        sums = _sum_columns(part, edges)
        for at in range(self.first, self.last):
            low, high = max(self._rows[at], self.start), min(self._rows[at + 1], self.stop)
            total, weight = _sum_rows(sums, weights, low - self.start, high - self.start)
            self.total[at - self.first, first:last] += total
            self.weight[at - self.first, first:last] += weight


class _AreaMean:
    """Means over the areas of fewer, larger samples; holes are left out of them.

    Bands of rows may come in any order: sums over rows that two bands share are kept apart and
    added in the order of the rows, so that the result has the same bits in any case.
    """

    def __init__(self, rows: Edges, columns: Edges, out: Field) -> None:
        self._out, self._rows, self._columns = out, rows, columns
        self._shared: dict[int, list[tuple[int, _Sums, _Sums]]] = defaultdict(list)

    def begin(self, start: int, stop: int) -> _BandSums:
        """Return the sums over a band of rows, to which nothing was added yet."""
        return _BandSums(self._rows, self._columns, start, stop)

    def end(self, band: _BandSums) -> None:
        """Take the sums over a band."""
        for at, total, weight in zip(range(band.first, band.last), band.total, band.weight):
            if self._rows[at] >= band.start and self._rows[at + 1] <= band.stop:
                self._out[at] = _divide(total, weight)
            else:
                self._shared[at].append((band.start, total, weight))  # appending is atomic

    def finish(self) -> None:
        """Write the rows that several bands have parts of."""
        for at, parts in self._shared.items():
            parts.sort(key=lambda part: part[0])
            total, weight = parts[0][1:]
            for _, more, further in parts[1:]:
                total, weight = total + more, weight + further
            self._out[at] = _divide(total, weight)


def _edges(count: int, parts: int) -> Edges:
    """Return where the parts of so many samples begin, and where the last one ends."""
    edges = np.arange(parts + 1, dtype=np.float64) * (count / parts)
    edges[-1] = count
    return edges


def _sum_columns(band: Field, edges: Edges) -> _Sums:
    """Return sums of each row between edges, which may cut samples."""
    rows, columns = band.shape
    whole = np.minimum(edges.astype(np.intp), columns - 1)
    sums = np.empty((rows, len(edges) - 1), np.float64)
    step = max(1, _SUMS_AT_ONCE // columns)
    running = np.zeros((min(step, rows), columns + 1), np.float64)
    for start in range(0, rows, step):
        part = band[start : start + step]
        # From first to last: a sum in this order has the same bits on every machine.
        np.cumsum(part, axis=1, dtype=np.float64, out=running[: len(part), 1:])
        at_edges = running[: len(part), whole] + part[:, whole] * (edges - whole)
        np.subtract(at_edges[:, 1:], at_edges[:, :-1], out=sums[start : start + step])
    return sums


def _sum_rows(sums: _Sums, weights: _Sums, low: float, high: float) -> tuple[_Sums, _Sums]:
    """Return sums and weights of the rows from low to high, which may cut rows."""
    total, weight = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
    for row in range(int(low), min(len(sums), int(np.ceil(high)))):
        share = min(high, row + 1.0) - max(low, float(row))
        total += sums[row] * share
        weight += weights[row] * share
    return total, weight


def _divide(total: _Sums, weight: _Sums) -> Field:
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / weight
    mean[weight < 1e-6] = np.nan  # less than rounding may leave of nothing
    return mean.astype(np.float32)
