# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of plants and stones as triangles: each stands on the origin and is about 1 high."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.lattice.hash import hash_indices
from ....noise_core.noises.fractal import Fractal
from ....noise_core.noises.perlin import Perlin
from ....noise_core.point_sets import spread_points

Triangles = npt.NDArray[np.int32]

FOLIAGE, WOOD = 0, 1
"""Numbers of materials; stones have the first."""


@dataclass(frozen=True)
class PlantShape:
    """Triangles with materials.

    Attributes
    ----------
    points : ndarray of shape (n, 3), float32
    triangles : ndarray of shape (m, 3), int32
    materials : ndarray of shape (m,), int32
    """

    points: Field
    triangles: Triangles
    materials: Triangles

    @classmethod
    def of(
        cls, points: npt.ArrayLike, triangles: npt.ArrayLike, material: int = FOLIAGE
    ) -> PlantShape:
        """Return a shape of one material."""
        corners = np.asarray(triangles, np.int32).reshape(-1, 3)
        numbers = np.full(len(corners), material, np.int32)
        return cls(np.asarray(points, np.float32).reshape(-1, 3), corners, numbers)

    @classmethod
    def join(cls, parts: Sequence[PlantShape]) -> PlantShape:
        """Return several shapes as one."""
        firsts = np.cumsum([0, *(len(one.points) for one in parts)], dtype=np.int32)
        return cls(
            np.concatenate([one.points for one in parts]),
            np.concatenate([one.triangles + first for one, first in zip(parts, firsts)]),
            np.concatenate([one.materials for one in parts]),
        )

    def place(
        self, place: Sequence[float], size: Sequence[float] | float = 1.0, turn: float = 0.0
    ) -> PlantShape:
        """Return it scaled, turned about the vertical and moved."""
        scaled = self.points * np.asarray(size, np.float32)
        across, along = math.cos(turn), math.sin(turn)
        x, y = (
            scaled[:, 0] * across - scaled[:, 1] * along,
            scaled[:, 0] * along + scaled[:, 1] * across,
        )
        moved = np.stack([x, y, scaled[:, 2]], axis=-1) + np.asarray(place, np.float32)
        return PlantShape(moved.astype(np.float32), self.triangles, self.materials)

    def ruffle(self, frequency: float, strength: float, seed: int) -> PlantShape:
        """Return it with its points pushed about by noise, less so near the ground."""
        noise = Fractal(source=Perlin(frequency=frequency), octaves=3, persistence=0.65)
        shifts = (0.0, 31.0, 57.0)
        push = np.stack(
            [noise.sample(self.points + np.float32(one), seed=seed) for one in shifts], axis=-1
        )
        held = np.clip(self.points[:, 2:] * 5.0, 0.0, 1.0)
        moved = self.points + np.float32(strength) * push * held
        return PlantShape(moved.astype(np.float32), self.triangles, self.materials)


def chances(count: int, columns: int, seed: int) -> Field:
    """Return random numbers from 0 to 1, shape (count, columns)."""
    row, column = np.indices((count, columns), np.int32)
    bits = hash_indices((row, column), seed) >> np.uint32(8)
    return bits.astype(np.float32) * np.float32(2.0**-24)


@functools.cache
def ball(times: int) -> PlantShape:
    """Return a sphere of radius 1 around the origin: an icosahedron whose faces are split so many times."""
    golden = 0.5 * (1.0 + math.sqrt(5.0))
    ring = [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)]
    points = (
        [(a, b, 0.0) for a, b in ring]
        + [(0.0, a, b) for a, b in ring]
        + [(b, 0.0, a) for a, b in ring]
    )
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]  # fmt: skip
    places = [np.array(one) / math.sqrt(1.0 + golden * golden) for one in points]
    for _ in range(times):
        middles: dict[tuple[int, int], int] = {}

        def middle(first: int, second: int, middles: dict[tuple[int, int], int] = middles) -> int:
            edge = (min(first, second), max(first, second))
            if edge not in middles:
                between = places[first] + places[second]
                middles[edge] = len(places)
                places.append(between / math.sqrt(float((between * between).sum())))
            return middles[edge]

        split = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            split += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = split
    return PlantShape.of(places, faces)


def stem(height: float, radius: float, sides: int = 6) -> PlantShape:
    """Return a trunk that becomes thinner, from a little below the ground."""
    angles = np.arange(sides, dtype=np.float32) * np.float32(2.0 * math.pi / sides)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    low = np.column_stack([ring * radius, np.full(sides, -0.06, np.float32)])
    high = np.column_stack([ring * (0.35 * radius), np.full(sides, height, np.float32)])
    turns = [(side, (side + 1) % sides) for side in range(sides)]
    sides_of = [one for a, b in turns for one in ((a, b, sides + b), (a, sides + b, sides + a))]
    return PlantShape.of(np.concatenate([low, high]), sides_of, WOOD)


def conifer(seed: int, tiers: int = 9, points: int = 11) -> PlantShape:
    """Return a spruce: tiers of drooping branches whose tips stand out, the widest near the ground."""
    chance = chances(tiers * points * 2, 2, seed).reshape(tiers, 2 * points, 2)
    slim = 0.19 + 0.07 * float(chances(1, 1, seed + 7)[0, 0])
    parts = [stem(0.9, 0.028)]
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
        parts.append(PlantShape.of(rim, skirt))
    return PlantShape.join(parts)


