# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of cells and blocks around a platform: of random heights, tilted, or scattered."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.params import integer, number
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


def _cells(
    terrain: BorderedTerrain, width: float
) -> tuple[int, Iterator[tuple[int, int, float, float]]]:
    """Return how many cells lie along a side, and row, column, x and y of those beside the platform."""
    count = check_count(terrain, "cells", whole_part(2.0 * terrain.inner / width), MOST_CELLS)
    middles = [(index + 0.5 - 0.5 * count) * width for index in range(count)]
    platform = terrain.platform + 1e-9
    return count, (
        (row, column, x, y)
        for column, x in enumerate(middles)
        for row, y in enumerate(middles)
        if max(abs(x), abs(y)) > platform
    )


@sub_terrain_type(
    "random_grid",
    "Random Grid",
    {
        "mjlab": {},
        "isaac_lab": {
            "cell_width": 0.45,
            "easy_height": 0.05,
            "hard_height": 0.2,
            "platform_width": 2.0,
            "border_width": 0.0,
        },
    },
)
class RandomGrid(BorderedTerrain):
    """Square cells of random heights, up and down; the platform is as high as the highest."""

    cell_width: float = meters(0.4, "Side of a cell", minimum=0.05)
    easy_height: float = meters(0.0, "Greatest height of a cell, up and down, at difficulty 0")
    hard_height: float = meters(0.3, "Greatest height of a cell, up and down, at difficulty 1")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        height, half = self.value("height", difficulty), 0.5 * self.cell_width
        count, cells = _cells(self, self.cell_width)
        tops = chance.between("height", -height, height, count, count)
        bottom = -max(1.0, 2.0 * height)
        boxes = [
            Box(x, y, half, half, bottom, float(tops[row, column])) for row, column, x, y in cells
        ]
        border = frame(self.half, count * half, bottom, 0.0)
        return RobotGround.of(height, border, boxes, slab(self.platform, bottom, height))


@sub_terrain_type("tilted_grid", "Tilted Grid", {"mjlab": {}})
class TiltedGrid(BorderedTerrain):
    """Square columns with tilted tops of random heights over a deep floor."""

    cell_width: float = meters(1.0, "Side of a cell", minimum=0.05)
    hard_tilt: float = number(
        20.0,
        help="Greatest tilt along x and along y at difficulty 1; 0 at difficulty 0",
        minimum=0.0,
        maximum=60.0,
        unit="angle",
    )
    hard_height: float = meters(0.3, "Difference of heights at difficulty 1; 0 at difficulty 0")
    level: float = meters(0.2, "Height of the border and the platform")
    depth: float = meters(2.0, "Depth of the floor", minimum=0.1)

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        half = 0.5 * self.cell_width
        # A rise over run as large as the angle in radians, as it is published.
        steepest = 0.017453292519943295 * self.hard_tilt * difficulty
        spread = 0.5 * self.hard_height * difficulty
        count, cells = _cells(self, self.cell_width)
        height = chance.between("height", -spread, spread, count, count)
        tilt_x = chance.between("tilt_x", -steepest, steepest, count, count)
        tilt_y = chance.between("tilt_y", -steepest, steepest, count, count)
        boxes = [
            Box(
                *(x, y, half, half, -self.depth, self.level + float(height[row, column])),
                slope_x=float(tilt_x[row, column]),
                slope_y=float(tilt_y[row, column]),
            )
            for row, column, x, y in cells
        ]
        return RobotGround.of(
            self.level,
            slab(self.half, -self.depth - FLOOR, -self.depth),
            frame(self.half, count * half, -self.depth, self.level),
            boxes,
            slab(self.platform, -self.depth, self.level),
        )


@sub_terrain_type("random_spread", "Random Spread", {"mjlab": {}})
class RandomSpread(BorderedTerrain):
    """Blocks of random sizes, heights and directions on level ground: half as many, and a fifth as high, at difficulty 0."""

    count: int = integer(80, help="Number of blocks at difficulty 1", minimum=1, maximum=10000)
    least_width: float = meters(0.1, "Least size of a block along its x", minimum=0.01)
    greatest_width: float = meters(1.0, "Greatest size of a block along its x", minimum=0.01)
    least_length: float = meters(0.1, "Least size of a block along its y", minimum=0.01)
    greatest_length: float = meters(2.0, "Greatest size of a block along its y", minimum=0.01)
    least_height: float = meters(0.05, "Least height of a block at difficulty 1", minimum=0.001)
    greatest_height: float = meters(
        0.3, "Greatest height of a block at difficulty 1", minimum=0.001
    )
    turn: float = number(
        360.0, help="Greatest turn of a block", minimum=0.0, maximum=360.0, unit="angle"
    )

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        count = whole_part(self.count * (0.5 + 0.5 * difficulty))
        sizes = zip(
            chance.between("width", self.least_width, self.greatest_width, count).tolist(),
            chance.between("length", self.least_length, self.greatest_length, count).tolist(),
            chance.between("height", self.least_height, self.greatest_height, count).tolist(),
            chance.draw("x", count).tolist(),
            chance.draw("y", count).tolist(),
            chance.between("turn", 0.0, self.turn, count).tolist(),
        )
        boxes = []
        for width, length, height, share_x, share_y, turn in sizes:
            # The middle keeps its distance from the border as if the block were not turned.
            x = (2.0 * share_x - 1.0) * (self.inner - 0.5 * width)
            y = (2.0 * share_y - 1.0) * (self.inner - 0.5 * length)
            if max(abs(x) - 0.5 * width, abs(y) - 0.5 * length) > self.platform:
                top = height * (0.2 + 0.8 * difficulty)
                boxes.append(Box(x, y, 0.5 * width, 0.5 * length, 0.0, top, turn))
        border = frame(self.half, self.inner, -1.0, 0.0)
        return RobotGround.of(0.0, border, slab(self.inner, -FLOOR, 0.0), boxes)
