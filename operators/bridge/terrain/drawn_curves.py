# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects, outlines of other objects, and empties that layers and masks of terrains follow.

Whenever Blender reports a change (`terrain_events.py`), the points of the objects are compared, in the terrain's own
space, with those in the settings (`schema/curve_slots.py`). Different ones are written there, which live update
follows like any setting. So undo, files and copies of the terrain have the points, and a terrain keeps those of a curve
that is removed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.curves import land_curve
from ....noise_core.curves import outlines as curve_outlines
from ....noise_core.modifiers.path import KINDS, Path
from ....noise_core.recipes.layers import free_seed_offset
from ..datablocks import curve_objects, linked, solids
from ..datablocks.curve_objects import SplinePoints, Table
from ..datablocks.solids import Source
from ..schema import curve_slots, layer_list, layers, settings, state
from ..schema.values import read_values, write_values
from . import placed_stamps, terrains, tile_frame

if TYPE_CHECKING:
    from ....noise_core.curves.land_curve import LandCurve

REMOVED = Message("{} was removed: the terrain keeps its last points")
ANIMATED = Message("{} is animated: the terrain follows when it is edited, not from frame to frame")
NO_OBJECT = Message("No curve object is chosen: the layer has points of its own")


def land_curves(terrain: bpy.types.Object, obj: Source) -> tuple[LandCurve, ...]:
    """Return the splines of a curve object on a terrain, or the outlines of another object or a collection from above.

    Raises a TerraneError if they are no curves on land.
    """
    frame = tile_frame.Frame.of(terrain)
    if isinstance(obj, bpy.types.Collection) or obj.type != "CURVE":
        outlines = solids.outlines(obj, terrain, _why_no_footprint)
        return tuple(
            curve_outlines.Outline(frame.tiles(each.ring), each.base).land_curve()
            for each in outlines
        )
    placed = terrain.matrix_world.inverted_safe() @ obj.matrix_world
    matrix = np.array(placed, np.float64)
    splines = curve_objects.read(obj)
    if not splines:
        raise TerraneError("{} must have a spline", obj.name)
    return tuple(_land_curve(spline, matrix, frame) for spline in splines)


def _why_no_footprint(obj: bpy.types.Object) -> str:
    """Return why the land cannot follow an object, "" if it can: what lies on the land follows it."""
    if state.is_terrain(obj) or obj.get(state.PART):
        return Message("{} is a part of a landscape: choose objects that stand on it", obj.name)
    return ""


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
        points.append(land_curve.CurvePoint(at=(x, y), z=z, width=width, tilt=tilt, **more))
    return land_curve.LandCurve(points=points, closed=spline.is_closed)


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


def add_curve(
    context: bpy.types.Context,
    terrain: bpy.types.Object,
    kind: str,
    spline: SplinePoints,
    name: str = "",
    *,
    is_smooth: bool = False,
) -> None:
    """Add a curve object of one spline and a path of a kind along it; it becomes the only selected object.

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


def show_all(
    context: bpy.types.Context, terrain: bpy.types.Object, named: Mapping[str, LandCurve]
) -> None:
    """Make objects to pull of the curves that a new terrain has of its recipe, by their names there.

    Layers that follow the same curve follow one object.
    """
    names = {curve: name for name, curve in named.items()}
    known: dict[str, bpy.types.Object] = {}
    for slot in layers.curve_slots_of(getattr(terrain, state.PROPERTY)):
        curves = [
            each
            for each in curve_slots.parse(slot.points)
            if isinstance(each, land_curve.LandCurve)
        ]
        if slot.object is not None or not curves:
            continue
        if slot.points not in known:
            splines = [spline_points(terrain, curve) for curve in curves]
            name = names.get(curves[0], "Curve")
            known[slot.points] = curve_objects.add(context, name, splines, terrain)
        with curve_slots.writing.on():
            slot.object = known[slot.points]
            slot.known_name = slot.object.name


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


def read_source(terrain: bpy.types.Object, slot: Any) -> tuple[Any, ...]:
    """Return the curves of a slot's object or collection on a terrain, or the placement of its empty.

    Raises a TerraneError if it is not fit for that.
    """
    source = curve_slots.source(slot)
    if not curve_slots.is_place(slot):
        return land_curves(terrain, source)
    placed = np.array(terrain.matrix_world.inverted_safe() @ source.matrix_world, np.float64)
    return (placed_stamps.placement(placed, tile_frame.Frame.of(terrain), source.name),)


def follow(terrain: bpy.types.Object) -> None:
    """Write the points of objects into a terrain's settings where they have changed."""
    if not linked.is_writable(terrain):
        return
    for slot in layers.curve_slots_of(getattr(terrain, state.PROPERTY)):
        source = curve_slots.source(slot)
        if not curve_objects.is_in_scene(source):
            continue
        with curve_slots.writing.on():
            if slot.known_name != source.name:
                slot.known_name = source.name
            _follow_slot(terrain, slot)


