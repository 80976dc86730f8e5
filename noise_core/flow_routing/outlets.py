# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlets of rivers: an open border, the sea, or the lowest ground."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..rasters.level import Level
from .directions import Mask

Line = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Outlets:
    """Cells through which water leaves.

    Attributes
    ----------
    cells : ndarray of shape (rows, columns), bool
    slopes : ndarray of shape (rows, columns), float32
        How steeply the ground goes on falling beyond, as rise over run; 0 where an outlet keeps
        its height.
    kept : ndarray of shape (rows, columns), bool
        Which cells keep their height.
    """

    cells: Mask
    slopes: Field
    fixed: Mask


def find_outlets(height: Field, level: Level, kept: Mask, is_open: bool) -> Outlets:
    """Return the cells that keep their height and, if the border is open, its outlets."""
    slopes = np.zeros(level.shape, np.float32)
    if not is_open or level.torus is not None:
        return Outlets(kept, slopes, kept)
    cells = kept.copy()
    for side in _sides(level, height, cells, slopes):
        _open_side(*side)
    slopes[kept] = 0.0
    return Outlets(cells, slopes, kept)


def below_sea(height: Field, sea: float) -> Mask:
    """Return the mask of the ground below the sea level, in meters.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.flow_routing.outlets import below_sea
    >>> print(below_sea(np.float32([[-2.0, 0.0, 3.0]]), 0.0))
    [[ True False False]]
    """
    return np.asarray(np.less(height, np.float32(sea)))


def lowest_cells(height: Field, share: float) -> Mask:
    """Return the mask of the lowest cells, at least one of them."""
    return np.asarray(np.less_equal(height, np.float32(lowest_limit(height, share))))


def lowest_limit(height: Field, share: float) -> float:
    """Return the height of the highest of the lowest cells, in meters."""
    count = lowest_count(height.size, share)
    return float(np.partition(height.reshape(-1), count - 1)[count - 1])


def lowest_count(cells: int, share: float) -> int:
    """Return how many of some cells are the lowest ones."""
    return min(max(1, round(share * cells)), cells)


@dataclass(frozen=True)
class EndsOfRivers:
    """Rule for the cells in which rivers end.

    Attributes
    ----------
    kind : str
        ``"below"`` a height, the ``"lowest"`` up to a height, on the ``"border"`` or ``"nowhere"``.
    height : float
        In meters.
    """

    kind: str
    height: float = 0.0

    def cells(self, height: Field, level: Level) -> Mask:
        """Return the mask of these cells on a level or a part of it: shape (rows, columns)."""
        if self.kind == "below":
            return below_sea(height, self.height)
        if self.kind == "lowest":
            return np.asarray(np.less_equal(height, np.float32(self.height)))
        return border(level) if self.kind == "border" else np.zeros(level.shape, np.bool_)


def border(level: Level) -> Mask:
    """Return the mask of the cells on an open border, that of the whole for a part: shape (rows, columns)."""
    cells = np.zeros(level.shape, np.bool_)
    for line in border_lines(level):
        cells[line] = True
    return cells


Index = int | slice


def border_lines(level: Level) -> Iterator[tuple[Index, Index]]:
    """Yield where the outermost rows and columns lie that are on an open border, that of the whole for a part."""
    for axis in (0, 1):
        for is_border, number in zip(level.touches(axis), (0, -1)):
            if is_border:
                yield (number, slice(None)) if axis == 0 else (slice(None), number)


_Side = tuple[Line, Line, float, float, Mask, Field]


def _sides(level: Level, height: Field, cells: Mask, slopes: Field) -> Iterator[_Side]:
    """Yield the outermost and the next line of each side, their distances, and the arrays to write."""
    across = ((height, cells, slopes, level.step_y, level.step_x),)
    along = ((height.T, cells.T, slopes.T, level.step_x, level.step_y),)
    for axis, (heights, marks, falls, step, beside) in enumerate(across + along):
        lines = ((0, min(1, len(heights) - 1)), (-1, max(-2, -len(heights))))
        for is_border, (edge, inner) in zip(level.touches(axis), lines):
            if is_border:
                yield heights[edge], heights[inner], step, beside, marks[edge], falls[edge]


def _open_side(
    edge: Line, inner: Line, step: float, beside: float, cells: Mask, slopes: Field
) -> None:
    """Open one side, extrapolating the slope between the last two lines.

    An outlet is a cell that falls outwards more steeply than to any neighbor, or has no lower
    one: a lake that the border cuts does not end there. The bed of its river, which comes from the
    neighbor that rises least, goes on as steeply as it comes.
    """
    diagonal = math.sqrt(step * step + beside * beside)
    rises = [(inner - edge) / np.float32(step)]
    for line, distance in ((edge, beside), (inner, diagonal)):
        padded = np.concatenate((line[:1], line, line[-1:]))
        rises += [(side - edge) / np.float32(distance) for side in (padded[:-2], padded[2:])]
    if len(edge) > 1:
        # Beyond the ends of a line there is no neighbor.
        for left, right in ((rises[1], rises[2]), (rises[3], rises[4])):
            left[0] = right[-1] = np.inf
    else:
        rises = rises[:1]
    least = np.minimum.reduce(rises)
    is_outlet = (rises[0] >= -least) | (least >= 0.0)
    cells |= is_outlet
    np.maximum(slopes, np.maximum(least, np.float32(0.0)) * is_outlet, out=slopes)
