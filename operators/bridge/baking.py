# SPDX-License-Identifier: GPL-3.0-or-later
"""The maps of a mesh as it is now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ...noise_core.arrays import Field
from ...noise_core.blocks import Cancel, Progress
from ...noise_core.grid import Grid
from ...noise_core.recipe import Recipe
from . import before, catalogue, displacement, editing, map_layers, masks, meshes, settings, state
from .ground import Ground
from .jobs import Work
from .layers import read_attribute
from .terrains import Measures


@dataclass(frozen=True)
class Baked:
    """Maps of a mesh, by name.

    Attributes
    ----------
    fields : mapping of str to ndarray of shape (rows, columns) or (rows, columns, channels)
        On the mesh's own rows and columns, not on the squares that they were computed on.
    ground : Ground
        The way from these to the vertices.
    """

    fields: Mapping[str, Field]
    ground: Ground


def work(thing: bpy.types.Object, wanted: Collection[str]) -> Work:
    """Return the work that gives a `Baked`.

    What the relief tells is read off the mesh as it is. What only modifiers know is on the mesh
    already, or comes from the recipe of a terrain that is still as it was made.

    Parameters
    ----------
    thing : Object
        A mesh object, in Object Mode or Edit Mode.
    wanted : collection of str
        Names of maps; what nobody made is left out.

    Raises
    ------
    TerraneError
        If the mesh is no grid, or the terrain's settings cannot be read.
    """
    with editing.object_mode(bpy.context, thing):
        ground = Ground.of(thing, displacement.present_positions(thing))
        height = ground.heights(before.present(thing))
        there = _stored(meshes.mesh_of(thing), wanted, ground)
        missing = {name for name in wanted if name not in there} & catalogue.made()
        made_by = _recipe(thing, ground.grid) if missing else None

    def baked(progress: Progress, cancel: Cancel) -> Baked:
        known = dict(there)
        if made_by is not None:
            part = catalogue.part_of(progress, 0.0, 0.8)
            known = {**made_by(part, cancel), **known}
        part = catalogue.part_of(progress, 0.8 if made_by else 0.0, 1.0)
        maps = catalogue.computed(wanted, known, height, ground.grid, part, cancel)
        return Baked({name: ground.own(field) for name, field in maps.items()}, ground)

    return baked


def _stored(mesh: bpy.types.Mesh, wanted: Collection[str], ground: Ground) -> dict[str, Field]:
    """Return those of the modifiers' maps that are on the mesh."""
    stored = {}
    for name in map_layers.Record.of(mesh).written:
        values = read_attribute(mesh, name) if name in wanted and name in catalogue.made() else None
        if values is not None:
            stored[name] = ground.spread(values)
    return stored


def _recipe(thing: bpy.types.Object, grid: Grid) -> Any | None:
    """Return the work that gives the maps of a terrain's recipe; None if it is no such terrain."""
    if not state.is_terrain(thing):
        return None
    group = getattr(thing, state.PROPERTY)
    if Measures.of(group).grid().shape != grid.shape:
        return None
    recipe: Recipe = settings.read(group)
    if not recipe.modifiers:
        return None
    where = masks.fields(thing, group, Measures.of(group).grid())
    own = Measures.of(group).grid()

    def evaluated(progress: Progress, cancel: Cancel) -> Mapping[str, Field]:
        return recipe.evaluate(own, masks=where, progress=progress, cancel=cancel).maps

    return evaluated
