# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers wander over their valleys' floors."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from .. import erosion, stages
from ..base.grid import Grid
from ..base.params import choice, land_curves, number
from ..curves import named
from ..erosion import meanders
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..curves.land_curve import LandCurve
    from ..erosion.meanders.drawn_rivers import Drawn
    from ..erosion.meanders.process import Meandering
    from ..stages import Raster, Runner, StagedRelief

_WIDTH = 0.01
"""Width of the largest river as a share of the terrain's width, if none is given."""

_NARROWEST, _WIDEST = 1.0 / 400.0, 0.08
"""Widths of rivers as shares of the terrain's shorter side: narrower ones are lost between samples, wider
ones have no room to wander."""

_DEPTH = 1.0 / 12.0
"""Depth in widths, if none is given: meandering rivers are 10 to 20 times as wide as deep."""

_AREA = 1.0 / 40.0
"""Share of the terrain that a river drains at least, if no area is given."""

_LEAST_AREA = 1e-3
"""The same at least: creeks that drain less are lost between samples."""

_WALL, _LEAST_WALL = 3.0, 1e-3
"""Height in depths of the largest river at which valley walls hold it, if none is given; in its widths at least."""

_BANK, _REACH = 0.5, 0.05
"""Rise over run of the valley walls of drawn rivers, and how far they go in widths of the terrain."""

_STEPS = 430
"""Of a river that wanders for long enough: bends are whole then, and the first are cut off."""

_POINT_STEPS = 1_800_000
"""Points of all rivers times steps, at most, before bends make them longer."""

_TAPS = 3
"""Samples around a place that a spline takes."""

_HELD = 26.0
"""Bytes of memory for each sample into which rivers are carved."""


