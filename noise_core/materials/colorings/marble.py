# SPDX-License-Identifier: GPL-3.0-or-later
"""Marble."""

from __future__ import annotations

import numpy as np

from ...base import waves
from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import integer, noise, number
from ...noises.bases.noise import Noise
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ..colors.ramp import Ramp
from .bases.coloring import Coloring, Rows, coloring_type, sampled_rows

_VEINS = Ramp(((0.0, "#23262d"), (0.12, "#6d7078"), (0.45, "#d5d2cc"), (1.0, "#f7f5f1")))  # type: ignore[arg-type]


@coloring_type("marble", "Marble")
class Marble(Coloring):
    """Marble veins: waves along X distorted by turbulence.

    Notes
    -----
    The wave (1 + cos(2 pi (b x + a t))) / 2, with b the bands, a the strength and t the
    turbulence, is looked up in a ramp from dark veins to white stone.

    References
    ----------
    Ken Perlin (1985). An image synthesizer. SIGGRAPH. (marble(point))

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import Marble

    Without turbulence the veins are straight: all rows are alike.

    >>> straight = Marble(bands=4, strength=0.0).paint(Grid(32, 64, wrap=True))
    >>> bool(np.abs(straight - straight[:1]).max() < 1e-5)
    True
    """

    turbulence: Noise = noise(
        lambda: Fractal(source=Perlin(frequency=3.0), kind="turbulence", octaves=6.0),
        help="What pushes the veins about",
    )
    bands: int = integer(
        3, help="Number of veins across a tile", minimum=0, maximum=1000, soft_maximum=20
    )
    strength: float = number(
        1.5,
        help="Number of veins that a turbulence of 1 moves across",
        minimum=0.0,
        maximum=1000.0,
        soft_maximum=10.0,
    )

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.turbulence, axes, seed)
        # Without whole turns, which float32 could not tell apart far from the origin.
        along = (axes.x * self.bands % 1.0).astype(np.float32)

        def rows(start: int, stop: int) -> Field:
            phase = source(start, stop)
            phase *= np.float32(self.strength)
            phase += along
            wave = waves.cosine(phase)
            wave *= np.float32(0.5)
            wave += np.float32(0.5)
            return _VEINS.colors(wave)

        return rows
