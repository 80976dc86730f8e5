# SPDX-License-Identifier: GPL-3.0-or-later
"""Debris flows scour steep gullies, and build fans at their mouths."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import erosion, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import power_of, tangent_of
from ..base.grid import Grid
from ..base.params import integer, land_curves, number
from ..curves import named
from ..erosion import debris, slides
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..curves.land_curve import LandCurve
    from ..erosion.debris.bed import Cells
    from ..erosion.drawn.valleys import PackedRivers
    from ..rasters import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_COARSEST = 300
"""Samples along the shorter side of the level on which debris flows, and up to twice as many: on land 4 km
wide these are some 8 meters apart, about as wide as surges are."""

_BEYOND = 12
"""Samples of that level beyond each border, from which surges come in, and over which they go on."""

_DEPTH = 1.0 / 500.0
"""Deepest scour as a share of the terrain's width, if none is given."""

_CATCHMENT = 1.0 / 100.0
"""Side of the least square that drains to a source, as a share of the width: 40 meters on land 4 km wide."""

_FEWEST = 3.0
"""Samples along such a square, at least: smaller gullies cannot be seen."""

_GROWTH = 0.05
"""Meters by which the side of a cube as large as a surge grows on a meter of steep bed: 16,000 cubic meters on
half a kilometer, some 30 on each. Hungr, Morgan & Kellerhals (1984) give 5 to 30 for all debris of an event."""

_HALF, _WIDEST, _BANK, _REACH = 0.0015, 0.01, 0.6, 0.02
"""Of drawn gullies: half of the width of their bed in widths of the terrain, at least and at most; rise over run of their
banks, and how far these go in widths of the terrain."""

_FLATTEST = 0.9
"""Of the start slope: debris that starts rests on gentler beds only."""

_VANISHING = 1e-30
"""Depths and shares so small are like zero: float32 has no inverse of them."""

_HELD = 310.0
"""Bytes of memory for each sample on which debris flows."""


