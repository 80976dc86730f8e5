# SPDX-License-Identifier: GPL-3.0-or-later
"""The place on a terrain under the mouse, found in its heights: Blender would index the whole mesh anew after each change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
from bpy_extras import view3d_utils

from ....noise_core.base.arrays import Field
from ....noise_core.rasters.sight_lines import first_hit
from . import terrains
from .drawn_curves import Frame

Vector = npt.NDArray[np.float64]

_LIFT = 0.002
"""Share of a circle's radius by which it is drawn above the ground, which would hide parts of it."""


@dataclass(frozen=True)
class GroundPointer:
    """Heights of a terrain, on which places are found.

    Attributes
    ----------
    frame : Frame
        Tiles of the terrain in its own space.
    height : ndarray of shape (rows, columns), float32
        Of its vertices, in meters; may change while a stroke is drawn.
    """

    frame: Frame
    height: Field

    @classmethod
    def of(cls, terrain: bpy.types.Object) -> GroundPointer:
        """Return the pointer for a terrain as it is now; raise a TerraneError if its mesh is no grid any more."""
        _, points = terrains.grid_points(terrain)
        return cls(Frame.of(terrain), np.ascontiguousarray(points[..., 2]))

    @property
    def _steps(self) -> float:
        return self.height.shape[1] - 1.0

    def find(
        self, terrain: bpy.types.Object, region: Any, view: Any, mouse: tuple[float, float]
    ) -> Vector | None:
        """Return the place in tiles, and its height, under the mouse in a region of a 3D view; None beside the terrain."""
        into = np.array(terrain.matrix_world.inverted_safe(), np.float64)
        origin = np.array(view3d_utils.region_2d_to_origin_3d(region, view, mouse), np.float64)
        toward = np.array(view3d_utils.region_2d_to_vector_3d(region, view, mouse), np.float64)
        start = self.frame.tiles(into[:3, :3] @ origin + into[:3, 3])
        along = into[:3, :3] @ toward
        start[:2] *= self._steps
        along[:2] *= self._steps / self.frame.size
        hit = first_hit(self.height, start, along)
        if hit is None:
            return None
        hit[:2] /= self._steps
        return hit

    def circle(
        self, terrain: bpy.types.Object, center: Vector, radius: float, count: int = 64
    ) -> Vector:
        """Return points of a circle on the ground in the scene's space, shape (count, 3); the radius in meters."""
        turn = np.linspace(0.0, 2.0 * np.pi, count)
        places = np.empty((count, 3), np.float64)
        share = radius / self.frame.size
        places[:, 0] = center[0] + share * np.cos(turn)
        places[:, 1] = center[1] + share * np.sin(turn)
        rows, columns = self.height.shape
        row = np.clip(np.rint(places[:, 1] * self._steps), 0, rows - 1).astype(np.intp)
        column = np.clip(np.rint(places[:, 0] * self._steps), 0, columns - 1).astype(np.intp)
        places[:, 2] = self.height[row, column] + _LIFT * radius
        local = self.frame.units(places)
        matrix = np.array(terrain.matrix_world, np.float64)
        return local @ matrix[:3, :3].T + matrix[:3, 3]
