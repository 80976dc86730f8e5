# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects as land to be exported: a terrain by its recipe, or any mesh that is a grid.

A recipe is evaluated again at the export's own resolution; the heights of a mesh are resampled. Blender's
data is read at once, in the main thread; the rest is done by the work.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.base.georeference import Georeference
from ....noise_core.base.grid import Grid
from ....noise_core.io.heightmaps.lands import (  # noqa: F401
    ALL_MAPS,
    ExportedLand,
    RecipeLand,
)
from ....noise_core.io.targets.bases.target import find_target
from ....noise_core.landscapes.grid_meshes import recognition
from ....noise_core.materials.ground.plan import GroundPlan
from ....noise_core.modifiers.bases.modifier import Relief
from ....noise_core.rasters.resampling import resample_field
from ..datablocks import editing, meshes
from ..datablocks.ground import Ground, vertex_field, vertex_grid
from ..datablocks.meshes import Positions
from ..nodetree.terrain_material import plan
from ..scene import ground_colors
from ..schema import masks, state
from ..terrain import mesh_record, partial_lands, terrains
from . import target_settings
from .placements import MapPlacement, ObjectLand, Shape, meters_per_unit


@dataclass(frozen=True, eq=False, kw_only=True)
class TerrainLand(RecipeLand, ObjectLand):
    """A terrain by its recipe, without the layers that solo switches leave out.

    Attributes
    ----------
    is_seamless : bool
        Whether opposite borders meet.
    tile : tuple of two floats
        Its place in an endless land.
    masks_on : callable
        Returns the painted masks on a grid; called in the main thread by `with_masks`.
    """

    is_seamless: bool
    tile: tuple[float, float]
    masks_on: Callable[[Grid], Mapping[int, Field]]

    @property
    def depth(self) -> float:
        """See `ObjectLand.depth`."""
        return self.recipe.depth_ratio

    def with_masks(self, shape: Shape) -> TerrainLand:
        """Return the land with its painted masks for a shape; called in the main thread."""
        return dataclasses.replace(self, masks=self.masks_on(self._grid(shape)))

    @property
    def georeference(self) -> Georeference | None:
        """See `LandSource.georeference`: none on a grid that wraps, for which measured land is stretched."""
        return None if self.is_seamless else super().georeference

    @property
    def origin(self) -> tuple[float, float]:
        """See `LandSource.origin`."""
        return (self.tile[0], self.tile[1] * self.depth)

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`."""
        grid = self._grid(shape)
        relief = self.recipe.evaluate(
            grid, masks=self.masks, threads=threads, progress=progress, cancel=cancel
        )
        maps = {name: vertex_field(field, grid) for name, field in relief.maps.items()}
        return ExportedLand(
            Relief(vertex_field(relief.height, grid), maps), vertex_grid(grid), self.recipe
        )

    def _grid(self, shape: Shape) -> Grid:
        rows, columns = shape
        if self.is_seamless:
            return self.recipe.grid((rows - 1, columns - 1), wrap=True)
        across, along = self.tile
        depth = (rows - 1) / (columns - 1)
        return self.recipe.grid(shape, origin=(across, along * depth))


@dataclass(frozen=True, eq=False)
class MeshLand(ObjectLand):
    """The heights of a mesh, on square cells.

    Attributes
    ----------
    name : str
        Of the object, for messages.
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    depth : float
        See `ObjectLand.depth`: the object's, which its cells have to within half of one.
    georeference : Georeference, optional
        See `LandSource.georeference`: that of the terrain whose mesh it is.
    """

    name: str
    height: Field
    grid: Grid
    depth: float = 1.0  # type: ignore[misc]
    georeference: Georeference | None = None  # type: ignore[misc]

    @property
    def width(self) -> float:
        """See `LandSource.width`."""
        return self.grid.width

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`."""
        rows, columns = shape
        with cancellable(cancel):
            height = resample_field(self.height, shape, is_smooth=True)
        progress(1.0)
        return ExportedLand(
            Relief(np.ascontiguousarray(height)), Grid(rows, columns, size=self.grid.size)
        )


FindLand = Callable[[Cancel], ObjectLand]
"""Returns the land in any thread."""


def find_object(context: bpy.types.Context, name: str) -> bpy.types.Object:
    """Return the mesh object of a name, or the active one if the name is empty.

    Raises
    ------
    TerraneError
        If there is none, or it is a terrain that Build to Here leaves unfinished.
    """
    obj = bpy.data.objects.get(name) if name else context.active_object
    if obj is None and name:
        raise ParameterError("object must name an object", got=repr(name))
    if obj is None or obj.type != "MESH":
        raise TerraneError("Select a terrain, or a mesh that is a grid, first")
    partial_lands.require_whole(obj)
    return obj


def placement_line(context: bpy.types.Context, name: str = "") -> tuple[Message, bool]:
    """Return which scale and units a land is written with, or why it cannot be, and whether it can be."""
    try:
        obj = find_object(context, name)
        placement = MapPlacement.of(obj, meters_per_unit(context.scene))
    except TerraneError as error:
        return error.message, False
    return placement.line(), True


def own_columns(obj: bpy.types.Object) -> int:
    """Return the samples that a terrain has along its width, or about as many as a mesh has."""
    if state.is_terrain(obj):
        return int(getattr(obj, state.PROPERTY).resolution)
    return max(2, round(len(obj.data.vertices) ** 0.5))


def proposed_samples(obj: bpy.types.Object, target: str) -> int:
    """Return the samples of an export for a target that are not told."""
    return target_settings.propose_samples(find_target(target), own_columns(obj))


def has_own_recipe(obj: bpy.types.Object) -> bool:
    """Return whether an object is a terrain whose heights still follow from its settings."""
    if not state.is_terrain(obj):
        return False
    mesh = meshes.mesh_of(obj)
    record = mesh_record.of(mesh)
    if record is None or not mesh_record.grid_of(record).fits(mesh):
        return False
    with editing.object_mode(bpy.context, obj):
        return bool(record.digest) and mesh_record.checksum(mesh) == record.checksum


def colors_of(obj: bpy.types.Object) -> GroundPlan:
    """Return the colors of an object's ground: those of its material, or else of its preset's picture.

    Raises
    ------
    TerraneError
        If that cannot be read.
    """
    return plan.ground_plan(ground_colors.plan_text(obj))


def terrain_land(obj: bpy.types.Object) -> TerrainLand:
    """Return a terrain by its recipe.

    Raises
    ------
    TerraneError
        If the object is no terrain.
    """
    if not state.is_terrain(obj):
        raise TerraneError("{} has no recipe: export its mesh", obj.name)
    request = terrains.present_request(obj)
    measures = request.measures

    def masks_on(grid: Grid) -> Mapping[int, Field]:
        return masks.fields(obj, request, grid)

    return TerrainLand(
        request.acting,
        is_seamless=measures.seamless,
        tile=measures.tile,
        masks_on=masks_on,
    )


def find_mesh_land(obj: bpy.types.Object) -> FindLand:
    """Read the present mesh of an object, and return a function that recognizes its grid in any thread."""
    with editing.object_mode(bpy.context, obj):
        present: Positions = meshes.present_positions(obj)
        recognition.check_positions(obj.name, present)
        recognize, name = Ground.read(obj, present), obj.name
    place = _georeference_of(obj)

    def find(cancel: Cancel) -> MeshLand:
        with cancellable(cancel):
            ground = recognize()
            height = ground.heights(np.ascontiguousarray(present[:, 2]))
        return MeshLand(name, height, ground.cells.grid, ground.depth, place)

    return find


def _georeference_of(obj: bpy.types.Object) -> Georeference | None:
    """Return the place on Earth of a terrain's mesh, if that is still the grid that was made; else None."""
    record = mesh_record.of(meshes.mesh_of(obj)) if state.is_terrain(obj) else None
    if record is None or not mesh_record.grid_of(record).fits(meshes.mesh_of(obj)):
        return None
    with contextlib.suppress(TerraneError):  # settings that cannot be read have no place
        land = terrain_land(obj)
        tiles = land.georeference
        across, along = land.tile
        rows, columns = mesh_record.grid_of(record).shape
        depth = (rows - 1) / (columns - 1)
        # The grid of a mesh begins at 0.
        return tiles and tiles.resample((across, along * depth), (1.0, 1.0))
    return None
