# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain that rivers build: ground between valley walls, leveled to the height of banks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...rasters import distance_field, pyramid
from ...rasters.level import Level
from ...rasters.steepness import smoothstep
from ...stages.description import Part
from ..coast.waves import spread
from .curves import Floats, Indices, RiverCurves
from .migration import Course

_NEAR = 1.0
"""Widths of the widest river over which the height of banks is averaged."""

_LEAST_NEAR = 1.2
"""The same in samples, at least: less would leave gaps between the points of a river."""

_FULL = 0.5
"""Part of the plain that is all leveled; the rest goes over into the ground beside it."""

_SAMPLES = 1 << 16


@dataclass(frozen=True)
class FloodPlain:
    """The plain of rivers, on coarse samples.

    Attributes
    ----------
    height : ndarray of level.shape, float32
        In meters over `base`.
    share : ndarray of that shape, float32
        How much of the plain there is, from 0 to 1.
    base : float
        In meters.
    level : Level
    """

    height: Field
    share: Field
    base: float
    level: Level

    @classmethod
    def around(cls, courses: list[Course], level: Level, reach: float) -> FloodPlain:
        """Return the plain of rivers.

        Parameters
        ----------
        courses : list of Course
            In order: the last one says how high the plain is, all say where.
        level : Level
        reach : float
            From where rivers ever ran to the edge of the plain, in widths of these.
        """
        curves = courses[-1].curves
        base = float(curves.level.min())
        widest = float(curves.width.max())
        where, banks = _mean_at(curves, curves.level - base, level)
        step = max(level.step_x, level.step_y)
        near = max(_NEAR * widest, _LEAST_NEAR * step)
        far = max(0.6 * reach * widest, 2.0 * near)
        blocks.checkpoint()
        height = spread(banks, where, level, near, far)
        width, freedom = (
            spread(_mean_at(curves, values, level)[1], where, level, near, far)
            for values in (curves.width, curves.freedom)
        )
        belt = np.zeros(level.rows * level.columns, np.bool_)
        for course in courses:
            if not course.is_old:
                cells, inside = _nearest_samples(course.curves, level)
                belt[cells[inside]] = True
        distance = distance_field.distance_transform(belt.reshape(level.shape), level.wrap)
        distance *= np.float32(step)
        distance /= np.maximum(width, np.float32(1e-6 * widest)) * np.float32(max(reach, 1e-6))
        share = np.float32(1.0) - smoothstep(distance, _FULL, 1.0)
        share *= np.clip(freedom, np.float32(0.0), np.float32(1.0))
        return cls(height, share, base, level)

    @staticmethod
    def lay(
        target: Level, parts: Sequence[Part], alluvium: Field, base: float, wall: float
    ) -> Field:
        """Return ground with the plain in it, and the deposits of rivers on that.

        Ground near the height of the plain is leveled, the more the nearer it is; valley walls stay.

        Parameters
        ----------
        target : Level
            The finest, or a part of it.
        parts : sequence of Part
            The ground there, and height and share of the plain.
        alluvium : ndarray of target.shape, float32
            In meters.
        base : float
            See there.
        wall : float
            Height above the plain in meters at which half of it stays.
        """
        ground = parts[0]
        height = ground.values[target.within(ground.level)]
        plain, share = (
            pyramid.prolong_smoothly(part.values, part.level, target) for part in parts[1:]
        )
        square = np.float32(max(wall * wall, 1e-30))

        def work(start: int, stop: int) -> None:
            blocks.checkpoint()
            part = plain[start:stop]
            part += np.float32(base)
            over = height[start:stop] - part
            squared = over * over
            squared /= squared + square
            over *= squared
            part += over
            part += alluvium[start:stop]
            part -= height[start:stop]
            part *= share[start:stop]
            part += height[start:stop]

        blocks.run(work, target.rows, max(1, _SAMPLES // target.columns))
        return plain


def _nearest_samples(curves: RiverCurves, level: Level) -> tuple[Indices, np.ndarray]:
    """Return the samples nearest to the points of rivers, and which lie on the terrain."""
    row = np.rint(curves.y / level.step_y).astype(np.intp)
    column = np.rint(curves.x / level.step_x).astype(np.intp)
    if level.wrap:
        cells = row % level.rows * level.columns + column % level.columns
        return cells, np.ones(len(cells), np.bool_)
    inside = (row >= 0) & (row < level.rows) & (column >= 0) & (column < level.columns)
    return row * level.columns + column, inside


def _mean_at(curves: RiverCurves, values: Floats, level: Level) -> tuple[Field, Field]:
    """Return whether rivers have points at samples, 0 or 1, and the mean of their values there."""
    cells, inside = _nearest_samples(curves, level)
    count = level.rows * level.columns
    many = np.bincount(cells[inside], minlength=count)
    total = np.bincount(cells[inside], values[inside], count)
    mean = (total / np.maximum(many, 1)).astype(np.float32)
    return (many > 0).astype(np.float32).reshape(level.shape), mean.reshape(level.shape)
