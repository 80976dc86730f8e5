# SPDX-License-Identifier: GPL-3.0-or-later
"""Viewports adjusted to the size of new terrains, which may be kilometers wide."""

from __future__ import annotations

from dataclasses import dataclass
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

_NOTED = "terrane_attribute_shown"
"""Custom property of screens whose Solid view was set to show color attributes: the numbers of these viewports."""

Points = npt.NDArray[np.float64]
Frame = tuple[tuple[float, float], tuple[float, float]]
"""Horizontal and vertical limits in a viewport, whose edges are at -1 and 1."""


@dataclass(frozen=True)
class View:
    """Settings of a viewport that `show` changes, to be restored when the terrain is taken back."""

    clip: tuple[float, float]
    location: tuple[float, ...]
    distance: float

    @classmethod
    def of(cls, context: bpy.types.Context) -> View | None:
        """Return the view of the current viewport; None in other editors."""
        space = _viewport(context)
        if space is None:
            return None
        view = space.region_3d
        return cls(
            (space.clip_start, space.clip_end), tuple(view.view_location), view.view_distance
        )

    def restore(self, context: bpy.types.Context) -> None:
        """Give the current viewport this view."""
        space = _viewport(context)
        if space is not None:
            space.clip_start, space.clip_end = self.clip
            space.region_3d.view_location = self.location
            space.region_3d.view_distance = self.distance


def _viewport(context: bpy.types.Context) -> Any | None:
    """Return the current viewport; None in other editors."""
    space: Any = context.space_data
    is_viewport = space is not None and space.type == "VIEW_3D" and space.region_3d is not None
    return space if is_viewport else None


def show(context: bpy.types.Context, terrain: bpy.types.Object, width: float) -> None:
    """Widen the view of the current viewport to hold a terrain; never narrow it.

    The terrain fits the area not covered by sidebar, tools and headers.
    """
    space = _viewport(context)
    if space is None:
        return
    if space.clip_end < FARTHEST * width:
        space.clip_end = FARTHEST * width
        space.clip_start = max(space.clip_start, NEAREST * width)
    view = space.region_3d
    if view.view_perspective == "CAMERA" or view.view_distance >= width / 2.0:
        return
    # A new terrain is not rotated.
    corners = np.array(terrain.bound_box, np.float64) + np.array(terrain.location)
    placement = fit_view(view, corners, _free(context.area))
    if placement is None:  # it has not been drawn yet
        view.view_location, view.view_distance = terrain.location, width * 1.5
    else:
        view.view_location, view.view_distance = placement


def solid_views(context: bpy.types.Context) -> list[Any]:
    """Return the shading of the 3D viewports of the current window."""
    if context.window is None or context.window.screen is None:
        return []
    return _shadings(context.window.screen)


def _shadings(screen: Any) -> list[Any]:
    """Return the shading of the 3D viewports of a screen."""
    spaces = (area.spaces.active for area in screen.areas)
    return [space.shading for space in spaces if space is not None and space.type == "VIEW_3D"]


def show_attribute(context: bpy.types.Context) -> bool:
    """Let Solid view show color attributes, once in every screen; return whether it was changed.

    Viewports whose color the user has chosen stay as they are. A custom property of the screen notes
    which were changed: undo restores neither screens nor viewports.
    """
    views = solid_views(context)
    plain = [place for place, view in enumerate(views) if view.color_type == "MATERIAL"]
    if not plain or context.window.screen.get(_NOTED) is not None:
        return False
    context.window.screen[_NOTED] = plain
    for place in plain:
        views[place].color_type = "VERTEX"
    return True


def restore_attribute() -> None:
    """Let Solid view show materials again where `show_attribute` has changed it, in all screens."""
    for screen in bpy.data.screens:
        noted = screen.get(_NOTED)
        if noted is not None:
            del screen[_NOTED]
            views = _shadings(screen)
            for view in (views[place] for place in noted if place < len(views)):
                if view.color_type == "VERTEX":
                    view.color_type = "MATERIAL"


def shows_attribute(context: bpy.types.Context) -> bool:
    """Return whether Solid view shows color attributes in all viewports of the current window."""
    return all(view.color_type == "VERTEX" for view in solid_views(context))


def toggle_attribute(context: bpy.types.Context) -> None:
    """Let Solid view show color attributes in all viewports of the current window, or materials."""
    kind = "MATERIAL" if shows_attribute(context) else "VERTEX"
    for view in solid_views(context):
        view.color_type = kind


def fit_view(view: Any, corners: Points, frame: Frame) -> tuple[tuple[float, ...], float] | None:
    """Return the location and the distance at which a view shows a box, without turning.

    Each corner has to lie within the two planes through the eye that bound the frame to the left and
    right, and within the two that bound it below and above. The two corners nearest to opposite planes
    determine the least distance of the eye.

    The corners have shape (corners, 3). The result is None if the field of view is not known yet.
    """
    turned = np.array(view.view_rotation.to_matrix(), np.float64)
    matrix = np.array(view.window_matrix, np.float64)
    scales = matrix[0, 0], matrix[1, 1]
    if min(scales) <= 0.0 or not np.isfinite(matrix).all():
        return None
    *plane_axes, depth = (corners @ turned).T  # to the right, upwards, towards the eye
    middle = float(depth.min() + depth.max()) / 2.0
    axes = list(zip(plane_axes, frame, scales))
    if view.is_perspective:
        ranges = []
        for across, limits, scale in axes:
            low, high = (limit / scale for limit in limits)
            ranges.append(((across + high * depth).max(), (across + low * depth).min(), low, high))
        eye = max((first - last) / (high - low) for first, last, low, high in ranges)
        place = []
        for (across, limits, scale), (first, last, low, high) in zip(axes, ranges):
            less, more = first - high * eye, last - low * eye  # the box is visible between these
            for _ in range(_HALVINGS):
                offset = (less + more) / 2.0
                shown = scale * (across - offset) / (eye - depth)
                is_less = shown.min() + shown.max() > sum(limits)
                less, more = (offset, more) if is_less else (less, offset)
            place.append(offset)
        distance = float(eye) - middle
    else:
        spans = [np.ptp(across) * scale / np.ptp(limits) for across, limits, scale in axes]
        growth = float(max(spans))
        distance = view.view_distance * growth
        place = [
            (across.min() + across.max()) / 2.0 - sum(limits) / 2.0 * growth / scale
            for across, limits, scale in axes
        ]
    location = turned @ np.array((*place, middle))
    return tuple(location.tolist()), distance


def _free(area: Any) -> Frame:
    """Return the part of a viewport that no other region of its editor covers."""
    whole = next(region for region in area.regions if region.type == "WINDOW")

    def free(axis: str, size: str, types: tuple[str, str]) -> tuple[float, float]:
        first, length = getattr(whole, axis), getattr(whole, size)
        start, end = first, first + length
        for region in area.regions:
            if region.type in types and getattr(region, size) > 1:
                low, high = getattr(region, axis), getattr(region, axis) + getattr(region, size)
                if (low + high) / 2.0 > first + length / 2.0:
                    end = min(end, low)
                else:
                    start = max(start, high)
        rim = _MARGIN * (end - start)
        low, high = (2.0 * (edge - first) / length - 1.0 for edge in (start + rim, end - rim))
        return (low, high) if high - low > 0.2 else (-0.9, 0.9)

    return free("x", "width", ("UI", "TOOLS")), free("y", "height", ("HEADER", "TOOL_HEADER"))
