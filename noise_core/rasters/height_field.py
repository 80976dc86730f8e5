# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished height fields as maps read them, with a cache for results that several maps derive."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from .level import Level

Derived = TypeVar("Derived")

SAMPLES_PER_BLOCK = 1 << 16
"""One temporary has 256 KB then, so that a chain of them stays in a processor's own cache."""


@dataclass(frozen=True, eq=False)
class HeightField:
    """A height field and the level of its samples.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, finite. Read-only.
    level : Level
        Of the same shape.
    """

    height: Field
    level: Level
    _derived: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    @property
    def spacing(self) -> float:
        """Distance between neighboring samples, in meters."""
        return self.level.step_x

    @property
    def cell_area(self) -> float:
        """Area that a sample represents, in square meters."""
        return self.spacing * self.spacing

    @property
    def diagonal(self) -> float:
        """Largest possible distance, in meters."""
        return math.hypot(self.level.width, self.level.depth)

    def derive(self, function: Callable[[HeightField], Derived]) -> Derived:
        """Return the result of a function of this field, computed on the first call only."""
        if function not in self._derived:
            self._derived[function] = function(self)
        return cast("Derived", self._derived[function])

    def known(self, function: Callable[[HeightField], Derived]) -> Derived | None:
        """Return the result of a function that `derive` has computed; None if it has not been called with it."""
        return cast("Derived | None", self._derived.get(function))

    def by_rows(
        self, work: Callable[[int, int], None], progress: Progress | None = None, fields: int = 1
    ) -> None:
        """Call ``work(start, stop)`` for blocks of rows on threads, until all rows are done.

        The more temporary `fields` the work holds, the fewer rows a block has.
        """
        columns = self.level.columns
        strip = blocks.rows_of_strip(self.level.rows, columns)
        block = max(1, SAMPLES_PER_BLOCK // fields // columns)

        def blockwise(first: int, last: int) -> None:
            for start in range(first, last, block):
                blocks.checkpoint()
                work(start, min(start + block, last))

        blocks.run(blockwise, self.level.rows, strip, progress=progress)
