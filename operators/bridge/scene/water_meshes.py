# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of the water over a terrain, worked out in a thread: lakes, the sea, and rivers between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.grid import Grid
from ....noise_core.flow_routing import water_levels as levels
from ....noise_core.landscapes.scene import Water
from ....noise_core.landscapes.water import ribbons
from ....noise_core.rasters.boxes import blur
from ....noise_core.rasters.distance_field import distance_transform
from ....noise_core.rasters.height_field import HeightField
from ....noise_core.rasters.level import Level
from ..datablocks import meshes
from ..datablocks.meshes import read_attribute
from ..datablocks.polygons import Faces, PolygonMesh
from ..tasks.jobs import Work
from ..terrain import terrains

DEPTH, FLOW, COURSE = "terrane_depth", "terrane_flow", "terrane_course"
"""Attributes of a mesh of water: meters above the ground; the direction in which a river flows, 0 where
water stands; and meters along the river, meters across it, and the share of foam: on the sea how near
the shore is, and in place of the meters along a river how sheltered it is from the open sea."""


_DEEP = 0.005
"""Depth, as a share of the terrain's width, from which on one cannot tell how deep the water is."""

_BREAKERS = 0.006
"""Distance from the shore within which waves break, as a share of the terrain's width."""

_FETCH = 0.03
"""Distance over which the sea around a place makes waves, as a share of the terrain's width."""

_SHELTERED, _OPEN = 0.12, 0.45
"""Share of the sea around a place at which it has hardly any waves, and at which it has all: along a straight
coast half of what lies around is sea."""

_BLOCK = 8
"""Quads of the grid along a side of one quad of such water."""


@dataclass(frozen=True)
class _WaterSurface:
    """Vertices, quads and attributes of water; nothing if all is dry."""

    places: meshes.Positions
    faces: Faces
    depth: Field
    flow: Field
    course: Field

    def mesh(self) -> PolygonMesh:
        """Return the arrays of its mesh."""
        maps = {DEPTH: self.depth, FLOW: self.flow, COURSE: self.course}
        return PolygonMesh.of_quads(self.places, self.faces, maps)


def work(terrain: bpy.types.Object, water: Water, surface: HeightField | None = None) -> Work:
    """Return the work that makes the `PolygonMesh` of the water over a terrain; see `levels.standing_water`."""
    mesh_grid, vertices = terrains.grid_points(terrain)
    grid = Grid(mesh_grid.rows, mesh_grid.columns, size=mesh_grid.size)
    mesh, names = meshes.mesh_of(terrain), (*levels.HELD, levels.DRAWN)
    stored = {name: read_attribute(mesh, name) for name in names}
    held = {
        name: values.reshape(grid.shape) for name, values in stored.items() if values is not None
    }

    def make(progress: Progress, cancel: Cancel) -> PolygonMesh:
        return _make(vertices, grid, water, held, surface, cancel).mesh()

    return make


def _make(
    vertices: meshes.Positions,
    grid: Grid,
    water: Water,
    held: Mapping[str, Field],
    surface: HeightField | None,
    cancel: Cancel,
) -> _WaterSurface:
    ground = np.ascontiguousarray(vertices[..., 2])
    sea = water.level if water.sea else None
    standing = levels.standing_water(
        *(ground, grid), sea=sea, lakes=levels.held_water(held), drawn=held.get(levels.DRAWN),
        rivers=water.rivers, surface=surface, cancel=cancel,
    )  # fmt: skip
    still = _still(vertices, standing.levels, sea, _DEEP * grid.width)
    if not water.rivers:
        return still
    rivers = ribbons.rivers(
        ground, grid, standing, water.rivers, scale=water.river_width, cancel=cancel
    )
    return _join(still, _running(rivers, vertices))


