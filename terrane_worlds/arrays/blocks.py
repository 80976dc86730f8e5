# SPDX-License-Identifier: GPL-3.0-or-later
"""Dask arrays of noises and maps: evaluated block by block, with the bits of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

import dask.array
import numpy as np

from noise_core.base import blocks
from noise_core.base.arguments import check_kind
from noise_core.base.arrays import Field
from noise_core.base.errors import ParameterError
from noise_core.base.grid import Grid, check_grid, require_size
from noise_core.maps.bases.map import Map
from noise_core.noises.bases.noise import Noise
from noise_core.rasters.height_field import HeightField
from noise_core.rasters.level import Level

if TYPE_CHECKING:
    DaskArray = Any
    """A `dask.array.Array`, which has no types of its own."""

Chunks = Union[int, tuple[int, int], str]
"""Rows and columns of a block, or "auto"; see `dask.array.core.normalize_chunks`."""


def sample_blocks(
    noise: Noise,
    grid: Grid,
    seed: int = 0,
    *,
    chunks: Chunks = "auto",
    evolution: tuple[float, ...] = (),
) -> DaskArray:
    """Return a noise on a grid as a Dask array, each block of which is sampled when it is needed.

    Parameters
    ----------
    noise : Noise
    grid, seed, evolution
        See `Noise.sample_grid`.
    chunks : int, tuple of two ints or "auto"
        Samples of a block along both axes.

    Returns
    -------
    dask.array.Array of shape (rows, columns), float32
        With the bits of `Noise.sample_grid`.

    Raises
    ------
    ParameterError
        If a value is not allowed.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Fractal
    >>> from terrane_worlds import sample_blocks
    >>> field = sample_blocks(Fractal(), Grid(257, 257), seed=7, chunks=100)
    >>> field.shape, field.numblocks
    ((257, 257), (3, 3))
    >>> bool(np.array_equal(field.compute(), Fractal().sample_grid(Grid(257, 257), seed=7)))
    True
    """
    check_kind(noise, Noise, "sample_blocks: noise", "a noise")
    check_grid(grid, "sample_blocks")
    noise.sample_grid(grid.window(0, 0, 1, 1), seed, evolution=evolution)  # refused now, not later

    def sample(block_info: Any) -> Field:
        (top, bottom), (left, right) = block_info[None]["array-location"]
        window = grid.window(top, left, bottom - top, right - left)
        return noise.sample_grid(window, seed, evolution=evolution, threads=1)

    sizes = dask.array.core.normalize_chunks(chunks, grid.shape, dtype=np.float32)
    return dask.array.map_blocks(sample, chunks=sizes, dtype=np.float32, meta=_EMPTY)


def read_blocks(source: Map, height: DaskArray, grid: Grid) -> DaskArray:
    """Return a map of heights in a Dask array, block by block with the samples around it that it needs.

    Parameters
    ----------
    source : Map
        Whose values depend on the samples around, such as `Slope`. Water that runs over the whole land is
        the work of `World`.
    height : dask.array.Array of shape (rows, columns)
        In meters.
    grid : Grid
        Of the same shape, without wrap.

    Returns
    -------
    dask.array.Array of shape (rows, columns) or (rows, columns, channels), float32
        With the blocks of the heights, and the bits of `Map.values`.

    Raises
    ------
    ParameterError
        If the map needs the whole land, the shape differs, the grid wraps, or has no size where it needs one.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Slope
    >>> from noise_core.noises import Fractal
    >>> from terrane_worlds import read_blocks, sample_blocks
    >>> grid = Grid(257, 257, size=5000.0)
    >>> height = 400.0 * sample_blocks(Fractal(), grid, seed=7, chunks=100)
    >>> steepness = read_blocks(Slope(), height, grid)
    >>> bool(np.array_equal(steepness.compute(), Slope().values(height.compute(), grid)))
    True
    """
    check_kind(source, Map, "read_blocks: source", "a map")
    level = Level.from_grid(_measured(source, check_grid(grid, "read_blocks")))
    reach = source.reach(level)
    name = type(source).__name__
    if reach is None:
        raise ParameterError("read_blocks: {} depends on the whole land: take a World", name)
    if height.shape != grid.shape:
        raise ParameterError(
            "read_blocks: height must have the grid's shape {}", grid.shape, got=height.shape
        )
    if grid.wrap:
        raise ParameterError("read_blocks: grid must not wrap")
    rows, columns = (_spans(sizes) for sizes in height.chunks)
    return dask.array.block(
        [
            [_read_block(source, height, level, reach, (*row, *column)) for column in columns]
            for row in rows
        ]
        if source.channels == 1
        else [
            [[_read_block(source, height, level, reach, (*row, *column))] for column in columns]
            for row in rows
        ]
    )


_EMPTY = np.empty((0, 0), np.float32)

Span = tuple[int, int, int, int]
"""First row, the one after the last, first column, the one after the last."""


def _measured(source: Map, grid: Grid) -> Grid:
    """Return a grid with a size: its own, or any if the map needs none."""
    if source.needs_meters or grid.size is not None:
        return require_size(grid, f"read_blocks: {type(source).__name__}")
    return Grid.of(np.broadcast_to(_EMPTY.sum(), grid.shape), size=1.0)


def _spans(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return where blocks of some sizes begin and end."""
    ends = np.cumsum(sizes, dtype=np.intp).tolist()
    return list(zip([0, *ends], ends))


def _read_block(source: Map, height: DaskArray, level: Level, reach: int, span: Span) -> DaskArray:
    """Return the map of one block, read with the samples around it."""
    top, bottom, left, right = span
    first_row, last_row = max(0, top - reach), min(level.rows, bottom + reach)
    first_column, last_column = max(0, left - reach), min(level.columns, right + reach)
    part = level.part(first_row, first_column, last_row - first_row, last_column - first_column)
    target = level.part(top, left, bottom - top, right - left)
    around = height[first_row:last_row, first_column:last_column].rechunk(-1)
    more = () if source.channels == 1 else (source.channels,)
    return around.map_blocks(
        _read_part,
        source,
        part,
        target,
        chunks=tuple((count,) for count in (*target.shape, *more)),
        new_axis=[2] if more else None,
        dtype=np.float32,
        meta=np.empty((0,) * (2 + len(more)), np.float32),
    )


def _read_part(height: Field, source: Map, part: Level, target: Level) -> Field:
    surface = HeightField(np.ascontiguousarray(height, np.float32), part)
    return source.read(surface, blocks.heard(None))[target.within(part)]
