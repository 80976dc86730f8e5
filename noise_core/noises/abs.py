# SPDX-License-Identifier: GPL-3.0-or-later
"""Absolute value of a noise."""

from __future__ import annotations

import numpy as np

from ..base import intervals
from ..base.arrays import Field
from .bases.noise import noise_type
from .bases.pointwise import Pointwise


@noise_type("abs", "Absolute", family="combine")
class Absolute(Pointwise):
    """Folds values below zero upwards, with creases at zero.

    Examples
    --------
    >>> from noise_core.noises import Absolute, Constant, Perlin
    >>> folded = Absolute(source=Perlin(frequency=4.0))
    >>> folded.bounds()
    (0.0, 1.0)
    >>> float(Absolute(source=Constant(value=-0.75)).sample([0.1, 0.2]))
    0.75
    """

    def change(self, field: Field) -> None:
        """Replace every value by its absolute value."""
        np.abs(field, out=field)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval, folded at zero."""
        return intervals.absolute(self.source.bounds())
