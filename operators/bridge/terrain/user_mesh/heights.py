# SPDX-License-Identifier: GPL-3.0-or-later
"""User meshes that are terrains: their heights are the bottom layer of the recipe, and their vertices stay.

The mesh keeps its former heights as an attribute of the vertices, and a record of its grid and measures. A recipe
is evaluated on square cells in meters; each vertex then moves by the difference between that and the bottom layer
alone. So a vertex that no other layer changes keeps its former height to the bit.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import bpy
import numpy as np

from .....noise_core.base.arrays import Field
from .....noise_core.base.errors import TerraneError
from .....noise_core.base.grid import Grid
from .....noise_core.recipes.recipe import Recipe
from ...datablocks import meshes, vertex_places
from ...datablocks.ground import sample_field, sample_grid, vertex_field
from .bottom_layer import bottom_layer
from .grid import OTHER_GRID, UserMeshGrid

HEIGHTS = "terrane_own_height"
"""Name of the attribute with the former heights, in the mesh's own units."""


@dataclass(frozen=True)
class UserMeshHeights:
    """Former heights of a user's mesh that is a terrain, with its record.

    `heights` are in the mesh's own units, of shape (rows, columns) of its vertices, whose places in that grid
    are `places`; None if they lie in the order of rows.
    """

    mesh_grid: UserMeshGrid
    heights: Field
    places: vertex_places.Places | None = None

    @classmethod
    def of(cls, owner: bpy.types.Object | None) -> UserMeshHeights | None:
        """Read a mesh object, not in Edit Mode; return None if it is not a user's that became a terrain.

        Raises a TerraneError if vertices were added or removed, or the heights are gone.
        """
        mesh = None if owner is None else meshes.mesh_of(owner)
        mesh_grid = None if mesh is None else UserMeshGrid.of(mesh)
        if mesh is None or mesh_grid is None:
            return None
        values = meshes.read_attribute(mesh, HEIGHTS)
        if values is None or len(values) != mesh_grid.rows * mesh_grid.columns:
            raise TerraneError(OTHER_GRID, mesh.name)
        ordered = vertex_places.in_rows(mesh, values).reshape(mesh_grid.rows, mesh_grid.columns)
        return cls(mesh_grid, ordered, vertex_places.read(mesh))

    def in_meters(self, local: Field) -> Field:
        """Return values in the mesh's own units as meters on the square cells."""
        return self.mesh_grid.cells.spread(local * np.float32(self.mesh_grid.unit))

    def samples(self) -> Field:
        """Return the former heights in meters at the samples of a recipe."""
        grid = sample_grid(self.mesh_grid.cells.grid, seamless=self.mesh_grid.is_seamless)
        return sample_field(self.in_meters(self.heights), grid)

    def move(self, recipe: Recipe, grid: Grid, height: Field) -> Field:
        """Return the heights of the vertices, in the mesh's own units, that a recipe gives them.

        Parameters
        ----------
        recipe : Recipe
        grid : Grid
            Of the samples.
        height : ndarray of the grid's shape, float32
            The recipe's, in meters.

        Returns
        -------
        ndarray of shape (rows, columns), float32
            Raveled, in the order of the vertices.
        """
        layer, _ = bottom_layer(self.samples(), self.mesh_grid.place)
        bottom = dataclasses.replace(recipe, layers=(layer,)).evaluate(grid).height
        rise = self.mesh_grid.cells.gather(vertex_field(height - bottom, grid))
        field = vertex_field(sample_field(self.heights, grid), grid)
        # Zeros are left out for the sake of negative ones.
        moved = np.where(rise == 0.0, field, field + rise / np.float32(self.mesh_grid.unit))
        return self._in_order(moved)

    def gather(self, field: Field, grid: Grid) -> Field:
        """Return a map at the samples, of any number of channels, as one at the vertices; see `move`."""
        return self._in_order(self.mesh_grid.cells.gather(vertex_field(field, grid)))

    def _in_order(self, field: Field) -> Field:
        """Return a field whose values, raveled, are in the order of the vertices."""
        if self.places is None:
            return field
        return field.reshape(self.places.size, -1)[self.places].reshape(field.shape)
