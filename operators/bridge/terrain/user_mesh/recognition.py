# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognition of user meshes that can become terrains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from .....noise_core.base.blocks import Cancel, Progress, cancellable
from .....noise_core.base.errors import Message
from .....noise_core.landscapes.grid_meshes.recognition import are_counts_of_grid
from .....noise_core.recipes.layers import NoiseLayer
from ...datablocks import images, meshes
from ...datablocks.ground import Ground, gap
from ...datablocks.meshes import Positions
from ...schema import state
from ...tasks.jobs import Work
from .bottom_layer import bottom_layer
from .grid import UserMeshGrid
from .heights import UserMeshHeights


@dataclass(frozen=True)
class RecognizedMesh:
    """A mesh that can become a terrain.

    Attributes
    ----------
    mesh_grid : UserMeshGrid
    heights : ndarray of shape (vertices,), float32
        In the mesh's own units, in the order of its vertices.
    places : ndarray of shape (vertices,), int64
        Of the vertices in the raveled grid.
    layer : NoiseLayer
        The bottom layer.
    packed : Content
        Of its image.
    relief : float
        From the lowest height to the highest, in meters.
    gap : float
        Former distance of opposite edges in meters, if they are made to meet.
    """

    mesh_grid: UserMeshGrid
    heights: Any
    places: Any
    layer: NoiseLayer
    packed: images.Content
    relief: float
    gap: float


def why_not(obj: bpy.types.Object) -> str:
    """Return why a mesh object cannot become a terrain; an empty text if it can, or if only the work can tell."""
    if state.is_terrain(obj):
        return Message("This mesh is a terrain already: add layers to it")
    if obj.get(state.PLANET) or state.is_world(obj):
        return Message("Planets and worlds have layers of their own")
    mesh = meshes.mesh_of(obj)
    counts = len(mesh.vertices), len(mesh.edges), len(mesh.polygons)
    if obj.mode != "EDIT" and not are_counts_of_grid(
        *counts
    ):  # Edit Mode has its own copy of the mesh
        return Message("{} is not a grid of quads", obj.name)
    return ""


def work(
    obj: bpy.types.Object,
    positions: Positions,
    *,
    is_seamless: bool,
    tile: tuple[float, float],
) -> Work:
    """Return the work that gives a `RecognizedMesh` of an object, which is not in Edit Mode.

    The positions are its `meshes.basis_positions`. The work raises a ParameterError if the mesh is no
    regular grid seen from above.
    """
    recognize = Ground.read(obj, positions)

    def adopt(progress: Progress, cancel: Cancel) -> RecognizedMesh:
        with cancellable(cancel):
            ground = recognize()
        mesh_grid = _grid_of(ground, is_seamless=is_seamless, tile=tile)
        local = np.ascontiguousarray(positions[:, 2])
        user_mesh = UserMeshHeights(mesh_grid, ground.vertex_grid.field(local))
        samples = user_mesh.samples()
        progress(0.5)
        layer, stored = bottom_layer(samples, mesh_grid.place)
        apart = gap(user_mesh.heights) * mesh_grid.unit if is_seamless else 0.0
        return RecognizedMesh(
            *(mesh_grid, local, ground.vertex_grid.places, layer, stored.content()),
            relief=float(np.ptp(samples)),
            gap=apart,
        )

    return adopt


def _grid_of(ground: Ground, *, is_seamless: bool, tile: tuple[float, float]) -> UserMeshGrid:
    """Return the record of a mesh whose grid was recognized."""
    grid, meters = ground.vertex_grid, ground.cells.grid.width
    step_x, step_y = meters / (grid.columns - 1), ground.depth * meters / (grid.rows - 1)
    width = float(np.linalg.norm(grid.across)) * (grid.columns - 1)
    return UserMeshGrid(
        *(grid.rows, grid.columns, step_x, step_y, ground.unit, width),
        is_seamless=is_seamless,
        tile=(0.0, 0.0) if is_seamless else tile,
        is_turned=grid.across[1] != 0.0,
    )
