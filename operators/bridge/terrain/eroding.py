# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers applied to an existing relief, of a mesh or an image, and the ground before them.

That ground is stored on the mesh, or evaluated from the recipe without its modifiers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.modifiers.bases.modifier import Modifier, Relief
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import meshes
from ..datablocks.meshes import Positions
from ..datablocks.vertex_groups import Weights
from ..schema import layers, masks, settings, state
from ..tasks.jobs import Work
from . import before, mesh_record, terrains
from .evaluation import Evaluated, maps_work
from .ground import (
    Ground,
    LocalHeights,
    gap,
    read_mask,
    sample_field,
    sample_grid,
    vertex_field,
    vertex_grid,
)


@dataclass(frozen=True)
class Eroded:
    """Result of the erosion of a mesh: values of its vertices.

    `gap` is the former distance of opposite edges in meters, if they are made to meet.
    """

    heights: LocalHeights
    maps: Mapping[str, Weights]
    gap: float


def relief_work(
    modifier: Modifier,
    heights: Callable[[], Field],
    grid: Grid,
    seed: int,
    mask: Field | None,
    wanted: Collection[str],
) -> Work:
    """Return the work that gives an `Evaluated`; see `Modifier.apply` and `catalog.compute`.

    `heights` returns the heights in meters, of shape (rows, columns); the thread of the work calls it.
    """

    def erode(progress: Progress, cancel: Cancel) -> Relief:
        return modifier.apply(heights(), grid, seed, mask, progress=progress, cancel=cancel)

    return maps_work(erode, grid, wanted)


def mesh_work(
    thing: bpy.types.Object,
    positions: Positions,
    modifier: Modifier,
    seed: int,
    mask: str,
    start: str,
    wanted: Collection[str],
    *,
    seamless: bool,
    tile: tuple[float, float],
) -> Work:
    """Return the work that gives an `Eroded` of a mesh object, not in Edit Mode.

    The positions are its `meshes.present_positions`. The mask is a vertex group, a float attribute or an
    image, none if its name is empty. For the start see `erosion_settings.START`. A seamless mesh is
    eroded across its borders: the last row and column become those of the first. The tile is the
    position of the mesh in an endless land, in meshes to the right and up; random numbers depend on it.
    A seamless mesh is the same in every tile.
    """
    recognize = Ground.read(thing, positions)
    kept = before.kept_heights(thing) if start == "original" else None
    share = read_mask(thing, mask)

    def erode(progress: Progress, cancel: Cancel) -> Eroded:
        with cancellable(cancel):
            ground = recognize()
        local = positions[:, 2].copy() if kept is None else kept
        height, grid = ground.heights(local), sample_grid(ground.cells.grid, seamless=seamless)
        if not seamless:
            grid = dataclasses.replace(grid, origin=(tile[0], tile[1] * grid.depth))
        where = None if share is None else sample_field(share(ground), grid)
        samples = sample_field(height, grid)
        relief = relief_work(modifier, lambda: samples, grid, seed, where, wanted)
        result: Evaluated = relief(progress, cancel)
        fields = {name: vertex_field(one, grid) for name, one in result.maps.items()}
        maps = {name: ground.vertices(ground.own(field)) for name, field in fields.items()}
        moved = ground.apply_change(local, height, vertex_field(result.height, grid))
        return Eroded(moved, maps, gap(height) if seamless else 0.0)

    return erode


# --- the ground before erosion -------------------------------------------------------------------


def why_not_compare(thing: bpy.types.Object) -> str:
    """Return why a mesh has no earlier ground to compare with; an empty text if it has one."""
    if before.is_shown(thing) or before.is_kept(thing):
        return ""
    try:
        if state.is_terrain(thing):
            recipe = settings.acting(getattr(thing, state.PROPERTY))
            if _bare(recipe) is not recipe:
                return ""
    except TerraneError as error:
        return error.message
    return Message(
        "Erode this mesh first, or add a modifier such as erosion to the terrain's layers"
    )


def ground_before(thing: bpy.types.Object) -> Work:
    """Return the work that gives the heights before erosion, in the mesh's own units."""
    kept = before.kept_heights(thing)
    if kept is not None:
        return lambda progress, cancel: kept
    if reason := why_not_compare(thing):
        raise ParameterError(reason)
    request = terrains.present_request(thing)
    bare = _bare(request.acting)
    mesh, grid, built = meshes.mesh_of(thing), request.grid(), terrains.built_grid(thing)
    record = mesh_record.of(mesh)
    is_same = built.fits(mesh) and (built.rows, built.columns) == vertex_grid(grid).shape
    is_newest = record is not None and record.digest == mesh_record.digest(request)
    if not is_same or record is None or not is_newest or record.is_preview:
        raise ParameterError("{} is not what its settings say: press Update first", thing.name)
    where = masks.fields(thing, request, grid)

    def evaluate(progress: Progress, cancel: Cancel) -> LocalHeights:
        relief = bare.evaluate(grid, masks=where, progress=progress, cancel=cancel)
        return np.ascontiguousarray(vertex_field(relief.height, grid).reshape(-1))

    return evaluate


def _bare(recipe: Recipe) -> Recipe:
    """Return a recipe with all modifiers muted; itself if no modifier is active."""

    def mute(place: int, layer: Layer) -> Layer:
        is_work = isinstance(layer, Modifier) and not layer.muted
        return dataclasses.replace(layer, muted=True) if is_work else layer

    return layers.change_layers(recipe, mute)
