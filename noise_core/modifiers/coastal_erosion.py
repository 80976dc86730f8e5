# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves cut the coast, and lay beaches into bays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import erosion, stages
from ..base.elementary import tangent_of
from ..base.grid import Grid
from ..base.params import bearing, number
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..erosion.coast.process import CoastProcess
    from ..stages import Raster, Runner, StagedRelief

_RETREAT = 1.0 / 80.0
_FETCH = 0.3
"""Of the terrain's width, if nothing is given; the fetch is about as far as bays are wide."""

_MOST = 1.0 / 12.0
_LEAST = 1e-3
"""The retreat is at most this share of the terrain's shorter side, and at least this of a sample, which cannot
be seen: how long the work takes grows with the samples in it."""

_ROCK = 3.0
"""Distance of hard places in retreats, if none is given: waves cut the softer ground between out to bays."""

_FINEST = 1e-3
"""Retreats between hard places, at least: no sample shows less."""

_FOOT = 0.5
"""Height of the foot of a cliff above the sea, in heights of waves: platforms lie between the tides, and
their inner edge above the mean sea."""

_START = 0.25
"""From the foot of a cliff to where the platform reaches the sea, in retreats at most."""

_LOWEST = 1e-6
"""Meters; lower waves lay no beach that a float32 could hold."""

_STEEPEST_PLATFORM = 2.8
"""Degrees; platforms have up to 3 (Sunamura 1992), and around capes and coves distances are a few percent off."""


