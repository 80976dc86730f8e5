# SPDX-License-Identifier: GPL-3.0-or-later
"""A grid whose cells are longer than wide becomes one of squares, for the core knows only those."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....noise_core.arrays import Field
from ....noise_core.errors import ParameterError
from ....noise_core.grid import Grid

SAME = 0.01
"""Cells count as squares up to this: slopes are wrong by as much at most."""

LONGEST = 16.0
"""Squares would be so many times as many; beyond it, nothing good can come of the long cells."""


@dataclass(frozen=True)
class SquareCells:
    """The grid of squares for a field, and the way there and back.

    Attributes
    ----------
    rows, columns : int
        Of the field.
    grid : Grid
        Has more rows or more columns where cells are no squares.
    """

    rows: int
    columns: int
    grid: Grid

    @classmethod
    def of(cls, rows: int, columns: int, step_x: float, step_y: float) -> SquareCells:
        """Return the squares for cells of step_x by step_y meters.

        Raises
        ------
        ParameterError
            If they are more than 16 times as long as wide.
        """
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
    def are_the_same(self) -> bool:
        """Whether the field's own cells are squares."""
        return self.grid.shape == (self.rows, self.columns)

    def spread(self, field: Field) -> Field:
        """Return a field on the grid of squares, smoothly interpolated."""
        return resampled(field, self.grid.shape, is_smooth=True)

    def gathered(self, field: Field) -> Field:
        """Return a field of the grid of squares at the samples that there were before."""
        return resampled(field, (self.rows, self.columns), is_smooth=False)


def resampled(field: Field, shape: tuple[int, int], *, is_smooth: bool) -> Field:
    """Return a field on a grid over the same area with the same corners.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    shape : tuple of two ints
        Rows and columns of the result.
    is_smooth : bool
        Cubic, without kinks where the old samples lie; or linear, which never overshoots.
    """
    for axis, count in enumerate(shape):
        if field.shape[axis] != count:
            field = _along(field, count, axis, is_smooth)
    return field


def _along(field: Field, count: int, axis: int, is_smooth: bool) -> Field:
    last = field.shape[axis] - 1
    positions = np.arange(count, dtype=np.float64) * (last / max(count - 1, 1))
    low = np.minimum(positions.astype(np.intp), max(last - 1, 0))
    share = (positions - low).astype(np.float32)
    weights = _cubic(share) if is_smooth else ((0, 1.0 - share), (1, share))
    # One more sample at each end, for the cubic's outer neighbors: slopes go on straight.
    longer = _continued(field, axis)
    shape = list(field.shape)
    shape[axis] = count
    result = np.zeros(shape, np.float32)
    for offset, weight in weights:
        neighbors = np.take(longer, low + (1 + offset), axis)
        neighbors *= weight.reshape((-1, 1) if axis == 0 else (1, -1))
        result += neighbors
    return result


def _continued(field: Field, axis: int) -> Field:
    lines = np.moveaxis(field, axis, 0)
    second, last_but_one = (lines[1], lines[-2]) if len(lines) > 1 else (lines[0], lines[0])
    first, last = 2 * lines[0] - second, 2 * lines[-1] - last_but_one
    longer = np.concatenate((first[np.newaxis], lines, last[np.newaxis]))
    return np.moveaxis(longer, 0, axis)


def _cubic(t: npt.NDArray[np.float32]) -> tuple[tuple[int, npt.NDArray[np.float32]], ...]:
    """Return the weights of four neighbors, by their offset.

    References
    ----------
    E. Catmull, R. Rom: A class of local interpolating splines. Computer Aided Geometric Design,
    1974.
    """
    half = np.float32(0.5)
    return (
        (-1, half * t * (t * (2 - t) - 1)),
        (0, half * (t * t * (3 * t - 5) + 2)),
        (1, half * t * (t * (4 - 3 * t) + 1)),
        (2, half * t * t * (t - 1)),
    )
