# SPDX-License-Identifier: GPL-3.0-or-later
"""Heaps of cloud above a landscape: light on its way through noise in space, as an image of the sky.

Clouds are where one noise over the land and one in space together pass a threshold that grows with
height, which gives them flat floors and round tops. Looks are followed from the camera through the
layer, from near to far; at each step the light that reaches it is what the cloud towards the sun
lets through (Beer and Lambert), in ever wider lobes for light that has been scattered several times
(Wrenninge, Kulla and Lundqvist, Oz: The Great and Volumetric, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import _terrane
import bpy
import numpy as np
from _earth import towards
from _looks import Air
from mathutils import Vector

SPAN, TOP = 110.0, 42.0
"""Degrees of the sky that the image shows: around, and up from the horizon."""

_WIDEST = 4096
"""Pixels of the image at most, whatever the picture has."""

_FLOOR, _CEILING = 1.1, 2.5
"""Between which clouds stand, in kilometers."""

_FAR = 46.0
"""Kilometers to the last clouds."""

_MAP = 1024
"""Samples along each side of the noise over the land, which repeats beyond `_FAR`."""

_STEPS = 72
_DENSE = 11.0
"""How much light is lost in the densest cloud, per kilometer."""

_THINNEST = 0.015
"""Share of the light that is left where a look is not followed farther."""

_TO_SUN = (0.04, 0.11, 0.25, 0.52, 1.0)
"""Kilometers from a spot towards the sun where the cloud above it is looked up."""

_SOFT = 0.6
"""By how much noise has to pass the threshold where a cloud is densest."""

_SEED = 5


@dataclass(frozen=True)
class View:
    """What a camera sees of the sky.

    Attributes
    ----------
    ahead : float
        Where on a compass it looks, in degrees.
    width : float
        From the left to the right edge of the picture, in degrees.
    pixels : int
        Of the picture, across.
    """

    ahead: float
    width: float
    pixels: int

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of an image of clouds that is about as fine as the picture."""
        columns = min(max(round(self.pixels * SPAN / self.width), 8), _WIDEST)
        return max(round(columns * TOP / SPAN), 4), columns


