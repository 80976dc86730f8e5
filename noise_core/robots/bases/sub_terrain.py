# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of kinds of ground for robots: a difficulty from 0 to 1 becomes boxes or heights.

References
----------
K. Zakka and others (2026). mjlab: a lightweight framework for GPU-accelerated robot learning, version 1.6.
M. Mittal and others (2023). Orbit: a unified simulation framework for interactive robot learning environments.
IEEE Robotics and Automation Letters 8. (Isaac Lab)
N. Rudin, D. Hoeller, P. Reist, M. Hutter (2022). Learning to walk in minutes using massively parallel deep
reinforcement learning. Conference on Robot Learning, PMLR 164. (with the heights of its published program)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar, TypeVar, dataclass_transform

from ...base.declared import declared_type
from ...base.errors import ParameterError, format_value
from ...base.params import Declared, number
from ...base.registry import Registry
from .chance import Chance
from .ground import RobotGround

SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "mjlab": "mjlab 1.6",
        "isaac_lab": "Isaac Lab",
        "rudin_2021": "Rudin and others, 2021",
    }
)
"""Where parameters and ranges are published."""

Published = Mapping[str, Mapping[str, float]]
"""Parameters of a kind by where they are published, as far as they are not the defaults."""

FLOOR = 0.1
"""Thickness of the floor of pits, in meters."""

MOST_CELLS = 200
"""Boxes along a side: simulators take no more of them in one piece of ground."""


def meters(default: float, help: str, *, minimum: float = 0.0, maximum: float = 100.0) -> float:
    """Declare a length in meters; see `base.params.number`."""
    return number(default, help=help, minimum=minimum, maximum=maximum, unit="length")


def whole_part(quotient: float) -> int:
    """Return how many fit; a quotient that only rounding keeps below a whole number counts as that.

    Examples
    --------
    >>> from noise_core.robots.bases.sub_terrain import whole_part
    >>> whole_part(0.3 / 0.1), int(0.3 / 0.1), whole_part(4.99)
    (3, 2, 4)
    """
    return math.floor(quotient + 1e-9)


def check_count(terrain: SubTerrain, what: str, count: int, most: int) -> int:
    """Return a count along a side; raise a ParameterError that names `what` if it is too high."""
    if count > most:
        raise ParameterError(
            "{} has at most {} {} along a side", terrain.label, most, what, got=count
        )
    return count


@declared_type
class SubTerrain(Declared):
    """Base of all kinds; a type in `robots/` writes `ground`.

    Of a parameter that the difficulty changes there are two: ``easy_`` for difficulty 0, ``hard_`` for 1.
    """

    published: ClassVar[Published] = MappingProxyType({})

    size: float = meters(8.0, "Side of the square", minimum=2.0)

    @property
    def half(self) -> float:
        """Half the side, in meters."""
        return 0.5 * self.size

    def ground(self, difficulty: float, chance: Chance) -> RobotGround:
        """Return the ground of a difficulty from 0 to 1."""
        raise NotImplementedError(f"{type(self).__name__} has no ground")

    def value(self, name: str, difficulty: float) -> float:
        """Return a parameter at a difficulty, straight between its easy and its hard value."""
        easy, hard = float(getattr(self, f"easy_{name}")), float(getattr(self, f"hard_{name}"))
        return easy + difficulty * (hard - easy)

    @classmethod
    def of(cls, source: str, **parameters: float) -> SubTerrain:
        """Return the kind with the parameters of a key of `SOURCES` that publishes it."""
        return cls(**{**cls.published[source], **parameters})


@declared_type
class PlatformTerrain(SubTerrain):
    """Base of kinds with a level platform in the middle."""

    platform_width: float = meters(1.0, "Side of the level platform in the middle")

    @property
    def platform(self) -> float:
        """Half the side of the platform, in meters."""
        return 0.5 * self.platform_width

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.platform_width >= self.size:
            raise ParameterError(
                "{}: platform_width must be below {:g} m",
                self.label,
                self.size,
                got=format_value(self.platform_width),
            )


@declared_type
class BorderedTerrain(PlatformTerrain):
    """Base of kinds with a level border too."""

    border_width: float = meters(0.25, "Width of the level border")

    @property
    def inner(self) -> float:
        """Half the side within the border, in meters."""
        return self.half - self.border_width

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.platform >= self.inner:
            raise ParameterError(
                "{}: platform_width and two times border_width must be below {:g} m together",
                self.label,
                self.size,
                got=format_value(self.platform_width + 2.0 * self.border_width),
            )


SubTerrainClass = TypeVar("SubTerrainClass", bound=type[SubTerrain])

_REGISTRY: Registry[SubTerrain] = Registry("robots")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def sub_terrain_type(
    key: str, label: str, published: Published
) -> Callable[[SubTerrainClass], SubTerrainClass]:
    """Make a class a kind: a frozen keyword-only dataclass, registered under `key`.

    Parameters
    ----------
    key, label : str
    published : mapping of str to mapping of str to float
        See `Published`; its order is that of `SOURCES`.
    """
    return _REGISTRY.declare(key, label, published=published)


def sub_terrain_types() -> Mapping[str, type[SubTerrain]]:
    """Return every kind by its key."""
    return _REGISTRY.all()
