# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail patch of a terrain: fine ground before the camera, in place of the terrain's faces there.

The fine mesh is a separate object, which is not shown. A modifier on the terrain takes away the faces
below it and joins the mesh in. So all readers of the terrain, such as its surroundings and its plants,
get the fine ground there. Without the modifier the terrain is as it was.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import TerraneError
from ....noise_core.landscapes import detail_patch
from ....noise_core.landscapes.grid_meshes.regular_grid import Topology
from ....noise_core.landscapes.patch_works import Works
from ....noise_core.landscapes.scene import DetailPatch
from ....noise_core.materials.colors import LANDSCAPES
from ....noise_core.rasters import windows
from ..datablocks import compat, evaluated_geometry, materials, meshes, ownership
from ..nodetree.node_graph import NodeGraph, Output
from ..tasks.jobs import Work
from ..tasks.product import Product
from ..terrain import terrains
from ..terrain.terrain_product import TERRAIN
from . import finer_ground, parts

PART = "detail_patch"

TITLE = "Detail Patch"
"""Name of the modifier."""

_MIDDLE = "terrane_middle"
"""Custom property of the patch: where its middle is, in the terrain's own axes."""

_AHEAD = 0.35
"""Of a patch's width, by which its middle lies before the camera."""


@dataclass(frozen=True)
class _PatchArrays:
    """A finished patch: positions and attributes of its vertices, and the corners of its map."""

    shape: tuple[int, int]
    positions: meshes.Positions
    attributes: Mapping[str, tuple[str, Field]]
    corners: tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class PatchRequest:
    """Intended place of a patch, in the terrain's own axes, its settings, and materials and attributes of the terrain's mesh."""

    patch: DetailPatch
    middle: tuple[float, ...]
    materials: tuple[str | None, ...] = ()
    attributes: tuple[str, ...] = ()
    works: Works = field(default_factory=Works)
    """Paths, footprints and stamps on top of the terrain, which are done again on the finer ground."""

    @classmethod
    def before_camera(
        cls, context: bpy.types.Context, terrain: bpy.types.Object, patch: DetailPatch
    ) -> PatchRequest:
        """Return the request for a patch before the scene's camera.

        Raises
        ------
        TerraneError
            If there is no camera over the terrain.
        """
        camera = context.scene.camera
        if camera is None:
            raise TerraneError(
                "The scene has no camera: add one, and move it over {}", terrain.name
            )
        _, points = terrains.grid_points(terrain)
        inverse = terrain.matrix_world.inverted_safe()
        eye = inverse @ camera.matrix_world.translation
        low, high = points[0, 0], points[-1, -1]
        if not (low[0] <= eye.x <= high[0] and low[1] <= eye.y <= high[1]):
            raise TerraneError("{} is not over {}: move it there", camera.name, terrain.name)
        ahead = inverse.to_3x3() @ (camera.matrix_world.to_3x3() @ Vector((0.0, 0.0, -1.0)))
        flat = Vector((ahead.x, ahead.y))
        if flat.length > 1e-3 * ahead.length:
            row, column = _place(points, (eye.x, eye.y))
            above = max(eye.z - float(points[round(row), round(column), 2]), 0.0)
            flat = flat.normalized() * (_AHEAD * patch.patch_size + above)
        # Not beyond the border.
        x = min(max(eye.x + flat.x, float(low[0])), float(high[0]))
        y = min(max(eye.y + flat.y, float(low[1])), float(high[1]))
        return cls(patch, (x, y), works=_works(terrain))

    def work(self, terrain: bpy.types.Object) -> Work:
        """Return the work that makes the vertices."""
        mesh_grid, points = terrains.grid_points(terrain)
        size = float(mesh_grid.size)
        window = _window(mesh_grid, points, self.patch, self.middle)
        rock, values_by_name = _rock(terrain), {}
        mesh = meshes.mesh_of(terrain)
        for name, kind in meshes.smooth_attributes(mesh).items():
            values = meshes.read_layer(mesh, name).values
            values_by_name[name] = kind, values.reshape(*points.shape[:2], -1)

        def make(progress: Progress, cancel: Cancel) -> _PatchArrays:
            with cancellable(cancel):
                heights = detail_patch.detail_heights(
                    points[..., 2], window, size, self.patch, rock, self.works
                )
                positions = np.empty((*window.shape, 3), np.float32)
                for axis in (0, 1):
                    positions[..., axis] = windows.linear_surface(points[..., axis], window)
                positions[..., 2] = heights
                attributes = {
                    name: (kind, _between(values, window))
                    for name, (kind, values) in values_by_name.items()
                }
                share = detail_patch.border_share(window)[..., np.newaxis]
                for name, fine in self.works.surfaces(window, points[..., 2]).items():
                    if name in attributes:
                        kind, rough = attributes[name]
                        attributes[name] = kind, rough + (fine[..., np.newaxis] - rough) * share
            rows, columns = mesh_grid.rows - 1, mesh_grid.columns - 1
            corners = tuple(
                (window.columns[end] / columns, window.rows[end] / rows) for end in (0, 1)
            )
            return _PatchArrays(window.shape, positions, attributes, (corners[0], corners[1]))

        return make


def settings_of(scene: bpy.types.Scene, terrain: bpy.types.Object) -> DetailPatch:
    """Return the settings of a terrain's patch; the usual ones if it has none."""
    return finer_ground.settings_of(scene, terrain, PART, DetailPatch())


def cells_of(terrain: bpy.types.Object) -> tuple[int, ...] | None:
    """Return the first and the last row and column of the cells below a terrain's patch; None without a patch."""
    obj = parts.of_terrain(terrain, PART)
    if obj is None:
        return None
    mesh_grid, points = terrains.grid_points(terrain)
    window = _window(
        mesh_grid, points, finer_ground.read_settings(obj, DetailPatch()), obj[_MIDDLE]
    )
    return (*window.rows, *window.columns)


