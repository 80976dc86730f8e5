# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices of a mesh as a height field in meters, and as the samples of a recipe.

The samples of a grid that wraps end one spacing before the grid repeats; a mesh has to reach that far.
A seamless mesh therefore has one more row and column, which repeat the first: copies of it side by side
meet exactly.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.landscapes.grid_meshes import recognition
from ....noise_core.rasters.resampling import SquareCells
from .meshes import Positions, layer_data, mesh_of
from .vertex_groups import Weights

LocalHeights = Weights
"""One height per vertex, along the mesh's own Z axis, in its own units."""


def vertex_grid(grid: Grid) -> Grid:
    """Return the grid of a mesh's vertices from that of its samples; the same unless it wraps."""
    if not grid.wrap:
        return grid
    return Grid(grid.rows + 1, grid.columns + 1, origin=grid.origin, size=grid.size)


def vertex_field(field: Field, grid: Grid) -> Field:
    """Return the values at a mesh's vertices from those at its samples, of any number of channels."""
    if not grid.wrap:
        return field
    beyond = ((0, 1), (0, 1), (0, 0))
    return np.pad(field, beyond[: field.ndim], mode="wrap")


def sample_grid(vertices: Grid, *, seamless: bool) -> Grid:
    """Return the grid of a mesh's samples from that of its vertices; the inverse of `vertex_grid`."""
    if not seamless:
        return vertices
    rows, columns = vertices.shape
    return dataclasses.replace(vertices, rows=rows - 1, columns=columns - 1, wrap=True)


def sample_field(field: Field, grid: Grid) -> Field:
    """Return the values at a mesh's samples from those at its vertices; see `vertex_field`."""
    return np.ascontiguousarray(field[:-1, :-1]) if grid.wrap else field


def gap(field: Field) -> float:
    """Return the largest difference between opposite edges of a field: 0 if it is seamless."""
    across = np.abs(field[0] - field[-1]).max()
    return float(max(across, np.abs(field[:, 0] - field[:, -1]).max()))


@dataclass(frozen=True)
class Ground:
    """Mapping between the vertices of a mesh and a height field on square cells.

    `unit` is the length in meters of one local unit along Z, in the object's scale; `depth` is the extent along
    y in widths, which the cells have to within half of one.
    """

    vertex_grid: recognition.VertexGrid
    cells: SquareCells
    unit: float
    depth: float

    @classmethod
    def read(
        cls, obj: bpy.types.Object, positions: Positions, built: tuple[int, int] | None = None
    ) -> Callable[[], Ground]:
        """Read a mesh object, not in Edit Mode; return a function that recognizes its ground in any thread.

        That function raises a `ParameterError` if the mesh is no regular grid seen from above. Rows and
        columns are given of a mesh that Terrane has just built: its faces need not be read.
        """
        mesh, name = mesh_of(obj), obj.name
        find = (
            read_faces(mesh, positions).vertex_grid
            if built is None
            else partial(recognition.grid_of_rows, mesh.name, positions, *built)
        )
        turned = np.array(obj.matrix_world, np.float64)[:3, :3]

        def recognize() -> Ground:
            layout = find()
            step_x, step_y, unit = steps(name, turned, layout)
            cells = SquareCells.of(layout.rows, layout.columns, step_x, step_y)
            depth = step_y * (layout.rows - 1) / (step_x * (layout.columns - 1))
            return cls(layout, cells, unit, depth)

        return recognize

    def heights(self, local: LocalHeights) -> Field:
        """Return the heights in meters as a field."""
        return self.spread(local * np.float32(self.unit))

    def spread(self, values: Weights) -> Field:
        """Return values of the vertices as a field on the grid."""
        return self.cells.spread(self.vertex_grid.field(values))

    def on_mesh_grid(self, field: Field) -> Field:
        """Return a field of any number of channels, resampled to the mesh's rows and columns."""
        return self.cells.gather(field)

    def vertices(self, field: Field) -> Weights:
        """Return a field on the mesh's rows and columns as values of the vertices."""
        return field.reshape(-1, *field.shape[2:])[self.vertex_grid.places]


def read_faces(mesh: bpy.types.Mesh, positions: Positions) -> recognition.MeshFaces:
    """Read the arrays of a mesh that is not in Edit Mode, with positions of it or of one of its shape keys."""
    corners, along = (np.empty(len(mesh.loops), np.int32) for _ in range(2))
    edges = np.empty(len(mesh.edges) * 2, np.int32)
    if len(mesh.loops):
        layer_data(mesh, ".corner_vert").foreach_get("value", corners)
        layer_data(mesh, ".corner_edge").foreach_get("value", along)
        layer_data(mesh, ".edge_verts").foreach_get("value", edges)
    return recognition.MeshFaces(
        mesh.name, positions, corners, along, edges.reshape(-1, 2), len(mesh.polygons)
    )


def steps(
    name: str, turned: recognition.Plane, grid: recognition.VertexGrid
) -> tuple[float, float, float]:
    """Return the meters from column to column, from row to row, and of one unit of local Z.

    `turned` is the rotation and scale of the object in the world.
    """
    axes = np.array((grid.across, grid.along, (0.0, 0.0, 1.0)))
    lengths = np.linalg.norm(axes @ turned.T, axis=1)
    if not (np.isfinite(lengths).all() and lengths.min() > 0.0):
        raise ParameterError("{}: its scale must not be 0", name)
    return float(lengths[0]), float(lengths[1]), float(lengths[2])
