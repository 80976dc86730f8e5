# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields at another resolution over the same area, and grids for that."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.errors import ParameterError
from ..base.grid import Grid
from .taps import cubic_weights

_ROWS_AT_ONCE = 32
"""Rows that are interpolated together, so that they stay in the processor's cache."""

SAME = 0.01
"""Largest deviation of cells that count as square, and largest relative error of slopes."""

LONGEST = 16.0
"""Largest ratio of the sides of a cell; the number of squares grows by as much."""

Positions = npt.NDArray[np.float64]
"""Shape (samples,): places along an axis, in steps of the field that is read."""

Values = npt.NDArray[Any]
"""Shape (rows, columns) or (rows, columns, channels)."""


def resample_field(field: Values, shape: tuple[int, int], *, is_smooth: bool) -> Values:
    """Return a field on a grid of a shape over the same area, with the same corners.

    Parameters
    ----------
    field : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        At least two rows and columns if it is smooth.
    shape : tuple of two ints
    is_smooth : bool
        Whether it is cubic (Catmull & Rom 1974), without kinks at the old samples; otherwise it is
        linear, without overshoot.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.resampling import resample_field
    >>> ramp = np.array([[0.0, 1.0, 2.0]], np.float32)
    >>> print(resample_field(ramp, (1, 5), is_smooth=False))
    [[0.  0.5 1.  1.5 2. ]]
    """
    along = _interpolate_smoothly if is_smooth else _interpolate_linearly
    for axis, count in enumerate(shape):
        size = field.shape[axis]
        if size != count:
            field = along(field, sample_positions(size, count), axis)
    return field


def sample_positions(old: int, new: int) -> Positions:
    """Return the positions of new samples along an axis, in steps of the old ones."""
    return np.arange(new, dtype=np.float64) * ((old - 1) / max(new - 1, 1))


def coarse_grid(grid: Grid, side: int) -> Grid:
    """Return a grid over the same area with at most `side` samples along its longer side.

    It may reach beyond the shorter side by a part of its spacing.
    """
    if grid.wrap:
        scale = side / max(grid.shape)
        rows, columns = (max(2, round(count * scale)) for count in grid.shape)
        return Grid(rows, columns, origin=grid.origin, wrap=True, size=grid.size)
    steps = max(1, min(side, grid.columns) - 1)
    if grid.rows > grid.columns:
        steps = max(1, math.floor((side - 1) * (grid.columns - 1) / (grid.rows - 1)))
    rows = 1 + math.ceil((grid.rows - 1) * steps / (grid.columns - 1) - 1e-9)
    return Grid(rows, 1 + steps, origin=grid.origin, size=grid.size)


def spread(field: Values, coarse: Grid, grid: Grid) -> Values:
    """Interpolate a field smoothly from `coarse_grid` to the finer grid; its own samples keep their values.

    Parameters
    ----------
    field : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        On the coarse grid.
    coarse, grid : Grid
    """
    if coarse.shape == grid.shape:
        return field
    step = (coarse.columns - 1) / max(grid.columns - 1, 1)
    for axis, (old, new) in enumerate(zip(coarse.shape, grid.shape)):
        each = old / new if grid.wrap else step
        positions = np.arange(new, dtype=np.float64) * each
        field = _interpolate_smoothly(field, positions, axis, wrap=grid.wrap)
    return field


def stretch(field: Field, grid: Grid, *, is_texture: bool, depth: float | None = None) -> Field:
    """Return a field on another grid over the same area, linearly interpolated.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    grid : Grid
    is_texture : bool
        Whether its first and last samples are neighbors, one spacing apart; else they lie on the borders.
    depth : float, optional
        Extent of the field along y, in tiles, if the grid reaches beyond it; the border value continues
        there. A grid that wraps has the same extent.
    """
    for axis, count in enumerate(grid.shape):
        share = np.arange(count, dtype=np.intp) / (count if grid.wrap else max(count - 1, 1))
        if axis == 0 and depth and not grid.wrap:
            share = np.minimum(share * (grid.depth / depth), 1.0)
        size = field.shape[axis]
        position = share * (size if is_texture else size - 1)
        low = np.minimum(position.astype(np.intp), size - 1)
        high = (low + 1) % size if is_texture else np.minimum(low + 1, size - 1)
        part = (position - low).astype(np.float32).reshape((-1, 1) if axis == 0 else (1, -1))
        first = np.take(field, low, axis)
        field = first + (np.take(field, high, axis) - first) * part
    return field


