# SPDX-License-Identifier: GPL-3.0-or-later
"""Stairs around a platform: up or down, closed or open below, of even or of random steps."""

from __future__ import annotations

import itertools

from ..base.declared import declared_type
from .bases.chance import Chance
from .bases.ground import Box, RobotGround, frame, slab
from .bases.sub_terrain import BorderedTerrain, meters, sub_terrain_type, whole_part

_THINNEST = 0.05
"""Of the border, in meters: it must not vanish where steps are 0 high."""

_PYRAMID = {
    "mjlab": {},
    "isaac_lab": {"easy_step_height": 0.05, "hard_step_height": 0.23},
    "rudin_2021": {
        "easy_step_height": 0.05,
        "hard_step_height": 0.23,
        "step_width": 0.31,
        "border_width": 0.0,
    },
}


def _steps(terrain: BorderedTerrain, width: float) -> int:
    """Return how many steps lie between border and platform."""
    return max(whole_part((terrain.inner - terrain.platform) / width), 0)


def _rings(outer: float, width: float, levels: list[tuple[float, float]]) -> list[Box]:
    """Return a frame for each bottom and top but the last, which is the platform's."""
    boxes: list[Box] = []
    for step, (bottom, top) in enumerate(levels[:-1]):
        boxes += frame(outer - step * width, outer - (step + 1) * width, bottom, top)
    return [*boxes, slab(outer - (len(levels) - 1) * width, *levels[-1])]


@declared_type
class _SteppedPyramid(BorderedTerrain):
    """Base of stairs with even steps."""

    easy_step_height: float = meters(0.0, "Height of a step at difficulty 0")
    hard_step_height: float = meters(0.2, "Height of a step at difficulty 1")
    step_width: float = meters(0.3, "Width of a step", minimum=0.01)
    platform_width: float = meters(3.0, "Least side of the level platform in the middle")
    border_width: float = meters(1.0, "Width of the level border")


@sub_terrain_type("pyramid_stairs", "Pyramid Stairs", _PYRAMID)
class PyramidStairs(_SteppedPyramid):
    """Steps up to a platform."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        rise = self.value("step_height", difficulty)
        bottom = -max(rise, _THINNEST)
        levels = [(bottom, (step + 1) * rise) for step in range(_steps(self, self.step_width) + 1)]
        border = frame(self.half, self.inner, bottom, 0.0)
        return RobotGround.of(levels[-1][1], border, _rings(self.inner, self.step_width, levels))


@sub_terrain_type("pyramid_stairs_inverted", "Pyramid Stairs Inverted", _PYRAMID)
class PyramidStairsInverted(_SteppedPyramid):
    """Steps down to a platform."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        rise = self.value("step_height", difficulty)
        count = _steps(self, self.step_width) + 1
        bottom = -count * rise - max(rise, _THINNEST)
        levels = [(bottom, 0.0 - (step + 1) * rise) for step in range(count)]
        border = frame(self.half, self.inner, bottom, 0.0)
        return RobotGround.of(levels[-1][1], border, _rings(self.inner, self.step_width, levels))


@declared_type
class _OpenFlight(BorderedTerrain):
    """Base of stairs of thin treads with nothing below."""

    easy_step_height: float = meters(0.1, "Height of a step at difficulty 0")
    hard_step_height: float = meters(0.2, "Height of a step at difficulty 1")
    easy_step_width: float = meters(0.8, "Width of a step at difficulty 0", minimum=0.01)
    hard_step_width: float = meters(0.4, "Width of a step at difficulty 1", minimum=0.01)
    thickness: float = meters(0.05, "Thickness of the treads", minimum=0.001)

    def _stairs(self, difficulty: float, first: int, direction: int) -> RobotGround:
        """Return the stairs, whose lowest or highest tread is so many steps from the border."""
        rise = self.value("step_height", difficulty)
        width = self.value("step_width", difficulty)
        tops = [direction * (step + first) * rise for step in range(_steps(self, width) + 1)]
        levels = [(top - self.thickness, top) for top in tops]
        border = frame(self.half, self.inner, -max(rise, _THINNEST), 0.0)
        return RobotGround.of(tops[-1], border, _rings(self.inner, width, levels))


@sub_terrain_type("open_stairs", "Open Stairs", {"mjlab": {}})
class OpenStairs(_OpenFlight):
    """Thin treads up to a platform, with nothing below."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        return self._stairs(difficulty, 1, 1)


@sub_terrain_type("open_stairs_inverted", "Open Stairs Inverted", {})
class OpenStairsInverted(_OpenFlight):
    """Thin treads down to a platform, the first as high as the border."""

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        return self._stairs(difficulty, 0, -1)


@sub_terrain_type("random_stairs", "Random Stairs", {"mjlab": {}})
class RandomStairs(BorderedTerrain):
    """Steps of random heights up to a platform; half as high at difficulty 0."""

    lowest_step: float = meters(0.1, "Lowest height of a step at difficulty 1")
    highest_step: float = meters(0.3, "Highest height of a step at difficulty 1")
    step_width: float = meters(0.8, "Width of a step", minimum=0.01)

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        count = _steps(self, self.step_width)
        rises = chance.between("height", self.lowest_step, self.highest_step, count)
        tops = list(itertools.accumulate((rises * (0.5 + 0.5 * difficulty)).tolist()))
        levels = [(-0.1, top) for top in (*tops, tops[-1] if tops else 0.0)]
        border = frame(self.half, self.inner, -0.1, 0.0)
        return RobotGround.of(levels[-1][1], border, _rings(self.inner, self.step_width, levels))
