# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises as domain warps evaluate them: as displacement, and at displaced points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..base.grid import Axes
from ..base.plans import RowPlan


class WarpNoise(Protocol):
    """The methods of `Noise` that tables, copies and limits of warps call."""

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """See `Noise.seeds_plan`."""

    def finest(self) -> float:
        """See `Noise.finest`."""

    def third_derivative(self) -> float:
        """See `Noise.third_derivative`."""
