# SPDX-License-Identifier: GPL-3.0-or-later
"""Credible detail on land that was measured coarsely."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress, part_of
from ..base.grid import Grid
from ..base.params import number
from ..erosion import amplification
from ..lattice.hash import child_seed
from .bases.modifier import Modifier, Relief, modifier_type
from .gully_erosion import GullyErosion

if TYPE_CHECKING:
    from ..rasters import Level

_SPACING = 2.0
"""Distance between the largest gullies, in cells: just what the cells are too wide for."""

_DEPTH = 0.1
"""Depth of these, as a share of their distance."""

_OCTAVES, _PERSISTENCE, _FULL_SLOPE = 3.0, 0.4, 30.0
"""Of gullies; more of them look like combed hair (by eye)."""

_ROUGH = 0.9
"""How high bumps are, compared with what the land's roughness lets expect: rivers and gullies add theirs."""

_RILLS, _VALLEYS, _CUTS = 4.0, 8.0, 4.5
"""How far gullies, rivers and ways out of hollows change the ground at most, in deviations of its bumps:
plains stay plain."""


@modifier_type("amplify", "Amplify")
class Amplify(Modifier):
    """Adds detail that coarse measurements do not show.

    Bumps, rills and valleys finer than a cell of the measurement: strong where the land is rough,
    none on plains. The mean height of each cell stays what it was.

    Notes
    -----
    Cells are counted from the origin of the world, and a sample belongs to the cell that it lies in; on a
    grid that wraps they are stretched to a whole number. How rough the land is below them follows from
    how rough the cells are around each place: from bumps of two to four and of four to eight cells, with
    an exponent between 0.6 and 1.1. Gullies run down the slopes of the coarse land, and rivers lead its
    drainage on, on levels of which the coarsest has two samples a cell or more. A smooth field takes off
    what the mean of a cell has changed by, to a millimeter. Where the grid is no finer than the cells
    nothing changes. Land that has finer features than the cells keeps them.

    On a grid that wraps everything is worked out from the first sample of the world on: a shifted
    origin gives the rolled result, to the bit.

    References
    ----------
    Benoit B. Mandelbrot, John W. Van Ness (1968). Fractional Brownian motions, fractional noises and
    applications. SIAM Review 10.
    Waldo R. Tobler (1979). Smooth pycnophylactic interpolation for geographical regions. Journal of the
    American Statistical Association 74. (fields with given means)
    Jean Braun, Sean D. Willett (2013). A very efficient O(n), implicit and parallel method to solve the stream
    power equation. Geomorphology 180-181.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Amplify
    >>> from noise_core.noises import Perlin

    Land measured every 30 m, resampled to 7.5 m, gets detail in between:

    >>> grid = Grid(129, 129, size=960.0)
    >>> coarse = 100.0 * Perlin(frequency=2.0).sample_grid(grid, seed=1)
    >>> detailed = Amplify(cell_size=30.0).apply(coarse, grid, seed=1)
    >>> bool((detailed.height != coarse).any()), detailed.height.shape
    (True, (129, 129))
    """

    routes_water: ClassVar[bool] = True
    whole_land: ClassVar[str] = (
        "it cuts rivers and ways out of hollows on its own detail, measures how rough all cells are, "
        "and puts their means right again between these steps"
    )

    cell_size: float = number(
        30.0,
        help="Resolution of the measurement in meters: 30 for most global elevation data",
        minimum=1e-3,
        maximum=1e6,
        soft_minimum=1.0,
        soft_maximum=500.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    strength: float = number(
        1.0,
        help="Strength of the detail; 1 continues the roughness of the terrain",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
    )
    bumps: float = number(
        1.0,
        help="Amount of bumps without a direction",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
        visible_when=("strength", 0.0),
    )
    gullies: float = number(
        1.0,
        help="Amount of rills down the slopes",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
        visible_when=("strength", 0.0),
    )
    rivers: float = number(
        1.0,
        help="Amount of fine valleys continuing the existing ones",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
        visible_when=("strength", 0.0),
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the height with detail below the cells."""
        level = rasters.Level.from_grid(grid)
        if self.cell_size <= grid.spacing or self.strength == 0.0:
            progress(1.0)
            return Relief(height.copy())
        if not level.wrap:
            return Relief(self._amplify(height, grid, seed, progress))
        first = (level.first[0] % level.rows, level.first[1] % level.columns)
        world = Grid(*grid.shape, wrap=True, size=grid.size)
        amplified = self._amplify(np.roll(height, first, (0, 1)), world, seed, progress)
        return Relief(np.roll(amplified, (-first[0], -first[1]), (0, 1)))

    def _amplify(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Field:
        level = rasters.Level.from_grid(grid)
        cells = rasters.coarse_cells.CoarseCells.over(level, self.cell_size)
        rough = amplification.Roughness.measure(height, cells)
        typical = rough.amplitude * np.float32(self.strength)
        if not typical.any() or self.bumps == self.gullies == self.rivers == 0.0:
            progress(1.0)
            return height.copy()
        change = amplification.rough_ground(
            rough, grid, self.cell_size, child_seed(seed, 1), part_of(progress, 0.0, 0.1)
        )
        change *= np.float32(_ROUGH * self.bumps * self.strength)
        change += self._rills(
            height, grid, typical, child_seed(seed, 2), part_of(progress, 0.1, 0.3)
        )
        change += self._valleys(
            height + change, level, typical, child_seed(seed, 3), part_of(progress, 0.3, 0.8)
        )
        change = cells.take_off_means(change)
        progress(0.85)
        cut = amplification.open_hollows(
            height + change,
            level,
            self.cell_size,
            typical * np.float32(_CUTS),
            child_seed(seed, 4),
        )
        cut -= height
        change = cells.take_off_means(cut)
        change += height
        progress(1.0)
        return change

    def _rills(
        self, height: Field, grid: Grid, typical: Field, seed: int, progress: Progress
    ) -> Field:
        """Return the change by gullies down the slopes of the coarse land."""
        gullies = GullyErosion(
            scale=_SPACING * self.cell_size,
            depth=min(_DEPTH * self.gullies * self.strength, 4.0),
            octaves=_OCTAVES,
            persistence=_PERSISTENCE,
            balance=0.0,
            full_slope=_FULL_SLOPE,
            smoothing=0.5,
            roughness=1.0,
        )
        change = gullies.relief(height, grid, seed, progress).height - height
        amplification.limit_change(change, typical * np.float32(_RILLS))
        return change

    def _valleys(
        self, ground: Field, level: Level, typical: Field, seed: int, progress: Progress
    ) -> Field:
        """Return the change by rivers on the ground with all other detail."""
        amount = self.rivers * self.strength
        if amount == 0.0:
            return np.zeros_like(ground)
        change = amplification.carve_valleys(ground, level, self.cell_size, amount, seed, progress)
        change -= ground
        amplification.limit_change(change, typical * np.float32(_VALLEYS))
        return change
