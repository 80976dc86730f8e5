# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient plans: arithmetic with noises and their derivatives on a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Field
from ...base.derivatives import Dual, split_parts
from ...base.grid import Axes
from ...base.plans import RowPlan, run_in_blocks

if TYPE_CHECKING:
    from .noise import Noise

DualRows = Callable[[int, int], Dual]
"""Called with (start, stop): the values of these rows and their derivatives along x and y."""


def dual_rows(plan: RowPlan, gradient_plan: RowPlan, columns: int) -> DualRows:
    """Return the function that evaluates a plan and its gradient plan together."""

    def rows(start: int, stop: int) -> Dual:
        value = np.empty((stop - start, columns), np.float32)
        slopes = np.empty((2, *value.shape), np.float32)
        plan(start, stop, value)
        gradient_plan(start, stop, slopes)
        return Dual.from_slopes(value, tuple(slopes))

    return rows


def changed_plan(
    noises: Sequence[tuple[Noise, int]], axes: Axes, change: Callable[..., None]
) -> RowPlan:
    """Return the gradient plan of a function of some noises.

    Parameters
    ----------
    noises : sequence of pairs of Noise and int
        Each with its seed.
    axes : Axes
    change : callable
        Called with a field of each noise; leaves the result in the first one.
    """
    sources = [
        dual_rows(noise.plan(axes, seed), noise.gradient_plan(axes, seed), len(axes.x))
        for noise, seed in noises
    ]

    def combine(pieces: Iterator[Field]) -> Field:
        first, *remaining = pieces
        change(first, *remaining)
        return first

    return combined_plan(sources, combine, len(axes.x))


def combined_plan(
    sources: Sequence[DualRows], combine: Callable[[Iterator[Field]], Field], columns: int
) -> RowPlan:
    """Return the gradient plan of a function of some fields.

    Parameters
    ----------
    sources : sequence of DualRows
    combine : callable
        Called with an iterator over a field of each source; returns the result.
    columns : int
    """

    def rows(start: int, stop: int, out: Field) -> None:
        def work(part: slice) -> None:
            pieces = (source(start + part.start, start + part.stop).field for source in sources)
            out[:, part] = split_parts(combine(pieces), 2)[1]

        run_in_blocks(stop - start, columns, work)

    return rows
