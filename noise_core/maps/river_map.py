# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers, as wide as they are drawn on a map."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.params import number
from ..flow_routing import surface_flow
from ..rasters import distance_field
from ..types.height_field import HeightField
from ..types.map import Map, map_type

DEFAULT_SHARE = 1e-3
"""Of all ground."""

DEFAULT_WIDTH = 1.0 / 300.0
"""Of the width of the terrain."""

_CLASSES = 4
"""Sizes of rivers. Each drains four times as much ground as the one before and is twice as wide:
the width of rivers grows with the square root of their water."""


@map_type("river", "River")
class River(Map):
    """Rivers and brooks, 1 in the middle of the largest, 0 off the banks; small ones are less and narrower.

    Notes
    -----
    Unlike the flow, which is that of single samples, it is smooth: beds are bands around the
    samples of a river, so that shaders can draw them.

    References
    ----------
    Luna B. Leopold, Thomas Maddock (1953). The hydraulic geometry of stream channels and some
    physiographic implications. US Geological Survey Professional Paper 252.
    """

    threshold: float = number(
        0.0,
        help="Drainage area, in square meters, at which a brook begins; 0 takes a thousandth of the terrain",
        minimum=0.0,
        maximum=1e12,
        soft_maximum=1e6,
    )
    width: float = number(
        0.0,
        help="From bank to bank of the largest rivers; 0 takes a 300th of the width",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
    )

    def bounds(self) -> tuple[float, float]:
        """See `Map.bounds`."""
        return (0.0, 1.0)

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """See `Map.read`."""
        level = surface.level
        areas = surface_flow.drainage_areas(surface)
        cells = self.threshold / surface.cell_area or DEFAULT_SHARE * areas.size
        widest = 0.5 * (self.width or DEFAULT_WIDTH * level.width) / surface.spacing
        result = np.zeros(level.shape, np.float32)
        for size in range(_CLASSES):
            is_river = areas >= cells * 4.0**size
            progress((size + 0.5) / _CLASSES)
            if not is_river.any():
                break
            # A bed narrower than a sample still shows: it fades over the one beside it.
            half = max(widest * 2.0 ** (size + 1 - _CLASSES), 1.0)
            near = distance_field.distance_within(is_river, half, level.wrap)
            strength = (size + 2) / (_CLASSES + 1)
            near *= np.float32(-strength / half)
            near += np.float32(strength)
            np.maximum(result, near, out=result)
        return result
