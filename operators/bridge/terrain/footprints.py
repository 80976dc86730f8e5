# SPDX-License-Identifier: GPL-3.0-or-later
"""Level ground under objects: the layer *Footprint* of chosen objects and collections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import TerraneError
from ....noise_core.modifiers.footprint import Footprint
from ....noise_core.recipes.layers import free_seed_offset
from ..datablocks import curve_objects, linked, solids
from ..datablocks.solids import Source
from ..schema import curve_slots, layer_list, layers, masks, state
from . import terrains
from .land_curves import land_curves


def find_named(object_name: str, collection_name: str) -> Source | None:
    """Return the object or the collection of a name, None without names.

    Raises a TerraneError if there is none of a name in a scene, or if libraries have several.
    """
    if object_name and collection_name:
        raise TerraneError("Name an object or a collection; got {!r} and {!r}", object_name, collection_name)  # fmt: skip
    if object_name:
        return cast("Source", _find(bpy.data.objects, object_name, "object"))
    if collection_name:
        return cast("Source", _find(bpy.data.collections, collection_name, "collection"))
    return None


def _find(owners: Iterable[Any], name: str, keyword: str) -> Any:
    alike = [owner for owner in owners if owner.name == name and curve_objects.is_in_use(owner)]
    if len(alike) != 1:
        raise TerraneError("{} must name one there is; got {} of the name {!r}", keyword, len(alike), name)  # fmt: skip
    return alike[0]


def selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected objects that may stand on a terrain, without those that move with a selected parent."""
    chosen = {
        obj
        for obj in context.selected_objects
        if not state.is_terrain(obj) and not obj.get(state.PART)
    }
    return [obj for obj in context.selected_objects if obj in chosen and not _moves(obj, chosen)]


def _moves(obj: bpy.types.Object, chosen: set[bpy.types.Object]) -> bool:
    parent = obj.parent
    while parent is not None and parent not in chosen:
        parent = parent.parent
    return parent is not None


def add_layer(terrain: bpy.types.Object, sources: Sequence[Source]) -> None:
    """Add level ground under objects and collections to a terrain, above all other layers.

    Without any, the layer has an empty place for one. Raises a TerraneError if a source has no outline, or the
    settings cannot be written.
    """
    linked.require_writable(terrain)
    group: Any = getattr(terrain, state.PROPERTY)
    curves = [land_curves(terrain, source) for source in sources]
    title = sources[0].name if len(sources) == 1 else Footprint.label
    layer = Footprint(
        curves=(),
        seed_offset=free_seed_offset(layer_list.entries(group)),
        name=layer_list.free_name(title, layer_list.names(group)),
    )
    with curve_slots.writing.on():  # outlines are read above, once, not after each value
        slots = layer_list.add_last(group, layer).curves
        for source, outlines in zip(sources, curves):
            slot = slots.add()
            slot.points, slot.known_name = curve_slots.text_of(outlines), source.name
            curve_slots.choose(slot, source)
        if not sources:
            slots.add()


def ground_without(terrain: bpy.types.Object, objects: Sequence[bpy.types.Object]) -> Field | None:
    """Return the heights of a terrain that does not follow some objects; None if it follows none of them.

    Raises a TerraneError if its settings cannot be read.
    """
    standing = set(objects)
    entries = layer_list.entries(getattr(terrain, state.PROPERTY))

    def follows(slot: Any) -> bool:
        source = curve_slots.source(slot)
        return source is not None and not standing.isdisjoint(solids.members(source))

    kept = {
        place: [slot for slot in entry.curves if not follows(slot)]
        for place, entry in enumerate(entries)
        if any(map(follows, entry.curves))
    }
    if not kept:
        return None

    def change(place: int, layer: Any) -> Any:
        if place not in kept:
            return layer
        return layer.with_values(curves=curve_slots.read(kept[place]))

    request = terrains.present_request(terrain)
    recipe, grid = layers.change_layers(request.acting, change), request.grid()
    built = terrains.built_grid(terrain)
    if grid.shape != (built.rows, built.columns):
        return None
    return recipe.evaluate(grid, masks=masks.fields(terrain, request, grid)).height
