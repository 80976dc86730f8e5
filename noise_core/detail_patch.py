# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail patches: a part of a terrain on a finer grid, with what the terrain's grid is too coarse for.

The ground between the samples is the surface of bicubic patches (Catmull & Rom, A Class of Local
Interpolating Splines, 1974), which meets the samples and has no creases. To it come noise, as strong as the
terrain's own roughness lets expect it, and ledges and joints where rock is bare. Towards its border a patch
becomes the terrain's own triangles, so that both meet without a gap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .base.arrays import Field
from .base.errors import ParameterError
from .noises.cellular import Cellular
from .noises.fractal import Fractal
from .noises.perlin import Perlin
from .scene import DetailPatch

MOST_VERTICES = 1 << 22
"""Of a patch: more would take longer to build than a finer terrain."""

_OCTAVES = 7
"""Of the noise between the samples: down to a hundredth of a cell."""

_PERSISTENCE = 0.5
"""Of the noise: each octave as steep as the one before, nearly as eroded ground is."""

_LEDGES = (6.0, 1.6)
"""Meters from ledge to ledge of rock, at two scales; the third is that of the material's tiles."""

_RISER = 0.3
"""Share of a ledge's height that its steep part takes."""

_STEP, _JOINT = 0.45, 0.07
"""How far ledges and joints change the ground, in their size: so little that it never falls back."""

_FINEST = 4.0
"""Samples of the patch that a ledge needs to be seen."""


@dataclass(frozen=True)
class Window:
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
        cls, patch: DetailPatch, shape: tuple[int, int], cell: float, middle: tuple[float, float]
    ) -> Window:
        """Return the window of a patch.

        Parameters
        ----------
        patch : DetailPatch
        shape : tuple of two ints
            Rows and columns of the terrain's samples.
        cell : float
            Meters between them.
        middle : tuple of two floats
            Row and column, between samples, of what is in the middle.

        Raises
        ------
        ParameterError
            If there would be too many vertices.
        """
        sides = []
        for count, at in zip(shape, middle):
            cells = min(max(round(patch.patch_size / cell), 2), count - 1)
            first = min(max(round(at - 0.5 * cells), 0), count - 1 - cells)
            sides.append((first, first + cells))
        made = cls(sides[0], sides[1], max(math.ceil(cell / patch.spacing - 1e-6), 1))
        if math.prod(made.shape) > MOST_VERTICES:
            raise ParameterError(
                "DetailPatch: at most {} vertices; size {:g} m at a spacing of {:g} m has {}",
                MOST_VERTICES,
                patch.patch_size,
                patch.spacing,
                math.prod(made.shape),
            )
        return made


@dataclass(frozen=True)
class RockSlopes:
    """From how steep on rock is bare, in degrees, and over how many degrees it gets so."""

    least: float
    fade: float


def smooth_surface(field: Field, window: Window) -> Field:
    """Return a field between its samples: exact at them, without creases.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    window : Window

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
    number_of = np.arange(first, last)
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


def triangle_surface(field: Field, window: Window, cell: float) -> Field:
    """Return the heights of the triangles into which Blender divides the quads of a terrain.

    The diagonal goes from the first corner of a quad to the third, unless both triangles would then
    face opposite ways.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    window : Window
    cell : float
        Meters between samples.
    """
    corners = _corners(field, window)
    return _divide(corners, _is_flipped(*corners, cell), window)


def linear_surface(field: Field, window: Window) -> Field:
    """Return values between samples that are linear on triangles, all divided alike."""
    corners = _corners(field, window)
    return _divide(corners, np.zeros(corners[0].shape, np.bool_), window)


_Corners = tuple[Field, Field, Field, Field]


def _corners(field: Field, window: Window) -> _Corners:
    """Return the values at the corners of all quads, anticlockwise from the lower left."""
    (low, high), (left, right) = window.rows, window.columns
    part = field[low : high + 1, left : right + 1]
    return part[:-1, :-1], part[:-1, 1:], part[1:, 1:], part[1:, :-1]


def _divide(corners: _Corners, flipped: npt.NDArray[np.bool_], window: Window) -> Field:
    shape = window.shape
    result = np.empty(shape, np.float32)
    steps = np.arange(window.parts + 1) / window.parts
    # One sample of each cell at a time; cells share their borders, which come out the same.
    for i, v in enumerate(steps):
        for j, u in enumerate(steps):
            rows = slice(i, shape[0] - window.parts + i, window.parts)
            columns = slice(j, shape[1] - window.parts + j, window.parts)
            result[rows, columns] = _triangle_height(corners, flipped, float(u), float(v))
    return result


def _is_flipped(a: Field, b: Field, c: Field, d: Field, cell: float) -> npt.NDArray[np.bool_]:
    """Return where the normals of the triangles (a, b, c) and (a, c, d) point opposite ways."""
    first = (-(b - a), -(c - b))
    second = (-(c - d), -(d - a))
    dot = first[0] * second[0] + first[1] * second[1] + np.float32(cell * cell)
    return np.asarray(dot < 0.0)


def _triangle_height(
    corners: _Corners, flipped: npt.NDArray[np.bool_], u: float, v: float
) -> Field:
    a, b, c, d = corners
    if u >= v:
        usual = a + np.float32(u) * (b - a) + np.float32(v) * (c - b)
    else:
        usual = a + np.float32(u) * (c - d) + np.float32(v) * (d - a)
    if u + v <= 1.0:
        other = a + np.float32(u) * (b - a) + np.float32(v) * (d - a)
    else:
        other = c + np.float32(1.0 - u) * (d - c) + np.float32(1.0 - v) * (b - c)
    result: Field = np.where(flipped, other, usual)
    return result


def border_share(window: Window) -> Field:
    """Return 0 at a patch's border, 1 from two cells inside on, with a smooth step between."""
    rows, columns = window.shape
    across = np.minimum(np.arange(columns), np.arange(columns)[::-1])
    along = np.minimum(np.arange(rows), np.arange(rows)[::-1])
    inside = np.minimum(along[:, np.newaxis], across[np.newaxis]) / (2.0 * window.parts)
    inside = np.minimum(inside, 1.0)
    return np.asarray(inside * inside * (3.0 - 2.0 * inside), np.float32)


