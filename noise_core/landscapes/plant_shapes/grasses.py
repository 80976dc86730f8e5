# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of meadows: tufts of grass, dry stalks, flowers, clover, and the leaves and pebbles between them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from .shape import ACCENT, STONE, WOOD, PlantShape, ball, chances, unit


def tuft(seed: int, blades: int = 34) -> PlantShape:
    """Return a tuft of grass: blades that bend outward, the longer the more, narrow at their tips."""
    turn, lean, high, off, wide = chances(blades, 5, seed).T[:, :, None]
    steps = np.array([0.0, 0.4, 0.75, 1.0])
    angle = 2.0 * math.pi * turn
    out = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1)
    # Blades of one root do not all lie in planes through the middle of the tuft.
    across = np.stack([-np.sin(angle + lean), np.cos(angle + lean), 0.0 * angle], axis=-1)
    tall = 0.35 + 0.65 * high
    outward = 0.28 * off + tall * (0.12 + 0.55 * lean) * steps**2
    up = tall * (steps - 0.30 * lean * steps**3)
    middle = out * outward[..., None] + up[..., None] * (0.0, 0.0, 1.0)
    half = (0.010 + 0.010 * wide) * np.array([0.8, 1.0, 0.7])
    left, right = (middle[:, :3] + sign * half[..., None] * across for sign in (-1.0, 1.0))
    points = np.concatenate([left, right, middle[:, 3:]], axis=1).reshape(-1, 3)
    corners = np.array([[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 6]], np.int32)
    first = 7 * np.arange(blades, dtype=np.int32)[:, None, None]
    bright = np.array([0.25, 0.6, 0.85, 0.25, 0.6, 0.85, 1.0])[:, None]
    facing = unit(0.5 * out + (0.0, 0.0, 1.0)) * bright * (0.75 + 0.25 * wide[..., None])
    return PlantShape.of(points, first + corners, facing=facing.reshape(-1, 3))


def stalks(seed: int, count: int = 9) -> PlantShape:
    """Return a tuft with dry stalks that carry ears."""
    chance = chances(count, 4, seed + 5)
    parts = [tuft(seed, 12).place((0.0, 0.0, 0.0), (0.9, 0.9, 0.6))]
    for turn, lean, high, thick in chance.tolist():
        top = np.array(_outward(turn, 0.10 + 0.25 * lean)) + (0.0, 0.0, 0.75 + 0.45 * high)
        parts.append(_blade((0.0, 0.0, 0.0), top, 0.006, 0.0))
        ear = top + (0.02 * lean, 0.02 * turn, 0.14 + 0.06 * thick)
        parts.append(_blade(top - (0.0, 0.0, 0.04), ear, 0.016 + 0.008 * thick, 0.5))
    dry = [parts[0], *(_of(part, WOOD) for part in parts[1:])]
    return PlantShape.join(dry)


def flowers(seed: int, count: int = 4) -> PlantShape:
    """Return a low tuft with some flowers: five petals around a point, on thin stems."""
    parts = [tuft(seed, 16).place((0.0, 0.0, 0.0), (1.0, 1.0, 0.65))]
    for turn, lean, high, wide in chances(count, 4, seed + 5).tolist():
        top = np.array(_outward(turn, 0.12 + 0.3 * lean)) + (0.0, 0.0, 0.45 + 0.4 * high)
        parts.append(_blade((0.0, 0.0, 0.0), top, 0.006, 0.0))
        angles = np.arange(10, dtype=np.float32) * np.float32(0.2 * math.pi)
        reach = np.where(np.arange(10, dtype=np.int32) % 2, 0.4, 1.0) * (0.05 + 0.035 * wide)
        rim = np.stack(
            [reach * np.cos(angles), reach * np.sin(angles), 0.02 + 0.0 * angles], axis=-1
        )
        points = np.concatenate([rim, [(0.0, 0.0, 0.0)]]) + top
        petals = [(side, (side + 1) % 10, 10) for side in range(10)]
        parts.append(PlantShape.of(points, petals, ACCENT, (0.0, 0.0, 0.9)))
    return PlantShape.join(parts)


