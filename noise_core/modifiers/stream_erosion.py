# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import power_of, tangent_of
from ..base.grid import Grid
from ..base.params import choice, integer, number
from ..erosion.stream import land as stream_land
from ..erosion.stream import limits, process
from ..erosion.stream import rock as rock_layers
from ..flow_routing import descent, outlets
from ..lattice.hash import child_seed
from ..types.level import Level
from ..types.modifier import Modifier, Relief, modifier_type

if TYPE_CHECKING:
    from ..erosion.stream.bending import Bend
    from ..erosion.stream.land import StreamLand
    from ..erosion.stream.limits import LevelTerrain, StreamPowerParams
    from ..erosion.stream.rock import RockLayers
    from ..flow_routing.descent import FlowRandomness
    from ..flow_routing.directions import Mask
    from ..flow_routing.outlets import EndsOfRivers

_COARSEST = 128
"""Samples along the shorter side of the coarsest level: fewer lose the valleys."""

_STEPS = {
    "preview": (6, (1,)),
    "final": (8, (3, 2, 1)),
    "thorough": (16, (8, 6, 4)),
    "grow": (40, (15, 8, 5)),
}
"""Steps on the coarsest level and on the next finer ones; by quality or mode."""

_SPREAD = 0.4
"""How much the steepest slope varies from place to place at full randomness: without it hillsides
are ruled like facets, with more they are grainy."""

_UNEVENNESS = 0.7
"""The same of the falls to which valleys fill up, on every level: without it rivers run straight along the grid
over fans, which are planes."""

_GRAINS = (1.0, 0.6, 0.4, 0.3)
"""How much of that there is on the coarsest level and the next finer ones, the last number for all
others: on a fine level it would be seen cell by cell."""

_SLIDES = (3, 3, 3, 1)
"""Cells that slides across divides go in one step, likewise: without them valleys of unequal depth
meet at walls (by eye)."""

_BURIED = 0.006
"""Share of the relief; deposits this thick hide half of the detail below."""

_FLATTEST = 1e-3
"""Fall of a lake's floor, as a share of the relief over the width."""

_QUARTER = 0.25
"""Share of the land that drains through the middle of one side of it, about: where strengths and falls are told."""


