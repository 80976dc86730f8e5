# SPDX-License-Identifier: GPL-3.0-or-later
"""Clouds before a blue sky."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.grid import Axes
from ...base.params import noise, number
from ...lattice.fades import cubic
from ...noises.bases.noise import Noise
from ...noises.fractal import Fractal
from ..colors.spaces import to_linear
from .bases.coloring import Coloring, Rows, coloring_type, mix_colors, sampled_rows

_SKY, _WHITE = to_linear("#3f77b8", "sky"), (1.0, 1.0, 1.0)


@coloring_type("clouds", "Clouds")
class Clouds(Coloring):
    """White clouds on a blue sky.

    Notes
    -----
    With v the noise taken from [-1, 1] to [0, 1], the share of white is 0 up to 1 - cover, 1
    from there plus the softness on, and 3t^2 - 2t^3 between.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.colorings import Clouds

    Display values for an image file, linear light for a renderer:

    >>> grid = Grid(64, 64, wrap=True)
    >>> display = Clouds().paint(grid, seed=1, space="srgb")
    >>> light = Clouds().paint(grid, seed=1)
    >>> bool(light.mean() <= display.mean())
    True
    """

    source: Noise = noise(lambda: Fractal(octaves=8.0), help="How thick the clouds are")
    cover: float = number(
        0.55, help="Fraction of the sky covered by clouds", minimum=0.0, maximum=1.0, unit="factor"
    )
    softness: float = number(
        0.35, help="Softness of the clouds' edges", minimum=1e-3, maximum=1.0, unit="factor"
    )

    def rows(self, axes: Axes, seed: int) -> Rows:
        """See `Coloring.rows`."""
        source = sampled_rows(self.source, axes, seed)
        sky, white = (np.array(one, np.float32).reshape(3, 1, 1) for one in (_SKY, _WHITE))

        def rows(start: int, stop: int) -> Field:
            share = source(start, stop)
            share *= np.float32(0.5)
            share += np.float32(self.cover - 0.5)
            share *= np.float32(1.0 / self.softness)
            np.clip(share, 0.0, 1.0, out=share)
            return mix_colors(sky, white, cubic(share))

        return rows
