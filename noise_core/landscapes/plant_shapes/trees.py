# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of conifers, broadleaved trees and bushes: near ones with leaves, and lighter ones for the distance.

Trunks carry branches by the parameters of Weber and Penn (1995), Creation and Rendering of Realistic Trees,
SIGGRAPH: the angle down from the trunk and the turn about it from one to the next, the length by the shape of
the crown, and a curve.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...base.arrays import Field
from .shape import PlantShape, ball, chances, limb, unit

_TURN = math.radians(140.0)
"""From one branch to the next, as Weber and Penn have it for most trees."""

_TEETH = np.array([[0, 1, 2], [0, 3, 1], [0, 1, 4], [0, 5, 1]], np.int32)
"""Corners of the twigs of one piece of a branch: left, right, hanging, standing; 0 and 1 are its ends."""


_SIDES = ((-1.0, -0.15, 0.75), (1.0, -0.15, 0.75), (0.25, -0.75, 0.35), (-0.3, 0.45, 0.8))
"""Directions of these twigs: to the side, up, and on along the branch."""

_SPRAY = np.array(
    [
        (0.0, -0.5, 0.0),
        (-0.36, -0.18, 0.14),
        (-0.52, 0.26, 0.0),
        (-0.15, -0.14, 0.07),
        (0.0, 0.5, -0.06),
        (0.15, -0.14, 0.07),
        (0.52, 0.26, 0.0),
        (0.36, -0.18, 0.14),
    ],
    np.float32,
)
"""Three leaves from one stalk, 1 long: their rims, with the places between them."""

