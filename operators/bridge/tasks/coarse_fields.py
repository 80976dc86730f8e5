# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews at low resolution, interpolated to the samples of the full resolution.

A preview changes values only: a mesh keeps its topology and all data that depends on it.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid

_CHUNK = 32
"""Rows that are interpolated together, so that they stay in the processor's cache."""

_MARGIN = 2
"""Samples beyond the field that its borders need."""


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


def spread(field: Field, coarse: Grid, grid: Grid) -> Field:
    """Interpolate a field from `coarse_grid` smoothly to a finer grid; its own samples keep their values.

    Cubic convolution with the parameter -1/2 (R. Keys, "Cubic Convolution Interpolation for
    Digital Image Processing", 1981). The field has shape (rows, columns), or channels besides.
    """
    if field.ndim == 3:
        layers = [spread(field[..., one], coarse, grid) for one in range(field.shape[2])]
        return np.stack(layers, axis=-1)
    if coarse.shape == grid.shape:
        return field
    row = np.arange(grid.rows, dtype=np.float64)
    column = np.arange(grid.columns, dtype=np.float64)
    if grid.wrap:
        rows = row * (coarse.rows / grid.rows)
        columns = column * (coarse.columns / grid.columns)
    else:
        step = (coarse.columns - 1) / max(grid.columns - 1, 1)
        rows, columns = row * step, column * step
    high = _interpolate_rows(field, rows, is_wrapping=grid.wrap)
    whole = _interpolate_rows(np.ascontiguousarray(high.T), columns, is_wrapping=grid.wrap)
    return np.ascontiguousarray(whole.T)


def _interpolate_rows(field: Field, places: npt.NDArray[np.float64], *, is_wrapping: bool) -> Field:
    """Interpolate between rows; return an array of shape (places, columns)."""
    count = field.shape[0]
    padded = _pad(field, is_wrapping=is_wrapping)
    low = np.clip(np.floor(places).astype(np.intp), 0, count - 1 if is_wrapping else count - 2)
    weights = _cubic_weights((places - low).astype(np.float32))[..., np.newaxis]
    result = np.empty((len(places), field.shape[1]), np.float32)
    for start in range(0, len(places), _CHUNK):
        part = slice(start, start + _CHUNK)
        first = low[part] + _MARGIN - 1
        whole = np.multiply(padded[first], weights[0, part], out=result[part])
        for tap in range(1, 4):
            rows = padded[first + tap]
            whole += np.multiply(rows, weights[tap, part], out=rows)
    return result


def _pad(field: Field, *, is_wrapping: bool) -> Field:
    """Add rows on both sides: the opposite end of the field, or a continuation of its slope."""
    margin = ((_MARGIN, _MARGIN), (0, 0))
    if is_wrapping:
        return np.pad(field, margin, mode="wrap")
    slope = np.arange(1, _MARGIN + 1, dtype=np.float32)[:, np.newaxis]
    below = field[0] + (field[0] - field[1]) * slope[::-1]
    above = field[-1] + (field[-1] - field[-2]) * slope
    return np.concatenate((below, field, above))


def _cubic_weights(share: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the weights of the four nearest samples, shape (4, places), for a place between."""
    t, half = share, np.float32(0.5)
    square, cube = t * t, t * t * t
    return np.stack(
        (
            half * (2 * square - t - cube),
            half * (2 - 5 * square + 3 * cube),
            half * (t + 4 * square - 3 * cube),
            half * (cube - square),
        )
    )
