# SPDX-License-Identifier: GPL-3.0-or-later
"""Rock layers: hard ones form cliffs, soft ones erode to slopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.grid import Grid
from ...lattice.fades import quintic
from ...lattice.hash import child_seed, hash_indices
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin

_SAMPLES_PER_LAYER = 32
"""Of the table that hardness is looked up in: steps of a thirtieth of a layer cannot be seen."""

_SOFTEST, _HARDEST = 1.7, 0.06
"""What the erodibility is multiplied by at full contrast; found by looking at cliffs."""

_GENTLE, _SHEER = 0.7, 2.7
"""What the steepest slope is multiplied by at full contrast; found by looking at cliffs."""

_TRANSITION = 0.25
"""Share of a layer over which one rock becomes the next."""

MAX_LAYERS = 1000
"""Over the height of a terrain: thinner ones cannot be seen."""

_BEND_FREQUENCY = 2.0
"""Waves of the layers along a tile."""


@dataclass(frozen=True)
class RockLayers:
    """Horizontal layers, gently bent.

    Attributes
    ----------
    thickness : float
        Of a layer on average, in meters.
    contrast : float
        From 0, all alike, to 1.
    bend : float
        How far a layer rises and falls, in layers.
    """

    thickness: float
    contrast: float
    bend: float

    def offset(self, grid: Grid, seed: int) -> Field:
        """Return the offset of the layers from their mean height, in layers, on the samples of a grid."""
        noise = Fractal(source=Perlin(frequency=_BEND_FREQUENCY), octaves=4.0)
        offset = noise.sample_grid(grid, child_seed(seed, 1))
        offset *= np.float32(self.bend)
        return offset

    def base(self, height: Field, offset: Field) -> float:
        """Return the number of the lowest layer of some ground."""
        return float(np.floor(self._position(height, offset).min()))

    def hardness(self, height: Field, offset: Field, seed: int, base: float | None = None) -> Field:
        """Return the hardness of the rock at the surface, from 0 to 1.

        Parameters
        ----------
        height, offset : ndarray of shape (rows, columns), float32
            In meters, and in layers.
        seed : int
        base : float, optional
            The lowest layer of the whole, if this is a part of it.
        """
        position = self._position(height, offset)
        if base is None:
            base = float(np.floor(position.min()))
        position -= np.float32(base)
        position *= np.float32(_SAMPLES_PER_LAYER)
        table = self._table(base, int(position.max()) + 2, seed)
        return table.take(position.astype(np.intp))

    def below(
        self, offset: Field, seed: int, base: float | None = None
    ) -> Callable[[Field], tuple[Field, Field]]:
        """Return the function that gives the factors of the erosion rate and of the steepest slope at a height.

        Parameters
        ----------
        offset : ndarray of shape (rows, columns), float32
            In layers.
        seed : int
        base : float, optional
            See `hardness`.
        """

        def rock(height: Field) -> tuple[Field, Field]:
            hardness = self.hardness(height, offset, seed, base)
            return self.erodibility(hardness), self.steepness(hardness)

        return rock

    def _position(self, height: Field, offset: Field) -> Field:
        """Return the height in layers."""
        position = height / np.float32(self.thickness)
        position += offset
        return position

    def _table(self, base: float, samples: int, seed: int) -> Field:
        """Return the hardness by position: one random value per layer, with short transitions."""
        position = (np.arange(samples, dtype=np.intp) / _SAMPLES_PER_LAYER).astype(np.float32)
        layer = np.floor(position)
        numbers = (np.arange(int(layer[-1]) + 2, dtype=np.intp) + int(base)).astype(np.int32)
        random = hash_indices([numbers], child_seed(seed, 2)) * 2.0**-32
        # Hard and soft rock take turns, each as hard or soft as chance has it.
        values = np.where(numbers % 2 == 0, 0.5 + 0.5 * random, 0.35 * random).astype(np.float32)
        share = np.clip((position - layer - 1.0 + _TRANSITION) / _TRANSITION, 0.0, 1.0)
        lower, upper = values[layer.astype(np.intp)], values[layer.astype(np.intp) + 1]
        table: Field = lower + (upper - lower) * quintic(share.astype(np.float32))
        return table

    def erodibility(self, hardness: Field) -> Field:
        """Return the factor of the erosion rate."""
        return _interpolate(hardness, self.contrast, _SOFTEST, _HARDEST)

    def steepness(self, hardness: Field) -> Field:
        """Return the factor of the steepest slope."""
        return _interpolate(hardness, self.contrast, _GENTLE, _SHEER)


def _interpolate(hardness: Field, contrast: float, soft: float, hard: float) -> Field:
    soft, hard = 1.0 + (soft - 1.0) * contrast, 1.0 + (hard - 1.0) * contrast
    mixed = hardness * np.float32(hard - soft)
    mixed += np.float32(soft)
    return mixed
