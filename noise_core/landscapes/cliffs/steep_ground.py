# SPDX-License-Identifier: GPL-3.0-or-later
"""Steep ground of a terrain: the cells that cliffs replace, and how far and where to they may move."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ..scene import Cliffs
from .cutting import Flags, Numbers, Reals

_FEWEST = 4
"""Steep cells among nine below which ground counts as rough rather than as a cliff."""

_LEAST_TURN, _FULL_TURN = 0.70, 0.92
"""Mean length of unit vectors downhill around a vertex: below the first, walls meet there and nothing moves."""

_STEEPEST = 4.0
"""Tangent of slope up to which beds are steepened."""


@dataclass(frozen=True)
class SteepGround:
    """The cells of a terrain that cliffs replace.

    Attributes
    ----------
    cells : ndarray of shape (rows - 1, columns - 1), bool
        All cells of the finer mesh, with a ring of less steep ones.
    free : ndarray of shape (rows, columns), float64
        1 at vertices that may move, 0 at the border of the cells and beyond.
    outwards : ndarray of shape (rows, columns, 2), float64
        Level unit vectors downhill, smoothed.
    strength : ndarray of shape (rows, columns), float64
        From 0 where walls meet to 1 along straight ones.
    tangent : ndarray of shape (rows, columns), float64
        Of the slope, smoothed, from 1 up.
    """

    cells: Flags
    free: Reals
    outwards: Reals
    strength: Reals
    tangent: Reals


def steep_cells(height: Field, cell: float, cliffs: Cliffs, allowed: Flags | None = None) -> Flags:
    """Return which cells are steeper than the limit on either of their triangles, but for single ones.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Meters.
    cell : float
        Meters between samples.
    cliffs : Cliffs
    allowed : ndarray of shape (rows - 1, columns - 1), bool, optional
        Cells that may be cliffs; all if not given.
    """
    across, along = np.diff(height, axis=1) / cell, np.diff(height, axis=0) / cell
    least = _tangent_of(cliffs.steepness) ** 2
    # A cell is split from its first corner to its third.
    lower = across[:-1] * across[:-1] + along[:, 1:] * along[:, 1:]
    upper = across[1:] * across[1:] + along[:, :-1] * along[:, :-1]
    steep = np.maximum(lower, upper) > np.float32(least)
    if allowed is not None:
        steep &= allowed
    return np.asarray(steep & (_around(steep) >= _FEWEST))


def nearest_cells(steep: Flags, cost: Reals, distance: Reals, budget: float) -> Flags:
    """Return the steep cells closest to a place whose costs together stay within a budget."""
    number = np.flatnonzero(steep)
    order = number[np.argsort(distance.reshape(-1)[number], kind="stable")]
    kept = order[np.cumsum(cost.reshape(-1)[order], dtype=np.float64) <= budget]
    result = np.zeros(steep.size, np.bool_)
    result[kept] = True
    return result.reshape(steep.shape)


def facing(height: Field, x: Reals, y: Reals) -> Reals:
    """Return how much the ground of cells looks towards a place: cosines of level angles, 0 where it is flat.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Meters.
    x, y : ndarray of float64
        Of the middles of cells from that place, along columns and rows; together of shape (rows - 1, columns - 1).
    """
    smooth = _blur(_blur(height.astype(np.float64)))
    corner = smooth[:-1, :-1] - smooth[1:, 1:]
    other = smooth[:-1, 1:] - smooth[1:, :-1]
    across, along = corner - other, corner + other
    toward: Reals = -(across * x + along * y)
    length = np.sqrt((across * across + along * along) * (x * x + y * y))
    return toward / np.maximum(length, 1e-9)


def with_ring(steep: Flags, allowed: Flags | None = None) -> Flags:
    """Return some cells and those around them."""
    cells: Flags = _around(steep) > 0
    if allowed is not None:
        cells &= allowed
    return cells


def ground_around(
    height: Field, cell: float, steep: Flags, allowed: Flags | None = None
) -> SteepGround:
    """Return the ground of some steep cells and of a ring around them."""
    cells = with_ring(steep, allowed)
    padded = np.pad(cells, 1)
    inner = padded[:-1, :-1] & padded[:-1, 1:] & padded[1:, :-1] & padded[1:, 1:]
    smooth = _blur(_blur(height.astype(np.float64)))
    along, across = np.gradient(smooth, cell)
    slope = np.sqrt(along * along + across * across)
    unit = -np.stack((across, along), axis=-1) / np.maximum(slope, 1e-9)[..., np.newaxis]
    mean = np.stack([_blur(unit[..., axis]) for axis in (0, 1)], axis=-1)
    length = np.sqrt(np.sum(mean * mean, axis=-1))
    share = np.clip((length - _LEAST_TURN) / (_FULL_TURN - _LEAST_TURN), 0.0, 1.0)
    outwards = mean / np.maximum(length, 1e-9)[..., np.newaxis]
    tangent = np.clip(slope, 1.0, _STEEPEST)
    return SteepGround(cells, inner.astype(np.float64), outwards, share, tangent)


def corner_numbers(cells: Flags) -> Numbers:
    """Return the numbers of the terrain's vertices at the corners of cells: shape (cells, 4), anticlockwise."""
    row, column = np.nonzero(cells)
    first = row.astype(np.int64) * (cells.shape[1] + 1) + column
    above = first + cells.shape[1] + 1
    return np.stack((first, first + 1, above + 1, above), axis=1)


def _tangent_of(degrees: float) -> float:
    return math.tan(math.radians(degrees))


def _around(cells: Flags) -> Numbers:
    """Return how many of the nine cells around each are set."""
    padded = np.pad(cells.astype(np.int64), 1)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    result: Numbers = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return result


def _blur(values: Reals) -> Reals:
    """Return the weighted mean of the nine samples around each: 1, 2, 1 both ways."""
    padded = np.pad(values, 1, mode="edge")
    rows = (padded[:-2] + padded[2:]) * 0.25 + padded[1:-1] * 0.5
    result: Reals = (rows[:, :-2] + rows[:, 2:]) * 0.25 + rows[:, 1:-1] * 0.5
    return result