@modifier_type("coastal_erosion", "Coastal Erosion")
class CoastalErosion(Modifier):
    """Sea waves cut cliffs and platforms, leave stacks and build beaches in bays.

    Shores open to the waves wear back, headlands more than bays and lee shores hardly at all. Part of
    what was worn off settles where waves are weaker; the rest goes down to deep water.

    Notes
    -----
    The force of waves is that of open water before a shore, over all directions that they come from,
    worked out on 128 to 255 samples along the shorter side: the same at every resolution. It says how far
    the shore retreats, with the hardness of the rock. Where that is, the foot of the cliff, is a contour
    between samples. Platform, cliff and beach are profiles over the distance from it, in meters.

    References
    ----------
    Tsuguo Sunamura (1992). Geomorphology of Rocky Coasts. Wiley.
    Robert S. Anderson, Alexander L. Densmore, Michael A. Ellis (1999). The generation and degradation of
    marine terraces. Basin Research 11.
    Andrew D. Ashton, A. Brad Murray, Olivier Arnoult (2001). Formation of coastline features by large-scale
    instabilities induced by high-angle waves. Nature 414.
    Robert G. Dean (1991). Equilibrium beach profiles: characteristics and applications. Journal of Coastal
    Research 7.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import CoastalErosion
    >>> from noise_core.noises import Gradient

    Waves of a sea at 0 m wear down the shore of a round island 200 m high:

    >>> grid = Grid(129, 129, size=2000.0)
    >>> island = 200.0 * Gradient(shape="radial", radius=0.4).sample_grid(grid)
    >>> shore = CoastalErosion(sea_level=0.0).apply(island, grid, seed=1)
    >>> sorted(shore.maps)
    ['beach', 'wear']
    >>> bool(shore.maps["wear"].max() > 1.0), bool(shore.maps["wear"][64, 64] == 0.0)
    (True, True)
    """

    makes: ClassVar[Mapping[str, str]] = {
        "beach": "Thickness of settled sand, in meters",
        "wear": "What waves took, and what fell from cliffs, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"beach", "wear"})

    strength: float = number(
        1.0,
        help="Duration of wave erosion; 0 changes nothing",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=2.0,
        unit="factor",
    )
    sea_level: float = number(
        0.0,
        help="Height of the water, in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    retreat: float = number(
        0.0,
        help="Retreat of an open coast in meters",
        automatic=(1.0 / 80.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    direction: float = bearing(
        45.0,
        help="Direction of most waves",
        visible_when=("strength", 0.0),
    )
    spread: float = number(
        120.0,
        help="Spread of wave directions to either side, in degrees; 180 reaches all shores",
        minimum=0.0,
        maximum=180.0,
        unit="angle",
        visible_when=("strength", 0.0),
    )
    fetch: float = number(
        0.0,
        help="Open water for full wave force in meters",
        automatic=(0.3, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=10000.0,
        unit="length",
        advanced=True,
        visible_when=("strength", 0.0),
    )
    wave_height: float = number(
        2.0,
        help="Height of storm waves in meters; sets the level of beaches and cliff feet",
        minimum=0.0,
        maximum=1000.0,
        soft_maximum=6.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    cliff_angle: float = number(
        58.0,
        help="Steepest stable cliff in degrees; gentler ground keeps its slope",
        minimum=10.0,
        maximum=85.0,
        soft_minimum=35.0,
        soft_maximum=80.0,
        unit="angle",
        visible_when=("strength", 0.0),
    )
    platform_angle: float = number(
        1.5,
        help="Maximum slope of the platform in front of cliffs, in degrees",
        minimum=0.1,
        maximum=_STEEPEST_PLATFORM,
        unit="angle",
        advanced=True,
        visible_when=("strength", 0.0),
    )
    rock_variation: float = number(
        0.7,
        help="Variation of rock hardness: bays in soft rock, headlands and stacks in hard rock",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    rock_size: float = number(
        0.0,
        help="Distance between hard places in meters",
        automatic=(3.0, "retreat"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=2000.0,
        unit="length",
        visible_when=("rock_variation", 0.0),
    )
    sand: float = number(
        0.4,
        help="Fraction of the eroded rock that stays as beaches",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    beach_slope: float = number(
        6.0,
        help="Slope of beaches in degrees; steeper for coarse sand",
        minimum=0.5,
        maximum=20.0,
        soft_minimum=2.0,
        soft_maximum=10.0,
        unit="angle",
        advanced=True,
        visible_when=("sand", 0.0),
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Measure the force of waves on a coarse level, cut the coast by it, and lay beaches."""
        low, high = run.range_of(height)
        has_coast = low < np.float32(self.sea_level) <= high
        if self.strength == 0.0 or run.holds(not has_coast):
            return stages.StagedRelief(
                height, {name: stages.fill(run, name, 0.0) for name in self.makes}
            )
        process = self._process(run.grid, seed)
        result, beach, wear = process.run(run, height)
        return stages.StagedRelief(result, {"beach": beach, "wear": wear})

    def coast(self, grid: Grid) -> erosion.coast.cliffs.Coast:
        """Return the parameters of waves that cut a terrain."""
        retreat = self.strength * (self.retreat or _RETREAT * grid.width)
        side = grid.width * (min(1.0, grid.depth) or 1.0)  # of a single row that of the row
        return erosion.coast.cliffs.Coast(
            self.sea_level,
            min(max(retreat, _LEAST * grid.spacing), _MOST * side),
            _FOOT * self.wave_height,
            tangent_of(self.platform_angle),
            tangent_of(self.cliff_angle),
        )

    def waves(self, grid: Grid) -> erosion.coast.waves.Waves:
        """Return the waves before a terrain."""
        return erosion.coast.waves.Waves(
            self.direction, self.spread, self.fetch or _FETCH * grid.width
        )

    def rock(self, coast: erosion.coast.cliffs.Coast) -> erosion.coast.rock.CoastalRock:
        """Return how the hardness of the rock of a coast varies."""
        size = max(self.rock_size or _ROCK * coast.retreat, coast.retreat * _FINEST)
        return erosion.coast.rock.CoastalRock(self.rock_variation, size)

    def beach(self, coast: erosion.coast.cliffs.Coast) -> erosion.coast.beaches.Beach:
        """Return the profile of beaches at the foot of a coast."""
        start = min(coast.foot / coast.platform, _START * coast.retreat)
        return erosion.coast.beaches.Beach(
            tangent_of(self.beach_slope), max(self.wave_height, _LOWEST), start
        )

    def _process(self, grid: Grid, seed: int) -> CoastProcess:
        """Return the work of waves on a terrain."""
        coast = self.coast(grid)
        return erosion.coast.process.CoastProcess(
            grid=grid,
            seed=seed,
            coast=coast,
            waves=self.waves(grid),
            rock=self.rock(coast),
            beach=self.beach(coast),
            sand=self.sand if self.wave_height else 0.0,
        )
