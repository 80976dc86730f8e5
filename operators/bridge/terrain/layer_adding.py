# SPDX-License-Identifier: GPL-3.0-or-later
"""Additional layers of terrains: the request with the layer, and its settings after the evaluation."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.modifiers.bases.layer import Layer
from ....noise_core.recipes.layers import NoiseLayer, free_seed_offset
from ..datablocks import meshes
from ..datablocks.ref import Ref
from ..schema import animation, layer_list, layer_values, layers, masks, state
from ..schema.layers import LayerState
from . import layer_times, mesh_record, terrains
from .evaluation import Evaluated
from .terrains import Request
from .user_mesh.bottom_layer import LAYER


def request_with(
    terrain: bpy.types.Object,
    layer: Layer | None,
    mask: str,
    seed_offset: int | None,
    *,
    is_alone: bool = False,
) -> Request:
    """Return the present request of a terrain, not in Edit Mode, with a layer on top of all others.

    Without a layer the present request is returned. The mask is the name of a painted one, or empty. The
    seed offset is a free one if it is None. A layer that is alone has only the former heights of a user's mesh
    below it: a ParameterError is raised if there are none.
    """
    request = terrains.present_request(terrain)
    if layer is None:
        return request
    if is_alone:
        request = _bottom_alone(terrain, request)
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


def _bottom_alone(terrain: bpy.types.Object, request: Request) -> Request:
    """Return the request of a user's mesh that became a terrain with the layer of its former heights alone."""
    rows = zip(layers.flatten(request.recipe.layers), request.states)
    for (_, layer), layer_state in rows:
        if layer.name == LAYER and isinstance(layer, NoiseLayer):
            bottom = dataclasses.replace(layer, muted=False)
            shown = dataclasses.replace(layer_state, is_muted=False, is_solo=False)
            recipe = dataclasses.replace(request.recipe, layers=(bottom,))
            return dataclasses.replace(request, recipe=recipe, states=(shown,))
    raise ParameterError(
        "start must be 'present', as {} has no layer of former heights; got 'original'",
        terrain.name,
    )


def _remove_others(entries: Any) -> None:
    """Remove all layers of a list but that of former heights, which is shown."""
    bottom = [entry.name for entry in entries].index(LAYER)
    for place in reversed(range(len(entries))):
        if place != bottom:
            animation.remove(entries, place)
    entries[0].depth, entries[0].muted, entries[0].solo = 0, False, False


def write(
    terrain: bpy.types.Object, request: Request, result: Evaluated, *, is_alone: bool = False
) -> None:
    """Store the missing layers in the settings of a terrain, and the record that its heights fit a request.

    Present layers stay as they are, animation included; the last one becomes active. For `is_alone` see
    `request_with`.
    """
    rows = [layer for _, layer in layers.flatten(request.recipe.layers)]
    for obj in [obj for obj in bpy.data.objects if obj.data == terrain.data]:
        group: Any = getattr(obj, state.PROPERTY)
        entries = layer_list.entries(group)
        if is_alone:
            if LAYER not in layer_list.names(group):
                raise TerraneError("{} was changed meanwhile: do it once more", obj.name)
            _remove_others(entries)
        for place in range(len(entries), len(rows)):
            layer_values.write_entry(entries.add(), rows[place], request.states[place])
            layer_list.choose(group, place)
    terrains.note_grid(terrain, result.grid)
    mesh, digest = meshes.mesh_of(terrain), mesh_record.digest(terrains.present_request(terrain))
    mesh_record.remember(mesh, digest, result.grid, result.height, painted=result.painted)
    terrains.note_request(digest, request)
    layer_times.note(terrain, request, result.seconds)
