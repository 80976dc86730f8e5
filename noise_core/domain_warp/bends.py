# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of a displacement on a grid, and derivatives at places that they bend."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Field
from ..base.grid import Axes
from .warp_noise import WarpNoise

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.plans import RowPlan


def copies_plan(copies: Sequence[tuple[WarpNoise, Sequence[int]]], axes: Axes) -> RowPlan:
    """Return the plan that writes copies of noises, each with its seeds, one after the other."""
    (noise, seeds), *remaining = copies
    if not remaining:
        return noise.seeds_plan(axes, seeds)
    plans = [noise.seeds_plan(axes, seeds) for noise, seeds in copies]
    stops = list(itertools.accumulate(len(seeds) for _, seeds in copies))

    def rows(start: int, stop: int, out: Field) -> None:
        for plan, first, last in zip(plans, [0, *stops], stops):
            plan(start, stop, out[first:last])

    return rows


def bent_slopes(
    slopes: Slopes, bends: Mapping[int, Slopes], factors: Mapping[int, float]
) -> Slopes:
    """Return derivatives at moved points by the points before: the chain rule.

    Parameters
    ----------
    slopes : Slopes
        By the moved points.
    bends : mapping of int to Slopes
        For each moved axis, the derivatives of its displacement, without its factor.
    factors : mapping of int to float
    """
    bent = [slope.copy() for slope in slopes]
    for axis, bend in bends.items():
        steep = slopes[axis] * np.float32(factors[axis])
        for total, part in zip(bent, bend):
            total += steep * part
    return tuple(bent)


def plane_shifts(copies: Field, factors: Mapping[int, float]) -> Field:
    """Return the copies along x and y, with nothing for an axis that stays in place."""
    if len(factors) == 2:
        return copies
    along_both = np.zeros((2, *copies.shape[1:]), np.float32)
    along_both[list(factors)] = copies
    return along_both