def clover(seed: int, count: int = 16) -> PlantShape:
    """Return low herbs: leaves of three on short stems, that lie flat."""
    parts = []
    for turn, far, high, wide in chances(count, 4, seed + 5).tolist():
        top = np.array(_outward(turn, 0.05 + 0.5 * math.sqrt(far))) + (0.0, 0.0, 0.10 + 0.28 * high)
        parts.append(_blade((0.0, 0.0, 0.0), top, 0.006, 0.0))
        for third in range(3):
            along = np.array(_outward(turn + third / 3.0, 0.09 + 0.05 * wide)) + (0.0, 0.0, -0.015)
            across = np.array((-along[1], along[0], 0.0)) * 0.45
            points = [top, top + 0.6 * along + across, top + along, top + 0.6 * along - across]
            bright = 0.55 + 0.35 * high
            parts.append(PlantShape.of(points, [(0, 1, 2), (0, 2, 3)], facing=(0.0, 0.0, bright)))
    return PlantShape.join(parts)


def litter(seed: int, count: int = 14) -> PlantShape:
    """Return fallen leaves and bits of stalks, and a short tuft between them."""
    parts = [tuft(seed, 9).place((0.0, 0.0, 0.0), (0.8, 0.8, 0.62))]
    for turn, far, high, wide in chances(count, 4, seed + 5).tolist():
        middle = np.array(_outward(turn, 0.9 * math.sqrt(far))) + (0.0, 0.0, 0.012 + 0.03 * high)
        along = np.array(_outward(7.0 * wide, 0.05 + 0.10 * high)) + (0.0, 0.0, 0.03 * wide)
        across = np.array((-along[1], along[0], 0.02)) * (0.1 if wide > 0.6 else 0.5)
        points = [middle - along, middle + across, middle + along, middle - across]
        parts.append(PlantShape.of(points, [(0, 1, 2), (0, 2, 3)], WOOD, (0.0, 0.0, 0.7)))
    return PlantShape.join(parts)


def pebbles(seed: int, count: int = 5) -> PlantShape:
    """Return some pebbles that are half sunk, with a tuft between them."""
    parts = [tuft(seed, 14).place((0.0, 0.0, 0.0), (0.9, 0.9, 0.65))]
    for turn, far, high, wide in chances(count, 4, seed + 5).tolist():
        size = 0.04 + 0.12 * wide**3
        x, y, _ = _outward(turn, 0.15 + 0.7 * math.sqrt(far))
        stone = ball(1).place((x, y, 0.25 * size), (size, 0.8 * size, 0.6 * size), 6.3 * high)
        parts.append(_of(stone.ruffle(9.0, 0.03, seed), STONE))
    return PlantShape.join(parts)


def _outward(turn: float, far: float) -> tuple[float, float, float]:
    """Return a place on the ground in a direction, counted in turns."""
    return far * math.cos(2.0 * math.pi * turn), far * math.sin(2.0 * math.pi * turn), 0.0


def _blade(start: npt.ArrayLike, end: npt.ArrayLike, wide: float, middle: float) -> PlantShape:
    """Return a blade from a place to another: widest at its start, or in its middle if that is not 0."""
    first, last = np.asarray(start, np.float64), np.asarray(end, np.float64)
    across = np.cross(last - first, (0.31, 0.95, 0.05))
    across *= wide / math.sqrt(float((across * across).sum()))
    at = first + middle * (last - first)
    points = [at + across, last, at - across]
    if middle:
        points.append(first)
    corners = [(0, 1, 2), (2, 3, 0)] if middle else [(0, 1, 2)]
    return PlantShape.of(points, corners, facing=(0.0, 0.0, 0.8))


def _of(shape: PlantShape, material: int) -> PlantShape:
    """Return a shape of another material."""
    return replace(shape, materials=np.full_like(shape.materials, material))
