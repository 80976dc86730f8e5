# SPDX-License-Identifier: GPL-3.0-or-later
"""The crust of a land: its plates and faults, and what they do to the samples of a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.grid import Grid
from ...lattice.hash import child_seed
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from .borders import BorderScale
from .faults import CHANCES, JITTER, Fault, add_faults
from .plates import Plates
from .scatter import Scattering

_SAMPLES = 1 << 15
"""Worked out at once: some dozen arrays of them stay in the cache."""

_BENDS = 1.3
"""Waves of the bends along a plate, and in how many sizes they come."""

_SIZES = 5.0

_BENT = 0.22
"""How far places are bent at irregularity 1, in plates; noise rarely goes beyond half of that."""


@dataclass(frozen=True)
class Crust:
    """What moves the ground.

    Attributes
    ----------
    scale : BorderScale
    plate : float
        Size of a plate, in meters.
    drift : float
        Along which plates move, in degrees counterclockwise from the x axis.
    spacing : float
        Distance of faults, in meters; 0 for none.
    throw : float
        Of the largest faults, in meters; 0 for none.
    irregularity : float
        How far borders and faults are bent; 0 leaves them straight.
    """

    scale: BorderScale
    plate: float
    drift: float
    spacing: float
    throw: float
    irregularity: float

    def move(self, grid: Grid, seed: int, progress: Progress) -> tuple[Field, Field, Field]:
        """Return the rise of each sample of a grid, and how far it is moved along x and y, in meters."""
        plates = Scattering.over(grid, self.plate, child_seed(seed, 2))
        bends = self._bends(grid, seed)
        x, y = plates.places(grid)
        bent = [float(np.abs(one).max(initial=0.0)) for one in bends] if bends else [0.0, 0.0]
        box = (
            float(x[0]) - bent[0],
            float(x[-1]) + bent[0],
            float(y[0]) - bent[1],
            float(y[-1]) + bent[1],
        )
        around = Plates.scatter(plates, box, self.drift, self.scale)
        faults = self._faults(grid, plates, box, seed)
        rise, east, north = (np.empty(grid.shape, np.float32) for _ in range(3))

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            shape = (stop - start, grid.columns)
            across, along = np.empty(shape, np.float32), np.empty(shape, np.float32)
            across[:] = x
            along[:] = y[start:stop, np.newaxis]
            if bends:
                across += bends[0][start:stop]
                along += bends[1][start:stop]
            parts = around.act(across.reshape(-1), along.reshape(-1))
            for out, part in zip((rise, east, north), parts):
                out[start:stop] = part.reshape(shape)
            add_faults(faults, across, along, rise[start:stop])

        blocks.run(work, grid.rows, max(1, _SAMPLES // grid.columns), progress=progress)
        return rise, east, north

    def _bends(self, grid: Grid, seed: int) -> tuple[Field, ...]:
        """Return how far places are bent along x and y, in meters; none if they are not."""
        if self.irregularity == 0.0:
            return ()
        noise = Fractal(source=Perlin(frequency=_BENDS * grid.size / self.plate), octaves=_SIZES)
        bends = tuple(noise.sample_grid(grid, child_seed(seed, number)) for number in (3, 4))
        for one in bends:
            one *= np.float32(_BENT * self.irregularity * self.plate)
        return bends

    def _faults(
        self, grid: Grid, plates: Scattering, box: tuple[float, float, float, float], seed: int
    ) -> list[Fault]:
        if self.spacing == 0.0 or self.throw == 0.0:
            return []
        lattice = Scattering.over(grid, self.spacing, child_seed(seed, 5))
        # Both count from their own first cell: their meters differ.
        shift = [
            float(own[0]) - float(other[0])
            for own, other in zip(lattice.places(grid), plates.places(grid))
        ]
        cell = max(lattice.width, lattice.depth)
        left, right, low, high = box
        margin = 1.5 * cell
        wide = (
            left + shift[0] - margin,
            right + shift[0] + margin,
            low + shift[1] - margin,
            high + shift[1] + margin,
        )
        found = []
        for point in lattice.points(wide, JITTER, CHANCES):
            fault = Fault.of(point, self.drift, cell, self.throw)
            x, y = fault.x - shift[0], fault.y - shift[1]
            found.append(Fault(x, y, fault.normal, fault.length, fault.throw))
        return found
