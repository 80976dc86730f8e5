# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances to the nearest of some samples of a land, in tiles: see `noise_core.rasters.distance_field`.

Distances within columns are found tile by tile, after the nearest samples beyond each one are known; those
across columns in rows of tiles.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from noise_core.base.arrays import Field
from noise_core.rasters import distance_field

from ..base.tiling import Tiling, Window
from ..tiles.fields import TiledField
from ..tiles.land import Land

IsTarget = Callable[[Any], npt.NDArray[np.bool_]]
"""Takes the values of a window; returns which samples are targets. Picklable."""

_ENVELOPE = 90.0
"""Bytes for each sample of the rows whose envelopes are built in step."""

_Rows = npt.NDArray[np.float64]
"""Numbers of rows of a column each, infinite where there is none."""


@dataclasses.dataclass(frozen=True)
class Distances:
    """Distances of all samples of a land to the nearest target.

    Attributes
    ----------
    squares : TiledField
        Squared distances within columns, in samples.
    """

    squares: TiledField

    @classmethod
    def measure(cls, field: TiledField, is_target: IsTarget, land: Land) -> Distances:
        """Return the distances to those samples whose values are targets.

        Parameters
        ----------
        field : TiledField
        is_target : callable
        land : Land
            With separate names.
        """
        tiling = field.tiling
        ends = land.engine.ask("ends", _Ends(field, is_target), tiling.tiles)
        squares = land.new_field("squares", "float32", tiling)
        work = _Squares(field, is_target, squares)
        land.engine.hand_out("squares", work, _Beyond, tiling.tiles, lambda: _beyond(ends, tiling))
        return cls(squares)

    def of_rows(self, row: int) -> tuple[Window, Field]:
        """Return a row of tiles, by its first row of samples, and the distances there, in samples."""
        tiling = self.squares.tiling
        window = Window(row, 0, min(tiling.side, tiling.rows - row), tiling.columns)
        return window, distance_field.from_squares(self.squares.read(window), tiling.wrap)


def memory_of_rows(tiling: Tiling, fields: int) -> float:
    """Return the bytes that work on a row of tiles takes with so many fields, for each sample of a tile."""
    envelopes = _ENVELOPE * min(distance_field.ROWS_PER_ENVELOPE, tiling.side)
    return (4.0 * fields * tiling.side + envelopes) * tiling.columns / tiling.side**2


def rows_of_tiles(tiling: Tiling) -> Sequence[int]:
    """Return the first row of samples of each row of tiles."""
    return range(0, tiling.rows, tiling.side)


def write_rows(field: TiledField, window: Window, values: Field) -> None:
    """Write a row of tiles."""
    for tile in field.tiling.tiles:
        if tile.row == window.row:
            field.write(tile, values[tile.within(window)])


def _beyond(ends: Sequence[tuple[_Rows, _Rows]], tiling: Tiling) -> list[tuple[Field, Field]]:
    """Return how far away targets are in the rows before and after each tile, in its columns."""
    lower: list[Field] = [np.empty(0, np.float32)] * len(ends)
    upper = list(lower)
    for column in range(tiling.across):
        numbers = list(range(column, len(ends), tiling.across))
        nearest = np.full(tiling.tiles[column].columns, -np.inf)
        if tiling.wrap:
            nearest = np.max([ends[number][1] for number in numbers], axis=0) - tiling.rows
        for number in numbers:
            tile = tiling.tiles[number]
            lower[number] = (tile.row - 1 - nearest).astype(np.float32)
            nearest = np.maximum(nearest, ends[number][1])
        nearest = np.full(tiling.tiles[column].columns, np.inf)
        if tiling.wrap:
            nearest = np.min([ends[number][0] for number in numbers], axis=0) + tiling.rows
        for number in reversed(numbers):
            tile = tiling.tiles[number]
            upper[number] = (nearest - (tile.row + tile.rows)).astype(np.float32)
            nearest = np.minimum(nearest, ends[number][0])
    return list(zip(lower, upper))


@dataclasses.dataclass(frozen=True)
class _Ends:
    """Return the first and the last row with a target in each column of a tile."""

    field: TiledField
    is_target: IsTarget

    def __call__(self, tile: Window) -> tuple[_Rows, _Rows]:
        targets = self.is_target(self.field.read(tile))
        has_any = targets.any(axis=0)
        first = tile.row + targets.argmax(axis=0)
        last = tile.row + tile.rows - 1 - targets[::-1].argmax(axis=0)
        return np.where(has_any, first, np.inf), np.where(has_any, last, -np.inf)


@dataclasses.dataclass(frozen=True)
class _Beyond:
    """A tile, and how far away targets are in the rows before and after it, in its columns."""

    tile: Window
    before: Field
    after: Field


@dataclasses.dataclass(frozen=True)
class _Squares:
    field: TiledField
    is_target: IsTarget
    result: TiledField

    def __call__(self, item: _Beyond) -> None:
        targets = self.is_target(self.field.read(item.tile))
        beyond = (item.before, item.after)
        squares = distance_field.squares_along_columns(targets, False, beyond)
        self.result.write(item.tile, squares)
