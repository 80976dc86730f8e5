# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow that falls on ice above the equilibrium line, and ice that melts below it.

References
----------
J. Oerlemans (2001). Glaciers and climate change. Balkema. (balance gradients)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field

GRADIENT = 4.0
"""Gain of ice by height above the line, in the most that falls anywhere a relief: so much falls a quarter of the
relief above it, and no more higher up."""

MOST_MELTING = 2.0
"""Compared with the most that falls; tongues of glaciers melt faster than their heads gain."""


@dataclass(frozen=True)
class Climate:
    """Mass balance of ice by the height of its surface.

    Attributes
    ----------
    line : float
        Height at which as much falls as melts, in reliefs above the lowest ground.
    """

    line: float

    def balance(self, surface: Field) -> Field:
        """Return the mass balance of ice on a surface of some height in reliefs, from -2 to 1."""
        gain = surface - np.float32(self.line)
        gain *= np.float32(GRADIENT)
        np.clip(gain, np.float32(-MOST_MELTING), np.float32(1.0), out=gain)
        return gain
