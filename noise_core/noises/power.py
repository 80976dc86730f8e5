# SPDX-License-Identifier: GPL-3.0-or-later
"""Power of a noise."""

from __future__ import annotations

import numpy as np

from ..base import intervals
from ..base.arrays import Field
from ..base.elementary import power
from ..base.params import choice, number
from .bases.noise import noise_type
from .bases.pointwise import Pointwise


@noise_type("power", "Power", family="combine")
class Power(Pointwise):
    """Bends heights: above 1 flat lowlands and steep peaks, below 1 broad high plains.

    Notes
    -----
    `height` takes [-1, 1] for [0, 1], as a painter sees it, and back: the lowest and the highest
    value stay. `signed` keeps zero in place and bends both ways from it. Either way values beyond
    -1 and 1 are cut off first, because their powers grow without bound.

    The same to the bit on all machines.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Gradient, Power
    >>> ramp = Gradient(shape="linear", falloff=1.0, fade="linear")
    >>> peaks = Power(source=ramp, exponent=2.0, mode="height")
    >>> print(peaks.sample_grid(Grid(1, 5)).round(2))
    [[-1.   -0.88 -0.5   0.12  1.  ]]
    """

    exponent: float = number(
        2.0,
        help="The power",
        minimum=0.0625,
        maximum=16.0,
        soft_minimum=0.25,
        soft_maximum=8.0,
    )
    mode: str = choice(
        "height",
        help="Range that stays in place",
        options={
            "height": "Lowest and highest value",
            "signed": "Zero: hills and valleys bend alike",
        },
    )

    def change(self, field: Field) -> None:
        """Raise every value to the power."""
        np.clip(field, np.float32(-1.0), np.float32(1.0), out=field)
        if self.mode == "signed":
            np.copysign(power(np.abs(field), self.exponent), field, out=field)
            return
        field += np.float32(1.0)
        field *= np.float32(0.5)
        np.multiply(power(field, self.exponent), np.float32(2.0), out=field)
        field -= np.float32(1.0)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval through the power, which rises everywhere."""
        ends = np.array(intervals.clip(self.source.bounds(), -1.0, 1.0), np.float32)
        self.change(ends)
        return (float(ends[0]), float(ends[1]))
