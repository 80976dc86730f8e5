# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground before an erosion: stored on the mesh, or evaluated from the recipe without its modifiers.

The mesh stores both the heights shown and those to restore, so undo, saving and loading need no
special treatment.
"""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.recipe import Recipe
from ....noise_core.types.layer import Layer
from ....noise_core.types.modifier import Modifier
from ..datablocks import meshes
from ..schema import layers, masks, settings, state
from ..tasks.jobs import Work
from . import before, made, terrains
from .borders import vertex_field, vertex_grid
from .ground import LocalHeights


def why_not(thing: bpy.types.Object) -> str:
    """Return why a mesh has no earlier ground to compare with; an empty text if it has one."""
    if before.is_shown(thing) or before.is_kept(thing):
        return ""
    try:
        if state.is_terrain(thing) and _bare(_acting(thing)) is not None:
            return ""
    except TerraneError as error:
        return error.message
    return Message(
        "Erode this mesh first, or add a modifier such as erosion to the terrain's layers"
    )


def ground_work(thing: bpy.types.Object) -> Work:
    """Return the work that gives the heights before erosion, in the mesh's own units.

    Raises
    ------
    TerraneError
        If there are none, or the mesh no longer matches its settings.
    """
    kept = before.kept_heights(thing)
    if kept is not None:
        return lambda progress, cancel: kept
    reason = why_not(thing)
    if reason:
        raise ParameterError(reason)
    request = terrains.present_request(thing)
    bare = _bare(request.acting)
    mesh, grid, built = meshes.mesh_of(thing), request.grid(), terrains.built_grid(thing)
    record = made.Made.of(mesh)
    is_same = built.fits(mesh) and (built.rows, built.columns) == vertex_grid(grid).shape
    is_newest = record is not None and record.settings == made.digest(request)
    if not is_same or record is None or not is_newest or record.is_preview:
        raise ParameterError("{} is not what its settings say: press Update first", thing.name)
    where = masks.fields(thing, request, grid)

    def evaluate(progress: Progress, cancel: Cancel) -> LocalHeights:
        assert bare is not None
        relief = bare.evaluate(grid, masks=where, progress=progress, cancel=cancel)
        return np.ascontiguousarray(vertex_field(relief.height, grid).reshape(-1))

    return evaluate


def _acting(terrain: bpy.types.Object) -> Recipe:
    return settings.acting(getattr(terrain, state.PROPERTY))


def _bare(recipe: Recipe) -> Recipe | None:
    """Return a recipe with all modifiers muted; None if no modifier is active."""

    def mute(place: int, layer: Layer) -> Layer:
        is_work = isinstance(layer, Modifier) and not layer.muted
        return replace(layer, muted=True) if is_work else layer

    bare = layers.change_layers(recipe, mute)
    return None if bare is recipe else bare
