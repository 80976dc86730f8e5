# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves cut the coast, and lay beaches into bays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..base.arrays import Field
from ..base.blocks import CountedProgress, Progress
from ..base.elementary import tangent_of
from ..base.grid import Grid
from ..base.params import bearing, number
from ..erosion.coast import beaches, cliffs, rock, shore, waves
from ..rasters import pyramid
from ..rasters.level import Level
from .bases.modifier import Modifier, Relief, modifier_type

if TYPE_CHECKING:
    from ..erosion.coast.shore import Shore

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

_STEPS = 6


@modifier_type("coastal_erosion", "Coastal Erosion")
class CoastalErosion(Modifier):
    """Waves cut platforms and cliffs into land at sea level, leave stacks, and lay beaches into bays.

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
        "beach": "Thickness of the sand that settled, in meters",
        "wear": "What waves took, and what fell from cliffs, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"beach", "wear"})

    strength: float = number(
        1.0,
        help="How long waves cut: the retreat is multiplied by it; 0 changes nothing",
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
        help="How far an open coast wears back in meters; 0 takes an eightieth of the width; at most a twelfth of the shorter side",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    direction: float = bearing(
        45.0,
        help="Where most waves run to",
        visible_when=("strength", 0.0),
    )
    spread: float = number(
        120.0,
        help="How far other waves come from to either side of that, in degrees; 180 strikes all shores, with little lee",
        minimum=0.0,
        maximum=180.0,
        unit="angle",
        visible_when=("strength", 0.0),
    )
    fetch: float = number(
        0.0,
        help="Open water over which waves gain all their force, in meters; shores with less are sheltered; 0 takes three tenths of the width",
        minimum=0.0,
        maximum=1e9,
        soft_maximum=10000.0,
        unit="length",
        advanced=True,
        visible_when=("strength", 0.0),
    )
    wave_height: float = number(
        2.0,
        help="Height of storm waves in meters: how high beaches and the feet of cliffs lie, and how deep sand does",
        minimum=0.0,
        maximum=1000.0,
        soft_maximum=6.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    cliff_angle: float = number(
        58.0,
        help="The steepest cliff that stands, in degrees; gentler land keeps its slope above a low cliff",
        minimum=10.0,
        maximum=85.0,
        soft_minimum=35.0,
        soft_maximum=80.0,
        unit="angle",
        visible_when=("strength", 0.0),
    )
    platform_angle: float = number(
        1.5,
        help="How steeply the platform before cliffs falls to the sea at most, in degrees",
        minimum=0.1,
        maximum=_STEEPEST_PLATFORM,
        unit="angle",
        advanced=True,
        visible_when=("strength", 0.0),
    )
    rock_variation: float = number(
        0.7,
        help="How much rock varies: soft places become bays, hard ones headlands with stacks before them",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    rock_size: float = number(
        0.0,
        help="Distance of hard places in meters; 0 takes three times the retreat",
        minimum=0.0,
        maximum=1e9,
        soft_maximum=2000.0,
        unit="length",
        visible_when=("rock_variation", 0.0),
    )
    sand: float = number(
        0.4,
        help="Share of what was worn off that may stay as beaches; the rest goes down to deep water",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    beach_slope: float = number(
        6.0,
        help="How steeply beaches rise from the water, in degrees: coarse sand lies more steeply",
        minimum=0.5,
        maximum=20.0,
        soft_minimum=2.0,
        soft_maximum=10.0,
        unit="angle",
        advanced=True,
        visible_when=("sand", 0.0),
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the land with its coast worn, the sand that settled, and what was taken."""
        is_sea = height < np.float32(self.sea_level)
        if self.strength == 0.0 or is_sea.all() or not is_sea.any():
            progress(1.0)
            return Relief(height.copy(), {name: np.zeros_like(height) for name in self.makes})
        del is_sea
        report = CountedProgress(progress, _STEPS)
        coast = self.coast(grid)
        levels = shore.levels_of(Level.from_grid(grid))
        away = coast.shore_distance(height, levels)
        report.add(1)
        old = shore.Shore.on(levels, height, away, self.sea_level)
        force = old.force(self.waves(grid), coast.retreat)
        report.add(1)
        strength = shore.refine(force, levels)
        stone = self.rock(coast)
        back = stone.retreat(strength, grid, seed)
        foot = coast.foot_distance(away, stone.hold_cores(back, strength, grid, seed), levels)
        report.add(1)
        made = coast.share(strength, foot, away)
        del strength
        cut = self._cut(height, foot, made, (old, coast), grid, seed)
        del made
        wear: Field = height - cut
        report.add(1)
        if self.rock_variation > 0.0:  # sand lies along the coast, not around each stack
            foot = coast.foot_distance(away, back, levels)
        del away, back
        report.add(1)
        beach = self._lay(cut, wear, foot, (force, coast), levels)
        report.add(1)
        return Relief(cut + beach, {"beach": beach, "wear": wear})

    def coast(self, grid: Grid) -> cliffs.Coast:
        """Return what waves cut a terrain by."""
        retreat = self.strength * (self.retreat or _RETREAT * grid.width)
        side = grid.width * (min(1.0, grid.depth) or 1.0)  # of a single row that of the row
        return cliffs.Coast(
            self.sea_level,
            min(max(retreat, _LEAST * grid.spacing), _MOST * side),
            _FOOT * self.wave_height,
            tangent_of(self.platform_angle),
            tangent_of(self.cliff_angle),
        )

    def waves(self, grid: Grid) -> waves.Waves:
        """Return the waves before a terrain."""
        return waves.Waves(self.direction, self.spread, self.fetch or _FETCH * grid.width)

    def rock(self, coast: cliffs.Coast) -> rock.CoastalRock:
        """Return how the hardness of the rock of a coast varies."""
        size = max(self.rock_size or _ROCK * coast.retreat, coast.retreat * _FINEST)
        return rock.CoastalRock(self.rock_variation, size)

    def beach(self, coast: cliffs.Coast) -> beaches.Beach:
        """Return the profile of beaches at the foot of a coast."""
        start = min(coast.foot / coast.platform, _START * coast.retreat)
        return beaches.Beach(tangent_of(self.beach_slope), max(self.wave_height, _LOWEST), start)

    def _cut(
        self,
        height: Field,
        foot: Field,
        share: Field,
        places: tuple[Shore, cliffs.Coast],
        grid: Grid,
        seed: int,
    ) -> Field:
        """Return the land with platforms and cliffs, by the distance from these and the share that is made."""
        old, coast = places
        level = Level.from_grid(grid)
        floor = shore.refine(old.slope(coast.retreat), [level, old.level])
        buttress = self.rock(coast).buttresses(grid, seed)
        cut = coast.cut(height, foot, share, floor, buttress)
        return coast.slide(cut, level, share)

    def _lay(
        self,
        ground: Field,
        wear: Field,
        foot: Field,
        waves: tuple[Field, cliffs.Coast],
        levels: list[Level],
    ) -> Field:
        """Return the thickness of sand: part of what was worn off, where waves are weaker."""
        if self.sand == 0.0 or self.wave_height == 0.0:
            return np.zeros_like(ground)
        force, coast = waves
        beach, coarse = self.beach(coast), levels[-1]
        new = shore.Shore.on(levels, ground, foot, self.sea_level)
        worn = pyramid.restrict_all(wear, levels)[-1]
        wide = beach.widths(worn, force, new, self.sand, coast.retreat)
        laid = beach.lay(ground, foot, shore.refine(wide, [levels[0], coarse]), self.sea_level)
        return beaches.limit(laid, wear, self.sand)
