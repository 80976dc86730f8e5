# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of a field on a finer grid: as a smooth surface, and as the triangles of a mesh."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.errors import ParameterError

MOST_VERTICES = 1 << 22
"""Of a patch: more would take longer to build than a finer terrain."""


@dataclass(frozen=True)
class RasterWindow:
    """The cells of a terrain that a patch covers, and into how many parts it divides each side of them.

    Attributes
    ----------
    rows, columns : tuple of two ints
        Numbers of the first and of the last row and column of samples.
    parts : int
    """

    rows: tuple[int, int]
    columns: tuple[int, int]
    parts: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the patch's samples."""
        (low, high), (left, right) = self.rows, self.columns
        return (high - low) * self.parts + 1, (right - left) * self.parts + 1

    @classmethod
    def around(
        cls,
        shape: tuple[int, int],
        cell: float,
        middle: tuple[float, float],
        width: float,
        spacing: float,
    ) -> RasterWindow:
        """Return the window of so many meters around a place, moved to lie within the field.

        Parameters
        ----------
        shape : tuple of two ints
            Rows and columns of the terrain's samples.
        cell : float
            Meters between them.
        middle : tuple of two floats
            Row and column, between samples, of its middle.
        width, spacing : float
            Meters across the window, and at most between its samples.

        Raises
        ------
        ParameterError
            If there would be too many vertices.
        """
        sides = []
        for count, at in zip(shape, middle):
            cells = min(max(round(width / cell), 2), count - 1)
            first = min(max(round(at - 0.5 * cells), 0), count - 1 - cells)
            sides.append((first, first + cells))
        window = cls(sides[0], sides[1], max(math.ceil(cell / spacing - 1e-6), 1))
        if math.prod(window.shape) > MOST_VERTICES:
            raise ParameterError(
                "DetailPatch: at most {} vertices; size {:g} m at a spacing of {:g} m has {}",
                MOST_VERTICES,
                width,
                spacing,
                math.prod(window.shape),
            )
        return window


def smooth_surface(field: Field, window: RasterWindow) -> Field:
    """Return a field between its samples: exact at them, without creases.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    window : RasterWindow

    Returns
    -------
    ndarray of the window's shape, float32
    """
    low, high = window.rows
    near = slice(max(low - 1, 0), min(high + 2, field.shape[0]))
    across = _refine(field[near].T, window.columns, window.parts).T
    rows = (low - near.start, high - near.start)
    return np.ascontiguousarray(_refine(across, rows, window.parts))


def _refine(field: Field, ends: tuple[int, int], parts: int) -> Field:
    """Return a field with each step between two rows divided, by the cubic of the four rows around it."""
    first, last = ends
    count = len(field)
    result = np.empty(((last - first) * parts + 1, *field.shape[1:]), np.float32)
    number_of = np.arange(first, last, dtype=np.intp)
    rows = [field[np.clip(number_of + off, 0, count - 1)] for off in (-1, 0, 1, 2)]
    # Beyond the border the field goes on in a straight line.
    if first == 0:
        rows[0][0] = 2.0 * field[0] - field[1]
    if last == count - 1:
        rows[3][-1] = 2.0 * field[-1] - field[-2]
    for part in range(parts):
        t = part / parts
        weights = (
            ((2.0 - t) * t - 1.0) * t / 2.0,
            ((3.0 * t - 5.0) * t * t + 2.0) / 2.0,
            ((4.0 - 3.0 * t) * t + 1.0) * t / 2.0,
            (t - 1.0) * t * t / 2.0,
        )
        mixed = rows[1] * np.float32(weights[1])
        for row, weight in zip((rows[0], rows[2], rows[3]), (weights[0], *weights[2:])):
            if weight != 0.0:
                mixed += row * np.float32(weight)
        result[part:-1:parts] = mixed
    result[-1] = field[last]
    return result


def triangle_surface(field: Field, window: RasterWindow, cell: float) -> Field:
    """Return the heights of the triangles into which Blender divides the quads of a terrain.

    The diagonal goes from the first corner of a quad to the third, unless both triangles would then
    face opposite ways.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    window : RasterWindow
    cell : float
        Meters between samples.
    """
    corners = _corners(field, window)
    return _divide(corners, _is_flipped(*corners, cell), window)


def linear_surface(field: Field, window: RasterWindow) -> Field:
    """Return values between samples that are linear on triangles, all divided alike."""
    corners = _corners(field, window)
    return _divide(corners, np.zeros(corners[0].shape, np.bool_), window)


_Corners = tuple[Field, Field, Field, Field]


def _corners(field: Field, window: RasterWindow) -> _Corners:
    """Return the values at the corners of all quads, anticlockwise from the lower left."""
    (low, high), (left, right) = window.rows, window.columns
    part = field[low : high + 1, left : right + 1]
    return part[:-1, :-1], part[:-1, 1:], part[1:, 1:], part[1:, :-1]


def _divide(corners: _Corners, flipped: npt.NDArray[np.bool_], window: RasterWindow) -> Field:
    shape = window.shape
    result = np.empty(shape, np.float32)
    steps = np.linspace(0.0, 1.0, window.parts + 1)
    # One row of samples of all cells at a time; cells share their borders, which come out the same.
    for i, v in enumerate(steps):
        rows = slice(i, shape[0] - window.parts + i, window.parts)
        line = _triangle_heights(corners, flipped, steps, float(v))
        result[rows, :-1] = line[..., :-1].reshape(len(line), -1)
        result[rows, -1] = line[:, -1, -1]
    return result


def _is_flipped(a: Field, b: Field, c: Field, d: Field, cell: float) -> npt.NDArray[np.bool_]:
    """Return where the normals of the triangles (a, b, c) and (a, c, d) point opposite ways."""
    first = (-(b - a), -(c - b))
    second = (-(c - d), -(d - a))
    dot = first[0] * second[0] + first[1] * second[1] + np.float32(cell * cell)
    return np.asarray(dot < 0.0)


def _triangle_heights(
    corners: _Corners, flipped: npt.NDArray[np.bool_], steps: npt.NDArray[np.float64], v: float
) -> Field:
    """Return the heights of a row of samples in each cell, of shape (rows, columns, samples)."""
    a, b, c, d = (height[..., np.newaxis] for height in corners)
    u, v32 = steps.astype(np.float32), np.float32(v)
    heights: Field = np.where(
        steps >= v, a + u * (b - a) + v32 * (c - b), a + u * (c - d) + v32 * (d - a)
    )
    if flipped.any():
        near = a + u * (b - a) + v32 * (d - a)
        far = c + (1.0 - u) * (d - c) + np.float32(1.0 - v) * (b - c)
        lower = np.where(steps + v <= 1.0, near, far)
        heights = np.where(flipped[..., np.newaxis], lower, heights)
    return heights
