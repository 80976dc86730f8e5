# SPDX-License-Identifier: GPL-3.0-or-later
"""Constant value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Field, Points
from ..base.grid import Axes
from ..base.params import number
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.plans import RowPlan
    from ..base.torus import Torus


@noise_type("constant", "Constant", family="shape")
class Constant(Noise):
    """The same value everywhere: a flat plain.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Constant
    >>> print(Constant(value=0.25).sample_grid(Grid(2, 3)))
    [[0.25 0.25 0.25]
     [0.25 0.25 0.25]]
    """

    has_seed = False
    is_arithmetic = True

    value: float = number(
        0.5,
        help="The value",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return np.full(
            np.broadcast_shapes(*(axis.shape for axis in points)), self.value, np.float32
        )

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`."""

        def rows(start: int, stop: int, out: Field) -> None:
            out.fill(self.value)

        return rows

    def bounds(self) -> tuple[float, float]:
        """Return the value twice."""
        return (self.value, self.value)
