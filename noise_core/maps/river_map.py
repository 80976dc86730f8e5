# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers, as wide as they are drawn on a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import flow_routing, rasters
from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import number
from .bases.map import Map, map_type

if TYPE_CHECKING:
    from ..rasters.height_field import HeightField
    from ..rasters.level import Level

DEFAULT_SHARE = 1e-3
"""Of all ground."""

DEFAULT_WIDTH = 1.0 / 300.0
"""Of the width of the terrain."""

_CLASSES = 4
"""Sizes of rivers. Each drains four times as much ground as the one before and is twice as wide:
the width of rivers grows with the square root of their water."""


@map_type("river", "River")
class River(Map):
    """Rivers: 1 in the middle of the largest, 0 off the banks, less in small ones.

    Notes
    -----
    Unlike the flow, which is that of single samples, it is smooth: beds are bands around the
    samples of a river, so that shaders can draw them.

    References
    ----------
    Luna B. Leopold, Thomas Maddock (1953). The hydraulic geometry of stream channels and some
    physiographic implications. US Geological Survey Professional Paper 252.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.maps import River
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=5000.0)
    >>> rivers = River(threshold=100000.0).values(500.0 * Fractal().sample_grid(grid, seed=1), grid)
    >>> bool(rivers.min() == 0.0), bool(0.9 < rivers.max() <= 1.0)
    (True, True)
    """

    threshold: float = number(
        0.0,
        help="Drainage area at which a brook begins in square meters",
        automatic=(1.0 / 1000.0, "terrain area"),
        minimum=0.0,
        maximum=1e12,
        soft_maximum=1e6,
    )
    width: float = number(
        0.0,
        help="Width of the largest rivers in meters",
        automatic=(1.0 / 300.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
    )

    @property
    def needs_meters(self) -> bool:
        """See `Map.needs_meters`: 0 is a share of the land."""
        return self.threshold > 0.0 or self.width > 0.0

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 1.0)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        return self.beds(flow_routing.surface_flow.drainage_areas(surface), surface.level, progress)

    def halves(self, level: Level) -> list[float]:
        """Return half the widths of beds in samples, of brooks first."""
        widest = 0.5 * (self.width or DEFAULT_WIDTH * level.width) / level.step_x
        # A bed narrower than a sample still shows: it fades over the one beside it.
        return [max(widest * 2.0 ** (size + 1 - _CLASSES), 1.0) for size in range(_CLASSES)]

    def beds(
        self, areas: npt.NDArray[np.float64], level: Level, progress: Progress = blocks.unheard
    ) -> Field:
        """Return the beds on ground through each of whose samples so many others drain.

        On a part of a land they lack rivers farther off than the widest `halves`.
        """
        rows, columns = level.whole_shape
        cells = self.threshold / (level.step_x * level.step_x) or DEFAULT_SHARE * (rows * columns)
        result = np.zeros(level.shape, np.float32)
        for size, half in enumerate(self.halves(level)):
            is_river = areas >= cells * 4.0**size
            progress((size + 0.5) / _CLASSES)
            if not is_river.any():
                break
            near = rasters.distance_field.distance_within(is_river, half, level.wrap)
            strength = (size + 2) / (_CLASSES + 1)
            near *= np.float32(-strength / half)
            near += np.float32(strength)
            np.maximum(result, near, out=result)
        return result
