# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation plans: rows of a grid and blocks of points, on threads."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np

from . import blocks
from .arrays import Coordinates, Field, Points
from .grid import Axes

RowPlan = Callable[[int, int, Field], None]
"""Called with (start, stop, out): writes the samples of these rows into `out`, float32 of shape
(stop - start, columns), or (2, stop - start, columns) for the derivatives along x and y, or
(copies, stop - start, columns) for copies. May be called from several threads at once, in any
order."""


class AddingPlan(ABC):
    """A `RowPlan` that can add its samples to a sum while they are in the cache."""

    @abstractmethod
    def __call__(self, start: int, stop: int, out: Field) -> None:
        """See `RowPlan`."""

    @abstractmethod
    def add(self, start: int, stop: int, out: Field, factor: np.float32) -> None:
        """Add the samples of these rows, times a factor, to `out`; the bits are those of adding them later."""


@dataclass(frozen=True)
class CopiesPlan(AddingPlan):
    """Writes the copies of a noise one after the other.

    Attributes
    ----------
    plans : sequence of AddingPlan
        One a copy.
    """

    plans: Sequence[AddingPlan]

    def __call__(self, start: int, stop: int, out: Field) -> None:
        """See `RowPlan`."""
        for plan, field in zip(self.plans, out):
            plan(start, stop, field)

    def add(self, start: int, stop: int, out: Field, factor: np.float32) -> None:
        """See `AddingPlan.add`."""
        for plan, field in zip(self.plans, out):
            plan.add(start, stop, field, factor)


POINTS_PER_BLOCK = 1 << 17
"""Points handled at once: enough to hide the cost of a call, few enough to stay in the cache."""


def even_parts(count: int, most: int) -> list[slice]:
    """Return the fewest parts of about one length, at most `most`, that cover ``range(count)``."""
    parts = -(-count // max(1, most))
    edges = [count * place // max(1, parts) for place in range(parts + 1)]
    return [slice(*ends) for ends in zip(edges, edges[1:])]


def run_in_blocks(
    rows: int, columns: int, work: Callable[[slice], None], points: int = POINTS_PER_BLOCK
) -> None:
    """Call `work` for slices of rows small enough for the cache."""
    height = max(1, points // columns)
    for first in range(0, rows, height):
        blocks.checkpoint()
        work(slice(first, min(first + height, rows)))


def copies_plan(plans: Sequence[RowPlan]) -> RowPlan:
    """Return the plan of several copies out of one plan for each."""
    adding = [plan for plan in plans if isinstance(plan, AddingPlan)]
    if len(adding) == len(plans):
        return CopiesPlan(adding)

    def rows(start: int, stop: int, out: Field) -> None:
        for plan, field in zip(plans, out):
            plan(start, stop, field)

    return rows


def single_plan(copies_plan: RowPlan) -> RowPlan:
    """Return the plan of a single copy."""
    return lambda start, stop, out: copies_plan(start, stop, out[np.newaxis])


def point_plan(evaluate: Callable[[Points], Union[Field, Sequence[Field]]], axes: Axes) -> RowPlan:
    """Return the plan that calls `evaluate` for blocks of whole rows of points."""

    def rows(start: int, stop: int, out: Field) -> None:
        def work(part: slice) -> None:
            out[..., part, :] = evaluate(axes.points(start + part.start, start + part.stop))

        run_in_blocks(stop - start, len(axes.x), work)

    return rows


def open_plan(evaluate: Callable[[Points], Union[Field, Sequence[Field]]], axes: Axes) -> RowPlan:
    """Return a plan that evaluates blocks of samples from one coordinate per row and per column.

    For arithmetic of x and y that broadcasts, in blocks whose coordinates in float64 stay in the cache:
    half as large (a turned fractal of Perlin noise takes a tenth less time). They are about square: however a
    lattice is turned, few of its points are then around a block. Coordinates beyond are full.
    """
    x, y = axes.x[np.newaxis, :], axes.y[:, np.newaxis]
    points = POINTS_PER_BLOCK // 2
    side = math.isqrt(points)

    def block(start: int, out: Field, columns: slice, part: slice) -> None:
        across, along = x[:, columns], y[start + part.start : start + part.stop]
        fixed = tuple(np.full((len(along), across.shape[1]), value) for value in axes.rest)
        out[..., part, columns] = evaluate((across, along, *fixed))

    def rows(start: int, stop: int, out: Field) -> None:
        together = points * blocks.job.points_factor
        for columns in even_parts(x.shape[1], max(side, together // max(1, stop - start))):
            work = functools.partial(block, start, out, columns)
            run_in_blocks(stop - start, columns.stop - columns.start, work, together)

    return rows


def run_on_points(
    work: Callable[[Points, slice], None], points: Coordinates, threads: int | None
) -> None:
    """Call `work` with the coordinates of blocks of points, and with the slice of each block.

    Parameters
    ----------
    work : callable
    points : ndarray of shape (n, d)
    threads : int, optional
        See `blocks.run`.
    """

    def block(start: int, stop: int) -> None:
        for first in range(start, stop, POINTS_PER_BLOCK):
            blocks.checkpoint()
            part = slice(first, min(first + POINTS_PER_BLOCK, stop))
            work(tuple(np.ascontiguousarray(points[part].T)), part)

    strip = blocks.rows_of_strip(len(points), 1, threads)
    blocks.run(block, len(points), strip, threads=threads)


def run_on_rows(
    plan: RowPlan,
    out: Field,
    threads: int | None,
    progress: blocks.Progress | None,
    cancel: blocks.Cancel | None,
    *,
    in_short_calls: bool = False,
) -> None:
    """Write all rows of `out`, of shape (..., rows, columns), by a plan.

    For `threads`, `progress` and `cancel` see `blocks.run`, for `in_short_calls` see
    `blocks.rows_of_strip`.
    """
    rows, columns = out.shape[-2:]
    strip = blocks.rows_of_strip(rows, columns, threads, in_short_calls=in_short_calls)
    blocks.run(
        lambda start, stop: plan(start, stop, out[..., start:stop, :]),
        rows,
        strip,
        threads=threads,
        progress=progress,
        cancel=cancel,
    )