_LEAVES = np.array([[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [0, 6, 5], [0, 7, 6]], np.int32)
"""Corners of their triangles, all of which meet at the stalk."""


def conifer(seed: int, whorls: int = 18) -> PlantShape:
    """Return a spruce: whorls of branches that droop, lift their tips, and carry twigs as narrow triangles."""
    slim = _slimness(seed)
    steps = np.linspace(0.0, 1.0, 5)
    bend = 0.012 * np.sin(3.0 * steps + seed)
    line = np.stack([bend * steps, 0.0 * steps, 1.02 * steps - 0.05], axis=-1)
    trunk = limb(line, [0.026, 0.018, 0.013, 0.007, 0.001], 7)
    low, size = _branches(seed, whorls, slim, 14)
    high, length = _branches(seed, whorls, slim, 11)
    # Those low down are close to the eye: what is one twig above is a branch with twigs there.
    count = len(low) // 5
    twigs, reach = _twigs(low[:count], size[:count], seed)
    sides = _comb(twigs, reach, 0.75, seed, 2, 1.5)
    middles = _comb(low[:count], 0.3 * size[:count], 0.3, seed, 4, 1.0)
    return PlantShape.join(
        [trunk, sides, middles, _comb(high[count:], length[count:], 0.5, seed + 1)]
    )


def _slimness(seed: int) -> float:
    """Return the radius of a spruce of height 1: narrow on ridges and in crowds, wide where it has room."""
    return 0.165 + 0.10 * float(chances(1, 1, seed + 7)[0, 0])


def _twigs(
    lines: Field, lengths: Field, seed: int, each: int = 11, pieces: int = 6
) -> tuple[Field, Field]:
    """Return lines of twigs on both sides of branches, and their lengths."""
    count = len(lines)
    chance = chances(count * each, 4, seed + 77).reshape(count, each, 4)
    t = (np.arange(each, dtype=np.int32) + chance[..., 0]) / each * 0.93 + 0.05
    place = t * (lines.shape[1] - 1)
    low = np.minimum(place.astype(np.intp), lines.shape[1] - 2)
    rows = np.arange(count, dtype=np.int32)[:, None]
    first, second = lines[rows, low], lines[rows, low + 1]
    root = first + (place - low)[..., None] * (second - first)
    along = unit(second - first)
    side = (
        unit(np.cross(along, (0.0, 0.0, 1.0)))
        * np.where(np.arange(each, dtype=np.int32) % 2, 1.0, -1.0)[:, None]
    )
    reach = (
        lengths[:, None]
        * (0.08 + 0.52 * np.sqrt(t) * (1.0 - t) ** 0.8)
        * (0.6 + 0.7 * chance[..., 1])
    )
    ahead = (
        (0.55 + 0.7 * chance[..., 2:3]) * along + side + (chance[..., 3:] - 0.55) * (0.0, 0.0, 0.7)
    )
    steps = np.linspace(0.0, 1.0, pieces + 1)[:, None]
    line = unit(ahead)[..., None, :] * steps - (0.0, 0.0, 0.28) * steps**2
    result = root[..., None, :] + reach[..., None, None] * line
    return result.reshape(count * each, pieces + 1, 3), reach.ravel()


def _branches(seed: int, whorls: int, slim: float, pieces: int) -> tuple[Field, Field]:
    """Return the lines of a conifer's branches, the lowest first, and their lengths."""
    most = 7
    chance = chances(whorls * most, 6, seed)
    number = np.arange(whorls * most, dtype=np.int32)
    share = (number // most + 0.9 * (chance[:, 0] - 0.5)) / (whorls - 1)
    share = np.clip(share, 0.0, 1.0)
    foot = 0.14 + 0.83 * share**0.9
    length = (slim * (1.0 - share) ** 0.8 + 0.018) * (0.72 + 0.5 * chance[:, 1])
    turn = number * (2.0 * math.pi / most) + (number // most) * _TURN + 0.9 * (chance[:, 2] - 0.5)
    # Young branches near the top rise, old ones hang; all lift their tips.
    rise = 0.75 * share - 0.26 + 0.25 * (chance[:, 3] - 0.5)
    sag = 0.72 - 0.52 * share
    t = np.linspace(0.0, 1.0, pieces + 1)
    out = length[:, None] * t
    up = foot[:, None] + length[:, None] * (rise[:, None] * t - sag[:, None] * t * (1.0 - t))
    line = np.stack([out * np.cos(turn)[:, None], out * np.sin(turn)[:, None], up], axis=-1)
    return line, length


def _comb(
    lines: Field, lengths: Field, reach: float, seed: int, sides: int = 4, sweep: float = 0.0
) -> PlantShape:
    """Return twigs on both sides of lines, above and below, up to `reach` of its length long; only on some sides."""
    count, pieces = lines.shape[0], lines.shape[1] - 1
    chance = chances(count * pieces, 8, seed + 51).reshape(count, pieces, 8)
    starts, ends = lines[:, :-1], lines[:, 1:]
    along = unit(ends - starts)
    side = unit(np.cross(along, (0.0, 0.0, 1.0)))
    above = np.cross(side, along)
    t = (np.arange(pieces, dtype=np.int32) + 0.5) / pieces
    # Longest at a third of the branch; the last ones make its point.
    size = lengths[:, None] * (0.10 + reach * np.sqrt(t) * (1.0 - t) ** 0.8)
    middle = 0.5 * (starts + ends)
    tips = []
    for which, (aside, over, onward) in enumerate(_SIDES[:sides]):
        first, second = chance[..., 2 * which], chance[..., 2 * which + 1]
        sway = 1.1 * (second - 0.5)
        toward = (
            aside * side
            + (over + sway)[..., None] * above
            + (onward + sweep + 0.9 * (second - 0.5))[..., None] * along
        )
        long = size * (0.45 + 1.0 * first) * (0.7 if which > 1 else 1.0)
        tips.append(middle + long[..., None] * unit(toward))
    # Of each branch first the points of the line, then the tips of each piece.
    points = np.concatenate([lines, np.stack(tips, axis=2).reshape(count, -1, 3)], axis=1)
    piece, branch = (
        np.arange(pieces, dtype=np.int32),
        np.arange(count, dtype=np.int32)[:, None, None, None],
    )
    ends_of = np.stack([piece, piece + 1], axis=-1)
    tips_of = pieces + 1 + sides * piece[:, None] + np.arange(sides, dtype=np.int32)
    corners = (
        np.concatenate([ends_of, tips_of], axis=1)[:, _TEETH[:sides]] + branch * points.shape[1]
    )
    out = unit(points * (1.0, 1.0, 0.0) + (0.0, 0.0, 0.04))
    lit = np.concatenate(
        [
            0.35 * np.linspace(0.4, 1.0, pieces + 1),
            np.outer(0.35 + 0.65 * t, (1.0, 1.0, 0.75, 1.0)[:sides]).ravel(),
        ]
    )
    shade = lit[None, :, None] * (0.8 + 0.2 * chances(count, 1, seed + 9)[:, :, None])
    return PlantShape.of(points, corners, facing=(out * shade).reshape(-1, 3))


def distant_conifer(seed: int, tiers: int = 4, points: int = 4) -> PlantShape:
    """Return a spruce of few triangles: tiers of drooping branches whose tips stand out."""
    chance = chances(tiers * points * 2, 2, seed).reshape(tiers, 2 * points, 2)
    slim = _slimness(seed)
    parts = [limb([(0.0, 0.0, -0.06), (0.0, 0.0, 0.9)], [0.028, 0.01], 3)]
    for tier in range(tiers):
        share = tier / (tiers - 1)
        foot = 0.09 + 0.80 * share**0.92
        reach = slim * (1.0 - share) ** 0.85 + 0.022
        top = min(foot + 0.11 + 0.16 * (1.0 - share), 1.0)
        angle = (np.arange(2 * points, dtype=np.float32) + 1.7 * tier) * np.float32(
            math.pi / points
        )
        angle = angle + 0.5 * (chance[tier, :, 0] - 0.5) * np.float32(2.0 * math.pi / points)
        is_tip = np.arange(2 * points, dtype=np.int32) % 2 == 0
        wide = reach * np.where(is_tip, 0.8 + 0.45 * chance[tier, :, 1], 0.42)
        drop = np.where(is_tip, -0.035 - 0.045 * chance[tier, :, 0], 0.012)
        ring = np.stack([np.cos(angle) * wide, np.sin(angle) * wide, foot + drop], axis=-1)
        rim, count = np.concatenate([ring, [(0.0, 0.0, top)]]), 2 * points
        skirt = [(side, (side + 1) % count, count) for side in range(count)]
        out = unit(rim * (1.0, 1.0, 0.0) + (0.0, 0.0, 0.05))
        parts.append(
            PlantShape.of(
                rim, skirt, facing=out * np.append(np.where(is_tip, 0.9, 0.4), 0.6)[:, None]
            )
        )
    return PlantShape.join(parts)


def broadleaf(seed: int, clumps: int = 15, sprays: int = 1000, size: float = 0.06) -> PlantShape:
    """Return an oak: a trunk that forks, and on its limbs clumps of leaves."""
    chance = chances(clumps, 5, seed)
    room = 0.80 + 0.35 * float(chances(1, 1, seed + 7)[0, 0])
    number = np.arange(clumps, dtype=np.int32)
    turn = number * _TURN + 0.9 * chance[:, 0]
    level = (number + 0.5) / clumps
    # Wide at a third of the crown, closed above.
    high = 0.40 + 0.46 * level + 0.06 * (chance[:, 1] - 0.5)
    wide = 0.36 * room * np.sqrt(np.maximum(1.0 - ((high - 0.50) / 0.42) ** 2, 0.0))
    far = wide * (0.45 + 0.55 * np.sqrt(chance[:, 2]))
    spots = np.stack([far * np.cos(turn), far * np.sin(turn), high], axis=-1)
    radii = 0.115 + 0.06 * chance[:, 3]
    crown = _leaves(spots, radii, sprays, size, seed)
    return _shade(PlantShape.join([*_limbs(spots, seed), crown]), (0.0, 0.0, 0.50), 0.4)


def distant_broadleaf(seed: int) -> PlantShape:
    """Return an oak of few triangles: a trunk and some clumps as balls, with large leaves that stand out."""
    spots, radii = _spread(4, 0.53, 0.27, 0.21, seed)
    trunk = limb([(0.0, 0.0, -0.06), (0.0, 0.0, 0.5)], [0.036, 0.02], 3)
    crown = _clumps(spots, radii, 6, 0.20, seed, fine=1)
    return _shade(PlantShape.join([trunk, *crown]), (0.0, 0.0, 0.45), 0.45)


def distant_bush(seed: int) -> PlantShape:
    """Return a bush of few triangles."""
    spots, radii = _spread(3, 0.35, 0.28, 0.34, seed)
    return _shade(PlantShape.join(_clumps(spots, radii, 5, 0.28, seed)), (0.0, 0.0, 0.1), 0.35)


def _spread(count: int, high: float, far: float, wide: float, seed: int) -> tuple[Field, Field]:
    """Return middles and radii of some clumps; the first is the highest."""
    chance = chances(count, 4, seed)
    turn = np.arange(count, dtype=np.int32) * (2.0 * math.pi * 0.618) + chance[:, 0]
    distance = far * np.sqrt(chance[:, 1]) * (np.arange(count, dtype=np.int32) > 0)
    level = high + np.where(
        np.arange(count, dtype=np.int32) > 0, high * 0.5 * (chance[:, 2] - 0.5), 0.3 * high
    )
    spots = np.stack([distance * np.cos(turn), distance * np.sin(turn), level], axis=-1)
    return spots, wide * (0.85 + 0.3 * chance[:, 3])


def _clumps(
    spots: Field, radii: Field, sprays: int, size: float, seed: int, fine: int = 0
) -> list[PlantShape]:
    """Return clumps of leaves for the distance: balls, the first `fine` of them rounder, and leaves that stand out."""
    cores = [replace(ball(times), facing=ball(times).points * np.float32(0.55)) for times in (0, 1)]
    balls = [
        cores[number < fine].place(spot, (radius, radius, 0.9 * radius), float(number))
        for number, (spot, radius) in enumerate(zip(spots.tolist(), radii.tolist()))
    ]
    inner = PlantShape.join(balls).ruffle(6.5, 0.16, seed)
    return [inner, _leaves(spots, radii, sprays, size, seed)]


def _limbs(spots: Field, seed: int) -> list[PlantShape]:
    """Return a trunk, and a limb from it to each clump of leaves."""
    lean = 0.05 * (chances(1, 4, seed + 5)[0] - 0.5)
    steps = np.array([-0.05, 0.0, 0.06, 0.24, 0.42, 0.72])
    line = np.stack([lean[0] * 4.0 * steps, lean[1] * 4.0 * steps, steps], axis=-1)
    parts = [limb(line, [0.062, 0.046, 0.034, 0.028, 0.020, 0.006], 7)]
    for spot in spots:
        root = min(max(0.16 + 0.55 * (float(spot[2]) - 0.30), 0.20), 0.62)
        start = np.array((lean[0] * 4.0 * root, lean[1] * 4.0 * root, root))
        # Out first, then up: a limb carries its clump.
        knee = start + (spot - start) * (0.55, 0.55, 0.35)
        thick = 0.016 * (1.1 - root)
        parts.append(limb([start, knee, spot], [thick, 0.7 * thick, 0.2 * thick], 4))
    return parts


def _leaves(spots: Field, radii: Field, count: int, size: float, seed: int) -> PlantShape:
    """Return sprays of three leaves around middles of clumps, none of them within another clump."""
    chance = chances(3 * count, 10, seed + 101)
    weights = np.cumsum(radii**2, dtype=np.float64)
    chosen = np.searchsorted(weights / weights[-1], chance[:, 0])
    out = unit(chance[:, 1:4] - 0.5 + (0.0, 0.0, 0.08))
    flat = np.array((1.0, 1.0, 0.85))
    # Few lie deep inside: these are large and dark, so that hardly anything is seen through the crown.
    depth = np.sqrt(chance[:, 4:5])
    places = spots[chosen] + radii[chosen, None] * (0.25 + 0.9 * depth) * out * flat
    offset = (places[:, None] - spots) / (radii[:, None] * flat)
    is_free = (offset * offset).sum(axis=2).min(axis=1) > 0.5 * depth[:, 0]
    kept = np.argsort(~is_free, kind="stable")[:count]
    chance, out, places, depth = chance[kept], out[kept], places[kept], depth[kept]
    normal = unit(out + (0.0, 0.0, 0.25) + 1.6 * (chance[:, 5:8] - 0.5))
    # Tips point outward and hang a little.
    hung = out + 1.6 * (chance[:, [8, 9, 5]] - 0.5) - (0.0, 0.0, 0.45)
    ahead = unit(hung - (hung * normal).sum(axis=1, keepdims=True) * normal)
    axes = np.stack([np.cross(normal, ahead), ahead, normal], axis=1)
    long = size * (0.6 + 0.8 * chance[:, 9:10]) * (2.0 - depth)
    sprays = (_SPRAY[None, :, :, None] * axes[:, None]).sum(axis=2)
    points = places[:, None] + long[..., None] * sprays
    first = len(_SPRAY) * np.arange(len(kept), dtype=np.int32)[:, None, None]
    bright = 0.2 + 0.6 * depth**3 + 0.2 * chance[:, 7:8]
    facing = np.repeat(out * bright, len(_SPRAY), axis=0)
    return PlantShape.of(points, first + _LEAVES, facing=facing)


def _shade(shape: PlantShape, middle: Sequence[float], dark: float) -> PlantShape:
    """Return it with leaves that face out of a clump facing out of the whole crown too; low parts are darker."""
    bright = np.sqrt((shape.facing * shape.facing).sum(axis=1, keepdims=True))
    outward = unit(shape.points - np.asarray(middle, np.float32))
    out = unit(0.7 * unit(shape.facing) + outward)  # wood stays dark: it faces nowhere
    under = 1.0 - dark * np.clip(0.5 - 0.9 * outward[:, 2:3], 0.0, 1.0)
    return replace(shape, facing=(out * bright * under).astype(np.float32))


def bush(seed: int, clumps: int = 11, sprays: int = 400, size: float = 0.13) -> PlantShape:
    """Return a bush: stems with clumps of leaves that lie on the ground, wider than high."""
    chance = chances(clumps, 5, seed)
    number = np.arange(clumps, dtype=np.int32)
    turn, far = number * _TURN + chance[:, 0], 0.40 * np.sqrt(chance[:, 1]) * (number > 0)
    high = 0.15 + 0.52 * chance[:, 2] * (1.0 - far)
    spots = np.stack([far * np.cos(turn), far * np.sin(turn), high], axis=-1)
    radii = 0.17 + 0.12 * chance[:, 3]
    crown = _leaves(spots, radii, sprays, size, seed)
    stems = [
        limb([(0.0, 0.0, -0.05), spot * (0.6, 0.6, 0.4), spot], [0.022, 0.014, 0.004], 4)
        for spot in spots
    ]
    return _shade(PlantShape.join([*stems, crown]), (0.0, 0.0, 0.15), 0.35)
