# SPDX-License-Identifier: GPL-3.0-or-later
"""Feature points in the cells around positions, and the measures to them, in 1 to 4 dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field, Index
from ..base.gathering import gather
from ..base.plans import even_parts
from .distances import Metric
from .feature_points import FeaturePoints, Offset, lowest_gap, ring_gap, rings

Array = TypeVar("Array", Field, Index)

Numbers = npt.NDArray[np.integer]
"""Numbers of steps, in the order of `CellSurroundings.steps`."""

Chosen = npt.NDArray[np.intp]
"""Which of the positions, in rising order."""

_TABLE_SHARE = 4
"""Positions whose box has up to this many cells each take the points from a table of the box."""

_PIECE = 1 << 16
"""Positions whose arrays stay in the second-level cache; with fewer, threads wait for each other (measured)."""

_LEAST_RUN = 24
"""Positions in a row with one cell from which its points are looked up once for all (measured)."""

_SAMPLED = 16
"""How long runs are is estimated in the first of so many parts."""


class CellSurroundings:
    """The feature points around a block of positions.

    Parameters
    ----------
    points : FeaturePoints
    metric : Metric
    index : sequence of int32 arrays
        The cells of the positions, per axis; their shapes broadcast. Of a grid they are its columns and its rows
        alone, and so is most of the work.
    offset : sequence of float32 arrays of the same shapes
        Where in their cells they lie.
    reach : float
        Points at this distance or farther are never asked for.
    """

    def __init__(
        self,
        points: FeaturePoints,
        metric: Metric,
        index: Sequence[Index],
        offset: Sequence[Field],
        reach: float,
    ) -> None:
        self.points, self.metric, self._open_index = points, metric, index
        self.index, self.offset = _flatten(index), _flatten(offset)
        self.rings = rings(metric, len(index), points.jitter, reach)
        self.steps = [step for ring in self.rings for step in ring]
        self._margin = len(self.rings)
        low = [int(axis.min()) - self._margin for axis in index]
        self._extent = [
            int(axis.max()) - first + self._margin + 1 for axis, first in zip(index, low)
        ]
        self._table: tuple[Field, ...] | None = None
        self._moved_tables: dict[tuple[int, int], Field] = {}
        self._runs: dict[tuple[int, int], tuple[Chosen, Chosen] | None] = {}
        if math.prod(self._extent) <= _TABLE_SHARE * self.index[0].size:
            ranges = [
                np.arange(first, first + length, dtype=np.intp)
                for first, length in zip(low, self._extent)
            ]
            cells = [axis.astype(np.int32) for axis in np.ix_(*ranges)]
            self._table = tuple(np.ravel(axis) for axis in points.positions(cells))
            address = np.zeros(1, np.int32)  # of a table that is far smaller than 2^31
            for axis, first, length in zip(index, low, self._extent):
                address = address * np.int32(length) + (axis - np.int32(first + self._margin))
            self._address = address.ravel().astype(np.intp)

    def places(self, step: Offset, chosen: Chosen | slice | None = None) -> list[Field]:
        """Return the positions of the points of the cells a step away, relative to each own cell."""
        blocks.checkpoint()
        if self._table is None:
            index = self._open_index if chosen is None else [axis[chosen] for axis in self.index]
            cells = [axis + np.int32(along) for axis, along in zip(index, step)]
            positions = [axis.ravel() for axis in self.points.positions(cells)]
        else:
            # The same addresses in a shifted view serve every step.
            shift = self._shift(step)
            tables = [self._moved_table(axis, along)[shift:] for axis, along in enumerate(step)]
            if not isinstance(chosen, np.ndarray):
                runs = self._runs_of(chosen or slice(0, self._address.size))
                if runs is not None:
                    return [axis.take(runs[0]).repeat(runs[1]) for axis in tables]
            address = self._address if chosen is None else self._address[chosen]
            return [gather(axis, address) for axis in tables]
        for axis, along in zip(positions, step):
            if along:
                axis += np.float32(along)
        return positions

    def _runs_of(self, part: slice) -> tuple[Chosen, Chosen] | None:
        """Return the addresses of positions in a row that share one, and how many do; None where few do."""
        key = (part.start, part.stop)
        if key not in self._runs:
            address = self._address[part]
            some = address[: max(1, address.size // _SAMPLED)]
            if np.count_nonzero(some[1:] != some[:-1]) * _LEAST_RUN > some.size:
                self._runs[key] = None
            else:
                first = np.flatnonzero(address[1:] != address[:-1]) + 1
                first = np.concatenate((np.zeros(1, np.intp), first))
                self._runs[key] = address.take(first), np.diff(first, append=address.size)
        return self._runs[key]

    def _moved_table(self, axis: int, along: int) -> Field:
        """Return the table of an axis, seen from cells some steps away."""
        assert self._table is not None
        if along == 0:
            return self._table[axis]
        if (axis, along) not in self._moved_tables:
            self._moved_tables[axis, along] = self._table[axis] + np.float32(along)
        return self._moved_tables[axis, along]

    def pieces(self) -> Sequence[slice | None]:
        """Return parts of the positions that stay in the cache; None for all, whose axes are best left open."""
        return [None] if self._table is None else even_parts(self.index[0].size, _PIECE)

    def places_of(self, numbers: Numbers, chosen: Chosen | None = None) -> list[Field]:
        """Return positions of points relative to each own cell; each has its own step, by number."""
        if self._table is None:
            positions = list(self.points.positions(self.cells_of(numbers, chosen)))
        else:
            shifts = np.array([self._shift(step) for step in self.steps])
            address = shifts.take(numbers)
            address += self._address if chosen is None else self._address[chosen]
            positions = [axis.take(address) for axis in self._table]
        steps = np.array(self.steps, np.float32)
        for along, axis in enumerate(positions):
            axis += steps[:, along].take(numbers)
        return positions

    def cells_of(self, numbers: Numbers, chosen: Chosen | None = None) -> list[Index]:
        """Return the cells that lie a step away, each its own step, by number in `steps`."""
        steps = np.array(self.steps, np.int32)
        index = self.index if chosen is None else [axis[chosen] for axis in self.index]
        return [axis + steps[:, along].take(numbers) for along, axis in enumerate(index)]

    def measures(self, step: Offset, chosen: Chosen | slice | None = None) -> Field:
        """Return the measure from each position to the point of the cell a step away."""
        differences = self.places(step, chosen)
        for difference, offset in zip(differences, self.offset):
            difference -= offset if chosen is None else offset[chosen]
        return self.metric.measure(differences)

    def all_measures(self, steps: Sequence[Offset], chosen: Chosen | None = None) -> Field:
        """Return the measures for several steps at once, in rows: for few positions."""
        blocks.checkpoint()
        if self._table is None:
            return np.stack([self.measures(step, chosen) for step in steps])
        address = np.array([[self._shift(step)] for step in steps])
        address = address + (self._address if chosen is None else self._address[chosen])
        differences = []
        for table, along, offset in zip(self._table, np.array(steps, np.float32).T, self.offset):
            difference = table.take(address)
            difference += along[:, np.newaxis]
            difference -= offset if chosen is None else offset[chosen]
            differences.append(difference)
        return self.metric.measure(differences)

    def find_within(self, ring: int, limit: Field, chosen: Chosen | None = None) -> Chosen:
        """Return the positions, or those of the chosen ones, from which a ring may be within a limit."""
        jitter = self.points.jitter
        # Few are farther than the ring can be at all, and the gap of only these is computed.
        few = np.flatnonzero(limit > lowest_gap(ring, jitter))
        subset = few if chosen is None else chosen[few]
        return few[limit[few] > ring_gap(ring, jitter, [axis[subset] for axis in self.offset])]

    def _shift(self, step: Offset) -> int:
        shift = 0
        for along, length in zip(step, self._extent):
            shift = shift * length + along + self._margin
        return shift


def _flatten(axes: Sequence[Array]) -> list[Array]:
    """Return arrays of shape (n,), one element for each position."""
    return [axis.ravel() for axis in np.broadcast_arrays(*axes)]
