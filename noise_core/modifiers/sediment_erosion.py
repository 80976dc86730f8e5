# SPDX-License-Identifier: GPL-3.0-or-later
"""Water washes slopes down and lays them out as valley floors."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress, checkpoint
from ..base.params import integer, number
from ..erosion import pipes, slides
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_COARSEST = 64
"""Samples along the shorter side of the coarsest level."""

_SHARES = (4.0, 2.8, 2.0)
"""How many times as many steps the coarsest levels take; all others take one share, in longer steps."""

_STRIDE = 2.5
"""How many steps one of the finer levels is worth, at most: they only sharpen. Tried on mountains and on noise at
1024 samples: the terrain is that of single steps within 0.04 % of the relief on average, floors as flat. On
the coarsest levels, where valleys fill, twice as long steps would leave a fifth more slope on floors."""

_WEATHER = {
    "pull": 0.03, "friction": 1.0, "rain": 5e-4, "dry": 0.985, "capacity": 1.4, "exchange": 0.1,
}  # fmt: skip
"""What the parameters are multiples of, for a step of length 1. Pipes overshoot from a pull of 0.25 on. A depth of 0.033
comes to stand where nothing flows. Tried on mountains of 1500 m: floors become flat and rocks keep their
shape; with twice the capacity valleys fill to half their height."""

_BURIED = 0.2
"""Deposit on a coarser level, in spacings of the finer one, under which half the finer one's bumps are
lost: they would print through the floors."""

_AT_ONCE = 7
"""Rounds over a tile in one go, each of which needs up to ten more samples around it."""

_IN_CACHE = 1e7
"""Bytes of the strips on which it rains at once."""


@modifier_type("sediment_erosion", "Sediment Erosion")
class SedimentErosion(Modifier):
    """Rain washes slopes down and fills flat valley floors; borders are walls.

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
        "water": "Depth of the water at the end, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"wear", "deposit"})
    routes_water: ClassVar[bool] = True

    steps: int = integer(
        100,
        help="Duration of the rain, in steps at full resolution",
        minimum=0,
        maximum=400,
        soft_maximum=200,
    )
    rain: float = number(
        1.0,
        help="Amount of rain: more makes wider rivers and higher floors",
        minimum=0.0,
        maximum=4.0,
        soft_minimum=0.25,
        soft_maximum=2.0,
        unit="factor",
        visible_when=("steps", 0.0),
    )
    capacity: float = number(
        1.0,
        help="Carrying capacity of water: more digs deeper and fills higher",
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

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Let it rain on coarse levels first, and measure the moved ground."""
        levels = run.level.pyramid(_COARSEST)
        law = _Floods(self, run, levels, run.restrict_all(height, levels))
        state = (law.heights[-1], stages.fill(run, "water", 0.0, levels[-1]))
        result, water = stages.climb(len(levels), state, law, run)
        moved = stages.Local("moved", _split_change, makes=("wear", "deposit"), held=4.0)
        wear, deposit = run.local(moved, height, result)
        return stages.StagedRelief(result, {"wear": wear, "deposit": deposit, "water": water})

    def steps_on(self, place: int) -> tuple[int, float]:
        """Return number and length of the steps on the level that is `place` levels finer than the coarsest."""
        if place < len(_SHARES):
            return round(self.steps * _SHARES[place]), 1.0
        count = math.ceil(self.steps / _STRIDE)
        return count, self.steps / max(count, 1)

    def fall(
        self, level: Level, parts: Sequence[Part], rounds: Sequence[int], *, stride: float = 1.0
    ) -> tuple[Field, ...]:
        """Return the state after some rounds of steps of some length, of a state or of dry ground in meters."""
        rain, fields = self.rain_on(level, stride), [part.values for part in parts]
        flood = rain.begin(fields[0]) if len(fields) == 1 else pipes.WaterState(*fields)
        for steps in rounds:
            flood = rain.fall(flood, steps)
        return flood.arrays()

    def settle(self, target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, ...]:
        """Return ground and depth of water of a state, in meters."""
        flood = pipes.WaterState(*(part.values for part in parts))
        return self.rain_on(target).settle(flood)

    def rain_on(self, level: Level, stride: float = 1.0) -> Rain:
        """Return the rain on a level, or on a part of one, in steps of some length."""
        weather = pipes.PipeModelParams(**_WEATHER)
        weather = dataclasses.replace(
            weather, rain=weather.rain * self.rain, capacity=weather.capacity * self.capacity
        ).over(stride)
        unit = dataclasses.replace(level, step_y=level.step_y / level.step_x, step_x=1.0)
        repose = slides.talus.TalusParams.from_steepness(
            unit, rasters.steepness.rise_over_run(self.talus_angle)
        )
        return Rain(unit, np.float32(level.step_x), weather, repose, max(round(stride), 1))


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
    slides : int
        How often steep ground slides after each round.
    """

    level: Level
    spacing: np.float32
    weather: pipes.PipeModelParams
    repose: slides.talus.TalusParams
    slides: int

    def begin(self, height: Field) -> pipes.WaterState:
        """Return dry ground, of heights in meters."""
        return pipes.WaterState.dry(height / self.spacing)

    def fall(self, flood: pipes.WaterState, steps: int) -> pipes.WaterState:
        """Return the state after a round of `rounds`, in which steep ground has slid."""
        flood = pipes.simulate(flood, self.level, self.weather, steps)
        ground = slides.talus.slide(flood.ground, self.level, self.repose, self.slides)
        return dataclasses.replace(flood, ground=ground)

    def settle(self, flood: pipes.WaterState) -> tuple[Field, Field]:
        """Return ground and depth of water in meters, after all that is carried has sunk."""
        return (flood.ground + flood.load) * self.spacing, flood.water * self.spacing


@dataclasses.dataclass(frozen=True)
class _Floods:
    """Rain on some levels; see `levelled.LevelLaw`. The state is the height and the depth of water."""

    modifier: SedimentErosion
    run: Runner
    levels: Sequence[Level]
    heights: Sequence[Raster]

    def refine(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Add the change of the coarser level, whose water stays as it is."""
        result, water = state
        stage = stages.Local("change", _refine_change, makes=("change",), held=16.0)
        heights, level = self.heights[place : place + 2], self.levels[place]
        (change,) = self.run.local(stage, result, *heights[::-1], on=level)
        return slides.balancing.add_balanced(self.run, heights[0], change), water

    def solve(self, place: int, state: tuple[Raster, ...]) -> tuple[Raster, ...]:
        """Let it rain, if it is not enough."""
        height, water = state
        run, level = self.run, self.levels[place]
        if place + 1 < len(self.levels) and run.is_enough():
            refine = stages.Local("water", _refine_water, makes=("water",), held=8.0)
            return (height, *run.local(refine, water, on=level))
        steps, stride = self.steps_on(place)
        if steps == 0:
            return height, stages.fill(run, "water", 0.0, level)
        stage = stages.Rounds(
            "rain",
            functools.partial(self.modifier.fall, stride=stride),
            rounds(steps),
            reach_of,
            makes=tuple(field.name for field in dataclasses.fields(pipes.WaterState)),
            at_once=_AT_ONCE,
            in_cache=_IN_CACHE,
        )
        flood = run.rounds(stage, (height,))
        settle = stages.Local("settle", self.modifier.settle, makes=("height", "water"), held=4.0)
        settled = run.local(settle, *flood)
        run.drop((height, *flood), settled)
        return settled

    def steps_on(self, place: int) -> tuple[int, float]:
        """Return number and length of the steps on a level."""
        return self.modifier.steps_on(len(self.levels) - 1 - place)

    def cost(self, place: int) -> float:
        """Return steps times samples."""
        level = self.levels[place]
        return float(self.steps_on(place)[0] * level.rows * level.columns)


def rounds(steps: int) -> tuple[int, ...]:
    """Return steps in rounds after which ground slides."""
    return tuple(min(pipes.STEPS, steps - done) for done in range(0, steps, pipes.STEPS))


def reach_of(steps: int) -> int:
    """Return how far a round of so many steps carries anything, in samples."""
    return pipes.REACH * steps + round(_STRIDE)


def _refine_change(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    """Return the change of a level by that of a coarser one, which also buries bumps; not yet balanced.

    The parts are the coarser height after and before, and the finer height before.
    """
    result, old, height = parts
    coarse = old.level
    change = rasters.pyramid.prolong(result.values - old.values, coarse, target)
    checkpoint()
    buried = np.maximum(change, np.float32(0.0))
    buried *= np.float32(1.0 / (_BURIED * target.step_x))
    np.minimum(buried, np.float32(1e6), out=buried)  # its square must not be infinite
    buried *= buried
    buried /= buried + np.float32(1.0)
    bumps = height.values - rasters.pyramid.prolong(old.values, coarse, target)
    bumps *= buried
    change -= bumps
    return change


def _refine_water(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    """Return the depth of water of a coarser level."""
    (water,) = parts
    return np.maximum(rasters.pyramid.prolong(water.values, water.level, target), np.float32(0.0))


def _split_change(target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, Field]:
    """Return wear and deposit, of the heights before and after."""
    old, new = (part.values for part in parts)
    change, none = new - old, np.float32(0.0)
    return np.maximum(-change, none), np.maximum(change, none)
