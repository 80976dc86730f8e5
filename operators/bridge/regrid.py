# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain's mesh gets new heights, and if need be a new grid; what is the user's stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...noise_core.arrays import Field
from ...noise_core.errors import TerraneError
from ...noise_core.grid import Grid
from . import before, compat, map_layers, meshes
from .layers import add_attribute, read_layers, write_layers
from .resampling import resampled
from .topology import Topology
from .weights import read_groups, write_group


@dataclass(frozen=True)
class Built:
    """The grid that a terrain's mesh was last made of."""

    rows: int
    columns: int
    size: float

    def fits(self, mesh: bpy.types.Mesh) -> bool:
        """Return whether the mesh still has as many elements as that grid."""
        if self.rows < 2 or self.columns < 2:
            return False
        grid = Topology(self.rows, self.columns)
        counts = (len(mesh.vertices), len(mesh.edges), len(mesh.polygons))
        return counts == (grid.vertices, grid.edges, grid.faces)


def update_mesh(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    built: Built,
    grid: Grid,
    height: Field,
    maps: Mapping[str, Field],
) -> tuple[str, ...]:
    """Make a terrain's mesh show a height field.

    While the grid stays the same, only positions change. Otherwise the geometry is made anew:
    materials, UV maps, vertex groups and attributes are carried over. Maps of an earlier run and
    heights from before an erosion go: they are not this terrain's any more.

    Returns
    -------
    tuple of str
        Names of what could not be carried over.

    Raises
    ------
    TerraneError
        If the grid changes under shape keys.
    """
    mesh = meshes.mesh_of(terrain)
    lost: tuple[str, ...] = ()
    if built.fits(mesh) and (built.rows, built.columns) == grid.shape:
        move(mesh, built, grid, height)
    else:
        lost = _rebuild(context, terrain, built, grid, height)
    before.forget(mesh)
    refused = map_layers.write(mesh, maps)
    compat.positions_changed(mesh)
    return (*lost, *refused)


def move(mesh: bpy.types.Mesh, built: Built, grid: Grid, height: Field) -> None:
    """Write new heights on the same grid, and stretch the rest if the size has changed.

    Call `compat.positions_changed` when all is written.
    """
    positions = meshes.positions_of(mesh)
    stretch = np.float32(grid.size / built.size)
    if mesh.shape_keys is None:
        positions[:, 2] = height.reshape(-1)
        if stretch != 1.0:
            positions[:, :2] *= stretch
        meshes.set_positions(mesh, positions)
        return
    # Shape keys are whole copies of the positions: the difference to the first one has to stay.
    rise = height.reshape(-1) - meshes.key_positions(mesh.shape_keys.reference_key)[:, 2]
    for key in mesh.shape_keys.key_blocks:
        moved = meshes.key_positions(key)
        moved[:, 2] += rise
        moved[:, :2] *= stretch
        meshes.set_key_positions(key, moved)
    meshes.set_positions(mesh, meshes.key_positions(mesh.shape_keys.reference_key))


def _rebuild(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    built: Built,
    grid: Grid,
    height: Field,
) -> tuple[str, ...]:
    mesh = meshes.mesh_of(terrain)
    if mesh.shape_keys is not None:
        raise TerraneError(
            f"{terrain.name} has shape keys, which cannot follow to another resolution: "
            "apply or remove them first"
        )
    old = Topology(built.rows, built.columns) if built.fits(mesh) else None
    new = Topology(grid.rows, grid.columns)
    groups = read_groups(context, terrain)
    written = map_layers.Record.of(mesh).written
    ours = (*written, *map_layers.covered(mesh), *before.names(mesh))
    skipped = {*ours, *_untouched_uv(mesh, old)}
    stored = read_layers(mesh, skipped)
    maps = {one.name: one.data_type for one in mesh.attributes if one.name in written}
    mesh.clear_geometry()
    meshes.fill_topology(mesh, new)
    meshes.set_positions(mesh, meshes.grid_positions(grid, height))
    lost = write_layers(mesh, stored, old, new)
    for name, data_type in maps.items():
        add_attribute(mesh, name, data_type, "POINT")
    # Last, for Blender makes no attribute with the name of a vertex group.
    for group in groups:
        weights = None
        if old is not None:
            weights = resampled(group.weights[:, np.newaxis], "POINT", old, new)[:, 0]
        write_group(terrain, group, weights)
    return lost


def _untouched_uv(mesh: bpy.types.Mesh, old: Topology | None) -> set[str]:
    """Return the name of our own UV map unless somebody has edited it: it is made anew."""
    layer: Any = mesh.attributes.get(meshes.UV_NAME)
    if old is None or layer is None:
        return {meshes.UV_NAME}
    present = np.empty(old.faces * 8, np.float32)
    if layer.data_type != "FLOAT2" or layer.domain != "CORNER":
        return set()
    layer.data.foreach_get("vector", present)
    return {meshes.UV_NAME} if np.array_equal(present, old.corner_coordinates()) else set()
