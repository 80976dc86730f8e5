# SPDX-License-Identifier: GPL-3.0-or-later
"""The land that stream erosion works on: the scale of its parameters, and the plain that mountains grow from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...lattice.hash import child_seed
from ...rasters.level import Level

GROWING_TIME = 4.0
"""Strengths that mountains take to rise and to find their slopes."""

_ROUGH = 1e-3
"""Share of the relief; what mountains grow out of is that uneven."""


@dataclass(frozen=True)
class StreamLand:
    """Measures of a land to which the parameters of stream erosion relate.

    Attributes
    ----------
    levels : list of Level
        Finest first.
    seed : int
    lowest, highest : float
        Heights before, in meters.
    """

    levels: list[Level]
    seed: int
    lowest: float
    highest: float

    @property
    def span(self) -> float:
        """From the lowest to the highest ground, in meters."""
        return self.highest - self.lowest


def plain(picture: Field, level: Level, seed: int, span: float, randomness: float) -> Field:
    """Return nearly flat ground, rough enough for drainage channels to form.

    Parameters
    ----------
    picture : ndarray of shape (rows, columns), float32
        How fast each place rises, in meters.
    level : Level
        Of that shape.
    seed : int
        Unsigned, 32 bits.
    span : float
        From the lowest to the highest value of the picture on the finest level.
    randomness : float
        From 0, as smooth as the picture, to 1.
    """
    ground = picture * np.float32(_ROUGH)
    if randomness > 0.0:
        rough = level.random_bits(0, level.rows, child_seed(seed, 4)).astype(np.float32)
        rough *= np.float32(2.0**-32 * _ROUGH * span * randomness)
        ground += rough
    return ground


def uplift(picture: Field, lowest: float) -> Field:
    """Return the uplift of each sample over the whole duration, in meters; 0 for the lowest."""
    rise: Field = np.maximum(picture - np.float32(lowest), np.float32(0.0))
    rise *= np.float32(GROWING_TIME)
    return rise
