# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a terrain's material shows rivers, brooks and lakes: where the erosion that made them acts.

The beds of rivers and the flow of water are known everywhere, whatever mask the erosion has: they are
worked out for the whole terrain. So where the painted masks of all erosion hold it back is kept on the
mesh, for the material to look at. It is an attribute of its own, because not every version's renderers
know vertex groups, and because it goes with the heights: what is painted counts for both at once.
"""

from __future__ import annotations

import bpy
import numpy as np

from ....noise_core.arrays import Field
from ....noise_core.errors import TerraneError
from ....noise_core.grid import Grid
from ....noise_core.layers import flatten
from ....noise_core.modifier import Modifier
from .. import meshes, settings, state
from ..maps import map_layers
from ..recipes import masks
from ..schema import layers
from ..schema.layers import LayerState
from ..terrain import terrains
from . import terrain_slots
from .terrain_masks_group import DRY

_WET = frozenset({"flow", "lake"})
"""Maps that say where water is: the modifiers that make one count."""


def refresh(thing: bpy.types.Object, *, is_wanted: bool = False) -> None:
    """Store where a terrain is dry, or remove that if it may be wet anywhere.

    Parameters
    ----------
    thing : Object
        A mesh object, not in Edit Mode, whose settings say of which grid it was made.
    is_wanted : bool
        Do it even though the object has no material of ours yet.
    """
    mesh = meshes.mesh_of(thing)
    if not is_wanted and DRY not in mesh.attributes and terrain_slots.of(thing) is None:
        return
    wet = _wet(thing)
    if wet is None:
        map_layers.remove(mesh, {DRY})
    else:
        meshes.write_maps(mesh, {DRY: np.float32(1.0) - wet})


def painted_masks(thing: bpy.types.Object) -> tuple[str, ...]:
    """Return the painted masks of a terrain's erosion; none if one that makes water has no mask.

    Raises
    ------
    TerraneError
        If the settings cannot be read.
    """
    return tuple(dict.fromkeys(note.mask for note in _painted(thing)))


def _painted(thing: bpy.types.Object) -> list[LayerState]:
    if not state.is_terrain(thing):
        return []
    group = getattr(thing, state.PROPERTY)
    states = settings.states(group)
    acting = flatten(layers.acting(settings.read(group), states).layers)
    wet = [
        said
        for (_, one), said in zip(acting, states)
        if isinstance(one, Modifier) and not one.muted and _WET & one.makes.keys()
    ]
    return wet if all(note.mask for note in wet) else []


def _wet(thing: bpy.types.Object) -> Field | None:
    """Return how much of the water any mask lets through, from 0 to 1; None if that is all."""
    try:
        painted = {(note.mask, note.mask_image) for note in _painted(thing)}
        if not painted:
            return None
        built = terrains.built(thing)
        grid = Grid(built.rows, built.columns)
        found = [masks.field(thing, name, grid, "Water", None, one) for name, one in painted]
    except TerraneError:
        return None  # a mask is gone, or the mesh is another one: any mesh may be a landscape
    return np.maximum.reduce(found)
