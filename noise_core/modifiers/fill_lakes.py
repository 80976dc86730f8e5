# SPDX-License-Identifier: GPL-3.0-or-later
"""Hollows filled with water."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import flow_routing, rasters
from ..base.arrays import Field
from ..base.blocks import Progress, checkpoint
from ..base.grid import Grid
from ..base.params import boolean, number
from .bases.modifier import Modifier, Relief, modifier_type

if TYPE_CHECKING:
    from ..rasters import Level
    from ..rasters.connected import Labels

_AUTOMATIC = 0.004
"""Width of a shore as a share of the terrain's: two samples of 512."""

_AT_ONCE = 1 << 18
"""Samples under water that are sorted between two checkpoints: some 20 milliseconds."""


@modifier_type("fill_lakes", "Fill Lakes")
class FillLakes(Modifier):
    """Fills hollows with level ground up to their outlets; Stream Erosion keeps lakes.

    The height becomes that of the water, and is solid ground: landscapes lay no water over it, and plants
    grow there. What lies under it can be had back by the map of depths. The sea, if there is one, is filled
    to its level. To keep hollows with water in them, see `StreamErosion.lakes`.

    Notes
    -----
    Water leaves at the border, or into the sea. On a grid that wraps and has no sea it has to end
    somewhere: the lowest place of all stays dry. What is filled is, to the bit, what
    Priority-Flood gives.

    References
    ----------
    Richard Barnes, Clarence Lehman, David Mulla (2014). Priority-flood: an optimal
    depression-filling and watershed-labeling algorithm for digital elevation models. Computers &
    Geosciences 62.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import FillLakes

    A basin 10 m deep in a plain at 50 m, with an outlet at 45 m:

    >>> grid = Grid(9, 9, size=800.0)
    >>> height = np.full(grid.shape, 50.0, np.float32)
    >>> height[2:7, 2:7] = 40.0
    >>> height[4, 7:] = 45.0
    >>> filled = FillLakes(smallest=0.0, sea=False).apply(height, grid)
    >>> print(filled.maps["lake"][4].round(1))
    [0. 0. 5. 5. 5. 5. 5. 0. 0.]
    """

    makes: ClassVar[Mapping[str, str]] = {
        "lake": "Depth of the water in meters",
        "shore": "Nearness of the shore, from 0 (far) to 1 (at the water's edge)",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"lake"})
    routes_water: ClassVar[bool] = True
    keeps_border: ClassVar[str] = "water leaves over it at its height"

    whole_land_values: ClassVar[Mapping[str, str]] = {
        "deepest": "one lake may lie in all tiles, and its deepest place in any",
        "smallest": "one lake may lie in all tiles",
    }

    deepest: float = number(
        0.0,
        help="Maximum depth of lakes in meters; 0 fills them to the brim",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
    )
    smallest: float = number(
        0.0,
        help="Width of the smallest lake, in meters",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
    )
    sea: bool = boolean(False, help="Flood all ground below a level, where rivers end")
    level: float = number(
        0.0,
        help="Height of the sea in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        label="Sea Level",
        visible_when=("sea", True),
    )
    shore: float = number(
        0.0,
        help="Width of the shore in meters",
        automatic=(1.0 / 250.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
        label="Shore Width",
    )

    @property
    def needs_meters(self) -> bool:
        """See `Modifier.needs_meters`: 0 is a share of the width."""
        return self.smallest > 0.0 or self.shore > 0.0

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the height of ground and water, the depth, and the shore."""
        level = rasters.Level.from_grid(grid)
        surface = self._fill(height, level)
        progress(0.6)
        if self.deepest > 0.0 or self.smallest > 0.0:
            surface = self._limit_water(surface, height, level)
        lake = surface - height
        checkpoint()
        progress(0.8)
        water = np.greater(lake, 0.0).astype(np.float32)
        shore = shore_of(rasters.boxes.blur(water, level, 0.5 * self.shore_width(grid)))
        progress(1.0)
        return Relief(surface, {"lake": lake, "shore": shore})

    def shore_width(self, grid: Grid) -> float:
        """Return the width of the shore on the map, in meters."""
        return self.shore or _AUTOMATIC * grid.width

    def _fill(self, height: Field, level: Level) -> Field:
        """Return the height with all basins filled to the brim, as a new array."""
        if not self.sea:
            filled = flow_routing.routing.fill(height, level)
            return filled.copy() if filled is height else filled
        flooded = np.maximum(height, np.float32(self.level))
        return flow_routing.routing.route(
            flooded, level, flow_routing.outlets.border(level) | (height <= np.float32(self.level))
        ).filled

    def _limit_water(self, surface: Field, height: Field, level: Level) -> Field:
        """Return the water without small lakes, and no deeper than allowed."""
        ground = np.maximum(height, np.float32(self.level)) if self.sea else height
        lakes, count = rasters.connected.label_components(surface > ground, level.wrap)
        checkpoint()
        wet = lakes < count
        names, depths = lakes[wet], ground[wet]
        checkpoint()
        cells = np.bincount(names, minlength=count)
        bottoms = _lowest(names, depths, count)
        tops = np.full(count + 1, np.inf, np.float32)
        if self.deepest > 0.0:
            tops[:count] = bottoms + np.float32(self.deepest)
        # A round lake of that width.
        least = math.pi / 4.0 * self.smallest * self.smallest / (level.step_x * level.step_y)
        tops[:count][cells < least] = -np.inf
        limit = tops.take(lakes)
        checkpoint()
        return np.maximum(ground, np.minimum(surface, limit))


def shore_of(water: Field) -> Field:
    """Return the nearness of the water's edge, from 0 to 1.

    Parameters
    ----------
    water : ndarray of shape (rows, columns), float32
        The share of the surroundings of each sample that is water; written to.
    """
    # Half of what lies around a place on the edge is water.
    water -= np.float32(0.5)
    np.abs(water, out=water)
    water *= np.float32(-2.0)
    water += np.float32(1.0)
    return np.clip(water, np.float32(0.0), np.float32(1.0), out=water)


def _lowest(names: Labels, heights: Field, count: int) -> Field:
    """Return the lowest height of each label from 0 to count - 1, all of which occur."""
    lowest = np.full(count, np.inf, np.float32)
    for start in range(0, len(names), _AT_ONCE):
        checkpoint()
        order = np.argsort(heights[start : start + _AT_ONCE], kind="stable")[::-1] + start
        some = np.full(count, np.inf, np.float32)
        some[names[order]] = heights[order]  # of several the last wins, which is the lowest
        np.minimum(lowest, some, out=lowest)
    return lowest
