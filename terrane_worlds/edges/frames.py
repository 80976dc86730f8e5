# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames: the samples of a window around a tile's own part, and the tile of a coarser level in which a tile lies."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.tiling import Tiling, Window

Values = npt.NDArray[Any]

TilePlace = tuple[int, int]
"""Row and column of a tile among the tiles."""


def tiling_of(tiles: Sequence[Window], wrap: bool = False) -> Tiling:
    """Return the tiling whose tiles are given; all of them, in their order."""
    last = tiles[-1]
    side = max(tiles[0].shape)
    return Tiling(last.row + last.rows, last.column + last.columns, side, wrap)


def levels_between(fine: Tiling, coarse: Tiling) -> int:
    """Return how many times the samples of a tiling were halved to get those of another one."""
    return round(math.log2(max(fine.shape) / max(coarse.shape)))


def place_in(place: TilePlace, fine: Tiling, coarse: Tiling) -> TilePlace:
    """Return the row and column, among tiles, of the tile of a coarser level that a tile lies in.

    The result does not depend on the levels in between.
    """
    levels = levels_between(fine, coarse)
    most = (-(-coarse.rows // coarse.side) - 1, coarse.across - 1)
    return min(place[0] >> levels, most[0]), min(place[1] >> levels, most[1])


def place_of(tile: Window, tiling: Tiling) -> TilePlace:
    """Return the row and column of a tile among the tiles."""
    return tile.row // tiling.side, tile.column // tiling.side


def tile_at(place: TilePlace, tiling: Tiling) -> Window:
    """Return the window of a tile by its row and column among the tiles."""
    return tiling.tiles[place[0] * tiling.across + place[1]]


def own_part(reader: Tiling, tile: Window, of: Tiling) -> Window:
    """Return the part of a field that is rebuilt together with the tile that reads it.

    That is the tile of the same or a coarser level in which it lies, or all those of a finer one in it.
    """
    place, levels = place_of(tile, reader), levels_between(reader, of)
    if levels >= 0:
        return tile_at(place_in(place, reader, of), of)
    most = ((of.rows - 1) // of.side, of.across - 1)
    first = [at << -levels for at in place]
    last = [min(((at + 1) << -levels) - 1, end) for at, end in zip(place, most)]
    return join(tile_at((first[0], first[1]), of), tile_at((last[0], last[1]), of))


def places_under(tiling: Tiling, window: Window) -> set[TilePlace]:
    """Return the rows and columns, among the tiles, of those in which a window lies."""
    rows, columns = (
        {(at % size if tiling.wrap else at) // tiling.side for at in range(first, first + count)}
        for first, count, size in zip((window.row, window.column), window.shape, tiling.shape)
    )
    return {(row, column) for row in rows for column in columns}


def join(first: Window, second: Window) -> Window:
    """Return the smallest window that holds two."""
    row, column = min(first.row, second.row), min(first.column, second.column)
    end_row = max(first.row + first.rows, second.row + second.rows)
    end_column = max(first.column + first.columns, second.column + second.columns)
    return Window(row, column, end_row - row, end_column - column)


def holds(outer: Window, inner: Window) -> bool:
    """Return whether a window holds another one."""
    return join(outer, inner) == outer


def cut(window: Window, inner: Window) -> Window | None:
    """Return the part of a window that lies in another one, or None."""
    row, column = max(window.row, inner.row), max(window.column, inner.column)
    rows = min(window.row + window.rows, inner.row + inner.rows) - row
    columns = min(window.column + window.columns, inner.column + inner.columns) - column
    return Window(row, column, rows, columns) if rows > 0 and columns > 0 else None


@dataclasses.dataclass(frozen=True)
class FramePart:
    """A part of a window that lies within a land.

    Attributes
    ----------
    window : Window
        Without a sample beyond an edge.
    place : tuple of two slices
        Where it lies in the window.
    """

    window: Window
    place: tuple[slice, slice]


def unwrap(window: Window, tiling: Tiling | None) -> list[FramePart]:
    """Return the parts into which the edges of a land that meet divide a window; one without a land."""
    if tiling is None:
        return [FramePart(window, window.within(window))]
    rows = _stretches(window.row, window.rows, tiling.rows)
    columns = _stretches(window.column, window.columns, tiling.columns)
    return [
        FramePart(
            Window(row, column, down.stop - down.start, right.stop - right.start), (down, right)
        )
        for row, down in rows
        for column, right in columns
    ]


def _stretches(start: int, count: int, size: int) -> list[tuple[int, slice]]:
    """Return, for each stretch between edges, where it begins in the land, and where it lies in the window."""
    ends = [at for at in range(-(-start // size) * size, start + count, size) if at > start]
    bounds = [start, *ends, start + count]
    return [(at % size, slice(at - start, end - start)) for at, end in zip(bounds, bounds[1:])]


def frame(values: Values, window: Window, inner: Window | None) -> list[Values]:
    """Return views of a window's samples outside of a tile's own part, as up to four arrays.

    Parameters
    ----------
    values : ndarray
        Of the window.
    window : Window
    inner : Window or None
        See `cut`.
    """
    if inner is None:
        return [values]
    rows, columns = inner.within(window)
    middle = values[rows]
    parts = [values[: rows.start], values[rows.stop :]]
    parts += [middle[:, : columns.start].T, middle[:, columns.stop :].T]
    return [part for part in parts if part.size]


def fill_frame(
    values: Values, window: Window, inner: Window | None, parts: Sequence[Values]
) -> None:
    """Put the arrays of a frame into a window; a ValueError if they are of another one."""
    views = frame(values, window, inner)
    if [array.shape for array in views] != [array.shape for array in parts]:
        raise ValueError("arrays of other shapes")
    for view, part in zip(views, parts):
        np.copyto(view, part)
