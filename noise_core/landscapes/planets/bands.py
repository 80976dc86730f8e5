# SPDX-License-Identifier: GPL-3.0-or-later
"""Gas giants: the colors of their bands by latitude, of one great storm, and of a viewport without a renderer.

Zones, where gas rises, are bright, and belts, where it sinks, are dark; winds blow to the east and to the west by turns.

References
----------
A. P. Ingersoll et al. (2004). Dynamics of Jupiter's atmosphere. In: Jupiter, Cambridge University Press, 105-128.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...base.arrays import Field
from ...materials.colors import to_linear
from ...materials.ground.noises import NodeFractal, even_at

Color = tuple[float, ...]

STREAKS = NodeFractal(26.0, 5, 0.6)
"""Noise of fine bands along the axis: cells along the radius, octaves and roughness of the shader's noise."""


@dataclass(frozen=True)
class GasBands:
    """The look of a gas giant.

    Attributes
    ----------
    stops : tuple of pairs
        Sines of latitudes from -1 to 1, in order, and linear colors.
    storm : Color
        Of the great storm.
    storm_at : tuple of two floats
        Degrees to the north and to the east of where the great storm lies.
    contrast : float
        How strongly fine bands differ.
    turbulence : float
        How far eddies push the edges of bands.
    """

    stops: tuple[tuple[float, Color], ...]
    storm: Color
    storm_at: tuple[float, float]
    contrast: float
    turbulence: float


def _bands(*stops: tuple[float, str]) -> tuple[tuple[float, Color], ...]:
    return tuple((sine, to_linear(color, "GasBands.stops")) for sine, color in stops)


GASES: Mapping[str, GasBands] = MappingProxyType(
    {
        "jovian": GasBands(
            _bands(
                (-1.0, "#6f6660"), (-0.82, "#8a7a6c"), (-0.70, "#a8957f"), (-0.62, "#cbb79a"),
                (-0.55, "#a98566"), (-0.47, "#d9cbb2"), (-0.38, "#e4d8c2"), (-0.31, "#8f5f41"),
                (-0.22, "#a3714d"), (-0.14, "#dccfb6"), (-0.02, "#e9dfca"), (0.06, "#dcc8a8"),
                (0.12, "#8d5436"), (0.25, "#9e6a45"), (0.30, "#e2d6bf"), (0.42, "#d5c2a2"),
                (0.50, "#b08d6c"), (0.57, "#cdb899"), (0.68, "#a08b77"), (0.84, "#85776b"),
                (1.0, "#6a6560"),
            ),
            to_linear("#b5532f", "GasBands.storm"), (-22.0, -68.0), 0.32, 1.0,
        ),
        "saturnian": GasBands(
            _bands(
                (-1.0, "#8f8466"), (-0.75, "#a4946d"), (-0.55, "#c0aa7c"), (-0.40, "#b79f72"),
                (-0.28, "#d3be90"), (-0.12, "#dcc99c"), (0.0, "#e6d6ac"), (0.14, "#d8c394"),
                (0.30, "#c2a978"), (0.44, "#cfb888"), (0.60, "#b39d70"), (0.78, "#98906c"),
                (1.0, "#7d7f68"),
            ),
            to_linear("#b8a276", "GasBands.storm"), (43.0, -60.0), 0.12, 0.35,
        ),
        "neptunian": GasBands(
            _bands(
                (-1.0, "#27407f"), (-0.7, "#2f55a3"), (-0.45, "#3a6cc0"), (-0.25, "#3363b8"),
                (0.0, "#4a80cf"), (0.3, "#3565b9"), (0.6, "#2d58a8"), (1.0, "#274685"),
            ),
            to_linear("#1b2f66", "GasBands.storm"), (-20.0, -62.0), 0.2, 0.6,
        ),
    }
)  # fmt: skip
"""Gas giants by the names of `Planet.gas`."""


def band_colors(directions: Field, gas: str) -> Field:
    """Return the colors of the bands of a gas giant, without its eddies: as viewports show them.

    Parameters
    ----------
    directions : ndarray of shape (vertices, 3), float32
        Unit vectors.
    gas : str
        Of `GASES`.

    Returns
    -------
    ndarray of shape (3, vertices), float32
        Linear.
    """
    look = GASES[gas]
    places = np.zeros_like(directions)
    places[:, 2] = directions[:, 2]
    streaks = even_at(STREAKS, places)
    sines, colors = zip(*look.stops)
    bright = np.float32(1.0) + np.float32(look.contrast) * (streaks - np.float32(0.5))
    return np.stack(
        [
            np.interp(directions[:, 2], sines, channel).astype(np.float32) * bright
            for channel in zip(*colors)
        ]
    )
