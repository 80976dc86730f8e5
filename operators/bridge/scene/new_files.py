# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of a new file, cube and lamp, which are no part of a landscape's picture as long as they are unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from mathutils import Matrix, Vector

from ..datablocks.linked import is_writable
from ..datablocks.record import note_replaced, replaced_by

KEY = "new_file"
"""Name of these objects in records: on a scene that hides them in renders."""

_LAMP_PLACE, _LAMP_POWER = Vector((4.076245, 1.005454, 5.903862)), 1000.0
"""Where the lamp of a new file stands, and its power in watts."""


def hide(scene: bpy.types.Scene, *, in_viewports: bool = False) -> None:
    """Hide the cube and the lamp of a new file in renders, if they are unchanged and show there.

    The lamp alone is hidden in viewports too, if wanted: so near a planet it would be a second sun.
    """
    hidden = replaced_by(scene, KEY)
    for name, obj in _untouched(scene):
        if not obj.hide_render and is_writable(obj):
            hidden[name] = obj
            obj.hide_render = True
        if in_viewports and name == "lamp":
            obj.hide_viewport = True
    note_replaced(scene, KEY, **hidden)


def show(scene: bpy.types.Scene) -> None:
    """Let renders show the objects again that are hidden."""
    for obj in replaced_by(scene, KEY).values():
        if is_writable(obj):
            obj.hide_render = False
    note_replaced(scene, KEY)


def _untouched(scene: bpy.types.Scene) -> Iterator[tuple[str, Any]]:
    """Yield the cube and the lamp of a new file, with their names in records, if they are as there."""
    for obj in scene.objects:
        if obj.type == "LIGHT" and obj.name == "Light" and obj.data.type == "POINT":
            is_there = (obj.location - _LAMP_PLACE).length < 1e-3
            if is_there and obj.data.energy == _LAMP_POWER:
                yield "lamp", obj
        if obj.type == "MESH" and obj.name == "Cube" and _is_cube(obj):
            yield "cube", obj


def _is_cube(obj: Any) -> bool:
    """Return whether an object is the cube of a new file: two meters wide, in the middle, bare."""
    corners = obj.data.vertices
    return (
        len(corners) == 8
        and all(abs(abs(part) - 1.0) < 1e-6 for corner in corners for part in corner.co)
        and obj.matrix_world == Matrix.Identity(4)
        and not (obj.modifiers or obj.children or obj.animation_data)
    )
