# SPDX-License-Identifier: GPL-3.0-or-later
"""Water washes slopes down and lays them out as valley floors."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ..base.arrays import Field
from ..base.blocks import CountedProgress, Progress, checkpoint, is_enough
from ..base.grid import Grid
from ..base.params import integer, number
from ..erosion import pipes
from ..erosion.slides import balancing, talus
from ..rasters import pyramid
from ..rasters import steepness as slopes
from ..rasters.level import Level
from .bases.modifier import Modifier, Relief, modifier_type

_COARSEST = 64
"""Samples along the shorter side of the coarsest level."""

_SHARES = (4.0, 2.8, 2.0)
"""How many times as many steps the coarsest levels take; all others take one share."""

_WEATHER = {
    "pull": 0.03, "friction": 1.0, "rain": 5e-4, "dry": 0.985, "capacity": 1.4, "exchange": 0.1,
}  # fmt: skip
"""What the parameters are multiples of. Pipes overshoot from a pull of 0.25 on. A depth of 0.033
comes to stand where nothing flows. Tried on mountains of 1500 m: floors become flat and rocks keep their
shape; with twice the capacity valleys fill to half their height."""

_BURIED = 0.2
"""Deposit on a coarser level, in spacings of the finer one, under which half the finer one's bumps are
lost: they would print through the floors."""


@modifier_type("sediment_erosion", "Sediment Erosion")
class SedimentErosion(Modifier):
    """Lets rain wash slopes down and lay what it carries out as flat valley floors; borders are walls.

    Nothing is lost: what leaves the slopes lies in the valleys, and basins at the border fill as
    others do.

    Notes
    -----
    Shallow water flows between the samples of a column model, from coarse copies of the terrain to
    the samples themselves: valley floors need ways far longer than water gets on the finest. All
    is measured in spacings, so the size of the terrain does not matter, only its slopes. Every few
    steps what is too steep slides, or water would cut slots one sample wide.

    References
    ----------
    Xing Mei, Philippe Decaudin, Bao-Gang Hu (2007). Fast hydraulic erosion simulation and
    visualization on GPU. Pacific Graphics.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import SedimentErosion
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=1000.0)
    >>> hills = 150.0 * Fractal().sample_grid(grid, seed=6)
    >>> relief = SedimentErosion(steps=20).apply(hills, grid, seed=6)
    >>> sorted(relief.maps)
    ['deposit', 'water', 'wear']
    >>> bool(relief.maps["wear"].max() > 0.0)
    True
    """

    makes: ClassVar[Mapping[str, str]] = {
        "wear": "Thickness of what was washed away, in meters",
        "deposit": "Thickness of what was laid down, in meters",
        "water": "Depth of the water in the end, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"wear", "deposit"})

    steps: int = integer(
        100,
        help="How long it rains, in steps on the finest samples; coarser copies take up to four times as many",
        minimum=0,
        maximum=400,
        soft_maximum=200,
    )
    rain: float = number(
        1.0,
        help="How much it rains: more makes wider rivers and higher floors",
        minimum=0.0,
        maximum=4.0,
        soft_minimum=0.25,
        soft_maximum=2.0,
        unit="factor",
        visible_when=("steps", 0.0),
    )
    capacity: float = number(
        1.0,
        help="How much ground water can carry: more digs deeper and fills higher",
        minimum=0.0,
        maximum=3.0,
        soft_minimum=0.25,
        soft_maximum=2.0,
        unit="factor",
        visible_when=("rain", 0.0),
    )
    talus_angle: float = number(
        48.0,
        help="Steepest slope that does not slide, in degrees",
        minimum=10.0,
        maximum=80.0,
        soft_minimum=30.0,
        soft_maximum=60.0,
        unit="angle",
        visible_when=("steps", 0.0),
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the eroded height, the moved material, and the water."""
        levels = self.levels(grid)
        result, water = self.wash_levels(pyramid.restrict_all(height, levels), levels, progress)
        progress(1.0)
        return Relief(result, {**self.moved(height, result), "water": water})

    @staticmethod
    def levels(grid: Grid) -> list[Level]:
        """Return the levels on which it rains, finest first."""
        return Level.from_grid(grid).pyramid(_COARSEST)

    @staticmethod
    def moved(before: Field, after: Field) -> dict[str, Field]:
        """Return the maps of what was washed away and laid down."""
        change, none = after - before, np.float32(0.0)
        return {"wear": np.maximum(-change, none), "deposit": np.maximum(change, none)}

    def wash_levels(
        self, heights: Sequence[Field], levels: Sequence[Level], progress: Progress
    ) -> tuple[Field, Field]:
        """Return the eroded height and the depth of water on the finest of some levels.

        Parameters
        ----------
        heights : sequence of ndarray, float32
            Before, on all of them.
        levels : sequence of Level
            Finest first, down to the coarsest of the terrain.
        progress : callable
            See `blocks.Progress`.
        """
        counts = [self.steps_on(len(levels) - 1 - depth) for depth in range(len(levels))]
        costs = [count * level.rows * level.columns for count, level in zip(counts, levels)]
        report = CountedProgress(progress, max(sum(costs), 1))
        result, water = heights[-1], np.zeros_like(heights[-1])
        for depth in reversed(range(len(levels))):
            level = levels[depth]
            if depth + 1 < len(levels):
                coarse = levels[depth + 1]
                result = _refine(result, heights[depth + 1], coarse, heights[depth], level)
                if is_enough():
                    water = np.maximum(pyramid.prolong(water, coarse, level), np.float32(0.0))
                    continue
            result, water = self._wash(result, level, counts[depth], report)
        return result, water

    def steps_on(self, place: int) -> int:
        """Return the number of steps on the level that is `place` levels finer than the coarsest."""
        share = _SHARES[place] if place < len(_SHARES) else 1.0
        return round(self.steps * share)

    def _wash(
        self, height: Field, level: Level, steps: int, report: CountedProgress
    ) -> tuple[Field, Field]:
        """Return ground and depth of water after some steps on one level, in meters."""
        if steps == 0:
            return height.copy(), np.zeros_like(height)
        rain = self.rain_on(level)
        flood = rain.begin(height)
        for count in rounds(steps):
            flood = rain.fall(flood, count)
            report.add(count * height.size)
            if is_enough():
                break
        return rain.settle(flood)

    def rain_on(self, level: Level) -> Rain:
        """Return the rain on a level, or on a part of one."""
        weather = pipes.PipeModelParams(**_WEATHER)
        weather = dataclasses.replace(
            weather, rain=weather.rain * self.rain, capacity=weather.capacity * self.capacity
        )
        unit = dataclasses.replace(level, step_y=level.step_y / level.step_x, step_x=1.0)
        repose = talus.TalusParams.from_steepness(unit, slopes.rise_over_run(self.talus_angle))
        return Rain(unit, np.float32(level.step_x), weather, repose)


