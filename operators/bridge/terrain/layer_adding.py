# SPDX-License-Identifier: GPL-3.0-or-later
"""Additional layers of terrains: the request with the layer, and its settings after the evaluation."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.recipes.layers import free_seed_offset
from ..datablocks import meshes
from ..datablocks.ref import Ref
from ..schema import layer_list, layer_values, layers, masks, state
from ..schema.layers import LayerState
from . import mesh_record, terrains
from .evaluation import Evaluated
from .terrains import Request


def request_with(
    terrain: bpy.types.Object, layer: Layer | None, mask: str, seed_offset: int | None
) -> Request:
    """Return the present request of a terrain, not in Edit Mode, with a layer on top of all others.

    Without a layer the present request is returned. The mask is the name of a painted one, or empty. The
    seed offset is a free one if it is None.
    """
    request = terrains.present_request(terrain)
    if layer is None:
        return request
    recipe = request.recipe
    offset = free_seed_offset(recipe.layers) if seed_offset is None else seed_offset
    added = dataclasses.replace(layer, seed_offset=offset)
    image = bpy.data.images.get(mask) if mask else None
    is_image = image is not None and masks.weights(terrain, mask) is None
    layer_state = LayerState(
        name=added.label,
        mask=mask,
        is_solo=any(layer.is_solo for layer in request.states),
        mask_image=Ref.of(image).uid if is_image else 0,
    )
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers, added))
    return dataclasses.replace(request, recipe=recipe, states=(*request.states, layer_state))


def write(terrain: bpy.types.Object, request: Request, result: Evaluated) -> None:
    """Store the missing layers in the settings of a terrain, and the record that its heights fit a request.

    Present layers stay as they are, animation included; the last one becomes active.
    """
    rows = [layer for _, layer in layers.flatten(request.recipe.layers)]
    for obj in [obj for obj in bpy.data.objects if obj.data == terrain.data]:
        group: Any = getattr(obj, state.PROPERTY)
        entries = layer_list.entries(group)
        for place in range(len(entries), len(rows)):
            layer_values.write_entry(entries.add(), rows[place], request.states[place])
            layer_list.choose(group, place)
    terrains.note_grid(terrain, result.grid)
    mesh, digest = meshes.mesh_of(terrain), mesh_record.digest(terrains.present_request(terrain))
    mesh_record.remember(mesh, digest, result.grid, result.height, painted=result.painted)
    terrains.note_request(digest, request)
