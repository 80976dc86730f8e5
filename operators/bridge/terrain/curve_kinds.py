# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of drawn curves: paths with the values of a kind, and rivers and ridges that erosion obeys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.erosion.earthworks import kinds
from ....noise_core.modifiers.footprint import Footprint
from ....noise_core.modifiers.path import Path
from ....noise_core.modifiers.stream_erosion import StreamErosion
from ..datablocks import curve_objects, linked
from ..schema import curve_slots, layer_list, layers, settings, state
from . import land_curves, path_layers

if TYPE_CHECKING:
    from ..datablocks.curve_objects import SplinePoints

_ON_TOP = (Path.key, Footprint.key)
"""Layers that lie on eroded ground."""

GUIDES = {"river": "rivers", "ridge": "ridges"}
"""Kinds that erosion obeys, and the names of its lists."""

_GUIDE_HELP = {
    "river": "Water runs along it to the border, the sea or another river, and erodes its valley",
    "ridge": "Water stays on either side of it, and the ground rises toward it",
}

_ORDER = ("road", "trail", "river", "river_bed", "ridge")

KIND_HELP: Mapping[str, str] = {
    **dict.fromkeys(_ORDER, ""),
    **kinds.KIND_HELP,
    **_GUIDE_HELP,
}
"""Purposes of the kinds."""


def add_layer(terrain: bpy.types.Object, obj: bpy.types.Object, kind: str) -> None:
    """Let a terrain obey a curve object: by a new path, or by its erosions.

    Raises a TerraneError if the object is no curve on land, or the settings cannot be written.
    """
    with curve_slots.writing.on():  # its points are read here, once, not after each value
        if kind in GUIDES:
            _guide_erosion(terrain, obj, GUIDES[kind])
        else:
            path_layers.add_layer(terrain, obj, kind)


def _guide_erosion(terrain: bpy.types.Object, obj: bpy.types.Object, name: str) -> None:
    """Add a curve to a list of all layers along whose rivers or ridges the ground wears, to a new erosion if none acts.

    All of them, because a layer that does not know the river leads its water elsewhere. Those that have the curve keep it.
    Processes that would then start nowhere else, such as debris flows, stay where they are.
    """
    linked.require_writable(terrain)
    points = curve_slots.text_of(land_curves.land_curves(terrain, obj))
    group: Any = getattr(terrain, state.PROPERTY)
    entries = layer_list.entries(group)
    if not any(entry.type == StreamErosion.key and not entry.muted for entry in entries):
        _add_erosion(group)
    for place, entry in enumerate(entries):
        slots = layers.LAYER_TYPES.own_slots(entry)
        if name not in slots or _is_exclusive(entry, name):
            continue
        if all(slot.object != obj for slot in slots[name]):
            slot = slots[name].add()
            slot.points, slot.object, slot.known_name = points, obj, obj.name
        layer_list.choose(group, place)


def _is_exclusive(entry: Any, name: str) -> bool:
    """Return whether a layer acts along the curves of a list alone."""
    cls = layers.LAYER_TYPES.find_class(entry)
    parameters = () if cls is None else cls.parameters()
    return any(each.name == name and each.exclusive for each in parameters)


def _add_erosion(group: Any) -> None:
    """Add a stream erosion above all layers but the paths and footprints on top, which it would wear away."""
    entries = layer_list.entries(group)
    place = len(entries)
    while place > 1 and entries[place - 1].type in _ON_TOP and not entries[place - 1].depth:
        place -= 1
    layer = layer_list.new_layer(group, StreamErosion.key)
    layer_list.insert(group, place, 0, layer, layers.LayerState())


def add_curve(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    kind: str,
    spline: SplinePoints,
    name: str = "",
    *,
    is_smooth: bool = False,
) -> None:
    """Add a curve object of one spline, which the terrain obeys; it becomes the only selected object.

    Raises a TerraneError if the spline is no curve on land, or the settings cannot be written.
    """
    title = name or kind.replace("_", " ").title()
    obj = curve_objects.add(context, title, [spline], terrain, is_smooth=is_smooth)
    context.view_layer.update()
    settings.fill(getattr(terrain, state.PROPERTY))
    add_layer(terrain, obj, kind)
    for other in context.selected_objects:
        other.select_set(False)
    obj.select_set(True)
    context.view_layer.objects.active = obj
