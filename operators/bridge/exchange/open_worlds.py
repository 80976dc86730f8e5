# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported land of any size as an object: all of it at low detail, and a region at full detail.

The mesh of the overview stays as it is with any region loaded: the object then shows another mesh, which has
the vertices of the overview outside the region, and keeps the overview for when the region is removed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.io.elevation_reading.tile_sets import TileSet
from ....noise_core.landscapes.look import Look
from ....noise_core.landscapes.nested_levels import (
    GridLevel,
    LevelMesh,
    Places,
    coarse_level,
    level_mesh,
)
from ..datablocks import meshes, ownership
from ..datablocks.meshes import Positions
from ..datablocks.polygons import PolygonMesh
from ..datablocks.record import Record
from ..datablocks.ref import Ref
from ..nodetree.terrain_material import plan
from ..scene import ground_colors
from ..schema import state
from ..tasks.jobs import Work
from .placements import meters_per_unit

NAME = "World"
"""Of the object, its mesh and its collection."""

WORLD_KEY = "world"
"""Name of shown land in its record."""

READING = 0.8
"""Share of the progress for reading."""


@dataclass(frozen=True)
class ShownWorld:
    """Land that an object shows, the details of its record.

    Attributes
    ----------
    path : str
        Of the sidecar.
    rows, columns : int
        Samples of the land.
    spacing : float
        Meters between them.
    samples : int
        Vertices of the overview along its longer side at most.
    """

    path: str
    rows: int
    columns: int
    spacing: float
    samples: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def overview(self) -> GridLevel:
        """The level of the overview."""
        return coarse_level(self.shape, self.samples)

    def places(self, points: Places) -> Positions:
        """Return columns and rows of samples in meters from the middle of the land; heights are 0."""
        positions = np.zeros((len(points), 3), np.float32)
        for axis, count in enumerate((self.columns, self.rows)):
            positions[:, axis] = (points[:, axis] - 0.5 * (count - 1)) * self.spacing
        return positions


@dataclass(frozen=True)
class OpenedWorld:
    """The overview of a land, ready to become an object; without colors if they were not requested."""

    record: ShownWorld
    mesh: PolygonMesh
    colors: Field | None


def open_work(path: Path, samples: int, palette: str | None) -> Work:
    """Return the work that reads the overview of exported land: an `OpenedWorld`.

    Parameters
    ----------
    path : Path
        Of the sidecar, or of a tile.
    samples : int
        Vertices along the longer side at most.
    palette : str or None
        Of the colors of its vertices; None for no colors.
    """

    def read(progress: Progress, cancel: Cancel) -> OpenedWorld:
        tiles = TileSet.open(path)
        record = ShownWorld(str(tiles.path), tiles.rows, tiles.columns, tiles.spacing, samples)
        level = record.overview
        reading = part_of(progress, 0.0, READING)
        height = tiles.read(level.rows, level.columns, reading, cancel)
        colors = None
        if palette is not None:
            width = tiles.spacing * (tiles.columns - 1)
            ground_plan = plan.ground_plan(plan.text_of_look(Look(palette=palette)))
            coloring = part_of(progress, READING, 1.0)
            grid = Grid(*height.shape, size=width)
            colors = ground_colors.texels(height, grid, ground_plan, {}, coloring, cancel)
        with cancellable(cancel):
            faces = level_mesh((level,))
            places = record.places(faces.points)
            places[:, 2] = height.reshape(-1)
        return OpenedWorld(record, polygons(faces, places), colors)

    return read


def polygons(faces: LevelMesh, places: Positions) -> PolygonMesh:
    """Return the arrays of a mesh."""
    return PolygonMesh.of(places, faces.corners, faces.counts, {})


def add(context: bpy.types.Context, opened: OpenedWorld) -> bpy.types.Object:
    """Add the object of a land in its own collection; it becomes the active and only selected one."""
    mesh = bpy.data.meshes.new(NAME)
    opened.mesh.write(mesh)
    if opened.colors is not None:
        ground_colors.store(mesh, opened.colors)
    obj = bpy.data.objects.new(NAME, mesh)
    obj[state.WORLD] = mesh
    obj.scale = [1.0 / meters_per_unit(context.scene)] * 3  # its mesh is in meters
    Record(opened.record.path, details=dataclasses.asdict(opened.record)).store(obj, WORLD_KEY)
    home = bpy.data.collections.new(NAME)
    context.scene.collection.children.link(home)
    home.objects.link(obj)
    for selected in context.selected_objects:
        selected.select_set(False)
    context.view_layer.objects.active = obj
    obj.select_set(True)
    return obj


def discard(added: Ref[bpy.types.Object]) -> None:
    """Remove an object that was just added, with its mesh and its collection."""
    obj = added.find()
    if obj is None:
        return
    mesh, homes = meshes.mesh_of(obj), obj.users_collection
    bpy.data.objects.remove(obj)
    ownership.remove_unused(mesh)
    for home in homes:
        bpy.data.collections.remove(home)


def record_of(world: bpy.types.Object) -> ShownWorld:
    """Return the record of the world that an object shows.

    Raises
    ------
    TerraneError
        If the object has lost its record.
    """
    record = Record.of(world, WORLD_KEY)
    try:
        return ShownWorld(**({} if record is None else record.details))
    except TypeError:
        text = "{} does not know its tiles any more: open the world again"
        raise TerraneError(text, world.name) from None


def overview_of(world: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of all the land at low detail, also while the object shows a region."""
    mesh = meshes.mesh_of(world)
    overview: Any = world[state.WORLD] if state.has_region(world) else mesh
    if overview is None:
        raise TerraneError("the overview of {} was removed: open the world again", world.name)
    return overview