@modifier_type("debris_flow", "Debris Flow")
class DebrisFlow(Modifier):
    """Debris scours steep gullies, builds levees and spreads as fans.

    Fans are as steep as debris rests, with their tops at the mouths of the gullies. Nothing is lost: what
    was scoured lies below.

    Notes
    -----
    In each event surges start in half of the gullies that are steep and large enough. They follow the fall
    of the ground with some inertia, take from their bed where it is steep, pile up stones at their margins,
    and rest where it is gentle. The next ones go around what lies there, so that lobe by lobe a fan comes to
    be. They run on 300 to 599 samples along the shorter side, the same at every resolution.
    More than 72 events come two or three at a time, and of surges that would take ten times as long as usual a random
    sample runs.

    References
    ----------
    Oldrich Hungr, Gerry C. Morgan, Robert Kellerhals (1984). Quantitative analysis of debris torrent hazards
    for design of remedial measures. Canadian Geotechnical Journal 21.
    Richard M. Iverson (1997). The physics of debris flows. Reviews of Geophysics 35.
    Dieter Rickenmann (1999). Empirical relationships for debris flows. Natural Hazards 19.
    Tamotsu Takahashi (2007). Debris Flow: Mechanics, Prediction and Countermeasures. Taylor & Francis.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import slope
    >>> from noise_core.modifiers import DebrisFlow
    >>> from noise_core.noises import Fractal

    Steep flanks lose stones, which come to rest at their feet:

    >>> grid = Grid(65, 65, size=2000.0)
    >>> mountains = 600.0 * Fractal(kind="ridged").sample_grid(grid, seed=1)
    >>> relief = DebrisFlow().apply(mountains, grid, seed=1)
    >>> sorted(relief.maps)
    ['scree', 'wear']
    >>> steepness = slope(mountains, grid)
    >>> scoured, settled = (steepness[relief.maps[name] > 0.1].mean() for name in ("wear", "scree"))
    >>> bool(scoured > settled)
    True
    """

    makes: ClassVar[Mapping[str, str]] = {
        "scree": "Thickness of the stones and mud that came to rest, in meters",
        "wear": "Thickness of what was scoured, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"scree", "wear"})
    routes_water: ClassVar[bool] = True

    amount: float = number(
        1.0,
        help="Volume of debris taken from gullies; 0 changes nothing",
        minimum=0.0,
        maximum=20.0,
        soft_maximum=4.0,
        unit="factor",
    )
    events: int = integer(
        24,
        help="Number of debris flows: more fill valleys higher and build larger fans",
        minimum=1,
        maximum=200,
        soft_maximum=100,
        visible_when=("amount", 0.0),
    )
    start_slope: float = number(
        22.0,
        help="Slope at which debris starts, in degrees",
        minimum=5.0,
        maximum=60.0,
        soft_minimum=15.0,
        soft_maximum=40.0,
        unit="angle",
        visible_when=("amount", 0.0),
    )
    rest_slope: float = number(
        8.0,
        help="Slope at which debris comes to rest, in degrees; less flows further",
        minimum=1.0,
        maximum=30.0,
        soft_minimum=3.0,
        soft_maximum=15.0,
        unit="angle",
        visible_when=("amount", 0.0),
    )
    levees: float = number(
        0.5,
        help="Height of the levees beside debris flows; 0 makes smooth fans",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("amount", 0.0),
    )
    depth: float = number(
        0.0,
        help="Maximum depth of gullies in meters",
        automatic=(1.0 / 500.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=50.0,
        unit="length",
        visible_when=("amount", 0.0),
    )
    catchment: float = number(
        0.0,
        help="Side of the smallest catchment with debris in meters",
        automatic=(1.0 / 100.0, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=500.0,
        unit="length",
        advanced=True,
        visible_when=("amount", 0.0),
    )
    rivers: tuple[LandCurve | str, ...] = land_curves(
        tuple,
        help="Curves of gullies in which all debris flows start and run, from their heads down",
        exclusive=True,
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Let debris flow on a coarse level, and add its change to the finer samples."""
        if self.amount == 0.0:
            return stages.StagedRelief(
                height, {name: stages.fill(run, name, 0.0) for name in self.makes}
            )
        channels = None
        if self.rivers:
            chains = named.only_chains(self.rivers, "DebrisFlow.rivers", run.grid.width)
            height, channels = erosion.drawn.valleys.lead(
                run, height, chains, self._channel(run.grid)
            )
        levels = run.level.pyramid(_COARSEST)
        ground = run.subsample_all(height, levels)[-1]
        flow = functools.partial(
            self._flow, grid=run.grid, seed=seed, finest=run.level, channels=channels
        )
        with run.portion(0.0, 0.9):
            stage = stages.Local(
                "flow", flow, None, across=stages.whole_source, makes=("change",), held=_HELD
            )
            around = stages.continuation.widen(run, ground, levels[-1].widen(_BEYOND))
            state = run.local(stage, around, on=levels[-1])
        # Bumps of the finer samples stay, so that water does not run straight over fans.
        with run.portion(0.9, 1.0):
            law = stages.Spread(run, levels, slides.balancing.balance_stage)
            (change,) = stages.climb(len(levels), state, law, run)
        lay = stages.Local("lay", _lay, makes=("height", *self.makes), held=0.0)
        result, *maps = run.local(lay, height, change)
        run.drop([change])
        return stages.StagedRelief(result, dict(zip(self.makes, maps)))

    def _flow(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        grid: Grid,
        seed: int,
        finest: Level,
        channels: PackedRivers | None,
    ) -> Field:
        """Return the change of the level on which debris flows."""
        law, catchment, (wide,) = self.law(grid), self._catchment(target), parts
        drawn = [] if channels is None else _cells(channels, finest, wide.level)
        if channels is not None and not drawn:
            return np.zeros(target.shape, np.float32)
        change = debris.events.flow(
            wide.values, wide.level, law, catchment, self.events, seed, progress, drawn
        )
        inner = stages.continuation.on_land(change, wide.level, target)
        return slides.balancing.balance(np.ascontiguousarray(inner))

    def law(self, grid: Grid) -> debris.surges.DebrisLaw:
        """Return the parameters of surges on a terrain."""
        return debris.surges.DebrisLaw(
            tangent_of(self.start_slope),
            tangent_of(min(self.rest_slope, _FLATTEST * self.start_slope)),
            _GROWTH * power_of(self.amount, 1.0 / 3.0),
            self.depth if self.depth > _VANISHING else _DEPTH * grid.width,
            self.levees if self.levees > _VANISHING else 0.0,
        )

    def _channel(self, grid: Grid) -> erosion.drawn.valleys.ValleyLaw:
        """Return the channels of drawn gullies."""
        size = grid.width
        half, depth = _HALF * size, 0.5 * self.law(grid).depth
        return erosion.drawn.valleys.ValleyLaw(half, depth, _BANK, _REACH * size, _WIDEST * size)

    def _catchment(self, level: Level) -> float:
        """Return the least area that drains to a source on a level, in square meters."""
        side = self.catchment or _CATCHMENT * level.width
        return max(side, _FEWEST * max(level.step_x, level.step_y)) ** 2


def _cells(channels: PackedRivers, finest: Level, wide: Level) -> list[Cells]:
    """Return the numbers of the cells of drawn gullies on a level with samples beyond the borders."""
    margin = wide.beyond
    inner = replace(wide, rows=wide.rows - 2 * margin, columns=wide.columns - 2 * margin)
    frame = erosion.drawn.places.LevelFrame(finest, inner, (margin, margin))
    runs = [
        run
        for river in erosion.drawn.valleys.unpack(channels)[0]
        for run in frame.runs(river.vertices)
    ]
    return [row * wide.columns + column for row, column in runs]


def _lay(target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, ...]:
    """Return the changed height, the deposit and the scour, of the height and its change."""
    height, change = (part.values for part in parts)
    none = np.float32(0.0)
    return change + height, np.maximum(change, none), np.maximum(-change, none)
