# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants and stones of a terrain's picture, as plain data.

Heights that end in "relief" are shares of it, from 0 (the lowest ground) to 1 (the highest).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..base.declared import declared_type
from ..base.errors import Message
from ..base.params import Declared, Parameter, integer, number, text

KINDS: Mapping[str, Message] = MappingProxyType(
    {
        "conifers": Message("Conifers"),
        "broadleaves": Message("Broadleaved Trees"),
        "bushes": Message("Bushes"),
        "grass": Message("Grass"),
        "stones": Message("Stones"),
    }
)
"""What stands on a terrain, with labels; parameters that belong to one begin with its name."""


HECTARE = 1e4
"""Square meters: densities are per hectare."""

GROUP = 8
"""Plants of one model in the distance; of narrow ones twice as many."""

STANDS_FOR = 16
"""Plants for which such a group stands: the ground below it is as dark as they are."""


def _density(default: float) -> float:
    return number(
        default, help="Plants per hectare at the best places; 0 for none",
        minimum=0.0, maximum=1e6, soft_maximum=1000.0, label="Density",
    )  # fmt: skip


def _size(default: float) -> float:
    return number(
        default, help="Height of a grown plant", minimum=1e-3, maximum=1e4, soft_minimum=0.1,
        soft_maximum=40.0, unit="length", label="Height",
    )  # fmt: skip


def _steepest(default: float) -> float:
    return number(
        default, help="Steepest ground with plants", minimum=0.0, maximum=90.0,
        unit="angle", label="Steepest",
    )  # fmt: skip


def _limit(default: float, label: str, end: str) -> float:
    return number(
        default, help=f"{end} ground with plants, from 0 (lowest) to 1 (highest)",
        minimum=-10.0, maximum=10.0, soft_minimum=0.0, soft_maximum=1.0, label=label, advanced=True,
    )  # fmt: skip


def _lowest(default: float = -1.0) -> float:
    return _limit(default, "Lowest", "Lowest")


def _highest() -> float:
    return _limit(2.0, "Highest", "Highest")


def _clumps(default: float) -> float:
    return number(
        default, help="Grouping of the plants; 0 is even",
        minimum=0.0, maximum=1.0, unit="factor", label="Groups",
    )  # fmt: skip


def _moisture(default: float = 0.0) -> float:
    return _liking(default, "Moisture", "hollows and valleys")


def _flow(default: float = 0.0) -> float:
    return _liking(default, "Flow", "rivers, by the map Flow")


def _wear() -> float:
    return _liking(0.0, "Wear", "eroded slopes, by the map Wear")


def _liking(default: float, label: str, place: str) -> float:
    return number(
        default, help=f"Preference for {place}; negative avoids them",
        minimum=-1.0, maximum=1.0, unit="factor", label=label, advanced=True,
    )  # fmt: skip


@declared_type
class Plants(Declared):
    """Trees, bushes, grass and stones: how many, how large, and where.

    Examples
    --------
    >>> from noise_core.landscapes.plants import KINDS, Plants
    >>> list(KINDS)[:2]
    ['conifers', 'broadleaves']
    >>> [parameter.unit for parameter in Plants.of_kind("conifers")][:1]
    ['none']
    """

    key = "plants"
    label = "Plants"

    group_size: float = number(
        260.0, help="Size of groups of plants, such as woods", minimum=0.1, maximum=1e6,
        soft_minimum=10.0, soft_maximum=2000.0, unit="length",
    )  # fmt: skip
    fields: float = number(
        0.0, help="Size of fields with hedges between them; 0 for none", minimum=0.0,
        maximum=1e6, soft_maximum=1000.0, unit="length",
    )  # fmt: skip
    near: float = number(
        500.0, help="Distance from the camera up to which trees are single; groups stand beyond it", minimum=1.0, maximum=1e6, soft_minimum=50.0,
        soft_maximum=3000.0, unit="length", label="Near Distance",
    )  # fmt: skip
    viewport_share: float = number(
        0.3, help="Fraction of plants shown in viewports; renders show all", minimum=0.0, maximum=1.0,
        unit="factor",
    )  # fmt: skip
    seed: int = integer(
        0, help="Seed of the places", label="Plants Seed", minimum=0, maximum=2**31 - 1,
        soft_maximum=1000,
    )  # fmt: skip

    mask: str = text(
        "", help="Attribute or vertex group that masks the plants; empty for everywhere",
    )  # fmt: skip

    conifers_density: float = _density(200.0)
    conifers_size: float = _size(18.0)
    conifers_steepest: float = _steepest(50.0)
    conifers_lowest: float = _lowest()
    conifers_highest: float = _highest()
    conifers_clumps: float = _clumps(0.8)
    conifers_moisture: float = _moisture()
    conifers_flow: float = _flow()
    conifers_wear: float = _wear()

    broadleaves_density: float = _density(200.0)
    broadleaves_size: float = _size(15.0)
    broadleaves_steepest: float = _steepest(50.0)
    broadleaves_lowest: float = _lowest()
    broadleaves_highest: float = _highest()
    broadleaves_clumps: float = _clumps(0.9)
    broadleaves_moisture: float = _moisture(0.5)
    broadleaves_flow: float = _flow()
    broadleaves_wear: float = _wear()

    bushes_density: float = _density(300.0)
    bushes_size: float = _size(2.5)
    bushes_steepest: float = _steepest(36.0)
    bushes_lowest: float = _lowest()
    bushes_highest: float = _highest()
    bushes_clumps: float = _clumps(0.8)
    bushes_moisture: float = _moisture()
    bushes_flow: float = _flow()
    bushes_wear: float = _wear()

    grass_density: float = _density(400000.0)
    grass_size: float = _size(0.28)
    grass_steepest: float = _steepest(36.0)
    grass_lowest: float = _lowest()
    grass_highest: float = _highest()
    grass_clumps: float = _clumps(0.3)
    grass_moisture: float = _moisture()
    grass_flow: float = _flow()
    grass_wear: float = _wear()

    stones_density: float = _density(20.0)
    stones_size: float = _size(1.2)
    stones_steepest: float = _steepest(40.0)
    stones_lowest: float = _lowest()
    stones_highest: float = _highest()
    stones_clumps: float = _clumps(0.5)
    stones_moisture: float = _moisture()
    stones_flow: float = _flow()
    stones_wear: float = _wear()

    @classmethod
    def of_kind(cls, kind: str) -> tuple[Parameter, ...]:
        """Return the parameters of one of `KINDS`; of those that all share if it is empty."""
        return tuple(parameter for parameter in cls.parameters() if kind_of(parameter) == kind)


def kind_of(parameter: Parameter) -> str:
    """Return which of `KINDS` a parameter belongs to; empty if all share it."""
    first = parameter.name.partition("_")[0]
    return first if first in KINDS else ""
