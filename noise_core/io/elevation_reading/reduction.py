# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of a source at full size, or reduced to fewer samples on the way."""

from __future__ import annotations

import numpy as np

from ...base import blocks
from ...base.arrays import MOST_SAMPLES, Field, check_size
from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError
from ...rasters import hole_filling
from .area_mean import AreaMean, Edges
from .elevation import Holes
from .source import HeightSource

_SAMPLES_PER_BAND = 1 << 20
"""That are read together: a few megabytes with all temporaries."""

_SAMPLES_AT_ONCE = 1 << 22
"""Of a band whose rows are read in parts: tall tiles of a wide file fill the memory otherwise."""

_SAMPLES_ON_THREADS = 1 << 26
"""That all threads hold, of some 16 bytes each with all temporaries."""

_SHARE_OF_READING = 0.9
"""Of the progress; the rest is filling holes."""


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
    return source.overview_for(*shape) if is_large else source


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
        _read(source, upright, AreaMean(rows, columns, upright), progress, cancel)
        with np.errstate(invalid="ignore"):
            has_holes = bool(np.isnan(heights.min()))
        holes = np.isnan(heights) if has_holes else None  # as large as a quarter of the heights
        if holes is not None:
            if holes.all():
                raise ParameterError("{} must hold heights; got holes alone", source.info.name)
            with blocks.cancellable(cancel):
                hole_filling.fill_holes(heights, holes)
    except MemoryError as error:
        raise ParameterError(
            "{} is too large for the memory: {}", source.info.name, error
        ) from error
    if progress is not None:
        progress(1.0)
    return heights, holes


def _read(
    source: HeightSource,
    heights: Field,
    mean: AreaMean,
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


def _edges(count: int, parts: int) -> Edges:
    """Return where the parts of so many samples begin, and where the last one ends."""
    edges = np.arange(parts + 1, dtype=np.float64) * (count / parts)
    edges[-1] = count
    return edges