def broadleaf(seed: int, puffs: int = 9, times: int = 2, sprays: int = 2600) -> PlantShape:
    """Return an oak: clumps of leaves on a trunk, with sprays of leaves that stand out."""
    chance = chances(puffs, 4, seed)
    spots, radii = [], []
    for number, (along, away, up, size) in enumerate(chance):
        turn = 2.0 * math.pi * (number * 0.618 + 0.15 * along)
        far = 0.26 * math.sqrt(float(away)) if number else 0.0
        level = 0.53 + (0.30 * (up - 0.5) if number else 0.15)
        spots.append((far * math.cos(turn), far * math.sin(turn), level))
        radii.append(0.17 + 0.07 * float(size))
    crown = _puffs(spots, radii, times).ruffle(6.5, 0.15, seed)
    return PlantShape.join([stem(0.5, 0.036), crown, _sprays(crown, sprays, 0.03, seed)])


def bush(seed: int, puffs: int = 6, times: int = 2, sprays: int = 1400) -> PlantShape:
    """Return a bush: clumps of leaves that lie on the ground, wider than high."""
    chance = chances(puffs, 4, seed)
    spots, radii = [], []
    for number, (along, away, up, size) in enumerate(chance):
        turn = 2.0 * math.pi * (number * 0.618 + 0.2 * along)
        far = 0.42 * math.sqrt(float(away)) if number else 0.0
        spots.append((far * math.cos(turn), far * math.sin(turn), 0.25 + 0.35 * up * (1.0 - far)))
        radii.append(0.30 + 0.14 * float(size))
    crown = _puffs(spots, radii, times).ruffle(4.0, 0.24, seed)
    return PlantShape.join([crown, _sprays(crown, sprays, 0.055, seed)])


def _puffs(spots: Sequence[Sequence[float]], radii: Sequence[float], times: int) -> PlantShape:
    """Return clumps of leaves, a little flatter than balls."""
    sizes = [(radius, radius, 0.92 * radius) for radius in radii]
    return PlantShape.join([ball(times).place(one, size) for one, size in zip(spots, sizes)])


def _sprays(crown: PlantShape, count: int, size: float, seed: int) -> PlantShape:
    """Return leaves that stand out of a crown's surface at all angles: each is a kite of two triangles."""
    chance = chances(count, 8, seed + 101)
    chosen = (chance[:, 0] * len(crown.triangles)).astype(np.intp)
    corners = crown.points[crown.triangles[chosen]]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    # Places in a triangle: those in the other half of a parallelogram are folded back.
    along, across = chance[:, 1:2], chance[:, 2:3]
    is_outside = along + across > 1.0
    along, across = (
        np.where(is_outside, 1.0 - along, along),
        np.where(is_outside, 1.0 - across, across),
    )
    places = corners[:, 0] + along * first + across * second
    out = _unit(np.cross(first, second))
    lean = _unit(out + 1.5 * (chance[:, 3:6] - 0.5))
    side = _unit(np.cross(lean, chance[:, 5:8] - 0.5))
    long = (size * (0.6 + 0.9 * chance[:, 6:7])).astype(np.float32)
    root, tip = places - 0.35 * long * lean, places + 1.6 * long * lean
    left, right = places + 0.6 * long * side, places - 0.6 * long * side
    points = np.stack([root, left, tip, right], axis=1).reshape(-1, 3)
    starts = 4 * np.arange(count, dtype=np.int32)[:, np.newaxis]
    kites = np.concatenate([starts + (0, 1, 2), starts + (0, 2, 3)])
    return PlantShape.of(points, kites)


def _unit(vectors: Field) -> Field:
    """Return vectors with the length 1."""
    lengths = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    result: Field = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return result


def tuft(seed: int, blades: int = 22) -> PlantShape:
    """Return a tuft of grass: bent blades of two triangles and a tip."""
    chance = chances(blades, 4, seed)
    points, faces = [], []
    for turn, lean, high, off in chance:
        angle = 2.0 * math.pi * float(turn)
        out = np.array([math.cos(angle), math.sin(angle), 0.0])
        side = np.array([-out[1], out[0], 0.0]) * 0.018
        root = out * 0.22 * float(off)
        up = 0.45 + 0.55 * float(high)
        middle = root + out * (0.10 + 0.16 * float(lean)) + np.array([0.0, 0.0, 0.6 * up])
        tip = root + out * (0.25 + 0.45 * float(lean)) + np.array([0.0, 0.0, up])
        first = len(points)
        points += [root - side, root + side, middle - side * 0.8, middle + side * 0.8, tip]
        faces += [(first, first + 1, first + 3), (first, first + 3, first + 2), (first + 2, first + 3, first + 4)]  # fmt: skip
    return PlantShape.of(points, faces)


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
    cut = PlantShape(points, ball(times).triangles, ball(times).materials)
    raised = cut.place((0.0, 0.0, 0.32))
    noise = Fractal(source=Perlin(frequency=3.5), octaves=3, persistence=0.5)
    push = noise.sample(raised.points, seed=seed)[:, np.newaxis] * np.float32(0.10)
    return PlantShape(
        (raised.points * (1.0 + push)).astype(np.float32), raised.triangles, raised.materials
    )


def group_of(kinds: Sequence[PlantShape], side: float, seed: int, count: int = 8) -> PlantShape:
    """Return a group of plants spread over a square: what stands for that many in the distance."""
    places, chance = spread_points(count, seed), chances(count, 2, seed)
    parts = []
    for number, ((x, y), (size, turn)) in enumerate(zip(places, chance)):
        high = 0.72 + 0.45 * float(size)
        spot = ((float(x) - 0.5) * side, (float(y) - 0.5) * side, 0.0)
        one = kinds[number % len(kinds)]
        parts.append(one.place(spot, high, 2.0 * math.pi * float(turn)))
    return PlantShape.join(parts)