@modifier_type("stream_erosion", "Stream Erosion")
class StreamErosion(Modifier):
    """Rivers cut valleys, slopes follow them, and lakes fill up.

    The stream-power law: ground wears down by its slope times a power of the area that drains
    through it. Water is led along an exact flow tree, so that a few large steps do, and from coarse
    to fine levels, so that valleys connect across the whole terrain. Where they fall less than graded
    rivers do, they fill up, with fans at the mouths of their tributaries. The strength has no unit: the
    same number gives the same look at any size.

    Notes
    -----
    Levels are counted from the coarsest, which has 128 to 255 samples along its shorter side and gives
    the land its shape. Each finer one does less, and gives back what it wears down on the whole, so
    that more samples add detail and do not wear more. All but the finest have bent grids: see
    `erosion.stream.bending`. Chance hangs on the global place of a sample: a wrapping grid whose
    origin is shifted by a multiple of the coarsest level's spacing gives the rolled result.

    References
    ----------
    Braun & Willett (2013). A very efficient O(n), implicit and parallel method to solve the stream
    power equation. Geomorphology 180-181.
    Cordonnier, Bovy & Braun (2019). A versatile, linear complexity algorithm for flow routing in
    topographies with depressions. Earth Surface Dynamics 7.
    Yuan et al. (2019). A new efficient method to solve the stream power law model taking into
    account sediment deposition. JGR Earth Surface 124.
    Mackin (1948). Concept of the graded river. Bulletin of the Geological Society of America 59.
    Flint (1974). Stream gradient as a function of order, magnitude, and discharge. Water Resources
    Research 10. (valley fill)
    Tzathas et al. (2024). Physically-based analytical erosion for fast terrain generation.
    Computer Graphics Forum 43. (levels)
    Fairfield & Leymarie (1991). Drainage networks from grid digital elevation models. Water
    Resources Research 27. (randomness)
    """

    makes: ClassVar[Mapping[str, str]] = {
        "flow": "Water that passes: the logarithm of the drainage area, 0 to 1",
        "wear": "What rivers and slides took, in meters",
        "deposit": "What they left, in meters",
        "lake": "Depth of the water in basins without a way out, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"wear", "deposit"})

    mode: str = choice(
        "erode",
        help="What the height is",
        options={
            "erode": "Ground that rivers wear down",
            "grow": "A picture of how fast the ground rises: mountains grow out of a plain",
        },
    )
    strength: float = number(
        0.4,
        help="How far rivers cut: 0.1 scratches the ground, 1 leaves little of it",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.5,
    )
    talus_angle: float = number(
        47.0,
        help="The steepest slope that stands, in degrees",
        minimum=1.0,
        maximum=85.0,
        soft_minimum=20.0,
        soft_maximum=70.0,
        unit="angle",
    )
    exponent: float = number(
        0.5,
        help="How much large rivers cut deeper than small ones",
        minimum=0.1,
        maximum=1.0,
        soft_minimum=0.35,
        soft_maximum=0.6,
        advanced=True,
    )
    sediment: float = number(
        0.0,
        help="How much of what is worn off settles again downstream: softer, flatter valley floors",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    valley_fill: float = number(
        0.06,
        help="How steep rivers keep their valleys, which fill up to an even fall, with fans at their sides; 0 leaves floors level",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
    )
    fan_angle: float = number(
        6.0,
        help="The steepest slope of these fills, in degrees",
        minimum=0.0,
        maximum=45.0,
        soft_maximum=12.0,
        unit="angle",
        visible_when=("valley_fill", 0.0),
        advanced=True,
    )
    smoothing: float = number(
        0.1,
        help="How much creeping soil rounds ridges and gullies",
        minimum=0.0,
        maximum=0.5,
        unit="factor",
    )
    lakes: str = choice(
        "keep",
        help="What becomes of closed basins",
        options={
            "keep": "Deep ones keep their lake",
            "fill": "All fill up to plains that rivers cross",
        },
    )
    lake_depth: float = number(
        0.04,
        help="Basins deeper than this share of the relief keep their lake",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
        unit="factor",
        visible_when=("lakes", ("keep",)),
        advanced=True,
    )
    outlets: str = choice(
        "open",
        help="Where rivers end; a seamless terrain has no border, there it is the lowest ground or the sea",
        options={
            "open": "Beyond the border, which wears down like the rest",
            "fixed": "At the border, which keeps its height",
            "sea": "In everything below the sea level, and beyond the border",
            "lowest": "In the lowest ground, wherever it is",
        },
    )
    sea_level: float = number(
        0.0,
        help="Everything below stays as it is, in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        visible_when=("outlets", ("sea",)),
    )
    lowest_share: float = number(
        0.04,
        help="How much of the ground counts as the lowest",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.5,
        unit="factor",
        visible_when=("outlets", ("lowest",)),
        advanced=True,
    )
    layer_thickness: float = number(
        0.0,
        help="Thickness of the layers of hard and soft rock, in meters; 0 is all one rock",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
    )
    layer_contrast: float = number(
        0.8,
        help="How much harder hard rock is than soft rock",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("layer_thickness", 0.0),
    )
    layer_bend: float = number(
        0.7,
        help="How far the layers rise and fall, in layers",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=3.0,
        visible_when=("layer_thickness", 0.0),
    )
    randomness: float = number(
        0.7,
        help="How much chance has a say in where water flows and how steep rock stands; 0 shows the grid",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        advanced=True,
    )
    quality: str = choice(
        "final",
        help="How many steps it takes",
        options={
            "preview": "None on the finest level and one on the next ones: for trying out",
            "final": "Enough for any look at it",
            "thorough": "Many more: for large strengths",
        },
        visible_when=("mode", ("erode",)),
    )
    finest: int = integer(
        8192,
        label="Finest Samples",
        help="Samples along the shorter side up to which rivers are followed; finer ground keeps its own detail",
        minimum=_COARSEST,
        maximum=65536,
        soft_minimum=_COARSEST,
        soft_maximum=8192,
        advanced=True,
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the eroded height with maps of flow, wear, deposits and lakes."""
        lowest, highest = float(height.min()), float(height.max())
        if highest == lowest or self.strength == 0.0:
            return self._unchanged_relief(height)
        land = self.land(Level.from_grid(grid), seed, lowest, highest)
        pictures = process.build_bases(height, land.levels)
        layers = self.layers(land.span)
        offsets = None
        if layers is not None:
            offsets = process.build_bases(layers.offset(grid, seed), land.levels)
        bases = [self.base(picture, land, place) for place, picture in enumerate(pictures)]
        result = self.erode(land, pictures, bases, offsets, progress).within_bounds()
        change = result.height - bases[0]
        none = np.zeros(1, np.float32)
        wear, deposit = np.maximum(-change, none), np.maximum(change, none)
        maps = {"flow": result.flow, "wear": wear, "deposit": deposit, "lake": result.lake}
        return Relief(result.height, maps)

    def land(self, finest: Level, seed: int, lowest: float, highest: float) -> StreamLand:
        """Return what the parameters relate to; heights are those before, in meters."""
        return stream_land.StreamLand(finest.pyramid(_COARSEST), seed, lowest, highest)

    def erode(
        self,
        land: StreamLand,
        pictures: Sequence[Field],
        bases: Sequence[Field],
        offsets: Sequence[Field] | None,
        progress: Progress,
        until: int = 0,
    ) -> process.ErosionResult:
        """Return the ground of a level after the steps on it and on all coarser ones.

        Parameters
        ----------
        land : StreamLand
        pictures, bases : sequence of ndarray, float32
            Heights before of each level, as given and as erosion begins with them, in meters; those of
            levels finer than `until` are not read.
        offsets : sequence of ndarray, float32, optional
            Of the layers of rock, likewise.
        progress : callable
        until : int
            Place of the level to end with.
        """

        def ground(place: int, bend: Bend | None) -> LevelTerrain:
            level, picture = land.levels[place], pictures[place]
            if bend is not None and self.reads_picture(land):
                picture = bend.bend(picture)
            ends = self.ends_of_rivers(
                level,
                lambda some: bool(some.cells(picture, level).any()),
                lambda share: outlets.lowest_limit(picture, share),
            )
            fixed = ends.cells(picture, level)
            offset = None if offsets is None else offsets[place]
            if bend is not None and offset is not None:
                offset = bend.bend(offset)
            return self.terrain(land, place, level, picture, fixed, offset)

        return process.erode(
            bases,
            land.levels,
            ground,
            self.streams(land),
            self.schedule(),
            self.bends(land.seed),
            self.buried(land),
            progress,
            until=until,
        )

    @property
    def grows(self) -> bool:
        """Whether mountains grow out of a plain."""
        return self.mode == "grow"

    def schedule(self) -> process.Schedule:
        """Return the steps on each level."""
        left_out = 1 if not self.grows and self.quality == "preview" else 0
        steps = _STEPS["grow" if self.grows else self.quality]
        return process.Schedule(*steps, self.finest, left_out)

    def buried(self, land: StreamLand) -> float:
        """Return the meters of deposit under which half of the finer detail vanishes."""
        return _BURIED * land.span

    def base(
        self, picture: Field, land: StreamLand, place: int, level: Level | None = None
    ) -> Field:
        """Return the height of a level, or of a part of it, before erosion."""
        if not self.grows:
            return picture
        level = level or land.levels[place]
        return stream_land.plain(picture, level, land.seed, land.span, self.randomness)

    def bends(self, seed: int) -> FlowRandomness | None:
        """Return what bends the grids of all levels but the finest."""
        return self._randomness(6, seed)

    def reads_picture(self, land: StreamLand) -> bool:
        """Return whether the ground of a level depends on its heights before."""
        has_plain_border = not land.levels[0].wrap and self.outlets in ("open", "fixed")
        return self.grows or not has_plain_border

    def terrain(
        self,
        land: StreamLand,
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
        land : StreamLand
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
        number = len(land.levels) - 1 - place
        rock = None if offset is None else self._rock(land, offset, base)
        return limits.LevelTerrain(
            fixed=fixed,
            is_open=self.is_open,
            uplift=stream_land.uplift(picture, land.lowest) if self.grows else None,
            rock=rock,
            randomness=self._randomness(3, land.seed),
            steepest=self._steepest(level, land.seed, _item_or_last(_GRAINS, number)),
            slides=self.slides(land, place),
            unevenness=self._unevenness(level, land.seed),
        )

    def _unchanged_relief(self, height: Field) -> Relief:
        return Relief(height.copy(), {name: np.zeros_like(height) for name in self.makes})

    def streams(self, land: StreamLand) -> StreamPowerParams:
        """Return the parameters of the process, the same on all levels."""
        # Strength and fall relate to a square as large as the terrain, draining through its middle.
        area = land.levels[0].width * land.levels[0].depth
        strength = self.strength * (stream_land.GROWING_TIME if self.grows else 1.0)
        main_river = power_of(_QUARTER * area, self.exponent)
        return limits.StreamPowerParams(
            duration=strength * math.sqrt(area) / main_river,
            exponent=self.exponent,
            gentlest=_FLATTEST * land.span / math.sqrt(area),
            fall=self.valley_fill * land.span / math.sqrt(area) * main_river,
            fan=tangent_of(self.fan_angle),
            smoothing=self.smoothing,
            sediment=self.sediment,
            deepest_lake=self.lake_depth * land.span if self.lakes == "keep" else None,
        )

    @property
    def is_open(self) -> bool:
        """Whether rivers leave over the border too."""
        return self.outlets in ("open", "sea")

    def slides(self, land: StreamLand, place: int) -> int:
        """Return how many cells far slides go in one step on a level."""
        return _item_or_last(_SLIDES, len(land.levels) - 1 - place)

    def ends_of_rivers(
        self,
        level: Level,
        occur: Callable[[EndsOfRivers], bool],
        lowest_limit: Callable[[float], float],
    ) -> EndsOfRivers:
        """Return what tells the cells in which rivers end, which keep their height.

        Parameters
        ----------
        level : Level
            The whole one.
        occur : callable
            Says whether the level has such cells.
        lowest_limit : callable
            Gives the height up to which a share of its cells lies; see `outlets.lowest_limit`.
        """
        if self.outlets == "sea":
            sea = outlets.EndsOfRivers("below", self.sea_level)
            if not level.wrap or occur(sea):
                return sea
        if level.wrap or self.outlets == "lowest":
            return outlets.EndsOfRivers("lowest", lowest_limit(self.lowest_share))
        return outlets.EndsOfRivers("nowhere" if self.is_open else "border")

    def layers(self, span: float) -> RockLayers | None:
        """Return the layers of rock under a relief of so many meters, None if all is one rock."""
        if self.layer_thickness == 0.0:
            return None
        thickness = max(self.layer_thickness, span / rock_layers.MAX_LAYERS)
        return rock_layers.RockLayers(thickness, self.layer_contrast, self.layer_bend)

    def _rock(
        self, land: StreamLand, offset: Field, base: float | None
    ) -> Callable[[Field], tuple[Field, Field]]:
        layers = self.layers(land.span)
        assert layers is not None  # there is an offset

        def rock(height: Field) -> tuple[Field, Field]:
            hardness = layers.hardness(height, offset, land.seed, base)
            return layers.erodibility(hardness), layers.steepness(hardness)

        return rock

    def _randomness(self, index: int, seed: int) -> FlowRandomness | None:
        if self.randomness == 0.0:
            return None
        return descent.FlowRandomness(child_seed(seed, index), self.randomness)

    def _steepest(self, level: Level, seed: int, share: float) -> Field | float:
        """Return the steepest slope as rise over run, with random variation of the rock."""
        slope = tangent_of(self.talus_angle)
        if self.randomness == 0.0:
            return slope
        return limits.varied(slope, _SPREAD * self.randomness * share, level, child_seed(seed, 5))

    def _unevenness(self, level: Level, seed: int) -> Field | float:
        """Return what the falls of graded rivers are multiplied by."""
        if self.valley_fill == 0.0 or self.randomness == 0.0:
            return 1.0
        return limits.varied(1.0, _UNEVENNESS * self.randomness, level, child_seed(seed, 7))


_Item = TypeVar("_Item")


def _item_or_last(items: Sequence[_Item], number: int) -> _Item:
    """Return an item by its number, the last one for all beyond."""
    return items[min(number, len(items) - 1)]
