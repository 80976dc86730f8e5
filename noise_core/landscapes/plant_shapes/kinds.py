# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of grass and stones, and those that stand for each kind of plants, near and in the distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ..plants import GROUP, HECTARE, Plants
from .shape import PlantShape, ball, chances, group_of, unit
from .trees import broadleaf, bush, conifer, distant_broadleaf, distant_bush, distant_conifer

Draw = Callable[[int], PlantShape]


def tuft(seed: int, blades: int = 34) -> PlantShape:
    """Return a tuft of grass: blades that bend outward, the longer the more, narrow at their tips."""
    turn, lean, high, off, wide = chances(blades, 5, seed).T[:, :, None]
    steps = np.array([0.0, 0.4, 0.75, 1.0])
    angle = 2.0 * math.pi * turn
    out = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1)
    # Blades of one root do not all lie in planes through the middle of the tuft.
    across = np.stack([-np.sin(angle + lean), np.cos(angle + lean), 0.0 * angle], axis=-1)
    tall = 0.35 + 0.65 * high
    outward = 0.16 * off + tall * (0.12 + 0.55 * lean) * steps**2
    up = tall * (steps - 0.30 * lean * steps**3)
    middle = out * outward[..., None] + up[..., None] * (0.0, 0.0, 1.0)
    half = (0.008 + 0.008 * wide) * np.array([0.8, 1.0, 0.7])
    left, right = (middle[:, :3] + sign * half[..., None] * across for sign in (-1.0, 1.0))
    points = np.concatenate([left, right, middle[:, 3:]], axis=1).reshape(-1, 3)
    corners = np.array([[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 6]], np.int32)
    first = 7 * np.arange(blades, dtype=np.int32)[:, None, None]
    bright = np.array([0.25, 0.6, 0.85, 0.25, 0.6, 0.85, 1.0])[:, None]
    facing = unit(0.5 * out + (0.0, 0.0, 1.0)) * bright * (0.75 + 0.25 * wide[..., None])
    return PlantShape.of(points, first + corners, facing=facing.reshape(-1, 3))


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


Variants = Mapping[str, Sequence[PlantShape]]
"""Variants of each kind, and of those in the distance; see `draw_all`."""

_DRAWS = {**NEAR, **{f"{kind} far": one for kind, one in FAR.items()}}
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
) -> tuple[list[PlantShape], list[PlantShape]]:
    """Return the shapes of a kind near the camera, and the groups in the distance.

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
        return _draw(name) if drawn is None else list(drawn[name])

    near = variants(kind)
    if kind not in FAR:
        return near, []
    light = variants(f"{kind} far")
    density = max(getattr(plants, f"{kind}_density"), 1e-6)
    size = max(getattr(plants, f"{kind}_size"), 1e-3)
    side = min(max(math.sqrt(GROUP * HECTARE / density) / size, 1.2), 4.0)
    return near, [group_of(light, side, seed, GROUP) for seed in (1, 2)]
