# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of resolution: the samples of a grid, and of coarser grids over the same extent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..base.arrays import Hash
from ..base.grid import Grid
from ..lattice.hash import hash_indices

_BEYOND = 1 << 30
"""Samples from the middle of the world after which places come again, as far as chance goes."""


@dataclass(frozen=True)
class Level:
    """The samples of one level: how many, how far apart, and whether edges meet.

    Attributes
    ----------
    rows, columns : int
        At least 1 each.
    step_y, step_x : float
        Distance between neighbors along a column and along a row, in meters.
    wrap : bool
        Whether the last row and column meet the first.
    first : tuple of two ints
        Place of the whole level's first sample in the world, row and column: chance hangs on it.
    begin : tuple of two ints
        Row and column of the whole level at which this one begins, if it is a part.
    whole : tuple of two ints or None
        Rows and columns of the whole level, if this is a part.
    repeats : bool
        Whether the whole level wraps, if this is a part.
    beyond : int
        Rows and columns of the whole level at each of its ends that lie beyond the borders of the land.
    steps_per_tile : int
        Distances between samples in one tile; 0 on coarser levels, which nothing is drawn on.
    shift : tuple of two floats
        By how much the samples lie after whole numbers of steps from the beginning of the world, in samples,
        down and along: 0 unless the origin lies between samples.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.rasters.level import Level
    >>> level = Level.from_grid(Grid(65, 129, size=1280.0))
    >>> level.shape, level.wrap
    ((65, 129), False)
    """

    rows: int
    columns: int
    step_y: float
    step_x: float
    wrap: bool
    first: tuple[int, int] = (0, 0)
    begin: tuple[int, int] = (0, 0)
    whole: tuple[int, int] | None = None
    repeats: bool = False
    beyond: int = 0
    steps_per_tile: int = 0
    shift: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def from_grid(cls, grid: Grid) -> Level:
        """Return the level that has a grid's own samples."""
        wraps = grid.wrap and grid.whole is None  # a window has borders
        # Whole numbers of any size, since an origin may lie anywhere.
        steps = grid.steps_per_tile
        places = [Fraction(origin) * steps for origin in grid.origin[::-1]]
        row, column = (begin + round(place) for begin, place in zip(grid.first, places))
        down, along = (float(place - round(place)) for place in places)
        return cls(
            *(grid.rows, grid.columns, grid.spacing, grid.spacing, wraps, (row, column)),
            steps_per_tile=steps,
            shift=(down, along),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self.rows, self.columns)

    @property
    def whole_shape(self) -> tuple[int, int]:
        """Rows and columns of the whole level."""
        return self.whole or self.shape

    @property
    def land_shape(self) -> tuple[int, int]:
        """Rows and columns of the whole level within the borders of the land."""
        rows, columns = self.whole_shape
        return (rows - 2 * self.beyond, columns - 2 * self.beyond)

    @property
    def is_round(self) -> bool:
        """Whether the edges of the whole level meet."""
        return self.wrap or self.repeats

    @property
    def torus(self) -> tuple[int, int] | None:
        """Rows and columns after which places come again; None if they never do."""
        return self.whole_shape if self.is_round else None

    @property
    def width(self) -> float:
        """Extent of the land along a row, in meters."""
        columns = self.land_shape[1]
        return self.step_x * (columns if self.is_round else max(columns - 1, 1))

    @property
    def depth(self) -> float:
        """Extent of the land along a column, in meters."""
        rows = self.land_shape[0]
        return self.step_y * (rows if self.is_round else max(rows - 1, 1))

    def coarser(self) -> Level:
        """Return the level with half as many samples along both sides, over the same extent."""
        rows, columns = (self.rows + 1) // 2, (self.columns + 1) // 2
        steps = (rows, columns) if self.wrap else (max(rows - 1, 1), max(columns - 1, 1))
        finer = self.shape if self.wrap else (max(self.rows - 1, 1), max(self.columns - 1, 1))
        row, column = (
            round(Fraction(place * count, before))
            for place, count, before in zip(self.first, steps, finer)
        )
        step_y, step_x = self.depth / steps[0], self.width / steps[1]
        return Level(rows, columns, step_y, step_x, self.wrap, (row, column))

    def part(self, row: int, column: int, rows: int, columns: int) -> Level:
        """Return a part of this level, which has borders, with the same places and the same chance.

        Parameters
        ----------
        row, column : int
            Of the part's first sample. A part of a level that wraps may lie beyond its edges.
        rows, columns : int
            At least 1 each.
        """
        begin = (self.begin[0] + row, self.begin[1] + column)
        shape, repeats = self.whole_shape, self.is_round
        return replace(
            self, rows=rows, columns=columns, wrap=False, begin=begin, whole=shape, repeats=repeats
        )

    def widen(self, margin: int) -> Level:
        """Return this whole level with samples beyond its borders; itself if its edges meet.

        Parameters
        ----------
        margin : int
            How many at each end; no more than a side has steps.
        """
        margin = min(margin, *(count - 1 for count in self.shape))
        if self.wrap or margin <= 0:
            return self
        rows, columns = (count + 2 * margin for count in self.shape)
        row, column = (place - margin for place in self.first)
        return replace(self, rows=rows, columns=columns, first=(row, column), beyond=margin)

    def touches(self, axis: int) -> tuple[bool, bool]:
        """Return whether the first and the last line across an axis lie on a border of the whole."""
        begin, size = self.begin[axis], self.whole_shape[axis]
        is_open = not self.is_round
        return (is_open and begin == 0, is_open and begin + self.shape[axis] == size)

    def within(self, outer: Level) -> tuple[slice, slice]:
        """Return where this part lies in another one around it."""
        row, column = (own - other for own, other in zip(self.begin, outer.begin))
        return slice(row, row + self.rows), slice(column, column + self.columns)

    def grow(self, down: int, along: int) -> Level:
        """Return a part with more samples around it, but none beyond a border of the whole level.

        Around the whole there are none: samples beyond edges that meet are in it.

        Parameters
        ----------
        down, along : int
            How many rows on both sides, and how many columns.
        """
        if self.whole is None:
            return self
        ends = []
        for begin, count, size, margin in zip(
            self.begin, self.shape, self.whole_shape, (down, along)
        ):
            low, high = begin - margin, begin + count + margin
            ends.append((low, high) if self.is_round else (max(low, 0), min(high, size)))
        (top, bottom), (left, right) = ends
        begin_row, begin_column = self.begin
        return self.part(top - begin_row, left - begin_column, bottom - top, right - left)

    def numbers(
        self, row: npt.NDArray[np.intp], column: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the rows and columns of samples in the whole level, across edges that meet."""
        row, column = row + self.begin[0], column + self.begin[1]
        torus = self.torus
        return (row, column) if torus is None else (row % torus[0], column % torus[1])

    def copies(
        self, down: tuple[float, float], along: tuple[float, float]
    ) -> Iterator[tuple[int, int]]:
        """Yield by how many rows and columns an area is moved, round a torus, so that it meets this part.

        Parameters
        ----------
        down, along : tuple of two floats
            First and last row, and first and last column, of the area in samples of the world.
        """
        torus = self.torus
        if torus is None:
            yield 0, 0
            return
        ranges = []
        for axis, (low, high) in enumerate((down, along)):
            begin = self.first[axis] + self.begin[axis]
            end, period = begin + self.shape[axis] - 1, torus[axis]
            first, last = math.ceil((begin - high) / period), math.floor((end - low) / period)
            ranges.append(range(first, last + 1))
        yield from (
            (row * torus[0], column * torus[1]) for row in ranges[0] for column in ranges[1]
        )

    def random_bits(self, start: int, stop: int, seed: int, beyond: int = 0) -> Hash:
        """Return random bits for the samples of some rows: shape (stop - start, columns).

        They belong to places of the world, and to those of the torus if the level wraps. There are
        as many more columns at both ends as `beyond` says; rows may lie beyond the border too.
        """
        row, column = self.first
        rows = np.arange(start, stop, dtype=np.intp) + self.begin[0]
        columns = np.arange(-beyond, self.columns + beyond, dtype=np.intp) + self.begin[1]
        torus = self.torus
        if torus is not None:
            rows = (rows + row % torus[0]) % torus[0]
            columns = (columns + column % torus[1]) % torus[1]
        else:
            rows, columns = rows + _within(row), columns + _within(column)
        return hash_indices([columns.astype(np.int32), rows.astype(np.int32)[:, np.newaxis]], seed)

    def pyramid(self, coarsest: int) -> list[Level]:
        """Return this level and coarser ones, finest first, the shorter side at least `coarsest`."""
        levels = [self]
        while (min(levels[-1].shape) + 1) // 2 >= max(coarsest, 2):
            levels.append(levels[-1].coarser())
        return levels


def _within(place: int) -> int:
    """Return a place that fits 31 bits, the same one unless it is beyond them."""
    return (place + _BEYOND) % (2 * _BEYOND) - _BEYOND
