# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers *Path* along curve objects: added, named by their kind, and found again from their curves."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import bpy

from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.curves.land_curve import LandCurve
from ....noise_core.erosion.earthworks.kinds import KINDS
from ....noise_core.modifiers.path import Path
from ....noise_core.recipes.layers import free_seed_offset
from ..datablocks import curve_objects, linked
from ..schema import curve_slots, layer_list, layers, state
from ..schema.values import read_values, write_values
from . import terrains
from .land_curves import land_curves, spline_points


def add_layer(terrain: bpy.types.Object, obj: bpy.types.Object, kind: str) -> None:
    """Add a path of a kind along a curve object to a terrain, above all other layers.

    Raises a TerraneError if the object is no curve on land, or the settings cannot be written.
    """
    linked.require_writable(terrain)
    group: Any = getattr(terrain, state.PROPERTY)
    offset = free_seed_offset(layer_list.entries(group))
    name = layer_list.free_name(kind.replace("_", " ").title(), layer_list.names(group))
    path = Path.of_kind(kind, curves=land_curves(terrain, obj), seed_offset=offset, name=name)
    entry = layer_list.add_last(group, path)
    (first, *others) = entry.curves
    first.points = curve_slots.text_of(path.curves)
    first.object, first.known_name = obj, obj.name
    for _ in others:
        entry.curves.remove(1)


def show_all(
    context: bpy.types.Context, terrain: bpy.types.Object, named: Mapping[str, LandCurve]
) -> None:
    """Make objects to pull of the curves that a new terrain has of its recipe, by their names there.

    Layers that follow the same curve follow one object.
    """
    names = {curve: name for name, curve in named.items()}
    known: dict[str, bpy.types.Object] = {}
    for slot in layers.curve_slots_of(getattr(terrain, state.PROPERTY)):
        curves = [each for each in curve_slots.parse(slot.points) if isinstance(each, LandCurve)]
        if slot.object is not None or not curves:
            continue
        if slot.points not in known:
            splines = [spline_points(terrain, curve) for curve in curves]
            name = names.get(curves[0], "Curve")
            known[slot.points] = curve_objects.add(context, name, splines, terrain)
        with curve_slots.writing.on():
            slot.object = known[slot.points]
            slot.known_name, slot.curve_name = slot.object.name, names.get(curves[0], "")


def kind_of(entry: Any) -> str:
    """Return the kind of a path whose values differ least from those of its layer."""
    parameters = [each for each in Path.parameters() if each.name in _KIND_VALUES]
    present = read_values(entry.path, parameters)

    def differing(kind: str) -> int:
        return sum(present[name] != value for name, value in _values_of(kind).items())

    return min(KINDS, key=differing)


def set_kind(entry: Any, kind: str) -> None:
    """Give a path the values of a kind; raise a ParameterError if the layer is none."""
    if getattr(entry, "type", "") != Path.key:
        raise ParameterError("The active layer must be a path", got=repr(entry.name))
    write_values(entry.path, _values_of(kind))


_KIND_VALUES = frozenset(name for values in KINDS.values() for name in values)
"""Names of the values that make a kind."""


@functools.cache
def _values_of(kind: str) -> dict[str, Any]:
    path = Path.of_kind(kind)
    return {name: getattr(path, name) for name in sorted(_KIND_VALUES)}


def objects_of(context: bpy.types.Context, entry: Any) -> list[bpy.types.Object]:
    """Return the curve objects of a layer and its masks that are in the view layer."""
    shown = set(context.view_layer.objects)
    objects = [slot.object for _, slots in layers.LAYER_TYPES.slots(entry) for slot in slots]
    return [obj for obj in objects if obj in shown]


def find_terrain(context: bpy.types.Context, curve: bpy.types.Object | None) -> bpy.types.Object:
    """Return the terrain that a curve is drawn on, the active one, or the only one of the scene.

    Raises a TerraneError if there is none, or if there are several.
    """
    parent = None if curve is None else curve.parent
    if parent is not None and state.is_terrain(parent):
        return parent
    active = state.active_terrain(context)
    terrains_here = [obj for obj in context.scene.objects if state.is_terrain(obj)]
    if active is not None:
        return active
    if len(terrains_here) != 1:
        raise TerraneError("Select the terrain, or make it the parent of the curve")
    return terrains_here[0]


def find_curve(context: bpy.types.Context, name: str) -> bpy.types.Object:
    """Return the curve object of a name, the active one without a name.

    Raises a TerraneError if there is none, or if libraries have others of that name.
    """
    alike = [obj for obj in bpy.data.objects if obj.name == name]
    if not name:
        alike = [obj for obj in [context.active_object] if obj is not None and obj.type == "CURVE"]
    if len(alike) > 1:
        raise TerraneError("object must name one object; got {} of the name {!r}", len(alike), name)
    if not alike or alike[0].type != "CURVE":
        raise TerraneError("object must name a curve object, or one must be active; got {!r}", name)
    return alike[0]


_FEWEST = 2.5
"""Samples across a bed: the grade of narrower ones is not that of the settings."""


def narrow_bed(terrain: bpy.types.Object, entry: Any) -> str:
    """Return a message about a path whose bed the samples of a terrain are too coarse for, "" if they are not."""
    if getattr(entry, "type", "") != Path.key:
        return ""
    curves = curve_slots.read_or_none(entry.curves) or ()
    points = [point for curve in curves if isinstance(curve, LandCurve) for point in curve.points]
    width = entry.path.width or min((point.width for point in points), default=0.0)
    built = terrains.built_grid(terrain)
    step = built.size / max(built.columns - 1, 1)
    if not points or entry.path.inside or width >= _FEWEST * step:
        return ""
    return Message(
        "The bed is {} m wide, the samples are {} m apart: widen it, or add a detail patch",
        *(f"{width:.3g}", f"{step:.3g}"),
    )
