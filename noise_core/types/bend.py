# SPDX-License-Identifier: GPL-3.0-or-later
"""Description of how a noise moves the places at which it takes another one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Coordinates, Field, Points

if TYPE_CHECKING:
    from .noise import Noise

Factors = tuple[tuple[int, float], ...]
"""Axes that are moved, each with what its displacement is multiplied by, in tiles."""


@dataclass(frozen=True)
class Bend:
    """What a noise is made of that takes another one at moved places, see `Noise.as_bend`.

    Attributes
    ----------
    source : Noise
        It is taken at the moved places, with the seed of the noise.
    levels : tuple of tuples of pairs of Noise and int
        Displacements with their seeds, one for each moved axis. Those of the first level are taken at the places
        themselves, those of another one where the level before moves them.
    factors : Factors
    """

    source: Noise
    levels: tuple[tuple[tuple[Noise, int], ...], ...]
    factors: Factors


def displace(points: Points, factors: Factors, copies: Iterable[Field]) -> Points:
    """Return points moved by displacements, one for each of the factors, in their own dtype."""
    moved: list[Coordinates] = list(points)
    for (axis, factor), copy in zip(factors, copies):
        moved[axis] = points[axis] + copy * np.float32(factor)
    return tuple(moved)
