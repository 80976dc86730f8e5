# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects as arrays of control points, and control points as curve objects.

Control points are read, not the line that Blender makes of them, which has neither radius nor tilt. Shape keys, and the
modifiers that move control points, such as *Hook*, count. In Edit Mode the points are those of the edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.errors import TerraneError

Table = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SplinePoints:
    """Control points of one spline, in the object's own space.

    Attributes
    ----------
    places : ndarray of shape (n, 3) of a polyline, (3, n, 3) of a Bezier spline: points, left and right handles
    radius, tilt : ndarray of shape (n,)
        In the object's units, and in radians.
    is_closed : bool
    """

    places: Table
    radius: Table
    tilt: Table
    is_closed: bool


def read(obj: bpy.types.Object, depsgraph: Any = None) -> list[SplinePoints]:
    """Return the splines of a curve object, as they are in a dependency graph if one is given.

    Raises a TerraneError if it is none, or has a NURBS spline.
    """
    if obj.type != "CURVE":
        raise TerraneError("{} must be a curve object", obj.name)
    curve: Any = obj.data
    if obj.mode != "EDIT":
        if curve.shape_keys is not None or len(obj.modifiers):
            return _read_deformed(obj, depsgraph or bpy.context.view_layer.depsgraph)
        if depsgraph is not None:
            curve = curve.evaluated_get(depsgraph)
    return _read_splines(obj.name, curve)


def _read_deformed(obj: bpy.types.Object, depsgraph: Any) -> list[SplinePoints]:
    """Return the splines of a curve object with its shape keys, and the modifiers of its control points."""
    evaluated = obj.evaluated_get(depsgraph)
    if not evaluated.is_evaluated:  # new: no shape key has been evaluated yet
        return _read_splines(obj.name, obj.data)
    try:
        return _read_splines(obj.name, evaluated.to_curve(depsgraph, apply_modifiers=True))
    finally:
        evaluated.to_curve_clear()


def _read_splines(name: str, curve: Any) -> list[SplinePoints]:
    return [_read_spline(name, spline) for spline in curve.splines]


def _read_spline(name: str, spline: Any) -> SplinePoints:
    if spline.type == "BEZIER":
        points = spline.bezier_points
        places = np.stack([_read(points, key, 3) for key in ("co", "handle_left", "handle_right")])
    elif spline.type == "POLY":
        points = spline.points
        places = _read(points, "co", 4)[:, :3]
    else:
        raise TerraneError("{} has a NURBS spline: set its type to Bezier or Poly", name)
    radius, tilt = _read(points, "radius", 1)[:, 0], _read(points, "tilt", 1)[:, 0]
    return SplinePoints(places, radius, tilt, bool(spline.use_cyclic_u))


def _read(points: Any, key: str, width: int) -> Table:
    values = np.empty(len(points) * width, np.float32)
    points.foreach_get(key, values)
    return values.astype(np.float64).reshape(-1, width)


def is_in_use(source: bpy.types.Object | bpy.types.Collection | None) -> bool:
    """Return whether an object is in a collection, a collection in a scene: users of a deleted one keep it in the file."""
    if isinstance(source, bpy.types.Collection):
        return any(source in scene.collection.children_recursive for scene in bpy.data.scenes)
    return source is not None and bool(source.users_scene or source.users_collection)


def add(
    context: bpy.types.Context,
    name: str,
    splines: list[SplinePoints],
    parent: bpy.types.Object,
    *,
    is_smooth: bool = False,
) -> bpy.types.Object:
    """Add a curve object to the collection of its parent, in the parent's space; it is shown in front.

    Smooth ones get Bezier splines with automatic handles through the points of polylines.
    """
    curve: Any = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    for spline in splines:
        _write_spline(curve, spline, is_smooth=is_smooth)
    obj = bpy.data.objects.new(name, curve)
    obj.show_in_front = True
    homes = parent.users_collection
    (homes[0] if homes else context.scene.collection).objects.link(obj)
    obj.parent = parent
    return obj


def _write_spline(curve: Any, spline: SplinePoints, *, is_smooth: bool) -> None:
    has_handles = spline.places.ndim == 3
    is_bezier = has_handles or is_smooth
    written = curve.splines.new("BEZIER" if is_bezier else "POLY")
    points = written.bezier_points if is_bezier else written.points
    points.add(len(spline.radius) - 1)
    written.use_cyclic_u = spline.is_closed
    if is_bezier and not has_handles:
        for point, place in zip(points, spline.places.tolist()):
            point.handle_left_type = point.handle_right_type = "AUTO"
            point.co = place  # one by one: Blender moves the handles
    elif is_bezier:
        for key in ("handle_left_type", "handle_right_type"):
            for point in points:
                setattr(point, key, "FREE")
        for key, places in zip(("co", "handle_left", "handle_right"), spline.places):
            points.foreach_set(key, places.astype(np.float32).ravel())
    else:
        weights = np.ones((len(spline.places), 1))
        points.foreach_set("co", np.hstack((spline.places, weights)).astype(np.float32).ravel())
    points.foreach_set("radius", spline.radius.astype(np.float32))
    points.foreach_set("tilt", spline.tilt.astype(np.float32))
