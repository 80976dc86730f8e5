# SPDX-License-Identifier: GPL-3.0-or-later
"""Dry parts of a terrain, where a painted mask keeps away the erosion that makes rivers and lakes.

River beds and the flow of water are calculated for the whole terrain, also where a mask holds erosion
back. So the mesh stores, for the material, where all masks do. It is a separate attribute, since not every
version's renderers read vertex groups, and since it changes with the heights.
"""

from __future__ import annotations

import bpy
import numpy as np

from .....noise_core.base.arrays import Field
from .....noise_core.base.errors import TerraneError
from .....noise_core.base.grid import Grid
from .....noise_core.modifiers.bases.modifier import Modifier
from .....noise_core.recipes.layers import flatten
from ...datablocks import meshes
from ...datablocks.materials import marked_material
from ...schema import layers, masks, settings, state
from ...schema.layers import LayerState
from ...terrain import map_layers, terrains
from .settings import DRY, MARK

_WET = frozenset({"flow", "lake"})
"""Maps of water: modifiers that make one of them count."""


def refresh(obj: bpy.types.Object, *, is_wanted: bool = False) -> None:
    """Store where a terrain is dry, or remove the attribute if it may be wet anywhere.

    Parameters
    ----------
    obj : Object
        A mesh object, not in Edit Mode, with the settings of its grid.
    is_wanted : bool
        Store it also for an object without a terrain material.
    """
    mesh = meshes.mesh_of(obj)
    if not is_wanted and DRY not in mesh.attributes and marked_material(obj, MARK) is None:
        return
    wet = _wet(obj)
    if wet is None:
        map_layers.remove(mesh, {DRY})
    else:
        meshes.write_maps(mesh, {DRY: np.float32(1.0) - wet})


def painted_layers(obj: bpy.types.Object) -> list[LayerState]:
    """Return the layers of a terrain's erosion, if all that make water have a painted mask.

    Raises
    ------
    TerraneError
        If the settings cannot be read.
    """
    if not state.is_terrain(obj):
        return []
    group = getattr(obj, state.PROPERTY)
    states = settings.states(group)
    acting = flatten(layers.acting(settings.read(group), states).layers)
    wet = [
        layer_state
        for (_, layer), layer_state in zip(acting, states)
        if isinstance(layer, Modifier) and not layer.muted and _WET & layer.makes.keys()
    ]
    return wet if all(layer_state.mask for layer_state in wet) else []


def _wet(obj: bpy.types.Object) -> Field | None:
    """Return the share of the water that any mask lets through, from 0 to 1; None if it is all."""
    try:
        painted = {
            (layer_state.mask, layer_state.mask_image) for layer_state in painted_layers(obj)
        }
        if not painted:
            return None
        built = terrains.built_grid(obj)
        grid = Grid(built.rows, built.columns, size=built.size)
        fields = [masks.field(obj, name, grid, "Water", None, image) for name, image in painted]
    except TerraneError:
        return None  # a mask was removed, or the mesh is not one of Terrane's: any mesh may be a landscape
    return np.maximum.reduce(fields)
