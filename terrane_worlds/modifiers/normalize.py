# SPDX-License-Identifier: GPL-3.0-or-later
"""A land stretched to given heights, in tiles."""

from __future__ import annotations

import dataclasses

import numpy as np

from noise_core.modifiers.normalize import Normalize

from ..fields import TiledField
from ..land import Land
from ..rasters.statistics import values_at
from ..registry import Cost
from ..tiling import Window
from . import TiledRelief, register


@register(Normalize, Cost(worker=24.0, disk=0.0))
def normalize(modifier: Normalize, land: Land, height: TiledField, seed: int) -> TiledRelief:
    """Return the stretched height."""
    ranks = modifier.ranks(land.tiling.rows * land.tiling.columns)
    low, high = values_at(height, ranks, land.engine)
    result = land.new_field("height", "float32")
    land.engine.run("stretch", _Stretch(modifier, height, low, high, result), land.tiling.tiles)
    return result, {}


@dataclasses.dataclass(frozen=True)
class _Stretch:
    modifier: Normalize
    height: TiledField
    low: np.float32
    high: np.float32
    result: TiledField

    def __call__(self, tile: Window) -> None:
        height = self.height.read(tile)
        self.result.write(tile, self.modifier.stretch(height, self.low, self.high))
