# SPDX-License-Identifier: GPL-3.0-or-later
"""Viewports adjusted to the size of new terrains, which may be kilometers wide."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

FARTHEST = 4.0
"""Clip End in widths of the terrain, if that of the viewport is too short."""

NEAREST = 1e-4
"""Clip Start in widths of the terrain; a much smaller value would cost depth precision."""

_MARGIN = 0.05
"""Margin on each side, as a share of the free part of a viewport."""

_HALVINGS = 40
"""Steps of bisection, for a precision far below a pixel."""

Points = npt.NDArray[np.float64]
Frame = tuple[tuple[float, float], tuple[float, float]]
"""Horizontal and vertical limits in a viewport, whose edges are at -1 and 1."""


def show(context: bpy.types.Context, terrain: bpy.types.Object, width: float) -> None:
    """Widen the view of the current viewport to hold a terrain; never narrow it.

    The terrain fits the area not covered by sidebar, tools and headers.
    """
    space: Any = context.space_data
    if space is None or space.type != "VIEW_3D" or space.region_3d is None:
        return
    if space.clip_end < FARTHEST * width:
        space.clip_end = FARTHEST * width
        space.clip_start = max(space.clip_start, NEAREST * width)
    view = space.region_3d
    if view.view_perspective == "CAMERA" or view.view_distance >= width / 2.0:
        return
    found = fit_view(view, _corners(terrain), _free(context.area))
    if found is None:  # it has not been drawn yet
        view.view_location, view.view_distance = terrain.location, width * 1.5
    else:
        view.view_location, view.view_distance = found


def fit_view(view: Any, corners: Points, frame: Frame) -> tuple[tuple[float, ...], float] | None:
    """Return the location and the distance at which a view shows a box, without turning.

    Each corner has to lie within the two planes through the eye that bound the frame to the left and
    right, and within the two that bound it below and above. The two corners nearest to opposite planes
    determine the least distance of the eye.

    Parameters
    ----------
    view : RegionView3D
        Defines direction and field of view.
    corners : ndarray of shape (corners, 3), float64
        Corners of the box in the world.
    frame : Frame
        Part of the viewport for the box.

    Returns
    -------
    tuple of three floats and a float, or None
        None if the field of view is not known yet.
    """
    turned = np.array(view.view_rotation.to_matrix(), np.float64)
    matrix = np.array(view.window_matrix, np.float64)
    scales = matrix[0, 0], matrix[1, 1]
    if min(scales) <= 0.0 or not np.isfinite(matrix).all():
        return None
    seen = corners @ turned  # to the right, upwards, towards the eye
    depth = seen[:, 2]
    middle = float(depth.min() + depth.max()) / 2.0
    if view.is_perspective:
        ways = [(seen[:, axis], depth, frame[axis], scales[axis]) for axis in (0, 1)]
        reaches = [_sides(*way) for way in ways]
        eye = max((first - last) / (high - low) for first, last, low, high in reaches)
        place = [_center_eye(*way, eye) for way in ways]
        distance = eye - middle
    else:
        spans = [np.ptp(seen[:, axis]) * scales[axis] / np.ptp(frame[axis]) for axis in (0, 1)]
        growth = float(max(spans))
        distance = view.view_distance * growth
        place = [
            float(seen[:, axis].min() + seen[:, axis].max()) / 2.0
            - sum(frame[axis]) / 2.0 * growth / scales[axis]
            for axis in (0, 1)
        ]
    location = turned @ np.array((*place, middle))
    return tuple(location.tolist()), float(distance)


def _sides(
    across: Points, depth: Points, limits: tuple[float, float], scale: float
) -> tuple[float, float, float, float]:
    """Return the extents of the outermost corners along planes of two slopes, and the slopes."""
    low, high = limits[0] / scale, limits[1] / scale
    return float((across + high * depth).max()), float((across + low * depth).min()), low, high


def _center_eye(
    across: Points, depth: Points, limits: tuple[float, float], scale: float, eye: float
) -> float:
    """Return the position of the eye along one axis that centers the box."""
    first, last, low, high = _sides(across, depth, limits, scale)
    place, less, more = (
        0.0,
        first - high * eye,
        last - low * eye,
    )  # the box is visible between these
    for _ in range(_HALVINGS):
        place = (less + more) / 2.0
        shown = scale * (across - place) / (eye - depth)
        if shown.min() + shown.max() > sum(limits):
            less = place
        else:
            more = place
    return place


def _corners(terrain: bpy.types.Object) -> Points:
    """Return the corners of the box around a new terrain, which is not rotated."""
    return np.array(terrain.bound_box, np.float64) + np.array(terrain.location)


def _free(area: Any) -> Frame:
    """Return the part of a viewport that no other region of its editor covers."""
    whole = next(region for region in area.regions if region.type == "WINDOW")
    left, right = whole.x, whole.x + whole.width
    below, above = whole.y, whole.y + whole.height
    for region in area.regions:
        if region.type in ("UI", "TOOLS") and region.width > 1:
            if region.x + region.width / 2.0 > whole.x + whole.width / 2.0:
                right = min(right, region.x)
            else:
                left = max(left, region.x + region.width)
        elif region.type in ("HEADER", "TOOL_HEADER") and region.height > 1:
            if region.y > whole.y + whole.height / 2.0:
                above = min(above, region.y)
            else:
                below = max(below, region.y + region.height)
    sides = []
    for start, end, first, length in (
        (left, right, whole.x, whole.width),
        (below, above, whole.y, whole.height),
    ):
        rim = _MARGIN * (end - start)
        low, high = (2.0 * (one - first) / length - 1.0 for one in (start + rim, end - rim))
        sides.append((low, high) if high - low > 0.2 else (-0.9, 0.9))
    return sides[0], sides[1]
