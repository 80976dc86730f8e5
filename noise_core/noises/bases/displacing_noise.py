# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of noises that move the places at which they take another one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Coordinates, Field, Points
from .noise import Noise

Factors = tuple[tuple[int, float], ...]
"""Axes that are moved, each with what its displacement is multiplied by, in tiles."""


@dataclass(frozen=True)
class DisplacedNoise:
    """Parts of a noise that takes another one at moved places, see `DisplacingNoise`.

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


class DisplacingNoise(Noise):
    """Base of noises that do nothing but move places."""

    def displaced_noise(self, seed: int) -> DisplacedNoise | None:
        """Return the parts of the noise on a grid; None if the noise is not taken at moved places there."""
        raise NotImplementedError(f"{type(self).__name__} has no displaced_noise()")


def displace(points: Points, factors: Factors, copies: Iterable[Field]) -> Points:
    """Return points moved by displacements, one for each of the factors, in their own dtype."""
    moved: list[Coordinates] = list(points)
    for (axis, factor), copy in zip(factors, copies):
        moved[axis] = points[axis] + copy * np.float32(factor)
    return tuple(moved)
