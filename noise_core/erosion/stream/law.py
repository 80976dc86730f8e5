# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of stream erosion: numbers for each level of a land, from its parameters."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import flow_routing
from ...base.arrays import Field
from ...base.blocks import Progress
from ...base.elementary import power_of, tangent_of
from ...rasters import surroundings
from .. import drawn
from . import land as stream_land
from . import land_levels, limits, process, schedules, variation
from . import rock as rock_layers
from .parameters import StreamErosionParameters

if TYPE_CHECKING:
    from ...flow_routing.descent import FlowRandomness
    from ...flow_routing.directions import Mask
    from ...flow_routing.outlets import EndsOfRivers
    from ...rasters.level import Level
    from ..drawn.guide import Guide
    from .bending import Bend
    from .land import StreamLand
    from .limits import LevelTerrain, StreamPowerParams
    from .rock import RockLayers
    from .schedules import Schedule
    from .variation import StreamVariation

_STEPS = {
    "preview": (6, (1,)),
    "final": (8, (3, 2, 1)),
    "thorough": (16, (8, 6, 4)),
    "ridges": (8, (4, 2, 1)),
    "grow": (40, (15, 8, 5)),
}
"""Steps on the coarsest level and on the next finer ones; by quality or mode. "final" with ridges has more on the level after
the coarsest: valleys grow from a dam in several steps only, and after few its flanks are walls."""

_SLIDES = (3, 3, 3, 1)
"""Cells that slides across divides go in one step, likewise: without them valleys of unequal depth
meet at walls (by eye)."""

_BURIED = 0.006
"""Share of the relief; deposits this thick hide half of the detail below."""

_FLATTEST = 1e-3
"""Fall of a lake's floor, as a share of the relief over the width."""

_QUARTER = 0.25
"""Share of the land that drains through the middle of one side of it, about: where strengths and falls are told."""


