# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes in the cells around points, worked out once for all points."""

from __future__ import annotations

import numpy as np

from ..arrays import Field, Index
from .instances import Instances

_CELLS_PER_SAMPLE = 4
"""Up to which all cells are worked out beforehand, instead of those alone that samples meet."""


class Table:
    """The shapes of all cells around some, or of those alone that are asked for."""

    def __init__(
        self, instances: Instances, i: Index, j: Index, steps: int, copies: int, samples: int
    ) -> None:
        self._instances, self._steps = instances, steps
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

    def places(self, i: Index, j: Index) -> tuple[Index, Index] | Index:
        """Return how `at` wants to be told the cells."""
        i, j = np.broadcast_arrays(i, j)
        if self._all is None:
            return i, j
        left, low = self._corner
        place: Index = (j - np.int32(low)) * np.int32(self._wide) + (i - np.int32(left))
        return place

    def at(self, place: tuple[Index, Index] | Index, across: int, along: int, copy: int) -> Field:
        """Return what `Instances.at` does, for cells so many steps away."""
        if isinstance(place, tuple):
            i, j = place
            return self._instances.at(i + np.int32(across), j + np.int32(along), copy)
        assert self._all is not None
        shift = copy * self._cells + along * self._wide + across
        shapes: Field = self._all.take(place + np.int32(shift), axis=1)
        return shapes
