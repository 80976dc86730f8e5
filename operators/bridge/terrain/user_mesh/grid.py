# SPDX-License-Identifier: GPL-3.0-or-later
"""Grid and measures of a user's mesh that became a terrain, recorded as replaced by its heights."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy

from .....noise_core.base.errors import Message
from .....noise_core.base.grid import Grid
from ...datablocks.record import note_replaced, replaced_by
from ...tasks.product import TERRAIN_KEY

if TYPE_CHECKING:  # few meshes became terrains
    from .....noise_core.rasters.resampling import SquareCells
    from .....noise_core.recipes.recipe import Recipe

_USER_MESH = "user_mesh"
"""Name of the grid among the replaced values, as JSON."""

OTHER_GRID = Message("{} no longer has the terrain's grid: undo, or make it an ordinary mesh")


@dataclass(frozen=True)
class UserMeshGrid:
    """Grid of a user's mesh and its measures as a terrain, stored with the mesh.

    Attributes
    ----------
    rows, columns : int
        Of its vertices.
    step_x, step_y : float
        Meters from column to column, and from row to row, in the object's scale.
    unit : float
        Length in meters of one of the mesh's own units along Z.
    width : float
        From the first column to the last, in the mesh's own units.
    is_seamless : bool
    tile : tuple of two floats
        Place in an endless land.
    is_turned : bool
        Whether columns do not run along the mesh's own X axis.
    """

    rows: int
    columns: int
    step_x: float
    step_y: float
    unit: float
    width: float
    is_seamless: bool = False
    tile: tuple[float, float] = (0.0, 0.0)
    is_turned: bool = False

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> UserMeshGrid | None:
        """Return the grid of a mesh; None if it is not a user's that became a terrain."""
        try:
            plain = json.loads(replaced_by(mesh, TERRAIN_KEY)[_USER_MESH])
            return cls(**{**plain, "tile": tuple(plain["tile"])})
        except (KeyError, ValueError, TypeError):
            return None

    def store(self, mesh: bpy.types.Mesh) -> None:
        """Store the grid on a mesh, until the record of its heights is forgotten."""
        note_replaced(mesh, TERRAIN_KEY, **{_USER_MESH: json.dumps(dataclasses.asdict(self))})

    @property
    def cells(self) -> SquareCells:
        """The square cells that a recipe is evaluated on."""
        from .....noise_core.rasters.resampling import (
            SquareCells,  # here: few meshes became terrains
        )

        return SquareCells.of(self.rows, self.columns, self.step_x, self.step_y)

    @property
    def vertices(self) -> Grid:
        """The grid of the vertices, in the mesh's own units."""
        return Grid(self.rows, self.columns, size=self.width)

    @property
    def place(self) -> tuple[float, float] | None:
        """Place of the mesh's corner among noise coordinates, in tiles; None if it is seamless."""
        return None if self.is_seamless else (self.tile[0], self.tile[1] * self.depth)

    @property
    def is_plain(self) -> bool:
        """Whether the mesh has the form of Terrane's meshes: square cells along its axes, in meters."""
        return self.cells.are_square and abs(self.unit - 1.0) < 1e-6 and not self.is_turned

    @property
    def depth(self) -> float:
        """Extent along y, in widths."""
        grid = self.cells.grid
        return (grid.rows - 1) / (grid.columns - 1)

    @property
    def measures(self) -> dict[str, Any]:
        """Measures of the terrain, without the width and the depth, which a recipe has; see `resize`."""
        resolution = max(self.cells.grid.shape)
        return {"resolution": resolution, "seamless": self.is_seamless, "tile": self.tile}

    def resize(self, recipe: Recipe) -> Recipe:
        """Return a recipe as wide and as deep as the mesh."""
        width = self.cells.grid.width
        return dataclasses.replace(recipe, size=width, depth=width * self.depth)