def detail_heights(
    field: Field, window: Window, size: float, patch: DetailPatch, rock: RockSlopes | None
) -> Field:
    """Return the heights of a patch in meters.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Heights of the terrain in meters.
    window : Window
    size : float
        Width of the terrain in meters.
    patch : DetailPatch
    rock : RockSlopes or None
        None if no rock is bare.
    """
    cell = size / (field.shape[1] - 1)
    smooth = smooth_surface(field, window)
    points = _points(window, cell)
    detail = np.zeros_like(smooth)
    if patch.roughness > 0.0:
        detail += _noise(field, window, points, cell) * np.float32(patch.roughness)
    if rock is not None and patch.rock > 0.0:
        bare = _bare(field, window, cell, rock)
        ledges = _ledges(smooth + detail, points, cell / window.parts)
        detail += ledges * bare * np.float32(patch.rock)
    triangles = triangle_surface(field, window, cell)
    result: Field = triangles + (smooth + detail - triangles) * border_share(window)
    return result


_Places = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _points(window: Window, cell: float) -> _Places:
    """Return the places of a patch's samples in meters from the terrain's first sample.

    They do not depend on where the patch is: its noise stays where it was when it is moved.
    """
    rows, columns = window.shape
    step = cell / window.parts
    x = (window.columns[0] * window.parts + np.arange(columns)) * step
    y = (window.rows[0] * window.parts + np.arange(rows)) * step
    shape = (rows, columns)
    return np.broadcast_to(x, shape), np.broadcast_to(y[:, np.newaxis], shape)


def _noise(field: Field, window: Window, points: _Places, cell: float) -> Field:
    """Return the noise finer than the terrain's samples, as strong as their own roughness."""
    noise = Fractal(source=Perlin(frequency=1.0), octaves=_OCTAVES, persistence=_PERSISTENCE)
    places = np.stack(points, axis=-1) / (2.0 * cell)
    result: Field = noise.sample(places) * _roughness(field, window)
    return result


def _roughness(field: Field, window: Window) -> Field:
    """Return how rough the ground is at the scale of two samples: the mean deviation from neighbors."""
    (low, high), (left, right) = window.rows, window.columns
    padded = np.pad(field, 1, mode="edge")
    around = (padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]) / 4.0
    deviation = np.abs(field - around)
    mean = deviation
    for _ in range(3):  # smoothed over some samples, for a few deviate little by chance
        padded = np.pad(mean, 1, mode="edge")
        mean = (
            padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        ) / 8.0 + mean / 2.0
    linear = _refine(np.ascontiguousarray(mean.T), (left, right), window.parts).T
    linear = _refine(np.ascontiguousarray(linear), (low, high), window.parts)
    return np.maximum(linear, 0.0)


def _bare(field: Field, window: Window, cell: float, rock: RockSlopes) -> Field:
    """Return how much of the ground is bare rock, by the slope of the terrain itself."""
    along, across = np.gradient(field, cell)
    slope = np.degrees(np.arctan(np.sqrt(along * along + across * across)))
    share = np.clip((slope - np.float32(rock.least)) / np.float32(max(rock.fade, 1e-6)), 0.0, 1.0)
    inside = np.clip(smooth_surface(share.astype(np.float32), window), 0.0, 1.0)
    return np.asarray(inside * inside * (3.0 - 2.0 * inside), np.float32)


def _ledges(height: Field, points: _Places, step: float) -> Field:
    """Return how far ledges and joints change the heights of rock."""
    x, y = points[0], points[1]
    result = np.zeros(height.shape, np.float32)
    bend = Fractal(source=Perlin(frequency=1.0), octaves=3)
    joints = Cellular(frequency=1.0, output="f2_minus_f1")
    for apart in _LEDGES:
        if apart < _FINEST * step:
            continue
        bent = bend.sample(np.stack((x, y), axis=-1) / (4.0 * apart), 1)
        level = height / np.float32(apart) + bent
        part = level - np.floor(level)
        # Flatter over most of a ledge, steep at its end, and as high on average as before.
        stepped = np.clip((part - (1.0 - _RISER)) / _RISER, 0.0, 1.0)
        result += (stepped - part + np.float32(0.5 * (1.0 - _RISER))) * np.float32(_STEP * apart)
        edges = 0.5 + 0.5 * joints.sample(
            np.stack((x, y, height.astype(np.float64)), axis=-1) / apart, 2
        )
        result -= np.clip(1.0 - edges / 0.12, 0.0, 1.0) * np.float32(_JOINT * apart)
    return result
