# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest points of many pieces, found in small blocks of samples that each compare the pieces near them.

The work grows with the length of curves and with the reach, not with samples times pieces. A sample has the same
bits in each part of a land and on a torus: places of pieces are whole multiples of a small fraction of a sample, so
that differences to samples are exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from ..rasters.level import Level
from .chains import Pieces, Table, X, Y

SIDE = 16
"""Samples along a side of a block."""

_FRACTION = float(1 << 20)
"""Parts of a sample to which places of pieces are rounded."""

_HALF_DIAGONAL = 0.5 * (SIDE - 1) * math.sqrt(2.0)

_SUPER = 512
"""Samples along a side of what is surveyed at once: bounds the list of pairs of blocks and pieces."""

_SAFETY = 1e-3
"""Samples by which bounds of distances are widened, so that rounding leaves no piece out."""

Indices = npt.NDArray[np.intp]

Visit = Callable[["Pairs"], None]


@dataclass(frozen=True, eq=False)
class Pairs:
    """One piece for each of the first blocks of a survey.

    Attributes
    ----------
    piece : ndarray of shape (n,), intp
        Number of the piece.
    share : ndarray of shape (n, SIDE, SIDE), float64
        Where on the piece the nearest point lies, from 0 to 1.
    distance : ndarray of shape (n, SIDE, SIDE), float64
        To this point, in samples.
    side : ndarray of shape (n, SIDE, SIDE), float64
        Distance from the line through the piece, in samples, above 0 to its left.
    """

    piece: Indices
    share: Table
    distance: Table
    side: Table


