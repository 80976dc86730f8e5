# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of drawn curves on levels that are coarser, wider or bent."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...curves.chains import Table, X, Y
from ...flow_routing.directions import Mask
from ...rasters.level import Level

Cells = npt.NDArray[np.intp]

PER_SAMPLE = 0.25
"""Of a sample: so far apart are the stations of a line whose cells are found. On a bent grid they lie less than
half a sample apart, so that no cell between two of them is left out."""

_AT_ONCE = 64
"""Neighbors of all cells of a line that are written at once: a call for each takes as long as its work."""


@dataclass(frozen=True)
class LevelFrame:
    """Samples of a level, among which places in tiles are found.

    Attributes
    ----------
    finest : Level
        The land's own samples, to which tiles belong.
    level : Level
        The land on a level, a whole one without surroundings.
    margin : tuple of two ints
        Rows and columns of surroundings before its first ones.
    back : tuple of two ndarrays of shape (rows, columns), float32, optional
        From a sample of the level to its place on a bent grid, surroundings included; see `stream.bending.Bend`.
    """

    finest: Level
    level: Level
    margin: tuple[int, int] = (0, 0)
    back: tuple[Field, Field] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, with those of the surroundings."""
        rows, columns = (count + 2 * more for count, more in zip(self.level.shape, self.margin))
        return rows, columns

    def steps(self) -> tuple[float, float]:
        """Return how many samples of the level lie in a tile, down and along."""
        down, along = (
            self.finest.steps_per_tile * _step(many, few, self.level.wrap)
            for many, few in zip(self.finest.shape, self.level.shape)
        )
        return down, along

    def places(self, vertices: Table) -> Table:
        """Return the places of vertices in samples of the land on the level, not bent.

        Parameters
        ----------
        vertices : ndarray of shape (n, 2 or more), float64
            See `curves.chains.X`.

        Returns
        -------
        ndarray of shape (n, 2), float64
            Rows and columns, without the margin.
        """
        finest, places = self.finest, []
        for axis, (column, steps) in enumerate(zip((Y, X), self.steps())):
            first = finest.first[axis] + finest.shift[axis]
            scale = steps / finest.steps_per_tile
            places.append((vertices[:, column] * finest.steps_per_tile - first) * scale)
        return np.stack(places, axis=1)

    def tiles(self, places: Table) -> Table:
        """Return x and y in tiles of places among the samples of the land on the level: shape (n, 2), float64."""
        finest, result = self.finest, np.empty((len(places), 2))
        for axis, (column, steps) in enumerate(zip((Y, X), self.steps())):
            first = finest.first[axis] + finest.shift[axis]
            result[:, column] = places[:, axis] / steps + first / finest.steps_per_tile
        return result

    def runs(self, vertices: Table) -> list[Cells]:
        """Return the cells along a line of vertices: neighbors, one after the other, in runs that do not leave the level.

        Returns
        -------
        list of ndarray of shape (2, n), intp
            Rows and columns of the cells of each run, with the margin.
        """
        places = self.bent(stations(self.places(vertices), PER_SAMPLE))
        cells = np.floor(places + 0.5).astype(np.intp) + np.array(self.margin, np.intp)
        if self.level.wrap:
            cells = _without_repeats(cells)
            return [(cells % np.array(self.shape, np.intp)).T]
        return [_without_repeats(cells[part]).T for part in runs_of(self.contains(cells))]

    def around(self, place: Cells, count: int) -> Cells:
        """Return the rows or columns before, at and after some of `count`: shape (3, n); there are none beyond a border."""
        near = place[np.newaxis] + np.arange(-1, 2, dtype=np.intp)[:, np.newaxis]
        return near % count if self.level.wrap else np.clip(near, 0, count - 1)

    def is_land(self, row: Cells, column: Cells) -> Mask:
        """Return which cells lie on the land itself, not in its surroundings: shape (n,)."""
        inside = np.ones(row.shape, np.bool_)
        for place, more, count in zip((row, column), self.margin, self.level.shape):
            inside &= (place >= more) & (place < more + count)
        return inside

    def contains(self, cells: Cells) -> Mask:
        """Return which cells, a row and a column each, lie on the level: shape (n,)."""
        within = (cells >= 0) & (cells < np.array(self.shape, np.intp))
        return np.logical_and(within[:, 0], within[:, 1])

    def bent(self, places: Table) -> Table:
        """Return places on the grid of the level, which may be bent."""
        if self.back is None:
            return places
        margin = np.array(self.margin, np.float64)
        return places + np.stack(read(self.back, places + margin, self.level.wrap), axis=1)


def _step(many: int, few: int, wrap: bool) -> float:
    """Return the samples of a coarser level in one step of a finer one."""
    return few / many if wrap else max(few - 1, 1) / max(many - 1, 1)


def stations(places: Table, step: float) -> Table:
    """Return a line with more vertices, at most `step` apart.

    Parameters
    ----------
    places : ndarray of shape (n, 2 or more), float64
        Place in the first two columns; the others are interpolated, too.
    step : float
        In the units of the places.
    """
    ways = np.diff(places, axis=0)
    lengths = np.sqrt(ways[:, 0] * ways[:, 0] + ways[:, 1] * ways[:, 1])
    counts = np.maximum(np.ceil(lengths / step), 1.0).astype(np.intp)
    owner = np.repeat(np.arange(len(counts), dtype=np.intp), counts)
    first = np.cumsum(counts, dtype=np.intp) - counts
    share = (np.arange(len(owner), dtype=np.intp) - first[owner]) / counts[owner]
    between = places[owner] + share[:, np.newaxis] * ways[owner]
    return np.concatenate((between, places[-1:]))


def read(fields: Sequence[Field], places: Table, wrap: bool) -> list[Table]:
    """Return values of fields between samples, linear in both directions.

    Parameters
    ----------
    fields : sequence of ndarray of shape (rows, columns), float32
    places : ndarray of shape (n, 2), float64
        Rows and columns; beyond a border they are those on it.
    wrap : bool
        Whether edges meet.
    """
    numbers, shares = [], []
    for axis, count in enumerate(fields[0].shape):
        place = places[:, axis]
        if not wrap:
            place = np.clip(place, 0.0, count - 1.0)
        low = np.floor(place)
        shares.append(place - low)
        both = np.stack((low, low + 1.0)).astype(np.intp)
        numbers.append(both % count if wrap else np.minimum(both, count - 1))
    (top, bottom), (left, right) = numbers
    down, along = shares
    results = []
    for field in fields:
        above = field[top, left].astype(np.float64)
        above += along * (field[top, right] - above)
        below = field[bottom, left].astype(np.float64)
        below += along * (field[bottom, right] - below)
        results.append(above + down * (below - above))
    return results


def runs_of(flags: Mask) -> list[slice]:
    """Return where flags stand one after the other."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.view(np.int8), [0]))))
    return [slice(first, last) for first, last in zip(edges[::2].tolist(), edges[1::2].tolist())]


