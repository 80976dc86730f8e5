# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of grass and stones, and those that stand for each kind of plants, near and in the distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ..plants import GROUP, HECTARE, STANDS_FOR, Plants
from .grasses import clover, flowers, litter, pebbles, stalks, tuft
from .shape import PlantShape, ball, chances, group_of
from .trees import broadleaf, bush, conifer, distant_broadleaf, distant_bush, distant_conifer

Draw = Callable[[int], PlantShape]


def stone(seed: int, times: int = 3, cuts: int = 11) -> PlantShape:
    """Return a boulder: a ball that planes have cut, its faces rough, sunk into the ground."""
    points = ball(times).points.copy()
    chance = chances(cuts, 3, seed)
    for x, y, depth in chance:
        up = 2.0 * float(x) - 1.0
        flat, turn = math.sqrt(1.0 - up * up), 2.0 * math.pi * float(y)
        normal = np.array([flat * math.cos(turn), flat * math.sin(turn), up], np.float32)
        reach = np.float32(0.52 + 0.33 * float(depth))
        over = (points * normal).sum(axis=1) - reach
        points -= np.maximum(over, np.float32(0.0))[:, np.newaxis] * normal
    wide = chances(1, 3, seed + 3)[0] * 0.5
    points *= np.array([0.75 + wide[0], 0.65 + wide[1], 0.72], np.float32)
    raised = replace(ball(times), points=points).place((0.0, 0.0, 0.32))
    noise = Fractal(source=Perlin(frequency=3.5), octaves=3, persistence=0.5)
    push = noise.sample(raised.points, seed=seed)[:, np.newaxis] * np.float32(0.10)
    return replace(raised, points=(raised.points * (1.0 + push)).astype(np.float32))


def slight_conifer(seed: int) -> PlantShape:
    """Return a spruce of very few triangles: of groups whose trees are a few pixels high."""
    return distant_conifer(seed, tiers=3, points=3)


def distant_stone(seed: int) -> PlantShape:
    """Return a boulder of few triangles."""
    return stone(seed, times=1)


_MEADOW = (tuft, tuft, stalks, tuft, flowers, clover, litter, pebbles)
"""Of what stands and lies in grass, one of each as often as it is named."""


def meadow(seed: int) -> PlantShape:
    """Return a plant of a meadow, or leaves and pebbles between them; the seed says which."""
    return _MEADOW[seed % len(_MEADOW)](seed)


NEAR: Mapping[str, tuple[Draw, range]] = {
    "conifers": (conifer, range(1, 6)),
    "broadleaves": (broadleaf, range(11, 16)),
    "bushes": (bush, range(21, 26)),
    "grass": (meadow, range(31, 31 + len(_MEADOW))),
    "stones": (stone, range(41, 46)),
}
"""What draws a kind, and the seeds of its variants."""

LIGHT: Mapping[str, tuple[Draw, range]] = {
    "conifers": (distant_conifer, range(1, 6)),
    "broadleaves": (distant_broadleaf, range(11, 16)),
    "bushes": (distant_bush, range(21, 26)),
    "stones": (distant_stone, range(41, 46)),
}
"""The same for plants farther off, of few triangles."""

FAR: Mapping[str, tuple[Draw, int]] = {
    "conifers": (slight_conifer, 2 * GROUP),
    "broadleaves": (distant_broadleaf, GROUP),
    "bushes": (distant_bush, GROUP),
}
"""Kinds that stand in groups far off, with what draws one plant of these, and their number; others are not seen there."""


Variants = Mapping[str, Sequence[PlantShape]]
"""Variants of each kind, and of lighter ones; see `draw_all`."""

_DRAWS = {**NEAR, **{f"{kind} light": drawing for kind, drawing in LIGHT.items()}}
"""What draws each of `Variants`."""


def draw_all() -> Variants:
    """Return all variants of all kinds: they depend on nothing."""
    return {name: _draw(name) for name in _DRAWS}


def _draw(name: str) -> list[PlantShape]:
    draw, seeds = _DRAWS[name]
    return [draw(seed) for seed in seeds]


def pack(drawn: Variants) -> bytes:
    """Return the shapes of `draw_all` as bytes, for this machine and this version of Terrane."""
    return b"".join(shape.pack() for name in _DRAWS for shape in drawn[name])


def unpack(data: bytes) -> Variants:
    """Return the variants that were packed."""
    shapes: dict[str, list[PlantShape]] = {name: [] for name in _DRAWS}
    start = 0
    for name, (_, seeds) in _DRAWS.items():
        for _ in seeds:
            shape, start = PlantShape.unpack(data, start)
            shapes[name].append(shape)
    return shapes


def shapes_of(
    kind: str, plants: Plants, drawn: Variants | None = None
) -> tuple[list[PlantShape], list[PlantShape], list[PlantShape]]:
    """Return the shapes of a kind near the camera, lighter ones, and groups of these far off.

    A group is as wide as its plants stand apart, in heights of a plant, from 1.2 to 4.

    Parameters
    ----------
    kind : str
        One of `landscapes.plants.KINDS`.
    plants : Plants
        Densities per hectare, and heights in meters.
    drawn : mapping of str to sequences of PlantShape, optional
        All variants, if they are known; drawn if not given.
    """

    def variants(name: str) -> list[PlantShape]:
        if name not in _DRAWS:
            return []
        return _draw(name) if drawn is None else list(drawn[name])

    near, light = variants(kind), variants(f"{kind} light")
    if kind not in FAR:
        return near, light, []
    (draw, count), side = FAR[kind], group_side(kind, plants)
    single = [draw(seed) for seed in NEAR[kind][1]]
    return near, light, [group_of(single, side, seed, count) for seed in range(1, GROUPS + 1)]


GROUPS = 3
"""Groups of each kind."""


_OVERLAP = 2.1
"""How much more ground groups cover than there is: at their even places they leave few gaps then."""

_GROWN = 0.87
"""Mean height of plants beside the given one."""


def group_side(kind: str, plants: Plants) -> float:
    """Return the width of the square that a group stands on, in heights of a plant."""
    density: float = max(getattr(plants, f"{kind}_density"), 1e-6)
    size: float = max(getattr(plants, f"{kind}_size"), 1e-3) * _GROWN
    side = math.sqrt(_OVERLAP * STANDS_FOR * HECTARE / density) / size
    return min(max(side, 1.2), 4.0)
