# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a height field from a camera above it, in plain NumPy, for pictures of exported files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

SUN = np.array([-0.62, 0.34, 0.56]) / np.linalg.norm([-0.62, 0.34, 0.56])
"""Direction to the sun: low in the west-north-west."""

SKY = np.array([[0.36, 0.56, 0.82], [0.90, 0.93, 0.95]])
"""Colors at the top of a picture and at the horizon."""

STEPS = 1400
GAMMA = 2.2
FINER = 2
"""Samples of a pixel along each side."""


@dataclass(frozen=True)
class Camera:
    """Place and direction of a camera, in shares of the land's width.

    Attributes
    ----------
    east, north : float
        From the middle of the land.
    above : float
        Above the middle between its lowest and its highest point.
    heading : float
        Degrees from north, clockwise.
    down : float
        Degrees below the horizon.
    angle : float
        Degrees from the left edge of the picture to the right one.
    """

    east: float = 0.0
    north: float = -0.62
    above: float = 0.24
    heading: float = 0.0
    down: float = 17.0
    angle: float = 52.0


def light(colors: np.ndarray, normals: np.ndarray, shade: np.ndarray | float = 1.0) -> np.ndarray:
    """Return colors from 0 to 1 in the light of the sun and of the sky.

    Parameters
    ----------
    colors, normals : ndarray of shape (rows, columns, 3)
        Row 0 in the south.
    shade : ndarray of shape (rows, columns), or float
        Share of the sky that each sample sees.
    """
    sun = np.clip(normals @ SUN, 0.0, 1.0)[..., np.newaxis] * np.array([1.55, 1.42, 1.22])
    sky = np.array([0.26, 0.31, 0.40]) * (0.6 + 0.4 * normals[..., 2:])
    seen = np.asarray(shade)[..., np.newaxis] if np.ndim(shade) else shade
    return np.clip((colors**GAMMA * (sun + sky) * seen) ** (1.0 / GAMMA), 0.0, 1.0)


def view(
    height: np.ndarray,
    colors: np.ndarray,
    width: float,
    size: tuple[int, int],
    camera: Camera,
    haze: float = 0.35,
    steps: int = STEPS,
) -> Image.Image:
    """Return the view of a camera over colored heights, row 0 in the south.

    More steps of rays show steep land without stairs. Each column of the picture is a ray over the ground. The first step of it that rises as high as a pixel
    is the color of the pixel.
    """
    columns, rows = FINER * size[0], FINER * size[1]
    focal = 0.5 * columns / np.tan(0.5 * np.radians(camera.angle))
    horizon = 0.5 * rows - focal * np.tan(np.radians(camera.down))
    distance = np.geomspace(0.02, 2.2, steps)[:, np.newaxis]
    side = (np.arange(columns) + 0.5 - 0.5 * columns) / focal
    turn = np.radians(camera.heading)
    east = camera.east + distance * (np.sin(turn) + side * np.cos(turn))
    north = camera.north + distance * (np.cos(turn) - side * np.sin(turn))
    aspect = height.shape[0] / height.shape[1]
    x, y = (east + 0.5) * (height.shape[1] - 1), (north / aspect + 0.5) * (height.shape[0] - 1)
    inside = (x >= 0) & (x <= height.shape[1] - 1) & (y >= 0) & (y <= height.shape[0] - 1)
    middle = 0.5 * (float(height.min()) + float(height.max()))
    rise = (sample(height[..., np.newaxis], x, y)[..., 0] - middle) / width
    up = np.where(inside, horizon + focal * (camera.above - rise) / distance, np.inf)
    highest = np.minimum.accumulate(up, axis=0)
    picture = _sky(rows, columns, max(horizon, 0.15 * rows))
    lit = np.arange(rows) + 0.5
    for column in range(columns):
        step = np.searchsorted(-highest[:, column], -lit)
        met = step < steps
        at = step[met]
        ground = sample(colors, x[at, column], y[at, column])
        far = 1.0 - np.exp(-haze * np.maximum(distance[at] - 0.25, 0.0))
        picture[met, column] = ground * (1.0 - far) + SKY[1] * far
    image = Image.fromarray((np.clip(picture, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))
    return image.resize(size, Image.Resampling.LANCZOS)


def sample(values: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return values of shape (rows, columns, channels) between their samples; the border goes on."""
    x, y = np.clip(x, 0, values.shape[1] - 1.001), np.clip(y, 0, values.shape[0] - 1.001)
    column, row = x.astype(int), y.astype(int)
    u, v = (x - column)[..., np.newaxis], (y - row)[..., np.newaxis]
    near = values[row, column] * (1.0 - u) + values[row, column + 1] * u
    beyond = values[row + 1, column] * (1.0 - u) + values[row + 1, column + 1] * u
    return near * (1.0 - v) + beyond * v


def _sky(rows: int, columns: int, horizon: float) -> np.ndarray:
    share = np.clip((np.arange(rows) + 0.5) / horizon, 0.0, 1.0)[:, np.newaxis, np.newaxis]
    picture = SKY[0] * (1.0 - share) + SKY[1] * share
    return np.broadcast_to(picture, (rows, columns, 3)).copy()