def _without_repeats(cells: Cells) -> Cells:
    """Return cells without those that are equal to the one before."""
    is_new = np.ones(len(cells), np.bool_)
    is_new[1:] = (cells[1:] != cells[:-1]).any(axis=1)
    return cells[is_new]


def cells_beside(cells: Cells, frame: LevelFrame, reach: int) -> tuple[Cells, Cells, Field]:
    """Return the cells near a line, the place of the nearest cell of the line, and how far that is.

    Parameters
    ----------
    cells : ndarray of shape (n,), intp
        Numbers of the cells of the line.
    frame : LevelFrame
    reach : int
        In samples, along rows and columns.

    Returns
    -------
    beside, nearest : ndarray of shape (m,), intp
        Numbers of cells that are no part of the line, and places in `cells`.
    apart : ndarray of shape (m,), float32
        In meters.
    """
    steps = frame.level.step_y, frame.level.step_x
    rows, columns = (count + 2 * reach for count in frame.shape)
    row, column = np.divmod(cells, frame.shape[1])
    middle = (row + reach) * columns + column + reach
    owner = np.full(rows * columns, -1, np.intp)
    places = np.arange(len(cells), dtype=np.intp)
    for offsets in _furthest_first(reach, steps, columns):
        targets = (offsets[:, np.newaxis] + middle).reshape(-1)
        owner[targets] = np.tile(places, len(offsets))  # nearer ones last, which stay
    beside = np.flatnonzero(owner >= 0)
    there = np.stack(np.divmod(beside, columns), axis=1) - reach
    way = there - np.stack((row, column), axis=1)[owner[beside]]
    squares = (way * np.array(steps)) ** 2
    distances = np.sqrt(squares[:, 0] + squares[:, 1]).astype(np.float32)
    if frame.level.wrap:
        there %= frame.shape
    within = frame.contains(there)
    beside, there, distances = beside[within], there[within], distances[within]
    numbers = there[:, 0] * frame.shape[1] + there[:, 1]
    is_line = np.zeros(frame.shape[0] * frame.shape[1], np.bool_)
    is_line[cells] = True  # beyond edges that meet, too
    is_beside = ~is_line[numbers]
    return numbers[is_beside], owner[beside[is_beside]], distances[is_beside]


@functools.lru_cache(maxsize=8)
def _furthest_first(reach: int, steps: tuple[float, float], columns: int) -> list[Cells]:
    """Return what leads from a cell to the number of each one around it, the furthest ones first, in parts."""
    around = [
        (math.hypot(down * steps[0], along * steps[1]), down * columns + along)
        for down in range(-reach, reach + 1)
        for along in range(-reach, reach + 1)
    ]
    offsets = np.array([offset for _, offset in sorted(around, reverse=True)], np.intp)
    return np.array_split(offsets, len(offsets) // _AT_ONCE + 1)


def means(values: Field, window: int) -> Field:
    """Return means over so many values to both sides, of fewer near the ends."""
    count = len(values)
    place = np.arange(count, dtype=np.intp)
    first, last = np.maximum(place - window, 0), np.minimum(place + window + 1, count)
    sums = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    averages: Field = ((sums[last] - sums[first]) / (last - first)).astype(np.float32)
    return averages
