# SPDX-License-Identifier: GPL-3.0-or-later
"""Footholds over a deep floor: beams, rings and stones, narrower and farther apart the harder."""

from __future__ import annotations

import math

import numpy as np

from ..base.declared import declared_type
from ..base.elementary import cosine_sine_of
from ..base.params import integer
from .bases.chance import Chance
from .bases.ground import Box, RobotGround, frame, slab
from .bases.sub_terrain import (
    FLOOR,
    MOST_CELLS,
    BorderedTerrain,
    check_count,
    meters,
    sub_terrain_type,
    whole_part,
)


@declared_type
class _OverDepth(BorderedTerrain):
    """Base of kinds with a deep floor, and border and platform as high as footholds."""

    height: float = meters(0.2, "Height of the footholds, the border and the platform")
    depth: float = meters(2.0, "Depth of the floor", minimum=0.1)

    def _with_footholds(self, platform: float, boxes: list[Box]) -> RobotGround:
        """Return the ground with a platform of half this side."""
        return RobotGround.of(
            self.height,
            slab(self.half, -self.depth - FLOOR, -self.depth),
            frame(self.half, self.inner, -self.depth, self.height),
            slab(platform, -self.depth, self.height),
            boxes,
        )


@sub_terrain_type("narrow_beams", "Narrow Beams", {"mjlab": {}})
class NarrowBeams(_OverDepth):
    """Beams from a platform outward in all directions."""

    count: int = integer(12, help="Number of beams", minimum=2, maximum=360)
    easy_width: float = meters(0.8, "Width of a beam at difficulty 0", minimum=0.01)
    hard_width: float = meters(0.2, "Width of a beam at difficulty 1", minimum=0.01)

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        width = self.value("width", difficulty)
        # Its corners stay within the beams, however they fall between two of them.
        between = cosine_sine_of(180.0 / self.count)[1]
        platform = min(self.platform, width / (2.0 * math.sqrt(2.0) * between))
        boxes = []
        for beam in range(self.count):
            turn = 360.0 * beam / self.count
            cosine, sine = cosine_sine_of(turn)
            longer, shorter = sorted((abs(cosine), abs(sine)), reverse=True)
            # The farther corner of its end lies on the border.
            end = (self.inner + 0.5 * width * shorter) / longer
            middle, half = 0.5 * (end + platform), 0.5 * (end - platform)
            boxes.append(
                Box(
                    *(middle * cosine, middle * sine, half, 0.5 * width),
                    *(-self.depth, self.height, turn),
                )
            )
        return self._with_footholds(platform, boxes)


@sub_terrain_type("nested_rings", "Nested Rings", {"mjlab": {}})
class NestedRings(_OverDepth):
    """Square rings within each other, with gaps between."""

    count: int = integer(8, help="Greatest number of rings", minimum=1, maximum=100)
    easy_width: float = meters(0.6, "Width of a ring at difficulty 0", minimum=0.01)
    hard_width: float = meters(0.3, "Width of a ring at difficulty 1", minimum=0.01)
    easy_gap: float = meters(0.1, "Gap between rings at difficulty 0")
    hard_gap: float = meters(0.4, "Gap between rings at difficulty 1")
    height: float = meters(0.25, "Height of the rings, the border and the platform")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        width, gap = self.value("width", difficulty), self.value("gap", difficulty)
        outer, boxes = self.inner, []
        for _ in range(self.count):
            if 2.0 * outer <= self.platform_width:
                break
            boxes += frame(outer, outer - width, -self.depth, self.height)
            outer -= width + gap
        # The platform fills the last ring.
        return self._with_footholds(max(outer + gap, 0.005), boxes)


@sub_terrain_type("stepping_stones", "Stepping Stones", {"mjlab": {}})
class SteppingStones(_OverDepth):
    """Stones at even distances that shrink, wander and differ more the harder."""

    easy_stone: float = meters(0.8, "Side of a stone at difficulty 0", minimum=0.05)
    hard_stone: float = meters(0.4, "Side of a stone at difficulty 1", minimum=0.05)
    least_gap: float = meters(0.2, "Least gap between the largest stones: it decides their number")
    size_spread: float = meters(0.2, "Difference of sides, up and down, at difficulty 1")
    height_spread: float = meters(0.1, "Difference of heights, up and down, at difficulty 1")
    shift: float = meters(0.1, "Greatest shift along x and along y at difficulty 1")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        side = self.value("stone", difficulty)
        extent = 2.0 * self.inner
        count = max(2, whole_part(extent / (self.easy_stone + self.least_gap)) + 1)
        check_count(self, "stones", count, MOST_CELLS)
        pitch = extent / (count - 1)
        platform = self._platform(side, pitch, count)
        shift, spread = self.shift * difficulty, self.size_spread * difficulty
        rise = self.height_spread * difficulty
        place = np.arange(count, dtype=np.float64) * pitch - self.inner
        shape = (count, count)  # rows, columns
        x = place + chance.between("shift_x", -shift, shift, *shape)
        y = place[:, np.newaxis] + chance.between("shift_y", -shift, shift, *shape)
        half_x = 0.5 * (side + chance.between("size_x", -spread, spread, *shape))
        half_y = 0.5 * (side + chance.between("size_y", -spread, spread, *shape))
        top = self.height + chance.between("height", -rise, rise, *shape)
        west, east = (np.clip(x + sign * half_x, -self.inner, self.inner) for sign in (-1, 1))
        south, north = (np.clip(y + sign * half_y, -self.inner, self.inner) for sign in (-1, 1))
        # The platform swallows stones; of others no sliver is left at the border.
        is_kept = np.maximum(abs(x), abs(y)) > platform
        is_kept &= np.minimum(east - west, north - south) >= 0.05
        sides = (west, east, south, north, top)
        boxes = [
            Box(0.5 * (w + e), 0.5 * (s + n), 0.5 * (e - w), 0.5 * (n - s), -self.depth, high)
            for w, e, s, n, high in zip(*(values[is_kept].tolist() for values in sides))
        ]
        return self._with_footholds(platform, boxes)

    def _platform(self, side: float, pitch: float, count: int) -> float:
        """Return half the side of the platform: it ends a gap before the first whole stone around it."""
        gap, least = max(0.0, pitch - side), self.platform
        stone = math.ceil((least + 0.5 * side + gap + self.inner) / pitch)
        return max(least, min(stone, count - 1) * pitch - self.inner - 0.5 * side - gap)
