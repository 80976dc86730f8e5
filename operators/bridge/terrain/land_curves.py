# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects as curves on a terrain, outlines of other objects as such curves, and curves of a terrain as splines."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.curves.land_curve import CurvePoint, LandCurve
from ..datablocks import curve_objects, solids
from ..datablocks.curve_objects import SplinePoints, Table
from ..datablocks.solids import Source
from ..schema import state
from . import tile_frame


def land_curves(
    terrain: bpy.types.Object, obj: Source, depsgraph: Any = None
) -> tuple[LandCurve, ...]:
    """Return the splines of a curve object on a terrain, or the outlines of another object or a collection from above.

    With a dependency graph they are those of its copies, and the terrain is one of these. Raises a TerraneError if they
    are no curves on land.
    """
    frame = tile_frame.TileFrame.of(terrain)
    if isinstance(obj, bpy.types.Collection) or obj.type != "CURVE":
        outlines = solids.outlines(obj, terrain, _why_no_footprint, depsgraph)
        return tuple(replace(each, ring=frame.tiles(each.ring)).land_curve() for each in outlines)
    placed = obj if depsgraph is None else obj.evaluated_get(depsgraph)
    to_terrain = terrain.matrix_world.inverted_safe() @ placed.matrix_world
    matrix = np.array(to_terrain, np.float64)
    splines = curve_objects.read(obj, depsgraph)
    if not splines:
        raise TerraneError("{} must have a spline", obj.name)
    return tuple(_land_curve(spline, matrix, frame) for spline in splines)


def _why_no_footprint(obj: bpy.types.Object) -> str:
    """Return why the land cannot follow an object, "" if it can: what lies on the land follows it."""
    if state.is_terrain(obj) or obj.get(state.PART):
        return Message("{} is a part of a landscape: choose objects that stand on it", obj.name)
    return ""


def _land_curve(spline: SplinePoints, matrix: Table, frame: tile_frame.TileFrame) -> LandCurve:
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
    frame, points = tile_frame.TileFrame.of(terrain), curve.points
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
