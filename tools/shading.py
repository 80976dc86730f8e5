# SPDX-License-Identifier: GPL-3.0-or-later
"""Shaded relief for pictures in the documentation: light, shadow, sky and a tint by height."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]
Ramp = list[tuple[float, tuple[int, int, int]]]
"""Colors (red, green, blue from 0 to 255) at heights from 0 to 1."""

ALPINE: Ramp = [
    (0.0, (84, 104, 66)),
    (0.25, (112, 122, 78)),
    (0.5, (138, 130, 98)),
    (0.68, (150, 142, 126)),
    (0.82, (206, 206, 206)),
    (1.0, (246, 248, 252)),
]
ROCK = (124, 114, 104)

GRAY: Ramp = [(0.0, (0, 0, 0)), (1.0, (255, 255, 255))]


def tinted(values: Field, ramp: Ramp) -> Field:
    """Return colors from a ramp, shape (rows, columns, 3), 0 to 1; `values` from 0 to 1."""
    places = [place for place, _ in ramp]
    channels = [np.interp(values, places, [color[c] / 255 for _, color in ramp]) for c in range(3)]
    return np.stack(channels, axis=-1).astype(np.float32)


def terrain(height: Field, spacing: float, ground: Ramp | None = None) -> Field:
    """Return a height field as colored, shaded relief, shape (rows, columns, 3), 0 to 1.

    Parameters
    ----------
    height : ndarray of shape (rows, columns)
        In meters, row 0 in the south.
    spacing : float
        Distance of samples in meters.
    ground : Ramp, optional
        Colors from the lowest to the highest point; meadows, rock and snow if not given.
    """
    low, high = np.percentile(height, (0.05, 99.95))
    level = np.clip((height - low) / max(high - low, 1e-6), 0.0, 1.0).astype(np.float32)
    color = tinted(level, ground or ALPINE)
    dy, dx = np.gradient(height, spacing)
    slope = np.degrees(np.arctan(np.hypot(dx, dy)))
    if ground is None:
        bare = np.clip((slope - 24.0) / 14.0, 0.0, 1.0)[..., np.newaxis]
        color = color * (1.0 - bare) + np.array(ROCK, np.float32) / 255.0 * bare
    direct, sky = relief(height, spacing)
    light = direct[..., np.newaxis] * np.array([1.16, 1.06, 0.92], np.float32)
    light = light + sky[..., np.newaxis] * np.array([0.30, 0.36, 0.46], np.float32)
    lit = np.clip(color * light * 1.15, 0.0, None)
    # A gentle shoulder keeps snow in the sun from burning out.
    return np.clip(lit / (1.0 + 0.22 * lit * lit), 0.0, 1.0)


def relief(
    height: Field, spacing: float, *, azimuth: float = 315.0, altitude: float = 42.0
) -> tuple[Field, Field]:
    """Return how much of the sun and how much of the sky every sample gets, 0 to 1.

    Parameters
    ----------
    height : ndarray of shape (rows, columns)
        In meters, row 0 in the south.
    spacing : float
        Distance of samples in meters.
    azimuth, altitude : float
        Where the sun stands, in degrees, clockwise from north and above the horizon.
    """
    dy, dx = np.gradient(height, spacing)
    steepness = np.sqrt(dx * dx + dy * dy + 1.0)
    turn, rise = np.radians(90.0 - azimuth), np.radians(altitude)
    sun = np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
    direct = np.clip((sun[2] - dx * sun[0] - dy * sun[1]) / steepness, 0.0, 1.0)
    return direct * _sunlit(height, spacing, sun), _openness(height, spacing)


def _sunlit(height: Field, spacing: float, sun: npt.NDArray[np.float64]) -> Field:
    """Return 1 where the sun reaches, 0 in cast shadow, with a soft edge."""
    length = max(abs(sun[0]), abs(sun[1]))
    step = sun[:2] / length
    climb = sun[2] / length * spacing
    reach = float(height.max() - height.min()) / climb if climb > 0 else 0.0
    overhang = np.zeros_like(height)
    distance = 1.0
    while distance < min(reach, max(height.shape)):
        moved = _moved(height, step * distance)
        overhang = np.maximum(overhang, moved - height - climb * distance)
        distance *= 1.08 if distance > 12 else 1.0
        distance += 1.0
    return np.clip(1.0 - overhang / (4.0 * spacing), 0.0, 1.0)


def _openness(height: Field, spacing: float) -> Field:
    """Return how much of the sky is seen: hollows and valley floors are darker."""
    shade = np.zeros_like(height)
    for radius in (2, 5, 12, 28):
        around = np.zeros_like(height)
        for turn in np.arange(8) * (np.pi / 4):
            offset = radius * np.array([np.cos(turn), np.sin(turn)])
            rise = (_moved(height, offset) - height) / (radius * spacing)
            around += np.clip(rise, 0.0, 2.0)
        shade += around / 8
    return np.clip(1.12 - 0.42 * shade, 0.25, 1.1)


def _moved(height: Field, offset: npt.NDArray[np.float64]) -> Field:
    """Return the height `offset` (columns, rows) further on, edges repeated."""
    rows = np.clip(np.arange(height.shape[0]) + round(float(offset[1])), 0, height.shape[0] - 1)
    columns = np.clip(np.arange(height.shape[1]) + round(float(offset[0])), 0, height.shape[1] - 1)
    return height[np.ix_(rows, columns)]


def bytes_of(colors: Field) -> npt.NDArray[np.uint8]:
    """Return colors from 0 to 1 as bytes, top row first, as image files want them."""
    return (np.clip(colors[::-1], 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
