# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of a mesh in its present state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.grid import Grid
from ....noise_core.recipe import Recipe
from ..datablocks import editing, meshes
from ..datablocks.mesh_layers import read_attribute
from ..datablocks.meshes import Positions
from ..datablocks.vertex_groups import Weights
from ..schema import masks, settings, state
from ..schema.layers import modifiers_of
from ..tasks.jobs import Work
from . import catalog, map_layers
from .borders import gap, sample_field, sample_grid, vertex_field, vertex_grid
from .ground import Ground
from .terrains import Measures


@dataclass(frozen=True)
class Baked:
    """Maps of a mesh, by name.

    Attributes
    ----------
    fields : mapping of str to ndarray of shape (rows, columns) or (rows, columns, channels)
        On the mesh's own rows and columns, not on the grid of squares used to compute them.
    ground : Ground
        Converts these to values of the vertices.
    is_seamless : bool
        Whether the last row and column repeat the first.
    """

    fields: Mapping[str, Field]
    ground: Ground
    is_seamless: bool = False

    def texels(self, field: Field) -> Field:
        """Return the part of a field that an image stores: without the repeated row and column."""
        return field[:-1, :-1] if self.is_seamless else field


def work(
    thing: bpy.types.Object, wanted: Collection[str], positions: Positions | None = None
) -> Work:
    """Return the work that gives a `Baked`.

    Maps of the relief are computed from the present mesh. Maps that only modifiers make are read
    from the mesh, or evaluated from the recipe if the terrain is still as it was made.

    Parameters
    ----------
    thing : Object
        A mesh object, in Object Mode or Edit Mode.
    wanted : collection of str
        Names of maps; those that no modifier makes are left out.
    positions : ndarray of shape (vertices, 3), float32, optional
        Its present positions, if already read: see `meshes.present_positions`.

    Raises
    ------
    TerraneError
        If the terrain's settings cannot be read; from the work itself, a `ParameterError` if the mesh
        is no grid.
    """
    with editing.object_mode(bpy.context, thing):
        present = meshes.present_positions(thing) if positions is None else positions
        recognize = Ground.read(thing, present)
        there = _stored_maps(meshes.mesh_of(thing), wanted)
        missing = {name for name in wanted if name not in there} & catalog.modifier_maps()
        recipe = _recipe(thing, missing) if missing else None
    is_seamless = state.is_terrain(thing) and getattr(thing, state.PROPERTY).seamless

    def bake(progress: Progress, cancel: Cancel) -> Baked:
        with cancellable(cancel):
            ground = recognize()
        height = ground.heights(np.ascontiguousarray(present[:, 2]))
        known = {name: ground.spread(values) for name, values in there.items()}
        is_made = recipe is not None and vertex_grid(recipe.grid).shape == ground.grid.shape
        if recipe is not None and is_made:
            part = catalog.part_of(progress, 0.0, 0.8)
            known = {**recipe.maps(part, cancel), **known}
        part = catalog.part_of(progress, 0.8 if is_made else 0.0, 1.0)
        # Sculpting may have separated the edges.
        grid = sample_grid(ground.grid, seamless=is_seamless and gap(height) == 0.0)
        there_too = {name: sample_field(field, grid) for name, field in known.items()}
        maps = catalog.compute(wanted, there_too, sample_field(height, grid), grid, part, cancel)
        fields = {name: ground.own(vertex_field(field, grid)) for name, field in maps.items()}
        return Baked(fields, ground, grid.wrap)

    return bake


def _stored_maps(mesh: bpy.types.Mesh, wanted: Collection[str]) -> dict[str, Weights]:
    """Return the modifiers' maps that the mesh stores, as values of its vertices."""
    stored = {}
    for name in map_layers.Record.of(mesh).written:
        values = (
            read_attribute(mesh, name)
            if name in wanted and name in catalog.modifier_maps()
            else None
        )
        if values is not None:
            stored[name] = values
    return stored


@dataclass(frozen=True)
class _OwnRecipe:
    """Recipe of a terrain, its grid and its masks."""

    recipe: Recipe
    grid: Grid
    where: Mapping[int, Field]

    def maps(self, progress: Progress, cancel: Cancel) -> Mapping[str, Field]:
        """Evaluate the recipe again and return its maps."""
        made = self.recipe.evaluate(self.grid, masks=self.where, progress=progress, cancel=cancel)
        return {name: vertex_field(field, self.grid) for name, field in made.maps.items()}


def _recipe(thing: bpy.types.Object, missing: Collection[str]) -> _OwnRecipe | None:
    """Return the recipe that makes missing maps; None if the object is no terrain or makes none of them."""
    if not state.is_terrain(thing):
        return None
    group = getattr(thing, state.PROPERTY)
    recipe: Recipe = settings.acting(group)
    grid = Measures.of(group).grid(recipe)
    rows, columns = vertex_grid(grid).shape
    if rows * columns != len(meshes.mesh_of(thing).vertices):
        return None
    if not any(set(one.makes) & set(missing) for one in modifiers_of(recipe)):
        return None
    return _OwnRecipe(recipe, grid, masks.fields(thing, group, grid))
