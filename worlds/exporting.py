# SPDX-License-Identifier: GPL-3.0-or-later
"""Export of finished worlds as the core exports any land, without loading them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, cast

import numpy as np

from noise_core.base.arrays import Field
from noise_core.base.blocks import Cancel, Progress
from noise_core.base.errors import ParameterError, format_value
from noise_core.base.grid import Grid
from noise_core.io.heightmaps.export import ExportReport, export_heightmap
from noise_core.io.heightmaps.height_range import HeightRange
from noise_core.io.heightmaps.lands import ExportedLand, Land, Shape
from noise_core.recipes.recipe import Recipe
from noise_core.types.modifier import Relief
from noise_core.types.target import Target, target_types

from .budget import PROCESS, format_bytes, parse_bytes
from .errors import WorldError
from .fields import Values
from .store.layout import HEIGHT, array_shape, attributes_of, find_group, read_window
from .store.shards import chunk_side
from .tiling import Window

_BAND = 1 << 24
"""Samples that are read at a time."""


class StoredHeights:
    """Heights of a store that look like an array; what is asked for is read, a band of rows at a time.

    Parameters
    ----------
    path : Path
        Of the array.
    window : Window
    band : int
        Rows of a band.
    is_turned : bool
        Whether the last row comes first.
    """

    ndim = 2

    def __init__(self, path: Path, window: Window, band: int, is_turned: bool = False) -> None:
        self._path, self._window, self._band, self._is_turned = path, window, band, is_turned
        self._begin, self._rows = 0, np.empty((0, window.columns), np.float32)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._window.shape

    def __getitem__(self, key: slice | tuple[slice, slice]) -> Any:
        """Return some rows as an array; a window, or all rows turned, as heights of the store."""
        if isinstance(key, tuple):
            (top, bottom, _), (left, right, _) = (
                one.indices(count) for one, count in zip(key, self.shape)
            )
            inner = Window(
                self._window.row + top, self._window.column + left, bottom - top, right - left
            )
            return StoredHeights(self._path, inner, self._band)
        if key.step == -1:
            return StoredHeights(self._path, self._window, self._band, not self._is_turned)
        start, stop, _ = key.indices(self._window.rows)
        if self._is_turned:
            count = self._window.rows
            return self._read(count - stop, count - start)[::-1]
        return self._read(start, stop)

    def min(self) -> np.float32:
        """Return the lowest height."""
        return cast(np.float32, min(band.min() for band in self._bands()))

    def max(self) -> np.float32:
        """Return the highest height."""
        return cast(np.float32, max(band.max() for band in self._bands()))

    def _bands(self) -> Any:
        rows = self._window.rows
        for start in range(0, rows, self._band):
            yield self._read(start, min(start + self._band, rows))

    def _read(self, start: int, stop: int) -> Values:
        """Return rows of the window; those of the band around them are kept for the next."""
        if self._begin <= start and stop <= self._begin + len(self._rows):
            return self._rows[start - self._begin : stop - self._begin]
        # Bands begin at rows of chunks of the store, not of the window.
        first = self._window.row
        begin = max((first + start) // self._band * self._band - first, 0)
        end = min(-(-(first + stop) // self._band) * self._band - first, self._window.rows)
        window = dataclasses.replace(self._window, row=first + begin, rows=end - begin)
        self._begin, self._rows = begin, read_window(self._path, window)
        return self._rows[start - begin : stop - begin]


@dataclasses.dataclass(frozen=True, eq=False)
class StoredLand(Land):
    """A finished world, or an overview of it.

    Attributes
    ----------
    path : Path
        Of the array with the heights.
    recipe : Recipe or None
        For the sidecar; none for an overview, whose samples are means.
    grid : Grid
        Of its samples, without wrap.
    band : int
        Rows that are read at a time; 0 loads all.
    """

    path: Path
    recipe: Recipe | None
    grid: Grid
    band: int

    @property
    def own_shape(self) -> Shape:
        """See `Land.own_shape`."""
        return self.grid.shape

    @property
    def width(self) -> float:
        """See `Land.width`."""
        return self.grid.size

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `Land.evaluate`: no other shape than its own."""
        if tuple(shape) != self.grid.shape:
            raise ParameterError(
                "the world has {} x {} samples; got files for {} x {}", *self.grid.shape, *shape
            )
        heights = StoredHeights(self.path, Window(0, 0, *shape), self.band or shape[0])
        height = heights if self.band else heights[0 : shape[0]]
        return ExportedLand(Relief(cast(Field, height)), self.grid, self.recipe)


def export_world(
    store: str | Path,
    path: str | Path,
    *,
    target: str | Target,
    samples: int | tuple[int, int] | None = None,
    tiles: tuple[int, int] = (1, 1),
    range_: HeightRange = "as_is",
    overview: int = 1,
    memory: int | str = "4GB",
    overwrite: bool = False,
    progress: Progress | None = None,
) -> ExportReport:
    """Write a finished world as `export_heightmap` writes a land, reading a band of rows at a time.

    TIFF files are packed in memory, and targets that look for places on the ground, or cut it into
    pyramids of tiles, load it: these need memory for all samples.

    Parameters
    ----------
    store : str or path
    overview : int
        See `World.open`.
    memory : int or str
        What may be taken: bytes, or such as "4GB".
    path, target, samples, tiles, range_, overwrite, progress
        See `export_heightmap`.

    Raises
    ------
    ParameterError, TerraneError
        See `export_heightmap`; also if the memory is too little.
    WorldError
        If the store is not finished, or damaged.
    """
    one = _target_of(target)
    return export_heightmap(
        _stored_land(Path(store), overview, one, tiles[0] * tiles[1], memory),
        path,
        target=one,
        samples=samples,
        tiles=tiles,
        range_=range_,
        overwrite=overwrite,
        progress=progress,
    )


def _target_of(target: str | Target) -> Target:
    if isinstance(target, Target):
        return target
    types = target_types()
    if target not in types:
        raise ParameterError(
            "target must be one of {}; got {}", ", ".join(types), format_value(target)
        )
    return types[target]()


def _stored_land(
    store: Path, overview: int, target: Target, files: int, memory: int | str
) -> StoredLand:
    """Return a finished world, read in such a way that the memory suffices."""
    facts = attributes_of(store)
    if "digest" not in facts:
        raise WorldError("{}: is not finished", store)
    if facts.get("edges") == "only" and overview == 1:
        raise WorldError(
            "{}: has edges instead of samples: write regions, or export an overview", store
        )
    array = find_group(store, overview) / HEIGHT
    rows, columns = array_shape(array)
    is_loaded = target.spawn_rules is not None or target.pyramid is not None
    is_packed = target.encoding.file_format == "tiff"
    chunk = chunk_side(facts["tile"])
    band = max(_BAND // columns // chunk, 1) * chunk
    loaded = 16.0 * columns * (rows if is_loaded else min(band, rows))
    needed = PROCESS + loaded + is_packed * 8.0 * rows * columns / files
    if needed > parse_bytes(memory, "memory"):
        raise ParameterError(
            "memory must be at least {} for this export; got {}: more files or an overview need less",
            format_bytes(needed),
            format_value(memory),
        )
    size = facts["spacing"] * overview * max(columns - 1, 1)
    recipe = Recipe.from_json(facts["recipe"]) if overview == 1 else None
    return StoredLand(array, recipe, Grid(rows, columns, size=size), 0 if is_loaded else band)
