# SPDX-License-Identifier: GPL-3.0-or-later
"""Level ground."""

from __future__ import annotations

from .bases.chance import Chance
from .bases.ground import RobotGround, slab
from .bases.sub_terrain import SubTerrain, sub_terrain_type


@sub_terrain_type("flat", "Flat", {"mjlab": {}, "isaac_lab": {}})
class Flat(SubTerrain):
    """Level ground at every difficulty."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        return RobotGround.of(0.0, slab(self.half, -1.0, 0.0))
