# SPDX-License-Identifier: GPL-3.0-or-later
"""Eroded terrain as a picture seen from above: rock, meadows, scree, snow and water by its maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shading
from shading import Field, Ramp

SUN = np.array([1.22, 1.10, 0.94], np.float32)
SKY = np.array([0.36, 0.42, 0.52], np.float32)


@dataclass(frozen=True)
class Look:
    """What a landscape is made of.

    Attributes
    ----------
    ground : Ramp
        Colors of gentle ground from the lowest to the highest point.
    rock : tuple of three ints
        Color of steep ground.
    rock_slope : tuple of two floats
        Degrees at which rock begins to show, and shows alone.
    plants : tuple of three ints, or None
        Color where water gathers.
    snow : float
        Share of the height above which snow lies; above 1 there is none.
    sea : float or None
        Height of the sea in meters.
    bands : float
        Thickness of layers of rock in meters, 0 for none.
    has_lakes : bool
        Whether basins hold water.
    """

    ground: Ramp
    rock: tuple[int, int, int] = (128, 120, 112)
    rock_slope: tuple[float, float] = (27.0, 40.0)
    plants: tuple[int, int, int] | None = (74, 92, 52)
    snow: float = 2.0
    sea: float | None = None
    bands: float = 0.0
    has_lakes: bool = True


def landscape(
    height: Field, maps: Mapping[str, Field], spacing: float, look: Look
) -> npt.NDArray[np.float32]:
    """Return a picture of shape (rows, columns, 3), 0 to 1, row 0 in the south.

    Parameters
    ----------
    height : ndarray of shape (rows, columns)
        In meters.
    maps : mapping of str to ndarray of that shape
        What the modifiers made; those that are missing are not drawn.
    spacing : float
        Distance of samples in meters.
    look : Look
    """
    surface = height if look.sea is None else np.maximum(height, np.float32(look.sea))
    if not look.has_lakes:
        maps = {name: values for name, values in maps.items() if name != "lake"}
    surface = surface + _water(maps, height)
    dry = height if look.sea is None else height[height >= look.sea]
    low, high = np.percentile(dry if dry.size else height, (0.2, 99.8))
    level = np.clip((height - low) / max(high - low, 1e-6), 0.0, 1.0).astype(np.float32)
    color = _ground(height, level, maps, spacing, look)
    direct, sky = shading.relief(surface, spacing, altitude=40.0)
    light = direct[..., np.newaxis] * SUN + sky[..., np.newaxis] * SKY
    lit = color * light * 1.1
    lit = np.clip(lit / (1.0 + 0.2 * lit * lit), 0.0, 1.0)
    return np.asarray(_under_water(lit, height, maps, high - low, look), np.float32)


def _ground(
    height: Field, level: Field, maps: Mapping[str, Field], spacing: float, look: Look
) -> Field:
    color = shading.tinted(level, list(look.ground))
    dy, dx = np.gradient(height, spacing)
    slope = np.degrees(np.arctan(np.hypot(dx, dy)))
    if look.plants is not None and "flow" in maps:
        wet = _ramp(maps["flow"], 0.22, 0.55) * (1.0 - _ramp(slope, 18.0, 34.0))
        color = _mixed(color, look.plants, 0.7 * wet)
    bare = _ramp(slope, *look.rock_slope)
    rock = np.broadcast_to(np.array(look.rock, np.float32) / 255.0, color.shape)
    if look.bands:
        band = np.abs((height / look.bands) % 1.0 - 0.5) * 2.0
        rock = rock * (0.82 + 0.36 * band[..., np.newaxis])
    color = color * (1.0 - bare[..., np.newaxis]) + rock * bare[..., np.newaxis]
    if "scree" in maps:
        thick = _ramp(maps["scree"], 0.5, 6.0)
        color = _mixed(color, (168, 160, 148), 0.35 * thick)
    if look.snow < 1.0:
        white = _ramp(level, look.snow, look.snow + 0.18) * (1.0 - _ramp(slope, 38.0, 56.0))
        color = _mixed(color, (244, 247, 252), white)
    return color


def _water(maps: Mapping[str, Field], height: Field) -> Field:
    lake = maps.get("lake")
    return np.zeros_like(height) if lake is None else np.where(lake > 1.0, lake, 0.0)


def _under_water(
    lit: Field, height: Field, maps: Mapping[str, Field], relief: float, look: Look
) -> Field:
    depth = _water(maps, height)
    if look.sea is not None:
        depth = np.maximum(depth, look.sea - height)
    share = _ramp(depth, 0.0, 0.35 * relief)[..., np.newaxis] ** 0.6
    water = np.array((0.36, 0.58, 0.62)) * (1.0 - share) + np.array((0.07, 0.17, 0.29)) * share
    wet = _ramp(depth, 0.0, 1.5)[..., np.newaxis] * 0.94
    return lit * (1.0 - wet) + water * wet


def _ramp(values: Field, low: float, high: float) -> Field:
    """Return 0 below `low`, 1 above `high`, and a smooth rise between."""
    t = np.clip((values - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t), np.float32)


def _mixed(color: Field, other: tuple[int, int, int], share: Field) -> Field:
    return color + (np.array(other, np.float32) / 255.0 - color) * share[..., np.newaxis]
