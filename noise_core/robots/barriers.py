# SPDX-License-Identifier: GPL-3.0-or-later
"""Single barriers around a platform: rails, a pit, a raised block, a gap, a floating ring, and a star of bars.

Isaac Lab publishes their geometry, and their ranges in its check of these kinds.
"""

from __future__ import annotations

from ..base.elementary import cosine_sine_of
from ..base.params import boolean, integer
from .bases.chance import Chance
from .bases.ground import Box, RobotGround, frame, slab
from .bases.sub_terrain import FLOOR, PlatformTerrain, meters, sub_terrain_type

_SECOND = 0.6
"""Of the way from the platform to the edge at which the second level or rail lies."""

_PLATFORM = 1.5
"""Side of the platform, in meters."""


def _second(terrain: PlatformTerrain) -> float:
    """Return half the side of the second level."""
    return terrain.platform + _SECOND * (terrain.half - terrain.platform)


@sub_terrain_type("rails", "Rails", {"isaac_lab": {}})
class Rails(PlatformTerrain):
    """Two square rails on level ground."""

    inner_thickness: float = meters(0.05, "Thickness of the rail at the platform", minimum=0.001)
    outer_thickness: float = meters(0.1, "Thickness of the outer rail", minimum=0.001)
    easy_height: float = meters(0.05, "Height of the rails at difficulty 0")
    hard_height: float = meters(0.3, "Height of the rails at difficulty 1")
    platform_width: float = meters(_PLATFORM, "Side of the platform within the rails")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        height = self.value("height", difficulty)
        first, second = self.platform, _second(self)
        return RobotGround.of(
            0.0,
            slab(self.half, -1.0, 0.0),
            frame(first + self.inner_thickness, first, 0.0, height),
            frame(second + self.outer_thickness, second, 0.0, height),
        )


@sub_terrain_type(
    "pit",
    "Pit",
    {
        "isaac_lab": {},
        "rudin_2021": {"easy_depth": 0.0, "hard_depth": 1.0, "platform_width": 4.0},
    },
)
class Pit(PlatformTerrain):
    """A platform below level ground, in one drop or in two."""

    easy_depth: float = meters(0.05, "Depth of a drop at difficulty 0")
    hard_depth: float = meters(1.1, "Depth of a drop at difficulty 1")
    double: bool = boolean(False, help="Two drops, one within the other")
    platform_width: float = meters(_PLATFORM, "Side of the platform within the pit")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        depth = self.value("depth", difficulty)
        total = 2.0 * depth if self.double else depth
        platform = self.platform
        rim = _second(self) if self.double else platform
        bottom = -total - FLOOR
        return RobotGround.of(
            -total,
            slab(self.half, -total - 1.0, -total),
            frame(self.half, rim, bottom, 0.0),
            frame(rim, platform, bottom, -depth),
        )


@sub_terrain_type("raised_block", "Raised Block", {"isaac_lab": {}})
class RaisedBlock(PlatformTerrain):
    """A platform above level ground, in one rise or in two."""

    easy_height: float = meters(0.05, "Height of a rise at difficulty 0")
    hard_height: float = meters(0.2, "Height of a rise at difficulty 1")
    double: bool = boolean(False, help="Two rises, one on the other")
    platform_width: float = meters(_PLATFORM, "Side of the platform on top")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        height = self.value("height", difficulty)
        total = 2.0 * height if self.double else height
        lower = [slab(_second(self), -1.0, height)] if self.double else []
        return RobotGround.of(
            total,
            slab(self.half, -1.0, 0.0),
            lower,
            slab(self.platform, -1.0, total),
        )


@sub_terrain_type(
    "gap",
    "Gap",
    {
        "isaac_lab": {},
        # It asks for 3 m, and its formula makes a platform of 5 m.
        "rudin_2021": {
            "easy_gap": 0.0,
            "hard_gap": 1.0,
            "platform_width": 5.0,
            "depth": 5.0,
        },
    },
)
class Gap(PlatformTerrain):
    """A gap around a platform."""

    easy_gap: float = meters(0.05, "Width of the gap at difficulty 0")
    hard_gap: float = meters(1.1, "Width of the gap at difficulty 1")
    depth: float = meters(1.0, "Depth of the gap, which has no floor in Isaac Lab", minimum=0.1)
    platform_width: float = meters(_PLATFORM, "Side of the platform within the gap")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        platform = self.platform
        inner = min(platform + self.value("gap", difficulty), self.half)
        bottom = -self.depth
        return RobotGround.of(
            0.0,
            slab(self.half, bottom - FLOOR, bottom),
            frame(self.half, inner, bottom, 0.0),
            slab(platform, bottom, 0.0),
        )


@sub_terrain_type("floating_ring", "Floating Ring", {"isaac_lab": {}})
class FloatingRing(PlatformTerrain):
    """A square ring above level ground, lower and wider the harder."""

    easy_height: float = meters(1.0, "Height of its lower side at difficulty 0")
    hard_height: float = meters(0.4, "Height of its lower side at difficulty 1")
    easy_width: float = meters(0.5, "Width of the ring at difficulty 0", minimum=0.01)
    hard_width: float = meters(1.0, "Width of the ring at difficulty 1", minimum=0.01)
    thickness: float = meters(0.05, "Thickness of the ring", minimum=0.001)
    platform_width: float = meters(_PLATFORM, "Side of the ground within the ring")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        bottom, inner = self.value("height", difficulty), self.platform
        outer = inner + self.value("width", difficulty)
        ring = frame(outer, inner, bottom, bottom + self.thickness)
        return RobotGround.of(0.0, slab(self.half, -1.0, 0.0), ring)


@sub_terrain_type("star", "Star", {"isaac_lab": {}})
class Star(PlatformTerrain):
    """Bars through the middle of a hollow, narrower and higher the harder."""

    count: int = integer(5, help="Number of bars", minimum=2, maximum=180)
    easy_width: float = meters(
        1.0, "Width of a bar and of the border at difficulty 0", minimum=0.01
    )
    hard_width: float = meters(
        0.5, "Width of a bar and of the border at difficulty 1", minimum=0.01
    )
    easy_depth: float = meters(0.05, "Depth of the hollow at difficulty 0")
    hard_depth: float = meters(0.2, "Depth of the hollow at difficulty 1")
    platform_width: float = meters(_PLATFORM, "Diameter of the platform in the middle")

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """See `SubTerrain.ground`."""
        width, depth = self.value("width", difficulty), self.value("depth", difficulty)
        bottom = -depth - FLOOR
        bars = []
        for bar in range(self.count):
            turn = 180.0 * bar / self.count
            cosine, sine = map(abs, cosine_sine_of(turn))
            length = self.size / max(cosine, sine) - width
            bars.append(Box(0.0, 0.0, 0.5 * length, 0.5 * width, bottom, 0.0, turn))
        # The round platform is one of twice as many corners there; here of crossed boxes.
        radius = self.platform
        round_ = [
            Box(0.0, 0.0, radius * cosine, radius * sine, bottom, 0.0, 90.0 * bar / self.count)
            for bar in range(self.count)
            for cosine, sine in [cosine_sine_of(45.0)]
        ]
        return RobotGround.of(
            0.0,
            slab(self.half, -depth - 1.0, -depth),
            frame(self.half, self.half - width, bottom, 0.0),
            bars,
            round_,
        )
