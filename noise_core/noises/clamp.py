# SPDX-License-Identifier: GPL-3.0-or-later
"""Clamping of a noise."""

from __future__ import annotations

import numpy as np

from ..base import intervals
from ..base.arrays import Field
from ..base.params import number
from .bases.noise import noise_type
from .bases.pointwise import Pointwise


@noise_type("clamp", "Clamp", family="combine")
class Clamp(Pointwise):
    """Cuts off low and high values: flat sea beds and high plains.

    Notes
    -----
    The two limits may come in either order: the lower one is the lower one.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Clamp, Gradient
    >>> ramp = Gradient(shape="linear", falloff=1.0)
    >>> print(ramp.sample_grid(Grid(1, 5)).round(2))
    [[-1.   -0.69  0.    0.69  1.  ]]
    >>> print(Clamp(source=ramp, minimum=-0.25, maximum=0.5).sample_grid(Grid(1, 5)).round(2))
    [[-0.25 -0.25  0.    0.5   0.5 ]]
    """

    minimum: float = number(
        -0.5,
        help="Lower limit",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )
    maximum: float = number(
        0.5,
        help="Upper limit",
        minimum=-1000.0,
        maximum=1000.0,
        soft_minimum=-1.0,
        soft_maximum=1.0,
    )

    def change(self, field: Field) -> None:
        """Clip every value."""
        low, high = self._limits()
        np.clip(field, np.float32(low), np.float32(high), out=field)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval, clipped."""
        return intervals.clip(self.source.bounds(), *self._limits())

    def _limits(self) -> tuple[float, float]:
        return (min(self.minimum, self.maximum), max(self.minimum, self.maximum))
