# SPDX-License-Identifier: GPL-3.0-or-later
"""Border of a terrain: the difference of its finished heights from coarse land, continued outside."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from .rings import FieldExtent, LandRings, Numbers

_STRAIGHTENED = 0.02
"""Widths of the terrain over which slopes at its border go on; a mirror image alone has a crease."""

_CELLS = 4.0
"""Cells of the rings over which they go on at least."""


@dataclass(frozen=True)
class FinishedTerrain:
    """The heights of a terrain and its maps, of shape (rows, columns), and where it lies in tiles."""

    height: Field
    maps: Mapping[str, Field]
    size: float
    origin: tuple[float, float] = (0.0, 0.0)

    @property
    def depth(self) -> float:
        """Its depth in widths."""
        rows, columns = self.height.shape
        return (int(rows) - 1) / (int(columns) - 1)

    @property
    def extent(self) -> FieldExtent:
        """Its area; beyond it goes on as its mirror image."""
        return FieldExtent(0.5, 0.5 * self.depth, is_mirrored=True)


def difference(
    rings: LandRings, terrain: FinishedTerrain, coarse: Field, extent: FieldExtent
) -> Field:
    """Return by how much the terrain's mirror image stands above that of the coarse land.

    Near the border slopes go on where a mirror image would turn them back.
    """
    offset = rings.sample(terrain.height, terrain.extent)
    offset -= rings.sample(resample_coarse(terrain, coarse, extent), terrain.extent, is_smooth=True)
    offset += _straighten(rings, terrain, coarse, extent)
    return offset


def resample_coarse(terrain: FinishedTerrain, coarse: Field, extent: FieldExtent) -> Field:
    """Return the coarse land below the terrain, up to its very border."""
    rows, columns = (
        _line(half, near, count)
        for half, near, count in (
            (extent.y, terrain.extent.y, coarse.shape[0]),
            (extent.x, terrain.extent.x, coarse.shape[1]),
        )
    )
    return _resample(_resample(coarse, rows).T, columns).T


def _line(half: float, near: float, count: int) -> Field:
    """Return the numbers of samples, in a field of some half extent, over the terrain's own."""
    steps = max(math.ceil(near / half * (count - 1)) * 2, 2)
    places = (np.linspace(-near, near, steps + 1) + half) * (0.5 / half) * (count - 1)
    return places.astype(np.float32)


def _resample(field: Field, numbers: Field) -> Field:
    """Return a field at numbers of rows, smoothly between them."""
    first = np.clip(numbers.astype(np.intp), 1, max(len(field) - 3, 1))
    t: Field = (numbers - first).astype(np.float32)[:, np.newaxis]
    previous, lower, upper, last = (
        field[np.clip(first + at, 0, len(field) - 1)] for at in (-1, 0, 1, 2)
    )
    bend = upper - lower
    curve = (lower - previous - bend) * (t * (t - np.float32(1.0)) ** 2)
    curve += (last - upper - bend) * (t * t * (t - np.float32(1.0)))
    result: Field = lower + bend * t + np.float32(0.5) * curve
    return result


def _straighten(
    rings: LandRings, terrain: FinishedTerrain, coarse: Field, extent: FieldExtent
) -> Field:
    """Return the offset that lets slopes go on near the border, where a mirror image would turn them back."""
    field = np.zeros(rings.shape, np.float32)
    reach = max(_STRAIGHTENED, _CELLS / max(rings.cells))
    few = rings.inner(int(np.searchsorted(rings.away, reach / min(terrain.depth, 1.0))))
    floor, count = resample_coarse(terrain, coarse, extent), len(few.scales)
    points = few.points()
    halves = (0.5, 0.5 * terrain.depth)
    for axis, half in enumerate(halves):
        # Rows are borders along x: the distance from them is that of y.
        height, below = terrain.height, floor
        if axis == 0:
            height, below = height.T, below.T
        step = 2.0 * half / max(rings.cells[axis], 1)
        beside = _mirror(points[..., 1 - axis], halves[1 - axis])
        outside = np.maximum(np.abs(points[..., axis]) - half, 0.0)
        slope = np.where(
            points[..., axis] < 0.0,
            _border_slope(height, below, step / (2.0 * half), beside),
            _border_slope(height[::-1], below[::-1], step / (2.0 * half), beside),
        )
        t: Numbers = np.minimum(outside / reach, 1.0)
        near = 1.0 - t * t * (3.0 - 2.0 * t)
        field[:count] -= (2.0 * outside * near * slope / step).astype(np.float32)
    return field


def _mirror(places: Numbers, half: float) -> Numbers:
    """Return places, as shares of a terrain, of which those outside are mirrored."""
    share = (places + half) * (0.5 / half)
    mirrored: Numbers = 1.0 - np.abs(1.0 - np.mod(share, 2.0))
    return mirrored


def _border_slope(height: Field, below: Field, step: float, beside: Numbers) -> Numbers:
    """Return by how much a terrain rises above the coarse land from its border to a step inside."""
    total = np.zeros_like(beside)
    for field, sign in ((height, 1.0), (below, -1.0)):
        inside = step * (len(field) - 1)
        first = min(int(inside), len(field) - 2)
        line = field[first] + (field[first + 1] - field[first]) * np.float32(inside - first)
        places = np.linspace(0.0, 1.0, field.shape[1])
        total = total + sign * np.interp(beside, places, line - field[0])
    return total
