# SPDX-License-Identifier: GPL-3.0-or-later
"""Button for comparing before and after, and a hint at which ground is shown."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge.schema import state
from ..operators.bridge.terrain import before, eroding


def draw_comparison(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the button for terrains and for eroded objects; draw nothing for others.

    It is grayed out for a terrain with nothing to compare, so that the controls below do not move while
    layers are switched off and on, nor the button itself when it is pressed.
    """
    active = context.active_object
    if active is None or active.type != "MESH":
        return
    if not state.is_terrain(active) and eroding.why_not_compare(active):
        return
    is_before = before.is_shown(active)
    column: Any = layout.column(align=True)
    column.operator(
        "terrane.erosion_compare",
        text="Show After" if is_before else "Show Before",
        icon="UV_SYNC_SELECT",
        depress=is_before,
    )
    if is_before:
        column.label(text="Shown: the ground before the erosion", icon="INFO")
