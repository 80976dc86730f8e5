# SPDX-License-Identifier: GPL-3.0-or-later
"""Terracing of a noise."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.params import integer, number
from .bases.noise import noise_type
from .bases.pointwise import Pointwise


@noise_type("terrace", "Terrace", family="combine")
class Terrace(Pointwise):
    """Cuts slopes into steps: mesas, rice fields, layers of rock.

    Notes
    -----
    Every step goes through Schlick's rational gain curve: the treads keep 1 - sharpness of the
    source's slope and pass into the risers without a kink. 0 leaves the source as it is; 1 gives
    level treads with a jump between them. A step lies on either side of its level, so that -1
    and 1 stay where they are.

    References
    ----------
    Christophe Schlick (1994). Fast alternatives to Perlin's bias and gain functions. Graphics
    Gems IV.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Gradient, Terrace
    >>> ramp = Gradient(shape="linear", falloff=1.0, fade="linear")
    >>> mesa = Terrace(source=ramp, steps=4, sharpness=1.0)

    Upright walls leave a few heights only:

    >>> print(np.unique(mesa.sample_grid(Grid(1, 101)).round(3)))
    [-1.  -0.5  0.   0.5  1. ]
    """

    steps: int = integer(
        8,
        help="Number of steps from -1 to 1",
        minimum=1,
        maximum=1024,
        soft_maximum=32,
        visible_when=("sharpness", 0.0),
    )
    sharpness: float = number(
        0.8,
        help="Flatness of the steps: 0 keeps slopes, 1 makes cliffs",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )

    def change(self, field: Field) -> None:
        """Move every value towards the nearest level."""
        if self.sharpness == 0.0:
            return
        half = np.float32(0.5)
        field += np.float32(1.0)
        field *= np.float32(0.5 * self.steps)
        level = np.floor(field)
        field -= level
        level += half
        field -= half
        # Now -0.5 and 0.5 stand for the middles of two treads, 0 for the riser between them.
        if self.sharpness == 1.0:
            np.copysign(half, field, out=field)
        else:
            self._steepen(field)
        field += level
        field *= np.float32(2.0 / self.steps)
        field -= np.float32(1.0)

    def bounds(self) -> tuple[float, float]:
        """Return the source's interval through the steps."""
        low, high = self.source.bounds()
        # Where a bound lies on a riser, the last bit of a value decides between two treads.
        slack = 1e-5 * max(1.0, abs(low), abs(high))
        ends = np.array([low - slack, high + slack], np.float32)
        self.change(ends)
        return (float(ends[0]), float(ends[1]))

    def _steepen(self, field: Field) -> None:
        """Apply the gain curve to [-0.5, 0.5], in place."""
        steepness = np.float32(self.sharpness / (1.0 - self.sharpness))
        distance = np.abs(field)
        tread = np.float32(0.5) - distance
        distance *= np.float32(2.0) * steepness
        distance += np.float32(1.0)
        tread /= distance
        np.subtract(np.float32(0.5), tread, out=tread)
        np.copysign(tread, field, out=field)
