# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain may be kilometres wide: the viewport that it was added in has to see so far."""

from __future__ import annotations

from typing import Any

import bpy

FARTHEST = 4.0
"""How far a viewport looks, in widths of the terrain, when its own reach is too short."""

NEAREST = 1e-4
"""Where it begins to see then, in widths: much less costs depth precision."""


def show(context: bpy.types.Context, terrain: bpy.types.Object, width: float) -> None:
    """Widen the view of the viewport at hand until it holds a terrain; never narrow it."""
    space: Any = context.space_data
    if space is None or space.type != "VIEW_3D" or space.region_3d is None:
        return
    if space.clip_end < FARTHEST * width:
        space.clip_end = FARTHEST * width
        space.clip_start = max(space.clip_start, NEAREST * width)
    view = space.region_3d
    if view.view_perspective != "CAMERA" and view.view_distance < width / 2.0:
        view.view_location = terrain.location
        view.view_distance = width * 1.5
