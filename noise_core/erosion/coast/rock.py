# SPDX-License-Identifier: GPL-3.0-or-later
"""Rock of a coast: harder and softer, with cores so hard that waves leave them standing as stacks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...base.grid import Grid
from ...lattice.hash import child_seed
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin

_OCTAVES = 4.0

_FEWEST = 1e-3
"""Hard places along a tile."""

_SOFT = 1.1
"""How much the retreat changes with the noise, which seldom goes beyond 0.5."""

_CORE_LOW, _CORE_HIGH = 0.12, 0.2
"""Noise from which on rock is a core, and where it is all core: a tenth of the ground."""

_CORE_HOLDS = 1.6
"""Of the retreat that a core takes away, and more, so that its edges are steep."""

_WEAK = 0.25
"""Force of waves from which on cores stand out, all at three quarters: in bays there are no stacks."""

_CORE_SIZE = 0.3
"""Of cores' noise, in sizes of the rock's."""

_BUTTRESS, _GENTLEST, _BUTTRESS_SIZE = 2.0, 0.8, 0.5
"""Of the cliff's steepness: how much it falls with the noise, how much at most, and the noise's size in sizes of
the rock's; by eye."""

_SAMPLES = 1 << 16


@dataclass(frozen=True)
class CoastalRock:
    """Hardness of the rock of a coast, which varies from place to place.

    Attributes
    ----------
    variation : float
        From 0, all alike, to 1.
    size : float
        Distance between hard places, in meters.
    """

    variation: float
    size: float

    def retreat(self, force: Field, grid: Grid, seed: int) -> Field:
        """Return how far a coast retreats without its cores, in retreats of an open one of alike rock.

        Parameters
        ----------
        force : ndarray of shape (rows, columns), float32
            Of waves, 1 at an open coast.
        grid : Grid
        seed : int

        Returns
        -------
        ndarray of that shape, float32
            At least 0.
        """
        if self.variation == 0.0:
            return force.copy()
        result = self._noise(grid, self.size, child_seed(seed, 1))
        result *= np.float32(_SOFT * self.variation)
        result += np.float32(1.0)
        np.maximum(result, np.float32(0.0), out=result)
        result *= force
        return result

    def hold_cores(self, retreat: Field, force: Field, grid: Grid, seed: int) -> Field:
        """Return the retreat with cores, which stand out where waves are strong; see `retreat`."""
        if self.variation == 0.0:
            return retreat.copy()
        result = self._noise(grid, _CORE_SIZE * self.size, child_seed(seed, 2))
        unit, zero = np.float32(1.0), np.float32(0.0)

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            core, waves = result[start:stop], force[start:stop]
            core -= np.float32(_CORE_LOW)
            core *= np.float32(1.0 / (_CORE_HIGH - _CORE_LOW))
            np.clip(core, zero, unit, out=core)
            held = smooth_step(core)
            held *= np.clip((waves - np.float32(_WEAK)) * np.float32(2.0), zero, unit)
            held *= np.float32(_CORE_HOLDS * self.variation)
            held *= waves
            np.maximum(retreat[start:stop] - held, zero, out=core)

        blocks.run(work, grid.rows, max(1, _SAMPLES // grid.columns))
        return result

    def buttresses(self, grid: Grid, seed: int) -> Field | None:
        """Return by which share a cliff is less steep than it could be, below 1; None if nowhere."""
        if self.variation == 0.0:
            return None
        result = self._noise(grid, _BUTTRESS_SIZE * self.size, child_seed(seed, 3))
        np.abs(result, out=result)
        result *= np.float32(_BUTTRESS * self.variation)
        return np.minimum(result, np.float32(_GENTLEST), out=result)

    def _noise(self, grid: Grid, size: float, seed: int) -> Field:
        """Return noise of the places of a grid; no finer than its samples can show."""
        frequency = min(max(grid.width / size, _FEWEST), 0.5 * grid.steps_per_tile)
        noise = Fractal(source=Perlin(frequency=frequency), octaves=_OCTAVES)
        return noise.sample_grid(grid, seed)