def _still(
    vertices: meshes.Positions, levels_of: Field, sea: float | None, deep: float
) -> _WaterSurface:
    """Return the quads whose corners all lie under water or at its shore."""
    surface, points = levels.spread_levels(levels_of), vertices.reshape(-1, 3)
    rows, columns = surface.shape
    depths = surface - vertices[..., 2]
    wet = np.isfinite(surface)
    whole = wet[:-1, :-1] & wet[1:, :-1] & wet[:-1, 1:] & wet[1:, 1:]
    is_deep = np.zeros_like(wet) if sea is None else (surface == np.float32(sea)) & (depths > deep)
    far = _blocks(is_deep)
    whole &= ~np.repeat(np.repeat(far, _BLOCK, 0), _BLOCK, 1)[: rows - 1, : columns - 1]
    row, column = np.nonzero(far)
    near = np.flatnonzero(np.pad(whole, ((0, 1), (0, 1))))
    ring = np.array((0, 1, columns + 1, columns), np.intp)
    corners = np.concatenate(
        (
            near[:, np.newaxis] + ring,
            (_BLOCK * (row * columns + column))[:, np.newaxis] + _BLOCK * ring,
        )
    )
    is_used = np.zeros(rows * columns, np.bool_)
    is_used[corners.reshape(-1)] = True
    number = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    indices = np.flatnonzero(is_used)
    places = points[indices]
    places[:, 2] = surface.reshape(-1)[indices]
    course = np.zeros((len(indices), 3), np.float32)
    if sea is not None:
        course[:, 2] = _surf(surface, depths, sea).reshape(-1)[indices]
        course[:, 0] = _shelter(surface, depths, sea).reshape(-1)[indices]
    depth = depths.reshape(-1)[indices]
    return _WaterSurface(places, number[corners], depth, np.zeros_like(course), course)


def _surf(surface: Field, depths: Field, sea: float) -> Field:
    """Return the nearness of the sea to its shore: 1 there, 0 beyond the breaking waves."""
    is_sea = (surface == np.float32(sea)) & (depths > 0.0)
    if is_sea.all() or not is_sea.any():
        return np.zeros_like(surface)
    # The shore lies midway between samples.
    far = np.maximum(distance_transform(~is_sea, False) - np.float32(0.5), np.float32(0.0))
    reach = breakers(max(surface.shape) - 1)
    near: Field = np.maximum(np.float32(1.0) - far / np.float32(reach), np.float32(0.0))
    return np.where(surface == np.float32(sea), near, np.float32(0.0))


def _shelter(surface: Field, depths: Field, sea: float) -> Field:
    """Return how sheltered the sea is by land: 0 along open coasts, 1 in the ends of narrow bays."""
    is_sea = (surface == np.float32(sea)) & (depths > 0.0)
    rows, columns = surface.shape
    level = Level(rows, columns, 1.0, 1.0, False)
    around = blur(is_sea.astype(np.float32), level, max(_FETCH * max(surface.shape), 1.0))
    shelter: Field = np.clip((_OPEN - around) / (_OPEN - _SHELTERED), 0.0, 1.0)
    return np.where(is_sea, shelter, np.float32(0.0))


def breakers(cells: int) -> float:
    """Return within how many cells of the shore waves break, on a grid of so many along its longer side."""
    return max(_BREAKERS * cells, 2.0)


def _blocks(is_deep: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which blocks of quads have deep corners only; the last ones may reach beyond the grid, and have not."""
    rows, columns = (-(-(count - 1) // _BLOCK) for count in is_deep.shape)
    padded = np.zeros((rows * _BLOCK + 1, columns * _BLOCK + 1), np.bool_)
    padded[: is_deep.shape[0], : is_deep.shape[1]] = is_deep
    # All corners of a block: its own quads' lower ones, and those of the next row and column.
    inner = padded[:-1, :-1] & padded[1:, :-1] & padded[:-1, 1:] & padded[1:, 1:]
    is_whole: npt.NDArray[np.bool_] = inner.reshape(rows, _BLOCK, columns, _BLOCK).min(axis=(1, 3))
    return is_whole


def _running(rivers: ribbons.Ribbons, vertices: meshes.Positions) -> _WaterSurface:
    """Return rivers in the axes of the terrain."""
    places, shape = rivers.places.copy(), vertices.shape
    for axis, count in ((0, shape[1]), (1, shape[0])):
        low, high = vertices[0, 0, axis], vertices[-1, -1, axis]
        places[:, axis] *= (high - low) / np.float32(count - 1)
        places[:, axis] += low
    return _WaterSurface(places, rivers.faces, rivers.depth, rivers.flow, rivers.course)


def _join(first: _WaterSurface, second: _WaterSurface) -> _WaterSurface:
    """Return two meshes joined into one."""
    return _WaterSurface(
        np.concatenate((first.places, second.places)),
        np.concatenate((first.faces, second.faces + np.int32(len(first.places)))),
        np.concatenate((first.depth, second.depth)),
        np.concatenate((first.flow, second.flow)),
        np.concatenate((first.course, second.course)),
    )
