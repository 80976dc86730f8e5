# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..curves import named
from ..erosion.stream import detail, following, land
from ..erosion.stream import law as stream_law
from ..erosion.stream.parameters import COARSEST, StreamErosionParameters
from .bases.modifier import Modifier, Relief, modifier_type

if TYPE_CHECKING:
    from ..erosion.stream.law import StreamLaw
    from ..rasters import Level


@modifier_type("stream_erosion", "Stream Erosion")
class StreamErosion(StreamErosionParameters, Modifier):
    """Rivers cut valleys, slopes follow them, and lakes fill up.

    The stream-power law: ground wears down by its slope times a power of the area that drains
    through it. Water is led along an exact flow tree, so that a few large steps do, and from coarse
    to fine levels, so that valleys connect across the whole terrain. Where they fall less than graded
    rivers do, they fill up, with fans at the mouths of their tributaries. The strength has no unit: the
    same number gives the same look at any size.

    Notes
    -----
    Levels are counted from the coarsest, which has 128 to 255 samples along its shorter side and gives
    the land its shape. Each finer one does less, and rises by what it wears down on the whole, so
    that more samples add detail and do not wear more. They have bent grids: see
    `erosion.stream.bending`; the last step is on the samples themselves. Chance hangs on the global place of a sample: a wrapping grid whose
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

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import StreamErosion
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=8000.0)
    >>> land = 800.0 * Fractal().sample_grid(grid, seed=8)
    >>> eroded = StreamErosion().apply(land, grid, seed=8)
    >>> {"flow", "wear", "deposit", "lake"} <= set(eroded.maps)
    True
    >>> bool(eroded.maps["wear"].max() > 10.0)
    True

    The same seed gives the same land; a mask of 0 leaves it as it was:

    >>> import numpy as np
    >>> spared = StreamErosion().apply(land, grid, seed=8, mask=np.zeros(grid.shape)).height
    >>> bool(np.array_equal(spared, land))
    True
    """

    makes: ClassVar[Mapping[str, str]] = {
        "flow": "Water that passes: the logarithm of the drainage area, 0 to 1",
        "wear": "Ground worn by rivers and slides, in meters",
        "deposit": "Ground deposited, in meters",
        "lake": "Depth of lakes, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"wear", "deposit"})

    routes_water: ClassVar[bool] = True
    keeps_border_values: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "mode": {"grow": "mountains rise above it"},
        "outlets": {"fixed": "rivers end there", "lowest": "rivers end in the lowest ground"},
    }
    whole_land_values: ClassVar[Mapping[str, str]] = {
        "orographic_rain": "rain depends on all terrain upwind, at every step",
        "rivers": "a drawn river falls from its head to its mouth, across all tiles, at every step",
        "ridges": "crests are moved onto drawn ridges along their whole length at once",
    }

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the eroded height with maps of flow, wear, deposits and lakes."""
        lowest, highest = float(height.min()), float(height.max())
        if highest == lowest or self.strength == 0.0:
            return Relief(height.copy(), {name: np.zeros_like(height) for name in self.makes})
        finest = rasters.Level.from_grid(grid)
        law = self.law(finest, seed, lowest, highest)
        pictures = detail.build_bases(height, law.land.levels)
        if self.rivers or self.ridges:
            lines = (
                named.only_chains(getattr(self, name), f"StreamErosion.{name}", grid.width)
                for name in ("rivers", "ridges")
            )
            law, pictures = following.follow(law, pictures, *lines)
        offsets = None
        if law.layers is not None:
            offsets = detail.build_bases(law.layers.offset(grid, seed), law.land.levels)
        bases = [law.base(picture, place) for place, picture in enumerate(pictures)]
        before = bases[0] if law.grows else height
        result = law.erode(pictures, bases, offsets, progress)
        result = following.finish(law, result, pictures[0]).within_bounds()
        change = result.height - before
        none = np.zeros(1, np.float32)
        wear, deposit = np.maximum(-change, none), np.maximum(change, none)
        maps = {"flow": result.flow, "wear": wear, "deposit": deposit, "lake": result.lake}
        return Relief(result.height, maps)

    def law(self, finest: Level, seed: int, lowest: float, highest: float) -> StreamLaw:
        """Return the law of the parameters on a land; heights are those before, in meters."""
        levels = finest.pyramid(COARSEST)
        return stream_law.StreamLaw(self, land.StreamLand(levels, seed, lowest, highest))
