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
    """Folds what is below zero upwards: creases where the noise was zero."""

    def change(self, field: Field) -> None:
        """Replace every value by its absolute value."""
        np.abs(field, out=field)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval, folded at zero."""
        return intervals.absolute(self.source.bounds())
