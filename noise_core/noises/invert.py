# SPDX-License-Identifier: GPL-3.0-or-later
"""Negation of a noise."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from .bases.noise import noise_type
from .bases.pointwise import Pointwise


@noise_type("invert", "Invert", family="combine")
class Invert(Pointwise):
    """Turns hills into valleys by the opposite sign.

    Notes
    -----
    The mirror lies at zero, not in the middle of the source's bounds: a source in [0, 1] comes
    out in [-1, 0]. `Remap` turns it over within [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.noises import Fractal, Invert, Perlin
    >>> ridges = Fractal(source=Perlin(frequency=4.0), kind="ridged")
    >>> points = np.linspace(0.0, 1.0, 20).reshape(10, 2)
    >>> valleys = Invert(source=ridges).sample(points, seed=5)
    >>> bool(np.array_equal(valleys, -ridges.sample(points, seed=5)))
    True
    """

    def change(self, field: Field) -> None:
        """Change every value's sign."""
        np.negative(field, out=field)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval, mirrored at zero."""
        low, high = self.source.bounds()
        return (-high, -low)