@modifier_type("meanders", "Meanders")
class Meanders(Modifier):
    """Rivers wander over flat valley floors with bends, bars and oxbow lakes.

    Bends grow and move downstream until they meet themselves and are cut off. Valley walls hold them.
    In steep valleys rivers stay as they are. Drawn rivers begin on their curves, with the widths of their points.

    Notes
    -----
    Rivers are found by the flow on 160 to 319 samples along the shorter side, the same at every resolution,
    and move as curves in meters. They keep the heights of the valley that they run in, so that water
    runs down all along; the ground around them is leveled to their banks. Where rivers end, at the
    border, at the sea or in another river, they stay. Chance belongs to the number of a river: on land that
    wraps another origin gives other bends. The smallest rivers are left out where all would take ten times as
    long as usual.
    Drawn rivers get a valley that falls to their mouths, where the ground has none; those that the flow finds join them,
    and none comes in over the border then. Their ends stay.
    All rivers but the one that comes in begin on the terrain, so that there are fewer near borders: the ground
    changes less there than in the middle of a larger terrain.

    References
    ----------
    Alan D. Howard, Thomas R. Knutson (1984). Sufficient conditions for river meandering: a simulation
    approach. Water Resources Research 20.
    Syunsuke Ikeda, Gary Parker, Kenji Sawai (1981). Bend theory of river meanders. Part 1. Linear
    development. Journal of Fluid Mechanics 112.
    Luna B. Leopold, M. Gordon Wolman (1960). River meanders. Geological Society of America Bulletin 71.
    Axel Paris, Eric Guerin, Pauline Collon, Eric Galin (2023). Authoring and simulating meandering rivers.
    ACM Transactions on Graphics 42.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Meanders
    >>> from noise_core.noises import Gradient, Perlin

    A river of the water of at least 2 square kilometers winds down a gentle valley:

    >>> grid = Grid(65, 65, size=4000.0)
    >>> valley = 60.0 * Gradient(shape="linear", falloff=1.0).sample_grid(grid)
    >>> valley += 5.0 * Perlin(frequency=3.0).sample_grid(grid, seed=4)
    >>> relief = Meanders(drainage_area=2e6).apply(valley, grid, seed=4)
    >>> sorted(relief.maps)
    ['channel']
    """

    makes: ClassVar[Mapping[str, str]] = {
        "channel": "Depth of the water in rivers and oxbow lakes, in meters"
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"channel"})
    routes_water: ClassVar[bool] = True
    keeps_border: ClassVar[str] = (
        "rivers end there, or come in; on a torus they end in hollows, so that it has others"
    )

    strength: float = number(
        1.0,
        help="Duration of wandering: 0.5 makes gentle bends, 1.5 cuts many off",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=2.0,
        unit="factor",
    )
    width: float = number(
        0.0,
        help="Width of the largest river in meters",
        automatic=(1.0 / 100.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    depth: float = number(
        0.0,
        help="Depth of the largest river in meters",
        automatic=(1.0 / 12.0, "width"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=20.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    flood_plain: float = number(
        4.0,
        help="Width of the flood plain on each side of the bends, in river widths",
        minimum=0.0,
        maximum=50.0,
        soft_maximum=10.0,
        visible_when=("strength", 0.0),
    )
    wall_height: float = number(
        0.0,
        help="Height of valley walls that confine a river, in meters",
        automatic=(3.0, "depth"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=50.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    oxbows: float = number(
        1.0,
        help="Depth of oxbow lakes; 0 fills them",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    bars: float = number(
        1.0,
        help="Height of scroll bars and levees; 0 leaves the plain smooth",
        minimum=0.0,
        maximum=3.0,
        soft_maximum=2.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    drainage_area: float = number(
        0.0,
        help="Area whose water makes a river, in square meters",
        automatic=(1.0 / 40.0, "terrain area"),
        minimum=0.0,
        maximum=1e12,
        soft_maximum=1e7,
        visible_when=("strength", 0.0),
    )
    inflow: float = number(
        0.5,
        help="Fraction of the largest river's water that enters over the border",
        minimum=0.0,
        maximum=0.95,
        unit="factor",
        advanced=True,
        visible_when=("strength", 0.0),
    )
    outlets: str = choice(
        "border",
        help="Places where rivers end",
        options={
            "border": "The border; the lowest hollows of a seamless terrain",
            "sea": "The border, and ground below sea level",
        },
        visible_when=("strength", 0.0),
    )
    sea_level: float = number(
        0.0,
        help="Height of the sea, in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        visible_when=("outlets", ("sea",)),
    )
    rivers: tuple[LandCurve | str, ...] = land_curves(
        tuple, help="Curves on which rivers begin to wander, as wide as their points"
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Find rivers on a coarse level and let them wander; their curves are carved into all parts of the land."""
        nothing = {"channel": stages.fill(run, "channel", 0.0)}
        if self.strength == 0.0 or min(run.level.shape) == 1:
            return stages.StagedRelief(height, nothing)
        levels = run.level.pyramid(meanders.process.COARSEST)
        meandering, drawn = self.meandering(run.grid), None
        if self.rivers:
            height, drawn = self._lead(run, height)
        ground = run.subsample_all(height, levels)[-1]
        find = functools.partial(meandering.find, seed=seed, drawn=drawn)
        with run.portion(0.0, 0.5):
            plain_courses = run.solve("courses", find, ground)
        if plain_courses == ():
            return stages.StagedRelief(height, nothing)
        run.drop(list(nothing.values()))
        lay = functools.partial(meandering.plain, plain_courses=plain_courses)
        plain = stages.Local("plain", lay, None, makes=("height", "share"), held=_HELD)
        on_plain = run.local(plain, on=levels[-1])
        carve = functools.partial(meandering.carve, plain_courses=plain_courses)
        stage = stages.Local("carve", carve, _TAPS, makes=("height", "channel"), held=_HELD)
        with run.portion(0.5, 1.0):
            result, channel = run.local(stage, height, *on_plain)
        run.drop(on_plain)
        return stages.StagedRelief(result, {"channel": channel})

    def _lead(self, run: Runner, height: Raster) -> tuple[Raster, Drawn]:
        """Return the height with valleys along drawn rivers, and these."""
        size = run.grid.width
        side = size * min(1.0, run.grid.depth)
        rivers = named.only_chains(self.rivers, "Meanders.rivers", size)
        narrowest, widest = 0.5 * _NARROWEST * side, 0.5 * _WIDEST * side
        law = erosion.drawn.valleys.ValleyLaw(narrowest, 0.0, _BANK, _REACH * size, widest)
        height, floors = erosion.drawn.valleys.lead(run, height, rivers, law, self._sea)
        return height, (floors, run.level)

    @property
    def _sea(self) -> float | None:
        return self.sea_level if self.outlets == "sea" else None

    @property
    def _steps(self) -> int:
        return max(1, round(_STEPS * self.strength))

    def meandering(self, grid: Grid) -> Meandering:
        """Return how rivers wander on a terrain."""
        side = grid.width * min(1.0, grid.depth)
        widest = min(max(self.width or _WIDTH * grid.width, _NARROWEST * side), _WIDEST * side)
        depth = min(self.depth or _DEPTH * widest, widest)
        area = grid.width * grid.width * grid.depth
        return meanders.process.Meandering(
            widths=meanders.rivers.RiverWidths(
                max(self.drainage_area or _AREA * area, _LEAST_AREA * area),
                widest,
                _NARROWEST * side,
                self.inflow,
                _POINT_STEPS // self._steps,
            ),
            bed=meanders.bed.RiverBed(depth / widest, self.oxbows, self.bars),
            steps=self._steps,
            wall=max(self.wall_height or _WALL * depth, _LEAST_WALL * widest),
            reach=self.flood_plain,
            sea=self._sea,
        )
