# SPDX-License-Identifier: GPL-3.0-or-later
"""A finished height field as maps see it; what several of them need is worked out once."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import blocks
from ..arrays import Field
from ..blocks import Progress
from .pyramid import Level

if TYPE_CHECKING:
    from ..drainage import FlowTree

SAMPLES_PER_BLOCK = 1 << 16
"""One temporary has 256 KB then, so that a chain of them stays in a processor's own cache."""

_LOWEST_SHARE = 0.04
"""Of a terrain without border, where water may end, as for erosion: else a single hollow takes all."""


@dataclass(frozen=True, eq=False)
class HeightField:
    """A height field and where its samples lie.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters, finite. Not to be written to.
    level : Level
        Of the same shape.
    """

    height: Field
    level: Level

    @property
    def spacing(self) -> float:
        """Distance between neighboring samples, in meters."""
        return self.level.step_x

    @property
    def cell_area(self) -> float:
        """The ground that a sample stands for, in square meters."""
        return self.spacing * self.spacing

    @property
    def diagonal(self) -> float:
        """Largest distance there can be, in meters."""
        return math.hypot(self.level.width, self.level.depth)

    @functools.cached_property
    def tree(self) -> FlowTree:
        """Where all water goes: over the border, or to the lowest hollows where there is none."""
        from ..drainage import route  # here, since most maps need none of it
        from ..drainage.descent import steepest
        from ..erosion.stream.outlets import lowest_cells

        if not self.level.wrap:
            return route(self.height, self.level)
        directions = steepest(self.height, self.level)
        hollows = (directions == 0) & lowest_cells(self.height, _LOWEST_SHARE)
        return route(self.height, self.level, hollows, directions=directions)

    @functools.cached_property
    def drainage_areas(self) -> npt.NDArray[np.float64]:
        """How many samples drain through each, itself included: shape (rows, columns)."""
        return self.tree.accumulate().reshape(self.level.shape)

    def by_rows(
        self, work: Callable[[int, int], None], progress: Progress | None = None, fields: int = 1
    ) -> None:
        """Call ``work(start, stop)`` for blocks of rows, until all are done; on threads.

        Blocks are the lower the more `fields` its temporary arrays hold.
        """
        columns = self.level.columns
        strip = max(1, blocks.SAMPLES_PER_STRIP // columns)
        block = max(1, SAMPLES_PER_BLOCK // fields // columns)

        def blockwise(first: int, last: int) -> None:
            for start in range(first, last, block):
                blocks.checkpoint()
                work(start, min(start + block, last))

        blocks.run(blockwise, self.level.rows, strip, progress=progress)
