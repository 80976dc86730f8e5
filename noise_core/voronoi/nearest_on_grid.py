# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest feature points on a regular grid: few candidates per patch, whole rows at once.

A band of patches is a strip of rows. Parts that depend on the column alone (the way along x to the
candidates of its patch) are made once for the band; a sample then costs a handful of operations
per candidate, which are called for several bands of as many rows at once. Differences are taken within
the cell, so nothing cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Index
from ..base.plans import RowPlan, even_parts
from .distances import Metric
from .edge_lines import EdgeLines, edge_lines
from .feature_points import FeaturePoints
from .nearest_points import insert
from .patches import Layout, Members, Numbers, middles, nearest_members
from .soft_minimum import soft_minimum
from .surroundings import CellSurroundings

FAR = np.float32(1e3)
"""Position of a missing point: far from every sample."""

_SAMPLES_PER_TILE = 1 << 16
_COLUMNS_PER_TILE = 4096
"""A tile's arrays stay in the second-level cache (measured)."""

_PATCHES_AT_ONCE = 1 << 13
_MAX_GATHERED_SHARE = 0.15
"""Share of columns up to which selecting them is cheaper than computing all."""


CellValues = Callable[[FeaturePoints, Sequence[Index]], Field]
"""Returns a number for each of some cells."""


@dataclass(frozen=True)
class Search:
    """Settings of a search, see `nearest_members`, and its further results."""

    points: FeaturePoints
    metric: Metric
    where: Layout
    reach: float
    rank: int
    width: float = 0.0
    values: CellValues | None = None
    with_edges: bool = False
    is_by_band: bool = False
    """Whether each tile lies in one band, for what differs from one to the next."""


@dataclass(frozen=True)
class Candidates:
    """The points that matter in each patch of some bands.

    Attributes
    ----------
    count : ndarray of shape (bands, patches)
        How many there are.
    x, y : float32 arrays of shape (most, bands, patches)
        Where, seen from the patch's cell; `FAR` where there are fewer.
    beyond : ndarray of that shape, or None
        The measure of the way along the third and fourth axis, if there are any.
    values : ndarray of that shape, or None
        The values of their cells.
    edges : EdgeLines or None
    """

    count: Numbers
    x: Field
    y: Field
    beyond: Field | None
    values: Field | None
    edges: EdgeLines | None


def _candidates(search: Search, bands: Numbers) -> Candidates:
    neighbors = middles(search.points, search.metric, search.where, bands, search.reach)
    pairs = nearest_members(neighbors, search.where, search.rank, search.width)
    shape = (-1, bands.size, search.where.cells * search.where.columns)
    x, y, *further = neighbors.places_of(pairs.numbers, pairs.patches)
    fields = [x, y]
    if further:
        distances = [axis - offset for axis, offset in zip(further, search.where.beyond)]
        fields.append(search.metric.measure(distances))
    tables = [table.reshape(shape) for table in pairs.to_tables(fields, FAR)]
    return Candidates(
        pairs.count.reshape(shape[1:]),
        tables[0],
        tables[1],
        tables[2] if further else None,
        _values(search.values, neighbors, pairs).reshape(shape) if search.values else None,
        edge_lines(neighbors, search.where, pairs, shape) if search.with_edges else None,
    )


def _values(values: CellValues, neighbors: CellSurroundings, pairs: Members) -> Field:
    cells = neighbors.cells_of(pairs.numbers, pairs.patches)
    return pairs.to_tables([values(neighbors.points, cells)], FAR)[0]


