# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects and empties that layers and masks of terrains follow.

Whenever Blender reports a change (`terrain_events.py`), the points of the objects are compared, in the terrain's own
space, with those in the settings (`schema/curve_slots.py`). Different ones are written there, which live update
follows like any setting. So undo, files and copies of the terrain have the points, and a terrain keeps those of a curve
that is removed.
"""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.curves.land_curve import CurvePoint, LandCurve
from ....noise_core.modifiers.path import Path
from ....noise_core.recipes.layers import free_seed_offset
from ..datablocks import curve_objects, linked
from ..datablocks.curve_objects import SplinePoints, Table
from ..schema import curve_slots, layer_list, layers, state
from . import placed_stamps, terrains, tile_frame

REMOVED = Message("{} was removed: the terrain keeps its last points")
NO_OBJECT = Message("No curve object is chosen: the layer has points of its own")


def land_curves(terrain: bpy.types.Object, obj: bpy.types.Object) -> tuple[LandCurve, ...]:
    """Return the splines of a curve object on a terrain; raise a TerraneError if they are no curves on land."""
    frame = tile_frame.Frame.of(terrain)
    placed = terrain.matrix_world.inverted_safe() @ obj.matrix_world
    matrix = np.array(placed, np.float64)
    splines = curve_objects.read(obj)
    if not splines:
        raise TerraneError("{} must have a spline", obj.name)
    return tuple(_land_curve(spline, matrix, frame) for spline in splines)


def _land_curve(spline: SplinePoints, matrix: Table, frame: tile_frame.Frame) -> LandCurve:
    """Return a spline on a land. Its widths are scaled like its lengths in the plane."""
    turned = matrix[:3, :3]
    scale = math.sqrt(abs(float(turned[0, 0] * turned[1, 1] - turned[0, 1] * turned[1, 0])))
    places = frame.tiles(np.einsum("...i,ji->...j", spline.places, turned) + matrix[:3, 3])
    on_line, handles = (places, None) if places.ndim == 2 else (places[0], places[1:])
    points = []
    for place in range(len(on_line)):
        x, y, z = on_line[place].tolist()
        more: dict[str, Any] = {}
        if handles is not None:
            left, right = handles[:, place].tolist()
            more = {"left": tuple(left), "right": tuple(right)}
        width, tilt = float(spline.radius[place]) * scale, math.degrees(spline.tilt[place])
        points.append(CurvePoint(at=(x, y), z=z, width=width, tilt=tilt, **more))
    return LandCurve(points=points, closed=spline.is_closed)


def spline_points(terrain: bpy.types.Object, curve: LandCurve) -> SplinePoints:
    """Return a curve on a terrain as a spline in the terrain's own space."""
    frame, points = tile_frame.Frame.of(terrain), curve.points
    places = np.array([(*point.at, point.z) for point in points])
    if any(point.left or point.right for point in points):
        sides = [[_handle(curve, place, by) for place in range(len(points))] for by in (-1, 1)]
        places = np.stack([places, *(np.array(side) for side in sides)])
    radius = np.array([point.width for point in points])
    tilt = np.radians([point.tilt for point in points])
    return SplinePoints(frame.units(places), radius, tilt, curve.closed)


def _handle(curve: LandCurve, place: int, by: int) -> tuple[float, float, float]:
    """Return the handle of a point before (-1) or after (1) it; a missing one lies a third of the way to the next point."""
    points = curve.points
    point, beyond = points[place], points[(place + by) % len(points)]
    handle = point.left if by < 0 else point.right
    near, far = (*point.at, point.z), (*beyond.at, beyond.z)
    third = [start + (stop - start) / 3.0 for start, stop in zip(near, far)]
    if handle is not None:
        third[: len(handle)] = handle
    x, y, z = third
    return x, y, z