@dataclass(frozen=True, eq=False)
class Survey:
    """Nearest points of the pieces for all samples of some blocks.

    Attributes
    ----------
    row, column : ndarray of shape (n,), intp
        Numbers of the blocks in the surveyed part, counted in blocks.
    piece : ndarray of shape (n, SIDE, SIDE), intp
        Number of the nearest piece.
    share, distance, side : ndarray of shape (n, SIDE, SIDE), float64
        See `Pairs`.
    """

    row: Indices
    column: Indices
    piece: Indices
    share: Table
    distance: Table
    side: Table

    @classmethod
    def empty(cls, row: Indices, column: Indices) -> Survey:
        """Return a survey in which nothing is near yet."""
        shape = (len(row), SIDE, SIDE)
        far = np.full(shape, np.inf)
        return cls(row, column, np.zeros(shape, np.intp), np.zeros(shape), far, np.zeros(shape))

    def add(self, pairs: Pairs) -> None:
        """Take over the points of pairs that are nearer; pieces come in a fixed order for each sample."""
        part = slice(0, len(pairs.piece))
        distance, side = self.distance[part], self.side[part]
        nearer = pairs.distance < distance
        tie = pairs.distance == distance
        if tie.any():
            tie &= np.abs(pairs.side) > np.abs(side)
            nearer |= tie
        np.copyto(distance, pairs.distance, where=nearer)
        np.copyto(self.share[part], pairs.share, where=nearer)
        np.copyto(side, pairs.side, where=nearer)
        np.copyto(self.piece[part], pairs.piece[:, np.newaxis, np.newaxis], where=nearer)

    def interpolate(self, pieces: Pieces, column: int, where: Indices) -> Table:
        """Return a column of the vertices of the pieces at the nearest points of some samples, counted in all blocks."""
        piece = self.piece.take(where)
        start = pieces.start[:, column].take(piece)
        rise = pieces.stop[:, column].take(piece)
        rise -= start
        rise *= self.share.take(where)
        rise += start
        return rise

    def paste(self, values: npt.NDArray[np.floating], field: Field) -> None:
        """Write values of the blocks into a field of the surveyed part."""
        squares, is_whole = self._squares(field)
        squares[self.row[is_whole], :, self.column[is_whole]] = values[is_whole]
        rows, columns = field.shape
        for place in np.flatnonzero(~is_whole):
            row, column = self.row[place] * SIDE, self.column[place] * SIDE
            target = field[row : row + SIDE, column : column + SIDE]
            target[...] = values[place, : rows - row, : columns - column]

    def cut(self, field: Field) -> Table:
        """Return the blocks of a field of the surveyed part; beyond its edges there is 0."""
        values = np.zeros((len(self.row), SIDE, SIDE), np.float64)
        squares, is_whole = self._squares(field)
        values[is_whole] = squares[self.row[is_whole], :, self.column[is_whole]]
        for place in np.flatnonzero(~is_whole):
            row, column = self.row[place] * SIDE, self.column[place] * SIDE
            part = field[row : row + SIDE, column : column + SIDE]
            values[place, : part.shape[0], : part.shape[1]] = part
        return values

    def _squares(self, field: Field) -> tuple[Field, npt.NDArray[np.bool_]]:
        """Return a view of the whole blocks of a field, and which blocks of the survey are whole."""
        down, along = (count // SIDE for count in field.shape)
        step, side = field.strides
        shape, strides = (down, SIDE, along, SIDE), (step * SIDE, step, side * SIDE, side)
        squares = np.lib.stride_tricks.as_strided(field, shape, strides)
        is_whole: npt.NDArray[np.bool_] = (self.row < down) & (self.column < along)
        return squares, is_whole


@dataclass(frozen=True, eq=False)
class Placed:
    """Pieces whose places are counted in samples of the world.

    Attributes
    ----------
    pieces : Pieces
    x, y, along_x, along_y : ndarray of shape (n,), float64
        Beginning, and vector to the end.
    """

    pieces: Pieces
    x: Table
    y: Table
    along_x: Table
    along_y: Table

    @classmethod
    def on(cls, pieces: Pieces, level: Level) -> Placed:
        """Return pieces on the samples of a level."""
        down, right = level.shift
        places = []
        for table in (pieces.start, pieces.stop):
            for column, shift in ((X, right), (Y, down)):
                place = table[:, column] * level.steps_per_tile - shift
                places.append(np.round(place * _FRACTION) / _FRACTION)
        x, y, to_x, to_y = places
        return cls(pieces, x, y, to_x - x, to_y - y)

    def copies(self, level: Level, reach: float) -> Iterator[tuple[int, int]]:
        """Yield by how many rows and columns the pieces are moved so that they may come near a part of a level."""
        if not self.pieces.count:
            yield 0, 0
            return
        spans = []
        for start, along in ((self.y, self.along_y), (self.x, self.along_x)):
            stop = start + along
            low = float(min(start.min(), stop.min())) - reach
            spans.append((low, float(max(start.max(), stop.max())) + reach))
        yield from level.copies(*spans)


def useful_reach(level: Level, reach: float) -> float:
    """Return a reach in meters, on a torus at most its diagonal: farther copies of a curve say nothing new."""
    return min(reach, math.hypot(level.width, level.depth)) if level.is_round else reach


def survey_parts(level: Level) -> Iterator[Level]:
    """Yield the parts of a level that are surveyed one at a time."""
    counts = [max(1, round(count / _SUPER)) for count in level.shape]
    edges = [
        [min(-(-size * place // (count * SIDE)) * SIDE, size) for place in range(count)] + [size]
        for size, count in zip(level.shape, counts)
    ]
    for top, bottom in zip(edges[0], edges[0][1:]):
        for left, right in zip(edges[1], edges[1][1:]):
            if bottom > top and right > left:
                yield level.part(top, left, bottom - top, right - left)


def survey(
    pieces: Placed,
    level: Level,
    reach: float,
    begin: Callable[[Survey], Visit] | None = None,
    *,
    nearest_only: bool = False,
) -> Survey | None:
    """Return the nearest points for all blocks of samples that pieces may reach; None if there are none.

    Of several points as near, the one whose piece tells best on which side the sample lies counts.

    Parameters
    ----------
    pieces : Placed
    level : Level
        At most some hundred samples wide; see `survey_parts`.
    reach : float
        In samples: blocks farther from all pieces are left out.
    begin : callable, optional
        Takes the survey of the blocks, still without nearest points; returns a function that is called with all
        pairs, those of the first blocks at a time.
    nearest_only : bool
        Whether pieces that are nearest to no sample may be left out.
    """
    pairs = _find_pairs(pieces, level, reach, nearest_only)
    if not len(pairs[0]):
        return None
    block, piece, down, right = pairs
    order = np.lexsort((piece, right, down, block))
    block, piece, down, right = (values[order] for values in (block, piece, down, right))
    numbers, first, count = np.unique(block, return_index=True, return_counts=True)
    by_count = np.argsort(-count, kind="stable")
    numbers, first, count = numbers[by_count], first[by_count], count[by_count]
    across = -(-level.columns // SIDE)
    row, column = numbers // across, numbers % across
    found = Survey.empty(row, column)
    visit = None if begin is None else begin(found)
    top = row * SIDE + (level.first[0] + level.begin[0])
    left = column * SIDE + (level.first[1] + level.begin[1])
    for rank in range(int(count[0])):
        blocks.checkpoint()
        active = int(np.searchsorted(-count, -rank, side="left"))
        pair = first[:active] + rank
        shifted = (top[:active] - down[pair], left[:active] - right[pair])
        measured = _measure(pieces, piece[pair], *shifted)
        found.add(measured)
        if visit is not None:
            visit(measured)
    return found


def _find_pairs(
    pieces: Placed, level: Level, reach: float, nearest_only: bool
) -> tuple[Indices, Indices, Indices, Indices]:
    """Return numbers of blocks and of pieces near them, and by how much the pieces are moved."""
    rows, columns = (-(-count // SIDE) for count in level.shape)
    lists: list[tuple[Indices, ...]] = []
    apart_lists: list[Table] = []
    margin = reach + _HALF_DIAGONAL + _SAFETY
    for down, right in pieces.copies(level, reach):
        y = pieces.y + float(down - level.first[0] - level.begin[0])
        x = pieces.x + float(right - level.first[1] - level.begin[1])
        spans = [_span(y, pieces.along_y, reach, rows), _span(x, pieces.along_x, reach, columns)]
        (low_row, count_row), (low_column, count_column) = spans
        counts = count_row * count_column
        piece = np.repeat(np.arange(len(counts), dtype=np.intp), counts)
        number = np.arange(len(piece), dtype=np.intp) - np.repeat(
            np.cumsum(counts, dtype=np.intp) - counts, counts
        )
        row = low_row[piece] + number // count_column[piece]
        column = low_column[piece] + number % count_column[piece]
        middle = 0.5 * (SIDE - 1)
        to_y, to_x = row * float(SIDE) + middle - y[piece], column * float(SIDE) + middle - x[piece]
        apart = _point_distance(to_x, to_y, pieces.along_x[piece], pieces.along_y[piece])
        near = apart <= margin
        moved = (np.full(int(near.sum()), shift, np.intp) for shift in (down, right))
        lists.append(((row * columns + column)[near], piece[near], *moved))
        apart_lists.append(apart[near])
    if not lists:
        none = np.empty(0, np.intp)
        return none, none, none, none
    block, piece, down_by, right_by = (np.concatenate(values) for values in zip(*lists))
    if nearest_only and len(block):
        apart = np.concatenate(apart_lists)
        least = np.full(rows * columns, np.inf)
        np.minimum.at(least, block, apart)
        near = apart <= least[block] + 2.0 * (_HALF_DIAGONAL + _SAFETY)
        return block[near], piece[near], down_by[near], right_by[near]
    return block, piece, down_by, right_by


def _span(start: Table, along: Table, reach: float, count: int) -> tuple[Indices, Indices]:
    """Return the first block that each piece may reach along an axis, and how many there are."""
    low = np.minimum(start, start + along) - reach - SIDE
    high = np.maximum(start, start + along) + reach
    first = np.clip(np.ceil(low / SIDE), 0.0, count)
    last = np.clip(np.floor(high / SIDE), -1.0, count - 1.0)
    return first.astype(np.intp), np.maximum(last - first + 1.0, 0.0).astype(np.intp)


def _point_distance(to_x: Table, to_y: Table, along_x: Table, along_y: Table) -> Table:
    """Return the distance of points from pieces, of the vectors from their beginnings."""
    length = along_x * along_x + along_y * along_y
    share = (to_x * along_x + to_y * along_y) / np.where(length > 0.0, length, 1.0)
    share = np.clip(share, 0.0, 1.0)
    x, y = to_x - share * along_x, to_y - share * along_y
    return np.sqrt(x * x + y * y)


def _measure(pieces: Placed, piece: Indices, top: Indices, left: Indices) -> Pairs:
    """Return the nearest points of one piece for each of some blocks, whose first samples are given."""
    within = np.arange(SIDE, dtype=np.float64)
    to_x = (left - pieces.x[piece])[:, np.newaxis, np.newaxis] + within
    to_y = (top - pieces.y[piece])[:, np.newaxis, np.newaxis] + within[:, np.newaxis]
    along_x, along_y = (
        values[piece][:, np.newaxis, np.newaxis] for values in (pieces.along_x, pieces.along_y)
    )
    square = along_x * along_x + along_y * along_y
    inverse = 1.0 / np.where(square > 0.0, square, 1.0)
    share = to_x * (along_x * inverse) + to_y * (along_y * inverse)
    np.maximum(share, 0.0, out=share)
    np.minimum(share, 1.0, out=share)
    scale = np.sqrt(inverse)
    side = to_y * (along_x * scale) - to_x * (along_y * scale)
    x = share * along_x
    np.subtract(to_x, x, out=x)
    y = share * along_y
    np.subtract(to_y, y, out=y)
    x *= x
    y *= y
    x += y
    np.sqrt(x, out=x)
    return Pairs(piece, share, x, side)
