# SPDX-License-Identifier: GPL-3.0-or-later
"""Strokes that the mouse draws on the ground of a terrain, and the splines that they become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy_extras import view3d_utils
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.curves import fitting
from ....noise_core.rasters import sight_lines
from ..datablocks.curve_objects import SplinePoints, Table
from ..datablocks.ref import Ref
from . import terrains

_MARGIN = 0.05
"""Share of the terrain beyond its edges where strokes may go on, so that roads leave it."""

_JITTER = 4.0
"""Pixels by which a hand misses a line; the automatic tolerance."""

_NEAR = 14.0
"""Pixels between the ends of a stroke that is closed, on a screen of usual density."""

_NARROWEST, _SAMPLES = 8.0, 4.0
"""Automatic width of a curve: in meters, and in samples, whichever is more."""


@dataclass(frozen=True, eq=False)
class DrawnGround:
    """Heights of a terrain, on which a stroke is drawn.

    Attributes
    ----------
    terrain : Ref
    height : ndarray of shape (rows, columns), float32
    corner : ndarray of shape (2,)
        Place of the first vertex in the terrain's own space.
    step : float
        Distance of vertices.
    """

    terrain: Ref[bpy.types.Object]
    height: Field
    corner: Table
    step: float

    @classmethod
    def of(cls, terrain: bpy.types.Object) -> DrawnGround:
        """Return the ground of a terrain; raise a TerraneError if its mesh is no grid."""
        built, points = terrains.grid_points(terrain)
        corner = points[0, 0, :2].astype(np.float64)
        step = built.size / (built.columns - 1)
        return cls(Ref.of(terrain), np.ascontiguousarray(points[..., 2]), corner, step)

    def hit(self, region: Any, view: Any, mouse: tuple[float, float]) -> Table | None:
        """Return the place under the mouse in the terrain's own space; None beside the terrain.

        Parameters
        ----------
        region : Region
        view : RegionView3D
        mouse : tuple of two floats
            In pixels of the region.
        """
        terrain = self.terrain.find()
        if terrain is None:
            return None
        inverse = terrain.matrix_world.inverted_safe()
        start = view3d_utils.region_2d_to_origin_3d(region, view, mouse)
        along = view3d_utils.region_2d_to_vector_3d(region, view, mouse)
        origin = np.array(inverse @ start, np.float64)
        direction = np.array(inverse.to_3x3() @ along, np.float64)
        scale = np.array([self.step, self.step, 1.0])
        shift = np.array([*self.corner, 0.0])
        margin = _MARGIN * max(self.height.shape)
        found = sight_lines.first_hit(
            self.height, (origin - shift) / scale, direction / scale, margin
        )
        return None if found is None else found * scale + shift

    def in_world(self, place: Table) -> tuple[float, float, float]:
        """Return a place of the terrain's own space in the world."""
        x, y, z = self.terrain.resolve().matrix_world @ Vector(place.tolist())
        return x, y, z


def automatic_width(terrain: bpy.types.Object) -> float:
    """Return the width of a new curve in meters."""
    built = terrains.built_grid(terrain)
    return max(_NARROWEST, _SAMPLES * built.size / (built.columns - 1))


def tolerance_of(places: Table, pixels: Table) -> float:
    """Return by how much a curve may miss a stroke, in meters: the jitter of a hand in the view that it was drawn in.

    Parameters
    ----------
    places : ndarray of shape (n, 3)
    pixels : ndarray of shape (n, 2)
        Where the mouse was.
    """
    return _JITTER * length_of(places) / max(length_of(pixels), 1.0)


def length_of(line: Table) -> float:
    """Return the length of a line in the plane."""
    return float(np.hypot(*np.diff(line[:, :2], axis=0).T).sum())


def returns(pixels: Table, scale: float) -> bool:
    """Return whether a stroke ends where it began; `scale` is that of the interface."""
    reach = _NEAR * scale
    apart = np.hypot(*(pixels - pixels[0]).T)
    return bool(apart[-1] <= reach and apart.max() > 3.0 * reach)


def spline_of(
    line: Table, tolerance: float, shape: str, width: float, *, is_closed: bool
) -> SplinePoints:
    """Return a stroke as a spline of few points; raise a TerraneError if it is none.

    Parameters
    ----------
    line : ndarray of shape (n, 3)
        In the terrain's own space.
    tolerance, width : float
        In meters.
    shape : {"BEZIER", "POLY"}
    is_closed : bool
    """
    if length_of(line) <= tolerance:
        raise TerraneError("Drag over the terrain to draw a curve")
    fit = fitting.fit_bezier if shape == "BEZIER" else fitting.fit_polyline
    places = fit(line, tolerance, closed=is_closed)
    count = places.shape[-2]
    return SplinePoints(places, np.full(count, width), np.zeros(count), is_closed)