def _follow_slot(terrain: bpy.types.Object, slot: Any) -> None:
    """Write the points of a slot's object; the last ones stay if it is no curve on land, as its note says."""
    try:
        found = read_source(terrain, slot)
    except TerraneError:
        return
    points = curve_slots.text_of(found)
    if slot.points != points and not _are_close(curve_slots.parse(slot.points), found):
        slot.points = points


_PLACES, _HEIGHTS = 1e-7, 2e-7
"""Tiles, and share of heights and widths, by which Blender's numbers of fewer digits differ from those of a recipe."""


def _are_close(old: Sequence[object], new: Sequence[object]) -> bool:
    """Return whether curves differ only as Blender rounds them: the land of a recipe is not made again for that."""
    if len(old) != len(new):
        return False
    for first, second in zip(old, new):
        if not (
            isinstance(first, land_curve.LandCurve) and isinstance(second, land_curve.LandCurve)
        ):
            return False
        if first.closed != second.closed:
            return False
        before, after = _numbers(first), _numbers(second)
        if before.shape != after.shape:
            return False
        if not np.allclose(before, after, rtol=_HEIGHTS, atol=_PLACES):
            return False
    return True


def _numbers(curve: LandCurve) -> Table:
    """Return all numbers of a curve in one row; of curves without the same handles they are not equally many."""
    rows = [
        (*point.at, point.z, point.width, point.tilt, *(point.left or ()), *(point.right or ()))
        for point in curve.points
    ]
    return np.array([value for row in rows for value in row])


def note(terrain: bpy.types.Object | None, slot: Any) -> str:
    """Return why the points of a slot are not those of its object, "" if they are."""
    source = curve_slots.source(slot)
    if not curve_objects.is_in_scene(source):
        is_place = curve_slots.is_place(slot)
        if not slot.known_name:
            return placed_stamps.NO_OBJECT if is_place else NO_OBJECT
        return Message(placed_stamps.REMOVED if is_place else REMOVED, slot.known_name)
    if terrain is None or not state.is_terrain(terrain):
        return ""
    try:
        read_source(terrain, slot)
    except TerraneError as error:
        return error.message
    return ""


def motion_note(slot: Any) -> str:
    """Return a message if the object of a slot, or a parent of it, is animated, "" if none is."""
    obj = slot.object
    moving = obj is not None and curve_objects.is_animated(obj)
    return Message(ANIMATED, obj.name) if moving else ""


_FEWEST = 2.5
"""Samples across a bed: the grade of narrower ones is not that of the settings."""


def narrow_bed(terrain: bpy.types.Object, entry: Any) -> str:
    """Return a message about a path whose bed the samples of a terrain are too coarse for, "" if they are not."""
    if getattr(entry, "type", "") != Path.key:
        return ""
    curves = curve_slots.read_or_none(entry.curves) or ()
    points = [
        point
        for curve in curves
        if isinstance(curve, land_curve.LandCurve)
        for point in curve.points
    ]
    width = entry.path.width or min((point.width for point in points), default=0.0)
    built = terrains.built_grid(terrain)
    step = built.size / max(built.columns - 1, 1)
    if not points or entry.path.inside or width >= _FEWEST * step:
        return ""
    return Message(
        "The bed is {} m wide, the samples are {} m apart: widen it, or add a detail patch",
        *(f"{width:.3g}", f"{step:.3g}"),
    )
