# SPDX-License-Identifier: GPL-3.0-or-later
"""Table of the shapes in the cells around points, computed once for all points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ...base.arrays import Field, Index
from .instances import Instances

_CELLS_PER_SAMPLE = 4
"""Up to which all cells are worked out beforehand, instead of those alone that samples meet."""

_SHAPES_AT_ONCE = 1 << 17
"""Up to which the shapes around samples are worked out in one go (9 MB): there the calls cost more
than the numbers."""

Around: TypeAlias = Callable[[int, int, int], Field]
"""Takes steps across and along and the number of a copy; gives what `Instances.at` does, for each
sample's cell so many steps away, to be written to."""


class ShapeTable:
    """Shapes of all cells around some cells, or of the requested ones alone."""

    def __init__(
        self, instances: Instances, i: Index, j: Index, steps: int, copies: int, samples: int
    ) -> None:
        self._instances, self._steps, self._copies = instances, steps, copies
        left, low = int(i.min()) - steps, int(j.min()) - steps
        wide, high = int(i.max()) + steps + 1 - left, int(j.max()) + steps + 1 - low
        self._corner, self._wide, self._cells = (left, low), wide, wide * high
        self._all: Field | None = None
        if self._cells <= _CELLS_PER_SAMPLE * samples + 16 * steps * steps:
            columns = np.arange(left, left + wide, dtype=np.int32)
            rows = np.arange(low, low + high, dtype=np.int32)[:, np.newaxis]
            grid = np.broadcast_arrays(columns, rows)
            fields = [instances.at(grid[0], grid[1], copy) for copy in range(copies)]
            self._all = np.stack(fields, axis=1).reshape(len(fields[0]), -1)

    def around(self, i: Index, j: Index) -> Around:
        """Return the function that gives the shapes around the cells of some samples."""
        if self._all is not None:
            return self._looked_up(self._all, i, j)
        side = 2 * self._steps + 1
        if self._copies * side * side * i.size <= _SHAPES_AT_ONCE:
            return self._in_one_go(i, j)
        at = self._instances.at
        return lambda across, along, copy: at(i + np.int32(across), j + np.int32(along), copy)

    def _looked_up(self, shapes: Field, i: Index, j: Index) -> Around:
        left, low = self._corner
        place: Index = (j - np.int32(low)) * np.int32(self._wide) + (i - np.int32(left))

        def take(across: int, along: int, copy: int) -> Field:
            shift = copy * self._cells + along * self._wide + across
            found: Field = shapes.take(place + np.int32(shift), axis=1)
            return found

        return take

    def _in_one_go(self, i: Index, j: Index) -> Around:
        steps = np.arange(-self._steps, self._steps + 1, dtype=np.int32)
        i, j = np.broadcast_arrays(i + steps[:, np.newaxis], j + steps[:, np.newaxis, np.newaxis])
        shapes = [self._instances.at(i, j, copy) for copy in range(self._copies)]
        return lambda across, along, copy: shapes[copy][
            :, along + self._steps, across + self._steps
        ].copy()
