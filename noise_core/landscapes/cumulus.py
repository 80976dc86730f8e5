# SPDX-License-Identifier: GPL-3.0-or-later
"""Heaps of cloud over a place, drawn as an image of the whole sky.

Clouds are where one noise over the land and one in space together pass a threshold that grows with
height, which gives them flat floors and round tops. Looks are followed up through the layer; at each
step the light that reaches it is the part that the cloud towards the sun lets through (Beer and Lambert), in
ever wider lobes for light that has been scattered several times (Wrenninge, Kulla and Lundqvist, Oz:
The Great and Volumetric, 2013).

The image is a stereographic view straight up: the horizon is the circle that touches its sides. It is
conformal, so it has neither seam nor pole, and is finest near the horizon, where clouds look small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Cancel, Progress
from ..base.gathering import gather
from ..base.grid import Grid
from ..noises import Fractal, Perlin, White

SIDE = 896
"""Pixels along each side of the image: eight a degree at the horizon."""

BRIGHTEST = 2.4
"""Light of the sun that white stands for in the image; a sheet lit evenly sends 1."""

_FLOOR, _CEILING = 1.1, 2.5
"""Kilometers between which clouds stand."""

_FAR = 46.0
"""Kilometers to the last clouds: the table of the noise over the land repeats beyond."""

_TABLE = 2048
"""Samples along each side of the noise over the land; a power of two."""

_CELL, _ROOM, _LEVELS = 4.2, 256, 40
"""Kilometers after which noise in space repeats, its samples across (a power of two), and upwards."""

_STEPS = 44
"""Along each look, closer where the layer is near: all looks meet the same heights."""

_GROWTH = (_CEILING / _FLOOR) ** (1.0 / _STEPS)
"""Of the height, from step to step."""

_SPANS, _MARGIN = 224, 2
"""Looks along each side that find the steps at which others may see clouds, and steps added to these."""

_WIDER = 0.2
"""By how much they see clouds that are larger, so that few wisps between them are missed."""

_LOWEST_LOOK = _FLOOR / _FAR
"""Upwards part of the lowest direction in which clouds are seen."""

_DENSE = 11.0
"""How much light is lost in the densest cloud, per kilometer."""

_THINNEST = 0.02
"""Share of the light that is left where a look is not followed farther."""

_TO_SUN = (0.05, 0.15, 0.4, 1.0)
"""Kilometers from a spot towards the sun where the cloud above it is looked up."""

_SOFT = 0.6
"""By how much noise has to pass the threshold where a cloud is densest."""

_NARROWING = 2.1
"""How much the threshold grows from the floor to the ceiling, in standard deviations of the noise."""

_ROUGH, _ROUGHEST = 0.5, 1.2
"""How far noise in space moves the threshold, and by how much it does at most in practice."""

_LOWEST_SUN = 4.0
"""Degrees; clouds are lit by a sun that stands at least so high."""

_STRIP = 1 << 17
"""Looks followed at once: with fewer, threads wait for each other between short calls."""

Numbers = npt.NDArray[Any]


def draw_cumulus(
    cover: float,
    seed: int,
    sun: tuple[float, float, float],
    *,
    side: int = SIDE,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Field:
    """Draw heaps of cloud above a place, as its whole sky shows them.

    Parameters
    ----------
    cover : float
        Share of the land that lies under clouds, from 0 to 1. As they are high, more of the sky is hidden.
    seed : int
        Where they stand.
    sun : tuple of three floats
        Direction to the sun, a unit vector.
    side : int
        Pixels along each side.
    progress, cancel : callable, optional
        See `blocks`.

    Returns
    -------
    ndarray of shape (side, side, 3), float32
        From 0 to 1: light of the sun that clouds send, as a share of `BRIGHTEST`; light of the sky
        that they send; and how much of the sky behind they hide, by which both are multiplied already.
        The direction (x, y, z) is seen at ``0.5 + 0.5 * (x, y) / (1 + z)`` of columns and rows.
    """
    layer = _CloudLayer.of(cover, seed, sun)
    result = np.zeros((side * side, 3), np.float32)
    x, y, z = _directions(side)
    first, last = (spans.reshape(-1) for spans in _find_spans(layer, side))
    looks = np.flatnonzero((z > _LOWEST_LOOK) & (first <= last))
    offset = _offsets(looks)

    def draw(start: int, stop: int) -> None:
        part = looks[start:stop]
        way = x[part], y[part], z[part]
        span = first[part], last[part]
        result[part] = _trace(layer, way, offset[start:stop], span)

    blocks.run(draw, len(looks), _STRIP, progress=progress, cancel=cancel)
    return result.reshape(side, side, 3)


def _directions(side: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the directions that the pixels show; beyond the horizon they point down."""
    across = ((np.arange(side, dtype=np.float32) + np.float32(0.5)) / side) * 2.0 - 1.0
    u, v = np.broadcast_arrays(across, across[:, np.newaxis])
    squared = u * u + v * v
    scale = np.float32(2.0) / (1.0 + squared)
    return (u * scale).reshape(-1), (v * scale).reshape(-1), (scale - np.float32(1.0)).reshape(-1)