@dataclass(frozen=True)
class _Layer:
    """The layer of clouds: noise over the land, as a table, and noise in space."""

    table: np.ndarray
    noise: Any
    threshold: float

    @classmethod
    def of(cls, cover: float, seed: int) -> _Layer:
        """Return that of so much cover, from 0 to 1."""
        package = _terrane.load()
        noises = _terrane.part(package, "noise_core.noises")
        grid = _terrane.part(package, "noise_core.base.grid").Grid(_MAP, _MAP, wrap=True)
        over_land = noises.Fractal(
            source=noises.Perlin(frequency=24.0), octaves=4, persistence=0.45
        )
        in_space = noises.Fractal(source=noises.Perlin(frequency=1.9), octaves=5, persistence=0.5)
        table = over_land.sample_grid(grid, seed=seed)
        table = table / table.std()
        return cls(table, in_space, float(np.quantile(table, 1.0 - cover)))

    def density(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Return how dense clouds are at some points in kilometers, from 0 to 1."""
        place = _MAP / (2.0 * _FAR)
        column = np.floor(x * place).astype(np.int32) % _MAP
        row = np.floor(y * place).astype(np.int32) % _MAP
        up = (z - _FLOOR) / (_CEILING - _FLOOR)
        over = self.table[row, column] - self.threshold - 2.1 * up
        result = np.zeros(x.shape, np.float32)
        # Noise in space moves the threshold by 1.3 at most; what is farther below stays clear.
        (near,) = np.nonzero((over > -1.3) & (up > 0.0) & (up < 1.0))
        if near.size:
            points = np.stack([x[near], y[near], z[near]], axis=-1)
            value = over[near] + 3.4 * self.noise.sample(points, seed=_SEED)
            floor = np.clip(up[near] / 0.10, 0.0, 1.0)
            result[near] = np.clip(value / _SOFT, 0.0, 1.0) * floor
        return result


def clouds(air: Air, view: View) -> bpy.types.Image:
    """Return the image of the clouds in the sky where a camera looks.

    Its colors are the light that clouds send, its alpha is how much of the sky they hide. It shows
    `SPAN` degrees around that direction and `TOP` degrees up from the horizon, evenly.
    """
    pixels = panorama(air, view)
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("Clouds", width, height, alpha=True, float_buffer=True)
    image.colorspace_settings.name = "Linear Rec.709"
    image.alpha_mode = "CHANNEL_PACKED"
    image.pixels.foreach_set(pixels.reshape(-1))
    image.update()
    image.pack()
    return image


def panorama(air: Air, view: View) -> np.ndarray:
    """Return the light and the cover of clouds, shape (rows, columns, 4), float32, from below."""
    layer = _Layer.of(air.cumulus, air.cumulus_seed)
    rows, columns = view.size
    up = np.radians((np.arange(rows) + 0.5) / rows * TOP)[:, np.newaxis]
    aside = ((np.arange(columns) + 0.5) / columns - 0.5) * SPAN
    round_ = np.radians(view.ahead + aside)
    level, rise = np.cos(up), np.broadcast_to(np.sin(up), (rows, columns))
    way = np.stack([np.sin(round_) * level, np.cos(round_) * level, rise], axis=-1)
    seen = _followed(layer, air, way.reshape(-1, 3).astype(np.float32))
    return seen.reshape(rows, columns, 4)


def _followed(layer: _Layer, air: Air, way: np.ndarray) -> np.ndarray:
    """Return light and cover along looks, given as unit vectors."""
    sun = towards(*air.sun)
    near = _FLOOR / way[:, 2]
    far = np.minimum(_CEILING / way[:, 2], _FAR)
    stride = np.maximum(far - near, 0.0) / _STEPS
    offset = _offsets(way)
    light, left = np.zeros(way.shape, np.float32), np.ones(len(way), np.float32)
    lobes = _lobes(way @ np.asarray(sun, np.float32))
    for step in range(_STEPS):
        (active,) = np.nonzero((left > _THINNEST) & (stride > 0.0))
        distance = near[active] + (step + offset[active]) * stride[active]
        x, y, z = (way[active] * distance[:, np.newaxis]).T
        dense = layer.density(x, y, z)
        (inside,) = np.nonzero(dense > 0.01)
        if not inside.size:
            continue
        active, dense = active[inside], dense[inside]
        bright = _lit(layer, air, sun, (x[inside], y[inside], z[inside]), lobes[active])
        # Clouds far away drown in the color of the sky in front of them.
        passed = np.exp(-dense * _DENSE * stride[active])
        clear = np.exp(-((distance[inside] / (0.55 * _FAR)) ** 2))
        light[active] += (left[active] * (1.0 - passed) * clear)[:, np.newaxis] * bright
        left[active] *= 1.0 - (1.0 - passed) * clear
    return np.concatenate([light, 1.0 - left[:, np.newaxis]], axis=1)


def _lit(
    layer: _Layer,
    air: Air,
    sun: Vector,
    spot: tuple[np.ndarray, np.ndarray, np.ndarray],
    lobes: np.ndarray,
) -> np.ndarray:
    """Return the light that clouds send from some spots towards the camera."""
    x, y, z = spot
    deep, before = np.zeros(x.shape, np.float32), 0.0
    for after in _TO_SUN:
        middle = 0.5 * (before + after)
        dense = layer.density(x + middle * sun.x, y + middle * sun.y, z + middle * sun.z)
        deep += dense * np.float32(_DENSE * (after - before))
        before = after
    direct = sum(
        lobes[:, turn] * np.float32(0.62**turn) * np.exp(-deep * np.float32(0.34**turn))
        for turn in range(3)
    )
    up = np.clip((z - _FLOOR) / (_CEILING - _FLOOR), 0.0, 1.0)[:, np.newaxis]
    shade = np.asarray(air.cloud_shade, np.float32) * (0.42 + 0.5 * up)
    return direct[:, np.newaxis] * np.asarray(air.cloud, np.float32) + shade


def _lobes(cosine: np.ndarray) -> np.ndarray:
    """Return how strongly light goes on at an angle, after one, two and three turns.

    By the law of Henyey and Greenstein (1941), forwards mixed with some backwards; 1 is evenly.
    """
    result = []
    for turn in range(3):
        there, back = 0.72 * 0.55**turn, -0.25 * 0.55**turn
        result.append(0.45 * _henyey(cosine, there) + 0.55 * _henyey(cosine, back))
    return np.stack(result, axis=-1).astype(np.float32)


def _henyey(cosine: np.ndarray, turn: float) -> np.ndarray:
    return (1.0 - turn * turn) / (1.0 + turn * turn - 2.0 * turn * cosine) ** 1.5


def _offsets(way: np.ndarray) -> np.ndarray:
    """Return by which share of a step each look begins later: noise hides the steps."""
    white = _terrane.part(_terrane.load(), "noise_core.noises").White()
    return (0.5 + 0.5 * white.sample(way[:, ::2] * 911.0, seed=_SEED)).astype(np.float32)
