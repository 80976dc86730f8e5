# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes that stand for each kind of plants and for stones: one near, and in the distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ..landscapes.plants import Plants
from .low import stone, tuft
from .shape import PlantShape, group_of
from .trees import broadleaf, bush, conifer, distant_broadleaf, distant_bush, distant_conifer

Draw = Callable[[int], PlantShape]

NEAR: Mapping[str, tuple[Draw, range]] = {
    "conifers": (conifer, range(1, 4)),
    "broadleaves": (broadleaf, range(11, 14)),
    "bushes": (bush, range(21, 24)),
    "grass": (tuft, range(31, 34)),
    "stones": (stone, range(41, 45)),
}
"""What draws a kind, and the seeds of its variants."""

FAR: Mapping[str, tuple[Draw, range]] = {
    "conifers": (distant_conifer, range(4, 6)),
    "broadleaves": (distant_broadleaf, range(15, 17)),
    "bushes": (distant_bush, range(24, 26)),
}
"""The same for plants in the distance, where they stand in groups; other kinds are not seen there."""

GROUP = 8
"""Plants in a group, which stands for as many."""

_HECTARE = 1e4


def shapes_of(kind: str, plants: Plants) -> tuple[list[PlantShape], list[PlantShape]]:
    """Return the shapes of a kind near the camera, and the groups in the distance.

    A group is as wide as its plants stand apart, in heights of a plant, from 1.2 to 4.

    Parameters
    ----------
    kind : str
        One of `landscapes.plants.KINDS`.
    plants : Plants
        Densities per hectare, and heights in meters.
    """
    draw, seeds = NEAR[kind]
    near = [draw(seed) for seed in seeds]
    if kind not in FAR:
        return near, []
    draw, seeds = FAR[kind]
    light = [draw(seed) for seed in seeds]
    density = max(getattr(plants, f"{kind}_density"), 1e-6)
    size = max(getattr(plants, f"{kind}_size"), 1e-3)
    side = min(max(math.sqrt(GROUP * _HECTARE / density) / size, 1.2), 4.0)
    return near, [group_of(light, side, seed, GROUP) for seed in (1, 2)]
