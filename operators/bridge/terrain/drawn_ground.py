# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground of a terrain under the mouse, on which curves and brushes draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from bpy_extras import view3d_utils
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ..datablocks.ref import Ref
from . import terrains

if TYPE_CHECKING:
    from ..datablocks.curve_objects import Table

_MARGIN = 0.05
"""Share of the terrain beyond its edges where strokes may go on, so that roads leave it."""


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
        from ....noise_core.rasters import sight_lines  # here: few sessions draw

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
