# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights for tiles: those of a land at any places, its edge sinking to 0 around it."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...rasters.taps import interpolate
from ...types.level import Level
from ...types.pyramid import Numbers
from .lazy_heights import Heights, restrict_heights


class TileSampler:
    """A land whose heights are wanted at the places of tiles.

    Between its samples lies a cubic surface (Catmull & Rom 1974). Beyond its border its edge goes on, and
    sinks to 0 over the margin in a smooth step, so that clients, which have 0 where no tile is, show no wall.

    Parameters
    ----------
    height : ndarray or LazyHeights of shape (rows, columns), float32
        Of what is not in memory each tile reads its own window.
    margin : float
        Samples from the land to where the ground is at 0.
    level : Level
        Of the heights.
    shape : tuple of two ints, optional
        Rows and columns that places are counted in; the heights' own if not given.
    """

    def __init__(
        self, height: Heights, margin: float, level: Level, shape: tuple[int, int] | None = None
    ) -> None:
        self._height, self._margin, self._level = height, margin, level
        self._shape = shape or height.shape

    def coarser(self) -> TileSampler:
        """Return the same land with half as many samples along both sides, each the mean of those around it."""
        if min(self._height.shape) < 3:
            return self
        coarse = self._level.coarser()
        half = restrict_heights(self._height, self._level, coarse)
        return TileSampler(half, self._margin, coarse, self._shape)

    def heights(self, rows: Numbers, columns: Numbers) -> Numbers:
        """Return heights in meters.

        Parameters
        ----------
        rows, columns : ndarrays of shapes (n,) and (m,), float64
            Places, in samples of the whole land from its south-west.

        Returns
        -------
        ndarray of shape (n, m), float64
        """
        places = (rows, columns)
        inside = [np.clip(one, 0.0, count - 1) for one, count in zip(places, self._shape)]
        parts = []
        for axis, (count, own) in enumerate(zip(self._shape, self._height.shape)):
            position = inside[axis] * ((own - 1) / (count - 1))
            part, inside[axis] = _around(position, own)
            parts.append(part)
        field: Field = np.asarray(self._height[parts[0], parts[1]])
        for axis in (0, 1):
            field = interpolate(field, inside[axis], axis)
        beyond = [one - np.clip(one, 0.0, count - 1) for one, count in zip(places, self._shape)]
        return np.asarray(field * self._presence(*beyond))

    def _presence(self, rows: Numbers, columns: Numbers) -> Numbers:
        """Return the share of the edge's height that is left at a distance from the land, in samples."""
        distance = np.hypot(rows[:, np.newaxis], columns)
        if not self._margin:
            return np.asarray(distance == 0.0, np.float64)
        near: Numbers = np.asarray(1.0 - np.minimum(distance / self._margin, 1.0))
        return smooth_step(near)


def bend(heights: Numbers, has_triangles: bool) -> float:
    """Return how far straight lines between samples may be from a smooth ground through them, in meters.

    An eighth of the second difference along each axis is the error of a parabola, and a quarter of the mixed
    one what triangles add. Half as much again, since the ground may bend more between samples than they show.
    """
    along = np.abs(np.diff(heights, 2, axis=0))[:, 1:-1]
    across = np.abs(np.diff(heights, 2, axis=1))[1:-1]
    mixed = np.abs(np.diff(np.diff(heights, axis=0), axis=1)).max()
    return 1.5 * float((along + across).max() / 8.0 + (mixed / 4.0 if has_triangles else 0.0))


def _around(position: Numbers, count: int) -> tuple[slice, Numbers]:
    """Return which of so many samples an interpolation at some positions needs, and where these lie in them."""
    first = max(int(np.floor(position.min())) - 1, 0)
    last = min(int(np.floor(position.max())) + 2, count - 1)
    return slice(first, last + 1), position - first