def _find_spans(layer: _CloudLayer, side: int) -> tuple[Numbers, Numbers]:
    """Return the first and the last step at which each pixel may see clouds, shape (side, side).

    A few looks find them, each for those around it too. Where these see none, the last step is -1.
    """
    layer = replace(layer, threshold=layer.threshold - _WIDER)
    x, y, z = _directions(_SPANS)
    first = np.full(z.shape, _STEPS, np.int8)
    last = np.full(z.shape, -1, np.int8)
    looks = np.flatnonzero(z > _LOWEST_LOOK)
    east, north, length = x[looks] / z[looks], y[looks] / z[looks], 1.0 / z[looks]
    for step in range(_STEPS):
        blocks.checkpoint()
        height = np.float32(_FLOOR * _GROWTH ** (step + 0.5))
        active = np.flatnonzero(length * height < _FAR)
        up = _up(np.full(active.shape, height, np.float32))
        dense = layer.density(east[active] * height, north[active] * height, up)
        rays = looks[active[np.flatnonzero(dense > 0.0)]]
        first[rays] = np.minimum(first[rays], max(step - _MARGIN, 0))
        last[rays] = step + _MARGIN
    at = (2 * np.arange(side, dtype=np.intp) + 1) * _SPANS // (2 * side)
    pixels, shape = np.ix_(at, at), (_SPANS, _SPANS)
    earliest = _widen(first.reshape(shape), np.minimum)
    return earliest[pixels], _widen(last.reshape(shape), np.maximum)[pixels]


def _widen(field: Numbers, of_both: Any) -> Numbers:
    """Return the lowest or the highest of each 3 x 3 texels."""
    for _ in range(2):
        field = field.T.copy()
        previous = field.copy()
        of_both(field[1:], previous[:-1], out=field[1:])
        of_both(field[:-1], previous[1:], out=field[:-1])
    return field


