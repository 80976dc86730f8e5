# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain on which erosion and drainage are measured, and Terrane's results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from noise_core import Grid
from noise_core.flow_routing.incision import incise
from noise_core.flow_routing.routing import route
from noise_core.modifiers import Amplify, StreamErosion
from noise_core.noises import Fractal, Perlin, Raster
from noise_core.rasters.level import Level

Field = npt.NDArray[np.float32]

SEED = 7
WIDTH = 10_000.0
"""Of the terrain, in meters."""

AMPLITUDE = 700.0
"""What the noise is multiplied by, in meters."""

DURATION = 0.8
"""Erodibility times time of one step, in m^(1 - 2 * 0.5): what the default `StreamErosion` takes here."""

TALUS = 1.07
"""Rise over run; the tangent of the default angle."""

FLATTEST = 1e-4
"""Fall of a lake's floor, as rise over run."""

CELL = 32
"""Samples along a cell of land that was measured coarsely."""


@dataclass(frozen=True)
class Terrain:
    """Raw fBm, full of pits.

    Attributes
    ----------
    height : ndarray of shape (side, side), float32
        In meters.
    grid : Grid
        It does not wrap.
    level : Level
        Of the grid.
    """

    height: Field
    grid: Grid
    level: Level

    @classmethod
    def of(cls, side: int) -> Terrain:
        """Return a square terrain: 9 octaves from 3 cells, 10 km wide."""
        grid = Grid(side, side, size=WIDTH)
        noise = Fractal(source=Perlin(frequency=3.0), octaves=9)
        height = noise.sample_grid(grid, SEED) * np.float32(AMPLITUDE)
        return cls(height, grid, Level.from_grid(grid))

    def drained(self) -> tuple[Field, npt.NDArray[np.float64]]:
        """Return the height with all depressions filled, and the drainage areas in cells."""
        tree = route(self.height, self.level)
        return tree.filled, tree.accumulate()

    def stepped(self) -> Field:
        """Return the height after one step of the stream-power law; the border stays as it is."""
        tree = route(self.height, self.level)
        rate = tree.accumulate().astype(np.float32).reshape(self.level.shape)
        np.sqrt(rate, out=rate)
        rate *= np.float32(DURATION * self.level.step_x)
        return incise(self.height, tree, self.level, rate, steepest=TALUS, gentlest=FLATTEST)

    def eroded(self, quality: str = "final") -> Field:
        """Return the height after the whole stream erosion, defaults but for the quality."""
        result: Field = StreamErosion(quality=quality).apply(self.height, self.grid, SEED).height
        return result

    def measured(self) -> Field:
        """Return the surface through one sample of each cell, as an import of elevation makes it."""
        picture = Raster(pixels=self.height[::CELL, ::CELL] / np.float32(AMPLITUDE), edge="clamp")
        smooth: Field = picture.sample_grid(self.grid) * np.float32(AMPLITUDE)
        return smooth

    def amplified(self, smooth: Field) -> Field:
        """Return measured land with detail down to the samples, by defaults."""
        cell = CELL * self.grid.spacing
        result: Field = Amplify(cell_size=cell).apply(smooth, self.grid, SEED).height
        return result