def remove(scene: bpy.types.Scene, terrain: bpy.types.Object) -> None:
    """Remove the patch of a terrain, and its modifier."""
    finer_ground.remove(scene, terrain, PART, TITLE)
    PATCH.forget(terrain)


class TerrainPatch(Product):
    """The patch of a terrain, made again when the heights change."""

    key = PART
    source = TERRAIN

    def request(self, terrain: bpy.types.Object) -> PatchRequest | None:
        """Return the place of the patch, its settings and its materials; None without a patch."""
        obj = parts.of_terrain(terrain, PART)
        if obj is None:
            return None
        mesh = meshes.mesh_of(terrain)
        names = (None if material is None else material.name for material in mesh.materials)
        attributes = tuple(sorted(meshes.smooth_attributes(mesh)))
        return PatchRequest(
            finer_ground.read_settings(obj, DetailPatch()),
            tuple(obj[_MIDDLE]),
            tuple(names),
            attributes,
            _works(terrain),
        )

    def work(
        self, terrain: bpy.types.Object, request: PatchRequest, side: int | None = None
    ) -> Work:
        """Return the work that makes the vertices."""
        return request.work(terrain)

    def write(
        self,
        terrain: bpy.types.Object,
        request: PatchRequest,
        result: Any,
        *,
        is_preview: bool = False,
    ) -> str:
        """Replace the mesh, and set the modifier to its borders; the patch may be added or moved now."""
        obj = finer_ground.hold(terrain, PART, TITLE, request.patch)
        obj[_MIDDLE] = request.middle
        _write_mesh(obj, terrain, result)
        low, high = result.positions[0, 0, :2], result.positions[-1, -1, :2]
        select = functools.partial(_faces_below, 0.5 * (low + high), 0.5 * (high - low))
        finer_ground.write_modifier(terrain, obj, TITLE, select)
        return ""


PATCH = TerrainPatch()


def _window(
    mesh_grid: Any, points: meshes.Positions, patch: DetailPatch, middle: Sequence[float]
) -> windows.RasterWindow:
    """Return the cells of a terrain that a patch around a place covers."""
    cell = float(mesh_grid.size) / (mesh_grid.columns - 1)
    place = _place(points, (middle[0], middle[1]))
    shape = (mesh_grid.rows, mesh_grid.columns)
    return windows.RasterWindow.around(shape, cell, place, patch.patch_size, patch.spacing)


def _place(points: meshes.Positions, place: tuple[float, float]) -> tuple[float, float]:
    """Return the row and column, between vertices, of a place."""
    rows, columns = points.shape[:2]
    low, high = points[0, 0], points[-1, -1]
    column = (place[0] - low[0]) / (high[0] - low[0]) * (columns - 1)
    row = (place[1] - low[1]) / (high[1] - low[1]) * (rows - 1)
    return float(row), float(column)


def _works(terrain: bpy.types.Object) -> Works:
    """Return the paths, footprints and stamps on top of a terrain; none if its settings have changed since."""
    made = terrains.made_request(terrain)
    built = terrains.built_grid(terrain)
    if made is None or made.grid().shape != (built.rows, built.columns):
        return Works()
    painted = {number for number, held in enumerate(made.states) if held.mask}
    return Works.of(made.acting, made.grid(), painted)


def _rock(terrain: bpy.types.Object) -> detail_patch.RockSlopes | None:
    """Return the slopes of bare rock in a terrain's preset; None without rock."""
    look = terrains.look_of(terrain)
    layers = LANDSCAPES[look.palette].with_limits(look.limits).layers
    if "rock" not in layers:
        return None
    return detail_patch.RockSlopes(layers["rock"].flattest, layers["rock"].slope_fade)


def _between(values: Field, window: windows.RasterWindow) -> Field:
    channels = [
        windows.linear_surface(values[..., channel], window) for channel in range(values.shape[2])
    ]
    return np.stack(channels, axis=2)


def _write_mesh(obj: bpy.types.Object, terrain: bpy.types.Object, arrays: _PatchArrays) -> None:
    """Give the patch a new mesh, with the materials of the terrain."""
    old = meshes.mesh_of(obj)
    name = old.name
    old.name = f"{name} Old"
    mesh: Any = evaluated_geometry.new_grid(name, *arrays.shape)
    topology = Topology(*arrays.shape)
    for key, numbers in (
        (".edge_verts", topology.edge_vertices()),
        (".corner_vert", topology.corner_vertices()),
        (".corner_edge", topology.corner_edges()),
    ):
        meshes.layer_data(mesh, key).foreach_set("value", numbers)
    low, high = np.array(arrays.corners, np.float32)
    corners = topology.corner_coordinates().reshape(-1, 2) * (high - low) + low
    meshes.add_uv_map(mesh, corners)
    for key, (kind, values) in arrays.attributes.items():
        meshes.add_values(mesh, key, kind, values)
    meshes.set_positions(mesh, arrays.positions)
    compat.update_positions(mesh)
    materials.copy_materials(meshes.mesh_of(terrain), mesh)
    obj.data = mesh
    ownership.remove_unused(old)


def _faces_below(middle: Field, half: Field, graph: NodeGraph) -> Output:
    """Declare the choice of the faces around a place."""
    center = (float(middle[0]), float(middle[1]), 0.0)
    offset = graph.vector_math("SUBTRACT", graph.node("GeometryNodeInputPosition"), center)
    x, y, _ = graph.separate(graph.vector_math("ABSOLUTE", offset))
    inside = graph.math("LESS_THAN", x, float(half[0]))
    return inside * graph.math("LESS_THAN", y, float(half[1]))
