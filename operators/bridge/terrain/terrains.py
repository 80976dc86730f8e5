# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe and a terrain's measures become a grid, and a finished one becomes an object that knows its recipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import bpy
from bpy_extras.object_utils import object_data_add

from ....noise_core.base.arrays import Field
from ....noise_core.base.grid import Grid
from ....noise_core.recipe import Recipe
from ..datablocks import meshes
from ..schema import layers, settings, state
from ..schema.keywords import keywords
from ..schema.layers import LayerState
from ..schema.values import assign, read_values
from ..tasks import installed_memory
from . import made, regrid


@dataclass(frozen=True)
class Measures:
    """What shape a terrain has, how finely it is divided and where it lies; its width is the recipe's.

    Attributes
    ----------
    depth : float
        Depth as a share of the width.
    resolution : int
        Vertices along the longer side.
    seamless : bool
        Whether opposite edges meet.
    tile : tuple of two floats
        Where it lies in an endless land, in terrains to the right and up.
    """

    depth: float
    resolution: int
    seamless: bool = False
    tile: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, group: Any) -> Measures:
        """Return those that a group of settings holds."""
        declared = [keywords()[name] for name in MEASURES]
        values: Any = read_values(group, declared, {one.name: one.default for one in declared})
        return cls(**values)

    def grid(self, recipe: Recipe) -> Grid:
        """Return where a recipe is evaluated; `borders.vertex_grid` tells where vertices lie.

        A seamless terrain is the same in every tile.

        Raises
        ------
        ParameterError
            If a measure is not allowed.
        TerraneError
            If the computer has not the memory for a mesh of that size.
        """
        keywords()["size"].check(recipe.size, "Terrain")
        for name in MEASURES:
            keywords()[name].check(getattr(self, name), "Terrain")
        steps = self.resolution - 1
        rows = columns = self.resolution
        if self.depth > 1.0:
            columns = 1 + max(1, round(steps / self.depth))
        else:
            rows = 1 + max(1, round(steps * self.depth))
        installed_memory.require("Terrain", rows * columns, installed_memory.PER_VERTEX)
        if self.seamless:
            return recipe.grid((rows - 1, columns - 1), wrap=True)
        across, along = self.tile
        depth = (rows - 1) / (columns - 1)
        return recipe.grid((rows, columns), origin=(across, along * depth))


MEASURES = tuple(one.name for one in fields(Measures))


def home(context: bpy.types.Context) -> bpy.types.LayerCollection | None:
    """Return where a new object goes: the active collection, or the nearest around it that takes one.

    None if the scene itself is linked from another file.
    """
    if not context.scene.is_editable:
        return None
    active = context.layer_collection or context.view_layer.active_layer_collection
    if _takes_objects(active.collection):  # at once: every drawing of the panel asks
        return active
    around = _around(context.view_layer.layer_collection, active)
    return next((one for one in around if _takes_objects(one.collection)), None)


def _around(
    outer: bpy.types.LayerCollection, inner: bpy.types.LayerCollection
) -> list[bpy.types.LayerCollection]:
    """Return a collection of the view layer and those that it lies in, the outermost last."""
    if outer == inner:
        return [outer]
    ways = (_around(child, inner) for child in outer.children)
    return next(([*way, outer] for way in ways if way[0] == inner), [outer])


def _takes_objects(collection: bpy.types.Collection) -> bool:
    return collection.is_editable and collection.override_library is None


def add_object(context: bpy.types.Context, mesh: bpy.types.Mesh) -> bpy.types.Object:
    """Put a mesh into the scene at the 3-D cursor, as the only selected and active object."""
    override: Any = context.temp_override(layer_collection=home(context))
    with override:
        return object_data_add(context, mesh, name=mesh.name)


def built(terrain: bpy.types.Object) -> regrid.Built:
    """Return the grid that a terrain's mesh was last made of.

    The mesh knows best: undo may put the object's settings back, and leave the mesh.
    """
    if (record := made.Made.of(meshes.mesh_of(terrain))) is not None:
        return record.built
    group = getattr(terrain, state.PROPERTY)
    return regrid.Built(group.built_rows, group.built_columns, settings.number(group.built_size))


@dataclass(frozen=True)
class Request:
    """What an operator was asked to make.

    Attributes
    ----------
    recipe : Recipe
        The noise and what is done to it.
    measures : Measures
        Of a terrain.
    preset : str
        Where the recipe began.
    states : tuple of LayerState
        What the recipe does not say of its layers: their painted masks, and which are solo.
    """

    recipe: Recipe
    measures: Measures
    preset: str
    states: tuple[LayerState, ...] = ()

    def grid(self) -> Grid:
        """Return where the recipe is evaluated; see `Measures.grid`."""
        return self.measures.grid(self.recipe)

    @property
    def acting(self) -> Recipe:
        """The recipe without those layers that are left out because others are alone."""
        return layers.acting(self.recipe, self.states)


def present_request(terrain: bpy.types.Object) -> Request:
    """Return what a terrain's settings ask for.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    group = getattr(terrain, state.PROPERTY)
    return Request(
        settings.read(group),
        Measures.of(group),
        group.preset,
        settings.states(group),
    )


def snapshot(terrain: bpy.types.Object) -> tuple[object, ...]:
    """Return what a terrain's settings say, for comparing.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    group = getattr(terrain, state.PROPERTY)
    return (settings.read(group), Measures.of(group), group.preset, settings.states(group))


def remember(
    terrain: bpy.types.Object,
    request: Request,
    grid: Grid,
    height: Field | None = None,
    *,
    is_newer: bool = False,
    painted: int | None = None,
) -> None:
    """Store what a terrain was made of, on its mesh and on all objects that share it.

    If its settings are newer than the request, they stay; with the heights at hand it is quicker.
    """
    made.remember(meshes.mesh_of(terrain), made.digest(request), grid, height, painted=painted)
    sharing = [one for one in bpy.data.objects if one.data is terrain.data]
    for group in (getattr(one, state.PROPERTY) for one in sharing):
        if not is_newer:
            _remember(group, request)
        group.is_terrain = True
        group.built_rows, group.built_columns = grid.rows, grid.columns
        group.built_size = grid.size


def _remember(group: Any, request: Request) -> None:
    measures = request.measures
    settings.write(group, request.recipe, request.states)
    group.preset = request.preset
    assign(group, asdict(measures))
