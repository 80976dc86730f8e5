# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of plants and stones as triangles: each stands on the origin and is about 1 high."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...lattice.hash import hash_indices
from ...noises.fractal import Fractal
from ...noises.perlin import Perlin
from ..point_sets import spread_points

Triangles = npt.NDArray[np.int32]

FOLIAGE, WOOD, ACCENT, STONE = 0, 1, 2, 3
"""Numbers of materials: leaves; wood, or what is dry; flowers; pebbles. Boulders have the first."""


@dataclass(frozen=True)
class PlantShape:
    """Triangles with materials.

    Attributes
    ----------
    points : ndarray of shape (n, 3), float32
    triangles : ndarray of shape (m, 3), int32
    materials : ndarray of shape (m,), int32
    facing : ndarray of shape (n, 3), float32
        Directions out of the crown, by which leaves are shaded: the shorter, the darker is it inside. 0 for
        parts without leaves.
    """

    points: Field
    triangles: Triangles
    materials: Triangles
    facing: Field

    @classmethod
    def of(
        cls,
        points: npt.ArrayLike,
        triangles: npt.ArrayLike,
        material: int = FOLIAGE,
        facing: npt.ArrayLike = 0.0,
    ) -> PlantShape:
        """Return a shape of one material."""
        places = np.asarray(points, np.float32).reshape(-1, 3)
        corners = np.asarray(triangles, np.int32).reshape(-1, 3)
        numbers = np.full(len(corners), material, np.int32)
        out = np.broadcast_to(np.asarray(facing, np.float32), places.shape)
        return cls(places, corners, numbers, out)

    @classmethod
    def join(cls, parts: Sequence[PlantShape]) -> PlantShape:
        """Return several shapes as one."""
        firsts = np.cumsum([0, *(len(part.points) for part in parts)], dtype=np.int32)
        return cls(
            np.concatenate([part.points for part in parts]),
            np.concatenate([part.triangles + first for part, first in zip(parts, firsts)]),
            np.concatenate([part.materials for part in parts]),
            np.concatenate([part.facing for part in parts]),
        )

    def pack(self) -> bytes:
        """Return it as bytes; see `unpack`."""
        sizes = np.array((len(self.points), len(self.triangles)), np.int32)
        arrays = (sizes, self.points, self.facing, self.triangles, self.materials)
        return b"".join(array.tobytes() for array in arrays)

    @classmethod
    def unpack(cls, data: bytes, start: int = 0) -> tuple[PlantShape, int]:
        """Return the shape that was packed at a place among bytes, read-only, and the place behind it."""
        points, triangles = np.frombuffer(data, np.int32, 2, start).tolist()
        stop = start + 8
        parts: list[npt.NDArray[Any]] = []
        for count, width, kind in (
            (points, 3, np.float32),
            (points, 3, np.float32),
            (triangles, 3, np.int32),
            (triangles, 1, np.int32),
        ):
            part = np.frombuffer(data, kind, count * width, stop)
            parts.append(part.reshape(count, width) if width > 1 else part)
            stop += part.nbytes
        place, facing, corners, materials = parts
        return cls(place, corners, materials, facing), stop

    def place(
        self, place: Sequence[float], size: Sequence[float] | float = 1.0, turn: float = 0.0
    ) -> PlantShape:
        """Return it scaled, turned about the vertical and moved."""
        moved = _turn(self.points * np.asarray(size, np.float32), turn)
        moved += np.asarray(place, np.float32)
        return replace(self, points=moved, facing=_turn(self.facing, turn))

    def ruffle(self, frequency: float, strength: float, seed: int) -> PlantShape:
        """Return it with its points pushed about by noise, less so near the ground."""
        noise = Fractal(source=Perlin(frequency=frequency), octaves=3, persistence=0.65)
        shifts = (0.0, 31.0, 57.0)
        push = np.stack(
            [noise.sample(self.points + np.float32(shift), seed=seed) for shift in shifts], axis=-1
        )
        held = np.clip(self.points[:, 2:] * 5.0, 0.0, 1.0)
        moved = self.points + np.float32(strength) * push * held
        return replace(self, points=moved.astype(np.float32))


def _turn(vectors: Field, angle: float) -> Field:
    """Return vectors turned about the vertical."""
    across, along = math.cos(angle), math.sin(angle)
    x, y, z = vectors.T
    return np.stack([x * across - y * along, x * along + y * across, z], axis=-1)


def unit(directions: npt.ArrayLike) -> Field:
    """Return vectors with the length 1."""
    vectors = np.asarray(directions, np.float32)
    lengths = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    result: Field = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return result


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
    places = [np.array(point) / math.sqrt(1.0 + golden * golden) for point in points]
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


def limb(line: npt.ArrayLike, radii: Sequence[float], sides: int) -> PlantShape:
    """Return a trunk or a branch: a tube along a line, with a radius at each of its points."""
    middles = np.asarray(line, np.float32).reshape(-1, 3)
    along = unit(middles[-1] - middles[0])
    side = unit(np.cross(along, (0.0, 1.0, 0.0) if abs(along[1]) < 0.9 else (1.0, 0.0, 0.0)))
    turns = np.arange(sides, dtype=np.float32) * np.float32(2.0 * math.pi / sides)
    ring = np.outer(np.cos(turns), side) + np.outer(np.sin(turns), np.cross(along, side))
    points = (
        middles[:, np.newaxis] + np.asarray(radii, np.float32)[:, np.newaxis, np.newaxis] * ring
    )
    first = np.arange(sides * (len(middles) - 1), dtype=np.int32)
    second = first + np.where(first % sides == sides - 1, 1 - sides, 1).astype(np.int32)
    lower = np.stack([first, second, second + sides], axis=-1)
    upper = np.stack([first, second + sides, first + sides], axis=-1)
    return PlantShape.of(points, np.concatenate([lower, upper]), WOOD)


def group_of(kinds: Sequence[PlantShape], side: float, seed: int, count: int) -> PlantShape:
    """Return a group of plants spread over a square, which stands for that many in the distance."""
    places, chance = spread_points(count, seed), chances(count, 2, seed)
    parts = []
    for number, ((x, y), (size, turn)) in enumerate(zip(places, chance)):
        high = 0.72 + 0.45 * float(size)
        spot = ((float(x) - 0.5) * side, (float(y) - 0.5) * side, 0.0)
        kind = kinds[number % len(kinds)]
        parts.append(kind.place(spot, high, 2.0 * math.pi * float(turn)))
    return PlantShape.join(parts)
