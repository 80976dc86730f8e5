# SPDX-License-Identifier: GPL-3.0-or-later
"""Before and after: the button, and a hint at which ground is shown."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge import before, comparing


def draw_comparison(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the button for what was eroded; draw nothing for other things."""
    active = context.active_object
    if active is None or active.type != "MESH" or comparing.why_not(active):
        return
    is_before = before.is_shown(active)
    column: Any = layout.column(align=True)
    if is_before:
        column.label(text="Shown: the ground before the erosion", icon="INFO")
    column.operator(
        "terrane.erosion_compare",
        text="Show After" if is_before else "Show Before",
        icon="UV_SYNC_SELECT",
        depress=is_before,
    )
