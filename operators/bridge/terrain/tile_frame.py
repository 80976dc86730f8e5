# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles, in which curves and placements are counted, in the space of a terrain's object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks import meshes
from ..datablocks.curve_objects import Table
from ..schema import state
from ..schema.exact_numbers import number
from . import terrains
from .user_mesh.grid import UserMeshGrid


@dataclass(frozen=True)
class TileFrame:
    """Tiles of a terrain in its own space.

    Attributes
    ----------
    size : float
        Units in a tile, which are meters.
    corner : tuple of two floats
        Place of the origin in tiles.
    """

    size: float
    corner: tuple[float, float]

    @classmethod
    def of(cls, terrain: bpy.types.Object) -> TileFrame:
        """Return the frame of a terrain, or of a copy of it in a frame; raise a TerraneError for a user's mesh."""
        original = terrain.original
        if UserMeshGrid.of(meshes.mesh_of(original)) is not None:
            raise TerraneError("{} must be a terrain of Terrane to follow curves", terrain.name)
        group: Any = getattr(terrain, state.PROPERTY)
        built = terrains.built_grid(original)
        depth = (built.rows - 1) / (built.columns - 1)
        across, along = (0.0, 0.0) if group.seamless else map(number, group.tile)
        return cls(number(group.size), (across + 0.5, (along + 0.5) * depth))

    def tiles(self, places: Table) -> Table:
        """Return places with x and y in tiles."""
        result = places.copy()
        result[..., :2] = places[..., :2] / self.size + self.corner
        return result

    def units(self, places: Table) -> Table:
        """Return places in tiles in the terrain's own space."""
        result = places.copy()
        result[..., :2] = (places[..., :2] - self.corner) * self.size
        return result