@dataclasses.dataclass(frozen=True)
class Rain:
    """Rain on one level, on which all lengths are measured in spacings.

    Attributes
    ----------
    level : Level
        In spacings.
    spacing : numpy.float32
        In meters.
    weather : PipeModelParams
    repose : TalusParams
    """

    level: Level
    spacing: np.float32
    weather: pipes.PipeModelParams
    repose: talus.TalusParams

    def begin(self, height: Field) -> pipes.WaterState:
        """Return dry ground, of heights in meters."""
        return pipes.WaterState.dry(height / self.spacing)

    def fall(self, flood: pipes.WaterState, steps: int) -> pipes.WaterState:
        """Return the state after a round of `rounds`, with what is too steep slid once."""
        flood = pipes.simulate(flood, self.level, self.weather, steps)
        ground = talus.slide(flood.ground, self.level, self.repose, 1)
        return dataclasses.replace(flood, ground=ground)

    def settle(self, flood: pipes.WaterState) -> tuple[Field, Field]:
        """Return ground and depth of water in meters, after all that is carried has sunk."""
        return (flood.ground + flood.load) * self.spacing, flood.water * self.spacing


def rounds(steps: int) -> list[int]:
    """Return steps in rounds after which ground slides."""
    return [min(pipes.STEPS, steps - done) for done in range(0, steps, pipes.STEPS)]


def reach_of(steps: int) -> int:
    """Return how far a round of so many steps carries anything, in samples."""
    return pipes.REACH * steps + 1


def _refine(result: Field, before: Field, coarse: Level, height: Field, level: Level) -> Field:
    """Return a level's height with the change of a coarser level added; see `refine_change`."""
    change = refine_change(result, before, coarse, height, level)
    checkpoint()
    balancing.balance(change)
    change += height
    return change


def refine_change(
    result: Field, before: Field, coarse: Level, height: Field, level: Level
) -> Field:
    """Return the change of a level by that of a coarser one, which also buries bumps; not yet balanced.

    Parameters
    ----------
    result, before : ndarray of shape coarse.shape, float32
        The coarser height after and before.
    height : ndarray of shape level.shape, float32
        The finer height before.
    """
    change = pyramid.prolong(result - before, coarse, level)
    checkpoint()
    buried = np.maximum(change, np.float32(0.0))
    buried *= np.float32(1.0 / (_BURIED * level.step_x))
    np.minimum(buried, np.float32(1e6), out=buried)  # its square must not be infinite
    buried *= buried
    buried /= buried + np.float32(1.0)
    bumps = height - pyramid.prolong(before, coarse, level)
    bumps *= buried
    change -= bumps
    return change