def add_layer(terrain: bpy.types.Object, obj: bpy.types.Object, kind: str) -> None:
    """Add a path of a kind along a curve object to a terrain, above all other layers.

    Raises a TerraneError if the object is no curve on land, or the settings cannot be written.
    """
    linked.require_writable(terrain)
    group: Any = getattr(terrain, state.PROPERTY)
    offset = free_seed_offset(layer_list.entries(group))
    name = layer_list.free_name(kind.replace("_", " ").title(), layer_list.names(group))
    path = Path.of_kind(kind, curves=land_curves(terrain, obj), seed_offset=offset, name=name)
    layer_list.choose(group, 0)  # the last of all is added behind the first one
    layer_list.add(group, path)
    (first, *others) = layer_list.active_entry(group).curves
    first.points = curve_slots.text_of(path.curves)
    first.object, first.known_name = obj, obj.name
    for _ in others:
        layer_list.active_entry(group).curves.remove(1)


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


def find_object(context: bpy.types.Context, name: str, kind: str) -> bpy.types.Object:
    """Return the curve object or the empty of a name, the active one without a name.

    Raises a TerraneError if there is none, or if libraries have others of that name.
    """
    alike = [obj for obj in bpy.data.objects if obj.name == name]
    if not name:
        alike = [obj for obj in [context.active_object] if obj is not None and obj.type == kind]
    if len(alike) > 1:
        raise TerraneError("object must name one object; got {} of the name {!r}", len(alike), name)
    if alike and alike[0].type == kind:
        return alike[0]
    if kind == "EMPTY":
        raise TerraneError("object must name an empty, or one must be active; got {!r}", name)
    raise TerraneError("object must name a curve object, or one must be active; got {!r}", name)


def read_object(terrain: bpy.types.Object, obj: bpy.types.Object) -> tuple[Any, ...]:
    """Return the curves of a curve object on a terrain, or the placement of an empty.

    Raises a TerraneError if the object is not fit for that.
    """
    if obj.type != "EMPTY":
        return land_curves(terrain, obj)
    placed = terrain.matrix_world.inverted_safe() @ obj.matrix_world
    return (
        placed_stamps.placement(
            np.array(placed, np.float64), tile_frame.Frame.of(terrain), obj.name
        ),
    )


def follow(terrain: bpy.types.Object) -> None:
    """Write the points of objects into a terrain's settings where they have changed."""
    if not linked.is_writable(terrain):
        return
    for slot in layers.curve_slots_of(getattr(terrain, state.PROPERTY)):
        if not curve_objects.is_in_scene(slot.object):
            continue
        with curve_slots.writing.on():
            if slot.known_name != slot.object.name:
                slot.known_name = slot.object.name
            _follow_slot(terrain, slot)


def _follow_slot(terrain: bpy.types.Object, slot: Any) -> None:
    """Write the points of a slot's object; the last ones stay if it is no curve on land, as its note says."""
    try:
        points = curve_slots.text_of(read_object(terrain, slot.object))
    except TerraneError:
        return
    if slot.points != points:
        slot.points = points


def note(terrain: bpy.types.Object | None, slot: Any) -> str:
    """Return why the points of a slot are not those of its object, "" if they are."""
    if not curve_objects.is_in_scene(slot.object):
        is_curve = curve_slots.kind_of(slot) == "curves"
        if not slot.known_name:
            return NO_OBJECT if is_curve else placed_stamps.NO_OBJECT
        return Message(REMOVED if is_curve else placed_stamps.REMOVED, slot.known_name)
    if terrain is None or not state.is_terrain(terrain):
        return ""
    try:
        read_object(terrain, slot.object)
    except TerraneError as error:
        return error.message
    return ""


_FEWEST = 2.5
"""Samples across a bed: the grade of narrower ones is not that of the settings."""


def narrow_bed(terrain: bpy.types.Object, entry: Any) -> str:
    """Return a message about a path whose bed the samples of a terrain are too coarse for, "" if they are not."""
    if getattr(entry, "type", "") != Path.key:
        return ""
    curves = curve_slots.read_or_none(entry.curves, "curves") or ()
    points = [point for curve in curves if isinstance(curve, LandCurve) for point in curve.points]
    width = entry.path.width or min((point.width for point in points), default=0.0)
    built = terrains.built_grid(terrain)
    step = built.size / max(built.columns - 1, 1)
    if not points or entry.path.inside or width >= _FEWEST * step:
        return ""
    return Message(
        "The bed is {} m wide, the samples are {} m apart: widen it, or raise the resolution",
        *(f"{width:.3g}", f"{step:.3g}"),
    )
