# SPDX-License-Identifier: GPL-3.0-or-later
"""The switch of live update, and what there is to say about it."""

from __future__ import annotations

import textwrap
from typing import Any

import bpy

from ..operators.bridge import live_switch, live_update

_LETTER = 7.5
"""Pixels of a letter, about, at a scale of 1: Blender does not break lines by itself."""


def draw_switch(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the switch, for the header of a panel."""
    row: Any = layout.row()
    row.prop(context.scene, live_switch.PROPERTY)
    row.separator()


def draw_note(
    layout: bpy.types.UILayout, context: bpy.types.Context, owner: bpy.types.ID | None
) -> None:
    """Say why something does not follow its settings, if it does not."""
    text = live_update.note(owner)
    if not text:
        return
    region: Any = context.region
    letters = int(region.width / (_LETTER * context.preferences.system.ui_scale)) - 8
    column: Any = layout.column(align=True)
    column.scale_y = 0.8
    for place, line in enumerate(textwrap.wrap(text, max(letters, 16))):
        column.label(text=line, icon="INFO" if place == 0 else "BLANK1")
