# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail patches: a part of a terrain on a finer grid, with detail for which the terrain's grid is too coarse.

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

from ..base.arrays import Field
from ..base.elementary import smooth_step
from ..noises.cellular import Cellular
from ..noises.fractal import Fractal
from ..noises.perlin import Perlin
from ..rasters.windows import RasterWindow, smooth_surface, triangle_surface
from .patch_works import NO_WORKS, Works
from .scene import DetailPatch

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

_STEEPEST = 88.0
"""Degrees from which on rock is bare at the latest."""

_FINEST = 4.0
"""Samples of the patch that a ledge needs to be seen."""


@dataclass(frozen=True)
class RockSlopes:
    """From how steep on rock is bare, in degrees, and over how many degrees it gets so."""

    least: float
    fade: float


def border_share(window: RasterWindow) -> Field:
    """Return 0 at a patch's border, 1 from two cells inside on, with a smooth step between."""
    rows, columns = window.shape
    across = np.minimum(np.arange(columns, dtype=np.intp), np.arange(columns, dtype=np.intp)[::-1])
    along = np.minimum(np.arange(rows, dtype=np.intp), np.arange(rows, dtype=np.intp)[::-1])
    inside = np.minimum(along[:, np.newaxis], across[np.newaxis]) / (2.0 * window.parts)
    inside = np.minimum(inside, 1.0)
    return smooth_step(inside).astype(np.float32)


def detail_heights(
    field: Field,
    window: RasterWindow,
    size: float,
    patch: DetailPatch,
    rock: RockSlopes | None,
    works: Works = NO_WORKS,
) -> Field:
    """Return the heights of a patch in meters.

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
        Heights of the terrain in meters.
    window : RasterWindow
    size : float
        Width of the terrain in meters.
    patch : DetailPatch
    rock : RockSlopes or None
        None if no rock is bare.
    works : Works
        What is done again on the finer ground.
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
    fine = works.shape(smooth + detail, window, field)
    triangles = triangle_surface(field, window, cell)
    result: Field = triangles + (fine - triangles) * border_share(window)
    return result


_Places = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _points(window: RasterWindow, cell: float) -> _Places:
    """Return the places of a patch's samples in meters from the terrain's first sample.

    They do not depend on where the patch is: its noise stays where it was when it is moved.
    """
    rows, columns = window.shape
    step = cell / window.parts
    x = (window.columns[0] * window.parts + np.arange(columns, dtype=np.intp)) * step
    y = (window.rows[0] * window.parts + np.arange(rows, dtype=np.intp)) * step
    shape = (rows, columns)
    return np.broadcast_to(x, shape), np.broadcast_to(y[:, np.newaxis], shape)


def _noise(field: Field, window: RasterWindow, points: _Places, cell: float) -> Field:
    """Return the noise finer than the terrain's samples, as strong as their own roughness."""
    noise = Fractal(source=Perlin(frequency=1.0), octaves=_OCTAVES, persistence=_PERSISTENCE)
    places = np.stack(points, axis=-1) / (2.0 * cell)
    result: Field = noise.sample(places) * _roughness(field, window)
    return result


def _roughness(field: Field, window: RasterWindow) -> Field:
    """Return how rough the ground is at the scale of two samples: the mean deviation from neighbors."""
    padded = np.pad(field, 1, mode="edge")
    around = (padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]) / 4.0
    deviation = np.abs(field - around)
    mean = deviation
    for _ in range(3):  # smoothed over some samples, for a few deviate little by chance
        padded = np.pad(mean, 1, mode="edge")
        mean = (
            padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
        ) / 8.0 + mean / 2.0
    result: Field = np.maximum(smooth_surface(mean, window), np.float32(0.0))
    return result


def _bare(field: Field, window: RasterWindow, cell: float, rock: RockSlopes) -> Field:
    """Return how much of the ground is bare rock, by the slope of the terrain itself."""
    along, across = np.gradient(field, cell)
    slope = np.sqrt(along * along + across * across)
    # Between the tangents, for arc tangents differ in their last bits from one NumPy to another.
    least = math.tan(math.radians(min(rock.least, _STEEPEST)))
    most = math.tan(math.radians(min(rock.least + max(rock.fade, 1e-3), _STEEPEST + 1.0)))
    share = np.clip((slope - np.float32(least)) / np.float32(most - least), 0.0, 1.0)
    inside = np.clip(smooth_surface(share.astype(np.float32), window), 0.0, 1.0)
    return smooth_step(inside).astype(np.float32)


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