@dataclass(frozen=True)
class StreamLaw:
    """Stream erosion of a land.

    Attributes
    ----------
    parameters : StreamErosionParameters
    land : StreamLand
    guide : Guide or None
        Rivers and ridges that are drawn.
    """

    parameters: StreamErosionParameters
    land: StreamLand
    guide: Guide | None = None

    def erode(
        self,
        pictures: Sequence[Field],
        bases: Sequence[Field],
        offsets: Sequence[Field] | None,
        progress: Progress,
        until: int = 0,
    ) -> process.ErosionResult:
        """Return the ground of a level after the steps on it and on all coarser ones.

        Parameters
        ----------
        pictures, bases : sequence of ndarray, float32
            Heights before of each level, as given and as erosion begins with them, in meters; those of
            levels finer than `until` are not read.
        offsets : sequence of ndarray, float32, optional
            Of the layers of rock, likewise.
        progress : callable
        until : int
            Place of the level to end with.
        """
        around = self.surroundings

        def ground(place: int, level: Level, bend: Bend | None) -> LevelTerrain:
            def on_level(field: Field) -> Field:
                if place == len(self.land.levels) - 1:
                    field = around.extend(field)
                return field if bend is None else bend.bend(field)

            picture = on_level(pictures[place]) if self.reads_picture else pictures[place]
            fixed = self.fixed_cells(level, picture)
            offset = None if offsets is None else on_level(offsets[place])
            terrain = self.terrain(place, level, picture, fixed, offset)
            if self.guide is None:
                return terrain
            is_wide = place == len(self.land.levels) - 1
            margin = (around.down, around.along) if is_wide else (0, 0)
            back = None if bend is None else bend.back
            frame = drawn.places.LevelFrame(
                self.land.levels[0], self.land.levels[place], margin, back
            )
            return dataclasses.replace(terrain, guide=self.guide.on(frame))

        land = land_levels.LandLevels(bases, self.land.levels, ground, around)
        return process.erode(land, self.streams, self.schedule, self.bends, progress, until=until)

    def fixed_cells(self, level: Level, picture: Field) -> Mask:
        """Return the cells of a whole level in which rivers end and that keep their height: shape (rows, columns)."""
        ends = self.ends_of_rivers(
            level,
            lambda some: bool(some.cells(picture, level).any()),
            lambda share: flow_routing.outlets.lowest_limit(picture, share),
        )
        return ends.cells(picture, level)

    @property
    def grows(self) -> bool:
        """Whether mountains grow out of a plain."""
        return self.parameters.mode == "grow"

    @property
    def surroundings(self) -> surroundings.Surroundings:
        """Land around the coarsest level, if rivers leave over its border; mountains grow from there."""
        is_open = self.is_open and not self.grows
        return surroundings.Surroundings.of(self.land.levels[-1], is_open)

    @property
    def schedule(self) -> Schedule:
        """Steps on each level."""
        guide = self.guide
        quality = "grow" if self.grows else self.parameters.quality
        left_out = 1 if quality == "preview" else 0
        if quality == "final" and guide is not None and guide.has_dams(self.land.levels[0]):
            quality = "ridges"
        is_late = self.grows and guide is not None
        return schedules.Schedule(*_STEPS[quality], self.parameters.finest, left_out, is_late)

    @property
    def buried(self) -> float:
        """Meters of deposit under which half of the finer detail vanishes."""
        return _BURIED * self.land.span

    def base(self, picture: Field, place: int, level: Level | None = None) -> Field:
        """Return the height of a level, or of a part of it, before erosion."""
        if not self.grows:
            return picture
        land = self.land
        level = level or land.levels[place]
        return stream_land.plain(picture, level, land.seed, land.span, self.parameters.randomness)

    def plain(self, picture: Field, place: int, level: Level) -> Field | None:
        """Return the plain that mountains grow from on a level or on a part of it, None if they do not grow."""
        return self.base(picture, place, level) if self.grows else None

    @property
    def bends(self) -> FlowRandomness | None:
        """Bend of the grids of all levels."""
        return self._variation.of_flow(6)

    @property
    def reads_picture(self) -> bool:
        """Whether the ground of a level depends on its heights before."""
        wraps, ends = self.land.levels[0].wrap, self.parameters.outlets
        has_plain_border = not wraps and ends in ("open", "fixed")
        return self.grows or not has_plain_border

    def terrain(
        self,
        place: int,
        level: Level,
        picture: Field,
        fixed: Mask,
        offset: Field | None = None,
        base: float | None = None,
    ) -> LevelTerrain:
        """Return the properties of the terrain on a level or on a part of it.

        Parameters
        ----------
        place : int
            Of the level.
        level : Level
            It, or a part of it.
        picture : ndarray of its shape, float32
            Its height before, in meters.
        fixed : ndarray of that shape, bool
            Cells in which rivers end and that keep their height.
        offset : ndarray of that shape, float32, optional
            Of the layers of rock.
        base : float, optional
            See `RockLayers.hardness`.
        """
        number = len(self.land.levels) - 1 - place
        layers, rock = self.layers, None
        if layers is not None and offset is not None:
            rock = layers.below(offset, self.land.seed, base)
        return limits.LevelTerrain(
            fixed=fixed,
            is_open=self.is_open,
            uplift=stream_land.uplift(picture, self.land.lowest) if self.grows else None,
            plain=self.plain(picture, place, level),
            rock=rock,
            randomness=self._variation.of_flow(3),
            steepest=self._variation.of_slope(
                tangent_of(self.parameters.talus_angle), level, number
            ),
            slides=self.slides(place),
            unevenness=self._variation.of_falls(level) if self.parameters.valley_fill else 1.0,
            rain=self.parameters.rain(self.land.span, self.land.levels[0].width),
        )

    @property
    def streams(self) -> StreamPowerParams:
        """Parameters of the process, the same on all levels."""
        # Strength and fall relate to a square as large as the terrain, draining through its middle.
        land, parameters = self.land, self.parameters
        area = land.levels[0].width * land.levels[0].depth
        strength = parameters.strength * (stream_land.GROWING_TIME if self.grows else 1.0)
        main_river = power_of(_QUARTER * area, parameters.exponent)
        return limits.StreamPowerParams(
            duration=strength * math.sqrt(area) / main_river,
            exponent=parameters.exponent,
            gentlest=_FLATTEST * land.span / math.sqrt(area),
            fall=parameters.valley_fill * land.span / math.sqrt(area) * main_river,
            fan=tangent_of(parameters.fan_angle),
            smoothing=parameters.smoothing,
            sediment=parameters.sediment,
            deepest_lake=parameters.lake_depth * land.span if parameters.lakes == "keep" else None,
            buried=self.buried,
        )

    @property
    def is_open(self) -> bool:
        """Whether rivers leave over the border too."""
        return self.parameters.outlets in ("open", "sea")

    def slides(self, place: int) -> int:
        """Return how many cells far slides go in one step on a level."""
        return variation.item_or_last(_SLIDES, len(self.land.levels) - 1 - place)

    def ends_of_rivers(
        self,
        level: Level,
        occur: Callable[[EndsOfRivers], bool],
        lowest_limit: Callable[[float], float],
    ) -> EndsOfRivers:
        """Return the rule for the cells in which rivers end, which keep their height.

        Parameters
        ----------
        level : Level
            The whole one.
        occur : callable
            Says whether the level has such cells.
        lowest_limit : callable
            Gives the height up to which a share of its cells lies; see `outlets.lowest_limit`.
        """
        if self.parameters.outlets == "sea":
            sea = flow_routing.outlets.EndsOfRivers("below", self.parameters.sea_level)
            if not level.wrap or occur(sea):
                return sea
        if level.wrap or self.parameters.outlets == "lowest":
            return flow_routing.outlets.EndsOfRivers(
                "lowest", lowest_limit(self.parameters.lowest_share)
            )
        return flow_routing.outlets.EndsOfRivers("nowhere" if self.is_open else "border")

    @property
    def layers(self) -> RockLayers | None:
        """Layers of rock under the land, None if all is one rock."""
        parameters = self.parameters
        if parameters.layer_thickness == 0.0:
            return None
        thickness = max(parameters.layer_thickness, self.land.span / rock_layers.MAX_LAYERS)
        return rock_layers.RockLayers(thickness, parameters.layer_contrast, parameters.layer_bend)

    @property
    def _variation(self) -> StreamVariation:
        return variation.StreamVariation(self.land.seed, self.parameters.randomness)