def _interpolate_linearly(field: Values, positions: Positions, axis: int) -> Values:
    last = field.shape[axis] - 1
    low = np.minimum(positions.astype(np.intp), max(last - 1, 0))
    share = _share_of(positions, low, field.ndim - axis)
    first, second = np.take(field, low, axis), np.take(field, np.minimum(low + 1, last), axis)
    between: Values = first + (second - first) * share
    return between


def _interpolate_smoothly(
    field: Values, positions: Positions, axis: int, wrap: bool = False
) -> Values:
    """Interpolate between four neighbors; those beyond the ends go on linearly, or at the other end."""
    lines = np.ascontiguousarray(np.moveaxis(field, axis, 0))
    if wrap:
        longer = np.concatenate((lines[-1:], lines, lines[:2]))
        low = positions.astype(np.intp)
    else:
        ends = 2 * lines[:1] - lines[1:2], 2 * lines[-1:] - lines[-2:-1]
        longer = np.concatenate((ends[0], lines, ends[1]))
        low = np.minimum(positions.astype(np.intp), len(lines) - 2)
    weights = cubic_weights(_share_of(positions, low, field.ndim))
    result = np.empty((len(low), *lines.shape[1:]), np.float32)
    for start in range(0, len(low), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        total = np.multiply(longer[low[part]], weights[0][part], out=result[part])
        for offset in (1, 2, 3):
            rows = longer[low[part] + offset]
            total += np.multiply(rows, weights[offset][part], out=rows)
    return np.ascontiguousarray(np.moveaxis(result, 0, axis))


def _share_of(positions: Positions, low: npt.NDArray[np.intp], axes: int) -> Field:
    """Return how far positions lie beyond the samples before them, along the first of some axes."""
    share = (positions - low).astype(np.float32)
    return share.reshape(-1, *[1] * (axes - 1))


@dataclass(frozen=True)
class SquareCells:
    """Grid of square cells for a field of `rows` and `columns`, with resampling to it and back.

    The grid has more rows or columns if the cells are not square.
    """

    rows: int
    columns: int
    grid: Grid

    @classmethod
    def of(cls, rows: int, columns: int, step_x: float, step_y: float) -> SquareCells:
        """Return the grid of squares for cells of step_x by step_y meters; raise an error if they are too long."""
        ratio = max(step_x / step_y, step_y / step_x)
        if ratio > LONGEST:
            raise ParameterError(
                "cells must be at most {:g} times as long as wide; got {:.3g} times: "
                "subdivide the mesh along the longer side, or even out its scale",
                LONGEST,
                ratio,
            )
        across, along = columns, rows
        if ratio > 1.0 + SAME:
            step = min(step_x, step_y)
            across = 1 + round((columns - 1) * step_x / step)
            along = 1 + round((rows - 1) * step_y / step)
        return cls(rows, columns, Grid(along, across, size=(columns - 1) * step_x))

    @property
    def are_square(self) -> bool:
        """Whether the cells of the field are square."""
        return self.grid.shape == (self.rows, self.columns)

    def spread(self, field: Field) -> Field:
        """Resample a field to the grid of squares, with cubic interpolation."""
        return resample_field(field, self.grid.shape, is_smooth=True)

    def gather(self, field: Field) -> Field:
        """Resample a field, of any number of channels, from the squares to the original samples, linearly."""
        if field.ndim == 3:
            channels = (field[..., channel] for channel in range(field.shape[2]))
            return np.stack([self.gather(channel) for channel in channels], axis=2)
        return resample_field(field, (self.rows, self.columns), is_smooth=False)