def _offsets(looks: Numbers) -> Field:
    """Return by which share of a step each look begins later: noise hides the steps."""
    places = np.stack([looks % 8191, looks // 8191], axis=-1).astype(np.float32) + np.float32(0.5)
    return np.asarray(0.5 + 0.5 * White().sample(places, seed=5), np.float32)


@dataclass(frozen=True)
class _CloudLayer:
    """The layer of clouds: noise over the land and in space, as tables that repeat, and the sun."""

    table: Field
    room: Field
    threshold: float
    sun: tuple[float, float, float]

    @classmethod
    def of(cls, cover: float, seed: int, sun: tuple[float, float, float]) -> _CloudLayer:
        """Return that of so much cover, from 0 to 1."""
        over_land = Fractal(source=Perlin(frequency=24.0), octaves=5, persistence=0.45)
        table = over_land.sample_grid(Grid(_TABLE, _TABLE, wrap=True), seed=seed)
        table /= table.std()
        coarse = np.sort(table[::8, ::8], axis=None)
        threshold = float(coarse[min(int((1.0 - cover) * coarse.size), coarse.size - 1)])
        return cls(table.reshape(-1), _noise_in_space(seed), threshold, _lift(sun))

    def density(self, x: Numbers, y: Numbers, up: Numbers) -> Numbers:
        """Return how dense clouds are at some points, from 0 to 1; 0 beside them.

        Most points lie in clouds or near them: to pick these costs more than to work out all.

        Parameters
        ----------
        x, y : ndarray of shape (points,)
            In kilometers.
        up : ndarray of shape (points,)
            0 at the floor of the layer, 1 at its ceiling.
        """
        dense = gather(self.table, _index(x, y, _TABLE, 2.0 * _FAR))
        share = up * np.float32(_NARROWING)
        share += np.float32(self.threshold)
        dense -= share
        is_near = dense > -_ROUGHEST
        is_near &= up > 0.0
        is_near &= up < 1.0
        np.multiply(up, np.float32(_LEVELS), out=share)
        np.clip(share, 0.0, _LEVELS - 1.0, out=share)
        level = share.astype(np.int32)
        level *= _ROOM * _ROOM
        level += _index(x, y, _ROOM, _CELL)
        dense += gather(self.room, level, out=share)
        dense *= np.float32(1.0 / _SOFT)
        np.clip(dense, 0.0, 1.0, out=dense)
        np.multiply(up, np.float32(10.0), out=share)
        dense *= np.minimum(share, 1.0, out=share)
        is_near &= dense > 0.01
        dense *= is_near
        return dense

    def depth(self, x: Numbers, y: Numbers, z: Numbers) -> Numbers:
        """Return how much cloud lies between some points and the sun, in kilometers of the densest."""
        deep, begin = np.zeros(x.shape, np.float32), 0.0
        east, north, rise = self.sun
        for end in _TO_SUN:
            middle = np.float32(0.5 * (begin + end))
            up = _up(z + middle * np.float32(rise))
            place = x + middle * np.float32(east), y + middle * np.float32(north)
            dense = self.density(*place, up)
            dense *= np.float32(end - begin)
            deep += dense
            begin = end
        return deep


def _lift(sun: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a direction to the sun that is not below `_LOWEST_SUN`."""
    level = math.hypot(sun[0], sun[1])
    up = max(math.asin(max(-1.0, min(1.0, sun[2]))), math.radians(_LOWEST_SUN))
    aside = math.cos(up) / max(level, 1e-9)
    return sun[0] * aside, sun[1] * aside, math.sin(up)


def _noise_in_space(seed: int) -> Field:
    """Return noise in space, level by level: how far it moves the threshold.

    Every other level lies midway between its neighbors: noise of so few cells changes little from one to the next.
    """
    source = Perlin(frequency=7.0)
    noise = Fractal(source=source, kind="billow", octaves=3, persistence=0.45)
    grid = Grid(_ROOM, _ROOM, wrap=True)
    rise = (_CEILING - _FLOOR) / _CELL / _LEVELS
    room = np.empty((_LEVELS, _ROOM, _ROOM), np.float32)
    for level in range(0, _LEVELS, 2):
        room[level] = noise.sample_grid(grid, seed=seed, evolution=(rise * level,))
    room[1:-1:2] = np.float32(0.5) * (room[:-2:2] + room[2::2])
    room[-1] = room[-2]
    room -= room.mean()
    room *= np.float32(_ROUGH) / room.std()
    return room.reshape(-1)


def _index(x: Numbers, y: Numbers, side: int, width: float) -> Numbers:
    """Return the indices of the samples at some places in a square table that repeats."""
    scale, middle = np.float32(side / width), np.float32(side * 64)  # integers round towards zero
    scaled = x * scale
    scaled += middle
    column = scaled.astype(np.int32)
    column &= side - 1
    np.multiply(y, scale, out=scaled)
    scaled += middle
    row = scaled.astype(np.int32)
    row &= side - 1
    row *= side
    row += column
    return row


def _up(z: Numbers) -> Numbers:
    """Return heights in kilometers as shares of the layer."""
    return np.asarray((z - np.float32(_FLOOR)) * np.float32(1.0 / (_CEILING - _FLOOR)))


def _trace(
    layer: _CloudLayer,
    way: tuple[Numbers, Numbers, Numbers],
    offset: Field,
    span: tuple[Numbers, Numbers],
) -> Field:
    """Return light of the sun, light of the sky and cover along looks, given as unit vectors."""
    sunlit, skylit, left = (np.full(len(offset), value, np.float32) for value in (0.0, 0.0, 1.0))
    towards = [axis * np.float32(to) for axis, to in zip(way, layer.sun)]
    lobes = _lobes(towards[0] + towards[1] + towards[2])
    east, north, length = way[0] / way[2], way[1] / way[2], 1.0 / way[2]
    begin = np.float32(_FLOOR) * np.float32(_GROWTH) ** offset
    for step in range(int(span[0].min()), min(int(span[1].max()) + 1, _STEPS)):
        active = np.flatnonzero((span[0] <= step) & (span[1] >= step) & (left > _THINNEST))
        z = begin.take(active) * np.float32(_GROWTH**step)
        x, y = east.take(active) * z, north.take(active) * z
        dense = layer.density(x, y, _up(z))
        inside = np.flatnonzero(dense > 0.0)
        if not inside.size:
            continue
        inner = active.take(inside)
        x, y, z, dense = (axis.take(inside) for axis in (x, y, z, dense))
        distance = z * length.take(inner)
        passed = np.exp(dense * distance * np.float32(-_DENSE * (_GROWTH - 1.0)))
        # Clouds far away drown in the color of the sky in front of them.
        clear = np.exp(-((distance * np.float32(1.0 / (0.55 * _FAR))) ** 2))
        was = left.take(inner)
        share = was * (1.0 - passed) * clear
        light = _sunlight(layer.depth(x, y, z), [lobe.take(inner) for lobe in lobes])
        sunlit[inner] = sunlit.take(inner) + share * light
        sky = np.float32(0.42) + np.float32(0.5) * _up(z)
        skylit[inner] = skylit.take(inner) + share * sky
        left[inner] = was * (1.0 - (1.0 - passed) * clear)
    sunlit *= np.float32(1.0 / BRIGHTEST)
    return np.clip(np.stack((sunlit, skylit, 1.0 - left), axis=-1), 0.0, 1.0)


def _sunlight(depth: Numbers, lobes: Sequence[Numbers]) -> Numbers:
    """Return the light of the sun that spots so deep in clouds send on, after up to three turns."""
    total = np.zeros(depth.shape, np.float32)
    for turn, lobe in enumerate(lobes):
        lost = np.exp(depth * np.float32(-_DENSE * 0.34**turn))
        total += lobe * np.float32(0.62**turn) * lost
    return total


def _lobes(cosine: Numbers) -> list[Numbers]:
    """Return how strongly light goes on at an angle, after one, two and three turns.

    By the law of Henyey and Greenstein (1941), forwards mixed with some backwards; 1 is evenly.
    """
    result = []
    for turn in range(3):
        forward, backward = 0.72 * 0.55**turn, -0.25 * 0.55**turn
        mixture = 0.45 * _henyey(cosine, forward) + 0.55 * _henyey(cosine, backward)
        result.append(mixture.astype(np.float32))
    return result


def _henyey(cosine: Numbers, turn: float) -> Numbers:
    law = (1.0 + turn * turn - 2.0 * turn * cosine) ** 1.5
    return np.asarray((1.0 - turn * turn) / law)