class Tile:
    """Rows and columns of samples within bands of as many rows, and their candidates.

    Parameters
    ----------
    candidates : Candidates
    metric : Metric
    bands : ndarray of shape (n,)
        Which of those of `candidates`.
    where : Layout
    rows : ndarray of shape (n, height)
        The rows of each band.
    columns : slice
    """

    def __init__(
        self,
        candidates: Candidates,
        metric: Metric,
        bands: Numbers,
        where: Layout,
        rows: Numbers,
        columns: slice,
    ) -> None:
        self._found, self._metric, self._where = candidates, metric, where
        self._first_band = int(bands[0])
        # A slice spares copies.
        self._bands = bands if len(bands) > 1 else slice(self._first_band, self._first_band + 1)
        self._x, self._y = candidates.x[:, self._bands], candidates.y[:, self._bands]
        self._rows, self._columns = rows, columns
        self._along = where.along[rows][..., np.newaxis]
        self._across = where.across[columns]
        self._patch = where.patch_of_column[columns]
        self.shape = (*rows.shape, self._across.size)

    def measures(self, slot: int, chosen: Numbers | None = None, out: Field | None = None) -> Field:
        """Return the measures from the samples (of all columns or some) to a candidate."""
        beyond, metric = self._found.beyond, self._metric
        patch, place = self._patch, self._across
        if chosen is not None:
            patch, place = patch[chosen], place[chosen]
        across = self._x[slot].take(patch, axis=1)
        across -= place
        metric.term(across, out=across)
        if beyond is not None:
            metric.join(across, beyond[slot, self._bands].take(patch, axis=1), across)
        along = self._y[slot].take(patch, axis=1)[:, np.newaxis]
        measure: Field = np.subtract(along, self._along, out=out)
        metric.term(measure, out=measure)
        return metric.join(measure, across[:, np.newaxis], measure)

    def nearest_measures(self, count: int) -> list[Field]:
        """Return the measures to the `count` nearest points, ascending."""
        candidates = self._found.count[self._bands].max(axis=0)
        whole = int(candidates.min())
        while np.count_nonzero(candidates > whole) > _MAX_GATHERED_SHARE * candidates.size:
            whole += 1
        nearest: list[Field] = []
        free = None
        for slot in range(whole):
            measure = self.measures(slot, out=free)
            if slot >= count:
                free = measure  # memory in the cache, once it is inserted
            insert(nearest, measure, count)
        few = np.flatnonzero((candidates > whole)[self._patch])
        if few.size:
            part = [held.take(few, axis=2) for held in nearest]
            for slot in range(whole, int(candidates.max())):
                insert(part, self.measures(slot, few), count)
            for held, changed in zip(nearest, part):
                held[..., few] = changed
        return nearest

    def cell_values(self) -> Field:
        """Return the value of the cell of the nearest point."""
        values = self._found.values
        assert values is not None
        candidates = self._found.count[self._bands].max(axis=0)
        result = np.empty(self.shape, np.float32)
        result[:] = values[0, self._bands].take(self._patch, axis=1)[:, np.newaxis]
        several = np.flatnonzero((candidates > 1)[self._patch])
        if several.size:
            part = result.take(several, axis=2)
            nearest = self.measures(0, several)
            for slot in range(1, int(candidates.max())):
                measure = self.measures(slot, several)
                value = values[slot, self._bands].take(self._patch[several], axis=1)
                np.copyto(part, value[:, np.newaxis], where=measure < nearest)
                np.minimum(nearest, measure, out=nearest)
            result[..., several] = part
        return result

    def soft_distances(self, width: float) -> Field:
        """Return the soft minimum of all distances in a single band: see `soft_minimum`."""
        count = self._found.count[self._bands][0, self._patch]
        result = np.empty(self.shape, np.float32)
        for some in np.unique(count).tolist():
            chosen = np.flatnonzero(count == some)
            distances = [self._metric.distance(self.measures(slot, chosen)) for slot in range(some)]
            result[..., chosen] = soft_minimum(distances, width)
        return result

    def edge_distances(self) -> Field:
        """Return the Euclidean distance to the nearest edge of the Voronoi cell in a single band."""
        edges, where = self._found.edges, self._where
        assert edges is not None
        return edges.distances(
            self._first_band,
            self._patch,
            where.from_middle_x[self._columns],
            where.from_middle_y[self._rows[0]],
        )[np.newaxis]


def grid_plan(search: Search, evaluate: Callable[[Tile, Field], None]) -> RowPlan:
    """Return the plan that calls `evaluate` for each tile, with the array of its shape to write to."""
    where = search.where
    # In more dimensions each patch has three or nine times as many neighbors.
    patches = where.cells * where.columns * 3 ** len(where.rest)
    at_once = max(1, _PATCHES_AT_ONCE // patches)
    columns = where.across.size

    def rows(start: int, stop: int, out: Field) -> None:
        bands = np.unique(where.band_of_row[start:stop])
        for first in range(0, bands.size, at_once):
            blocks.checkpoint()
            some = bands[first : first + at_once]
            candidates = _candidates(search, some)
            tops, bottoms = np.searchsorted(where.band_of_row, [some, some + 1]).clip(start, stop)
            for few, lines, part in _pieces(tops, bottoms, columns, search.is_by_band):
                blocks.checkpoint()
                tile = Tile(candidates, search.metric, few, where, lines, part)
                spans = [slice(line[0], line[-1] + 1) for line in (lines - start).tolist()]
                if len(spans) == 1:
                    evaluate(tile, out[np.newaxis, spans[0], part])
                    continue
                values = np.empty(tile.shape, np.float32)
                evaluate(tile, values)
                for span, lying in zip(spans, values):
                    out[span, part] = lying

    def with_small_buffers(start: int, stop: int, out: Field) -> None:
        with blocks.short_buffers():
            rows(start, stop, out)

    return with_small_buffers


def _pieces(
    tops: Numbers, bottoms: Numbers, columns: int, is_by_band: bool
) -> Iterator[tuple[Numbers, Numbers, slice]]:
    """Yield the bands, their rows, and the columns of tiles that cover some bands.

    Bands of as many rows share a tile, unless each is to have its own.
    """
    width = min(columns, _COLUMNS_PER_TILE)
    heights = bottoms - tops
    most = 1 if is_by_band else max(1, _SAMPLES_PER_TILE // (int(heights.max()) * width))
    groups: Iterable[Numbers] = np.arange(heights.size, dtype=np.intp)[:, np.newaxis]
    if most > 1:
        groups = [np.flatnonzero(heights == height) for height in np.unique(heights)]
    for bands in groups:
        height = int(heights[bands[0]])
        # Even pieces: a thin one at the end would cost as much as a whole one.
        pieces = -(-height * width // _SAMPLES_PER_TILE)
        for some in even_parts(bands.size, most):
            for part in even_parts(height, -(-height // pieces)):
                rows = tops[bands[some], np.newaxis] + np.arange(
                    part.start, part.stop, dtype=np.intp
                )
                for column in range(0, columns, width):
                    yield bands[some], rows, slice(column, min(column + width, columns))
