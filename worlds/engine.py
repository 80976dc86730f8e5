# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on tiles, one stage after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine:
    """Runs the work of a stage on each of its items.

    Work has to be picklable, a frozen dataclass with `__call__`, since another process may do it;
    items are small (tiles), results too (numbers, the cells at the edges of a tile).
    """

    def enter(self, name: str) -> Engine:
        """Return an engine for a part of the work, in which names of stages are counted anew."""
        return self

    def run(
        self, stage: str, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> list[Result]:
        """Return what the work gives for each item, in their order.

        Parameters
        ----------
        stage : str
            Its name, unique in a build.
        work : callable
        items : sequence
        """
        return [work(item) for item in items]
