# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of the water over a terrain, worked out in a thread: lakes, the sea, and rivers between them."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.grid import Grid
from ....noise_core.scene import Water
from ....noise_core.water import levels, ribbons
from ..datablocks import meshes, quads
from ..datablocks.mesh_layers import read_attribute
from ..tasks.jobs import Work
from ..terrain import terrains

LAKE = "lake"
"""Map of the depth of lakes, which erosion leaves."""

DEPTH, FLOW, COURSE = "terrane_depth", "terrane_flow", "terrane_course"
"""Attributes of a mesh of water: meters above the ground; the direction in which a river flows, 0 where
water stands; and meters along the river, meters across it, and the share of foam."""


@dataclass(frozen=True)
class WaterMesh:
    """Vertices, quads and attributes of water; nothing if all is dry."""

    places: meshes.Positions
    faces: quads.Faces
    depth: Field
    flow: Field
    course: Field

    def write(self, mesh: bpy.types.Mesh) -> None:
        """Replace the geometry of a mesh."""
        maps = {DEPTH: self.depth, FLOW: self.flow, COURSE: self.course}
        quads.replace(mesh, self.places, self.faces, maps)


def work(terrain: bpy.types.Object, water: Water) -> Work:
    """Return the work that makes the `WaterMesh` over a terrain."""
    built, vertices = terrains.grid_points(terrain)
    grid = Grid(built.rows, built.columns, size=built.size)
    lakes = read_attribute(meshes.mesh_of(terrain), LAKE)
    held = None if lakes is None else lakes.reshape(grid.shape)

    def make(progress: Progress, cancel: Cancel) -> WaterMesh:
        return _make(vertices, grid, water, held, cancel)

    return make


def _make(
    vertices: meshes.Positions, grid: Grid, water: Water, lakes: Field | None, cancel: Cancel
) -> WaterMesh:
    ground = np.ascontiguousarray(vertices[..., 2])
    sea = water.level if water.sea else None
    standing = levels.standing_water(
        ground, grid, sea=sea, lakes=lakes, rivers=water.rivers, cancel=cancel
    )
    made = _still(vertices, standing.levels, sea)
    if not water.rivers:
        return made
    found = ribbons.rivers(
        ground, grid, standing, water.rivers, scale=water.river_width, cancel=cancel
    )
    return _join(made, _running(found, vertices))


def _still(vertices: meshes.Positions, levels_of: Field, sea: float | None) -> WaterMesh:
    """Return the quads of the grid all of whose corners lie under water or at its shore."""
    shown, points = levels.spread_levels(levels_of), vertices.reshape(-1, 3)
    rows, columns = shown.shape
    wet = np.isfinite(shown)
    whole = wet[:-1, :-1] & wet[1:, :-1] & wet[:-1, 1:] & wet[1:, 1:]
    first = np.flatnonzero(np.pad(whole, ((0, 1), (0, 1)))).astype(np.int32)
    is_used = np.zeros(rows * columns, np.bool_)
    for corner in (0, 1, columns, columns + 1):
        is_used[first + corner] = True
    number = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    around = np.array((0, 1, columns + 1, columns), np.int32)
    faces = number[first[:, np.newaxis] + around]
    used = np.flatnonzero(is_used)
    places = points[used]
    places[:, 2] = shown.reshape(-1)[used]
    depth = places[:, 2] - points[used, 2]
    course = np.zeros((len(used), 3), np.float32)
    if sea is not None:
        course[:, 2] = places[:, 2] == np.float32(sea)
    return WaterMesh(places, faces, depth, np.zeros_like(course), course)


def _running(found: ribbons.Ribbons, vertices: meshes.Positions) -> WaterMesh:
    """Return rivers in the axes of the terrain."""
    places, shape = found.places.copy(), vertices.shape
    for axis, count in ((0, shape[1]), (1, shape[0])):
        low, high = vertices[0, 0, axis], vertices[-1, -1, axis]
        places[:, axis] *= (high - low) / np.float32(count - 1)
        places[:, axis] += low
    return WaterMesh(places, found.faces, found.depth, found.flow, found.course)


def _join(one: WaterMesh, other: WaterMesh) -> WaterMesh:
    """Return both meshes as one."""
    return WaterMesh(
        np.concatenate((one.places, other.places)),
        np.concatenate((one.faces, other.faces + np.int32(len(one.places)))),
        np.concatenate((one.depth, other.depth)),
        np.concatenate((one.flow, other.flow)),
        np.concatenate((one.course, other.course)),
    )
